"""Files named on the command line."""

from __future__ import annotations

import gzip
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from games.rules.archive import find_deal
from games.rules.proof import Proof
from games.rules.record import Record
from games.rules.strict_json import LARGEST_FILE, Malformed

LONGEST_LINE = 1 << 28
"""Bytes of one line of an archive; a table's first line names all its deals."""

PLACE = re.compile(r"(?P<table>[0-9a-f-]{36})/(?P<deal>[1-9][0-9]{0,8})")


def add_deal_argument(parser: ArgumentParser) -> None:
    """Let a command take a deal of an archive."""
    parser.add_argument(
        "--deal",
        metavar="TABLE/NUMBER",
        help="FILE is an archive of tables (docs/operations.md): take this deal of it",
    )


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


def read_archived(name: str, place: str) -> tuple[Record, Proof]:
    """Return the record and the proof of the deal ``place`` (table/number) of the archive ``name``.

    Raises ``Malformed`` when the file cannot be read, is no archive or lacks the deal.
    """
    wanted = PLACE.fullmatch(place)
    if wanted is None:
        raise Malformed(f"{place} names no deal: write the table's id, a slash and the deal's number")
    try:
        return find_deal(_lines(name), wanted["table"], int(wanted["deal"]))
    except (OSError, EOFError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Malformed(f"the archive cannot be read: {reason}") from None
    except (KeyError, TypeError, AttributeError):
        raise Malformed("the archive lacks a part of this deal") from None


def _lines(name: str) -> Iterator[bytes]:
    with gzip.open(name, "rb") as file:
        while line := file.readline(LONGEST_LINE):
            yield line
