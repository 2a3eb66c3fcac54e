"""The keeper's charts: what is drawn of the last hour, and where each bar stands. Values in, geometry out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from config.samples import Minute

WIDTH, HEIGHT, BASE, TOP = 600, 150, 130, 10
MINUTES = 60
ROWS = 6


class Kind(NamedTuple):
    """One chart: its title, the unit, and the value of a minute (None: nothing to measure)."""

    title: str | Promise
    unit: str | Promise
    value: Callable[[Minute], float | None]


def _milliseconds(name: str, part: float) -> Callable[[Minute], float | None]:
    def value(minute: Minute) -> float | None:
        seconds = minute.quantile(name, part)
        return None if seconds is None else seconds * 1000

    return value


def _refusals(minute: Minute) -> float:
    return sum(minute.sum(f"cardclub_{what}_refusals_total") for what in ("table", "event", "ledger"))


def _sockets(minute: Minute) -> float:
    return sum(n for name, n in minute.stands.items() if name.startswith("cardclub_sockets/"))


def _waiting(minute: Minute) -> float:
    return max((n for name, n in minute.stands.items() if name.startswith("queue/")), default=0.0)


KINDS = {
    "moves": Kind(_l("Moves"), _l("a minute"), lambda m: m.sum("cardclub_moves_total", label="played")),
    "committed": Kind(
        _l("A move until it is saved, 99 of 100"),
        _l("ms, at most"),
        _milliseconds("cardclub_move_committed_seconds", 0.99),
    ),
    "shown": Kind(
        _l("A move until everybody sees it, 99 of 100"),
        _l("ms, at most"),
        _milliseconds("cardclub_move_shown_seconds", 0.99),
    ),
    "sockets": Kind(_l("Open sockets"), _l("at once"), _sockets),
    "tables": Kind(_l("Open tables"), _l("at once"), lambda m: m.stands.get("tables")),
    "refusals": Kind(_l("Refusals"), _l("a minute"), _refusals),
    "requests": Kind(_l("Pages"), _l("a minute"), lambda m: m.sum("cardclub_http_requests_total")),
    "errors": Kind(
        _l("Pages that failed"), _l("a minute"), lambda m: m.sum("cardclub_http_requests_total", label="5")
    ),
    "sweep": Kind(
        _l("Longest time between two sweeps"),
        _l("ms, at most"),
        _milliseconds("cardclub_sweep_gap_seconds", 1.0),
    ),
    "queue": Kind(_l("Longest queue"), _l("tasks"), _waiting),
    "seals": Kind(_l("Oldest transaction without a seal"), _l("s"), lambda m: m.stands.get("seal_lag")),
}


class Bar(NamedTuple):
    """One minute's rectangle."""

    x: float
    y: float
    width: float
    height: float


class Row(NamedTuple):
    """Ten minutes in the table: their end (Unix seconds), the mean and the most of their minutes."""

    at: float
    mean: float | None
    most: float | None


class Chart(NamedTuple):
    """What the template draws: `most` is the value of a bar that reaches the top."""

    name: str
    title: str | Promise
    unit: str | Promise
    bars: list[Bar]
    rows: list[Row]
    most: float
    now: float | None


def chart(name: str, minutes: Sequence[Minute], *, until: float) -> Chart:
    """Return the chart `name` of the hour that ends at `until` (Unix seconds)."""
    kind = KINDS[name]
    values: list[tuple[float, float]] = []
    for minute in minutes:
        value = kind.value(minute)
        if value is not None:
            values.append((minute.at, value))
    finite = [value for _at, value in values if value != float("inf")]
    most = max(finite, default=0.0) or 1.0
    bars = [_bar(at, min(value, most), most, until) for at, value in values if until - at < MINUTES * 60]
    now = values[-1][1] if values and until - values[-1][0] < 120 else None
    return Chart(name, kind.title, kind.unit, bars, _rows(values, until), max(finite, default=0.0), now)


def _bar(at: float, value: float, most: float, until: float) -> Bar:
    width = WIDTH / MINUTES
    column = MINUTES - 1 - int((until - at) // 60)
    height = value / most * (BASE - TOP)
    return Bar(round(column * width + 1, 1), round(BASE - height, 1), width - 2, round(height, 1))


def _rows(values: Sequence[tuple[float, float]], until: float) -> list[Row]:
    length = MINUTES * 60 / ROWS
    rows = []
    for row in range(ROWS):
        end = until - (ROWS - 1 - row) * length
        inside = [value for at, value in values if end - length < at <= end]
        mean = sum(inside) / len(inside) if inside else None
        rows.append(Row(end, mean, max(inside, default=None)))
    return rows
