"""How good the grader is: every exercise's own right and wrong programs, over many seeds, and random pairs of mistakes.

./run bench judge [--seeds 100] [--pairs 2000] [EXERCISE ...]
./run bench judge --verdict-time [--seeds 100]

The pairs are shared out among the exercises. It ends with 1 where a right program fails, a wrong one passes, or a
program is given a name that is not its own. With `--verdict-time` it measures one whole verdict in the sandbox instead.
"""

import argparse
import sys
import time

from grader.judge.scoring import CANCEL, EQUAL, PART, UNNAMED, WHOLE, Score, score
from tests.bench.verdict_time import verdict_times
from tests.judge.benches import bench, exercises

HEADS = ("exercise", "right", "of", "wrong", "of", "pairs", "both", "one", "equal", "none", "cancel", "idle", "faults")
WIDTHS = (25, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 5, 7)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run bench judge", description="Score every exercise by its own programs.")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=2000, help="of all exercises together")
    parser.add_argument("--verdict-time", action="store_true", help="how long a verdict takes, instead")
    parser.add_argument("exercises", nargs="*", help="slugs; all where none is given")
    arguments = parser.parse_args()
    if arguments.verdict_time:
        return verdict_times(arguments.seeds)
    slugs = arguments.exercises or list(exercises())
    share, rest = divmod(arguments.pairs, len(slugs))
    began, faults = time.process_time(), []
    print(_line(HEADS))
    for place, slug in enumerate(slugs):
        found = score(bench(slug), seeds=range(arguments.seeds), pairs=share + (place < rest))
        faults += [f"{slug}, {fault}" for fault in found.faults]
        print(_line(_cells(found)), flush=True)
    print(f"\n{arguments.seeds} seeds, {arguments.pairs} pairs, {time.process_time() - began:.0f} s of one core")
    print("\n".join(faults) or "No right program failed, no wrong one passed, and none was given a name not its own.")
    return 1 if faults else 0


def _cells(found: Score) -> tuple[object, ...]:
    right, wrong, pairs = found.styles, found.variants, found.pairs
    named = (pairs[result] for result in (WHOLE, PART, EQUAL, UNNAMED, CANCEL))
    programs = (right[True], right.total(), wrong[True], wrong.total(), pairs.total())
    return (found.slug, *programs, *named, len(found.idle_probes), len(found.faults))


def _line(cells: tuple[object, ...]) -> str:
    first, *others = zip(cells, WIDTHS, strict=True)
    return f"{first[0]:{first[1]}}" + "".join(f"{cell:>{width}}" for cell, width in others)


if __name__ == "__main__":
    sys.exit(main())
