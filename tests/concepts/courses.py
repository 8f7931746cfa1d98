"""A small whole course in a temporary folder, to be broken in one place by a test."""

from pathlib import Path

from courseware.concepts.course import Course, load_course
from courseware.concepts.faults import Faults

MODULE = """\
id: waves
number: 1
title: Waves
promise: What moves when a wave moves.
concepts:
  - id: ripples
    title: Ripples
    promise: A first look.
  - id: tides
    title: Tides
    promise: Still being written.
"""

MISCONCEPTIONS = """\
misconceptions:
  m01-water-travels:
    label: Water that travels with the wave
    belief: The water moves along with $v$.
    wrong_because: A cork stays where it is.
    right: The shape moves, the water does not.
    see: ripples#height
  m02-one-tide:
    label: One tide a day
    belief: The sea rises once a day.
    wrong_because: There are two bulges.
    right: It rises twice.
    see: tides#bulges
slips:
  slip-sign:
    label: A sign the wrong way round
"""

CARD = """\
---
id: ripples
title: Ripples
outcome: Compute how fast a ripple runs.
hook: A stone falls into a pond.
previous: Nothing comes before.
next: Tides come next.
encyclopaedia:
  - Capillary wave
further_reading:
  - text: A first book on *waves*
    url: https://example.org/waves?a=1&b=2
  - text: A second book
  - text: A third book
facts:
  F1: {{at: "deep:height", says: "$h_i$ is the height"}}
  F2:
    - {{at: "deep:speed", says: "length over time"}}
    - {{at: "deep:both", says: "E=vh"}}
---

# Five lines

{five}

# Fifteen lines

{fifteen}

# Deep dive

## Speed {{#speed}}

Speed is length over time:

$$v=\\frac{{l}}{{t}}$$

Here $v$ is the speed, $l$ the length and $t$ the time.

## Height {{#height}}

A second formula.

$$h_i=a_i^2$$

Here $h_i$ is the height at place $i$ and $a_i$ what is squared there.

## Both {{#both}}

$$E=vh$$

Here $E$ is the product of $v$ and $h$.

## In order {{#in-order}}

1. Measure.
2. Divide.

# Recap

- Shapes move.
- Water stays.
- Speed is $l/t$.
"""


def card_text(*, five: list[str] | None = None, fifteen: list[str] | None = None) -> str:
    """Return a card that keeps every rule, but for the lines given."""
    five = five or ["A wave moves along." for _ in range(5)]
    fifteen = fifteen or ["A wave moves along." for _ in range(15)]
    return CARD.format(five=_numbered(five), fifteen=_numbered(fifteen))


def make_course(root: Path, **files: str) -> Path:
    """Write a course that keeps every rule, with module, misconceptions or card replaced by the text given."""
    folder = root / "01-waves"
    concept = folder / "concepts" / "01-ripples"
    concept.mkdir(parents=True, exist_ok=True)
    (folder / "module.yaml").write_text(files.get("module", MODULE), encoding="utf-8")
    (folder / "misconceptions.yaml").write_text(files.get("misconceptions", MISCONCEPTIONS), encoding="utf-8")
    (concept / "card.md").write_text(files.get("card", card_text()), encoding="utf-8")
    return root


def faults_of(root: Path) -> list[str]:
    """Return the faults of a course as "file:line: key: reason", with the file's path inside the course."""
    faults = Faults()
    load_course(root, faults)
    return [f"{fault.path.relative_to(root).as_posix()}:{fault.line}: {fault.key}: {fault.reason}" for fault in faults]


def load(root: Path) -> Course:
    """Return a course that must have no fault."""
    faults = Faults()
    course = load_course(root, faults)
    faults.raise_if_any()
    return course


def line_of(text: str, start: str) -> int:
    """Return the number of the first line that begins with the start."""
    return next(number for number, line in enumerate(text.split("\n"), start=1) if line.startswith(start))


def _numbered(lines: list[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))
