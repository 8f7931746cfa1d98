"""A form as a browser reads it: which controls it has, what they could hold, and what they would send."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.template.loader import render_to_string
from hypothesis import strategies as st

from quizzes.presenting import present
from quizzes.questions import Answer, Question, Variant

TYPED = st.one_of(
    st.sampled_from(["1", "0,5", "-2", "3/8", "50 %", "1e-3", "1", "0", "-inf", "9", "two words", "row-wise"]),
    st.text(max_size=12),
)


@dataclass
class Control:
    """Every input of one name: a text field, a group of radios or checkboxes, or a select."""

    name: str
    type: str
    choices: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)  # what it would send


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.controls: list[Control] = []
        self.select: Control | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("name")
        if tag == "option" and self.select is not None:
            value = given.get("value") or ""
            self.select.choices.append(value)
            if "selected" in given:
                self.select.held = [value]
        elif tag == "select" and name:
            self.select = Control(name, "select")
            self.controls.append(self.select)
        elif tag == "input" and name:
            self._input(name, given.get("type") or "text", given.get("value") or "", is_held="checked" in given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self.select is not None:
            self.select.held = self.select.held or self.select.choices[:1]
            self.select = None

    def _input(self, name: str, kind: str, value: str, *, is_held: bool) -> None:
        if kind not in ("radio", "checkbox"):
            self.controls.append(Control(name, kind, held=[value]))
            return
        control = next((each for each in self.controls if each.name == name), None)
        if control is None:
            control = Control(name, kind)
            self.controls.append(control)
        control.choices.append(value)
        if is_held:
            control.held.append(value)


def controls_of(html: str) -> list[Control]:
    """Return what a form can send, buttons left out."""
    reader = _Reader()
    reader.feed(html)
    return reader.controls


def control_html(question: Question, variant: Variant, answer: Answer | None) -> str:
    """Return the controls of a question's form as its page has them, with an answer in them."""
    shown = present(question, variant, answer)
    return render_to_string(shown.control_template, {"control": shown.control, "page": {"fault": ""}})


def sent(controls: list[Control]) -> Mapping[str, list[str]]:
    """Return what a browser would send if the form were sent as it stands."""
    posted: dict[str, list[str]] = {}
    for control in controls:
        posted.setdefault(control.name, []).extend(control.held)
    return {name: values for name, values in posted.items() if values}


@st.composite
def filled(draw: st.DrawFn, controls: list[Control]) -> Mapping[str, list[str]]:
    """Fill a form in as anybody could with a keyboard and a mouse."""
    posted: dict[str, list[str]] = {}
    for control in controls:
        if control.type == "checkbox":
            values = sorted(draw(st.sets(st.sampled_from(control.choices))))
        elif control.type in ("radio", "select"):
            values = [draw(st.sampled_from(control.choices))]
        elif control.type == "hidden":
            values = control.held
        else:
            values = [draw(TYPED)]
        posted.setdefault(control.name, []).extend(values)
    return posted
