"""What a line of the log looks like, as text or as JSON, in every process of site and judge. Standard library only.

A line is a sentence and facts: `logger.info("submission sent", extra={"facts": {"submission": …}})`. Facts name rows by
their ids. An e-mail address, a password, a token, a learner's program or an answer is never put into either.
"""

import contextlib
import json
import logging
import logging.config
import re
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Literal

Format = Literal["text", "json"]
FORMATS: tuple[Format, ...] = ("text", "json")

_about: ContextVar[Mapping[str, object]] = ContextVar("log_about", default=MappingProxyType({}))
# Anything else could end the line, or pass for another fact.
_PLAIN = re.compile(r"[A-Za-z0-9_.:/@+-]+")
# PostgreSQL quotes the row that it refused, to the end of an exception's text; it may be a learner's.
_ROW = re.compile(r"\nDETAIL: .*?(?=\n\n(?:The above exception|During handling)|\Z)", re.DOTALL)


@contextlib.contextmanager
def about(**facts: object) -> Iterator[None]:
    """Add these facts to every line that is written in the block."""
    token = _about.set({**_about.get(), **facts})
    try:
        yield
    finally:
        _about.reset(token)


def logging_options(log_format: Format, *, levels: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return what `logging.config.dictConfig` takes: every line to standard error, `levels` for some loggers."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": f"{__name__}.{'JsonLine' if log_format == 'json' else 'TextLine'}"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
            **{name: {"level": level} for name, level in (levels or {}).items()},
        },
    }


class TextLine(logging.Formatter):
    """For people: time, level, who says it, the sentence, then facts as name=value."""

    def format(self, record: logging.LogRecord) -> str:
        facts = "".join(f" {name}={_quoted(value)}" for name, value in _facts(record).items())
        line = f"{_instant(record)} {record.levelname} {record.name}: {_one_line(_sentence(record))}{facts}"
        trace = _trace(self, record)
        return f"{line}\n{trace}" if trace else line


class JsonLine(logging.Formatter):
    """For programs: one object per line; facts stand beside time, level, logger and message."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            **{name: str(value) if not isinstance(value, int) else value for name, value in _facts(record).items()},
            "time": _instant(record),
            "level": record.levelname,
            "logger": record.name,
            "message": _sentence(record),
        }
        trace = _trace(self, record)
        return json.dumps({**line, "trace": trace} if trace else line, ensure_ascii=False)


def _facts(record: logging.LogRecord) -> dict[str, object]:
    return {**getattr(record, "facts", {}), **_about.get()}


def _instant(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sentence(record: logging.LogRecord) -> str:
    sentence = record.getMessage()
    if record.name.startswith("celery.worker"):
        # It quotes a message that it cannot use as a whole, and a message may hold a learner's program.
        sentence = sentence.partition("\n")[0]
    # Django names the path of a request that failed. That of a new password or of an invitation is a secret.
    path = str(getattr(getattr(record, "request", None), "path", ""))
    return sentence.replace(path, "(its path is left out)") if len(path) > 1 else sentence


def _one_line(text: str) -> str:
    """Return a text whose breaks and control characters are spelt out: what a sentence quotes may be hostile."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    return _ROW.sub("", formatter.formatException(record.exc_info)) if record.exc_info else ""


def _quoted(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
