"""Drawing rounds: drafts in versions, each with its certificate; swaps by hand; the draw confirmed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from clubs.models import User
from tournaments.errors import EventRefusal
from tournaments.models import Draw, Round
from tournaments.rules.meetings import count_meetings, measure
from tournaments.rules.seats import seat_spread
from tournaments.selectors.certificates import figures_json
from tournaments.selectors.field import history_of, pairs_apart, players_in, released_rounds
from tournaments.services.fault_points import fault_point
from tournaments.services.locked import (
    STATE,
    LockedTournament,
    check_organiser,
    check_reason,
    locked_tournament,
)
from tournaments.services.organising import check_field_size
from tournaments.services.seating import Made, make_draw


def draw(*, tournament_id: UUID, by: User | None, reason: str = "") -> Draw:
    """Draw the rounds that are not released yet, as a draft: all of them in a planned event, else the next one.

    A draw that is there already is kept as an older version. Raises ``EventRefusal``
    (``not_organiser``, ``not_now``, ``unconfirmed``, ``no_more_rounds``, ``nobody_left``,
    ``too_few_players``, ``too_many_players``, ``sizes_impossible``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        return draw_rounds(locked, by, reason)


def draw_rounds(locked: LockedTournament, by: User | None, reason: str = "") -> Draw:
    """As ``draw``, under the lock that is held."""
    tournament = locked.tournament
    released = released_rounds(tournament)
    if any(one.state != Round.State.CONFIRMED for one in released):
        raise EventRefusal("unconfirmed")
    first = len(released) + 1
    if first > tournament.rounds:
        raise EventRefusal("no_more_rounds")
    players = players_in(tournament, locked.entries.values(), first)
    check_field_size(tournament, players)
    made = make_draw(locked, first, players)
    return _keep(locked, made, by, reason)


def swap(*, tournament_id: UUID, by: User, round_number: int, one: int, other: int, reason: str = "") -> Draw:
    """Let two players change places in a draft: of two tables, of one table (seats), or one of them sitting out.

    The result is a new version with its own figures. Raises ``EventRefusal`` (``not_organiser``,
    ``no_such_round``, ``not_drawn``, ``same_player``, ``not_in_draw``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        row = locked.round(round_number)
        if row.state != Round.State.DRAWN:
            raise EventRefusal("not_drawn")
        old = row.draw
        rounds, sitting = swapped(old, round_number, one, other)
        kept = _store(
            locked, old.first_round, rounds, sitting, by, reason, parent=old, kind=Draw.Kind.SWAPPED
        )
        fault_point("swap.between")
        _follow(locked, kept)
        after = {"draw": kept.number, "round": round_number, "players": [one, other]}
        locked.log("swapped", by=by, reason=reason, before={"draw": old.number}, after=after)
        return kept


def swapped(old: Draw, round_number: int, one: int, other: int) -> tuple[list[Any], list[Any]]:
    """Return tables and sit-outs of a draw with two players exchanged in one round; raises ``EventRefusal``."""
    if one == other:
        raise EventRefusal("same_player")
    at = round_number - old.first_round
    tables, sitting = old.rounds[at], old.sitting[at]
    present = {player for table in tables for player in table}
    if not {one, other} <= present | set(sitting) or not {one, other} & present:
        raise EventRefusal("not_in_draw", f"{one} and {other}")
    change = {one: other, other: one}
    rounds, rests = list(old.rounds), list(old.sitting)
    rounds[at] = [[change.get(player, player) for player in table] for table in tables]
    rests[at] = [change.get(player, player) for player in sitting]
    return rounds, rests


def confirm_draw(*, tournament_id: UUID, by: User | None, round_number: int) -> Round:
    """Fix the draw of a round; only then it can be released.

    Raises ``EventRefusal`` (``not_organiser``, ``no_such_round``, ``not_drawn``, ``field_changed``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        row = locked.round(round_number)
        if row.state != Round.State.DRAWN:
            raise EventRefusal("not_drawn")
        check_draw_fits(locked, row)
        row.state = Round.State.FIXED
        row.save(update_fields=["state"])
        locked.log("draw_confirmed", by=by, after={"round": round_number, "draw": row.draw.number})
        return row


def loosen_draw(*, tournament_id: UUID, by: User, round_number: int) -> Round:
    """Take back ``confirm_draw``, so that players can be swapped. Raises ``EventRefusal`` (``not_organiser``,
    ``no_such_round``, ``released``)."""
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        row = locked.round(round_number)
        if row.current is not None:
            raise EventRefusal("released")
        row.state = Round.State.DRAWN
        row.save(update_fields=["state"])
        locked.log("draw_loosened", by=by, after={"round": round_number})
        return row


def use_draw(*, tournament_id: UUID, by: User, version: int, reason: str) -> Draw:
    """Go back to an earlier version of the draw for the rounds that are not released.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``no_such_draw``, ``field_changed``).
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        found = Draw.objects.filter(tournament=locked.tournament, number=version).first()
        if found is None:
            raise EventRefusal("no_such_draw")
        if len(released_rounds(locked.tournament)) >= found.first_round + len(found.rounds) - 1:
            raise EventRefusal("field_changed")
        _follow(locked, found)
        locked.log("draw_used", by=by, reason=reason, after={"draw": version})
        return found


def check_draw_fits(locked: LockedTournament, row: Round) -> None:
    """Raise ``EventRefusal("field_changed")`` unless exactly those are drawn who are in now."""
    drawn = sorted([player for table in row.drawn_tables for player in table] + row.sitting_out)
    if drawn != sorted(players_in(locked.tournament, locked.entries.values(), row.number)):
        raise EventRefusal("field_changed")


def _keep(locked: LockedTournament, made: Made, by: User | None, reason: str) -> Draw:
    """Store a draw as the newest version and let the rounds follow it."""
    old = Round.objects.filter(tournament=locked.tournament, number=made["first_round"]).first()
    kept = _store(
        locked,
        made["first_round"],
        made["rounds"],
        made["sitting"],
        by,
        reason,
        parent=old.draw if old else None,
        kind=Draw.Kind.REPLANNED if old else Draw.Kind.DRAWN,
        found=made,
    )
    fault_point("draw.between")
    _follow(locked, kept)
    fault_point("draw.after_rounds")
    after = {"draw": kept.number, "first_round": kept.first_round, "q": kept.q, "gap": kept.gap}
    locked.log("drawn", by=by, reason=reason, after=after)
    return kept


def _store(
    locked: LockedTournament,
    first: int,
    rounds: list[Any],
    sitting: list[Any],
    by: User | None,
    reason: str,
    *,
    parent: Draw | None,
    kind: str,
    found: Made | None = None,
) -> Draw:
    """Write a version with its figures, counted over the history and the new rounds."""
    tournament = locked.tournament
    history = history_of(tournament, first)
    new = [tuple(tuple(table) for table in one) for one in rounds]
    players = sorted({p for one in (*rounds, *[[rest] for rest in sitting]) for table in one for p in table})
    figures = measure([*history, *new], players)
    apart = set(pairs_apart(tournament))
    last = Draw.objects.filter(tournament=tournament).order_by("-number").first()
    if found is None:
        assert parent is not None, "a swap has a draw that it was made from"
        found = Made(
            method="by hand", stopped="ready", seed=parent.seed, seconds=0.0, looks=0, bounds=parent.bounds
        )
    # The bound by visits holds for draws with fair visits only; a swap by hand may have ended that.
    bounds = found["bounds"] if figures.larger_spread <= 1 else {**found["bounds"], "visits": 0}
    return Draw.objects.create(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        kind=kind,
        parent=parent,
        first_round=first,
        rounds=rounds,
        sitting=sitting,
        method=found["method"],
        stopped=found["stopped"],
        seed=found["seed"],
        seconds=round(found["seconds"], 3),
        looks=found["looks"],
        q=figures.q,
        bounds=bounds,
        figures=figures_json(figures),
        apart_met=sum(m for pair, m in count_meetings(new).items() if pair in apart),
        seat_spread=seat_spread(new),
        by=by,
        at=locked.now,
        reason=reason,
    )


def _follow(locked: LockedTournament, draw: Draw) -> None:
    """Let every round of the draw that is not released follow it, as a draft; later ones of an older draw are gone."""
    numbers = range(draw.first_round, draw.first_round + len(draw.rounds))
    rows = {r.number: r for r in Round.objects.filter(tournament=locked.tournament)}
    for number in numbers:
        row = rows.get(number)
        if row is None:
            Round.objects.create(tournament=locked.tournament, number=number, draw=draw)
        elif row.current is None:
            row.draw, row.state = draw, Round.State.DRAWN
            row.save(update_fields=["draw", "state"])
        fault_point("draw.between_rounds")
    later = [
        row for number, row in rows.items() if number > numbers[-1] and row.current is None and not row.take
    ]
    for row in later:
        row.delete()
