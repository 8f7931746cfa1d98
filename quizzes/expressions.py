"""Arithmetic that course authors write: key formulas, wrong values, constraints and the numbers inside a text.

A text is parsed once against a whitelist and then evaluated by walking the tree; nothing is ever executed as Python.
Pure: knows no question and no Django.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

Number = int | float

# No formula of a question comes near these. They bound the time and memory of a hostile one.
_MAX_CHARACTERS = 400
_MAX_NODES = 200
_MAX_POWER_BITS = 1024  # as many bits as the largest float has before its point

_FUNCTIONS: Mapping[str, tuple[Callable[..., Number], int, int]] = {  # function, fewest and most arguments
    "sqrt": (math.sqrt, 1, 1),
    "exp": (math.exp, 1, 1),
    "log": (math.log, 1, 1),
    "log2": (math.log2, 1, 1),
    "sin": (math.sin, 1, 1),
    "cos": (math.cos, 1, 1),
    "floor": (math.floor, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "abs": (abs, 1, 1),
    "min": (min, 2, 9),
    "max": (max, 2, 9),
}
_OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class ExpressionError(ValueError):
    """The text is not arithmetic of the allowed kind, or has no finite value for these parameters."""


@dataclass(frozen=True)
class Expression:
    """A parsed text, ready to be evaluated for any values of its names."""

    text: str
    names: frozenset[str]
    _root: ast.expr

    def number(self, values: Mapping[str, Number]) -> Number:
        """Return the finite number that the expression has for these values.

        Errors:  ExpressionError if a name has no value, or the result is no finite real number
        """
        result = self._evaluate(values)
        if isinstance(result, bool):
            raise ExpressionError(f"{self.text!r} is a condition where a number is needed")
        return result

    def holds(self, values: Mapping[str, Number]) -> bool:
        """Return whether the condition is true for these values.

        Errors:  ExpressionError if the expression is a number and no condition, or cannot be evaluated
        """
        result = self._evaluate(values)
        if not isinstance(result, bool):
            raise ExpressionError(f"{self.text!r} is a number where a condition is needed")
        return result

    def _evaluate(self, values: Mapping[str, Number]) -> Number | bool:
        try:
            return _value(self._root, values)
        except (ArithmeticError, ValueError) as error:
            if isinstance(error, ExpressionError):
                raise
            raise ExpressionError(f"{self.text!r} has no value here: {error}") from None


@lru_cache(maxsize=4096)
def parse_expression(text: str) -> Expression:
    """Return the expression that a text spells.

    Errors:  ExpressionError naming what is not allowed
    Limits:  400 characters, 200 parts; operators + - * / // % **, comparisons, `and`; eleven functions
    """
    root = syntax_tree(text)
    names: set[str] = set()
    _check(root, names)
    return Expression(text=text, names=frozenset(names), _root=root)


def syntax_tree(text: str) -> ast.expr:
    """Return the tree of a text that is an expression of bounded size; what it may hold is for others to check.

    Errors:  ExpressionError if it is no expression, or a large one
    """
    if len(text) > _MAX_CHARACTERS:
        raise ExpressionError(f"is longer than {_MAX_CHARACTERS} characters")
    try:
        root = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"{text!r} is not an expression") from None
    if sum(1 for _ in ast.walk(root)) > _MAX_NODES:
        raise ExpressionError(f"has more than {_MAX_NODES} parts")
    return root


def _check(node: ast.expr, names: set[str]) -> None:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and abs(value) < 1e300:
            return
        case ast.Name(id=name) if name not in _FUNCTIONS and not name.startswith("_"):
            names.add(name)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _check(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS or isinstance(op, ast.Pow):
            _check(left, names)
            _check(right, names)
        case ast.BoolOp(op=ast.And(), values=parts):
            for part in parts:
                _check(part, names)
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in _COMPARISONS for op in ops):
            for part in (left, *rest):
                _check(part, names)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            _, fewest, most = _FUNCTIONS[name]
            if not fewest <= len(arguments) <= most:
                raise ExpressionError(f"{name} takes {fewest if fewest == most else f'{fewest} to {most}'} values")
            for argument in arguments:
                _check(argument, names)
        case _:
            raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in an expression")


def _value(node: ast.expr, values: Mapping[str, Number]) -> Number | bool:
    match node:
        case ast.BoolOp(values=parts):
            # Every part is evaluated, so that a fault in a later one is not hidden by an earlier false.
            conditions = [_condition(part, values) for part in parts]
            return all(conditions)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = [_number(side, values) for side in (left, *rest)]
            return all(_COMPARISONS[type(op)](sides[i], sides[i + 1]) for i, op in enumerate(ops))
        case _:
            return _number(node, values)


def _condition(node: ast.expr, values: Mapping[str, Number]) -> bool:
    value = _value(node, values)
    if not isinstance(value, bool):
        raise ExpressionError(f"{ast.unparse(node)!r} is a number where a condition is needed")
    return value


def _number(node: ast.expr, values: Mapping[str, Number]) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name):
            if name not in values:
                raise ExpressionError(f"{name!r} is not a parameter")
            return values[name]
        case ast.UnaryOp(op=op, operand=operand):
            inner = _number(operand, values)
            return -inner if isinstance(op, ast.USub) else inner
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _finite(_power(_number(left, values), _number(right, values)))
        case ast.BinOp(left=left, op=op, right=right):
            return _finite(_OPERATORS[type(op)](_number(left, values), _number(right, values)))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _finite(_FUNCTIONS[name][0](*(_number(argument, values) for argument in arguments)))
        case _:
            raise ExpressionError(f"{ast.unparse(node)!r} is a condition where a number is needed")


def _power(base: Number, exponent: Number) -> Number:
    # Whole numbers would otherwise grow without end: 9 ** 9 ** 9 has 370 million digits.
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > _MAX_POWER_BITS:
        raise ExpressionError("a power is too large")
    result = base**exponent
    if isinstance(result, complex):
        raise ExpressionError("the root of a negative number is not a real number")
    return result


def _finite(value: Number) -> Number:
    if not math.isfinite(value):
        raise ExpressionError("a value is not finite")
    return value
