"""The site's own tables at which an online event is played: opened, gone on with, closed, their deals taken over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import selectors as tables
from games import services as games
from games.errors import TableRefusal
from games.models import Table
from games.selectors import PlayedDeal
from games.services import EventTerms, StakeTerms
from tournaments import stakes
from tournaments.errors import EventRefusal
from tournaments.models import Entry, EventTable, Result, Sitting, Tournament
from tournaments.schedule import origin_of
from tournaments.services.fault_points import fault_point
from tournaments.services.last_pot import share_last_pot
from tournaments.services.locked import LockedTournament

BOT_LEVEL = "steady"
"""Who plays for a person who has no account any more."""


def open_sitting(
    locked: LockedTournament,
    event_table: EventTable,
    players: Sequence[int],
    *,
    first_dealer: int,
    brought: Mapping[int, int] | None = None,
) -> Sitting:
    """Open a table of the site for ``players`` in seat order; raises ``EventRefusal`` with the table's code."""
    tournament = locked.tournament
    seats = {number: locked.entries[player] for number, player in enumerate(players, 1)}
    people = {n: entry for n, entry in seats.items() if _person(entry) is not None}
    bots = {n: entry for n, entry in seats.items() if n not in people}
    terms = None
    if tournament.event_chips:
        chips = tournament.event_chips
        terms = StakeTerms(asset=stakes.event_asset(tournament), stake=1, buy_in_min=chips, buy_in_max=chips)
    seat_of = {player: number for number, player in enumerate(players, 1)}
    try:
        table = games.open_table(
            club=tournament.club,
            game=tournament.game,
            options=table_options(tournament),
            clock=tournament.clock,
            members={n: _person(entry) for n, entry in people.items()},
            bots={n: entry.bot_level or BOT_LEVEL for n, entry in bots.items()},
            opened_by=None,
            terms=terms,
            pace_ms=tournament.pace_ms,
            bot_think_ms=tournament.bot_think_ms,
            event=EventTerms(
                origin=origin_of(tournament.pk),
                first_dealer=seat_of[first_dealer],
                stepwise=bool(tournament.thresholds),
                deal_limit=None if tournament.thresholds else event_table.deals_due,
                brought={seat_of[p]: total for p, total in (brought or {}).items() if total},
                stand_ins=[n for n, entry in people.items() if entry.leaving or _absent(tournament, entry)],
                bot_names={n: entry.shown_name[:40] for n, entry in bots.items()},
            ),
        )
    except TableRefusal as refusal:
        raise EventRefusal(refusal.code, refusal.detail) from refusal
    fault_point("sitting.opened")
    return Sitting.objects.create(event_table=event_table, table=table, seats=list(players))


def table_options(tournament: Tournament) -> dict[str, Any]:
    """Return the game's options for the event's tables: the event counts deals and points, and chips if any."""
    options = dict(tournament.options)
    if tournament.game == "least_score":
        return {**options, "match": "counted", "entry": 0, "per_point": False}
    return {**options, "rotations": tournament.orbits, "finish": "fixed"}


def close_sitting(sitting: Sitting) -> None:
    """End a table of the site; closing it twice changes nothing."""
    games.close_table(table_id=sitting.table_id)
    if sitting.open:
        sitting.open = False
        sitting.save(update_fields=["open"])


def go_on(sitting: Sitting, *, dealer: int, out: Sequence[int]) -> None:
    """Let a waiting table play its next deal, dealt by ``dealer`` and without ``out`` (entry numbers)."""
    number = {player: seat for seat, player in enumerate(sitting.seats, 1)}
    games.next_deal(table_id=sitting.table_id, dealer=number[dealer], out=[number[player] for player in out])


def open_sittings(tournament: Tournament) -> list[Sitting]:
    """Return the sittings that are still played, by table."""
    rows = Sitting.objects.filter(event_table__round__tournament=tournament, open=True)
    return list(rows.select_related("event_table__round", "table").order_by("event_table__number"))


def deals_to_take(sitting: Sitting) -> list[PlayedDeal]:
    """Return the deals of a sitting that were played and not taken over."""
    return tables.deals_played(sitting.table_id, after=sitting.taken)


def limit_sitting(sitting: Sitting, deals: int) -> None:
    """Let a table of the site end after so many deals, or after the one that is being played."""
    games.limit_deals(table_id=sitting.table_id, deals=deals)


def deals_begun(sitting: Sitting) -> tuple[int, bool]:
    """Return how many deals that count were played at a table of the site, and whether one is being played."""
    played = sum(not deal.void for deal in tables.deals_played(sitting.table_id))
    return played, sitting.table.status == Table.Status.PLAYING


def seat_leaves(sitting: Sitting, entry: Entry) -> None:
    """Let a bot play the seat of a player who has withdrawn until the table is over (L25)."""
    person = _person(entry)
    if person is None or entry.number not in sitting.seats:
        return
    try:
        games.leave_table(table_id=sitting.table_id, user_id=person.pk)
    except TableRefusal as refusal:
        if refusal.code not in ("not_seated", "table_finished"):
            raise


def scores_of(sitting: Sitting, deal: PlayedDeal) -> dict[int, int]:
    """Return the scores of a deal by entry number: points, or net stakes."""
    found = deal.outcome.get("scores") or deal.outcome.get("deltas") or {}
    return {sitting.seats[int(seat) - 1]: score for seat, score in found.items()}


def take_whole_table(locked: LockedTournament, sitting: Sitting) -> None:
    """Take over all deals of a finished table of fixed rounds, and how the pot was shared at its end (L21)."""
    event_table = sitting.event_table
    number = 0
    for deal in deals_to_take(sitting):
        sitting.taken = deal.number
        if not deal.void:
            number += 1
            beyond = event_table.deals_due is not None and number > event_table.deals_due
            store_deal(locked, sitting, deal, number, scores_of(sitting, deal), struck=beyond)
            fault_point("take.between_deals")
    share_last_pot(locked, event_table, None)
    sitting.open = False
    sitting.save(update_fields=["open", "taken"])
    event_table.state = EventTable.State.DONE
    event_table.save(update_fields=["state"])


def store_deal(
    locked: LockedTournament,
    sitting: Sitting,
    deal: PlayedDeal,
    number: int,
    scores: Mapping[int, int],
    struck: bool = False,
) -> Result:
    """Write the result of a deal that was played at a table of the site; one beyond the last full orbit is struck."""
    return Result.objects.create(
        event_table=sitting.event_table,
        number=number,
        dealer=sitting.seats[deal.dealer - 1],
        players=[sitting.seats[seat - 1] for seat in deal.seats],
        scores={str(player): score for player, score in scores.items()},
        pot=deal.outcome.get("pot", 0),
        struck=struck,
        deal_id=deal.id,
        at=locked.now,
    )


def _person(entry: Entry) -> Any:
    """Return the account that plays for an entry, ``None`` for a bot."""
    return entry.substitute or entry.user


def _absent(tournament: Tournament, entry: Entry) -> bool:
    return tournament.check_in_needed and not entry.present
