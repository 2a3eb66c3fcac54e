"""Restoring a backup into an empty site: database, files, and then everything proved once more."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper

from config import health, pulse
from config.backup.archive import unpack
from config.backup.making import DUMP, HEADS, SECRET, counted
from config.backup.postgres_programs import environment, find
from config.embedded import write_private
from config.redis_line import line
from config.roles import as_owner, grant_site_role, role_exists
from config.trouble import Trouble
from ledger.errors import SealingRefused
from ledger.services.sealing import seal_pending
from ledger.services.verifying import Report, verify

Say = Callable[[str], object]


def restore_backup(path: Path, *, passphrase: str, replace: bool, say: Say) -> Report:
    """Put the backup at `path` in the place of this site's data; returns what the verification found.

    Only an empty site is filled, unless `replace` says that what it has may go. Nothing is touched before the whole
    file has been read and found sound. Raises Trouble.
    """
    _refuse_running()
    with tempfile.TemporaryDirectory(dir=settings.VAR_DIR, prefix=".restore-") as draft:
        folder = Path(draft)
        manifest = unpack(path, passphrase, folder)
        say(f"read: a backup of {manifest['made_at']}, {_told(manifest['counted'])}")
        with as_owner() as owner:
            _check_target(owner, manifest, replace=replace)
            _check_files(folder, replace=replace)
            _restore_database(owner, folder / DUMP, manifest)
            _compare(owner, manifest)
        _restore_files(folder)
    call_command("migrate", interactive=False, verbosity=0)
    health.forget()
    say("restored: database, keys, heads, exports and archives")
    for told in _seal():
        say(told)
    return verify()


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items())


def _refuse_running() -> None:
    """Processes that run would write into what is being replaced."""
    try:
        alive = pulse.living(line())
    except redis.RedisError:
        return
    if alive:
        names = ", ".join(each.label for each in alive)
        raise Trouble(
            f"The site is running ({names}): stop its processes, wait half a minute and restore then."
        )


def _check_target(owner: BaseDatabaseWrapper, manifest: dict[str, Any], *, replace: bool) -> None:
    role = manifest["site_role"]
    if not role_exists(owner, role):
        raise Trouble(
            f"The database server has no role {role}, which the backup gives rights to: create it "
            f"(docs/configuration.md), or name it in SITE_DB_ROLE on a server of its own, and restore again."
        )
    tables = set(owner.introspection.table_names())
    if replace or "clubs_user" not in tables:
        return
    with owner.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM clubs_user) OR EXISTS (SELECT FROM ledger_transaction)")
        if cursor.fetchone()[0]:
            raise Trouble(
                "This site has people or chips of its own. With --replace all of it is given up for the backup; "
                "make a backup of it first."
            )


def _check_files(folder: Path, *, replace: bool) -> None:
    """Published heads are never lost: a longer file that begins with the backup's stays, another one is not overwritten."""
    here, kept = Path(settings.LEDGER_HEADS_FILE), folder / HEADS
    if here.exists() and kept.exists() and not replace:
        ours, theirs = here.read_bytes(), kept.read_bytes()
        if not ours.startswith(theirs) and not theirs.startswith(ours):
            raise Trouble(f"{here} holds heads of another site. Move it away, or give it up with --replace.")


def _restore_database(owner: BaseDatabaseWrapper, dump: Path, manifest: dict[str, Any]) -> None:
    with owner.cursor() as cursor:
        cursor.execute("DROP SCHEMA IF EXISTS public CASCADE")
        cursor.execute("CREATE SCHEMA public")
    program = find("pg_restore", _version(owner))
    wanted = dump.with_name("wanted")
    listed = _run([program, "--list", dump], owner)
    # The schema has just been made, and what later tables are open to belongs to this server's roles.
    left_out = (" SCHEMA - public ", " COMMENT - SCHEMA public ", " DEFAULT ACL ")
    wanted.write_text(
        "\n".join(row for row in listed.splitlines() if not any(word in row for word in left_out))
    )
    flags = ["--no-owner", "--single-transaction", "--exit-on-error", f"--use-list={wanted}"]
    _run([program, *flags, f"--dbname={owner.settings_dict['NAME']}", dump], owner)
    if manifest["site_role"] == settings.SITE_DB_ROLE:
        grant_site_role(owner, settings.SITE_DB_ROLE)


def _version(owner: BaseDatabaseWrapper) -> int:
    owner.ensure_connection()
    return int(owner.connection.info.server_version) // 10_000


def _run(command: list[Any], owner: BaseDatabaseWrapper) -> str:
    done = subprocess.run(command, env=environment(owner), capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise Trouble(f"{Path(command[0]).name} gave up: {said[0] if said else done.returncode}")
    return done.stdout


def _compare(owner: BaseDatabaseWrapper, manifest: dict[str, Any]) -> None:
    found = counted(owner)
    if found != manifest["counted"]:
        raise Trouble(f"The restored database has {_told(found)}: not what the backup's manifest says.")


def _restore_files(folder: Path) -> None:
    heads = Path(settings.LEDGER_HEADS_FILE)
    if (folder / HEADS).exists() and not _is_longer(heads, folder / HEADS):
        _put(folder / HEADS, heads)
    places = {
        "keys": settings.LEDGER_KEY_DIR,
        "exports": settings.LEDGER_EXPORT_DIR,
        "archive": settings.ARCHIVE_DIR,
    }
    for name, place in places.items():
        for path in sorted((folder / name).rglob("*")):
            if path.is_file():
                _put(path, Path(place) / path.relative_to(folder / name))
    if (folder / SECRET).exists():
        write_private(Path(settings.VAR_DIR) / SECRET, (folder / SECRET).read_text())


def _is_longer(here: Path, kept: Path) -> bool:
    return here.exists() and here.read_bytes().startswith(kept.read_bytes())


def _put(source: Path, place: Path) -> None:
    """Copy `source` to `place` in one step, for its owner alone."""
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = place.with_name(f".{place.name}.restored")
    shutil.copyfile(source, draft)
    draft.chmod(0o600)
    draft.replace(place)


def _seal() -> list[str]:
    """Publish and seal what the backup had not sealed yet; the restored book opens a new epoch where it must."""
    try:
        seals = seal_pending()
    except SealingRefused as refusal:
        seals = seal_pending(new_epoch=True)
        return [
            f"a new epoch of seals was opened: {refusal}",
            f"sealed: {sum(seal.n for seal in seals)} transactions",
        ]
    return [f"sealed: {sum(seal.n for seal in seals)} transactions"] if seals else []
