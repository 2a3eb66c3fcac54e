"""The demo club: made on an empty site, never among real members."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.db.models import CharField
from django.db.models.functions import Cast

from clubs.models import User
from games.stakes import BOTS_OWNER
from ledger import services
from ledger.models import Account

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


def said(capsys) -> str:
    call_command("demo")
    return capsys.readouterr().out


def test_it_says_how_to_sign_in_and_those_words_are_true(client, capsys):
    line = said(capsys)
    password = re.search(r": (\S+)$", line.strip())[1]
    assert client.login(username="owner", password=password)
    assert client.get("/admin/").status_code == 200
    assert client.login(username="anna", password=password)
    assert client.get("/admin/").status_code == 302
    assert not User.objects.get(username="anna").is_staff


def test_a_second_time_it_says_the_same_and_makes_nobody(capsys):
    first = said(capsys)
    people = User.objects.count()
    assert said(capsys) == first
    assert User.objects.count() == people > 3


def test_passwords_differ_from_site_to_site(capsys, settings, tmp_path):
    first = said(capsys)
    # Members with chips cannot be deleted; guests do not count as a club.
    User.objects.update(is_guest=True, username=Cast("pk", CharField()))
    settings.VAR_DIR = tmp_path / "other"
    settings.VAR_DIR.mkdir()
    assert said(capsys) != first


def test_a_real_club_is_left_alone(capsys, tmp_path):
    User.objects.create_user("president", password="a long enough secret")
    assert "members of its own" in said(capsys)
    assert [user.username for user in User.objects.all()] == ["president"]
    assert list(tmp_path.iterdir()) == []


def test_guests_do_not_make_a_club_real(capsys):
    User.objects.create(username="guest-1", is_guest=True)
    assert "sign in as owner" in said(capsys)


def test_everybody_of_the_demo_club_can_play_for_chips(capsys):
    said(capsys)
    for username in ("owner", "anna", "dora"):
        owner = services.owner_of(user=User.objects.get(username=username))
        wallet = services.open_wallet(owner=owner, asset="CHIPS")
        assert Account.objects.get(pk=wallet).balance == 2_000
    bots = services.open_wallet(owner=BOTS_OWNER, asset="CHIPS")
    assert Account.objects.get(pk=bots).balance == 100_000
