"""Members, roles, requests and bans: what each may do, and what crafted posts must not."""

from __future__ import annotations

import datetime as dt
import html
import re
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from clubs import services
from clubs.errors import ClubRefusal
from clubs.forms.clubs import InvitationForm, NewClubForm
from clubs.models import Act, Club, JoinRequest, Membership, Role, User
from clubs.selectors import forget_memberships, pages, roles_in
from games import services as games
from games.errors import TableRefusal
from tests.games.tables import open_table, start

pytestmark = pytest.mark.django_db
STATE = Membership.State


def person(name: str, **changes: Any) -> User:
    return User.objects.create_user(username=name, password="a good long password", **changes)


@pytest.fixture
def club() -> Club:
    """A club with an owner, an organiser and a member; others may see it and ask to join."""
    made = services.make_club(owner=person("owner"), name="Club", slug="a-club")
    for name, roles in (("organiser", [Role.ORGANISER]), ("treasurer", [Role.TREASURER]), ("member", [])):
        Membership.objects.create(club=made, user=person(name), roles=roles)
    return made


def user(name: str) -> User:
    return User.objects.get(username=name)


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(user(name))
    return client


def refused(code: str, call: Any, **arguments: Any) -> None:
    with pytest.raises(ClubRefusal) as refusal, transaction.atomic():
        call(**arguments)
    assert refusal.value.code == code and refusal.value.message


def roles_of(name: str, club: Club) -> set[str]:
    return set(Membership.objects.get(club=club, user=user(name)).roles)


def test_only_an_owner_gives_roles_and_nobody_to_themselves(club: Club) -> None:
    member = user("member")
    for name in ("organiser", "treasurer", "member"):
        refused(
            "not_allowed", services.set_roles, club=club, by=user(name), user_id=member.pk, roles=["owner"]
        )
        refused(
            "not_allowed",
            services.set_roles,
            club=club,
            by=user(name),
            user_id=user(name).pk,
            roles=["owner"],
        )
    owner = user("owner")
    refused("own_roles", services.set_roles, club=club, by=owner, user_id=owner.pk, roles=["approver"])
    refused("bad_role", services.set_roles, club=club, by=owner, user_id=member.pk, roles=["king"])
    refused("no_such_member", services.set_roles, club=club, by=owner, user_id=10**9, roles=[])
    services.set_roles(club=club, by=owner, user_id=member.pk, roles=["auditor", "member"])
    assert roles_of("member", club) == {"auditor"}


@pytest.mark.parametrize("name", ["organiser", "treasurer", "member"])
def test_a_crafted_post_raises_nobody(club: Club, name: str) -> None:
    client = signed_in(name)
    for target in (name, "member"):
        address = f"/clubs/a-club/members/{user(target).pk}/roles/"
        assert client.post(address, {"role": ["owner", "treasurer"], "club": club.pk}).status_code == 403
    assert "owner" not in roles_of(name, club) | roles_of("member", club)


def test_the_last_owner_stays_whatever_is_tried(club: Club) -> None:
    owner, second = user("owner"), user("member")
    refused("last_owner", services.leave_club, club=club, user=owner)
    services.set_roles(club=club, by=owner, user_id=second.pk, roles=["owner"])
    services.set_roles(club=club, by=second, user_id=owner.pk, roles=[])
    refused("last_owner", services.leave_club, club=club, user=second)
    keeper = User.objects.create_superuser("keeper")
    refused("last_owner", services.ban, club=club, by=keeper, user_id=second.pk, why="x")
    assert roles_of("member", club) == {"owner"}


def test_a_role_of_one_club_is_none_in_another(club: Club) -> None:
    """An owner here once could have reached for the members there by their number in the address."""
    other = services.make_club(owner=person("stranger"), name="Other", slug="other")
    stranger = user("stranger")
    refused(
        "not_allowed", services.set_roles, club=club, by=stranger, user_id=user("member").pk, roles=["owner"]
    )
    refused("not_allowed", services.ban, club=club, by=stranger, user_id=user("member").pk, why="x")
    refused(
        "no_such_member",
        services.set_roles,
        club=other,
        by=stranger,
        user_id=user("member").pk,
        roles=["owner"],
    )
    refused("no_such_member", services.ban, club=other, by=stranger, user_id=user("member").pk, why="x")
    client = signed_in("stranger")
    for act in ("roles", "ban", "unban"):
        assert (
            client.post(f"/clubs/a-club/members/{user('member').pk}/{act}/", {"role": "owner"}).status_code
            == 403
        )
    assert not stranger.has_perm("clubs.govern", club) and stranger.has_perm("clubs.govern", other)
    assert stranger.has_perm("clubs.govern"), "without a club it means: in some club"


def test_an_organiser_bans_members_and_nobody_with_a_role(club: Club) -> None:
    organiser = user("organiser")
    refused("owners_only", services.ban, club=club, by=organiser, user_id=user("treasurer").pk, why="x")
    refused("owners_only", services.ban, club=club, by=organiser, user_id=user("owner").pk, why="x")
    refused("not_yourself", services.ban, club=club, by=organiser, user_id=organiser.pk, why="x")
    services.ban(club=club, by=organiser, user_id=user("member").pk, why="shouting")
    assert Membership.objects.get(club=club, user=user("member")).state == STATE.BANNED
    refused("banned", services.ask_to_join, club=club, user=user("member"))
    assert signed_in("member").get("/clubs/a-club/").status_code == 404
    services.lift_ban(club=club, by=organiser, user_id=user("member").pk)
    assert signed_in("member").get("/clubs/a-club/").status_code == 200
    assert not roles_in(user("member"), club.pk), "who was banned comes back as an outsider"


def test_who_is_banned_leaves_the_tables_and_comes_to_none(club: Club) -> None:
    member, host = user("member"), user("owner")
    table = games.open_table(
        game="least_score",
        options={},
        clock="club",
        members={1: host, 2: member},
        bots={},
        seats=4,
        opened_by=host,
        listed=True,
        club=club,
    )
    assert signed_in("member").get(f"/tables/{table.pk}/").status_code == 200
    services.ban(club=club, by=host, user_id=member.pk, why="x")
    assert not table.seats.filter(user=member).exists()
    client = signed_in("member")
    assert client.get(f"/tables/{table.pk}/").status_code == 404
    assert client.post(f"/tables/{table.pk}/sit/").status_code == 404
    forget_memberships(member)
    with pytest.raises(TableRefusal, match="club_members_only"):
        games.sit_down(table_id=table.pk, user=member)


def test_who_played_still_reads_the_deals_after_leaving(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(listed=False, welcomes_guests=False)
    member = user("member")
    table = open_table("least_score", member)
    table.club = club
    table.save(update_fields=["club"])
    start(table)
    services.leave_club(club=club, user=member)
    client = signed_in("member")
    assert client.get(f"/tables/{table.pk}/").status_code == 404
    assert client.get(f"/tables/{table.pk}/fair/").status_code == 200
    assert client.get(f"/tables/{table.pk}/history/").status_code == 200


def test_a_request_is_decided_once_by_who_may(club: Club) -> None:
    newcomer = person("newcomer")
    asked = services.ask_to_join(club=club, user=newcomer, message="I know Anna")
    refused("already_asked", services.ask_to_join, club=club, user=newcomer)
    refused(
        "not_allowed", services.decide_request, club=club, by=user("member"), request_id=asked.pk, accept=True
    )
    refused("not_allowed", services.decide_request, club=club, by=newcomer, request_id=asked.pk, accept=True)
    services.decide_request(club=club, by=user("organiser"), request_id=asked.pk, accept=True)
    refused(
        "no_such_request",
        services.decide_request,
        club=club,
        by=user("owner"),
        request_id=asked.pk,
        accept=False,
    )
    assert roles_in(user("newcomer"), club.pk) == {"member"}
    assert JoinRequest.objects.get().state == JoinRequest.State.ACCEPTED


def test_how_a_club_is_joined_is_what_its_owner_says(club: Club) -> None:
    newcomer, guest = person("newcomer"), person("guest", is_guest=True)
    refused("joining_closed", services.join_club, club=club, user=newcomer)
    refused("account_needed", services.ask_to_join, club=club, user=guest)
    club = services.set_terms(club=club, by=user("owner"), joining="open")
    refused("account_needed", services.join_club, club=club, user=guest)
    refused("joining_closed", services.ask_to_join, club=club, user=newcomer)
    services.join_club(club=club, user=newcomer)
    refused("already_member", services.join_club, club=club, user=newcomer)
    for name in ("organiser", "treasurer", "member", "newcomer"):
        refused("not_allowed", services.set_terms, club=club, by=user(name), name="Mine")


@pytest.mark.parametrize(
    ("code", "terms"),
    [
        ("bad_name", {"name": " "}),
        ("bad_name", {"name": "\u202eevil"}),
        ("bad_slug", {"slug": "No Spaces"}),
        ("bad_slug", {"slug": "new"}),
        ("slug_taken", {"slug": "club"}),
        ("bad_terms", {"joining": "never"}),
        ("bad_terms", {"language": "xx"}),
        ("bad_terms", {"founded_at": None}),
        ("bad_terms", {"description": "x" * 2001}),
    ],
)
def test_terms_that_no_club_can_have_are_refused(club: Club, code: str, terms: dict[str, Any]) -> None:
    refused(code, services.set_terms, club=club, by=user("owner"), **terms)


def test_script_in_a_clubs_words_stays_text(club: Club) -> None:
    evil = "<script>alert(1)</script>"
    services.set_terms(club=club, by=user("owner"), name=f"Club {evil}", description=evil)
    services.ask_to_join(club=club, user=person("newcomer", display_name="x"), message=evil)
    for address in ("", "members/", "invitations/", "settings/", "log/"):
        page = signed_in("owner").get(f"/clubs/a-club/{address}")
        assert page.status_code == 200 and evil not in page.content.decode(), address
    assert evil not in Client().get("/clubs/").content.decode()


def test_the_log_tells_who_did_what_and_takes_nothing_back(club: Club) -> None:
    services.ban(club=club, by=user("organiser"), user_id=user("member").pk, why="shouting")
    page = signed_in("owner").get("/clubs/a-club/log/").content.decode()
    assert 'aria-current="true">Club</a>' in page, "no item of the menu was its own"
    assert "banned somebody" in page and "shouting" in page
    assert signed_in("member").get("/clubs/a-club/log/").status_code == 404
    assert signed_in("treasurer").get("/clubs/a-club/log/").status_code == 403
    act = Act.objects.first()
    assert act is not None
    for change in ({"verb": "joined"}, {"details": {}}, {"by": user("treasurer").pk}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Act.objects.filter(pk=act.pk).update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        act.delete()
    assert Act.objects.filter(pk=act.pk).update(by=None) == 1, "an erased person's name may go"


def test_who_left_or_is_banned_has_no_role_whoever_writes_the_row(club: Club) -> None:
    for state in (STATE.LEFT, STATE.BANNED):
        with pytest.raises(DatabaseError), transaction.atomic():
            Membership.objects.filter(user=user("treasurer")).update(state=state)
    with pytest.raises(DatabaseError), transaction.atomic():
        Membership.objects.filter(user=user("treasurer")).update(roles=["king"])


def test_the_club_that_was_chosen_stays_while_the_person_may_see_it(club: Club) -> None:
    other = services.make_club(owner=user("member"), name="Second", slug="second", listed=False)
    client = signed_in("member")
    client.post("/clubs/second/enter/")
    assert "Second" in client.get("/").content.decode()
    stranger = signed_in("organiser")
    assert stranger.post("/clubs/second/enter/").status_code == 404
    session = stranger.session
    session["club"] = other.pk
    session.save()
    assert "Second" not in stranger.get("/").content.decode()


def test_the_only_club_of_a_site_can_be_a_closed_one(club: Club) -> None:
    """A stranger once read the events and the numbers of a closed club, because the site had no other to show."""
    Membership.objects.filter(club=club).exclude(user=user("member")).delete()
    Club.objects.filter(pk=1).update(
        listed=False, welcomes_guests=False, founded_at=club.founded_at, name="Closed"
    )
    Membership.objects.filter(club=club).update(club=1)
    member = user("member")
    games.open_table(
        game="least_score",
        options={},
        clock="club",
        members={1: member},
        bots={},
        seats=3,
        opened_by=member,
        listed=True,
    )
    Club.objects.filter(pk=club.pk).update(listed=False, welcomes_guests=False)
    for address in ("/events/", "/events/calendar/", "/events/seasons/", "/statistics/"):
        assert Client().get(address).status_code == 404, address
        assert signed_in("member").get(address).status_code == 200, address
    stranger = Client().get("/lobby/").content.decode()
    assert "data-game" not in stranger and "for its members" in stranger
    assert "data-game" in signed_in("member").get("/lobby/").content.decode()
    refused_play = Client().post(
        "/play/", {"game": "least_score", "seats": 3, "level": "random", "clock": "club"}
    )
    assert refused_play.status_code == 422 and "Only members" in refused_play.content.decode()


def test_what_is_typed_wrong_about_a_club_is_told_in_words_of_the_club() -> None:
    club = NewClubForm({"name": "Friday evenings", "slug": "Friday!", "joining": "open"})
    assert club.errors == {"slug": [ClubRefusal("bad_slug").message]}
    invitation = InvitationForm({"role": "member", "uses": 0, "days": 1000}, offices=False)
    least, most = "greater than or equal to 1.", "less than or equal to 90."
    assert invitation.errors == {
        "uses": [f"Ensure this value is {least}"],
        "days": [f"Ensure this value is {most}"],
    }, "each field tells the bound that it is beyond"


@pytest.mark.parametrize("moments", [[5, 4, 4, 4, 3, 2, 1], [4, 4, 4, 4, 4, 4, 3], [4] * 7])
def test_acts_of_one_moment_were_lost_between_two_pages_of_the_log(
    club: Club, moments: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "SHOWN", 3)
    founded = timezone.now()
    for number, moment in enumerate(moments):
        with monkeypatch.context() as earlier:
            earlier.setattr(timezone, "now", lambda at=founded - dt.timedelta(seconds=10 - moment): at)
            Act.objects.create(club=club, by=user("owner"), verb="refused", details={"why": f"act {number}."})
    told: list[str] = []
    address: str | None = "/clubs/a-club/log/"
    while address:
        page = signed_in("owner").get(address).content.decode()
        told += re.findall(r"act \d\.", page)
        older = re.search(r'href="(\?before=[^"]+)"', page)
        address = f"/clubs/a-club/log/{html.unescape(older[1])}" if older else None
    assert sorted(told) == [f"act {number}." for number in range(len(moments))]
