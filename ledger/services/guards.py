"""The database's own guards of the book: are they all in place and switched on?"""

from __future__ import annotations

from django.conf import settings
from django.db import connection

from ledger.services.faults import Fault

GUARDS = {
    "ledger_asset": ("append_only", "never_emptied"),
    "ledger_transaction": ("append_only", "never_emptied"),
    "ledger_posting": ("append_only", "never_emptied"),
    "ledger_seal": ("append_only", "never_emptied"),
    "ledger_leaf": ("append_only", "never_emptied"),
    "ledger_verification": ("append_only", "never_emptied"),
    "ledger_export": ("append_only", "never_emptied"),
    "ledger_exportresult": ("append_only", "never_emptied"),
    "ledger_closedyear": ("append_only", "never_emptied"),
    "ledger_account": ("never_emptied", "rules", "same_for_ever", "stays", "stays_closed"),
    "ledger_note": ("never_emptied", "only_erased"),
}
"""Triggers that must be there and fire always, whatever ``session_replication_role`` says."""

CONDITIONAL = ("rules",)
"""Guards that let something pass; all others refuse whatever fires them."""

REFUSES = r"^\s*BEGIN\s+RAISE EXCEPTION\M"
FORBIDDEN = "UPDATE, DELETE, TRUNCATE"
BOOK = ("ledger_transaction", "ledger_posting", "ledger_seal", "ledger_leaf")


def check_guards() -> None:
    """Raise ``Fault`` for a guard that is missing or switched off, or a site role that may change the book."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, t.tgname, p.prosrc ~ %s FROM pg_trigger t"
            " JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid"
            " WHERE t.tgenabled = 'A' AND c.oid = ANY (SELECT to_regclass(n) FROM unnest(%s::text[]) n)",
            [REFUSES, list(GUARDS)],
        )
        standing = {(table, name): refuses for table, name, refuses in cursor.fetchall()}
        for table, names in GUARDS.items():
            for name in names:
                if not standing.get((table, name)) and not (
                    name in CONDITIONAL and (table, name) in standing
                ):
                    raise Fault(
                        "guard_missing", f"trigger {name} of {table} is missing, switched off or toothless"
                    )
        cursor.execute(
            "SELECT r.rolname, b.name FROM pg_roles r, unnest(%s::text[]) AS b (name) WHERE r.rolname = %s"
            " AND has_table_privilege(r.oid, to_regclass(b.name), %s)",
            [list(BOOK), settings.SITE_DB_ROLE, FORBIDDEN],
        )
        for role, table in cursor.fetchall():
            raise Fault("role_too_strong", f"the site's role {role} may change {table}")
