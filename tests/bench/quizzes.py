"""What it costs to keep an answer and to start a test, when everybody does it at once.

    ./run bench quizzes

500 learners start a test within a minute, and then answer at once, five times, over connections that stay open, from
a process of its own against gunicorn with two workers of four threads; once with SQLite, once with PostgreSQL. Beside
both stands a view that inserts one row in one transaction behind the same middlewares, session, sign-in and CSRF
check: starts are mixed with as many posts to it, and each round of answers stands between two of its rounds.

Ratios are medians over the rounds. Absolute figures say more about the machine than about the product. Afterwards each
receipt and each start is looked for in the database.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from urllib.parse import urlencode

from tests import servers
from tests.bench.crowd import Answer, Crowd, Form
from tests.bench.serving import CSRF, cpu_seconds, served

LEARNERS = 500
ROUNDS = 5
START_SECONDS = 60.0
SAVE_AIM, START_AIM = 1.5, 3.0  # times the floor's p95
SLOWEST = 5  # starts whose place in the run is told: the last hundredth is these
FLOOR_PATH = "/bench/one-row/"
DATABASES = {"SQLite": nullcontext, "PostgreSQL": servers.postgresql}


def main() -> None:
    if len(sys.argv) > 1:
        _measure(sys.argv[1])
        return
    # The settings are read once in a process, so each database has one of its own.
    faults = 0
    for name, database in DATABASES.items():
        with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder, database() as url:
            environment = os.environ | {"VAR_PATH": folder, "DATABASE_URL": url or "", "LOG_FORMAT": "text"}
            environment |= {"DJANGO_SETTINGS_MODULE": "tests.bench.site"}
            environment |= {"SITE_URL": f"http://127.0.0.1:{servers.free_port()}"}
            faults |= subprocess.run([sys.executable, "-m", "tests.bench.quizzes", name], env=environment).returncode
    print("load average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))
    sys.exit(faults)


def _measure(database: str) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    call_command("collectstatic", verbosity=0, interactive=False)
    port = int(os.environ["SITE_URL"].rpartition(":")[2])
    assignment, cookies = _prepare()
    crowd = Crowd(port)
    with served(port) as server:
        print(f"{database}: {LEARNERS} learners", flush=True)
        _fill_what_is_kept(crowd, cookies)
        starts = _starts(crowd, server, cookies, assignment)
        sittings = [_sitting_of(answer) for answer in starts.answers]
        saves, sent = _saves(crowd, server, cookies, sittings)
    lost = _missing(sittings, sent, saves.answers)
    errors = starts.errors + saves.errors
    starts.report("start", START_AIM)
    slowest = sorted(enumerate(starts.answers, start=1), key=lambda each: each[1].seconds)[-SLOWEST:]
    print("  slowest " + ", ".join(f"no. {number}: {1000 * each.seconds:.0f} ms" for number, each in reversed(slowest)))
    saves.report("save", SAVE_AIM)
    print(f"{errors} errors; {lost} of {len(starts.answers) + len(saves.answers)} receipts not in the database\n")
    sys.exit(bool(errors or lost))


def _prepare() -> tuple[int, list[str]]:
    """Return a test that hundreds may sit, and the cookies of each of them."""
    from tests import factories
    from tests.bench.learners import signed_in_learners

    cohort, cookies = signed_in_learners(LEARNERS)
    return factories.make_assignment(cohort).pk, cookies


@dataclass
class Measured:
    """Rounds of one verb beside rounds of the floor, seconds per answer; and the server's time for one of each."""

    answers: list[Answer]
    floors: list[Answer]
    rounds: list[tuple[list[float], list[float]]]  # sorted: own, the floor's
    cpu: tuple[float, float] | None
    expected: int

    @property
    def errors(self) -> int:
        return sum(a.status != self.expected for a in self.answers) + sum(a.status != 200 for a in self.floors)

    def report(self, verb: str, aim: float) -> None:
        print(f"  {verb:<8}{'ms':>8}{'floor':>8}{'ratio':>8}")
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
            own, floor = ([_quantile(each[side], share) for each in self.rounds] for side in (0, 1))
            ratio = statistics.median(mine / base for mine, base in zip(own, floor, strict=True))
            line = (
                f"  {name:<8}{1000 * statistics.median(own):>8.1f}{1000 * statistics.median(floor):>8.1f}{ratio:>8.2f}"
            )
            print(line + (f"   aim {aim}" if name == "p95" else ""))
        if self.cpu is not None:
            own, floor = self.cpu
            print(f"  {'CPU':<8}{1000 * own:>8.2f}{1000 * floor:>8.2f}{own / floor:>8.2f}")


def _quantile(times: Sequence[float], share: float) -> float:
    return times[int(len(times) * share)]


def _floor_form(browser: int, cookie: str, *, at: float = 0.0) -> Form:
    return Form(browser, FLOOR_PATH, cookie, urlencode({"csrfmiddlewaretoken": CSRF, "what": f"row {browser}"}), at)


def _fill_what_is_kept(crowd: Crowd, cookies: Sequence[str]) -> None:
    for _ in range(4):  # each worker and thread imports, composes and connects once
        crowd.post([_floor_form(browser, cookie) for browser, cookie in enumerate(cookies[:50])])


def _starts(crowd: Crowd, server: int, cookies: Sequence[str], assignment: int) -> Measured:
    pause = START_SECONDS / LEARNERS
    each = LEARNERS // ROUNDS
    body = urlencode({"csrfmiddlewaretoken": CSRF})
    measured = Measured([], [], [], None, 302)
    for number in range(ROUNDS):
        mine = range(number * each, (number + 1) * each)
        own = [Form(n, f"/tests/{assignment}/open/", cookies[n], body, i * pause) for i, n in enumerate(mine)]
        others = [(n + LEARNERS // 2) % LEARNERS for n in mine]
        floor = [_floor_form(n, cookies[n], at=(i + 0.5) * pause) for i, n in enumerate(others)]
        answers = crowd.post([*own, *floor])
        measured.answers += answers[:each]
        measured.floors += answers[each:]
        measured.rounds.append((_times(answers[:each]), _times(answers[each:])))
    return measured


def _saves(
    crowd: Crowd, server: int, cookies: Sequence[str], sittings: Sequence[str]
) -> tuple[Measured, list[tuple[str, int, Mapping[str, list[str]]]]]:
    def floor() -> tuple[list[Answer], float]:
        before = cpu_seconds(server)
        crowd.connect(LEARNERS)
        answers = crowd.post([_floor_form(browser, cookie) for browser, cookie in enumerate(cookies)])
        return answers, (cpu_seconds(server) - before) / LEARNERS

    measured, sent, cpu = Measured([], [], [], None, 200), [], []
    papers = _forms_of(sittings)
    before, cpu_before = floor()
    for position in range(1, ROUNDS + 1):
        forms = []
        for browser, cookie in enumerate(cookies):
            fields = papers[browser][position]
            sent.append((sittings[browser], position, fields))
            more = {"csrfmiddlewaretoken": CSRF, "revision": "0", "save": f"{browser:016x}-1"}
            body = urlencode(dict(fields) | more, doseq=True)
            forms.append(Form(browser, f"/sittings/{sittings[browser]}/questions/{position}/", cookie, body))
        cpu_own = cpu_seconds(server)
        crowd.connect(LEARNERS)
        own = crowd.post(forms)
        cpu_own = (cpu_seconds(server) - cpu_own) / LEARNERS
        after, cpu_after = floor()
        measured.answers += own
        measured.floors += after
        measured.rounds.append((_times(own), _times([*before, *after])))
        cpu.append((cpu_own, (cpu_before + cpu_after) / 2))
        before, cpu_before = after, cpu_after
    own, base = (statistics.median(side) for side in zip(*cpu, strict=True))
    measured.cpu = own, base
    return measured, sent


def _times(answers: Sequence[Answer]) -> list[float]:
    return sorted(answer.seconds for answer in answers)


def _sitting_of(answer: Answer) -> str:
    """Return the sitting to whose first question a start leads."""
    return answer.location.split("/")[2] if answer.status == 302 else ""


def _forms_of(sittings: Sequence[str]) -> list[dict[int, Mapping[str, list[str]]]]:
    """Return, for each sitting and position, the fields of a right answer as a browser sends them."""
    from quizzes.models import Slot
    from tests.quizzes.answering import right_answer
    from tests.quizzes.forms import control_html, controls_of, sent

    papers: dict[str, dict[int, Mapping[str, list[str]]]] = {sitting: {} for sitting in sittings}
    for slot in Slot.objects.filter(position__lte=ROUNDS).select_related("snapshot"):
        html = control_html(slot.snapshot.question(), slot.variant, right_answer(slot))
        papers[str(slot.sitting_id)][slot.position] = sent(controls_of(html))
    return [papers[sitting] for sitting in sittings]


def _missing(
    sittings: Sequence[str], sent: Sequence[tuple[str, int, Mapping[str, list[str]]]], answers: Sequence[Answer]
) -> int:
    """Return how many starts and receipts the database knows nothing of."""
    from quizzes.models import Event, EventKind, Response, Sitting
    from quizzes.questions import Posed
    from quizzes.registry import kind_of

    whole = {
        str(each.pk) for each in Sitting.objects.all() if each.events.exists() and each.out_of == each.slots.count()
    }
    missing = sum(sitting not in whole for sitting in sittings)
    kept = {
        (str(each.slot.sitting_id), each.slot.position): each
        for each in Response.objects.select_related("slot__snapshot")
    }
    logged = {
        (str(each.sitting_id), each.slot.position): each.detail
        for each in Event.objects.filter(kind=EventKind.SAVED).select_related("slot")
    }
    for (sitting, position, fields), answer in zip(sent, answers, strict=True):
        if answer.status != 200:
            continue
        response, revision = kept[sitting, position], json.loads(answer.body)["revision"]
        question = response.slot.snapshot.question()
        meant = kind_of(question.kind).read(Posed(question.task, response.slot.variant), fields)
        is_kept = (response.revision, response.given) == (revision, meant)
        missing += not (
            is_kept and logged.get((sitting, position)) == {"revision": revision, "answer": response.answer}
        )
    return missing


if __name__ == "__main__":
    main()
