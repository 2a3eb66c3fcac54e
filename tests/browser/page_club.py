"""``python -m tests.browser.page_club``: a club with something on every page; tells its people and tables as JSON.

Another process than the test's, since Playwright's event loop forbids Django's connection there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any
from uuid import uuid4

NAMES = {
    "anna": "Anna Tamm",
    "bert": "Bert Kask",
    "carl": "Carl Kuusk",
    "doris": "Doris Õun",
    "olga": "Olga Organiser",
}


def main() -> None:
    """Make people, tables in every state, lines of the chat and a report about one of them."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    json.dump(fill(), sys.stdout)


def fill() -> dict[str, Any]:
    """Fill the site's first club and return what is told of it."""
    from django.contrib.auth.models import Group

    from clubs.models import User

    people = {
        name: User.objects.create_user(username=f"page-{name}", display_name=shown)
        for name, shown in NAMES.items()
    }
    people["olga"].groups.add(Group.objects.get(name="organiser"))
    tables = {name: str(table.id) for name, table in open_tables(people).items()}
    give_chips(people)
    return {"tables": tables, "report": talk(people, tables["talked"]), **sessions_of(people)}


def sessions_of(people: dict[str, Any]) -> dict[str, Any]:
    """Return the name of the session's cookie, and for each person a session that was just signed in."""
    from django.conf import settings
    from django.test import Client

    sessions = {}
    for name, person in people.items():
        client = Client()
        client.force_login(person)
        sessions[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
    return {"cookie": settings.SESSION_COOKIE_NAME, "sessions": sessions}


def open_tables(people: dict[str, Any]) -> dict[str, Any]:
    """Open tables of both games; nobody's clock hurries: a test may look at a table minutes after it was opened."""
    from django.db import transaction

    from games import services
    from games.models import Table

    anna, bert, carl, doris = (people[name] for name in ("anna", "bert", "carl", "doris"))

    @transaction.atomic
    def open_one(
        game: str, seats: int, *members: Any, full: bool = True, rests: bool = False, **more: Any
    ) -> Any:
        bots = range(len(members) + 1, seats + 1) if full else ()
        table = services.open_table(
            game=game,
            options=more.pop("options", {}),
            clock="days",
            members=dict(enumerate(members, start=1)),
            bots=dict.fromkeys(bots, "random"),
            opened_by=members[0],
            seats=seats,
            pace_ms=0,
            bot_think_ms=0,
            **more,
        )
        if rests:  # The first deal begins at once; after it the table waits until all are ready for another.
            Table.objects.filter(pk=table.pk).update(pace_ms=3_600_000)
        return table

    loo, least = "three_card_loo", "least_score"
    short = {"threshold": 25, "match": "first_out"}
    return {
        "loo16": open_one(loo, 16, anna),
        "least6": open_one(least, 6, anna),
        "least10": open_one(least, 10, anna, options={"packs": 2}),
        "phases_loo": open_one(loo, 16, anna, rests=True),
        # A bot that may declare at once would leave few phases to look at.
        "phases_least": open_one(least, 6, anna, options={"declare_cap": 7}, rests=True),
        "talked": open_one(least, 3, anna, bert),
        "absent": open_one(loo, 5, anna, bert),
        "restart": in_company(lambda: open_one(loo, 5, anna)),
        "offline": in_company(lambda: open_one(loo, 5, bert)),
        "tabs": open_one(least, 3, carl),
        "fast_loo": open_one(loo, 5, anna, bert),
        "fast_least": open_one(least, 3, anna, bert, options=short),
        "alone_loo": open_one(loo, 5, anna),
        "alone_least": open_one(least, 3, anna, options=short),
        "asked": open_one(least, 2, anna),
        "lost_line": in_company(lambda: open_one(loo, 5, anna)),
        "one_deal": finished(open_one(loo, 5, carl, listed=True, rests=True), deals=1),
        "seating": open_one(loo, 5, anna, bert, full=False, listed=True),
        "lone": in_company(lambda: open_one(loo, 5, anna)),
        "finished": finished(open_one(loo, 5, doris)),
    }


def finished(table: Any, *, deals: int = 0) -> Any:
    """Play some deals of a match, or all, beside the site's own workers."""
    from tests.browser.audit_club import play_beside_the_workers

    play_beside_the_workers(table, deals=deals, steady=True)
    return table


def in_company(open_one: Callable[[], Any]) -> Any:
    """Open a table and play on until its member is asked for a word when somebody else plays already.

    Whatever the cards are, that deal waits for a card of the member who plays. Where all others fold, it is over at once,
    and what a test looks for belongs to the next.
    """
    from tests.browser.audit_club import play_beside_the_workers
    from tests.games.tables import state_of

    def asked_in_company(table: Any) -> bool:
        if table.status != table.Status.PLAYING or table.turn_seat != 1:
            return False
        state = state_of(table)
        return state.phase == "announce" and bool(state.active)

    while True:
        table = open_one()
        play_beside_the_workers(table, until=asked_in_company)
        if table.status == table.Status.PLAYING:
            return table


def talk(people: dict[str, Any], table: str) -> int:
    """Say a few things, one of which is reported; return the report's number."""
    from games import services

    anna, bert = people["anna"], people["bert"]
    said = [
        services.say(table_id=table, user_id=person.pk, command_id=uuid4(), text=text)
        for person, text in ((anna, "Good evening!"), (bert, "You play like a robot"), (anna, "Thank you"))
    ]
    report = services.report(
        table_id=table, reporter_id=anna.pk, reason="abuse", note="Not nice.", line_ids=[said[1].pk]
    )
    return int(report.pk)


def give_chips(people: dict[str, Any]) -> None:
    """Open a wallet with chips for one member."""
    from ledger import services

    services.create_asset(code="CLUB")
    services.issue_chips(
        key="page start",
        wallet=services.open_wallet(owner=services.owner_of(user=people["anna"]), asset="CLUB"),
        amount=1_000,
        by=services.owner_of(user=people["olga"]),
        reference="spring evening",
    )


if __name__ == "__main__":
    main()
