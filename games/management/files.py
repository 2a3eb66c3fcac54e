"""Files named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from games.rules.strict_json import LARGEST_FILE, Malformed


def read_file(name: str) -> bytes:
    """Return the bytes of the file ``name`` (``-``: standard input), one more than allowed at most.

    Raises ``Malformed`` when the file cannot be read.
    """
    try:
        if name == "-":
            return sys.stdin.buffer.read(LARGEST_FILE + 1)
        with Path(name).open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Malformed(f"the file cannot be read: {reason}") from None
