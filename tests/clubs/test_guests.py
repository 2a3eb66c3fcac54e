"""Guests who become members, by signing up or by signing in, and keep what they played."""

from __future__ import annotations

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client

from clubs.models import User
from games.models import Seat, Table
from tests.clubs.test_doors import MARI, PASSWORD, code_of_now, member, sign_in, who
from tests.games.tables import open_table, play_to_the_end
from tests.games.test_pages import form_data

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(client: Client) -> User:
    """A guest at a running table with bots."""
    client.post("/play/", form_data(client, "least_score", declare_cap="None"))
    return User.objects.get(is_guest=True)


def test_a_guest_who_signs_up_is_the_same_row_with_the_same_seat(client, guest):
    seat = Seat.objects.get(user=guest)
    before = client.session.session_key
    page = client.get("/sign-up/").content.decode()
    assert f"keep what you have played as {guest.shown_name}" in page
    assert client.post("/sign-up/", MARI)["Location"] == "/"
    guest.refresh_from_db()
    assert (guest.is_guest, guest.username, guest.shown_name) == (False, "mari-maasikas", "Mari Maasikas")
    assert who(client) == "mari-maasikas" and client.session.session_key != before
    assert Seat.objects.get(user=guest) == seat
    assert client.get(f"/tables/{seat.table_id}/").context["snapshot"]["table"]["you"] == seat.number


def test_a_guest_who_signs_in_takes_the_seats_along_but_never_has_two_at_a_table(client, guest):
    mari = member()
    running, drawn = Table.objects.get(), Seat.objects.get(user=guest).number
    past = open_table("least_score", guest)
    play_to_the_end(past)
    shared = open_table("least_score", guest, mari)
    assert sign_in(client, "mari").status_code == 302 and who(client) == "mari"
    guest.refresh_from_db()
    assert not guest.is_active
    assert {seat.table_id for seat in mari.seats.all()} == {running.pk, past.pk, shared.pk}
    assert running.log.filter(events__contains=[{"type": "seated", "seat": drawn}]).count() == 2
    left = Seat.objects.get(user=guest)
    assert left.table_id == shared.pk and left.left


def test_a_guest_signs_in_with_a_second_step(client, guest):
    """A door that sent everybody away who is signed in sent the guest round in circles after the password."""
    mari = member()
    secret = generate_totp_secret()
    TOTP.activate(mari, secret)
    RecoveryCodes.activate(mari)
    assert sign_in(client, "mari")["Location"] == "/sign-in/code/"
    assert who(client) == guest.username
    assert client.get("/sign-in/code/").status_code == 200
    assert "not right" in client.post("/sign-in/code/", {"code": "000000"}).content.decode()
    code = code_of_now(secret)
    assert client.post("/sign-in/code/", {"code": code})["Location"] == "/"
    assert who(client) == "mari" and Seat.objects.filter(user=mari).exists()


def test_the_secret_of_an_app_does_not_lie_open_in_the_database():
    secret = generate_totp_secret()
    kept = TOTP.activate(member(), secret).instance
    kept.refresh_from_db()
    assert secret not in str(kept.data)


def test_a_guest_finds_no_settings_and_signing_up_twice_makes_two_people(client, guest):
    assert client.get("/settings/")["Location"] == "/sign-up/"
    client.post("/sign-up/", MARI)
    client.post("/sign-up/", {**MARI, "name": "Another", "email": "b@club.example", "password1": PASSWORD})
    assert User.objects.filter(is_guest=False).count() == 2
