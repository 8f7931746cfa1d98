"""Every number that the card of concept 2, its bank and its misconceptions print is recomputed here.

The merges are found by a byte-pair encoding written for this purpose; the texts are read as they stand.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/02-tokens-and-embeddings"

CORPUS = {"low_": 5, "lower_": 2, "newest_": 6, "widest_": 3}  # _ marks the end of a word
TABLE = np.array([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [3.0, -1.0, 0.0]])

Pair = tuple[str, str]


def pairs(words: Mapping[tuple[str, ...], int]) -> Counter[Pair]:
    """How often each pair of neighbours occurs, in the order in which pairs are met."""
    counts: Counter[Pair] = Counter()
    for word, times in words.items():
        for pair in pairwise(word):
            counts[pair] += times
    return counts


def joined(word: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    symbols: list[str] = []
    for symbol in word:
        if symbols and (symbols[-1], symbol) == pair:
            symbols[-1] += symbol
        else:
            symbols.append(symbol)
    return tuple(symbols)


def merges(corpus: Mapping[str, int], count: int) -> list[tuple[Pair, int, list[Pair]]]:
    """The first merges: the pair, how often it occurs, and with which pairs it is tied."""
    words = {tuple(word): times for word, times in corpus.items()}
    found = []
    for _ in range(count):
        counts = pairs(words)
        best = max(counts, key=counts.__getitem__)  # of tied ones the first that was met
        found.append((best, counts[best], [pair for pair in counts if counts[pair] == counts[best] and pair != best]))
        words = {joined(word, best): times for word, times in words.items()}
    return found


def test_the_table_of_merges_is_what_counting_gives(card: str) -> None:
    assert "“low” 5 times, “lower” 2 times, “newest” 6 times and “widest” 3 times" in card
    assert rows_of_table(CONCEPT / "card.md", "merge") == [
        [str(number), " + ".join(pair), str(times), ", ".join(" + ".join(tied) for tied in ties)]
        for number, (pair, times, ties) in enumerate(merges(CORPUS, 6), start=1)
    ]


def test_an_unseen_word_is_cut_as_the_card_says(card: str, misconceptions: str) -> None:
    word = tuple("lowest_")
    for pair, _, _ in merges(CORPUS, 6):
        word = joined(word, pair)

    assert word == ("low", "est_")
    assert "it becomes the two tokens low and est_" in card
    assert "“lowest” is two tokens, low and est_" in misconceptions
    assert "it joins n and e after low and est_, because they meet 6 times" in misconceptions


def test_the_first_merge_of_the_new_corpus_has_no_rival(bank: str) -> None:
    (pair, times, ties), *_ = merges({"redo": 4, "retell": 3, "help": 5}, 1)
    counts = pairs({tuple("redo"): 4, tuple("retell"): 3, tuple("help"): 5})

    assert (pair, times, ties) == (("e", "l"), 8, [])
    assert f"it occurs $3+5={times}$ times, more than any other" in bank
    assert f"It occurs $4+3={counts['r', 'e']}$ times, and another pair occurs {times} times" in bank
    assert f"stands in `retell` alone and occurs {counts['l', 'l']} times" in bank
    assert counts["r", "e"] + 1 == times  # "With one `redo` more the two would be tied at 8"
    assert "could become whole only after three merges" in bank


def test_the_counts_of_parameters_are_right(card: str, bank: str, misconceptions: str) -> None:
    assert f"{37000 * 512:,} parameters".replace(",", "{,}") in card.replace("$", "")
    assert f"at width 768 make {50257 * 768:,}." in card
    assert f"at width 512, the table has gained {32000 * 512:,} parameters" in card
    assert f"at width 512 adds {32000 * 512:,} parameters" in misconceptions
    assert f"width 512 that saves {32000 * 512:,} parameters" in bank
    for text in (bank, misconceptions):
        assert "almost 19 million" in text
    assert 18.9e6 < 37000 * 512 < 19e6
    assert 256 + 50_000 + 1 == 50_257


def test_the_factor_and_the_length_of_a_position_vector_are_right(card: str, misconceptions: str) -> None:
    assert rf"\sqrt{{512}}={np.sqrt(512):.4f}$" in card
    assert rf"\sqrt{{d/2}}={np.sqrt(512 / 2):.0f}$ at $d=512$" in card
    divided = f"a length of {1 / np.sqrt(512):.2f} beside positions of length {np.sqrt(512 / 2):.0f}"
    assert f"at width 512, keep {divided}" in misconceptions


def test_the_small_table_is_worked_out_rightly(card: str, misconceptions: str) -> None:
    fetched, state = TABLE[[2, 0, 2]], np.array([0.5, 1.0, -1.0])
    logits = state @ TABLE.T

    assert "rows 0, 1 and 2 be $(1,0,2)$, $(0,1,1)$ and $(3,-1,0)$" in card
    assert r"\begin{pmatrix}" + r"\\".join("&".join(f"{x:g}" for x in row) for row in fetched) in card
    scaled = [r"(" + r",\;".join("0" if x == 0 else f"{x:.4f}" for x in np.sqrt(3) * row) + ")" for row in fetched[:2]]
    assert rf"\sqrt3\,(3,-1,0)&={scaled[0]}\\ \sqrt3\,(1,0,2)&={scaled[1]}" in card
    assert r"has the logits $(" + r",\;".join(f"{z:g}" for z in logits) + ")$" in card
    assert r"$(" + r",\;".join(f"{p:.4f}" for p in softmax(logits)) + ")$" in card
    assert "the state (0.5, 1, −1) token 2 of the small table comes out first" in misconceptions
    assert logits.argmax() == 2


def test_the_scores_that_a_shorter_text_saves_are_right(card: str) -> None:
    assert "from 1,000 tokens to 800. Then 640,000 scores remain of a million" in card
    assert (800**2, 1000**2) == (640_000, 1_000_000)


def test_a_one_hot_row_fetches_what_the_lookup_fetches() -> None:
    for id_ in range(3):
        assert np.array_equal(np.eye(3)[id_] @ TABLE, TABLE[id_])


def test_the_numeric_questions_ask_for_the_table_and_its_root() -> None:
    counting, factor = (
        questions()[f"tokens-and-embeddings/{slug}"].task
        for slug in ("parameters-of-a-tied-table", "factor-of-the-rows")
    )
    for drawn in counting.grid():
        assert counting.accepts(float(np.empty((int(drawn["V"]), int(drawn["d"])), np.int8).size), drawn)
    for drawn in factor.grid():
        assert factor.accepts(float(np.sqrt(drawn["d"])), drawn)


def test_the_sums_of_the_printed_rows_are_right(bank: str) -> None:
    table = np.arange(15).reshape(5, 3)
    assert "is the row of id 1, and $3+4+5=12$" in bank
    assert list(table[1]) == [3, 4, 5]
    assert "fetches the first row, $0+1+2=3$" in bank
    assert list(table[0]) == [0, 1, 2]
