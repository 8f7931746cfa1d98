"""The host side of the sandbox runs on the standard library alone; the guest on nothing of ours."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import grader.sandbox
from grader.sandbox import bubblewrap

FOLDER = Path(grader.sandbox.__file__).parent
HOST_MODULES = sorted(path for path in FOLDER.glob("*.py") if path.stem != "__init__")
INSIDE = sorted(path for path in (FOLDER / "inside").glob("*.py") if path.stem != "__init__")


def imported_by(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            names.add(node.module)
    return names


@pytest.mark.parametrize("path", HOST_MODULES, ids=lambda path: path.stem)
def test_host_module_imports_only_the_standard_library_and_the_sandbox(path):
    foreign = {
        name
        for name in imported_by(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and name != "grader.sandbox"
        and not name.startswith("grader.sandbox.")
        and name != "grader.log_lines"  # which itself knows the standard library only
    }

    assert not foreign
    assert not any(name.startswith("grader.sandbox.inside") for name in imported_by(path))


@pytest.mark.parametrize("path", INSIDE, ids=lambda path: path.stem)
def test_what_runs_inside_imports_only_what_is_shown_there(path):
    shown = {program.removesuffix(".py").replace("/", ".") for program in bubblewrap.PROGRAMS} | {"numpy", "torch"}

    assert str(path.relative_to(bubblewrap.PROJECT)) in bubblewrap.PROGRAMS
    foreign = {name for name in imported_by(path) if name.split(".")[0] not in sys.stdlib_module_names}
    assert foreign - {"grader.sandbox.inside"} <= shown
    assert {name.split(".")[0] for name in imported_by(FOLDER / "wire.py")} <= sys.stdlib_module_names


def test_nothing_of_the_sandbox_pickles():
    for path in FOLDER.rglob("*.py"):
        assert not imported_by(path) & {"pickle", "marshal", "shelve"}, path.name


def test_importing_the_sandbox_loads_neither_django_nor_numpy():
    program = (
        "import sys, grader.sandbox.probe\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules} & {'django', 'celery', 'numpy', 'torch', 'yaml'}))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=FOLDER.parents[1], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == ""
