"""What each role of a club may do there, in the names of Django's permissions."""

from __future__ import annotations

from collections.abc import Mapping

LOOK = frozenset(
    f"ledger.view_{model}"
    for model in (
        *("account", "transaction", "posting", "asset", "seal", "leaf", "verification", "creditline"),
        *("adjustment", "export", "closedyear"),
    )
)
"""Reading the club's book at the audit desk."""

TABLES = frozenset({"games.view_table", "games.view_seat", "games.view_deal", "games.change_table"})
"""Looking at the club's tables in the admin, and closing them."""

RUN = frozenset({"clubs.admit", "clubs.view_act", "games.handle_reports", "tournaments.organise"}) | TABLES

KEEP = frozenset(
    {"clubs.view_club", "clubs.view_membership", "clubs.view_invitation", "clubs.view_joinrequest"}
)
"""Looking at the club, its members and invitations in the admin."""

RIGHTS: Mapping[str, frozenset[str]] = {
    "owner": RUN | LOOK | KEEP | {"clubs.govern"},
    "organiser": RUN | KEEP,
    "treasurer": LOOK | {"ledger.treasure", "ledger.export_book", "ledger.request_adjustment"},
    "approver": LOOK | {"ledger.approve_adjustment"},
    "auditor": LOOK | {"ledger.export_book", "ledger.request_adjustment", "clubs.view_act"},
    "member": frozenset(),
}
"""By role. A person may do what any of the person's roles may; the same rights of Django's groups hold at every club."""

ROLES_BY_RIGHT: Mapping[str, frozenset[str]] = {
    right: frozenset(role for role, rights in RIGHTS.items() if right in rights)
    for right in frozenset().union(*RIGHTS.values())
}
