"""Reads exercises from their folders: from `exercise.yaml`, `brief.md` and `starter.py` of each.

`load_exercises` reports every fault of every folder at once. It never runs the folder's Python: `reference.py`,
`checks.py` and `switches.py` are for the judge, which finds them through `folder`. Pure: no Django, no NumPy.
"""

import ast
import re
from collections.abc import Container, Iterable
from decimal import Decimal
from pathlib import Path

from courseware.concepts.faults import Faults
from courseware.concepts.sources import Fields, YamlMapping, read_yaml
from grader.arguments import Parameter, read_example, read_identifier, read_parameter, read_returned
from grader.digests import folder_digest
from grader.exercises import JUDGE_FILES, LIBRARIES, Check, Exercise, Limits, Tolerance, VariantClass, WrongVariant
from grader.verdicts import IDENTIFIER


def load_exercises(course_path: Path, faults: Faults) -> dict[str, Exercise]:
    """Return the exercises of a course directory by slug, in the order of module, concept and their own `order`."""
    exercises: dict[str, Exercise] = {}
    places: dict[tuple[Path, int], str] = {}
    for source in sorted(course_path.glob("*/concepts/*/*/exercise.yaml")):
        found_before = len(faults)
        exercise = load_exercise(source.parent, faults)
        holder = places.setdefault((exercise.folder.parent, exercise.order), exercise.slug)
        if exercise.slug in exercises:
            faults.add(source, 1, "file", f"the slug {exercise.slug} is taken by {exercises[exercise.slug].folder}")
        elif holder != exercise.slug:
            faults.add(
                source,
                1,
                "order",
                f"{exercise.order} is the place of {holder}; a concept's exercises each have their own",
            )
        elif len(faults) == found_before:
            exercises[exercise.slug] = exercise
    return dict(sorted(exercises.items(), key=lambda item: (item[1].folder.parent, item[1].order)))


def load_exercise(folder: Path, faults: Faults) -> Exercise:
    """Return the exercise of one folder; where faults were added it is incomplete and must not be used."""
    source = folder / "exercise.yaml"
    fields = Fields(read_yaml(source, faults) or YamlMapping(1), source, faults)
    parameters = tuple(read_parameter(reader) for reader in fields.each("parameters"))
    called_with = tuple(read_parameter(reader) for reader in fields.each("called_with", required=False))
    returns = fields.fields("returns")
    exercise = Exercise(
        slug=folder.name,
        concept_id=folder.parent.name.partition("-")[2],
        order=fields.integer("order", minimum=1, default=1),
        title=fields.text("title"),
        library=fields.choice("library", LIBRARIES),
        function=fields.text("function"),
        filename=fields.text("filename"),
        parameters=parameters,
        arguments=called_with or parameters,
        returns=read_returned(returns) if returns else Parameter("", "", ""),
        dtype=fields.choice("dtype", ("float64", "float32")),
        marks=Decimal(fields.integer("marks", minimum=1)),
        tolerance=_tolerance(fields),
        limits=_limits(fields),
        checks=tuple(_check(reader) for reader in fields.each("checks")),
        examples=tuple(read_example(reader, called_with or parameters) for reader in fields.each("examples")),
        variants=tuple(_variant(reader) for reader in fields.each("wrong")),
        brief=_read_text(folder / "brief.md", faults),
        starter=_read_text(folder / "starter.py", faults),
        digest=folder_digest(folder),
        folder=folder,
    )
    fields.refuse_unknown()
    _report_contradictions(exercise, fields, faults)
    return exercise


def report_unknown_beliefs(exercises: Iterable[Exercise], beliefs: Container[str], faults: Faults) -> None:
    """Report every known-wrong variant that names a misconception or slip which the module does not have."""
    for exercise in exercises:
        for variant in exercise.variants:
            if variant.belief not in beliefs:
                source = exercise.folder / "exercise.yaml"
                faults.add(source, 1, f"wrong.{variant.id}.belief", f"{variant.belief} is no misconception or slip")


def _tolerance(fields: Fields) -> Tolerance:
    inner = fields.fields("tolerance")
    if inner is None:
        return Tolerance(0.0, 0.0, 0.0, "")
    names = ("relative", "absolute", "single_precision")
    relative, absolute, single_precision = (inner.number(name) or 0.0 for name in names)
    if not 0 < relative <= single_precision:
        inner.fault("relative", "must lie above 0 and not above single_precision")
    tolerance = Tolerance(relative, absolute, single_precision, inner.text("reason"))
    inner.refuse_unknown()
    return tolerance


def _limits(fields: Fields) -> Limits:
    inner = fields.fields("limits")
    if inner is None:
        return Limits(0.0, 0.0, 0, 0, "")
    call_seconds, total_seconds = inner.number("call_seconds") or 0.0, inner.number("total_seconds") or 0.0
    if not 0 < call_seconds <= total_seconds:
        inner.fault("call_seconds", "must lie above 0 and not above total_seconds")
    memory_bytes = inner.integer("memory_mebibytes", minimum=64) * 1024 * 1024
    output_bytes = inner.integer("output_kibibytes", minimum=1) * 1024
    limits = Limits(call_seconds, total_seconds, memory_bytes, output_bytes, inner.text("reason"))
    inner.refuse_unknown()
    return limits


def _check(fields: Fields) -> Check:
    check = Check(
        id=read_identifier(fields, "id"),
        title=fields.text("title"),
        hint=fields.text("hint"),
        marks=Decimal(fields.integer("marks")),
        is_fragile=fields.flag("fragile"),
    )
    fields.refuse_unknown()
    return check


def _variant(fields: Fields) -> WrongVariant:
    variant = WrongVariant(
        id=read_identifier(fields, "id"),
        belief=read_identifier(fields, "belief"),
        kind=VariantClass(fields.choice("class", [kind.value for kind in VariantClass])),
        caught_by=read_identifier(fields, "caught_by"),
        likeness=fields.text("likeness"),
        detail=fields.text("detail"),
        equals=fields.texts("equals", required=False),
    )
    fields.refuse_unknown()
    return variant


def _read_text(path: Path, faults: Faults) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        faults.add(path, 1, "file", f"cannot be read: {error}")
        return ""


def _report_contradictions(exercise: Exercise, fields: Fields, faults: Faults) -> None:
    """Report what no single key can show: sums, references between keys, and Python that is no Python."""
    if sum(check.marks for check in exercise.checks) != exercise.marks:
        fields.fault("marks", "must be the sum of the checks' marks")
    if re.fullmatch(IDENTIFIER, exercise.slug) is None:
        fields.fault("title", f"the folder name {exercise.slug!r} cannot be a slug")
    for name, identifiers in (
        ("checks", [check.id for check in exercise.checks]),
        ("examples", [example.id for example in exercise.examples]),
        ("wrong", [variant.id for variant in exercise.variants]),
    ):
        if len(set(identifiers)) != len(identifiers):
            fields.fault(name, "holds the same id twice")
    checks = {check.id for check in exercise.checks}
    variants = {variant.id for variant in exercise.variants}
    for variant in exercise.variants:
        if variant.caught_by not in checks:
            fields.fault("wrong", f"{variant.id} is to be caught by {variant.caught_by}, which is no check")
        for other in set(variant.equals) - variants:
            fields.fault("wrong", f"{variant.id} equals {other}, which is no variant")
    for name in ("starter.py", *JUDGE_FILES):
        path = exercise.folder / name
        text = exercise.starter if name == "starter.py" else _read_text(path, faults)
        try:
            defined = ast.parse(text).body
        except SyntaxError as error:
            faults.add(path, error.lineno or 1, "file", f"is not Python: {error.msg}")
            continue
        if name == "starter.py" and exercise.signature not in map(_called, defined):
            faults.add(path, 1, "file", f"must define {exercise.signature}")


def _called(node: ast.stmt) -> str:
    """Return how what a statement defines is called; a class by the arguments of its `__init__`, but for self."""
    if isinstance(node, ast.FunctionDef):
        return f"{node.name}({ast.unparse(node.args)})"
    if isinstance(node, ast.ClassDef):
        made = [inner for inner in node.body if isinstance(inner, ast.FunctionDef) and inner.name == "__init__"]
        return "".join(f"{node.name}({ast.unparse(init.args).removeprefix('self, ')})" for init in made)
    return ""
