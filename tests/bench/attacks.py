"""Which hostile programs are contained on which machine: every attack, by class, on each machine that can be had here.

    ./run bench attacks [MACHINE ...]

A machine is an account that starts the judge, a profile of system calls if it is a container, and a rung; those started
as root need it. It ends with 1 where an attack had an effect, ended otherwise than its index says, or left anything.
Where bubblewrap shuts guests in, some are then tried without what stops them: an effect that is not seen there would
not have been seen above either.
"""

import os
import sys
from collections import Counter

from grader.sandbox.rungs import Rung
from tests.attacks.ablations import removable
from tests.attacks.catalogue import attacks, index
from tests.attacks.machines import MACHINES, Report, tried_on, unseen_on
from tests.sandbox.guests import why_no_sandbox

PATIENCE_SECONDS = 900  # for all attacks on one machine, which takes half a minute of an idle core


def main() -> int:
    if missing := why_no_sandbox():
        print(missing)
        return 1
    chosen = sys.argv[1:] or [name for name, machine in MACHINES.items() if os.geteuid() == 0 or not machine.is_root]
    tried: dict[str, list[Report]] = {}
    faults: list[str] = []
    for name in chosen:
        found, tried[name] = tried_on(name, attacks(), seconds=PATIENCE_SECONDS)
        faults += [f"{name}: {report}" for report in tried[name] if not report.is_as_expected]
        print(f"{name}: a judge finds {found.value}, tried on {MACHINES[name].rung.value}", flush=True)
    print(f"\n{'blocked/escaped':16}" + "".join(f"{name:>21}" for name in chosen))
    for group in index()["attacks"]:
        print(f"{group.replace('_', ' '):16}" + "".join(f"{_cell(tried[name], group):>21}" for name in chosen))
    print(f"{'all':16}" + "".join(f"{_cell(tried[name]):>21}" for name in chosen))
    for name in (name for name in chosen if MACHINES[name].rung is Rung.BUBBLEWRAP):
        unseen = unseen_on(name, seconds=PATIENCE_SECONDS)
        print(
            f"{name}: {len(removable()) - len(unseen)} of {len(removable())} seen without what stops them", flush=True
        )
        faults += [f"{name}: nobody sees {attack}" for attack in unseen]
    print(f"\nload average {os.getloadavg()[0]:.1f}")
    print("\n".join(faults) or "No attack had any effect, and nothing was left of any.")
    return 1 if faults else 0


def _cell(reports: list[Report], group: str = "") -> str:
    blocked = Counter(report.is_as_expected for report in reports if group in ("", report.group))
    return f"{blocked[True]}/{blocked[False]}"


if __name__ == "__main__":
    sys.exit(main())
