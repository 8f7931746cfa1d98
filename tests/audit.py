"""Asks an advisory service about every installed package: `./run audit`. The one command here that needs the network.

Ends with 0 if nothing is known against them, 1 if something is, 3 if nobody could be asked.
"""

import json
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Beside the packages that it looks at, so that its own dependencies are never among them.
TOOLS = Path(sys.prefix) / "audit"
WELL, VULNERABLE, NOT_ASKED = 0, 1, 3


def conclude(report: str, errors: str) -> tuple[int, list[str]]:
    """Return the status and what to say for pip-audit's JSON report, which is empty where it could not ask."""
    try:
        packages = json.loads(report)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = (errors.strip() or "it gave no reason").splitlines()[-1]
        return NOT_ASKED, [f"The advisory service could not be asked: {last}"]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    if len(unknown) == len(packages):  # as behind a mirror that serves files and no advisories
        return NOT_ASKED, [f"The advisory service answered about none of {len(packages)} packages."]
    lines = []
    for package in packages:
        for known in package.get("vulns", ()):
            mended = ", ".join(known["fix_versions"]) or "no release yet"
            lines.append(f"{package['name']} {package['version']}: {known['id']}, mended in {mended}")
    status = VULNERABLE if lines else WELL
    if unknown:
        lines.append(f"Not known to the service: {', '.join(unknown)}.")
    if status == WELL:
        lines.append(f"Nothing is known against the other {len(packages) - len(unknown)} packages.")
    return status, lines


def main() -> int:
    """Install what asks, ask, and say what came of it."""
    python = TOOLS / "bin" / "python"
    if not python.exists():
        venv.create(TOOLS, with_pip=True)
    quiet = ("-qq", "--disable-pip-version-check", "--no-input", "--progress-bar", "off")
    install = [python, "-m", "pip", "install", *quiet, "-r", ROOT / "requirements" / "audit.txt"]
    installed = subprocess.run(install, capture_output=True, text=True, check=False)
    if installed.returncode:
        print(f"pip-audit could not be installed: {installed.stderr.strip().splitlines()[-1]}")
        return NOT_ASKED
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        options = ["--path", sysconfig.get_path("purelib"), "--progress-spinner", "off", "--timeout", "20"]
        asked = subprocess.run(
            [python, "-m", "pip_audit", *options, "--format", "json", "--output", file.name],
            capture_output=True,
            text=True,
            check=False,
        )
        status, lines = conclude(Path(file.name).read_text(), asked.stderr)
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
