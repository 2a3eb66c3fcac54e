"""``python -m tests.browser.keyboard_club``: a member, two tables with one seat free, an event; tells them as JSON.

Another process than the test's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import json
import os
import sys

PASSWORD = "only for tests, and long enough"


def main() -> None:
    """Make the member, her chips, tables where bots wait without a pause, and an event that anybody may enter."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import Group

    from clubs.models import User
    from games import services
    from ledger import services as ledger
    from tests.tournaments.events import event

    mai = User.objects.create_user(username="mai", password=PASSWORD, display_name="Mai Keys")
    by = User.objects.create_user(username="mais-organiser", display_name="Oskar Keys")
    by.groups.add(Group.objects.get(name="organiser"))
    ledger.create_asset(code="KEYS")
    ledger.issue_chips(
        key="keyboard start",
        wallet=ledger.open_wallet(owner=ledger.owner_of(user=mai), asset="KEYS"),
        amount=700,
        by=ledger.owner_of(user=by),
        reference="evening by keyboard",
    )
    tables = {
        game: services.open_table(
            game=game,
            options={},
            clock="days",
            members={},
            bots=dict.fromkeys(range(2, seats + 1), "random"),
            opened_by=mai,
            seats=seats,
            pace_ms=0,
            bot_think_ms=0,
            listed=True,
        )
        for game, seats in (("three_card_loo", 5), ("least_score", 3))
    }
    told = {"password": PASSWORD, "tables": {game: str(table.pk) for game, table in tables.items()}}
    json.dump(told | {"event": str(event(by).pk)}, sys.stdout)


if __name__ == "__main__":
    main()
