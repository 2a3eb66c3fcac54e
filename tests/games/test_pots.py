"""What the audit desk is told of pots: every unfinished table's pot, and nothing else, may hold chips."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import stakes
from games.models import Table
from games.selectors import staked_pots
from games.services import close_table
from ledger import services as ledger
from ledger.selectors import names_of
from ledger.services.pots import PotClaim, wrong_pots
from tests.games.tables import play_one, start
from tests.games.test_stakes import both_games, club_chips, rich_member, staked_table

pytestmark = pytest.mark.django_db
__all__ = ["club_chips"]


@both_games
def test_the_log_and_the_book_agree_on_every_pot_at_every_moment_of_a_match(game: str) -> None:
    table = staked_table(game, rich_member("mari"))
    seen = set()
    for _ in range(80):
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            break
        if table.status == Table.Status.BETWEEN:
            start(table)
        else:
            play_one(table)
        assert wrong_pots()[0] == []
        seen |= {claim.chips for claim in staked_pots()}
    assert seen - {0}, "the pot was filled on the way"


def test_a_pot_that_holds_more_than_its_table_says_is_named() -> None:
    table, other = (staked_table("three_card_loo", rich_member(name)) for name in ("mari", "jaan"))
    start(table)
    seat = other.seats.get(number=1)
    stray = ledger.post(
        key="stray", kind="x", source="x", postings=[ledger.Entry(seat.account, table.pot_account, 3)]
    )
    [wrong], _ = wrong_pots()
    assert wrong.account.pk == table.pot_account
    assert wrong.holds == wrong.must_hold + 3
    ledger.reverse(key="back", kind="x", source="x", transaction=stray.id)
    assert wrong_pots()[0] == []


def test_a_finished_table_whose_pot_still_has_chips_is_named() -> None:
    table = staked_table("least_score", rich_member("mari"))
    start(table)
    close_table(table_id=table.id)
    assert wrong_pots()[0] == [] and PotClaim(table.pot_account, 0) not in staked_pots()
    mint = ledger.open_house_account(kind="mint", asset="CHIPS")
    ledger.post(key="late", kind="x", source="x", postings=[ledger.Entry(mint, table.pot_account, 5)])
    [wrong], _ = wrong_pots()
    assert (wrong.account.pk, wrong.holds, wrong.must_hold) == (table.pot_account, 5, 0)


def test_ten_tables_take_as_many_queries_as_one() -> None:
    start(staked_table("three_card_loo", rich_member("mari")))
    with CaptureQueriesContext(connection) as one:
        wrong_pots()
    for n in range(4):
        start(staked_table("three_card_loo", rich_member(f"member {n}")))
    with CaptureQueriesContext(connection) as five:
        assert wrong_pots()[1] == 5
    assert len(five) == len(one)


def test_the_bots_have_a_name_at_the_desk() -> None:
    assert names_of([stakes.BOTS_OWNER]) == {stakes.BOTS_OWNER: "the bots"}
