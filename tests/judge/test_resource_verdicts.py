"""Programs that use up a limit, or fail in ways that Python words for others: what their authors read.

| case | what went wrong elsewhere | test |
|---|---|---|
| B42 endless output | gigabytes, a page that hangs, no word of it | `test_a_flood_is_ended_and_both_its_ends_are_kept`, `test_long_output_keeps_its_head_and_its_tail`, `tests/grader_site/test_verdict_pages.py::test_a_page_with_all_the_output_that_is_kept_stays_small` |
| B42 one huge line, standard error, bytes that are no text, colour codes | the same | `test_every_kind_of_output_is_cut_alike` |
| B43 outliving the limit | a worker blocked for good, a zero for success | `test_time_names_the_call_the_elapsed_and_the_limit`, `tests/sandbox/test_ending.py::test_of_thirty_that_would_stay_nobody_does` |
| B44 limits that honest programs meet | threads of others counted, an import that needs the memory | `tests/sandbox/test_limits.py::test_guests_that_work_at_once_are_not_counted_together`, `tests/queue/test_killed_programs.py::test_thirty_learners_at_once_all_pass` |
| memory, processes, threads, connections, files | "killed" | `test_memory_is_the_programs_word_and_the_figure_is_the_kernels`, `test_what_the_sandbox_refuses_is_said_in_plain_words` |
| a result too large, a crash, an exit | the same | `test_a_result_that_is_too_large_is_not_taken_for_output`, `test_the_end_of_a_process_is_named` |
| B52 marks of byte order, line ends, tabs, Greek names, a coding line | an error in a right program | `test_a_right_program_is_right_in_every_form_of_editors` |
| B52 mixed tabs, curly quotes, spaces that do not break | an error that names no line | `test_python_names_the_learners_own_line` |
| B52 a null character, nothing at all, too much | stored, and no verdict ever | `tests/grader_site/test_submitting.py::test_a_source_that_cannot_be_graded_is_refused_with_a_sentence` |
| B51 names of files | | nothing is uploaded: a program is pasted, and has no name |
| paths and lines of the judge's machine | shown | `test_no_place_of_ours_is_shown` |
"""  # noqa: E501

import re
from dataclasses import replace
from typing import Any

import pytest

from grader.exercises import Limits
from grader.judge.judging import judge
from grader.judge.wording import printed_text, signal_name
from grader.messages import Kind
from grader.sandbox.replies import Captured
from grader.sandbox.runner import open_guest
from grader.verdicts import Outcome, Verdict
from tests.judge.benches import bench

pytestmark = pytest.mark.sandbox
MEBIBYTE = 1024 * 1024
LIMITS = Limits(
    call_seconds=0.3, total_seconds=5, memory_bytes=256 * MEBIBYTE, output_bytes=64 * 1024, reason="short for tests"
)
RIGHT = """import numpy as np
def attention(Q, K, V):
\tscores = Q @ K.T / np.sqrt(Q.shape[-1])
\tpowers = np.exp(scores - scores.max(-1, keepdims=True))
\treturn powers / powers.sum(-1, keepdims=True) @ V
"""
CALLED = "when it was called with the example “"


def run(source: str, **limits: Any) -> Verdict:
    """Return the verdict on the visible examples, which is all that these programs reach."""
    verdict = judge(
        bench("attention"), source, seed=1, opener=open_guest, kind=Kind.RUN, limits=replace(LIMITS, **limits)
    )
    assert Verdict.from_message(verdict.to_message()) == verdict
    return verdict


def body(*lines: str) -> str:
    return "import os, sys, time\ndef attention(Q, K, V):\n" + "".join(f"    {line}\n" for line in lines)


def test_time_names_the_call_the_elapsed_and_the_limit() -> None:
    called, loaded = run(body("time.sleep(9)")), run("while True:\n    pass\n")
    together = run(body("time.sleep(0.2)", "return V"), total_seconds=0.1)

    assert {called.outcome, loaded.outcome, together.outcome} == {Outcome.TIME}
    assert re.match(rf"Your code was still running after \d\.\d s {CALLED}", called.sentence)
    assert "one call may take 0.3 s" in called.sentence
    assert re.search(r"still running after \d\.\d s while your file was loaded", loaded.sentence)
    assert re.search(r"took \d\.\d s for all calls together, and 0\.1 s is the most", together.sentence)


def test_memory_is_the_programs_word_and_the_figure_is_the_kernels() -> None:
    """A program that only says so takes no more than it did; the mark is its author's either way."""
    held = run(body("keep = [bytearray(b'x' * (1 << 20)) for _ in range(9999)]"), call_seconds=5)
    said = run(body("raise MemoryError('trust me')"))

    def figure(verdict: Verdict) -> int:
        return int(verdict.sentence.partition("at once was ")[2].split()[0])

    assert {held.outcome, said.outcome} == {Outcome.MEMORY}
    assert "ran out of memory in line 3" in held.sentence and "256 MB beyond" in held.sentence
    assert figure(held) - figure(said) > 150


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("os.fork()", "may not start processes"),
        ("import socket; socket.socket()", "open connections"),
        ("import threading; [threading.Thread(target=time.sleep, args=(9,)).start() for _ in range(99)]", "16 threads"),
        ("open('/etc/motd', 'w')", "only /tmp can be written"),
        ("open('/tmp/x', 'w').write('a' * (20 << 20))", "holds 16 MB"),
    ],
)
def test_what_the_sandbox_refuses_is_said_in_plain_words(line: str, advice: str) -> None:
    verdict = run(body(line))

    assert verdict.outcome is Outcome.ERROR
    assert verdict.error is not None and verdict.error.line == 3
    assert advice in verdict.remarks[0]


def test_long_output_keeps_its_head_and_its_tail() -> None:
    verdict = run(body("print('first\x1b[31m\xff')", "print('x' * (1 << 20))", "print('last')", "return V"))

    assert verdict.output.startswith("first") and verdict.output.endswith("last\n")
    assert "bytes left out …]" in verdict.output and verdict.output_cut
    assert verdict.outcome is Outcome.WRONG


def test_a_flood_is_ended_and_both_its_ends_are_kept() -> None:
    verdict = run("print('first')\nwhile True:\n    print('more' * 500)\n", call_seconds=5)

    assert verdict.outcome is Outcome.OUTPUT
    assert verdict.sentence.startswith("Your code printed more than 8 MB while your file was loaded")
    assert verdict.output.startswith("first") and verdict.output.rstrip().endswith("more")
    assert len(verdict.output) <= 64 * 1024


@pytest.mark.parametrize(
    "line",
    [
        "print('x' * (1 << 20))",
        "sys.stderr.write('x' * (1 << 20))",
        "os.write(1, bytes(range(256)) * (4 << 10))",
        "print('\\x1b[31;1m' * (1 << 17))",
    ],
)
def test_every_kind_of_output_is_cut_alike(line: str) -> None:
    verdict = run(body(line, "return V"), call_seconds=2)

    assert (verdict.outcome, verdict.output_cut) == (Outcome.WRONG, True)
    assert len(verdict.output.encode()) <= 4 * 64 * 1024  # what is no text becomes a sign that says so
    assert "\0" not in verdict.output  # which no database takes


@pytest.mark.parametrize("size", [0, 10, 11, 12, 1000])
def test_output_is_cut_exactly_where_it_is_too_long(size: int) -> None:
    text = "a" * size

    shown, is_cut = printed_text(Captured(text.encode()[:10], size > 10, text.encode()[10:][-5:], size), 10)

    assert is_cut == (size > 10)
    assert is_cut or shown == text


def test_a_result_that_is_too_large_is_not_taken_for_output() -> None:
    verdict = run(body("import numpy", "return numpy.zeros((1 << 12, 1 << 10))"))

    assert verdict.outcome is Outcome.OUTPUT
    assert verdict.sentence.startswith(f"Your code returned more than 16 MB {CALLED}")


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("import ctypes; ctypes.string_at(0)", "(SIGSEGV, segmentation fault)"),
        ("os._exit(3)", "exit code 3"),
    ],
)
def test_the_end_of_a_process_is_named(line: str, named: str) -> None:
    verdict = run(body(line))

    assert verdict.outcome is Outcome.ERROR
    assert named in verdict.sentence and CALLED in verdict.sentence


def test_a_signal_without_a_name_has_its_number() -> None:
    assert signal_name(40) == "signal 40"


@pytest.mark.parametrize("form", ["\ufeff{}", "{}", "# λ\nλ = 1\n{}", "# -*- coding: latin-1 -*-\n{}"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_right_program_is_right_in_every_form_of_editors(form: str, end: str) -> None:
    assert run(form.format(RIGHT).replace("\n", end), call_seconds=2).outcome is Outcome.RIGHT


@pytest.mark.parametrize(
    ("source", "said", "line"),
    [
        ("\ufeffx = 1\r\n\r\n1 / 0\r\n", "ZeroDivisionError", 3),
        ("π = 1\nρ = π +\n", "SyntaxError: invalid syntax", 2),
        ("def f():\n\treturn 1\n        return 2\n", "TabError", 3),
        ("x = 1\ny = “a”\n", "invalid character '“' (U+201C)", 2),
        ("if 1:\n\u00a0\u00a0x = 1\n", "U+00A0", 2),
        ("x = 1\n" + "(" * 5000 + ")" * 5000, "too many nested parentheses", 2),
        ("-" * 60_000 + "1", "nested too deeply", None),
        ("λ = {}\ndef attention(Q, K, V):\n    return λ['ключ']\n", "KeyError: 'ключ'", 3),
    ],
)
def test_python_names_the_learners_own_line(source: str, said: str, line: int | None) -> None:
    verdict = run(source)

    assert verdict.outcome is Outcome.ERROR
    assert said in verdict.sentence
    assert verdict.error is not None and verdict.error.line == line


@pytest.mark.parametrize(
    "line",
    [
        "from numpy import nosuch",
        "from os import nosuch",
        "import traceback; traceback.print_stack()",
        "import numpy; print(numpy.__file__, os.__file__); return numpy.mean(numpy.array([]))",
        "raise RuntimeError(''.join(__import__('traceback').format_stack()))",
    ],
)
def test_no_place_of_ours_is_shown(line: str) -> None:
    verdict = run(body(line), call_seconds=2)

    shown = str(verdict.to_message())
    for place in ("/sandbox", "/usr", "/opt", "site-packages", "zygote", "guest.py", "serve("):
        assert place not in shown, verdict
