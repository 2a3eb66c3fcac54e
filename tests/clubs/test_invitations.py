"""Invitations: guessed, used twice, by too many at once, too late, and taken back."""

from __future__ import annotations

import datetime as dt
import threading
from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from clubs import services
from clubs.errors import ClubRefusal
from clubs.models import Club, Invitation, Membership, Role, User
from clubs.services.invitations import MOST_OPEN, TRIES

HERE = "192.0.2.1"


@pytest.fixture(autouse=True)
def nobody_has_tried() -> None:
    cache.clear()


def person(name: str, **changes: Any) -> User:
    return User.objects.create_user(username=name, password="a good long password", **changes)


def made_club() -> Club:
    return services.make_club(owner=person("owner"), name="Club", slug="a-club", listed=False)


def owner() -> User:
    return User.objects.get(username="owner")


def code(call: Any, **arguments: Any) -> str:
    with pytest.raises(ClubRefusal) as refusal, transaction.atomic():
        call(**arguments)
    return refusal.value.code


@pytest.mark.django_db
class TestInvitation:
    def test_it_makes_so_many_members_with_its_role_and_no_more(self) -> None:
        club = made_club()
        token = services.token_of(services.invite(club=club, by=owner(), role=Role.AUDITOR, uses=2))
        for name in ("a", "b"):
            made = services.redeem(token=token, user=person(name), network=HERE)
            assert made.roles == ["auditor"]
        assert code(services.redeem, token=token, user=person("c"), network=HERE) == "bad_invitation"

    def test_the_same_person_uses_it_once(self) -> None:
        club, user = made_club(), person("a")
        token = services.token_of(services.invite(club=club, by=owner(), uses=5))
        services.redeem(token=token, user=user, network=HERE)
        assert code(services.redeem, token=token, user=user, network=HERE) == "already_member"
        assert Invitation.objects.get().uses == 1

    def test_it_ends_with_its_time_and_when_it_is_taken_back(self) -> None:
        club, user = made_club(), person("a")
        late, gone = (services.invite(club=club, by=owner()) for _ in range(2))
        Invitation.objects.filter(pk=late.pk).update(expires_at=timezone.now() - dt.timedelta(seconds=1))
        services.revoke(club=club, by=owner(), invitation_id=gone.pk)
        for each in (late, gone):
            assert (
                code(services.redeem, token=services.token_of(each), user=user, network=HERE)
                == "bad_invitation"
            )

    def test_no_invitation_lets_a_banned_person_or_a_guest_in(self) -> None:
        club, user = made_club(), person("a")
        token = services.token_of(services.invite(club=club, by=owner(), uses=9))
        services.redeem(token=token, user=user, network=HERE)
        services.ban(club=club, by=owner(), user_id=user.pk, why="x")
        assert code(services.redeem, token=token, user=user, network=HERE) == "banned"
        guest = person("g", is_guest=True)
        assert code(services.redeem, token=token, user=guest, network=HERE) == "account_needed"
        assert Invitation.objects.get().uses == 1, "what was refused uses nothing up"

    def test_offices_are_given_by_owners_and_ownership_by_no_link(self) -> None:
        club, organiser = made_club(), person("organiser")
        Membership.objects.create(club=club, user=organiser, roles=[Role.ORGANISER])
        services.invite(club=club, by=organiser)
        assert code(services.invite, club=club, by=organiser, role=Role.TREASURER) == "not_allowed"
        assert code(services.invite, club=club, by=owner(), role=Role.OWNER) == "bad_role"
        assert code(services.invite, club=club, by=person("outsider")) == "not_allowed"
        client = Client()
        client.force_login(organiser)
        post = {"role": "treasurer", "uses": "1", "days": "7"}
        assert client.post("/clubs/a-club/invitations/", post).status_code == 422
        with pytest.raises(DatabaseError), transaction.atomic():
            Invitation.objects.update(role="owner")

    def test_the_database_has_nothing_that_lets_somebody_in(self) -> None:
        made = services.invite(club=made_club(), by=owner())
        token = services.token_of(made)
        row = Invitation.objects.values().get()
        assert not any(token in str(value) for value in row.values())
        for known in (str(made.pk), made.pk.hex, bytes(made.token_hash).hex()):
            assert code(services.find_invitation, token=known, network=HERE) == "bad_invitation"

    def test_guessing_is_slowed_for_one_network_and_tells_nothing(self, client: Client) -> None:
        token = services.token_of(services.invite(club=made_club(), by=owner()))
        tries = [client.get(f"/invitations/guess-{n}/").status_code for n in range(TRIES + 3)]
        assert tries == [404] * TRIES + [429] * 3
        assert client.get(f"/invitations/{token}/").status_code == 429, "even the right one waits"
        assert client.get(f"/invitations/{token}/", REMOTE_ADDR="192.0.2.9").status_code == 200

    def test_strangers_come_back_to_it_and_nowhere_else(self, client: Client) -> None:
        token = services.token_of(services.invite(club=made_club(), by=owner()))
        page = client.get(f"/invitations/{token}/")
        assert f"next=/invitations/{token}/" in page.content.decode()
        # "no-referrer" once made browsers send the form without an origin, and nobody could join.
        assert page.headers["Referrer-Policy"] == "same-origin"
        assert client.post(f"/invitations/{token}/").status_code == 200, "a stranger becomes nobody's member"
        evil = client.post(
            "/sign-in/?next=https://evil.example/", {"login": "owner", "password": "a good long password"}
        )
        assert "evil.example" not in evil.headers.get("Location", "")

    def test_a_club_has_only_so_many_open(self) -> None:
        club = made_club()
        for _ in range(MOST_OPEN):
            services.invite(club=club, by=owner())
        assert code(services.invite, club=club, by=owner()) == "too_many_invitations"
        for bad in ({"uses": 0}, {"uses": 501}, {"days": 0}, {"days": 91}):
            assert code(services.invite, club=club, by=owner(), **bad) == "bad_uses"


@pytest.mark.committed
def test_two_who_follow_the_last_use_at_once_do_not_both_come_in() -> None:
    """Both saw that one use was left."""
    club = made_club()
    token = services.token_of(services.invite(club=club, by=owner(), uses=1))
    people = [person(f"racer{n}") for n in range(6)]
    start, codes = threading.Barrier(len(people)), []

    def follow(user: User, network: str) -> None:
        try:
            start.wait()
            services.redeem(token=token, user=user, network=network)
            codes.append("in")
        except ClubRefusal as refusal:
            codes.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=follow, args=(user, f"192.0.2.{n}")) for n, user in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == ["bad_invitation"] * 5 + ["in"]
    assert Membership.objects.filter(club=club).count() == 2 and Invitation.objects.get().uses == 1
