"""Writes the rows of a drawn paper: its slots, each on the snapshot of its question, and a response to each slot.

A paper has three hundred values. One parameter each takes the driver longer than storing them takes the database, so
the paper travels as one JSON text, and the database itself finds the snapshots.
"""

import uuid
from collections.abc import Iterable, Sequence

from django.db.models import F

from courseware.statements import Change, Given, InWords, OneForEach
from quizzes import snapshots
from quizzes.models import Response, Sitting, Slot
from quizzes.paper import PaperLine
from quizzes.questions import Question

_SLOTS_FROM = """
INSERT INTO quizzes_slot
    (sitting_id, position, question_id, concept_id, snapshot_id, parameters, option_order, marks, flagged)
SELECT %s, position, asked.question_id, concept, asked.id, line.parameters, line.option_order, line.marks, FALSE
FROM {} JOIN quizzes_questionsnapshot AS asked ON asked.content_digest = line.digest
"""
# How each database reads a JSON text as rows.
_LINES = {
    "postgresql": """jsonb_to_recordset(%s) AS line
        (position smallint, concept text, digest text, parameters jsonb, option_order jsonb, marks numeric)""",
    "sqlite": """(SELECT
        json_extract(value, '$.position') AS position, json_extract(value, '$.concept') AS concept,
        json_extract(value, '$.digest') AS digest, json_extract(value, '$.parameters') AS parameters,
        json_extract(value, '$.option_order') AS option_order, json_extract(value, '$.marks') AS marks
        FROM json_each(%s)) AS line""",
}
_SLOTS = Change(
    lambda: InWords(
        {vendor: _SLOTS_FROM.format(lines) for vendor, lines in _LINES.items()},
        (Given("sitting", uuid.UUID), Given("lines", dict)),
    )
)
_RESPONSES = Change(
    lambda: OneForEach(Slot.objects.filter(sitting=Given("sitting", uuid.UUID)), Response(slot_id=F("pk")))
)


def write(sitting: Sitting, paper: Sequence[PaperLine], pool: Iterable[Question]) -> None:
    """Write a slot and an empty response for each line of a new sitting. Inside a transaction.

    `pool` is all that its test may ask, of this learner or another.
    """
    lines = [
        {
            "position": position,
            "concept": line.question.concept_id,
            "digest": snapshots.frozen_once(line.question).content_digest,
            "parameters": dict(line.variant.parameters),
            "option_order": line.variant.option_order,
            "marks": str(line.marks),
        }
        for position, line in enumerate(paper, start=1)
    ]
    if _SLOTS.run(sitting=sitting.pk, lines=lines) < len(lines):  # one of these was never asked before
        sitting.slots.all().delete()
        # With all others of the pool: a class that starts at once would else wait for each other's few.
        snapshots.keep(pool)
        _SLOTS.run(sitting=sitting.pk, lines=lines)
    _RESPONSES.run(sitting=sitting.pk)
