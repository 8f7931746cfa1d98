"""What the judge's own account may do on the broker, tried on a real Redis that obeys the product's access list."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery

from grader.messages import GRADE, INTERACTIVE_QUEUE, RECORDER_QUEUE
from grader.transport import celery_options
from tests import servers
from tests.sandbox.guests import need_sandbox

ROOT = Path(__file__).parents[2]
SITE, JUDGE = "site-password", "judge-password"


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    """Start Redis by the product's own script; yield its host, port and database."""
    environment = {
        "PATH": os.environ["PATH"],
        "BROKER_SITE_PASSWORD": SITE,
        "BROKER_JUDGE_PASSWORD": JUDGE,
        "ACL_TEMPLATE": str(ROOT / "deploy/broker/users.acl.in"),
        "ACL_FILE": str(tmp_path_factory.mktemp("broker") / "users.acl"),
    }
    try:
        with servers.redis(script=ROOT / "deploy/broker/start.sh", environment=environment) as url:
            yield url.removeprefix("redis://")
    except servers.ServerMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture
def site(address) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(f"redis://site:{SITE}@{address}") as client:
        yield client
        client.delete(*client.keys("*") or ["nothing"])


@pytest.fixture
def judge(address) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(f"redis://judge:{JUDGE}@{address}") as client:
        yield client


REFUSED = {
    "read the recorder's queue": lambda client: client.lrange("recorder", 0, -1),
    "take from the recorder's queue": lambda client: client.rpop("recorder"),
    "wait for the recorder's messages": lambda client: client.brpop(["recorder"], timeout=1),
    "remove the recorder's queue": lambda client: client.delete("recorder"),
    "order the periodic jobs about": lambda client: client.lpush("periodic", "{}"),
    "take the periodic jobs' ticks": lambda client: client.rpop("periodic"),
    "read what the site has not acknowledged": lambda client: client.hgetall("site.unacked"),
    "change what the site has not acknowledged": lambda client: client.hset("site.unacked", "a", "b"),
    "route another queue's messages to its own": lambda client: client.sadd("_kombu.binding.periodic", "x"),
    "read a key that is not of its queues": lambda client: client.get("session:1"),
    "write a key that is not of its queues": lambda client: client.set("session:1", "x"),
    "list keys": lambda client: client.keys("*"),
    "scan keys": lambda client: client.scan(),
    "rename a queue of its own": lambda client: client.rename("judge.interactive", "recorder"),
    "copy between queues": lambda client: client.execute_command("LMOVE", "judge.batch", "recorder", "LEFT", "LEFT"),
    "publish a control command": lambda client: client.publish("/0.celery.pidbox", "{}"),
    "listen to control commands": lambda client: client.execute_command("SUBSCRIBE", "/0.celery.pidbox"),
    "empty the server": lambda client: client.flushall(),
    "change the server": lambda client: client.config_set("maxmemory", "1"),
    "read the server's settings": lambda client: client.config_get("*"),
    "read the access list": lambda client: client.acl_list(),
    "give itself rights": lambda client: client.acl_setuser("judge", categories=["+@all"]),
    "close the site's connections": lambda client: client.client_kill_filter(_type="normal"),
    "watch everybody's commands": lambda client: client.execute_command("MONITOR"),
    "reach a key from inside a script": lambda client: client.eval("return redis.call('GET', 'session:1')", 0),
    "reach the recorder's queue from a script": lambda client: client.eval(
        "return redis.call('LRANGE', 'recorder', 0, -1)", 0
    ),
}


@pytest.mark.parametrize("attempt", REFUSED)
def test_judges_account_cannot(judge, site, attempt):
    site.lpush("recorder", "a verdict")
    site.set("session:1", "somebody")
    site.lpush("judge.batch", "an order")

    with pytest.raises(redis.exceptions.ResponseError, match=r"no permissions|the script can't"):
        REFUSED[attempt](judge)

    assert site.lrange("recorder", 0, -1) == [b"a verdict"]
    assert site.get("session:1") == b"somebody"


@pytest.mark.parametrize("name", ["", "default", "judge", "site"])
def test_nobody_enters_without_the_right_password(address, name):
    with pytest.raises(redis.exceptions.RedisError):
        redis.Redis.from_url(f"redis://{name}:wrong@{address}").ping()


def test_site_cannot_change_the_server(site):
    with pytest.raises(redis.exceptions.NoPermissionError):
        site.config_set("maxmemory", "1")
    with pytest.raises(redis.exceptions.NoPermissionError):
        site.flushall()


@pytest.mark.sandbox
@pytest.mark.slow
def test_judge_grades_with_no_more_than_its_account(address, site, tmp_path, attention):
    """A real judge, started as the image starts it, takes an order and answers the recorder."""
    need_sandbox()
    environment = {
        "PATH": os.environ["PATH"],
        "BROKER_URL": f"redis://judge:{JUDGE}@{address}",
        "VAR_PATH": str(tmp_path),
        "PYTHONWARNINGS": "ignore",
    }
    options = ["--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    command = [sys.executable, "-m", "grader.judge.serve", *options, "-Q", "judge.interactive,judge.batch", "-c", "1"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        sender = Celery("site-in-a-test", set_as_current=False)
        sender.conf.update(celery_options(f"redis://site:{SITE}@{address}", tmp_path, side="site"))
        sender.send_task(GRADE, args=[attention], queue=INTERACTIVE_QUEUE)
        deadline = time.monotonic() + 60
        names: set[str] = set()
        while "recorder.verdict" not in names and time.monotonic() < deadline:
            names = {json.loads(message)["headers"]["task"] for message in site.lrange(RECORDER_QUEUE, 0, -1)}
            time.sleep(0.2)
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=30)

    assert "recorder.verdict" in names
    assert "recorder.judge_alive" in names
    assert "NOPERM" not in errors
    assert "no permissions" not in errors


@pytest.fixture
def attention() -> dict[str, object]:
    """The message that sends a right attention to a judge."""
    from courseware.concepts.faults import Faults
    from grader.exercise_files import load_exercises

    exercise = load_exercises(ROOT / "courseware/content", Faults())["attention"]
    return {
        "submission": "1c9d0cb0-1a1f-4d09-9c9b-3a0d6bb0c001",
        "delivery": 1,
        "ticket": "a" * 32,
        "exercise": exercise.slug,
        "exercise_digest": exercise.digest,
        "source": (ROOT / "tests/submissions/attention/right_einsum.py").read_text(),
        "seed": 5,
        "limits": exercise.limits.to_message(),
        "stages": ["cpu"],
        "kind": "submit",
    }
