"""The doctor's look at files: room on the disk, static files, the signing key, the published heads, the exports."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from config.doctor.findings import WARNING, Finding
from config.static_gathering import is_current

# Below these a site has days left, or hours.
LITTLE_BYTES, NO_BYTES = 2_000_000_000, 300_000_000
MANIFEST = "staticfiles.json"


def disk() -> Iterator[Finding]:
    """There is room where the site writes."""
    folders = {settings.VAR_DIR, settings.LEDGER_KEY_DIR, settings.LEDGER_EXPORT_DIR, settings.ARCHIVE_DIR}
    folders |= {settings.LEDGER_HEADS_FILE.parent}
    seen: set[int] = set()
    for folder in sorted(folders):
        place = existing(folder)
        if place.stat().st_dev in seen:
            continue
        seen.add(place.stat().st_dev)
        free = shutil.disk_usage(place).free
        if free < LITTLE_BYTES:
            yield Finding(
                "disk_full",
                _("The disk of %(folder)s has %(free)d MB left.")
                % {"folder": place, "free": free // 1_000_000},
                _("Make room: old backups and exports first. PostgreSQL stops when its disk is full."),
                WARNING if free >= NO_BYTES else "failure",
            )


def existing(path: Path) -> Path:
    """Return `path`, or the nearest folder above it that is there."""
    return next(each for each in (path, *path.absolute().parents) if each.exists())


def static_files() -> Iterator[Finding]:
    """The static files have been gathered, from the files of this version."""
    manifest = Path(settings.STATIC_ROOT) / MANIFEST
    try:
        named = json.loads(manifest.read_text())["paths"]
        missing = [name for name in named.values() if not (manifest.parent / name).exists()]
    except (OSError, ValueError, KeyError):
        named, missing = {}, []
    if not named or missing or not is_current():
        yield Finding(
            "static_files_old" if named and not missing else "static_files_missing",
            _("The static files in %(folder)s are not those of this version.") % {"folder": manifest.parent},
            _("Run `manage.py prepare --no-demo` and start the web processes anew."),
        )


def signing_key() -> Iterator[Finding]:
    """The key that signs the seals can be read by its owner and by nobody else."""
    if settings.LEDGER_SIGNING_KEY:
        return
    path = Path(settings.LEDGER_KEY_DIR) / "signing_key"
    if not path.exists():
        # It is made when the first seal is; until then there is nothing to lose.
        return
    if not os.access(path, os.R_OK):
        yield Finding(
            "signing_key_unreadable",
            _("The signing key %(path)s cannot be read by this user.") % {"path": path},
            _("Give the file to the user who runs the site (`chown`), with mode 0600."),
        )
    elif path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield Finding(
            "signing_key_open",
            _("Others than its owner can read the signing key %(path)s.") % {"path": path},
            _("`chmod 600` the file; if somebody may have read it, sign on with a new key (docs/seals.md)."),
        )


def heads_file() -> Iterator[Finding]:
    """The published heads can be added to."""
    path = Path(settings.LEDGER_HEADS_FILE)
    place = path if path.exists() else existing(path.parent)
    takes_more = path.is_file() if path.exists() else place.is_dir()
    if not takes_more or not os.access(place, os.W_OK):
        yield Finding(
            "heads_file_unwritable",
            _("The file of heads %(path)s cannot be written.") % {"path": path},
            _(
                "Let the user who runs the site write there; seals go on, but nobody outside sees their heads."
            ),
        )


def exports() -> Iterator[Finding]:
    """Exports of the book can be written."""
    place = existing(Path(settings.LEDGER_EXPORT_DIR))
    if not place.is_dir() or not os.access(place, os.W_OK):
        yield Finding(
            "exports_unwritable",
            _("The folder of exports %(path)s cannot be written.") % {"path": settings.LEDGER_EXPORT_DIR},
            _("Let the user who runs the site write there, or set LEDGER_EXPORT_DIR to a folder of its own."),
        )
