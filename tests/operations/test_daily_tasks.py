"""What only piles up is taken away every day, and nothing else is."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from courseware.operations.tasks import DAILY_TASKS


@pytest.fixture
def backups(settings, tmp_path):
    """Return a function that makes backups of these days of one month, and how many of them are kept."""

    def make(*days: int, kept: int) -> Path:
        settings.BACKUP_PATH, settings.BACKUPS_KEPT = tmp_path, kept
        for day in days:
            (tmp_path / f"courseware-202611{day:02d}T031500Z.tar").write_bytes(b"x")
        return tmp_path

    return make


def _days(folder: Path) -> list[int]:
    return sorted(int(path.name[17:19]) for path in folder.glob("courseware-*.tar"))


@pytest.mark.parametrize(("kept", "left"), [(1, [9]), (2, [5, 9]), (3, [1, 5, 9]), (4, [1, 5, 9]), (0, [1, 5, 9])])
def test_newest_backups_stay(backups, kept, left):
    folder = backups(5, 9, 1, kept=kept)

    for _ in range(2):
        DAILY_TASKS["periodic.remove_old_backups"]()

        assert _days(folder) == left


def test_file_that_is_no_finished_backup_is_left_alone(backups):
    folder = backups(1, 2, kept=1)
    others = {".making-x", "courseware-20261101T031500Z.tar.part", "notes.tar", "courseware-copy.tar"}
    for name in others:
        (folder / name).write_bytes(b"x")

    DAILY_TASKS["periodic.remove_old_backups"]()

    assert {path.name for path in folder.iterdir()} == others | {"courseware-20261102T031500Z.tar"}


def test_site_without_backups_has_none_to_remove(settings, tmp_path):
    settings.BACKUP_PATH = tmp_path / "not-made-yet"

    DAILY_TASKS["periodic.remove_old_backups"]()

    assert not settings.BACKUP_PATH.exists()


@pytest.mark.django_db
def test_expired_sessions_are_forgotten_and_others_stay():
    now = timezone.now()
    for key, expires in (("gone", now - timedelta(seconds=1)), ("here", now + timedelta(minutes=1))):
        Session.objects.create(session_key=key, session_data="", expire_date=expires)

    DAILY_TASKS["periodic.clear_sessions"]()

    assert list(Session.objects.values_list("session_key", flat=True)) == ["here"]


def test_periodic_process_does_them_once_a_day_and_everything_else_at_each_tick():
    code = (
        "from courseware.periodic import app\n"
        "for name, entry in sorted(app.conf.beat_schedule.items()):\n"
        "    assert entry['task'] == name and name in app.tasks\n"
        "    print(name, entry['schedule'])"
    )

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    daily = [line.split()[0] for line in said.splitlines() if line.endswith(" <crontab: 0 4 * * * (m/h/dM/MY/d)>")]
    assert daily == sorted(DAILY_TASKS)
    assert len(said.splitlines()) > len(daily)
