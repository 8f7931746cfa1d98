"""Writes an answer and the event that says so: in one statement where the database can, since a class saves at once."""

import uuid
from datetime import datetime
from typing import Any

from django.db import connection

from courseware.statements import Change, Given, InWords
from quizzes.event_log import note, tell
from quizzes.models import EventKind, Response

_REVISED = {
    "revision": Given("revision", int),
    "answer": Given("answer", dict),
    "saved_at": Given("saved_at", datetime),
    "save_id": Given("save_id", str),
}
_ANSWER = Change(
    lambda: (Response.objects.filter(pk=Given("response", int), revision=Given("known", int), final_at=None), _REVISED)
)
_ANSWER_AND_EVENT = Change(
    lambda: InWords(
        {
            "postgresql": """
WITH saved AS (
    UPDATE quizzes_response SET revision = %s, answer = %s, saved_at = %s, save_id = %s
    WHERE id = %s AND revision = %s AND final_at IS NULL RETURNING slot_id)
INSERT INTO quizzes_event (sitting_id, slot_id, kind, at, detail) SELECT %s, slot_id, %s, %s, %s FROM saved
"""
        },
        (
            *_REVISED.values(),
            *(Given("response", int), Given("known", int), Given("sitting", uuid.UUID)),
            *(Given("kind", str), Given("saved_at", datetime), Given("detail", dict)),
        ),
    )
)


def write(response: Response, parts: list[str] | None, save_id: str, now: datetime) -> bool:
    """Write an answer over the revision that is known here; False if there is a newer one, or the answer is final."""
    slot, revision = response.slot, response.revision + 1
    detail = {"revision": revision, "answer": parts}
    given: dict[str, Any] = {"response": response.pk, "known": response.revision, "revision": revision}
    given |= {"answer": parts, "saved_at": now, "save_id": save_id}
    if connection.vendor == "postgresql":
        kind = EventKind.SAVED.value
        is_written = _ANSWER_AND_EVENT.run(**given, sitting=slot.sitting_id, kind=kind, detail=detail) == 1
        if is_written:
            tell(slot.sitting, EventKind.SAVED, slot)
    else:
        is_written = _ANSWER.run(**given) == 1
        if is_written:
            note(slot.sitting, EventKind.SAVED, now, slot, detail)
    if is_written:
        response.revision, response.answer, response.saved_at = revision, parts, now
    return is_written
