"""Where the embedded engines live and how the site finds them; standard library only."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

ADDRESSES = "embedded.env"
# The kernel's limit for the path of a unix socket is 107 bytes; the longest name here is `.s.PGSQL.5432.lock`.
LONGEST_SOCKET_FOLDER = 107 - len("/.s.PGSQL.5432.lock")


def read_addresses(var: Path) -> dict[str, str]:
    """Return the addresses that the running (or last) embedded engines left in `var`; empty when there are none."""
    try:
        lines = (var / ADDRESSES).read_text().splitlines()
    except FileNotFoundError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def running_folder(var: Path) -> Path:
    """Return the folder of the unix sockets: `run` inside `var`, or a short one when that path is too long."""
    folder = var / "run"
    if len(os.fsencode(folder)) <= LONGEST_SOCKET_FOLDER:
        return folder
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"cardclub-{os.getuid()}-{digest}"
