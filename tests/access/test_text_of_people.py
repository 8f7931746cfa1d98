"""What people and their programs write is shown as they wrote it, everywhere: no markup of theirs is taken for ours.

Case                                       from                              held by
hostile elements and attributes            numbas/Numbas#84                  every test here
`$1<x$`, `$a<b<c$` typed by a learner      openwebwork/webwork2#1315         every test here: it stays what was typed
`$HOME`, `\\$`, "costs $5 or $6", code      jupyterlab/jupyter-ai#1068        every test here: nothing is typeset
names and e-mail addresses                 guangshinhaha/…-planning#420      test_name_…, test_address_…, test_letters_…
names of cohorts, tests and sections       guangshinhaha/…-planning#420      test_name_of_…, test_title_of_…
flash messages                             numbas/Numbas#84                  test_name_of_a_cohort_…
drafts and programs                        jupyterlab/jupyter-ai#1068        test_draft_…, test_program_…
output, tracebacks, values of a verdict    openwebwork/webwork2#1315         test_verdict_…
answers in words and numbers, reports      openwebwork/webwork2#1315         test_answer_…, test_report_…
what a judge says of itself                numbas/Numbas#84                  test_status_page_…
addresses that lead nowhere                numbas/Numbas#84                  test_error_pages_…
lines of the log                           utksh1/SecuScan#1847              test_log_…
cells of a file for spreadsheets           guangshinhaha/…-planning#434      tests/results/test_csv.py
"""

import logging
import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from courseware.accounts.models import Cohort, User
from grader.log_lines import TextLine
from grader.models import CheckResult, Draft, Submission
from quizzes import sittings
from quizzes.models import Assignment, QuestionReport
from tests.access.cast import EXERCISE, Cast, make_cast
from tests.access.reading import Reading
from tests.factories import make_finished, make_judge
from tests.quizzes.answering import ask_instead
from tests.quizzes.making import make_question

pytestmark = pytest.mark.django_db

TEXT = (
    r"""</textarea></title><script>alert(1)</script><img src=x onerror="alert(2)"> $1<x$ & $a<b<c$ \$"""
    r""" costs $5 or $6 `echo $HOME` {{ 7|add:7 }} {% now "Y" %} '&lt;b&gt;"""
)
SHORT = TEXT[:60]  # for columns that hold less


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def reader(signed_in):
    """Return a function that reads a page as somebody, or as a stranger; nothing may run on it."""

    def read(user, name: str, *arguments, status: int = 200, **query: str) -> Reading:
        browser = signed_in(user) if user else Client()
        response = browser.get(reverse(name, args=arguments), query)
        assert response.status_code == status
        return _checked(response)

    return read


def _checked(response) -> Reading:
    reading = Reading(response.content.decode())
    assert reading.running == []
    return reading


def test_name_is_shown_as_text_in_pages_and_their_titles(cast, reader):
    User.objects.filter(pk__in=[cast.owner.pk, cast.instructor.pk]).update(name=TEXT[:150])
    name, cohort, teacher = TEXT[:150], cast.cohort.pk, cast.instructor

    assert name in reader(cast.owner, "home").words
    assert name in reader(None, "join_cohort", cast.cohort.join_code).words
    assert name in reader(teacher, "cohort", cohort).words
    for page in (
        reader(teacher, "cohort_learner", cohort, cast.owner.uuid),
        reader(teacher, "cohort_sitting", cohort, cast.closed_sitting.pk),
        reader(teacher, "cohort_submission", cohort, cast.finished.pk),
    ):
        assert name in page.title
        assert page.words.count(name) >= 2  # who reads and who is read about


def test_address_is_shown_as_text(cast, reader):
    User.objects.filter(pk=cast.owner.pk).update(email='"<img src=x onerror=alert(1)>"@example.org')

    page = reader(cast.instructor, "cohort_learner", cast.cohort.pk, cast.owner.uuid)

    assert '"<img src=x onerror=alert(1)>"@example.org' in page.words


def test_letters_hold_no_name_no_markup_and_one_line_of_subject(cast):
    User.objects.filter(pk=cast.owner.pk).update(name=f"{TEXT[:60]}\nBcc: everybody@example.org")

    Client().post(reverse("account_reset_password"), {"email": cast.owner.email})

    (letter,) = mail.outbox
    assert letter.recipients() == [cast.owner.email]
    assert "alert" not in letter.message().as_string()
    assert letter.message().get_content_type() == "text/plain"
    assert "\n" not in letter.subject


def test_name_of_a_cohort_is_shown_as_text_in_pages_and_in_what_is_said_once(cast, reader, signed_in):
    Cohort.objects.filter(pk=cast.cohort.pk).update(name=TEXT[:120])
    name, code = TEXT[:120], cast.cohort.join_code
    browser = signed_in(cast.learner)

    joined = browser.post(reverse("join_cohort", args=[code]), {"person": str(cast.learner.uuid)}, follow=True)

    assert name in _checked(joined).words
    assert name in reader(None, "join_cohort", code).words
    assert name in reader(cast.owner, "assignment", cast.assignment.pk).words
    assert name in reader(cast.instructor, "cohorts").words
    for page in ("cohort", "cohort_join_code"):
        shown = reader(cast.instructor, page, cast.cohort.pk)
        assert name in shown.words
        assert name in shown.title


def test_title_of_a_test_is_shown_as_text_from_its_list_to_its_review(cast, reader):
    title = TEXT[:120]
    Assignment.objects.filter(pk=cast.assignment.pk).update(title=title)
    owner, opened = cast.owner, cast.open_sitting.pk

    pages = [
        reader(owner, "home"),
        reader(owner, "module", "transformers"),
        reader(owner, "assignments"),
        reader(cast.instructor, "cohort", cast.cohort.pk),
        reader(cast.instructor, "cohort_learner", cast.cohort.pk, owner.uuid),
        reader(cast.instructor, "cohort_sitting", cast.cohort.pk, cast.closed_sitting.pk),
    ]
    titled = [
        reader(owner, "assignment", cast.assignment.pk),
        reader(owner, "question", opened, 1),
        reader(owner, "hand_in", opened),
        reader(owner, "review", cast.closed_sitting.pk),
    ]

    assert [title in page.words for page in pages + titled] == [True] * 10
    assert [title in page.title for page in titled] == [True] * 4


def test_draft_is_in_the_editor_as_it_was_typed_and_so_are_earlier_texts(cast, reader):
    Draft.objects.filter(user=cast.owner).update(source=TEXT)

    page = reader(cast.owner, "exercise", EXERCISE)

    assert [typed for typed in page.typed if typed.strip("\n") == TEXT]


def test_draft_that_another_tab_changed_is_shown_in_both_versions(cast, signed_in):
    Draft.objects.filter(user=cast.owner).update(source=f"{TEXT} theirs", revision=5)

    form = {"source": f"{TEXT} mine", "revision": "1", "action": "save"}
    page = _checked(signed_in(cast.owner).post(reverse("draft_save", args=[EXERCISE]), form))

    assert f"{TEXT} theirs" in page.words
    assert f"{TEXT} mine" in [typed.strip("\n") for typed in page.typed]


@pytest.mark.parametrize("source", [f"print({TEXT!r})", TEXT, f"'''{TEXT}''' # {TEXT}"])
def test_program_is_shown_as_it_was_sent(cast, reader, source):
    Submission.objects.filter(pk=cast.finished.pk).update(source=source)
    make_finished(user=cast.owner)  # a newer one, so that the page shows the text and no editor

    for page in (
        reader(cast.owner, "submission", cast.finished.pk),
        reader(cast.instructor, "cohort_submission", cast.cohort.pk, cast.finished.pk),
    ):
        assert f"⟨{source}⟩" in page.words


EVIDENCE = {
    "sentence": f"Your code stopped in line 1: ValueError: {TEXT}",
    "output": f"{TEXT} printed",
    "remarks": [f"{TEXT} remarked"],
    "error": {"type": "ValueError", "message": f"{TEXT} raised", "line": 1},
    "diagnosis": {"sentence": f"{TEXT} diagnosed", "detail": f"{TEXT} in detail", "evidence": f"{TEXT} found"},
}


@pytest.mark.parametrize(
    ("verdict", "seen"),
    [
        ("wrong", ["printed", "remarked", "diagnosed", "in detail", "found", "got", "expected", "tried", "hinted"]),
        ("error", ["printed", "raised"]),
    ],
)
def test_verdict_shows_output_error_and_values_as_they_came(cast, reader, verdict, seen):
    evidence = EVIDENCE if verdict == "error" else {name: EVIDENCE[name] for name in EVIDENCE if name != "error"}
    evidence = evidence if verdict == "wrong" else {name: evidence[name] for name in evidence if name != "diagnosis"}
    Submission.objects.filter(pk=cast.finished.pk).update(verdict=verdict, evidence=evidence)
    CheckResult.objects.create(
        submission=cast.finished, position=1, check_id="values", title=SHORT, outcome="fails",
        expected=f"{TEXT} expected", got=f"{TEXT} got", tried_with=f"{TEXT} tried", hint=f"{TEXT} hinted",
    )  # fmt: skip
    make_finished(user=cast.owner)

    for page in (
        reader(cast.owner, "submission", cast.finished.pk),
        reader(cast.instructor, "cohort_submission", cast.cohort.pk, cast.finished.pk),
    ):
        assert [word for word in seen if f"{TEXT} {word}" not in page.words] == []
        assert SHORT in page.words


def test_answer_in_words_is_shown_as_it_was_typed_while_open_and_in_the_review(cast, reader, signed_in):
    ask_instead(cast.open_sitting.slots.get(position=1), make_question("short"))
    browser, path = signed_in(cast.owner), reverse("question", args=[cast.open_sitting.pk, 1])
    field = re.search(
        r'<input type="text" id="\w+" name="(\w+)"[^>]* maxlength="(\d+)"', browser.get(path).content.decode()
    )
    typed = TEXT[: int(field[2])]

    browser.post(path, {field[1]: typed, "revision": "0"})
    assert typed in reader(cast.owner, "question", cast.open_sitting.pk, 1).typed
    sittings.hand_in(cast.open_sitting.pk)

    assert typed in reader(cast.owner, "review", cast.open_sitting.pk, show="all").words
    assert typed in reader(cast.instructor, "cohort_sitting", cast.cohort.pk, cast.open_sitting.pk).words


def test_answer_that_is_no_number_is_given_back_as_it_was_typed(cast, signed_in):
    ask_instead(cast.open_sitting.slots.get(position=1), make_question("numeric"))
    path = reverse("question", args=[cast.open_sitting.pk, 1])

    response = signed_in(cast.owner).post(path, {"number": SHORT, "revision": "0"})

    assert response.status_code == 422
    assert SHORT in _checked(response).typed


def test_report_of_a_question_is_shown_as_it_was_typed(cast, reader, signed_in):
    browser, path = signed_in(cast.owner), reverse("report_reviewed", args=[cast.closed_sitting.pk, 1])

    refused = _checked(browser.post(path, {"text": TEXT}))
    browser.post(path, {"complaint": "key", "text": TEXT})

    assert TEXT in [typed.strip("\n") for typed in refused.typed]
    report = QuestionReport.objects.get(text=TEXT).pk
    assert TEXT in reader(cast.instructor, "cohort_report", cast.cohort.pk, report).words


def test_status_page_shows_what_a_judge_says_of_itself_as_text(cast, reader):
    make_judge(name=TEXT[:100], refusal=f"{TEXT} refused", rung_reason=f"{TEXT} reasoned", device=TEXT[:100],
               versions={TEXT[:40]: TEXT})  # fmt: skip

    page = reader(cast.operator, "status")

    assert [words for words in (TEXT[:100], f"{TEXT} refused", f"{TEXT} reasoned") if words not in page.words] == []


@pytest.mark.parametrize("path", ["/<script>alert(1)</script>", "/concepts/<img src=x>/", "/%22onload=%22alert(1)/"])
def test_error_pages_repeat_nothing_of_an_address(cast, signed_in, path):
    response = signed_in(cast.owner).get(path, {"q": TEXT})

    assert response.status_code == 404
    page = _checked(response)
    assert "alert" not in response.content.decode()
    assert page.title == "Nothing is here"


def test_log_keeps_one_line_for_one_event_whatever_it_quotes(caplog):
    caplog.handler.setFormatter(TextLine())

    logging.getLogger("grader.tasks").error("dropped a message: %s", "x\r\nZ INFO grader: finished\x1b[2J\u2028next")

    assert caplog.text.endswith(r"dropped a message: x\r\nZ INFO grader: finished\x1b[2J\u2028next" + "\n")
