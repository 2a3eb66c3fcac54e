"""Static files under their hashed names, served in front of Django.

WhiteNoise finds, compresses and describes the files. Its own Django middleware is synchronous and would push every
request through a thread, so that only its catalogue is used here, behind a small ASGI door.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from wsgiref.headers import Headers

from whitenoise import WhiteNoise

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# name.0123456789ab.css: the name changes with the content, so that a browser may keep the file for ever.
HASHED_NAME = r"\.[0-9a-f]{12}\.[^/]+$"
CHUNK = 256 * 1024


class StaticFiles:
    """ASGI application that answers for files below `prefix` and hands everything else on."""

    def __init__(self, app: App, *, root: str, prefix: str) -> None:
        self.app = app
        self.catalogue = WhiteNoise(
            None, immutable_file_test=HASHED_NAME, add_headers_function=_guard, allow_all_origins=False
        )
        self.catalogue.add_files(root, prefix=prefix)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self.catalogue.files.get(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        answer = found.get_response(scope["method"], _wsgi_headers(scope))
        await send(
            {
                "type": "http.response.start",
                "status": int(answer.status),
                "headers": [(k.lower().encode("latin-1"), v.encode("latin-1")) for k, v in answer.headers],
            }
        )
        if answer.file is not None:
            with answer.file as file:
                while chunk := await asyncio.to_thread(file.read, CHUNK):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def _guard(headers: Headers, path: str, url: str) -> None:
    """A browser must take a file for what its type says, and for nothing else."""
    headers["X-Content-Type-Options"] = "nosniff"


def _wsgi_headers(scope: Scope) -> dict[str, str]:
    """Return the request's headers as WhiteNoise expects them."""
    return {
        "HTTP_" + name.decode("latin-1").upper().replace("-", "_"): value.decode("latin-1")
        for name, value in scope["headers"]
    }
