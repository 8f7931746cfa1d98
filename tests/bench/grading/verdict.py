"""A warm verdict from judge to judge, beside the same calls in the judge's own process, in turn; and what it rests on.

Two exercises of twenty calls are cut from `attention`: one with its own small inputs, one with a megabyte of them; and
all of `attention` beside them. Then two closed loops beside the same fork without nested namespaces and filter, what a
waiting guest holds of memory, and how long anybody waits while a zygote is replaced. Ratios are medians over rounds.
Beside the clock stands the processor time of judge and guest, which depends less on who else is at work.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from grader.judge.drawing import distinct_sizes
from grader.judge.folders import Bench
from grader.judge.guests import Guest, Opener, open_trusted
from grader.judge.judging import judge
from grader.judge.probing import Call
from grader.sandbox.keeper import Keeper
from grader.sandbox.wire import Layout
from grader.verdicts import Outcome
from tests.bench.grading.keepers import WITHOUT_WALLS, kept_supervisor, opener_of
from tests.judge.benches import bench

ROUNDS, VERDICTS = 5, 20
LOOPS, LOOP_SECONDS = 2, 3.0
# The pause in which an idle judge forks and warms the next guest, several times what that takes.
PAUSE_SECONDS = 0.06
P50_AIM, P95_AIM, THROUGHPUT_AIM = 2.5, 2.5, 0.85
FORKS_BEFORE_REPLACEMENT = 60
CALLS = 20
REPLACED_SOON = {"nursery.py": f"FORKS_PER_ZYGOTE = {FORKS_BEFORE_REPLACEMENT}\n"}

RIGHT = (Path(__file__).parents[2] / "submissions" / "attention" / "right_plain.py").read_text()
CHECKS = ("shape", "values", "unchanged")


def measure() -> bool:
    """Print the figures; say whether every aim is met."""
    with kept_supervisor() as kept:
        is_met = _latencies(kept)
        _memory(kept)
        is_met &= _throughputs(kept)
    _replacement()
    return is_met


def _small_calls(random: np.random.Generator) -> dict[str, Call]:
    """Return six calls as `attention` makes them: small sizes, all different, in every layout."""
    sizes = distinct_sizes(random, 4)
    leading = ((), (), (2,), (2, 9), (4,), (1,))
    layouts = (*Layout, *Layout)
    return {f"{place}": _call(random, before, sizes, layouts[place]) for place, before in enumerate(leading)}


def _large_calls(random: np.random.Generator) -> dict[str, Call]:
    """Return six calls of 64 rows of 64 in float32: with the examples, twenty calls take 0.9 MB and give 0.3 MB."""
    return {f"{place}": _call(random, (), (64, 64, 64, 64), Layout.PLAIN, np.float32) for place in range(6)}


def _call(
    random: np.random.Generator, leading: tuple[int, ...], sizes: Any, layout: Layout, dtype: Any = np.float64
) -> Call:
    queries, keys, width, value_width = sizes
    shapes = ((queries, width), (keys, width), (keys, value_width))
    given = tuple(random.standard_normal((*leading, *shape)).astype(dtype) for shape in shapes)
    return Call(given, f"{queries} queries, {keys} keys", layout)


def _of_twenty_calls(calls: Callable[[np.random.Generator], dict[str, Call]]) -> Bench:
    """Return `attention` with two examples, three draws of six calls, and the checks that need no others."""
    whole = bench("attention")
    exercise = replace(whole.exercise, checks=tuple(check for check in whole.exercise.checks if check.id in CHECKS))
    checks = {name: whole.checks[name] for name in CHECKS}
    assert len(exercise.examples) + 3 * 6 == CALLS
    return replace(whole, exercise=exercise, draw_calls=calls, checks=checks, weights_probe="")


def _latencies(kept: Keeper) -> bool:
    sandboxed = opener_of(kept)
    guest_seconds: list[float] = []

    @contextmanager
    def metered(**arguments: Any) -> Iterator[Guest]:
        with sandboxed(**arguments) as guest:
            yield guest
            guest_seconds.append(guest.cpu_seconds())  # type: ignore[attr-defined]  # of a sandboxed one

    heads = ("p50 ms", "p95 ms", "own ms", "ratio", "p95/p50", "judge", "guest", "own cpu", "ratio")
    print(f"{'idle, one after the other':<28}" + "".join(f"{head:>9}" for head in heads))
    is_met = True
    for name, exercise in (
        (f"{CALLS} calls, small", _of_twenty_calls(_small_calls)),
        (f"{CALLS} calls, 1 MB", _of_twenty_calls(_large_calls)),
        ("attention, 44 calls", bench("attention")),
    ):
        rounds = []
        for _ in range(ROUNDS):
            theirs, own = [], []
            guest_seconds.clear()
            for seed in range(VERDICTS):
                time.sleep(PAUSE_SECONDS)
                theirs.append(_verdict_seconds(exercise, metered, seed))
                own.append(_verdict_seconds(exercise, open_trusted, seed))
            (wall, judge_cpu), (own_wall, own_cpu) = (
                tuple(map(sorted, zip(*each, strict=True))) for each in (theirs, own)
            )
            guest_cpu = sorted(guest_seconds)
            rounds.append((*map(_at_half, (wall, own_wall, judge_cpu, guest_cpu, own_cpu)), _at(wall, 0.95)))
        p50, base, judge_p50, guest_p50, own_p50, p95 = map(list, zip(*rounds, strict=True))
        spent = [a + b for a, b in zip(judge_p50, guest_p50, strict=True)]
        ratio, tail = _middle_ratio(p50, base), _middle_ratio(p95, p50)
        times = "".join(f"{1000 * statistics.median(each):>9.1f}" for each in (p50, p95, base))
        cpu = "".join(f"{1000 * statistics.median(each):>9.1f}" for each in (judge_p50, guest_p50, own_p50))
        print(f"{name:<28}{times}{ratio:>9.2f}{tail:>9.2f}{cpu}{_middle_ratio(spent, own_p50):>9.2f}", flush=True)
        is_met &= not name.startswith(f"{CALLS} calls") or (ratio <= P50_AIM and tail <= P95_AIM)
    print(f"{f'aims, for {CALLS} calls':<28}{'':>27}{P50_AIM:>9}{P95_AIM:>9}\n")
    return is_met


def _verdict_seconds(exercise: Bench, opener: Opener, seed: int) -> tuple[float, float]:
    """Return how long one verdict took, and the processor time of this process in it."""
    spent, begun = time.process_time(), time.perf_counter()
    verdict = judge(exercise, RIGHT, seed=seed, opener=opener)
    taken = time.perf_counter() - begun, time.process_time() - spent
    assert verdict.outcome is Outcome.RIGHT, verdict
    return taken


def _memory(kept: Keeper) -> None:
    held: dict[str, list[int]] = {"Pss": [], "Private_Dirty": []}
    for _ in range(ROUNDS):
        cell = kept.take()
        lines = dict(
            line.split(":") for line in Path(f"/proc/{cell.guest_pid}/smaps_rollup").read_text().splitlines()[1:]
        )
        cell.discard()
        for name, values in held.items():
            values.append(int(lines[name].split()[0]))
    figures = ", ".join(f"{name} {statistics.median(values) / 1024:.1f} MiB" for name, values in held.items())
    print(f"a waiting guest holds {figures}")


def _throughputs(kept: Keeper) -> bool:
    """Print how many verdicts two loops get in a second, beside the control's, in turn."""
    exercise = _of_twenty_calls(_small_calls)
    with kept_supervisor(WITHOUT_WALLS) as control:
        rates = [(_rate(kept, exercise), _rate(control, exercise)) for _ in range(ROUNDS)]
    own, base = map(list, zip(*rates, strict=True))
    ratio = _middle_ratio(own, base)
    figures = f"{statistics.median(own):.0f} verdicts a second, without walls {statistics.median(base):.0f}"
    print(f"{LOOPS} loops: {figures}, ratio {ratio:.2f} (aim {THROUGHPUT_AIM})", flush=True)
    return ratio >= THROUGHPUT_AIM


def _rate(kept: Keeper, exercise: Bench) -> float:
    """Return how many right verdicts a second several processes get that ask one supervisor."""
    readers = []
    for loop in range(LOOPS):
        reader, writer = os.pipe()
        if os.fork() == 0:
            count, ends = 0, time.monotonic() + LOOP_SECONDS
            while time.monotonic() < ends:
                verdict = judge(exercise, RIGHT, seed=1000 * loop + count, opener=opener_of(kept))
                count += verdict.outcome is Outcome.RIGHT
            os.write(writer, str(count).encode())
            os._exit(0)
        os.close(writer)
        readers.append(reader)
    counts = []
    for reader in readers:
        counts.append(int(os.read(reader, 16)))
        os.close(reader)
        os.wait()
    return sum(counts) / LOOP_SECONDS


def _replacement() -> None:
    """Print the longest wait for a guest while zygotes are replaced, beside the usual one."""
    with kept_supervisor(REPLACED_SOON) as kept:
        waits = []
        for _ in range(4 * FORKS_BEFORE_REPLACEMENT):
            time.sleep(PAUSE_SECONDS)
            begun = time.perf_counter()
            cell = kept.take()
            waits.append(time.perf_counter() - begun)
            cell.discard()
    waits.sort()
    print(
        f"{len(waits)} guests taken while a zygote served {FORKS_BEFORE_REPLACEMENT}: middle wait"
        f" {1000 * _at_half(waits):.1f} ms, longest {1000 * waits[-1]:.0f} ms",
        flush=True,
    )


def _at(ordered: list[float], share: float) -> float:
    return ordered[int(len(ordered) * share)]


_at_half = partial(_at, share=0.5)


def _middle_ratio(own: list[float], base: list[float]) -> float:
    return statistics.median(mine / other for mine, other in zip(own, base, strict=True))
