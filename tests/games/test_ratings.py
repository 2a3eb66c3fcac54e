"""Ratings: what counts and what does not, leavers last, corrections, and the same result when all is counted again."""

from __future__ import annotations

import datetime as dt
import io
import random
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import FIRST_CLUB, Club, User
from games import services
from games.models import LogEntry, RatedMatch, Rating, RatingChange, RatingPool, Seat, Table
from games.rules import GAMES
from games.selectors import ratings as records
from games.selectors.ratings import Placed
from games.services import rating
from games.services.bot_matches import play_bot_match
from games.skill import NEWCOMER
from tests.games.tables import member, open_table, play_one, play_to_the_end, start
from tests.games.test_races import together

SHORT = {"match": "first_out", "threshold": 25}
AT = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)


def rated(*members: User, game: str = "least_score", **changes: Any) -> Table:
    """A rated table whose first deal is dealt."""
    table = services.open_table(
        game=game,
        options=SHORT if game == "least_score" else {},
        clock="club",
        members=dict(enumerate(members, start=1)),
        bots={},
        opened_by=members[0],
        rated=True,
        pace_ms=0,
        bot_think_ms=0,
        **changes,
    )
    start(table)
    return table


def people(count: int) -> list[User]:
    return [member(f"player{number}") for number in range(1, count + 1)]


def pool_of(game: str = "least_score", club: int | None = FIRST_CLUB) -> RatingPool:
    return RatingPool.objects.get(club=club, game=game)


def report(
    source: str, *places: tuple[User, int], at: dt.datetime = AT, abandoned: Sequence[int] = ()
) -> None:
    """Report a result played at a club: who came where."""
    placed = [
        Placed(seat, place, seat in abandoned, user_id=user.pk)
        for seat, (user, place) in enumerate(places, start=1)
    ]
    services.rate_result(club_id=FIRST_CLUB, game="least_score", source=source, at=at, placed=placed)


def stored() -> dict[str, Any]:
    """Everything that is stored of ratings, without ids of rows that are written anew."""
    return {
        "ratings": list(Rating.objects.order_by("pk").values_list("pk", "mu", "sigma", "matches", "last_at")),
        "changes": list(
            RatingChange.objects.order_by("match__pool", "match__number", "seat").values_list(
                *("match__number", "seat", "rating", "place", "abandoned"),
                *("mu_before", "sigma_before", "mu_after", "sigma_after"),
            )
        ),
    }


def recompute(*words: str) -> tuple[int, str]:
    """Run the command; returns its exit code and what it says."""
    said = io.StringIO()
    try:
        call_command("recompute_ratings", *words, stdout=said)
    except SystemExit as stopped:
        return int(stopped.code or 0), said.getvalue()
    return 0, said.getvalue()


# What counts -----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("game", "count"), [("least_score", 2), ("three_card_loo", 5)])
def test_a_finished_rated_match_moves_the_ratings_of_its_players(game: str, count: int) -> None:
    table = rated(*people(count), game=game)
    if game == "three_card_loo":
        services.leave_table(table_id=table.id, user_id=table.seats.get(number=2).user_id)
        for number in (3, 4, 5):
            services.leave_table(table_id=table.id, user_id=table.seats.get(number=number).user_id)
        services.end_now(table_id=table.id, user_id=table.seats.get(number=1).user_id)
    play_to_the_end(table)
    final = LogEntry.objects.get(table=table, events__contains=[{"type": "final"}]).events[-1]
    changes = table.rated_match.changes.order_by("seat")
    assert [[c.place, c.seat] for c in changes.order_by("place", "seat")] == sorted(final["ranking"])
    assert [c.seat for c in changes if c.abandoned] == final["abandoned"]
    assert all(c.before == NEWCOMER and c.rating.skill == c.after for c in changes)
    best, worst = changes.order_by("place")[0], changes.order_by("-place")[0]
    assert best.points > worst.points
    assert {(r.matches, r.last_at) for r in pool_of(game).ratings.all()} == {(1, table.finished_at)}


@pytest.mark.django_db
def test_who_leaves_comes_last_whatever_the_stand_in_makes_of_the_cards() -> None:
    """Over several matches the stand-in surely does better than somebody at least once."""
    stayed, gone, other = people(3)
    for _ in range(12):
        table = rated(stayed, gone, other)
        services.leave_table(table_id=table.id, user_id=gone.pk)
        play_to_the_end(table)
        change = table.rated_match.changes.get(rating__user=gone)
        assert (change.place, change.abandoned) == (3, True)
        told = LogEntry.objects.get(table=table, events__contains=[{"type": "final"}]).events
        by_the_rules = next(event for event in told if event["type"] == "match_over")["ranking"]
        if next(place for place, seat in by_the_rules if seat == 2) < 3:
            break
    else:
        raise AssertionError(
            "the stand-in was last by the rules too, in every match: the cards prove nothing"
        )
    lowest = Rating.objects.order_by("ordinal")[0]
    assert lowest.user == gone


def closed(table: Table) -> None:
    services.close_table(table_id=table.id)


def closed_between(table: Table) -> None:
    """Closed while nobody is on turn."""
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()
    services.close_table(table_id=table.id)


def everybody_left(table: Table) -> None:
    for seat in table.seats.all():
        services.leave_table(table_id=table.id, user_id=seat.user_id)


def deserted(table: Table) -> None:
    Seat.objects.filter(table=table).update(stand_in=True)
    long_ago = timezone.now() - dt.timedelta(days=1)
    LogEntry.objects.filter(table=table).update(at=long_ago)
    Table.objects.filter(pk=table.pk).update(opened_at=long_ago, changed_at=long_ago)
    assert services.reap() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("end", [closed, closed_between, everybody_left, deserted])
def test_a_match_that_its_members_did_not_end_moves_no_rating(end: Any) -> None:
    table = rated(*people(3))
    end(table)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert not RatingChange.objects.exists()
    assert recompute("--check")[0] == 0


@pytest.mark.django_db
def test_a_table_closed_in_its_last_deal_moves_no_rating() -> None:
    """The deal was played out by default moves, knocked somebody out, and the match looked as if it had ended."""
    two = people(2)
    for _ in range(30):
        table = rated(*two)
        while table.status != Table.Status.FINISHED and highest(table) < 15:
            start(table) if table.status == Table.Status.BETWEEN else play_one(table)
            table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            continue
        start(table)
        services.close_table(table_id=table.id)
        assert not RatedMatch.objects.filter(table=table).exists()
        if highest(Table.objects.get(pk=table.pk)) > 25:
            break
    else:
        raise AssertionError("no deal that was played out ended a match")


def highest(table: Table) -> int:
    """The most points that anybody has."""
    view = GAMES["least_score"].match_view(GAMES["least_score"].load_match(table.match))
    return max(view["totals"].values())


@pytest.mark.django_db
def test_an_evening_with_bots_moves_no_persons_rating() -> None:
    table = open_table("least_score", *people(2), seats=3, **SHORT)
    start(table)
    play_to_the_end(table)
    assert not RatedMatch.objects.exists()


@pytest.mark.django_db
def test_clubs_and_games_are_rated_apart() -> None:
    two = people(2)
    other = Club.objects.create(slug="other", name="Other")
    for club in (None, other):
        play_to_the_end(rated(*two, club=club))
    assert Rating.objects.filter(user=two[0]).count() == 2
    assert {rating.matches for rating in Rating.objects.all()} == {1}
    assert recompute("--club", "other") == (0, "Other: Least Score: 1 match, nothing differs\n")


@pytest.mark.django_db
def test_counting_a_match_costs_the_same_few_queries_whoever_plays() -> None:
    queries = []
    for count in (2, 9):
        names = [member(f"at{count} {number}") for number in range(count)]
        with CaptureQueriesContext(connection) as caught:
            report(f"club {count}", *((user, place) for place, user in enumerate(names, start=1)))
        queries.append(len(caught))
    assert queries[1] <= queries[0] <= 16


# Reported results --------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_result_is_counted_once_however_often_it_is_reported() -> None:
    mari, jaan = people(2)
    for _ in range(3):
        report("event/1", (mari, 1), (jaan, 2))
    assert [rating.matches for rating in Rating.objects.all()] == [1, 1]
    assert pool_of().last == 1


@pytest.mark.django_db
def test_a_corrected_result_is_as_if_it_had_been_reported_right() -> None:
    """Everything after it is counted again, in the same order."""
    mari, jaan, liis = people(3)
    evening = [
        ("event/1", (mari, 1), (jaan, 2), (liis, 3)),
        ("event/2", (jaan, 1), (liis, 2)),
        ("event/3", (mari, 1), (liis, 1)),
    ]
    right = ("event/1", (liis, 1), (jaan, 1), (mari, 3))
    for result in [right, *evening[1:]]:
        report(*result)
    wanted = [(r.user_id, r.mu, r.sigma, r.matches) for r in Rating.objects.order_by("user_id")]
    RatingPool.objects.all().delete()
    for result in [*evening, right]:
        report(*result)
    assert wanted == [(r.user_id, r.mu, r.sigma, r.matches) for r in Rating.objects.order_by("user_id")]
    assert recompute("--check")[0] == 0


@pytest.mark.django_db
def test_a_result_that_was_taken_back_leaves_no_trace_but_its_number() -> None:
    mari, jaan, liis = people(3)
    report("event/1", (mari, 1), (jaan, 2))
    before = stored()
    report("event/2", (liis, 1), (jaan, 2))
    services.withdraw_result(source="event/2")
    services.withdraw_result(source="event/2")
    services.withdraw_result(source="never heard of")
    after = stored()
    assert after["changes"] == before["changes"]
    assert after["ratings"][:2] == before["ratings"]
    assert (Rating.objects.get(user=liis).skill, Rating.objects.get(user=liis).matches) == (NEWCOMER, 0)
    assert recompute("--check")[0] == 0
    report("event/2", (liis, 2), (jaan, 1))
    assert Rating.objects.get(user=jaan).matches == 2
    assert pool_of().last == 2


@pytest.mark.django_db
def test_a_result_with_somebody_who_has_no_account_does_not_count() -> None:
    mari, jaan = people(2)
    placed = [Placed(1, 1, user_id=mari.pk), Placed(2, 2), Placed(3, 3, user_id=jaan.pk)]
    services.rate_result(club_id=FIRST_CLUB, game="least_score", source="event/1", at=AT, placed=placed)
    assert not RatedMatch.objects.exists()


@pytest.mark.django_db
def test_a_forgotten_players_matches_still_count_for_the_others() -> None:
    mari, jaan, liis = people(3)
    table = rated(mari, jaan)
    play_to_the_end(table)
    report("event/1", (mari, 1), (jaan, 2), (liis, 3))
    report("event/2", (jaan, 1), (liis, 2))
    before = stored()
    mari.delete()
    assert recompute()[0] == 0
    assert stored() == before
    # A correction of what the forgotten player took part in finds the rating by the seat.
    placed = [Placed(1, 2), Placed(2, 1, user_id=jaan.pk), Placed(3, 3, user_id=liis.pk)]
    services.rate_result(club_id=FIRST_CLUB, game="least_score", source="event/1", at=AT, placed=placed)
    assert RatingChange.objects.filter(match__source="event/1").count() == 3
    assert recompute("--check")[0] == 0


# Counted again -----------------------------------------------------------------------------


@pytest.mark.django_db
def test_counted_again_from_the_records_thirty_matches_with_leavers_give_the_same_ratings() -> None:
    """Real tables by the product's own services; some players leave, some matches come from elsewhere."""
    dice, club = random.Random(6), people(7)
    for number in range(30):
        sample = dice.sample(club, dice.choice((2, 2, 3)))
        if number % 3 == 0:
            results = [(user, dice.randint(1, 3)) for user in sample]
            report(f"event/{number}", *results, at=timezone.now())
            continue
        table = rated(*sample)
        if number % 3 == 1:
            for leaver in sample[1 : dice.choice((2, 3))]:
                services.leave_table(table_id=table.id, user_id=leaver.pk)
        if number % 6 == 1 and table.seats.filter(left=False).count() == 1:
            services.end_now(table_id=table.id, user_id=sample[0].pk)
        play_to_the_end(table)
    assert RatedMatch.objects.count() == 30 and RatingChange.objects.filter(abandoned=True).exists()
    before = stored()
    assert recompute("--check") == (0, f"{pool_of()}: 30 matches, nothing differs\n")
    RatingChange.objects.filter(match__table__isnull=False).delete()
    Rating.objects.update(mu=1, sigma=2, matches=3)
    assert recompute("--check")[0] == 1
    assert recompute()[0] == 0
    assert stored() == before


@pytest.mark.django_db
def test_whatever_is_changed_by_hand_is_found_and_mended() -> None:
    mari, jaan = people(2)
    play_to_the_end(rated(mari, jaan))
    before = stored()
    tampers = [
        lambda: Rating.objects.filter(user=mari).update(mu=40),
        lambda: Rating.objects.filter(user=mari).update(matches=9),
        lambda: RatingChange.objects.filter(seat=1).update(place=5),
        lambda: RatingChange.objects.filter(seat=2).update(mu_after=1),
        lambda: RatingChange.objects.filter(seat=2).delete(),
        lambda: RatingChange.objects.filter(seat=2).update(abandoned=True),
    ]
    for tamper in tampers:
        tamper()
        code, said = recompute("--check")
        assert (code, len(said.splitlines()) > 1) == (1, True), said
        assert recompute()[0] == 0
        assert stored() == before
    RatedMatch.objects.all().delete()
    pool = pool_of()
    Rating.objects.update(mu=NEWCOMER.mu, sigma=NEWCOMER.sigma, matches=0, last_at=None)
    RatingPool.objects.update(last=0)
    assert "was not counted" in recompute("--check")[1]
    recompute()
    assert stored() == before
    pool.refresh_from_db()
    assert pool.last == 1


# Two at once --------------------------------------------------------------------------------


def last_changes_meet() -> None:
    """Every rating stands where its latest match left it, and each match began where the one before ended."""
    for row in Rating.objects.all():
        at = NEWCOMER
        changes = row.changes.order_by("match__number")
        for change in changes:
            assert change.before == at
            at = change.after
        assert (row.skill, row.matches) == (at, len(changes))


@pytest.mark.committed
def test_without_the_lock_a_match_that_ends_at_the_same_moment_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the pool's lock prevents: both read the same ratings, and only the numbers' constraint stops one."""
    mari, jaan = people(2)
    report("event/1", (mari, 1), (jaan, 2))
    both_have_read = threading.Barrier(2)
    read = records.standings

    def unlocked(club_id: int | None, game: str) -> RatingPool:
        return RatingPool.objects.get(club=club_id, game=game)

    def read_at_the_same_time(ids: Any) -> Any:
        found = read(ids)
        both_have_read.wait(timeout=120)
        return found

    monkeypatch.setattr(rating, "lock_pool", unlocked)
    monkeypatch.setattr(records, "standings", read_at_the_same_time)
    results = together(
        lambda: report("event/2", (mari, 1), (jaan, 2)), lambda: report("event/3", (mari, 1), (jaan, 2))
    )
    assert sum(isinstance(result, IntegrityError) for result in results) == 1
    assert Rating.objects.get(user=mari).matches == 2, "three were played"


@pytest.mark.committed
def test_matches_that_end_at_the_same_moment_count_one_after_another() -> None:
    """Two tables of the same players end by their last moves, in two threads, while results come in."""
    mari, jaan, liis, tiit, *more = people(6)
    tables = [rated(liis, tiit), rated(*more)]
    for table in tables:
        services.leave_table(table_id=table.id, user_id=table.seats.get(number=2).user_id)
    endings = [
        lambda table=table: services.end_now(table_id=table.id, user_id=table.opened_by_id)
        for table in tables
    ]
    reports = [
        lambda number=number: report(
            f"event/{number}", (mari, 1), (jaan, 1 + number % 2), (liis, 3), at=timezone.now()
        )
        for number in range(10)
    ]
    results = together(*endings, *reports)
    assert not [result for result in results if isinstance(result, Exception)]
    last_changes_meet()
    assert list(RatedMatch.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 13))
    assert recompute("--check")[0] == 0


# Bots ---------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_bots_have_ratings_of_their_own_and_the_stronger_one_ends_above() -> None:
    report("event/1", *((user, place) for place, user in enumerate(people(2), start=1)))
    before = stored()["ratings"]
    for _ in range(2):
        call_command(
            *("rate_bots", "--game", "least_score", "--matches", "24", "--seed", "x", "--leavers", "0.2"),
            *("--options", '{"match": "first_out", "threshold": 25}'),
            stdout=io.StringIO(),
        )
    pool = pool_of(club=None)
    assert pool.last == 24, "a match counts once, however often the command runs"
    steady, other = pool.ratings.order_by("-ordinal")
    assert (steady.bot_level, other.bot_level) == ("steady", "random")
    assert steady.mu > other.mu + 2
    assert RatingChange.objects.filter(match__pool=pool, abandoned=True).exists()
    assert recompute("--check")[0] == 0
    assert [row for row in stored()["ratings"] if row in before] == before


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("game", ["least_score", "three_card_loo"])
def test_in_a_bots_match_leavers_share_the_last_place_and_somebody_stays(game: str, number: int) -> None:
    plan = services.BotMatches(game, "leavers", {}, leavers=0.7, budget=0)
    played = play_bot_match(plan, number)
    assert played == play_bot_match(plan, number)
    count = len(played.levels)
    assert sorted(seat for _place, seat in played.ranking) == list(range(1, count + 1))
    assert len(set(played.levels.values())) > 1 and len(played.left) < count
    for place, seat in played.ranking:
        assert (place == count) or seat not in played.left
