"""Lines are placed by their numbers, told apart without colour, and tabled with the same numbers."""

import re
from xml.etree import ElementTree

import pytest

from courseware.drawing.chart import Line, Scale, chart, short

TOKENS, SCORES = Scale("tokens"), Scale("scores")


def draw(xs, *lines, x=TOKENS, y=SCORES):
    named = [Line(f"line {at}", values) for at, values in enumerate(lines, start=1)]
    return chart(xs, named, x=x, y=y, key="cost", title="Cost", finding="It grows.")


def points(html, line):
    svg = ElementTree.fromstring(re.search(r"<svg.*?</svg>", html)[0])
    return [
        (float(dot.get("cx")), float(dot.get("cy"))) for dot in svg.iter("circle") if dot.get("class") == f"dot l{line}"
    ]


def test_equal_steps_are_equally_far_apart():
    (x1, y1), (x2, y2), (x3, y3) = points(draw([0, 5, 10], [0, 50, 100]), 1)

    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.11)
    assert y1 - y2 == pytest.approx(y2 - y3, abs=0.11)
    assert y1 > y3  # larger is higher


def test_equal_factors_are_equally_far_apart_on_logarithmic_axes():
    html = draw([1, 10, 100], [2, 20, 200], x=Scale("tokens", is_logarithmic=True), y=Scale("", is_logarithmic=True))
    (x1, y1), (x2, y2), (x3, y3) = points(html, 1)

    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.11)
    assert y1 - y2 == pytest.approx(y2 - y3, abs=0.11)


def test_lines_differ_by_their_dashes_and_are_named_in_the_key():
    html = draw([1, 2], [1, 2], [2, 4], [3, 6], [4, 8])

    dashes = re.findall(r'class="curve l(\d)" d="M[^"]*"( stroke-dasharray="[^"]+")?', html)
    assert len({dash for _, dash in dashes}) == 4
    assert all(f">line {at}</text>" in html for at in range(1, 5))


def test_a_line_that_stays_at_one_value_can_be_drawn():
    assert len({y for _, y in points(draw([1, 2, 3], [7, 7, 7]), 1)}) == 1


def test_the_largest_value_stays_within_the_drawing():
    html = draw([512, 1024, 2048], [0.3, 17, 5003])

    height = float(re.search(r'viewBox="0 0 \d+ (\d+)"', html)[1])
    assert all(0 < x < 360 and 0 < y < height for x, y in points(html, 1))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (0.25, "0.25"),
        (1 / 3, "0.3333"),
        (1536, "1,536"),
        (-2, "−2"),
        (2_500_000, "2.5 million"),
        (1e9, "1 billion"),
    ],
)
def test_numbers_are_short(value, said):
    assert short(value) == said
