"""The judge's image holds what its stage of the Dockerfile copies. The same files in a folder must judge, and must hold
nothing that the judge may not know."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.guests import need_sandbox

ROOT = Path(__file__).parents[2]


def stage(name: str) -> list[str]:
    """Return the lines of one stage of the Dockerfile."""
    stages = re.split(r"^FROM \S+ AS ", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    return next(text for text in stages if text.startswith(f"{name}\n")).splitlines()


def copy(lines: list[str], source: Path, target: Path) -> None:
    for line in lines:
        if line.startswith("COPY ") and "--from" not in line:
            *origins, destination = line.split()[1:]
            for origin in origins:
                place = target / destination
                if (source / origin).is_dir():
                    shutil.copytree(source / origin, place, dirs_exist_ok=True)
                else:
                    place.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source / origin, place)


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> Path:
    """The judge's files, as its image would hold them."""
    folder = tmp_path_factory.mktemp("judge-image")
    folder.chmod(0o755)
    copy(stage("exercises"), ROOT, folder)
    (strip,) = (line.removeprefix("RUN ") for line in stage("exercises") if line.startswith("RUN find"))
    subprocess.run(["sh", "-c", strip], cwd=folder, check=True)
    copy([line for line in stage("judge") if "content/" not in line], ROOT, folder)
    return folder


def test_image_holds_exercises_and_no_card_bank_or_site(image):
    names = {path.name for path in image.rglob("*") if path.is_file()}

    assert "exercise.yaml" in names
    assert not names & {"card.md", "bank.yaml", "misconceptions.yaml", "blueprint.yaml", "manage.py"}
    assert {path.name for path in (image / "courseware").iterdir()} - {"__pycache__"} == {"__init__.py", "concepts"}
    assert not (image / "quizzes").exists()


@pytest.mark.sandbox
def test_image_judges_a_submission(image):
    need_sandbox()
    (exercise,) = image.glob("content/*/concepts/*/attention")

    result = subprocess.run(
        [
            sys.executable,
            "-P",
            "-m",
            "grader.judge",
            str(exercise),
            str(ROOT / "tests/submissions/attention/right_einsum.py"),
        ],
        cwd=image,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(image), "COURSE_PATH": str(image / "content")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stdout + result.stderr
    assert "All 10 checks hold" in result.stdout
