"""How long the whole verdict on a wrong program takes, warm and on one core: sandbox, diagnosis and counterexample.

./run bench judge --verdict-time [--seeds 40]

It ends with 1 where the median for multi-head attention is over its limit. Processor time is shown beside it: on a
machine that others use, only that tells what judge and guest themselves cost.
"""

import os
import statistics
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from grader.judge.judging import judge
from grader.sandbox.runner import Guest, open_guest
from tests.judge.benches import bench

LIMIT_MS = 150  # for multi-head attention: a learner who reads on has not looked away
PROGRAMS = (
    ("multi-head-attention", "wrong_view_both"),
    ("multi-head-attention", "wrong_model_width"),
    ("causal-attention", "wrong_leaks_next"),
)
WARMING = 3  # verdicts before those that count: the zygote starts and known rules are worked out
PAUSE_SECONDS = 0.1  # between two verdicts, in which the next guest is born, as between two learners
SOURCES = Path(__file__).parents[1] / "submissions"


def verdict_times(seeds: int) -> int:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # and so every process that it starts
    print(f"{'program':40}{'p50 ms':>8}{'p95 ms':>8}{'processor ms':>14}")
    slow = False
    for slug, program in PROGRAMS:
        walls, used = _times(slug, program, range(WARMING + seeds))
        middle = statistics.median(walls)
        slow |= slug == "multi-head-attention" and middle > LIMIT_MS
        late = statistics.quantiles(walls, n=20)[-1]
        print(f"{f'{slug}, {program}':40}{middle:>8.0f}{late:>8.0f}{statistics.median(used):>14.0f}", flush=True)
    print(f"\n{seeds} verdicts each, one core, load {os.getloadavg()[0]:.1f}; at most {LIMIT_MS} ms at the median")
    return 1 if slow else 0


def _times(slug: str, program: str, seeds: Iterable[int]) -> tuple[list[float], list[float]]:
    """Return milliseconds by the clock, and of processor time of judge and guest, for each verdict after the first."""
    source = (SOURCES / slug / f"{program}.py").read_text()
    walls, used, of_guests = [], [], []

    @contextmanager
    def opener(**how: Any) -> Iterator[Guest]:
        with open_guest(**how) as guest:
            yield guest
            of_guests.append(guest.cpu_seconds())

    for seed in seeds:
        began, worked = time.monotonic(), time.process_time()
        verdict = judge(bench(slug), source, seed=seed, opener=opener)
        walls.append((time.monotonic() - began) * 1e3)
        used.append((time.process_time() - worked + of_guests[-1]) * 1e3)
        if verdict.counterexample is None:
            raise SystemExit(f"{slug}, {program}: no counterexample; {verdict.sentence}")
        time.sleep(PAUSE_SECONDS)
    return walls[WARMING:], used[WARMING:]
