"""Members, sessions and tables for measurements, made by the product's own services in the site's database."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

GAMES = ("three_card_loo", "least_score")
LONG = {"three_card_loo": {"rotations": 5}, "least_score": {}}
"""Options with which a match outlasts a measurement."""


@dataclass(frozen=True)
class Person:
    """A signed-in member: the id and the key of the session."""

    user: Any
    session: str


@dataclass(frozen=True)
class OpenTable:
    """A table with the members in its seats, by seat number."""

    id: UUID
    game: str
    seated: dict[int, Person]


def use_site(environment: dict[str, str]) -> None:
    """Make Django in this process use the site's engines; to be called once, before anything else here."""
    os.environ.clear()
    os.environ.update(environment)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()


def make_people(number: int, *, prefix: str) -> list[Person]:
    """Create ``number`` members with a session each."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from clubs.models import User

    people = []
    for index in range(number):
        user = User(username=f"{prefix}{index}", display_name=f"{prefix} {index}")
        user.set_unusable_password()
        user.save()
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        assert session.session_key
        people.append(Person(user, session.session_key))
    return people


def open_table(
    index: int, people: Sequence[Person], *, seats: int, bots: int, clock: str, pace_ms: int
) -> OpenTable:
    """Open table number ``index`` of a measurement: the games take turns, and so do members in the list of ``people``."""
    from games import services

    game = GAMES[index % len(GAMES)]
    held = sorted(random.Random(index).sample(range(1, seats + 1), seats - bots))
    start = index * len(held)
    seated = {seat: people[(start + place) % len(people)] for place, seat in enumerate(held)}
    table = services.open_table(
        game=game,
        options=LONG[game],
        clock=clock,
        members={seat: person.user for seat, person in seated.items()},
        bots={seat: "steady" for seat in range(1, seats + 1) if seat not in seated},
        opened_by=None,
        pace_ms=pace_ms,
    )
    return OpenTable(table.id, game, seated)


def close_tables(tables: Sequence[OpenTable]) -> None:
    """End the tables, so that their clocks trouble no later measurement."""
    from games import services

    for table in tables:
        services.close_table(table_id=table.id)


def moves_in(tables: Sequence[OpenTable]) -> int:
    """Return how many moves were made at the tables, by whomever."""
    from games.models import LogEntry

    return LogEntry.objects.filter(
        table_id__in=[table.id for table in tables], seat__gt=0, ply__isnull=False
    ).count()


def log_of(table: OpenTable) -> dict[int, list[dict[str, Any]]]:
    """Return the events of every entry of a table's log, by version."""
    from games.models import LogEntry

    rows = LogEntry.objects.filter(table_id=table.id).order_by("version")
    return dict(rows.values_list("version", "events"))


def running_deals(tables: Sequence[OpenTable]) -> set[tuple[UUID, int]]:
    """Return table and number of every deal of ``tables`` that is being played."""
    from games.models import Table

    wanted = Table.objects.filter(id__in=[table.id for table in tables], status=Table.Status.PLAYING)
    return set(wanted.values_list("id", "deal_number"))
