"""Streams of lines of JSON: one table as my seat sees it, and all that waits for me."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from django.http import HttpRequest, StreamingHttpResponse

from clubs.api.access import language, limit_of, person, reads, token_of
from clubs.api.problems import PROBLEMS
from games.api.routes import router
from games.api.seeing import table_at
from games.api.shapes import TableId
from games.streams import Listener, call_lines, check_room, table_lines

MEDIA_TYPE = "application/x-ndjson"

TAGS = ["streams"]
LINES: dict[str, Any] = {
    "responses": {
        200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}, "description": "Lines of JSON"}
    }
}


@router.get(
    "/tables/{uuid:table}/stream",
    tags=TAGS,
    auth=reads,
    response={200: None, **PROBLEMS},
    openapi_extra=LINES,
    summary="The stream of a table",
)
def table_stream(request: HttpRequest, table_id: TableId) -> StreamingHttpResponse:
    """What a socket at the table is sent (docs/protocol.md), a line each, until the match is over.

    It begins with a whole `state`; while nothing happens a `pong` comes every 6 seconds. The last
    line is the `state` of a finished match, or a `bye` that says why the server ends the stream.
    """
    table_at(request, table_id)
    check_room(person(request).pk)
    return _answer(request, table_lines(table_id, _listener(request)))


@router.get(
    "/stream/events",
    tags=TAGS,
    auth=reads,
    response={200: None, **PROBLEMS},
    openapi_extra=LINES,
    summary="What waits for me",
)
def event_stream(request: HttpRequest) -> StreamingHttpResponse:
    """`calls`: my unfinished tables (those of events too, as soon as a round is released) and the seats that are
    offered to me, whole each time that something changed. `ping` comes every 6 seconds."""
    check_room(person(request).pk)
    return _answer(request, call_lines(_listener(request)))


def _listener(request: HttpRequest) -> Listener:
    token = token_of(request)
    return Listener(person(request).pk, language(), token.pk, token.session)


def _answer(request: HttpRequest, lines: AsyncIterator[bytes]) -> StreamingHttpResponse:
    """Return the stream; proxies are asked to pass each line on at once."""
    response = StreamingHttpResponse(lines, content_type=MEDIA_TYPE)
    limit = limit_of(request)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", **(limit.headers if limit else {})}
    for name, value in headers.items():
        response[name] = value
    return response
