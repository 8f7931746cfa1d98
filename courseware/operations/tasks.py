"""The daily tasks: they take away what only piles up. `courseware/periodic.py` registers and schedules them."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.core.management import call_command

from courseware.operations.backups.folder import old_backups

logger = logging.getLogger(__name__)


def clear_sessions() -> None:
    """Forget sessions that have expired: nobody can use them, and they name who was signed in."""
    call_command("clearsessions")


def remove_old_backups() -> None:
    """Remove backups in BACKUP_PATH but the newest BACKUPS_KEPT; 0 of them keeps all."""
    for backup in old_backups(settings.BACKUP_PATH, keep=settings.BACKUPS_KEPT):
        backup.unlink(missing_ok=True)
        logger.info("old backup removed", extra={"facts": {"file": backup}})


DAILY_TASKS: dict[str, Callable[[], None]] = {
    "periodic.clear_sessions": clear_sessions,
    "periodic.remove_old_backups": remove_old_backups,
}
