"""What every test starts from."""

from contextlib import ExitStack

import pytest
from django.db import connection
from django.test import Client

from tests import browser, sharing


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return sharing.Sharing(config, log)


@pytest.hookimpl(trylast=True)  # after the shuffle
def pytest_collection_modifyitems(config, items):
    elsewhere = [
        item for item in items if any(mark.args != (connection.vendor,) for mark in item.iter_markers("only_on"))
    ]
    if elsewhere:  # left out and not skipped: they run wherever they can
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in elsewhere]
    if hasattr(config, "workerinput"):
        items[:] = sharing.in_order(items)


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


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests: a second one beside it would find Playwright's loop already running."""
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(browser.chromium())
        except browser.BrowserMissing as missing:
            pytest.skip(str(missing))
        yield opened
