"""Where the engines keep their data and as whom they run.

PostgreSQL refuses to run as root, so that a server started by root gives it another user. That user must be able to
enter the data folder; below a closed home (/root, for one) it cannot, and the data go to a folder that it can reach.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from config.embedded import running_folder
from config.engines.processes import Account, rights
from config.trouble import Trouble

# A new data folder takes 45 MB, programs copied for root's stand-in as much again.
FREE_BYTES_AT_FIRST = 300_000_000
FREE_BYTES_LATER = 50_000_000
# In the site's own folder: names the folder that the engines' data went to instead.
MOVED_TO = "engines_folder"


@dataclass(frozen=True)
class Place:
    """Folders and user of the embedded engines; `note` says when they are not where one would look for them."""

    data: Path
    sockets: Path
    account: Account | None
    note: str = ""

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data folder."""
        return self.data / "postgres"

    @property
    def valkey(self) -> Path:
        """Valkey's data folder."""
        return self.data / "valkey"


def choose_place(var: Path, *, engine_user: str = "nobody") -> Place:
    """Return the engines' place for the site whose own folder is `var`, with its folders made and its disk checked.

    Raises Trouble when the data belong to somebody else, the disk is full, or the user for the engines is missing.
    """
    var = var.resolve()
    var.mkdir(parents=True, exist_ok=True)
    data = _moved(var) or var / "engines"
    account = _account(data, engine_user) if os.geteuid() == 0 else None
    if account and not _can_work_in(data, account):
        data = _reachable_folder(var, account)
        (var / MOVED_TO).write_text(f"{data}\n")
    place = Place(
        data=data,
        sockets=running_folder(var) if data.parent == var else data / "run",
        account=account,
        note=_note(var, data, account),
    )
    for folder in (place.data, place.sockets, place.valkey):
        open_folder(folder, account)
    _check_owner(place)
    _check_disk(place)
    return place


def open_folder(folder: Path, account: Account | None) -> None:
    """Make `folder` if need be and keep it for the engines' user alone.

    Raises Trouble when somebody else put it there, as anybody can in a shared folder for temporary files.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    owner, wanted = folder.lstat().st_uid, account.uid if account else os.geteuid()
    shared = folder.parent.stat().st_mode & stat.S_IWOTH
    if folder.is_symlink() or (owner not in (wanted, os.geteuid()) and (shared or account is None)):
        raise Trouble(
            f"{folder} belongs to {_name(owner)}, not to {_name(wanted)}: remove it, or give it to {_name(wanted)}."
        )
    if account:
        os.chown(folder, account.uid, account.gid)
    folder.chmod(0o700)


def may(account: Account | None, test: str, path: Path) -> bool:
    """Return what `test -x path` (or another of its letters) says to the user of the engines."""
    asked = subprocess.run(
        ["/bin/sh", "-c", f'test {test} "$1"', "sh", str(path)], cwd="/", check=False, **rights(account)
    )
    return asked.returncode == 0


def _account(data: Path, engine_user: str) -> Account:
    """Return root's stand-in: who owns the data already, else `engine_user`."""
    owner = (data / "postgres").stat().st_uid if (data / "postgres").exists() else 0
    try:
        entry = pwd.getpwuid(owner) if owner else pwd.getpwnam(engine_user)
    except KeyError:
        who = f"number {owner}, who owns {data}" if owner else engine_user
        raise Trouble(f"There is no user {who}: name one for the engines in ENGINE_USER.") from None
    if entry.pw_uid == 0:
        raise Trouble("PostgreSQL does not run as root: name another user in ENGINE_USER.")
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _moved(var: Path) -> Path | None:
    """Return the folder that an earlier start moved the data to."""
    note = var / MOVED_TO
    return Path(note.read_text().strip()) if note.exists() else None


def _can_work_in(folder: Path, account: Account) -> bool:
    """Return whether `account` can enter and write `folder`, which is made when it is missing."""
    made = not folder.exists()
    open_folder(folder, account)
    if may(account, "-w", folder):
        return True
    if made:
        folder.rmdir()
    return False


def _reachable_folder(var: Path, account: Account) -> Path:
    """Make and return a folder of the engines' own, outside `var`: a site in a temporary folder has temporary data."""
    temporary = Path(tempfile.gettempdir()).resolve()
    bases = [temporary] if var.is_relative_to(temporary) else [Path("/var/lib"), temporary, Path("/tmp")]
    for base in bases:
        folder = base / f"cardclub-{secrets.token_hex(4)}"
        try:
            if _can_work_in(folder, account):
                return folder
        except OSError:
            continue
    raise Trouble(
        f"The engines' user {account.name} cannot enter {var}: move the project to a folder that everybody may enter, "
        f"or name one in VAR_DIR."
    )


def _note(var: Path, data: Path, account: Account | None) -> str:
    if account is None or data.parent == var:
        return ""
    return f"PostgreSQL does not run as root, and its user {account.name} cannot enter {var}: its data are in {data} instead."


def _check_owner(place: Place) -> None:
    if not place.postgres.exists():
        return
    owner = place.postgres.stat().st_uid
    wanted = place.account.uid if place.account else os.geteuid()
    if owner != wanted:
        raise Trouble(
            f"The data in {place.postgres} belong to {_name(owner)}: start the server as {_name(owner)} (or as root), "
            f"or give the folder to {_name(wanted)}."
        )


def _check_disk(place: Place) -> None:
    free = shutil.disk_usage(place.data).free
    needed = FREE_BYTES_LATER if (place.postgres / "PG_VERSION").exists() else FREE_BYTES_AT_FIRST
    if free < needed:
        raise Trouble(
            f"The disk is full: {place.data} has {free // 1_000_000} MB left and {needed // 1_000_000} MB are needed. "
            f"Make room, or name a folder on another disk in VAR_DIR."
        )


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
