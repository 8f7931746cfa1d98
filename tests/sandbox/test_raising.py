"""A mistaken program in a guest: what it raises, in which line, and that the guest lives on."""

import pytest

from grader.sandbox.replies import Loaded, Missing, Raised, Returned
from grader.sandbox.wire import Array
from tests.sandbox.guests import call, guest

pytestmark = [pytest.mark.sandbox, pytest.mark.usefixtures("sandbox")]


def test_writing_to_a_read_only_input_names_the_line():
    given = Array("float64", (1,), bytes(8), is_read_only=True)

    reply = call("def f(x):\n    x += 1\n    return x\n", given)

    assert isinstance(reply, Raised)
    assert (reply.type_name, reply.line) == ("ValueError", 2)


def test_an_exception_names_the_innermost_line_of_the_learner():
    source = "import json\ndef f():\n    return g()\ndef g():\n    return json.loads('{')\n"

    reply = call(source)

    assert isinstance(reply, Raised)
    assert (reply.type_name, reply.line) == ("JSONDecodeError", 5)


def test_a_guest_lives_on_after_an_exception():
    with guest("def f(x):\n    return 1 / x\n") as opened:
        first = opened.call("f", [0])
        second = opened.call("f", [2])

    assert first == Raised("ZeroDivisionError", "division by zero", 2, False)
    assert isinstance(second, Returned)


@pytest.mark.parametrize(
    ("source", "type_name", "line"),
    [
        ("def f():\n    return (1\n", "SyntaxError", 2),
        ("def f():\nreturn 1\n", "IndentationError", 2),
        ("x = 1\nraise SystemExit(0)\n", "SystemExit", 2),
        ("import sys\nsys.exit()\n", "SystemExit", 2),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt", 1),
        ("raise GeneratorExit\n", "GeneratorExit", 1),
        ("import no_such_module\n", "ModuleNotFoundError", 1),
        ("def g():\n    return g()\ng()\n", "RecursionError", 2),
        ("x = bytearray(1 << 40)\n", "MemoryError", 1),
        ("class E(BaseException):\n    def __str__(self):\n        raise self\nraise E\n", "Exception", None),
        ("x = '\0'\n", "ValueError", None),
        ("x = '\ud800'\n", "UnicodeEncodeError", None),
    ],
)
def test_what_is_raised_while_loading_is_a_reply(source, type_name, line):
    with guest(source) as opened:
        loaded = opened.load()
        called = opened.call("f", [])

    assert isinstance(loaded, Raised)
    assert (loaded.type_name, loaded.line) == (type_name, line)
    assert called == loaded


def test_loading_reports_success_once_and_runs_the_module_once():
    with guest("print('loaded')\n") as opened:
        assert isinstance(opened.load(), Loaded)
        assert opened.load() is opened.load()
        assert opened.output().head == b"loaded\n"


def test_a_missing_function_is_told_from_a_name_that_holds_something_else():
    with guest("attention = 3\n") as opened:
        assert opened.call("f", []) == Missing("f", is_defined=False)
        assert opened.call("attention", []) == Missing("attention", is_defined=True)
