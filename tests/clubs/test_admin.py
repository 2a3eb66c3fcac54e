"""Accounts in the admin: for keepers of the site alone, and only through the services."""

from __future__ import annotations

import re

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.test import Client

from clubs import services as clubs
from clubs.models import FIRST_CLUB, Club, Membership, NoticeSettings, User
from clubs.services.tokens import make_token
from tests.clubs.test_doors import PASSWORD, member, sign_in

pytestmark = pytest.mark.django_db

PEOPLE = "/admin/clubs/user/"


@pytest.fixture
def keeper(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("keeper", password=PASSWORD))
    return client


def do(keeper: Client, action: str, user: User) -> str:
    answer = keeper.post(PEOPLE, {"action": action, "_selected_action": [user.pk]}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_staff_who_keep_no_site_see_no_accounts(client):
    client.force_login(member("staff", "staff@club.example", is_staff=True))
    for path in (PEOPLE, f"{PEOPLE}1/change/", "/admin/mfa/authenticator/", "/admin/account/emailaddress/"):
        assert client.get(path).status_code in (403, 404), path


def test_a_keeper_finds_a_person_and_no_secret(keeper):
    mari = member()
    TOTP.activate(mari, generate_totp_secret())
    page = keeper.get(f"{PEOPLE}{mari.pk}/change/").content.decode()
    assert "mari@club.example (confirmed)" in page and "TOTP Authenticator" in page
    assert mari.password not in page and "pbkdf2" not in page and "md5$" not in page
    assert "mari" in keeper.get(PEOPLE, {"q": "mari"}).content.decode()
    keeper.post(f"{PEOPLE}{mari.pk}/change/", {"username": "other", "is_staff": "on"})
    mari.refresh_from_db()
    assert mari.username == "mari" and mari.is_staff


def test_switching_off_ends_every_session_at_once(keeper, django_capture_on_commit_callbacks, monkeypatch):
    mari = member()
    browser = Client()
    sign_in(browser, "mari")
    assert browser.get("/settings/").status_code == 200 and UserSession.objects.filter(user=mari).count() == 1
    closed = []
    monkeypatch.setattr("games.receivers.close_sockets_after_commit", lambda **what: closed.append(what))
    do(keeper, "deactivate", mari)
    assert {what["code"] for what in closed} == {"signed_out", "deactivated"}
    assert browser.get("/settings/").status_code == 302
    assert "closed" in sign_in(Client(), "mari")["Location"]
    do(keeper, "activate", mari)
    assert sign_in(Client(), "mari")["Location"] == "/"


def test_a_keeper_helps_at_the_doors(keeper):
    mari = member()
    mari.emailaddress_set.update(verified=False)
    TOTP.activate(mari, generate_totp_secret())
    assert "Mails written: 1." in do(keeper, "send_confirmation", mari) and len(mail.outbox) == 1
    [link] = re.findall(r"http://testserver(/password/[\w-]+/)", do(keeper, "make_password_link", mari))
    assert "Save the new password" in Client().get(link, follow=True).content.decode()
    assert sign_in(Client(), "mari")["Location"] == "/sign-in/code/"
    do(keeper, "reset_second_factor", mari)
    browser = Client()
    assert sign_in(browser, "mari")["Location"] == "/"
    do(keeper, "end_sessions", mari)
    assert browser.get("/settings/").status_code == 302


def test_nobody_is_erased_by_a_slip(keeper):
    mari = member()
    do(keeper, "erase", mari)
    mari.refresh_from_db()
    assert mari.erased_at is None
    do(keeper, "deactivate", mari)
    asked = do(keeper, "erase", mari)
    mari.refresh_from_db()
    assert mari.erased_at is None and "This cannot be undone." in asked and "mari@" in asked
    # What the page sends when the keeper is sure.
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', asked))
    assert "Done with 1." in keeper.post(PEOPLE, sent, follow=True).content.decode()
    mari.refresh_from_db()
    assert not LogEntry.objects.filter(object_repr__contains="mari").exists()
    assert mari.erased_at is not None and "mari@" not in keeper.get(PEOPLE).content.decode()
    do(keeper, "activate", mari)
    mari.refresh_from_db()
    assert not mari.is_active


def test_lists_of_the_admin_tell_in_words_what_is_kept_as_codes(keeper):
    """Acts, roles, kinds of notices and rights of tokens: no JSON, no code, and no name but its own above a page."""
    club, mari = Club.objects.get(pk=FIRST_CLUB), member()
    clubs.invite(club=club, by=User.objects.get(username="keeper"), uses=3)
    tell = {"key": "x", "address": "/clubs/", "club_id": club.pk}
    clubs.notify(users=[mari], kind="join_answer", about={"club": "Kuusk", "accepted": True}, **tell)
    make_token(user=mari, name="Scores", scopes=["read"], days=3)
    told = {
        "act": ("made an invitation: member, 3 people", "invited 1"),
        "invitation": ("0 of 3", "{"),
        "notice": ("Kuusk", "join_answer 1"),
        "apitoken": ("read: tables, history", "secret"),
    }
    for model, (words, code) in told.items():
        listed = keeper.get(f"/admin/clubs/{model}/")
        first = apps.get_model("clubs", model).objects.first()
        page = keeper.get(f"/admin/clubs/{model}/{first.pk}/change/").content.decode()
        assert words in page and code not in page.partition("<main")[2], model
        assert "&quot;" not in page and "{&#x27;" not in listed.content.decode(), model
        assert 'name="_save"' not in page, model


def test_groups_and_rights_are_not_told_in_the_words_that_the_database_keeps(keeper):
    """Names of groups and rights are rows, written once in English: what is shown of them is the reader's language."""
    treasurer, mari = Group.objects.get(name="treasurer"), member()
    useless = Permission.objects.get(codename="delete_posting")
    own = Group.objects.create(name="Whist night")
    own.permissions.add(useless)
    at = f"/admin/auth/group/{treasurer.pk}"
    keeper.cookies["django_language"] = "et"
    told = {
        "/admin/auth/group/": ("Korraldaja", "Laekur", "Revident", "Whist night"),
        f"{at}/change/": ("Laekur", "Võib raamatut eksportida"),
        f"{at}/delete/": ("Laekur",),
        f"{at}/history/": ("Laekur",),
        f"{PEOPLE}{mari.pk}/change/": ("Korraldaja", "Laekur", "Revident", "Whist night"),
    }
    for address, words in told.items():
        page = keeper.get(address).content.decode()
        assert all(word in page for word in words), address
        assert sorted(words, key=page.index) == list(words), (
            "groups stood in the order of their English names"
        )
        for english in (">treasurer<", "Treasurer", "organiser<", "May export", "Can add"):
            assert english not in page, (address, english)


def test_a_group_keeps_its_name_and_a_right_that_is_of_no_use_is_not_offered(keeper):
    """Migrations know the site's groups by their names. Most rights that Django makes are asked for by nobody; one that
    a group holds all the same is not lost by saving."""
    treasurer = Group.objects.get(name="treasurer")
    export, useless = (Permission.objects.get(codename=code) for code in ("export_book", "delete_posting"))
    at = f"/admin/auth/group/{treasurer.pk}/change/"
    page = keeper.get(at).content.decode()
    assert f'value="{export.pk}" checked' in page and f'value="{useless.pk}"' not in page
    assert 'name="name"' not in page and "multiple" not in page
    keeper.post(at, {"name": "x", "permissions": [export.pk]})
    assert Group.objects.get(name="treasurer").permissions.get() == export
    treasurer.permissions.add(useless)
    assert f'value="{useless.pk}" checked' in keeper.get(at).content.decode()
    keeper.post("/admin/auth/group/add/", {"name": "Whist night", "permissions": [export.pk]})
    assert Group.objects.get(name="Whist night").permissions.get() == export


def test_what_stands_in_the_lists_of_clubs_is_in_order_and_never_a_gap(keeper):
    """Members stand by name, not by when they signed up; who leaves no kind of notice out has a dash there."""
    club = Club.objects.get(pk=FIRST_CLUB)
    for name in ("zoe", "adam"):
        Membership.objects.create(club=club, user=member(name, f"{name}@club.example"))
    page = keeper.get("/admin/clubs/membership/").content.decode()
    assert 0 < page.index(">adam<") < page.index(">zoe<")
    chosen = NoticeSettings.objects.create(user=User.objects.get(username="adam"))
    page = keeper.get(f"/admin/clubs/noticesettings/{chosen.pk}/change/").content.decode()
    assert page.count('<div class="readonly">–</div>') == 2
