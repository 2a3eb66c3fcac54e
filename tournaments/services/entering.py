"""Who takes part: entering by oneself, by hand or from a file, the waiting list, pairs kept apart, withdrawing."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from clubs.models import User
from clubs.selectors import may_play_at
from games.bots import BOTS
from tournaments import stakes
from tournaments.errors import EventRefusal
from tournaments.models import Entry, KeptApart, Round, Tournament
from tournaments.rules.sizes import MOST_PLAYERS
from tournaments.services.locked import (
    STATE,
    LockedTournament,
    check_organiser,
    is_organiser,
    locked_tournament,
)
from tournaments.services.reminding import tell_moved_up

STATUS = Entry.Status
NAME_LENGTH = 60
MOST_ENTRIES = 2_000
"""So many entries, waiting ones and those who left included, an event's lists still show."""


def register(*, tournament_id: UUID, user: User, volunteers: bool = False) -> Entry:
    """Enter a member; when all places are taken, on the waiting list. The fee is set aside.

    Raises ``EventRefusal`` (``no_such_event``, ``not_open``, ``too_late_to_enter``,
    ``too_many_players``, ``already_entered``, ``guests_without_chips``, ``not_enough_chips``). Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        return enter(locked, user, user=user, volunteers=volunteers)


def register_by_hand(
    *, tournament_id: UUID, by: User, user: User | None = None, name: str = "", volunteers: bool = False
) -> Entry:
    """Enter somebody as organiser: a member, or at the club a guest by ``name``.

    Raises what ``register`` raises, ``not_organiser``, ``bad_entry_name``, ``name_taken`` and
    ``account_needed``. Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        return enter(locked, by, user=user, name=name, volunteers=volunteers)


def add_bots(*, tournament_id: UUID, by: User, level: str, names: Iterable[str]) -> list[Entry]:
    """Enter bots. Raises ``EventRefusal`` (``not_organiser``, ``bots_not_allowed``, ``bad_level`` and what ``register`` raises)."""
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        if not locked.tournament.bots_allowed or not locked.tournament.online:
            raise EventRefusal("bots_not_allowed")
        if level not in BOTS[locked.tournament.game]:
            raise EventRefusal("bad_level")
        return [enter(locked, by, name=name, bot_level=level) for name in names]


def keep_apart(*, tournament_id: UUID, by: User, first: int, second: int) -> None:
    """Keep two players from being drawn to one table; doing it twice changes nothing.

    Raises ``EventRefusal`` (``not_organiser``, ``no_such_entry``, ``same_player``). Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        one, two = locked.entry(min(first, second)), locked.entry(max(first, second))
        if one == two:
            raise EventRefusal("same_player")
        _pair, new = KeptApart.objects.get_or_create(tournament=locked.tournament, first=one, second=two)
        if new:
            locked.log("kept_apart", by=by, after=[one.number, two.number])


def allow_together(*, tournament_id: UUID, by: User, first: int, second: int) -> None:
    """Take back ``keep_apart``. Raises ``EventRefusal`` (``not_organiser``, ``no_such_entry``)."""
    check_organiser(by, tournament_id)
    with locked_tournament(tournament_id) as locked:
        one, two = locked.entry(min(first, second)), locked.entry(max(first, second))
        gone, _rows = KeptApart.objects.filter(first=one, second=two).delete()
        if gone:
            locked.log("allowed_together", by=by, before=[one.number, two.number])


def volunteer(*, tournament_id: UUID, by: User, number: int, volunteers: bool) -> Entry:
    """Say whether a player would like to sit out when somebody must; the player's own word or the organiser's.

    Raises ``EventRefusal`` (``no_such_entry``, ``not_organiser``). Takes the event's lock.
    """
    with locked_tournament(tournament_id) as locked:
        entry = locked.entry(number)
        check_own_or_organiser(entry, by)
        if entry.volunteers != volunteers:
            entry.volunteers = volunteers
            entry.save(update_fields=["volunteers"])
            locked.log("volunteers", by=by, after={"entry": number, "volunteers": volunteers})
        return entry


def check_own_or_organiser(entry: Entry, by: User | None) -> None:
    """Raise ``EventRefusal("not_organiser")`` unless the person plays for the entry or organises."""
    own = by is not None and by.pk in (entry.user_id, entry.substitute_id)
    if not own and not is_organiser(by, entry.tournament_id):
        raise EventRefusal("not_organiser")


def places_taken(locked: LockedTournament) -> int:
    """Return how many of the event's places are taken."""
    return sum(entry.counts for entry in locked.entries.values())


def move_up(locked: LockedTournament, by: User | None) -> list[Entry]:
    """Give free places to the waiting list, in order; who lacks the chips for the fee is passed over."""
    moved_up = []
    waiting = [entry for entry in locked.entries.values() if entry.status == STATUS.WAITING]
    for entry in sorted(waiting, key=lambda each: (each.waiting_since or 0, each.number)):
        if locked.tournament.capacity is None or places_taken(locked) >= locked.tournament.capacity:
            break
        moved = []
        if locked.tournament.fee and not entry.is_bot:
            try:
                moved = [stakes.hold_fee(locked.tournament, entry, locked.next_action)]
            except EventRefusal as refusal:
                locked.log("passed_over", by=by, reason=refusal.code, after={"entry": entry.number})
                continue
        entry.status, entry.waiting_since = STATUS.ENTERED, None
        entry.save(update_fields=["status", "waiting_since", "fee_hold", "fee_paid"])
        locked.log("moved_up", by=by, after={"entry": entry.number}, moved=moved)
        tell_moved_up(locked, entry, by)
        moved_up.append(entry)
    return moved_up


def next_round_number(tournament: Tournament) -> int:
    """Return the number of the first round that is not released."""
    newest = Round.objects.filter(tournament=tournament, current__isnull=False).order_by("-number").first()
    return newest.number + 1 if newest else 1


def enter(
    locked: LockedTournament,
    by: User,
    *,
    user: User | None = None,
    name: str = "",
    bot_level: str = "",
    volunteers: bool = False,
) -> Entry:
    """Enter a member, a guest or a bot, or put them on the waiting list; raises ``EventRefusal``."""
    tournament = locked.tournament
    first_round = _check_open(locked, by)
    if user is not None and not may_play_at(user, tournament.club):
        raise EventRefusal("not_member")
    check_room(locked, 1)
    name = _check_who(locked, user, name, bot_level)
    full = tournament.capacity is not None and places_taken(locked) >= tournament.capacity
    late = tournament.state == STATE.RUNNING
    entry = Entry(
        tournament=tournament,
        number=max(locked.entries, default=0) + 1,
        user=user,
        name=name,
        bot_level=bot_level,
        status=STATUS.WAITING if full else STATUS.ENTERED,
        present=late or bool(bot_level),
        volunteers=volunteers,
        first_round=first_round,
        waiting_since=locked.next_action if full else None,
    )
    moved = []
    if tournament.fee and not full and not bot_level:
        moved.append(stakes.hold_fee(tournament, entry, locked.next_action))
        if late:
            moved.append(stakes.pay_fee(tournament, entry, locked.next_action))
    entry.save()
    locked.entries[entry.number] = entry
    after = {"entry": entry.number, "name": entry.shown_name, "status": entry.status}
    locked.log("entered", by=by, after=after, moved=moved)
    return entry


def _check_open(locked: LockedTournament, by: User) -> int:
    """Return the first round that a newcomer plays; raises ``EventRefusal`` (``not_open``, ``too_late_to_enter``)."""
    tournament = locked.tournament
    if tournament.state == STATE.DRAFT and is_organiser(by, tournament.pk):
        return 1
    if tournament.state in (STATE.REGISTRATION, STATE.CHECK_IN):
        return 1
    if tournament.state != STATE.RUNNING:
        raise EventRefusal("not_open")
    number = next_round_number(tournament)
    if tournament.eliminates or number > min(tournament.late_until, tournament.rounds):
        raise EventRefusal("too_late_to_enter")
    return number


def check_room(locked: LockedTournament, more: int) -> None:
    """Raise ``too_many_players`` when so many more could not be drawn, or not even be listed as waiting."""
    if locked.tournament.capacity is None and places_taken(locked) + more > MOST_PLAYERS:
        raise EventRefusal("too_many_players", f"{places_taken(locked) + more} players")
    if len(locked.entries) + more > MOST_ENTRIES:
        raise EventRefusal("too_many_players", f"{len(locked.entries) + more} entries")


def _check_who(locked: LockedTournament, user: User | None, name: str, bot_level: str) -> str:
    """Return the name to be kept, empty for a member; refuses doubles, and guests where an account is needed."""
    tournament = locked.tournament
    if user is not None:
        if any(user.pk in (e.user_id, e.substitute_id) for e in locked.entries.values()):
            raise EventRefusal("already_entered", user.shown_name)
        if user.is_bot and not tournament.bots_allowed:
            raise EventRefusal("bots_not_allowed", user.shown_name)
        return ""
    name = " ".join(name.split())
    if not 1 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise EventRefusal("bad_entry_name", name[:NAME_LENGTH])
    if (tournament.online or tournament.fee) and not bot_level:
        raise EventRefusal("account_needed", name)
    if any(entry.shown_name.casefold() == name.casefold() for entry in locked.entries.values()):
        raise EventRefusal("name_taken", name)
    return name
