"""What every test starts from."""

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
