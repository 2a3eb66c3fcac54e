"""The match after a match: one table for all who want it, kept seats, bots as before, a price that is agreed to."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db.models import F

from clubs.models import User
from clubs.selectors import first_club
from games import services, stakes
from games.errors import TableRefusal
from games.models import LogEntry, Table, WaitingPlace
from games.selectors.course import course_view
from games.services.auditing import check_table
from games.services.rematch import INVITED_SECONDS
from ledger import services as ledger
from ledger.services.sources import _read
from tests.games.tables import member, open_table, play_to_the_end, start

pytestmark = pytest.mark.django_db


def code(call: pytest.ExceptionInfo[TableRefusal]) -> str:
    return call.value.code


def finished(*members: User, **options: Any) -> Table:
    table = open_table("least_score", *members, **{"threshold": 25, "seats": 4, **options})
    start(table)
    services.close_table(table_id=table.id)
    table.refresh_from_db()
    return table


def again(table: Table, user: User, **changes: Any) -> Table:
    following = services.play_again(table_id=table.id, user_id=user.pk, **changes)
    return Table.objects.get(pk=following)


def pass_the_minute(table: Table) -> None:
    gap = dt.timedelta(seconds=INVITED_SECONDS + 1)
    Table.objects.filter(pk=table.pk).update(opened_at=F("opened_at") - gap)
    WaitingPlace.objects.filter(table=table).update(offered_until=F("offered_until") - gap)


def holders(table: Table) -> list[str]:
    return [seat.user.username if seat.user else seat.bot_level for seat in table.seats.all()]


def rich_member(name: str) -> User:
    """Create a member with 2,000 chips."""
    user = member(name)
    wallet = ledger.open_wallet(owner=ledger.owner_of(user=user), asset="CHIPS")
    ledger.issue_chips(
        key=f"issue {name}", wallet=wallet, amount=2_000, by=ledger.owner_of(user=user), reference="opening"
    )
    return user


def test_those_who_want_it_meet_at_one_table_in_their_old_places() -> None:
    mari, jaan = member("mari"), member("jaan")
    old = finished(mari, jaan)
    new = again(old, jaan)
    assert holders(new) == ["", "jaan", "random", "random"] and new.status == Table.Status.SEATING
    assert again(old, mari) == new
    new.refresh_from_db()
    assert holders(new) == ["mari", "jaan", "random", "random"] and new.status == Table.Status.BETWEEN
    same = ("game", "options", "clock", "listed", "rated", "pace_ms", "bot_think_ms", "watch_delay")
    assert [getattr(new, name) for name in same] == [getattr(old, name) for name in same]
    assert new.commitment != old.commitment and new.rematch_of == old


def test_a_second_press_changes_nothing() -> None:
    mari, jaan = member("mari"), member("jaan")
    old = finished(mari, jaan)
    new = again(old, mari)
    entries = LogEntry.objects.count()
    assert again(old, mari) == new and LogEntry.objects.count() == entries
    assert Table.objects.count() == 2


def test_the_seats_of_the_others_are_kept_for_a_minute_and_then_bots_take_them() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    new = again(finished(mari, jaan), mari)
    with pytest.raises(TableRefusal) as refused:
        services.sit_down(table_id=new.id, user=tiit)
    assert code(refused) == "seat_kept"
    services.sweep()
    new.refresh_from_db()
    assert new.status == Table.Status.SEATING
    pass_the_minute(new)
    services.sweep()
    new.refresh_from_db()
    assert holders(new) == ["mari", "random", "random", "random"] and new.status == Table.Status.BETWEEN


def test_at_a_listed_table_the_seats_are_then_open_to_everybody() -> None:
    mari, jaan, tiit = member("mari"), member("jaan"), member("tiit")
    old = finished(mari, jaan)
    Table.objects.filter(pk=old.pk).update(listed=True)
    new = again(old, mari)
    pass_the_minute(new)
    services.sweep()
    assert services.sit_down(table_id=new.id, user=tiit) == 2


def test_nobody_is_invited_who_has_left() -> None:
    mari, jaan = member("mari"), member("jaan")
    old = finished(mari, jaan)
    old.seats.filter(number=2).update(left=True)
    new = again(old, mari)
    assert not WaitingPlace.objects.filter(table=new).exists()
    with pytest.raises(TableRefusal) as refused:
        again(old, jaan)
    assert code(refused) == "not_seated"


def test_a_club_that_ends_a_staked_match_early_gets_its_chips_and_the_book_agrees() -> None:
    """L25: what the running deal makes of the chips counts, wherever the absent are ranked."""
    ledger.create_asset(code="CHIPS")
    mari, jaan = rich_member("mari"), rich_member("jaan")
    terms = services.StakeTerms(asset="CHIPS", stake=10, buy_in_min=400, buy_in_max=1_000)
    table = open_table("least_score", mari, jaan, seats=2, terms=terms, entry=5)
    start(table)
    services.leave_table(table_id=table.id, user_id=jaan.pk)
    services.end_now(table_id=table.id, user_id=mari.pk)
    group = stakes.group_of(stakes.source_of(table.id, 0))
    assert list(check_table(group, sorted(_read(group), key=lambda each: each.id))) == []
    assert sum(stakes.purses_of(user, club=first_club())["CHIPS"] for user in (mari, jaan)) == 4_000
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED


def test_places_close_up_where_a_seat_was_taken_away_before_the_match() -> None:
    """A match that its host starts early has numbers without seats; the next one counts from 1 again."""
    mari, jaan = member("mari"), member("jaan")
    old = services.open_table(
        game="least_score",
        options={},
        clock="club",
        members={1: mari, 3: jaan},
        bots={},
        opened_by=mari,
        seats=4,
    )
    services.start_early(table_id=old.id, user_id=mari.pk)
    Table.objects.filter(pk=old.pk).update(due_at=F("due_at") - dt.timedelta(minutes=1))
    start(old)
    assert [seat.number for seat in old.seats.all()] == [1, 3]
    services.close_table(table_id=old.id)
    again(old, jaan)
    new = again(old, mari)
    assert [(seat.number, seat.user) for seat in new.seats.all()] == [(1, mari), (2, jaan)]


def test_one_member_among_bots_plays_on_at_once() -> None:
    mari = member("mari")
    new = again(finished(mari), mari)
    assert holders(new) == ["mari", "random", "random", "random"] and new.status == Table.Status.BETWEEN


def test_who_comes_after_the_others_have_begun_is_told_so() -> None:
    mari, jaan = member("mari"), member("jaan")
    old = finished(mari, jaan)
    new = again(old, mari)
    pass_the_minute(new)
    services.sweep()
    new.refresh_from_db()
    start(new)
    with pytest.raises(TableRefusal) as refused:
        again(old, jaan)
    assert code(refused) == "rematch_begun"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({"status": "between"}, "match_running"), ({"origin": "evening/1"}, "event_goes_on")],
)
def test_no_rematch_of_a_running_match_or_of_an_event(changes: dict[str, Any], expected: str) -> None:
    mari = member("mari")
    old = finished(mari)
    Table.objects.filter(pk=old.pk).update(**changes)
    with pytest.raises(TableRefusal) as refused:
        again(old, mari)
    assert code(refused) == expected
    assert Table.objects.count() == 1


def test_the_page_of_the_finished_match_shows_who_went_on_and_where() -> None:
    mari, jaan = member("mari"), member("jaan")
    old = finished(mari, jaan)
    assert course_view(old, list(old.seats.all()), 2)["rematch"] is None
    new = again(old, mari)
    view = course_view(old, list(old.seats.all()), 2)
    assert view["rematch"] == {"table": str(new.pk), "seats": [1]} and "again" in view["can"]
    again(old, jaan)
    assert course_view(old, list(old.seats.all()), None)["rematch"]["seats"] == [1, 2]


def test_at_a_staked_table_the_price_must_be_agreed_to() -> None:
    ledger.create_asset(code="CHIPS")
    mari, jaan = rich_member("mari"), rich_member("jaan")
    terms = services.StakeTerms(asset="CHIPS", stake=10, buy_in_min=400, buy_in_max=1_000)
    old = open_table("least_score", mari, jaan, seats=2, terms=terms, entry=5)
    services.close_table(table_id=old.id)
    for agreed in (None, old.buy_in_min + 1):
        with pytest.raises(TableRefusal) as refused:
            again(old, mari, buy_in=agreed)
        assert code(refused) == "confirm_buy_in"
    new = again(old, mari, buy_in=old.buy_in_min)
    bought = LogEntry.objects.get(table=new, events__contains=[{"type": "buy_in", "seat": 1}])
    assert {"type": "buy_in", "seat": 1, "chips": old.buy_in_min} in bought.events
    assert (new.stake, new.asset, new.buy_in_max) == (old.stake, old.asset, old.buy_in_max)
    pass_the_minute(new)
    services.sweep()
    new.refresh_from_db()
    assert new.status == Table.Status.SEATING, "bots do not take the seats of a staked table by themselves"


def test_a_whole_match_is_followed_by_the_next() -> None:
    mari = member("mari")
    old = open_table("three_card_loo", mari)
    play_to_the_end(old)
    new = again(old, mari)
    start(new)
    assert new.status == Table.Status.PLAYING
