"""Where a passphrase comes from: a file or the environment, never the command line, which everybody on the machine sees."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from pathlib import Path

from config.trouble import Trouble

VARIABLE = "BACKUP_PASSPHRASE"
SHORTEST = 12


def add_argument(parser: ArgumentParser) -> None:
    """Let a command take the file's name."""
    parser.add_argument(
        "--passphrase-file",
        type=Path,
        metavar="FILE",
        help=f"file whose first line is the passphrase (otherwise {VARIABLE} in the environment, if there is one)",
    )


def given(file: Path | None) -> str:
    """Return the passphrase, empty when none was given. Raises Trouble for one that is too short to protect anything."""
    if file is None:
        passphrase = os.environ.get(VARIABLE, "")
        if not passphrase:
            return ""
    else:
        try:
            passphrase = (file.read_text().splitlines() or [""])[0]
        except OSError as error:
            raise Trouble(f"The passphrase cannot be read from {file} ({error.strerror}).") from None
    if len(passphrase) < SHORTEST:
        raise Trouble(f"The passphrase has {len(passphrase)} characters: take at least {SHORTEST}.")
    return passphrase
