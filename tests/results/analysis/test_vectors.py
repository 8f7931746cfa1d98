"""Every value of the published vectors, to the nine places that the file gives, and what must never come out."""

import json
import random
from pathlib import Path

import pytest

from courseware.results.analysis.classical import Reason, classical, kr21
from courseware.results.analysis.groups import end_size
from courseware.results.analysis.moments import correlation
from courseware.results.analysis.picks import picks
from courseware.results.analysis.pools import mean_squares, nested_reliability, pool

VECTORS = json.loads((Path(__file__).parent / "item_statistics_vectors.json").read_text())
COMPLETE = [name for name, vector in VECTORS.items() if "max" in vector and "pool" not in name] + [
    "V11_formula_generated"
]


def near(expected):
    return expected if expected is None else pytest.approx(expected, abs=5.1e-10, rel=0)


def _table(name):
    if name == "V11_formula_generated":
        rows = [
            [int(((7 * s + 13 * i + s * i) % 17) / 17 < (s + 1) / 41 * 0.8 + 0.1) for i in range(8)] for s in range(40)
        ]
        return rows, [1] * 8
    return VECTORS[name]["X"], VECTORS[name]["max"]


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_table_gives_the_files_values(name):
    table, maxima = _table(name)
    expected = VECTORS[name]["out"]

    found = classical(table, maxima)

    assert (len(table), len(maxima), end_size(len(table))) == (expected["n"], expected["k"], expected["g27"])
    assert [sum(row) for row in table] == expected["total"]
    totals = found.totals
    for statistic, key in (
        (totals.mean, "mean"),
        (totals.median, "median"),
        (totals.sd, "sd"),
        (totals.skewness, "skew_G1"),
        (totals.kurtosis, "kurt_G2"),
        (found.alpha.number, "alpha"),
        (found.sem, "sem"),
    ):
        assert statistic == near(expected[key]), key
    for value, key in (
        (lambda item: item.facility, "facility"),
        (lambda item: item.sd, "item_sd"),
        (lambda item: item.item_total.number, "r_item_total"),
        (lambda item: item.item_rest.number, "r_item_rest"),
        (lambda item: item.efficiency.number, "disc_efficiency"),
        (lambda item: item.alpha_without.number, "alpha_if_deleted"),
        (lambda item: item.upper_lower.number, "D27_fractional_ties"),
        (lambda item: item.intended_weight, "intended_weight"),
        (lambda item: item.effective_weight.number, "effective_weight"),
    ):
        assert [value(item) for item in found.items] == [near(each) for each in expected[key]], key


def test_what_is_not_defined_says_why():
    constant_item = classical(*_table("V3_zero_variance_item")).items[0]
    constant_total = classical(*_table("V4_zero_variance_total"))
    alone = classical(*_table("V5_n1"))
    single = classical(*_table("V7_k1"))

    assert constant_item.item_rest.reason is constant_item.efficiency.reason is Reason.CONSTANT_ITEM
    assert constant_total.alpha.reason is constant_total.items[0].upper_lower.reason is Reason.CONSTANT_TOTAL
    assert alone.alpha.reason is alone.items[0].item_rest.reason is Reason.NEEDS_TWO
    assert (single.alpha.reason, single.items[0].item_rest.reason) == (Reason.ONE_QUESTION, Reason.CONSTANT_REST)
    assert classical(*_table("V2_partial_negative")).items[4].effective_weight.reason is Reason.NEGATIVE


def test_reliabilities_of_right_and_wrong_are_the_files_and_not_the_mixed_one():
    vector = VECTORS["V1_dichotomous"]
    table, maxima = _table("V1_dichotomous")
    found = classical(table, maxima)

    assert found.alpha.number == near(vector["kr20"]) != near(vector["kr20_WRONG_mixed_ddof"])
    assert kr21([sum(row) for row in table], 5) == near(vector["kr21"])
    assert nested_reliability(table).number == near(vector["icc1k_nested"])
    appended = classical([[*row, 1] for row in table], [1] * 6)
    assert appended.alpha.number == near(VECTORS["V1b_constant_item_appended"]["alpha"])
    assert appended.items[5].alpha_without.number == near(vector["kr20"])


def test_random_pools_leave_out_what_was_not_drawn():
    table, maxima = _table("V8_random_pool")
    expected = VECTORS["V8_random_pool"]["out"]
    drawn = [[value for value in row if value is not None] for row in table]

    found = pool(table, maxima)

    assert [item.seen for item in found.items] == expected["n_seen"]
    assert [item.facility for item in found.items] == [near(each) for each in expected["facility"]]
    assert [item.item_rest.number for item in found.items] == [near(each) for each in expected["r_item_restpct"]]
    squares = mean_squares(drawn)
    assert (squares.between, squares.within) == (near(expected["MSB"]), near(expected["MSW"]))
    assert found.reliability.number == near(expected["nested_reliability_ICC1k"])
    shares = [sum(row) / len(row) for row in drawn]
    assert shares == expected["total_pct"]
    assert classical(drawn, [1] * 4).alpha.number == near(expected["slot_alpha"])


def test_random_pools_are_neither_zero_filled_nor_compared_with_totals_that_hold_the_item():
    table, maxima = _table("V8_random_pool")
    expected = VECTORS["V8_random_pool"]["out"]
    filled = classical([[value or 0 for value in row] for row in table], maxima)
    shares = expected["total_pct"]
    inflated = [
        correlation(
            [row[at] for row in table if row[at] is not None],
            [share for row, share in zip(table, shares, strict=True) if row[at] is not None],
            scales=(1, 1),
        )
        for at in range(6)
    ]

    found = pool(table, maxima)

    # The wrong values are what the wrong ways give, so they are known to be avoided.
    assert [item.facility for item in filled.items] == [near(each) for each in expected["zero_filled_facility_WRONG"]]
    assert filled.alpha.number == near(expected["zero_filled_alpha_WRONG"])
    assert inflated == [near(each) for each in expected["r_item_total_moodle_subq"]]
    assert found.reliability.number != near(expected["zero_filled_alpha_WRONG"])
    for item, filled_facility, whole in zip(found.items, filled.items, inflated, strict=True):
        assert item.facility > filled_facility.facility
        assert item.item_rest.number < whole


def test_options_are_correlated_with_the_score():
    vector = VECTORS["V10_distractor"]

    lines = picks(list("ABCDE"), [{choice} for choice in vector["choice"]], vector["score"], [])

    for line in lines:
        expected = vector["out"][line.key]
        found = {"n": line.count, "p": line.share, "r_pb": line.with_rest, "mean_total": line.mean_rest}
        assert found == {name: near(value) for name, value in expected.items()}


def test_ties_are_shared_where_others_widen_the_upper_group():
    table, maxima = _table("V9_ties")
    widened = VECTORS["V9_ties"]["canvas_buckets"]["D"]

    found = [item.upper_lower.number for item in classical(table, maxima).items]

    assert all(ours != near(theirs) for ours, theirs in zip(found, widened, strict=True))


@pytest.mark.parametrize("name", ["V2_partial_negative", "V9_ties", "V11_formula_generated"])
def test_neither_order_nor_scale_nor_a_gift_to_everybody_changes_what_they_must_not(name):
    table, maxima = _table(name)
    before = classical(table, maxima)
    chance = random.Random(name)
    rows, columns = chance.sample(table, len(table)), chance.sample(range(len(maxima)), len(maxima))

    moved = classical([[row[at] for at in columns] for row in rows], [maxima[at] for at in columns])
    scaled = classical([[3.7 * value for value in row] for row in table], [3.7 * top for top in maxima])
    gift = classical([[row[0] + 2, *row[1:]] for row in table], [maxima[0] + 2, *maxima[1:]])

    assert moved.alpha.number == near(before.alpha.number) == near(scaled.alpha.number)
    for at, column in enumerate(columns):
        for one, other in ((moved.items[at], before.items[column]), (scaled.items[at], before.items[at])):
            assert one.facility == near(other.facility)
            assert one.item_rest.number == near(other.item_rest.number)
            assert one.upper_lower.number == near(other.upper_lower.number)
    assert [item.item_rest.number for item in gift.items] == [near(item.item_rest.number) for item in before.items]
    assert all(item.item_rest.number <= item.item_total.number for item in before.items)
