"""Alarms of the clock: set when a moment is near, by the commit or by the sweep before it; and who sweeps when."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db.models import F

from games import services
from games.models import SweepMark, Table
from tests.games.tables import member, on_turn, open_table

pytestmark = pytest.mark.committed


@pytest.fixture
def queue() -> Any:
    """The clock's queue in the broker, empty."""
    broker = redis.Redis.from_url(settings.REDIS_URL)
    broker.delete("clock")
    yield broker
    broker.delete("clock")


def alarms(queue: redis.Redis) -> list[tuple[str, str]]:
    """Return task and table of every alarm that waits in the queue."""
    sent: list[Any] = queue.lrange("clock", 0, -1)  # type: ignore[assignment]
    headers = [json.loads(message)["headers"] for message in sent]
    return [(head["task"].rpartition(".")[2], head["argsrepr"].split("'")[1]) for head in headers]


def due_in(table: Table, seconds: float) -> None:
    now = dt.datetime.now(dt.UTC)
    Table.objects.filter(pk=table.pk).update(due_at=now + dt.timedelta(seconds=seconds))


def test_a_turn_that_is_due_late_costs_no_alarm_until_its_end_is_near(queue: redis.Redis) -> None:
    table = on_turn("least_score", member("mari"))
    queue.delete("clock")
    services.sweep()
    assert alarms(queue) == []
    due_in(table, 1.5)
    services.sweep()
    assert alarms(queue) == [("play_time_out", str(table.pk))]


def test_the_next_deal_gets_its_alarm_with_the_commit_when_it_is_near(queue: redis.Redis) -> None:
    table = open_table("least_score", member("mari"))
    assert alarms(queue) == [("start_deal", str(table.pk))]


def test_a_late_sweep_is_made_good_and_one_in_time_is_not_repeated() -> None:
    table = open_table("least_score", member("mari"))
    assert not services.sweep_if_late(), "a site at which nothing was swept yet has no late sweep"
    services.give_back_outage()
    assert not services.sweep_if_late() and not services.sweep_if_late(again=True)
    SweepMark.objects.update(at=F("at") - dt.timedelta(seconds=2))
    assert services.sweep_if_late()
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    assert not services.sweep_if_late()
    SweepMark.objects.update(at=F("at") - dt.timedelta(seconds=0.5))
    assert not services.sweep_if_late(), "half a second is not late"
    assert services.sweep_if_late(again=True), "but who sweeps for the workers does not wait so long"
