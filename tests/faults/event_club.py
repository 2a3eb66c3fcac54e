"""``python -m tests.faults.event_club STEP``: people and events for a site that runs, and what must hold of an event afterwards.

Another process than the test's, which belongs to another database. Tells what it did as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any
from uuid import uuid4

FEE = 40
CHIPS = 100

KNOCK_OUT: dict[str, Any] = {
    "game": "least_score",
    "size_min": 3,
    "size_ideal": 4,
    "size_max": 6,
    "family": "elimination",
    "rounds": 3,
    "thresholds": [25, 50, 100],
    "round_end": "first_out",
    "final_size": 4,
}
ROUNDS: dict[str, Any] = {
    "game": "three_card_loo",
    "size_min": 5,
    "size_ideal": 6,
    "size_max": 7,
    "rounds": 3,
    "orbits": 1,
    "late_until": 3,
    "event_chips": 10_000,
}
EVENTS = {"knock_out": KNOCK_OUT, "rounds": ROUNDS}


def make(name: str, count: int) -> dict[str, Any]:
    """Make an event, its organiser and ``count`` members with chips; return its id and everybody's session."""
    from tournaments import services

    olga = person(f"{name}-olga", "organiser", "treasurer")
    people = [person(f"{name}-member{n}") for n in range(1, count + 1)]
    for each in people:
        give_chips(each, olga)
    terms = {
        "venue": "online",
        "clock": "blitz",
        "pace_ms": 0,
        "bot_think_ms": 0,
        "bots_allowed": True,
        "check_in_needed": False,
        "asset": "CLUB",
        "fee": FEE,
        "prizes": {"1": [100], "4": [60, 40]},
    }
    made = services.create_tournament(by=olga, name=name, **terms | EVENTS[name])
    services.open_registration(tournament_id=made.pk, by=olga)
    return {
        "event": str(made.pk),
        "organiser": session_of(olga),
        "members": [session_of(each) for each in people],
    }


def person(username: str, *groups: str) -> Any:
    """Create a member of the given groups."""
    from django.contrib.auth.models import Group

    from clubs.models import User

    made = User.objects.create_user(username=username)
    made.groups.set(Group.objects.filter(name__in=groups))
    return made


def give_chips(member: Any, by: Any) -> None:
    """Give a member chips of the club for entry fees."""
    from ledger import services

    services.create_asset(code="CLUB")
    services.issue_chips(
        key=f"issue {uuid4()}",
        wallet=services.open_wallet(owner=services.owner_of(user=member), asset="CLUB"),
        amount=CHIPS,
        by=services.owner_of(user=by),
        reference="opening",
    )


def session_of(member: Any) -> str:
    """Sign a member in; returns the key of the session."""
    from django.test import Client

    client = Client()
    client.force_login(member)
    return str(client.cookies["sessionid"].value)


def check(event_id: str) -> dict[str, Any]:
    """Count an event that is over again: its chips, its deals, its places; ``faults`` are what does not hold."""
    from django.db import transaction

    from games.selectors import deals_played
    from ledger.services.sources import _read
    from ledger.services.verifying import verify
    from tournaments.models import Entry, Payout, Result, Sitting, Tournament
    from tournaments.services import check_event

    tournament = Tournament.objects.get(pk=event_id)
    report = verify(record=False)
    group = f"tournament/{event_id}/"
    entries = list(Entry.objects.filter(tournament=tournament).select_related("user"))
    paid = Payout.objects.filter(tournament=tournament, taken_back=False).first()
    people = {entry.number: entry for entry in entries if entry.user is not None}
    faults = [str(report.fault)] if report.fault else []
    with transaction.atomic():  # The book is read through a cursor of the server.
        faults += check_event(group, list(_read(group)))
    sittings = Sitting.objects.filter(event_table__round__tournament=tournament)
    faults += [fault for sitting in sittings for fault in table(sitting)]
    site_tables = [sitting.table_id for sitting in sittings]
    return {
        "faults": faults,
        "state": tournament.state,
        "places": {entry.number: entry.place for entry in entries},
        "statuses": {entry.number: entry.status for entry in entries},
        "awards": paid.awards if paid else {},
        "chips": {number: chips_of(entry.user) for number, entry in people.items()},
        "deals": deals_of(tournament),
        "moves": [move[0] for action in acts(tournament, "seated_anew") for move in action.after["moves"]],
        "left": {action.after["entry"]: action.after for action in acts(tournament, "leaving")},
        "first_rounds": {entry.number: entry.first_round for entry in entries},
        "results": Result.objects.filter(
            event_table__round__tournament=tournament, kind="deal", version=1, deal__isnull=False
        ).count(),
        "replayed": sum(not deal.void for table_id in site_tables for deal in deals_played(table_id)),
    }


def acts(tournament: Any, kind: str) -> Any:
    """Return the actions of one kind from the event's record."""
    from tournaments.models import Action

    return Action.objects.filter(tournament=tournament, kind=kind).order_by("number")


def table(sitting: Any) -> list[str]:
    """Return what is wrong with a table of the site: its end, its log, its decks, its deals played again by the rules."""
    from games.models import Deal, LogEntry, Table
    from games.rules.record import dump_record, parse_record, replay
    from games.selectors import record_of
    from games.services.auditing import is_fair

    played = sitting.table
    at = f"table {sitting.event_table.number}"
    faults = [] if played.status == Table.Status.FINISHED else [f"{at} is not finished"]
    versions = list(
        LogEntry.objects.filter(table=played).order_by("version").values_list("version", flat=True)
    )
    if versions != list(range(1, len(versions) + 1)):
        faults.append(f"{at}: gaps in its log")
    for deal in Deal.objects.filter(table=played).order_by("number"):
        again = replay(parse_record(json.loads(json.dumps(dump_record(record_of(played, deal))))))
        if again.refused is not None or not is_fair(played, deal):
            faults.append(f"{at}, deal {deal.number} does not replay")
    return faults


def chips_of(member: Any) -> int:
    """Return what a member has of the club's chips."""
    from ledger import services
    from ledger.selectors import available

    return available(services.open_wallet(owner=services.owner_of(user=member), asset="CLUB"))


def deals_of(tournament: Any) -> dict[int, dict[int, int]]:
    """Return how many deals everybody dealt in each round, by entry."""
    from django.db.models import Count

    from tournaments.models import Result

    counted = (
        Result.objects.filter(event_table__round__tournament=tournament, version=1, kind="deal", struck=False)
        .values_list("dealer", "event_table__round__number")
        .annotate(n=Count("pk"))
    )
    found: dict[int, dict[int, int]] = {}
    for dealer, number, n in counted:
        found.setdefault(dealer, {})[number] = n
    return found


def main() -> None:
    """Do one step and print what it tells."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    step, *said = sys.argv[1:]
    told = make(said[0], int(said[1])) if step == "make" else check(said[0])
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
