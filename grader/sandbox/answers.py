"""Turns a message that a guest wrote into a reply, taking every field of it as a claim that may be false or absurd."""

from collections.abc import Sequence

from grader.sandbox.replies import Loaded, Missing, Raised, Returned, WrongType
from grader.sandbox.wire import Array, Kind, Malformed, Message, TooLarge

_MAX_TEXT_CHARACTERS = 2000
_MAX_LINE = 1_000_000
_FORMS = ("ndarray", "tensor", "number")


def read_load_answer(answer: Message, seconds: float) -> Loaded | Raised:
    """Return what became of loading the learner's module."""
    if answer.kind is Kind.LOADED:
        return Loaded(seconds)
    return _raised(answer)


def read_call_answer(
    answer: Message, seconds: float, *, function: str, arrays: Sequence[Array]
) -> Returned | Raised | Missing | WrongType:
    """Return what became of a call with these array arguments."""
    note = answer.note
    if answer.kind is Kind.RETURNED:
        return _returned(answer, arrays, seconds)
    if answer.kind is Kind.MISSING:
        return Missing(function, is_defined=note.get("is_defined") is True)
    if answer.kind is Kind.WRONG_TYPE:
        position = note.get("position")
        return WrongType(_text(note, "type"), position if type(position) is int and 0 <= position < 10**6 else None)
    if answer.kind is Kind.OVERSIZED:
        raise TooLarge("returned more than a result may hold")
    return _raised(answer)


def _returned(answer: Message, arrays: Sequence[Array], seconds: float) -> Returned:
    forms, changed = answer.note.get("forms"), answer.note.get("changed")
    is_tuple = answer.note.get("tuple")
    if not isinstance(forms, list) or not isinstance(changed, list) or not isinstance(is_tuple, bool):
        raise Malformed("a result lacks its description")
    if any(form not in _FORMS for form in forms) or (not is_tuple and len(forms) != 1):
        raise Malformed("a result is described wrongly")
    if len(forms) + len(changed) != len(answer.arrays):
        raise Malformed("a result does not carry the arrays that it describes")
    outputs, came_back = answer.arrays[: len(forms)], answer.arrays[len(forms) :]
    inputs_after = list(arrays)
    for index, array in zip(changed, came_back, strict=True):
        if type(index) is not int or not 0 <= index < len(arrays):
            raise Malformed("an input came back that was never sent")
        inputs_after[index] = array
    return Returned(
        outputs=outputs, forms=tuple(forms), is_tuple=is_tuple, inputs_after=tuple(inputs_after), seconds=seconds
    )


def _raised(answer: Message) -> Raised:
    if answer.kind is not Kind.RAISED:
        raise Malformed(f"{answer.kind.name} is no answer to this request")
    line = answer.note.get("line")
    return Raised(
        type_name=_text(answer.note, "type"),
        message=_text(answer.note, "message"),
        line=line if type(line) is int and 1 <= line <= _MAX_LINE else None,
        is_out_of_memory=answer.note.get("memory") is True,
    )


def _text(note: dict[str, object], key: str) -> str:
    """Return a text that can be stored and shown: no lone surrogates, no NUL, which PostgreSQL refuses."""
    text = note.get(key)
    if not isinstance(text, str):
        raise Malformed(f"the note lacks the text {key!r}")
    return text[:_MAX_TEXT_CHARACTERS].encode("utf-8", "replace").decode("utf-8").replace("\0", "�")
