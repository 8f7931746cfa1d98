"""The question banks of a course: every question, self-check and blueprint, with all faults reported at once.

Reads `bank.yaml` in each concept's folder and `blueprint.yaml` in each module's. Pure: no Django, no database.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from courseware.concepts.course import Course
from courseware.concepts.faults import Faults
from courseware.concepts.modules import Concept, Module
from courseware.concepts.rendered import Rendered
from courseware.concepts.sources import Fields, read_yaml
from quizzes import bank_rules, length_cues, prose
from quizzes.paper import Blueprint, Draw, Order, PaperCannotBeDrawn, draw_paper, variant_of
from quizzes.questions import Bloom, Cause, Grounds, Pool, Posed, Question
from quizzes.registry import kinds

SELF_CHECK_SLUG = "self-check"
_SEEDS_TRIED = tuple(str(seed) for seed in range(10))
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class Bank:
    """Everything that may be asked, by id."""

    questions: Mapping[str, Question]
    self_checks: Mapping[str, Question]  # by concept id
    blueprints: Mapping[str, Blueprint]  # by name


def load_bank(course: Course, faults: Faults) -> Bank:
    """Return the banks of a course; what is faulty is reported and left out."""
    questions: dict[str, Question] = {}
    self_checks: dict[str, Question] = {}
    blueprints: dict[str, tuple[Fields, Blueprint]] = {}
    known_faults = len(faults)
    for module in course.modules:
        for concept in module.concepts:
            if concept.folder is not None and concept.card is not None:
                _load_concept(course, concept, faults, questions, self_checks)
        ids = {concept.id for concept in module.concepts}
        asked = [*questions.values(), *self_checks.values()]
        in_module = [question for question in asked if question.concept_id in ids]
        length_cues.check_module(module.folder / "module.yaml", faults, in_module)
        _load_blueprints(module, faults, blueprints)
    if len(faults) == known_faults:  # else a question that was left out would be missed a second time
        _check_can_be_drawn(questions, blueprints)
    drawn = {name: blueprint for name, (_, blueprint) in blueprints.items()}
    return Bank(questions=questions, self_checks=self_checks, blueprints=drawn)


def _load_concept(
    course: Course, concept: Concept, faults: Faults, questions: dict[str, Question], self_checks: dict[str, Question]
) -> None:
    assert concept.folder is not None
    path = concept.folder / "bank.yaml"
    mapping = read_yaml(path, faults)
    if mapping is None:
        return
    fields = Fields(mapping, path, faults)
    grounds = _grounds(course, concept, Rendered(course.cache, path.read_text(encoding="utf-8")))
    own: dict[str, tuple[Fields, Question]] = {}
    self_check_fields = fields.fields("self_check")
    entries = [self_check_fields] if self_check_fields else []
    entries += fields.each("questions")
    fields.refuse_unknown()
    for entry in entries:
        question = _parse_question(entry, grounds, is_self_check=entry is self_check_fields)
        if question is None:
            continue
        if question.id in own:
            entry.fault("id", f"{question.id!r} is the id of another question too")
        if any(question.stem == other.stem for _, other in own.values()):
            entry.fault("stem", "is the stem of another question of this bank too")
        own[question.id] = entry, question
    grounds.rendered.keep()
    length_cues.check_bank(fields, [question for _, question in own.values()])
    bank_rules.check_levels(fields, [question for _, question in own.values()])
    for question in _with_known_enemies(own):
        if question.pool is Pool.SELF_CHECK:
            self_checks[concept.id] = question
        else:
            questions[question.id] = question


def _grounds(course: Course, concept: Concept, rendered: Rendered) -> Grounds:
    assert concept.card is not None
    causes = {each.id: Cause(id=each.id, label=each.label) for each in course.misconceptions.values()}
    causes |= {each.id: Cause(id=each.id, label=each.label) for each in course.slips.values()}
    return Grounds(
        concept_id=concept.id,
        sections=frozenset(section.id for section in concept.card.sections),
        facts=frozenset(concept.card.facts),
        causes=causes,
        rendered=rendered,
    )


def _parse_question(fields: Fields, grounds: Grounds, *, is_self_check: bool) -> Question | None:
    slug = fields.text("id")
    if slug and (slug == SELF_CHECK_SLUG) != is_self_check:
        fields.fault("id", f"must{'' if is_self_check else ' not'} be {SELF_CHECK_SLUG!r}")
    elif slug and not _SLUG.fullmatch(slug):
        fields.fault("id", f"{slug!r} must be small letters, digits and single hyphens; it is permanent")
    kind = kinds()[fields.choice("kind", ("single",) if is_self_check else tuple(kinds()))]
    pool = Pool.SELF_CHECK if is_self_check else Pool(fields.choice("pool", (Pool.TEST, Pool.PRACTICE)))
    bloom = Bloom(fields.choice("bloom", tuple(Bloom)))
    facts = fields.texts("facts")
    for fact in facts:
        if fact not in grounds.facts:
            fields.fault("facts", f"{fact!r} is no fact of the card {grounds.concept_id}")
    enemies = fields.texts("enemies", required=False)
    stem = fields.text("stem")
    task = kind.parse(fields, grounds)
    fields.refuse_unknown()
    if task is None or not slug or not stem:
        return None
    question = Question(
        id=f"{grounds.concept_id}/{slug}",
        concept_id=grounds.concept_id,
        kind=kind.name,
        pool=pool,
        bloom=bloom,
        facts=facts,
        enemies=tuple(f"{grounds.concept_id}/{enemy}" for enemy in enemies),
        stem=stem,
        task=task,
    )
    try:
        prose.check_markup(fields, grounds, "stem", kind.fill(stem, Posed(task, variant_of(question, seed=""))))
    except ValueError:
        return None  # a placeholder that has no value: the kind has reported it
    return question


def _with_known_enemies(own: Mapping[str, tuple[Fields, Question]]) -> list[Question]:
    """Return the questions with enmity made mutual, unknown enemies reported."""
    pairs: set[tuple[str, str]] = set()
    for fields, question in own.values():
        for enemy in question.enemies:
            if enemy not in own or enemy == question.id:
                fields.fault("enemies", f"{enemy.partition('/')[2]!r} is no other question of this bank")
            pairs |= {(question.id, enemy), (enemy, question.id)}
    enemies = {one: tuple(sorted(other for each, other in pairs if each == one)) for one in own}
    for fields, question in own.values():
        for enemy in enemies[question.id] if question.pool is Pool.TEST else ():
            # Self-checks and practice stay open during a test, and they explain themselves.
            if enemy in own and own[enemy][1].pool is not Pool.TEST:
                slug = enemy.partition("/")[2]
                fields.fault("pool", f"must not be test, since {slug!r} is an enemy and explains itself meanwhile")
    return [replace(question, enemies=enemies[question.id]) for _, question in own.values()]


def _load_blueprints(module: Module, faults: Faults, blueprints: dict[str, tuple[Fields, Blueprint]]) -> None:
    path = module.folder / "blueprint.yaml"
    mapping = read_yaml(path, faults)
    if mapping is None:
        return
    fields = Fields(mapping, path, faults)
    named = fields.fields("blueprints")
    fields.refuse_unknown()
    for name in named.mapping if named else ():
        assert named is not None
        entry = named.fields(name)
        if entry is None:
            continue
        if name in blueprints:
            named.fault(name, "is the name of another module's blueprint too")
        blueprints[name] = entry, _parse_blueprint(name, entry, module)


def _parse_blueprint(name: str, fields: Fields, module: Module) -> Blueprint:
    known = {concept.id for concept in module.concepts}
    draws: list[Draw] = []
    for line in fields.each("draw"):
        draw = Draw(concept_id=line.text("concept"), count=line.integer("count", minimum=1))
        line.refuse_unknown()
        if draw.concept_id and draw.concept_id not in known:
            line.fault("concept", f"{draw.concept_id!r} is no concept of this module")
        if draw.concept_id in {other.concept_id for other in draws}:
            line.fault("concept", f"{draw.concept_id!r} is drawn from twice")
        draws.append(draw)
    if not draws:
        fields.fault("draw", "names no concept; a test needs questions")
    minutes = fields.integer("minutes", minimum=1, default=0)
    blueprint = Blueprint(
        name=name,
        title=fields.text("title"),
        minutes=minutes or None,
        attempts=fields.integer("attempts", minimum=1, default=1),
        draws=tuple(draws),
        at_least=_bounds(fields.fields("at_least", required=False)),
        at_most=_bounds(fields.fields("at_most", required=False)),
        order=Order(fields.choice("order", tuple(Order)) if "order" in fields.mapping else Order.BY_CONCEPT),
        pool=Pool(fields.choice("pool", (Pool.TEST, Pool.PRACTICE)) if "pool" in fields.mapping else Pool.TEST),
        seed=fields.text("seed", required=False),
    )
    fields.refuse_unknown()
    return blueprint


def _bounds(fields: Fields | None) -> dict[str, int]:
    """Return how many questions of each bounded kind or Bloom level one paper may or must hold."""
    bounds = {}
    for name in fields.mapping if fields else ():
        assert fields is not None
        bounds[name] = fields.integer(name)
        if name not in kinds() and name not in tuple(Bloom):
            fields.fault(name, "is no kind of question and no Bloom level")
    return bounds


def _check_can_be_drawn(questions: Mapping[str, Question], blueprints: Mapping[str, tuple[Fields, Blueprint]]) -> None:
    for fields, blueprint in blueprints.values():
        try:
            # Several, since bounds that only just can be kept are not kept by every seed.
            for seed in (blueprint.seed,) if blueprint.seed else _SEEDS_TRIED:
                draw_paper(blueprint, questions, seed=seed)
        except PaperCannotBeDrawn as error:
            fields.fault("draw", str(error))
