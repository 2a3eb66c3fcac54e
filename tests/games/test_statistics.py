"""Statistics of all deals: each counted once, the same when counted anew, and shown with what is expected."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from games import selectors, services
from games.models import Deal, DealStatistics, LogEntry, Table
from games.rules import GAMES
from games.rules.tally import tally
from games.services.counting import COUNTING_LOCK
from games.tasks import count_deals
from games.views.play_sections import months
from tests.games.tables import member, on_turn, open_table, play_bots_until, start

both_games = pytest.mark.parametrize("game", sorted(GAMES))


def play_deals(table: Table, count: int) -> None:
    """Play so many deals of a table at which only bots sit."""
    for _deal in range(count):
        start(table)
        play_bots_until(table, None)


def counted() -> list[tuple[Any, ...]]:
    """Return every row of the statistics."""
    return sorted(DealStatistics.objects.values_list("game", "kind", "key", "count", "since", "until"))


@pytest.mark.django_db
@both_games
def test_the_counts_are_those_of_the_deals_played(game: str) -> None:
    table = open_table(game, seats=6)
    play_deals(table, 3)
    assert services.count_deals() == 3
    wanted: dict[tuple[str, str], int] = {}
    for deal in table.deals.all():
        for key, count in tally(selectors.record_of(table, deal), bots=deal.bots).items():
            wanted[key] = wanted.get(key, 0) + count
    rows = {(row.kind, row.key): row.count for row in DealStatistics.objects.filter(game=game)}
    own = {key: count for key, count in rows.items() if key[0] not in ("month", "first_dealer")}
    assert own == wanted
    drawn = next(iter(selectors.first_draws(table.deals.all()).values()))
    assert rows["first_dealer", f"6:{drawn.dealer}"] == 1
    assert sum(count for (kind, _key), count in rows.items() if kind == "month") == 3
    total = DealStatistics.objects.get(game=game, kind="deals")
    ends = sorted(table.deals.values_list("ended_at", flat=True))
    assert (total.since, total.until) == (ends[0], ends[-1])


@pytest.mark.parametrize(("language", "named"), [("en", "November 2026"), ("et", "november 2026")])
def test_a_month_stood_as_figures_instead_of_its_name(language: str, named: str) -> None:
    now = timezone.now()
    with override(language):
        assert months(selectors.Numbers("least_score", now, now, {"month": {"2026-11": 2}})).rows == [
            [named, "2"]
        ]


@pytest.mark.django_db
def test_a_deal_is_counted_once_however_often_it_is_counted() -> None:
    table = open_table("three_card_loo")
    play_deals(table, 2)
    assert services.count_deals(most=1) == 1
    assert services.count_deals(most=1) == 1
    before = counted()
    assert services.count_deals() == 0
    count_deals()
    assert counted() == before
    play_deals(table, 1)
    count_deals()
    assert DealStatistics.objects.get(game="three_card_loo", kind="deals").count == 3


@pytest.mark.django_db
def test_counting_anew_gives_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    for game in GAMES:
        table = open_table(game)
        play_deals(table, 2)
        services.count_deals(most=1)
        services.count_deals()
    before = counted()
    assert before
    call_command("rebuild_statistics")
    assert "4 deals were counted." in capsys.readouterr().out
    assert counted() == before
    DealStatistics.objects.filter(kind="turn_up").update(count=99)
    call_command("rebuild_statistics")
    assert counted() == before


@pytest.mark.django_db
@both_games
def test_a_running_deal_is_not_counted(client: Client, game: str) -> None:
    table = on_turn(game, member("mari"))
    ended = Deal.objects.filter(ended_at__isnull=False).count()
    count_deals()
    assert not Deal.objects.get(table=table, ended_at=None).counted
    assert Deal.objects.filter(counted=True).count() == ended
    rows = DealStatistics.objects.filter(game=game, kind="deals")
    assert sum(row.count for row in rows) == ended


@pytest.mark.django_db
def test_deals_are_counted_in_the_order_of_their_ends_too() -> None:
    """A deal that began first may end last: it must not be passed over."""
    slow, quick = open_table("three_card_loo"), open_table("three_card_loo")
    start(slow)
    play_deals(quick, 1)
    count_deals()
    play_bots_until(slow, None)
    count_deals()
    assert DealStatistics.objects.get(kind="deals").count == 2


@pytest.mark.django_db
def test_a_deal_that_the_rules_refuse_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    table = open_table("three_card_loo")
    play_deals(table, 2)
    LogEntry.objects.filter(table=table, deal__number=1, ply=1).update(move="AS")
    assert services.count_deals() == 2
    assert "is not a deal by the rules" in caplog.text
    rows = {row.kind: row.count for row in DealStatistics.objects.filter(key="")}
    assert rows == {"deals": 2, "unreadable": 1}


@pytest.mark.committed
def test_two_that_count_at_once_count_nothing_twice() -> None:
    table = open_table("three_card_loo")
    play_deals(table, 4)
    ready = threading.Barrier(3)
    done: list[int] = []

    def count() -> None:
        ready.wait()
        for _try in range(4):
            done.append(services.count_deals(most=1))
        connection.close()

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while services.count_deals():
        pass
    assert DealStatistics.objects.get(kind="deals").count == 4
    assert sum(done) <= 4
    before = counted()
    services.recount_deals()
    assert counted() == before


@pytest.mark.committed
def test_who_counts_while_another_does_goes_away() -> None:
    table = open_table("three_card_loo")
    play_deals(table, 1)
    found: list[int] = []

    def count() -> None:
        found.append(services.count_deals())
        connection.close()

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [COUNTING_LOCK])
        thread = threading.Thread(target=count)
        thread.start()
        thread.join()
    assert found == [0]
    assert services.count_deals() == 1


@pytest.mark.committed(role="site")
def test_the_site_may_count_with_its_own_rights() -> None:
    table = open_table("three_card_loo")
    play_deals(table, 1)
    assert services.count_deals() == 1
    assert services.recount_deals() == 1


def count_up(game: str, kinds: dict[str, dict[str, int]]) -> None:
    """Write counts as if they had been counted."""
    now = timezone.now()
    for kind, keys in kinds.items():
        for key, count in keys.items():
            DealStatistics.objects.create(game=game, kind=kind, key=key, count=count, since=now, until=now)


def section(client: Client, game: str, name: str) -> Any:
    """Return one section of the page."""
    response = client.get("/statistics/")
    assert response.status_code == 200
    shown = next(each for each in response.context["games"] if each["name"] == game)
    return next(each for each in shown["sections"] if each.name == name)


@pytest.mark.django_db
def test_an_even_count_of_suits_is_called_nothing_unusual(client: Client) -> None:
    suits = {"2C": 251, "2D": 249, "2H": 260, "2S": 240}
    count_up("three_card_loo", {"deals": {"": 1000}, "turn_up": suits})
    shown = section(client, "three_card_loo", "suits")
    assert [row[1] for row in shown.rows] == ["251", "249", "260", "240"]
    assert {row[2] for row in shown.rows} == {"250.0"}
    assert "χ² = 0.81 with 3 degrees of freedom" in shown.verdict
    assert "85 times in 100: nothing unusual" in shown.verdict
    assert not shown.alarm


@pytest.mark.django_db
def test_a_rigged_shuffle_is_called_out(client: Client) -> None:
    suits = {"2C": 400, "2D": 200, "2H": 200, "2S": 200}
    count_up("three_card_loo", {"deals": {"": 1000}, "turn_up": suits})
    shown = section(client, "three_card_loo", "suits")
    assert shown.alarm and "should be looked into" in shown.verdict
    assert b"data-alarm" in client.get("/statistics/").content


@pytest.mark.django_db
def test_a_few_deals_are_not_judged(client: Client) -> None:
    count_up("least_score", {"deals": {"": 3}, "turn_up": {"2C": 3}})
    shown = section(client, "least_score", "suits")
    assert "Too little was counted" in shown.verdict and not shown.alarm


@pytest.mark.django_db
def test_hands_of_people_and_bots_are_set_beside_what_is_expected(client: Client) -> None:
    hands = {"people": 100, "bots": 300}
    count_up("three_card_loo", {"deals": {"": 80}, "hands": hands, "trumps": {"people": 71, "bots": 210}})
    shown = section(client, "three_card_loo", "trumps")
    assert shown.rows == [["People", "100", "0.710", "0.706"], ["Bots", "300", "0.700", "0.706"]]


@pytest.mark.django_db
def test_shares_are_rounded_and_not_cut_off(client: Client) -> None:
    count_up("three_card_loo", {"deals": {"": 3}, "miss": {"taken": 2, "left": 1}})
    shown = section(client, "three_card_loo", "miss")
    assert [row[2] for row in shown.rows] == ["66.7%", "0.0%", "33.3%"]


@pytest.mark.django_db
def test_first_tricks_are_counted_by_place_with_the_dealer_apart(client: Client) -> None:
    inside = {"5:1": 10, "5:5": 4, "7:1": 10, "7:5": 6, "7:7": 4}
    won = {"5:1": 5, "5:5": 2, "7:1": 5, "7:5": 3}
    count_up("three_card_loo", {"deals": {"": 20}, "in": inside, "first_trick": won})
    shown = section(client, "three_card_loo", "first-tricks")
    assert shown.rows == [
        ["1", "20", "10", "50.0%"],
        ["5", "6", "3", "50.0%"],
        ["dealer", "8", "2", "25.0%"],
    ]


@pytest.mark.django_db
def test_first_dealers_are_expected_by_the_size_of_their_table(client: Client) -> None:
    drawn = {"2:1": 9, "2:2": 11, "3:1": 10, "3:2": 10, "3:3": 10}
    count_up("least_score", {"deals": {"": 50}, "first_dealer": drawn})
    shown = section(client, "least_score", "dealers")
    assert [row[1:] for row in shown.rows] == [["19", "20.0"], ["21", "20.0"], ["10", "10.0"]]
    assert "χ² = 0.20 with 3 degrees of freedom" in shown.verdict


@pytest.mark.django_db
def test_declarations_are_counted_by_points(client: Client) -> None:
    count_up(
        "least_score",
        {"deals": {"": 10}, "declared": {"1": 1, "4": 2, "12": 1}, "succeeded": {"1": 1, "4": 1}},
    )
    shown = section(client, "least_score", "declarations")
    assert "5.2 on average" in shown.text  # 21 points in 4 declarations, the half rounded to even
    assert shown.rows == [["1–4", "3", "2", "66.7%"], ["5–9", "0", "0", "–"], ["10–14", "1", "0", "0.0%"]]


@pytest.mark.django_db
def test_the_page_of_a_new_site_says_that_there_is_nothing_yet(client: Client) -> None:
    assert "No deal is over yet." in client.get("/statistics/").content.decode()
