"""Saving, resetting, submitting: what a form and a script are answered, and that no text is lost."""

import pytest
from django.urls import reverse

from grader.dispatching import dispatch
from grader.drafts import current_draft, save_draft
from grader.models import Kind, Submission
from tests.factories import make_judge, make_submission

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}


def test_saving_answers_a_script_with_a_receipt_and_a_form_with_a_page(client, learner, attention):
    address = reverse("draft_save", args=["attention"])

    receipt = client.post(address, {"source": "a", "revision": "0", "action": "save"}, **JSON)
    page = client.post(address, {"source": "b", "revision": "1", "action": "save"})

    assert receipt.json()["revision"] == 1
    assert receipt.json()["saved"].endswith(" UTC")
    assert (page.status_code, page["Location"]) == (302, reverse("exercise", args=["attention"]))
    assert current_draft(learner, attention).source == "b"


def test_two_versions_are_both_offered(client, learner, attention):
    address = reverse("draft_save", args=["attention"])
    save_draft(learner, attention, source="stored", revision=0)

    answer = client.post(address, {"source": "posted", "revision": "0"}, **JSON)
    page = client.post(address, {"source": "posted", "revision": "0"}).content.decode()

    assert answer.json()["other"]["source"] == "stored"
    assert "Two versions." in page
    assert "posted" in page
    assert "stored" in page
    assert current_draft(learner, attention).source == "stored"


def test_choosing_this_version_keeps_the_other_as_history(client, learner, attention):
    save_draft(learner, attention, source="stored", revision=0)

    client.post(reverse("draft_save", args=["attention"]), {"source": "posted", "revision": "0", "action": "replace"})

    assert current_draft(learner, attention).source == "posted"
    assert "stored" in client.get(reverse("exercise", args=["attention"])).content.decode()


def test_a_reset_keeps_what_was_in_the_editor(client, learner, attention):
    client.post(reverse("draft_save", args=["attention"]), {"source": "typed", "revision": "0", "action": "reset"})

    page = client.get(reverse("exercise", args=["attention"])).content.decode()
    assert current_draft(learner, attention).source == attention.starter
    assert "Earlier texts" in page
    assert "typed" in page


@pytest.mark.parametrize("revision", ["", "-1", "x", "9" * 40, "¹"])
def test_a_revision_that_is_no_number_overwrites_nothing(client, learner, attention, revision):
    save_draft(learner, attention, source="stored", revision=0)

    client.post(reverse("draft_save", args=["attention"]), {"source": "posted", "revision": revision})

    assert current_draft(learner, attention).source == "stored"


def test_a_text_too_long_to_store_comes_back_with_a_sentence(client):
    address = reverse("draft_save", args=["attention"])

    answer = client.post(address, {"source": "#" * 70_000}, **JSON)
    page = client.post(address, {"source": "#" * 70_000}).content.decode()

    assert "65,536" in answer.json()["refused"]
    assert "Not taken." in page


def test_submitting_stores_the_program_saves_the_draft_and_leads_to_its_page(client, learner, attention):
    answer = client.post(reverse("submit", args=["attention"]), {"source": "x = 1\r\n", "kind": "submit"})

    submission = Submission.objects.get()
    assert answer["Location"] == reverse("submission", args=[submission.pk])
    assert (submission.kind, submission.source, submission.user) == (Kind.SUBMIT, "x = 1\n", learner)
    assert current_draft(learner, attention).source == "x = 1\n"


def test_running_the_examples_is_a_run(client):
    client.post(reverse("submit", args=["attention"]), {"source": "x = 1", "kind": "run"})

    assert Submission.objects.get().kind == Kind.RUN


def test_a_program_that_cannot_be_graded_comes_back_with_its_text_and_a_sentence(client):
    page = client.post(reverse("submit", args=["attention"]), {"source": "  ", "kind": "submit"}).content.decode()

    assert "There is no code yet." in page
    assert not Submission.objects.exists()


def test_a_second_submit_while_one_is_with_a_judge_is_told_so(client, learner, broker):
    make_judge()
    make_submission(user=learner, number=1)
    dispatch()

    page = client.post(reverse("submit", args=["attention"]), {"source": "x = 2", "kind": "submit"}).content.decode()

    assert "Submission 1 is with a grader." in page
    assert "x = 2" in page
