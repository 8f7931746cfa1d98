"""The command line that shuts a zygote and its guests in, and which interpreter and packages they are shown.

Owns what is visible inside: the shared libraries, one interpreter with its standard library, one folder of packages,
the programs that run inside; nothing of it can be written. It must not know clocks, or what is said to whom.
"""

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.sandbox.devices import Device, device_nodes
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.rungs import Rung

PROJECT = Path(__file__).resolve().parents[2]
PROGRAMS = tuple(
    f"grader/sandbox/{name}.py"
    for name in ("inside/zygote", "inside/warmth", "inside/guest", "inside/walls", "inside/arrays", "wire")
)
PACKAGES_INSIDE = "/sandbox/site-packages"
SCRATCH_INSIDE = "/tmp"  # noqa: S108 - of a guest alone, and empty; `walls.py` knows the same path
ENVIRONMENT_INSIDE = {
    "PATH": "/usr/bin",
    "HOME": "/",
    "LANG": "C.UTF-8",
    # One thread each: the thread limit is small, and a forking zygote must have only one.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Each thread would reserve addresses for memory of its own, and after eight of them the limit were reached.
    "MALLOC_ARENA_MAX": "1",
    # A large array goes back to the kernel when it is let go, at any size: glibc would raise this bound with each one
    # and keep holes between others, so that what a right program held at most was up to three times as much by chance.
    "MALLOC_MMAP_THRESHOLD_": str(1024 * 1024),
    "PYTORCH_NVML_BASED_CUDA_CHECK": "1",  # asking whether there is a device would otherwise start one, before the fork
}
UID_INSIDE = 1000  # any number but 0: what a guest may do is decided outside, by the uid that this one stands for

_SHARED_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib64")
_INSTALL_BUBBLEWRAP = "bubblewrap is not installed; on Debian: apt-get install bubblewrap"
_NAMED_BY = "BWRAP"  # the variable that says where it is, for machines on whose path it is not

# What the common refusals of bubblewrap and the kernel mean to someone who runs a server.
_EXPLANATIONS = (
    (
        ("setting up uid map", "No permissions to creat", "Creating new namespace failed", "Operation not permitted"),
        "user namespaces are not allowed to this account: check sysctl kernel.unprivileged_userns_clone=1 and "
        "user.max_user_namespaces, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for "
        "bwrap, and in a container a seccomp profile that allows clone, unshare, mount, umount2, pivot_root and setns",
    ),
    (
        ("mount proc",),
        "a fresh /proc cannot be mounted: in a container, unmask it (Docker: --security-opt systempaths=unconfined)",
    ),
)


@dataclass(frozen=True)
class Interpreter:
    """The interpreter and the packages that guests are given: those of the running judge."""

    executable: Path  # resolved: inside there is no virtual environment
    library: tuple[Path, ...]  # its standard library and shared objects
    site_packages: Path


@dataclass(frozen=True, kw_only=True)
class Descriptors:
    """The open files that bubblewrap and the zygote inherit, by number."""

    programs: tuple[int, ...]  # texts of PROGRAMS, in that order
    filter: int  # outer system call filter
    control: int  # the zygote's end of the socket over which it takes orders

    def every(self) -> tuple[int, ...]:
        return (*self.programs, self.filter, self.control)


def interpreter() -> Interpreter:
    """Return the running interpreter as a guest will see it."""
    # Inside a virtual environment sys.executable is a link or a copy that finds its standard library by pyvenv.cfg,
    # which the guest is not shown; the base interpreter finds it by itself.
    executable = Path(getattr(sys, "_base_executable", "") or sys.executable).resolve()
    base = Path(sys.base_prefix).resolve()
    library = tuple(path for path in (base / "lib", base / "lib64") if path.is_dir())
    return Interpreter(executable, library, Path(sysconfig.get_path("purelib")).resolve())


def command(
    shown: Interpreter, descriptors: Descriptors, libraries: Sequence[str], *, device: Device = Device.CPU
) -> list[str]:
    """Return the command that runs a zygote shut in; SandboxUnavailable if it would show our own files."""
    program = shutil.which("bwrap") or shutil.which(os.environ.get(_NAMED_BY) or "bwrap")
    if program is None:
        raise SandboxUnavailable(_INSTALL_BUBBLEWRAP)
    _refuse_to_show_ourselves(shown)
    return [
        program,
        *("--unshare-all", "--unshare-user", "--uid", str(UID_INSIDE), "--gid", str(UID_INSIDE)),
        *("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--as-pid-1"),
        *_environment(),
        *_mounts(shown),
        *_programs(descriptors),
        # A guest's scratch folder is mounted over this one; /proc must be writable for the maps of user namespaces.
        *("--dir", SCRATCH_INSIDE, "--proc", "/proc"),
        # bubblewrap's /dev is a writable tmpfs without a size until it is remounted.
        *("--dev", "/dev", *_device(device), "--remount-ro", "/dev", "--chdir", "/", "--remount-ro", "/"),
        *("--seccomp", str(descriptors.filter), "--"),
        # -I no environment, no current folder; -S no .pth files; -B nothing can be written anyway
        *(str(shown.executable), "-I", "-S", "-B", f"/sandbox/{PROGRAMS[0]}"),
        *(str(descriptors.control), device.value, ",".join(libraries), PACKAGES_INSIDE, Rung.BUBBLEWRAP.value),
    ]


def bare_command(
    shown: Interpreter, programs: Path, *, control: int, libraries: Sequence[str], rung: Rung, device: Device
) -> list[str]:
    """Return the command that runs a zygote without bubblewrap, whose guests may read what they would be shown in it.

    `programs` is a folder that holds PROGRAMS and that the sandbox's account may read.
    """
    _refuse_to_show_ourselves(shown)
    folders = (*map(Path, _SHARED_LIBRARIES), *shown.library, shown.executable, Path("/etc/ld.so.cache"))
    readable = [str(path) for path in (*folders, Path("/dev/null"), Path("/dev/urandom")) if path.exists()]
    return [
        *(str(shown.executable), "-I", "-S", "-B", str(programs / PROGRAMS[0])),
        *(str(control), device.value, ",".join(libraries), str(shown.site_packages), rung.value, *readable),
    ]


def explain(printed: str) -> str:
    """Return what an operator should do about what bubblewrap printed before it failed."""
    advice = [text for signs, text in _EXPLANATIONS if any(sign in printed for sign in signs)]
    return "; ".join([printed.strip() or "bubblewrap ended without a word", *advice[:1]])


def _programs(descriptors: Descriptors) -> Iterator[str]:
    # As data and not as folders of ours, to which the sandbox's account needs no way.
    for path, fd in zip(PROGRAMS, descriptors.programs, strict=True):
        yield from ("--ro-bind-data", str(fd), f"/sandbox/{path}")


def _environment() -> Iterator[str]:
    yield "--clearenv"
    for name, value in ENVIRONMENT_INSIDE.items():
        yield from ("--setenv", name, value)


def _mounts(shown: Interpreter) -> Iterator[str]:
    # Only libraries of /usr are shown: /usr/bin would offer programs, /usr/src and /usr/local somebody's files.
    for text in _SHARED_LIBRARIES:
        path = Path(text)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), text)
        elif path.is_dir():
            yield from ("--ro-bind", text, text)
    for path in shown.library:
        if not any(path.is_relative_to(known) for known in _SHARED_LIBRARIES):
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--ro-bind", str(shown.executable), str(shown.executable))
    yield from (
        "--ro-bind-try",
        "/etc/ld.so.cache",
        "/etc/ld.so.cache",
    )  # where libraries lie outside the default folders
    yield from ("--ro-bind", str(shown.site_packages), PACKAGES_INSIDE)


def _device(device: Device) -> Iterator[str]:
    if device is Device.CUDA:
        # The driver finds its devices through /sys, and opens their nodes only where they are bound as devices.
        yield from ("--ro-bind", "/sys", "/sys")
        for node in device_nodes():
            yield from ("--dev-bind", str(node), str(node))


def _refuse_to_show_ourselves(shown: Interpreter) -> None:
    for folder in (*map(Path, _SHARED_LIBRARIES), *shown.library, shown.site_packages):
        if PROJECT.is_relative_to(folder.resolve()):
            raise SandboxUnavailable(f"the server lies in {PROJECT}, inside {folder}, which guests are shown: move it")
