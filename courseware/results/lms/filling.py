"""A learning management system's own export, given back with one column filled.

Pure. Identities are echoed as the instructor's file had them; ours are numbers only. A learner without a mark keeps
what the file said, since an empty cell means no change there.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from courseware.results.sheets import Sheet, Unreadable, folded, write_sheet


class System(Enum):
    CANVAS = "Canvas"
    MOODLE = "Moodle"
    BLACKBOARD = "Blackboard"


@dataclass(frozen=True)
class Earned:
    """One learner and their mark in the column that goes out."""

    name: str
    email: str
    mark: Decimal | None


@dataclass(frozen=True)
class Ours:
    """The column that goes out."""

    title: str
    out_of: Decimal
    learners: tuple[Earned, ...]


@dataclass(frozen=True)
class Row:
    """One person of the file, and what was found."""

    line: int  # in the file
    name: str  # as the file has it
    learner: Earned | None
    problem: str  # "" where somebody was found


@dataclass(frozen=True)
class Match:
    """The file beside the cohort."""

    system: System
    sheet: Sheet
    rows: tuple[Row, ...]
    columns: tuple[int, ...]  # that can be filled
    missing: tuple[Earned, ...]  # learners with a mark whom the file does not have

    @property
    def found(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.learner is not None)

    @property
    def problems(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.problem)


# Heads by which each system names people; the first that a file has is used.
_EMAIL = ("email address", "e-mail address", "email", "e-mail")
_LOGIN = ("sis login id", "username", "login")
_ID_COLUMNS = {
    "student", "id", "sis user id", "sis login id", "integration id", "root account", "section", "first name",
    "last name", "surname", "id number", "username", "institution", "department", "email address", "e-mail address",
    "email", "student id", "last access", "availability", "last downloaded from this course", "groups",
}  # fmt: skip
_CANVAS_COLUMN = re.compile(r"\(\d+\)\s*$")
_BLACKBOARD_COLUMN = re.compile(r"\|\s*\d+\s*$")
_BLACKBOARD_POINTS = re.compile(r"Total Pts:\s*([\d.,]+)")


def system_of(sheet: Sheet) -> System:
    """Return which system wrote the file.

    Errors:  Unreadable if none of the three did
    """
    head = [folded(cell) for cell in sheet.head]
    if len(head) > 1 and "student" in head[0] and head[1] == "id":
        return System.CANVAS
    if "username" in head and any(_BLACKBOARD_COLUMN.search(cell) for cell in sheet.head):
        return System.BLACKBOARD
    if any(cell in head for cell in (*_EMAIL, "id number", "username")):
        return System.MOODLE
    raise Unreadable(
        "This does not look like an export of Canvas, Moodle or Blackboard: it names nobody by student and ID, by "
        "e-mail address, by ID number or by username."
    )


def matched(sheet: Sheet, ours: Ours) -> Match:
    """Return whom the file and the cohort have in common.

    Errors:  Unreadable
    """
    system = system_of(sheet)
    find = _finder(sheet, ours.learners)
    rows = []
    for line, cells in enumerate(sheet.rows[1:], start=2):
        if system is System.CANVAS and _is_points(cells):
            continue
        learner, problem = find(cells)
        rows.append(Row(line, _name(sheet, cells), learner, problem))
    twice = {email for email, count in Counter(row.learner.email for row in rows if row.learner).items() if count > 1}
    rows = [
        Row(row.line, row.name, None, f"{row.learner.name} is in the file twice")
        if row.learner and row.learner.email in twice
        else row
        for row in rows
    ]
    known = {row.learner.email for row in rows if row.learner}
    missing = tuple(each for each in ours.learners if each.mark is not None and each.email not in known)
    return Match(system, sheet, tuple(rows), _fillable(system, sheet), missing)


def suggested(match: Match, ours: Ours) -> int | None:
    """Return the column of the file that has our title, None if a new one is to be made."""
    title = folded(ours.title)
    return next((at for at in match.columns if folded(match.sheet.head[at]).startswith(title)), None)


def points_of(match: Match, column: int | None) -> Decimal | None:
    """Return of how many points the file's column is, None where the file does not say."""
    if column is None:
        return None
    if match.system is System.CANVAS:
        cells = next((row for row in match.sheet.rows[1:] if _is_points(row)), ())
        return _number(cells[column]) if column < len(cells) else None
    found = _BLACKBOARD_POINTS.search(match.sheet.head[column])
    return _number(found[1]) if found else None


def filled(match: Match, ours: Ours, column: int | None) -> bytes:
    """Return the file with our column filled; marks are scaled where the file's column is of other points."""
    points = points_of(match, column) or ours.out_of
    head = list(match.sheet.head)
    at = len(head) if column is None else column
    learners = {row.line: row.learner for row in match.found}
    if column is None:
        head.append(_new_head(match.system, ours))
    out = [head]
    for line, cells in enumerate(match.sheet.rows[1:], start=2):
        row = [*cells, *[""] * (len(head) - len(cells))]
        learner = learners.get(line)
        if learner is not None and learner.mark is not None:
            row[at] = _shown(learner.mark * points / ours.out_of)
        elif match.system is System.MOODLE:
            continue  # one unknown person or one empty grade makes Moodle refuse the whole file
        elif column is None and match.system is System.CANVAS and _is_points(cells):
            row[at] = _shown(ours.out_of)
        out.append(row)
    return write_sheet(match.sheet, out)


def _finder(sheet: Sheet, learners: Sequence[Earned]) -> Callable[[Sequence[str]], tuple[Earned | None, str]]:
    by_email = {folded(each.email): each for each in learners}
    by_login, by_name = (
        _unique(learners, lambda each: each.email.partition("@")[0]),
        _unique(learners, lambda each: _plain_name(each.name)),
    )
    email, login, user_id = _column(sheet, _EMAIL), _column(sheet, _LOGIN), _column(sheet, ("sis user id", "id number"))

    def find(cells: Sequence[str]) -> tuple[Earned | None, str]:
        keys = [folded(cells[at]) for at in (email, login, user_id) if at is not None and at < len(cells) and cells[at]]
        for key in keys:
            found = by_email.get(key) or by_login.get(key)
            if found is not None:
                return found, ""
        name = _plain_name(_name(sheet, cells))
        if name in by_name:
            named = by_name[name]
            return (named, "") if named else (None, "several learners have this name")
        return None, "nobody in this cohort"

    return find


def _unique(learners: Sequence[Earned], key: Callable[[Earned], str]) -> dict[str, Earned | None]:
    """Return learners by a key; None where several share it."""
    found: dict[str, Earned | None] = {}
    for each in learners:
        name = folded(key(each))
        found[name] = None if name in found else each
    return found


def _plain_name(name: str) -> str:
    """Return "First Last" for "Last, First", as names are compared."""
    last, comma, first = name.partition(",")
    return folded(f"{first} {last}") if comma else folded(name)


def _name(sheet: Sheet, cells: Sequence[str]) -> str:
    student = _column(sheet, ("student", "student name", "full name", "name"))
    if student is not None:
        return cells[student].strip()
    parts = [_column(sheet, names) for names in (("first name",), ("last name", "surname"))]
    return " ".join(cells[at].strip() for at in parts if at is not None and at < len(cells))


def _column(sheet: Sheet, names: Sequence[str]) -> int | None:
    head = [folded(cell) for cell in sheet.head]
    return next((head.index(name) for name in names if name in head), None)


def _fillable(system: System, sheet: Sheet) -> tuple[int, ...]:
    read_only = next((row for row in sheet.rows[1:] if _is_points(row)), ()) if system is System.CANVAS else ()
    found = []
    for at, head in enumerate(sheet.head):
        if system is System.CANVAS:
            fits = bool(_CANVAS_COLUMN.search(head)) and not (at < len(read_only) and "read only" in read_only[at])
        elif system is System.BLACKBOARD:
            fits = bool(_BLACKBOARD_COLUMN.search(head))
        else:
            fits = bool(head.strip()) and folded(head) not in _ID_COLUMNS and not folded(head).endswith("feedback")
        if fits:
            found.append(at)
    return tuple(found)


def _is_points(cells: Sequence[str]) -> bool:
    return bool(cells) and folded(cells[0]) == "points possible"


def _new_head(system: System, ours: Ours) -> str:
    title = ours.title.lstrip("=+-@|% \t\r\n") or "Mark"  # a head must not be taken for a formula either
    if system is System.MOODLE:
        return f"{title} (max {_shown(ours.out_of)})"
    return f"{title} [Total Pts: {_shown(ours.out_of)} Score]" if system is System.BLACKBOARD else title


def _number(text: str) -> Decimal | None:
    found = re.fullmatch(r"\s*(\d+)(?:[.,](\d+))?\s*", text)
    number = Decimal(f"{found[1]}.{found[2] or 0}") if found else None
    return number or None


def _shown(mark: Decimal) -> str:
    """Return a mark with at most two decimals and a point: the precision to which all three compare."""
    text = f"{mark.quantize(Decimal('0.01'), rounding='ROUND_HALF_UP'):f}"
    return text.rstrip("0").rstrip(".")
