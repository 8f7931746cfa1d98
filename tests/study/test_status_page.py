"""The status page: what everybody may know, what those who teach see besides, and where only operators are told."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from courseware.accounts.models import User
from courseware.operations.disks import Disk
from grader.models import State
from tests.factories import PASSWORD, make_instructor, make_judge, make_learner, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def page_of(signed_in):
    def page(user: User) -> str:
        return " ".join(signed_in(user).get(reverse("status")).content.decode().split())

    return page


@pytest.fixture
def operator() -> User:
    return User.objects.create_superuser("operator@example.org", PASSWORD, name="Operator")


@pytest.fixture
def backups(settings, tmp_path):
    settings.BACKUP_PATH = tmp_path / "backups"
    settings.BACKUP_PATH.mkdir()

    def made(age: timedelta) -> None:
        moment = timezone.now() - age
        (settings.BACKUP_PATH / f"courseware-{moment:%Y%m%dT%H%M%SZ}.tar").write_bytes(b"x" * 2048)

    return made


def test_learner_sees_whether_submissions_are_graded_and_no_machinery(page_of):
    make_judge(device="a device")

    page = page_of(make_learner())

    assert "Submissions are graded" in page
    for word in ("a device", "Backup", "Disk", "Course digest", "SQLite", "PostgreSQL"):
        assert word not in page


def test_staff_see_queue_judges_disks_and_versions(page_of):
    make_judge(name="judge-gpu", device="NVIDIA H200", rung="namespaces and seccomp")
    for _ in range(2):
        make_submission(queued_at=timezone.now() - timedelta(minutes=7))
    make_submission(state=State.SENT, seed=1, delivery=1, ticket="a" * 32, lease_until=timezone.now())

    page = page_of(make_instructor())

    assert "<dt>Waiting</dt><dd>2</dd><dt>With a grader</dt><dd>1</dd>" in page
    assert "7 minutes</dd>" in page
    assert "NVIDIA H200" in page
    assert "namespaces and seccomp" in page
    assert "free of" in page
    assert "<dt>Courseware</dt><dd>0.1.0</dd>" in page


def test_missing_backup_is_said_with_what_makes_one(page_of, operator, backups, settings):
    page = page_of(operator)

    assert f"There is no backup in {settings.BACKUP_PATH}" in page
    assert "manage.py backup" in page


def test_fresh_backup_is_well_and_an_old_one_is_not(page_of, operator, backups):
    backups(timedelta(days=3))
    old = page_of(operator)
    backups(timedelta(hours=5))
    fresh = page_of(operator)

    assert "older than two days" in old
    assert "older than two days" not in fresh
    assert "5 hours old" in fresh
    assert "2.0 KB" in fresh


def test_where_a_backup_lies_is_for_operators(page_of, operator, backups, settings):
    backups(timedelta(hours=5))

    assert str(settings.BACKUP_PATH) in page_of(operator)
    assert str(settings.BACKUP_PATH) not in page_of(make_instructor())


def test_disk_is_low_below_a_gigabyte_or_a_tenth_of_a_small_one():
    gigabyte = 1_000_000_000

    assert not Disk("files", gigabyte, 500 * gigabyte).is_low
    assert Disk("files", gigabyte - 1, 500 * gigabyte).is_low
    assert not Disk("files", gigabyte // 2, 5 * gigabyte).is_low
    assert Disk("files", gigabyte // 2 - 1, 5 * gigabyte).is_low


def test_page_costs_the_same_however_much_waits(signed_in, django_assert_max_num_queries):
    instructor = make_instructor()
    for _ in range(4):
        make_judge()
        make_submission()
    browser = signed_in(instructor)

    with django_assert_max_num_queries(13):
        browser.get(reverse("status"))
