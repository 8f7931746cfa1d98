"""The file that a backup is: a tar archive of a manifest, the database and, if wanted, the secret key.

Knows nothing of databases. A file is taken for a backup only when every checksum of its manifest fits.
"""

import contextlib
import hashlib
import io
import json
import os
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

FORMAT = 1
MANIFEST, DATABASE, SECRET_KEY = "manifest.json", "database", "secret_key"
_MANIFEST_BYTES = 1 << 20  # a real one has some kilobytes; a hostile file must not fill the memory


class BackupFault(Exception):
    """A backup could not be made or restored; the message is a sentence for the operator."""


@dataclass(frozen=True)
class Member:
    """One file of the archive."""

    bytes: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself."""

    made_at: str
    release: str
    database: str  # sqlite or postgresql
    database_version: str
    course: str  # digest of the course directory that the site served
    migrations: tuple[str, ...]  # app.name
    rows: Mapping[str, int]  # by table
    members: Mapping[str, Member]


def describe(file: Path) -> Member:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return Member(bytes=file.stat().st_size, sha256=digest.hexdigest())


def write_archive(target: Path, manifest: Manifest, files: Mapping[str, Path]) -> None:
    """Write the archive as a private file that was not there before, or leave nothing.

    Errors:  FileExistsError if the target is there already
    """
    partial = target.with_name(f".{target.name}.partial")
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
                _add(archive, MANIFEST, _to_json(manifest))
                for name, file in files.items():
                    with file.open("rb") as content:
                        archive.addfile(_header(name, file.stat().st_size), content)
            stream.flush()
            os.fsync(stream.fileno())
        # A link, unlike a renaming, fails where the name is taken.
        target.hardlink_to(partial)
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def opened(file: Path, scratch: Path) -> Iterator[tuple[Manifest, dict[str, Path]]]:
    """Yield the manifest of a backup and its files, unpacked into `scratch` and found whole.

    Errors:  BackupFault if this is no backup, or not one that can be trusted
    """
    try:
        with tarfile.open(file, mode="r:") as archive:
            manifest = _from_json(_read_manifest(archive))
            unpacked = {name: _unpack(archive, name, scratch / name) for name in manifest.members}
    except FileNotFoundError:
        raise BackupFault(f"There is no file {file}.") from None
    except (tarfile.TarError, EOFError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise BackupFault(f"{file} is not a backup of this product, or it is cut short ({error}).") from None
    for name, path in unpacked.items():
        if describe(path) != manifest.members[name]:
            raise BackupFault(f"{file} is damaged: the checksum of its {name} does not fit.")
    yield manifest, unpacked


def _to_json(manifest: Manifest) -> bytes:
    return json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1, sort_keys=True).encode()


def _from_json(text: bytes) -> Manifest:
    found = json.loads(text)
    if found["format"] != FORMAT:
        raise ValueError(f"format {found['format']}, where this release reads {FORMAT}")
    members = {str(name): Member(int(each["bytes"]), str(each["sha256"])) for name, each in found["members"].items()}
    if DATABASE not in members or not members.keys() <= {DATABASE, SECRET_KEY}:
        raise ValueError("it does not hold what a backup holds")
    return Manifest(
        **{name: str(found[name]) for name in ("made_at", "release", "database", "database_version", "course")},
        migrations=tuple(str(each) for each in found["migrations"]),
        rows={str(table): int(rows) for table, rows in found["rows"].items()},
        members=members,
    )


def _read_manifest(archive: tarfile.TarFile) -> bytes:
    with _member(archive, MANIFEST) as stream:
        return stream.read(_MANIFEST_BYTES)


def _unpack(archive: tarfile.TarFile, name: str, target: Path) -> Path:
    # By its content and under a name of ours: a path inside the archive leads nowhere.
    with _member(archive, name) as content, target.open("xb") as stream:
        shutil.copyfileobj(content, stream)
    return target


def _member(archive: tarfile.TarFile, name: str) -> IO[bytes]:
    content = archive.extractfile(name)
    if content is None:
        raise ValueError(f"{name} is no file")
    return content


def _header(name: str, size: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.size, header.mode = size, 0o600
    header.mtime = datetime.now(UTC).timestamp()
    return header


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    archive.addfile(_header(name, len(content)), io.BytesIO(content))
