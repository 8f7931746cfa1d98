"""What a verdict costs, from judge to judge: the sandbox beside the same calls without one.

    ./run bench grader [SUBMISSIONS]

Warm verdicts on an idle judge beside those of the judge's own process, in turn; two closed loops beside the same fork
without nested namespaces and filter, which a copy of the sandbox with two functions cut out makes; what a waiting
guest holds of memory; and how long anybody waits while a zygote is replaced. Then so many submissions (default 500),
one in ten hostile: every verdict must be right, and nothing may be left. Ratios are medians over five rounds.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from grader.judge.guests import Opener, open_trusted
from grader.judge.judging import judge
from grader.sandbox import keeper as keeping
from grader.sandbox.keeper import Keeper
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import present_libraries
from grader.sandbox.replies import Returned
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest
from grader.verdicts import Outcome
from tests.judge.benches import bench
from tests.processes import descendants
from tests.sandbox.guests import floats

ROUNDS, VERDICTS, CALLS = 5, 20, 20
LOOPS, LOOP_SECONDS = 2, 3.0
EXERCISE = "attention"
# The pause in which an idle judge forks and warms the next guest, several times what that takes.
PAUSE_SECONDS = 0.06
P50_AIM, P95_AIM, THROUGHPUT_AIM = 2.5, 2.5, 0.85
FORKS_BEFORE_REPLACEMENT = 60

# What is cut out for the control: the guest's own namespaces and mounts, and the filter.
WITHOUT_WALLS = {
    "inside/walls.py": "Namespaces.fork = lambda self: os.fork()\nNamespaces.shut_in = lambda self: None\n",
    "inside/guest.py": "def seal(program, seccomp_number):\n    pass\n",
}
REPLACED_SOON = {"nursery.py": f"FORKS_PER_ZYGOTE = {FORKS_BEFORE_REPLACEMENT}\n"}

RIGHT = (Path(__file__).parents[1] / "submissions" / "attention" / "right_plain.py").read_text()
DOUBLE = "def double(x):\n    return x * 2\n"
HOSTILE = {
    "fork": "import os\ndef attention(queries, keys, values):\n    while True:\n        os.fork()\n",
    "memory": "def attention(queries, keys, values):\n    return [bytearray(1 << 28) for _ in range(64)]\n",
    "time": "def attention(queries, keys, values):\n    while True:\n        pass\n",
    "output": "def attention(queries, keys, values):\n    while True:\n        print('x' * 4096)\n",
    "exit": "import os\nos._exit(0)\n",
    "kill": "import os\nos.kill(-1, 9)\n",
    "forge": "import os\nos.write(4, b'CWm1' + bytes(200))\n",
    "disk": "open('/tmp/full', 'wb').write(bytes(1 << 26))\n",
}


def main() -> None:
    submissions = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with _keeper() as kept:
        _latencies(kept)
        _memory(kept)
        _throughputs(kept)
    _replacement()
    with _keeper() as kept:
        is_clean = _many(kept, submissions)
    print("load average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
    sys.exit(not is_clean)


@contextmanager
def _keeper(more: dict[str, str] | None = None) -> Iterator[Keeper]:
    """Keep a supervisor of the product, or of a copy of its sandbox with something appended to some modules."""
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        project = keeping.PROJECT
        if more:
            shutil.copytree(project / "grader", Path(folder) / "grader", ignore=shutil.ignore_patterns("__pycache__"))
            for name, text in more.items():
                with (Path(folder) / "grader" / "sandbox" / name).open("a") as module:
                    module.write(f"\n\n{text}")
            keeping.PROJECT = Path(folder)
        kept = Keeper(uid=DEFAULT_SANDBOX_UID, libraries=present_libraries(), log_format="text")
        try:
            kept.start()
            _opener(kept)(source="", filename="a.py", library="numpy", limits=Limits()).close()
            yield kept
        finally:
            kept.stop()
            keeping.PROJECT = project


def _opener(kept: Keeper) -> Opener:
    return partial(open_guest, take=kept.take)


def _latencies(kept: Keeper) -> None:
    """Print how long a whole verdict takes, and bare calls, beside the judge's own process, in turn."""
    source, exercise = RIGHT, bench(EXERCISE)
    sandboxed = _opener(kept)

    def verdict(opener: Opener, seed: int) -> None:
        assert judge(exercise, source, seed=seed, opener=opener).outcome is Outcome.RIGHT

    def calls(opener: Opener, seed: int) -> None:
        matrix = floats(*(seed + n for n in range(8)))
        with opener(source=DOUBLE, filename="a.py", library="numpy", limits=Limits()) as guest:
            guest.load()
            for _ in range(CALLS):
                assert isinstance(guest.call("double", [matrix]), Returned)

    print(f"{'idle, one after the other':<28}{'p50 ms':>9}{'p95 ms':>9}{'own ms':>9}{'ratio':>8}{'p95/p50':>9}")
    measured: tuple[tuple[str, Callable[[Opener, int], None]], ...] = (
        ("verdict", verdict),
        (f"{CALLS} bare calls", calls),
    )
    for name, run in measured:
        rounds = []
        for _ in range(ROUNDS):
            theirs, own = [], []
            for seed in range(VERDICTS):
                time.sleep(PAUSE_SECONDS)
                theirs.append(_seconds(lambda: run(sandboxed, seed)))  # noqa: B023 - called at once
                own.append(_seconds(lambda: run(open_trusted, seed)))  # noqa: B023
            rounds.append((sorted(theirs), sorted(own)))
        p50, p95, base = (
            [_at(each[side], share) for each in rounds] for side, share in ((0, 0.5), (0, 0.95), (1, 0.5))
        )
        figures = "".join(f"{1000 * statistics.median(each):>9.1f}" for each in (p50, p95, base))
        print(f"{name:<28}{figures}{_middle_ratio(p50, base):>8.2f}{_middle_ratio(p95, p50):>9.2f}", flush=True)
    print(f"{'aims':<28}{'':>27}{P50_AIM:>8}{P95_AIM:>9}\n")


def _memory(kept: Keeper) -> None:
    held: dict[str, list[int]] = {"Pss": [], "Private_Dirty": []}
    for _ in range(ROUNDS):
        with _opener(kept)(source="", filename="a.py", library="numpy", limits=Limits()) as guest:
            lines = dict(
                line.split(":") for line in Path(f"/proc/{guest.pid}/smaps_rollup").read_text().splitlines()[1:]
            )
        for name, values in held.items():
            values.append(int(lines[name].split()[0]))
    print(
        "a sealed guest holds " + ", ".join(f"{name} {statistics.median(v) / 1024:.1f} MiB" for name, v in held.items())
    )


def _throughputs(kept: Keeper) -> None:
    """Print how many verdicts two loops get in a second, beside the control's, in turn."""
    with _keeper(WITHOUT_WALLS) as control:
        rates = [(_rate(kept), _rate(control)) for _ in range(ROUNDS)]
    own, base = zip(*rates, strict=True)
    ratio = _middle_ratio(own, base)
    print(
        f"{LOOPS} loops: {statistics.median(own):.0f} verdicts a second, without walls {statistics.median(base):.0f},",
        end="",
    )
    print(f" ratio {ratio:.2f} (aim {THROUGHPUT_AIM})\n", flush=True)


def _rate(kept: Keeper) -> float:
    """Return how many right verdicts a second several processes get that ask one supervisor."""
    source, exercise, readers = RIGHT, bench(EXERCISE), []
    for loop in range(LOOPS):
        reader, writer = os.pipe()
        if os.fork() == 0:
            count, ends = 0, time.monotonic() + LOOP_SECONDS
            while time.monotonic() < ends:
                verdict = judge(exercise, source, seed=1000 * loop + count, opener=_opener(kept))
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
    with _keeper(REPLACED_SOON) as kept:
        waits = []
        for _ in range(4 * FORKS_BEFORE_REPLACEMENT):
            time.sleep(PAUSE_SECONDS)
            begun = time.perf_counter()
            cell = kept.take()
            waits.append(time.perf_counter() - begun)
            cell.close()
            for descriptor in (cell.ends.requests, cell.ends.replies, cell.ends.printed):
                os.close(descriptor)
    waits.sort()
    print(
        f"{len(waits)} guests taken while a zygote served {FORKS_BEFORE_REPLACEMENT}: middle wait"
        f" {1000 * _at(waits, 0.5):.1f} ms, longest {1000 * waits[-1]:.0f} ms\n",
        flush=True,
    )


def _many(kept: Keeper, submissions: int) -> bool:
    """Judge many, one in ten hostile; print what came of them and what was left. Return whether all was well."""
    exercise, right = bench(EXERCISE), RIGHT
    # Half a second is a hundred times what the honest ones take, and the hostile ones are many.
    limits = replace(exercise.exercise.limits, call_seconds=0.5)
    before_all = _left(kept)
    outcomes: Counter[str] = Counter()
    wrong = 0
    names = list(HOSTILE)
    for number in range(submissions):
        is_hostile = number % 10 == 9
        source = HOSTILE[names[number // 10 % len(names)]] if is_hostile else f"# {number}\n{right}"
        verdict = judge(exercise, source, seed=number, opener=_opener(kept), limits=limits)
        outcomes[("hostile " if is_hostile else "honest ") + verdict.outcome.value] += 1
        wrong += is_hostile == (verdict.outcome is Outcome.RIGHT) or verdict.outcome is Outcome.OPERATOR
    time.sleep(1.0)  # the last guests are buried and the next ones born
    after = _left(kept)
    print(f"{submissions} submissions: {dict(outcomes)}; {wrong} wrong verdicts")
    for name, before, now in zip(("processes", "open files", "MiB"), before_all, after, strict=True):
        print(f"  {name:<12}{before:>8}{now:>8}")
    return not wrong and after[0] <= before_all[0] and after[1] <= before_all[1]


def _left(kept: Keeper) -> tuple[int, int, int]:
    """Return the processes of a supervisor, the open files of it and of this process, and its processes' memory."""
    pids = [kept.pid, *descendants(kept.pid)]
    files = sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in (kept.pid, os.getpid()))
    pss = [
        int(line.split()[1])
        for pid in pids
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        if line.startswith("Pss:")
    ]
    return len(pids), files, sum(pss) // 1024


def _seconds(run: Callable[[], None]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def _at(ordered: list[float], share: float) -> float:
    return ordered[int(len(ordered) * share)]


def _middle_ratio(own: tuple[float, ...] | list[float], base: tuple[float, ...] | list[float]) -> float:
    return statistics.median(mine / other for mine, other in zip(own, base, strict=True))


if __name__ == "__main__":
    main()
