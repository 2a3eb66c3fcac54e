"""From the draft to the archive: each change of an event's state is one service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from clubs.models import FIRST_CLUB, Club, User
from games.rules import GAMES
from tournaments import stakes
from tournaments.errors import EventRefusal
from tournaments.models import Entry, Round, Tournament
from tournaments.rules.sizes import MOST_PLAYERS, sit_out_number
from tournaments.selectors.field import players_in
from tournaments.selectors.places import places_of
from tournaments.services.attending import close_check_in_of
from tournaments.services.fault_points import fault_point
from tournaments.services.locked import (
    STATE,
    LockedTournament,
    check_club_organiser,
    check_organiser,
    check_reason,
    locked_tournament,
    new_seed,
)
from tournaments.services.releasing import close_open_tables, redeem_chips
from tournaments.services.reminding import settle_check_in, tell_called_off, tell_check_in
from tournaments.services.terms import TERMS, as_json, check_terms, set_terms


def create_tournament(*, by: User, name: str, club: Club | None = None, **terms: Any) -> Tournament:
    """Create a draft of a club (not given: the site's first). ``terms`` are fields of ``Tournament`` (``TERMS``).

    Raises ``EventRefusal`` (``not_organiser``, ``treasurer_needed`` and the codes of ``check_terms``).
    """
    club_id = FIRST_CLUB if club is None else club.pk
    check_club_organiser(by, club_id)
    tournament = Tournament(club_id=club_id, name=name, seed=new_seed(), created_by=by)
    for term, value in terms.items():
        if term not in TERMS:
            raise EventRefusal("bad_term", f"no term {term!r}")
        setattr(tournament, term, value)
    _fill_in(tournament, terms)
    check_terms(tournament)
    _check_guarantee(tournament, by)
    tournament.save()
    with locked_tournament(tournament.pk) as locked:
        locked.log("created", by=by, after={term: as_json(value) for term, value in terms.items()})
    tournament.refresh_from_db()
    return tournament


def change_tournament(*, tournament_id: UUID, by: User, **terms: Any) -> Tournament:
    """Change terms of an event, as far as they may still change; raises what ``create_tournament`` raises,
    ``terms_fixed`` and ``no_such_event``. Takes the event's lock."""
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        before = set_terms(locked.tournament, terms)
        if "guaranteed" in before:
            _check_guarantee(locked.tournament, by)
        if before:
            after = {term: as_json(terms[term]) for term in before}
            locked.log("changed", by=by, before=before, after=after)
        return locked.tournament


def copy_tournament(*, tournament_id: UUID, by: User, name: str) -> Tournament:
    """Create a draft with the terms of another event; its dates are left out."""
    source = Tournament.objects.filter(pk=tournament_id).first()
    if source is None:
        raise EventRefusal("no_such_event")
    left_out = {"name", "check_in_opens_at", "check_in_closes_at"}
    terms = {term: getattr(source, term) for term in TERMS if term not in left_out}
    copied = create_tournament(by=by, name=name, club=source.club, **terms)
    Tournament.objects.filter(pk=copied.pk).update(copied_from=source)
    copied.copied_from = source
    return copied


def open_registration(*, tournament_id: UUID, by: User) -> Tournament:
    """Let players enter. Raises ``EventRefusal`` (``not_organiser``, ``not_now``). Takes the event's lock."""
    return _move(tournament_id, by, "registration_opened", (STATE.DRAFT,), STATE.REGISTRATION)


def open_check_in(*, tournament_id: UUID, by: User | None) -> Tournament:
    """Let players check in. Raises ``EventRefusal`` (``not_organiser``, ``not_now``). Takes the event's lock."""
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        _move_locked(locked, by, "check_in_opened", (STATE.REGISTRATION,), STATE.CHECK_IN)
        tell_check_in(locked)
        return locked.tournament


def start_tournament(*, tournament_id: UUID, by: User) -> Tournament:
    """Begin: check-in closes, who did not come is out, the waiting list moves up, entry fees are paid.

    Raises ``EventRefusal`` (``not_organiser``, ``not_now``, ``too_few_players``,
    ``too_many_players``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.REGISTRATION, STATE.CHECK_IN)
        tournament = locked.tournament
        close_check_in_of(locked, by)
        check_field_size(tournament, players_in(tournament, locked.entries.values(), 1))
        fault_point("start.before_fees")
        _collect_fees(locked, by)
        fault_point("start.after_fees")
        tournament.state = STATE.RUNNING
        settle_check_in(tournament)
        locked.log("started", by=by, after={"players": players_in(tournament, locked.entries.values(), 1)})
        return tournament


def finish_tournament(*, tournament_id: UUID, by: User | None, early: str = "") -> Tournament:
    """End the event: the final places are written down.

    ``early`` is the reason for ending it before all its rounds were played. Raises
    ``EventRefusal`` (``not_organiser``, ``not_now``, ``rounds_left``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.RUNNING)
        _check_all_confirmed(locked, early)
        places = places_of(locked.tournament)
        for place, number in places:
            Entry.objects.filter(pk=locked.entry(number).pk).update(place=place)
        fault_point("finish.after_places")
        locked.tournament.state = STATE.FINISHED
        locked.tournament.finished_at = locked.now
        Round.objects.filter(tournament=locked.tournament).update(opens_at=None)
        locked.log("finished", by=by, reason=early, after={"places": [list(row) for row in places]})
        return locked.tournament


def archive_tournament(*, tournament_id: UUID, by: User) -> Tournament:
    """Put a finished event away; it stays readable. Raises ``EventRefusal`` (``not_organiser``, ``not_now``)."""
    return _move(tournament_id, by, "archived", (STATE.FINISHED,), STATE.ARCHIVED)


def cancel_tournament(*, tournament_id: UUID, by: User, reason: str) -> Tournament:
    """Call the event off: tables are closed, fees that were set aside are let go and paid ones sent back.

    Raises ``EventRefusal`` (``not_organiser``, ``reason_missing``, ``not_now``, ``paid_already``).
    Takes the event's lock, then those of its tables.
    """
    check_organiser(by, tournament_id)
    check_reason(reason)
    with locked_tournament(tournament_id) as locked:
        locked.need(STATE.DRAFT, STATE.REGISTRATION, STATE.CHECK_IN, STATE.RUNNING)
        tournament, before = locked.tournament, locked.tournament.state
        close_open_tables(locked)
        Round.objects.filter(tournament=tournament).update(opens_at=None)
        entries = list(locked.entries.values())
        action = locked.next_action
        moved = [
            stakes.void_fee(tournament, entry, action) for entry in entries if entry.fee_hold is not None
        ]
        fault_point("cancel.between_fees")
        moved += stakes.refund_fees(tournament, entries, action)
        moved += redeem_chips(locked)
        for entry in entries:
            entry.save(update_fields=["fee_hold", "fee_paid"])
        tournament.state = STATE.CANCELLED
        tournament.finished_at = locked.now
        locked.log("cancelled", by=by, reason=reason, before=before, after=tournament.state, moved=moved)
        if before != STATE.DRAFT:
            tell_called_off(locked)
        return tournament


def check_field_size(tournament: Tournament, players: list[int]) -> None:
    """Raise ``EventRefusal`` (``too_few_players``, ``too_many_players``, ``sizes_impossible``) for a field no round can be drawn of."""
    if not players:
        raise EventRefusal("nobody_left" if tournament.state == STATE.RUNNING else "too_few_players")
    smallest = smallest_table(tournament)
    if len(players) < smallest:
        raise EventRefusal("too_few_players", f"{len(players)} players, tables of at least {smallest}")
    if len(players) > MOST_PLAYERS:
        raise EventRefusal("too_many_players", f"{len(players)} players")
    out = sit_out_number(len(players), smallest=smallest, largest=tournament.size_max)
    if out >= len(players):
        raise EventRefusal("sizes_impossible", f"{len(players)} players")


def smallest_table(tournament: Tournament) -> int:
    """Return the smallest table that may be drawn: in an elimination that runs the game's own minimum, for its last players."""
    if not tournament.eliminates or tournament.state != STATE.RUNNING:
        return tournament.size_min
    rules = GAMES[tournament.game]
    return min(tournament.size_min, rules.seat_range(rules.parse_options(tournament.options))[0])


def _move(tournament_id: UUID, by: User | None, kind: str, states: tuple[str, ...], to: str) -> Tournament:
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        _move_locked(locked, by, kind, states, to)
        return locked.tournament


def _move_locked(
    locked: LockedTournament, by: User | None, kind: str, states: tuple[str, ...], to: str
) -> None:
    locked.need(*states)
    before, locked.tournament.state = locked.tournament.state, to
    locked.log(kind, by=by, before=before, after=to)


def _fill_in(tournament: Tournament, terms: Mapping[str, Any]) -> None:
    """Choose what follows from the game where nothing was said."""
    loo = tournament.game == "three_card_loo"
    sizes = (5, 7, 10) if loo else (3, 4, 6)
    for term, size in zip(("size_min", "size_ideal", "size_max"), sizes, strict=True):
        if term not in terms:
            setattr(tournament, term, size)
    if "scoring" not in terms:
        tournament.scoring = tournament.Scoring.HIGH if loo else tournament.Scoring.LOW
    if tournament.eliminates and "final_size" not in terms:
        tournament.final_size = tournament.size_ideal


def _check_guarantee(tournament: Tournament, by: User) -> None:
    if tournament.guaranteed and not by.has_perm("ledger.treasure", tournament):
        raise EventRefusal("treasurer_needed")


def _collect_fees(locked: LockedTournament, by: User | None) -> None:
    """Pay the fees of those who play; each was set aside when the player entered."""
    tournament = locked.tournament
    if not tournament.fee:
        return
    action, moved = locked.next_action, []
    for entry in locked.entries.values():
        if entry.fee_hold is not None and entry.counts:
            moved.append(stakes.pay_fee(tournament, entry, action))
            entry.save(update_fields=["fee_hold", "fee_paid"])
            fault_point("start.between_fees")
    locked.log("fees_paid", by=by, moved=moved)


def _check_all_confirmed(locked: LockedTournament, early: str) -> None:
    """Raise ``rounds_left`` unless every round is confirmed, the elimination has its winner, or the end is early."""
    tournament = locked.tournament
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    done = [one for one in rounds if one.state == Round.State.CONFIRMED]
    if any(one.state in (Round.State.PLAYING, Round.State.COMPLETE) for one in rounds) or not done:
        raise EventRefusal("rounds_left")
    decided = tournament.eliminates and _one_left(locked)
    if len(done) < tournament.rounds and not decided:
        if not early:
            raise EventRefusal("rounds_left")
        check_reason(early)


def _one_left(locked: LockedTournament) -> bool:
    return sum(entry.counts for entry in locked.entries.values()) <= 1
