"""Every layer matters: with those that stop an attack taken away it succeeds, and each of them alone is enough."""

import pytest

from tests.attacks.ablations import aftermath_without, removable
from tests.attacks.catalogue import Attack
from tests.sandbox.guests import need_sandbox

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize("attack", removable(), ids=lambda attack: attack.name)
def test_succeeds_without_what_stops_it(attack: Attack):
    need_sandbox()

    assert attack.effect in aftermath_without(attack.stopped_by, attack).happened


@pytest.mark.parametrize(
    ("attack", "alone"),
    [(attack, layer) for attack in removable() if len(attack.stopped_by) > 1 for layer in attack.stopped_by],
    ids=lambda value: getattr(value, "name", value),
)
def test_each_of_several_layers_is_enough(attack: Attack, alone: str):
    need_sandbox()
    others = tuple(layer for layer in attack.stopped_by if layer != alone)

    assert attack.effect not in aftermath_without(others, attack).happened
