"""Parts of pages that are kept for every reader: the same for all, by what the course says now."""

import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings as site
from django.template import Context, Template
from django.urls import reverse

from courseware.accounts.models import Role
from courseware.study.templatetags import kept
from tests.access.cast import CONCEPT
from tests.factories import make_enrolment, make_learner, make_user

pytestmark = pytest.mark.django_db

CARDS = ("card", "card_fifteen", "card_deep")
TEMPLATES = sorted(Path(site.BASE_DIR).glob("[cgq]*/**/templates/**/*.html"))
OF_A_PERSON = {
    *("user", "request", "message", "messages", "csrf_token", "csp_nonce"),
    *("overview", "self_check", "practice", "standing"),
}


def _kept(template: Path) -> list[str]:
    """Return what a template keeps, with the texts of what it includes there."""
    kept = re.findall(r"{% kept\b.*?{% endkept %}", template.read_text(), flags=re.DOTALL)
    return [part + "".join(_included(part)) for part in kept]


def _included(part: str) -> list[str]:
    names = re.findall(r'{% include "([^"]+)"', part)
    return [path.read_text() for path in TEMPLATES if any(path.as_posix().endswith(f"/{name}") for name in names)]


def _names(part: str) -> set[str]:
    """Return the words of a template's tags, its literals left out."""
    tags = re.findall(r"{[{%].*?[%}]}", part)
    return {word for tag in tags for word in re.findall(r"\w+", re.sub(r"'[^']*'|\"[^\"]*\"", "", tag))}


def test_nothing_of_a_person_stands_in_a_part_that_is_kept():
    parts = [part for template in TEMPLATES for part in _kept(template)]

    assert len(parts) >= len(CARDS)
    assert set().union(*map(_names, parts)) & OF_A_PERSON == set()


@pytest.mark.parametrize("page", CARDS)
def test_a_card_shows_each_reader_their_own_frame(signed_in, page):
    teacher = make_enrolment(user=make_user(name="Zenobia Quill"), role=Role.INSTRUCTOR).user
    learner = make_learner()

    seen = [
        signed_in(person).get(reverse(page, args=[CONCEPT])).content.decode() for person in (teacher, learner, teacher)
    ]

    assert [("Zenobia Quill" in html, reverse("cohorts") in html) for html in seen] == [
        (True, True),
        (False, False),
        (True, True),
    ]
    tokens = [re.search(r'csrfmiddlewaretoken" value="(\w+)"', html)[1] for html in seen]
    assert len(set(tokens)) == 3


def test_a_course_that_changed_is_shown_as_it_is_now(signed_in, settings, tmp_path):
    browser = signed_in(make_learner())
    pages = [reverse(page, args=[CONCEPT]) for page in CARDS]
    before = [browser.get(page).content.decode() for page in pages]
    changed = shutil.copytree(settings.COURSE_PATH, tmp_path / "course")
    (module,) = changed.glob("*/module.yaml")
    (card,) = changed.glob(f"*/concepts/*-{CONCEPT}/card.md")
    title = re.search(r"^title: (.+)$", card.read_text(), flags=re.MULTILINE)[1]
    for file in (module, card):
        file.write_text(file.read_text().replace(f"title: {title}", "title: Looking things up"))
    settings.COURSE_PATH = changed

    after = [browser.get(page).content.decode() for page in pages]

    assert all("<h1>Looking things up" not in html for html in before)
    assert all("<h1>Looking things up" in html for html in after)


def test_a_part_is_rendered_once_for_each_of_its_values_and_the_first_ones_go_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr(kept, "_MOST", 2)
    part = Template("{% load kept %}{% kept name %}{{ name }} {{ place }}. {% endkept %}")
    asked = [("Ada", 1), ("Ada", 2), ("Bo", 3), ("Ada", 4), ("Cy", 5), ("Ada", 6)]

    shown = "".join(part.render(Context({"name": name, "place": place})) for name, place in asked)

    assert shown == "Ada 1. Ada 1. Bo 3. Ada 1. Cy 5. Ada 6. "
