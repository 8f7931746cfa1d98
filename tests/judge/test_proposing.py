"""What known rules answer to the fixed draw is kept, and leads to the rule that a program follows."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.judge import proposing
from grader.judge.arrays import to_wire
from grader.judge.folders import open_bench
from grader.judge.probing import Draw
from grader.judge.proposing import PROPOSED, fixed_draw, propose
from grader.judge.rules import Rule, answer_of, pair_rules, single_rules
from grader.sandbox.replies import Raised, Returned
from tests.judge.benches import attention, exercises


def answered(rule: Rule, *, noise: float = 0.0) -> Draw:
    """The fixed draw with the answers of a rule, as if a program had given them."""
    draw = fixed_draw(attention())
    for probe in draw:
        answer, _ = answer_of(rule.function, probe.call)
        given = Raised("ValueError", "sizes differ", 1, is_out_of_memory=False) if answer is None else None
        probe.reply = given or Returned((to_wire(answer * (1.0 + noise)),), ("ndarray",), False, (), 0.0)
    return draw


def test_a_rule_is_proposed_first_for_a_program_that_follows_it_also_in_single_precision() -> None:
    for rule in single_rules(attention()):
        assert propose(attention(), answered(rule, noise=1e-7))[0].variant == rule.variant


def test_two_mistakes_are_proposed_for_a_program_that_makes_both() -> None:
    for rule in pair_rules(attention())[::4]:
        found = propose(attention(), answered(rule))

        assert len(found) == PROPOSED
        assert any(rule.readings[0] in each.readings or each.variant in rule.readings[0] for each in found)


def test_what_rules_answer_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = single_rules(attention())[0]
    propose(open_bench(exercises()["attention"], cache=tmp_path), answered(rule))
    monkeypatch.setattr(proposing, "answer_of", None)  # nothing can be worked out any more

    again = open_bench(exercises()["attention"], cache=tmp_path)

    assert propose(again, answered(rule))[0].variant == rule.variant


def test_what_was_kept_for_other_files_or_is_damaged_is_not_read(tmp_path: Path) -> None:
    rule = single_rules(attention())[0]
    for path, digest in ((tmp_path, "0" * 64), (tmp_path / "damaged", "1" * 64)):
        bench = open_bench(replace(exercises()["attention"], digest=digest), cache=path)
        path.mkdir(exist_ok=True)
        (path / f"{digest}-1.npy").write_bytes(b"nothing of use")

        assert propose(bench, answered(rule))[0].variant == rule.variant
    assert len(list(tmp_path.rglob("*.npy"))) == 2


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    bench = open_bench(exercises()["attention"], cache=tmp_path / "file")
    rule = single_rules(attention())[0]

    assert propose(bench, answered(rule))[0].variant == rule.variant
