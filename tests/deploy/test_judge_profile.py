"""The judge container's system call profile: strict where it can be, and bubblewrap works under it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.containers import ALLOWED, FOR_BUBBLEWRAP, PROFILE
from tests.sandbox.guests import need_sandbox

ROOT = Path(__file__).parents[2]
NEVER = """
bpf keyctl add_key ptrace process_vm_readv process_vm_writev userfaultfd perf_event_open io_uring_setup kexec_load
init_module finit_module delete_module open_by_handle_at reboot settimeofday swapon syslog fsopen move_mount
"""


def test_what_is_not_named_is_refused():
    assert PROFILE["defaultAction"] == "SCMP_ACT_ERRNO"
    assert [each["action"] for each in PROFILE["syscalls"]] == ["SCMP_ACT_ALLOW"]


def test_six_calls_of_bubblewrap_are_allowed():
    assert ALLOWED >= FOR_BUBBLEWRAP


@pytest.mark.parametrize("name", NEVER.split())
def test_call_is_refused(name):
    assert name not in ALLOWED


@pytest.mark.sandbox
def test_judge_grades_under_the_profile():
    need_sandbox()
    exercise = ROOT / "courseware/content/05-transformers/concepts/03-scaled-dot-product-attention/attention"
    program = (
        "from tests.deploy.containers import put_our_profile_on; put_our_profile_on();"
        "import runpy, sys; sys.argv[0] = 'judge';"
        "runpy.run_module('grader.judge', run_name='__main__')"
    )

    result = subprocess.run(
        [sys.executable, "-c", program, str(exercise), str(ROOT / "tests/submissions/attention/right_einsum.py")],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stdout + result.stderr
    assert "All 10 checks hold" in result.stdout
