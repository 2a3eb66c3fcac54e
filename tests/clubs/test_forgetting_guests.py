"""Guests who never came back: their rows once stayed for ever."""

from __future__ import annotations

import datetime as dt

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import timezone

from clubs.models import User
from clubs.tasks import forget_guests
from games.models import Seat
from tests.games.tables import open_table, play_to_the_end

pytestmark = pytest.mark.django_db


def guest(name: str, *, days: int) -> User:
    then = timezone.now() - dt.timedelta(days=days)
    return User.objects.create_user(
        username=f"guest-{name}", display_name="Guest 1234", is_guest=True, last_login=then, date_joined=then
    )


def test_a_guest_who_does_not_come_back_is_forgotten_and_others_matches_are_not() -> None:
    nothing, _new, played, sits, here = (
        guest(name, days=days)
        for name, days in (("nothing", 61), ("new", 59), ("played", 61), ("sits", 61), ("here", 61))
    )
    mari = User.objects.create_user(username="mari", last_login=timezone.now() - dt.timedelta(days=900))
    over, running = open_table("least_score", played, mari), open_table("least_score", sits, mari)
    play_to_the_end(over)
    client = Client()
    client.force_login(here)
    device = {"user": here, "ip": "192.0.2.7", "user_agent": "a browser"}
    UserSession.objects.get_or_create(session_key=client.session.session_key, defaults=device)
    User.objects.filter(pk=here.pk).update(last_login=nothing.last_login)
    forget_guests()
    left = {row.username for row in User.objects.filter(is_guest=True)}
    assert left == {"guest-new", "guest-sits", "guest-here"}
    assert User.objects.filter(pk=mari.pk, erased_at=None).exists()
    assert not User.objects.filter(pk=nothing.pk).exists()
    played.refresh_from_db()
    assert played.erased_at is not None and played.username == f"erased-{played.pk}"
    assert Seat.objects.get(table=over, number=1).user == played
    assert Seat.objects.get(table=running, number=1).user == sits


def test_guests_who_are_still_expected_do_not_keep_others_from_being_forgotten_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("clubs.services.forgetting.GUESTS_AT_ONCE", 1)
    sits, nothing, also = (guest(name, days=61) for name in ("sits", "nothing", "also"))
    open_table("least_score", sits, User.objects.create_user(username="mari"))
    forget_guests()
    assert set(User.objects.filter(is_guest=True)) == {sits, also}
    assert not User.objects.filter(pk=nothing.pk).exists()
