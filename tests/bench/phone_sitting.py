"""A whole module test on a phone: started, answered by every kind's own controls, looked over, handed in and read.

    ./run bench phone_sitting

Each kind is answered wrongly the first time that it comes, rightly the second, and so on; one question stays open and
one is marked. Every receipt, the look over the paper, every judgement and every explanation are compared with what the
database holds and the bank says, and no page may be wider than the window. Pictures of each kind in both themes go to
`screenshots/`, for somebody to look at.
"""

import itertools
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.serving import BACKEND, served
from tests.browser import chromium
from tests.servers import free_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from quizzes.models import Sitting, Slot

FOLDER = Path(__file__).parents[2] / "screenshots"
WIDTH, HEIGHT = 390, 844  # of a common phone, in its own pixels
PATIENCE_MS = 60_000  # a page of the machine that measures takes a second; one that hangs is still found
SAVED = re.compile(r"Saved \d\d:\d\d")
LEFT_OPEN, MARKED = 5, 7  # positions


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        port = free_port()
        os.environ |= {"VAR_PATH": folder, "SITE_URL": f"http://127.0.0.1:{port}", "LOG_FORMAT": "text"}
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.bench.site"
        cookie = _prepare()
        FOLDER.mkdir(exist_ok=True)
        began = time.perf_counter()
        with served(port), chromium() as browser:
            faults = list(_sit(_phone(browser, os.environ["SITE_URL"], cookie)))
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"{len(faults)} faults; {time.perf_counter() - began:.0f} s; pictures in {FOLDER.name}/phone-*")
    sys.exit(bool(faults))


def _prepare() -> str:
    """Return the session of a learner who has one test before them."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from tests import factories

    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    call_command("collectstatic", verbosity=0, interactive=False)
    cohort = factories.make_cohort()
    factories.make_assignment(cohort, title="Module test")
    client = Client()
    client.force_login(factories.make_learner(cohort), backend=BACKEND)
    return client.cookies["sessionid"].value


def _phone(browser: "Browser", url: str, session: str) -> "Page":
    window = {"width": WIDTH, "height": HEIGHT}
    context = browser.new_context(base_url=url, viewport=window, is_mobile=True, has_touch=True, device_scale_factor=2)
    context.set_default_timeout(PATIENCE_MS)
    context.add_cookies([{"name": "sessionid", "value": session, "url": url}])
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    return page


def _sit(page: "Page") -> Iterator[str]:
    """Yield every fault of a sitting from its start to its review."""
    from playwright.sync_api import expect

    from quizzes.models import Sitting

    expect.set_options(timeout=PATIENCE_MS)
    page.goto("/tests/")
    yield from _seen(page, "tests")
    page.get_by_role("link", name="Module test").tap()
    page.wait_for_url("**/tests/*/")
    yield from _seen(page, "start")
    page.get_by_role("button", name="Start the test").tap()
    page.wait_for_url("**/questions/1/")
    sitting = Sitting.objects.get()
    yield from _answer_all(page, sitting)
    yield from _seen(page, "summary")
    yield from _looked_over(page.locator("main"), sitting)
    page.get_by_role("button", name="Hand in", exact=True).tap()
    page.wait_for_url("**/review/")
    yield from _seen(page, "review")
    yield from _reviewed(page, sitting)


def _answer_all(page: "Page", sitting: "Sitting") -> Iterator[str]:
    """Answer each question, and yield what is wrong with its page, its receipt or what was kept."""
    from playwright.sync_api import expect

    from quizzes.models import Response
    from tests.journeys import steps
    from tests.journeys.ways import WAYS
    from tests.quizzes.answering import right_answer, wrong_answer

    met: Counter[str] = Counter()
    for slot in sitting.slots.select_related("snapshot"):
        expect(page.locator(".kick")).to_contain_text(f"Question {slot.position} of {sitting.slots.count()}")
        kind = steps.kind(page)
        if slot.position == MARKED:
            page.locator(".dock").get_by_role("button", name="Mark").tap()
            expect(page.locator(".dock").get_by_role("button", name="Unmark")).to_be_visible()
        if slot.position != LEFT_OPEN:
            answer = right_answer(slot) if met[kind] % 2 else wrong_answer(slot)
            WAYS[kind].without_scripts(page, slot, answer.parts)
            page.keyboard.press("Tab")  # what was typed is sent when its field is left
            expect(page.locator(".dock [data-receipt]")).to_contain_text(SAVED)
            kept = Response.objects.get(slot=slot).given
            if kept != answer:
                yield f"{slot.position} {kind}: {answer} was given and {kept} is kept"
            if not met[kind]:
                yield from _seen(page, kind)
            met[kind] += 1
        steps.go_on(page)
    print(f"{sum(met.values())} answers:", ", ".join(f"{count} {kind}" for kind, count in sorted(met.items())))


def _looked_over(page: "Locator", sitting: "Sitting") -> Iterator[str]:
    """Yield what the look over the paper says otherwise than the sitting is."""
    count = sitting.slots.count()
    text = page.inner_text()
    for expected in (f"1 of {count} is open", f"{count - 1} answered.", f"Open: {LEFT_OPEN}.", f"again: {MARKED}."):
        if expected not in text:
            yield f"summary: does not say {expected!r}"


def _reviewed(page: "Page", sitting: "Sitting") -> Iterator[str]:
    """Yield whatever the review leaves unexplained, after comparing each question with what the bank says of it."""
    from quizzes.commentary import explained

    sitting.refresh_from_db()
    page.goto(f"{page.url.partition('?')[0]}?show=all")
    sections = page.locator("section[aria-labelledby^=q]").all()
    slots = list(sitting.slots.select_related("snapshot", "response"))
    shown: set[str] = set()
    for slot, section in itertools.zip_longest(slots, sections):
        if slot is None or section is None:
            yield f"review: {len(sections)} questions instead of {len(slots)}"
            return
        question = slot.snapshot.question()
        meant = explained(question, slot.variant, slot.response.given)
        yield from _explains(section, slot, meant.word, len(meant.entries))
        if question.kind not in shown:
            shown.add(question.kind)
            yield from _seen(page, f"review-{question.kind}", section)
    if "Summary" not in page.locator(".filters").inner_text():
        yield "review: no link to its summary"
    yield from _seen(page, "review-summary", page.locator("#summary"))


def _explains(section: "Locator", slot: "Slot", word: str, entries: int) -> Iterator[str]:
    judged = section.locator(".verdict .word").first.inner_text()
    whys = [each.inner_text().strip() for each in section.locator(".note .why").all()]
    mine = section.locator(".note.mine").count()
    where = f"review, question {slot.position}"
    if judged != word:
        yield f"{where}: says {judged!r} instead of {word!r}"
    if len(whys) != entries or not all(whys):
        yield f"{where}: {len(list(filter(None, whys)))} explanations instead of {entries}"
    if bool(mine) != (slot.response.answer is not None):
        yield f"{where}: {mine} explanations of the learner's own answer"


def _seen(page: "Page", name: str, part: "Locator | None" = None) -> Iterator[str]:
    """Photograph a page, or a part of it, in both themes; yield a fault if it is wider than its window."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        path = FOLDER / f"phone-{name}-{theme}.png"
        if part is None:
            page.screenshot(path=path, full_page=True)
        else:
            part.screenshot(path=path)
    page.emulate_media(color_scheme="light")
    width = page.evaluate("document.documentElement.scrollWidth")
    if width > WIDTH:
        yield f"{name}: {width} px wide"


if __name__ == "__main__":
    main()
