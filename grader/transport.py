"""How messages travel between site and judge: one broker address turned into Celery options, the same on both sides.

Pure: reads no environment and knows no task. The judge imports it, so it must never import Django.
"""

from pathlib import Path
from typing import Any, Literal

Side = Literal["site", "judge"]

# Longer than any judging may take, times two: a message that Redis hands out again while its first delivery is still
# being judged is harmless (the ticket decides), but it is work done twice.
VISIBILITY_SECONDS = 900
# Kombu looks for abandoned messages every restore_interval (10 s) times this throttle; its own default of 10 would
# leave a killed judge's message lying for 100 s.
RESTORE_THROTTLE = 1
# A quarter of the time a learner notices; idle polling at this rate costs 0.4 % of a core.
POLLING_SECONDS = 0.2


def embedded_broker_url() -> str:
    """Return the address that stands for files in a folder of ours: no server to install."""
    return "filesystem://localhost/"


def celery_options(broker_url: str, var_path: Path, *, side: Side) -> dict[str, Any]:
    """Return the Celery settings for one side of the broker.

    Errors:  ValueError for a broker that is neither Redis nor the filesystem
    """
    return {
        "broker_url": broker_url,
        # None leaves the choice to the address.
        "broker_transport": "grader.folder_broker:Transport" if broker_url.startswith("filesystem:") else None,
        "broker_transport_options": _transport_options(broker_url, var_path, side),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,  # a broker that is away for a night must find its workers again
        "broker_connection_timeout": 4,  # a learner's submit must not hang on a broker that is down
        "accept_content": ["json"],  # never pickle: what a judge sends may be hostile
        "task_serializer": "json",
        "result_serializer": "json",
        "task_ignore_result": True,
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "worker_enable_remote_control": False,
        "worker_send_task_events": False,
        "worker_hijack_root_logger": False,
        "task_create_missing_queues": True,
        "task_default_queue": "periodic" if side == "site" else "judge.interactive",
        "timezone": "UTC",
    }


def _transport_options(broker_url: str, var_path: Path, side: Side) -> dict[str, Any]:
    scheme = broker_url.partition("://")[0]
    if scheme in ("redis", "rediss"):
        return {
            "visibility_timeout": VISIBILITY_SECONDS,
            "unacked_restore_throttle": RESTORE_THROTTLE,
            "socket_timeout": 20,
            "socket_connect_timeout": 4,
            "socket_keepalive": True,
            "retry_policy": {"max_retries": 2},
            # Sending: without these Kombu tries for 6 s while a learner's submit waits for its answer; what is not
            # sent now is sent by the next periodic dispatch. Workers connect by retries of their own.
            "max_retries": 1,
            "interval_start": 0.2,
            # Each side keeps its unacknowledged messages under keys of its own: shared keys would show the judge
            # the messages of every other queue.
            "unacked_key": f"{side}.unacked",
            "unacked_index_key": f"{side}.unacked_index",
            "unacked_mutex_key": f"{side}.unacked_mutex",
        }
    if scheme == "filesystem":
        folder = var_path / "broker" / "queue"
        for each in (folder.parent, folder):
            each.mkdir(parents=True, exist_ok=True, mode=0o700)
        return {"data_folder_in": str(folder), "data_folder_out": str(folder), "polling_interval": POLLING_SECONDS}
    raise ValueError(f"BROKER_URL must begin with redis://, rediss:// or filesystem://, not {scheme}://")
