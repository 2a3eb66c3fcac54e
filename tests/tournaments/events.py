"""Events for tests: made and driven by the product's own services."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Group

from clubs.models import User
from games.models import Table
from ledger import services as ledger
from ledger.selectors import available
from ledger.services.sources import SourcedTransaction, _read
from tests.games.tables import play_one, start
from tournaments import services
from tournaments.models import EventTable, Round, Sitting, Tournament
from tournaments.selectors.field import tables_of

LEAST = {"game": "least_score", "size_min": 3, "size_ideal": 4, "size_max": 5}
LOO = {"game": "three_card_loo"}


def organiser(name: str = "organiser") -> User:
    """Create a member who may organise."""
    user = User.objects.create_user(username=name)
    user.groups.add(Group.objects.get(name="organiser"))
    return user


def treasurer() -> User:
    """Create a member who may organise and give out chips."""
    user = organiser("treasurer")
    user.groups.add(Group.objects.get(name="treasurer"))
    return user


def members(count: int, *, chips: int = 0) -> list[User]:
    """Create members, each with ``chips`` in the wallet."""
    people = [User.objects.create_user(username=f"member{n}") for n in range(1, count + 1)]
    for person in people if chips else []:
        give(person, chips)
    return people


def give(person: User, chips: int) -> None:
    """Give a member chips of the club."""
    ledger.create_asset(code="CHIPS")
    wallet = wallet_of(person)
    by = ledger.owner_of(user=person)
    ledger.issue_chips(key=f"issue {uuid4()}", wallet=wallet, amount=chips, by=by, reference="opening")


def wallet_of(person: User) -> int:
    """Return the member's wallet of the club's chips."""
    return ledger.open_wallet(owner=ledger.owner_of(user=person), asset="CHIPS")


def event(by: User, **terms: Any) -> Tournament:
    """Create an event of Least Score at the club that needs no check-in, and open its registration."""
    chosen = {**LEAST, "venue": "club", "check_in_needed": False, "pace_ms": 0, "bot_think_ms": 0, **terms}
    tournament = services.create_tournament(by=by, name="Friday", **chosen)
    return services.open_registration(tournament_id=tournament.pk, by=by)


def with_players(by: User, count: int, **terms: Any) -> Tournament:
    """Create an event with ``count`` guests, and start it."""
    tournament = event(by, **terms)
    for n in range(1, count + 1):
        services.register_by_hand(tournament_id=tournament.pk, by=by, name=f"Guest {n}")
    return services.start_tournament(tournament_id=tournament.pk, by=by)


def released(by: User, tournament: Tournament, number: int) -> Round:
    """Draw (if need be), confirm and release a round."""
    row = Round.objects.filter(tournament=tournament, number=number).first()
    if row is None:
        services.draw(tournament_id=tournament.pk, by=by)
    services.confirm_draw(tournament_id=tournament.pk, by=by, round_number=number)
    return services.release_round(tournament_id=tournament.pk, by=by, round_number=number)


def enter_all(by: User, tournament: Tournament, number: int) -> None:
    """Enter whole rounds for every table: in seat order 0, 10, 20, ... points (or net stakes around 0)."""
    row = Round.objects.get(tournament=tournament, number=number)
    for table in tables_of(row):
        enter_table(by, tournament, table)


def enter_table(by: User, tournament: Tournament, table: EventTable, scores: Any = None) -> None:
    """Enter a whole round of one table."""
    if scores is None:
        scores = {player: 10 * n for n, player in enumerate(table.seats)}
    services.enter_whole(
        tournament_id=tournament.pk,
        by=by,
        round_number=table.round.number,
        table_number=table.number,
        scores=scores,
    )


def played(by: User, tournament: Tournament, number: int) -> None:
    """Release, enter and confirm a round."""
    released(by, tournament, number)
    enter_all(by, tournament, number)
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=number)


def drive(tournament: Tournament, *, most: int = 5_000, without: Collection[int] = ()) -> None:
    """Play every open table of an online event, one deal at each in turn, and let the event take it over.

    Tables whose numbers are in ``without`` stand in the middle of a deal meanwhile.
    """
    for _ in range(most):
        sittings = Sitting.objects.filter(event_table__round__tournament=tournament, open=True)
        open_tables = [
            s.table for s in sittings.exclude(event_table__number__in=without).select_related("table")
        ]
        ready = [t for t in open_tables if t.status == Table.Status.BETWEEN and t.due_at is not None]
        for table in ready:
            play_deal(table)
        services.settle(tournament_id=tournament.pk)
        if not ready:
            return
    raise AssertionError("the event does not end")


def play_deal(table: Table) -> None:
    """Play the next deal of a table of the site to its end."""
    start(table)
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()


def chips_of(person: User) -> int:
    """Return the club's chips that a member can spend: holds are taken off."""
    return available(wallet_of(person))


def transactions(tournament: Tournament) -> list[SourcedTransaction]:
    """Return the transactions of the book that an event caused."""
    return list(_read(f"tournament/{tournament.pk}/"))
