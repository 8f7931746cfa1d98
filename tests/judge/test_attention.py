"""The attention exercise: what its verdicts show beyond what those of every exercise do."""

import numpy as np

from grader.messages import Kind
from grader.verdicts import CheckOutcome, Outcome, Wording
from tests.judge.benches import judged, wrong


def test_run_of_a_wrong_program_shows_expected_and_got() -> None:
    verdict = judged(wrong("no-scale"), kind=Kind.RUN)

    assert (verdict.outcome, verdict.checks, verdict.diagnosis) == (Outcome.WRONG, (), None)
    assert [report.outcome for report in verdict.examples] == [CheckOutcome.FAILS, CheckOutcome.FAILS]
    assert verdict.examples[0].expected == "[[1.2920, 1.4359]]"


def test_weights_are_read_off_beside_the_reference() -> None:
    verdict = judged(wrong("softmax-over-queries"))

    assert verdict.weights is not None
    theirs, reference = np.array(verdict.weights.theirs), np.array(verdict.weights.reference)
    np.testing.assert_allclose(reference.sum(axis=1), 1, atol=5e-4)
    np.testing.assert_allclose(theirs.sum(axis=0), 1, atol=5e-4)
    assert np.abs(theirs.sum(axis=1) - 1).max() > 0.01


def test_program_that_only_looks_like_a_variant_gets_no_counterexample() -> None:
    """It is tried on the counterexample itself, which no draw contains."""
    source = wrong("no-scale") + "\nwrong = attention\ndef attention(Q, K, V):\n"
    source += "    return wrong(Q, K, V) if Q.size > 2 else V[:1] * 0.0\n"

    verdict = judged(source)

    assert verdict.diagnosis is not None and verdict.diagnosis.wording is Wording.EXACT
    assert verdict.counterexample is None
