"""What a phone and a messenger are told of the site: the web manifest, icons, and cards of links."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from clubs import services as clubs
from clubs.models import Club, User
from tests.games.gatherings import gathering
from tests.games.tables import member

pytestmark = pytest.mark.django_db


def card_of(client: Client, address: str) -> dict[str, str]:
    text = client.get(address).content.decode()
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', text))


def file_of(address: str) -> Path:
    """Return the source of a static file that a page names, with a hash in its name or without."""
    name = re.sub(r"\.[0-9a-f]{12}(\.\w+)$", r"\1", address.split("/static/")[1])
    found = finders.find(name)
    assert isinstance(found, str), name
    return Path(found)


def test_a_phone_can_install_the_site(client: Client) -> None:
    page = client.get("/").content.decode()
    address = re.search(r'<link rel="manifest" href="([^"]+)">', page)
    assert address
    answer = client.get(address[1], headers={"accept-language": "et"})
    told = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert told["name"] == str(Club.objects.get(pk=1).title)
    assert (told["start_url"], told["display"], told["lang"]) == ("/", "standalone", "et")
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    sizes = {}
    for icon in told["icons"]:
        content = file_of(icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            sizes[width, icon["purpose"]] = content[:4]
    # Browsers offer to install a site that has both of these.
    assert {(192, "any"), (512, "any")} <= set(sizes)


def test_every_frame_of_a_page_has_the_icons(client: Client) -> None:
    owner = member("mari")
    User.objects.filter(pk=owner.pk).update(is_staff=True, is_superuser=True)
    client.force_login(owner)
    for address in ("/", "/lobby/", "/admin/", "/no-such-page"):
        text = client.get(address).content.decode()
        for found in ('rel="manifest"', 'rel="apple-touch-icon"', 'type="image/svg+xml"'):
            assert found in text, (address, found)


def test_a_links_card_says_what_its_page_says_and_a_closed_club_is_named_by_its_invitation_alone(
    client: Client,
) -> None:
    owner = member("mari")
    club = clubs.make_club(owner=owner, name="Suits & Co", slug="suits", listed=False, welcomes_guests=False)
    link = f"/invitations/{clubs.token_of(clubs.invite(club=club, by=owner))}/"
    card = card_of(client, link)
    assert card["og:title"] == "You are invited to Suits &amp; Co" and card["og:description"]
    assert card["og:url"] == f"http://testserver{link}"
    assert card["twitter:card"] == "summary_large_image"
    picture = file_of(card["og:image"].removeprefix("http://testserver"))
    assert card["og:image"].startswith("http://testserver/static/") and picture.stat().st_size < 100_000
    shown, hidden = gathering("least_score", 3, owner), gathering("least_score", 3, owner, club=club)
    assert "Least Score" in card_of(client, f"/tables/{shown.pk}/")["og:title"]
    answer = client.get(f"/tables/{hidden.pk}/")
    assert answer.status_code == 404 and "og:" not in answer.content.decode()
    assert b"Suits" not in answer.content
