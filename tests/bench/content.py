"""How long the whole course takes to load, cold and warm, and what one edited file is answered with.

    ./run bench content

Cold is a process whose folder of renderings is empty: every formula is set anew. Warm is the next start. Each figure is
the median of five processes, since a process loads the course once.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
AIMS_SECONDS = {"cold": 3.0, "warm": 1.0}
COURSE = Path(__file__).parents[2] / "courseware/content"
# Cards, banks, blueprints and exercises, as a process that serves the site loads them; Django's own start apart.
_LOAD = """
import os, sys, time
from pathlib import Path
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
from courseware.concepts.course import load_course
from courseware.concepts.faults import Faults
from grader.exercises import load_exercises
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


def _load(course: Path, cache: Path) -> list[str]:
    run = subprocess.run([sys.executable, "-c", _LOAD, course, cache], check=True, capture_output=True, text=True)
    return run.stdout.splitlines()


if __name__ == "__main__":
    main()
