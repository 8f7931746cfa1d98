"""Which learners a gradebook shows, in which order: what a reader asked for, and what comes of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from urllib.parse import urlencode

from courseware.results.cohorts import CohortStanding, LearnerRow

PAGE = 50  # learners; a table of all is one link further
ALL = "all"
LOOK, WITHDRAWN, SECTION = "look", "withdrawn", "section "

Order = Callable[[LearnerRow], Decimal | str | None]


@dataclass(frozen=True)
class Wanted:
    """What a reader asked for."""

    find: str = ""
    show: str = ""
    sort: str = ""  # a column's name, with a minus the other way round
    page: str = "1"

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "Wanted":
        return cls(**{name: query[name][:100] for name in ("find", "show", "sort", "page") if query.get(name)})

    def but(self, **changes: str) -> str:
        """Return the address of the same list with something else asked for."""
        asked = {**vars(self), "page": "1", **changes}
        kept = {name: value for name, value in asked.items() if value and (name, value) != ("page", "1")}
        return f"?{urlencode(kept)}" if kept else "?"


@dataclass(frozen=True)
class Column:
    """The head of a column that can be sorted by."""

    title: str
    under: str
    address: str  # of the list sorted by it
    direction: str  # "ascending", "descending" or ""
    is_words: bool = False


@dataclass(frozen=True)
class Listing:
    """What the page shows."""

    wanted: Wanted
    rows: tuple[LearnerRow, ...]  # of this page
    found: int  # on all pages
    page: int
    pages: int
    medians: tuple[Decimal | None, ...]  # grade, tests, exercises

    @property
    def is_whole(self) -> bool:
        return self.wanted.page == ALL

    @property
    def all_address(self) -> str:
        return self.wanted.but(page=ALL)

    @property
    def before_address(self) -> str:
        return self.wanted.but(page=str(self.page - 1)) if self.page > 1 and not self.is_whole else ""

    @property
    def after_address(self) -> str:
        return self.wanted.but(page=str(self.page + 1)) if self.page < self.pages and not self.is_whole else ""


def listing(standing: CohortStanding, wanted: Wanted) -> Listing:
    """Return the rows that somebody asked for."""
    rows = [row for row in standing.rows if _is_shown(row, wanted)]
    order, is_reversed = orders(standing).get(wanted.sort.lstrip("-")), wanted.sort.startswith("-")
    if order is not None:
        # Whoever has no mark comes last, whichever way the marks run; that a key is left out here escapes the types.
        valued = sorted((row for row in rows if order(row) is not None), key=order, reverse=is_reversed)  # type: ignore[arg-type]
        rows = valued + [row for row in rows if order(row) is None]
    pages = max(1, -(-len(rows) // PAGE))
    page = min(max(int(wanted.page), 1), pages) if wanted.page.isdecimal() and len(wanted.page) < 7 else 1
    shown = rows if wanted.page == ALL else rows[(page - 1) * PAGE : page * PAGE]
    return Listing(wanted, tuple(shown), len(rows), page, pages, _medians(standing))


def columns(wanted: Wanted, titles: Mapping[str, tuple[str, str]]) -> tuple[Column, ...]:
    """Return the heads of these columns; `titles` holds title and second line by the name to sort by."""
    found = []
    for name, (title, under) in titles.items():
        is_words = name in ("name", "section")
        current = {name: "ascending", f"-{name}": "descending"}.get(wanted.sort or "name", "")
        # Marks are looked at from the top first, names from A.
        first, second = (name, f"-{name}") if is_words else (f"-{name}", name)
        found.append(
            Column(title, under, wanted.but(sort=second if wanted.sort == first else first), current, is_words)
        )
    return tuple(found)


def orders(standing: CohortStanding) -> Mapping[str, Order]:
    """Return what a list can be sorted by."""
    found: dict[str, Order] = {
        "name": lambda row: row.enrolment.user.name.casefold(),
        "section": lambda row: row.enrolment.section.casefold(),
        "grade": lambda row: row.grade.percent if row.grade else None,
    }
    for at, assignment in enumerate(standing.assignments):
        found[f"test-{assignment.pk}"] = lambda row, at=at: row.sittings[at].mark  # type: ignore[misc]
    for at, exercise in enumerate(standing.exercises):
        found[exercise.slug] = lambda row, at=at: row.exercises[at].best_mark  # type: ignore[misc]
    return found


def shows(standing: CohortStanding) -> Sequence[tuple[str, str]]:
    """Return the choices of what to show, each with its words and how many there are."""
    looks = sum(bool(row.remarks) for row in standing.rows)
    withdrawn = len(standing.rows) - len(standing.active)
    sections = sorted({row.enrolment.section for row in standing.rows if row.enrolment.section})
    found = [("", f"all {len(standing.rows)}"), (LOOK, f"needs a look, {looks}")]
    if withdrawn:
        found.append((WITHDRAWN, f"withdrawn, {withdrawn}"))
    return [*found, *((SECTION + name, f"section {name}") for name in sections)]


def _is_shown(row: LearnerRow, wanted: Wanted) -> bool:
    user, find = row.enrolment.user, wanted.find.strip().casefold()
    if find and find not in user.name.casefold() and find not in user.email.casefold():
        return False
    if wanted.show == LOOK:
        return bool(row.remarks)
    if wanted.show == WITHDRAWN:
        return not row.is_active
    return not wanted.show.startswith(SECTION) or row.enrolment.section == wanted.show.removeprefix(SECTION)


def _medians(standing: CohortStanding) -> tuple[Decimal | None, ...]:
    """Return the medians over those who learn here now; what is open or not begun is left out."""
    active = standing.active
    values: list[list[Decimal | None]] = [
        [row.grade.percent for row in active if row.grade and not row.grade.is_provisional],
        *([row.sittings[at].mark for row in active] for at in range(len(standing.assignments))),
        *([row.exercises[at].best_mark for row in active] for at in range(len(standing.exercises))),
    ]
    return tuple(
        median(known) if (known := [each for each in column if each is not None]) else None for column in values
    )
