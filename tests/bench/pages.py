"""Every page beside a bare view behind the same middleware, from gunicorn with two workers of four threads.

    ./run bench pages

The pages take turns in short rounds, so that a noisy moment meets them all; ratios are medians over the rounds.
Absolute figures say more about the machine than about the product.
"""

import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROUNDS = 7
ROUND_SECONDS = 2.0
CLIENTS = 4  # as many as one worker has threads: the generator shares the two cores
AIMS = {"card": 0.5}
AIM = 0.25

ROOT = Path(__file__).parents[2]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        port = _free_port()
        os.environ |= {
            "VAR_PATH": folder,
            "SITE_URL": f"http://127.0.0.1:{port}",
            "DJANGO_SETTINGS_MODULE": "tests.bench.site",
            "LOG_FORMAT": "text",
        }
        addresses, cookies = _prepare()
        with _served(port):
            print(f"{ROUNDS} rounds of {ROUND_SECONDS:.0f} s a page, {CLIENTS} clients with keep-alive\n")
            results = _measure(port, addresses, cookies)
    _report(results)


def _prepare() -> tuple[dict[str, str], dict[str, str]]:
    """Fill a site and return the address of each page and the cookies of who opens it."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    call_command("collectstatic", verbosity=0, interactive=False)
    from quizzes.sittings import hand_in
    from tests import factories

    cohort = factories.make_cohort()
    assignment = factories.make_assignment(cohort)
    learner, instructor = factories.make_learner(cohort), factories.make_instructor(cohort)
    for _ in range(29):
        factories.make_learner(cohort)
    done = factories.make_sitting(assignment, user=learner)
    hand_in(done.pk)
    reader = factories.make_learner(cohort)
    going = factories.make_sitting(assignment, user=reader)
    submission = factories.make_finished(user=learner)
    concept = "scaled-dot-product-attention"
    addresses = {
        "bare": "/bench/bare/",
        "home": reverse("home"),
        "module": reverse("module", args=["transformers"]),
        "card": reverse("card_deep", args=[concept]),
        "self-check": reverse("card", args=[concept]),
        "question": reverse("question", args=[going.pk, 1]),
        "review": reverse("review", args=[done.pk]),
        "exercise": reverse("exercise", args=["attention"]),
        "submission": reverse("submission", args=[submission.pk]),
        "cohort": reverse("cohort", args=[cohort.pk]),
    }
    people = {"question": reader, "cohort": instructor}
    cookies = {}
    for page in addresses:
        client = Client()
        client.force_login(people.get(page, learner), backend="allauth.account.auth_backends.AuthenticationBackend")
        cookies[page] = f"sessionid={client.cookies['sessionid'].value}"
    return addresses, cookies


@contextmanager
def _served(port: int) -> Iterator[None]:
    options = ["--worker-class", "gthread", "--workers", "2", "--threads", "4", "--no-control-socket"]
    command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", *options, "--log-level", "warning"]
    process = subprocess.Popen([*command, "courseware.wsgi"], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            if time.monotonic() > deadline:
                raise TimeoutError("gunicorn does not answer")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(30)


def _measure(port: int, addresses: dict[str, str], cookies: dict[str, str]) -> dict[str, list[list[float]]]:
    """Return the seconds of every request, by page and round."""
    results: dict[str, list[list[float]]] = {page: [] for page in addresses}
    for page in addresses:
        _round(port, addresses[page], cookies[page], seconds=0.5)  # the first requests fill the caches
    for _ in range(ROUNDS):
        for page in addresses:
            results[page].append(_round(port, addresses[page], cookies[page], seconds=ROUND_SECONDS))
    return results


def _round(port: int, address: str, cookie: str, *, seconds: float) -> list[float]:
    times: list[float] = []
    failures: list[str] = []
    ends = time.monotonic() + seconds

    def ask() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        while time.monotonic() < ends:
            begun = time.perf_counter()
            connection.request("GET", address, headers={"Cookie": cookie})
            answer = connection.getresponse()
            answer.read()
            times.append(time.perf_counter() - begun)
            if answer.status != 200:
                failures.append(f"{address} answered {answer.status}")
                return

    clients = [threading.Thread(target=ask) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    if failures:
        raise SystemExit(failures[0])
    return times


def _report(results: dict[str, list[list[float]]]) -> None:
    rates = {page: [len(times) / ROUND_SECONDS for times in rounds] for page, rounds in results.items()}
    print(f"{'page':<12}{'requests/s':>12}{'p50 ms':>9}{'p95 ms':>9}{'of bare':>9}{'aim':>7}")
    for page, rounds in results.items():
        every = sorted(time for times in rounds for time in times)
        p50, p95 = every[len(every) // 2], every[int(len(every) * 0.95)]
        ratio = statistics.median(own / base for own, base in zip(rates[page], rates["bare"], strict=True))
        aim = "" if page == "bare" else f"{AIMS.get(page, AIM):.2f}"
        rate = statistics.median(rates[page])
        print(f"{page:<12}{rate:>12.0f}{1000 * p50:>9.1f}{1000 * p95:>9.1f}{ratio:>9.2f}{aim:>7}")


def _free_port() -> int:
    from tests.servers import free_port

    return free_port()


def _answers(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", "/bench/bare/")
        return connection.getresponse().status == 200
    except OSError:
        return False


if __name__ == "__main__":
    main()
