"""The judge container's system call profile: strict where it can be, and bubblewrap works under it."""

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.guests import need_sandbox

ROOT = Path(__file__).parents[2]
PROFILE = json.loads((ROOT / "deploy/judge/seccomp.json").read_text())
ALLOWED = set(PROFILE["syscalls"][0]["names"])

FOR_BUBBLEWRAP = {"clone", "unshare", "setns", "mount", "umount2", "pivot_root"}
NEVER = """
bpf keyctl add_key ptrace process_vm_readv process_vm_writev userfaultfd perf_event_open io_uring_setup kexec_load
init_module finit_module delete_module open_by_handle_at reboot settimeofday swapon syslog fsopen move_mount
"""

ALLOW, DENY_EPERM = 0x7FFF_0000, 0x0005_0001


def test_what_is_not_named_is_refused():
    assert PROFILE["defaultAction"] == "SCMP_ACT_ERRNO"
    assert [each["action"] for each in PROFILE["syscalls"]] == ["SCMP_ACT_ALLOW"]


def test_six_calls_of_bubblewrap_are_allowed():
    assert ALLOWED >= FOR_BUBBLEWRAP


@pytest.mark.parametrize("name", NEVER.split())
def test_call_is_refused(name):
    assert name not in ALLOWED


def put_profile_on() -> None:
    """Put the profile on this process, for good, as a container runtime would before it starts the judge."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_void_p,
    ]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    context = library.seccomp_init(DENY_EPERM)
    for name in ALLOWED:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # the other architecture's calls have no number here
            library.seccomp_rule_add_array(context, ALLOW, number, 0, None)
    assert library.seccomp_load(context) == 0


@pytest.mark.sandbox
def test_judge_grades_under_the_profile():
    need_sandbox()
    exercise = ROOT / "courseware/content/05-transformers/concepts/03-scaled-dot-product-attention/attention"
    program = (
        "from tests.deploy.test_judge_profile import put_profile_on; put_profile_on();"
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
