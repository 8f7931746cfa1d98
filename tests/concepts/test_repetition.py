"""A sentence of ten words or more stands once in a course, whatever the files and lines it is broken over."""

from courseware.concepts.faults import Faults
from courseware.concepts.repetition import check_repetition
from tests.concepts.courses import card_text, make_course

LONG = "The shape of a wave moves along while every drop of water stays near its place."


def repeated(root, *, card=None, bank=""):
    root = make_course(root, **({"card": card} if card else {}))
    if bank:
        (root / "01-waves/concepts/01-ripples/bank.yaml").write_text(bank, encoding="utf-8")
    faults = Faults()
    check_repetition(root, faults)
    return [(fault.path.name, fault.line, fault.reason) for fault in faults]


def test_short_sentences_may_recur(tmp_path):
    assert repeated(tmp_path) == []


def test_a_sentence_is_found_again_in_another_file_over_two_lines(tmp_path):
    card = card_text().replace("Speed is length over time:", f"{LONG} Speed is length over time:")
    start, end = LONG.split(" every ")
    bank = f"questions:\n  - id: one\n    why: >-\n      Nothing sinks. {start}\n      every {end.upper()}\n"

    ((file, line, reason),) = repeated(tmp_path, card=card, bank=bank)

    assert (file, line) == ("bank.yaml", 3)
    assert reason.startswith("repeats a sentence of 01-ripples/card.md:")


def test_a_sentence_is_found_again_in_one_card(tmp_path):
    card = card_text().replace("Speed is length over time:", LONG).replace("A second formula.", f"So it is. {LONG}")

    ((_, line, _),) = repeated(tmp_path, card=card)

    assert card.split("\n")[line - 1].startswith("So it is.")


def test_what_a_fact_quotes_from_its_card_is_no_repetition(tmp_path):
    card = card_text().replace("A second formula.", LONG).replace('says: "$h_i$ is the height"', f'says: "{LONG}"')

    assert repeated(tmp_path, card=card) == []
