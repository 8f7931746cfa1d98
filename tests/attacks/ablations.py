"""Guests with a layer less, made for tests alone: nothing that can be configured takes a layer away.

A layer is taken away where the product makes it: in the text of the programs that run inside, in bubblewrap's command,
in a filter, in the limits that a judge sends. A line that has changed makes these tests fail, not pass.
"""

import os
import secrets
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import bubblewrap, runner, zygote
from grader.sandbox.limits import MEBIBYTE
from grader.sandbox.nursery import Nursery
from tests.attacks.arena import SECRET, Aftermath, Arena
from tests.attacks.catalogue import Attack, attacks

UID = 61_001  # no guest of any other test
ALLOW_EVERYTHING = struct.pack("<HBBI", 0x06, 0, 0, 0x7FFF_0000)  # one instruction: return "allow"
ZYGOTE, GUEST, WALLS = (f"grader/sandbox/inside/{name}.py" for name in ("zygote", "guest", "walls"))

Edit = tuple[str, str, str]  # program, the text that makes the layer, what stands there instead
Command = Callable[[list[str], Path], list[str]]  # from bubblewrap's command and the arena's folder


@dataclass(frozen=True)
class Layer:
    """How one layer is taken away."""

    edits: tuple[Edit, ...] = ()
    command: Command | None = None
    patches: tuple[tuple[object, str, object], ...] = ()
    limits: tuple[tuple[str, Any], ...] = ()


def _limit(name: str) -> Layer:
    """Leave one resource limit out of those that a guest sets."""
    call = "resource.setrlimit(name, (value, value))"
    return Layer(edits=((GUEST, call, f"name == resource.{name} or {call}"),))


def _inserted(*words: str) -> Command:
    """Say more to bubblewrap, while what it mounts can still be added to."""

    def edit(command: list[str], folder: Path) -> list[str]:
        place = command.index("--dir")
        return [*command[:place], *(word.format(folder=folder) for word in words), *command[place:]]

    return edit


def _writable_dev(command: list[str], _: Path) -> list[str]:
    place = command.index("/dev", command.index("--remount-ro"))
    assert command[place - 1] == "--remount-ro"
    return command[: place - 1] + command[place + 1 :]


def _many_mounts(command: list[str], folder: Path) -> list[str]:
    """Show the machine's settings and a folder of it, and let a library and our programs be written."""
    copy = folder / "numpy"
    copy.write_bytes((bubblewrap.interpreter().site_packages / "numpy/__init__.py").read_bytes())
    copy.chmod(0o666)
    writable = [word.replace("--ro-bind-data", "--bind-data") for word in command]
    return _inserted(
        *("--bind", "{folder}", "{folder}", "--ro-bind", "/etc", "/etc", "--ro-bind", "/sys", "/sys"),
        *("--bind", "{folder}/numpy", f"{bubblewrap.PACKAGES_INSIDE}/numpy/__init__.py"),
    )(writable, folder)


LAYERS: dict[str, Layer] = {
    "guest filter": Layer(patches=((runner, "guest_filter", lambda _: ALLOW_EVERYTHING),)),
    "outer filter": Layer(patches=((zygote, "outer_filter", lambda: ALLOW_EVERYTHING),)),
    "process limit": _limit("RLIMIT_NPROC"),
    "memory limit": _limit("RLIMIT_AS"),
    "open file limit": _limit("RLIMIT_NOFILE"),
    "file size limit": _limit("RLIMIT_FSIZE"),
    "processor limit": _limit("RLIMIT_CPU"),
    "core limit": _limit("RLIMIT_CORE"),
    "locked memory limit": _limit("RLIMIT_MEMLOCK"),
    "scratch size": Layer(edits=((WALLS, "size=16m,nr_inodes", "size=256m,nr_inodes"),)),
    "scratch names": Layer(edits=((WALLS, "nr_inodes=256", "nr_inodes=65536"),)),
    "own scratch folder": Layer(
        edits=(
            (
                WALLS,
                'must(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", quiet, SCRATCH + account), "scratch folder")',
                "None",
            ),
            (
                WALLS,
                '        libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None)',
                '        libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None)\n'
                '        must(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, SCRATCH + b",uid=%d" % uid), "one")',
            ),
        )
    ),
    "own segments": Layer(edits=((WALLS, "libc.unshare(NEWNS | NEWIPC)", "libc.unshare(NEWNS)"),)),
    "own session": Layer(edits=((ZYGOTE, "os.setsid()", "None"),)),
    "process namespace": Layer(
        edits=(
            (WALLS, 'must(libc.unshare(NEWPID), "process namespace")', "None"),
            (WALLS, 'must(libc.setns(self.own_namespace, NEWPID), "way back")', "None"),
        )
    ),
    "own user namespace": Layer(
        edits=(
            (WALLS, 'must(libc.unshare(NEWUSER), "user namespace of the guest")', "None"),
            (WALLS, "        map_account(own, uid, gid)\n        for", "        for"),
        )
    ),
    "no capabilities": Layer(
        edits=(
            (WALLS, "libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)", "1"),
            (
                WALLS,
                'must(libc.capset(struct.pack("II", CAPABILITY_VERSION_3, 0), bytes(24)), "no capabilities")',
                "None",
            ),
        )
    ),
    "read-only /proc": Layer(edits=((WALLS, 'b"proc", MS_RDONLY | quiet', 'b"proc", quiet'),)),
    "closed descriptors": Layer(
        edits=((ZYGOTE, "os.closerange(len(moved), resource.getrlimit(resource.RLIMIT_NOFILE)[0])", "None"),)
    ),
    "read-only /dev": Layer(command=_writable_dev),
    "few mounts": Layer(command=_many_mounts),
    "network namespace": Layer(command=_inserted("--share-net")),
    "empty environment": Layer(command=_inserted("--setenv", "SECRET_KEY", SECRET)),
    "bounded printing": Layer(limits=(("output_bytes", 256 * MEBIBYTE), ("flood_bytes", 128 * MEBIBYTE))),
    "bounded results": Layer(limits=(("result_bytes", 256 * MEBIBYTE),)),
    "fresh tokens": Layer(patches=((secrets, "randbits", lambda _: 0),)),
    "judge's clock": Layer(limits=(("wall_seconds", 4.0),)),
}


def take_away(names: Iterable[str], folder: Path, patched: pytest.MonkeyPatch) -> None:
    """Take layers away from guests to come, of zygotes to come; `folder` is one of the machine's."""
    layers = [LAYERS[name] for name in names]
    for layer in layers:
        for owner, name, value in layer.patches:
            patched.setattr(owner, name, value)
    project = folder / "project"
    texts = {path: (bubblewrap.PROJECT / path).read_text() for path in bubblewrap.PROGRAMS}
    for program, whole, instead in (edit for layer in layers for edit in layer.edits):
        assert texts[program].count(whole) == 1, f"{program} no longer says {whole}"
        texts[program] = texts[program].replace(whole, instead)
    for path, text in texts.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text)
    command = bubblewrap.command

    def edited(*given: Any, **named: Any) -> list[str]:
        words = command(*given, **named)
        for layer in layers:
            words = layer.command(words, folder) if layer.command else words
        return words

    patched.setattr(bubblewrap, "command", edited)
    patched.setattr(bubblewrap, "PROJECT", project)


def limits_without(names: Iterable[str]) -> dict[str, Any]:
    return {name: value for layer in names for name, value in LAYERS[layer].limits}


def begin_without(names: Iterable[str], patched: pytest.MonkeyPatch) -> Callable[[Path], Nursery]:
    """Return what begins a nursery whose guests lack layers; they are put back when the patches are undone."""

    def begin(folder: Path) -> Nursery:
        take_away(names, folder, patched)
        return Nursery(uid=UID if os.geteuid() == 0 else 0, libraries=("numpy",))

    return begin


def removable() -> list[Attack]:
    """Return an attack for each effect that each set of layers stops; those that structure stops cannot be shown so."""
    chosen: dict[tuple[object, ...], Attack] = {}
    for attack in attacks():
        if set(attack.stopped_by) <= LAYERS.keys():
            chosen.setdefault((attack.stopped_by, attack.effect), attack)
    return list(chosen.values())


def aftermath_without(layers: tuple[str, ...], attack: Attack) -> Aftermath:
    with pytest.MonkeyPatch.context() as patched:
        arena = Arena(begin_without(layers, patched))
        try:
            return arena.perform(attack, **limits_without(layers))
        finally:
            arena.close()
