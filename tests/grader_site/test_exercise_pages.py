"""The list of exercises and the page of one: who may see and write what, and that it works without a script."""

import shutil
import uuid
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from grader.drafts import save_draft
from grader.models import State, Submission
from tests.factories import make_finished, make_judge, make_learner, make_submission, make_user
from tests.grader_site.answers import graded, right_verdict

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.mark.parametrize("name", ["submission", "submission_status", "submission_cancel"])
def test_a_submission_is_its_learners_own(name, signed_in, learner):
    submission = make_submission(user=learner)
    address = reverse(name, args=[submission.pk])
    method = "post" if name == "submission_cancel" else "get"

    stranger = getattr(Client(), method)(address)
    other = getattr(signed_in(make_learner()), method)(address)

    assert (stranger.status_code, other.status_code) == (302, 404)
    assert reverse("account_login") in stranger["Location"]
    assert Submission.objects.get().state == State.QUEUED


@pytest.mark.parametrize("name", ["exercise", "draft_save", "submit"])
def test_an_exercise_that_does_not_exist_is_not_found(name, client):
    method = client.get if name == "exercise" else client.post

    assert method(reverse(name, args=["no-such"])).status_code == 404


def test_a_submission_that_does_not_exist_is_not_found(client):
    assert client.get(reverse("submission", args=[uuid.uuid4()])).status_code == 404


@pytest.mark.parametrize("name", ["draft_save", "submit"])
def test_writing_takes_a_post(name, client):
    assert client.get(reverse(name, args=["attention"])).status_code == 405


def test_the_list_takes_the_same_queries_however_much_was_submitted(client, learner, django_assert_max_num_queries):
    for _ in range(12):
        make_finished(user=learner)

    with django_assert_max_num_queries(6):
        client.get(reverse("exercises"))


def test_the_exercise_takes_the_same_queries_however_much_was_submitted(client, learner, django_assert_max_num_queries):
    for _ in range(12):
        make_finished(user=learner)

    with django_assert_max_num_queries(8):
        client.get(reverse("exercise", args=["attention"]))


def test_a_graded_submission_takes_few_queries(client, learner, broker, django_assert_max_num_queries):
    submission = graded(learner, broker, right_verdict())

    with django_assert_max_num_queries(8):
        client.get(reverse("submission", args=[submission.pk]))


def test_a_look_at_the_status_takes_few_queries(client, learner, django_assert_max_num_queries):
    make_judge()
    for _ in range(12):
        make_submission()
    submission = make_submission(user=learner)

    with django_assert_max_num_queries(8):
        client.get(reverse("submission_status", args=[submission.pk]))


def test_the_list_says_how_one_stands(client, learner):
    assert "Not started, 10 marks" in client.get(reverse("exercises")).content.decode()

    make_finished(user=learner, mark=4)
    assert "Best so far 4 of 10" in client.get(reverse("exercises")).content.decode()

    make_finished(user=learner, verdict="right", mark=10)
    assert "Right, 10 of 10" in client.get(reverse("exercises")).content.decode()


def test_a_course_without_exercises_says_so(client, settings, tmp_path):
    def exercises(folder, names):
        return [name for name in names if (Path(folder) / name / "exercise.yaml").exists()]

    copy = shutil.copytree(settings.COURSE_PATH, tmp_path / "course", ignore=exercises)
    settings.COURSE_PATH = copy

    assert "No exercises yet" in client.get(reverse("exercises")).content.decode()


def test_the_exercise_shows_brief_examples_and_the_starter_in_a_form_that_posts(client, attention):
    page = client.get(reverse("exercise", args=["attention"])).content.decode()

    assert "<math" in page
    assert "[[1.2920, 1.4359]]" in page
    assert 'name="source"' in page
    assert attention.starter.splitlines()[0] in page
    assert 'value="submit"' in page
    assert 'value="run"' in page
    assert "No submissions yet" in page


def test_what_decides_a_verdict_is_not_in_the_page(client, attention):
    page = client.get(reverse("exercise", args=["attention"])).content.decode()

    for variant in attention.variants:
        assert variant.likeness not in page
        assert variant.belief not in page


def test_a_saved_draft_comes_back_with_its_receipt(client, learner, attention):
    save_draft(learner, attention, source="mine = 1\n", revision=0)

    page = client.get(reverse("exercise", args=["attention"])).content.decode()

    assert "mine = 1" in page
    assert "Saved " in page
    assert 'name="revision" value="1"' in page


def test_the_text_of_a_draft_is_escaped(client, learner, attention):
    save_draft(learner, attention, source="</textarea><script>alert(1)</script>", revision=0)

    assert "<script>alert" not in client.get(reverse("exercise", args=["attention"])).content.decode()


def test_a_text_that_begins_with_an_empty_line_keeps_it(client, learner, attention):
    save_draft(learner, attention, source="\nx = 1\n", revision=0)

    assert ">\n\nx = 1\n</textarea>" in client.get(reverse("exercise", args=["attention"])).content.decode()


def test_anothers_work_is_not_listed(client, learner, broker):
    make_finished(user=make_user())

    assert "No submissions yet" in client.get(reverse("exercise", args=["attention"])).content.decode()


def test_the_editor_gets_its_nonce_and_no_page_holds_an_inline_script(client):
    answer = client.get(reverse("exercise", args=["attention"]))

    page = answer.content.decode()
    nonce = page.split('name="csp-nonce" content="')[1].split('"')[0]
    assert f"'nonce-{nonce}'" in answer["Content-Security-Policy"]
    assert "<script>" not in page
    assert "<style" not in page
