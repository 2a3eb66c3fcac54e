"""An online elimination from registration to prizes, with bots and members, driven without waiting."""

from __future__ import annotations

import pytest

from games.models import Table
from ledger.selectors import balance
from ledger.services.verifying import verify
from tests.tournaments.events import drive, event, give, members, organiser, released, wallet_of
from tournaments import services
from tournaments.models import Action, Entry, EventTable, KnockedOut, Payout, Round, Sitting
from tournaments.rules.floor import load_table
from tournaments.selectors.field import gone_by, knock_outs_of, results_of, totals_of
from tournaments.selectors.standings import standings_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_heads")]


def test_23_bots_and_members_play_to_the_last_one_and_prizes_are_paid() -> None:
    by = organiser()
    people = members(6)
    for person in people:
        give(person, 100)
    tournament = event(
        by,
        venue="online",
        bots_allowed=True,
        family="elimination",
        thresholds=[12],
        rounds=1,
        final_size=4,
        asset="CHIPS",
        fee=50,
        prizes={"1": [100], "4": [60, 40]},
    )
    for person in people:
        services.register(tournament_id=tournament.pk, user=person)
    services.add_bots(
        tournament_id=tournament.pk, by=by, level="random", names=[f"Bot {n}" for n in range(1, 18)]
    )
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    assert Table.objects.filter(origin=f"tournament/{tournament.pk}").count() == 6

    drive(tournament)

    row = Round.objects.get(tournament=tournament)
    assert row.state == Round.State.COMPLETE
    services.confirm_round(tournament_id=tournament.pk, by=by, round_number=1)
    finished = services.finish_tournament(tournament_id=tournament.pk, by=by)
    _check_floor(finished)
    _check_prizes(finished, by, people)


def test_tables_are_balanced_when_one_of_them_is_slow() -> None:
    """Nobody can be out after one deal (the most that it costs is 69), so all of the slow table are still in."""
    by = organiser()
    terms = {"family": "elimination", "thresholds": [70], "rounds": 1, "final_size": 4}
    tournament = event(by, venue="online", bots_allowed=True, **terms)
    names = [f"Bot {n}" for n in range(1, 12)]
    services.add_bots(tournament_id=tournament.pk, by=by, level="random", names=names)
    services.start_tournament(tournament_id=tournament.pk, by=by)
    released(by, tournament, 1)
    drive(tournament, without=[1])
    slow, short = (load_table(t.floor or {}) for t in EventTable.objects.filter(state="playing"))
    assert (len(slow.players), slow.in_deal) == (4, True) and 0 < len(short.players) < 3
    drive(tournament)
    moves = [move for action in Action.objects.filter(kind="seated_anew") for move in action.after["moves"]]
    assert {"break", "balance", "final"} == {kind for kind, *_rest in moves}
    assert 1 in {source for kind, _player, source, *_rest in moves if kind == "balance"}
    assert Entry.objects.filter(status="entered").count() == 1


def _check_floor(tournament) -> None:
    totals = totals_of(results_of(tournament))
    gone = gone_by(knock_outs_of(tournament))
    assert len(gone) == 22
    assert all(totals[player] > 12 for player in gone)
    (winner,) = set(totals) - gone
    assert totals[winner] <= 12
    places = list(Entry.objects.filter(tournament=tournament).values_list("place", flat=True))
    assert min(places) == 1 and None not in places
    assert Entry.objects.get(tournament=tournament, place=1).number == winner
    # Nobody sat at two tables in one deal, and every table of the site is over.
    assert not Sitting.objects.filter(open=True).exists()
    assert not Table.objects.exclude(status="finished").exists()
    rows = standings_of(tournament).rows
    assert max(abs(row.dealt - row.owed) for row in rows) < 3
    moves = [
        move[0] for action in Action.objects.filter(kind="seated_anew") for move in action.after["moves"]
    ]
    assert {"break", "final"} <= set(moves)
    # The end was played at one table, with seats drawn anew.
    last = KnockedOut.objects.order_by("number").last()
    assert last is not None and last.survivors == [winner]
    assert EventTable.objects.exclude(state="done").count() == 0


def _check_prizes(tournament, by, people) -> None:
    paid = services.pay_prizes(tournament_id=tournament.pk, by=by)
    assert sum(paid.awards.values()) == 300
    bots = set(Entry.objects.exclude(bot_level="").values_list("number", flat=True))
    assert not bots & {int(number) for number in paid.awards}
    entries = {entry.user_id: entry.number for entry in Entry.objects.filter(bot_level="")}
    for person in people:
        won = paid.awards.get(str(entries[person.pk]), 0)
        assert balance(wallet_of(person)) == 50 + won
    assert verify(record=False).fault is None
    back = services.take_prizes_back(tournament_id=tournament.pk, by=by, reason="a wrong result")
    assert back.taken_back and all(balance(wallet_of(person)) == 50 for person in people)
    again = services.pay_prizes(tournament_id=tournament.pk, by=by)
    assert again.awards == paid.awards or len(set(paid.awards.values())) < len(paid.awards)
    assert Payout.objects.filter(taken_back=False).count() == 1
    assert verify(record=False).fault is None
