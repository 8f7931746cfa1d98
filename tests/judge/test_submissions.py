"""Every program in tests/submissions gets, in the real sandbox, the verdict that its first lines state.

Each lies in a folder with its exercise's slug.
"""

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from grader.judge.judging import judge
from grader.messages import Kind
from grader.sandbox.nursery import Nursery
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest
from grader.verdicts import Outcome, Verdict, Wording
from tests.judge.benches import bench, exercises, failing

FOLDER = Path(__file__).parents[1] / "submissions"
KEYS = {"case", "outcome", "caught by", "misconception", "got", "remark", "line", "prints", "why"}

# The cases of public bug reports about attention, by their numbers in the list that this course was planned with.
CASES = {
    f"A{number:02}"
    for number in (1, 2, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 23, 24, 28, 29, 30, 33, 34, 36, 37, 40, 41, 44, 45)
}

pytestmark = pytest.mark.sandbox


def test_every_case_that_an_exercise_is_about_has_a_program() -> None:
    covered = {stated(path.read_text()).get("case", "") for path in FOLDER.rglob("*.py")} - {""}

    assert covered == CASES


@pytest.mark.parametrize("slug", sorted(exercises()))
def test_ten_right_programs_in_other_styles_than_the_references_pass(slug: str) -> None:
    """That they pass is the test below."""
    right = [path for path in (FOLDER / slug).glob("right_*.py") if stated(path.read_text())["outcome"] == "right"]

    assert len(right) >= 10


def stated(source: str) -> dict[str, str]:
    """Return what the comment lines at the head of a submission state."""
    facts = {}
    for line in source.splitlines():
        if not line.startswith("# "):
            break
        key, _, value = line[2:].partition(":")
        facts[key] = value.strip()
    assert facts.keys() <= KEYS and "outcome" in facts
    return facts


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_submission_gets_its_stated_verdict(path: Path) -> None:
    source = path.read_text()
    facts = stated(source)

    verdict = judge(bench(path.parent.name), source, seed=20, opener=open_guest)

    assert verdict.outcome is Outcome(facts["outcome"]), verdict
    assert Verdict.from_message(verdict.to_message()) == verdict
    caught_by = {check.strip() for check in facts.get("caught by", "").split(",")} - {""}
    assert caught_by <= failing(verdict)
    if "misconception" in facts:
        assert verdict.diagnosis is not None
        assert verdict.diagnosis.misconception == facts["misconception"]
        assert (verdict.diagnosis.wording is Wording.EXACT) == bool(facts["misconception"])
    assert any(facts.get("got", "") in report.got for report in verdict.checks) or "got" not in facts
    assert any(facts["remark"] in remark for remark in verdict.remarks) if "remark" in facts else not verdict.remarks
    if "line" in facts:
        assert verdict.error is not None and verdict.error.line == int(facts["line"])
    assert facts.get("prints", "") in verdict.output


@pytest.mark.parametrize("slug", sorted(exercises()))
def test_visible_examples_run_without_being_submitted(slug: str) -> None:
    program = FOLDER / slug / "right_plain.py"

    verdict = judge(bench(slug), program.read_text(), seed=1, opener=open_guest, kind=Kind.RUN)

    assert (verdict.outcome, verdict.checks, verdict.marks_fraction) == (Outcome.RIGHT, (), "0.0000")
    assert [report.check for report in verdict.examples] == [example.id for example in exercises()[slug].examples]
    assert Verdict.from_message(verdict.to_message()) == verdict


def test_a_zygote_that_is_killed_under_a_submission_costs_it_nothing() -> None:
    """The judge takes another guest and begins again, with the same draws."""
    own = Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",))
    source = (FOLDER / "attention" / "right_plain.py").read_text()
    killed = 0

    def kill_once(_: object) -> None:
        nonlocal killed
        if not killed:
            killed = own.zygote_pid
            os.kill(killed, signal.SIGKILL)

    try:
        opener = partial(open_guest, take=own.take)
        verdict = judge(bench("attention"), source, seed=20, opener=opener, progress=kill_once)
        assert own.zygote_pid not in (0, killed)
    finally:
        own.close()
    assert verdict.outcome is Outcome.RIGHT
