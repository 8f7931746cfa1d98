"""How much room is left where the site writes."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection


@dataclass(frozen=True)
class Disk:
    """A disk by what is on it."""

    name: str
    free_bytes: int
    total_bytes: int

    @property
    def is_low(self) -> bool:
        # A tenth of a small disk; on a large one a gigabyte, which is days of a large class.
        return self.free_bytes < min(self.total_bytes // 10, 1_000_000_000)


def disks() -> tuple[Disk, ...]:
    """Return the disks that this site writes to, each once, under the name of the first thing on it."""
    places = {"files": settings.VAR_PATH, "backups": _nearest(settings.BACKUP_PATH)}
    if connection.vendor == "sqlite":
        places["database"] = Path(connection.settings_dict["NAME"]).resolve().parent
    seen: dict[int, Disk] = {}
    for name, place in places.items():
        usage = shutil.disk_usage(place)
        seen.setdefault(place.stat().st_dev, Disk(name, usage.free, usage.total))
    return tuple(seen.values())


def _nearest(folder: Path) -> Path:
    """Return the folder, or the one above it that is already there."""
    return next(each for each in (folder, *folder.parents) if each.is_dir())
