"""Counts as bars: wide enough to see, never a wall, and named as far as the names have room."""

import re

from courseware.drawing.bars import bars


def _drawn(counts, names):
    picture = bars(counts, names, key="k", title="T", finding="F", heads=("Week", "Learners"))
    widths = [float(width) for width in re.findall(r'<rect class="c" [^>]*width="([\d.]+)"', picture)]
    return widths, re.findall(r'class="dim"[^>]*>([^<]+)<', picture)


def test_a_lone_bar_is_no_wider_than_one_of_seven():
    assert _drawn([3], ["30 Nov"])[0] == _drawn([1] * 7, ["30 Nov"] * 7)[0][:1]


def test_names_are_left_out_rather_than_drawn_over_each_other():
    months = [f"{day} Nov" for day in range(10, 30)]

    assert _drawn([1] * 19, [str(number) for number in range(1, 20)])[1] == [str(number) for number in range(1, 20)]
    assert _drawn([1] * 20, months)[1] == months[::2]
