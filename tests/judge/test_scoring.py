"""An exercise whose own programs are judged wrongly is told so: its score names each of them."""

import sys
from dataclasses import replace

import pytest

from grader.judge import __main__ as command
from grader.judge.folders import Bench
from grader.judge.probing import Draw
from grader.judge.scoring import WHOLE, as_lines, score
from tests.judge.benches import bench, exercises, scored


def changed(**fields: object) -> Bench:
    return replace(bench("scores"), **fields)  # type: ignore[arg-type]


def faults_of(changed_bench: Bench, *, pairs: int = 0) -> str:
    return "\n".join(score(changed_bench, seeds=(1,), pairs=pairs).faults)


def test_wrong_program_that_passes_is_a_fault() -> None:
    variants = bench("scores").variants | {"no-scale": bench("scores").reference}

    assert "no-scale is right" in faults_of(changed(variants=variants))


def test_correct_program_that_fails_is_a_fault() -> None:
    styles = bench("scores").styles | {"other": bench("scores").variants["no-scale"]}

    assert "the correct style other is wrong" in faults_of(changed(styles=styles))


def test_wrong_program_that_its_check_does_not_catch_is_a_fault() -> None:
    def nothing(draw: Draw) -> object:
        return bench("scores").checks["unchanged"](draw)

    checks = bench("scores").checks | {"spread": nothing}

    assert "no-scale is not caught by spread" in faults_of(changed(checks=checks))


def test_two_wrong_programs_that_nothing_tells_apart_are_faults() -> None:
    variants = bench("scores").variants | {"divide-by-width": bench("scores").variants["no-scale"]}

    assert "no-scale is not named: It is consistent with" in faults_of(changed(variants=variants))


def test_pair_that_gets_a_name_not_its_own_is_a_fault() -> None:
    """Here a variant is not what its switches say, but two other mistakes at once."""
    family = bench("scores").family
    assert family is not None
    two = family(**bench("scores").switches["cosine"], **bench("scores").switches["keys-times-queries"])

    found = faults_of(changed(variants=bench("scores").variants | {"no-scale": two}), pairs=60)

    assert "cosine with keys-times-queries is called no-scale" in found


def test_score_of_a_sound_exercise_has_no_fault_and_stands_on_a_few_lines() -> None:
    lines = "\n".join(as_lines(scored("scores")))

    assert "FAULT" not in lines
    assert WHOLE in lines and "calls that no wrong one fails" in lines


def test_command_scores_an_exercise(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(exercises()["scores"].folder)
    monkeypatch.setattr(sys, "argv", ["judge", folder, "--mutate", "--seeds", "1", "--pairs", "5", "--seed", "3"])

    assert command.main() == 0
    assert "wrong ones caught and named   9 of 9" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["solution.py", "--mutate"]], ids=["neither", "both"])
def test_command_takes_a_solution_or_scores_and_not_both(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["judge", "folder", *arguments])

    with pytest.raises(SystemExit):
        command.main()
