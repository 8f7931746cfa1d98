"""The glossary links first uses, in words alone and never in the card that teaches the term."""

from courseware.concepts.reference import GLOSSARY_ADDRESS, link_first_uses
from courseware.drawing.safe_html import SafeHtml
from tests.concepts.courses import MODULE, faults_of, load, make_course

GLOSSARY = """\
terms:
  - id: speed
    term: speed
    forms: [speeds]
    meaning: Length over time, $v$.
    see: ripples#speed
"""
NOTATION = """\
symbols:
  - {symbol: $v$, meaning: the speed of a wave, see: ripples#speed}
"""


def terms(tmp_path):
    root = make_course(tmp_path)
    (root / "01-waves/glossary.yaml").write_text(GLOSSARY, encoding="utf-8")
    (root / "01-waves/notation.yaml").write_text(NOTATION, encoding="utf-8")
    return load(root).module.reference


def linked(tmp_path, *sections, concept_id="tides"):
    return link_first_uses([SafeHtml(each) for each in sections], terms(tmp_path).terms, concept_id=concept_id)


def link(word):
    return f'<a class="term" href="{GLOSSARY_ADDRESS}#speed">{word}</a>'


def test_the_first_use_of_a_card_is_linked_and_no_other(tmp_path):
    first, second = linked(tmp_path, "<p>Speeds, and speed.</p>", "<p>The speed again.</p>")

    assert first == f"<p>{link('Speeds')}, and speed.</p>"
    assert second == "<p>The speed again.</p>"
    assert isinstance(first, SafeHtml)


def test_words_in_code_formulas_links_and_headings_stay_as_they_are(tmp_path):
    closed = '<h3>Speed</h3><p><code>speed</code> <a href="#x">speed</a> <math><mi>speed</mi></math> top-speed</p>'

    assert linked(tmp_path, f"{closed}<p title='speed'>speed</p>") == (f"{closed}<p title='speed'>{link('speed')}</p>",)


def test_the_card_that_teaches_a_term_has_no_link_to_it(tmp_path):
    assert linked(tmp_path, "<p>speed</p>", concept_id="ripples") == ("<p>speed</p>",)


def test_notation_is_kept_in_its_order(tmp_path):
    (symbol,) = terms(tmp_path).symbols

    assert "<math" in symbol.symbol
    assert (symbol.meaning, symbol.see.section_id) == ("the speed of a wave", "speed")


def test_faults_of_a_glossary_name_file_and_line(tmp_path):
    root = make_course(tmp_path)
    text = GLOSSARY + GLOSSARY.removeprefix("terms:\n").replace("id: speed", "id: Pace").replace("#speed", "#pace")
    (root / "01-waves/glossary.yaml").write_text(text, encoding="utf-8")

    assert faults_of(root) == [
        "01-waves/glossary.yaml:1: Pace: 'speed' stands in two terms",
        "01-waves/glossary.yaml:1: Pace: 'speeds' stands in two terms",
        "01-waves/glossary.yaml:7: terms.1.id: 'Pace' must be small letters, digits and single hyphens",
        "01-waves/glossary.yaml:11: terms.1.see: 'ripples#pace' is no section of a card that is written",
    ]


def test_a_concept_needs_earlier_ones_alone(tmp_path):
    module = MODULE.replace("A first look.", "A first look.\n    needs: [tides]\n    map: [0, 1]")

    assert faults_of(make_course(tmp_path, module=module)) == [
        "01-waves/module.yaml:9: concepts.0.needs: 'tides' is no earlier concept of this module",
        "01-waves/module.yaml:10: concepts.0.map: is a column and a row, such as [1, 2]",
    ]
