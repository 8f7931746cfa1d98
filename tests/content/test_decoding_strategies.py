"""Every number that the card, the bank and the misconceptions of decoding print is recomputed here."""

import numpy as np
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/16-decoding-strategies"
LOGITS = np.array([2.0, 1.0, 0.0, -1.0])
SHARES = softmax(LOGITS)
# First words and what may follow them; the second words that the card does not name share what is left.
FIRST = {"closed": 0.6, "out": 0.4}
SECOND = {"closed": {"today": 0.4, "for": 0.35, "at": 0.25}, "out": {"of": 0.9, "there": 0.1}}


def top_k(shares: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    return shares[:k] / shares[:k].sum()


def top_p(shares: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    """Add from the top until the share is reached, one by one."""
    total, kept = 0.0, 0
    while total < share:
        total += float(shares[kept])
        kept += 1
    return top_k(shares, kept)


def beam(width: int) -> tuple[str, float]:
    """Search the two words of the card with so many beginnings."""
    beginnings = sorted(FIRST.items(), key=lambda each: -each[1])[:width]
    texts = {
        f"{word} {after}": round(share * follows, 2)
        for word, share in beginnings
        for after, follows in SECOND[word].items()
    }
    return max(texts.items(), key=lambda each: each[1])


def penalty(tokens: int, alpha: float) -> float:
    return float(((5 + tokens) / 6) ** alpha)


def listed(values: NDArray[np.float64]) -> list[str]:
    return [f"{value:.4f}" for value in values]


def test_the_trap_of_the_greedy_choice_is_right(card: str, bank: str) -> None:
    assert [f"{sum(follows.values()):g}" for follows in (FIRST, *SECOND.values())] == ["1"] * 3
    rows = rows_of_table(CONCEPT / "card.md", "text")

    assert [[row[0], f"{float(row[1]) * float(row[2]):.2f}"] for row in rows] == [[row[0], row[3]] for row in rows]
    assert [beam(1), beam(2)] == [(rows[0][0], float(rows[0][3])), (rows[1][0], float(rows[1][3]))]
    assert "takes “closed” and ends at 0.24" in card
    assert "it ends at 0.24, and 0.36 was possible" in bank


def test_the_table_of_length_penalties_is_right(card: str) -> None:
    assert rows_of_table(CONCEPT / "card.md", "tokens") == [
        [
            f"{tokens}",
            f"−{loss}",
            f"{penalty(tokens, 0.6):.4f}",
            f"−{loss / penalty(tokens, 0.6):.4f}",
        ]
        for tokens, loss in ((4, 2.0), (8, 2.4))
    ]
    assert "By probability the shorter text wins, by score the longer one" in card


def test_the_temperatures_are_right(card: str) -> None:
    chart = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])["charts"]
    shares = [softmax(LOGITS / temperature) for temperature in chart["x"]["values"]]

    assert rows_of_table(CONCEPT / "card.md", "$T$") == [
        [f"{temperature:g}", *listed(softmax(LOGITS / temperature))] for temperature in (0.5, 1, 2)
    ]
    assert np.array_equal(np.transpose([line["values"] for line in chart["lines"]]), np.round(shares, 4))
    assert all((np.argsort(-row) == range(4)).all() for row in shares)  # "The lines never cross."
    assert f"one token has {shares[0][0]:.2f} of the probability" in " ".join(chart["finding"].split())
    assert f"lie between {shares[-1][-1]:.2f} and {shares[-1][0]:.2f}" in " ".join(chart["finding"].split())
    assert f"the first two tokens have {softmax(LOGITS / 0.5)[:2].sum():.3f} together" in card


def test_the_cuts_are_right(card: str, bank: str, misconceptions: str) -> None:
    two, nucleus = top_k(SHARES, 2), top_p(SHARES, 0.9)
    first, second, third, _ = listed(SHARES)
    sums = listed(np.cumsum(SHARES))

    assert f"keeps {first} and {second}, which become {two[0]:.4f} and {two[1]:.4f}" in card
    assert f"{first}+{second}&={sums[1]}<p" in card
    assert rf"{sums[1]}+{third}&={sums[2]}\ge p" in card
    assert len(nucleus) == 3
    assert f"Divided by {sums[2]}, they become {', '.join(listed(nucleus[:2]))} and {nucleus[2]:.4f}" in card
    assert f"have {sums[1]} together, so {SHARES[2:].sum():.4f} would belong to nobody" in misconceptions
    assert f"and {first} becomes {two[0]:.4f}" in misconceptions
    assert f"With {first}, {second} and {third}, none is above 0.9" in misconceptions
    assert f"share {sums[1]} cannot be drawn from until they share 1, so {first} becomes {two[0]:.4f}" in bank
    assert f"the third sum, {sums[2]}, is the first to reach 0.9" in bank
    assert f"{first} of {sums[2]} becomes {nucleus[0]:.4f}" in bank
    assert 0.6 < nucleus[0] < 0.7  # "in about two cases of three"


def test_the_counts_of_the_explanations_are_right(bank: str, misconceptions: str) -> None:
    assert "With 0.5, 0.3, 0.15 and 0.05 that makes three tokens, with 0.95 at the top only one" in bank
    assert len(top_p(np.array([0.5, 0.3, 0.15, 0.05]), 0.9)) == 3
    assert len(top_p(np.array([0.95, 0.05]), 0.9)) == len(top_p(np.array([0.97, 0.03]), 0.9)) == 1
    assert f"Of 50,000 tokens it would keep {50_000 * 9 // 10:,}" in bank
    quotients = [f"{logit / temperature:.2f}" for temperature in (1.3, 0.7) for logit in (3, 2)]
    assert (
        f"by 1.3 are {quotients[0]} and {quotients[1]}, and by 0.7 they are {quotients[2]} and {quotients[3]}" in bank
    )
    assert "after three steps over 30,000 tokens there are 27 million million" in misconceptions
    assert 30_000**3 == 27 * 10**6 * 10**6


def test_the_program_of_the_cut_is_explained_rightly(bank: str) -> None:
    shares = np.array([0.4, 0.25, 0.2, 0.1, 0.05])
    sums = np.cumsum(shares)

    assert "The sums are " + ", ".join(f"{total:g}" for total in sums[:2]) + f" and {sums[2]:g}" in bank
    assert f"$0.4/0.85={top_p(shares, 0.7)[0]:.3f}$" in bank
    assert [len(top_p(shares, share)) for share in (0.7, 0.9)] == [3, 4]
    assert f"although {1 - sums[2]:.2f} of the whole has been dropped" in bank


def test_the_threshold_for_each_token_is_the_only_fault_of_its_program() -> None:
    asked = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each for each in asked if each["id"] == "nothing-left")["lines"]

    def kept(logits: NDArray[np.float64], *, mended: bool) -> tuple[list[int], list[float]]:
        names = {"np": np, "softmax": softmax, "z": logits, "T": 1.0, "top_p": 0.9}
        program = [line["fix"] if mended and line.get("right") else line["code"] for line in lines]
        exec("\n".join(program[:-1]), names)  # the repository's own text, all but the draw
        return list(np.asarray(names["keep"])), list(np.asarray(names["q"]))

    shuffled = LOGITS[[2, 0, 3, 1]]
    tokens, shares = kept(shuffled, mended=True)
    assert tokens == [1, 3, 0]
    assert np.allclose(shares, top_p(SHARES, 0.9))
    assert kept(shuffled, mended=False) == ([], [])
    assert kept(np.array([9.0, 1.0]), mended=False) == ([0], [1.0])  # "usually": a sure step still works


def test_the_keys_of_the_families_follow_from_the_definitions() -> None:
    temperature, cut, score = (
        questions()[f"decoding-strategies/{name}"].task for name in ("two-tokens", "top-two", "score-with-penalty")
    )

    for drawn in temperature.grid():
        logits = np.array([drawn["a"], drawn["b"]]) / drawn["T"]
        assert temperature.accepts(softmax(logits)[0], drawn)
    for drawn in cut.grid():
        rest = 1 - drawn["p1"] - drawn["p2"]
        assert cut.accepts(top_k(np.array([drawn["p1"], drawn["p2"], *[rest / 9] * 9]), 2)[0], drawn)
    for drawn in score.grid():
        assert score.accepts(-drawn["s"] / penalty(int(drawn["n"]), drawn["al"]), drawn)
