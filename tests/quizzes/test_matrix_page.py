"""The page of a matrix: nothing that was typed is lost, whatever of it can be read."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from quizzes.models import Response
from tests.factories import make_sitting
from tests.quizzes.answering import right_answer, slot_of
from tests.quizzes.browsing import address, as_script, form_of
from tests.quizzes.every_kind import course_of_every_kind
from tests.quizzes.making import TEXTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(settings, tmp_path):
    settings.COURSE_PATH = course_of_every_kind(tmp_path / "course")
    return make_sitting()


def test_a_cell_that_cannot_be_read_is_marked_and_every_cell_stays_as_typed(browser, sitting):
    slot = slot_of(sitting, "matrix")
    url = address("question", sitting, slot.position)
    fields = {**form_of(browser.get(url)), "cell-1-2": "0,5", "cell-2-1": '"><b>', "cell-3-3": "3/8"}

    page = browser.post(url, fields)

    html = page.content.decode()
    assert page.status_code == 422
    for text in ("0,5", "&quot;&gt;&lt;b&gt;", "3/8"):
        assert f'value="{text}"' in html
    assert re.findall(r'id="([^"]+)"[^>]*aria-invalid="true"', html) == ["cell-2-1"]
    assert "Query 2, key 1: “&quot;&gt;&lt;b&gt;” is not read as a number." in html
    assert Response.objects.get(slot=slot).revision == 0


def test_a_script_is_told_which_fields_are_meant(browser, sitting):
    slot = slot_of(sitting, "matrix")
    url = address("question", sitting, slot.position)

    reply = as_script(browser, url, {**form_of(browser.get(url)), "cell-1-2": "1,000", "cell-2-1": "0.5"})

    assert reply.status_code == 422
    assert reply.json()["fields"] == ["cell-1-2"]


def test_empty_cells_are_saved_as_empty_and_no_cell_at_all_as_open(browser, sitting):
    slot = slot_of(sitting, "matrix")
    url = address("question", sitting, slot.position)

    browser.post(url, {**form_of(browser.get(url)), "cell-2-1": " 0.5 "})
    assert Response.objects.get(slot=slot).answer == ["", "0.5", "", "", "", ""]

    browser.post(url, {**form_of(browser.get(url)), "cell-2-1": ""})
    assert Response.objects.get(slot=slot).given is None


def test_practice_marks_the_cell_and_keeps_every_other_as_well(browser, settings, tmp_path):
    settings.COURSE_PATH = course_of_every_kind(tmp_path / "practice")
    for file, old, new in (
        ("bank.yaml", "kind: matrix\n    pool: test", "kind: matrix\n    pool: practice"),
        ("blueprint.yaml", f"count: {len(TEXTS)}", f"count: {len(TEXTS) - 1}"),
    ):
        path = next(settings.COURSE_PATH.rglob(file))
        path.write_text(path.read_text().replace(old, new))
    url = reverse("practice_question", args=["attention", "matrix"])

    page = browser.post(url, {**form_of(browser.get(url)), "cell-1-2": "0,5", "cell-2-1": "half"})

    html = page.content.decode()
    assert page.status_code == 422
    assert re.findall(r'value="([^"]*)" aria-describedby', html) == ["0,5", "half", "", "", "", ""]
    assert re.findall(r'id="([^"]+)"[^>]*aria-invalid="true"', html) == ["cell-2-1"]


@pytest.mark.journey
@pytest.mark.django_db(transaction=True)
def test_a_script_marks_the_cells_that_cannot_be_read_until_they_can(chromium, live_server, sitting):
    client = Client()
    client.force_login(sitting.enrolment.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    context = chromium.new_context(base_url=live_server.url)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    slot = slot_of(sitting, "matrix")
    right = right_answer(slot)
    page.goto(address("question", sitting, slot.position))
    cells = page.locator("table input")
    for place, part in enumerate(right.parts):
        cells.nth(place).fill(part)
    cells.nth(1).fill("half")
    cells.nth(1).blur()

    fault = page.locator("#cells-fault")
    expect(fault).to_contain_text("Query 2, key 1: “half” is not read as a number.")
    expect(cells.nth(1)).to_have_attribute("aria-invalid", "true")
    expect(cells.nth(1)).to_have_accessible_description(re.compile("“half” is not read"))
    expect(cells.nth(0)).not_to_have_attribute("aria-invalid", "true")

    cells.nth(1).fill(right.parts[1])
    cells.nth(1).blur()

    expect(page.locator("form [data-receipt]")).to_have_text(re.compile(r"Saved \d\d:\d\d"))
    expect(fault).to_be_hidden()
    expect(cells.nth(1)).not_to_have_attribute("aria-invalid", "true")
    context.close()
    assert Response.objects.get(slot=slot).given == right
