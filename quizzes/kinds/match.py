"""Premises, each to be given its response. Worth the right pairs over all premises."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from string import ascii_uppercase
from typing import Any

from courseware.concepts.markup import plain_text, render_inline
from courseware.concepts.sources import Fields
from quizzes import prose
from quizzes.questions import (
    Answer,
    Cause,
    Commentary,
    Explanation,
    Grounds,
    Kind,
    Marked,
    Note,
    Posed,
    Shape,
    Unreadable,
    Variant,
)
from quizzes.variants import shuffled

FIELD = "pair-{}"  # the name of the form field of the premise with this number
BOUNDS = (4, 6)  # premises; three are guessed too often, seven are no longer looked through
MOST_RESPONSES = 10  # each select lists them all
_UNREADABLE = Unreadable("What was sent is not one of the responses. Load the page again and choose from its lists.")


@dataclass(frozen=True)
class Premise:
    """What is to be given a response, and why it is this one."""

    id: str
    text: str  # inline Markdown
    response: str  # its id
    explanation: Explanation


@dataclass(frozen=True)
class Response:
    """What can be given, and what it belongs to or why to nothing."""

    id: str
    text: str  # inline Markdown
    explanation: Explanation
    cause: Cause | None  # of giving it wrongly


@dataclass(frozen=True)
class MatchTask:
    """Every premise has one response of its own, and at least one response belongs to none."""

    premises: tuple[Premise, ...]
    responses: tuple[Response, ...]

    def response(self, response_id: str) -> Response:
        return next(response for response in self.responses if response.id == response_id)


@dataclass(frozen=True)
class ShownResponse:
    """A response as a form offers it: in full with its letter, and as the plain words that a select can hold."""

    value: str
    letter: str
    html: str
    words: str


@dataclass(frozen=True)
class ShownPremise:
    field: str
    html: str
    words: str  # what the html says aloud: a browser names no field by a formula
    chosen: str  # a value, "" while open


@dataclass(frozen=True)
class MatchControl:
    premises: tuple[ShownPremise, ...]
    responses: tuple[ShownResponse, ...]


class Match(Kind[MatchTask]):
    """A select for each premise."""

    name = "match"

    def parse(self, fields: Fields, grounds: Grounds) -> MatchTask | None:
        responses: list[Response] = []
        for entry in fields.each("responses"):
            id_, text = prose.offered(entry, grounds, "response", {each.id: each.text for each in responses})
            explanation = prose.explanation(entry, grounds, length=prose.PART)
            cause = prose.cause(entry, grounds, required=False)
            entry.refuse_unknown()
            responses.append(Response(id=id_, text=text, explanation=explanation, cause=cause))
        premises = _parse_premises(fields, grounds, frozenset(response.id for response in responses))
        if not BOUNDS[0] <= len(premises) <= BOUNDS[1]:
            fields.fault("premises", f"are {len(premises)}; a match has {BOUNDS[0]} to {BOUNDS[1]}")
            return None
        if not len(premises) < len(responses) <= MOST_RESPONSES:
            reason = (
                f"are {len(responses)}; there is one for each premise and at least one more, at most {MOST_RESPONSES}"
            )
            fields.fault("responses", reason)
        if any(premise.response not in {response.id for response in responses} for premise in premises):
            return None
        return MatchTask(premises=premises, responses=tuple(responses))

    def freeze(self, task: MatchTask) -> dict[str, Any]:
        return asdict(task)

    def thaw(self, body: Mapping[str, Any]) -> MatchTask:
        return MatchTask(
            premises=tuple(
                Premise(**{**premise, "explanation": Explanation(**premise["explanation"])})
                for premise in body["premises"]
            ),
            responses=tuple(
                Response(
                    id=response["id"],
                    text=response["text"],
                    explanation=Explanation(**response["explanation"]),
                    cause=None if response["cause"] is None else Cause(**response["cause"]),
                )
                for response in body["responses"]
            ),
        )

    def marking_key(self, task: MatchTask) -> Any:
        # Pairs in order, since the parts of an answer are told apart by their place alone.
        return {"rule": "right pairs, over all premises", "pairs": [[each.id, each.response] for each in task.premises]}

    def draw(self, task: MatchTask, *, seed: str, question_id: str) -> Variant:
        ids = [response.id for response in task.responses]
        return Variant(parameters={}, option_order=shuffled(ids, seed, question_id))

    def control(self, posed: Posed[MatchTask], answer: Answer | None) -> MatchControl:
        values = {response_id: value for value, response_id in _places(posed).items()}
        chosen = answer.parts if answer else ("",) * len(posed.task.premises)
        responses = [posed.task.response(response_id) for response_id in posed.variant.option_order]
        return MatchControl(
            premises=tuple(
                ShownPremise(
                    FIELD.format(number), render_inline(premise.text), plain_text(premise.text), values.get(part, "")
                )
                for number, (premise, part) in enumerate(zip(posed.task.premises, chosen, strict=True), start=1)
            ),
            responses=tuple(
                ShownResponse(values[each.id], letter, render_inline(each.text), plain_text(each.text))
                for letter, each in zip(ascii_uppercase, responses, strict=False)
            ),
        )

    def read(self, posed: Posed[MatchTask], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        places = _places(posed) | {"": ""}
        numbers = range(1, len(posed.task.premises) + 1)
        sent = ["".join(posted.get(FIELD.format(number), ())[:1]) for number in numbers]
        if any(value not in places for value in sent):
            return _UNREADABLE
        return Answer(tuple(places[value] for value in sent)) if any(sent) else None

    def mark(self, posed: Posed[MatchTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        pairs = list(zip(posed.task.premises, answer.parts, strict=True))
        right = sum(premise.response == part for premise, part in pairs)
        wrong = (posed.task.response(part) for premise, part in pairs if part and premise.response != part)
        return Marked(Fraction(right, len(pairs)), tuple(dict.fromkeys(each.cause for each in wrong if each.cause)))

    def comment(self, posed: Posed[MatchTask], answer: Answer | None) -> Commentary:
        task, parts = posed.task, answer.parts if answer else ("",) * len(posed.task.premises)
        pairs = list(zip(task.premises, parts, strict=True))
        notes = [_pair(task, premise, part, is_open=answer is None) for premise, part in pairs]
        said = {part or premise.response for premise, part in pairs}
        for response in (task.response(response_id) for response_id in posed.variant.option_order):
            if response.id not in said:
                why = response.explanation
                notes.append(Note(Shape.OPEN, "Also offered", False, response.text, why.why, why.see, response.cause))
        if answer is None:
            return Commentary(Shape.OPEN, "Left open.", "", tuple(notes))
        fraction = self.mark(posed, answer).fraction
        if fraction == 1:
            return Commentary(Shape.RIGHT, "Right.", "", tuple(notes))
        shape, word = (Shape.PARTLY, "Partly right.") if fraction else (Shape.WRONG, "Not these.")
        right = int(fraction * len(pairs))
        reason = f"{right} of {len(pairs)} pairs {'is' if right == 1 else 'are'} right."
        return Commentary(shape, word, reason, tuple(notes))


def _parse_premises(fields: Fields, grounds: Grounds, responses: frozenset[str]) -> tuple[Premise, ...]:
    premises: list[Premise] = []
    for entry in fields.each("premises"):
        id_, text = prose.offered(entry, grounds, "premise", {each.id: each.text for each in premises})
        response = entry.text("response")
        if response and response not in responses:
            entry.fault("response", f"{response!r} is no response of this question")
        if response and response in {each.response for each in premises}:
            entry.fault("response", f"{response!r} belongs to another premise already")
        explanation = prose.explanation(entry, grounds, length=prose.PART)
        entry.refuse_unknown()
        premises.append(Premise(id=id_, text=text, response=response, explanation=explanation))
    return tuple(premises)


def _places(posed: Posed[MatchTask]) -> dict[str, str]:
    """Return which response each value of the form stands for."""
    return {str(place): response_id for place, response_id in enumerate(posed.variant.option_order, start=1)}


def _pair(task: MatchTask, premise: Premise, part: str, *, is_open: bool) -> Note:
    """Return what there is to say of a premise and what it was given; both of them have a reason."""
    why, partner = premise.explanation, task.response(premise.response)
    given = task.response(part) if part else partner
    said = f"{premise.text.removesuffix('.')}: {given.text}"
    if given is partner:
        label = "Your pair, right" if part else "The pair" if is_open else "Left open"
        shape = Shape.RIGHT if part or is_open else Shape.OPEN
        return Note(shape, label, bool(part), said, why.why, why.see, also=given.explanation)
    owner = next((each for each in task.premises if each.response == given.id), None)
    belongs = f"The response {_quoted(given)} belongs to {_quoted(owner) if owner else 'none of these'}."
    return Note(
        Shape.WRONG,
        "Your pair, wrong",
        True,
        said,
        f"To {_quoted(premise)} belongs {_quoted(partner)}. {why.why}",
        why.see,
        given.cause,
        also=Explanation(why=f"{belongs} {given.explanation.why}", see=given.explanation.see),
    )


def _quoted(part: Premise | Response) -> str:
    return f"“{part.text.removesuffix('.')}”"


KIND = Match()
