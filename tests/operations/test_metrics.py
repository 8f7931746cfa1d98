"""The figures for Prometheus: who may read them, and that each is what the rows say."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from grader.models import State, Submission
from quizzes import sittings
from tests.factories import make_finished, make_judge, make_sitting, make_submission

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-some-length"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _token(settings):
    settings.METRICS_TOKEN = TOKEN


def _ask(token: str = f"Bearer {TOKEN}"):
    return Client().get(reverse("metrics"), headers={"Authorization": token})


def _figures() -> dict[str, float]:
    """Return what a collector keeps: each name, with its label's value after a slash."""
    families = text_string_to_metric_families(_ask().content.decode())
    return {
        "/".join([sample.name.removeprefix("courseware_"), *sample.labels.values()]): sample.value
        for family in families
        for sample in family.samples
    }


def test_without_a_token_in_the_settings_there_is_no_page(settings):
    settings.METRICS_TOKEN = ""

    assert _ask().status_code == 404
    assert _ask("Bearer ").status_code == 404


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN, "Bearer ü"])
def test_without_its_token_the_page_says_nothing(token):
    answer = _ask(token)

    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert b"courseware_" not in answer.content


def test_signed_in_person_without_a_token_is_a_stranger_here(signed_in):
    browser = signed_in(make_finished().user)

    assert browser.get(reverse("metrics")).status_code == 401


def test_empty_site_has_figures_for_everything():
    figures = _figures()

    assert figures["submissions_queued"] == figures["submissions_out"] == figures["sittings_open"] == 0
    assert figures["submissions_oldest_seconds"] == figures["last_backup_timestamp_seconds"] == 0
    assert figures["submissions_finished_total/wrong"] == 0
    assert not any(name.startswith("submission_wait_seconds") for name in figures)


def test_figures_are_those_of_the_rows(time_machine):
    now = timezone.now()
    time_machine.move_to(now, tick=False)
    make_submission(queued_at=now - timedelta(seconds=40))
    make_submission(queued_at=now - timedelta(seconds=90))
    make_submission(
        state=State.SENT, seed=1, delivery=1, ticket="a" * 32, lease_until=now, queued_at=now - timedelta(hours=1)
    )
    make_finished(verdict="right")
    make_finished()
    make_finished()
    make_judge()
    make_judge(refusal="no sandbox")
    make_judge(seen_at=now - timedelta(minutes=5))
    make_sitting()
    sittings.hand_in(make_sitting().pk)

    figures = _figures()

    assert (figures["submissions_queued"], figures["submissions_out"]) == (2, 1)
    assert figures["submissions_oldest_seconds"] == 90
    assert (figures["submissions_finished_total/right"], figures["submissions_finished_total/wrong"]) == (1, 2)
    assert (figures["judges_alive"], figures["sittings_open"]) == (1, 1)
    assert figures["disk_free_bytes/files"] > 0
    (build,) = (name for name in figures if name.startswith("build_info/"))
    assert "0.1.0" in build.split("/")


def test_waits_and_runs_are_those_of_the_last_hour(time_machine):
    now = timezone.now()
    time_machine.move_to(now, tick=False)
    for second in range(1, 21):
        begin = now - timedelta(minutes=5)
        _make_ended(begin, begin + timedelta(seconds=second), begin + timedelta(seconds=3 * second))
    _make_ended(now - timedelta(hours=9), now - timedelta(hours=5), now - timedelta(minutes=61))

    figures = _figures()

    assert (figures["submission_wait_seconds/0.5"], figures["submission_wait_seconds/0.95"]) == (10, 19)
    assert (figures["submission_run_seconds/0.5"], figures["submission_run_seconds/0.95"]) == (20, 38)


def _make_ended(queued_at: datetime, started_at: datetime, finished_at: datetime) -> None:
    ended = make_finished(queued_at=queued_at, started_at=started_at)
    Submission.objects.filter(pk=ended.pk).update(finished_at=finished_at)


def test_figures_that_the_operators_page_names_are_there():
    alarms = (ROOT / "docs" / "operations.md").read_text().partition("## Alarms")[2].partition("## Logs")[0]
    named = set(re.findall(r"\b(?:submissions?|judges|sittings|disk|last_backup)_[a-z_]+", alarms))
    make_finished(started_at=timezone.now())

    assert named
    assert named <= {name.partition("/")[0] for name in _figures()}


def test_newest_backup_is_told(settings, tmp_path):
    settings.BACKUP_PATH = tmp_path
    (tmp_path / "courseware-20270102T030405Z.tar").write_text("")

    assert _figures()["last_backup_timestamp_seconds"] == 1798859045


def test_figures_cost_few_queries(django_assert_max_num_queries):
    for _ in range(5):
        make_finished(started_at=timezone.now())

    with django_assert_max_num_queries(12):
        _ask()
