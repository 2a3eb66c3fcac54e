"""Alarms of the clock: set when a moment is near, by the commit or by the sweep before it; and who sweeps when."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db.models import F

from games import schedule, services
from games.models import SweepMark, Table
from games.services import clockwork
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


def test_a_turn_that_is_due_late_costs_no_alarm_until_its_end_is_near(
    queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Longer than the test lasts on any machine, and much shorter than a turn.
    monkeypatch.setattr(schedule, "ALARM_HORIZON", dt.timedelta(seconds=60))
    table = on_turn("least_score", member("mari"))
    queue.delete("clock")
    services.sweep()
    assert alarms(queue) == []
    due_in(table, 50)
    services.sweep()
    assert alarms(queue) == [("play_time_out", str(table.pk))]


def test_the_next_deal_gets_its_alarm_with_the_commit_when_it_is_near(queue: redis.Redis) -> None:
    table = open_table("least_score", member("mari"))
    assert alarms(queue) == [("start_deal", str(table.pk))]


def test_a_late_sweep_is_made_good_and_one_in_time_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """With minutes for seconds, so that what the test itself takes is not late."""
    assert clockwork.NEXT_SWEEP < clockwork.LATE_SWEEP < dt.timedelta(seconds=clockwork.OUTAGE_SECONDS)
    monkeypatch.setattr(clockwork, "NEXT_SWEEP", dt.timedelta(minutes=3))
    monkeypatch.setattr(clockwork, "LATE_SWEEP", dt.timedelta(minutes=10))
    table = open_table("least_score", member("mari"))
    assert not services.sweep_if_late(), "a site at which nothing was swept yet has no late sweep"
    services.give_back_outage()
    assert not services.sweep_if_late() and not services.sweep_if_late(again=True)
    SweepMark.objects.update(at=F("at") - dt.timedelta(minutes=20))
    assert services.sweep_if_late()
    table.refresh_from_db()
    assert table.status == Table.Status.PLAYING
    assert not services.sweep_if_late()
    SweepMark.objects.update(at=F("at") - dt.timedelta(minutes=5))
    assert not services.sweep_if_late(), "half the time is not late"
    assert services.sweep_if_late(again=True), "but who sweeps for the workers does not wait so long"
