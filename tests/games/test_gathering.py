"""Before the first deal: seats are taken, changed and given back, bots come and go, a host starts, a match is rated."""

from __future__ import annotations

import pytest

from clubs.models import User
from games import services
from games.models import Seat, Table
from games.services import gathering as gathering_services
from tests.games.gatherings import gathering, refused
from tests.games.tables import member, play_to_the_end, start
from tests.games.test_stakes import TERMS, balance, club_chips, faults, rich_member, wallet_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("club_chips")]
assert club_chips


@pytest.fixture
def mari() -> User:
    return member("mari")


@pytest.fixture
def jaan() -> User:
    return member("jaan")


def guest() -> User:
    return User.objects.create(username="guest", is_guest=True)


# Seats ---------------------------------------------------------------------------------------------------------------


def test_a_member_changes_seats_with_the_number_for_the_shuffle(mari: User, jaan: User) -> None:
    table = gathering("least_score", 4, mari, jaan)
    services.choose_nonce(table_id=table.id, user_id=mari.pk, nonce="my own")
    services.move_seat(table_id=table.id, user_id=mari.pk, number=4)
    moved = table.seats.get(user=mari)
    assert (moved.number, moved.nonce) == (4, "my own")
    assert table.seats.get(number=1).is_free
    refused("seat_taken", services.move_seat, table_id=table.id, user_id=mari.pk, number=2)
    refused("seat_taken", services.move_seat, table_id=table.id, user_id=mari.pk, number=9)
    refused("not_seated", services.move_seat, table_id=table.id, user_id=mari.pk + 99, number=3)


def test_chips_follow_their_member_to_another_seat_and_the_book_agrees() -> None:
    mari, jaan = rich_member("mari"), rich_member("jaan")
    table = gathering("least_score", 3, mari, terms=TERMS["least_score"])
    services.buy_chips(table_id=table.id, user_id=mari.pk, chips=150)
    services.move_seat(table_id=table.id, user_id=mari.pk, number=3)
    assert balance(table.seats.get(number=3).account) == 550
    assert balance(wallet_of(mari)) == 2_000 - 550
    services.sit_down(table_id=table.id, user=jaan, number=1)
    services.fill_with_bots(table_id=table.id, user_id=mari.pk)
    play_to_the_end(table)
    assert faults(table) == []
    assert balance(table.pot_account) == 0


def test_seats_are_not_changed_once_a_match_has_begun(mari: User, jaan: User) -> None:
    table = gathering("least_score", 2, mari, jaan)
    start(table)
    for act, arguments in (
        (services.move_seat, {"user_id": mari.pk, "number": 1}),
        (services.fill_with_bots, {"user_id": mari.pk}),
        (services.remove_bot, {"user_id": mari.pk, "number": 2}),
        (services.start_early, {"user_id": mari.pk}),
    ):
        refused("match_running", act, table_id=table.id, **arguments)


def test_a_bot_is_sent_away_to_make_room_and_the_countdown_stops(mari: User, jaan: User) -> None:
    table = gathering("least_score", 3, mari)
    services.fill_with_bots(table_id=table.id, user_id=mari.pk, level="random")
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN and table.due_at is not None
    refused("no_bot_there", services.remove_bot, table_id=table.id, user_id=mari.pk, number=1)
    services.remove_bot(table_id=table.id, user_id=mari.pk, number=2)
    table.refresh_from_db()
    assert table.status == Table.Status.SEATING and table.due_at is None
    assert services.sit_down(table_id=table.id, user=jaan) == 2


def test_the_bots_chips_go_home_with_the_bot() -> None:
    mari = rich_member("mari")
    table = gathering("least_score", 2, mari, terms=TERMS["least_score"])
    services.fill_with_bots(table_id=table.id, user_id=mari.pk)
    bot = table.seats.get(number=2)
    assert balance(bot.account) == 400
    services.remove_bot(table_id=table.id, user_id=mari.pk, number=2)
    assert balance(bot.account) == 0 and balance(bot.wallet) == 1_000_000
    assert faults(table) == []


def test_a_host_calls_as_many_bots_as_wanted(mari: User) -> None:
    table = gathering("three_card_loo", 7, mari)
    services.fill_with_bots(table_id=table.id, user_id=mari.pk, level="random", count=3)
    assert [seat.number for seat in table.seats.all() if seat.is_bot] == [2, 3, 4]
    refused("bad_level", services.fill_with_bots, table_id=table.id, user_id=mari.pk, level="wizard")


def test_when_the_opener_is_gone_the_first_at_the_table_is_its_host(mari: User, jaan: User) -> None:
    table = gathering("three_card_loo", 6, mari, jaan)
    refused("not_yours_to_do", services.fill_with_bots, table_id=table.id, user_id=jaan.pk)
    services.leave_table(table_id=table.id, user_id=mari.pk)
    services.fill_with_bots(table_id=table.id, user_id=jaan.pk, count=1)
    assert table.seats.filter(bot_level="steady").count() == 1


def test_a_table_with_nobody_but_bots_is_closed(mari: User) -> None:
    table = gathering("three_card_loo", 6, mari, bots={5: "steady", 6: "steady"})
    services.leave_table(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED


# The countdown -------------------------------------------------------------------------------------------------------


def test_who_leaves_in_the_countdown_stops_it_and_frees_the_seat(mari: User, jaan: User) -> None:
    """Before, the leaver's seat was played by a bot in a match that had not begun."""
    table = gathering("least_score", 2, mari, jaan, pace_ms=8_000)
    assert table.status == Table.Status.BETWEEN
    version = table.turn_version
    services.make_ready(table_id=table.id, user_id=jaan.pk)
    services.leave_table(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.SEATING and table.due_at is None
    assert table.seats.get(number=1).is_free
    assert not table.seats.filter(ready=True).exists(), "who was ready was ready for other company"
    assert not services.start_due_deal(table_id=table.id, turn_version=version), "its alarm comes too late"


def test_several_members_have_longer_than_one_among_bots(mari: User, jaan: User) -> None:
    alone = gathering("least_score", 2, mari, bots={2: "steady"}, pace_ms=8_000)
    company = gathering("least_score", 2, mari, jaan, pace_ms=8_000)
    for table, wait_ms in (
        (alone, gathering_services.FIRST_DEAL_MS),
        (company, gathering_services.GATHERED_DEAL_MS),
    ):
        assert table.due_at is not None
        assert (table.due_at - table.changed_at).total_seconds() * 1000 == wait_ms


def test_a_host_starts_with_those_who_sit_here_and_free_seats_are_taken_away(mari: User, jaan: User) -> None:
    table = gathering("three_card_loo", 8, mari, jaan)
    refused("too_few_players", services.start_early, table_id=table.id, user_id=mari.pk)
    services.move_seat(table_id=table.id, user_id=jaan.pk, number=7)
    services.fill_with_bots(table_id=table.id, user_id=mari.pk, count=3)
    refused("not_yours_to_do", services.start_early, table_id=table.id, user_id=jaan.pk)
    services.start_early(table_id=table.id, user_id=mari.pk)
    start(table)
    assert [seat.number for seat in table.seats.all()] == [1, 2, 3, 4, 7]
    assert sorted(table.deals.get().seats) == [1, 2, 3, 4, 7]
    play_to_the_end(table)


def test_somebody_may_still_sit_down_in_the_countdown_of_an_early_start(mari: User, jaan: User) -> None:
    table = gathering("three_card_loo", 6, mari, bots=dict.fromkeys(range(2, 6), "random"))
    services.start_early(table_id=table.id, user_id=mari.pk)
    services.sit_down(table_id=table.id, user=jaan)
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN and table.due_at is not None
    start(table)
    assert len(table.deals.get().seats) == 6


# Rated ---------------------------------------------------------------------------------------------------------------


def test_a_rated_table_is_for_members_without_bots_and_with_the_rules_number_of_players(
    mari: User, jaan: User
) -> None:
    table = gathering("least_score", 3, mari, rated=True)
    refused("guests_not_rated", services.sit_down, table_id=table.id, user=guest())
    refused("no_bots_when_rated", services.fill_with_bots, table_id=table.id, user_id=mari.pk)
    services.sit_down(table_id=table.id, user=jaan)
    services.start_early(table_id=table.id, user_id=mari.pk)
    start(table)
    assert len(table.deals.get().seats) == 2


def test_a_rated_table_cannot_be_opened_with_bots_or_for_practice(mari: User) -> None:
    def opened(**changes: object) -> object:
        return gathering("three_card_loo", 5, mari, rated=True, **changes)

    refused("no_bots_when_rated", opened, bots={5: "steady"})
    refused("practice_not_rated", opened, options={"min_players": 3})
    assert not Table.objects.exists()


def test_one_live_rated_seat_per_member_and_game(mari: User, jaan: User) -> None:
    """A leaver starts another rated game at once, and a player sits at two: both are refused with the way back."""
    first = gathering("least_score", 3, mari, jaan, rated=True)
    other = gathering("least_score", 3, member("liis"), rated=True)
    refusal = refused("rated_seat_held", services.sit_down, table_id=other.id, user=mari)
    assert refusal.detail == str(first.id)

    def opened() -> object:
        return gathering("least_score", 3, mari, rated=True)

    refused("rated_seat_held", opened)
    assert Table.objects.count() == 2, "a refused table leaves nothing behind"
    gathering("three_card_loo", 5, mari, rated=True)
    gathering("least_score", 3, mari)
    services.leave_table(table_id=first.id, user_id=mari.pk)
    services.sit_down(table_id=other.id, user=mari)


def test_who_leaves_a_running_rated_match_is_bound_to_it_until_it_is_over(mari: User, jaan: User) -> None:
    table = gathering("least_score", 2, mari, jaan, rated=True)
    start(table)
    services.leave_table(table_id=table.id, user_id=mari.pk)
    other = gathering("least_score", 3, member("liis"), rated=True)
    refusal = refused("rated_match_left", services.sit_down, table_id=other.id, user=mari)
    assert refusal.detail == str(table.id)
    play_to_the_end(table)
    assert not Seat.objects.filter(table=table).exclude(rated_game="").exists()
    services.sit_down(table_id=other.id, user=mari)


def test_a_rated_seat_stays_bound_when_its_member_moves_to_another(mari: User) -> None:
    table = gathering("least_score", 3, mari, rated=True)
    services.move_seat(table_id=table.id, user_id=mari.pk, number=3)
    assert table.seats.get(user=mari).rated_game == "least_score"
    assert table.seats.exclude(rated_game="").count() == 1


def test_a_closed_table_binds_nobody(mari: User) -> None:
    table = gathering("least_score", 3, mari, rated=True)
    services.close_table(table_id=table.id)
    gathering("least_score", 3, mari, rated=True)


def test_nobody_fills_the_lobby_alone() -> None:
    host = member("mari")
    tables = [gathering("least_score", 3, host, listed=True) for _ in range(5)]
    refused("too_many_tables", lambda: gathering("least_score", 3, host, listed=True))
    gathering("least_score", 3, host)
    services.leave_table(table_id=tables[0].id, user_id=host.pk)
    services.close_table(table_id=tables[0].id)
    gathering("least_score", 3, host, listed=True)
