"""Judging: what each kind of program gets, and whose fault it is."""

import dataclasses
import gc
import json

import numpy as np
import pytest

from grader.judge.folders import Bench, BrokenExercise, open_bench
from grader.judge.guests import open_trusted
from grader.judge.judging import judge, limits_from
from grader.judge.probing import Probe
from grader.sandbox.replies import SandboxUnavailable
from grader.verdicts import CheckOutcome, CheckReport, Outcome, Owner, Verdict, Wording
from tests.judge.benches import attention, failing, judged, style, wrong

RIGHT = style("products")


def wrapped(body: str) -> str:
    """Return a program that has `right`, a correct attention, to build a mistake around."""
    return RIGHT + "right = attention\n" + body


@pytest.mark.parametrize(
    ("body", "got"),
    [
        ("def attention(Q, K, V): right(Q, K, V)", "None: does every path end in a return?"),
        ("def attention(Q, K, V): return right(Q, K, V).tolist()", "a list: np.array makes an array of it"),
        ("def attention(Q, K, V): return right(Q, K, V), 1.0", "a tuple of 2 values"),
        ("def attention(Q, K, V): return float(right(Q, K, V).sum())", "a single number"),
        ("def attention(Q, K, V): return right(Q, K, V) + 0j", "numbers of type complex128"),
    ],
)
def test_answer_of_the_wrong_form_is_told_apart(body: str, got: str) -> None:
    verdict = judged(wrapped(body))

    assert verdict.outcome is Outcome.WRONG
    assert failing(verdict) == {"shape"}
    assert next(report for report in verdict.checks if report.check == "shape").got == got


def test_answer_of_the_wrong_shape_is_never_broadcast() -> None:
    verdict = judged(wrapped("def attention(Q, K, V): return right(Q, K, V)[..., :1]"))

    shape = verdict.checks[0]
    assert (verdict.outcome, shape.outcome) == (Outcome.WRONG, CheckOutcome.FAILS)
    assert verdict.checks[1].outcome is CheckOutcome.NOT_REACHED


@pytest.mark.parametrize("number", ["nan", "inf"])
def test_number_that_is_not_finite_is_named(number: str) -> None:
    verdict = judged(wrapped(f"def attention(Q, K, V): return right(Q, K, V) * np.{number}"))

    values = next(report for report in verdict.checks if report.check == "values")
    assert values.expected == "finite numbers"
    assert values.got.startswith("NaN" if number == "nan" else "infinity")


def test_changed_input_is_caught() -> None:
    verdict = judged(wrapped("def attention(Q, K, V):\n    Q *= 1.5\n    return right(Q / 1.5, K, V)"))

    assert (verdict.outcome, failing(verdict)) == (Outcome.WRONG, {"unchanged"})
    assert verdict.diagnosis is None
    assert verdict.marks_fraction == "0.9000"  # the check itself carries no marks, and a wrong program has not all


def test_answer_that_changes_from_call_to_call_is_caught() -> None:
    body = (
        "count = 0\ndef attention(Q, K, V):\n    global count\n    count += 1\n    return right(Q, K, V) + count * 1e-6"
    )

    assert "repeatable" in failing(judged(wrapped(body)))


def test_cache_by_shape_is_caught() -> None:
    body = "seen = {}\ndef attention(Q, K, V):\n    return seen.setdefault((Q.shape, K.shape, V.shape), right(Q, K, V))"

    assert "values" in failing(judged(wrapped(body)))


def test_clipped_scores_are_fragile() -> None:
    """They stay finite, so only the values at large scores can tell."""
    body = (
        "def attention(Q, K, V):\n"
        "    scores = np.clip(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), -50, 50)\n"
        "    weights = np.exp(scores)\n"
        "    return weights / weights.sum(axis=-1, keepdims=True) @ V\n"
    )

    verdict = judged(wrapped(body))

    assert (verdict.outcome, failing(verdict)) == (Outcome.FRAGILE, {"large"})


def test_program_that_raises_on_some_sizes_says_on_which() -> None:
    body = (
        "def attention(Q, K, V):\n    if Q.ndim > 2:\n        raise ValueError('two axes')\n    return right(Q, K, V)"
    )

    verdict = judged(wrapped(body))

    assert verdict.outcome is Outcome.ERROR
    assert "when it was called with" in verdict.sentence and "two axes" in verdict.sentence
    assert CheckOutcome.HOLDS in {report.outcome for report in verdict.checks}


def test_unknown_mistake_gets_no_name() -> None:
    verdict = judged(wrapped("def attention(Q, K, V): return right(Q, K, V) * 1.01"))

    assert verdict.diagnosis is not None
    assert (verdict.diagnosis.wording, verdict.diagnosis.misconception) == (Wording.NONE, "")


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("def attention(Q, K, V:", "SyntaxError"),
        ("import numpy as np\n1 / 0\n", "line 2"),
        ("def attend(Q, K, V): return V", "no function attention"),
        ("attention = 3", "is not a function"),
        ("def attention(Q): return Q", "positional argument"),
    ],
)
def test_program_that_cannot_be_called_is_an_error(source: str, part: str) -> None:
    verdict = judged(source)

    assert (verdict.outcome, verdict.fraction) == (Outcome.ERROR, 0)
    assert part in verdict.sentence


@pytest.mark.parametrize("source", ["", "  \n", "x = 1\0", "#" * 70_000])
def test_text_that_is_no_program_is_refused(source: str) -> None:
    assert judged(source).outcome is Outcome.REFUSED


def test_what_it_printed_is_kept() -> None:
    verdict = judged(
        "print('loaded \\ud83d\\ude00')\n" + wrapped("def attention(Q, K, V):\n    print(1)\n    return V")
    )

    assert verdict.output.startswith("loaded ")
    assert not verdict.output_cut


@pytest.mark.parametrize("source", [RIGHT, wrong("no-shift"), wrong("softmax-over-queries"), "x = 1", ""])
def test_every_verdict_survives_its_message(source: str) -> None:
    verdict = judged(source)

    sent = json.loads(json.dumps(verdict.to_message(), allow_nan=False))

    assert Verdict.from_message(sent) == verdict


def test_progress_reports_what_is_decided_so_far() -> None:
    seen: list[tuple[CheckReport, ...]] = []

    judge(attention(), RIGHT, seed=1, opener=open_trusted, progress=lambda reports: seen.append(reports()))

    counts = [sum(report.outcome is CheckOutcome.HOLDS for report in reports) for reports in seen]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, len(attention().checks))


def test_sandbox_that_is_missing_is_the_operators_fault() -> None:
    def no_sandbox(**_: object) -> None:
        raise SandboxUnavailable("bwrap is not installed")

    verdict = judge(attention(), RIGHT, seed=1, opener=no_sandbox)

    assert (verdict.owner, verdict.reason) == (Owner.OPERATOR, "bwrap is not installed")
    assert "bwrap" not in verdict.sentence


def broken(**changes: object) -> Bench:
    return dataclasses.replace(attention(), **changes)


@pytest.mark.parametrize(
    "bench",
    [
        broken(styles={"wrong": lambda *given: 1 / len(given[3:])}),
        broken(styles={"nan": lambda *given: given[2] * np.nan}),
        broken(draw_calls=lambda _: {"plain": 3}),
        broken(checks=attention().checks | {"values": lambda draw: draw["no such call"]}),
    ],
    ids=["reference raises", "reference is not finite", "calls are none", "check raises"],
)
def test_mistake_in_the_exercise_is_the_authors_fault(bench: Bench) -> None:
    verdict = judge(bench, RIGHT, seed=1, opener=open_trusted)

    assert (verdict.owner, verdict.fraction) == (Owner.AUTHOR, 0)
    assert verdict.reason


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("checks.py", "CHECKS = {}"),
        ("checks.py", "raise RuntimeError"),
        ("checks.py", "def calls(random): return {}\nCHECKS = {'shape': calls}"),
        ("switches.py", "VARIANTS = {'other': print}"),
        ("reference.py", "STYLES = [print]"),
    ],
)
def test_folder_whose_python_does_not_fit_its_yaml_is_broken(tmp_path, file: str, text: str) -> None:
    for source in attention().exercise.folder.iterdir():
        (tmp_path / source.name).write_bytes(source.read_bytes())
    (tmp_path / file).write_text(text)

    with pytest.raises(BrokenExercise):
        open_bench(dataclasses.replace(attention().exercise, folder=tmp_path))


def test_limits_of_the_order_replace_the_exercises_own() -> None:
    limits = limits_from(attention().exercise.limits, {"total_seconds": 5.0, "memory_bytes": 1e9})

    assert (limits.total_seconds, limits.memory_bytes, limits.call_seconds) == (5.0, 10**9, 2.0)
    with pytest.raises(ValueError, match="processes"):
        limits_from(attention().exercise.limits, {"processes": 100.0})


@pytest.mark.parametrize("returned", ["1.0", "float('nan')", "np.float64(2)", "np.zeros(())"])
def test_single_number_in_place_of_an_array_is_the_learners_to_mend(returned: str) -> None:
    """Its behaviour has a signature like any other's."""
    verdict = judged(f"import numpy as np\ndef attention(Q, K, V): return {returned}\n")

    assert verdict.outcome is Outcome.WRONG
    assert len(verdict.behaviour_signature) == 64


@pytest.mark.parametrize("result", ["1 / 0", "None", "right(Q, K, V)[..., :1]", "right(Q, K, V) * np.nan"])
def test_no_reply_outlives_the_verdict(result: str) -> None:
    """What holds itself in a circle waits until Python looks for such, for dozens of verdicts; replies may be large."""
    source = wrapped(f"def attention(Q, K, V): return {result}")
    judged(source)  # what is kept of the exercise is kept from here on
    gc.collect()
    gc.disable()
    try:
        before = _probes()
        assert judged(source).outcome in (Outcome.ERROR, Outcome.WRONG)
        assert _probes() == before
    finally:
        gc.enable()


def _probes() -> int:
    return sum(type(each) is Probe for each in gc.get_objects())  # others' lazy objects would be opened by asking
