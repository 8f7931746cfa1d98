"""What `./run audit` makes of a report, and that it says so where nobody can be asked."""

import json

import pytest

from tests.audit import NOT_ASKED, VULNERABLE, WELL, conclude

_SOUND = {"name": "django", "version": "5.2.19", "vulns": []}
_UNKNOWN = {"name": "torch", "skip_reason": "Dependency not found on PyPI and could not be audited: torch (2.13.0+cpu)"}
_KNOWN = {
    "name": "gunicorn",
    "version": "20.0.4",
    "vulns": [{"id": "PYSEC-2024-1", "fix_versions": ["22.0.0"], "aliases": [], "description": "…"}],
}


def _report(*packages: dict) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


def test_sound_packages_pass_and_those_that_nobody_knows_are_named():
    assert conclude(_report(_SOUND, _UNKNOWN), "") == (
        WELL,
        ["Not known to the service: torch.", "Nothing is known against the other 1 packages."],
    )


def test_vulnerable_package_is_named_with_what_mends_it():
    assert conclude(_report(_SOUND, _KNOWN), "Found 1 known vulnerability") == (
        VULNERABLE,
        ["gunicorn 20.0.4: PYSEC-2024-1, mended in 22.0.0"],
    )


@pytest.mark.parametrize("packages", [(), (_UNKNOWN, _UNKNOWN)])
def test_service_that_knows_no_package_gave_no_all_clear(packages):
    assert conclude(_report(*packages), "")[0] == NOT_ASKED


@pytest.mark.parametrize("report", ["", "null", "[]", "{}"])
def test_report_that_was_never_written_is_no_all_clear(report):
    status, (line,) = conclude(report, "warning\nConnectionError: no route\n")

    assert status == NOT_ASKED
    assert line == "The advisory service could not be asked: ConnectionError: no route"
