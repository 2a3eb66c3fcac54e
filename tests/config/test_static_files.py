"""Static files as a browser asks for them."""

from __future__ import annotations

import gzip

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import StreamingHttpResponse

from config.packing import PackPages
from config.static_files import StaticFiles

HASHED = "site.0123456789ab.css"


async def behind(scope, receive, send):
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"the site"})


@pytest.fixture
def files(tmp_path):
    (tmp_path / HASHED).write_text("body { margin: 0 }" * 100_000)
    (tmp_path / f"{HASHED}.gz").write_bytes(gzip.compress(b"small"))
    (tmp_path / "site.css").write_text("body {}")
    return StaticFiles(behind, root=str(tmp_path), prefix="/static/")


async def ask(files, path, method="GET", **headers):
    """Return status, headers and body of one request."""
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
    }
    line = ApplicationCommunicator(files, scope)
    await line.send_input({"type": "http.request"})
    start = await line.receive_output()
    body, more = b"", True
    while more:
        part = await line.receive_output()
        body += part["body"]
        more = part.get("more_body", False)
    return start["status"], {k.decode(): v.decode() for k, v in start["headers"]}, body


async def test_a_hashed_name_may_be_kept_for_ever(files):
    status, headers, body = await ask(files, f"/static/{HASHED}")
    assert status == 200
    assert headers["cache-control"] == "max-age=315360000, public, immutable"
    assert headers["content-type"].startswith("text/css")
    assert headers["x-content-type-options"] == "nosniff"
    assert len(body) == int(headers["content-length"]) == 1_800_000


async def test_a_plain_name_may_change(files):
    _, headers, _ = await ask(files, "/static/site.css")
    assert "immutable" not in headers["cache-control"]


async def test_a_browser_that_unpacks_gets_the_packed_file(files):
    _, headers, body = await ask(files, f"/static/{HASHED}", accept_encoding="gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == b"small"


async def test_what_the_browser_has_is_not_sent_again(files):
    _, headers, _ = await ask(files, "/static/site.css")
    status, _, body = await ask(files, "/static/site.css", if_modified_since=headers["last-modified"])
    assert (status, body) == (304, b"")


async def test_only_the_head_when_only_the_head_is_asked_for(files):
    status, headers, body = await ask(files, "/static/site.css", method="HEAD")
    assert (status, headers["content-length"], body) == (200, "7", b"")


@pytest.mark.parametrize("path", ["/", "/static/none.css", "/static/../settings.py", "/site.css"])
async def test_everything_else_is_the_sites(files, path):
    status, _, body = await ask(files, path)
    assert (status, body) == (418, b"the site")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/lobby/", "/i18n/catalog.js"])
def test_pages_were_sent_unpacked(client, address):
    plain = client.get(address)
    packed = client.get(address, headers={"accept-encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip" and "Accept-Encoding" in packed["Vary"]
    assert "Content-Encoding" not in plain
    assert len(packed.content) < len(plain.content) / 2 < len(gzip.decompress(packed.content))


def test_a_streams_events_do_not_wait_for_a_packer(rf):
    stream = StreamingHttpResponse(iter([b"data: 1\n\n" * 100]), content_type="text/event-stream")
    answer = PackPages(lambda request: stream)(rf.get("/", headers={"accept-encoding": "gzip"}))
    assert answer is stream and "Content-Encoding" not in answer
    assert next(iter(answer)) == b"data: 1\n\n" * 100
