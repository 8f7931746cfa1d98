"""A small course whose one concept asks one question of every kind, in one test."""

from pathlib import Path

from tests.concepts.courses import MODULE, card_text, make_course
from tests.quizzes.making import BELIEF, OTHER_BELIEF, SINGLE, SLIP, TEXTS

# What the questions of making.py refer to, in the place of what the small course of the concepts' tests has.
_NAMES = {
    "ripples": "attention",
    "Ripples": "Attention",
    "{#height}": "{#root}",
    "{#speed}": "{#weights}",
    ":height": ":root",
    ":speed": ":weights",
}
_ENTRY = "\n  - id: {0}\n    kind: {0}\n    pool: test\n    bloom: apply\n    facts: [F1]{1}"
_BELIEF = """
  {0.id}:
    label: {0.label}
    belief: One holds it.
    wrong_because: It is not so.
    right: It is otherwise.
    see: attention#root
"""


def course_of_every_kind(folder: Path) -> Path:
    """Write the course and return its folder; a kind is in it as soon as making.TEXTS has a text of it."""
    causes = _BELIEF.format(BELIEF) + _BELIEF.format(OTHER_BELIEF)
    make_course(
        folder,
        module=_renamed(MODULE),
        misconceptions=f"misconceptions:{causes}slips:\n  {SLIP.id}:\n    label: {SLIP.label}\n",
        card=_renamed(card_text()),
    )
    module = folder / "01-waves"
    concept = (module / "concepts/01-ripples").rename(module / "concepts/01-attention")
    check = _indented(SINGLE.replace("Which divisor", "Once more, which divisor"), 2)
    bank = f"self_check:\n  id: self-check\n  kind: single\n  bloom: apply\n  facts: [F1]{check}questions:"
    bank += "".join(_ENTRY.format(kind, _indented(text, 4)) for kind, text in sorted(TEXTS.items()))
    (concept / "bank.yaml").write_text(bank, encoding="utf-8")
    paper = f"title: Every kind\n    draw:\n      - concept: attention\n        count: {len(TEXTS)}\n"
    (module / "blueprint.yaml").write_text(f"blueprints:\n  module-test:\n    {paper}", encoding="utf-8")
    return folder


def _renamed(text: str) -> str:
    for old, new in _NAMES.items():
        text = text.replace(old, new)
    return text


def _indented(text: str, width: int) -> str:
    return text.rstrip().replace("\n", "\n" + " " * width) + "\n"
