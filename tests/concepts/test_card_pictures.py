"""A card's pictures are drawn from its front matter, and what cannot be drawn is reported where it stands."""

import pytest

from tests.concepts.courses import load, make_course
from tests.concepts.test_cards import WHOLE, breach


def test_card_may_show_weights_over_words(tmp_path):
    picture = (
        "weights_example:\n  title: Where does it look?\n  words: [A, wave, moves]\n  weights: [0.1, 0.7, 0.2]\n"
        "  asks: 3\n  caption: An illustration.\nfacts:"
    )
    card = load(make_course(tmp_path, card=WHOLE.replace("facts:", picture, 1))).module.concepts[0].card

    assert '<ruby class="w4">wave<rt>.70</rt></ruby>' in card.picture


def test_weights_that_do_not_add_up_are_a_fault(tmp_path):
    picture = "weights_example: {title: a, words: [a, b], weights: [0.1, 0.2], asks: 1, caption: c}\nfacts:"

    (fault,) = breach(tmp_path, WHOLE.replace("facts:", picture, 1))

    assert "weights_example.weights: weights lie between 0 and 1 and add up to 1, not to 0.30" in fault


def test_words_and_title_of_weights_hold_no_markup(tmp_path):
    picture = "weights_example: {title: $t$, words: [a, '*b*'], weights: [0.1, 0.9], asks: 1, caption: c}\nfacts:"

    faults = breach(tmp_path, WHOLE.replace("facts:", picture, 1))

    assert [fault.partition(": ")[2].partition(":")[0] for fault in faults] == [
        "weights_example.title",
        "weights_example.words",
    ]


MATRIX = """\
matrix_example:
  section: height
  caption: Two waves & a quay.
  rows: {word: wave, letter: w}
  columns: {word: place, letter: p}
  matrices:
    - title: Heights
      finding: The quay blocks the second place.
      values: [[1, -.inf], [0.5, 2]]
    - title: Shares
      finding: Every row adds up to 1.
      sums: true
      values: [[1, 0], [0.2, 0.8]]
facts:"""


def test_section_may_show_matrices_with_their_numbers_in_tables(tmp_path):
    card = load(make_course(tmp_path, card=WHOLE.replace("facts:", MATRIX, 1))).module.concepts[0].card

    picture = card.section("height").picture
    assert picture.count('<svg viewBox="') == picture.count('<table class="data">') == 2
    assert 'role="img" aria-labelledby="ripples-height-matrix-1.1-title ripples-height-matrix-1.1-finding"' in picture
    assert '<th scope="row">wave 1</th><td>1</td><td>minus infinity</td>' in picture
    assert '<th scope="row">wave 2</th><td>0.20</td><td>0.80</td><td>1</td>' in picture
    assert "<figcaption>Two waves &amp; a quay.</figcaption>" in picture
    assert [section.picture for section in card.sections if section.id != "height"] == [""] * 3


@pytest.mark.parametrize(
    ("old", "new", "at", "reason"),
    [
        ("section: height", "section: hight", "section", "'hight' is no section of this card"),
        ("letter: w", "leter: w", "rows.letter", "is missing"),
        ("letter: w", "letter: w, colour: red", "rows.colour", "is not a key that is known here"),
        ("-.inf", "high", "matrices.0.values", "are numbers, or .inf and -.inf, not 'high'"),
        ("-.inf", ".nan", "matrices.0.values", "not nan"),
        ("[[1, -.inf], [0.5, 2]]", "[1, 2]", "matrices.0.values", "are lists of numbers, one for each row"),
        ("[0.5, 2]", "[0.5]", "matrices.0.values", "all rows of a matrix have one length"),
        ("title: Shares", "titel: Shares", "matrices.1.title", "is missing"),
        ("title: Shares", "title: Shares of $x$", "matrices.1.title", "is shown as it is written"),
        ("adds up to 1.", "adds up to *one*.", "matrices.1.finding", "is shown as it is written"),
        ("waves & a quay", "waves & a `quay`", "caption", "is shown as it is written"),
        ("word: wave", "word: $w$", "rows.word", "is shown as it is written"),
        ("sums: true", "sums: 1", "matrices.1.sums", "must be true or false"),
    ],
)
def test_matrix_that_cannot_be_drawn_is_a_fault(tmp_path, old, new, at, reason):
    assert old in MATRIX

    faults = breach(tmp_path, WHOLE.replace("facts:", MATRIX.replace(old, new, 1), 1))

    assert any(f": matrix_example.{at}: " in fault and reason in fault for fault in faults)


CHART = """\
charts:
  - section: speed
    title: How far a wave comes
    finding: The fast wave is twice as far at every moment.
    caption: Two waves.
    x: {label: seconds, values: [1, 10, 100], log: true}
    y: {label: metres}
    lines:
      - {label: slow, values: [1, 10, 100]}
      - {label: fast, values: [2, 20, 200]}
diagrams:
  - section: speed
    title: From stone to shore
    finding: The stone makes a wave, and the wave reaches the shore.
    caption: A path.
    boxes:
      - {id: stone, text: A stone, at: [1, 1], look: data}
      - {id: wave, text: A wave, at: [1, 2]}
      - {id: shore, text: The shore, at: [1, 3], look: strong}
    arrows:
      - {from: stone, to: wave}
      - {from: wave, to: shore, text: at last}
      - {from: stone, to: shore, around: right}
facts:"""


def test_section_may_show_charts_and_diagrams(tmp_path):
    card = load(make_course(tmp_path, card=WHOLE.replace("facts:", CHART, 1))).module.concepts[0].card

    picture = card.section("speed").picture
    assert 'aria-labelledby="ripples-speed-chart-1-title ripples-speed-chart-1-finding"' in picture
    assert '<th scope="row">100</th><td>100</td><td>200</td>' in picture
    assert picture.count('class="arrow"') == 3
    assert picture.index("Two waves.") < picture.index("A path.")


@pytest.mark.parametrize(
    ("old", "new", "at", "reason"),
    [
        ("section: speed", "section: sped", "charts.0.section", "'sped' is no section of this card"),
        ("[1, 10, 100], log", "[1, 100, 10], log", "charts.0.lines", "in ascending order"),
        ("[1, 10, 100], log", "[0, 10, 100], log", "charts.0.lines", "is logarithmic and has a value that is not"),
        ("slow, values: [1, 10, 100]", "slow, values: [1, 10]", "charts.0.lines", "'slow' has 2 values for 3 places"),
        ("label: metres", "label: metres, unit: m", "charts.0.y.unit", "is not a key that is known here"),
        ("finding: The fast", "found: The fast", "charts.0.finding", "is missing"),
        ("label: slow", "label: $s$", "charts.0.lines.0.label", "is shown as it is written"),
        ("text: A wave", "text: A *wave*", "diagrams.0.boxes.1.text", "is shown as it is written"),
        ("text: at last", "text: at `last`", "diagrams.0.arrows.1.text", "is shown as it is written"),
        ("at: [1, 2]", "at: [1]", "diagrams.0.boxes.1.at", "is a column and a row"),
        ("at: [1, 2]", "at: [1, 3]", "diagrams.0.boxes", "two boxes have one id, or one place"),
        ("at: [1, 2]", "at: [1, 20]", "diagrams.0.boxes", "'wave' lies off the grid"),
        ("look: strong", "look: bold", "diagrams.0.boxes", "'shore' looks 'bold'"),
        ("to: shore, text", "to: sea, text", "diagrams.0.boxes", "an arrow joins 'sea', which is no box"),
        ("around: right", "around: up", "diagrams.0.boxes", "leads around on the left or right, not 'up'"),
    ],
)
def test_chart_or_diagram_that_cannot_be_drawn_is_a_fault(tmp_path, old, new, at, reason):
    assert old in CHART

    faults = breach(tmp_path, WHOLE.replace("facts:", CHART.replace(old, new, 1), 1))

    assert any(f": {at}: " in fault and reason in fault for fault in faults)


def test_matrix_example_without_a_matrix_is_a_fault(tmp_path):
    picture = MATRIX[: MATRIX.index("  matrices:")] + "  matrices: []\nfacts:"

    (fault,) = breach(tmp_path, WHOLE.replace("facts:", picture, 1))

    assert "matrix_example.matrices: holds no matrix" in fault
