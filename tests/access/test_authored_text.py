"""Formulas, code, dollars and hostile text of a course stand whole in every place where authors' text is shown.

Case                                     from                                  held by
`1<x`, `a<b<c` in a formula              openwebwork/webwork2#1315, mathjax#2669every test of a place
`A&B`, escaped, in a formula             mathjax/MathJax#3337                  every test of a place
`A&B`, bare, in a formula                numbas/Numbas#84                      test_bare_ampersand_is_refused…
`&` between cells of a matrix            mathjax/MathJax#3337                  every test of a place with paragraphs
options that differ in a sign            openwebwork/webwork2#1315             test_question_paper_review_and_staff…
`<img onerror>` as text                  numbas/Numbas#84                      every test of a place
"costs $5 or $6"                         uccser/cs-unplugged#461               every test of a place
code `echo $HOME $PATH`                  jupyterlab/jupyter-ai#1068            every test of a place
`q[:, :, $i]`, outside code              openlibhums/janeway#2658              every test of a place
`\\$`                                     mitya57/python-markdown-math#18       every test of a place
a code option that begins with `$`       jupyterlab/jupyter-ai#1068            test_question_paper_review_and_staff…
a block of code with dollars             jupyterlab/jupyter-ai#1068            test_deep_dive…, test_brief…
any of them where only plain words go    all of the above                      test_titles…, test_lines_and_labels…
any of them in a file for spreadsheets   all of the above                      test_titles_stand_whole_in_the_file…
"""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from django.urls import reverse

from courseware.concepts.markup import MarkupError, render_inline
from quizzes import practice, sittings
from quizzes.catalogue import current_bank
from quizzes.questions import Answer
from tests.access.cast import CONCEPT, read_and_pick
from tests.access.reading import Reading
from tests.concepts.courses import faults_of
from tests.factories import make_assignment, make_cohort, make_finished, make_instructor, make_learner, make_sitting
from tests.quizzes.answering import ask_instead
from tests.quizzes.making import TEXTS, make_question
from tests.short_test import REAL_COURSE, course_with_a_short_test

pytestmark = pytest.mark.django_db

# Every case that fits into a line; read with the eyes of `Reading` it must say what is SHOWN.
LINE = (
    r"Here $1<x$ and $a<b<c$ and $A\&B$ hold, it costs $5 or $6, says `echo $HOME $PATH`,"
    r" never <img src=x onerror=alert(1)>, \$ is a dollar and q[:, :, $i] stays."
)
SHOWN = (
    "Here ⟦1<x⟧ and ⟦a<b<c⟧ and ⟦A&B⟧ hold, it costs $5 or $6, says ⟨echo $HOME $PATH⟩,"
    " never <img src=x onerror=alert(1)>, $ is a dollar and q[:, :, $i] stays."
)
SAID = (
    "Here 1 is less than x and a is less than b is less than c and A and B hold, it costs $5 or $6,"
    " says echo $HOME $PATH, never <img src=x onerror=alert(1)>, $ is a dollar and q[:, :, $i] stays."
)
# And those that need paragraphs, as an explanation of 25 words in two sentences may have.
BLOCK = LINE + " And that is all there is to say." + "\n\n$$\\begin{matrix}1&2\\\\3&4\\end{matrix}$$"
MATRIX_SHOWN = "⟦1&2;3&4⟧"
PLAIN = "Costs $5 & <b>more</b>, `q[$i]` with 1<x"  # where words are no Markdown
CODE = "```sh\necho $HOME $PATH # <b> & $1<x$\n```"
CODE_SHOWN = "⟨echo $HOME $PATH # <b> & $1<x$⟩"

Edit = Callable[[Path], None]


@pytest.fixture
def course(settings, tmp_path):
    """Return a function that edits a copy of the course and serves it."""

    def serve(edit: Edit) -> Path:
        path = course_with_a_short_test(tmp_path / "course")
        edit(path)
        settings.COURSE_PATH, settings.VAR_PATH = path, tmp_path
        return path

    return serve


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _edit_yaml(path: Path, edit: Callable[[dict], None]) -> None:
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    edit(values)
    path.write_text(yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=100_000), encoding="utf-8")


def _concept(course: Path) -> Path:
    return next(course.glob(f"*/concepts/*-{CONCEPT}"))


def _edit_front_matter(course: Path, edit: Callable[[dict], None]) -> None:
    card = _concept(course) / "card.md"
    _, front, body = card.read_text(encoding="utf-8").split("---\n", 2)
    values = yaml.safe_load(front)
    edit(values)
    front = yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=100_000)
    card.write_text(f"---\n{front}---\n{body}", encoding="utf-8")


@pytest.fixture
def reader(signed_in):
    """Return a function that reads a page as somebody; nothing may run on it."""

    def read(user, name: str, *arguments, show: str = "") -> Reading:
        response = signed_in(user).get(reverse(name, args=arguments), {"show": show} if show else {})
        assert response.status_code == 200
        reading = Reading(response.content.decode())
        assert reading.running == []
        return reading

    return read


def test_card_shows_every_field_of_its_front_matter_whole(course, reader):
    def edit(values: dict) -> None:
        values["outcome"] = "Compute " + LINE.removeprefix("Here ")
        values["hook"] = values["previous"] = values["next"] = LINE
        values["further_reading"][0] = {"text": LINE, "url": "https://example.org/?a=1&b=2"}

    course(lambda path: _edit_front_matter(path, edit))
    learner = make_learner()

    five, deep = reader(learner, "card", CONCEPT), reader(learner, "card_deep", CONCEPT)

    assert five.words.count(SHOWN) == 3
    assert SHOWN.replace("Here", "Compute") in five.words
    assert deep.words.count(SHOWN) == 1


def test_deep_dive_shows_paragraphs_tables_code_and_recap_whole(course, reader):
    def edit(path: Path) -> None:
        card = _concept(path) / "card.md"
        text = card.read_text(encoding="utf-8")
        text = text[: text.index("\n# Recap")] + "\n# Recap\n\n" + f"- {LINE}\n" * 3
        last = text.index("\n## ", text.index("# Deep dive") + 400)
        table = f"| what | why |\n|---|---|\n| {LINE} | {LINE} |"
        text = f"{text[:last]}\n{LINE}\n\n> {LINE}\n\n- {LINE}\n\n{table}\n\n{CODE}\n{text[last:]}"
        card.write_text(text, encoding="utf-8")

    course(edit)

    page = reader(make_learner(), "card_deep", CONCEPT)

    assert page.words.count(SHOWN) == 5 + 3
    assert CODE_SHOWN in page.words


@pytest.mark.parametrize("place", ["1. ", "- "])
def test_lines_and_labels_that_are_plain_words_refuse_what_they_would_not_show(course, tmp_path, place):
    """Lines of a card and labels of beliefs stand where no formula can, so a fault stops the start instead."""
    path = course(lambda _: None)
    card = _concept(path) / "card.md"
    if place == "1. ":
        start = card.read_text(encoding="utf-8").split("# Five lines\n\n")[1].split("\n")[0]
        _replace(card, start, "1. It costs $5 where $1<x$.")
        key = "five.1"
    else:
        _edit_yaml(
            min(path.rglob("03-*/misconceptions.yaml")),
            lambda values: next(iter(values["misconceptions"].values())).update(label="One $1<x$"),
        )
        key = ".label"

    assert [fault for fault in faults_of(path) if key in fault]


def test_verdict_shows_the_idea_behind_a_wrong_program_whole(course, reader):
    def edit(values: dict) -> None:
        for belief in values["misconceptions"].values():
            belief |= {"belief": LINE, "wrong_because": LINE, "right": LINE}

    course(lambda path: _edit_yaml(min(path.rglob("03-*/misconceptions.yaml")), edit))
    belief = next(
        iter(yaml.safe_load(min(REAL_COURSE.rglob("03-*/misconceptions.yaml")).read_text())["misconceptions"])
    )
    learner = make_learner()
    submission = make_finished(user=learner, misconception_ids=[belief])

    assert reader(learner, "submission", submission.pk).words.count(SHOWN) == 3


def test_self_check_shows_question_options_and_explanations_whole(course, reader):
    def edit(values: dict) -> None:
        values["self_check"]["stem"] = BLOCK
        for option in values["self_check"]["options"]:
            option["why"] = BLOCK

    course(lambda path: _edit_yaml(_concept(path) / "bank.yaml", edit))
    learner = make_learner()
    before = reader(learner, "card", CONCEPT)
    read_and_pick(learner)
    after = reader(learner, "card", CONCEPT)

    count = len(yaml.safe_load((_concept(REAL_COURSE) / "bank.yaml").read_text())["self_check"]["options"])
    assert (before.words.count(SHOWN), before.words.count(MATRIX_SHOWN)) == (1, 1)
    assert (after.words.count(SHOWN), after.words.count(MATRIX_SHOWN)) == (1 + count, 1 + count)


def test_practice_shows_question_and_explanations_whole(course, reader):
    def edit(values: dict) -> None:
        question = next(each for each in values["questions"] if (each["pool"], each["kind"]) == ("practice", "single"))
        slugs.append(question["id"])
        question["stem"] = BLOCK
        for option in question["options"]:
            option["why"] = BLOCK

    slugs: list[str] = []
    course(lambda path: _edit_yaml(_concept(path) / "bank.yaml", edit))
    learner = make_learner()
    question = current_bank().questions[f"{CONCEPT}/{slugs[0]}"]

    asked = reader(learner, "practice_question", CONCEPT, slugs[0])
    kept = practice.keep(learner, question, 1, Answer((question.task.options[0].id,)))
    answered = reader(learner, "practice_answer", kept.pk)

    assert (asked.words.count(SHOWN), asked.words.count(MATRIX_SHOWN)) == (1, 1)
    assert answered.words.count(SHOWN) == 1 + len(question.task.options)


def _of_every_kind() -> dict[str, object]:
    """Return a question of each kind, with every case in each of its texts."""
    questions = {}
    for kind, text in TEXTS.items():
        values = yaml.safe_load(text)
        _put_everywhere(values)
        stem = "Choose every statement that is true." if kind == "multi" else ""
        values["stem"] = f"{stem} {BLOCK}".strip()
        options = ["$1<x$", "$a<b<c$", "`$x = 1`", r"\$5 & `<b>`", r"$A\&B$"]
        for option, shown in zip(values.get("options", []), options, strict=False):
            if "text" in option:
                option["text"] = shown
        questions[kind] = make_question(kind, slug=f"hostile-{kind}", text=yaml.safe_dump(values, allow_unicode=True))
    return questions


def _put_everywhere(value: object) -> None:
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _put_everywhere(inner)
    if isinstance(value, dict) and "why" in value:
        value["why"] = BLOCK


OPTIONS_SHOWN = ("⟦1<x⟧", "⟦a<b<c⟧", "⟨$x = 1⟩", "$5 & ⟨<b>⟩", "⟦A&B⟧")


@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_question_paper_review_and_staff_see_every_text_whole(kind, reader):
    question = _of_every_kind()[kind]
    cohort = make_cohort()
    learner, instructor = make_learner(cohort), make_instructor(cohort)
    sitting = make_sitting(make_assignment(cohort), user=learner)
    ask_instead(sitting.slots.get(position=1), question)

    asked = reader(learner, "question", sitting.pk, 1)
    sittings.hand_in(sitting.pk)
    review = reader(learner, "review", sitting.pk, show="all")
    staff = reader(instructor, "cohort_sitting", cohort.pk, sitting.pk)

    assert (asked.words.count(SHOWN), asked.words.count(MATRIX_SHOWN)) == (1, 1)
    for page in (review, staff):
        assert page.words.count(SHOWN) >= 4
        assert page.words.count(SHOWN) == page.words.count(MATRIX_SHOWN)
    for page in (asked, review, staff) if kind in ("single", "multi") else ():
        assert [shown for shown in OPTIONS_SHOWN[: len(question.task.options)] if shown not in page.words] == []


def test_brief_shows_formulas_code_and_dollars_whole_and_words_beside_it_as_they_are(course, reader):
    def edit(path: Path) -> None:
        (path_of := _concept(path) / "attention").joinpath("brief.md").write_text(f"{BLOCK}\n\n{CODE}\n", "utf-8")
        _edit_yaml(path_of / "exercise.yaml", lambda values: _plain_words(values))

    def _plain_words(values: dict) -> None:
        values["title"] = values["examples"][0]["title"] = PLAIN
        for parameter in values["parameters"]:
            parameter["meaning"] = PLAIN

    course(edit)
    learner = make_learner()

    page, listed = reader(learner, "exercise", "attention"), reader(learner, "exercises")

    assert SHOWN in page.words
    assert MATRIX_SHOWN in page.words
    assert CODE_SHOWN in page.words
    assert page.words.count(PLAIN) >= 2
    assert PLAIN in listed.words
    assert PLAIN in page.title


TITLE = "A&B <b>costs</b> $5 and $x_1<2$"
TITLE_SHOWN = "A&B <b>costs</b> $5 and x 1 is less than 2"


def _rename(path: Path) -> None:
    _edit_yaml(
        min(path.rglob("module.yaml")),
        lambda values: values.update(
            promise=LINE,
            concepts=[each | {"promise": LINE} if each["id"] == CONCEPT else each for each in values["concepts"]],
        ),
    )
    for file in (min(path.rglob("module.yaml")), _concept(path) / "card.md"):
        _replace(file, "title: Scaled dot-product attention\n", f"title: '{TITLE}'\n")


def test_titles_and_promises_stand_whole_in_pages_their_titles_and_the_file(course, reader, signed_in):
    """There a formula is said in words, so that nothing vanishes where none can be shown."""
    course(_rename)
    cohort = make_cohort()
    learner, instructor = make_learner(cohort), make_instructor(cohort)

    card, module = reader(learner, "card", CONCEPT), reader(learner, "module", "transformers")
    standing = reader(instructor, "cohort", cohort.pk)
    file = signed_in(instructor).get(reverse("cohort_csv", args=[cohort.pk]))
    head = next(csv.reader(io.StringIO(b"".join(file).decode("utf-8-sig"))))

    assert TITLE_SHOWN in card.title
    for page in (card, module, standing):
        assert TITLE_SHOWN in page.words
    assert module.words.count(SAID) == 2
    assert f"{TITLE_SHOWN}: read" in head


def test_bare_ampersand_is_refused_rather_than_swallowed():
    with pytest.raises(MarkupError, match=r"cannot be read.*A&B"):
        render_inline("$A&B$")
