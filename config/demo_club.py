"""The club to try the site with: its people, their chips, and tables at which they really played."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_
from django.utils.translation import override

from clubs import services as clubs
from clubs.models import FIRST_CLUB, Club, Membership, Role, User
from games import selectors as tables
from games import services as games
from games.bots import choose
from games.models import Table
from games.rules import GAMES
from games.stakes import BOTS_OWNER
from ledger import services as ledger
from tournaments import services as events

OWNER = "owner"
MEMBERS: Mapping[str, tuple[str, list[str]]] = {
    "anna": ("Anna", []),
    "bert": ("Bert", [Role.TREASURER]),
    "carl": ("Carl", [Role.ORGANISER]),
    "dora": ("Dora", [Role.AUDITOR]),
}
"""User names, names and roles."""

ASSET = "CHIPS"
MEMBERS_CHIPS, BOTS_CHIPS = 2_000, 100_000
LEVEL, BUDGET = "steady", 4
MOST_STEPS = 20_000


def make_demo_club(password: str) -> None:
    """Make the demo club out of the first one: who belongs to it, chips, matches that are over, a table and an event to join."""
    with transaction.atomic():
        owner = _make_people(password)
        _give_chips(owner)
    _play_matches()
    _invite(owner)


def _make_people(password: str) -> User:
    owner = User.objects.create_superuser(OWNER, password=password, display_name="Olav Owner")
    first = Club.objects.get(pk=FIRST_CLUB)
    text = N_(
        "A club to try the site with. Its people share one password, and nothing here is kept for good."
    )
    about = _in_every_language(text, "\n\n")
    clubs.found_club(club=first, owner=owner, name=_("Demo club"), slug=clubs.DEMO_SLUG, description=about)
    for username, (name, roles) in MEMBERS.items():
        user = User.objects.create_user(username, password=password, display_name=name)
        Membership.objects.create(club=first, user=user, roles=[str(role.value) for role in map(Role, roles)])
    return owner


def _give_chips(owner: User) -> None:
    """Let the owner, as treasurer, give everybody chips to play with, and the bots theirs."""
    treasurer = ledger.owner_of(user=owner)
    ledger.create_asset(code=ASSET)
    people = User.objects.filter(memberships__club=FIRST_CLUB).order_by("pk")
    given = {ledger.owner_of(user=user): MEMBERS_CHIPS for user in people}
    for someone, chips in {**given, BOTS_OWNER: BOTS_CHIPS}.items():
        wallet = ledger.open_wallet(owner=someone, asset=ASSET)
        key = f"desk:demo:{treasurer}:{someone}"
        reference = _in_every_language(N_("chips to try the site with"), " / ")
        ledger.issue_chips(key=key, wallet=wallet, amount=chips, by=treasurer, reference=reference)


def _play_matches() -> None:
    """Play two matches through the services of the tables, every card of them dealt and played by the rules."""
    people = {user.username: user for user in User.objects.filter(memberships__club=FIRST_CLUB)}
    four = [people[name] for name in MEMBERS]
    _play("least_score", four[:3], 0, rated=True, options={"match": "first_out", "threshold": 25})
    _play("three_card_loo", four, 1, rated=False, options={"rotations": 1})


def _play(game: str, members: list[User], bots: int, *, rated: bool, options: dict[str, Any]) -> None:
    table = games.open_table(
        game=game,
        options=options,
        clock="club",
        members=dict(enumerate(members, 1)),
        bots={len(members) + number: LEVEL for number in range(1, bots + 1)},
        opened_by=members[0],
        rated=rated,
        pace_ms=0,
        bot_think_ms=0,
    )
    for _step in range(MOST_STEPS):
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            return
        if table.status == Table.Status.PLAYING:
            _move(table)
        else:
            games.start_due_deal(table_id=table.pk, turn_version=table.turn_version)
    raise RuntimeError(f"the match at table {table.pk} does not end")


def _move(table: Table) -> None:
    """Play for the seat on turn: a bot by itself, for a member what a bot would choose with that member's view."""
    seat = table.seats.select_related("user").get(number=table.turn_seat or 0)
    if seat.played_by_bot or seat.user is None:
        games.play_bot(table_id=table.pk, turn_version=table.turn_version)
        return
    running = tables.running(table)
    assert running is not None
    rules = GAMES[table.game]
    view, moves = rules.view_for(running.state, seat.number), rules.legal_moves(running.state)
    dice = random.Random(f"{table.commitment}/{table.version}")
    games.play_move(
        table_id=table.pk,
        user_id=seat.user.pk,
        move=choose(table.game, LEVEL, view, moves, dice, BUDGET),
        version=table.version,
        command_id=uuid4(),
    )


def _invite(owner: User) -> None:
    """Leave something to join: a table with a free seat, and an event that is open."""
    dora = User.objects.get(username="dora")
    games.open_table(
        game="least_score",
        options={},
        clock="relaxed",
        members={1: dora},
        bots={2: LEVEL, 3: LEVEL},
        seats=4,
        opened_by=dora,
        listed=True,
    )
    name = _in_every_language(N_("Club evening"), " / ")
    evening = events.create_tournament(
        by=owner, name=name, game="least_score", size_min=3, size_ideal=4, size_max=4, rounds=2
    )
    events.open_registration(tournament_id=evening.pk, by=owner)
    for username in ("anna", "bert"):
        events.register(tournament_id=evening.pk, user=User.objects.get(username=username))


def _in_every_language(text: str, between: str) -> str:
    """Return what the club says to people of all languages: it is kept as it was written, and everybody reads the same."""
    said = []
    for code, _name in settings.LANGUAGES:
        with override(code):
            said.append(_(text))
    return between.join(said)
