"""What a verdict costs: from judge to judge, from a post to its row, for a class at once, and for thousands.

    ./run bench grader [verdict] [http] [class] [soak] [--submissions 5000]

All four where none is named. It ends with 1 where an aim is missed or something is wrong.
"""

import argparse
import os
import sys

from tests.bench.grading import crowded, posting, soak, verdict

PARTS = ("verdict", "http", "class", "soak")


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run bench grader", description="Measure what a verdict costs.")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all where none is named")
    parser.add_argument("--submissions", type=int, default=soak.SUBMISSIONS, help="of the soak")
    arguments = parser.parse_args()
    measures = {
        "verdict": verdict.measure,
        "http": posting.measure,
        "class": crowded.measure,
        "soak": lambda: soak.measure(arguments.submissions),
    }
    is_well = True
    for part in arguments.parts or PARTS:
        print(f"— {part}", flush=True)
        is_well &= measures[part]()
        print("load average {:.1f}, {:.1f}, {:.1f}\n".format(*os.getloadavg()), flush=True)
    return not is_well


if __name__ == "__main__":
    sys.exit(main())
