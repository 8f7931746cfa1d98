"""Questions as canonical JSON: what a snapshot keeps, and the two digests by which versions are told apart.

The content digest changes with anything a learner could see; the marking digest only with what decides a mark, so
that a mended comma never suggests marking anew. Pure.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quizzes.questions import Bloom, Pool, Question
from quizzes.registry import kind_of

VERSION = 1  # of this layout; `thaw` must go on reading every earlier one


@dataclass(frozen=True)
class Frozen:
    """A question ready to be kept."""

    body: str  # canonical JSON
    content_digest: str
    marking_digest: str


def freeze(question: Question) -> Frozen:
    """Return a question as canonical JSON with its digests."""
    kind = kind_of(question.kind)
    body = canonical(
        {
            "version": VERSION,
            "id": question.id,
            "concept": question.concept_id,
            "kind": question.kind,
            "pool": question.pool.value,
            "bloom": question.bloom.value,
            "facts": list(question.facts),
            "enemies": list(question.enemies),
            "stem": question.stem,
            "task": kind.freeze(question.task),
        }
    )
    marking = canonical({"kind": question.kind, "key": kind.marking_key(question.task)})
    return Frozen(body=body, content_digest=_digest(body), marking_digest=_digest(marking))


def thaw(body: str) -> Question:
    """Return the question that `freeze` wrote.

    Errors:  ValueError if the layout is of a later version than this program knows
    """
    values: Mapping[str, Any] = json.loads(body)
    if values["version"] != VERSION:
        raise ValueError(f"a snapshot has layout {values['version']}; this program knows {VERSION}")
    return Question(
        id=values["id"],
        concept_id=values["concept"],
        kind=values["kind"],
        pool=Pool(values["pool"]),
        bloom=Bloom(values["bloom"]),
        facts=tuple(values["facts"]),
        enemies=tuple(values["enemies"]),
        stem=values["stem"],
        task=kind_of(values["kind"]).thaw(values["task"]),
    )


def canonical(values: Any) -> str:
    """Return JSON that is the same for the same values, whoever writes it."""
    return json.dumps(values, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
