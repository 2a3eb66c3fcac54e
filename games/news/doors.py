"""Who may come in has changed at a table's club: the sockets and streams of those who may not look any more are closed."""

from __future__ import annotations

import json

from django.utils import translation

from games import selectors
from games.executor import in_thread
from games.messages import farewell_frame
from games.rooms import CLOSE_POLICY, News, Room, on_news


async def told(room: Room, news: News) -> None:
    """Ask again about everybody who looks, each person once; ``user`` in the news names the only one who is meant."""
    people = {viewer.user_id for viewer in room.viewers if news.get("user", viewer.user_id) == viewer.user_id}
    if not people:
        return
    let_in = await in_thread(selectors.let_in, table_id=room.table_id, user_ids=people)
    for viewer in list(room.viewers):
        if viewer.user_id in people - let_in:
            with translation.override(viewer.language):
                frame = farewell_frame("club_left")
            viewer.end(CLOSE_POLICY, json.dumps(frame, ensure_ascii=False, separators=(",", ":")))


on_news("doors", told)
