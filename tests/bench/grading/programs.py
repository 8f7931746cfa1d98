"""Programs to be judged, each unlike every other and with the verdict that it must get; and hostile ones."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path

from grader.verdicts import Outcome

EXERCISES = ("softmax", "attention", "causal-attention")  # the first three
# Found from the code alone; the others may depend on how busy the machine is.
OUTCOMES = (Outcome.RIGHT, Outcome.FRAGILE, Outcome.WRONG, Outcome.ERROR)

_FOLDER = Path(__file__).parents[2] / "submissions"

# Sent as answers to `attention`, with what each must get.
HOSTILE = {
    "fork": ("import os\ndef attention(queries, keys, values):\n    while True:\n        os.fork()\n", Outcome.ERROR),
    "threads": (
        "import threading, time\ndef attention(queries, keys, values):\n    while True:\n"
        "        threading.Thread(target=time.sleep, args=(60,)).start()\n",
        Outcome.ERROR,
    ),
    "memory": ("def attention(queries, keys, values):\n    return bytearray(1 << 40)\n", Outcome.MEMORY),
    "time": ("def attention(queries, keys, values):\n    while True:\n        pass\n", Outcome.TIME),
    "output": (
        "def attention(queries, keys, values):\n    while True:\n        print('x' * 4096)\n",
        Outcome.OUTPUT,
    ),
    "exit": ("import os\nos._exit(0)\n", Outcome.ERROR),
    "kill": ("import os\nos.kill(-1, 9)\n", Outcome.ERROR),
    "forge": ("import os\nos.write(4, b'CWm1' + bytes(200))\n", Outcome.ERROR),
    "disk": ("open('/tmp/full', 'wb').write(bytes(1 << 26))\n", Outcome.ERROR),
    "crash": ("import ctypes\nctypes.string_at(0)\n", Outcome.ERROR),
    "shared memory": ("open('/dev/shm/left', 'wb').write(bytes(1 << 20))\n", Outcome.ERROR),
    "connect": ("import socket\nsocket.create_connection(('127.0.0.1', 5432))\n", Outcome.ERROR),
}


@dataclass(frozen=True)
class Program:
    """A source for an exercise, and the verdict that it must get."""

    exercise: str
    source: str
    outcome: Outcome


def programs(exercise: str, *, first: int = 0) -> Iterator[Program]:
    """Return programs without end, right and wrong ones in turn: no two numbers have one source."""
    every = _known(exercise)
    right = [each for each in every if each.outcome is Outcome.RIGHT]
    others = [each for each in every if each.outcome is not Outcome.RIGHT]
    for number in count(first):
        group = others if number % 2 else right
        known = group[number // 2 % len(group)]
        yield Program(exercise, _unlike(known.source, number), known.outcome)


def hostile() -> Iterator[Program]:
    """Return hostile programs without end, one of each kind in turn."""
    for number in count():
        source, outcome = list(HOSTILE.values())[number % len(HOSTILE)]
        yield Program("attention", f"# Try {number}.\n{source}", outcome)


@lru_cache
def _known(exercise: str) -> tuple[Program, ...]:
    """Return the programs of the tests that state a verdict of this kind and can be parsed."""
    found = []
    for path in sorted((_FOLDER / exercise).glob("*.py")):
        source = path.read_text()
        stated = re.search(r"^# outcome: (\w+)$", source, re.MULTILINE)
        assert stated is not None, path
        if (outcome := Outcome(stated[1])) in OUTCOMES:
            with suppress(SyntaxError):
                ast.parse(source)  # what is no Python, such as a notebook's own commands, has no names to change
                found.append(Program(exercise, source, outcome))
    return tuple(found)


def _unlike(source: str, number: int) -> str:
    """Return a program that does the same in other words: another comment, constant and names of local variables."""
    tree = ast.parse(source)
    local = _local_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in local:
            node.id = f"{node.id}_{number}"
    return f"# Try {number}.\nTRY = {number}\n{ast.unparse(tree)}\n"


def _local_names(tree: ast.Module) -> set[str]:
    """Return the names that are only ever variables of functions: no parameters, and nothing the module defines."""
    stored: set[str] = set()
    others: set[str] = set()
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        stored |= {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        others |= {function.name, *(each.arg for each in ast.walk(function) if isinstance(each, ast.arg))}
    for statement in tree.body:
        if not isinstance(statement, ast.FunctionDef):
            others |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Global | ast.Nonlocal):
            others |= set(node.names)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            others |= {(each.asname or each.name).partition(".")[0] for each in node.names}
    return stored - others
