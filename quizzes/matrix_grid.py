"""A family of matrix questions as a bank describes it: the key and every slip are computed over the whole grid.

Every variant is looked at when the course is loaded, so that none can surprise a learner. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from courseware.concepts.sources import Fields, YamlList
from courseware.drawing.matrices import Matrix, shape
from quizzes import families, prose
from quizzes.expressions import ExpressionError
from quizzes.families import Tolerance, Values, spelt
from quizzes.matrix_expressions import FUNCTION_NAMES, parse_matrix_expression
from quizzes.matrix_tasks import ANSWER, Cell, Given, MatrixTask, Slip, at, numbers_of
from quizzes.questions import Grounds

MOST_VARIANTS = 400  # all of them are checked at every start, and a matrix takes ten times as long as a number
MOST_ROWS, MOST_COLUMNS = 6, 6  # of the answer; filling in more is a test of patience
FEWEST_BLANKS = 2  # one cell alone is a numeric question
FEWEST_ANSWERS = 3  # fewer would let neighbours share an answer


def parse(fields: Fields, grounds: Grounds) -> MatrixTask | None:
    """Return the family that a bank's entry describes, or None after reporting its faults."""
    family = families.parse_parameters(fields, most=MOST_VARIANTS)
    tolerance = families.parse_tolerance(fields, relative=False)
    decimals, rows, columns = fields.integer("decimals", default=2), _word(fields, "rows"), _word(fields, "columns")
    definitions, answer = _definitions(fields), fields.text(ANSWER)
    given, entries = _given(fields, dict(definitions)), fields.each("wrong")
    blank = fields.entries("blank", required=False)
    if not entries:
        fields.fault("wrong", "names no slip; at least one must be diagnosed")
    if family is None or not answer or not rows or not columns:
        return None
    grid = families.grid(*family)
    known = _known(fields, definitions, answer, grid)
    blanks = _blanks(fields, blank, [each[ANSWER] for each in known]) if known else ()
    if not known or not blanks:
        return None
    keys = _Keys(grid, known, blanks, tolerance)
    keys.check(fields, decimals)
    numbers = [numbers_of(parameters, each) for parameters, each in zip(grid, known, strict=True)]
    families.check_filled(fields, "stem", fields.text("stem"), numbers)
    right = families.parse_explanation(fields, grounds, numbers, decimals)
    otherwise = families.parse_otherwise(fields, grounds, numbers, decimals)
    wrong: list[Slip] = []
    earlier: list[list[Matrix]] = []
    for entry in entries:
        text, cause = entry.text(ANSWER), prose.cause(entry, grounds, required=True)
        explanation = families.parse_explanation(entry, grounds, numbers, decimals)
        entry.refuse_unknown()
        values = keys.slip(entry, text, earlier)
        if cause and values:
            wrong.append(Slip(answer=text, cause=cause, explanation=explanation))
            earlier.append(values)
    if otherwise is None or len(wrong) != len(entries):
        return None
    return MatrixTask(
        parameters=family[0],
        where=family[1],
        matrices=definitions,
        answer=answer,
        rows=rows,
        columns=columns,
        blanks=blanks,
        given=given,
        tolerance=tolerance,
        decimals=decimals,
        right=right,
        otherwise=otherwise,
        wrong=tuple(wrong),
    )


@dataclass(frozen=True)
class _Keys:
    """The key of every variant, and what slips may not do in any of them."""

    grid: Sequence[Values]
    known: Sequence[Mapping[str, Matrix]]
    blanks: tuple[Cell, ...]
    tolerance: Tolerance

    def check(self, fields: Fields, decimals: int) -> None:
        """Report keys that hardly vary, and keys that are missed when they are rounded as the page says."""
        cells = [tuple(at(each[ANSWER], cell) for cell in self.blanks) for each in self.known]
        if len({tuple(round(value, 9) for value in key) for key in cells}) < FEWEST_ANSWERS:
            fields.fault(ANSWER, f"takes fewer than {FEWEST_ANSWERS} values over all variants")
        for parameters, key in zip(self.grid, cells, strict=True):
            for value in key:
                if not self.tolerance.is_near(round(value, decimals), value):
                    fields.fault(
                        "tolerance",
                        f"is less than rounding {value:g} to {decimals} decimals takes, for {spelt(parameters)}",
                    )
                    return

    def slip(self, entry: Fields, text: str, earlier: Sequence[Sequence[Matrix]]) -> list[Matrix] | None:
        """Return what a slip gives in every variant, or None after reporting why it cannot be told from the rest."""
        values = _values(entry, ANSWER, text, self.grid, self.known) if text else None
        if values is None:
            return None
        if any(shape(value) != shape(each[ANSWER]) for value, each in zip(values, self.known, strict=True)):
            entry.fault(ANSWER, "has another shape than the answer")
            return None
        for place, (parameters, value) in enumerate(zip(self.grid, values, strict=True)):
            if self._meet(value, self.known[place][ANSWER]):
                entry.fault(ANSWER, f"is near the right answer in every blank cell for {spelt(parameters)}")
                break
            if any(self._meet(value, other[place]) for other in earlier):
                entry.fault(ANSWER, f"is that of another slip in every blank cell for {spelt(parameters)}")
                break
        return values

    def _meet(self, one: Matrix, other: Matrix) -> bool:
        """Tell whether no cell keeps two matrices apart."""
        return all(self.tolerance.could_meet(at(one, cell), at(other, cell)) for cell in self.blanks)


def _known(
    fields: Fields, definitions: Sequence[tuple[str, str]], answer: str, grid: Sequence[Values]
) -> list[dict[str, Matrix]]:
    """Return every matrix of every variant, or nothing after reporting which has no value."""
    known: list[dict[str, Matrix]] = [{} for _ in grid]
    inner = fields.fields("matrices", required=False)
    for name, text in (*definitions, (ANSWER, answer)):
        values = _values(inner if inner and name != ANSWER else fields, name, text, grid, known)
        if values is None:
            return []
        for each, value in zip(known, values, strict=True):
            each[name] = value
    return known


def _values(
    fields: Fields, name: str, text: str, grid: Sequence[Values], known: Sequence[Mapping[str, Matrix]]
) -> list[Matrix] | None:
    try:
        expression = parse_matrix_expression(text, frozenset(known[0]))
        return [expression.matrix(parameters, each) for parameters, each in zip(grid, known, strict=True)]
    except ExpressionError as error:
        fields.fault(name, str(error))
        return None


def _definitions(fields: Fields) -> tuple[tuple[str, str], ...]:
    """Return the matrices that have a name; one that is written out in YAML becomes an expression too."""
    inner = fields.fields("matrices", required=False)
    found = []
    for name in inner.mapping if inner else ():
        assert inner is not None
        is_list = isinstance(inner.mapping[name], YamlList)
        text = _written(inner.entries(name)) if is_list else inner.text(name)
        if not name.isidentifier() or name in FUNCTION_NAMES or name == ANSWER:
            inner.fault(name, "is not a name that an expression can use")
        if text:
            found.append((name, text))
    return tuple(found)


def _written(entries: YamlList) -> str:
    rows = (f"[{', '.join(map(str, entry))}]" if isinstance(entry, list) else str(entry) for entry in entries)
    return f"[{', '.join(rows)}]"


def _given(fields: Fields, definitions: Mapping[str, str]) -> tuple[Given, ...]:
    """Return the matrices to show; each is a name, or a name with words for its rows and columns."""
    found = []
    entries = fields.entries("shown", required=False)
    for entry in entries:
        if isinstance(entry, dict):
            given = Given(str(entry.get("name")), str(entry.get("rows", "row")), str(entry.get("columns", "column")))
        else:
            given = Given(str(entry), "row", "column")
        if given.name not in definitions or (isinstance(entry, dict) and set(entry) - {"name", "rows", "columns"}):
            fields.fault("shown", f"{entry!r} is no matrix of this question")
        found.append(given)
    return tuple(found)


def _blanks(fields: Fields, blank: YamlList, keys: Sequence[Matrix]) -> tuple[Cell, ...]:
    """Return the cells to fill in, row by row; nothing after reporting why there are none."""
    rows, columns = shape(keys[0])
    if any(shape(key) != (rows, columns) for key in keys):
        fields.fault(ANSWER, "has different shapes in different variants")
        return ()
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        fields.fault(ANSWER, f"is {rows} × {columns}; at most {MOST_ROWS} × {MOST_COLUMNS} are filled in")
        return ()
    every = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    chosen = [tuple(cell) if isinstance(cell, list) else cell for cell in blank]
    if any(cell not in every for cell in chosen) or len(set(chosen)) != len(chosen):
        fields.fault("blank", f"must be different cells [row, column] of a {rows} × {columns} matrix, counted from 1")
        return ()
    blanks = tuple(cell for cell in every if not chosen or cell in chosen)
    if len(blanks) < FEWEST_BLANKS:
        fields.fault("blank", f"leaves {len(blanks)} cell to fill in; at least {FEWEST_BLANKS} are needed")
        return ()
    return blanks


def _word(fields: Fields, name: str) -> str:
    """Return the word for one row or column of the answer."""
    inner = fields.fields(name)
    if inner is None:
        return ""
    word = inner.text("name")
    inner.refuse_unknown()
    return word
