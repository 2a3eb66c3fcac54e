"""What players do on the pages of events: enter, check in, sit out, leave, enter and confirm results."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from clubs.models import User
from tests.tournaments.events import LOO, event, members, played, released, with_players
from tournaments import selectors, services
from tournaments.models import Entry, EventTable, Result, Tournament
from tournaments.selectors.field import tables_of
from tournaments.selectors.standings import standings_of

pytestmark = pytest.mark.django_db


def act(client: Client, tournament: Tournament, name: str, **said: Any) -> Any:
    return client.post(f"/events/{tournament.pk}/me/{name}/", said)


def entry_of(tournament: Tournament, person: User) -> Entry:
    return Entry.objects.get(tournament=tournament, user=person)


def at_table(olga: User, **terms: Any) -> tuple[Tournament, EventTable, list[User]]:
    """Return a running event at the club, the first table of round 1 and its players in seat order."""
    people = members(8 if terms.get("game") != "three_card_loo" else 5)
    tournament = event(olga, **terms)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.start_tournament(tournament_id=tournament.pk, by=olga)
    table = tables_of(released(olga, tournament, 1))[0]
    by_number = {entry.number: entry.user for entry in Entry.objects.filter(tournament=tournament)}
    seated = [by_number[number] for number in table.seats]
    assert all(seated)
    return tournament, table, [person for person in seated if person is not None]


def path_of(tournament: Tournament, table: EventTable, name: str = "") -> str:
    base = f"/events/{tournament.pk}/rounds/{table.round.number}/tables/{table.number}/"
    return f"{base}do/{name}/" if name else base


# One's own entry ----------------------------------------------------------------------------------------------------


def test_a_member_enters_checks_in_offers_to_sit_out_and_withdraws(client: Client, olga: User) -> None:
    tournament = event(olga, check_in_needed=True)
    mari = User.objects.create_user(username="mari")
    path = f"/events/{tournament.pk}/me/register/"
    assert client.post(path).status_code == 302 and not Entry.objects.exists()
    client.force_login(mari)
    assert b"Enter this event" in client.get(f"/events/{tournament.pk}/").content
    assert act(client, tournament, "register", volunteers="on").status_code == 302
    assert entry_of(tournament, mari).volunteers
    act(client, tournament, "no_volunteer")
    assert not entry_of(tournament, mari).volunteers
    early = act(client, tournament, "check_in")
    assert early.status_code == 422 and "Check-in is not open" in early.content.decode()
    services.open_check_in(tournament_id=tournament.pk, by=olga)
    act(client, tournament, "check_in")
    assert entry_of(tournament, mari).present
    act(client, tournament, "not_here")
    assert not entry_of(tournament, mari).present
    act(client, tournament, "withdraw", reason="ill")
    assert entry_of(tournament, mari).status == Entry.Status.WITHDRAWN
    act(client, tournament, "return")
    assert entry_of(tournament, mari).status == Entry.Status.ENTERED
    assert act(client, tournament, "win").status_code == 404


def test_who_comes_too_late_sees_the_place_on_the_waiting_list(client: Client, olga: User) -> None:
    tournament = event(olga, capacity=2)
    people = members(4)
    for person in people:
        client.force_login(person)
        act(client, tournament, "register")
    page = client.get(f"/events/{tournament.pk}/")
    assert page.context["waiting_place"] == 2
    assert "You are number 2 on the waiting list" in page.content.decode()
    client.force_login(people[0])
    act(client, tournament, "withdraw")
    client.force_login(people[3])
    assert client.get(f"/events/{tournament.pk}/").context["waiting_place"] == 1


def test_a_refused_withdrawal_keeps_the_reason_that_was_typed(client: Client, olga: User) -> None:
    tournament = event(olga)
    client.force_login(members(1)[0])
    act(client, tournament, "register")
    services.cancel_tournament(tournament_id=tournament.pk, by=olga, reason="rain")
    answer = act(client, tournament, "withdraw", reason="my own reason")
    assert answer.status_code == 422 and answer.context["refused"].said["reason"] == "my own reason"


def test_my_seat_tells_table_seat_and_how_many_deals_come_before_mine(client: Client, olga: User) -> None:
    tournament, table, people = at_table(olga)
    for place, person in enumerate(people):
        client.force_login(person)
        page = client.get(f"/events/{tournament.pk}/me/")
        assert (page.context["here"].seat, page.context["until"]) == (place + 1, place)
    assert "3 deals before yours" in page.content.decode()
    client.force_login(people[0])
    assert "You deal now" in client.get(f"/events/{tournament.pk}/me/").content.decode()
    assert client.get("/events/mine/").context["here"][0].table == table
    stranger = User.objects.create_user(username="stranger")
    client.force_login(stranger)
    assert client.get(f"/events/{tournament.pk}/me/").context["here"] is None


def test_my_next_deal_follows_the_floor_of_an_elimination(client: Client, olga: User) -> None:
    tournament, table, people = at_table(
        olga, family="elimination", rounds=1, thresholds=[50], final_size=4, size_min=3
    )
    client.force_login(people[2])
    page = client.get(f"/events/{tournament.pk}/me/")
    assert page.context["until"] == 2
    sheet = {f"total-{number}": 5 + n for n, number in enumerate(table.seats)}
    client.post(path_of(tournament, table, "enter"), {"deal": 1, "declarer": table.seats[0], **sheet})
    assert Result.objects.count() == 1
    assert client.get(f"/events/{tournament.pk}/me/").context["until"] == 1


# Results ------------------------------------------------------------------------------------------------------------


def test_players_enter_a_deal_and_a_second_one_confirms(client: Client, olga: User) -> None:
    tournament, table, people = at_table(olga)
    client.force_login(people[0])
    page = client.get(path_of(tournament, table))
    assert [line.number for line in page.context["sheet"].lines] == table.seats
    for deal in range(1, 5):
        sheet = {f"total-{number}": 10 + n for n, number in enumerate(table.seats)}
        answer = client.post(
            path_of(tournament, table, "enter"), {"deal": deal, "declarer": table.seats[0], **sheet}
        )
        assert answer.status_code == 302
    table.refresh_from_db()
    assert table.state == EventTable.State.REPORTED
    own = client.post(path_of(tournament, table, "confirm"))
    assert own.status_code == 422 and "A second player" in own.content.decode()
    assert "Are these results right?" not in client.get(path_of(tournament, table)).content.decode()
    client.force_login(people[1])
    client.post(path_of(tournament, table, "confirm"))
    table.refresh_from_db()
    assert table.state == EventTable.State.DONE and table.confirmed_by == people[1]


def test_a_dispute_is_not_confirmed_away_by_another_player_of_the_table(client: Client, olga: User) -> None:
    tournament, table, people = at_table(olga, rounds=1)
    client.force_login(people[0])
    for deal in range(1, 4):
        _enter(client, tournament, table, deal)
    client.force_login(people[1])
    assert client.post(path_of(tournament, table, "dispute"), {"reason": "I had 9"}).status_code == 302
    client.force_login(people[0])
    _enter(client, tournament, table, 4)
    for person in (people[2], people[1]):
        client.force_login(person)
        assert "Are these results right?" not in client.get(path_of(tournament, table)).content.decode()
        answer = client.post(path_of(tournament, table, "confirm"))
        assert answer.status_code == 422 and "The organiser decides" in answer.content.decode()
    table.refresh_from_db()
    assert (table.state, table.dispute) == (EventTable.State.DISPUTED, "I had 9")
    client.force_login(olga)
    client.post(path_of(tournament, table, "resolve"), {"reason": "counted again"})
    table.refresh_from_db()
    assert table.state == EventTable.State.DONE


def _enter(client: Client, tournament: Tournament, table: EventTable, deal: int) -> None:
    sheet = {f"total-{number}": 10 + n for n, number in enumerate(table.seats)}
    answer = client.post(
        path_of(tournament, table, "enter"), {"deal": deal, "declarer": table.seats[0], **sheet}
    )
    assert answer.status_code == 302


def test_a_sheet_that_is_refused_comes_back_as_it_was_typed(client: Client, olga: User) -> None:
    tournament, table, people = at_table(olga)
    client.force_login(people[0])
    sheet = {f"total-{number}": 10 + n for n, number in enumerate(table.seats)}
    half = {**sheet, f"total-{table.seats[2]}": ""}
    for said, field in ((half, f"total-{table.seats[2]}"), ({**sheet, "deal": 3}, None)):
        answer = client.post(path_of(tournament, table, "enter"), {"deal": 1, **said})
        assert answer.status_code == 422
        form = answer.context["sheet"]
        assert form[f"total-{table.seats[1]}"].value() == "11"
        assert bool(form.errors) == bool(field)
    assert not Result.objects.exists()


def test_a_deal_of_loo_is_entered_by_who_was_in_and_the_tricks(client: Client, olga: User) -> None:
    tournament, table, people = at_table(olga, **{**LOO, "size_min": 5, "size_ideal": 5, "size_max": 5})
    one, two, three, *_rest = table.seats
    client.force_login(people[1])
    sheet = {f"in-{one}": "on", f"in-{two}": "on", f"tricks-{one}": 2, f"tricks-{two}": 1, "deal": 1}
    assert client.post(path_of(tournament, table, "enter"), sheet).status_code == 302
    result = Result.objects.get()
    assert result.sheet["playing"] == [one, two] and result.scores[str(three)] == 0
    wrong = {**sheet, "deal": 2, f"tricks-{two}": 3}
    assert client.post(path_of(tournament, table, "enter"), wrong).status_code == 422


def test_a_whole_round_is_entered_at_once(client: Client, olga: User) -> None:
    tournament, table, people = at_table(olga)
    client.force_login(people[0])
    scores = {f"score-{number}": 10 * n for n, number in enumerate(table.seats)}
    assert client.post(path_of(tournament, table, "whole"), scores).status_code == 302
    totals = {
        row.entry.number: row.score
        for row in standings_of(tournament, seen="all").rows
        if row.entry.number in table.seats
    }
    assert not totals or max(totals.values()) == 30
    assert selectors.deals_of(table)[0].newest.kind == "whole"


def test_who_does_not_sit_at_a_table_enters_nothing_there(client: Client, olga: User) -> None:
    tournament, table, _people = at_table(olga)
    other = Entry.objects.filter(tournament=tournament).exclude(number__in=table.seats).first()
    assert other is not None and other.user is not None
    for person in (other.user, User.objects.create_user(username="stranger")):
        client.force_login(person)
        assert "sheet" not in client.get(path_of(tournament, table)).context
        sheet = {f"total-{number}": 10 for number in table.seats}
        scores = {f"score-{number}": 10 for number in table.seats}
        for name, said in (
            ("enter", {"deal": 1, **sheet}),
            ("whole", scores),
            ("confirm", {}),
            ("dispute", {"reason": "no"}),
        ):
            answer = client.post(path_of(tournament, table, name), said)
            assert answer.status_code == 422, name
            assert "Only players of this table" in answer.content.decode(), name
    assert not Result.objects.exists()


def test_a_visitor_was_asked_to_sign_in_for_an_event_that_nobody_can_enter(
    client: Client, olga: User
) -> None:
    tournament = with_players(olga, 8, rounds=1)
    for state, asked in (("registration", True), ("check_in", True), ("running", False), ("finished", False)):
        Tournament.objects.filter(pk=tournament.pk).update(state=state)
        page = client.get(f"/events/{tournament.pk}/").content.decode()
        assert ("Sign in to enter." in page) is asked, state


def test_who_was_knocked_out_was_told_to_wait_for_a_seat(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=1)
    (member,) = members(1)
    entry = Entry.objects.filter(tournament=tournament).order_by("number").last()
    assert entry is not None
    Entry.objects.filter(pk=entry.pk).update(user=member, name="", status="out")
    client.force_login(member)
    for path in ("", "me/"):
        page = client.get(f"/events/{tournament.pk}/{path}").content.decode()
        assert "You are out of this event" in page and "Your seat stands here" not in page


def test_standings_have_no_columns_of_noughts(client: Client, olga: User) -> None:
    tournament = with_players(olga, 8, rounds=2)
    played(olga, tournament, 1)
    for path in ("standings/", "print/standings/"):
        page = client.get(f"/events/{tournament.pk}/{path}").content.decode()
        assert "Place" in page and "owed" not in page and "Chances" not in page
