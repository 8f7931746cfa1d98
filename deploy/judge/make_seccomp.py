"""Writes seccomp.json, the container profile of the judge: every system call by name but those denied below.

    python3 deploy/judge/make_seccomp.py > deploy/judge/seccomp.json

Docker's own profile refuses six calls without which bubblewrap cannot shut a learner's program in: making and entering
namespaces (clone, unshare, setns) and mounting inside them (mount, umount2, pivot_root). This profile allows them, and
is otherwise as strict as Docker's for a container without capabilities. What bubblewrap starts gets stricter filters.
The names come from libseccomp; a call that it does not know yet is refused.
"""

import ctypes
import json
import sys

ARCHITECTURES = {"SCMP_ARCH_X86_64": 0xC000003E, "SCMP_ARCH_AARCH64": 0xC00000B7}
HIGHEST_NUMBER = 600  # above the last call of either architecture; numbers without a name are passed over

# Whole-machine matters, kernel surface with a history of escapes, other processes' memory, and the newer mount calls,
# which bubblewrap does not use.
DENIED = """
_sysctl acct add_key bpf clock_adjtime clock_adjtime64 clock_settime clock_settime64 create_module delete_module
fanotify_init finit_module fsconfig fsmount fsopen fspick get_kernel_syms get_mempolicy init_module io_uring_enter
io_uring_register io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie mbind
memfd_secret migrate_pages modify_ldt mount_setattr move_mount move_pages name_to_handle_at nfsservctl
open_by_handle_at open_tree perf_event_open personality pidfd_getfd process_madvise process_vm_readv
process_vm_writev ptrace query_module quotactl quotactl_fd reboot request_key set_mempolicy settimeofday stime
swapoff swapon sysfs syslog uselib userfaultfd ustat vhangup vmsplice
"""


def names(architecture: int) -> set[str]:
    """Return every system call that libseccomp knows of an architecture."""
    library = ctypes.CDLL("libseccomp.so.2")
    resolve = library.seccomp_syscall_resolve_num_arch
    resolve.restype = ctypes.c_char_p
    resolve.argtypes = [ctypes.c_uint32, ctypes.c_int]
    found = (resolve(architecture, number) for number in range(HIGHEST_NUMBER))
    return {name.decode() for name in found if name}


def profile() -> dict[str, object]:
    """Return the profile in the form that Docker and Podman read."""
    known = set().union(*(names(token) for token in ARCHITECTURES.values()))
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": 1,
        "archMap": [{"architecture": name, "subArchitectures": []} for name in ARCHITECTURES],
        "syscalls": [{"names": sorted(known - set(DENIED.split())), "action": "SCMP_ACT_ALLOW"}],
    }


if __name__ == "__main__":
    json.dump(profile(), sys.stdout, indent=1)
    sys.stdout.write("\n")
