"""The course of the tests: the real one, with a module test of nine questions in place of one on every concept.

Most tests of papers, pages and results are about one question or one mark, and each opens a paper of its own: at full
length they would spend most of their time on questions that they never look at. The real blueprint is drawn in
tests/content, and sat from start to review in tests/quizzes/test_full_length.py.
"""

import shutil
from pathlib import Path

REAL_COURSE = Path(__file__).parents[1] / "courseware" / "content"
_BLUEPRINTS = """\
blueprints:
  module-test:
    title: Module test
    minutes: null
    attempts: 1
    draw:
      - {concept: scaled-dot-product-attention, count: 3}
      - {concept: self-attention, count: 3}
      - {concept: causal-mask, count: 3}
    at_most: {numeric: 3}
    at_least: {matrix: 1}
  practice-1:
    title: Practice test 1
    minutes: null
    attempts: 10
    pool: practice
    seed: practice-1
    draw:
      - {concept: scaled-dot-product-attention, count: 2}
      - {concept: self-attention, count: 2}
      - {concept: causal-mask, count: 2}
"""


def course_with_a_short_test(folder: Path) -> Path:
    """Copy the course into a folder that is not there yet, shorten its papers, and return it."""
    course = shutil.copytree(REAL_COURSE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    next(course.glob("*/blueprint.yaml")).write_text(_BLUEPRINTS, encoding="utf-8")
    return course
