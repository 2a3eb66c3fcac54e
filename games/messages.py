"""The messages of a table's socket: what a client may say, typed, and the frames it is sent.

The protocol is described in docs/protocol.md. Nothing but ids and choices is
taken from a client; every frame to it is built for its viewer from nothing.
"""

from __future__ import annotations

import datetime as dt
import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.errors import TableRefusal, message_for
from games.models import LogEntry, Seat, Table
from games.rules import GAMES
from games.rules.clock import PRESETS, new_quota
from games.rules.interface import event_for
from games.selectors.course import course_view, final_ranking
from games.selectors.hints import Hint
from games.snapshots import TableSnapshot
from games.wording import options_in_words, reason_in_words, title_of

MOVE_CHARACTERS = 64
"""The longest text of a move: five cards and the one taken fit well."""

SAY_CHARACTERS = 1000
"""The longest text that is read at all; what may be said is decided by ``services.say``, which gives the reason."""


@dataclass(frozen=True)
class Ping:
    """The client lives and asks for the table's version."""


@dataclass(frozen=True)
class Echo:
    """The word of the last pong, sent back at once: the server measures the round trip."""

    word: str


@dataclass(frozen=True)
class Resync:
    """The client saw a gap and asks for a whole view."""


@dataclass(frozen=True)
class PlayMove:
    """A move, with the version its player saw, an id that makes repeating it safe, and the page's lag in ms."""

    command_id: UUID
    version: int
    move: str
    lag: int


@dataclass(frozen=True)
class ChooseNonce:
    """The player's own number for the next shuffle."""

    nonce: str


@dataclass(frozen=True)
class TakeBack:
    """The player takes the seat back from the stand-in."""


@dataclass(frozen=True)
class Ready:
    """The player need not wait for the next deal."""


COURSE = ("pause", "agree", "decline", "go_on", "sit_out", "sit_in", "stand_in", "end_now", "again")
"""What a player may do about the course of the match, beside its moves."""


@dataclass(frozen=True)
class Course:
    """The player acts on the course of the match: ``act`` is one of ``COURSE``; ``again`` may say which buy-in is agreed to."""

    act: str
    buy_in: int | None = None


@dataclass(frozen=True)
class Say:
    """A line of the chat: a text, or the code of a phrase. Without a room it goes where the person may write."""

    command_id: UUID
    room: str
    text: str
    phrase: str


@dataclass(frozen=True)
class MuteAuthor:
    """The author of a line is not to be read any more."""

    line_id: int


@dataclass(frozen=True)
class ChatSince:
    """The client wants the lines after an id, or (0) the last ones."""

    after: int


@dataclass(frozen=True)
class AskHint:
    """The player asks what a bot would do with the own view."""


Message = (
    Ping
    | Echo
    | Resync
    | PlayMove
    | ChooseNonce
    | TakeBack
    | Ready
    | Course
    | Say
    | MuteAuthor
    | ChatSince
    | AskHint
)

BARE: Mapping[str, Message] = {
    "ping": Ping(),
    "resync": Resync(),
    "back": TakeBack(),
    "ready": Ready(),
    "hint": AskHint(),
}
"""The messages that say nothing but their kind."""


def parse(text: str) -> Message:
    """Return the message in a client's frame; raises ``TableRefusal("bad_message")`` for anything else."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TableRefusal("bad_message") from error
    if not isinstance(raw, dict):
        raise TableRefusal("bad_message")
    kind = raw.get("t")
    if kind == "move":
        return _parse_move(raw)
    if kind == "echo":
        return Echo(_text(raw, "k", 16))
    if kind == "say":
        return _parse_say(raw)
    if kind == "mute":
        return MuteAuthor(_whole(raw, "line"))
    if kind == "chat_since":
        return ChatSince(_whole(raw, "id"))
    if kind == "nonce":
        return ChooseNonce(_text(raw, "value", 200))
    if kind == "course":
        return _parse_course(raw)
    if not isinstance(kind, str) or kind not in BARE:
        raise TableRefusal("bad_message")
    return BARE[kind]


def command_id_of(text: str) -> str | None:
    """Return the id a frame carries, if one can be read, so that its refusal can name it."""
    try:
        found = json.loads(text).get("id")
    except (ValueError, AttributeError, RecursionError):
        return None
    return found if isinstance(found, str) and len(found) <= 64 and _is_sound(found) else None


def _parse_move(raw: Mapping[str, Any]) -> PlayMove:
    lag = _whole(raw, "lag") if "lag" in raw else 0
    return PlayMove(_command_id(raw), _whole(raw, "v"), _text(raw, "m", MOVE_CHARACTERS), lag)


def _parse_course(raw: Mapping[str, Any]) -> Course:
    act = _text(raw, "do", 16)
    if act not in COURSE:
        raise TableRefusal("bad_message")
    return Course(act, _whole(raw, "buy_in") if act == "again" and "buy_in" in raw else None)


def _parse_say(raw: Mapping[str, Any]) -> Say:
    if ("text" in raw) == ("phrase" in raw):
        raise TableRefusal("bad_message")
    words = {"text": "", "phrase": "", **{key: raw[key] for key in ("text", "phrase") if key in raw}}
    room = _text({"room": "", **raw}, "room", 16)
    return Say(_command_id(raw), room, _text(words, "text", SAY_CHARACTERS), _text(words, "phrase", 24))


def _command_id(raw: Mapping[str, Any]) -> UUID:
    try:
        return UUID(_text(raw, "id", 64))
    except ValueError as error:
        raise TableRefusal("bad_message") from error


def _whole(raw: Mapping[str, Any], key: str) -> int:
    value = raw.get(key)
    if type(value) is not int or not 0 <= value < 2**53:
        raise TableRefusal("bad_message")
    return value


def _text(raw: Mapping[str, Any], key: str, longest: int) -> str:
    value = raw.get(key)
    if not isinstance(value, str) or len(value) > longest or not _is_sound(value):
        raise TableRefusal("bad_message")
    return value


def _is_sound(text: str) -> bool:
    """Whether text can be stored and sent: no NUL, and no half of a surrogate pair, which JSON can smuggle in."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def refusal_frame(code: str, *, command_id: str | None = None, detail: str = "") -> dict[str, Any]:
    """Return the frame that refuses something, with its code and its sentence in the active language."""
    return {"t": "refused", "id": command_id, "code": code, "message": message_for(code, detail)}


def ok_frame(command_id: UUID, version: int) -> dict[str, Any]:
    """Return the frame that acknowledges a command after its commit."""
    return {"t": "ok", "id": str(command_id), "v": version}


def pong_frame(version: int, now: dt.datetime, word: str = "") -> dict[str, Any]:
    """Return the answer to a ping: the version, the server's time in epoch milliseconds, a word to be sent back."""
    return {"t": "pong", "v": version, "now": epoch_ms(now)} | ({"k": word} if word else {})


def epoch_ms(moment: dt.datetime) -> int:
    """Return a moment as whole milliseconds since 1970 (UTC)."""
    return round(moment.timestamp() * 1000)


def state_frame(
    snapshot: TableSnapshot, *, seat: int | None, events: Sequence[LogEntry], now: dt.datetime
) -> dict[str, Any]:
    """Return the whole view of a table for ``seat`` (``None``: a watcher), with what ``events`` may tell it."""
    return {
        "t": "state",
        "v": snapshot.version,
        "now": epoch_ms(now),
        "table": _common(snapshot).view | _own_view(snapshot, seat),
        "events": [event_for(event, seat) for entry in events for event in entry.events],
    }


def state_text(
    snapshot: TableSnapshot, *, seat: int | None, events: Sequence[LogEntry], now: dt.datetime
) -> str:
    """Return ``state_frame`` as JSON text; what the viewers have in common is put into words once for all of them."""
    common, own = _common(snapshot).text, to_text(_own_view(snapshot, seat))
    told = to_text([event_for(event, seat) for entry in events for event in entry.events])
    head = f'"t":"state","v":{snapshot.version},"now":{epoch_ms(now)}'
    return f'{{{head},"table":{common[:-1]},{own[1:]},"events":{told}}}'


def hint_frame(hint: Hint) -> dict[str, Any]:
    """Return a hint for the one who asked: the move, and why, in codes and in the active language."""
    return {
        "t": "hint",
        "v": hint.version,
        "move": hint.move,
        "reasons": list(hint.reasons),
        "words": [reason_in_words(code) for code in hint.reasons],
    }


to_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Return a frame as the JSON text that goes over a socket."""


class _Common(NamedTuple):
    """The part of a view that is the same for every viewer of one language, also as JSON text."""

    view: dict[str, Any]
    text: str


def _common(snapshot: TableSnapshot) -> _Common:
    language = get_language() or ""
    found: _Common | None = snapshot.common.get(language)
    if found is None:
        view = _common_view(snapshot)
        found = snapshot.common[language] = _Common(view, to_text(view))
    return found


def _own_view(snapshot: TableSnapshot, seat: int | None) -> dict[str, Any]:
    """The part of a view that is for ``seat`` alone."""
    state, rules = snapshot.state, GAMES[snapshot.table.game]
    return {
        "you": seat,
        "deal": rules.view_for(state, seat) if state is not None else None,
        "fair": _fair_view(snapshot, seat),
        "course": course_view(snapshot.table, snapshot.seats, seat),
    }


def _common_view(snapshot: TableSnapshot) -> dict[str, Any]:
    table = snapshot.table
    rules = GAMES[table.game]
    match = rules.load_match(table.match) if table.match is not None else None
    return {
        "id": str(table.id),
        "game": table.game,
        "title": title_of(table.game),
        "rated": table.rated,
        "hints": table.casual,
        "status": table.status,
        "seats": [_seat_view(held) for held in snapshot.seats],
        "options": options_in_words(table.game, table.options, _usual_options(table.game)),
        "match": rules.match_view(match) if match is not None else None,
        "ranking": final_ranking(match, table, snapshot.seats) if match and rules.match_over(match) else None,
        "clock": _clock_view(table),
        "delay": snapshot.delay,
        "next_deal_at": epoch_ms(table.due_at) if table.status == "between" and table.due_at else None,
    }


@functools.cache
def _usual_options(game: str) -> dict[str, Any]:
    rules = GAMES[game]
    return rules.dump_options(rules.parse_options({}))


def _seat_view(held: Seat) -> dict[str, Any]:
    return {
        "seat": held.number,
        "name": held.shown_name,
        "free": held.is_free,
        "bot": held.is_bot,
        "program": held.user is not None and held.user.is_bot,
        "stand_in": held.stand_in or held.left,
        "left": held.left,
        "ready": held.ready,
        "sitting_out": held.sitting_out,
    }


def _clock_view(table: Table) -> dict[str, Any] | None:
    """The running clock; ``stopped`` is the moment at which it stands still during a pause."""
    running = table.due_at is not None or table.paused_at is not None
    if table.turn_seat is None or table.turn_started_at is None or not running:
        return None
    control = PRESETS[table.clock]
    return {
        "seat": table.turn_seat,
        "started": epoch_ms(table.turn_started_at),
        "deadline": epoch_ms(table.turn_started_at)
        + control.per_move
        + int(table.banks.get(str(table.turn_seat), 0)),
        "turn_ms": control.per_move,
        "bank_ms": control.bank,
        "bank_left": table.banks,
        "lag_left": {
            str(n): table.lag_quotas.get(str(n), new_quota(control).left) for n in [table.turn_seat]
        },
        "stopped": epoch_ms(table.paused_at) if table.paused_at is not None else None,
    }


def _fair_view(snapshot: TableSnapshot, seat: int | None) -> dict[str, Any]:
    own = next((held.nonce for held in snapshot.seats if held.number == seat), "")
    return {
        "commitment": snapshot.table.commitment,
        "deal": snapshot.table.deal_number,
        "nonce": own or (str(seat) if seat is not None else ""),
        "nonces_open": snapshot.table.status in (Table.Status.SEATING, Table.Status.BETWEEN),
    }


def farewell_frame(code: str) -> dict[str, Any]:
    """Return the last frame before the server closes a socket."""
    return {"t": "bye", "code": code, "message": message_for(code) or _("The connection was closed.")}
