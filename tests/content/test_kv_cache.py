"""Every number that the KV cache's card, bank and misconceptions print is recomputed here from the definitions."""

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/17-kv-cache"
KIB, GIB = 2**10, 2**30

# The three tokens of the card Self-attention.
TOKENS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
QUERIES = TOKENS @ np.diag([1.0, 2.0])
KEYS = TOKENS @ np.array([[0.0, 1.0], [1.0, 0.0]])
VALUES = TOKENS @ np.array([[1.0, 1.0], [0.0, 1.0]])
SCORES = QUERIES @ KEYS.T / np.sqrt(2)
WEIGHTS = softmax(SCORES[2])


def pair(row: NDArray[np.float64]) -> str:
    return f"({row[0]:.0f}, {row[1]:.0f})"


def cached_bytes(layers: int, heads: int, width: int, *, tokens: int = 1, texts: int = 1, number: int = 2) -> int:
    """Count them one by one as a program would fill them, which is what the formula of the card multiplies out."""
    kept = np.zeros((2, layers, heads, width, texts), np.float16)
    return kept.size * number * tokens


def projected(prompt: int, written: int, *, cache: bool) -> int:
    passes = [prompt] + [1 if cache else prompt + step for step in range(1, written)]
    return sum(passes)


def test_the_worked_step_is_the_last_row_of_the_full_computation(card: str) -> None:
    full = softmax(np.where(np.tri(3, dtype=bool), SCORES, -np.inf)) @ VALUES
    names = ["1, kept", "2, kept", "3, new"]

    assert rows_of_table(CONCEPT / "card.md", "token") == [
        [name, pair(key), pair(value), f"{score:.4f}", f"{weight:.4f}"]
        for name, key, value, score, weight in zip(names, KEYS, VALUES, SCORES[2], WEIGHTS, strict=True)
    ]
    assert f"arrives with the query {pair(QUERIES[2])}, the key {pair(KEYS[2])} and the value {pair(VALUES[2])}" in card
    output = WEIGHTS @ VALUES
    assert np.array_equal(output, full[2])
    assert "&=" + rf"({output[0]:.4f},\;{output[1]:.4f})" in card
    assert "o_3&=" + "+".join(rf"{weight:.4f}\,v_{at}" for at, weight in enumerate(WEIGHTS, 1)) in card


def test_the_counts_of_projected_positions_are_right(card: str) -> None:
    assert rows_of_table(CONCEPT / "card.md", "prompt") == [
        [f"{prompt:,}", f"{written}", *(f"{projected(prompt, written, cache=cache):,}" for cache in (True, False))]
        for prompt, written in ((4, 3), (1000, 500))
    ]
    assert "have 4, 5 and 6 positions" in card
    for prompt, written in ((4, 3), (1000, 500), (10, 5)):
        assert projected(prompt, written, cache=True) == prompt + written - 1
        assert projected(prompt, written, cache=False) == sum(prompt + s for s in range(written))


def test_the_sizes_of_the_card_are_right(card: str, misconceptions: str) -> None:
    per_token = cached_bytes(32, 32, 128)

    assert f"one token takes {per_token:,} bytes, which is {per_token // KIB} KiB" in card
    assert f"4,096 tokens take {per_token * 4096 // GIB} GiB for every sequence" in card
    assert f"Ten such texts at once take {10 * per_token * 4096 // GIB} GiB, more than the {14e9 / GIB:.0f} GiB" in card
    assert f"that is {per_token // KIB} KiB for each token and 2 GiB for 4,096 tokens" in misconceptions
    assert f"keep {2 * 32 * 32 * 128:,} numbers for each token, not {32 * 32 * 128:,}" in misconceptions


def test_the_chart_shows_what_the_formula_gives() -> None:
    chart = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])["charts"]
    lengths = chart["x"]["values"]

    assert [line["values"] for line in chart["lines"]] == [
        *([cached_bytes(32, 32, 128, tokens=n, texts=texts) / GIB for n in lengths] for texts in (1, 4, 10)),
        [round(14e9 / GIB, 2)] * len(lengths),
    ]


def test_the_time_of_a_step_is_right(card: str) -> None:
    seconds = (14e9 + 2 * GIB) / 2e12

    assert "With 14 GB of weights, a full cache of 2 GiB and 2 TB in a second" in card
    assert f"at least {seconds * 1000:.1f} milliseconds" in card


def test_an_added_token_changes_what_is_stored_only_without_a_mask() -> None:
    generator = np.random.default_rng(17)
    maps = generator.standard_normal((3, 4, 4))

    def second_layer_keys(vectors: NDArray[np.float64], *, causal: bool) -> NDArray[np.float64]:
        allowed = np.tri(len(vectors), dtype=bool) | (not causal)
        scores = np.where(allowed, vectors @ maps[0] @ (vectors @ maps[1]).T, -np.inf)
        return (vectors + softmax(scores) @ vectors) @ maps[2]

    vectors = generator.standard_normal((5, 4))

    assert np.allclose(second_layer_keys(vectors, causal=True)[:4], second_layer_keys(vectors[:4], causal=True))
    assert not np.allclose(second_layer_keys(vectors, causal=False)[:4], second_layer_keys(vectors[:4], causal=False))


def test_the_numbers_in_the_explanations_are_right(bank: str, misconceptions: str) -> None:
    weights = ", ".join(f"{weight:.4f}" for weight in WEIGHTS)

    assert f"A row of weights such as {weights} serves" in bank
    assert f"the weights {weights[:14]} and {WEIGHTS[2]:.4f} belong to query 3 alone" in misconceptions
    assert "the queries are (1, 0), (0, 2) and (1, 2)" in bank
    assert [pair(query) for query in QUERIES] == ["(1, 0)", "(0, 2)", "(1, 2)"]
    assert "at 512 KiB a token, 2,000 tokens take about 1 GB and 4,000 about 2 GB" in bank
    assert [round(512 * KIB * tokens / 1e9) for tokens in (2000, 4000)] == [1, 2]
    assert "4 million for 2,000 tokens and 16 million for 4,000" in bank
    assert (2000**2, 4000**2) == (4_000_000, 16_000_000)
    assert "at 2 GiB a text, eight take 16 GiB" in bank
    assert "With 32 query heads and 8 key heads each key is read by 4 of them" in bank


def test_the_program_about_the_size_is_explained_rightly(bank: str) -> None:
    place = cached_bytes(24, 16, 64, texts=4)

    assert (
        rf"keeps $2\cdot24\cdot16\cdot64={2 * 24 * 16 * 64}$ numbers, and four texts at 2 bytes make {place:,}" in bank
    )
    assert f"that is ${place * 2048}$ bytes, and $2^{{30}}$ goes into it {place * 2048 / GIB:g} times" in bank
    assert f"Twice the length would give {place * 4096 / GIB:g}" in bank
    assert r"$4\cdot0.1875=0.75$ GiB" in bank


@pytest.mark.parametrize("drawn", [{"L": 24, "h": 16, "dk": 64}, {"L": 40, "h": 40, "dk": 128}])
def test_the_key_of_the_bytes_is_what_is_stored(drawn: dict[str, int]) -> None:
    found = cached_bytes(drawn["L"], drawn["h"], drawn["dk"]) / KIB

    assert questions()["kv-cache/bytes-per-token"].task.accepts(found, drawn)


def test_the_key_of_the_positions_is_a_count_of_the_passes() -> None:
    task = questions()["kv-cache/positions-projected"].task
    for drawn in task.grid():
        prompt, written = int(drawn["P"]), int(drawn["T"])
        assert task.accepts(projected(prompt, written, cache=True), drawn)
        (wrong,) = task.recognised(projected(prompt, written, cache=False), drawn)
        assert wrong.cause.id == "slip-scope"


def test_the_new_key_alone_is_the_only_fault_of_its_program() -> None:
    entry = next(each for each in yaml.safe_load(bank_source())["questions"] if each["id"] == "keys-of-one-step")
    maps = np.random.default_rng(9).standard_normal((3, 2, 2))

    def outputs(*, mended: bool) -> list[NDArray[np.float64]]:
        lines = [line["fix"] if mended and line.get("right") else line["code"] for line in entry["lines"]]
        names: dict[str, object] = {"np": np, "softmax": one_softmax}
        body = "\n".join(f"    {line}" for line in lines)
        exec(f"def body(x, cache_k, cache_v, WQ, WK, WV):\n{body}", names)  # the repository's own text
        cache_k: list[object] = []
        cache_v: list[object] = []
        return [names["body"](x, cache_k, cache_v, *maps) for x in TOKENS]  # type: ignore[operator]

    scores = (TOKENS @ maps[0]) @ (TOKENS @ maps[1]).T / np.sqrt(2)
    values = TOKENS @ maps[2]
    assert np.allclose(outputs(mended=True), softmax(np.where(np.tri(3, dtype=bool), scores, -np.inf)) @ values)
    assert np.allclose(outputs(mended=False), np.cumsum(values, axis=0))  # "the plain sum of all values so far"


def one_softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(scores - np.max(scores))
    return np.asarray(powers / powers.sum())


def bank_source() -> str:
    return (CONCEPT / "bank.yaml").read_text(encoding="utf-8")
