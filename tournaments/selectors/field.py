"""The field of an event: who is in, who met whom, what was scored. Players are entry numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import F

from tournaments.models import Entry, EventTable, KeptApart, KnockedOut, Result, Round, Tournament
from tournaments.rules.elimination import KnockOut
from tournaments.rules.meetings import Pair
from tournaments.rules.meetings import Round as Seatings
from tournaments.rules.rotation import DealSeen
from tournaments.rules.standings import TableResult


def players_in(tournament: Tournament, entries: Iterable[Entry], number: int) -> list[int]:
    """Return who is to be drawn for round ``number``: entered, there (or played by a bot), not about to leave."""
    anyway = not tournament.check_in_needed or tournament.absent == Tournament.Absent.BOT
    return [
        entry.number
        for entry in entries
        if entry.counts
        and not entry.leaving
        and entry.first_round <= number
        and (entry.present or entry.is_bot or anyway)
    ]


def missing_from(tournament: Tournament, entries: Iterable[Entry]) -> list[Entry]:
    """Return who loses the place when check-in closes: everybody who has not come, those who wait for a place last."""
    if not tournament.check_in_needed or tournament.absent == Tournament.Absent.BOT:
        return []
    absent = [entry for entry in entries if not entry.present and not entry.is_bot]
    waiting = [entry for entry in absent if entry.status == Entry.Status.WAITING]
    return [entry for entry in absent if entry.counts] + waiting


def pairs_apart(tournament: Tournament) -> list[Pair]:
    """Return the pairs that should not meet."""
    rows = KeptApart.objects.filter(tournament=tournament).values_list("first__number", "second__number")
    return [(min(pair), max(pair)) for pair in rows]


def released_rounds(tournament: Tournament, before: int | None = None) -> list[Round]:
    """Return the rounds that are released and not undone, in order, up to but without round ``before``."""
    rows = Round.objects.filter(tournament=tournament, current__isnull=False).select_related("draw")
    return list((rows if before is None else rows.filter(number__lt=before)).order_by("number"))


def tables_of(round: Round) -> list[EventTable]:
    """Return the tables of the release of a round that counts."""
    return list(EventTable.objects.filter(round=round, take=round.current or 0).order_by("number"))


def history_of(tournament: Tournament, before: int | None = None) -> tuple[Seatings, ...]:
    """Return who sat with whom in the rounds before round ``before``, as they began."""
    rounds: dict[int, list[tuple[int, ...]]] = {r.number: [] for r in released_rounds(tournament, before)}
    for number, seats in (
        EventTable.objects.filter(round__tournament=tournament, take=F("round__current"))
        .order_by("round__number", "number")
        .values_list("round__number", "seats")
    ):
        if number in rounds:
            rounds[number].append(tuple(seats))
    return tuple(tuple(tables) for _number, tables in sorted(rounds.items()) if tables)


def results_of(tournament: Tournament, round_number: int | None = None) -> list[Result]:
    """Return the newest version of every result that counts, by round, table and deal."""
    rows = Result.objects.filter(
        event_table__round__tournament=tournament,
        event_table__take=F("event_table__round__current"),
    ).exclude(event_table__state=EventTable.State.VOID)
    if round_number is not None:
        rows = rows.filter(event_table__round__number=round_number)
    newest = rows.order_by("event_table_id", "number", "-version").distinct("event_table_id", "number")
    kept = [result for result in newest.select_related("event_table__round") if not result.struck]
    return sorted(
        kept, key=lambda r: (r.event_table.round.number, r.event_table.number, r.number, r.event_table_id)
    )


def deals_entered(table: EventTable) -> list[Result]:
    """Return the newest version of each deal of a table, struck ones too, in order."""
    rows = Result.objects.filter(event_table=table, kind=Result.Kind.DEAL)
    return list(rows.order_by("number", "-version").distinct("number"))


def table_scores(results: Sequence[Result], seats: Sequence[int] = ()) -> dict[int, int]:
    """Return what one table's results add up to, everybody in ``seats`` at least with 0.

    A whole round's result stands for all deals of its table.
    """
    whole = [result for result in results if result.kind == Result.Kind.WHOLE]
    total = dict.fromkeys(seats, 0)
    for result in whole or results:
        for player, score in result.scores.items():
            total[int(player)] = total.get(int(player), 0) + score
    return total


def by_table(results: Iterable[Result]) -> dict[int, list[Result]]:
    """Return results by the id of their table."""
    tables: dict[int, list[Result]] = {}
    for result in results:
        tables.setdefault(result.event_table_id, []).append(result)
    return tables


def totals_of(results: Iterable[Result]) -> dict[int, int]:
    """Return the sum of all scores of each player who has any."""
    total: dict[int, int] = {}
    for own in by_table(results).values():
        for player, score in table_scores(own).items():
            total[player] = total.get(player, 0) + score
    return total


def table_results(results: Iterable[Result]) -> list[TableResult]:
    """Return results as the standings take them: what each player scored at his table of a round."""
    found = []
    for own in by_table(results).values():
        table = own[0].event_table
        found.append(TableResult(table.round.number, table_scores(own, table.seats)))
    return found


def deals_seen(results: Iterable[Result]) -> list[DealSeen]:
    """Return the deals that were dealt: the ledger of dealers counts them (``rotation.deals_and_owed``)."""
    return [
        DealSeen(result.dealer, tuple(result.players))
        for result in results
        if result.dealer is not None and result.kind == Result.Kind.DEAL
    ]


def knock_outs_of(tournament: Tournament) -> list[KnockOut]:
    """Return the knock-outs that count, in order, as the rules take them."""
    rows = KnockedOut.objects.filter(round__tournament=tournament, take=F("round__current"))
    kept: list[KnockedOut] = []
    for row in rows.select_related("round").order_by("round__number", "number"):
        if row.why == "reopened":
            kept = [each for each in kept if each.round_id != row.round_id or each.why != "cut"]
        else:
            kept.append(row)
    return [KnockOut(tuple(tuple(group) for group in row.out), tuple(row.survivors)) for row in kept]


def gone_by(knock_outs: Iterable[KnockOut]) -> set[int]:
    """Return everybody who was knocked out."""
    return {player for step in knock_outs for group in step.out for player in group}


def rounds_missed(
    seatings: Mapping[int, Seatings], sitting: Mapping[int, Iterable[int]], player: int
) -> list[int]:
    """Return the numbers of the rounds that a player neither played nor sat out because tables were full."""
    return [
        number
        for number, tables in seatings.items()
        if all(player not in table for table in tables) and player not in set(sitting.get(number, ()))
    ]
