"""The doctor's look at archives: the folder can be written, nothing is missing in it, and logs leave by no other way."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.doctor.files import existing
from config.doctor.findings import Finding
from games.models import ArchiveFile
from games.selectors.archive import archive_folder, manifest_of
from ledger.models import ClosedYear
from ledger.services.closing_years import years_folder

LOG_GUARDS = """
    SELECT name FROM unnest(ARRAY['only_archived', 'never_emptied']) name
    WHERE NOT EXISTS (
        SELECT FROM pg_trigger WHERE tgname = name AND tgrelid = 'games_logentry'::regclass AND tgenabled = 'A'
    )
"""


def archive_place() -> Iterator[Finding]:
    """Archives can be written."""
    place = existing(Path(settings.ARCHIVE_DIR))
    if not place.is_dir() or not os.access(place, os.W_OK):
        yield Finding(
            "archive_unwritable",
            _("The folder of archives %(path)s cannot be written.") % {"path": settings.ARCHIVE_DIR},
            _("Let the user who runs the site write there, or set ARCHIVE_DIR to a folder of its own."),
        )


def archives() -> Iterator[Finding]:
    """Every archive file is there, with its manifest and its size; their hashes take a command."""
    lost = [file.name for file in ArchiveFile.objects.only("name", "size") if not _is_whole(file)]
    lost += [
        year.file for year in ClosedYear.objects.all() if not _has_size(years_folder() / year.file, year.size)
    ]
    if lost:
        yield Finding(
            "archive_missing",
            ngettext(
                "%(count)d archive file is missing or cut off: %(first)s.",
                "%(count)d archive files are missing or cut off: %(first)s.",
                len(lost),
            )
            % {"count": len(lost), "first": ", ".join(lost[:3])},
            _(
                "Bring back what is missing from a backup into ARCHIVE_DIR, which all processes must share; then run "
                "`manage.py archive_deals --check` and `manage.py verify_ledger --archive FILE`."
            ),
        )


def _is_whole(file: ArchiveFile) -> bool:
    manifest = archive_folder() / manifest_of(file.name)
    return _has_size(archive_folder() / file.name, file.size) and manifest.is_file()


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def log_guards() -> Iterator[Finding]:
    """Nothing in the logs of tables can be removed that is in no archive."""
    with connection.cursor() as cursor:
        cursor.execute(LOG_GUARDS)
        down = [row[0] for row in cursor.fetchall()]
        cursor.execute(
            "SELECT rolname FROM pg_roles WHERE rolname = %s AND has_table_privilege(oid, 'games_logentry', 'DELETE')"
            " AND rolname <> (SELECT tableowner FROM pg_tables WHERE tablename = 'games_logentry' AND schemaname = 'public')"
            " AND NOT rolsuper",
            [settings.SITE_DB_ROLE],
        )
        strong = cursor.fetchone()
    if down:
        yield Finding(
            "log_guard_down",
            _("Logs of tables can be removed: %(names)s does not stand guard.") % {"names": ", ".join(down)},
            _("As the owner: `ALTER TABLE games_logentry ENABLE ALWAYS TRIGGER ...`."),
        )
    if strong:
        yield Finding(
            "role_may_change_logs",
            _("The site’s role %(role)s may remove entries of logs.") % {"role": strong[0]},
            _(
                "As the owner: `SELECT games_grant('the site's role')` gives it just the rights it should have."
            ),
        )
