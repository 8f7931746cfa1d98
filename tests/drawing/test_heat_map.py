"""A matrix is drawn for eyes and tabled for everyone, with the same numbers in both."""

import math
import re
from xml.etree import ElementTree

import pytest

from courseware.drawing.heat_map import Axis, heat_map, number
from courseware.drawing.matrices import matrix

WEIGHTS = matrix([[0.14, 0.284, 0.576], [1, 0, 0]])


def draw(values=WEIGHTS, **options):
    options = {"key": "yours", "title": "Your weights", "finding": "Every row adds up to 1.", **options}
    return heat_map(values, **options)


def svg_of(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(re.search(r"<svg.*?</svg>", html)[0])


def test_picture_is_named_and_described():
    svg = svg_of(draw())

    assert svg.get("role") == "img"
    title, finding = svg.find("title"), svg.find("desc")
    assert svg.get("aria-labelledby") == f"{title.get('id')} {finding.get('id')}"
    assert (title.text, finding.text) == ("Your weights", "Every row adds up to 1.")


def test_table_holds_the_same_numbers_with_their_rows_and_columns():
    html = draw()

    drawn = [text.text for text in svg_of(html).findall("text") if not text.get("class")]
    tabled = re.findall(r"<td>(.*?)</td>", html)
    assert drawn == [value.replace("0.", ".") for value in tabled] == [".14", ".28", ".58", "1", "0", "0"]
    assert re.findall(r'<th scope="col">(.*?)</th>', html) == ["key 1", "key 2", "key 3"]
    assert re.findall(r'<th scope="row">(.*?)</th>', html) == ["query 1", "query 2"]


def test_table_scrolls_in_a_region_of_its_own():
    assert '<div class="roll" tabindex="0" role="group" aria-label="Table: Your weights">' in draw()


def test_strength_follows_the_value():
    strengths = [float(cell.get("fill-opacity")) for cell in svg_of(draw()).findall("rect")]

    assert strengths == [0.14, 0.28, 0.58, 1, 0, 0]


def test_two_pictures_can_share_one_scale():
    html = draw(matrix([[0.5, 0.5]]), full_strength=1.0)

    assert [cell.get("fill-opacity") for cell in svg_of(html).findall("rect")] == ["0.50", "0.50"]


def test_difference_says_its_sign_in_text_and_by_hue():
    html = draw(matrix([[0.42, -0.1, 0]]), is_difference=True)

    assert [cell.get("class") for cell in svg_of(html).findall("rect")] == ["p", "c", "c"]
    assert re.findall(r"<td>(.*?)</td>", html) == ["+0.42", "−0.10", "0"]


def test_row_sums_stand_beside_the_rows_and_those_off_one_are_marked():
    html = draw(matrix([[0.5, 0.5], [0.9, 0.81]]), shows_sums=True)

    sums = [
        (text.get("class"), text.text) for text in svg_of(html).findall("text") if text.get("class") in ("ok", "hot")
    ]
    assert sums == [("ok", "1"), ("hot", "1.71")]
    assert '<th scope="col">sum</th>' in html
    assert html.count("<td>1.71</td>") == 1


def test_what_is_no_number_is_said():
    html = draw(matrix([[-math.inf, math.nan, math.inf]]))

    assert re.findall(r"<td>(.*?)</td>", html) == ["minus infinity", "not a number", "infinity"]
    assert [cell.get("class") for cell in svg_of(html).findall("rect")] == ["g", "g", "g"]


@pytest.mark.parametrize(("size", "texts", "cells"), [(32, 32 * 32 + 64, 32 * 32), (33, 0, 33 * 33), (64, 0, 64 * 64)])
def test_numbers_are_printed_while_they_can_be_read(size, texts, cells):
    svg = svg_of(draw(matrix([[1 / size] * size] * size)))

    assert (len(svg.findall("text")), len(svg.findall("rect"))) == (texts, cells)


def test_large_matrix_is_drawn_in_blocks_and_says_so():
    html = draw(matrix([[0.0, 1.0] * 50] * 100))

    cells = svg_of(html).findall("rect")
    assert len(cells) == 50 * 50
    assert {cell.get("fill-opacity") for cell in cells} == {"0.50"}
    assert "mean of a block" in svg_of(html).find("desc").text
    assert html.count("<td>") == 100 * 100


def test_too_large_or_nameless_is_refused():
    with pytest.raises(ValueError, match="at most 128"):
        draw(matrix([[0.0] * 129]))
    with pytest.raises(ValueError, match="says what is to be seen"):
        draw(finding="")


def test_words_from_elsewhere_are_escaped():
    html = draw(title="<script>", finding='"><b onload=x>', key='k"><i>', rows=Axis("<i>", "<b >"))

    assert "<script>" not in html
    assert "<b " not in html
    assert "<i>" not in html


def test_page_policy_finds_no_style():
    assert "style" not in draw(shows_sums=True, is_difference=True)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-0.001, "0"),
        (1.0, "1"),
        (-1.5, "−1.50"),
        (0.576, "0.58"),
        (12.0, "12"),
        (-math.inf, "−∞"),
        (0.999, "1"),
    ],
)
def test_numbers_have_two_decimals_and_a_true_minus(value, shown):
    assert number(value) == shown


def test_cells_are_of_one_size_with_and_without_sums():
    with_sums, without = svg_of(draw(shows_sums=True)), svg_of(draw())

    assert with_sums.get("viewBox") == without.get("viewBox")
    assert [text.text for text in with_sums.findall("text")].count("sum") == 1
