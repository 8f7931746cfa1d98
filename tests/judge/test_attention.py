"""The attention exercise: right programs pass, wrong ones fail where they must and are recognised."""

import random
import re
from itertools import combinations

import numpy as np
import pytest

from courseware.concepts.faults import Faults
from courseware.concepts.sources import read_yaml
from grader.judge.diagnosing import GAP, MATCH, diagnose
from grader.judge.folders import Bench
from grader.messages import Kind
from grader.verdicts import CheckOutcome, Outcome, Wording
from tests.judge.benches import COURSE, attention, failing, judged, style, wrong

SEEDS = (1, 2, 2**63 - 1)
IN_SINGLE_PRECISION = """
import numpy
def attention(Q, K, V, attention=attention):
    return attention(*(given.astype(numpy.float32) for given in (Q, K, V)))
"""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", list(attention().styles))
def test_correct_style_is_right(name: str, seed: int) -> None:
    verdict = judged(style(name), seed=seed)

    assert (verdict.outcome, verdict.marks_fraction, verdict.remarks) == (Outcome.RIGHT, "1.0000", ())
    assert verdict.diagnosis is None


@pytest.mark.parametrize("name", list(attention().styles))
def test_correct_style_in_float32_is_right_with_a_remark(name: str) -> None:
    verdict = judged(style(name) + IN_SINGLE_PRECISION)

    assert verdict.outcome is Outcome.RIGHT
    assert "float32" in verdict.remarks[0]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", attention().exercise.variants, ids=lambda variant: variant.id)
def test_wrong_variant_is_caught_and_recognised(variant, seed: int) -> None:
    verdict = judged(wrong(variant.id), seed=seed)

    assert variant.caught_by in failing(verdict)
    assert verdict.outcome in ({Outcome.FRAGILE} if variant.is_fragile else {Outcome.WRONG, Outcome.ERROR})
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.wording is Wording.EXACT
    assert verdict.diagnosis.sentence == f"It behaves exactly like {variant.likeness}."
    assert verdict.diagnosis.misconception == variant.belief
    assert verdict.fraction < 1


def test_known_rules_are_far_apart_on_every_draw() -> None:
    """A match within MATCH can then name one rule only."""
    bench = attention()
    rules = {**bench.variants, "reference": bench.reference}
    for seed in range(5):
        draw = bench.draw(np.random.default_rng(seed))
        answers = {name: [answer(rule, probe.call.inputs) for probe in draw] for name, rule in rules.items()}
        for one, other in combinations(rules, 2):
            assert distance(answers[one], answers[other]) > GAP * MATCH, (one, other, seed)


def test_two_mistakes_at_once_are_never_given_the_name_of_one() -> None:
    """Unless the second changes nothing, such as a scale under which a mean stays a mean."""
    switches = {"scale": ["none", "width", "length", "after"], "over": ["queries", "everything"]}
    switches |= {"normalise": ["nothing", "sigmoid", "shares", "equal"], "turned": ["weights", "scores", "all axes"]}
    pairs = [
        {one: a, other: b}
        for one, other in combinations(switches, 2)
        for a in switches[one]
        for b in switches[other]
        if other != "normalise" or one != "over"
    ]
    folder = attention().exercise.folder
    names: dict[str, object] = {}
    exec((folder / "switches.py").read_text(), names)
    for pair in random.Random(7).sample(pairs, 20):
        source = (folder / "switches.py").read_text() + f"\nattention = partial(attention, **{pair!r})\n"

        verdict = judged(source, seed=5)

        assert verdict.diagnosis is not None
        if verdict.diagnosis.wording is Wording.EXACT:
            likeness = verdict.diagnosis.sentence.removeprefix("It behaves exactly like ").removesuffix(".")
            named = next(v.id for v in attention().exercise.variants if v.likeness == likeness)
            assert equal_on_a_draw(attention(), named, lambda *given, p=pair: names["attention"](*given, **p)), pair


def test_correct_program_has_no_diagnosis() -> None:
    bench = attention()
    draws = [bench.draw(np.random.default_rng(seed)) for seed in (1, 2)]
    for draw in draws:
        for probe in draw:
            probe.reply = returned(probe.expected)

    assert diagnose(bench, draws) is None


def test_starter_fails_and_says_where() -> None:
    verdict = judged(attention().exercise.starter)

    assert verdict.outcome is Outcome.ERROR
    assert verdict.error is not None and verdict.error.line == 6
    assert verdict.marks_fraction == "0.0000"
    assert {report.outcome for report in verdict.checks} == {CheckOutcome.NOT_REACHED}


def test_run_tries_the_examples_only() -> None:
    verdict = judged(wrong("no-scale"), kind=Kind.RUN)

    assert (verdict.outcome, verdict.checks, verdict.diagnosis) == (Outcome.WRONG, (), None)
    assert [report.outcome for report in verdict.examples] == [CheckOutcome.FAILS, CheckOutcome.FAILS]
    assert verdict.examples[0].expected == "[[1.2920, 1.4359]]"
    assert verdict.marks_fraction == "0.0000"


def test_examples_in_the_brief_are_what_the_reference_gives() -> None:
    for example in attention().exercise.examples:
        answer = attention().reference(*(np.array(values) for _, values in example.inputs))

        np.testing.assert_allclose(answer, np.array(example.expected), atol=5e-5)


def test_weights_are_read_off_beside_the_reference() -> None:
    verdict = judged(wrong("softmax-over-queries"))

    assert verdict.weights is not None
    theirs, reference = np.array(verdict.weights.theirs), np.array(verdict.weights.reference)
    np.testing.assert_allclose(reference.sum(axis=1), 1, atol=5e-4)
    np.testing.assert_allclose(theirs.sum(axis=0), 1, atol=5e-4)
    assert np.abs(theirs.sum(axis=1) - 1).max() > 0.01


SHOWN = [variant for variant in attention().exercise.variants if variant.id in attention().counterexamples]


@pytest.mark.parametrize("variant", SHOWN, ids=lambda variant: variant.id)
def test_counterexample_ends_in_what_the_program_returns(variant) -> None:
    found = judged(wrong(variant.id)).counterexample

    assert found is not None
    inputs = [np.array(given.values) for given in found.given]
    last = found.steps[-1]
    np.testing.assert_allclose(np.array(last.reference), attention().reference(*inputs), atol=5e-5)
    theirs = np.array([[np.nan if cell is None else cell for cell in row] for row in last.theirs])
    np.testing.assert_allclose(theirs, answer(attention().variants[variant.id], inputs), atol=5e-5)
    assert last.reference != last.theirs
    assert sum(step.parts_here for step in found.steps) == 1


@pytest.mark.parametrize("variant", SHOWN, ids=lambda variant: variant.id)
def test_counterexample_tells_a_variant_from_every_other(variant) -> None:
    inputs = attention().counterexamples[variant.id]
    own = answer(attention().variants[variant.id], inputs)

    for other in attention().exercise.variants:
        theirs = answer(attention().variants[other.id], inputs)
        is_other = other.id != variant.id and other.is_fragile == variant.is_fragile
        assert not is_other or distance([own], [theirs]) > 0.05, other.id


def test_program_that_only_looks_like_a_variant_gets_no_counterexample() -> None:
    """It is tried on the counterexample itself, which no draw contains."""
    source = wrong("no-scale") + "\nwrong = attention\ndef attention(Q, K, V):\n"
    source += "    return wrong(Q, K, V) if Q.size > 2 else V[:1] * 0.0\n"

    verdict = judged(source)

    assert verdict.diagnosis is not None and verdict.diagnosis.wording is Wording.EXACT
    assert verdict.counterexample is None


def test_programs_that_behave_alike_have_one_signature() -> None:
    signatures = {judged(style(name), seed=seed).behaviour_signature for name in attention().styles for seed in (1, 2)}
    others = {judged(wrong(variant.id)).behaviour_signature for variant in attention().exercise.variants}

    assert len(signatures) == 1
    assert len(others) == len(attention().exercise.variants)


def test_hidden_inputs_and_reference_values_stay_hidden() -> None:
    """Row sums and the weights' picture are shown; no text holds an input or an expected output."""
    verdict = judged(wrong("no-scale"), seed=3)
    bench = attention()
    first = np.random.SeedSequence(3).spawn(3)[0]
    hidden = bench.draw(np.random.default_rng(first))["plain"]

    texts = " ".join(f"{report.expected} {report.got} {report.tried_with}" for report in verdict.checks)

    shown = {round(float(number), 2) for number in re.findall(r"-?\d+\.\d{2,}", texts)}
    numbers = {round(float(number), 2) for array in (*hidden.call.inputs, hidden.expected) for number in array.flat}
    assert len(shown & numbers) <= 2  # a difference may equal some number by chance


def test_every_belief_is_one_of_the_module() -> None:
    mapping = read_yaml(COURSE / "05-transformers" / "misconceptions.yaml", Faults())
    assert mapping is not None

    beliefs = {variant.belief for variant in attention().exercise.variants}

    assert beliefs <= {*mapping["misconceptions"], *mapping["slips"]}


def test_sentences_for_learners_are_short_and_whole() -> None:
    exercise = attention().exercise
    for hint in [check.hint for check in exercise.checks]:
        assert 8 <= len(hint.split()) <= 30 and hint.endswith("."), hint
    for variant in exercise.variants:
        for sentence in re.split(r"(?<=\.) ", variant.detail):
            assert 5 <= len(sentence.split()) <= 30 and sentence.endswith("."), sentence


def answer(rule, inputs) -> np.ndarray | None:
    try:
        with np.errstate(all="ignore"):
            return rule(*inputs)
    except ValueError:
        return None


def distance(ones: list, others: list) -> float:
    apart = [0.0]
    for one, other in zip(ones, others, strict=True):
        if one is None or other is None or one.shape != other.shape:
            apart.append(0.0 if one is other else np.inf)
        elif not np.array_equal(np.isfinite(one), np.isfinite(other)):
            apart.append(np.inf)
        else:
            apart.append(float(np.nanmax(np.abs(one - other))))
    return max(apart)


def equal_on_a_draw(bench: Bench, variant: str, rule) -> bool:
    draw = bench.draw(np.random.default_rng(99))
    probes = draw.ordinary()
    ones = [answer(bench.variants[variant], probe.call.inputs) for probe in probes]
    return distance(ones, [answer(rule, probe.call.inputs) for probe in probes]) < MATCH


def returned(output: np.ndarray):
    from grader.judge.arrays import to_wire
    from grader.sandbox.replies import Returned

    return Returned((to_wire(output),), ("ndarray",), False, (), 0.0)
