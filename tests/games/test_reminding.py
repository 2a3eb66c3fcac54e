"""Members who are away from a table with a day a move are told that it is their turn."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from clubs.models import Notice, User
from games import services
from games.models import Seat, Table
from games.presence import Seen
from games.services import reminding
from tests.games.tables import first_legal, member, on_turn, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> tuple[Table, User]:
    """A table with a day a move that has waited for Mari for an hour, and nobody looks at it."""
    monkeypatch.setattr(reminding, "seats_seen", lambda table_id: Seen(frozenset(), frozenset()))
    mari = member("mari")
    table = on_turn("least_score", mari)
    Table.objects.filter(pk=table.pk).update(
        clock="days", turn_started_at=timezone.now() - dt.timedelta(hours=1)
    )
    return table, mari


def test_a_turn_is_told_once_and_is_over_with_the_move(waiting: tuple[Table, User]) -> None:
    table, mari = waiting
    assert [services.remind_turns(), services.remind_turns()] == [1, 0]
    told = Notice.objects.get()
    assert told.user == mari and told.address == f"/tables/{table.pk}/" and told.read_at is None
    play(table, mari, first_legal(table))
    services.remind_turns()
    told.refresh_from_db()
    assert told.read_at is not None and Notice.objects.count() == 1


@pytest.mark.parametrize(
    ("table", "seat", "told"),
    [
        ({"clock": "relaxed"}, {}, 0),
        ({"clock": "blitz"}, {}, 0),
        ({"turn_started_at": dt.timedelta(minutes=9)}, {}, 0),
        ({"turn_started_at": dt.timedelta(minutes=11)}, {}, 1),
        ({}, {"stand_in": True}, 0),
        ({}, {"left": True}, 0),
        (
            {
                "paused_at": dt.timedelta(0),
                "pause_until": dt.timedelta(minutes=-9),
                "pause_left_ms": 9,
                "due_at": None,
            },
            {},
            0,
        ),
    ],
)
def test_only_a_member_who_must_move_for_long_at_a_slow_table_is_told(
    waiting: tuple[Table, User], table: dict[str, Any], seat: dict[str, Any], told: int
) -> None:
    played, mari = waiting
    now = timezone.now()
    changes = {
        name: now - value if isinstance(value, dt.timedelta) else value for name, value in table.items()
    }
    if changes:
        Table.objects.filter(pk=played.pk).update(**changes)
    if seat:
        Seat.objects.filter(table=played, user=mari).update(**seat)
    assert services.remind_turns() == told


def test_who_sits_at_the_table_is_told_when_gone(
    waiting: tuple[Table, User], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {"here": frozenset({1})}
    monkeypatch.setattr(reminding, "seats_seen", lambda table_id: Seen(seen["here"], frozenset()))
    assert services.remind_turns() == 0
    seen["here"] = frozenset()
    assert services.remind_turns() == 1
