"""Every layer matters: with those that stop an attack taken away it succeeds, and each of them alone is enough."""

import pytest

from tests.attacks.ablations import LAYERS, begin_without, limits_without
from tests.attacks.arena import Aftermath, Arena
from tests.attacks.catalogue import Attack, attacks
from tests.sandbox.guests import need_sandbox

pytestmark = pytest.mark.sandbox


def representatives() -> list[Attack]:
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


@pytest.mark.parametrize("attack", representatives(), ids=lambda attack: attack.name)
def test_succeeds_without_what_stops_it(attack: Attack):
    need_sandbox()

    assert attack.effect in aftermath_without(attack.stopped_by, attack).happened


@pytest.mark.parametrize(
    ("attack", "alone"),
    [(attack, layer) for attack in representatives() if len(attack.stopped_by) > 1 for layer in attack.stopped_by],
    ids=lambda value: getattr(value, "name", value),
)
def test_each_of_several_layers_is_enough(attack: Attack, alone: str):
    need_sandbox()
    others = tuple(layer for layer in attack.stopped_by if layer != alone)

    assert attack.effect not in aftermath_without(others, attack).happened
