"""Entries: doubles, the waiting list, files, holds for the fee, pairs kept apart."""

from __future__ import annotations

from typing import Any

import pytest

from clubs.models import User
from tests.tournaments.events import (
    chips_of,
    event,
    give,
    members,
    organiser,
    played,
    transactions,
    with_players,
)
from tests.tournaments.services.refusals import refused
from tournaments import services
from tournaments.models import Action, Entry, Tournament
from tournaments.selectors import entries_of, prizes_of, waiting_list

pytestmark = pytest.mark.django_db


def statuses(tournament: Tournament) -> list[str]:
    return [entry.status for entry in entries_of(tournament)]


def test_nobody_enters_twice_under_any_name() -> None:
    by = organiser()
    tournament = event(by)
    (person,) = members(1)
    services.register(tournament_id=tournament.pk, user=person)
    wanted = {"tournament_id": tournament.pk}
    assert refused(services.register, user=person, **wanted) == "already_entered"
    assert refused(services.register_by_hand, by=by, user=person, **wanted) == "already_entered"
    services.register_by_hand(by=by, name="Mari  Maasikas", **wanted)
    assert refused(services.register_by_hand, by=by, name=" mari maasikas ", **wanted) == "name_taken"
    assert refused(services.register_by_hand, by=by, name="Member1", **wanted) == "name_taken"
    for name in ("", "   ", "x" * 61, "a\u0000b"):
        assert refused(services.register_by_hand, by=by, name=name, **wanted) == "bad_entry_name"
    assert [entry.shown_name for entry in entries_of(tournament)] == ["member1", "Mari Maasikas"]


def test_the_waiting_list_moves_up_in_its_order_when_somebody_withdraws() -> None:
    by = organiser()
    tournament = event(by, capacity=2)
    people = members(5)
    entries = [services.register(tournament_id=tournament.pk, user=person) for person in people]
    assert [entry.status for entry in entries] == ["entered"] * 2 + ["waiting"] * 3
    assert [entry.number for entry in waiting_list(tournament)] == [3, 4, 5]
    services.withdraw(tournament_id=tournament.pk, by=people[3], number=4)
    services.withdraw(tournament_id=tournament.pk, by=people[0], number=1)
    assert statuses(tournament) == ["withdrawn", "entered", "entered", "withdrawn", "waiting"]
    services.return_entry(tournament_id=tournament.pk, by=people[0], number=1)
    assert [entry.number for entry in waiting_list(tournament)] == [5, 1]


def test_fees_are_set_aside_let_go_and_paid() -> None:
    by = organiser()
    people = members(5)
    for person in people:
        give(person, 50)
    tournament = event(by, asset="CHIPS", fee=40, capacity=4)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    assert [chips_of(person) for person in people] == [10, 10, 10, 10, 50]
    services.withdraw(tournament_id=tournament.pk, by=people[0], number=1)
    assert [chips_of(person) for person in people] == [50, 10, 10, 10, 10]
    assert [prize.chips for prize in prizes_of(tournament)] == [160]
    services.start_tournament(tournament_id=tournament.pk, by=by)
    assert Entry.objects.filter(fee_paid=True).count() == 4
    services.withdraw(tournament_id=tournament.pk, by=people[1], number=2)
    assert chips_of(people[1]) == 10
    assert list(services.check_event(f"tournament/{tournament.pk}/", transactions(tournament))) == []


def test_who_cannot_pay_is_refused_or_passed_over() -> None:
    by = organiser()
    rich, poor, other = members(3)
    give(rich, 40)
    give(other, 40)
    tournament = event(by, asset="CHIPS", fee=40, capacity=2)
    assert refused(services.register, tournament_id=tournament.pk, user=poor) == "not_enough_chips"
    guest = User.objects.create_user(username="guest-1", is_guest=True)
    assert refused(services.register, tournament_id=tournament.pk, user=guest) == "guests_without_chips"
    named = {"tournament_id": tournament.pk, "by": by, "name": "Guest"}
    assert refused(services.register_by_hand, **named) == "account_needed"
    for person in (rich, other, poor):
        services.register(tournament_id=tournament.pk, user=person)
    services.withdraw(tournament_id=tournament.pk, by=rich, number=1)
    assert statuses(tournament) == ["withdrawn", "entered", "waiting"]
    assert Action.objects.filter(kind="passed_over", reason="not_enough_chips").exists()


def test_an_event_whose_book_was_tampered_with_is_found_out() -> None:
    by = organiser()
    (person,) = members(1)
    give(person, 40)
    tournament = event(by, asset="CHIPS", fee=40)
    services.register(tournament_id=tournament.pk, user=person)
    group = f"tournament/{tournament.pk}/"
    found = transactions(tournament)
    assert list(services.check_event(group, found)) == []
    assert list(services.check_event(group, [])) != []
    assert list(services.check_event(group, [*found, *found])) != []
    assert list(services.check_event("tournament/00000000-0000-0000-0000-000000000000/", found)) != []
    assert group in set(services.events_with_chips())


def test_a_file_enters_everybody_or_nobody() -> None:
    by = organiser()
    tournament = event(by)
    members(2)
    wanted: dict[str, Any] = {"tournament_id": tournament.pk, "by": by}
    text = "\ufeffname,username\nJüri,\n,member2\n\nKati,\n"
    entered = services.import_entries(text=text, **wanted)
    assert [entry.shown_name for entry in entered] == ["Jüri", "member2", "Kati"]
    for text, code in [
        ("name\nPeeter\nkati\n", "name_taken"),
        ("username\nnobody\n", "bad_file"),
        ("", "bad_file"),
        ("name\n\n", "bad_file"),
        ('name\n"Peeter', "bad_file"),
        ("Peeter\n" * 1001, "too_many_lines"),
    ]:
        assert refused(services.import_entries, text=text, **wanted) == code
    assert Entry.objects.count() == 3
    assert [e.shown_name for e in services.import_entries(text="Anu\nPiret", **wanted)] == ["Anu", "Piret"]


def test_the_line_of_a_file_that_is_refused_is_named() -> None:
    by = organiser()
    tournament = event(by)
    with pytest.raises(Exception, match="line 3: Anu"):
        services.import_entries(tournament_id=tournament.pk, by=by, text="Anu\nPiret\nAnu\n")


def test_online_events_are_for_accounts_and_bots_only_where_allowed() -> None:
    by = organiser()
    tournament = event(by, venue="online")
    wanted: dict[str, Any] = {"tournament_id": tournament.pk, "by": by}
    assert refused(services.register_by_hand, name="Guest", **wanted) == "account_needed"
    assert refused(services.add_bots, level="random", names=["Robot"], **wanted) == "bots_not_allowed"
    services.change_tournament(bots_allowed=True, **wanted)
    assert refused(services.add_bots, level="genius", names=["Robot"], **wanted) == "bad_level"
    assert refused(services.add_bots, level="random", names=["Robot", "robot"], **wanted) == "name_taken"
    assert [bot.is_bot for bot in services.add_bots(level="random", names=["Robot"], **wanted)] == [True]


def test_late_entry_ends_with_its_round() -> None:
    by = organiser()
    tournament = with_players(by, 8, rounds=3, late_until=2)
    played(by, tournament, 1)
    late = services.register_by_hand(tournament_id=tournament.pk, by=by, name="Late")
    assert (late.first_round, late.present) == (2, True)
    services.draw(tournament_id=tournament.pk, by=by)
    played(by, tournament, 2)
    wanted = {"tournament_id": tournament.pk, "by": by, "name": "Later"}
    assert refused(services.register_by_hand, **wanted) == "too_late_to_enter"


def test_pairs_kept_apart_are_not_drawn_together() -> None:
    by = organiser()
    tournament = event(by, rounds=1)
    for n in range(8):
        services.register_by_hand(tournament_id=tournament.pk, by=by, name=f"Guest {n}")
    wanted: dict[str, Any] = {"tournament_id": tournament.pk, "by": by}
    for pair in ((1, 2), (4, 3), (2, 1)):
        services.keep_apart(first=pair[0], second=pair[1], **wanted)
    assert refused(services.keep_apart, first=1, second=1, **wanted) == "same_player"
    assert refused(services.keep_apart, first=1, second=99, **wanted) == "no_such_entry"
    services.start_tournament(**wanted)
    draw = services.draw(**wanted)
    tables = [set(table) for table in draw.rounds[0]]
    assert draw.apart_met == 0 and not any({1, 2} <= t or {3, 4} <= t for t in tables)
    services.allow_together(first=1, second=2, **wanted)
    assert Action.objects.filter(kind__in=["kept_apart", "allowed_together"]).count() == 3
