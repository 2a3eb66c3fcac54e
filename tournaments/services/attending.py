"""Who is there: checking in, not coming, leaving, coming back, substitutes."""

from __future__ import annotations

from uuid import UUID

from clubs.models import User
from tournaments import stakes
from tournaments.errors import EventRefusal
from tournaments.models import Entry
from tournaments.selectors.field import gone_by, knock_outs_of, missing_from, released_rounds, tables_of
from tournaments.services.entering import (
    STATUS,
    check_own_or_organiser,
    move_up,
    next_round_number,
)
from tournaments.services.fault_points import fault_point
from tournaments.services.knock_outs import record_knock_out
from tournaments.services.leaving import leave_running_tables
from tournaments.services.locked import (
    STATE,
    LockedTournament,
    check_organiser,
    is_organiser,
    locked_tournament,
)
from tournaments.services.reminding import settle_check_in


def check_in(*, tournament_id: UUID, by: User, number: int, present: bool = True) -> Entry:
    """Note that a player is there (or not, after all): the player's own word while check-in is open, the
    organiser's at any time. Who waits for a place may check in too and moves up first.

    Raises ``EventRefusal`` (``no_such_entry``, ``not_organiser``, ``check_in_closed``, ``has_left``). Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        entry = locked.entry(number)
        check_own_or_organiser(entry, by)
        if not is_organiser(by, tournament_id) and not _check_in_open(locked):
            raise EventRefusal("check_in_closed")
        if entry.status not in (STATUS.ENTERED, STATUS.WAITING):
            raise EventRefusal("has_left")
        if entry.present != present:
            entry.present = present
            entry.save(update_fields=["present"])
            locked.log("checked_in" if present else "check_in_undone", by=by, after={"entry": number})
            settle_check_in(locked.tournament, entry)
        return entry


def check_in_all(*, tournament_id: UUID, by: User) -> int:
    """Check everybody in who is entered, the organiser's one click; returns how many were not yet."""
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        absent = [entry for entry in locked.entries.values() if entry.counts and not entry.present]
        for entry in absent:
            entry.present = True
            entry.save(update_fields=["present"])
        if absent:
            locked.log("checked_in", by=by, after={"entries": [entry.number for entry in absent]})
        return len(absent)


def close_check_in(*, tournament_id: UUID, by: User | None) -> list[int]:
    """Close check-in: who did not come loses the place to the waiting list; returns their numbers.

    Raises ``EventRefusal`` (``not_organiser``, ``not_now``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.REGISTRATION, STATE.CHECK_IN)
        return close_check_in_of(locked, by)


def close_check_in_of(locked: LockedTournament, by: User | None) -> list[int]:
    """As ``close_check_in``, under the lock that is held."""
    missing = missing_from(locked.tournament, locked.entries.values())
    gone = [entry.number for entry in missing if entry.counts]
    for entry in missing:
        _drop(locked, entry, STATUS.NO_SHOW, "no_show", by)
        fault_point("check_in.between")
    move_up(locked, by)
    return gone


def mark_no_show(*, tournament_id: UUID, by: User, number: int) -> Entry:
    """Note that a player did not come; the player may return. Raises what ``withdraw`` raises."""
    check_organiser(by, tournament_id)
    return _leave(tournament_id, by, number, STATUS.NO_SHOW, "no_show", "")


def withdraw(*, tournament_id: UUID, by: User, number: int, reason: str = "") -> Entry:
    """Take a player out of the event: before it starts the fee is let go and the waiting list moves up.

    In mid-round the seat is played on (a bot online, the table at the club) until the round is over, in an
    elimination until the player's own next deal; results stay. Raises ``EventRefusal`` (``no_such_entry``,
    ``not_organiser``, ``has_left``, ``not_now``). Takes the event's lock, then the player's table's.
    """
    return _leave(tournament_id, by, number, STATUS.WITHDRAWN, "withdrawn", reason)


def return_entry(*, tournament_id: UUID, by: User, number: int) -> Entry:
    """Let a player who left or did not come back into the event, from the next round on.

    Rounds that were missed count as not played, so that coming back earns no free round. Raises
    ``EventRefusal`` (``no_such_entry``, ``not_organiser``, ``still_in``, ``knocked_out``,
    ``not_now``, ``too_late_to_enter``). Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        tournament, entry = locked.tournament, locked.entry(number)
        check_own_or_organiser(entry, by)
        locked.need(STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING)
        if entry.leaving:
            return _stay(locked, entry, by)
        if entry.status in (STATUS.ENTERED, STATUS.WAITING):
            raise EventRefusal("still_in")
        running = tournament.state == STATE.RUNNING
        if entry.status == STATUS.OUT or (running and entry.number in gone_by(knock_outs_of(tournament))):
            raise EventRefusal("knocked_out")
        if running and (tournament.eliminates or next_round_number(tournament) > tournament.rounds):
            raise EventRefusal("too_late_to_enter")
        before = entry.status
        entry.present, entry.status, entry.waiting_since = True, STATUS.WAITING, locked.next_action
        entry.save(update_fields=["present", "status", "waiting_since"])
        locked.log("returned", by=by, before=before, after={"entry": number})
        _seat_again(locked, entry, by)
        return entry


def substitute(
    *, tournament_id: UUID, by: User, number: int, user: User | None = None, name: str = ""
) -> Entry:
    """Let somebody play in a player's place; results stay the player's. Neither given: the player plays again.

    Raises ``EventRefusal`` (``not_organiser``, ``no_such_entry``, ``has_left``,
    ``already_entered``, ``account_needed``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        entry = locked.entry(number)
        if not entry.counts or entry.is_bot:
            raise EventRefusal("has_left")
        if name and (user is not None or locked.tournament.online):
            raise EventRefusal("account_needed")
        others = [each for each in locked.entries.values() if each is not entry]
        if user is not None and any(user.pk in (each.user_id, each.substitute_id) for each in others):
            raise EventRefusal("already_entered")
        before = entry.played_by
        entry.substitute, entry.substitute_name = user, " ".join(name.split())[:60]
        entry.save(update_fields=["substitute", "substitute_name"])
        locked.log("substituted", by=by, before=before, after={"entry": number, "plays": entry.played_by})
        return entry


def drop_leavers(locked: LockedTournament, by: User | None) -> None:
    """Let those go who withdrew in the middle of the round that is now over."""
    for entry in locked.entries.values():
        if entry.leaving:
            _drop(locked, entry, STATUS.WITHDRAWN, "left", by)


def _check_in_open(locked: LockedTournament) -> bool:
    tournament = locked.tournament
    opens, closes = tournament.check_in_opens_at, tournament.check_in_closes_at
    if tournament.state != STATE.CHECK_IN:
        return False
    return (opens is None or opens <= locked.now) and (closes is None or locked.now < closes)


def _leave(tournament_id: UUID, by: User, number: int, status: str, kind: str, reason: str) -> Entry:
    with locked_tournament(tournament_id) as locked:
        entry = locked.entry(number)
        check_own_or_organiser(entry, by)
        locked.need(STATE.DRAFT, STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING)
        if entry.status not in (STATUS.ENTERED, STATUS.WAITING) or entry.leaving:
            raise EventRefusal("has_left")
        if locked.tournament.state == STATE.RUNNING and leave_running_tables(locked, entry):
            entry.leaving = True
            entry.save(update_fields=["leaving"])
            locked.log("leaving", by=by, reason=reason, after={"entry": number})
            return entry
        _drop(locked, entry, status, kind, by, reason)
        if locked.tournament.state != STATE.RUNNING:
            move_up(locked, by)
        return entry


def _drop(
    locked: LockedTournament, entry: Entry, status: str, kind: str, by: User | None, reason: str = ""
) -> None:
    """Take an entry out; a fee that was set aside and not paid is let go."""
    before = entry.status
    moved = []
    if entry.fee_hold is not None:
        moved.append(stakes.void_fee(locked.tournament, entry, locked.next_action))
    entry.status, entry.present, entry.leaving, entry.waiting_since = status, False, False, None
    entry.save(update_fields=["status", "present", "leaving", "waiting_since", "fee_hold", "fee_paid"])
    locked.log(kind, by=by, reason=reason, before=before, after={"entry": entry.number}, moved=moved)
    settle_check_in(locked.tournament, entry)
    _rank_who_left(locked, entry)


def _rank_who_left(locked: LockedTournament, entry: Entry) -> None:
    """In an elimination that is being played, rank who leaves between two deals behind everybody who is still in."""
    tournament = locked.tournament
    if not tournament.eliminates or tournament.state != STATE.RUNNING:
        return
    released = released_rounds(tournament)
    played = {player for row in released for table in tables_of(row) for player in table.seats}
    if entry.number in played - gone_by(knock_outs_of(tournament)):
        live = {each.number for each in locked.entries.values() if each.counts}
        record_knock_out(locked, released[-1], [[entry.number]], live, "withdrawn")


def _stay(locked: LockedTournament, entry: Entry, by: User | None) -> Entry:
    """Take a withdrawal back while the round is still played."""
    if locked.tournament.eliminates:
        raise EventRefusal("too_late_to_enter")
    entry.leaving = False
    entry.save(update_fields=["leaving"])
    locked.log("returned", by=by, after={"entry": entry.number})
    return entry


def _seat_again(locked: LockedTournament, entry: Entry, by: User | None) -> None:
    """Give who returned a place: at once if one is free or the fee was paid, else by the waiting list."""
    running = locked.tournament.state == STATE.RUNNING
    if locked.tournament.capacity is not None and not running:
        move_up(locked, by)
        return
    moved = []
    if locked.tournament.fee and not entry.is_bot and not entry.fee_paid:
        moved.append(stakes.hold_fee(locked.tournament, entry, locked.next_action))
        if running:
            moved.append(stakes.pay_fee(locked.tournament, entry, locked.next_action))
    entry.status, entry.waiting_since = STATUS.ENTERED, None
    entry.save(update_fields=["status", "waiting_since", "fee_hold", "fee_paid"])
    locked.log("seated_again", by=by, after={"entry": entry.number}, moved=moved)
