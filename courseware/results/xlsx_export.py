"""A table as an XLSX workbook: numbers are numbers, and every text is a text, never a formula or a link."""

import io
from collections.abc import Iterable, Sequence
from decimal import Decimal

import xlsxwriter

Cell = str | Decimal | int | None

# A worksheet holds no more characters in a cell; nobody's name or title comes near it.
_LONGEST = 32_767


def book(table: Iterable[Sequence[Cell]], *, sheet: str = "Results") -> bytes:
    """Return a workbook of one sheet whose first row stays in sight."""
    file = io.BytesIO()
    options = {"in_memory": True, "constant_memory": True}
    with xlsxwriter.Workbook(file, options) as workbook:
        worksheet = workbook.add_worksheet(sheet)
        bold = workbook.add_format({"bold": True, "text_wrap": True, "valign": "bottom"})
        worksheet.freeze_panes(1, 1)
        worksheet.set_column(0, 1, 28)
        for row, cells in enumerate(table):
            for column, cell in enumerate(cells):
                if isinstance(cell, str):
                    # The method for strings: the general one would take some for formulas, numbers or links.
                    worksheet.write_string(row, column, cell[:_LONGEST], bold if row == 0 else None)
                elif cell is not None:
                    worksheet.write_number(row, column, float(cell))
    return file.getvalue()
