"""Every number that the card of concept 4, its bank and its misconceptions print is recomputed here with NumPy.

The texts and the data of the pictures are read as they stand: a number that is changed on one side only fails.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table

CONCEPT = MODULE / "concepts/04-positional-encoding"


def frequencies(width: int) -> NDArray[np.float64]:
    return 10000.0 ** (-2 * np.arange(width // 2) / width)


def encoding(position: int, width: int) -> NDArray[np.float64]:
    angles = position * frequencies(width)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).reshape(-1)


def shift_of(offset: int, width: int) -> NDArray[np.float64]:
    """The matrix that turns every encoding of this width into the one that is so many positions further on."""
    matrix = np.zeros((width, width))
    for pair, angle in enumerate(offset * frequencies(width)):
        block = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        matrix[2 * pair : 2 * pair + 2, 2 * pair : 2 * pair + 2] = block
    return matrix


@cache
def front() -> dict[str, Any]:
    return dict(yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1]))


def test_the_table_of_four_positions_is_right() -> None:
    assert frequencies(4) == pytest.approx([1, 0.01])
    assert rows_of_table(CONCEPT / "card.md", "position") == [
        ["0", "0", "1", "0", "1"],
        *([str(p), *(f"{entry:.4f}".replace("-", "−") for entry in encoding(p, 4))] for p in (1, 2, 3)),
    ]
    assert list(encoding(0, 4)) == [0, 1, 0, 1]


def test_the_wavelengths_are_right(card: str, bank: str, misconceptions: str) -> None:
    longest = 2 * np.pi / frequencies(512)[-1]

    assert longest / (2 * np.pi) == pytest.approx(10000 ** ((512 - 2) / 512))
    assert rf"${longest / (2 * np.pi):.1f}\cdot2\pi$, or {longest:,.0f} positions" in card
    assert f"about {2 * np.pi:.2f} positions" in card
    assert f"At width 512 it takes {longest:,.0f} positions to come round, and at width 4 it takes 628" in bank
    assert round(2 * np.pi / frequencies(4)[-1]) == 628
    assert f"pair 0 is back after {2 * np.pi:.2f} positions, the last pair after {longest:,.0f}" in misconceptions


def test_all_encodings_are_equally_long(card: str) -> None:
    assert "which is 16 at $d=512$" in card
    for position in (0, 3, 5000):
        assert np.linalg.norm(encoding(position, 512)) == pytest.approx(16)
    task = questions()["positional-encoding/length-of-an-encoding"].task
    for drawn in task.grid():
        assert task.accepts(float(np.linalg.norm(encoding(11, int(drawn["d"])))), drawn)


def test_one_matrix_shifts_every_position(card: str) -> None:
    shift = shift_of(1, 4)
    blocks = [
        "(" + r";\,".join(r",\,".join(f"{cell:.4f}" for cell in row) for row in block) + ")"
        for block in (shift[:2, :2], shift[2:, 2:])
    ]

    assert f"the block of pair 0 is ${blocks[0]}$ and that of pair 1 is ${blocks[1]}$" in card
    assert f"the 1.0000 stands for {shift[2, 2]:.5f}" in card
    for position in (2, 7):  # "position 3 out of position 2, and also position 8 out of position 7"
        assert np.allclose(shift @ encoding(position, 4), encoding(position + 1, 4), atol=1e-15)
    assert np.array_equal(np.array(front()["matrix_example"]["matrices"][0]["values"]), shift.round(4))


def test_dot_products_depend_on_the_offset_alone(card: str) -> None:
    for one, other in ((0, 1), (1, 2), (7, 8)):
        assert f"{encoding(one, 4) @ encoding(other, 4):.4f}" == "1.5403"
    assert (
        "positions 0 and 1 give 1.5403, and so do positions 1 and 2, or 7 and 8. A position with itself gives 2."
        in card
    )
    assert encoding(5, 4) @ encoding(5, 4) == pytest.approx(2)


def test_the_charts_show_what_the_formulas_give() -> None:
    waves, likeness = front()["charts"]

    positions = np.array(waves["x"]["values"])
    for line, frequency in zip(waves["lines"], frequencies(8), strict=False):
        assert f"frequency {frequency:g}" in line["label"]
        assert np.array_equal(line["values"], np.sin(positions * frequency).round(3))
    found = [encoding(0, 128) @ encoding(offset, 128) for offset in likeness["x"]["values"]]
    assert np.allclose(likeness["lines"][0]["values"], found, atol=0.005001)


def test_what_the_findings_say_of_the_charts_is_true() -> None:
    assert 3 < 20 / (2 * np.pi) < 4  # "more than three times within 20 positions"
    assert 20 * frequencies(8)[1] / (2 * np.pi) == pytest.approx(1 / 3, abs=0.02)  # "a third of one wave"
    values = front()["charts"][1]["lines"][0]["values"]
    assert values != sorted(values, reverse=True)  # "it need not fall at every step"


def test_the_counts_of_learned_positions_are_right(card: str, bank: str) -> None:
    assert f"512 positions at width 768 are {512 * 768:,} parameters" in card
    assert f"would add {512 * 128:,} parameters for 512 positions at width 128" in bank


def test_the_single_numbers_of_the_explanations_are_right(bank: str, misconceptions: str) -> None:
    assert f"the last pair of width 128 by {frequencies(128)[-1]:.6f}" in bank
    assert "At places 0, 22 and 44 this sine is within 0.02 of 0." in bank
    assert all(abs(np.sin(place)) < 0.02 for place in (0, 22, 44))
    assert "the sine of 1 is also the sine of 2.1416" in misconceptions
    assert np.sin(1) == pytest.approx(np.sin(2.1416), abs=1e-5)
    assert "turn by 0.01 per position instead of nearly 0.0001" in misconceptions
    assert 10000.0 ** (-np.arange(256) / 512)[-1] == pytest.approx(0.01, rel=0.02)
    assert frequencies(512)[-1] == pytest.approx(0.0001, rel=0.04)
    assert f"the last frequency is about {10000 ** (-3 / 8):.3f} instead of {frequencies(8)[-1]:.3f}" in bank
    assert "position 3 the pair with the frequency 0.01 has the angle 0.03" in bank


def test_the_entry_question_asks_for_the_formula() -> None:
    task = questions()["positional-encoding/entry-of-a-pair"].task
    for drawn in task.grid():
        entries = encoding(int(drawn["pos"]), int(drawn["d"]))
        assert task.accepts(entries[2 * int(drawn["i"])], drawn)
        assert [wrong.cause.id for wrong in task.recognised(entries[2 * int(drawn["i"]) + 1], drawn)] == ["slip-swap"]


@pytest.mark.parametrize("mended", [True, False])
def test_the_sign_of_the_exponent_is_the_only_fault_of_the_program(mended: bool) -> None:
    entries = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each["lines"] for each in entries if each["id"] == "sign-of-an-exponent")
    pos, d, tokens = np.arange(10), 8, np.ones((10, 8))
    names: dict[str, Any] = {"np": np, "pos": pos, "d": d, "x": tokens, "pe": np.empty((10, 8))}

    exec("\n".join(line["fix"] if mended and line.get("right") else line["code"] for line in lines), names)

    expected = tokens + np.stack([encoding(int(position), d) for position in pos])
    assert np.allclose(names["x"], expected) == mended
    assert np.allclose(names["x"][0], expected[0])  # "At position 0 … the fault would not show."
    assert names["angles"].shape == (10, 4)
