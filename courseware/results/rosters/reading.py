"""Whom a roster names, as Canvas, Moodle, Blackboard and a plain sheet write it. Pure.

Where the head is unknown, a column with addresses tells that there is none.
"""

from collections.abc import Sequence

from courseware.accounts.rosters import Entry
from courseware.results.sheets import Sheet, Unreadable, folded

_EMAIL = ("email", "e-mail", "mail", "email address", "e-mail address", "sis login id", "login id", "username")
_NAME = ("name", "full name", "student", "student name", "learner", "display name")
_FIRST = ("first name", "first", "given name", "given")
_LAST = ("last name", "last", "surname", "family name", "family")
_SECTION = ("section", "sections", "group", "groups", "section name")


def entries_of(sheet: Sheet) -> tuple[Entry, ...]:
    """Return an entry for each line that names somebody.

    Errors:  Unreadable if no column holds addresses
    """
    head = [folded(cell) for cell in sheet.head]
    if any("@" in cell for cell in head):
        return _without_head(sheet)
    # Several columns may hold addresses; the one in which most lines have one is meant.
    candidates = [at for at, cell in enumerate(head) if cell in _EMAIL]
    if not candidates:
        raise Unreadable(
            "No column is named like an e-mail address. Name one “E-mail address”: people sign in with it."
        )
    email = max(candidates, key=lambda at: sum("@" in _cell(row, at) for row in sheet.rows[1:]))
    names = [_first_of(head, _NAME), _first_of(head, _FIRST), _first_of(head, _LAST)]
    section = _first_of(head, _SECTION)
    if names == [None, None, None]:
        raise Unreadable("No column is named like a name. Name one “Name”, or two “First name” and “Last name”.")
    return tuple(
        Entry(line, _cell(row, email), _name(row, names), None if section is None else _cell(row, section))
        for line, row in enumerate(sheet.rows[1:], start=2)
        if folded(row[0]) not in ("points possible", "student, test")  # lines of Canvas that name nobody
    )


def _without_head(sheet: Sheet) -> tuple[Entry, ...]:
    email = next(at for at, cell in enumerate(sheet.head) if "@" in cell)
    others = [at for at in range(len(sheet.head)) if at != email]
    if not others:
        raise Unreadable("There are addresses and no names. Put a name into a column of its own.")
    return tuple(
        Entry(line, _cell(row, email), _turned(_cell(row, others[0])), None)
        for line, row in enumerate(sheet.rows, start=1)
    )


def _first_of(head: Sequence[str], names: Sequence[str]) -> int | None:
    return next((head.index(name) for name in names if name in head), None)


def _cell(row: Sequence[str], at: int) -> str:
    text = row[at].strip() if at < len(row) else ""
    # Our own files put an apostrophe before what a spreadsheet would take for a formula.
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def _name(row: Sequence[str], columns: Sequence[int | None]) -> str:
    whole, first, last = ("" if at is None else _cell(row, at) for at in columns)
    return _turned(whole) or f"{first} {last}".strip()


def _turned(name: str) -> str:
    """Return "First Last" for "Last, First"."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() else name
