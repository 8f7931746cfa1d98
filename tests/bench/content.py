"""How long the whole course takes to load, what one edited file is answered with, and how often each question is drawn.

    ./run bench content

Cold is a process whose folder of renderings is empty: every formula is set anew. Warm is the next start. Each figure is
the median of five processes, since a process loads the course once.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from courseware.concepts.course import load_course
from courseware.concepts.faults import Faults
from quizzes.bank import load_bank
from quizzes.paper import draw_paper
from quizzes.questions import Pool

ROUNDS = 5
PAPERS = 100
AIMS_SECONDS = {"cold": 3.0, "warm": 1.0}
COURSE = Path(__file__).parents[2] / "courseware/content"
# Cards, banks, blueprints and exercises, as a process that serves the site loads them; Django's own start apart.
_LOAD = """
import os, sys, time
from pathlib import Path
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
from courseware.concepts.course import load_course
from courseware.concepts.faults import Faults
from grader.exercise_files import load_exercises
from quizzes.bank import load_bank
course_path, cache = Path(sys.argv[1]), Path(sys.argv[2])
started = time.perf_counter()
faults = Faults()
course = load_course(course_path, faults, cache=cache)
load_bank(course, faults)
load_exercises(course_path, faults)
print(time.perf_counter() - started)
for fault in faults:
    print(fault)
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        seconds: dict[str, list[float]] = {"cold": [], "warm": []}
        for number in range(ROUNDS):
            cache = Path(folder) / str(number)
            for name in ("cold", "warm"):
                seconds[name].append(float(_load(COURSE, cache)[0]))
        for name, aim in AIMS_SECONDS.items():
            median = statistics.median(seconds[name])
            print(f"{name}: {median:.2f} s (aim {aim:.0f} s: {'met' if median <= aim else 'NOT met'})")
        edited = Path(folder) / "course"
        shutil.copytree(COURSE, edited)
        card = max(edited.rglob("card.md"))
        card.write_text(card.read_text(encoding="utf-8").replace("# Recap", "# Summary"), encoding="utf-8")
        taken, *faults = _load(edited, cache)
        print(f"one card edited: {float(taken):.2f} s, and")
        for fault in faults:
            print("  " + fault.removeprefix(f"{edited}/"))
    _print_exposure()


def _print_exposure() -> None:
    """Say how often each question of the module test is drawn, the rarest first, and what papers are made of."""
    faults = Faults()
    bank = load_bank(load_course(COURSE, faults), faults)
    blueprint = bank.blueprints["module-test"]
    papers = [
        [line.question for line in draw_paper(blueprint, bank.questions, f"learner-{number}")]
        for number in range(PAPERS)
    ]
    drawn = Counter(question.id for paper in papers for question in paper)
    print(f"\n{PAPERS} module tests of {blueprint.question_count} questions; how many of them each question is in:")
    pool = (each for each in bank.questions.values() if each.pool is Pool.TEST)
    for question in sorted(pool, key=lambda each: drawn[each.id]):
        print(f"{drawn[question.id]:4d}  {question.kind:<9} {question.bloom:<10}  {question.id}")
    made_of = [
        Counter(question.kind for question in paper) + Counter(question.bloom.value for question in paper)
        for paper in papers
    ]
    print("\nquestions of a kind or level in one paper: fewest, on average, most")
    for name in sorted(set().union(*made_of)):
        counts = [each[name] for each in made_of]
        print(f"{name:<12}{min(counts):4d}{statistics.mean(counts):7.1f}{max(counts):4d}")


def _load(course: Path, cache: Path) -> list[str]:
    run = subprocess.run([sys.executable, "-c", _LOAD, course, cache], check=True, capture_output=True, text=True)
    return run.stdout.splitlines()


if __name__ == "__main__":
    main()
