"""Where the embedded engines live and how the site finds them; standard library only."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

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


def redis_address(environment: Mapping[str, str], var: Path) -> str:
    """Return the address that `environment` gives, else that of the embedded Valkey."""
    given = environment.get("REDIS_URL") or read_addresses(var).get("REDIS_URL")
    return given or redis_url(running_folder(var) / "valkey.sock")


def running_folder(var: Path) -> Path:
    """Return the folder of the unix sockets: `run` inside `var`, or a short one when that path is too long."""
    folder = var / "run"
    if len(os.fsencode(folder)) <= LONGEST_SOCKET_FOLDER:
        return folder
    digest = hashlib.sha256(os.fsencode(var)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"cardclub-{os.getuid()}-{digest}"


def database_url(*, user: str, password: str, name: str, host: str, port: int | str = "") -> str:
    """Return the libpq address of a database; a `host` that is a folder holds the server's unix socket."""
    login = f"postgres://{quote(user)}:{quote(password, safe='')}@"
    place = f":{port}" if port else ""
    if host.startswith("/"):
        return f"{login}{place}/{quote(name)}?host={quote(host)}"
    return f"{login}{host}{place}/{quote(name)}"


def redis_url(socket: Path, *, number: int = 0) -> str:
    """Return the address of database `number` of the Valkey behind a unix socket."""
    return f"unix://{quote(str(socket))}?db={number}"


def write_private(path: Path, text: str) -> None:
    """Put `text` into `path` in one step, readable by the owner alone."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    draft.replace(path)


def write_addresses(var: Path, addresses: dict[str, str]) -> None:
    """Leave `addresses` (they hold passwords) for the site's processes to find."""
    write_private(var / ADDRESSES, "".join(f"{name}={value}\n" for name, value in sorted(addresses.items())))
