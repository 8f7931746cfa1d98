"""The four messages between site and judge, and the names of tasks and queues they travel by.

Both sides import this module and never each other. Reading is strict (ValueError), because a message from the broker
proves nothing about who wrote it. Pure: knows neither Django, Celery nor what a grading does.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from grader.untrusted import Untrusted
from grader.verdicts import IDENTIFIER, CheckReport, Verdict

GRADE = "judge.grade"
PROGRESS = "recorder.progress"
VERDICT = "recorder.verdict"
JUDGE_ALIVE = "recorder.judge_alive"
INTERACTIVE_QUEUE = "judge.interactive"
RECORDER_QUEUE = "recorder"

SOURCE_LIMIT = 64 * 1024  # characters; a long solution of any exercise has under 10,000
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
TICKET = r"[0-9a-f]{32}"
DIGEST = r"[0-9a-f]{64}"
SEED_LIMIT = 2**63 - 1


class Kind(Enum):
    """What a learner asked for."""

    RUN = "run"  # the visible examples only; earns nothing
    SUBMIT = "submit"


@dataclass(frozen=True)
class Delivery:
    """One sending of one submission; an answer counts only if all three match the site's row."""

    submission: str
    delivery: int
    ticket: str

    @classmethod
    def read(cls, fields: Untrusted) -> Self:
        return cls(
            submission=fields.matching("submission", UUID),
            delivery=fields.integer("delivery", minimum=1, maximum=1_000),
            ticket=fields.matching("ticket", TICKET),
        )

    def to_message(self) -> dict[str, Any]:
        return {"submission": self.submission, "delivery": self.delivery, "ticket": self.ticket}


@dataclass(frozen=True)
class GradeOrder:
    """Site to judge: grade this source. Holds all that the judge needs; it looks nothing up."""

    sent: Delivery
    exercise: str
    exercise_digest: str
    source: str
    seed: int
    limits: dict[str, float]  # an empty object means the exercise's own
    stages: tuple[str, ...]
    kind: Kind

    def to_message(self) -> dict[str, Any]:
        return self.sent.to_message() | {
            "exercise": self.exercise,
            "exercise_digest": self.exercise_digest,
            "source": self.source,
            "seed": self.seed,
            "limits": self.limits,
            "stages": list(self.stages),
            "kind": self.kind.value,
        }

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "grade")
        order = cls(
            sent=Delivery.read(fields),
            exercise=fields.matching("exercise", IDENTIFIER),
            exercise_digest=fields.matching("exercise_digest", DIGEST),
            source=fields.text("source", limit=SOURCE_LIMIT),
            seed=fields.integer("seed", maximum=SEED_LIMIT),
            limits=fields.numbers("limits"),
            stages=fields.texts("stages", limit=4),
            kind=fields.choice("kind", Kind),
        )
        fields.refuse_unknown()
        return order


@dataclass(frozen=True)
class ProgressNote:
    """Judge to site: all reports so far, checks and examples apart."""

    sent: Delivery
    judge: str
    checks: tuple[CheckReport, ...]

    def to_message(self) -> dict[str, Any]:
        return self.sent.to_message() | {
            "judge": self.judge,
            "checks": [report.to_message() for report in self.checks],
        }

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "progress")
        note = cls(
            sent=Delivery.read(fields),
            judge=fields.text("judge", limit=100),
            checks=fields.each("checks", CheckReport.from_message, limit=64),
        )
        fields.refuse_unknown()
        return note


@dataclass(frozen=True)
class VerdictNote:
    """Judge to site: the final verdict of one delivery."""

    sent: Delivery
    judge: str
    verdict: Verdict

    def to_message(self) -> dict[str, Any]:
        return self.sent.to_message() | {"judge": self.judge, "verdict": self.verdict.to_message()}

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "verdict note")
        note = cls(
            sent=Delivery.read(fields),
            judge=fields.text("judge", limit=100),
            verdict=fields.built("verdict", Verdict.from_message),
        )
        fields.refuse_unknown()
        return note


@dataclass(frozen=True)
class JudgeAlive:
    """Judge to site, every ten seconds: who it is, how well it isolates, and why it would not grade."""

    judge: str
    rung: str
    rung_reason: str
    device: str
    versions: tuple[tuple[str, str], ...]
    exercises_digest: str
    libraries: tuple[str, ...]
    refusal: str | None  # None while it grades

    def to_message(self) -> dict[str, Any]:
        return {
            "judge": self.judge,
            "rung": self.rung,
            "rung_reason": self.rung_reason,
            "device": self.device,
            "versions": dict(self.versions),
            "exercises_digest": self.exercises_digest,
            "libraries": list(self.libraries),
            "refusal": self.refusal,
        }

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "judge alive")
        alive = cls(
            judge=fields.text("judge", limit=100),
            rung=fields.text("rung", limit=40),
            rung_reason=fields.text("rung_reason"),
            device=fields.text("device", limit=100),
            versions=fields.built("versions", _versions),
            exercises_digest=fields.matching("exercises_digest", DIGEST),
            libraries=fields.texts("libraries", limit=8),
            refusal=fields.optional_text("refusal"),
        )
        fields.refuse_unknown()
        return alive


def _versions(message: object) -> tuple[tuple[str, str], ...]:
    fields = Untrusted(message, "versions")
    return tuple((name, fields.text(name, limit=100)) for name in fields.names(limit=16))
