"""Say something at a table, and choose whom not to hear."""

from __future__ import annotations

import datetime as dt
import unicodedata
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Q

from clubs.models import User
from games import selectors
from games.broadcast import announce_news_after_commit
from games.errors import TableRefusal
from games.models import ChatLine, ChatMute, Seat, Table
from games.models.chat import TEXT_CHARACTERS
from games.phrases import PHRASES

RATE = ((dt.timedelta(seconds=10), 5), (dt.timedelta(minutes=2), 20))
"""A person may write at most so many lines within each of these times, at all tables together."""
MARKS_IN_A_ROW = 3
"""More combining marks on one letter run over the lines around it."""


def say(
    *, table_id: UUID, user_id: int, room: str = "", text: str = "", phrase: str = "", command_id: UUID
) -> ChatLine:
    """Write one line, a text or the code of a phrase; a command that was seen before returns its line.

    Without a ``room`` the line goes where the person may write.
    Raises ``TableRefusal`` (``chat_bad_room``, ``chat_bad_text``,
    ``chat_bad_phrase``, ``chat_members_only``, ``chat_watchers_only``,
    ``chat_guests``, ``chat_over``, ``chat_closed``, ``silenced`` with the moment
    as detail, ``chat_too_fast``). Locks the table's row, so that ids follow the
    order of commits, and then the person's, so that all processes count the same.
    """
    text = tidy(text) if not phrase else ""
    if phrase and phrase not in PHRASES:
        raise TableRefusal("chat_bad_phrase")
    if room and room not in ChatLine.Room.values:
        raise TableRefusal("chat_bad_room")
    with transaction.atomic():
        table = _locked(table_id)
        person = User.objects.select_for_update(no_key=True).get(pk=user_id)
        said = ChatLine.objects.filter(author=person, command_id=command_id, table=table)
        known = said.select_related("author").first()
        if known is not None:
            return known
        now = selectors.clock()
        seat = Seat.objects.filter(table=table, user=person, left=False).first()
        room = room or (ChatLine.Room.TABLE if seat else ChatLine.Room.WATCHERS)
        _check_room(room, seat)
        _check_words(table, person, free=not phrase, now=now)
        _check_rate(person, now)
        line = ChatLine.objects.create(
            table=table,
            room=room,
            author=person,
            seat=seat.number if seat else None,
            text=text,
            phrase=phrase,
            command_id=command_id,
            at=now,
        )
        announce_news_after_commit(table_id, {"kind": "chat", "id": line.pk})
        return line


def tidy(text: str) -> str:
    """Return a line's text as it is kept: NFC, every white space one blank, none at the ends.

    Raises ``TableRefusal("chat_bad_text")`` for nothing to see, more than 200
    characters, control and formatting characters (which turn the direction of
    writing or hide letters) and piles of combining marks. The joiner of composed
    emoji is let through.
    """
    text = " ".join(unicodedata.normalize("NFC", text).split())
    kinds = [unicodedata.category(character) for character in text]
    wrong = any(kind[0] == "C" and character != "\u200d" for kind, character in zip(kinds, text, strict=True))
    piled = "M" * (MARKS_IN_A_ROW + 1) in "".join(kind[0] for kind in kinds)
    seen = any(kind[0] in "LNPS" for kind in kinds)
    if wrong or piled or not seen or len(text) > TEXT_CHARACTERS:
        raise TableRefusal("chat_bad_text")
    return text


def _locked(table_id: UUID) -> Table:
    table = Table.objects.select_for_update(no_key=True).defer("match", "chain_end").filter(pk=table_id)
    found = table.first()
    if found is None:
        raise TableRefusal("no_such_table")
    return found


def _check_room(room: str, seat: Seat | None) -> None:
    if room == ChatLine.Room.TABLE and seat is None:
        raise TableRefusal("chat_members_only")
    if room == ChatLine.Room.WATCHERS and seat is not None:
        raise TableRefusal("chat_watchers_only")


def _check_words(table: Table, person: User, *, free: bool, now: dt.datetime) -> None:
    allowed = selectors.may_write(table, person, now)
    if allowed == "no":
        raise TableRefusal("chat_closed")
    silence = selectors.silence_of(person.pk, table.pk, now)
    if silence is not None:
        raise TableRefusal("silenced", silence.until.isoformat())
    if free and allowed == "phrases":
        raise TableRefusal("chat_guests" if person.is_guest else "chat_over")


def _check_rate(person: User, now: dt.datetime) -> None:
    counts = {
        f"n{index}": Count("pk", filter=Q(at__gt=now - span)) for index, (span, _most) in enumerate(RATE)
    }
    longest = max(span for span, _most in RATE)
    written = ChatLine.objects.filter(author=person, at__gt=now - longest).aggregate(**counts)
    if any(written[f"n{index}"] >= most for index, (_span, most) in enumerate(RATE)):
        raise TableRefusal("chat_too_fast")


def mute_author(*, table_id: UUID, line_id: int, user_id: int) -> None:
    """Hide the author of a line from one person, at all tables; the author is not told.

    Raises ``TableRefusal`` (``no_such_line``, ``not_yourself``).
    """
    lines = {line.pk: line for line in selectors.readable_lines(table_id, user_id, also=[line_id])}
    line = lines.get(line_id)
    if line is None or line.author_id is None:
        raise TableRefusal("no_such_line")
    if line.author_id == user_id:
        raise TableRefusal("not_yourself")
    with transaction.atomic():
        ChatMute.objects.get_or_create(muter_id=user_id, muted_id=line.author_id)
        announce_news_after_commit(table_id, {"kind": "chat", "again": user_id})


def unmute(*, user_id: int, muted_id: int) -> None:
    """Read somebody again; whoever was not muted stays so."""
    ChatMute.objects.filter(muter_id=user_id, muted_id=muted_id).delete()
