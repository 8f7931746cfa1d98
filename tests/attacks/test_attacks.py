"""Hostile programs, run for real: nothing that any of them wants happens, whatever verdict it earns.

`index.yaml` lists them, `arena.py` looks for the effects.
"""

import pytest

from grader.sandbox.rungs import Rung
from tests.attacks.ablations import LAYERS
from tests.attacks.arena import Arena
from tests.attacks.catalogue import Attack, attacks, index, programs
from tests.sandbox.guests import need_sandbox, run_as_ordinary_account

pytestmark = pytest.mark.sandbox

CLASSES = {
    *("processes", "memory", "disk", "output", "time", "files_read", "files_written", "network", "signals"),
    *("system_calls", "frames", "objects", "persistence", "results"),
}


def test_every_program_is_in_the_index():
    listed = {group: set(entries) for group, entries in index()["attacks"].items()}

    assert listed == {group: programs(group) for group in CLASSES}
    assert all(len(names) >= 5 for names in listed.values())
    assert sum(map(len, listed.values())) >= 70


def test_every_known_cheat_is_tried_here_or_answered_elsewhere():
    tried = {cheat for attack in attacks() for cheat in attack.cheats}

    assert tried | set(index()["answered_elsewhere"]) == set(range(1, 31))
    assert not tried & set(index()["answered_elsewhere"])


def test_what_stops_an_attack_has_an_ablation_or_a_reason():
    named = {layer for attack in attacks() for layer in attack.stopped_by}

    assert named == LAYERS.keys() | set(index()["structure"])


@pytest.mark.parametrize("attack", attacks(), ids=lambda attack: attack.name)
def test_contained(arena: Arena, attack: Attack, request: pytest.FixtureRequest):
    before = arena.at_rest()

    aftermath = arena.perform(attack)

    assert aftermath.happened == {}
    # Without namespaces there is neither a scratch folder nor /proc, which some programs stumble over.
    stumbles = ["raised"] if request.node.callspec.params["arena"] is Rung.LANDLOCK else []
    assert aftermath.ends in [attack.ends, *stumbles]
    assert arena.at_rest() == before


def test_an_ordinary_account_contains_them_too():
    need_sandbox()

    done = run_as_ordinary_account("-m", "tests.attacks.arena", seconds=170)

    assert done.stdout == f"tried {len(attacks())}\n", done.stderr
