"""The file of a backup: what it says, who may read it, and that nothing spoilt is ever restored."""

import hashlib
import io
import json
import re
import shutil
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from courseware.operations.backups.folder import newest_backup
from courseware.operations.backups.verbs import make_backup, rows_now
from courseware.operations.one_site import only_one_site
from tests.factories import make_learner, make_sitting

# A backup is made over connections of its own, which see nothing that is not committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.VAR_PATH = tmp_path / "var"
    settings.BACKUP_PATH = settings.VAR_PATH / "backups"
    settings.VAR_PATH.mkdir()


@pytest.fixture
def file(settings, tmp_path) -> Path:
    """A sound backup of a site with one sitting, outside its folder."""
    make_sitting()
    return Path(shutil.move(make_backup(settings.BACKUP_PATH), tmp_path / "sound.tar"))


def _read(file: Path) -> tuple[dict, bytes]:
    with tarfile.open(file) as archive:
        return json.load(archive.extractfile("manifest.json")), archive.extractfile("database").read()


def _write(file: Path, manifest: object, database: bytes) -> None:
    file.unlink()
    with tarfile.open(file, "w") as archive:
        for name, content in (("manifest.json", json.dumps(manifest).encode()), ("database", database)):
            header = tarfile.TarInfo(name)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))


def _cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 2 // 3])


def _flip_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def _changed(**changes: object):
    """Return what writes another manifest into a backup; the checksum of its database still fits."""

    def change(file: Path) -> None:
        manifest, database = _read(file)
        _write(file, manifest | changes, database)

    return change


def _not_a_database(file: Path) -> None:
    manifest, _ = _read(file)
    noise = b"no database at all " * 500
    manifest["members"]["database"] = {"bytes": len(noise), "sha256": hashlib.sha256(noise).hexdigest()}
    _write(file, manifest, noise)


def _a_link(file: Path) -> None:
    """Write an archive whose database is a link to a file of this machine."""
    manifest, _ = _read(file)
    file.unlink()
    with tarfile.open(file, "w") as archive:
        header = tarfile.TarInfo("manifest.json")
        header.size = len(json.dumps(manifest))
        archive.addfile(header, io.BytesIO(json.dumps(manifest).encode()))
        link = tarfile.TarInfo("database")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)


_OTHER = "sqlite" if connection.vendor == "postgresql" else "postgresql"


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_cut_short, "cut short"),
        (_flip_a_bit, "damaged"),
        (lambda file: file.write_bytes(b""), "not a backup"),
        (lambda file: file.write_text("a letter"), "not a backup"),
        (_a_link, "not a backup"),
        (_changed(format=2), "format 2"),
        (_changed(members={}), "not a backup"),
        (_changed(members=[]), "not a backup"),
        (_changed(members={"../../evil": {"bytes": 1, "sha256": ""}}), "not a backup"),
        (_changed(rows="many"), "not a backup"),
        (lambda file: _write(file, ["a list"], b""), "not a backup"),
        (_not_a_database, ""),
        (_changed(database=_OTHER), f"holds a database of {_OTHER}"),
        (_changed(migrations=["grader.0999_of_tomorrow"]), "or a newer one"),
        (Path.unlink, "There is no file"),
    ],
)
def test_what_cannot_be_restored_is_said_to_be_so_and_loses_nothing(file, settings, spoil, says):
    spoil(file)
    before = rows_now()

    with pytest.raises(CommandError, match=r"^Nothing was restored") as refusal:
        call_command("restore", file, replace=True)

    assert says in str(refusal.value)
    assert rows_now() == before
    assert list(settings.VAR_PATH.glob("restoring-*")) == []


def test_restore_is_refused_while_the_site_runs(file, settings):
    before = rows_now()

    with only_one_site(settings.VAR_PATH), pytest.raises(CommandError, match="Stop the site first"):
        call_command("restore", file, replace=True)

    assert rows_now() == before


def test_backup_says_what_it_is(file):
    manifest, database = _read(file)

    assert manifest["database"] == connection.vendor
    assert manifest["release"] == "0.1.0"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", manifest["made_at"])
    assert "grader.0001_first_tables" in manifest["migrations"]
    assert manifest["rows"] == rows_now()
    assert manifest["members"] == {"database": {"bytes": len(database), "sha256": hashlib.sha256(database).hexdigest()}}


def test_backup_is_a_private_file_in_a_private_folder_with_nothing_beside_it(settings, capsys):
    call_command("backup")

    (made,) = settings.BACKUP_PATH.iterdir()
    assert capsys.readouterr().out == f"{made}\n"
    assert made.stat().st_mode & 0o777 == 0o600
    assert made.parent.stat().st_mode & 0o777 == 0o700


def test_backup_never_overwrites_one(settings, time_machine):
    time_machine.move_to(datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC), tick=False)
    first = make_backup(settings.BACKUP_PATH)
    content = first.read_bytes()
    make_learner()

    with pytest.raises(CommandError, match="is there already"):
        call_command("backup")

    assert first.name == "courseware-20270102T030405Z.tar"
    assert first.read_bytes() == content
    assert [each.name for each in settings.BACKUP_PATH.iterdir()] == [first.name]


def test_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(CommandError, match=r"^No backup was made: .*Not a directory"):
        call_command("backup", tmp_path / "file" / "folder")


def test_course_with_a_fault_does_not_prevent_a_backup(settings, tmp_path):
    settings.COURSE_PATH = tmp_path / "course"
    (settings.COURSE_PATH / "05-broken").mkdir(parents=True)
    (settings.COURSE_PATH / "05-broken" / "module.yaml").write_text("id: broken\n")

    manifest, _ = _read(make_backup(settings.BACKUP_PATH))

    assert manifest["course"] == ""


def test_secret_key_stays_out_unless_asked(settings):
    (settings.VAR_PATH / "secret_key").write_text(settings.SECRET_KEY)
    file = make_backup(settings.BACKUP_PATH)

    assert settings.SECRET_KEY.encode() not in file.read_bytes()
    with pytest.raises(CommandError, match="holds no secret key"):
        call_command("restore", file, with_secret_key=True, replace=True)


def test_secret_key_of_the_environment_is_not_written_into_a_file():
    with pytest.raises(CommandError, match="is set by SECRET_KEY"):
        call_command("backup", with_secret_key=True)


def test_newest_backup_is_found_by_its_name_among_other_files(tmp_path):
    for name in (
        "courseware-20270102T030405Z.tar",
        "courseware-20261231T235959Z.tar",
        ".courseware-20280101T000000Z.tar.partial",
        "courseware-20990101T000000Z.tar.gpg",
    ):
        (tmp_path / name).write_text("twelve bytes")

    newest = newest_backup(tmp_path)

    assert newest is not None
    assert newest.path.name == "courseware-20270102T030405Z.tar"
    assert newest.made_at == datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert newest.bytes == 12


@pytest.mark.parametrize("folder", ["not-there", "empty"])
def test_folder_without_a_backup_has_no_newest(tmp_path, folder):
    (tmp_path / "empty").mkdir()

    assert newest_backup(tmp_path / folder) is None
