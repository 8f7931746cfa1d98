"""Arithmetic that course authors write: key formulas, wrong values, constraints and the numbers inside a text.

A text is parsed once against a whitelist into nested functions of ours; nothing is ever executed as Python.
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


class ExpressionError(ValueError):
    """The text is not arithmetic of the allowed kind, or has no finite value for these parameters."""


def _power(base: Number, exponent: Number) -> Number:
    # Whole numbers would otherwise grow without end: 9 ** 9 ** 9 has 370 million digits.
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > _MAX_POWER_BITS:
        raise ExpressionError("a power is too large")
    result = base**exponent
    if isinstance(result, complex):
        raise ExpressionError("the root of a negative number is not a real number")
    return result


_OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


Values = Mapping[str, Number]


@dataclass(frozen=True)
class Expression:
    """A parsed text, ready to be evaluated for any values of its names."""

    text: str
    names: frozenset[str]
    _worked_out: Callable[[Values], Number | bool]

    def number(self, values: Values) -> Number:
        """Return the finite number that the expression has for these values.

        Errors:  ExpressionError if a name has no value, or the result is no finite real number
        """
        result = self._evaluate(values)
        if isinstance(result, bool):
            raise ExpressionError(f"{self.text!r} is a condition where a number is needed")
        return result

    def holds(self, values: Values) -> bool:
        """Return whether the condition is true for these values.

        Errors:  ExpressionError if the expression is a number and no condition, or cannot be evaluated
        """
        result = self._evaluate(values)
        if not isinstance(result, bool):
            raise ExpressionError(f"{self.text!r} is a number where a condition is needed")
        return result

    def _evaluate(self, values: Values) -> Number | bool:
        try:
            return self._worked_out(values)
        except KeyError as error:
            raise ExpressionError(f"{error.args[0]!r} is not a parameter") from None
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
    names: set[str] = set()
    worked_out = _value(syntax_tree(text), names)
    return Expression(text=text, names=frozenset(names), _worked_out=worked_out)


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


# A tree is turned into nested functions once, since a course evaluates each expression for every variant of its family.


def _value(node: ast.expr, names: set[str]) -> Callable[[Values], Number | bool]:
    """Return what works out a number or a condition; `names` receives the names it needs."""
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            conditions = [_condition(part, names) for part in parts]
            # Every part is evaluated, so that a fault in a later one is not hidden by an earlier false.
            return lambda values: False not in [condition(values) for condition in conditions]
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(type(op) in _COMPARISONS for op in ops):
            sides = [_number(side, names) for side in (left, *rest)]
            compare = [_COMPARISONS[type(op)] for op in ops]

            def compared(values: Values) -> bool:
                found = [side(values) for side in sides]
                return all(holds(found[i], found[i + 1]) for i, holds in enumerate(compare))

            return compared
        case _:
            return _number(node, names)


def _condition(node: ast.expr, names: set[str]) -> Callable[[Values], Number | bool]:
    if not isinstance(node, ast.BoolOp | ast.Compare):
        raise ExpressionError(f"{ast.unparse(node)!r} is a number where a condition is needed")
    return _value(node, names)


def _number(node: ast.expr, names: set[str]) -> Callable[[Values], Number]:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and abs(value) < 1e300:
            return lambda _: value
        case ast.Name(id=name) if name not in _FUNCTIONS and not name.startswith("_"):
            names.add(name)
            return operator.itemgetter(name)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(operand, names)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _number(operand, names)
            return lambda values: -inner(values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            apply, first, second = _OPERATORS[type(op)], _number(left, names), _number(right, names)
            return lambda values: _finite(apply(first(values), second(values)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            function, fewest, most = _FUNCTIONS[name]
            if not fewest <= len(arguments) <= most:
                raise ExpressionError(f"{name} takes {fewest if fewest == most else f'{fewest} to {most}'} values")
            inputs = [_number(argument, names) for argument in arguments]
            return lambda values: _finite(function(*[worked_out(values) for worked_out in inputs]))
        case ast.BoolOp() | ast.Compare():
            raise ExpressionError(f"{ast.unparse(node)!r} is a condition where a number is needed")
        case _:
            raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in an expression")


def _finite(value: Number) -> Number:
    if not math.isfinite(value):
        raise ExpressionError("a value is not finite")
    return value
