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


def terms(tmp_path, glossary=GLOSSARY):
    root = make_course(tmp_path)
    (root / "01-waves/glossary.yaml").write_text(glossary, encoding="utf-8")
    (root / "01-waves/notation.yaml").write_text(NOTATION, encoding="utf-8")
    return load(root).module.reference


def linked(tmp_path, *sections, concept_id="tides", glossary=GLOSSARY):
    found = terms(tmp_path, glossary)
    return link_first_uses([SafeHtml(each) for each in sections], found.terms, concept_id=concept_id)


def link(word):
    return f'<a class="term" href="{GLOSSARY_ADDRESS}#speed">{word}</a>'


def test_the_first_use_of_a_card_is_linked_and_no_other(tmp_path):
    first, second = linked(tmp_path, "<p>Speeds, and speed.</p>", "<p>The speed again.</p>")

    assert first == f"<p>{link('Speeds')}, and speed.</p>"
    assert second == "<p>The speed again.</p>"
    assert isinstance(first, SafeHtml)


def test_words_in_code_formulas_links_headings_and_bold_type_stay_as_they_are(tmp_path):
    closed = '<h3>Speed</h3><p><strong>Speed</strong> <code>speed</code> <a href="#x">speed</a>'
    closed += " <math><mi>speed</mi></math> top-speed</p>"

    assert linked(tmp_path, f"{closed}<p title='speed'>speed</p>") == (f"{closed}<p title='speed'>{link('speed')}</p>",)


def test_the_card_that_teaches_a_term_has_no_link_to_it(tmp_path):
    assert linked(tmp_path, "<p>speed</p>", concept_id="ripples") == ("<p>speed</p>",)


def test_a_term_that_every_card_uses_is_not_linked(tmp_path):
    glossary = GLOSSARY + "    unlinked: true\n"

    assert linked(tmp_path, "<p>speed</p>", glossary=glossary) == ("<p>speed</p>",)


def test_a_word_inside_a_longer_term_is_not_linked(tmp_path):
    longer = (
        GLOSSARY.removeprefix("terms:\n")
        .replace("speed", "speed-of-light", 1)
        .replace("term: speed", "term: speed of light")
    )
    longer = longer.replace("    forms: [speeds]\n", "    unlinked: true\n")

    html = "<p>the speed of light</p>"

    assert linked(tmp_path, html, glossary=GLOSSARY + longer) == (html,)


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
