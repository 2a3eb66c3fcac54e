"""``python -m tests.browser.audit_club``: a club whose book an auditor can walk through; tells its people as JSON.

Another process than the test's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

PASSWORD = "only for tests, and long enough"
TERMS = {"asset": "CHIPS", "stake": 10, "buy_in_min": 200, "buy_in_max": 1_000}


def main() -> None:
    """Make people and chips, and play one match with stakes to its end."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import Group

    from clubs.models import User
    from games import stakes
    from games.models import Table
    from games.services import StakeTerms
    from ledger import services
    from ledger.models import Transaction
    from tests.games.tables import open_table

    def person(username: str, name: str, *, group: str = "") -> User:
        user = User.objects.create_user(
            username=username, password=PASSWORD, display_name=name, is_staff=bool(group)
        )
        if group:
            user.groups.add(Group.objects.get(name=group))
        return user

    treasurer = person("tiit", "Tiit Treasurer", group="treasurer")
    person("ave", "Ave Auditor", group="auditor")
    person("aime", "Aime Approver", group="approver")
    anna, bert = person("anna", "Anna Audit"), person("bert", "Bert Audit")
    services.create_asset(code="CHIPS")
    owners = {
        "anna": services.owner_of(user=anna),
        "bert": services.owner_of(user=bert),
        "bots": stakes.BOTS_OWNER,
    }
    for name, owner in owners.items():
        services.issue_chips(
            key=f"start {name}",
            wallet=services.open_wallet(owner=owner, asset="CHIPS"),
            amount=10_000,
            by=services.owner_of(user=treasurer),
            reference="spring evening",
        )
    # The auditor looks at once at what those who watch see half a minute later.
    table = open_table("three_card_loo", anna, bert, terms=StakeTerms(**TERMS))
    Table.objects.filter(pk=table.pk).update(watch_delay=0)
    play_beside_the_workers(table)
    antes = Transaction.objects.filter(kind="ante", postings__debit__owner=owners["anna"]).order_by("id")
    sys.stdout.write(json.dumps({"table": str(table.id), "disputed": antes[0].pk, "password": PASSWORD}))


def play_beside_the_workers(
    table: Any, *, deals: int = 0, steady: bool = False, until: Callable[[Any], bool] = lambda _table: False
) -> None:
    """Play ``deals`` deals, or on to the moment ``until``, or the match out, while the site's own workers play at the same
    table: whoever is quicker makes the move. Members do what the clock would do for them, or play like a ``steady`` bot,
    which ends a match sooner."""
    from games import services
    from games.errors import TableRefusal
    from games.rules import GAMES
    from games.rules.errors import Refusal
    from tests.games.tables import play, play_one, state_of

    for _ in range(10_000):
        table.refresh_from_db()
        over = table.deals.filter(ended_at__isnull=False).count() if deals else 0
        if table.status == table.Status.FINISHED or (deals and over >= deals) or until(table):
            return
        with suppress(TableRefusal, Refusal, AssertionError):
            if table.status == table.Status.BETWEEN:
                services.start_due_deal(table_id=table.id, turn_version=table.turn_version)
            elif steady:
                play_one(table)
            elif (seat := table.seats.get(number=table.turn_seat)).played_by_bot:
                services.play_bot(table_id=table.id, turn_version=table.turn_version)
            else:
                play(table, seat.user, GAMES[table.game].default_move(state_of(table)))
    raise SystemExit("the match does not end")


if __name__ == "__main__":
    main()
