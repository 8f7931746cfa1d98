"""Every number that the card, the bank and the misconceptions of FlashAttention print is recomputed here."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/19-flash-attention"
SCORES, VALUES = np.array([1.0, 2.0, 3.0, 0.0]), np.array([10.0, 20.0, 30.0, 40.0])
MIB = 2**20


@dataclass(frozen=True)
class Step:
    """What a running softmax knows after a block, and how it came about."""

    maximum: float
    factor: float
    powers: NDArray[np.float64]
    total: float
    mixed: float


def running(
    scores: NDArray[np.float64], values: NDArray[np.float64], *, width: int = 2, rescales: bool = True
) -> list[Step]:
    maximum, total, mixed, steps = -np.inf, 0.0, 0.0, []
    for at in range(0, len(scores), width):
        block = scores[at : at + width]
        new = max(maximum, block.max())
        factor = float(np.exp(maximum - new)) if rescales else 1.0
        powers = np.exp(block - new)
        total, mixed = factor * total + powers.sum(), factor * mixed + powers @ values[at : at + width]
        maximum = new
        steps.append(Step(maximum, factor, powers, total, mixed))
    return steps


def output(steps: Sequence[Step]) -> float:
    return steps[-1].mixed / steps[-1].total


def digits(value: float) -> str:
    return f"{value:.0f}" if value in (0, 1) else f"{value:.4f}"


def test_the_worked_blocks_are_right(card: str, misconceptions: str) -> None:
    steps = running(SCORES, VALUES)

    assert rows_of_table(CONCEPT / "card.md", "after") == [
        ["maximum", *(f"{step.maximum:.0f}" for step in steps)],
        ["factor for old sums", *(digits(step.factor) for step in steps)],
        ["new exponentials", *(", ".join(map(digits, step.powers)) for step in steps)],
        ["sum of exponentials", *(f"{step.total:.4f}" for step in steps)],
        ["sum of values", *(f"{step.mixed:.4f}" for step in steps)],
    ]
    kept = output(running(SCORES, VALUES, rescales=False))
    assert f"{steps[1].mixed:.4f} divided by {steps[1].total:.4f}, which is {output(steps):.4f}" in card
    assert output(steps) == pytest.approx(softmax(SCORES) @ VALUES)
    assert f"the output would be {kept:.4f}" in card
    assert f"gives {kept:.4f} in this way, and the right output is {output(steps):.4f}" in misconceptions
    scaled = steps[0].total * np.exp(-1)
    assert rf"$1.3679\cdot0.3679={scaled:.4f}$" in card
    assert scaled == pytest.approx(np.exp(1 - 3) + np.exp(2 - 3))


def test_the_running_softmax_is_exact_and_not_bit_for_bit() -> None:
    generator = np.random.default_rng(19)
    scores, values = 3 * generator.standard_normal(400), generator.standard_normal(400)
    found = [output(running(scores, values, width=width)) for width in (1, 2, 7, 400)]

    assert np.allclose(found, softmax(scores) @ values)
    assert len(set(found)) > 1
    assert (0.1 + 0.2) + 0.3 != 0.1 + (0.2 + 0.3)


def test_the_counts_of_traffic_are_right(card: str) -> None:
    tokens, width, room = 1024, 64, 100 * 1024 // 2
    moved = tokens**2 * width**2 / room

    assert f"a width of {width} and room for {room:,} elements, which is 100 KiB at 2 bytes" in card
    assert f"$N^2$ is {tokens**2:,} and $N^2d^2/M$ is {moved:,.0f}, a ratio of {moved / tokens**2:.2f}" in card
    work, traffic, time = (
        [float(cell) for cell in row[1:]] for row in rows_of_table(CONCEPT / "card.md", "| standard")
    )
    assert f"does {work[1] / work[0]:.2f} times the work, moves {traffic[0] / traffic[1]:.2f} times less" in card
    assert f"and is {time[0] / time[1]:.2f} times as fast" in card


def test_the_chart_shows_what_one_head_keeps(bank: str) -> None:
    chart = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])["charts"]
    tokens = chart["x"]["values"]
    matrices, rows = (line["values"] for line in chart["lines"])

    assert matrices == [2 * n * n * 2 / MIB for n in tokens]
    assert rows == [2 * n * 4 / MIB for n in tokens]
    assert f"from {matrices[0]:.0f} MiB to {matrices[-1]:,.0f} MiB" in " ".join(chart["finding"].split())
    assert f"from {rows[0]:.4f} MiB to {rows[-1]:g} MiB" in " ".join(chart["finding"].split())
    assert f"that is {rows[-1]:g} MiB for a head in place of {matrices[-1]:,.0f} MiB" in bank
    assert f"falls from {matrices[0]:.0f} MiB to {rows[0] * 1024:.0f} KiB in one head" in bank


def test_the_numbers_about_the_program_in_blocks_are_right(bank: str) -> None:
    scores, values = np.array([0.0, 1, 2, 2]), np.array([8.0, 6, 2, 4])
    first, second = running(scores, values)

    assert f"the sums {first.total:.4f} and {first.mixed:.4f}" in bank
    assert f"{second.factor:.4f} before 2 and 6 are added: {second.mixed:.4f} divided by {second.total:.4f}" in bank
    assert list(second.powers) == [1, 1]
    assert second.powers @ values[2:] == 6
    assert f"$2/{second.total:.4f}={2 / second.total:.4f}$ of the weight" in bank
    assert output([second]) == pytest.approx(softmax(scores) @ values)


def test_the_sum_that_is_not_rescaled_is_the_only_fault_of_its_program(bank: str) -> None:
    questions_ = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each for each in questions_ if each["id"] == "faulty-block")["lines"]

    def result(*, mended: bool) -> float:
        names: dict[str, float | NDArray[np.float64]] = {"m": -np.inf, "l": 0.0, "o": 0.0}
        body = "\n".join(line["fix"] if mended and line.get("right") else line["code"] for line in lines)
        for at in (0, 2):
            names |= {"s": SCORES[at : at + 2], "v": VALUES[at : at + 2]}
            exec(body, {"np": np}, names)  # the repository's own text
        return float(names["o"]) / float(names["l"])

    assert result(mended=True) == pytest.approx(softmax(SCORES) @ VALUES)
    assert result(mended=False) < softmax(SCORES) @ VALUES
    assert f"{result(mended=False):.4f} in place of {result(mended=True):.4f} on the card's numbers" in bank


def test_the_keys_of_the_families_are_those_of_a_running_softmax() -> None:
    two = questions()["flash-attention/two-scores-two-blocks"].task
    for drawn in two.grid():
        scores, values = np.array([drawn["s1"], drawn["s2"]]), np.array([10.0, 20.0])
        assert two.accepts(output(running(scores, values, width=1)), drawn)
        (kept,) = two.recognised(output(running(scores, values, width=1, rescales=False)), drawn)
        assert kept.cause.id == "m19-no-rescale"
    new = questions()["flash-attention/new-sum"].task
    for drawn in new.grid():
        block = np.array([drawn["m2"], drawn["m2"] + np.log(drawn["u"] - 1)])  # one 1, and what is left of u
        old = drawn["l"] * np.exp(drawn["m"])
        assert new.accepts((old + np.exp(block).sum()) / np.exp(drawn["m2"]), drawn)
