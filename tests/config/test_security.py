"""What every page and every socket tells or refuses a browser."""

from __future__ import annotations

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from config.asgi import application


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/healthz", "/sign-in/", "/admin/login/", "/no-such-page"])
def test_a_page_may_load_nothing_from_elsewhere_and_run_nothing_inline(client, path):
    policy = client.get(path)["Content-Security-Policy"]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split("; ")}
    assert rules["default-src"] == ["'none'"]
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == ["'self'"]
    assert rules["frame-ancestors"] == rules["base-uri"] == ["'none'"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*"} & {
        source for sources in rules.values() for source in sources
    }


@pytest.mark.django_db
def test_a_page_says_what_it_is_and_that_nobody_may_frame_it(client):
    # The last one only takes forms: its page is a middleware's.
    for path in ("/", "/no-such-page", "/play/"):
        answer = client.get(path)
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY", path
        assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_an_unknown_host_is_refused(client):
    assert client.get("/healthz", headers={"host": "elsewhere.example"}).status_code == 400


async def refused(path: str, origin: bytes) -> bool:
    """Return whether the site closes a handshake instead of accepting it."""
    scope = {"type": "websocket", "path": path, "headers": [(b"origin", origin)], "subprotocols": []}
    line = ApplicationCommunicator(application, scope)
    await line.send_input({"type": "websocket.connect"})
    answer = await line.receive_output(timeout=30)
    await line.send_input({"type": "websocket.disconnect", "code": 1006})
    await line.wait(30)
    return answer["type"] == "websocket.close"


async def test_a_socket_opened_by_another_site_is_refused():
    assert await refused("/ws/nothing/", b"https://elsewhere.example")


async def test_a_socket_that_nobody_serves_is_refused(caplog):
    assert await refused("/ws/nothing/", f"http://{settings.ALLOWED_HOSTS[0]}".encode())
    assert caplog.records == []


@pytest.mark.django_db
def test_the_language_is_switched_and_kept(client):
    answer = client.post("/i18n/setlang/", {"language": "et", "next": "/healthz"})
    assert answer.status_code == 302
    assert client.cookies["django_language"].value == "et"
    assert client.cookies["django_language"]["samesite"] == "Lax"
    assert client.get("/healthz")["Content-Language"] == "et"
