"""Collects static files when they changed: compressing them anew would be most of what a second start waits for."""

import hashlib
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect() -> bool:
    """Bring the served files up to date; return whether anything was to be done."""
    marker = Path(settings.STATIC_ROOT) / "collected"
    state = _state()
    if marker.is_file() and marker.read_text() == state:
        return False
    # Cleared, because collecting passes over a file that is not newer, to the second, than the copy from last time.
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    marker.write_text(state)
    return True


def _state() -> str:
    digest = hashlib.sha256()
    for line in sorted(_sources()):
        digest.update(line.encode())
    return digest.hexdigest()


def _sources() -> Iterator[str]:
    # The names that files get and how they are compressed are these packages' doing.
    for package in ("Django", "whitenoise"):
        yield f"{package} {importlib.metadata.version(package)}\n"
    yield f"{settings.STORAGES['staticfiles']}\n"
    for finder in get_finders():
        for path, storage in finder.list([]):
            file = Path(storage.path(path)).stat()
            yield f"{path} {file.st_size} {file.st_mtime_ns}\n"
