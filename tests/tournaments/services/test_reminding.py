"""Players are told what they should not miss, and no longer than it matters."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Notice, User
from clubs.selectors.kinds import kind_of
from tests.tournaments.events import enter_all, event, members, released
from tournaments import services
from tournaments.models import Entry, Sitting, Tournament
from tournaments.services.reminding import AHEAD

pytestmark = pytest.mark.django_db


def told(kind: str, *, still: bool = False) -> set[str]:
    found = Notice.objects.filter(kind=kind, **({"read_at": None} if still else {}))
    return set(found.values_list("user__username", flat=True))


def entered(olga: User, count: int, **terms: Any) -> tuple[Tournament, list[User]]:
    people = members(count)
    tournament = event(olga, **terms)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    return tournament, people


def number_of(tournament: Tournament, person: User) -> int:
    return Entry.objects.get(tournament=tournament, user=person).number


def test_an_event_that_comes_up_is_told_once_to_who_entered_before_its_last_day(olga: User) -> None:
    soon = timezone.now() + dt.timedelta(hours=20)
    tournament, people = entered(olga, 4, check_in_opens_at=soon, check_in_needed=True)
    assert services.remind() == 1 and told("event_soon") == set(), "who entered just now knows"
    services.withdraw(tournament_id=tournament.pk, by=people[3], number=number_of(tournament, people[3]))
    opens = timezone.now() + AHEAD
    Tournament.objects.filter(pk=tournament.pk).update(check_in_opens_at=opens)
    services.register(tournament_id=tournament.pk, user=User.objects.create_user("late"))
    for _ in range(2):
        assert services.remind() == 1
    assert told("event_soon") == {"member1", "member2", "member3"}
    assert Notice.objects.filter(kind="event_soon").count() == 3
    # Which may be next year's.
    assert str(timezone.localtime(opens).year)[2:] in kind_of("event_soon").sentence(
        Notice.objects.first().about
    )


def test_open_check_in_is_told_to_who_is_absent_until_each_has_come_or_left(olga: User) -> None:
    tournament, people = entered(olga, 4, check_in_needed=True)
    first, second, third, fourth = (number_of(tournament, person) for person in people)
    services.check_in(tournament_id=tournament.pk, by=olga, number=first)
    services.open_check_in(tournament_id=tournament.pk, by=olga)
    assert told("check_in") == {"member2", "member3", "member4"}
    services.check_in(tournament_id=tournament.pk, by=people[1], number=second)
    services.withdraw(tournament_id=tournament.pk, by=people[2], number=third)
    assert told("check_in", still=True) == {"member4"}
    services.check_in(tournament_id=tournament.pk, by=olga, number=fourth)
    assert told("check_in", still=True) == set()


def test_who_gets_a_place_from_the_waiting_list_is_told_each_time(olga: User) -> None:
    tournament, people = entered(olga, 4, capacity=3)
    one, four = number_of(tournament, people[0]), number_of(tournament, people[3])
    services.withdraw(tournament_id=tournament.pk, by=people[0], number=one)
    assert told("moved_up") == {"member4"}
    services.withdraw(tournament_id=tournament.pk, by=people[3], number=four)
    services.return_entry(tournament_id=tournament.pk, by=olga, number=one)
    services.return_entry(tournament_id=tournament.pk, by=olga, number=four)
    services.withdraw(tournament_id=tournament.pk, by=people[1], number=number_of(tournament, people[1]))
    assert Notice.objects.filter(kind="moved_up", user=people[3]).count() == 2


@pytest.mark.parametrize("venue", ["online", "club"])
def test_a_released_round_tells_each_player_the_table_until_it_is_over(
    olga: User, client: Client, venue: str
) -> None:
    tournament, people = entered(olga, 4, venue=venue)
    substitute = User.objects.create_user("substitute")
    services.substitute(
        tournament_id=tournament.pk, by=olga, number=number_of(tournament, people[0]), user=substitute
    )
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    released(olga, tournament, 1)
    assert told("drawn", still=True) == {"substitute", "member2", "member3", "member4"}
    notice = Notice.objects.get(kind="drawn", user=people[1])
    assert kind_of("drawn").sentence(notice.about) == "Friday, round 1: you sit at table 1."
    sitting = Sitting.objects.filter(event_table__round__tournament=tournament).first()
    place = f"/tables/{sitting.table_id}/" if sitting else f"/events/{tournament.pk}/me/"
    assert notice.address == place
    client.force_login(people[1])
    assert client.get(f"/notifications/{notice.pk}/", follow=True).status_code == 200
    services.unrelease_round(tournament_id=tournament.pk, by=olga, round_number=1, reason="wrong cards")
    assert told("drawn", still=True) == set()
    released(olga, tournament, 1)
    assert told("drawn", still=True) == {"substitute", "member2", "member3", "member4"}
    if venue == "club":
        enter_all(olga, tournament, 1)
        assert told("drawn", still=True) == set()


def test_a_cancelled_event_is_told_and_nothing_else_of_it_matters_any_more(olga: User) -> None:
    tournament, people = entered(olga, 4, check_in_needed=True)
    services.open_check_in(tournament_id=tournament.pk, by=olga)
    services.withdraw(tournament_id=tournament.pk, by=people[3], number=number_of(tournament, people[3]))
    services.cancel_tournament(tournament_id=tournament.pk, by=olga, reason="no heating")
    assert told("called_off") == {"member1", "member2", "member3"}
    assert told("check_in", still=True) == set()
