"""Delimited text as other systems write it, read and written back in the same encoding and with the same separator.

Pure. What cannot be told for certain is refused with what to do, before anything is changed.
"""

import codecs
import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LARGEST_FILE = 1_000_000  # bytes; a roster of 10,000 lines has half of it, and a form carries it once more in base64
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_SEPARATORS = ("\t", ";", ",")


class Unreadable(Exception):
    """The file cannot be read; the message says why and what to try."""


@dataclass(frozen=True)
class Sheet:
    """The cells of a file, and how it was written."""

    rows: tuple[tuple[str, ...], ...]  # the first is the head
    encoding: str
    separator: str
    line_end: str

    @property
    def head(self) -> tuple[str, ...]:
        return self.rows[0]

    @property
    def note(self) -> str:
        """How the file was read, where that was a guess."""
        if self.encoding == "cp1252":
            return "It is not UTF-8 and was read as Windows-1252: compare names with accents before you go on."
        return ""


def read_sheet(content: bytes) -> Sheet:
    """Return the cells of a text file.

    Errors:  Unreadable
    """
    if len(content) > LARGEST_FILE:
        raise Unreadable(
            f"The file is larger than {LARGEST_FILE // 1000} kB. A roster or gradebook of a cohort is not."
        )
    if content.startswith(b"PK"):
        raise Unreadable("This is an XLSX or a ZIP file. Save it as CSV and upload that.")
    text, encoding = _decoded(content)
    if "\0" in text:
        raise Unreadable("This is not a text file. Upload CSV or tab-separated text.")
    head = text.lstrip("\r\n").partition("\n")[0]
    separator = max(_SEPARATORS, key=lambda each: (_count(head, each), each))
    try:
        rows = [tuple(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if any(row)]
    except csv.Error as error:
        raise Unreadable(f"The file cannot be read as a table: {error}.") from None
    if len(rows) < 2:
        raise Unreadable("The file has a head and no row below it, or neither.")
    return Sheet(tuple(rows), encoding, separator, "\r\n" if "\r\n" in text else "\n")


def write_sheet(sheet: Sheet, rows: Sequence[Sequence[str]]) -> bytes:
    """Return these rows as the sheet was written."""
    file = io.StringIO(newline="")
    writer: Any = csv.writer(file, delimiter=sheet.separator, lineterminator=sheet.line_end)
    writer.writerows(rows)
    return file.getvalue().encode(sheet.encoding)


def folded(text: str) -> str:
    """Return a text as names and heads are compared: case, outer spaces and the shape of apostrophes say nothing."""
    return " ".join(text.replace("’", "'").replace("\u00a0", " ").split()).casefold()


def _decoded(content: bytes) -> tuple[str, str]:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            try:
                return content.decode(encoding), encoding
            except UnicodeDecodeError:
                raise Unreadable(f"The file says that it is {encoding.upper()} and is not.") from None
    for encoding in ("utf-8", "cp1252"):
        try:
            return content.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    raise Unreadable("The file is neither UTF-8 nor Windows-1252. Save it as “CSV UTF-8” and upload that.")


def _count(line: str, separator: str) -> int:
    """Return how often a separator stands outside quotes."""
    return sum(part.count(separator) for part in line.split('"')[::2])
