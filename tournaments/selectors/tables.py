"""Rounds and tables as pages show them: seats with names, results so far, where a player has to be now."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Count, Q

from clubs.models import User
from tournaments.models import Entry, EventTable, KnockedOut, Result, Round, Sitting, Tournament
from tournaments.rules.floor import load_table
from tournaments.selectors.events import entries_of
from tournaments.selectors.field import by_table, results_of, table_scores, tables_of, totals_of


@dataclass(frozen=True)
class SeatView:
    """A seat of a table: its number from 1, who sits there, the score at this table and the total of the event."""

    number: int
    entry: Entry
    score: int
    total: int
    first_dealer: bool
    deals_next: bool = False


@dataclass(frozen=True)
class TableView:
    """A table of a round. ``site_table`` is where it is played online now; ``deals`` how many are entered of ``deals_due``."""

    table: EventTable
    seats: tuple[SeatView, ...]
    deals: int
    deals_due: int | None
    site_table: UUID | None
    past_tables: tuple[UUID, ...] = ()

    @property
    def scored(self) -> bool:
        """Whether there is a result to show: before the first one everybody's nought says nothing."""
        return self.table.pk is not None and (
            self.deals > 0 or any(seat.score or seat.total for seat in self.seats)
        )


@dataclass(frozen=True)
class RoundView:
    """A round: its tables, who sits out, who is out of the event since this round."""

    round: Round
    tables: tuple[TableView, ...]
    sitting_out: tuple[Entry, ...]
    knocked_out: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Whereabouts:
    """Where a player has to be: at a table, sitting out, or nowhere. ``site_table`` is the link to play at."""

    tournament: Tournament
    round: Round
    entry: Entry
    table: EventTable | None = None
    seat: int | None = None
    site_table: UUID | None = None
    sits_out: bool = False
    waits: bool = False


@dataclass(frozen=True)
class DealLine:
    """All versions of a deal's result, the newest last."""

    number: int
    versions: tuple[Result, ...] = field(default_factory=tuple)

    @property
    def newest(self) -> Result:
        """The version that counts."""
        return self.versions[-1]


def round_view(row: Round) -> RoundView:
    """Return a round as its page shows it; before the release the tables are those that were drawn."""
    entries = {entry.number: entry for entry in entries_of(row.tournament)}
    sitting = tuple(entries[number] for number in row.sitting_out)
    if row.current is None:
        drawn = [_drawn_table(row, n, seats, entries) for n, seats in enumerate(row.drawn_tables, 1)]
        return RoundView(row, tuple(drawn), sitting)
    results = results_of(row.tournament)
    totals = totals_of(results)
    own = by_table(r for r in results if r.event_table.round_id == row.pk)
    sittings: dict[int, list[Sitting]] = {}
    for each in Sitting.objects.filter(event_table__round=row, event_table__take=row.current).order_by("id"):
        sittings.setdefault(each.event_table_id, []).append(each)
    played = _deals_played(row)
    tables = [
        _table_view(
            table,
            entries,
            own.get(table.pk, []),
            totals,
            sittings.get(table.pk, []),
            played.get(table.pk, 0),
        )
        for table in tables_of(row)
    ]
    outs = KnockedOut.objects.filter(round=row, take=row.current)
    gone = [entries[player] for step in outs for group in step.out for player in group]
    return RoundView(row, tuple(tables), sitting, tuple(e for e in gone if not e.counts))


def deals_of(table: EventTable) -> list[DealLine]:
    """Return the results of a table, all versions, in order."""
    rows = Result.objects.filter(event_table=table).select_related("by").order_by("number", "version")
    lines: dict[int, list[Result]] = {}
    for row in rows:
        lines.setdefault(row.number, []).append(row)
    return [DealLine(number, tuple(versions)) for number, versions in lines.items()]


def next_deal(table: EventTable) -> tuple[int, int, list[int]]:
    """Return number, dealer and players (entry numbers, in seat order) of the deal to be entered next at the club."""
    done = Result.objects.filter(event_table=table, kind=Result.Kind.DEAL, version=1).count()
    return deal_after(table, done)


def deal_after(table: EventTable, done: int) -> tuple[int, int, list[int]]:
    """Return number, dealer and players of the deal that follows ``done`` deals at a table."""
    if table.floor is None:
        return done + 1, table.seats[done % len(table.seats)], list(table.seats)
    floor = load_table(table.floor)
    dealer = floor.seats[floor.dealer] if floor.in_deal else None
    dealt_to = (
        list((table.floor or {}).get("dealt_to", floor.players)) if floor.in_deal else list(floor.players)
    )
    return done + 1, dealer or 0, dealt_to


def whereabouts(tournament: Tournament, user: User) -> Whereabouts | None:
    """Return where a member has to be in the round that is played now; ``None`` when not in it."""
    row = (
        Round.objects.filter(tournament=tournament, state=Round.State.PLAYING).select_related("draw").first()
    )
    mine = Entry.objects.filter(tournament=tournament).filter(Q(user=user) | Q(substitute=user)).first()
    if row is None or mine is None:
        return None
    for table in tables_of(row):
        seats = _seats_now(table)
        if mine.number in seats and table.state != EventTable.State.DONE:
            site = Sitting.objects.filter(event_table=table, open=True).first()
            here = site.table_id if site is not None and mine.number in site.seats else None
            seat = seats.index(mine.number) + 1
            return Whereabouts(tournament, row, mine, table, seat, here, waits=table.held)
    return Whereabouts(tournament, row, mine, sits_out=mine.number in row.sitting_out)


def my_tables(user: User) -> list[Whereabouts]:
    """Return where a member has to be in all events that are running."""
    entries = Entry.objects.filter(Q(user=user) | Q(substitute=user)).filter(
        tournament__state=Tournament.State.RUNNING, status=Entry.Status.ENTERED
    )
    found = [whereabouts(entry.tournament, user) for entry in entries.select_related("tournament")]
    return [place for place in found if place is not None and place.table is not None]


def event_of_site_table(table_id: UUID) -> EventTable | None:
    """Return the table of an event that is, or was, played at a table of the site."""
    found = Sitting.objects.filter(table_id=table_id).select_related("event_table__round__tournament").first()
    return None if found is None else found.event_table


def _deals_played(row: Round) -> dict[int, int]:
    """Return how many deals of each table of a round are entered, those that were struck too."""
    rows = Result.objects.filter(
        event_table__round=row, event_table__take=row.current or 0, kind=Result.Kind.DEAL, version=1
    )
    return dict(
        rows.order_by().values_list("event_table").annotate(n=Count("pk")).values_list("event_table", "n")
    )


def _seats_now(table: EventTable) -> list[int | None]:
    """Return who sits where now: in an elimination with empty seats between."""
    return list(load_table(table.floor).seats) if table.floor else list(table.seats)


def _table_view(
    table: EventTable,
    entries: dict[int, Entry],
    results: list[Result],
    totals: dict[int, int],
    sittings: list[Sitting],
    played: int,
) -> TableView:
    scores = table_scores(results, table.seats)
    open_now = next((each.table_id for each in sittings if each.open), None)
    playing = table.state == EventTable.State.PLAYING
    _number, dealer, _players = deal_after(table, played) if playing else (0, 0, [])
    seats = tuple(
        SeatView(n, entries[p], scores.get(p, 0), totals.get(p, 0), p == table.seats[0], p == dealer)
        for n, p in enumerate(_seats_now(table), 1)
        if p is not None
    )
    deals = sum(result.kind == Result.Kind.DEAL for result in results)
    past = tuple(each.table_id for each in sittings if not each.open)
    return TableView(table, seats, deals, table.deals_due, open_now, past)


def _drawn_table(row: Round, number: int, seats: list[int], entries: dict[int, Entry]) -> TableView:
    """Return a table that is drawn and not released; it is not in the database yet."""
    table = EventTable(round=row, take=0, number=number, seats=seats)
    views = tuple(SeatView(n, entries[p], 0, 0, n == 1) for n, p in enumerate(seats, 1))
    return TableView(table, views, 0, None, None)
