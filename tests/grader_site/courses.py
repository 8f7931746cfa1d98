"""A course directory with two tiny exercises, one per library, for tests of the queue that need no card."""

from pathlib import Path

EXERCISE = """\
title: Double a number
order: {order}
library: {library}
function: double
filename: double.py
parameters:
  - {{name: x, shape: "n", meaning: numbers}}
returns: {{shape: "n", meaning: their doubles}}
dtype: float64
marks: 10
tolerance: {{relative: 1.0e-9, absolute: 1.0e-10, single_precision: 1.0e-5, reason: exact in binary}}
limits: {{call_seconds: 1, total_seconds: 10, memory_mebibytes: 256, output_kibibytes: 64, reason: a test}}
checks:
  - {{id: values, title: The values are right, hint: Add the number to itself., marks: 6, fragile: false}}
  - {{id: unchanged, title: The input comes back unchanged, hint: Do not write into x., marks: 4, fragile: false}}
examples:
  - {{id: pair, title: Two numbers, inputs: {{x: [1.0, 2.0]}}, expected: [2.0, 4.0]}}
wrong:
  - id: triples
    belief: slip-triple
    class: wrong
    caught_by: values
    likeness: tripling
    detail: It adds x twice.
    equals: []
"""
STARTER = "def double(x):\n    return x\n"
SOLUTION = "def double(x):\n    return x + x\n"


def write_course(folder: Path) -> Path:
    for order, (slug, library) in enumerate((("double", "numpy"), ("double-torch", "pytorch")), start=1):
        exercise = folder / "01-numbers" / "concepts" / "01-doubling" / slug
        exercise.mkdir(parents=True)
        (exercise / "exercise.yaml").write_text(EXERCISE.format(library=library, order=order))
        (exercise / "brief.md").write_text("Return twice `x`.\n")
        (exercise / "starter.py").write_text(STARTER)
        for name in ("reference.py", "checks.py", "switches.py"):
            (exercise / name).write_text("")
    return folder
