"""Which learners a gradebook shows, in which order: what a reader asked for, and what comes of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from courseware.results.cohorts import CohortStanding
from courseware.results.people import PAGE, Person

ALL = "all"
LOOK, WITHDRAWN, SECTION = "look", "withdrawn", "section "

Order = Callable[[Person], Decimal | str | None]


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
    people: tuple[Person, ...]  # of this page
    found: int  # on all pages
    page: int
    pages: int

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
    """Return the learners that somebody asked for."""
    found: Sequence[Person] = standing.people
    if wanted.find or wanted.show:
        found = [each for each in found if _is_shown(each, standing, wanted)]
    order, is_reversed = orders(standing).get(wanted.sort.lstrip("-")), wanted.sort.startswith("-")
    if order is not None:
        # Whoever has no mark comes last, whichever way the marks run.
        keyed = [(order(each), each) for each in found]
        valued = sorted((each for each in keyed if each[0] is not None), key=_key, reverse=is_reversed)
        found = [each for _, each in valued] + [each for key, each in keyed if key is None]
    pages = max(1, -(-len(found) // PAGE))
    page = min(max(int(wanted.page), 1), pages) if wanted.page.isdecimal() and len(wanted.page) < 7 else 1
    shown = found if wanted.page == ALL else found[(page - 1) * PAGE : page * PAGE]
    return Listing(wanted, tuple(shown), len(found), page, pages)


def columns(wanted: Wanted, titles: Mapping[str, tuple[str, str]]) -> tuple[Column, ...]:
    """Return the heads of these columns; `titles` holds title and second line by the name to sort by."""
    unsorted = wanted.but(sort="")
    before = unsorted if unsorted == "?" else f"{unsorted}&"
    found = []
    for name, (title, under) in titles.items():
        is_words = name in ("name", "section")
        current = {name: "ascending", f"-{name}": "descending"}.get(wanted.sort or "name", "")
        # Marks are looked at from the top first, names from A.
        first, second = (name, f"-{name}") if is_words else (f"-{name}", name)
        address = f"{before}sort={second if wanted.sort == first else first}"  # ids need no quoting
        found.append(Column(title, under, address, current, is_words))
    return tuple(found)


def orders(standing: CohortStanding) -> Mapping[str, Order]:
    """Return what a list can be sorted by."""
    marks = standing.of
    found: dict[str, Order] = {
        "name": lambda each: each.name.casefold(),
        "section": lambda each: each.section.casefold(),
        "grade": lambda each: grade.percent if (grade := marks(each).grade) else None,
    }
    for at, assignment in enumerate(standing.assignments):
        found[f"test-{assignment.pk}"] = lambda each, at=at: marks(each).sittings[at].mark  # type: ignore[misc]
    for at, exercise in enumerate(standing.exercises):
        found[exercise.slug] = lambda each, at=at: marks(each).exercises[at].best_mark  # type: ignore[misc]
    return found


def shows(standing: CohortStanding) -> Sequence[tuple[str, str]]:
    """Return the choices of what to show, each with its words and how many there are."""
    withdrawn = len(standing.people) - standing.figures.active
    sections = sorted({each.section for each in standing.people if each.section})
    found = [("", f"all {len(standing.people)}"), (LOOK, f"needs a look, {standing.figures.to_look_at}")]
    if withdrawn:
        found.append((WITHDRAWN, f"withdrawn, {withdrawn}"))
    return [*found, *((SECTION + name, f"section {name}") for name in sections)]


def _key(keyed: tuple[Any, Person]) -> Any:
    return keyed[0]


def _is_shown(each: Person, standing: CohortStanding, wanted: Wanted) -> bool:
    find = wanted.find.strip().casefold()
    if find and find not in each.name.casefold() and find not in each.email.casefold():
        return False
    if wanted.show == LOOK:
        return each.is_active and bool(standing.of(each).looks)
    if wanted.show == WITHDRAWN:
        return not each.is_active
    return not wanted.show.startswith(SECTION) or each.section == wanted.show.removeprefix(SECTION)
