"""A private `var/` and course for the tests, in place before Django reads its settings: pytest loads this first."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from tests.short_test import course_with_a_short_test

os.environ["VAR_PATH"] = tempfile.mkdtemp(prefix="courseware-tests-")
# Nothing is collected for tests; the server of static files only wants the folder to be there.
Path(os.environ["VAR_PATH"], "static").mkdir()
atexit.register(shutil.rmtree, os.environ["VAR_PATH"], ignore_errors=True)
os.environ["COURSE_PATH"] = str(course_with_a_short_test(Path(os.environ["VAR_PATH"], "course")))
os.environ["SITE_URL"] = "http://testserver"
# A developer's own settings must not decide what a test sees; an empty value also hides the one in `.env`.
for name in (
    *(
        "BACKUP_PATH",
        "BACKUPS_KEPT",
        "BIND",
        "BROKER_URL",
        "DEBUG",
        "DEFAULT_FROM_EMAIL",
        "EMAIL_URL",
        "GRADER_LEASE_GRACE_SECONDS",
    ),
    *("LOG_FORMAT", "METRICS_TOKEN", "PROXY_COUNT", "SECRET_KEY"),
):
    os.environ[name] = ""
# The suite runs on either database, so one that was named for this run counts.
os.environ.setdefault("DATABASE_URL", "")
