"""What a judge is told by its environment, read once and refused loudly where it is bad.

A judge may run on a machine of its own, so it reads no file of the site's and knows no secret but the broker's address.
"""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.log_lines import FORMATS, Format
from grader.sandbox.devices import Device
from grader.sandbox.runner import DEFAULT_SANDBOX_UID
from grader.transport import embedded_broker_url

PROJECT_PATH = Path(__file__).parents[2]
NAME_LIMIT = 100  # characters, as in the message by which a judge reports itself


class BadSetting(ValueError):
    """An environment variable has a value that cannot be used."""

    def __init__(self, name: str, expected: str, value: str) -> None:
        super().__init__(f"{name} must be {expected}, not {value!r}")


@dataclass(frozen=True)
class Settings:
    """The settings of one judge."""

    broker_url: str
    var_path: Path
    course_path: Path
    sandbox_uid: int
    name: str
    device: Device
    log_format: Format


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the judge's settings; BadSetting names the variable that cannot be used."""
    name = environment.get("JUDGE_NAME") or socket.gethostname()
    if len(name) > NAME_LIMIT or not name.isprintable():
        raise BadSetting("JUDGE_NAME", f"a name of at most {NAME_LIMIT} printable characters", name)
    return Settings(
        broker_url=environment.get("BROKER_URL") or embedded_broker_url(),
        var_path=Path(environment.get("VAR_PATH") or PROJECT_PATH / "var"),
        course_path=course_path(environment),
        sandbox_uid=sandbox_uid(environment),
        name=name,
        device=_device(environment.get("JUDGE_DEVICE") or Device.CPU.value),
        log_format=_log_format(environment.get("LOG_FORMAT") or FORMATS[0]),
    )


def course_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder in which the exercises are."""
    path = Path(environment.get("COURSE_PATH") or PROJECT_PATH / "courseware" / "content")
    if not path.is_dir():
        raise BadSetting("COURSE_PATH", "a directory", str(path))
    return path


def sandbox_uid(environment: Mapping[str, str] = os.environ) -> int:
    """Return the user id that guests get where the judge was started as root."""
    value = environment.get("SANDBOX_UID") or str(DEFAULT_SANDBOX_UID)
    # 2**32 - 1 means "no change" to setuid, and 0 is root itself.
    if not value.isascii() or not value.isdigit() or not 0 < int(value) < 2**32 - 1:
        raise BadSetting("SANDBOX_UID", "a user id above 0", value)
    return int(value)


def _device(value: str) -> Device:
    try:
        return Device(value)
    except ValueError:
        raise BadSetting("JUDGE_DEVICE", " or ".join(device.value for device in Device), value) from None


def _log_format(value: str) -> Format:
    for known in FORMATS:
        if value == known:
            return known
    raise BadSetting("LOG_FORMAT", " or ".join(FORMATS), value)
