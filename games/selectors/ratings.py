"""What ratings are computed from, and what they were computed to."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Max, Q

from games.models import LogEntry, RatedMatch, Rating, RatingChange, RatingPool, Seat, Table
from games.selectors.archive import archived_logs
from games.skill import NEWCOMER, Skill, rested

BATCH = 500

Player = tuple[int | None, str]
"""A member's id, or a bot's level."""


class Placed(NamedTuple):
    """What one seat did in a match. Equal places are ties; seats of one bot's level may be several."""

    seat: int
    place: int
    abandoned: bool = False
    user_id: int | None = None
    bot_level: str = ""
    rating_id: int = 0

    @property
    def player(self) -> Player:
        """Who is rated for it."""
        return self.user_id, self.bot_level


class Standing(NamedTuple):
    """Where a rating stands between two matches."""

    skill: Skill = NEWCOMER
    matches: int = 0
    last_at: dt.datetime | None = None

    def at(self, moment: dt.datetime) -> Skill:
        """Return what is believed at a moment: days without a match leave less of it."""
        return self.skill if self.last_at is None else rested(self.skill, (moment - self.last_at).days)

    def after(self, skill: Skill, moment: dt.datetime) -> Standing:
        """Return where it stands after one more match; a match may be reported when later ones have counted."""
        return Standing(skill, self.matches + 1, max(moment, self.last_at or moment))


def source_of(table_id: UUID) -> str:
    """Return the name of a table's match among the rated ones."""
    return f"table:{table_id}"


def tells_something(placed: Sequence[Placed]) -> bool:
    """Whether at least two players took part and not all of them abandoned the match."""
    players = {one.player if any(one.player) else one.rating_id for one in placed}
    return len(players) > 1 and not all(one.abandoned for one in placed)


def table_places(table_ids: Sequence[UUID]) -> dict[UUID, list[Placed]]:
    """Return what counts of the matches at tables, from their logs: nothing where no match ended.

    A match that was made void does not count, nor does one that everybody abandoned, nor one of fewer than
    two players. A seat of somebody who was forgotten counts through the rating that it had before, if any.
    """
    found: dict[UUID, list[Placed]] = {table_id: [] for table_id in table_ids}
    for start in range(0, len(table_ids), BATCH):
        some = table_ids[start : start + BATCH]
        players = {
            (table_id, number): (user_id or 0, 0)
            for table_id, number, user_id in Seat.objects.filter(table__in=some).values_list(
                "table_id", "number", "user_id"
            )
        }
        earlier = RatingChange.objects.filter(match__table__in=some)
        for table_id, number, rating_id in earlier.values_list("match__table_id", "seat", "rating_id"):
            if not players.get((table_id, number), (0, 0))[0]:
                players[table_id, number] = (0, rating_id)
        for table_id, final in _finals(some).items():
            seats = {seat: players[table_id, seat] for _place, seat in final["ranking"]}
            found[table_id] = _placed(final, seats)
    return found


def _finals(table_ids: Sequence[UUID]) -> dict[UUID, Mapping[str, Any]]:
    """Return the event with which the match at each table ended, from its log or its archived log."""
    rows = LogEntry.objects.filter(
        table__in=table_ids, by=LogEntry.By.TABLE, events__contains=[{"type": "final"}]
    )
    told = list(rows.values_list("table_id", "events"))
    known = {table_id for table_id, _events in told}
    archived = archived_logs([table_id for table_id in table_ids if table_id not in known])
    told += [(table_id, entry.events) for table_id, log in archived.items() for entry in log]
    return {table_id: event for table_id, events in told for event in events if event["type"] == "final"}


def _placed(final: Mapping[str, Any], seats: Mapping[int, tuple[int, int]]) -> list[Placed]:
    """Return what a match's final event says of those known by (member, rating): one of the two, or neither."""
    if final.get("void"):
        return []
    placed = [
        Placed(
            seat, place, seat in final["abandoned"], user_id=seats[seat][0] or None, rating_id=seats[seat][1]
        )
        for place, seat in final["ranking"]
        if any(seats[seat])
    ]
    return sorted(placed) if tells_something(placed) else []


def changes_places(match_ids: Sequence[int]) -> dict[int, list[Placed]]:
    """Return what was counted of each match, by its id; a match that was taken back is not in it."""
    found: dict[int, list[Placed]] = defaultdict(list)
    rows = RatingChange.objects.filter(match__in=match_ids).order_by("match_id", "seat")
    for row in rows.values_list(
        "match_id", "seat", "place", "abandoned", "rating__user_id", "rating__bot_level", "rating_id"
    ):
        found[row[0]].append(Placed(*row[1:]))
    return dict(found)


def places_of(matches: Sequence[RatedMatch]) -> dict[UUID | int, list[Placed]]:
    """Return what the record of each match says: by the table's id for matches at tables, else by the match's own."""
    tables = [match.table_id for match in matches if match.table_id]
    reported = [match.pk for match in matches if not match.table_id]
    return {pk: [] for pk in reported} | table_places(tables) | changes_places(reported)


def uncounted_tables(pool: RatingPool) -> list[Table]:
    """Return rated tables of a pool whose matches count and were not counted, in the order in which they ended."""
    if pool.of_bots:
        return []
    tables = Table.objects.filter(
        club=pool.club_id, game=pool.game, rated=True, status=Table.Status.FINISHED, rated_match__isnull=True
    )
    found = list(tables.only("pk", "finished_at").order_by("finished_at", "pk"))
    placed = table_places([table.pk for table in found])
    return [table for table in found if placed[table.pk]]


def rating_ids(pool: RatingPool, placed: Iterable[Placed]) -> dict[Player, int]:
    """Return the ids of the ratings that players have in a pool; who has none is not in it."""
    players = [one.player for one in placed if not one.rating_id]
    rows = pool.ratings.filter(
        Q(user__in=[user_id for user_id, _level in players if user_id])
        | Q(bot_level__in=[level for _user_id, level in players if level])
    )
    return {(user_id, level): pk for pk, user_id, level in rows.values_list("pk", "user_id", "bot_level")}


def standings(rating_ids: Iterable[int]) -> dict[int, Standing]:
    """Return where ratings stand now, by their ids."""
    rows = Rating.objects.filter(pk__in=rating_ids)
    return {row.pk: Standing(row.skill, row.matches, row.last_at) for row in rows}


def standings_before(pool: RatingPool, number: int) -> dict[int, Standing]:
    """Return where the ratings of a pool stood before the match of that number."""
    changes = RatingChange.objects.filter(match__pool=pool, match__number__lt=number)
    counts = changes.values("rating_id").annotate(
        matches=Count("match", distinct=True), last=Max("match__at")
    )
    played = {rating_id: rest for rating_id, *rest in counts.values_list("rating_id", "matches", "last")}
    latest = changes.order_by("rating_id", "-match__number").distinct("rating_id")
    return {row.rating_id: Standing(row.after, *played[row.rating_id]) for row in latest}


def differences(
    pool: RatingPool,
    matches: Sequence[RatedMatch],
    changes: Sequence[RatingChange],
    computed: Mapping[int, Standing],
) -> list[str]:
    """Return line by line where what is stored is not what was computed from ``matches``."""
    found = []
    numbers = [match.number for match in matches]
    if numbers != list(range(1, len(numbers) + 1)):
        found.append("the numbers of the matches have gaps")
    expected = {(one.match.number, one.seat): _line(one) for one in changes}
    rows = RatingChange.objects.filter(match__pool=pool).select_related("match")
    stored = {(one.match.number, one.seat): _line(one) for one in rows.iterator()}
    for key in sorted(expected.keys() | stored.keys()):
        if expected.get(key) != stored.get(key):
            found.append(
                f"match {key[0]}, seat {key[1]}: {stored.get(key, 'nothing')}, not {expected.get(key, 'nothing')}"
            )
    for row in pool.ratings.order_by("pk"):
        standing = computed.get(row.pk, Standing())
        if Standing(row.skill, row.matches, row.last_at) != standing:
            found.append(f"rating {row.pk}: {row.skill} after {row.matches} matches, not {standing}")
    return found


def _line(change: RatingChange) -> str:
    return (
        f"rating {change.rating_id} place {change.place}{' abandoned' if change.abandoned else ''} "
        f"{change.mu_before}±{change.sigma_before} to {change.mu_after}±{change.sigma_after}"
    )
