"""Results at the club: by whom, in which order, by which rules; confirmed, disputed, corrected, never overwritten."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from tests.tournaments.events import LOO, event, members, organiser, played, released
from tests.tournaments.services.refusals import refused
from tournaments import selectors, services
from tournaments.models import Action, EventTable, Result, Round, Tournament
from tournaments.selectors.standings import standings_of

pytestmark = pytest.mark.django_db


def club_table(by: Any, **terms: Any) -> tuple[Tournament, EventTable, list[Any]]:
    """Start an event of three members and release its first round: one table."""
    people = members(terms.pop("players", 3))
    tournament = event(by, **terms)
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    tournament = services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    table = EventTable.objects.get()
    return tournament, table, [people[number - 1] for number in table.seats]


def at(tournament: Tournament, by: Any, **more: Any) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "by": by, "round_number": 1, "table_number": 1, **more}


def sheet(table: EventTable, *totals: int, declarer: int | None = 0) -> dict[str, Any]:
    return {
        "totals": {str(player): total for player, total in zip(table.seats, totals, strict=True)},
        "declarer": None if declarer is None else table.seats[declarer],
    }


def test_a_round_is_entered_deal_by_deal_and_confirmed_by_a_second_player() -> None:
    tournament, table, (first, second, _third) = club_table(organiser(), rounds=1)
    entered = services.enter_deal(**at(tournament, first), deal=1, sheet=sheet(table, 10, 16, 17))
    a, b, c = table.seats
    assert entered.scores == {str(a): 0, str(b): 6, str(c): 7} and entered.dealer == a
    assert selectors.next_deal(table)[:2] == (2, b)
    services.enter_deal(**at(tournament, second), deal=2, sheet=sheet(table, 10, 8, 15))
    assert refused(services.confirm_table, **at(tournament, second)) == "not_reported"
    services.enter_deal(**at(tournament, first), deal=3, sheet=sheet(table, 4, 8, 5, declarer=None))
    assert refused(services.confirm_table, **at(tournament, first)) == "own_entry"
    assert Round.objects.get().state == "playing"
    services.confirm_table(**at(tournament, second))
    assert Round.objects.get().state == "complete"
    by = Action.objects.filter(kind="table_confirmed").get().by
    assert by == second
    rows = {row.entry.number: row for row in standings_of(tournament).rows}
    assert [rows[player].score for player in table.seats] == [22, 10, 8]
    assert all((row.dealt, row.owed) == (1, 1) for row in rows.values())


def test_sheets_that_cannot_be_are_refused_and_nothing_is_written() -> None:
    by = organiser()
    tournament, table, (first, *_others) = club_table(by, rounds=1)
    good = sheet(table, 10, 16, 17)
    stranger = members_named("stranger")
    a, b, c = (str(player) for player in table.seats)
    cases: list[tuple[Any, int, Any, str]] = [
        (stranger, 1, good, "not_at_table"),
        (first, 2, good, "wrong_deal"),
        (first, 1, {}, "bad_sheet"),
        (first, 1, {"totals": {a: 10, b: 16}, "declarer": a}, "wrong_players"),
        (first, 1, {"totals": {a: 10, b: 16, c: "17"}, "declarer": a}, "bad_sheet"),
        (first, 1, {"totals": {a: 10, b: 16, c: 17.0}, "declarer": a}, "bad_sheet"),
        (first, 1, {"totals": {"x": 10, b: 16, c: 17}, "declarer": a}, "bad_sheet"),
        (first, 1, {"totals": {a: 10, b: 16, c: 99}, "declarer": a}, "bad_total"),
        (first, 1, {"totals": {a: 10, b: 16, c: 17}, "declarer": 99}, "not_at_table"),
    ]
    for person, deal, bad, code in cases:
        assert refused(services.enter_deal, **at(tournament, person), deal=deal, sheet=bad) == code
    missing = {**at(tournament, first), "table_number": 2}
    assert refused(services.enter_deal, **missing, deal=1, sheet=good) == "no_such_table"
    missing = {**at(tournament, first), "round_number": 7}
    assert refused(services.enter_deal, **missing, deal=1, sheet=good) == "no_such_round"
    assert not Result.objects.exists()
    for deal in (1, 2, 3):
        services.enter_deal(**at(tournament, first), deal=deal, sheet=good)
    assert refused(services.enter_deal, **at(tournament, first), deal=4, sheet=good) == "all_deals_entered"


def members_named(name: str) -> Any:
    from clubs.models import User

    return User.objects.create_user(username=name)


def test_a_correction_is_a_new_version_with_its_reason() -> None:
    by = organiser()
    tournament, table, (first, second, _third) = club_table(by, rounds=1)
    services.enter_deal(**at(tournament, first), deal=1, sheet=sheet(table, 10, 16, 17))
    services.dispute_table(**at(tournament, second), reason="it was 15")
    table.refresh_from_db()
    assert (table.state, table.dispute) == ("disputed", "it was 15")
    # Two deals of three are missing: the table was done when the organiser confirmed it.
    assert refused(services.confirm_table, **at(tournament, by)) == "not_reported"
    fix = {"deal": 1, "sheet": sheet(table, 10, 15, 17)}
    assert refused(services.correct_deal, **at(tournament, first), **fix, reason="x") == "not_organiser"
    assert refused(services.correct_deal, **at(tournament, by), **fix, reason="") == "reason_missing"
    services.correct_deal(**at(tournament, by), **fix, reason="cards counted again")
    services.resolve_dispute(**at(tournament, by), reason="cards counted again")
    (line,) = selectors.deals_of(table)
    b = str(table.seats[1])
    assert [version.scores[b] for version in line.versions] == [6, 5]
    assert (line.newest.by, line.newest.reason, line.newest.version) == (by, "cards counted again", 2)
    with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
        Result.objects.update(scores={})
    services.correct_deal(**at(tournament, by), deal=1, strike=True, reason="misdeal")
    assert [row.score for row in standings_of(tournament, seen="all").rows] == [0, 0, 0]
    assert refused(services.correct_deal, **at(tournament, by), deal=7, strike=True, reason="x") == (
        "no_such_result"
    )


def test_a_confirmed_round_is_reopened_only_with_a_reason() -> None:
    by = organiser()
    tournament, _table, _people = club_table(by, rounds=2)
    services.enter_whole(
        **at(tournament, by),
        scores={player: 5 * n for n, player in enumerate(EventTable.objects.get().seats)},
    )
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    fix: dict[str, Any] = {"deal": 0, "scores": {1: 0, 2: 0, 3: 1}}
    assert refused(services.correct_deal, **at(tournament, by), **fix, reason="x") == "round_confirmed"
    again = {"tournament_id": tournament.pk, "by": by, "round_number": 1}
    assert refused(services.reopen_round, **again, reason="") == "reason_missing"
    services.reopen_round(**again, reason="table 1 read the wrong line")
    services.correct_deal(**at(tournament, by), **fix, reason="table 1 read the wrong line")
    services.confirm_round(**again)
    assert sorted(row.score for row in standings_of(tournament).rows) == [0, 0, 1]
    services.draw(tournament_id=tournament.pk, by=by)
    played(by, tournament, 2)
    assert refused(services.reopen_round, **again, reason="too late") == "later_round"


def test_whole_rounds_have_their_rules_too() -> None:
    by = organiser()
    tournament, table, (first, second, _third) = club_table(by, rounds=1)
    a, b, c = table.seats
    assert refused(services.enter_whole, **at(tournament, by), scores={a: 1, b: 2}) == "wrong_players"
    assert refused(services.enter_whole, **at(tournament, by), scores={a: 1, b: 2, c: -1}) == "bad_whole"
    services.enter_whole(**at(tournament, first), scores={a: 1, b: 2, c: 0})
    assert refused(services.enter_whole, **at(tournament, second), scores={a: 1, b: 2, c: 0}) == "wrong_deal"
    services.confirm_table(**at(tournament, second))
    assert refused(services.confirm_table, **at(tournament, second)) == "table_done"


def test_loo_at_the_club_carries_the_pot_and_shares_the_last_one() -> None:
    by = organiser()
    tournament, table, people = club_table(
        by, players=5, rounds=1, **LOO, size_min=5, size_max=5, size_ideal=5
    )
    a, b, c, d, _e = table.seats
    none = {"playing": [a, b], "tricks": {str(a): 2, str(b): 1}}
    first = services.enter_deal(**at(tournament, people[0]), deal=1, sheet=none)
    assert first.scores == {str(a): -3 + 2, str(b): 1, str(c): 0, str(d): 0, str(table.seats[4]): 0}
    looed = {"playing": [a, b, c], "tricks": {a: 3}, "miss": c, "defended": False}
    second = services.enter_deal(**at(tournament, people[0]), deal=2, sheet=looed)
    assert second.pot == 6 and second.sheet is not None and second.sheet["miss"] == c
    for deal in (3, 4, 5):
        services.enter_deal(**at(tournament, people[0]), deal=deal, sheet=looed)
    split = Result.objects.get(kind="split")
    assert sum(split.scores.values()) == Result.objects.get(number=5, kind="deal").pot
    services.confirm_table(**at(tournament, people[1]))
    assert sum(row.score for row in standings_of(tournament).rows) == 0


def test_a_struck_or_corrected_last_deal_left_its_pot_with_nobody() -> None:
    """The pot that the last deal that counts leaves is shared whatever was shared before (L21)."""
    by = organiser()
    tournament, table, _people = club_table(by, players=5, rounds=1, **LOO, size_min=5, size_ideal=5)
    a, b, c, _d, e = table.seats
    emptied = {"playing": [a], "tricks": {}}
    looed = {"playing": [a, b, c], "tricks": {a: 3}}
    for deal in range(1, 5):
        services.enter_deal(**at(tournament, by), deal=deal, sheet=looed)
        services.correct_deal(**at(tournament, by), deal=deal, sheet=looed, reason="in mid-round")
    services.enter_deal(**at(tournament, by), deal=5, sheet=emptied)
    splits = Result.objects.filter(kind="split").order_by("version")
    assert not splits.exists()
    fourth = Result.objects.filter(number=4).latest("version").pot
    fixes: list[dict[str, Any]] = [{"sheet": looed}, {"strike": True}, {"sheet": emptied}]
    for version, fix in enumerate(fixes, 1):
        fixed = services.correct_deal(**at(tournament, by), deal=5, reason="looked again", **fix)
        newest = splits.last()
        assert newest is not None and (newest.version, newest.number) == (version, 6)
        left = fourth if fixed.struck else fixed.pot
        assert sum(newest.scores.values()) == left
        # Odd stakes go from the left of the last dealer that counts: of seat 5, or of seat 4 when deal 5 is struck.
        first = e if fixed.struck else a
        assert newest.scores[str(first)] == -(-left // 5)
        assert sum(row.score for row in standings_of(tournament, seen="all").rows) == 0


def test_results_of_online_tables_are_not_entered_by_hand() -> None:
    by = organiser()
    tournament, table, (first, *_others) = club_table(by, venue="online", rounds=1)
    assert refused(services.enter_deal, **at(tournament, first), deal=1, sheet=sheet(table, 1, 2, 3)) == (
        "online_table"
    )
