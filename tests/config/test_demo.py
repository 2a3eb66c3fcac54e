"""The demo club: made on an empty site, never among real members."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command

from clubs.models import User

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
    User.objects.all().delete()
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
