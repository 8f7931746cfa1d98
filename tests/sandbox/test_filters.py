"""The system call filters as programs; that they hold is what `tests/attacks` shows."""

import ctypes

import pytest

from grader.sandbox import filters
from grader.sandbox.replies import SandboxUnavailable


@pytest.mark.parametrize("build", [filters.outer_filter, filters.guest_filter])
def test_a_filter_is_a_program_of_whole_instructions_within_the_kernels_bound(build):
    program = build()

    assert program
    assert len(program) % 8 == 0
    assert len(program) // 8 <= 4096


def test_a_call_that_does_not_exist_has_no_number():
    assert filters.syscall_number("read") >= 0
    assert filters.syscall_number("no_such_call") < 0


def test_missing_libseccomp_is_named_as_the_reason(monkeypatch):
    # The loader of shared objects is the system's, not ours; it is told to find nothing.
    def finds_nothing(name: str) -> ctypes.CDLL:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", finds_nothing)
    filters._library.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="libseccomp2"):
            filters._library()
    finally:
        filters._library.cache_clear()
