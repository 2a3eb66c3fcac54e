"""Every variable of the environment: its default is read from the settings, its meaning stands here.

`manage.py configuration` writes the table of docs/configuration.md from this; a test compares the two.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

SETTINGS = Path(__file__).with_name("settings.py")
# Defaults that are no plain value in the settings, in words.
IN_WORDS = {
    "DATABASE_URL": "the embedded PostgreSQL",
    "DATABASE_OWNER_URL": "`DATABASE_URL`",
    "REDIS_URL": "the embedded Valkey",
    "BROKER_URL": "`REDIS_URL`",
    "LAYER_URL": "`REDIS_URL`",
    "CACHE_URL": "`REDIS_URL`",
    "SECRET_KEY": "made once, in `secret_key` in `VAR_DIR`",
    "ALLOWED_HOSTS": "this machine's names",
    "TRUSTED_PROXIES": "1 with `BEHIND_TLS`, else 0",
    "SITE_URL": "the first of `ALLOWED_HOSTS`, https with `BEHIND_TLS`",
    "MAIL_FROM": "`noreply@` and the first of `ALLOWED_HOSTS`",
    "VAR_DIR": "`var`",
    "LEDGER_KEY_DIR": "`keys` in `VAR_DIR`",
    "LEDGER_SIGNING_KEY": "made once, in `LEDGER_KEY_DIR`",
    "LEDGER_HEADS_FILE": "`heads.jsonl` in `VAR_DIR`",
    "LEDGER_EXPORT_DIR": "`exports` in `VAR_DIR`",
    "ARCHIVE_DIR": "`archive` in `VAR_DIR`",
    "HOST": "`127.0.0.1`",
    "PORT": "8000",
    "ENGINE_USER": "`nobody`",
    "PYTHON": "the first that is new enough",
    "BACKUP_PASSPHRASE": "none",
}
# Set by the site itself.
OWN = {"PROCESS_NAME"}
MEANINGS = {
    "DATABASE_URL": "PostgreSQL 15 or newer, for web and workers: `postgres://user:password@host:5432/name`, or with a "
    "socket's folder, `postgres://user:password@/name?host=/run/postgresql`",
    "DATABASE_OWNER_URL": "the same database as the role that owns the tables; migrations, backups and restores use it",
    "SITE_DB_ROLE": "the role in `DATABASE_URL` when `DATABASE_OWNER_URL` names another; migrations give it its rights",
    "DB_POOL_SIZE": "connections per process at most; 0: no pool (behind a pooler of your own)",
    "DB_TRANSACTION_POOLING": "`true` when `DATABASE_URL` leads to PgBouncer in transaction mode: then nothing is prepared "
    "for later statements and no cursor stays on the server",
    "REDIS_URL": "Redis or Valkey 7 or newer: `redis://host:6379/0`, `rediss://...`, or "
    "`unix:///folder/valkey.sock?db=0`. It must not evict keys (`maxmemory-policy noeviction`)",
    "BROKER_URL": "on a large site, a Redis of its own for Celery's queues; it must not evict keys",
    "LAYER_URL": "on a large site, a Redis of its own for announcements between processes",
    "CACHE_URL": "on a large site, a Redis of its own for the cache",
    "SECRET_KEY": "signs sessions. Required with `DATABASE_URL`",
    "SECRET_KEY_FALLBACKS": "former keys, separated by commas, while sessions signed with them should still be good",
    "DEBUG": "pages that show errors to whoever sees them: for development only",
    "ALLOWED_HOSTS": "names under which people reach the site, separated by commas",
    "CSRF_TRUSTED_ORIGINS": "origins such as `https://club.example` when a proxy changes the host",
    "BEHIND_TLS": "a proxy ends TLS in front of the site and sets `X-Forwarded-Proto`: secure cookies, redirects to "
    "https, HSTS",
    "HSTS_SECONDS": "how long browsers insist on https, with `BEHIND_TLS`",
    "TRUSTED_PROXIES": "proxies in front of the site that add the address of whoever asks to `X-Forwarded-For`",
    "EMAIL_URL": "the mail server: `smtp+tls://user:password@host:587`; without it mails wait in `mail` in `VAR_DIR`, for "
    "a keeper to hand them on",
    "MAIL_FROM": "sender of the site's mails",
    "SITE_URL": "address of the site in mails about notifications: `https://club.example`",
    "TURN_NOTICE_MINUTES": "minutes after which a member who is away from a table with a day a move is told of the turn",
    "WATCHERS_PER_TABLE": "watchers of one table at most; who comes later is told so. Players are never refused",
    "WATCHERS_PER_PROCESS": "watchers of one web process at most",
    "TIME_ZONE": "time zone of the pages",
    "METRICS_TOKEN": "who sends `Authorization: Bearer` with it may read `/metrics`; without it only this machine may, "
    "and not through a proxy",
    "LOG_LEVEL": "least severity that is logged (to standard error)",
    "LOG_FORMAT": "`line` for people, `json` for machines: one object a line with time, level, process, logger, event and "
    "the numbers of request, table, user and task",
    "VAR_DIR": "folder of everything the site writes",
    "LEDGER_KEY_DIR": "folder of the key that signs the ledger's seals and of all its former public keys "
    "(`docs/seals.md`); back it up apart from the database",
    "LEDGER_SIGNING_KEY": "the signing key itself, 64 hexadecimal digits",
    "LEDGER_HEADS_FILE": "the published heads; best where nobody can write who administers the database",
    "LEDGER_EXPORT_DIR": "exports of the book, written by workers and read by web processes: one folder for all of them",
    "ARCHIVE_DIR": "logs of old tables and closed years of the ledger: one folder for all processes (`docs/operations.md`)",
    "ARCHIVE_AFTER_DAYS": "matches that finished so many days ago are moved to `ARCHIVE_DIR` at night; at least 31, or 0: "
    "only `manage.py archive_deals` moves any",
    "BACKUP_PASSPHRASE": "seals what `manage.py backup` writes and opens it for `manage.py restore`, unless a file is named",
    "HOST": "address that a web process listens on (`script/server` sets it from `--host`)",
    "PORT": "port that a web process listens on (`script/server` sets it from `--port`)",
    "ENGINE_USER": "user of the embedded engines when root starts the server",
    "PYTHON": "the Python that `script/server` and `script/test` make `.venv` with",
}


class Variable(NamedTuple):
    """One line of the reference."""

    name: str
    default: str
    meaning: str


def asked() -> dict[str, ast.expr | None]:
    """Return every name that the settings ask the environment for, with the expression of its default."""
    found: dict[str, ast.expr | None] = {}
    for node in ast.walk(ast.parse(SETTINGS.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "env" and node.args:
            name = ast.literal_eval(node.args[0])
            found[name] = next((word.value for word in node.keywords if word.arg == "default"), None)
    return {name: default for name, default in found.items() if name not in OWN}


def reference() -> list[Variable]:
    """Return every variable with its default, in the order of `MEANINGS`. Raises KeyError where one was forgotten."""
    defaults = asked()
    for name in defaults:
        MEANINGS[name]
    return [Variable(name, _default(name, defaults.get(name)), told) for name, told in MEANINGS.items()]


def _default(name: str, expression: ast.expr | None) -> str:
    if name in IN_WORDS:
        return IN_WORDS[name]
    if expression is None:
        raise KeyError(name)
    value = ast.literal_eval(expression)
    if isinstance(value, bool):
        return "on" if value else "off"
    if value in ("", []):
        return "none"
    return str(value) if isinstance(value, int) else f"`{value}`"


def table() -> str:
    """Return the reference as it stands in the manual."""
    rows = [f"| `{each.name}` | {each.default} | {each.meaning} |" for each in reference()]
    return "\n".join(["| variable | default | meaning |", "|---|---|---|", *rows]) + "\n"
