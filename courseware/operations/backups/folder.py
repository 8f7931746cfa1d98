"""The folder that backups lie in: their names, which is the newest, and which are old."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"courseware-(\d{8}T\d{6}Z)\.tar")


@dataclass(frozen=True)
class Backup:
    """A finished backup; one that is being made has another name."""

    path: Path
    made_at: datetime
    bytes: int


def name_for(moment: datetime) -> str:
    return f"courseware-{moment.astimezone(UTC).strftime(_STAMP)}.tar"


def newest_backup(folder: Path) -> Backup | None:
    """Return the newest backup of a folder by its name; None if there is none, or no folder."""
    try:
        path = max(_finished(folder), default=None)
        if path is None:
            return None
        stamp = path.stem.removeprefix("courseware-")
        return Backup(path, datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC), path.stat().st_size)
    except OSError:
        return None  # to the site a folder that it cannot read holds nothing


def old_backups(folder: Path, *, keep: int) -> list[Path]:
    """Return the backups of a folder but the newest `keep`, oldest first; none if `keep` is 0."""
    return sorted(_finished(folder))[:-keep] if keep and folder.is_dir() else []


def _finished(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if _NAME.fullmatch(path.name)]
