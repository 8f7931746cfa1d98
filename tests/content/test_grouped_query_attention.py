"""Every number that the card, the bank and the misconceptions of grouped heads print is recomputed here."""

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/18-grouped-query-attention"
GIB, MIB = 2**30, 2**20


def bytes_of_a_token(layers: int, sets: int, *, width: int = 128, number: int = 2) -> int:
    return 2 * layers * sets * width * number


def groups_of(heads: int, groups: int) -> list[int]:
    """Number the groups by dealing neighbours into them, without the formula of the card."""
    return [group for group in range(groups) for _ in range(heads // groups)]


def test_the_table_of_sizes_is_right(card: str, misconceptions: str) -> None:
    found = rows_of_table(CONCEPT / "card.md", "key and value heads | bytes for one token")

    assert found == [
        [f"{name}, {sets}", f"{bytes_of_a_token(80, sets):,}", f"{bytes_of_a_token(80, sets) * 4096 / GIB:g} GiB"]
        for name, sets in (("multi-head", 64), ("grouped", 8), ("multi-query", 1))
    ]
    small = bytes_of_a_token(32, 8)
    assert f"a token takes {small:,} bytes, and 8,192 tokens take {small * 8192 / GIB:g} GiB" in card
    assert f"takes {bytes_of_a_token(80, 8):,} bytes and not {bytes_of_a_token(80, 64):,}" in misconceptions
    assert f"keeps {80 * 64 * 2:,} vectors for every single token" in card
    assert f"and {80 * 8 * 2:,} vectors are enough" in card
    assert f"there are {64 * 4096:,} scores in a step" in misconceptions


def test_the_chart_shows_these_sizes() -> None:
    chart = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])["charts"]

    assert [line["values"] for line in chart["lines"]] == [
        [bytes_of_a_token(80, sets) * tokens / GIB for tokens in chart["x"]["values"]] for sets in (64, 8, 1)
    ]
    assert f"1 takes {bytes_of_a_token(80, 1) * 4096 / GIB + 1e-9:.4f} GiB" in " ".join(chart["finding"].split())


def test_the_parameters_and_the_operations_for_each_byte_are_right(card: str) -> None:
    assert f"8 groups take {2 * 4096 * 8 * 128:,} in place of {2 * 4096 * 32 * 128:,} for each layer" in card
    assert 8 / 32 == 1 / 4  # "That is a quarter"
    assert (2 * 128 + 2 * 128) / (2 * 128 * 2) == 2 / 2 == 1  # "one operation for each byte"
    assert "An A100 could do more than a hundred" in card
    assert 312e12 / 2e12 > 100  # operations of 16 bits and bytes per second, as its makers give them


def test_the_map_of_heads_is_right(card: str) -> None:
    used = groups_of(8, 2)

    assert "With 8 query heads and 2 groups, $h/G$ is 4" in card
    assert rows_of_table(CONCEPT / "card.md", "query heads") == [
        [", ".join(str(head) for head in range(8) if used[head] == group), f"{group}"] for group in range(2)
    ]


def test_the_pooled_matrix_is_right(card: str) -> None:
    pooled = np.mean([[[1, 2], [3, 4]], [[3, 0], [1, 2]]], axis=0)

    assert r"\begin{pmatrix}1&2\\3&4\end{pmatrix}+\begin{pmatrix}3&0\\1&2\end{pmatrix}" in card
    printed = r"\\".join("&".join(f"{value:.0f}" for value in row) for row in pooled)
    assert rf"=\begin{{pmatrix}}{printed}\end{{pmatrix}}" in card


def test_repeat_and_tile_give_the_orders_that_are_named(card: str, bank: str, misconceptions: str) -> None:
    assert "gives the order 0, 0, 1, 1" in card
    assert list(np.repeat([0, 1], 2)) == [0, 0, 1, 1] == groups_of(4, 2)
    assert "gives 0, 1, 0, 1 and sends half of the heads to the wrong group" in card
    assert list(np.tile([0, 1], 2)) == [0, 1, 0, 1]
    wrong = [head for head in range(4) if np.tile([0, 1], 2)[head] != groups_of(4, 2)[head]]
    assert wrong == [1, 2]
    assert "Query heads 1 and 2 then meet the keys of the wrong group" in misconceptions
    assert "Query head 1 then compares itself with the keys of group 1 and takes the values of group 0" in bank


def test_the_tiled_keys_are_the_only_fault_of_their_program() -> None:
    asked = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each for each in asked if each["id"] == "wrong-order")["lines"]
    random = np.random.default_rng(18)
    queries, keys, values = (random.standard_normal((heads, 5, 3)) for heads in (12, 3, 3))

    def result(*, mended: bool) -> NDArray[np.float64]:
        program = [line["fix"] if mended and line.get("right") else line["code"] for line in lines]
        names = {"np": np, "softmax": softmax}
        exec("def body(q, k, v):\n" + "\n".join(f"    {line}" for line in program), names)
        return np.asarray(names["body"](queries, keys, values))  # type: ignore[operator]

    expected = [
        softmax(query @ keys[group].T / np.sqrt(3)) @ values[group]
        for query, group in zip(queries, groups_of(12, 3), strict=True)
    ]
    assert np.allclose(result(mended=True), expected)
    right = [np.allclose(one, other) for one, other in zip(result(mended=False), expected, strict=True)]
    assert right == [head % 3 == group for head, group in enumerate(groups_of(12, 3))]


def test_two_queries_over_the_same_keys_differ_as_said(bank: str, misconceptions: str) -> None:
    keys = np.eye(2)

    assert "a query (2, 0) gives the scores 2 and 0, a query (0, 2) the scores 0 and 2" in bank
    assert (np.array([[2, 0], [0, 2]]) @ keys.T).tolist() == [[2, 0], [0, 2]]
    assert "the query (1, 0) prefers the first and the query (0, 1) the second" in misconceptions
    assert np.argmax(np.eye(2) @ keys.T, axis=1).tolist() == [0, 1]
    assert "With 32 of them and 1,000 tokens there are 32,000 scores in a step" in bank
    assert "Six would be right for 36 query heads" in bank


def test_the_keys_of_the_families_are_counts() -> None:
    which = questions()["grouped-query-attention/which-set"].task
    for drawn in which.grid():
        assert which.accepts(groups_of(int(drawn["h"]), int(drawn["G"]))[int(drawn["i"])], drawn)
    size = questions()["grouped-query-attention/cache-in-mib"].task
    for drawn in size.grid():
        token = bytes_of_a_token(int(drawn["L"]), int(drawn["G"]))
        assert size.accepts(token * int(drawn["n"]) / MIB, drawn)


def test_pytorch_repeats_each_set_by_itself() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    queries, keys, values = (torch.randn(1, heads, 5, 3) for heads in (4, 2, 2))
    attend = torch.nn.functional.scaled_dot_product_attention

    grouped = attend(queries, keys, values, enable_gqa=True)

    repeated = attend(queries, keys.repeat_interleave(2, 1), values.repeat_interleave(2, 1))
    assert torch.allclose(grouped, repeated)
