"""An XLSX file as a sheet, read by a child process with caps on time and memory."""

import json
import os
import subprocess
import sys
from pathlib import Path

from courseware.results.sheets import LARGEST_FILE, Sheet, Unreadable, read_sheet

_PROGRAM = Path(__file__).with_name("read_xlsx.py")
_SECONDS = 20  # by the clock; its own limit is on processor time, and the machine may be busy
_REFUSAL = "The workbook cannot be read within its limits. Save its first sheet as CSV and upload that."


def read_roster(content: bytes) -> Sheet:
    """Return the cells of a CSV, a tab-separated text or a workbook.

    Errors:  Unreadable
    """
    return read_workbook(content) if content.startswith(b"PK\x03\x04") else read_sheet(content)


def read_workbook(content: bytes) -> Sheet:
    """Return the cells of a workbook's first sheet.

    Errors:  Unreadable
    """
    if len(content) > LARGEST_FILE:
        raise Unreadable(f"The file is larger than {LARGEST_FILE // 1000} kB. A roster of a cohort is not.")
    # One thread: each of the arithmetic library's own would take addresses that the limit counts.
    environment = {"PATH": os.environ.get("PATH", ""), "OPENBLAS_NUM_THREADS": "1", "LANG": "C.UTF-8"}
    try:
        finished = subprocess.run(  # noqa: S603  (our own program, by our own interpreter; the file is its input)
            [sys.executable, "-I", str(_PROGRAM)],
            input=content,
            capture_output=True,
            timeout=_SECONDS,
            env=environment,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise Unreadable(_REFUSAL) from None
    rows = tuple(tuple(row) for row in json.loads(finished.stdout))
    if len(rows) < 2:
        raise Unreadable("The first sheet has a head and no row below it, or neither.")
    return Sheet(rows, "utf-8", ",", "\r\n")
