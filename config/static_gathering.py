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
    if is_current():
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    _stamp().write_text(_fingerprint())
    return True


def is_current() -> bool:
    """Return whether what was gathered last is what would be gathered now."""
    return _stamp().exists() and _stamp().read_text() == _fingerprint()


def _stamp() -> Path:
    return Path(settings.STATIC_ROOT) / STAMP


def _fingerprint() -> str:
    """Return a digest of every static file's name, size and time of change, and of how they are stored."""
    digest = hashlib.sha256(repr(settings.STORAGES["staticfiles"]).encode())
    for finder in get_finders():
        for name, storage in finder.list(["CVS", ".*", "*~"]):
            seen = Path(storage.path(name)).stat()
            digest.update(f"{name} {seen.st_size} {seen.st_mtime_ns}\n".encode())
    return digest.hexdigest()
