"""Serves the site: prepares database and static files, then keeps web server, recorder, periodic jobs and judge up."""

import os
import time
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.db.utils import OperationalError

from courseware import addresses, programs, static_files
from courseware.operations.one_site import SiteRuns, only_one_site
from courseware.processes import Supervisor

MISSING = {
    "judge": "the judge's requirements (NumPy and Celery, about 30 MB, a minute at most)",
    "torch": "PyTorch (200 MB for processors alone, about 3 GB for NVIDIA devices: minutes, by the network)",
}


class Command(BaseCommand):
    help = "Run the whole site on this machine until Ctrl-C."
    # `check` reads the whole course: a fault stops the start, with every fault named.
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--install",
            nargs="*",
            choices=list(MISSING),
            default=[],
            help="requirements that are still missing: they are installed while the site already answers",
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        try:
            lock = only_one_site(settings.VAR_PATH)
        except SiteRuns as runs:
            raise CommandError(str(runs)) from None
        try:
            site_url, bind = self._address()
            self._prepare()
        except KeyboardInterrupt:
            raise CommandError("Stopped before the site was up.", returncode=130) from None
        self._serve(site_url, bind, missing=options["install"])
        lock.close()

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def _address(self) -> tuple[str, str]:
        """Return the site's address and where to listen, one port further if nobody chose the port and it is taken."""
        listening = addresses.split_address(settings.BIND)
        if listening is None or addresses.is_free(*listening):
            return settings.SITE_URL, settings.BIND
        host, port = listening
        if os.environ.get("SITE_URL") or os.environ.get("BIND"):
            raise CommandError(
                f"Port {port} on {host} is taken by another program. Set SITE_URL or BIND to a free one."
            )
        free = addresses.next_free_port(host, port)
        self._say(f"Port {port} is taken by another program; this site uses {free}.")
        return f"http://{host}:{free}", f"{host}:{free}"

    def _prepare(self) -> None:
        self._say("Preparing the database …")
        try:
            call_command("migrate", verbosity=0, interactive=False)
            call_command("createcachetable", verbosity=0)
        except OperationalError as error:
            raise CommandError(f"The database cannot be used: {str(error).strip()}") from None
        self._say("Collecting static files (some seconds if they changed) …")
        static_files.collect()
        call_command("first_start", stdout=self.stdout)
        connections.close_all()

    def _serve(self, site_url: str, bind: str, *, missing: list[str]) -> None:
        environment = programs.site_environment(site_url)
        waiting = list(missing)

        def installed(went_well: bool) -> None:
            part = waiting.pop(0)
            if went_well:
                self._say(f"Installed: {MISSING[part]}.")
                supervisor.restart("judge")
            else:
                self._say(f"Could not install {MISSING[part]}. What needs it waits; the next ./run tries again.")
                waiting.clear()  # the next part builds on this one, and would fail for the same reason
            begin_installation()

        def begin_installation() -> None:
            if waiting:
                self._say(f"Installing {MISSING[waiting[0]]} while the site runs …")
                supervisor.start(f"install {waiting[0]}")

        supervisor = Supervisor(
            # The recorder stops last, so that what the judge was still judging is written down.
            [
                [
                    programs.web(environment, bind=bind),
                    programs.periodic(environment),
                    *(programs.installation(part, then=installed) for part in missing),
                    programs.judge(),
                ],
                [programs.recorder(environment)],
            ],
            say=self._say,
        )
        announced = False
        started_at = time.monotonic()

        def announce() -> None:
            nonlocal announced
            if announced:
                return
            listening = addresses.split_address(bind)
            if listening is None or addresses.answers(*listening, site_url=site_url):
                announced = True
                self._say(
                    f"The site answers at {site_url} after {time.monotonic() - started_at:.0f} s. Ctrl-C stops it."
                )
                begin_installation()

        self._say("Starting web server, recorder, periodic jobs and judge …")
        for name in ("recorder", "periodic", "web"):
            supervisor.start(name)
        if "judge" not in missing:
            supervisor.start("judge")
        supervisor.run(announce)
        self._say("Everything has stopped.")
