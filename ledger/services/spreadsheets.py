"""Text for spreadsheets: rows as CSV in which no cell is taken for a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What begins a formula in some spreadsheet; the wide signs are read like the plain ones."""

LEADING = ("\t", "\r", "\n")
"""What a spreadsheet drops in front of a formula."""


def guard_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: one that begins like one gets an apostrophe before it."""
    return "'" + text if text.startswith(LEADING) or text.lstrip().startswith(FORMULA) else text


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV (RFC 4180). Texts are guarded; numbers stay numbers, ``None`` is an empty cell."""
    out = StringIO()
    writer = csv.writer(out)
    for row in rows:
        writer.writerow([guard_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()
