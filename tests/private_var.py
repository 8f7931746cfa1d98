"""A private `var/` for the tests, in place before Django reads its settings: pytest loads this before its plugins."""

import atexit
import os
import shutil
import tempfile

os.environ["VAR_PATH"] = tempfile.mkdtemp(prefix="courseware-tests-")
atexit.register(shutil.rmtree, os.environ["VAR_PATH"], ignore_errors=True)
os.environ["SITE_URL"] = "http://testserver"
# A developer's own settings must not decide what a test sees. DATABASE_URL stays: the suite runs on either database.
for name in ("BROKER_URL", "COURSE_PATH", "SECRET_KEY", "DEBUG", "PROXY_COUNT", "GRADER_LEASE_GRACE_SECONDS"):
    os.environ.pop(name, None)
