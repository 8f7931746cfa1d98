"""A card keeps its contract by machine: each breach is a fault at its own line."""

import pytest

from courseware.concepts.cards import article_url
from courseware.concepts.markup import render_inline
from tests.concepts.courses import card_text, faults_of, line_of, load, make_course

PATH = "01-waves/concepts/01-ripples/card.md"
WHOLE = card_text()


def breach(tmp_path, text: str) -> list[str]:
    return [fault.removeprefix(f"{PATH}:") for fault in faults_of(make_course(tmp_path, card=text))]


def test_card_that_keeps_every_rule_is_rendered(tmp_path):
    card = load(make_course(tmp_path)).module.concepts[0].card

    assert (len(card.five_lines), len(card.fifteen_lines), len(card.recap)) == (5, 15, 3)
    assert [section.id for section in card.sections] == ["speed", "height", "both", "in-order"]
    assert card.sections[3].html.startswith('<ol class="steps">')
    assert card.recap[2] == render_inline("Speed is $l/t$.")
    assert card.further_reading[0] == (
        '<a href="https://example.org/waves?a=1&amp;b=2" rel="noopener">A first book on <em>waves</em></a>'
    )
    assert card.encyclopaedia[0].url == "https://en.wikipedia.org/wiki/Capillary_wave"
    assert dict(card.facts) == {"F1": "$h_i$ is the height", "F2": "length over time E=vh"}
    assert card.picture == ""


@pytest.mark.parametrize(
    ("old", "new", "at", "reason"),
    [
        ("outcome: Compute how", "outcome: Knows how", "outcome", "begins with 'knows'"),
        ("ripple runs.", "ripple runs. And why.", "outcome", "is not one sentence"),
        ("hook: A stone falls into a pond.", "hook: A $\\nope$.", "hook", "a formula cannot be read"),
        ("hook: A", "hok: A", "hok", "is not a key that is known here"),
        ("id: ripples", "id: ripple", "id", "module.yaml says 'ripples'"),
        ("title: Ripples", "title: Ripple", "title", "module.yaml says 'Ripples'"),
        ("  - text: A third book\n", "", "further_reading", "has 2 entries; there are 3 to 5"),
        ("https://example.org/waves?a=1&b=2", "javascript:x", "further_reading.0.url", "must be an http or https"),
        ("F2:", "F4:", "facts.F4", "is out of order; the fact here is F2"),
        ('"deep:speed"', '"five:6"', "facts.F2.0.at", "is 'five:6', which is no place of this card"),
        ('{at: "deep:height", says: "$h_i$ is the height"}', '"deep:height"', "facts.F1", "must be a mapping"),
        ('"deep:height"', '"deep:hight"', "facts.F1.at", "is 'deep:hight'"),
        ('"E=vh"', '"E=vw"', "facts.F2.1.says", "does not stand at deep:both in these words: 'E=vw'"),
        ('"deep:height", says', '"fifteen:15", says', "facts.F1.says", "does not stand at fifteen:15"),
        ("# Recap", "# Summary", "body", "'Summary' is no part of a card"),
        ("- Water stays.\n", "", "recap", "has 2 entries; there are 3 to 5"),
        ("- Water stays.", "Water stays.", "recap", "each item is one line"),
        ("# Deep dive\n", "# Deep dive\n\nLoose.\n", "deep", "stands before the first section"),
        ("# Five lines", "Loose.\n\n# Five lines", "body", "stands before the first part"),
        ("## Both {#both}", "## Both", "deep", "a section begins"),
        ("## Both {#both}", "## Both {#Speed}", "deep", "a section begins"),
        ("## Both {#both}", "## Both {#speed}", "deep.speed", "is an id that the page has already"),
        ("## Both {#both}", "## Both {#check}", "deep.check", "is an id that the page has already"),
        ("$$E=vh$$", "So.", "deep", "has 2 display formulas; there are at least 3"),
        ("$$E=vh$$", "$$E=vhw$$", "deep.both", "does not define w"),
        ("$$E=vh$$", "$$E=\\nope vh$$", "deep.both", "a formula cannot be read"),
        ("Here $E$ is", "A sentence between.\n\nHere $E$ is", "deep.both", "does not define E, h, v"),
        ("1. Measure.\n2. Divide.", "- Measure.\n- Divide.", "deep.in-order", "is an ordered list of steps"),
    ],
)
def test_breach_is_reported_at_its_line(tmp_path, old, new, at, reason):
    assert old in WHOLE

    text = WHOLE.replace(old, new, 1)
    found = [fault for fault in breach(tmp_path, text) if f": {at}: " in fault and reason in fault]

    assert len(found) == 1


@pytest.mark.parametrize(
    ("old", "new", "start"),
    [
        ("$$E=vh$$", "$$E=\\nope vh$$", "$$E="),
        ("Here $E$ is", "Here $E$, $\\nope$ is", "Here $E$"),
        ("- Speed is $l/t$.", "- Speed is $\\nope$.", "- Speed"),
        ("F2:", "F4:", "  F4"),
        ("## Both {#both}", "## Both", "## Both"),
    ],
)
def test_line_is_that_of_the_file_behind_the_front_matter(tmp_path, old, new, start):
    text = WHOLE.replace(old, new, 1)

    lines = {int(fault.split(":")[0]) for fault in breach(tmp_path, text)}

    assert line_of(text, start) in lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "It moves and it moves and it moves and it moves and it moves and it moves and it moves and then stops.",
            "has 23 words",
        ),
        ("It moves. It stops.", "is not one sentence"),
        ("It moves", "is not one sentence"),
        ("The width d_k matters.", "holds the symbol '_'"),
        ("It costs $x$.", "holds the symbol '$'"),
        ("Speed = length over time.", "holds the symbol '='"),
        ("A query Q meets a key.", "holds the symbol 'Q'"),
        ("The angle θ grows.", "holds the symbol 'θ'"),
        ("A *wave* moves.", "holds the symbol '*'"),
    ],
)
def test_line_of_a_card_is_one_short_plain_sentence(tmp_path, line, reason):
    text = card_text(five=["A wave moves along."] * 3 + [line, "A wave moves along."])

    (fault,) = breach(tmp_path, text)

    assert fault.startswith(f"{line_of(text, '4. ')}: five.4: ")
    assert reason in fault


@pytest.mark.parametrize(
    "line",
    [
        "Is it so?",
        "“It moves,” they say.",
        "A wave’s height, e.g. a foot, is small.",
        "I saw 2.5 waves.",
        "That is a well-known wave.",
    ],
)
def test_plain_sentences_are_no_fault(tmp_path, line):
    assert breach(tmp_path, card_text(five=[line] * 5)) == []


@pytest.mark.parametrize(("count", "words"), [(4, 3), (6, 3)])
def test_five_lines_are_five(tmp_path, count, words):
    (fault,) = breach(tmp_path, card_text(five=["A wave moves."] * count))[:1]

    assert f"five: has {count} lines; there are exactly 5" in fault


def test_fifteen_lines_are_fifteen_of_twenty_words(tmp_path):
    long = " ".join(["word"] * 21) + "."

    faults = breach(tmp_path, card_text(fifteen=["A wave moves."] * 13 + [long]))

    assert any("fifteen: has 14 lines; there are exactly 15" in fault for fault in faults)
    assert any("fifteen.14: has 21 words; a line has at most 20" in fault for fault in faults)


def test_lines_are_easy_on_average(tmp_path):
    (fault,) = breach(tmp_path, card_text(five=[" ".join(["word"] * 16) + "."] * 5))

    assert "five: has 16.0 words a line on average" in fault


def test_sentence_over_two_lines_is_a_fault(tmp_path):
    faults = breach(tmp_path, WHOLE.replace("5. A wave moves along.", "5. A wave\n   moves along.", 1))

    assert any("each item is one line" in fault for fault in faults)


def test_lines_count_upwards(tmp_path):
    (fault,) = breach(tmp_path, WHOLE.replace("2. A wave", "3. A wave", 1))

    assert "five.2: is numbered 3" in fault


def test_hash_in_a_code_block_is_no_heading(tmp_path):
    text = WHOLE.replace("A second formula.", "```python\n# Recap\n## no section\n```", 1)

    assert breach(tmp_path, text) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# Five lines", "must begin with a line ---"),
        ("---\nid: x\n", "no second line ---"),
        ("---\nid: [\n---\n", "is not YAML"),
        ("", "must begin with a line ---"),
    ],
)
def test_file_that_is_no_card_is_one_fault_of_form(tmp_path, text, reason):
    assert any(reason in fault for fault in breach(tmp_path, text))


def test_windows_line_ends_are_no_fault(tmp_path):
    root = make_course(tmp_path)
    path = root / PATH
    path.write_bytes(WHOLE.replace("\n", "\r\n").encode())

    assert faults_of(root) == []


def test_file_that_is_not_utf8_is_a_fault(tmp_path):
    root = make_course(tmp_path)
    (root / PATH).write_bytes(b"---\nid: \xff\n---\n")

    (fault,) = [fault for fault in faults_of(root) if fault.startswith(PATH)]

    assert "cannot be read" in fault


@pytest.mark.parametrize(
    ("title", "url"),
    [
        ("Attention (machine learning)", "https://en.wikipedia.org/wiki/Attention_(machine_learning)"),
        ("softmax function", "https://en.wikipedia.org/wiki/Softmax_function"),
        ("C++ & more?", "https://en.wikipedia.org/wiki/C%2B%2B_%26_more%3F"),
        ("Poincaré map", "https://en.wikipedia.org/wiki/Poincar%C3%A9_map"),
    ],
)
def test_article_address_follows_from_its_title(title, url):
    assert article_url(title) == url
