"""What the teaching pages cost, beside a plain paginated list of fifty, and how that grows with the cohort.

    ./run bench results [SMALLEST] [MIDDLE] [LARGEST]

A cohort of 1,000 learners (the middle one) has answered 50,000 questions, in a test of 40 and one of 10, and submitted
20,000 programs; the smallest has 100 learners with as much each, the largest 10,000 with a test of 5 and two programs
each. Pages are asked for in this process, through every middleware; a figure is the median of several rounds, each page
standing between two of the list, so that other work on the machine meets both. Once with SQLite, once with PostgreSQL.
Last, each page by size: queries, which must not grow, and times the list, which may grow with the learners at most.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import timedelta

from tests import servers
from tests.bench.serving import BACKEND

ROUNDS = 7
SIZES = (100, 1_000, 10_000)
AIM = 10  # times the list
AIMED_AT = ("gradebook", "stored analysis", "misconceptions")
FRESH_SECONDS = 1.0
LIST = "list of 50"
# As long as real ones are: what a page reads past costs it time.
PROGRAM = "    scores = Q @ K.T\n" * 60
EVIDENCE = {"sentence": "Four numbers differ.", "numbers": [0.125] * 400}
DATABASES = {"SQLite": nullcontext, "PostgreSQL": servers.postgresql}


def main() -> None:
    if os.environ.get("BENCH_DATABASE"):
        _measure(os.environ["BENCH_DATABASE"], [int(size) for size in sys.argv[1:]] or list(SIZES))
        return
    # The settings are read once in a process, so each database has one of its own.
    faults = 0
    for name, database in DATABASES.items():
        with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder, database() as url:
            environment = os.environ | {"VAR_PATH": folder, "DATABASE_URL": url or "", "BENCH_DATABASE": name}
            environment |= {"DJANGO_SETTINGS_MODULE": "tests.bench.site", "SITE_URL": "http://testserver"}
            command = [sys.executable, "-m", "tests.bench.results", *sys.argv[1:]]
            faults |= subprocess.run(command, env=environment).returncode
    print("load average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
    sys.exit(faults)


def _measure(database: str, sizes: list[int]) -> None:
    import logging

    import django

    django.setup()
    logging.disable(logging.INFO)
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    call_command("collectstatic", verbosity=0, interactive=False)
    figures: dict[int, dict[str, Figures]] = {}
    for size in sizes:
        print(f"\n{database}: {size:,} learners", flush=True)
        figures[size] = _measured(_cohort(size))
    if len(sizes) > 1:
        _print_growth(figures)


def _cohort(size: int) -> dict[str, tuple[str, object]]:
    """Fill a cohort and return the address of each page, with who asks."""
    from django.test import Client
    from django.urls import reverse

    from courseware.results.analysis.gathering import fresh_analysis
    from courseware.results.beliefs.figures import fresh_map
    from grader.catalogue import current_exercises
    from tests import factories
    from tests.results.crowds import hand_in_all, long_paper, make_crowd

    begun = time.perf_counter()
    cohort = factories.make_cohort(name=f"Cohort of {size}")
    learners = make_crowd(cohort, size)
    counts = (40, 10) if size <= 1_000 else (5,)
    tests = []
    for count in counts:
        tests.append(factories.make_assignment(cohort, title=f"Test of {count}"))
        hand_in_all(tests[-1], learners, paper=long_paper(count))
    _submit(learners, each=20 if size <= 1_000 else 2)
    print(f"made in {time.perf_counter() - begun:.0f} s")
    _time_fresh(f"analysis of {size:,} × {counts[0]}", lambda: fresh_analysis(tests[0]), has_aim=size == 1_000)
    _time_fresh("count of misconceptions", lambda: fresh_map(cohort), has_aim=size == 1_000)
    client = Client()
    client.force_login(factories.make_instructor(cohort), backend=BACKEND)
    key, exercise = cohort.pk, next(iter(current_exercises()))
    addresses = {
        LIST: f"/bench/list/{key}/",
        "gradebook": reverse("cohort", args=[key]),
        "gradebook by module grade": reverse("cohort", args=[key]) + "?sort=-grade",
        "gradebook, all": reverse("cohort", args=[key]) + "?page=all",
        "stored analysis": reverse("cohort_analysis", args=[key, tests[0].pk]),
        "misconceptions": reverse("cohort_beliefs", args=[key]),
        "programs": reverse("cohort_exercises", args=[key]),
        "one exercise": reverse("cohort_exercise", args=[key, exercise]),
        "CSV": reverse("cohort_csv", args=[key]),
        "XLSX": reverse("cohort_xlsx", args=[key]),
    }
    return {name: (address, client) for name, address in addresses.items()}


def _submit(learners: list, *, each: int) -> None:
    """Let everybody submit so often, spread over the exercises, half of it diagnosed and a few matching no rule."""
    from django.utils import timezone

    from grader.catalogue import current_exercises
    from grader.models import CheckResult, Submission

    exercises, now = list(current_exercises().values()), timezone.now()
    rows = []
    for place, enrolment in enumerate(learners):
        for number in range(1, each + 1):
            exercise = exercises[number % len(exercises)]
            kind = (place + number) % 4
            beliefs = (
                [exercise.variants[place % len(exercise.variants)].belief] if kind < 2 and exercise.variants else []
            )
            rows.append(
                Submission(
                    user_id=enrolment.user_id, exercise=exercise.slug, exercise_digest=exercise.digest, kind="submit",
                    number=number, source=PROGRAM, evidence=EVIDENCE, state="finished", fault_of="learner",
                    finished_at=now, queued_at=now - timedelta(days=number), verdict="right" if kind == 3 else "wrong",
                    mark=exercise.marks if kind == 3 else 1, marks_available=exercise.marks,
                    misconception_ids=beliefs, behaviour_signature=f"{place % 7:064d}",
                )
            )  # fmt: skip
    Submission.objects.bulk_create(rows, batch_size=1000)
    first = exercises[0]
    CheckResult.objects.bulk_create(
        (
            CheckResult(
                submission=row,
                position=at,
                check_id=check.id,
                title=check.title,
                outcome="holds" if at % 2 else "fails",
            )
            for row in rows
            if row.exercise == first.slug
            for at, check in enumerate(first.checks)
        ),
        batch_size=2000,
    )


def _time_fresh(what: str, work: Callable[[], object], *, has_aim: bool) -> None:
    """Say how long something takes by the clock that a page otherwise finds stored."""
    found = []
    for _ in range(3):
        begun, cpu = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - begun, time.process_time() - cpu))
    wall, cpu = map(statistics.median, zip(*found, strict=True))
    aim = f", aim {FRESH_SECONDS:.0f} s" if has_aim else ""
    print(f"a fresh {what}: {wall:.2f} s, {cpu:.2f} s of them this process’s own{aim}", flush=True)


@dataclass(frozen=True)
class Figures:
    """What one page cost."""

    queries: int
    ratio: float  # of its time to the list's


def _measured(pages: dict[str, tuple[str, object]]) -> dict[str, Figures]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    queries = {}
    for name, (address, client) in pages.items():
        _ask(client, address)  # the first visit fills what is kept
        with CaptureQueriesContext(connection) as asked:
            _ask(client, address)
        queries[name] = len(asked)
    times: dict[str, list[float]] = {name: [] for name in pages}
    ratios: dict[str, list[float]] = {name: [] for name in pages}
    plain = _ask(*reversed(pages[LIST]))
    for _ in range(ROUNDS):
        for name, (address, client) in pages.items():
            own, after = _ask(client, address), _ask(*reversed(pages[LIST]))
            times[name].append(own)
            ratios[name].append(own / ((plain + after) / 2))
            plain = after
    print(f"{'page':<28}{'ms':>8}{'queries':>9}{'× list':>8}")
    found = {name: Figures(queries[name], statistics.median(ratios[name])) for name in pages}
    for name, each in found.items():
        aim = f"   aim {AIM}" if name in AIMED_AT else ""
        ms = 1000 * statistics.median(times[name])
        print(f"{name:<28}{ms:>8.0f}{each.queries:>9}{each.ratio:>8.1f}{aim}", flush=True)
    return found


def _print_growth(figures: dict[int, dict[str, Figures]]) -> None:
    heads = "".join(f"{size:>9,}" for size in figures)
    print(f"\n{'':<28}{'queries':^{9 * len(figures)}}{'× list':^{9 * len(figures)}}\n{'page':<28}{heads}{heads}")
    for name in next(iter(figures.values())):
        rows = [found[name] for found in figures.values()]
        counts, ratios = "".join(f"{each.queries:>9}" for each in rows), "".join(f"{each.ratio:>9.1f}" for each in rows)
        grown = "" if len({each.queries for each in rows}) == 1 else "   the queries grow"
        print(f"{name:<28}{counts}{ratios}{grown}", flush=True)


def _ask(client: object, address: str) -> float:
    begun = time.perf_counter()
    response = client.get(address)  # type: ignore[attr-defined]
    assert response.status_code == 200, (address, response.status_code)
    if response.streaming:
        b"".join(response)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
