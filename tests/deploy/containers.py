"""What a container takes from a judge, put on a process: no runtime is needed, only libseccomp.

A process that has put a profile on stays under it, and so does whatever it starts; no program can give it more rights.
"""

import ctypes
import json
from pathlib import Path

PROFILE = json.loads((Path(__file__).parents[2] / "deploy/judge/seccomp.json").read_text())
ALLOWED = frozenset(PROFILE["syscalls"][0]["names"])
FOR_BUBBLEWRAP = frozenset(("clone", "unshare", "setns", "mount", "umount2", "pivot_root"))

_ALLOW, _EPERM, _ENOSYS = 0x7FFF_0000, 0x0005_0001, 0x0005_0026
_MASKED_EQUAL = 7
_NEW_NAMESPACES = 0x7E02_0000  # of clone's flags


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operation", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


def put_our_profile_on() -> None:
    """Put deploy/judge/seccomp.json on this process, as a container's runtime would before it starts the judge."""
    _put_on(ALLOWED)


def put_common_profile_on() -> None:
    """Put on what Docker puts on a container that brings no profile: the six calls of bubblewrap are refused too."""
    _put_on(ALLOWED - FOR_BUBBLEWRAP - {"clone3"}, threads_and_forks_only=True)


def _put_on(allowed: frozenset[str], *, threads_and_forks_only: bool = False) -> None:
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
    context = library.seccomp_init(_EPERM)

    def rule(name: str, action: int, *comparisons: _Comparison) -> None:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # the other architecture's calls have no number here
            array = (_Comparison * max(1, len(comparisons)))(*comparisons)
            assert library.seccomp_rule_add_array(context, action, number, len(comparisons), array) == 0, name

    for name in allowed:
        rule(name, _ALLOW)
    if threads_and_forks_only:
        rule("clone", _ALLOW, _Comparison(0, _MASKED_EQUAL, _NEW_NAMESPACES, 0))
        rule("clone3", _ENOSYS)  # its flags lie in memory, so the C library is told to use clone
    assert library.seccomp_load(context) == 0
