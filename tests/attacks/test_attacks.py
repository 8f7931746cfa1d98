"""Hostile programs, run for real: nothing that any of them wants happens, whatever verdict it earns.

`index.yaml` lists them, `arena.py` looks for the effects. What learners of other systems did to graders, and what tries
it here; a word after `programs/` is a program, those of `tests/submissions` are judged by
`tests/judge/test_submissions.py`:

| case | what went wrong elsewhere | tried by |
|---|---|---|
| B46 a subclass that equals everything | passed | `programs/objects.py: array_subclass`, `equal_to_everything`; `tests/submissions/causal-attention/wrong_equal_to_everything.py` |
| B46 an array that is made when it is asked for | passed | `programs/objects.py: equal_to_everything`, `array_with_a_lying_type`; no reference and no file of results is inside: `references_in_memory`, `programs/files_read.py: files_of_the_server` |
| B47 functions that could compare, replaced | passed | `programs/objects.py: patched_comparisons`, `patched_guest`, `patched_json`, `background_patching`; `tests/submissions/causal-attention/wrong_patched_torch.py` |
| B47 a library broken by accident | a right program failed, and the next one | `tests/submissions/attention/right_renames_by_accident.py`; `programs/persistence.py: patched_library` |
| B47 leaving early with success | passed | `programs/frames.py: leaves_with_success`, `leaves_politely`, `answers_and_leaves`; `programs/objects.py: exits_as_exceptions`; `tests/submissions/attention/error_leaves.py`, `tests/submissions/attention/error_raises_system_exit.py` |
| B47 a file of results, a forged line | passed | `programs/frames.py: says_it_passed`, `message_of_the_judge`; `programs/files_written.py: everywhere` |
| B47 tests read through frames and /proc | keys read | `programs/objects.py: references_in_memory`, `key_in_memory`; `programs/files_read.py: memory_of_others` |
| B48 parsed or imported outside the sandbox | code run by the server | `programs/objects.py: attack_while_loading`; `tests/grader_site/test_submitting.py::test_no_program_is_parsed_before_it_is_shut_in`, `tests/judge/test_resource_verdicts.py::test_python_names_the_learners_own_line`, `…::test_a_right_program_is_right_in_every_form_of_editors` |
| B48 links followed when output is collected | files of the server read and written | `programs/files_written.py: planted_link`, `programs/files_read.py: secret_by_a_link`; nothing is collected but bytes of a pipe |
"""  # noqa: E501

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
