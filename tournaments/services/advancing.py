"""Who advances when a round of an elimination is confirmed: by the threshold, by table, or the best of all."""

from __future__ import annotations

from tournaments.models import Round, Tournament
from tournaments.rules.cuts import Cut, cut_best, cut_tables
from tournaments.rules.elimination import knock_out
from tournaments.rules.floor import load_table
from tournaments.selectors.field import (
    by_table,
    gone_by,
    knock_outs_of,
    results_of,
    table_scores,
    tables_of,
    totals_of,
)
from tournaments.services.knock_outs import record_knock_out
from tournaments.services.locked import LockedTournament

Key = tuple[int, int]


def decide_who_advances(locked: LockedTournament, row: Round) -> None:
    """Let those leave who do not advance; the last round decides by itself."""
    tournament = locked.tournament
    if not tournament.eliminates or row.number >= tournament.rounds:
        return
    _judge_corrected(locked, row)
    if tournament.advance == Tournament.Advance.UNDER:
        return
    ranked = _ranked_tables(tournament, row)
    seed = locked.lot()
    cuts = _cuts(tournament, ranked, seed)
    keys = {player: key for table in ranked for key, player in table}
    out = sorted((keys[player], player) for cut in cuts for player in cut.out)
    groups: list[list[int]] = []
    for n, (key, player) in enumerate(out):
        if n and key == out[n - 1][0]:
            groups[-1].append(player)
        else:
            groups.append([player])
    live = set(keys) - {player for _key, player in out}
    if groups:
        by_lot = any(cut.method == "lot" for cut in cuts)
        record_knock_out(locked, row, groups, live, "cut", seed if by_lot else None)


def _judge_corrected(locked: LockedTournament, row: Round) -> None:
    """Let those leave whom a correction has put above the threshold after the last deal of their table."""
    threshold = locked.tournament.threshold_of(row.number)
    if threshold is None:
        return
    totals = totals_of(results_of(locked.tournament))
    gone = gone_by(knock_outs_of(locked.tournament))
    live = {p: totals.get(p, 0) for table in tables_of(row) for p in table.seats if p not in gone}
    judged = knock_out(live, {}, threshold)
    if judged.out:
        record_knock_out(locked, row, judged.out, set(judged.survivors), "cut")


def _cuts(tournament: Tournament, ranked: list[list[tuple[Key, int]]], seed: int) -> list[Cut]:
    count, advance = tournament.advance_count, tournament.advance
    if advance == Tournament.Advance.OVERALL_BEST:
        everybody = [line for table in ranked for line in table]
        places = min(count, len(everybody))
        # The cut is extended by a whole tied group as long as the next round needs no further table.
        at_most = -(-places // tournament.size_max) * tournament.size_max
        return [cut_best(everybody, places, at_most=at_most, seed=seed)]
    quotas = [
        min(count, len(t)) if advance == Tournament.Advance.TABLE_BEST else max(0, len(t) - count)
        for t in ranked
    ]
    return list(cut_tables(ranked, quotas, seeds=[seed + n for n in range(len(ranked))]))


def _ranked_tables(tournament: Tournament, row: Round) -> list[list[tuple[Key, int]]]:
    """Return for each table its players who are still in, with the key that ranks them: this round's score, then the total."""
    sign = -1 if tournament.scoring == Tournament.Scoring.HIGH else 1
    results = results_of(tournament)
    totals = totals_of(results)
    own = by_table(r for r in results if r.event_table.round.number == row.number)
    gone = gone_by(knock_outs_of(tournament))
    ranked = []
    for table in tables_of(row):
        seated = load_table(table.floor).players if table.floor else table.seats
        scores = table_scores(own.get(table.pk, []), seated)
        ranked.append([((sign * scores[p], sign * totals.get(p, 0)), p) for p in seated if p not in gone])
    return [table for table in ranked if table]


def cuts_of(row: Round) -> list[int]:
    """Return the numbers of the cuts of a round that count."""
    counted: list[int] = []
    for number, why in row.knock_outs.filter(take=row.live_take).values_list("number", "why"):
        counted = [] if why == "reopened" else [*counted, number] if why == "cut" else counted
    return counted
