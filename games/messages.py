"""The messages of a table's socket: what a client may say, typed, and the short frames that answer it.

The protocol is described in docs/protocol.md. Nothing but ids and choices is
taken from a client. The view of a table is in ``games.table_view``.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from games.errors import TableRefusal, message_for
from games.selectors.hints import Hint
from games.wording import REASONS, reason_in_words

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


def hint_frame(hint: Hint) -> dict[str, Any]:
    """Return a hint for the one who asked: the move, and why, in codes and in the active language."""
    return {
        "t": "hint",
        "v": hint.version,
        "move": hint.move,
        "reasons": list(hint.reasons),
        "words": [reason_in_words(code) if code in REASONS else message_for(code) for code in hint.reasons],
    }


to_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Return a frame as the JSON text that goes over a socket."""


def farewell_frame(code: str) -> dict[str, Any]:
    """Return the last frame before the server closes a socket."""
    return {"t": "bye", "code": code, "message": message_for(code) or _("The connection was closed.")}
