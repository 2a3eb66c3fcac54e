"""What the API of tables says and hears, typed for its description."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Path, Schema
from pydantic import AfterValidator, Field

from clubs.api.paging import Asked, Text
from games.messages import MOVE_CHARACTERS, SAY_CHARACTERS
from games.models import Table
from games.presets import PRESETS as TABLE_PRESETS
from games.rules import GAMES
from games.rules.clock import PRESETS


def _one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return a check that lets only one of ``names`` through."""

    def check(value: str) -> str:
        if value not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return value

    return check


GameName = Annotated[str, AfterValidator(_one_of(GAMES)), Field(json_schema_extra={"enum": [*GAMES]})]
ClockName = Annotated[str, AfterValidator(_one_of(PRESETS)), Field(json_schema_extra={"enum": [*PRESETS]})]
PresetName = Annotated[
    str, AfterValidator(_one_of(TABLE_PRESETS)), Field(json_schema_extra={"enum": [*TABLE_PRESETS]})
]
TableId = Annotated[UUID, Path(alias="table", description="The table's id.")]
"""A table in an address. Pages call theirs ``table_id``, about which is asked before it is known whose token came."""

StatusName = Annotated[str, Field(json_schema_extra={"enum": Table.Status.values})]
Level = Annotated[Text, Field(max_length=16)]
Word = Annotated[Text, Field(max_length=32)]
Number = Annotated[int, Field(ge=-(2**53), le=2**53)]


class SeatLine(Schema):
    """A seat as everybody sees it."""

    seat: int
    name: str
    free: bool
    bot: bool = Field(description="A bot of the site holds the seat.")
    program: bool = Field(description="A program plays with this member's account.")
    stand_in: bool = Field(description="A bot plays in the member's place.")
    left: bool
    ready: bool
    sitting_out: bool


class TableBody(Schema):
    """A table for one viewer (docs/protocol.md)."""

    id: UUID
    game: str
    title: str
    rated: bool
    hints: bool = Field(description="Whether hints may be asked for at the table.")
    status: StatusName
    you: int | None = Field(description="Your seat; null: you watch.")
    seats: list[SeatLine]
    options: list[str] = Field(description="What differs from the usual rules, in words.")
    match: dict[str, Any] | None
    deal: dict[str, Any] | None = Field(
        description="The deal as your seat may know it; `legal` lists your moves while it is your turn."
    )
    ranking: list[list[int]] | None = Field(description="At the end: [place, seat], the best first.")
    clock: dict[str, Any] | None
    delay: int = Field(description="Seconds by which a watcher is behind.")
    next_deal_at: int | None
    fair: dict[str, Any]
    course: dict[str, Any]


class TableView(Schema):
    """A whole view: the same as a `state` of the stream."""

    v: int = Field(description="The table's version; a move is sent with it.")
    now: int = Field(description="The server's time in epoch milliseconds.")
    table: TableBody


class TableLine(Schema):
    """A table in a list."""

    id: UUID
    game: str
    title: str
    status: StatusName
    options: str
    clock: str
    rated: bool
    stake: int
    asset: str
    opened_at: dt.datetime
    seats: int
    free_seats: int
    players: list[str]

    @classmethod
    def of(cls, table: Table) -> TableLine:
        """Return the line of a table whose seats are at hand."""
        seats = list(table.seats.all())
        return cls(
            id=table.pk,
            game=table.game,
            title=table.title,
            status=table.status,
            options=table.options_line,
            clock=table.clock,
            rated=table.rated,
            stake=table.stake,
            asset=table.asset,
            opened_at=table.opened_at,
            seats=len(seats),
            free_seats=sum(seat.is_free for seat in seats),
            players=[seat.shown_name for seat in seats if not seat.is_free],
        )


class OwnTableLine(TableLine):
    """A table at which I sit."""

    seat: int
    my_turn: bool


class DealLine(Schema):
    """A deal that is over."""

    number: int
    dealer: int
    seats: list[int]
    started_at: dt.datetime
    ended_at: dt.datetime
    outcome: dict[str, Any]


class PastTableLine(TableLine):
    """A table at which I was dealt in; results are in its deals."""

    deals: int


class GameNumbers(Schema):
    """What was counted of all deals of one game, by kind and key (docs/fairness.md)."""

    game: str
    since: dt.datetime
    until: dt.datetime
    deals: int
    kinds: dict[str, dict[str, int]]


class NewTable(Asked):
    """A table to be opened. What a `preset` says holds where nothing else is said."""

    preset: PresetName | None = None
    game: GameName | None = None
    club: Text | None = Field(
        None, max_length=40, description="The address of a club of yours; null: your first."
    )
    seats: int | None = Field(None, ge=2, le=16)
    clock: ClockName | None = None
    options: dict[Word, bool | Number | Word] = Field(
        default_factory=dict, description="Rules that differ from the usual ones."
    )
    bots: int | None = Field(None, ge=0, le=15, description="Bots that sit down at once, in the last seats.")
    level: Level = "steady"
    listed: bool = False
    pace_ms: int = Field(8_000, ge=1_000, le=60_000, description="The pause between two deals.")
    bot_think_ms: int = Field(1_000, ge=200, le=5_000, description="How long bots usually think.")
    watch_delay: int | None = Field(None, ge=0, le=600, description="Seconds by which watchers are behind.")


class Seating(Asked):
    """Where to sit: a seat's number, or the first free one."""

    seat: int | None = Field(None, ge=1, le=16)


class Bots(Asked):
    """Bots that are to sit down in free seats: all of them, or so many."""

    level: Level = "steady"
    count: int | None = Field(None, ge=1, le=15)


class Move(Asked):
    """A move. A repeated `id` writes nothing and answers as before."""

    id: UUID = Field(strict=False, description="Made by the program, new for each move.")
    v: int = Field(ge=0, lt=2**53, description="The version that the program saw.")
    m: Text = Field(max_length=MOVE_CHARACTERS, description="One of `legal`.")


class Nonce(Asked):
    """The player's own text for the next shuffle."""

    value: Text = Field(max_length=200)


class Said(Asked):
    """A line of the chat: a text, or the code of a phrase."""

    id: UUID = Field(strict=False, description="Made by the program, new for each line.")
    text: Text = Field("", max_length=SAY_CHARACTERS)
    phrase: Text = Field("", max_length=24)
    room: Literal["", "table", "watchers"] = ""


class Line(Schema):
    """A line as it was kept."""

    id: int
    room: str


class Version(Schema):
    """The table's version after what was asked is done."""

    v: int


class Seated(Schema):
    """The seat that was taken."""

    seat: int


class Place(Schema):
    """The place in the table's line, from 1."""

    place: int


class Opened(Schema):
    """The table that was opened."""

    id: UUID
    seat: int | None
