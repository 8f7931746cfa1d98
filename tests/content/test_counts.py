"""`manage.py content_counts` counts what the files hold."""

import re
from io import StringIO

import yaml
from django.core.management import call_command

from tests.content.reading import MODULE


def counted() -> str:
    out = StringIO()
    call_command("content_counts", stdout=out)
    return out.getvalue()


def test_the_counts_are_those_of_the_files():
    banks = [yaml.safe_load(file.read_text(encoding="utf-8")) for file in MODULE.glob("concepts/*/bank.yaml")]
    beliefs = [
        yaml.safe_load(file.read_text(encoding="utf-8")) for file in MODULE.glob("concepts/*/misconceptions.yaml")
    ]
    questions = [question for bank in banks for question in bank["questions"]]
    text = counted()

    totals = {
        name: int(number.replace(",", "")) for number, name in re.findall(r"^ *([\d,]+) (\D+)$", text, re.MULTILINE)
    }
    assert totals["questions"] == len(questions)
    assert totals["self-checks"] == len(banks)
    assert totals["misconceptions"] == sum(len(file["misconceptions"]) for file in beliefs)
    kinds = {
        line.split()[0]: tuple(map(int, line.split()[1:]))
        for line in text.splitlines()
        if re.match(r"[a-z-]+  +\d+  +\d+$", line)
    }
    assert kinds == {
        kind: tuple(
            sum(each["kind"] == kind and each["pool"] == pool for each in questions) for pool in ("test", "practice")
        )
        for kind in {each["kind"] for each in questions}
    }


def test_every_concept_has_its_row():
    rows = [line for line in counted().splitlines() if re.match(r" ?\d+ [a-z]", line)]

    assert len(rows) == 19
