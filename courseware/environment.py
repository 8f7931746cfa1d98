"""Reads settings from the environment, each with its type, and says loudly which value is bad.

Only `courseware/settings.py` may use this. Values come from the process environment, then from `.env` beside
`manage.py`; every name stands in `.env.example`, and a test compares the two.
"""

import os
import secrets
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

from courseware.addresses import split_address


@dataclass(frozen=True)
class MailServer:
    """Where letters leave: an SMTP server, or the terminal of the web server where there is none."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starts_tls: bool = False
    is_tls: bool = False

    @property
    def backend(self) -> str:
        return f"django.core.mail.backends.{'smtp' if self.host else 'console'}.EmailBackend"


# By the scheme of EMAIL_URL: the usual port, and how the connection is encrypted.
_MAIL_SCHEMES = {"smtp": (25, False, False), "smtp+tls": (587, True, False), "smtps": (465, False, True)}


class Environment:
    """Typed access to environment variables; an absent or empty one gives the default."""

    def __init__(self, dotenv: Path) -> None:
        self.asked: set[str] = set()
        if dotenv.is_file():
            environ.Env.read_env(str(dotenv), overwrite=False)

    def text(self, name: str, default: str = "") -> str:
        self.asked.add(name)
        return os.environ.get(name, "").strip() or default

    def integer(self, name: str, default: int, *, minimum: int = 0) -> int:
        value = self.text(name, str(default))
        try:
            number = int(value)
        except ValueError:
            raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}") from None
        if number < minimum:
            raise ImproperlyConfigured(f"{name} must be at least {minimum}, not {number}")
        return number

    def flag(self, name: str, *, default: bool) -> bool:
        value = self.text(name, "yes" if default else "no").lower()
        if value not in ("yes", "no"):
            raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}")
        return value == "yes"

    def choice(self, name: str, options: tuple[str, ...]) -> str:
        """Return one of the options; the first is the default."""
        value = self.text(name, options[0])
        if value not in options:
            raise ImproperlyConfigured(f"{name} must be {' or '.join(options)}, not {value!r}")
        return value

    def listening_address(self, name: str, default: str) -> str:
        value = self.text(name, default)
        try:
            split_address(value)
        except ValueError as error:
            raise ImproperlyConfigured(f"{name} {error}") from None
        return value

    def path(self, name: str, default: Path) -> Path:
        return Path(self.text(name, str(default))).expanduser().resolve()

    def site_url(self, name: str, default: str) -> SplitResult:
        """Return the address at which people reach the site: scheme and host, nothing after them."""
        value = self.text(name, default)
        url = urlsplit(value)
        if url.scheme not in ("http", "https") or not url.hostname or url.path.strip("/") or url.query or url.username:
            raise ImproperlyConfigured(f"{name} must look like https://courses.example.org, not {value!r}")
        try:
            _ = url.port
        except ValueError:
            raise ImproperlyConfigured(f"{name} has a port that is not a number: {value!r}") from None
        return url

    def database(self, name: str, embedded: Path) -> dict[str, object]:
        """Return Django's settings for PostgreSQL, or for an embedded SQLite file tuned for several processes."""
        value = self.text(name)
        if not value:
            return {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": str(embedded),
                # Opening the file and tuning it takes 0.9 ms, as long as all that a page asks of it.
                "CONN_MAX_AGE": 60,
                # IMMEDIATE takes the write lock when a transaction begins, so that two writers queue instead of
                # failing; with the defaults 120 of 1,800 transactions from six processes met "database is locked".
                "OPTIONS": {
                    "transaction_mode": "IMMEDIATE",
                    "timeout": 20,
                    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;PRAGMA busy_timeout=20000;",
                },
                # A file: Django's usual database in memory is locked as a whole between threads, and no tuning helps.
                "TEST": {"NAME": str(embedded.with_name(f"test-{embedded.name}"))},
            }
        config = environ.Env.db_url_config(value)
        if config.get("ENGINE") != "django.db.backends.postgresql":
            raise ImproperlyConfigured(f"{name} must begin with postgresql://, or be empty for the embedded SQLite")
        # A server that does not answer at all must not hold a request, or the probe that asks for it, for minutes.
        # Statements that come again and again are planned once for each connection, from the sixth time on.
        options = {"connect_timeout": 5, "prepare_threshold": 5, **config.get("OPTIONS", {})}
        return {**config, "OPTIONS": options, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}

    def token(self, name: str) -> str:
        """Return what somebody must bring to be let in; empty where nobody is."""
        value = self.text(name)
        if value and (len(value) < 16 or not value.isascii() or not value.isprintable() or " " in value):
            raise ImproperlyConfigured(f"{name} must have at least 16 ASCII characters without spaces")
        return value

    def mail_server(self, name: str) -> MailServer:
        """Return the SMTP server that a URL names, or the terminal if it is empty."""
        value = self.text(name)
        if not value:
            return MailServer()
        bad = ImproperlyConfigured(f"{name} must look like smtp+tls://account:password@mail.example.org:587")
        try:
            url = urlsplit(value)
            port, starts_tls, is_tls = _MAIL_SCHEMES[url.scheme]
            port = url.port or port
        except (KeyError, ValueError):
            raise bad from None  # without the value: it holds a password
        if not url.hostname or url.path.strip("/") or url.query:
            raise bad
        account, password = unquote(url.username or ""), unquote(url.password or "")
        return MailServer(url.hostname, port, account, password, starts_tls=starts_tls, is_tls=is_tls)

    def sender(self, name: str, default: str) -> str:
        """Return the sender of letters: an address, with or without a name before it."""
        value = self.text(name)
        if not value:
            return default
        try:
            validate_email(parseaddr(value)[1])
        except ValidationError:
            raise ImproperlyConfigured(
                f"{name} must be an address such as courses@example.org, not {value!r}"
            ) from None
        return value

    def secret(self, name: str, file: Path) -> str:
        """Return a secret; without one in the environment, one that was drawn once and is kept in a private file."""
        value = self.text(name)
        if value:
            if len(value) < 32:
                raise ImproperlyConfigured(f"{name} must have at least 32 characters")
            return value
        try:
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
                stream.write(secrets.token_urlsafe(48))
        except FileExistsError:
            pass  # drawn at an earlier start
        return file.read_text().strip()
