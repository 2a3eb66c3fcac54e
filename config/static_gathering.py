"""Static files gathered under hashed names, only when one of them changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STAMP = ".gathered"


def gather() -> bool:
    """Collect the static files into STATIC_ROOT unless they are there already; return whether it was done."""
    root = Path(settings.STATIC_ROOT)
    stamp = root / STAMP
    wanted = _fingerprint()
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)
    return True


def _fingerprint() -> str:
    """Return a digest of every static file's name, size and time of change, and of how they are stored."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list(["CVS", ".*", "*~"]):
            seen = Path(storage.path(name)).stat()
            digest.update(f"{name} {seen.st_size} {seen.st_mtime_ns}\n".encode())
    return digest.hexdigest()
