"""Every page beside a bare view behind the same middleware, from gunicorn with two workers of four threads.

    ./run bench pages

The bare view answers two letters and asks for nobody, so every middleware runs and neither the session nor the person
is fetched: what a page spends on knowing its reader counts against the page. `signed in` is the bare view that asks who
is there and no more, for comparison. All are asked as a signed-in browser asks, with its cookies and over connections
that stay open.

Each round of a page stands between two of the bare view and is compared with these, and a figure is the median over a
page's rounds, so that other work on the machine meets both sides. Absolute figures say more about the machine than
about the product.
"""

import http.client
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from urllib.parse import urlsplit

from tests.bench.serving import BACKEND, cpu_seconds, served
from tests.servers import free_port

ROUNDS = 9
ROUND_SECONDS = 0.8
CLIENTS = 4  # as many as one worker has threads: the generator shares the two cores
AIMS = {"card": 0.5}
AIM = 0.25
BARE = "bare"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        port = free_port()
        os.environ |= {
            "VAR_PATH": folder,
            "SITE_URL": f"http://127.0.0.1:{port}",
            "DJANGO_SETTINGS_MODULE": "tests.bench.site",
            "LOG_FORMAT": "text",
        }
        addresses, cookies = _prepare()
        with served(port) as server:
            print(f"{ROUNDS} rounds of {ROUND_SECONDS:.0f} s a page, {CLIENTS} clients with keep-alive\n")
            results = _measure(server, port, addresses, cookies)
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
        BARE: "/bench/bare/",
        "signed in": "/bench/signed-in/",
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
        client.force_login(people.get(page, learner), backend=BACKEND)
        client.get(reverse("home"), headers={"host": urlsplit(os.environ["SITE_URL"]).netloc})  # sets all the others
        cookies[page] = "; ".join(f"{name}={cookie.value}" for name, cookie in client.cookies.items())
    return addresses, cookies


@dataclass(frozen=True)
class Round:
    """One page for a while: how many answers a second, how long the middle and the slow ones took, and at what cost."""

    rate: float
    p50: float
    p95: float
    cpu: float  # seconds of the server's own time for one answer


def _measure(
    server: int, port: int, addresses: dict[str, str], cookies: dict[str, str]
) -> dict[str, list[tuple[Round, Round]]]:
    """Return each round of each page beside the bare view's around it."""

    def ask(page: str, seconds: float = ROUND_SECONDS) -> Round:
        before = cpu_seconds(server)
        times = _times(port, addresses[page], cookies[page], seconds=seconds)
        cpu = (cpu_seconds(server) - before) / len(times)
        return Round(len(times) / seconds, times[len(times) // 2], times[int(len(times) * 0.95)], cpu)

    for page in addresses:
        ask(page, 0.5)  # the first requests fill what is kept
    results: dict[str, list[tuple[Round, Round]]] = {page: [] for page in addresses}
    before = ask(BARE)
    for _ in range(ROUNDS):
        for page in addresses:
            own, after = ask(page), ask(BARE)
            results[page].append((own, _middle([before, after])))
            before = after
    return results


def _middle(rounds: Iterable[Round]) -> Round:
    return Round(*(statistics.median(figures) for figures in zip(*map(astuple, rounds), strict=True)))


def _times(port: int, address: str, cookie: str, *, seconds: float) -> list[float]:
    """Return how long each answer took that came within this time, the quickest first."""
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
    return sorted(times)


def _report(results: dict[str, list[tuple[Round, Round]]]) -> None:
    """Print a line a page; its shares are those of the bare view, a rate of 0.5 being half as many answers."""
    print(f"{'':<12}{'one page':>40}{'beside the bare view':>37}")
    names = ("answers/s", "p50 ms", "p95 ms", "CPU ms")
    print(f"{'page':<12}" + "".join(f"{name:>10}" for name in (*names, "answers", "p50", "p95", "CPU")) + f"{'aim':>7}")
    for page, rounds in results.items():
        own = _middle(own for own, _ in rounds)
        share = [statistics.median(pair) for pair in zip(*map(_beside, rounds), strict=True)]
        figures = f"{own.rate:>10.0f}{1000 * own.p50:>10.1f}{1000 * own.p95:>10.1f}{1000 * own.cpu:>10.2f}"
        aim = "" if page in (BARE, "signed in") else f"{AIMS.get(page, AIM):>7.2f}"
        print(f"{page:<12}{figures}" + "".join(f"{each:>10.2f}" for each in share) + aim)
    print("\nload average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg()))


def _beside(rounds: tuple[Round, Round]) -> Iterator[float]:
    own, bare = map(astuple, rounds)
    return (mine / base for mine, base in zip(own, bare, strict=True))


if __name__ == "__main__":
    main()
