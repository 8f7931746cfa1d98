"""Exercises: what an exercise promises and asks, as records. Pure: no Django, no NumPy, no files."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path

from grader.arguments import Example, Parameter, signature_of

LIBRARIES = ("numpy", "pytorch")
JUDGE_FILES = ("reference.py", "checks.py", "switches.py")


@dataclass(frozen=True)
class Tolerance:
    """How close a value must be: |got - expected| <= absolute + relative * |expected|."""

    relative: float
    absolute: float
    single_precision: float  # an error up to this is accepted with the remark that float32 was used
    reason: str


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    call_seconds: float
    total_seconds: float
    memory_bytes: int
    output_bytes: int
    reason: str

    def to_message(self) -> dict[str, float]:
        """Return the numbers, for the message that sends a submission to a judge."""
        return {name: value for name, value in asdict(self).items() if name != "reason"}


@dataclass(frozen=True)
class Check:
    """One named thing that the exercise tests."""

    id: str
    title: str
    hint: str  # what to try while it fails
    marks: Decimal
    is_fragile: bool  # failing only checks of this sort means right, but fragile


class VariantClass(Enum):
    """In which way a known-wrong program is not right."""

    WRONG = "wrong"  # it fails a check
    FRAGILE = "fragile"  # right on ordinary values, broken by an input that is shown
    CONVENTION = "convention"  # right elsewhere; here the brief says otherwise
    COSTLY = "costly"  # its values are right, what it needs grows too fast


@dataclass(frozen=True)
class WrongVariant:
    """A known-wrong program of the family in `switches.py`."""

    id: str
    belief: str  # id of a misconception or slip
    kind: VariantClass
    caught_by: str  # the check that must fail
    likeness: str  # completes "It behaves exactly like …"
    detail: str
    equals: tuple[str, ...]  # variants that no input can tell from this one

    @property
    def is_fragile(self) -> bool:
        return self.kind is VariantClass.FRAGILE

    @property
    def is_slip(self) -> bool:
        """Say whether no belief stands behind it."""
        return self.belief.startswith("slip-")

    @property
    def is_costly(self) -> bool:
        return self.kind is VariantClass.COSTLY


@dataclass(frozen=True)
class Exercise:
    """One code exercise, complete."""

    slug: str
    concept_id: str
    order: int  # its place among the exercises of its concept
    title: str
    library: str
    function: str
    filename: str
    parameters: tuple[Parameter, ...]
    arguments: tuple[Parameter, ...]  # what a call sends; the parameters, unless an adapter makes those from it
    returns: Parameter
    dtype: str
    marks: Decimal
    tolerance: Tolerance
    limits: Limits
    checks: tuple[Check, ...]
    examples: tuple[Example, ...]
    variants: tuple[WrongVariant, ...]
    brief: str  # Markdown
    starter: str
    digest: str
    folder: Path

    @property
    def signature(self) -> str:
        return signature_of(self.function, self.parameters)

    @property
    def opening(self) -> str:
        """How the definition begins: `def` with the signature, or the line of the class where one is asked for."""
        lines = [line.rstrip(":") for line in self.starter.splitlines() if line.startswith(f"class {self.function}(")]
        return lines[0] if lines else f"def {self.signature}"

    def variant(self, variant_id: str) -> WrongVariant:
        return next(variant for variant in self.variants if variant.id == variant_id)


def exercises_digest(exercises: Iterable[Exercise]) -> str:
    """Return one digest of all exercises, by which site and judge see whether they have the same ones."""
    lines = sorted(f"{exercise.slug} {exercise.digest}\n" for exercise in exercises)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
