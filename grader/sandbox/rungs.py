"""The ladder of ways in which guests are shut in, the best first. Values only."""

import enum


class Rung(enum.Enum):
    """One way; a judge takes the first of LADDER that works on its machine, and works on no other."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    # No rung of the ladder: without walls nothing of a learner's runs. For programs of ours, which `gpucheck` tries on
    # a device even where nothing can be shut in.
    FILTER = "filter"

    @property
    def walls(self) -> str:
        """What it consists of, for whoever runs the server."""
        return _WALLS[self]


_WALLS = {
    Rung.BUBBLEWRAP: "own user, process, mount, network and System V namespaces for each program, system call filter, "
    "limits",
    Rung.FILTER: "system call filter, limits",
    Rung.LANDLOCK: "Landlock, system call filter, limits; no namespaces, so programs share one account and have no "
    "scratch folder",
}

LADDER = (Rung.BUBBLEWRAP, Rung.LANDLOCK)
