"""The chat at a table: each socket is sent the lines that its reader may read, in the reader's language.

News say only that there is more to read, and whoever hears them reads the
truth. How far each socket has read is kept here while the socket lives. Those
who watch a rated or staked table read later; a timer of this process wakes
them, and a line whose timer is lost comes with the next.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

from django.utils import translation
from django.utils.translation import gettext as _

from games import selectors
from games.executor import in_thread
from games.messages import epoch_ms
from games.models import ChatLine
from games.rooms import News, Room, Viewer, on_news
from games.selectors import ChatPage, TableChat


@dataclass
class _Place:
    """How far a socket has read, and up to which line its client was told so (ids)."""

    read: int
    told: int


_places: WeakKeyDictionary[Viewer, _Place] = WeakKeyDictionary()
_timers: WeakKeyDictionary[Room, asyncio.Task[None]] = WeakKeyDictionary()


async def told(room: Room, news: News) -> None:
    """Send what is new; ``again`` in the news sends everything anew, to one member or (``None``) to all."""
    if "again" in news:
        wanted = [viewer for viewer in room.viewers if news["again"] in (None, viewer.user_id)]
        await _send_history(room, wanted)
    else:
        await _send_new(room)


async def joined(room: Room, viewer: Viewer) -> None:
    """Send the last lines to a socket that joined, or that may have lost some."""
    await _send_history(room, [viewer])


async def send_since(room: Room, viewer: Viewer, after: int) -> None:
    """Send what a client asks for: the lines after the id ``after``, or (0) the last ones anew."""
    async with room.news_lock:
        if after == 0:
            await _send_history(room, [viewer])
            return
        chat = await in_thread(TableChat, table_id=room.table_id, user_ids=[viewer.user_id], after=after)
        _put(viewer, chat, chat.since(viewer.user_id, after))


async def _send_history(room: Room, viewers: Iterable[Viewer]) -> None:
    viewers = list(viewers)
    if not viewers:
        return
    people = {viewer.user_id for viewer in viewers}
    chat = await in_thread(TableChat, table_id=room.table_id, user_ids=people)
    for viewer in viewers:
        _put(viewer, chat, chat.history(viewer.user_id))
    _wake_later(room, chat, people)


async def _send_new(room: Room) -> None:
    viewers = [viewer for viewer in room.viewers if viewer in _places]
    if not viewers:
        return
    people = {viewer.user_id for viewer in viewers}
    oldest = min(_places[viewer].read for viewer in viewers)
    chat = await in_thread(TableChat, table_id=room.table_id, user_ids=people, after=oldest)
    for viewer in viewers:
        place = _places[viewer]
        page = chat.since(viewer.user_id, place.read)
        if page.lines:
            _put(viewer, chat, replace(page, after=place.told))
        else:
            place.read = page.to
    _wake_later(room, chat, people)


def _put(viewer: Viewer, chat: TableChat, page: ChatPage) -> None:
    with translation.override(viewer.language):
        frame = chat_frame(chat, page, viewer.user_id)
    viewer.put(json.dumps(frame, ensure_ascii=False, separators=(",", ":")))
    place = _places.setdefault(viewer, _Place(page.to, page.to))
    place.told = page.to
    place.read = page.to if page.whole else max(page.to, place.read)


def _wake_later(room: Room, chat: TableChat, people: Iterable[int | None]) -> None:
    """Send again when the first line that somebody must wait for may be read."""
    waits = [wait for user_id in people if (wait := chat.next_ripe(user_id)) is not None]
    timer = _timers.get(room)
    if not waits or (timer is not None and not timer.done()):
        return
    _timers[room] = asyncio.get_running_loop().create_task(_wake(room, max(min(waits), dt.timedelta())))


async def _wake(room: Room, wait: dt.timedelta) -> None:
    await asyncio.sleep(wait.total_seconds() + 0.05)
    async with room.news_lock:
        _timers.pop(room, None)
        if room.viewers:
            await _send_new(room)


# Frames -------------------------------------------------------------------------------------------------------------


def chat_frame(chat: TableChat, page: ChatPage, user_id: int | None) -> dict[str, Any]:
    """Return a page of lines for one reader, in the active language, with where the reader may write what."""
    reader = chat.reader(user_id)
    return {
        "t": "chat",
        "all": page.whole,
        "after": page.after,
        "to": page.to,
        "rooms": sorted(selectors.rooms_to_read(chat.table, reader, chat.now)),
        "room": selectors.room_to_write(reader),
        "write": selectors.may_write(chat.table, chat.person(user_id), chat.now),
        "signed_in": user_id is not None,
        "closed": selectors.closed(chat.table, chat.now),
        "lines": [line_view(line, user_id) for line in page.lines],
    }


def said_frame(command_id: UUID, line: ChatLine) -> dict[str, Any]:
    """Return the answer to a line that was written: the line itself, in the active language."""
    return {"t": "ok", "id": str(command_id), "line": line_view(line, line.author_id)}


def line_view(line: ChatLine, user_id: int | None) -> dict[str, Any]:
    """Return one line as a client is told it, in the active language; who wrote it is a name, not an id."""
    return {
        "id": line.pk,
        "room": line.room,
        "seat": line.seat,
        "name": line.author.shown_name if line.author is not None else _("erased member"),
        "own": user_id is not None and line.author_id == user_id,
        "erased": line.author_id is None,
        "phrase": line.phrase or None,
        "text": line.words,
        "at": epoch_ms(line.at),
    }


on_news("chat", told, joined)
