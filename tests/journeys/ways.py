"""How a question of each kind is answered by somebody at a keyboard, with scripts and without.

A way brings the answer into the form and leaves the question open on the page. A new kind gets two lines in WAYS.
"""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from quizzes.models import Slot
from tests.journeys.steps import tab_to
from tests.quizzes.browsing import place_of

Way = Callable[[Page, Slot, tuple[str, ...]], None]


@dataclass(frozen=True)
class Ways:
    """The two ways to give the parts of an answer."""

    by_keys: Way  # with scripts, and nothing but keys
    without_scripts: Way


def _pick_by_keys(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    tab_to(page, "#answer input[type=radio]")
    page.keyboard.press("Space")
    for _ in range(int(place_of(slot, parts[0])) - 1):
        page.keyboard.press("ArrowDown")


def _tick_by_keys(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    for place in sorted(place_of(slot, part) for part in parts):
        tab_to(page, f"input[type=checkbox][value='{place}']")
        page.keyboard.press("Space")


def _choose(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    for part in parts:
        page.locator(f"input[name=choice][value='{place_of(slot, part)}']").check()


def _type_by_keys(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    tab_to(page, "#answer input[type=text]")
    page.keyboard.type(parts[0])
    page.keyboard.press("Tab")


def _type(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    page.get_by_label("Your answer").fill(parts[0])


def _move_by_keys(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    """Bring each step to its place with one button, which keeps the focus from one press to the next."""
    for place, part in enumerate(parts):
        value = place_of(slot, part)
        button = page.locator(f"#up-{value}")
        presses = _shown(page).index(value) - place
        if presses:
            button.focus()  # where a step stands decides which way Tab would have to go
        for left in range(presses, 0, -1):
            expect(button).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.locator("input[name=step]").nth(place + left - 1)).to_have_value(value)


def _shown(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator("input[name=step]").all()]


def _match_by_keys(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    for number, part in enumerate(parts, start=1):
        tab_to(page, f"#pair-{number}")
        page.keyboard.type("ABCDEFGHIJ"[int(place_of(slot, part)) - 1])  # the letter with which the response begins


def _match(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    for number, part in enumerate(parts, start=1):
        page.locator(f"#pair-{number}").select_option(place_of(slot, part) if part else "")


def _fill_by_keys(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    """Go from cell to cell with the arrows: down to the row, then along it."""
    cells = slot.snapshot.question().task.blanks
    tab_to(page, f"#{_cell(*cells[0])}")
    here = cells[0]
    for cell, part in zip(cells, parts, strict=True):
        if cell[0] > here[0]:
            page.keyboard.press("ArrowDown")
            here = cell[0], here[1]
        while not page.evaluate("id => document.activeElement.id === id", _cell(*cell)):
            page.keyboard.press("ArrowRight" if cell[1] > here[1] else "ArrowLeft")
        here = cell
        page.keyboard.type(part)
    page.keyboard.press("Tab")


def _fill(page: Page, slot: Slot, parts: tuple[str, ...]) -> None:
    for cell, part in zip(slot.snapshot.question().task.blanks, parts, strict=True):
        page.locator(f"#{_cell(*cell)}").fill(part)


def _cell(row: int, column: int) -> str:
    return f"cell-{row}-{column}"


_CHOICE = Ways(_pick_by_keys, _choose)
_TEXT = Ways(_type_by_keys, _type)
WAYS = {
    "single": _CHOICE,
    "code-bug": _CHOICE,
    "code-out": _CHOICE,
    "multi": Ways(_tick_by_keys, _choose),
    "matrix": Ways(_fill_by_keys, _fill),
    "numeric": _TEXT,
    "short": _TEXT,
    "order": Ways(_move_by_keys, _move_by_keys),
    "match": Ways(_match_by_keys, _match),
}
