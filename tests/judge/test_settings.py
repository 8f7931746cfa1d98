"""A judge's settings come from its environment; a bad one names its variable."""

from pathlib import Path

import pytest

from grader.judge.settings import BadSetting, read_settings
from grader.sandbox.devices import Device


def test_defaults_serve_one_machine() -> None:
    settings = read_settings({})

    assert settings.broker_url == "filesystem://localhost/"
    assert settings.course_path.name == "content"
    assert settings.sandbox_uid == 61_000
    assert settings.device is Device.CPU


def test_environment_is_followed(tmp_path: Path) -> None:
    settings = read_settings(
        {
            "BROKER_URL": "redis://broker:6379/0",
            "VAR_PATH": "/var/lib/judge",
            "COURSE_PATH": str(tmp_path),
            "SANDBOX_UID": "4242",
            "JUDGE_NAME": "gpu 1",
            "JUDGE_DEVICE": "cuda",
        }
    )

    assert settings.broker_url == "redis://broker:6379/0"
    assert (settings.var_path, settings.course_path) == (Path("/var/lib/judge"), tmp_path)
    assert (settings.sandbox_uid, settings.name, settings.device) == (4242, "gpu 1", Device.CUDA)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("COURSE_PATH", "/no/such/directory"),
        ("SANDBOX_UID", "0"),
        ("SANDBOX_UID", "-1"),
        ("SANDBOX_UID", "nobody"),
        ("SANDBOX_UID", "4294967295"),
        ("JUDGE_DEVICE", "gpu"),
        ("JUDGE_NAME", "x" * 101),
        ("JUDGE_NAME", "two\nlines"),
    ],
)
def test_bad_value_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=name):
        read_settings({name: value})
