"""The short programs that questions are about: what they may hold, and how a page shows them.

Nothing here runs a program. Pure.
"""

import ast

from courseware.concepts.code import highlighted
from courseware.concepts.sources import Fields
from quizzes.questions import Figure

MOST_LINES = 10  # more is not held in mind while options are weighed
MOST_COLUMNS = 72  # the width of a text column in the typeface of code


def parse_program(fields: Fields, name: str) -> str:
    """Return the program under a key with its indentation, faults reported; "" where there is none."""
    if not fields.text(name):
        return ""
    program = str(fields.plain(name)).rstrip()
    check_program(fields, name, program)
    return program


def check_program(fields: Fields, name: str, program: str) -> None:
    """Report what a learner could not read, and what is more than NumPy and a few lines."""
    lines = program.split("\n")
    if len(lines) > MOST_LINES:
        fields.fault(name, f"has {len(lines)} lines; a program in a question has at most {MOST_LINES}")
    widest = max(map(len, lines))
    if widest > MOST_COLUMNS:
        fields.fault(name, f"has a line of {widest} characters; at most {MOST_COLUMNS} stand in the text column")
    if not all(line.isascii() and line.isprintable() and "`" not in line for line in lines):
        fields.fault(name, "holds a tab, a backtick or a character beyond ASCII; write plain code")
    try:
        tree = ast.parse(program)
    except (SyntaxError, ValueError) as error:
        fields.fault(name, f"is not Python: {error}")
        return
    for node in ast.walk(tree):
        modules = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) or any(module != "numpy" for module in modules):
            fields.fault(name, "imports something other than `import numpy as np`")


def listing(program: str) -> Figure:
    """Return a program with the numbers of its lines, which go on below where a phone is narrower than they are."""
    return Figure("quizzes/_listing.html", tuple(highlighted(line, "python") for line in program.split("\n")))


def span(code: str) -> str:
    """Return a piece of a program as inline Markdown."""
    return f"`{code.strip()}`"
