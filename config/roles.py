"""The two database roles: an owner for migrations, and the site's own, which owns nothing.

Web and workers log in as the site role. It may read and write rows of ordinary tables; what a table's own migration
takes away from it (the book's, for one) it cannot give back to itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg import sql

from config.addresses import database

LOGIN = ("USER", "PASSWORD", "HOST", "PORT")


@contextmanager
def as_owner(alias: str = "default") -> Iterator[BaseDatabaseWrapper]:
    """Let `alias` log in as the owner inside the block; only the login changes, never the database's name."""
    described = connections.databases[alias]
    before = {key: described[key] for key in LOGIN}
    options = described["OPTIONS"]
    owner = database(settings.DATABASE_OWNER_URL)
    connection = connections[alias]
    if owner["USER"] == before["USER"]:
        yield connection
        return
    _leave(connection)
    described.update({key: owner[key] for key in LOGIN})
    described["OPTIONS"] = {key: value for key, value in options.items() if key != "pool"}
    try:
        yield connection
    finally:
        connection.close()
        described.update(before)
        described["OPTIONS"] = options


def _leave(connection: BaseDatabaseWrapper) -> None:
    """Close the connection and, when there is one, the pool it came from."""
    connection.close()
    close_pool = getattr(connection, "close_pool", None)
    if close_pool is not None:
        close_pool()


def role_exists(connection: BaseDatabaseWrapper, role: str) -> bool:
    """Return whether the server knows `role`."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
        return cursor.fetchone() is not None


def grant_site_role(connection: BaseDatabaseWrapper, role: str) -> None:
    """Let `role` use every table and sequence of the schema `public`, those that come later too.

    Must run as the owner and before its migrations: default privileges belong to who creates the tables. Tables that
    already exist are left alone, because a later migration may have restricted them on purpose.
    """
    name = sql.Identifier(role)
    statements = (
        "GRANT USAGE ON SCHEMA public TO {}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {}",
    )
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(sql.SQL(statement).format(name))
