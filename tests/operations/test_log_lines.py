"""What a line of the log says, in either format, and what it never says."""

import io
import json
import logging
import logging.config

import pytest
from django.test import RequestFactory

from grader.log_lines import about, logging_options

PROGRAM = "def attention(Q, K, V): return 'a learner wrote this'"


@pytest.fixture
def lines():
    """Return a function that writes by a logger and gives back what the log then holds."""

    def write(log_format: str, name: str, say) -> str:
        options = logging_options(log_format)
        stream = io.StringIO()
        formatter = logging.config.DictConfigurator(options).configure_formatter(options["formatters"]["line"])
        handler = logging.StreamHandler(stream)
        handler.setFormatter(formatter)
        logger = logging.Logger(name)
        logger.addHandler(handler)
        say(logger)
        return stream.getvalue()

    return write


def test_text_line_ends_with_its_facts(lines):
    line = lines("text", "grader.submissions", lambda log: log.info("sent", extra={"facts": {"submission": 7}}))

    assert line.endswith("Z INFO grader.submissions: sent submission=7\n")


def test_json_line_is_one_object_with_the_same_facts(lines):
    with about(request="abc"):
        line = lines("json", "grader", lambda log: log.warning("not\nsent", extra={"facts": {"delivery": 2}}))

    assert line.count("\n") == 1
    found = json.loads(line)
    assert found.pop("time").endswith("Z")
    assert found == {
        "delivery": 2,
        "request": "abc",
        "level": "WARNING",
        "logger": "grader",
        "message": "not\nsent",
    }


def test_fact_cannot_pass_for_another_line_or_another_fact(lines):
    facts = {"judge": "one\nERROR two verdict=right"}

    line = lines("text", "grader", lambda log: log.info("finished", extra={"facts": facts}))

    assert line.count("\n") == 1
    assert line.endswith(' judge="one\\nERROR two verdict=right"\n')


def test_facts_of_a_block_end_with_it(lines):
    with about(request="outer"), about(submission="inner"):
        inside = lines("text", "grader", lambda log: log.info("inside"))
    after = lines("text", "grader", lambda log: log.info("after"))

    assert inside.endswith("inside request=outer submission=inner\n")
    assert after.endswith("after\n")


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_exception_keeps_its_traceback(lines, log_format):
    def fail(log: logging.Logger) -> None:
        try:
            raise ValueError("of no use")
        except ValueError:
            log.exception("it failed")

    assert "ValueError: of no use" in lines(log_format, "grader", fail)


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_message_that_celery_cannot_use_is_not_quoted(lines, log_format):
    quoting = "Received unregistered task of type 'x'.\nThe full contents of the message body was:\n%s"

    line = lines(log_format, "celery.worker.consumer.consumer", lambda log: log.error(quoting, PROGRAM))

    assert "Received unregistered task of type 'x'." in line
    assert "learner wrote" not in line


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_row_that_the_database_refused_is_not_quoted(lines, log_format):
    def fail(log: logging.Logger) -> None:
        try:
            try:
                raise ValueError(f"violates a constraint\nDETAIL:  Failing row contains (7, {PROGRAM}\n\nreturn 1).")
            except ValueError as error:
                raise RuntimeError(f"wrapped\nDETAIL:  Failing row contains (7, {PROGRAM}).") from error
        except RuntimeError:
            log.exception("it failed")

    line = lines(log_format, "django.request", fail)

    assert "violates a constraint" in line
    assert "direct cause" in line
    assert "wrapped" in line
    assert "learner wrote" not in line.replace("{PROGRAM}", "")


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_path_of_a_failed_request_is_left_out(lines, log_format):
    request = RequestFactory().get("/accounts/password/reset/key/2-secret/")

    line = lines(
        log_format,
        "django.request",
        lambda log: log.error("Internal Server Error: %s", request.path, extra={"request": request}),
    )

    assert "Internal Server Error" in line
    assert "secret" not in line
