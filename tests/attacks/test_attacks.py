"""Hostile programs, run for real: nothing that any of them wants happens, whatever verdict it earns.

`index.yaml` lists them, `arena.py` looks for the effects.
"""

from collections.abc import Collection

import pytest

from grader.sandbox.rungs import Rung
from tests.attacks.ablations import LAYERS
from tests.attacks.arena import Arena
from tests.attacks.catalogue import Attack, attacks, index, programs
from tests.attacks.machines import expected_ends, representatives, tried_on
from tests.sandbox.guests import need_sandbox

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
    assert aftermath.ends in expected_ends(attack, request.node.callspec.params["arena"])
    assert arena.at_rest() == before


@pytest.mark.parametrize(
    ("name", "chosen", "found"),
    [
        ("account, bubblewrap", attacks(), Rung.BUBBLEWRAP),
        # What differs on these is what a class of attacks meets first; `./run bench attacks` tries all on each.
        ("account, Landlock", representatives(), Rung.BUBBLEWRAP),
        ("our container", representatives(), Rung.BUBBLEWRAP),
        ("Docker's profile", representatives(), Rung.LANDLOCK),
    ],
)
def test_other_machines_contain_them_too(name: str, chosen: Collection[Attack], found: Rung):
    need_sandbox()

    rung, reports = tried_on(name, chosen, seconds=170)

    assert [report for report in reports if not report.is_as_expected] == []
    assert [report.attack for report in reports] == [attack.name for attack in chosen]
    assert rung is found
