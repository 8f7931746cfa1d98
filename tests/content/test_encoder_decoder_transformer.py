"""Every number that the card of the assembled model, its bank and its misconceptions print is recomputed here.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest
import yaml

from tests.content.reading import MODULE, questions, rows_of_table

CONCEPT_ID = "encoder-decoder-transformer"
CONCEPT = MODULE / f"concepts/12-{CONCEPT_ID}"


@dataclass(frozen=True)
class Model:
    """A model of the 2017 kind, whose parameters are counted from the shapes of its matrices."""

    width: int
    inner: int
    vocabulary: int = 37_000
    layers: int = 6

    @property
    def attention(self) -> int:
        return sum(np.empty((self.width, self.width)).size for _ in ("queries", "keys", "values", "output"))

    @property
    def feed_forward(self) -> int:
        return self.width * self.inner + self.inner + self.inner * self.width + self.width

    @property
    def norm(self) -> int:
        return self.width + self.width

    @property
    def encoder_layer(self) -> int:
        return self.attention + self.norm + self.feed_forward + self.norm

    @property
    def decoder_layer(self) -> int:
        return self.encoder_layer + self.attention + self.norm

    @property
    def all_layers(self) -> int:
        return self.layers * (self.encoder_layer + self.decoder_layer)

    @property
    def embedding(self) -> int:
        return self.vocabulary * self.width

    @property
    def total(self) -> int:
        return self.all_layers + self.embedding


BASE, BIG = Model(width=512, inner=2048), Model(width=1024, inner=4096)


def test_the_ledger_of_the_base_model_is_right() -> None:
    counts = {
        "one attention": BASE.attention,
        "one feed-forward network": BASE.feed_forward,
        "one normalisation": BASE.norm,
        "encoder layer": BASE.encoder_layer,
        "decoder layer": BASE.decoder_layer,
        "six of each": BASE.all_layers,
        "embedding, 37,000 tokens": BASE.embedding,
        "total": BASE.total,
    }

    assert rows_of_table(CONCEPT / "card.md", "part") == [[part, f"{count:,}"] for part, count in counts.items()]


def test_the_counts_of_the_big_model_and_the_gaps_to_the_reported_totals_are_right(card: str) -> None:
    assert (
        f"The big model has {BIG.attention:,} in one attention, {BIG.feed_forward:,} in a feed-forward network, "
        f"{BIG.encoder_layer:,} in an encoder layer, {BIG.decoder_layer:,} in a decoder layer, {BIG.all_layers:,} in "
        f"all twelve and {BIG.embedding:,} in the embedding, {BIG.total:,} together." in card
    )
    assert f"its stated sizes give {BASE.total / 1e6:.1f} million" in card
    assert f"where they give {BIG.total / 1e6:.1f} million" in card
    assert "about 63 million parameters by count" in card
    assert "about 3 per cent for the base model and less than 1 per cent for the big one" in card
    assert 0.025 < 1 - BASE.total / 65e6 < 0.035
    assert BIG.total / 213e6 - 1 < 0.01


def test_the_formulas_of_the_card_count_what_the_matrices_hold() -> None:
    for model in (BASE, BIG, Model(width=10, inner=40)):
        d, inner = model.width, model.inner
        assert model.encoder_layer == 4 * d**2 + (2 * d * inner + inner + d) + 2 * 2 * d
        assert model.decoder_layer == 2 * 4 * d**2 + (2 * d * inner + inner + d) + 3 * 2 * d


def test_the_sizes_fit_each_other() -> None:
    sizes = {name: values for name, *values in rows_of_table(CONCEPT / "card.md", "size")}

    for column, model in enumerate((BASE, BIG)):
        width = int(sizes["width $d$ of every token"][column])
        assert width == model.width
        assert int(sizes["inner width $d_{ff}$"][column]) == model.inner == 4 * width
        assert int(sizes["heads $h$"][column]) * int(sizes["widths $d_k=d_v$ of a head"][column]) == width


def test_the_examples_of_bleu_are_right(card: str) -> None:
    def bleu(*, output: int, human: int) -> float:
        return 100 * min(1, math.exp(1 - human / output)) * (0.6 * 0.4 * 0.25 * 0.15) ** (1 / 4)

    assert (
        f"With shares of 0.6, 0.4, 0.25 and 0.15 and equal lengths the score is {bleu(output=20, human=20):.1f}" in card
    )
    assert f"with 18 tokens where the human has 20, it falls to {bleu(output=18, human=20):.1f}" in card


def test_the_times_of_training_fit_the_steps() -> None:
    # 12 hours and 3.5 days are the paper's, rounded up from these and with what happens between steps.
    assert 11 < 100_000 * 0.4 / 3600 < 12
    assert 3.4 < 300_000 * 1.0 / 86_400 < 3.5


def test_the_pictures_show_which_pairs_are_allowed() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])
    encoder, masked, between = (np.array(each["values"]) for each in front["matrix_example"]["matrices"])

    assert encoder.shape == (4, 4)
    assert encoder.sum() == 16
    assert np.array_equal(masked, np.tri(3))
    assert masked.sum() == 6
    assert between.shape == (3, 4)
    assert between.sum() == 12


def test_the_numbers_of_the_explanations_are_right(bank: str, misconceptions: str) -> None:
    assert "$37{,}000\\cdot512=18{,}944{,}000$" in bank
    assert f"{BASE.embedding:,}" == "18,944,000"
    assert "$6\\cdot3{,}150{,}336=18{,}902{,}016$" in bank
    assert f"has {BASE.encoder_layer:,} parameters and six have {6 * BASE.encoder_layer:,}" in misconceptions
    assert "the parameters come to 44 million without the embedding" in misconceptions
    assert round(BASE.all_layers / 1e6) == 44
    assert "1.1 less, with about a third of the parameters" in bank
    big, base = 28.4, 27.3
    assert big - base == pytest.approx(1.1)
    assert 0.28 < BASE.total / BIG.total < 0.35
    assert "Six of the model's 18 attention sub-layers" in misconceptions
    assert "two sub-layers in an encoder layer and three in a decoder layer, so 12 and 18" in misconceptions


def test_the_numbers_of_the_small_ledger_are_right(bank: str) -> None:
    small = Model(width=10, inner=40, vocabulary=100, layers=2)

    assert (
        f"One attention has {small.attention} parameters, one feed-forward network {small.feed_forward} and one "
        f"normalisation {small.norm}. So a layer of the encoder has {small.encoder_layer:,} and one of the decoder "
        f"{small.decoder_layer:,}, and two of each make {small.all_layers:,}." in bank
    )
    narrow = Model(width=10, inner=10, vocabulary=100, layers=2)
    assert f"has {narrow.feed_forward} parameters in place of {small.feed_forward}" in bank
    assert f"Over four layers the difference is {small.all_layers - narrow.all_layers:,}." in bank
    assert f"${small.attention}+{small.norm}={small.attention + small.norm}$ for each layer" in bank
    assert f"two decoder layers have {2 * small.decoder_layer:,}" in bank


@pytest.mark.parametrize("width", [64, 128, 256, 512])
def test_the_key_of_the_layer_question_counts_the_matrices(width: int) -> None:
    task = questions()[f"{CONCEPT_ID}/one-encoder-layer"].task
    model = Model(width=width, inner=4 * width)
    expected = {
        "slip-partial": model.encoder_layer - 2 * model.norm - 5 * width,
        "m12-dff-equals-d": Model(width=width, inner=width).encoder_layer,
        "slip-scope": model.decoder_layer,
    }

    assert task.accepts(float(model.encoder_layer), {"d": width})
    for cause, value in expected.items():
        assert [wrong.cause.id for wrong in task.recognised(value, {"d": width})] == [cause]


def test_the_faulty_line_alone_hands_the_target_to_the_encoder() -> None:
    bank = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each for each in bank if each["id"] == "which-loop")["lines"]
    read: list[list[int]] = []

    def encoder(tokens: list[int]) -> list[int]:
        read.append(list(tokens))
        if len(read) > 9:
            raise RuntimeError("does not end")
        return tokens

    def decoder(target: list[int], source: list[int]) -> np.ndarray:
        """Copies the source token by token, then ends with token 0."""
        return np.eye(10)[[(*source, 0)[at] if at < len(source) else 0 for at in range(len(target))]]

    def written(*, mended: bool) -> list[int]:
        names = {"encoder": encoder, "decoder": decoder, "src": [4, 5], "BOS": 1, "EOS": 0}
        program = "\n".join(line["fix"] if mended and line.get("right") else line["code"] for line in lines)
        exec(program, names)  # the repository's own text
        return list(names["y"])  # type: ignore[call-overload]

    assert written(mended=True) == [1, 4, 5, 0]
    assert all(tokens == [4, 5] for tokens in read)
    read.clear()
    with pytest.raises(RuntimeError):  # the copied target grows with each round, so that the end is not reached
        written(mended=False)
    assert read[:3] == [[4, 5, 1], [4, 5, 1, 4], [4, 5, 1, 4, 5]]
