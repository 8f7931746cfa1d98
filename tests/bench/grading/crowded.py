"""A thousand submissions at once: 400 learners, three exercises, every source unlike every other, two judges.

All is posted as fast as the site answers, with site, recorder, broker, database, judges and load on the same cores. The
clock begins with the first post and ends with the last verdict. Every verdict must be the stated one, and while a
learner's first waits nobody's third may leave for a judge; the judges must have been at work half of the time.
"""

import random
import re
import resource
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tests.bench.crowd import Answer, Crowd, Form
from tests.bench.grading.programs import EXERCISES, Program, programs
from tests.bench.grading.sites import judge_name, log_of, measure_in, print_shares, shares, site
from tests.bench.serving import CSRF

if TYPE_CHECKING:
    from grader.models import Submission

LEARNERS, SUBMISSIONS, JUDGES = 400, 1000, 2
DRAIN_AIM = 2.0
PATIENCE_SECONDS = 600.0
SEED = 8  # of who posts when


def measure() -> bool:
    return measure_in("servers", "tests.bench.grading.crowded")


@dataclass(frozen=True)
class Post:
    """One learner's program on its way, and when it had been taken."""

    learner: int
    program: Program
    submission: str
    taken_at: float


def _measure() -> bool:
    from grader.models import State, Submission
    from tests.bench.learners import signed_in_learners

    with site(JUDGES) as port:
        _, cookies = signed_in_learners(LEARNERS + 1)
        crowd = Crowd(port, patience_seconds=PATIENCE_SECONDS)
        _warm(crowd, cookies.pop())
        before = shares()
        begun, begun_at = time.perf_counter(), time.time()
        posts = _post_all(crowd, cookies, begun_at)
        posted_seconds = time.perf_counter() - begun
        until = begun + PATIENCE_SECONDS
        while Submission.objects.exclude(state=State.FINISHED).exists() and time.perf_counter() < until:
            time.sleep(0.2)
        after = shares()
        rows = {str(row.pk): row for row in Submission.objects.filter(pk__in=[post.submission for post in posts])}
        busy = sum(_busy_seconds(log_of(judge_name(number)), set(rows)) for number in range(JUDGES))
    ended_at = max(row.finished_at.timestamp() for row in rows.values() if row.finished_at)
    drained = ended_at - begun_at
    wrong = [post for post in posts if rows[post.submission].verdict != post.program.outcome.value]
    overtaken = _overtaken(posts, rows)
    ratio = drained / (busy / JUDGES)
    print(f"{len(posts)} submissions of {LEARNERS} learners: {len(wrong)} wrong verdicts,", end="")
    print(f" {overtaken} firsts that waited behind another's third, {_again(rows)} judged again")
    print(
        f"  posted in {posted_seconds:.1f} s, drained in {drained:.1f}; {JUDGES} judges busy {busy:.1f} s in all: ",
        end="",
    )
    print(f"{ratio:.2f} times their time (aim {DRAIN_AIM})")
    print_shares(before, after, drained)
    for post in wrong[:3]:
        got = rows[post.submission]
        print(f"{got.verdict or got.state} instead of {post.program.outcome.value}: {post.program.source}")
    return not wrong and not overtaken and ratio <= DRAIN_AIM


def _warm(crowd: Crowd, cookie: str) -> None:
    """Have every judge load every exercise, and every thread of the site compose what it keeps."""
    from grader.models import State, Submission

    supplies = [programs(exercise, first=SUBMISSIONS) for exercise in EXERCISES]
    for _ in range(3):  # a learner may hand in twelve within a minute
        for supply in supplies:
            crowd.post([_form(0, next(supply), cookie)])
        while Submission.objects.exclude(state=State.FINISHED).exists():
            time.sleep(0.05)


def _post_all(crowd: Crowd, cookies: list[str], begun_at: float) -> list[Post]:
    """Post for each learner one program for two or three of the exercises, in an order that chance gives."""
    order = random.Random(SEED)
    third = SUBMISSIONS - 2 * LEARNERS
    pairs = [(learner, place) for learner in range(LEARNERS) for place in range(3 if learner < third else 2)]
    order.shuffle(pairs)
    supplies = [programs(exercise) for exercise in EXERCISES]
    given = [(learner, next(supplies[(learner + place) % len(EXERCISES)])) for learner, place in pairs]
    assert len({program.source for _, program in given}) == SUBMISSIONS
    # Each post has a connection of its own: a browser sends a second form without waiting for the first one's answer.
    crowd.connect(SUBMISSIONS)
    answers = crowd.post([_form(place, program, cookies[learner]) for place, (learner, program) in enumerate(given)])
    return [
        _post(learner, program, answer, begun_at) for (learner, program), answer in zip(given, answers, strict=True)
    ]


def _form(browser: int, program: Program, cookie: str) -> Form:
    fields = {"csrfmiddlewaretoken": CSRF, "kind": "submit", "revision": "0", "source": program.source}
    return Form(browser, f"/exercises/{program.exercise}/submit/", cookie, urlencode(fields))


def _post(learner: int, program: Program, answer: Answer, begun_at: float) -> Post:
    assert answer.status == 302, (answer.status, answer.body[:2000])
    return Post(learner, program, answer.location.split("/")[2], begun_at + answer.seconds)


def _busy_seconds(log: str, submissions: set[str]) -> float:
    """Return how long a judge was at these submissions, as it says itself."""
    lines = re.findall(r"submission judged submission=(\S+) .*milliseconds=(\d+)", log)
    return sum(int(milliseconds) for submission, milliseconds in lines if submission in submissions) / 1000


def _overtaken(posts: list[Post], rows: "dict[str, Submission]") -> int:
    """Return how many firsts had been taken when another learner's third left for a judge, and left later."""
    theirs = defaultdict(list)
    for post in sorted(posts, key=lambda post: rows[post.submission].queued_at):
        theirs[post.learner].append(post)
    thirds = [_left_at(rows[each[2].submission]) for each in theirs.values() if len(each) > 2]
    firsts = [(each[0].taken_at, _left_at(rows[each[0].submission])) for each in theirs.values()]
    return sum(any(taken_at < third < left_at for third in thirds) for taken_at, left_at in firsts)


def _left_at(row: "Submission") -> float:
    assert isinstance(row.started_at, datetime)
    return row.started_at.timestamp()


def _again(rows: "dict[str, Submission]") -> int:
    return sum(row.delivery > 1 for row in rows.values())


def main() -> None:
    import django

    django.setup()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection for each post
    sys.exit(not _measure())


if __name__ == "__main__":
    main()
