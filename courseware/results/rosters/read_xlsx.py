"""Reads the first sheet of an XLSX file from standard input and writes its cells as JSON: a program of its own.

Run in a short-lived process by `workbook.py`; nothing of the site imports it, since openpyxl loads NumPy, and since a
workbook can be made to unpack without end.
"""

import json
import resource
import sys

CPU_SECONDS = 10  # a roster of 10,000 lines takes one
MEMORY_BYTES = 3 << 27  # 384 MiB of addresses; the libraries take 110 before they have read anything
ROWS, COLUMNS, CHARACTERS = 20_000, 60, 1_000


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    import io

    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(sys.stdin.buffer.read()), read_only=True, data_only=True)
    rows = []
    for row in book.worksheets[0].iter_rows(max_row=ROWS, max_col=COLUMNS, values_only=True):
        cells = ["" if cell is None else str(cell)[:CHARACTERS] for cell in row]
        if any(cells):
            rows.append(cells)
    json.dump(rows, sys.stdout)


if __name__ == "__main__":
    main()
