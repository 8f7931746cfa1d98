"""The folder that backups lie in: their names, and which is the newest."""

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
        names = sorted(path.name for path in folder.iterdir() if _NAME.fullmatch(path.name))
        if not names:
            return None
        path = folder / names[-1]
        stamp = names[-1].removeprefix("courseware-").removesuffix(".tar")
        return Backup(path, datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC), path.stat().st_size)
    except OSError:
        return None  # to the site a folder that it cannot read holds nothing
