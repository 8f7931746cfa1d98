"""What the tables of reported cases name exists: a test that was renamed would leave a hole that nobody sees."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
TABLES = {
    path: table
    for path in sorted(TESTS.rglob("test_*.py"))
    if "| case |" in (table := ast.get_docstring(ast.parse(path.read_text())) or "")
}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_everything_that_a_table_names_exists(path: Path):
    """A name is a file, a function of one after `::` or `: `, or a function of the file named last, or of its own."""
    named = re.findall(r"`([^`]+)`", TABLES[path])
    file, missing = path, []
    for name in named:
        if found := re.search(r"[\w/.-]+\.(py|yaml)", name):
            file = next((place for base in (TESTS.parent, path.parent) if (place := base / found[0]).exists()), path)
            if file == path:
                missing.append(name)
        elif name.startswith("test_"):
            file = path
        function = re.search(r"\w+$", name)
        if function and not name.endswith((".py", ".yaml")) and "/" not in name.rpartition(":")[2]:
            missing += [name] * (f"def {function[0]}(" not in file.read_text())

    assert len(named) > 5
    assert missing == []
