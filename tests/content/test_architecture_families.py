"""Every number that the card of the three families, its bank and its misconceptions print is recomputed with NumPy.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table

CONCEPT_ID = "architecture-families"
CONCEPT = MODULE / f"concepts/14-{CONCEPT_ID}"


def allowed(tokens: int, *, prefix: int = 0) -> NDArray[np.bool_]:
    """Which key each query may use: a causal mask, or with a prefix that is read in both directions."""
    open_to = np.tri(tokens, dtype=bool)
    open_to[:prefix, :prefix] = True
    return open_to


def layer(width: int) -> int:
    """Parameters of a layer of BERT or GPT, biases included: four maps, two maps of the fourfold width, two norms."""
    attention = 4 * (width * width + width)
    feed_forward = width * 4 * width + 4 * width + 4 * width * width + width
    return attention + feed_forward + 2 * 2 * width


def test_the_counts_of_allowed_pairs_are_right(card: str) -> None:
    counts = 6 * 6, allowed(6).sum(), allowed(6, prefix=3).sum()

    assert "For six tokens that makes {}, {} and, with a prefix of three, {} pairs".format(*counts) in card
    assert np.array_equal(allowed(6, prefix=1), allowed(6))
    assert allowed(6, prefix=6).all()
    for tokens in range(1, 9):
        for prefix in range(tokens + 1):
            assert allowed(tokens, prefix=prefix).sum() == tokens * (tokens + 1) // 2 + prefix * (prefix - 1) // 2


def test_the_pictures_show_these_masks() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])
    shown = front["matrix_example"]["matrices"]

    for each, wanted in zip(shown, (np.ones((6, 6)), allowed(6), allowed(6, prefix=3)), strict=True):
        assert np.array_equal(np.array(each["values"]), wanted)
        assert f"{int(wanted.sum())}" in each["title"]


def test_the_shares_of_the_recipe_are_right(card: str, bank: str, misconceptions: str) -> None:
    selected = 512 * 0.15
    hidden = selected * 0.8

    assert (
        f"In a sequence of 512 tokens, {selected:.1f} are selected on average, and {hidden:.2f} of them become" in card
    )
    assert f"The remaining {selected - hidden:.2f} are a precaution" in card
    assert f"of {selected:.1f} selected tokens {hidden:.2f} are hidden on average" in misconceptions
    assert f"Of 512 positions about {selected:.0f} count" in misconceptions
    assert f"loses about {selected:.0f} tokens in about {selected / 3:.0f} spans" in card
    assert "15 % are selected" in bank
    assert "$0.15\\cdot0.8=0.12$" in bank
    assert pytest.approx(0.12) == 0.15 * 0.8


def test_the_exact_counts_of_parameters_are_right(card: str) -> None:
    layers = 12 * layer(768)
    gpt = 50_257 * 768 + 1024 * 768 + layers + 2 * 768  # tokens, positions, layers, a last normalisation
    bert = (30_522 + 512 + 2) * 768 + 2 * 768 + layers + 768 * 768 + 768  # and segments, a first one, the pooler

    assert f"GPT-2 small has {gpt:,} parameters and BERT base" in card
    assert f"the pooler, {bert:,}." in card
    assert f"equal size in both, {layers:,} parameters; the rest is mostly the embeddings, 50,257 tokens" in card
    assert 0.9 < (50_257 + 1024) * 768 / (gpt - layers) <= 1
    assert (30_522 + 514) * 768 / (bert - layers) > 0.9


def test_the_rule_of_thumb_is_right(card: str) -> None:
    assert f"For GPT-3 it gives {12 * 96 * 12_288**2 / 1e9:.1f} billion" in card
    assert 12_288 / 96 == 128
    by_rule = 12 * 12 * 768**2
    assert by_rule == pytest.approx(12 * layer(768), rel=0.01)  # what the rule leaves out of a layer is little


def test_the_sizes_in_the_table_and_the_patches_fit(card: str) -> None:
    for _, _, width, heads, _ in rows_of_table(CONCEPT / "card.md", "model"):
        assert int(width) / int(heads) == 64
    assert (224 // 16) ** 2 == 196
    assert "gives 196 of them, and a class token makes 197" in card


def test_the_numbers_of_the_sorted_masks_are_right(bank: str) -> None:
    neighbours = np.abs(np.subtract.outer(np.arange(10), np.arange(10))) <= 1

    assert f"$2\\cdot2+8\\cdot3={neighbours.sum()}$ pairs" in bank
    assert f"$10\\cdot11/2={allowed(10).sum()}$ in all" in bank
    assert f"adds the $4\\cdot3/2=6$ above the diagonal, which makes {allowed(10, prefix=4).sum()}" in bank
    assert "$10\\cdot10=100$ pairs" in bank


def test_the_keys_of_the_families_are_what_their_words_say() -> None:
    pairs, hidden = (questions()[f"{CONCEPT_ID}/{slug}"].task for slug in ("prefix-pairs", "how-many-masks"))

    for drawn in pairs.grid():
        tokens, prefix = int(drawn["n"]), int(drawn["p"])
        assert pairs.accepts(float(allowed(tokens, prefix=prefix).sum()), drawn)
        assert [each.cause.id for each in pairs.recognised(float(allowed(tokens).sum()), drawn)] == [
            "m14-prefix-is-causal"
        ]
    for drawn in hidden.grid():
        selected = drawn["n"] * 15 / 100
        assert hidden.accepts(selected * 80 / 100, drawn)
        assert [each.cause.id for each in hidden.recognised(selected, drawn)] == ["m14-always-mask-token"]


def test_the_mended_line_counts_the_selected_tokens_alone() -> None:
    bank = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each for each in bank if each["id"] == "loss-of-the-gaps")["lines"]
    tokens = np.arange(512)

    def damage(
        given: NDArray[np.int64], selected: NDArray[np.bool_], generator: np.random.Generator
    ) -> NDArray[np.int64]:
        assert selected.any()
        return np.where(selected, -1, given)

    def loss_of(*, mended: bool) -> float:
        names = {
            "rng": np.random.default_rng(14),
            "n": len(tokens),
            "tokens": tokens,
            "corrupt_80_10_10": damage,
            "bert": lambda given: given,
            "xent": lambda scores, wanted: np.where(scores == wanted, 0.0, 3.0),  # copies at no cost, restores at 3
        }
        program = "\n".join(line["fix"] if mended and line.get("right") else line["code"] for line in lines)
        exec(program, names)  # the repository's own text
        return float(names["loss"])  # type: ignore[arg-type]

    assert loss_of(mended=True) == 3
    assert loss_of(mended=False) == pytest.approx(3 * 0.15, rel=0.3)
