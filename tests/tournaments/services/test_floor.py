"""The floor of an elimination at the club: knock-outs, breaking, balancing, leavers, deal for deal, the final table."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.tournaments.events import organiser, released, with_players
from tests.tournaments.services.refusals import refused
from tournaments import selectors, services
from tournaments.errors import EventRefusal
from tournaments.models import Action, Entry, EventTable, KnockedOut, Result, Round, Tournament
from tournaments.rules.floor import load_table
from tournaments.selectors.field import gone_by, knock_outs_of, results_of, tables_of, totals_of
from tournaments.selectors.standings import standings_of

pytestmark = pytest.mark.django_db
OUT = {"family": "elimination", "thresholds": [30], "rounds": 1, "final_size": 4}


def open_tables(row: Round) -> list[EventTable]:
    """Return the tables at which a deal is being played now."""
    return [t for t in tables_of(row) if t.state == "playing" and t.floor and t.floor["in_deal"]]


def enter(by: Any, tournament: Tournament, table: EventTable, rng: random.Random) -> Result:
    """Enter the next deal of a table: the first player dealt in declares with a low total, as dice say."""
    number, _dealer, players = selectors.next_deal(table)
    totals = {player: rng.randint(1, 20) for player in players}
    sheet = {"totals": totals, "declarer": min(totals, key=lambda player: (totals[player], player))}
    return services.enter_deal(
        tournament_id=tournament.pk,
        by=by,
        round_number=table.round.number,
        table_number=table.number,
        deal=number,
        sheet=sheet,
    )


def play_out(by: Any, tournament: Tournament, row: Round, seed: int) -> None:
    """Enter deals at tables in an order of the dice until the round is over."""
    rng = random.Random(seed)
    for _ in range(1_000):
        row.refresh_from_db()
        tables = open_tables(row)
        if row.state != Round.State.PLAYING:
            return
        assert tables, "no table can play on"
        enter(by, tournament, rng.choice(tables), rng)
    raise AssertionError("the round does not end")


def test_the_field_plays_to_the_last_one_over_breaks_and_balances() -> None:
    by = organiser()
    tournament = with_players(by, 13, **OUT)
    row = released(by, tournament, 1)
    play_out(by, tournament, row, seed=4)
    assert row.state == "complete"
    gone = gone_by(knock_outs_of(tournament))
    totals = totals_of(results_of(tournament))
    (winner,) = set(totals) - gone
    assert len(gone) == 12 and all(totals[p] > 30 for p in gone) and totals[winner] <= 30
    moves = [move for action in Action.objects.filter(kind="seated_anew") for move in action.after["moves"]]
    assert {move[0] for move in moves} >= {"break", "final"}
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    services.finish_tournament(tournament_id=tournament.pk, by=by)
    places = dict(Entry.objects.values_list("number", "place"))
    last = KnockedOut.objects.order_by("-number").first()
    assert places[winner] == 1 and last is not None and places[last.out[0][0]] == 2
    assert places == {row.entry.number: row.rank for row in standings_of(tournament).rows}


def test_nobody_skips_or_doubles_a_deal_while_tables_are_broken() -> None:
    """pokerth 541: blinds missed or doubled after a knock-out; the same player dealer four times running."""
    by = organiser()
    tournament = with_players(by, 13, **OUT)
    row = released(by, tournament, 1)
    play_out(by, tournament, row, seed=11)
    for line in selectors.dealer_ledger(tournament):
        assert abs(line.ahead) < 2, line
    dealers = Counter[tuple[int, int]]()
    for result in results_of(tournament):
        assert result.dealer in result.players
        dealers[result.event_table_id, result.dealer or 0] += 1
    assert len(dealers) >= 13


def test_a_late_deal_of_a_table_that_waits_is_refused() -> None:
    by = organiser()
    tournament = with_players(by, 8, **OUT)
    row = released(by, tournament, 1)
    first, second = tables_of(row)
    # At the first table all but one go out: it is short, and waits for the other table's deal to end.
    number, _dealer, players = selectors.next_deal(first)
    totals = {player: 1 if player == players[0] else 50 for player in players}
    sheet = {"totals": totals, "declarer": players[0]}
    at = {"tournament_id": tournament.pk, "by": by, "round_number": 1}
    services.enter_deal(**at, table_number=first.number, deal=number, sheet=sheet)
    assert Entry.objects.filter(status="out").count() == 3
    first.refresh_from_db()
    assert first.floor is not None and not first.floor["in_deal"]
    assert refused(services.enter_deal, **at, table_number=1, deal=2, sheet=sheet) == "table_waits"
    enter(by, tournament, second, random.Random(1))
    # Somebody came over from the second table, and both play on.
    sizes = [len(load_table(t.floor or {}).players) for t in tables_of(row) if t.state == "playing"]
    assert sorted(sizes) == [2, 3] and len(open_tables(row)) == 2


def test_who_withdraws_leaves_at_the_own_next_deal_and_ranks_among_those_out() -> None:
    by = organiser()
    tournament = with_players(by, 5, **OUT, size_max=5, size_ideal=5)
    row = released(by, tournament, 1)
    (table,) = tables_of(row)
    leaver = table.seats[2]
    services.withdraw(tournament_id=tournament.pk, by=by, number=leaver)
    assert Entry.objects.get(number=leaver).leaving
    dealt = []
    for _ in range(3):
        table.refresh_from_db()
        _number, dealer, players = selectors.next_deal(table)
        dealt.append((dealer, leaver in players))
        sheet = {"totals": dict.fromkeys(players, 3), "declarer": players[0]}
        services.enter_deal(
            tournament_id=tournament.pk, by=by, round_number=1, table_number=1, deal=_number, sheet=sheet
        )
    assert dealt == [(table.seats[0], True), (table.seats[1], True), (leaver, False)]
    entry = Entry.objects.get(number=leaver)
    assert (entry.status, entry.leaving) == ("withdrawn", False)
    assert KnockedOut.objects.get().why == "withdrawn"
    assert standings_of(tournament, seen="all").rows[-1].entry == entry
    wanted = {"tournament_id": tournament.pk, "by": by, "number": leaver}
    assert refused(services.return_entry, **wanted) == "knocked_out"


def test_a_dealer_who_announces_in_his_own_deal_to_leave_plays_it_to_its_end() -> None:
    by = organiser()
    tournament = with_players(by, 3, **OUT)
    (table,) = tables_of(released(by, tournament, 1))
    dealer = table.seats[0]
    services.withdraw(tournament_id=tournament.pk, by=by, number=dealer)
    entered = enter(by, tournament, EventTable.objects.get(), random.Random(3))
    assert (entered.dealer, entered.players) == (dealer, table.seats)
    assert Entry.objects.get(number=dealer).status == "withdrawn"
    table.refresh_from_db()
    assert selectors.next_deal(table)[2] == table.seats[1:]


def test_who_leaves_between_rounds_or_as_the_round_ends_is_not_ranked_among_the_winners() -> None:
    by = organiser()
    terms = {**OUT, "rounds": 2, "thresholds": [10, 60], "round_end": "first_out"}
    tournament = with_players(by, 8, **terms)
    tables = tables_of(released(by, tournament, 1))
    at_the_end = tables[0].seats[3]
    services.withdraw(tournament_id=tournament.pk, by=by, number=at_the_end)
    for table in tables:
        totals = {player: 14 if n == 1 else 3 for n, player in enumerate(table.seats)}
        services.enter_deal(
            tournament_id=tournament.pk,
            by=by,
            round_number=1,
            table_number=table.number,
            deal=1,
            sheet={"totals": totals, "declarer": table.seats[0]},
        )
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    between = tables[1].seats[3]
    services.withdraw(tournament_id=tournament.pk, by=by, number=between)
    ranked = [row.entry.number for row in standings_of(tournament).rows]
    assert ranked[4:6] == [between, at_the_end] and len(ranked) == 8
    assert gone_by(knock_outs_of(tournament)) == {
        between,
        at_the_end,
        tables[0].seats[1],
        tables[1].seats[1],
    }


@pytest.mark.parametrize(
    ("rule", "deals"), [({"round_end": "first_out"}, 1), ({"round_end": "orbits", "orbits": 1}, 4)]
)
def test_rounds_before_the_last_end_by_their_rule_and_thresholds_rise(
    rule: dict[str, Any], deals: int
) -> None:
    by = organiser()
    tournament = with_players(by, 8, **{**OUT, "rounds": 2, "thresholds": [10, 60]}, **rule)
    row = released(by, tournament, 1)
    for table in tables_of(row):
        for _ in range(deals):
            number, _dealer, players = selectors.next_deal(EventTable.objects.get(pk=table.pk))
            worst = players[-1]
            totals = {p: 14 if p == worst else 3 for p in players}
            services.enter_deal(
                tournament_id=tournament.pk,
                by=by,
                round_number=1,
                table_number=table.number,
                deal=number,
                sheet={"totals": totals, "declarer": players[0]},
            )
            if rule["round_end"] == "orbits" and EventTable.objects.get(pk=table.pk).state == "done":
                break
    row.refresh_from_db()
    assert row.state == "complete"
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    live = Entry.objects.filter(status="entered").count()
    assert live == 8 - len(gone_by(knock_outs_of(tournament))) and 2 <= live < 8
    services.draw(tournament_id=tournament.pk, by=by)
    again = released(by, tournament, 2)
    assert sum(len(t.seats) for t in tables_of(again)) == live
    play_out(by, tournament, again, seed=2)
    assert len(gone_by(knock_outs_of(tournament))) == 7


def test_the_last_two_of_an_elimination_are_drawn_below_the_smallest_table_of_the_field() -> None:
    by = organiser()
    tournament = with_players(
        by, 4, **{**OUT, "rounds": 2, "thresholds": [10, 60]}, round_end="outs", round_end_count=2
    )
    (table,) = tables_of(released(by, tournament, 1))
    totals = {player: 15 if n > 1 else 1 for n, player in enumerate(table.seats)}
    services.enter_deal(
        tournament_id=tournament.pk,
        by=by,
        round_number=1,
        table_number=1,
        deal=1,
        sheet={"totals": totals, "declarer": table.seats[0]},
    )
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    draw = services.draw(tournament_id=tournament.pk, by=by)
    assert [sorted(t) for t in draw.rounds[0]] == [sorted(table.seats[:2])] and draw.sitting == [[]]
    play_out(by, tournament, released(by, tournament, 2), seed=1)
    assert Entry.objects.filter(status="entered").count() == 1


def deal(by: Any, tournament: Tournament, table: EventTable, totals: list[int]) -> Result:
    """Enter the next deal of a table with the given totals; the lowest declares."""
    table.refresh_from_db()
    number, _dealer, players = selectors.next_deal(table)
    sheet = {
        "totals": dict(zip(players, totals, strict=True)),
        "declarer": players[totals.index(min(totals))],
    }
    return services.enter_deal(**place(by, tournament, table), deal=number, sheet=sheet)


def place(by: Any, tournament: Tournament, table: EventTable) -> dict[str, Any]:
    at = {"tournament_id": tournament.pk, "by": by, "round_number": table.round.number}
    return {**at, "table_number": table.number}


def test_a_correction_above_the_threshold_knocks_out_with_the_own_next_deal_only() -> None:
    """Somebody above the threshold at another table was knocked out by a deal there, and his own table could not go on."""
    by = organiser()
    tournament = with_players(by, 8, **OUT)
    one, two = tables_of(released(by, tournament, 1))
    wrong = deal(by, tournament, two, [1, 5, 5, 5])
    high = {player: 40 if int(player) == two.seats[1] else score for player, score in wrong.scores.items()}
    services.correct_deal(**place(by, tournament, two), deal=1, scores=high, reason="the lines were mixed up")
    assert not KnockedOut.objects.exists()
    deal(by, tournament, one, [1, 5, 5, 5])
    assert not KnockedOut.objects.exists()
    deal(by, tournament, two, [5, 5, 1, 5])
    assert KnockedOut.objects.get().out == [[two.seats[1]]]
    play_out(by, tournament, Round.objects.get(), seed=1)
    assert Entry.objects.filter(status="entered").count() == 1


def test_a_correction_after_a_tables_last_deal_counts_when_the_round_is_confirmed() -> None:
    by = organiser()
    tournament = with_players(by, 8, **{**OUT, "rounds": 2, "thresholds": [10, 60]}, round_end="first_out")
    one, two = tables_of(released(by, tournament, 1))
    deal(by, tournament, one, [1, 14, 3, 3])
    wrong = deal(by, tournament, two, [1, 14, 3, 3])
    a, b, c, d = (str(player) for player in wrong.players)
    right = {a: 0, b: 2, c: 13, d: 2}
    services.correct_deal(
        **place(by, tournament, two), deal=1, scores=right, reason="the lines were mixed up"
    )
    again = {"tournament_id": tournament.pk, "by": by, "round_number": 1}
    services.confirm_round(**again)
    # Who was knocked out by the wrong score stays out; who is above the threshold by the right one leaves now.
    assert gone_by(knock_outs_of(tournament)) == {one.seats[1], int(b), int(c)}
    services.reopen_round(**again, reason="it was right before")
    assert Entry.objects.get(number=int(c)).status == "entered"
    services.correct_deal(**place(by, tournament, two), deal=1, scores=wrong.scores, reason="as it was")
    services.confirm_round(**again)
    assert gone_by(knock_outs_of(tournament)) == {one.seats[1], int(b)}
    services.undo_round(**again, reason="the wrong player was out")
    assert Entry.objects.filter(status="entered").count() == 8


def test_a_dispute_stops_its_table_of_an_elimination_and_its_decision_lets_it_play_on() -> None:
    """Once decided the table stood still, and who had left it in the meantime could not be scored."""
    by = organiser()
    tournament = with_players(by, 8, **OUT)
    row = released(by, tournament, 1)
    one, two = tables_of(row)
    assert refused(services.resolve_dispute, **place(by, tournament, one), reason="x") == "not_disputed"
    deal(by, tournament, one, [1, 5, 5, 5])
    services.dispute_table(**place(by, tournament, one), reason="that was 6")
    services.withdraw(tournament_id=tournament.pk, by=by, number=one.seats[3])
    assert refused(services.confirm_table, **place(by, tournament, one)) == "not_reported"
    with pytest.raises(EventRefusal, match="disputed"):
        deal(by, tournament, one, [1, 5, 5, 5])
    # All but one of the other table go out; it waits for the disputed one.
    deal(by, tournament, two, [1, 50, 50, 50])
    assert not open_tables(row)
    services.resolve_dispute(**place(by, tournament, one), reason="it was 5")
    assert open_tables(row)
    play_out(by, tournament, row, seed=1)
    assert Entry.objects.filter(status="entered").count() == 1


def test_a_floor_that_is_undone_lets_everybody_play_again() -> None:
    by = organiser()
    tournament = with_players(by, 9, **OUT)
    row = released(by, tournament, 1)
    rng = random.Random(8)
    while not Entry.objects.filter(status="out").exists():
        enter(by, tournament, rng.choice(open_tables(row)), rng)
    undo = {"tournament_id": tournament.pk, "by": by, "round_number": 1, "reason": "wrong threshold"}
    services.undo_round(**undo)
    assert Entry.objects.filter(status="entered").count() == 9
    services.draw(tournament_id=tournament.pk, by=by)
    row = released(by, tournament, 1)
    play_out(by, tournament, row, seed=5)
    assert Entry.objects.filter(status="entered").count() == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_whoever_leaves_and_when_the_field_always_plays_on(seed: int) -> None:
    """Two tables were left with one player each when leavers went at their own deals, and nobody was moved."""
    rng = random.Random(seed)
    by = organiser()
    tournament = with_players(by, 9, **{**OUT, "final_size": 0}, size_ideal=3)
    row = released(by, tournament, 1)
    for _ in range(300):
        row.refresh_from_db()
        if row.state != Round.State.PLAYING:
            break
        tables = open_tables(row)
        assert tables, "no table can play on"
        stay = list(Entry.objects.filter(status="entered", leaving=False))
        if rng.random() < 0.4 and len(stay) > 2:
            services.withdraw(tournament_id=tournament.pk, by=by, number=rng.choice(stay).number)
            continue
        enter(by, tournament, rng.choice(tables), rng)
    assert row.state == "complete"
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    services.finish_tournament(tournament_id=tournament.pk, by=by)
    places = list(Entry.objects.values_list("place", flat=True))
    assert None not in places and places.count(1) == 1
