"""Every output that a code-out question offers is what its program prints, or prints after the change that it names.

All programs of the course run in one process of their own, since starting NumPy takes longer than running them.
"""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

COURSE = Path(__file__).parents[2] / "courseware/content"
SECONDS = 60  # for a start of NumPy on a loaded machine; the programs themselves take milliseconds

RUN_ALL = """
import contextlib, io, json, sys

def printed(program):
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(program, "<question>", "exec"), {"__name__": "question"})
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return output.getvalue()

json.dump([printed(program) for program in json.load(sys.stdin)], sys.stdout)
"""


def questions() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(COURSE.glob("*/concepts/*/bank.yaml")):
        for question in yaml.safe_load(path.read_text(encoding="utf-8"))["questions"]:
            if question["kind"] == "code-out":
                yield f"{path.parent.name}/{question['id']}", question


def outputs_of(programs: Sequence[str]) -> list[str]:
    """Return what each program prints, or the exception that it ends with."""
    done = subprocess.run(
        [sys.executable, "-I", "-W", "ignore", "-c", RUN_ALL],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return list(json.loads(done.stdout))


def program_of(question: dict[str, Any], option: dict[str, Any]) -> str:
    program = str(question["code"])
    if "change" not in option:
        return program
    assert program.count(option["change"]["from"]) == 1
    return program.replace(option["change"]["from"], option["change"]["to"])


def differences(asked: Sequence[tuple[str, dict[str, Any]]]) -> list[str]:
    """Return each option that says other than what its program prints."""
    offered = [(name, question, option) for name, question in asked for option in question["options"]]
    found = outputs_of([program_of(question, option) for _, question, option in offered])
    return [
        f"{name}, {option['id']}: says {str(option['output']).rstrip()!r}, prints {output.rstrip()!r}"
        for (name, _, option), output in zip(offered, found, strict=True)
        if str(option["output"]).rstrip() != output.rstrip()
    ]


EXAMPLE = {
    "code": "import numpy as np\nw = np.array([[1.0, 2.0], [3.0, 4.0]])\nprint(w / w.sum(axis=1, keepdims=True))\n",
    "options": [
        {"id": "rows", "right": True, "output": "[[0.33333333 0.66666667]\n [0.42857143 0.57142857]]\n"},
        {
            "id": "columns",
            "output": "[[0.25       0.33333333]\n [0.75       0.66666667]]\n",
            "change": {"from": "axis=1", "to": "axis=0"},
        },
    ],
}


def test_every_offered_output_is_printed_by_the_program_or_by_its_change() -> None:
    assert differences(list(questions())) == []


@pytest.mark.parametrize(
    "tamper",
    [
        lambda question: question["options"][0].update(output="[[0.33333333 0.66666667]\n[0.42857143 0.57142857]]"),
        lambda question: question["options"][1].update(output="[[0.25 0.33333333]\n [0.75 0.66666667]]"),
        lambda question: question["options"][1]["change"].update(to="axis=2"),
        lambda question: question.update(code=question["code"].replace("4.0", "5.0")),
    ],
)
def test_an_output_that_is_not_printed_is_found(tamper: Any) -> None:
    question = copy.deepcopy(EXAMPLE)
    assert differences([("example", question)]) == []

    tamper(question)

    assert differences([("example", question)]) != []
