"""What the programs hold, and what their doors let in, asked of the processes that really run."""

import json
import pickle
import uuid
from pathlib import Path

import pytest
from kombu import Connection, Producer

from tests.processes import is_running, wait_until
from tests.queue.running import RIGHT

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def _of(package: str, modules: set[str]) -> list[str]:
    return sorted(name for name in modules if name == package or name.startswith(f"{package}."))


def test_the_judge_holds_no_django_and_the_sites_programs_no_arithmetic(running):
    running.verdict_of(running.ask("submit_as", f"{uuid.uuid4()}@example.org", RIGHT))

    judge = running.modules("judge")
    assert len(judge) == 3  # the worker, the child that judges, and the sandbox's supervisor
    assert sorted("numpy" in modules for modules in judge) == [False, True, True]
    for modules in judge:
        assert not [name for package in ("django", "torch", "psycopg") for name in _of(package, modules)]
        assert not [name for package in ("courseware.settings", "grader.models") for name in _of(package, modules)]
    for name in ("recorder", "periodic"):
        for modules in running.modules(name):
            assert "django" in modules
            packages = ("numpy", "torch", "grader.judge", "grader.sandbox")
            assert not [found for package in packages for found in _of(package, modules)]


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return (Path.touch, (self.path,))


Body = tuple[str, bytes]  # content type and bytes
JSON = "application/json"
ARGUMENTS = json.dumps([[{}], {}, {"callbacks": None, "errbacks": None, "chain": None, "chord": None}]).encode()
TASKS = {"recorder": "recorder.verdict", "judge.interactive": "judge.grade"}


def _throw(running, queue_name: str, *messages: tuple[dict, Body]) -> None:
    """Put messages into a queue as headers and bytes, as no Celery app of ours would."""
    app = running.judge_app()
    options = app.conf.broker_transport_options
    with (
        Connection(running.broker_url, transport=app.conf.broker_transport, transport_options=options) as connection,
        connection.channel() as channel,
    ):
        queue = app.amqp.queues[queue_name](channel)
        queue.declare()
        for headers, (content_type, body) in messages:
            Producer(channel).publish(
                body,
                exchange="",
                routing_key=queue.routing_key,
                headers=headers,
                content_type=content_type,
                content_encoding="binary" if "python" in content_type else "utf-8",
            )
    app.close()


def _still_works(running, queue: str, before: int) -> None:
    """The program that reads a queue is the same one, does its work, and keeps nothing to stumble over again."""
    assert running.verdict_of(running.ask("submit_as", f"{uuid.uuid4()}@example.org", RIGHT))["verdict"] == "right"
    running.say_and_wait()
    wait_until(lambda: running.lying_in(queue) == 0, seconds=10)
    assert is_running(before)


@pytest.mark.parametrize("queue", TASKS)
def test_nothing_but_json_is_read(running, queue, tmp_path):
    """Unpickling runs what it reads, and so do some readers of YAML."""
    trap = tmp_path / "sprung"
    before = running.pid(queue.partition(".")[0])
    extras = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
    yaml = f"!!python/object/apply:os.mknod [{json.dumps(str(trap))}]".encode()
    bodies: list[Body] = [
        ("application/x-python-serialize", pickle.dumps(([Trap(trap)], {}, extras))),
        ("application/x-yaml", yaml),
        ("text/yaml", yaml),
        ("application/x-msgpack", b"\x93\x91\x80\x80\x80"),
        ("text/html", b"[[{}], {}, {}]"),
        (JSON, b"{not json"),
        (JSON, b"[" * 100_000),
        (JSON, b"\xff\xfe"),
    ]

    _throw(running, queue, *(({"task": TASKS[queue], "id": str(uuid.uuid4())}, body) for body in bodies))

    _still_works(running, queue, before)
    assert not trap.exists()


@pytest.mark.parametrize("queue", TASKS)
def test_no_message_ends_the_program_that_reads_it(running, queue):
    """One did: Celery dies of a body or a header of another form, and finds the message again when it is back."""
    before = running.pid(queue.partition(".")[0])
    plain = {"task": TASKS[queue], "id": str(uuid.uuid4())}
    bodies = [b"null", b"7", b"{}", b"[]", b"[[], {}]", b"[[1, 2], {}, {}]", b'[[1], {"a": 1}, {}]', b"[[1], {}, []]"]
    headers = [
        {},
        {"task": None, "id": "1"},
        {"task": ["a"], "id": "1"},
        {"task": {"a": 1}},
        {"task": TASKS[queue]},
        {"task": "celery.chord_unlock"},
        {"task": "no.such"},
        *(
            plain | {name: value}
            for name, value in {
                "id": {"a": 1},
                "eta": "soon",
                "expires": "soon",
                "timelimit": 5,
                "retries": "a",
                "shadow": {"a": 1},
                "stamped_headers": [1],
                "stamps": 5,
                "group": [1],
                "root_id": {},
                "ignore_result": "x",
                "argsrepr": 5,
            }.items()
        ),
    ]

    _throw(
        running, queue, *((plain, (JSON, body)) for body in bodies), *((each, (JSON, ARGUMENTS)) for each in headers)
    )

    _still_works(running, queue, before)


@pytest.mark.parametrize("queue", TASKS)
def test_what_is_no_message_at_all_does_not_end_the_program_that_reads_it(running, queue):
    before = running.pid(queue.partition(".")[0])

    running.put_bytes_into(
        queue, b"", b"garbage", b"\xff\x00", b"null", b"7", b"{}", b"[]", b"[" * 100_000,
        b'{"body": 5, "properties": {}}', b'{"body": "x", "properties": 5, "headers": 5}',
        b'{"body": "!", "properties": {"body_encoding": "base64", "delivery_info": {}, "delivery_tag": "1"}}',
    )  # fmt: skip

    _still_works(running, queue, before)


def test_tasks_that_the_recorder_does_not_have_do_nothing(running):
    running.pause("judge", "periodic")
    row = running.ask("row", running.ask("submit_as", f"{uuid.uuid4()}@example.org", RIGHT))
    order = [{"submission": row["id"], "delivery": row["delivery"], "ticket": row["ticket"]}]

    with running.judge_app() as app:
        for name in (
            "periodic.dispatch",
            "judge.grade",
            "celery.backend_cleanup",
            "celery.accumulate",
            "os.system",
            "",
        ):
            app.send_task(name, args=order, queue="recorder")
    running.say_and_wait()

    assert running.ask("row", row["id"]) == row
    assert running.lying_in("recorder") == 0
    assert running.lying_in("periodic") == 0


def test_nobody_controls_the_programs_from_afar(running):
    programs = [running.pid(name) for name in ("recorder", "periodic", "judge")]

    with running.judge_app() as app:
        assert app.control.inspect(timeout=1).ping() is None
        app.control.broadcast("shutdown")
        app.control.broadcast("pool_shrink", arguments={"n": 1})
    running.say_and_wait()

    assert all(is_running(pid) for pid in programs)
    _still_works(running, "recorder", programs[0])
