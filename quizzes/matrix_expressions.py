"""Matrix arithmetic that course authors write: the key of a matrix question, and the slips that lead elsewhere.

A text is parsed once against a whitelist and then evaluated by walking its parts; nothing is ever executed as Python.
Numbers inside it are left to `quizzes.expressions`. Pure: knows no question and no Django.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from courseware.drawing import matrices
from courseware.drawing.matrices import Matrix
from quizzes.expressions import Expression, ExpressionError, Number, parse_expression, syntax_tree

MOST_ROWS = 8  # or columns; nobody fills in or follows more by hand

_ENTRYWISE: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


@dataclass(frozen=True)
class _Named:
    """A matrix that has a name."""

    name: str


@dataclass(frozen=True)
class _Literal:
    """A matrix that is written out; None stands for minus infinity."""

    rows: tuple[tuple[Expression | None, ...], ...]


@dataclass(frozen=True)
class _Joined:
    """Two parts with an operator between them, at least one of them a matrix."""

    text: str
    op: ast.operator
    left: "_Part"
    right: "_Part"


@dataclass(frozen=True)
class _Called:
    """A function of matrices and numbers."""

    text: str
    name: str
    arguments: tuple["_Part", ...]


_Part = Expression | _Named | _Literal | _Joined | _Called


@dataclass(frozen=True)
class MatrixExpression:
    """A parsed text, ready to be evaluated for any values of its names."""

    text: str
    _root: _Part

    def matrix(self, numbers: Mapping[str, Number], known: Mapping[str, Matrix]) -> Matrix:
        """Return the matrix that the expression has for these values; its entries are finite or minus infinity.

        Errors:  ExpressionError if a name has no value, shapes do not fit, or an entry is no such number
        """
        try:
            result = _value(self._root, numbers, known)
        except (ArithmeticError, ValueError) as error:
            if isinstance(error, ExpressionError):
                raise
            raise ExpressionError(f"{self.text!r} has no value here: {error}") from None
        assert isinstance(result, tuple), "parsing found that it is a matrix"
        return result


@lru_cache(maxsize=1024)
def parse_matrix_expression(text: str, names: frozenset[str]) -> MatrixExpression:
    """Return the expression that a text spells, given the names that stand for matrices; others stand for numbers.

    Errors:  ExpressionError naming what is not allowed
    Limits:  those of `syntax_tree`, 8 rows and columns; operators @ + - * /, `[[…], […]]`, and the functions below
    """
    try:
        root = _part(syntax_tree(text), names)
    except RecursionError:
        raise ExpressionError(f"{text[:40]!r} is nested too deeply") from None
    if isinstance(root, Expression):
        raise ExpressionError(f"{text!r} is a number where a matrix is needed")
    return MatrixExpression(text=text, _root=root)


def _part(node: ast.expr, names: frozenset[str]) -> _Part:
    match node:
        case ast.Name(id=name) if name in names:
            return _Named(name)
        case ast.List():
            return _literal(node)
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(inner := _part(operand, names), Expression):
            return _Joined(ast.unparse(node), ast.Mult(), parse_expression("-1"), inner)
        case ast.BinOp(left=left, op=op, right=right):
            sides = _part(left, names), _part(right, names)
            if not all(isinstance(side, Expression) for side in sides):
                return _Joined(ast.unparse(node), op, *sides)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            parts = tuple(_part(argument, names) for argument in arguments)
            if name != "exp" or not all(isinstance(part, Expression) for part in parts):
                return _Called(ast.unparse(node), name, parts)
    return parse_expression(ast.unparse(node))


def _literal(node: ast.List) -> _Literal:
    rows = [row for row in node.elts if isinstance(row, ast.List)]
    if rows and len(rows) != len(node.elts):
        raise ExpressionError(f"{ast.unparse(node)!r} mixes rows and numbers; write [[1, 0], [0, 1]]")
    # A list of numbers is a matrix of one row.
    written = tuple(tuple(_entry(entry) for entry in row.elts) for row in rows or [node])
    if len({len(row) for row in written}) != 1 or not 0 < len(written[0]) <= MOST_ROWS or len(written) > MOST_ROWS:
        raise ExpressionError(f"a matrix has 1 to {MOST_ROWS} rows and columns, and rows of one length")
    return _Literal(written)


def _entry(node: ast.expr) -> Expression | None:
    text = ast.unparse(node)
    return None if text == "-inf" else parse_expression(text)


def _value(part: _Part, numbers: Mapping[str, Number], known: Mapping[str, Matrix]) -> Matrix | Number:
    match part:
        case Expression():
            return part.number(numbers)
        case _Named(name=name):
            return known[name]
        case _Literal(rows=rows):
            return tuple(tuple(float(each.number(numbers)) if each else -math.inf for each in row) for row in rows)
        case _Joined(text=text):
            left, right = _value(part.left, numbers, known), _value(part.right, numbers, known)
            return _checked(text, _joined(part, left, right))
        case _Called(text=text, name=name):
            return _checked(text, _called(part, [_value(argument, numbers, known) for argument in part.arguments]))


def _joined(part: _Joined, left: Matrix | Number, right: Matrix | Number) -> Matrix:
    op = part.op
    if isinstance(left, tuple) and isinstance(right, tuple):
        if isinstance(op, ast.MatMult):
            return matrices.multiply(left, right)
        if type(op) in _ENTRYWISE:
            return matrices.entrywise(_ENTRYWISE[type(op)], left, right)
    elif isinstance(right, tuple) and not isinstance(left, tuple) and isinstance(op, ast.Mult):
        return matrices.scaled(right, left)
    elif isinstance(left, tuple) and not isinstance(right, tuple) and isinstance(op, ast.Mult | ast.Div):
        return matrices.scaled(left, right if isinstance(op, ast.Mult) else 1 / right)
    raise ExpressionError(f"{part.text!r} joins a matrix in a way that is not known here")


def _called(part: _Called, arguments: list[Matrix | Number]) -> Matrix:
    function, shapes = _FUNCTIONS[part.name]
    shape = "".join("m" if isinstance(argument, tuple) else "n" for argument in arguments)
    if shape not in shapes.split():
        raise ExpressionError(f"{part.text!r} is given something else than {part.name} takes")
    sizes = [argument for argument in arguments if not isinstance(argument, tuple)]
    if not all(isinstance(size, int) and abs(size) <= MOST_ROWS for size in sizes):
        raise ExpressionError(f"{part.text!r} needs whole numbers of at most {MOST_ROWS}")
    return function(*arguments)


def _checked(text: str, values: Matrix) -> Matrix:
    for row, entries in enumerate(values, start=1):
        for column, entry in enumerate(entries, start=1):
            if math.isnan(entry) or entry == math.inf:
                raise ExpressionError(f"{text!r} has no number in row {row}, column {column}")
    return tuple(tuple(entry + 0.0 for entry in entries) for entries in values)  # -0.0 becomes 0.0


def _exponentials(values: Matrix) -> Matrix:
    return tuple(tuple(math.exp(value) for value in row) for row in values)


def _softmax_or_zeros(values: Matrix) -> Matrix:
    """Return the softmax of each row, of zeros where nothing is open, as libraries that guard against NaN do."""
    softened = matrices.softmax_rows(values)
    return tuple(tuple(0.0 if math.isnan(weight) else weight for weight in row) for row in softened)


def _causal_mask(size: int, first_blocked: int = 1) -> Matrix:
    return matrices.causal_mask(_positive(size), first_blocked=first_blocked)


def _padding_mask(*arguments: Any) -> Matrix:
    *size, blocked = arguments
    return matrices.padding_mask(_positive(size[0]), _positive(size[-1]), {int(column) for column in blocked[0]})


def _positive(size: int) -> int:
    if size < 1:
        raise ExpressionError("a matrix has at least one row and one column")
    return size


# What each function takes, in order: m for a matrix, n for a whole number.
_FUNCTIONS: Mapping[str, tuple[Callable[..., Matrix], str]] = {
    "T": (matrices.transpose, "m"),
    "exp": (_exponentials, "m"),
    "softmax_rows": (matrices.softmax_rows, "m"),
    "softmax_columns": (matrices.softmax_columns, "m"),
    "softmax_or_zeros": (_softmax_or_zeros, "m"),
    "divide_rows": (matrices.divided_by_row_sums, "m"),
    "keep_where": (matrices.kept_where_open, "mm"),
    "identity": (lambda size: matrices.identity(_positive(size)), "n"),
    "causal_mask": (_causal_mask, "n nn"),
    "padding_mask": (_padding_mask, "nm nnm"),
}
FUNCTION_NAMES = frozenset(_FUNCTIONS)
