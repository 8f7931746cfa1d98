"""What holds of every exercise: right programs pass, wrong ones fail where they must and are recognised."""

import re
from itertools import combinations

import numpy as np
import pytest

from grader.judge.arrays import to_wire
from grader.judge.diagnosing import GAP, MATCH, diagnose
from grader.judge.folders import Function, as_inputs
from grader.judge.probing import Input, Probe
from grader.judge.rules import single_rules
from grader.messages import Kind
from grader.sandbox.replies import Returned
from grader.sandbox.wire import Array
from grader.verdicts import CheckOutcome, Outcome
from tests.judge.benches import bench, exercises, judged, scored, style, wrong

SLUGS = sorted(exercises())
STYLES = [(slug, name) for slug in SLUGS for name in bench(slug).styles]
VARIANTS = [(slug, variant.id) for slug in SLUGS for variant in exercises()[slug].variants if not variant.is_costly]
IN_SINGLE_PRECISION = """
import numpy
def recast(value, dtype):
    if isinstance(value, dict):
        return {{name: recast(each, dtype) for name, each in value.items()}}
    if isinstance(value, tuple):
        return tuple(recast(each, dtype) for each in value)
    return value.astype(dtype) if isinstance(value, numpy.ndarray) and value.dtype.kind == "f" else value
def {function}(*given, right={function}):
    return recast(right(*recast(given, numpy.float32)), {returned})
"""


def in_single_precision(slug: str) -> str:
    """Return lines after which the function computes in float32; a promised dtype is kept."""
    returned = "float" if exercises()[slug].library == "pytorch" else "numpy.float32"
    return IN_SINGLE_PRECISION.format(function=exercises()[slug].function, returned=returned)


@pytest.mark.parametrize("slug", SLUGS)
def test_right_programs_pass_and_wrong_ones_are_caught_and_named(slug: str) -> None:
    """As `./run bench judge` has it, on fewer seeds and pairs."""
    assert not scored(slug).faults, "\n".join(scored(slug).faults)


@pytest.mark.parametrize(("slug", "name"), STYLES)
def test_correct_style_in_float32_is_right_with_a_remark(slug: str, name: str) -> None:
    verdict = judged(style(name, slug) + in_single_precision(slug), slug=slug)

    assert verdict.outcome is Outcome.RIGHT
    assert "float32" in verdict.remarks[0]


@pytest.mark.parametrize("slug", SLUGS)
def test_there_are_at_least_three_correct_styles(slug: str) -> None:
    assert len(bench(slug).styles) >= 3


@pytest.mark.parametrize("slug", SLUGS)
def test_known_rules_are_far_apart_on_every_draw(slug: str) -> None:
    """A match within MATCH can then name one rule only."""
    rules = {id_: bench(slug).variants[id_] for of, id_ in VARIANTS if of == slug}
    rules["reference"] = bench(slug).reference
    for seed in range(2):
        draw = bench(slug).draw(np.random.default_rng(seed))
        answers = {name: [traces(rule, probe) for probe in draw] for name, rule in rules.items()}
        for one, other in combinations(rules, 2):
            assert farthest(answers[one], answers[other]) > GAP * MATCH, (one, other, seed)


@pytest.mark.parametrize("slug", SLUGS)
def test_correct_program_has_no_diagnosis(slug: str) -> None:
    draws = [bench(slug).draw(np.random.default_rng(seed)) for seed in (1, 2)]
    for draw in draws:
        for probe in draw:
            after = tuple(sent for sent in probe.call.arguments() if isinstance(sent, Array))
            probe.reply = Returned((to_wire(probe.expected),), (probe.form,), False, after, 0.0)

    assert diagnose(bench(slug), draws, single_rules(bench(slug))) is None


@pytest.mark.parametrize("slug", SLUGS)
def test_starter_fails_and_says_where(slug: str) -> None:
    starter = exercises()[slug].starter
    unwritten = next(number for number, line in enumerate(starter.splitlines(), start=1) if "NotImplemented" in line)

    verdict = judged(starter, slug=slug)

    assert verdict.outcome is Outcome.ERROR
    assert verdict.error is not None and verdict.error.line == unwritten
    assert verdict.marks_fraction == "0.0000"
    assert {report.outcome for report in verdict.checks} == {CheckOutcome.NOT_REACHED}


@pytest.mark.parametrize("slug", SLUGS)
def test_run_tries_the_examples_only(slug: str) -> None:
    reference = next(iter(bench(slug).styles))

    verdict = judged(style(reference, slug), slug=slug, kind=Kind.RUN)

    assert (verdict.outcome, verdict.checks, verdict.diagnosis) == (Outcome.RIGHT, (), None)
    assert [report.check for report in verdict.examples] == [example.id for example in exercises()[slug].examples]
    assert verdict.marks_fraction == "0.0000"


@pytest.mark.parametrize("slug", SLUGS)
def test_examples_are_what_the_reference_gives(slug: str) -> None:
    for example in exercises()[slug].examples:
        answer = bench(slug).reference(*as_inputs(example.inputs))

        np.testing.assert_allclose(answer, np.array(example.expected), atol=5e-5)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_wrong_program_is_shown_the_smallest_input_on_which_it_fails(slug: str) -> None:
    """But for a program whose values are right: then the check that fails says which argument was changed."""
    shown_none = {id_ for id_, verdict in scored(slug).verdicts.items() if verdict.counterexample is None}

    assert all(exercises()[slug].variant(id_).belief == "slip-mutates-input" for id_ in shown_none), shown_none


@pytest.mark.parametrize("slug", SLUGS)
def test_counterexample_ends_in_what_the_program_returns(slug: str) -> None:
    for variant_id, inputs in shown(slug):
        found = scored(slug).verdicts[variant_id].counterexample
        assert found is not None, variant_id
        last = found.steps[-1]
        np.testing.assert_allclose(np.array(last.reference), rows(bench(slug).reference(*inputs)), atol=5e-5)
        theirs = np.array([[np.nan if cell is None else cell for cell in row] for row in last.theirs])
        own = rows(answer(bench(slug).variants[variant_id], inputs))
        np.testing.assert_allclose(theirs, np.where(np.isfinite(own), own, np.nan), atol=5e-5)
        assert last.reference != last.theirs, variant_id
        assert sum(step.parts_here for step in found.steps) == 1, variant_id


@pytest.mark.parametrize("slug", SLUGS)
def test_counterexample_shows_the_argument_that_it_gives(slug: str) -> None:
    for variant_id, inputs in shown(slug):
        found = scored(slug).verdicts[variant_id].counterexample
        assert found is not None, variant_id
        given = [each for each in inputs if not isinstance(each, str)]
        assert [each.name for each in found.given] == [each.name for each in exercises()[slug].arguments[: len(given)]]
        for matrix, value in zip(found.given, given, strict=True):
            np.testing.assert_allclose(np.array(matrix.values), rows(value), atol=5e-5)
            assert np.ndim(value) <= 2 or f"{matrix.name} {np.shape(value)}" in found.sentence


@pytest.mark.parametrize("slug", SLUGS)
def test_counterexample_tells_a_variant_from_every_other(slug: str) -> None:
    for variant_id, inputs in shown(slug):
        variant = exercises()[slug].variant(variant_id)
        own = answer(bench(slug).variants[variant_id], inputs)
        for other in exercises()[slug].variants:
            if other.is_fragile == variant.is_fragile and other.id not in (variant_id, *variant.equals):
                apart = farthest([own], [answer(bench(slug).variants[other.id], inputs)])
                assert apart > 0.05, (variant_id, other.id)


@pytest.mark.parametrize("slug", SLUGS)
def test_programs_that_behave_alike_have_one_signature(slug: str) -> None:
    # What writes into its inputs may leave the outputs as they are.
    told_apart = [id_ for id_ in scored(slug).verdicts if exercises()[slug].variant(id_).belief != "slip-mutates-input"]
    others = {scored(slug).verdicts[id_].behaviour_signature for id_ in told_apart}

    assert len(scored(slug).signatures) == 1
    assert len(others | scored(slug).signatures) == 1 + len(told_apart)


@pytest.mark.parametrize("slug", SLUGS)
def test_hidden_inputs_and_reference_values_stay_hidden(slug: str) -> None:
    """Row sums and the weights' picture are shown; no text holds an input or an expected output."""
    source = wrong(exercises()[slug].variants[0].id, slug)
    verdict = judged(source, slug=slug, seed=3)
    first = np.random.SeedSequence(3).spawn(3)[0]
    hidden = bench(slug).draw(np.random.default_rng(first))["plain"]

    texts = " ".join(f"{report.expected} {report.got} {report.tried_with}" for report in verdict.checks)

    shown = {round(float(number), 2) for number in re.findall(r"-?\d+\.\d{2,}", texts)}
    numbers = {round(float(number), 2) for array in (*hidden.call.arrays, hidden.expected) for number in array.flat}
    assert len(shown & numbers) <= 2  # a difference may equal some number by chance


@pytest.mark.parametrize("slug", SLUGS)
def test_brief_names_the_function_as_it_is_called(slug: str) -> None:
    assert f"`{exercises()[slug].signature}`" in exercises()[slug].brief


def rows(value: object) -> np.ndarray:
    """An array as it is shown: one row for each entry of all axes but the last."""
    array = np.atleast_1d(value)
    return array.reshape(-1, array.shape[-1])


def shown(slug: str) -> list[tuple[str, tuple[Input, ...]]]:
    """Return the variants of an exercise that have a counterexample, with its inputs."""
    costly = {variant.id for variant in exercises()[slug].variants if variant.is_costly}
    return [(id_, inputs) for id_, inputs in bench(slug).counterexamples.items() if id_ not in costly]


def answer(rule: Function, inputs: tuple) -> np.ndarray | None:
    given = [each.copy() if isinstance(each, np.ndarray) else each for each in inputs]
    try:
        with np.errstate(all="ignore"):
            return rule(*given)
    except ValueError:
        return None


def traces(rule: Function, probe: Probe) -> list[np.ndarray | None]:
    """What a rule leaves behind in one call: its answer, and its arguments as they are afterwards."""
    given = probe.call.copies()
    try:
        with np.errstate(all="ignore"):
            answered = rule(*given)
    except ValueError:
        answered = None
    return [answered, *(each for each in given if isinstance(each, np.ndarray))]


def farthest(ones: list, others: list) -> float:
    """How far two lists of arrays are apart where they are most."""
    apart = [0.0]
    for one, other in zip(ones, others, strict=True):
        if isinstance(one, list):
            apart.append(farthest(one, other))
        elif one is None or other is None or one.shape != other.shape:
            apart.append(0.0 if one is other else np.inf)
        elif not np.array_equal(np.isfinite(one), np.isfinite(other)):
            apart.append(np.inf)
        else:
            finite = np.isfinite(one)
            apart.append(float(np.abs(one[finite] * 1.0 - other[finite]).max(initial=0.0)))  # also of truth values
    return max(apart)
