"""What every test starts from: a private `var/`, set before Django reads its settings."""

import os
import tempfile

os.environ["VAR_PATH"] = tempfile.mkdtemp(prefix="courseware-tests-")
os.environ.setdefault("SITE_URL", "http://testserver")
for name in ("BROKER_URL", "COURSE_PATH", "SECRET_KEY", "DEBUG", "PROXY_COUNT"):
    os.environ.pop(name, None)  # a developer's own settings must not decide what a test sees

import pytest
from django.test import Client


@pytest.fixture(autouse=True)
def _fast_and_local(settings):
    """Hash passwords cheaply and serve static files unhashed: neither is what any test here is about."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture
def signed_in():
    """Return a function that gives a client on which a person is signed in."""

    def sign_in(user) -> Client:
        client = Client()
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        return client

    return sign_in
