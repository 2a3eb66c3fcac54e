"""The doctor's look at PostgreSQL: is it there, who may do what in it, and is its schema this version's."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from config.addresses import database
from config.doctor.findings import WARNING, Finding
from config.servers import check_database
from config.trouble import Trouble
from ledger.services.faults import Fault
from ledger.services.guards import BOOK, FORBIDDEN, check_guards


def reachable() -> Iterator[Finding]:
    """PostgreSQL answers at both addresses and is new enough."""
    try:
        check_database("DATABASE_URL", settings.DATABASE_URL)
    except Trouble as trouble:
        yield Finding(
            "database_away",
            str(trouble),
            _("Start PostgreSQL, or put the address right; then ask the doctor again."),
        )


def migrations() -> Iterator[Finding]:
    """The tables are as this version of the site wants them."""
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _backwards in waiting[:3])
        yield Finding(
            "migrations_pending",
            _("%(number)d migrations have not been run (%(names)s).")
            % {"number": len(waiting), "names": names},
            _("Run `manage.py prepare --no-demo` and start the site’s processes anew."),
        )


def role() -> Iterator[Finding]:
    """The site logs in as a role that owns nothing and cannot touch what is written in the book."""
    owners = database(settings.DATABASE_OWNER_URL)["USER"], database(settings.DATABASE_URL)["USER"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user")
        name, is_superuser = cursor.fetchone()
        cursor.execute(
            "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'public' AND pg_get_userbyid(c.relowner) = current_user"
        )
        owned = cursor.fetchone()[0]
        cursor.execute(
            "SELECT t FROM unnest(%s::text[]) t WHERE to_regclass(t) IS NOT NULL"
            " AND has_table_privilege(current_user, to_regclass(t), %s)",
            [list(BOOK), FORBIDDEN],
        )
        open_tables = [row[0] for row in cursor.fetchall()]
    if owners[0] == owners[1] and (is_superuser or owned):
        yield _one_role(name)
        return
    if is_superuser or owned:
        yield Finding(
            "role_too_mighty",
            _("The site’s role %(role)s is a superuser or owns tables (%(owned)d).")
            % {"role": name, "owned": owned},
            _(
                "Let the owner own the tables: `REASSIGN OWNED BY` the site’s role, and take SUPERUSER from it."
            ),
        )
    if open_tables:
        yield Finding(
            "role_may_change_book",
            _("The site’s role %(role)s may change what is written in %(tables)s.")
            % {"role": name, "tables": ", ".join(open_tables)},
            _(
                "As the owner: `SELECT ledger_grant('the site's role')` gives it just the rights it should have."
            ),
        )


def _one_role(name: str) -> Finding:
    return Finding(
        "one_role",
        _(
            "One role, %(role)s, owns the tables and serves the site: a fault of the site could rewrite the book."
        )
        % {"role": name},
        _("Make a second role and set DATABASE_OWNER_URL and DATABASE_URL as docs/configuration.md says."),
        WARNING,
    )


def guards() -> Iterator[Finding]:
    """The triggers that keep the book append-only stand and fire whatever the session's role of replication is."""
    try:
        check_guards()
    except Fault as fault:
        if fault.code == "role_too_strong":
            yield Finding(
                "role_may_change_book",
                fault.detail,
                _(
                    "As the owner: `SELECT ledger_grant('the site's role')` gives it just the rights it should have."
                ),
            )
            return
        yield Finding(
            fault.code,
            _("A guard of the book is down: %(detail)s.") % {"detail": fault.detail},
            _(
                "As the owner: `ALTER TABLE ... ENABLE ALWAYS TRIGGER ...`; then run `manage.py verify_ledger`."
            ),
        )
    except DatabaseError as error:
        yield Finding(
            "guards_unknown",
            _("The guards of the book could not be read: %(reason)s.") % {"reason": error},
            _("Run the migrations; without the book’s tables there is nothing to guard."),
        )
