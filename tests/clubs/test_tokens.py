"""Tokens of the API: what is kept of them, who has them, what they open and when they end."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs.api import limits
from clubs.errors.tokens import TokenRefusal
from clubs.models import ApiToken, User
from clubs.selectors.tokens import prefix_of, tokens_of, valid_token
from clubs.services import all_about, erase
from clubs.services.guests import create_guest
from clubs.services.tokens import MOST_TOKENS, make_token, revoke_token
from tests.programs import Program, token_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def mari() -> User:
    return User.objects.create_user(username="mari", password="a good long password")


def test_a_secret_is_shown_once_and_nothing_kept_gives_it_back(mari):
    made = make_token(user=mari, name="  my   bot ", scopes=["play", "read"], days=30)
    row = ApiToken.objects.values().get()
    assert (row["name"], row["scopes"], row["prefix"]) == ("my bot", ["read", "play"], prefix_of(made.text))
    secret = made.text.removeprefix(f"club_{row['prefix']}")
    assert len(secret) >= 43 and secret not in repr(row)
    assert valid_token(made.text) == made.token
    assert [token.pk for token in tokens_of(mari.pk)] == [made.token.pk]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"name": " "}, "bad_token_name"),
        ({"name": "x" * 61}, "bad_token_name"),
        ({"name": "a\0b"}, "bad_token_name"),
        ({"scopes": []}, "bad_scopes"),
        ({"scopes": ["read", "write"]}, "bad_scopes"),
        ({"days": 0}, "bad_token_days"),
        ({"days": 366}, "bad_token_days"),
    ],
)
def test_what_no_token_can_be_is_refused(mari, wanted, code):
    with pytest.raises(TokenRefusal) as refusal:
        make_token(user=mari, **({"name": "bot", "scopes": ["read"], "days": 1} | wanted))
    assert refusal.value.code == code and refusal.value.message
    assert not ApiToken.objects.exists()


def test_guests_have_no_tokens_and_members_a_few(mari):
    with pytest.raises(TokenRefusal, match="guests_without_tokens"):
        make_token(user=create_guest(language="en"), name="bot", scopes=["read"], days=1)
    for _ in range(MOST_TOKENS):
        last = make_token(user=mari, name="bot", scopes=["read"], days=1)
    with pytest.raises(TokenRefusal, match="too_many_tokens"):
        make_token(user=mari, name="bot", scopes=["read"], days=1)
    revoke_token(token_id=last.token.pk, user=mari)
    make_token(user=mari, name="bot", scopes=["read"], days=1)


def test_only_its_person_or_a_keeper_revokes_a_token_and_only_once(mari):
    token = make_token(user=mari, name="bot", scopes=["read"], days=1).token
    other = User.objects.create_user(username="jaan")
    with pytest.raises(TokenRefusal, match="no_such_token"):
        revoke_token(token_id=token.pk, user=other)
    revoke_token(token_id=token.pk)
    with pytest.raises(TokenRefusal, match="no_such_token"):
        revoke_token(token_id=token.pk, user=mari)


@pytest.mark.parametrize(
    "wrong",
    [
        {"scopes": []},
        {"scopes": ["all"]},
        {"name": ""},
        {"expires_at": dt.datetime(2020, 1, 1, tzinfo=dt.UTC)},
    ],
)
def test_the_database_keeps_no_token_without_name_scope_or_time(mari, wrong):
    usual: dict[str, Any] = {
        "user": mari,
        "name": "bot",
        "prefix": "0123456789",
        "secret_hash": b"",
        "scopes": ["read"],
        "expires_at": timezone.now() + dt.timedelta(days=1),
    }
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.create(**(usual | wrong))


def test_who_has_no_valid_token_is_told_so(mari):
    program = Program(mari, "read")
    assert program.get("/me").body["token"]["scopes"] == ["read"]
    text = program.text
    for wrong in ("", text[:-1], text[:-1] + "~", f"{text}x", "club_", "x" * 5000, "ünknown", text.upper()):
        program.text = wrong
        answer = program.get("/me")
        assert (answer.status, answer.code) == (401, "token_not_valid"), wrong
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    program.text = text
    ApiToken.objects.update(expires_at=timezone.now(), created_at=timezone.now() - dt.timedelta(days=1))
    assert program.get("/me").code == "token_not_valid"
    ApiToken.objects.update(expires_at=timezone.now() + dt.timedelta(days=1))
    assert program.get("/me").status == 200
    mari.is_active = False
    mari.save()
    assert program.get("/me").code == "token_not_valid"


def test_a_signed_in_browser_without_a_token_is_nobody(client, mari):
    client.force_login(mari)
    answer = client.get("/api/v1/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "token_missing")


def test_the_use_of_a_token_is_noted_once_a_minute(mari, django_assert_num_queries):
    program = Program(mari, "read")
    program.get("/me")
    first = token_row(program).last_used_at
    assert first is not None
    program.get("/me")
    assert token_row(program).last_used_at == first
    ApiToken.objects.update(last_used_at=first - dt.timedelta(seconds=61))
    program.get("/me")
    assert token_row(program).last_used_at >= first


def test_requests_are_counted_for_the_person_and_come_back_in_time(mari, monkeypatch):
    monkeypatch.setattr(limits, "REQUESTS", 3)
    monkeypatch.setattr(limits, "WINDOW_MS", 3_600_000)  # None comes back while a slow machine asks.
    programs = [Program(mari, "read"), Program(mari, "read")]
    left = [programs[n % 2].get("/me").headers["X-RateLimit-Remaining"] for n in range(3)]
    assert left == ["2", "1", "0"]
    answer = programs[0].get("/me")
    assert (answer.status, answer.code) == (429, "too_many_requests")
    assert 600 <= int(answer.headers["Retry-After"]) <= 1_200, "a third of the time brings one of three back"
    other = Program(User.objects.create_user(username="jaan"), "read")
    assert other.get("/me").status == 200, "others are not counted together with them"


def test_a_refusal_is_told_in_the_persons_language(mari):
    program = Program(mari, "read", language="et")
    path = "/tables/00000000-0000-0000-0000-000000000000"
    estonian = program.get(path)
    assert (estonian.status, estonian.code) == (404, "no_such_table")
    mari.language = "en"
    mari.save()
    english = program.get(path)
    assert english.code == estonian.code and english.body["message"] != estonian.body["message"]


def test_a_scope_that_is_missing_is_named(mari):
    answer = Program(mari, "play").get("/me")
    assert (answer.status, answer.code, answer.body["detail"]) == (403, "scope_missing", "read")


# Pages --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(client, mari):
    """A browser in which mari gave her password a moment ago."""
    client.force_login(mari)
    client.post("/sign-in/again/", {"password": "a good long password"})
    return client


def test_a_token_is_made_shown_once_and_revoked_on_the_pages(page, mari):
    refused = page.post("/settings/tokens/new/", {"name": "my bot", "days": "90"})
    assert refused.status_code == 422 and not ApiToken.objects.exists()
    shown = page.post("/settings/tokens/new/", {"name": "my bot", "scopes": ["read", "play"], "days": "90"})
    token = ApiToken.objects.get()
    text = re.search(r"club_[0-9a-f]{10}[\w-]{43}", shown.content.decode())
    assert text is not None and valid_token(text[0]) == token
    assert "no-store" in shown["Cache-Control"]
    listed = page.get("/settings/tokens/").content.decode()
    assert "my bot" in listed and token.prefix in listed and text[0] not in listed
    page.post(f"/settings/tokens/{token.pk}/revoke/")
    assert valid_token(text[0]) is None
    assert "my bot" not in page.get("/settings/tokens/").content.decode()


def test_a_token_is_made_only_by_who_gave_the_password_a_moment_ago(client, mari):
    client.force_login(mari)
    answer = client.post("/settings/tokens/new/", {"name": "x", "scopes": ["read"], "days": "90"})
    assert answer.status_code == 302 and answer["Location"].startswith("/sign-in/again/")
    assert not ApiToken.objects.exists()


def test_an_account_is_marked_as_a_bots_and_unmarked(page, mari):
    for said, marked in (("yes", True), ("no", False)):
        page.post("/settings/tokens/bot/", {"bot": said})
        mari.refresh_from_db()
        assert mari.is_bot is marked


def test_guests_and_strangers_see_no_tokens(client):
    assert client.get("/settings/tokens/").status_code == 302
    client.force_login(create_guest(language="en"))
    for path in ("/settings/tokens/", "/settings/tokens/new/"):
        assert client.get(path)["Location"] == "/sign-up/"


def test_a_keeper_sees_all_tokens_and_revokes_them_and_never_reads_one(client, mari):
    made = make_token(user=mari, name="my bot", scopes=["read"], days=1)
    client.force_login(User.objects.create_superuser(username="keeper"))
    assert "my bot" in client.get("/admin/clubs/apitoken/").content.decode()
    page = client.get(f"/admin/clubs/apitoken/{made.token.pk}/change/").content.decode()
    assert "secret_hash" not in page
    client.post("/admin/clubs/apitoken/", {"action": "revoke", "_selected_action": [made.token.pk]})
    assert valid_token(made.text) is None


def test_tokens_are_told_to_their_person_and_forgotten_with_the_person(mari):
    make_token(user=mari, name="my bot", scopes=["read"], days=1)
    (told,) = all_about(user=mari)["profile"]["tokens"]
    assert told["name"] == "my bot" and "hash" not in repr(told)
    erase(user=mari)
    assert not ApiToken.objects.exists()
