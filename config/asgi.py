"""The site as one ASGI application: files, pages and sockets."""

from __future__ import annotations

import os
from typing import Any, cast

from django.conf import settings
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django must be set up before anything below imports a model.
pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import AllowedHostsOriginValidator  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from config import pulse  # noqa: E402
from config.metrics import counted  # noqa: E402
from config.process import WEB  # noqa: E402
from config.static_files import StaticFiles  # noqa: E402
from games.consumers import TableConsumer  # noqa: E402
from games.lobby_consumer import LobbyConsumer  # noqa: E402


async def no_such_socket(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Refuse the handshake of a socket that nobody serves."""
    await receive()
    await send({"type": "websocket.close", "code": 4404})


# Channels routes sockets with Django's `path`, whose types know only views.
socket_routes: list[Any] = [
    path("ws/tables/<uuid:table_id>/", cast(Any, TableConsumer.as_asgi())),
    path("ws/lobby/", cast(Any, LobbyConsumer.as_asgi())),
    re_path(r"", cast(Any, no_such_socket)),
]
sockets = URLRouter(socket_routes)
application = ProtocolTypeRouter(
    {
        "http": StaticFiles(cast(Any, pages), root=str(settings.STATIC_ROOT), prefix=settings.STATIC_URL),
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(sockets)),
    }
)

if settings.PROCESS_NAME == WEB:
    pulse.start(WEB, settings.REDIS_URL, counted)
