"""The site's secret key when nobody gave one: made once, kept under `var/`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def stored_secret_key(path: Path) -> str:
    """Return the key in `path`; make it first when the file is missing. Only the owner can read the file.

    Several processes may start at once: the key is written under a name of its own and linked into place, so that
    each of them reads one whole key, the same for all.
    """
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(64) + "\n")
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text().strip()
