"""Results of tables at the club: entered deal by deal or as a whole, confirmed by a second player, disputed, corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from clubs.models import User
from games.rules import GAMES
from games.rules.errors import Refusal
from tournaments.errors import EventRefusal
from tournaments.models import EventTable, Result, Round
from tournaments.rules.entry import LooSheet, least_score_scores, loo_scores, split_pot
from tournaments.rules.floor import load_table
from tournaments.services.fault_points import fault_point
from tournaments.services.floor import enter_floor_deal
from tournaments.services.locked import (
    STATE,
    LockedTournament,
    check_organiser,
    check_reason,
    is_organiser,
    locked_tournament,
)
from tournaments.services.releasing import complete_if_done

T = EventTable.State
OPEN = (T.PLAYING, T.REPORTED, T.DISPUTED)


def enter_deal(
    *,
    tournament_id: UUID,
    by: User,
    round_number: int,
    table_number: int,
    deal: int,
    sheet: Mapping[str, Any],
) -> Result:
    """Enter the next deal of a table at the club, by a player of the table or the organiser.

    ``sheet`` of Least Score: ``{"totals": {entry: total}, "declarer": entry or None}``; of 3-Card Loo:
    ``{"playing": [entries], "tricks": {entry: n}, "miss": entry or None, "defended": bool}``. Entry numbers may be
    text. The scores follow from the rules. Raises ``EventRefusal`` (``not_at_table``, ``no_such_table``,
    ``online_table``, ``not_released``, ``table_done``, ``wrong_deal``, ``all_deals_entered``, ``bad_sheet``,
    ``wrong_players`` and the rules' codes). Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        done = deals_of(table)
        if deal != len(done) + 1:
            raise EventRefusal("wrong_deal", f"deal {len(done) + 1} is next")
        if table.deals_due is not None and len(done) >= table.deals_due:
            raise EventRefusal("all_deals_entered")
        dealer, players = _who_deals(table, done)
        scores, pot = scored(locked, sheet, players, dealer, done[-1].pot if done else 0)
        result = _store(locked, table, deal, by, players, dealer, scores, pot, sheet)
        fault_point("entry.between")
        _log_entry(locked, by, row, table, result)
        _after_deal(locked, row, table, by, scores)
        return result


def enter_whole(
    *, tournament_id: UUID, by: User, round_number: int, table_number: int, scores: Mapping[Any, int]
) -> Result:
    """Enter a whole round of a table at once: everybody's points or net stakes, in an event of fixed rounds.

    Raises what ``enter_deal`` raises, ``whole_only_in_rounds`` and ``bad_whole``. Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        if locked.tournament.thresholds:
            raise EventRefusal("whole_only_in_rounds")
        if deals_of(table) or Result.objects.filter(event_table=table).exists():
            raise EventRefusal("wrong_deal")
        numbers = check_whole(locked.tournament.game, table.seats, scores)
        result = _store(locked, table, 0, by, table.seats, None, numbers, 0, None, kind=Result.Kind.WHOLE)
        _log_entry(locked, by, row, table, result)
        _report(table, by, is_organiser(by))
        complete_if_done(locked, row)
        return result


def confirm_table(*, tournament_id: UUID, by: User, round_number: int, table_number: int) -> EventTable:
    """Confirm a table's results as a second player of it, or as organiser, who alone decides a dispute.

    Raises ``EventRefusal`` (``not_at_table``, ``not_reported``, ``disputed``, ``own_entry`` and what finds the table). Takes the
    event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        if table.state == T.PLAYING:
            raise EventRefusal("not_reported")
        _check_undisputed(table, by)
        if table.reported_by_id == by.pk and not is_organiser(by):
            raise EventRefusal("own_entry")
        table.state, table.confirmed_by, table.dispute = T.DONE, by, ""
        table.save(update_fields=["state", "confirmed_by", "dispute"])
        after = {"round": row.number, "table": table.number}
        locked.log("table_confirmed", by=by, after=after)
        complete_if_done(locked, row)
        return table


def dispute_table(
    *, tournament_id: UUID, by: User, round_number: int, table_number: int, reason: str
) -> EventTable:
    """Dispute a table's results, as a player of it; the organiser decides.

    Raises ``EventRefusal`` (``reason_missing``, ``not_at_table``, ``not_reported``). Takes the event's lock.
    """
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        row, table = table_for_entry(locked, by, round_number, table_number)
        if not Result.objects.filter(event_table=table).exists():
            raise EventRefusal("not_reported")
        table.state, table.dispute = T.DISPUTED, reason
        table.save(update_fields=["state", "dispute"])
        after = {"round": row.number, "table": table.number}
        locked.log("table_disputed", by=by, reason=reason, after=after)
        return table


def correct_deal(
    *,
    tournament_id: UUID,
    by: User,
    round_number: int,
    table_number: int,
    deal: int,
    reason: str,
    sheet: Mapping[str, Any] | None = None,
    scores: Mapping[Any, int] | None = None,
    strike: bool = False,
) -> Result:
    """Correct a result as organiser, also of an online table: a new version, the old ones stay.

    Give a ``sheet`` (at the club), or the ``scores`` themselves, or ``strike`` a deal that does not count. Pots
    that later deals of 3-Card Loo began with stay as they were played. Raises ``EventRefusal`` (``not_organiser``,
    ``reason_missing``, ``no_such_table``, ``no_such_result``, ``round_confirmed``, ``bad_sheet``, ``wrong_players``
    and the rules' codes). Takes the event's lock.
    """
    check_organiser(by)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        row, table = find_table(locked, round_number, table_number)
        if row.state == Round.State.CONFIRMED:
            raise EventRefusal("round_confirmed")
        old = Result.objects.filter(event_table=table, number=deal).order_by("-version").first()
        if old is None:
            raise EventRefusal("no_such_result")
        new = _corrected(locked, old, sheet, scores, strike)
        fixed = Result.objects.create(
            event_table=table,
            kind=old.kind,
            number=deal,
            version=old.version + 1,
            dealer=old.dealer,
            players=old.players,
            deal_id=old.deal_id,
            by=by,
            at=locked.now,
            reason=reason,
            **new,
        )
        fault_point("correct.between")
        _split_again(locked, table, by, reason)
        locked.log(
            "corrected",
            by=by,
            reason=reason,
            before={"scores": old.scores, "struck": old.struck, "version": old.version},
            after={
                "round": row.number,
                "table": table.number,
                "deal": deal,
                "scores": fixed.scores,
                "struck": fixed.struck,
            },
        )
        return fixed


def resolve_dispute(
    *, tournament_id: UUID, by: User, round_number: int, table_number: int, reason: str
) -> EventTable:
    """Decide a dispute as organiser, after any correction: the results stand.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``no_such_table``). Takes the event's lock.
    """
    check_organiser(by)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        row, table = find_table(locked, round_number, table_number)
        before = table.dispute
        finished = table.floor is None and len(deals_of(table)) >= (table.deals_due or 0)
        whole = Result.objects.filter(event_table=table, kind=Result.Kind.WHOLE).exists()
        table.state, table.dispute = (T.DONE if finished or whole else T.PLAYING), ""
        table.save(update_fields=["state", "dispute"])
        after = {"round": row.number, "table": table.number}
        locked.log("dispute_resolved", by=by, reason=reason, before=before, after=after)
        complete_if_done(locked, row)
        return table


def find_table(locked: LockedTournament, round_number: int, table_number: int) -> tuple[Round, EventTable]:
    """Return a round and its table; raises ``EventRefusal`` (``no_such_round``, ``not_released``, ``no_such_table``)."""
    row = locked.round(round_number)
    if row.current is None:
        raise EventRefusal("not_released")
    table = EventTable.objects.filter(round=row, take=row.current, number=table_number).first()
    if table is None:
        raise EventRefusal("no_such_table")
    return row, table


def table_for_entry(
    locked: LockedTournament, by: User, round_number: int, table_number: int
) -> tuple[Round, EventTable]:
    """Return a table whose results the person may enter; raises ``EventRefusal``."""
    locked.need(STATE.RUNNING)
    row, table = find_table(locked, round_number, table_number)
    if locked.tournament.online:
        raise EventRefusal("online_table")
    if not is_organiser(by):
        own = [e for e in locked.entries.values() if by.pk in (e.user_id, e.substitute_id)]
        seated = set(load_table(table.floor).players) if table.floor else set(table.seats)
        if not any(entry.number in seated for entry in own):
            raise EventRefusal("not_at_table")
    if row.state == Round.State.CONFIRMED:
        raise EventRefusal("round_confirmed")
    if table.state not in OPEN:
        raise EventRefusal("table_done")
    return row, table


def scored(
    locked: LockedTournament,
    sheet: Mapping[str, Any],
    players: Sequence[int],
    dealer: int,
    carried: int,
) -> tuple[dict[int, int], int]:
    """Return the scores of a sheet and the pot that stays, by the rules of the game; raises ``EventRefusal``."""
    rules = GAMES[locked.tournament.game]
    options = rules.parse_options(locked.tournament.options)
    try:
        if locked.tournament.game == "least_score":
            totals = _numbers(sheet.get("totals"))
            if set(totals) != set(players):
                raise EventRefusal("wrong_players")
            return least_score_scores(totals, _number(sheet.get("declarer")), tie=options.tie), 0
        found = loo_scores(players, dealer, carried, _loo_sheet(sheet), options)
        return dict(found.scores), found.pot
    except Refusal as refusal:
        raise EventRefusal(refusal.code, refusal.detail) from refusal


def check_whole(game: str, seats: Sequence[int], scores: Mapping[Any, int]) -> dict[int, int]:
    """Return the scores of a whole round; raises ``EventRefusal`` (``wrong_players``, ``bad_sheet``, ``bad_whole``)."""
    numbers = _numbers(scores)
    if set(numbers) != set(seats):
        raise EventRefusal("wrong_players")
    loo = game == "three_card_loo"
    if sum(numbers.values()) != 0 if loo else min(numbers.values()) < 0:
        raise EventRefusal("bad_whole")
    return numbers


def _loo_sheet(sheet: Mapping[str, Any]) -> LooSheet:
    playing = sheet.get("playing")
    if not isinstance(playing, (list, tuple, set, frozenset)):
        raise EventRefusal("bad_sheet")
    named = frozenset(_number(player) or 0 for player in playing)
    return LooSheet(
        named, _numbers(sheet.get("tricks", {})), _number(sheet.get("miss")), bool(sheet.get("defended"))
    )


def _numbers(raw: Any) -> dict[int, int]:
    """Return a mapping of entry numbers to whole numbers; raises ``EventRefusal("bad_sheet")``."""
    if not isinstance(raw, Mapping):
        raise EventRefusal("bad_sheet")
    numbers: dict[int, int] = {}
    for player, value in raw.items():
        if type(value) is not int:
            raise EventRefusal("bad_sheet", f"{value!r} is not a whole number")
        numbers[_number(player) or 0] = value
    return numbers


def _number(raw: Any) -> int | None:
    if raw is None or raw == "":
        return None
    try:
        return int(str(raw))
    except ValueError as error:
        raise EventRefusal("bad_sheet", f"{raw!r} is not a player's number") from error


def deals_of(table: EventTable) -> list[Result]:
    """Return the newest version of each deal of a table, struck ones too, in order."""
    rows = Result.objects.filter(event_table=table, kind=Result.Kind.DEAL)
    return list(rows.order_by("number", "-version").distinct("number"))


def _who_deals(table: EventTable, done: Sequence[Result]) -> tuple[int, list[int]]:
    """Return the dealer of the table's next deal and who is dealt in."""
    if table.floor is None:
        return table.seats[len(done) % len(table.seats)], list(table.seats)
    floor = load_table(table.floor)
    if not floor.in_deal:
        raise EventRefusal("table_waits")
    dealer = floor.seats[floor.dealer]
    assert dealer is not None, "a deal that is played has a dealer"
    # Who got cards was settled when the deal began: one who announces to leave now plays it.
    return dealer, list((table.floor or {}).get("dealt_to", floor.players))


def _store(
    locked: LockedTournament,
    table: EventTable,
    number: int,
    by: User | None,
    players: Sequence[int],
    dealer: int | None,
    scores: Mapping[int, int],
    pot: int,
    sheet: Mapping[str, Any] | None,
    kind: str = Result.Kind.DEAL,
) -> Result:
    return Result.objects.create(
        event_table=table,
        kind=kind,
        number=number,
        dealer=dealer,
        players=list(players),
        scores={str(player): score for player, score in scores.items()},
        sheet=None if sheet is None else _plain(sheet),
        pot=pot,
        by=by,
        at=locked.now,
    )


def _plain(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sheet as JSON values."""
    kept: dict[str, Any] = {}
    for name in ("totals", "declarer", "playing", "tricks", "miss", "defended"):
        if name in sheet:
            value = sheet[name]
            if isinstance(value, Mapping):
                value = {str(key): each for key, each in value.items()}
            elif isinstance(value, (set, frozenset, tuple)):
                value = sorted(value)
            kept[name] = value
    return kept


def _after_deal(
    locked: LockedTournament, row: Round, table: EventTable, by: User, scores: Mapping[int, int]
) -> None:
    """Go on after a deal: the floor of an elimination, or the end of a table of fixed rounds."""
    if table.floor is not None:
        if enter_floor_deal(locked, row, table, scores):
            complete_if_done(locked, row)
        return
    done = deals_of(table)
    if table.deals_due is None or len(done) < table.deals_due:
        return
    split_last_pot(locked, table, done, by)
    _report(table, by, is_organiser(by))
    complete_if_done(locked, row)


def split_last_pot(
    locked: LockedTournament, table: EventTable, done: Sequence[Result], by: User | None
) -> None:
    """Share the pot that the last deal that counts left (L21)."""
    counted = [result for result in done if not result.struck]
    if not counted or not counted[-1].pot or counted[-1].dealer is None:
        return
    last = counted[-1]
    left = table.seats.index(last.dealer) + 1
    shares = split_pot([*table.seats[left:], *table.seats[:left]], last.pot)
    number = done[-1].number + 1
    _store(locked, table, number, by, table.seats, None, shares, 0, None, kind=Result.Kind.SPLIT)


def _split_again(locked: LockedTournament, table: EventTable, by: User, reason: str) -> None:
    """Share the last pot anew when a correction changed it."""
    split = Result.objects.filter(event_table=table, kind=Result.Kind.SPLIT).order_by("-version").first()
    done = deals_of(table)
    if split is None or split.deal_id is not None or locked.tournament.online:
        return
    last = done[-1]
    left = table.seats.index(last.dealer) + 1
    pot = 0 if last.struck else last.pot
    shares = split_pot([*table.seats[left:], *table.seats[:left]], pot)
    scores = {str(player): share for player, share in shares.items()}
    if scores != split.scores:
        Result.objects.create(
            event_table=table,
            kind=split.kind,
            number=split.number,
            version=split.version + 1,
            players=split.players,
            scores=scores,
            by=by,
            at=locked.now,
            reason=reason,
        )


def _check_undisputed(table: EventTable, by: User) -> None:
    """Raise ``EventRefusal("disputed")`` when the results are disputed, whose player does not want to be outvoted."""
    if table.state == T.DISPUTED and not is_organiser(by):
        raise EventRefusal("disputed")


def _report(table: EventTable, by: User, final: bool) -> None:
    """Note that all of a table is entered; what the organiser entered needs no second player. A dispute stays one."""
    if table.state != T.DISPUTED:
        table.state = T.DONE if final else T.REPORTED
    table.reported_by = by
    table.save(update_fields=["state", "reported_by"])


def _log_entry(locked: LockedTournament, by: User, row: Round, table: EventTable, result: Result) -> None:
    after = {
        "round": row.number,
        "table": table.number,
        "deal": result.number,
        "scores": result.scores,
    }
    locked.log("result_entered", by=by, after=after)


def _corrected(
    locked: LockedTournament,
    old: Result,
    sheet: Mapping[str, Any] | None,
    scores: Mapping[Any, int] | None,
    strike: bool,
) -> dict[str, Any]:
    """Return the columns of a corrected version."""
    if strike:
        return {"scores": old.scores, "sheet": old.sheet, "pot": old.pot, "struck": True}
    if sheet is not None and old.dealer is not None:
        before = Result.objects.filter(event_table=old.event_table, number=old.number - 1)
        carried = before.order_by("-version").first()
        found, pot = scored(locked, sheet, old.players, old.dealer, carried.pot if carried else 0)
        return {"scores": {str(p): s for p, s in found.items()}, "sheet": _plain(sheet), "pot": pot}
    numbers = _numbers(scores)
    if set(numbers) != {int(player) for player in old.scores}:
        raise EventRefusal("wrong_players")
    return {"scores": {str(p): s for p, s in numbers.items()}, "sheet": None, "pot": old.pot}
