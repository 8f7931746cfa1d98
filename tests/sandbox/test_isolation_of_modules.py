"""The host side of the sandbox runs on the standard library alone; the guest on nothing of ours."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import grader.sandbox

FOLDER = Path(grader.sandbox.__file__).parent
HOST_MODULES = sorted(path for path in FOLDER.glob("*.py") if path.stem not in ("__init__", "guest"))


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
    }

    assert not foreign
    assert "grader.sandbox.guest" not in imported_by(path)


def test_guest_imports_nothing_of_ours():
    assert imported_by(FOLDER / "guest.py") - sys.stdlib_module_names == {"numpy", "torch"}


def test_nothing_of_the_sandbox_pickles():
    for path in FOLDER.glob("*.py"):
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
