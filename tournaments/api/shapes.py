"""What the API of events says and hears, typed for its description."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any
from uuid import UUID

from ninja import Schema
from pydantic import Field

from clubs.api.paging import Asked, Text
from tournaments.models import Entry, Tournament
from tournaments.selectors import RoundView, StandingRow
from tournaments.selectors.standings import shown

State = Annotated[str, Field(json_schema_extra={"enum": Tournament.State.values})]
Whole = Annotated[int, Field(ge=0, lt=2**31)]


class EventLine(Schema):
    """An event in a list."""

    id: UUID
    club: str
    name: str
    game: str
    state: State
    online: bool
    family: str
    rounds: int
    created_at: dt.datetime

    @classmethod
    def of(cls, event: Tournament) -> EventLine:
        """Return the line of an event that was read with its club."""
        return cls(
            id=event.pk,
            club=event.club.slug,
            name=event.name,
            game=event.game,
            state=event.state,
            online=event.online,
            family=event.family,
            rounds=event.rounds,
            created_at=event.created_at,
        )


class EntryLine(Schema):
    """A player of an event, known there by `number`."""

    number: int
    name: str
    bot: bool
    status: str
    present: bool
    place: int | None

    @classmethod
    def of(cls, entry: Entry) -> EntryLine:
        """Return the line of an entry that was read with its person."""
        return cls(
            number=entry.number,
            name=entry.shown_name,
            bot=entry.is_bot,
            status=entry.status,
            present=entry.present,
            place=entry.place,
        )


class EventBody(EventLine):
    """An event with its terms; what players decide on stands in `terms`."""

    description: str
    version: int = Field(description="The number of the last action: it grows with every change.")
    terms: dict[str, Any]
    me: EntryLine | None = Field(description="My entry.")


class RoundLine(Schema):
    """A round of an event."""

    number: int
    state: str
    released_at: dt.datetime | None
    confirmed_at: dt.datetime | None


class EventSeatLine(Schema):
    """Who sits where; `entry` is the player's number in the event."""

    seat: int
    entry: int
    name: str
    score: int


class EventTableLine(Schema):
    """A table of a round; `table` is where it is played online now."""

    number: int
    state: str
    seats: list[EventSeatLine]
    deals: int
    table: UUID | None


class RoundBody(RoundLine):
    """A round with its tables."""

    tables: list[EventTableLine]
    sitting_out: list[int]

    @classmethod
    def of(cls, view: RoundView) -> RoundBody:
        """Return a round as its page shows it."""
        row = view.round
        tables = [
            EventTableLine(
                number=table.table.number,
                state=table.table.state,
                seats=[
                    EventSeatLine(seat=s.number, entry=s.entry.number, name=s.entry.shown_name, score=s.score)
                    for s in table.seats
                ],
                deals=table.deals,
                table=table.site_table,
            )
            for table in view.tables
        ]
        return cls(
            number=row.number,
            state=row.state,
            released_at=row.released_at,
            confirmed_at=row.confirmed_at,
            tables=tables,
            sitting_out=[entry.number for entry in view.sitting_out],
        )


class StandingLine(Schema):
    """A line of the standings; equals share a rank."""

    rank: int
    entry: int
    name: str
    score: str
    rounds: dict[int, int]

    @classmethod
    def of(cls, row: StandingRow) -> StandingLine:
        """Return one line of the standings."""
        return cls(
            rank=row.rank,
            entry=row.entry.number,
            name=row.entry.shown_name,
            score=shown(row.score),
            rounds=row.rounds,
        )


class StandingsBody(Schema):
    """The standings after `complete` rounds; results of a running round may be held back."""

    complete: int
    held_back: bool
    rows: list[StandingLine]


class DrawLine(Schema):
    """A version of the draw: tables of entry numbers in seat order, round by round."""

    version: int
    kind: str
    first_round: int
    rounds: list[Any]
    sitting: list[Any]
    seed: int | None = Field(description="The seed of its lots, once all its rounds are released.")


Word = Annotated[Text, Field(max_length=32)]
Small = Annotated[int, Field(ge=0, lt=2**15)]
Chips = Annotated[int, Field(ge=0, le=10**12)]
Number = Annotated[int, Field(ge=-(2**53), le=2**53)]


class Terms(Asked):
    """The terms of an event (docs/tournaments.md); those that are left out, or null, are as usual for the game."""

    game: Word = "three_card_loo"
    options: dict[Word, bool | Number | Word] = Field(default_factory=dict)
    description: Text = Field("", max_length=4000)
    venue: Word = Field("online", description="online, club")
    clock: Word = "club"
    pace_ms: Small = 8_000
    bots_allowed: bool = False
    absent: Word = Field("withdraw", description="withdraw, bot")
    family: Word = Field("rounds", description="rounds, elimination")
    seating: Word = Field("planned", description="planned, swiss")
    rounds: Small = 3
    orbits: Small = 1
    size_min: Small | None = None
    size_ideal: Small | None = None
    size_max: Small | None = None
    bands: Small = 2
    scoring: Word | None = Field(None, description="high, low, places")
    tie_breaks: list[Word] = Field(default_factory=list, max_length=16)
    standings_live: bool = False
    round_minutes: Small | None = None
    full_orbits_only: bool = False
    thresholds: list[Number] = Field(default_factory=list, max_length=64)
    round_end: Word = Field("orbits", description="orbits, first_out, outs")
    round_end_count: Small = 1
    advance: Word = Field("under", description="under, table_best, table_worst, overall_best")
    advance_count: Small = 0
    final_size: Small | None = None
    capacity: Small | None = None
    check_in_needed: bool = True
    late_until: Small = 0
    asset: Annotated[Text, Field(max_length=24)] = ""
    fee: Chips = 0
    guaranteed: Chips = 0
    prizes: dict[Word, list[Number]] = Field(default_factory=dict)
    event_chips: Annotated[int, Field(ge=0, lt=2**31)] = 0


class NewEvent(Asked):
    """A draft of an event."""

    name: Text = Field(min_length=1, max_length=80)
    club: Text | None = Field(
        None, max_length=40, description="The address of a club of mine; null: my first."
    )
    terms: Terms = Field(default_factory=lambda: Terms.model_validate({}))


class NewEntry(Asked):
    """A player to be entered by an organiser: a member by user name, or at the club somebody by name."""

    username: Text | None = Field(None, max_length=150)
    name: Text = Field("", max_length=60)


class Reason(Asked):
    """Why it is done."""

    reason: Text = Field("", max_length=500)


class Scores(Asked):
    """The results of a whole round at a table: by entry number."""

    scores: dict[Annotated[str, Field(pattern=r"^[0-9]{1,5}$")], Number]
