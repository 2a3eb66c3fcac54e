"""Attacks on the whole site, one table after the other: what strangers, members with a grudge and clever programs tried."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from clubs import services
from clubs.errors import ClubRefusal
from clubs.models import Club, JoinRequest, Membership, Role, User
from games.models import Table
from ledger.services import owner_of
from tests.clubs.test_doors import PASSWORD, code_of_now, member, sign_in, who
from tests.games.tables import open_table
from tests.programs import Program
from tests.rights.test_matrix import Nowhere, address_of, addresses
from tests.rights.world import World

pytestmark = pytest.mark.django_db

HERE = "192.0.2.1"


@pytest.fixture(autouse=True)
def nobody_has_tried() -> None:
    cache.clear()


# Sessions -------------------------------------------------------------------------------------------------------------


def key_of(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def test_no_session_that_was_put_on_somebody_signs_the_attacker_in() -> None:
    """The key is another one after each step that raises what it is worth, and the old one is worth nothing."""
    mari, client = member(), Client()
    secret = generate_totp_secret()
    steps: list[tuple[str, dict[str, str]]] = [
        ("/sign-in/", {"login": "mari", "password": PASSWORD}),
        (
            "/settings/password/",
            dict.fromkeys(("password1", "password2"), PASSWORD + "!") | {"oldpassword": PASSWORD},
        ),
    ]
    session = client.session
    session["put on"] = "by the attacker"
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    for address, sent in steps:
        before = key_of(client)
        assert client.post(address, sent).status_code == 302, address
        stolen = Client()
        stolen.cookies[settings.SESSION_COOKIE_NAME] = before
        assert key_of(client) != before and who(client) == "mari", address
        assert stolen.get("/settings/").status_code == 302, address
    client.post("/sign-out/")
    TOTP.activate(mari, secret)
    sign_in(client, "mari", PASSWORD + "!")
    assert who(client) is None, "the password alone is half the way"
    before = key_of(client)
    code = code_of_now(secret)
    assert client.post("/sign-in/code/", {"code": code}).status_code == 302
    assert who(client) == "mari" and key_of(client) != before
    stolen = Client()
    stolen.cookies[settings.SESSION_COOKIE_NAME] = before
    assert who(stolen) is None


def test_a_code_of_the_app_opens_the_door_once() -> None:
    """Whoever looked over a shoulder has half a minute."""
    mari, secret = member(), generate_totp_secret()
    TOTP.activate(mari, secret)
    code = code_of_now(secret)
    seen = []
    for _again in range(2):
        client = Client()
        sign_in(client, "mari")
        client.post("/sign-in/code/", {"code": code})
        seen.append(who(client))
    assert seen == ["mari", None]


# Ways out -------------------------------------------------------------------------------------------------------------

ELSEWHERE = (
    *("https://evil.example/", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example"),
    *(
        "http:evil.example",
        "http:///evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "\x01//evil.example",
    ),
    *("javascript:alert(1)", "data:text/html,x", "//evil\u3002example", "http://testserver@evil.example"),
    *(
        "http://testserver.evil.example/",
        "ftp://testserver/",
        "//testserver\\@evil.example",
        "https:/evil.example",
    ),
)


@pytest.mark.parametrize("target", ELSEWHERE, ids=ascii)
def test_no_address_that_is_brought_along_leads_to_another_site(target: str) -> None:
    member()
    client = Client()
    posts: list[tuple[str, dict[str, str]]] = [
        ("/i18n/setlang/", {"language": "et"}),
        ("/sign-in/", {"login": "mari", "password": PASSWORD}),
        ("/sign-in/again/", {"password": PASSWORD}),
        ("/sign-out/", {}),
        ("/sign-up/", {"name": "Somebody", "email": "x@club.example", "password1": PASSWORD}),
        ("/admin/logout/", {}),
    ]
    for address, sent in posts:
        answers = [client.post(address, {**sent, "next": target})]
        answers.append(client.get(address, {"next": target}))
        answers.append(client.post("/i18n/setlang/", {"language": "et"}, headers={"referer": target}))
        for answer in answers:
            leads = answer.headers.get("Location", "/")
            assert re.match(r"/(?![/\\])", leads), (address, leads)


def test_no_other_host_is_named_in_a_mail() -> None:
    """Who asks for somebody else's new password under a false host would be sent the secret by the click on it."""
    member()
    for sent in (
        {"host": "evil.example"},
        {"x-forwarded-host": "evil.example"},
        {"forwarded": "host=evil.example"},
    ):
        Client(headers=sent).post("/password/", {"email": "mari@club.example"})
    assert all("evil.example" not in letter.body + letter.subject for letter in mail.outbox)


def test_what_differs_by_cookie_is_not_handed_to_others_by_a_cache() -> None:
    """The catalogue of the scripts' words said that it differs by the browser's language alone."""
    nowhere, told = Nowhere(), 0
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "et"
    for name, parts in addresses():
        answer = client.get(address_of(name, parts, nowhere))
        if answer.status_code == 200 and name not in ("api:openapi", "metrics"):
            varies = "Cookie" in answer.headers.get("Vary", "")
            assert varies or "no-store" in answer.headers.get("Cache-Control", ""), name
            told += 1
    assert told > 20


# Bodies ---------------------------------------------------------------------------------------------------------------

BOMBS = {
    "larger than is read": b"x" * 3_000_000,
    "deep": b"[" * 100_000,
    "deep objects": b'{"a":' * 50_000,
    "no text": b'{"name":"\xff\xfe"}',
    "no number": b'{"seats":NaN}',
    "a number too long": b'{"seats":' + b"9" * 5_000 + b"}",
    "a NUL": b'{"name":"\\u0000"}',
    "half a letter": b'{"name":"\\ud800"}',
    "null": b"null",
}


def test_no_body_is_a_fault_of_the_api() -> None:
    """One that was larger than the site reads was answered with 500."""
    program = Program(User.objects.create_user(username="mari"))
    headers = {"authorization": f"Bearer {program.text}"}
    nowhere = Nowhere()
    for name, parts in addresses():
        if not name.startswith("api:"):
            continue
        for what, body in BOMBS.items():
            cache.clear()
            answer = Client().post(
                address_of(name, parts, nowhere), body, content_type="application/json", headers=headers
            )
            assert 400 <= answer.status_code < 500 or answer.status_code in (200, 201), (name, what)


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        ("x" * 3_000_000, "application/x-www-form-urlencoded"),
        ("&".join(f"a{n}=1" for n in range(2_000)), "application/x-www-form-urlencoded"),
        ("no boundary", "multipart/form-data"),
        ("--x\r\n" * 1_000, "multipart/form-data; boundary=x"),
    ],
    ids=["huge", "fields", "no boundary", "empty parts"],
)
def test_no_form_that_is_too_large_is_a_fault(sent: str, kind: str) -> None:
    assert 400 <= Client().generic("POST", "/sign-in/", sent, content_type=kind).status_code < 500 or (
        Client().generic("POST", "/sign-in/", sent, content_type=kind).status_code == 200
    )


# Invitations ----------------------------------------------------------------------------------------------------------


def made_club() -> Club:
    return services.make_club(
        owner=member("owner", "owner@club.example"), name="Club", slug="a-club", listed=False
    )


def refusal_of(call: Any, **arguments: Any) -> str:
    with pytest.raises(ClubRefusal) as refusal:
        call(**arguments)
    return refusal.value.code


@pytest.mark.parametrize("end", ["roles", "ban", "leave", "switched off", "erased"])
def test_a_link_that_was_kept_in_the_pocket_does_not_outlive_the_office(end: str) -> None:
    """Who had lost the office, or was banned, came back by an invitation of his own with another account."""
    club = made_club()
    owner, second = User.objects.get(username="owner"), member("second", "second@club.example")
    Membership.objects.create(club=club, user=second, roles=[Role.OWNER])
    made = {
        role: services.invite(club=club, by=second, role=role, uses=9)
        for role in (Role.MEMBER, Role.TREASURER)
    }
    tokens = {role: services.token_of(each) for role, each in made.items()}
    for token in tokens.values():
        services.find_invitation(token=token, network=HERE)
    if end == "roles":
        services.set_roles(club=club, by=owner, user_id=second.pk, roles=[Role.ORGANISER])
        services.find_invitation(token=tokens.pop(Role.MEMBER), network=HERE)
    elif end == "ban":
        services.ban(club=club, by=owner, user_id=second.pk, why="x")
    elif end == "leave":
        services.leave_club(club=club, user=second)
    elif end == "switched off":
        services.deactivate(user=second)
    else:
        services.erase(user=second)
    again = member("again", "again@club.example")
    for token in tokens.values():
        assert refusal_of(services.redeem, token=token, user=again, network=HERE) == "bad_invitation"
    client = Client()
    client.force_login(owner)
    page = client.get("/clubs/a-club/invitations/").content.decode()
    assert (str(made[Role.TREASURER].pk) in page, str(made[Role.MEMBER].pk) in page) == (
        False,
        end == "roles",
    )


@pytest.mark.parametrize(
    ("proxies", "addresses", "locked_out"),
    [
        (1, ("198.51.100.1", "198.51.100.2"), False),
        (1, ("203.0.113.1, 198.51.100.1", "203.0.113.2, 198.51.100.1"), True),
        (0, ("198.51.100.1", "198.51.100.2"), True),
        (1, ("2001:db8:1:2::1", "2001:db8:1:2::2"), True),
    ],
)
def test_who_guesses_invitations_locks_nobody_else_out(
    settings: Any, proxies: int, addresses: tuple[str, str], locked_out: bool
) -> None:
    """Behind a proxy on another machine everybody had the proxy's address: one who guessed closed the door for all."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    token = services.token_of(services.invite(club=made_club(), by=User.objects.get(username="owner")))
    guesser, guest = (Client(headers={"x-forwarded-for": address}) for address in addresses)
    for number in range(21):
        guesser.get(f"/invitations/guess-{number}/")
    assert (guest.get(f"/invitations/{token}/").status_code == 429) == locked_out


# Who is there ---------------------------------------------------------------------------------------------------------


def test_an_organisers_program_does_not_find_out_who_else_is_on_the_site() -> None:
    """Of a member of another club it said that the person is none of the club's, of nobody that there is no such member."""
    world = World(sealed=False)
    program = Program(world.person("organiser"))
    codes = {
        name: program.post(f"/events/{world.event.pk}/entries", {"username": name}).code
        for name in ("outsider", "nobody-at-all", "asker")
    }
    assert len(set(codes.values())) == 1, codes


def test_a_ban_is_not_got_round_as_a_guest_who_signs_in() -> None:
    """The seat that was taken as a guest became the banned member's, who could neither come to it nor leave it."""
    club, mari = made_club(), member()
    Club.objects.filter(pk=club.pk).update(welcomes_guests=True, listed=True)
    Membership.objects.create(club=club, user=mari, state=Membership.State.BANNED)
    guest = User.objects.create_user(username="guest-1", is_guest=True)
    club.refresh_from_db()
    table = open_table("least_score", guest, member("jaan", "jaan@club.example"))
    Table.objects.filter(pk=table.pk).update(club=club)
    services.join_guest(guest=guest, member=mari)
    assert table.seats.get(number=1).user_id is None, "before the first deal the seat is free again"


def test_a_part_of_a_name_tells_an_auditor_nothing_of_another_clubs_people() -> None:
    """An export that was asked for with the beginning of a name told the whole name, at whatever club its owner was."""
    world = World(sealed=False)
    outsider = world.clients["outsider"]
    for text in ("Zebed", "anoth", str(owner_of(user=User.objects.get(username="another")))):
        answer = outsider.post("/admin/ledger/export/add/", {"format": "csv", "member": text})
        assert answer.status_code == 422 and "Zebedee" not in answer.content.decode(), text
    own = world.clients["auditor"].post("/admin/ledger/export/add/", {"format": "csv", "member": "Zebed"})
    assert own.status_code == 302


def test_nobody_rings_at_a_clubs_door_all_day_long() -> None:
    """Asked, withdrawn, asked again: the organisers were told each time, without an end."""
    club, mari = made_club(), member()
    for _again in range(3):
        services.ask_to_join(club=club, user=mari)
        services.withdraw_request(club=club, user=mari)
    assert refusal_of(services.ask_to_join, club=club, user=mari) == "asked_too_often"
    JoinRequest.objects.update(made_at=timezone.now() - dt.timedelta(days=1, seconds=1))
    services.ask_to_join(club=club, user=mari)
