from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.numbers import read_as, read_number, spell
from quizzes.questions import Unreadable

NBSP, THIN = "\u00a0", "\u2009"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.25", "0.25"),
        ("0,25", "0.25"),
        ("1,5", "1.5"),
        ("0,123", "0.123"),  # a leading zero groups nothing
        ("1234,567", "1234.567"),  # four digits before a comma are no group of three
        ("1.000", "1"),
        ("+5", "5"),
        (".5", "0.5"),
        (",5", "0.5"),
        ("5.", "5"),
        ("1e-3", "0.001"),
        ("1E+3", "1000"),
        ("1 e3", "1000"),
        ("1 000", "1000"),
        (f"12{NBSP}345,6", "12345.6"),
        (f"1{THIN}000{THIN}000", "1000000"),
        ("1,000,000", "1000000"),
        ("1.000,5", "1000.5"),
        ("1,000.5", "1000.5"),
        ("\u22125", "-5"),
        ("\uff0d5", "-5"),
        ("- 5", "-5"),
        (f"{NBSP}5{NBSP}", "5"),
        ("１２", "12"),
        ("١٢", "12"),
        ("3/8", "0.375"),
        ("-3 / 8", "-0.375"),
        ("3\u20448", "0.375"),
        ("1,5/2", "0.75"),
        ("1e-3/2", "0.0005"),
        ("50%", "0.5"),
        ("12,5 %", "0.125"),
        ("１０\uff05", "0.1"),
    ],
)
def test_a_number_is_read_however_it_is_written(text, value):
    assert read_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "   ", NBSP])
def test_blanks_are_no_answer(text):
    assert read_number(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "abc", "nan", "NaN", "inf", "-Infinity", "1e400", "1e-400", "1e9999", "9" * 400,
        "1/2/3", "1/", "/2", "1/0", "1//2", "1 1/2", "%", "5%%", "% 5", "1_000", "0x10", "1 00",
        "1 0000", "1,00,000", "1.0.0", "--5", "5 m", "1e", "e5", "10²", "½", "1,5,", "1e3.5", "$5", "=1+1",
    ],
)  # fmt: skip
def test_what_is_not_one_number_is_refused_with_a_sentence(text):
    refused = read_number(text)

    assert isinstance(refused, Unreadable)
    assert refused.reason.endswith(".")


def test_a_comma_before_three_digits_is_refused_with_both_readings():
    for text, readings in (("1,000", ("1 or as 1000", "1.000")), ("12,345", ("12.345 or as 12345", "12.345"))):
        refused = read_number(text)
        assert isinstance(refused, Unreadable)
        assert all(reading in refused.reason for reading in readings)


def test_the_questions_own_unit_may_follow_and_no_other():
    assert read_number("66 pairs", "pairs") == read_number("66Pairs", "pairs") == Decimal(66)
    assert isinstance(read_number("66 bytes", "pairs"), Unreadable)
    assert isinstance(read_number("pairs", "pairs"), Unreadable)


def test_a_fraction_of_a_number_with_two_readings_is_refused_with_both():
    refused = read_number("1,000/3")
    assert isinstance(refused, Unreadable)
    assert "1 or as 1000" in refused.reason


def test_percent_is_the_unit_where_the_question_asks_for_percent():
    assert read_number("50 %", "%") == read_number("50", "%") == Decimal(50)


@pytest.mark.parametrize(
    ("text", "words"), [("3/8", "0.375"), ("1/3", "about 0.333333333333"), ("2e30/3", "about 6666"), ("-5%", "−0.05")]
)
def test_a_receipt_says_what_was_read(text, words):
    read = read_number(text)
    assert isinstance(read, Decimal)
    assert read_as(read).startswith(words)


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6))
def test_a_fraction_is_read_as_its_quotient_to_the_last_bit(above, below):
    read = read_number(f"{above}/{below}")
    assert isinstance(read, Decimal)
    assert float(read) == above / below


@given(st.floats(-1e12, 1e12, allow_nan=False))
def test_what_is_spelt_is_read_as_the_same_number(value):
    exact = Decimal(repr(value))
    if exact and abs(exact) < Decimal("1e-20"):
        return
    shown = spell(value, None)
    read = read_number(shown)

    assert len(shown) > 60 or read == exact


@given(st.text(max_size=70))
def test_no_text_makes_reading_fail(text):
    read_number(text, "pairs")


@pytest.mark.parametrize(
    ("value", "decimals", "fixed", "text"),
    [
        (2.675, 2, False, "2.68"),  # half up in decimal, where binary rounding gives 2.67
        (0.5, 0, False, "1"),
        (1 / 3, 3, False, "0.333"),
        (0.5, 3, False, "0.5"),
        (0.5, 3, True, "0.500"),
        (8.0, 3, False, "8"),
        (8.0, 2, True, "8.00"),
        (1000000, 3, False, "1000000"),
        (-1.5, 1, False, "−1.5"),
        (0.00001, 3, False, "1.0e−5"),
    ],
)
def test_a_number_is_spelt_with_its_decimals(value, decimals, fixed, text):
    assert spell(value, decimals, fixed=fixed) == text
