"""The Python of an exercise folder, loaded for judging: references, checks and known-wrong variants.

An author's mistake in these files is a `BrokenExercise`, never a learner's fault. The files are trusted as the rest of
the server is; no learner's code is ever loaded here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from courseware.concepts.faults import Faults
from courseware.concepts.sources import Fields, YamlMapping, read_yaml
from grader.arguments import Given, Plain, read_given
from grader.exercises import Exercise
from grader.judge import cost_rules, precision_rules
from grader.judge.arrays import Floats
from grader.judge.checking import Finding
from grader.judge.cost_rules import CostRule
from grader.judge.guests import adapted
from grader.judge.precision_rules import PrecisionRule
from grader.judge.probing import Call, Draw, Input, Probe, Unmet
from grader.nested import Nested

# Where a function's own arguments or results are not arrays and plain values, such as a dictionary of weights.
ADAPTER = "adapter.py"

Function = Callable[..., Any]
Rung = tuple[tuple[int, ...] | Floats | Plain, ...]  # for each argument a shape, or the array or plain value itself


Rule = TypeVar("Rule")


class BrokenExercise(Exception):
    """The exercise cannot be judged until its author has mended it."""


@dataclass(frozen=True, eq=False)  # it holds functions; what is worked out for one is kept by its identity
class Bench:
    """An exercise with everything that judges it."""

    exercise: Exercise
    styles: Mapping[str, Function]  # correct programs by name; the first is the reference
    draw_calls: Callable[[np.random.Generator], dict[str, Call]]
    checks: Mapping[str, Callable[[Draw], Finding]]  # by the ids and in the order of exercise.yaml
    variants: Mapping[str, Function]  # known-wrong programs by id
    family: Callable[..., Function] | None  # switches -> the program; None where variants are not of one family
    switches: Mapping[str, Mapping[str, object]]  # of the family, by variant id
    steps_of: Function | None  # (switches that are set, inputs) -> steps in words with their matrices
    counterexamples: Mapping[str, tuple[Input, ...]]  # inputs by variant id
    ladder: tuple[Rung, ...]  # the forms of input among which the smallest counterexamples are looked for
    precision: PrecisionRule | None  # how low precision is tried, where it is a part of the exercise
    cost: CostRule | None  # how it is measured, where cost is a part of the exercise
    adapter: str  # a source that stands between a call and the function, in the guest too; "" where there is none
    weights_probe: str  # the probe whose output is the weight matrix; "" where there is none
    cache: Path | None  # the folder for what takes long to work out; None keeps nothing

    @property
    def reference(self) -> Function:
        return next(iter(self.styles.values()))

    def draw(self, random: np.random.Generator) -> Draw:
        """Return the probes of one random draw, with the reference's answers."""
        with blaming_the_author(f"{self.exercise.slug}/checks.py"):
            calls = self.draw_calls(random)
            probes = {name: self.probe(call) for name, call in calls.items()}
        return Draw(probes, self.exercise.tolerance, [each.name for each in self.exercise.arguments])

    def probe(self, call: Call) -> Probe:
        """Return a call with the reference's answer to it."""
        with blaming_the_author(f"{self.exercise.slug}/reference.py"):
            answer = np.asarray(self.reference(*call.copies()), dtype=np.float64)
            if not np.isfinite(answer).all():
                raise ValueError(f"the reference is not finite for {call.tried_with}")
        return Probe(call, answer, "tensor" if self.exercise.library == "pytorch" else "ndarray")


@contextmanager
def blaming_the_author(file: str) -> Iterator[None]:
    """Turn any exception inside the block into BrokenExercise, naming the file that raised it."""
    try:
        yield
    except (BrokenExercise, Unmet):
        raise
    except Exception as error:  # whatever an author's code raises, it is the author's to mend
        raise BrokenExercise(f"{file}: {type(error).__name__}: {error}") from error


def open_bench(exercise: Exercise, *, cache: Path | None = None) -> Bench:
    """Return an exercise ready to judge; BrokenExercise if its Python cannot be loaded or does not fit its yaml."""
    reference, checks, switches = (_load(exercise, name) for name in ("reference.py", "checks.py", "switches.py"))
    source = exercise.folder / ADAPTER
    adapter = source.read_text(encoding="utf-8") if source.exists() else ""
    with blaming_the_author(f"{exercise.slug}/{ADAPTER}"):
        adapt = adapted(adapter)
    bench = Bench(
        exercise=exercise,
        styles={name: adapt(style) for name, style in _mapping(reference, "STYLES").items()},
        draw_calls=_callable(checks, "calls"),
        checks=_mapping(checks, "CHECKS"),
        variants={name: adapt(variant) for name, variant in _mapping(switches, "VARIANTS").items()},
        family=_family(switches, exercise.function, adapt) if hasattr(switches, "SWITCHES") else None,
        switches=getattr(switches, "SWITCHES", {}),
        steps_of=getattr(switches, "steps_of", None),
        counterexamples=_counterexamples(exercise),
        ladder=tuple(getattr(switches, "LADDER", ())),
        precision=_rule(exercise, "precision.py", "naive.py", precision_rules.read_rule),
        cost=_rule(exercise, "cost.py", "frugal.py", cost_rules.read_rule),
        adapter=adapter,
        weights_probe=str(getattr(checks, "WEIGHTS_PROBE", "")),
        cache=cache,
    )
    measured = [precision_rules.CHECK] if bench.precision else []
    measured += [cost_rules.CHECK] if bench.cost else []
    if [*bench.checks, *measured] != [check.id for check in exercise.checks]:
        raise BrokenExercise(f"{exercise.slug}/checks.py: CHECKS must hold the checks of exercise.yaml in their order")
    if set(bench.variants) != {variant.id for variant in exercise.variants}:
        raise BrokenExercise(f"{exercise.slug}/switches.py: VARIANTS must hold the variants of exercise.yaml")
    if set(bench.switches) - set(bench.variants):
        raise BrokenExercise(f"{exercise.slug}/switches.py: SWITCHES holds variants that VARIANTS lacks")
    return bench


def as_inputs(given: Iterable[tuple[str, Given]]) -> tuple[Input, ...]:
    """Return what a course file gives for each parameter as the arguments of a call."""
    return tuple(_as_array(value) if isinstance(value, tuple) else value for _, value in given)


def _as_array(values: Nested) -> Floats:
    """Return nested values as an array, of truth values where they are such."""
    array = np.array(values)
    return array if array.dtype == bool else array.astype(np.float64)


def _rule(exercise: Exercise, name: str, program: str, read: Callable[[ModuleType, str], Rule]) -> Rule | None:
    """Return what a file demands of further runs, with the course's own program beside it; most exercises have none."""
    if not (exercise.folder / name).exists():
        return None
    module = _load(exercise, name)
    with blaming_the_author(f"{exercise.slug}/{name}"):
        return read(module, (exercise.folder / program).read_text(encoding="utf-8"))


def _counterexamples(exercise: Exercise) -> dict[str, tuple[Input, ...]]:
    """Return the inputs that `counterexamples.yaml` holds; an exercise may do without the file."""
    source = exercise.folder / "counterexamples.yaml"
    if not source.exists():
        return {}
    faults = Faults()
    fields = Fields(read_yaml(source, faults) or YamlMapping(1), source, faults)
    found = {}
    for variant in exercise.variants:
        inputs = fields.fields(variant.id, required=False)
        if inputs is not None:
            found[variant.id] = as_inputs(read_given(inputs, exercise.arguments))
    fields.refuse_unknown()
    if len(faults):
        raise BrokenExercise("\n".join(map(str, faults)))
    return found


def _load(exercise: Exercise, name: str) -> ModuleType:
    """Return a module made from a file of the folder; compiled here, so that nothing is written beside it."""
    path = exercise.folder / name
    module = ModuleType(f"{exercise.slug}_{path.stem}".replace("-", "_"))
    module.__file__ = str(path)
    with blaming_the_author(f"{exercise.slug}/{name}"):
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)  # noqa: S102 (trusted)
    return module


def _family(module: ModuleType, name: str, adapt: Callable[[Function], Function]) -> Callable[..., Function]:
    """Return what makes a program of the family from the switches that are set."""
    program = _callable(module, name)
    return lambda **switches: adapt(partial(program, **switches))


def _mapping(module: ModuleType, name: str) -> dict[str, Function]:
    value = getattr(module, name, None)
    if not isinstance(value, dict) or not value or not all(callable(entry) for entry in value.values()):
        raise BrokenExercise(f"{module.__file__}: must define {name}, a dictionary of functions")
    return value


def _callable(module: ModuleType, name: str) -> Function:
    value = getattr(module, name, None)
    if not callable(value):
        raise BrokenExercise(f"{module.__file__}: must define the function {name}")
    return value  # type: ignore[no-any-return]
