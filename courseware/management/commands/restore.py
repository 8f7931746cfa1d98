"""Makes the database what a backup holds."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.utils import Error as DatabaseError

from courseware.operations.backups.archive import BackupFault
from courseware.operations.backups.verbs import restore_backup
from courseware.operations.one_site import SiteRuns, only_one_site


class Command(BaseCommand):
    help = "Restore a backup. The site must be stopped, and its database empty unless --replace is given."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="back up what is there, then put the backup in place"
        )
        parser.add_argument("--with-secret-key", action="store_true", help="take the secret key of the backup, too")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        try:
            with only_one_site(settings.VAR_PATH):
                done = restore_backup(
                    options["file"], replace=options["replace"], with_secret_key=options["with_secret_key"]
                )
        except SiteRuns as runs:
            raise CommandError(f"Stop the site first, then restore. {runs}") from None
        except BackupFault as fault:
            raise CommandError(f"Nothing was restored. {fault}") from None
        except (OSError, DatabaseError) as error:
            raise CommandError(f"Nothing was restored: {str(error).strip()}") from None
        if done.kept:
            self.stdout.write(f"What was there before is in {done.kept}.")
        if done.key_kept:
            self.stdout.write(f"The secret key that was there before is in {done.key_kept}.")
        rows = sum(done.manifest.rows.values())
        self.stdout.write(f"Restored {rows} rows as of {done.manifest.made_at}, made by {done.manifest.release}.")
        self.stdout.write("Next: manage.py migrate, then start the site. ./run does both.")
