"""From an HTTP post to the verdict's row, one after the other, on either broker: a whole site with one judge.

The clock begins with the first byte of the post and ends when another connection to the database reads the row. The
program is the plainest right one of `attention`: how long others take is their own doing.
"""

import statistics
import sys
import time
import uuid
from collections.abc import Callable
from functools import partial
from itertools import count
from urllib.parse import urlencode

from grader.verdicts import Outcome
from tests.bench.crowd import Crowd, Form
from tests.bench.grading.programs import Program
from tests.bench.grading.sites import KINDS, Kind, measure_in, site
from tests.bench.grading.verdict import RIGHT
from tests.bench.serving import CSRF

WARM, TRIED = 8, 60  # every worker and thread of the site connects and composes once before anything is measured
REDIS_AIM_SECONDS, POLLS_AIM = 0.060, 1.6
LOOK_SECONDS = 0.002  # between two looks at the row
PATIENCE_SECONDS = 30.0


def measure() -> bool:
    """Print the figures of both brokers; say whether both aims are met."""
    met = [measure_in(kind, "tests.bench.grading.posting") for kind in KINDS]  # both, whatever the first says
    return all(met)


def _measure(kind: Kind) -> bool:
    from courseware.statements import Given, Statement
    from grader.models import Submission
    from grader.transport import POLLING_SECONDS
    from tests.bench.learners import signed_in_learners

    aim = REDIS_AIM_SECONDS if kind == "servers" else POLLS_AIM * POLLING_SECONDS
    # Composed once: to look at the row every other millisecond must take nothing of note from those at work.
    verdicts: Statement[str] = Statement(
        lambda: Submission.objects.filter(pk=Given("submission", uuid.UUID)).values_list("verdict", flat=True)
    )
    with site(judges=1) as port:
        _, cookies = signed_in_learners(WARM + TRIED)
        crowd = Crowd(port)
        crowd.connect(1)
        numbers = count()
        seconds = []
        for cookie in cookies:
            program = Program("attention", f"# Try {next(numbers)}.\n{RIGHT}", Outcome.RIGHT)
            body = urlencode({"csrfmiddlewaretoken": CSRF, "kind": "submit", "revision": "0", "source": program.source})
            begun = time.perf_counter()
            (answer,) = crowd.post([Form(0, "/exercises/attention/submit/", cookie, body)])
            assert answer.status == 302, (answer.status, answer.body)
            submission = uuid.UUID(answer.location.split("/")[2])
            verdict = _when_there(partial(verdicts.first, submission=submission), begun)
            seconds.append(time.perf_counter() - begun)
            assert verdict == program.outcome.value, verdict
            time.sleep(0.2)  # one learner after the other, and the guest for the next is warm
    times = sorted(seconds[WARM:])
    p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
    print(
        f"{KINDS[kind]}: from post to row p50 {1000 * p50:.0f} ms, p95 {1000 * p95:.0f} (aim for p50 {1000 * aim:.0f})"
    )
    return p50 <= aim


def _when_there(look: Callable[[], str | None], begun: float) -> str:
    while not (found := look()):
        if time.perf_counter() - begun > PATIENCE_SECONDS:
            raise TimeoutError("no verdict came")
        time.sleep(LOOK_SECONDS)
    return found


def main() -> None:
    import django

    django.setup()
    kind: Kind = "servers" if sys.argv[1] == "servers" else "files"
    sys.exit(not _measure(kind))


if __name__ == "__main__":
    main()
