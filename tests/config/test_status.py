"""The keeper's page: who sees it, and how the last hour's samples become charts."""

from __future__ import annotations

import re
import time

import pytest
import redis
from django.conf import settings as django_settings
from prometheus_client import CollectorRegistry, Counter, Histogram

from clubs.models import User
from config import pulse, samples, status_charts
from config.celery import sample


@pytest.fixture
def line():
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        client.delete(samples.KEY)
        yield client
        client.delete(samples.KEY, *client.scan_iter("pulse:*"))


class Process:
    """A process with numbers of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.moves = Counter("cardclub_moves", "", ["game", "by", "outcome"], registry=self.registry)
        self.saved = Histogram(
            "cardclub_move_committed_seconds", "", buckets=(0.01, 0.1, 1), registry=self.registry
        )

    def counted(self):
        return [[f.name, f.type, "", [s[:3] for s in f.samples]] for f in self.registry.collect()]


def minute(number: int, *lately: float) -> samples.Minute:
    buckets = {
        f"cardclub_move_committed_seconds_bucket/{end}": n
        for end, n in zip((0.01, 0.1, "inf"), lately, strict=False)
    }
    return samples.Minute(
        number * 60.0, {"cardclub_moves_total/played": float(number), **buckets}, {"tables": 2.0}
    )


@pytest.mark.django_db
def test_a_minute_is_what_was_counted_since_the_one_before_whichever_process_started_anew(line, monkeypatch):
    first, second = Process(), Process()
    now = time.time()
    for at, (one, two) in enumerate([(5, 1), (7, 2)]):
        monkeypatch.setattr(samples.time, "time", lambda at=at: now + 60 * at)
        first.moves.labels("loo", "bot", "played").inc(one)
        second.moves.labels("loo", "person", "played").inc(two)
        second.moves.labels("loo", "person", "stale").inc()
        pulse.beat(line, "web", first.counted)
        pulse.beat(line, "bots", second.counted)
        sample()
    [found] = samples.minutes(60)
    assert found.sum("cardclub_moves_total", label="played") == 9
    assert found.sum("cardclub_moves_total") == 10
    anew = Process()
    anew.moves.labels("loo", "bot", "played").inc(3)
    pulse.beat(line, "web", anew.counted)
    monkeypatch.setattr(samples.time, "time", lambda: now + 120)
    sample()
    assert samples.minutes(60)[-1].sum("cardclub_moves_total", label="played") == 3


@pytest.mark.django_db
def test_after_a_gap_nothing_is_said_of_what_happened_in_it(line, monkeypatch):
    now = time.time()
    for at in (0, 60, 60 + samples.LONGEST_GAP + 1):
        monkeypatch.setattr(samples.time, "time", lambda at=at: now + at)
        sample()
    assert [round(m.at - now) for m in samples.minutes(60)] == [60]


@pytest.mark.django_db
def test_samples_are_kept_for_two_hours_and_no_longer(line):
    line.rpush(samples.KEY, *["[0, {}, {}]"] * (samples.KEPT + 5))
    sample()
    assert line.llen(samples.KEY) == samples.KEPT


@pytest.mark.parametrize(("part", "end"), [(0.5, 0.01), (0.99, 0.1), (1.0, float("inf"))])
def test_a_quantile_is_the_end_of_its_class(part, end):
    assert minute(1, 50, 99, 100).quantile("cardclub_move_committed_seconds", part) == end
    assert minute(1).quantile("cardclub_move_committed_seconds", part) is None


def test_a_chart_draws_each_minute_in_its_column_up_to_the_highest():
    drawn = status_charts.chart("moves", [minute(n) for n in range(1, 61)], until=60 * 60.0)
    assert len(drawn.bars) == 60 and drawn.most == 60 and drawn.now == 60
    assert drawn.bars[-1].y == status_charts.TOP and drawn.bars[-1].x > drawn.bars[0].x
    assert drawn.bars[0].height == pytest.approx(2, abs=0.1)
    assert [(row.at, row.most) for row in drawn.rows] == [(600.0 * n, 10.0 * n) for n in range(1, 7)]
    assert drawn.rows[0].mean == 5.5


def test_minutes_long_ago_or_without_anything_to_measure_are_not_drawn():
    long_ago = [minute(n) for n in range(1, 4)]
    assert status_charts.chart("moves", long_ago, until=3 * 3600.0).bars == []
    assert status_charts.chart("committed", long_ago, until=240.0).bars == []
    # Beyond the last class nothing is known but that it was long.
    slow = status_charts.chart("committed", [minute(1, 0, 5, 5), minute(2, 0, 0, 5)], until=180.0)
    assert len(slow.bars) == 2 and slow.most == 100


# --- The page -----------------------------------------------------------------------------------------------------
@pytest.fixture
def keeper(db) -> User:
    return User.objects.create_superuser(username="keeper", password="a good long password")


@pytest.mark.django_db
def test_only_superusers_see_it(client, keeper, line):
    assert client.get("/status/").status_code == 302
    client.force_login(
        User.objects.create_user(username="mari", password="a good long password", is_staff=True)
    )
    assert client.get("/status/").status_code == 403
    assert "/status/" not in client.get("/").content.decode()
    client.force_login(keeper)
    assert client.get("/status/").status_code == 200
    assert "/status/" in client.get("/").content.decode()


def test_it_shows_what_the_doctor_finds_and_every_chart_with_its_table(client, keeper, line, settings):
    settings.SECRET_KEY = "short"
    client.force_login(keeper)
    process = Process()
    process.moves.labels("loo", "bot", "played").inc()
    pulse.beat(line, "web", process.counted)
    sample()
    text = client.get("/status/").content.decode()
    assert "secret_key_weak" in text and 'class="failure"' in text
    assert "<code>" in text and "`" not in text  # Commands are told apart, not put between signs.
    assert text.count('role="img" aria-labelledby="chart-') == len(status_charts.KINDS)
    assert text.count("<tbody>") == len(status_charts.KINDS) + 1
    assert not re.search(r"<[^>]+ style=", text)


def test_it_can_be_read_while_redis_is_away(client, keeper, settings):
    client.force_login(keeper)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    text = client.get("/status/").content.decode()
    assert "redis_away" in text and "Nothing can be drawn while Redis is away." in text
