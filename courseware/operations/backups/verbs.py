"""Verbs: make a backup of this site's database, and restore one. Neither ever overwrites anything unasked."""

import logging
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from courseware.concepts.course import current
from courseware.concepts.faults import BrokenCourse
from courseware.operations.backups import archive, postgresql, sqlite
from courseware.operations.backups.archive import DATABASE, SECRET_KEY, BackupFault, Manifest
from courseware.operations.backups.folder import name_for
from courseware.operations.probes import CACHE_TABLE, migrations_known
from courseware.operations.versions import RELEASE, database_version

# What a database holds before anybody has done anything.
_BOOKKEEPING = {"django_migrations", "django_content_type", "auth_permission", CACHE_TABLE}

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Restored:
    """What a restore did."""

    manifest: Manifest
    kept: Path | None  # the backup of what was there before
    key_kept: Path | None  # the secret key that was there before


def make_backup(folder: Path, *, with_secret_key: bool = False) -> Path:
    """Write a backup into a folder, which is made if need be, and return the file.

    Errors:  BackupFault, or OSError where the folder cannot be written; then nothing is left there
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    moment = datetime.now(UTC)
    target = folder / name_for(moment)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as scratch:
        files = {DATABASE: Path(scratch, DATABASE)}
        # Before the copy: rows of a migration that ends meanwhile would be said to be missing, never the other way.
        migrations = tuple(sorted(".".join(each) for each in MigrationRecorder(connection).applied_migrations()))
        rows = _copy_out(files[DATABASE])
        if with_secret_key:
            files[SECRET_KEY] = _key_file()
        manifest = Manifest(
            made_at=moment.isoformat(timespec="seconds"),
            release=RELEASE,
            database=connection.vendor,
            database_version=database_version(),
            course=_course_digest(),
            migrations=migrations,
            rows=rows,
            members={name: archive.describe(file) for name, file in files.items()},
        )
        try:
            archive.write_archive(target, manifest, files)
        except FileExistsError:
            raise BackupFault(f"{target} is there already; two backups within a second are one too many.") from None
    logger.info("backup made", extra={"facts": {"file": target, "bytes": target.stat().st_size}})
    return target


def restore_backup(file: Path, *, replace: bool = False, with_secret_key: bool = False) -> Restored:
    """Make this site's database what a backup holds.

    With `replace` a database that holds something is backed up first, into BACKUP_PATH; without, it is left alone.
    Errors:  BackupFault with the reason; the database is then what it was
    """
    with tempfile.TemporaryDirectory(dir=settings.VAR_PATH, prefix="restoring-") as folder:
        scratch = Path(folder)
        with archive.opened(file, scratch) as (manifest, files):
            _refuse_foreign(file, manifest, wants_key=with_secret_key)
            if connection.vendor == "sqlite":
                sqlite.check(files[DATABASE])
            else:
                postgresql.check(files[DATABASE])
            kept = _keep_what_is_there(replace)
            _copy_in(files[DATABASE], scratch)
            key_kept = _put_key(files[SECRET_KEY]) if with_secret_key else None
    _compare(manifest.rows, kept)
    logger.warning("backup restored", extra={"facts": {"file": file, "made_at": manifest.made_at}})
    return Restored(manifest, kept, key_kept)


def rows_now() -> Mapping[str, int]:
    """Return the rows of each table of this site's database."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        return sqlite.count_rows(connection.connection)
    with connection.cursor() as cursor:
        return postgresql.count_rows(cursor)


def _course_digest() -> str:
    try:
        return current().digest
    except (BrokenCourse, OSError):
        return ""  # a course with faults serves no page, but its people's work is there to be saved


def _copy_out(target: Path) -> Mapping[str, int]:
    if connection.vendor == "sqlite":
        return sqlite.copy_out(Path(connection.settings_dict["NAME"]), target)
    return postgresql.copy_out(target)


def _copy_in(file: Path, scratch: Path) -> None:
    if connection.vendor == "sqlite":
        connection.close()
        sqlite.copy_in(file, Path(connection.settings_dict["NAME"]))
    else:
        postgresql.copy_in(file, scratch)


def _refuse_foreign(file: Path, manifest: Manifest, *, wants_key: bool) -> None:
    """Raise BackupFault if a sound backup is not one for this site."""
    if manifest.database != connection.vendor:
        raise BackupFault(f"{file} holds a database of {manifest.database}, and this site uses {connection.vendor}.")
    unknown = sorted(set(manifest.migrations) - {".".join(each) for each in migrations_known()})
    if unknown:
        raise BackupFault(
            f"{file} was made by release {manifest.release}, and this release does not know its {unknown[0]}. "
            "Restore it with the release that made it, or a newer one."
        )
    if wants_key and SECRET_KEY not in manifest.members:
        raise BackupFault(f"{file} holds no secret key.")
    if wants_key:
        _key_file()


def _keep_what_is_there(replace: bool) -> Path | None:
    filled = {table for table, rows in rows_now().items() if rows} - _BOOKKEEPING
    if not filled:
        return None
    if not replace:
        raise BackupFault(
            f"The database of this site is not empty ({len(filled)} tables hold rows). Nothing was changed. "
            "--replace makes a backup of it and then restores."
        )
    return make_backup(settings.BACKUP_PATH)


def _compare(expected: Mapping[str, int], kept: Path | None) -> None:
    found = rows_now()
    wrong = sorted(table for table in expected.keys() | found.keys() if expected.get(table) != found.get(table))
    if wrong:
        before = f" What was there before is in {kept}." if kept else ""
        raise BackupFault(f"The restored database does not hold what the backup says: {', '.join(wrong)}.{before}")


def _key_file() -> Path:
    """Return the file of the secret key; BackupFault if the key stands in the environment."""
    file: Path = settings.VAR_PATH / "secret_key"
    if not file.is_file() or file.read_text().strip() != settings.SECRET_KEY:
        raise BackupFault("The secret key of this site is set by SECRET_KEY; it is in no file. Keep it where that is.")
    return file


def _put_key(file: Path) -> Path | None:
    """Put a restored key into its place; return where the one that it replaces is kept."""
    place = _key_file()
    if place.read_text() == file.read_text():
        return None
    kept = place.with_name(f"{place.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
    place.rename(kept)
    file.chmod(0o600)
    file.rename(place)
    return kept
