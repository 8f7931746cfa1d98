"""Pages on paper, in forced colours, with text of twice its size and without motion lose nothing that is only seen."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from grader.models import CheckResult
from tests.access.cast import CONCEPT, Cast, make_cast
from tests.factories import make_finished
from tests.journeys.visits import A4

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

MATRIX = [[0.2, 0.7, 0.1], [0.8, 0.3, 0.9]]
EVIDENCE = {
    "sentence": "1 of 3 checks holds.",
    "diagnosis": {"sentence": "It behaves exactly like softmax over the queries.", "detail": "Each sums to 1."},
    "counterexample": {
        "sentence": "Two numbers are enough.",
        "given": [{"name": "Q", "values": [[0.0], [1.0]]}],
        "steps": [{"label": "Weigh the values.", "reference": MATRIX, "theirs": MATRIX, "parts_here": True}],
    },
    "weights": {"theirs": MATRIX, "reference": MATRIX},
    "output": "a line of output that is quite long " * 12,
}


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def pages(cast) -> dict[str, str]:
    """The addresses of what is printed, all of them the owner's."""
    wrong = make_finished(user=cast.owner, evidence=EVIDENCE, source="x = 1\n" * 60)
    for position in (1, 2):
        CheckResult.objects.create(
            submission=wrong, position=position, check_id=f"c{position}", title="The values are right",
            outcome="fails", expected="the reference’s", got="4 of 4 differ", hint="Print each step.",
        )  # fmt: skip
    return {
        "card": reverse("card", args=[CONCEPT]),
        "fifteen": reverse("card_fifteen", args=[CONCEPT]),
        "deep": reverse("card_deep", args=["causal-mask"]),
        "review": reverse("review", args=[cast.closed_sitting.pk]) + "?show=all",
        "verdict": reverse("submission", args=[wrong.pk]),
    }


@pytest.fixture
def page(chromium, live_server, cast) -> Iterator[Page]:
    client = Client()
    client.force_login(cast.owner, backend="allauth.account.auth_backends.AuthenticationBackend")
    context = chromium.new_context(base_url=live_server.url, viewport={"width": A4, "height": 900})
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    yield context.new_page()
    context.close()


IN_SIGHT = "[...document.querySelectorAll(selector)].filter((each) => each.checkVisibility() && !each.closest('.sr'))"
# What would have to be scrolled is cut on paper.
CUT = """() => [...document.querySelectorAll("main *:not(svg *, math *)")].filter((each) => each.checkVisibility()
  && !each.closest(".sr") && each.scrollWidth > each.clientWidth + 1 && each.clientWidth
  && getComputedStyle(each).overflowX !== "visible").map((each) => each.outerHTML.slice(0, 80))"""


def _seen(page: Page, selector: str) -> list[str]:
    return page.evaluate(f"(selector) => {IN_SIGHT}.map((each) => each.outerHTML.slice(0, 80))", selector)


def _style(page: Page, selector: str, name: str, pseudo: str = "") -> list[str]:
    script = f"([selector, name, pseudo]) => {IN_SIGHT}.map((each) => getComputedStyle(each, pseudo || null)[name])"
    return page.evaluate(script, [selector, name, pseudo])


def test_paper_shows_all_of_the_text_black_on_white_and_nothing_to_press(page, pages):
    page.emulate_media(media="print", color_scheme="dark")
    for name, address in pages.items():
        page.goto(address)

        assert _seen(page, "nav, button, .foot, .dock, .flashes, .person") == [], name
        assert _style(page, "html", "backgroundColor") == ["rgb(255, 255, 255)"], name
        assert _style(page, "body", "color") == ["rgb(26, 28, 30)"], name
        assert page.evaluate(CUT) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= A4, name
        assert set(_style(page, ".formula, figure:not(.code), .note, tr", "breakInside")) <= {"avoid"}, name
        assert page.evaluate("document.getAnimations().length") == 0, name  # half shown is not printed


def test_paper_keeps_the_margin_opens_what_is_closed_and_says_where_links_to_sources_lead(page, pages):
    page.emulate_media(media="print")
    page.goto(pages["deep"])

    assert set(_style(page, ".entry > .prose", "gridColumnStart")) == {"2"}
    assert _style(page, ".side .prints", "display") == ["block"]
    sources = _style(page, ".prints a[href^=http]", "content", "::after")
    assert len(sources) >= 3
    assert all("attr(href)" in source or "http" in source for source in sources)
    page.goto(pages["verdict"])
    assert len(_seen(page, ".checks dl")) == 2


def test_forced_colours_leave_every_state_to_be_seen(page, pages, cast):
    page.emulate_media(forced_colors="active")
    page.goto(pages["card"])
    underlined = _style(page, ".depths a", "textDecorationLine")
    assert underlined == ["underline", "none", "none"]
    page.goto(reverse("question", args=[cast.open_sitting.pk, 1]))
    page.locator("#answer").evaluate("(form) => document.querySelector('.qs a').classList.add('done')")
    assert _style(page, ".qs .done", "borderTopWidth", "::after")[0] == "2px"
    page.goto(pages["review"])
    assert set(_style(page, ".verdict", "borderTopStyle")) == {"solid"}


def test_text_of_twice_the_size_fits_half_a_screen(page, pages, cast):
    page.set_viewport_size({"width": 640, "height": 450})  # 1280 px enlarged to 200 %, and the text again
    question = reverse("question", args=[cast.open_sitting.pk, 1])
    wide = []
    for address in (*pages.values(), question, reverse("home"), reverse("keys")):
        page.goto(address)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 640:
            wide.append((address, width))

    assert wide == []


def test_reduced_motion_stops_even_the_cursor_of_the_editor(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto(reverse("exercise", args=["attention"]))
    page.locator(".cm-content").click()

    assert page.locator(".cm-focused").count() == 1
    assert page.evaluate("document.getAnimations().length") == 0
