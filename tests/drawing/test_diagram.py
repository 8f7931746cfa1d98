"""Boxes lie on their grid, keep clear of each other, and arrows end at their edges."""

import re
from itertools import combinations

from courseware.drawing.diagram import Arrow, Box, diagram

FLOW = (
    Box("input", "the input\nof a layer", 2, 1, "data"),
    Box("norm", "Layer norm", 2, 2),
    Box("attention", "Attention", 2, 3, "strong"),
    Box("sum", "+", 2, 4, "sum"),
    Box("other", "A neighbour with a long name", 4, 2),
)
ARROWS = (
    Arrow("input", "norm"),
    Arrow("norm", "attention"),
    Arrow("attention", "sum"),
    Arrow("input", "sum", around="right"),
)


def draw(boxes=FLOW, arrows=ARROWS):
    return diagram(boxes, arrows, key="flow", title="A flow", finding="The input goes around.")


def frames(html):
    pattern = r'<rect class="box[^"]*" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"'
    return [tuple(map(float, found)) for found in re.findall(pattern, html)]


def test_boxes_do_not_overlap_and_lie_within_the_drawing():
    html = draw()
    width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', html).groups())

    found = frames(html)
    assert len(found) == 3
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in found)
    for (x1, y1, w1, h1), (x2, y2, w2, h2) in combinations(found, 2):
        assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1


def test_an_arrow_around_passes_what_lies_between():
    html = draw()
    attention = frames(html)[1]

    out = float(re.search(r'd="M[\d.]+ [\d.]+H([\d.]+)V', html)[1])
    assert out > attention[0] + attention[2]


def test_an_empty_column_takes_no_room():
    near = re.search(r'viewBox="0 0 (\d+)', draw())[1]
    far = re.search(r'viewBox="0 0 (\d+)', draw((*FLOW[:4], Box("other", "A neighbour with a long name", 8, 2))))[1]

    assert near == far


def test_lines_of_a_text_stand_below_each_other():
    lines = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(the input|of a layer)<', draw())

    assert lines[0][0] == lines[1][0]
    assert float(lines[1][1]) - float(lines[0][1]) == 17


def test_words_on_an_arrow_around_have_room():
    around = Arrow("input", "sum", "unchanged input", around="right")
    boxes = FLOW[:4]

    wide = re.search(r'viewBox="0 0 (\d+)', draw(boxes, (*ARROWS[:3], around)))[1]
    narrow = re.search(r'viewBox="0 0 (\d+)', draw(boxes, ARROWS))[1]

    assert int(wide) - int(narrow) >= 2 * 7 * len("unchanged input")
