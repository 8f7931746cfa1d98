"""`./run` itself, as far as it goes without installing anything."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65_534


@pytest.fixture
def clone() -> Iterator[Path]:
    """Yield a folder with what `./run` reads, open to other accounts, unlike pytest's own temporary folders."""
    folder = Path(tempfile.mkdtemp(prefix="courseware-clone-"))
    folder.chmod(0o755)
    for name in ("run", "constraints.txt", ".env.example"):
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "requirements", folder / "requirements")
    yield folder
    shutil.rmtree(folder)


def _run(
    folder: Path, *words: str, account: int | None = None, **environment: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", str(folder / "run"), *words],
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        user=account,
    )


def _tools_without(folder: Path, *missing: str) -> str:
    """Return a PATH on which everything of this machine is found but a few programs."""
    tools = folder / "tools"
    tools.mkdir()
    for source in (Path("/usr/sbin"), Path("/usr/bin")):
        for program in source.iterdir():
            if program.name not in missing and not (tools / program.name).is_symlink():
                (tools / program.name).symlink_to(program)
    return str(tools)


def test_help_names_every_command(clone):
    outcome = _run(clone, "help")

    assert outcome.returncode == 0
    for word in ("./run ", "./run test", "./run check", "./run bench NAME", "./run audit", ".env"):
        assert word in outcome.stdout


@pytest.mark.parametrize("words", [("serve",), ("bench", "nothing")])
def test_what_does_not_exist_is_refused_with_what_does(clone, words):
    outcome = _run(clone, *words)

    assert outcome.returncode == 1
    assert outcome.stderr.strip()


def test_interpreter_that_cannot_make_environments_is_refused_by_name(clone):
    outcome = _run(clone, "check", PYTHON="/bin/false")

    assert outcome.returncode == 1
    assert "PYTHON must name a Python of 3.11 or newer with venv, not /bin/false." in outcome.stderr


def test_interpreter_is_read_from_dotenv(clone):
    (clone / ".env").write_text('PYTHON="/from/dotenv"\n')

    assert "not /from/dotenv." in _run(clone, "check").stderr


def test_environment_wins_over_dotenv(clone):
    (clone / ".env").write_text("PYTHON=/from/dotenv\n")

    assert "not /from/environment." in _run(clone, "check", PYTHON="/from/environment").stderr


def test_environment_is_made_from_an_interpreter_outside_home_directories(clone):
    """The account of a sandbox cannot enter a home, so an interpreter there would stop every submission."""
    home = clone / "home" / "bin"
    home.mkdir(parents=True)
    (home / "python3").symlink_to(sys.executable)

    outcome = _run(
        clone,
        "check",
        PATH=f"{home}:{os.environ['PATH']}",
        HOME=str(clone / "home"),
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS="",
    )

    first = outcome.stdout.splitlines()[0]
    assert first.startswith("Making .venv with /usr/"), outcome.stdout + outcome.stderr
    assert (clone / ".venv" / "bin" / "python").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become somebody who may not install")
def test_without_rights_the_line_that_installs_is_printed_and_the_start_goes_on(clone):
    tools = _tools_without(clone, "bwrap")

    outcome = _run(clone, account=NOBODY, PATH=tools, PYTHON="/bin/false")

    assert "sudo apt-get install -y --no-install-recommends bubblewrap" in outcome.stdout
    assert "submissions wait" in outcome.stdout
    assert "PYTHON must name" in outcome.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to open and close a folder to others")
def test_closed_folder_is_named_before_anybody_submits(clone):
    shutil.copy(ROOT / "manage.py", clone / "manage.py")
    clone.chmod(0o700)

    outcome = _run(clone, "check", PIP_NO_INDEX="1", PIP_FIND_LINKS="")

    assert f"Other accounts cannot execute {clone}/.venv/bin/python" in outcome.stdout


@pytest.fixture
def installed(clone) -> Path:
    """Return a clone in which the site's requirements count as installed, and `manage.py` says how it is called."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    (clone / ".venv" / "made").touch()
    (clone / "manage.py").write_text("import sys; print('called with', *sys.argv[1:])\n")
    _count_as_installed(clone, "site")
    return clone


def _count_as_installed(clone: Path, part: str) -> None:
    files = [clone / "requirements" / f"{part}.txt", clone / "constraints.txt"]
    content = b"".join(file.read_bytes() for file in files)
    stamp = subprocess.run(["cksum"], input=content, capture_output=True, check=True).stdout
    (clone / ".venv" / f"installed-{part}").write_bytes(stamp)


def test_site_starts_while_the_requirements_of_the_judge_are_still_missing(installed):
    assert "called with up --install judge torch" in _run(installed).stdout


def test_pytorch_is_left_out_on_demand(installed):
    assert _run(installed, TORCH="none").stdout.endswith("called with up --install judge\n")


def test_second_start_installs_nothing(installed):
    for part in ("judge", "torch"):
        _count_as_installed(installed, part)

    assert _run(installed).stdout.endswith("called with up\n")


def test_changed_requirement_is_installed_before_the_site_starts(installed):
    with (installed / "requirements" / "site.txt").open("a") as file:
        file.write("six\n")

    outcome = _run(installed)

    assert "Installing the site's requirements" in outcome.stdout
    assert "called with" not in outcome.stdout
    assert outcome.returncode == 1  # this clone has no pip: what matters is that it was asked
