"""The machines that attacks are tried on: who starts the judge, what a container takes from it, how guests are shut in.

Started as a program, it runs attacks on one machine, in the account that it is started in, and prints a line for each.
"""

import dataclasses
import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass

from grader.sandbox.probe import find_rung
from grader.sandbox.rungs import Rung
from tests.attacks.ablations import aftermath_without, removable
from tests.attacks.arena import PROJECT, Arena, begin_nursery
from tests.attacks.catalogue import Attack, attacks
from tests.deploy.containers import put_common_profile_on, put_our_profile_on
from tests.sandbox.guests import run_as_ordinary_account


@dataclass(frozen=True)
class Machine:
    """One machine; a container's process is an ordinary account's, without any capability."""

    rung: Rung
    is_root: bool = False
    put_on: Callable[[], None] | None = None  # the container's profile of system calls


MACHINES = {
    "root, bubblewrap": Machine(Rung.BUBBLEWRAP, is_root=True),
    "root, Landlock": Machine(Rung.LANDLOCK, is_root=True),
    "account, bubblewrap": Machine(Rung.BUBBLEWRAP),
    "account, Landlock": Machine(Rung.LANDLOCK),
    "our container": Machine(Rung.BUBBLEWRAP, put_on=put_our_profile_on),
    "Docker's profile": Machine(Rung.LANDLOCK, put_on=put_common_profile_on),
}


@dataclass(frozen=True)
class Report:
    """What became of one attack on one machine."""

    attack: str
    group: str
    ends: str
    happened: dict[str, str]
    is_as_expected: bool


def representatives() -> list[Attack]:
    """Return the first attack of each class."""
    first = {attack.group: attack for attack in reversed(attacks())}
    return [attack for attack in attacks() if attack is first[attack.group]]


def expected_ends(attack: Attack, rung: Rung) -> set[str]:
    # Without namespaces there is neither a scratch folder nor /proc, which some programs stumble over.
    return {attack.ends, "raised"} if rung is Rung.LANDLOCK else {attack.ends}


def tried_on(name: str, chosen: Collection[Attack], *, seconds: float) -> tuple[Rung, list[Report]]:
    """Return the rung that a judge finds on a machine, and what became of each attack there."""
    found, *lines = _run(name, "contained", *(attack.name for attack in chosen), seconds=seconds)
    return Rung(found), [Report(**json.loads(line)) for line in lines]


def unseen_on(name: str, *, seconds: float) -> list[str]:
    """Return the attacks whose effect nobody sees on a machine although what stops it was taken away."""
    return _run(name, "unseen", seconds=seconds)


def _run(name: str, order: str, *chosen: str, seconds: float) -> list[str]:
    arguments = ("-m", __name__, name, order, *chosen)
    if MACHINES[name].is_root:
        command = [sys.executable, "-B", *arguments]
        done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=seconds)
    else:
        done = run_as_ordinary_account(*arguments, seconds=seconds)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def main() -> None:
    name, order, *chosen = sys.argv[1:]
    machine = MACHINES[name]
    assert machine.is_root == (os.geteuid() == 0)
    if machine.put_on is not None:
        machine.put_on()
    if order == "unseen":
        for attack in removable():
            if attack.effect not in aftermath_without(attack.stopped_by, attack).happened:
                print(attack.name)
        return
    print(find_rung().rung.value)
    arena = Arena(functools.partial(begin_nursery, rung=machine.rung))
    try:
        for attack in attacks():
            if attack.name in chosen:
                before = arena.at_rest()
                aftermath = arena.perform(attack)
                if arena.at_rest() != before:
                    aftermath.happened["left open"] = str(before)
                is_as_expected = not aftermath.happened and aftermath.ends in expected_ends(attack, machine.rung)
                report = Report(attack.name, attack.group, aftermath.ends, aftermath.happened, is_as_expected)
                print(json.dumps(dataclasses.asdict(report)))
    finally:
        arena.close()


if __name__ == "__main__":
    main()
