"""What the tensors of learners' programs live on, and what a sandbox must let through for it.

Values, and one look at the machine's device nodes. It must not import what computes there: a driver that was touched
before the fork is of no use after it.
"""

import enum
from pathlib import Path

from grader.sandbox.replies import SandboxUnavailable

_DEVICES = Path("/dev")
# Without the last one, which current drivers open too, the driver refuses; without the others it falls back to the CPU.
_SHARED_NODES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")


class Device(enum.Enum):
    """A judge works on one; its guests are told which."""

    CPU = "cpu"
    CUDA = "cuda"

    @property
    def kept_ready(self) -> int:
        """How many guests wait warm: as many as there are cores on the smallest judge, each of which costs about 3 MB.

        On a device it is one, and the next is forked when it has ended: each takes hundreds of MB of the device's
        memory, and two at once would take each other's time and memory.
        """
        return 2 if self is Device.CPU else 1

    @property
    def birth_seconds(self) -> float:
        """How long a guest may take to be ready: 10 ms on an idle core; on a device, after the life of the last one."""
        return 20.0 if self is Device.CPU else 320.0

    @property
    def own_threads(self) -> int:
        """Threads that the driver and PyTorch start for a device, beside those that a program may have: about ten."""
        return 0 if self is Device.CPU else 48

    @property
    def own_files(self) -> int:
        """Files that the driver keeps open: its nodes, many times over, and its events."""
        return 0 if self is Device.CPU else 192


def device_nodes(folder: Path = _DEVICES) -> tuple[Path, ...]:
    """Return the nodes of this machine's first NVIDIA device; SandboxUnavailable, naming what is missing."""
    # In a container the first one that is there need not be number 0.
    numbered = sorted(int(path.name[6:]) for path in folder.glob("nvidia[0-9]*") if path.name[6:].isdigit())
    first = f"nvidia{numbered[0] if numbered else 0}"
    nodes = tuple(folder / name for name in (first, *_SHARED_NODES))
    missing = [str(node) for node in nodes if not node.exists()]
    if missing:
        raise SandboxUnavailable(
            f"JUDGE_DEVICE is cuda, but there is no {', '.join(missing)}: install NVIDIA's driver and load nvidia-uvm "
            f"(nvidia-modprobe -u -c 0), or in a container reserve a device; JUDGE_DEVICE=cpu works without"
        )
    return nodes
