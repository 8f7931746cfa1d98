"""Writes one file that holds the database, while the site goes on."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.utils import Error as DatabaseError

from courseware.operations.backups.archive import BackupFault
from courseware.operations.backups.verbs import make_backup


class Command(BaseCommand):
    help = "Write a backup of the database into a folder and print where. The site may run meanwhile."
    # A backup must be possible while a card has a fault.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=settings.BACKUP_PATH, help="default: BACKUP_PATH")
        parser.add_argument(
            "--with-secret-key",
            action="store_true",
            help="put the key into it: people stay signed in after a restore; whoever has the file could be anybody",
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        try:
            file = make_backup(options["folder"].resolve(), with_secret_key=options["with_secret_key"])
        except BackupFault as fault:
            raise CommandError(f"No backup was made. {fault}") from None
        except (OSError, DatabaseError) as error:
            raise CommandError(f"No backup was made: {str(error).strip()}") from None
        self.stdout.write(str(file))
