"""Chips at tables: every stake is in the book, and the book says what the log says."""

from __future__ import annotations

from typing import Any

import pytest

from clubs.models import User
from games import services, stakes
from games.errors import TableRefusal
from games.models import LogEntry, Seat, Table
from games.rules import GAMES
from games.services import StakeTerms
from games.services.auditing import check_table
from ledger import services as ledger
from ledger.models import Account, Posting, Transaction
from ledger.services.sources import _read
from tests.games.tables import (
    SEATS,
    first_legal,
    member,
    on_turn,
    open_table,
    play,
    play_bots_until,
    play_one,
    play_to_the_end,
    start,
)

pytestmark = pytest.mark.django_db
both_games = pytest.mark.parametrize("game", sorted(GAMES))
TERMS = {
    "three_card_loo": StakeTerms(asset="CHIPS", stake=10, buy_in_min=200, buy_in_max=1_000),
    "least_score": StakeTerms(asset="CHIPS", stake=10, buy_in_min=400, buy_in_max=1_000),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "three_card_loo": {},
    "least_score": {"entry": 5, "per_point": True, "threshold": 25},
}


@pytest.fixture(autouse=True)
def club_chips() -> None:
    ledger.create_asset(code="CHIPS")
    give_chips(ledger.open_wallet(owner=stakes.BOTS_OWNER, asset="CHIPS"), 1_000_000)


def give_chips(wallet: int, chips: int) -> None:
    by = ledger.owner_of(user=User.objects.get_or_create(username="treasurer")[0])
    key = f"issue {Transaction.objects.count()}"
    ledger.issue_chips(key=key, wallet=wallet, amount=chips, by=by, reference="opening")


def rich_member(name: str, chips: int = 2_000) -> User:
    user = member(name)
    give_chips(wallet_of(user), chips)
    return user


def wallet_of(user: User) -> int:
    return ledger.open_wallet(owner=ledger.owner_of(user=user), asset="CHIPS")


def balance(account: int | None) -> int:
    found = Account.objects.get(pk=account)
    return int(found.credits - found.debits)


def staked_table(game: str, *members: User, **changes: Any) -> Table:
    seats = changes.pop("seats", SEATS[game])
    options = {**OPTIONS[game], **changes.pop("options", {})}
    return open_table(game, *members, seats=seats, terms=changes.pop("terms", TERMS[game]), **options)


def faults(table: Table) -> list[str]:
    group = stakes.group_of(stakes.source_of(table.id, 0))
    return list(check_table(group, sorted(_read(group), key=lambda each: each.id)))


@both_games
def test_a_staked_match_pays_out_every_chip_and_the_book_agrees_with_the_log(game: str) -> None:
    mari, jaan = rich_member("mari"), rich_member("jaan")
    table = staked_table(game, mari, jaan)
    assert balance(wallet_of(mari)) == 2_000 - TERMS[game].buy_in_min
    play_to_the_end(table)
    assert balance(table.pot_account) == 0
    assert all(balance(seat.account) == 0 for seat in table.seats.all())
    everybody = [wallet_of(mari), wallet_of(jaan), table.seats.get(number=3).wallet]
    assert sum(balance(wallet) for wallet in everybody) == 2_000 * 2 + 1_000_000
    assert faults(table) == []


@both_games
def test_the_pot_account_holds_what_the_rules_carry_after_every_entry(game: str) -> None:
    """The poker sites' faults in one: a pot that is anything but what its events say."""
    table = staked_table(game, rich_member("mari"))
    rules = GAMES[game]
    for _ in range(60):
        table.refresh_from_db()
        if table.status == Table.Status.FINISHED:
            break
        if table.status == Table.Status.BETWEEN:
            start(table)
        else:
            play_one(table)
        table.refresh_from_db()
        if table.status == Table.Status.BETWEEN:
            pot = rules.match_view(rules.load_match(table.match))["pot"]
            assert balance(table.pot_account) == pot * table.stake
    assert faults(table) == []


def test_a_table_without_stakes_touches_no_ledger() -> None:
    before = Transaction.objects.count()
    table = open_table("three_card_loo", member("mari"))
    play_to_the_end(table)
    assert Transaction.objects.count() == before
    assert table.pot_account is None


def test_a_seat_that_cannot_pay_the_worst_of_the_deal_is_sat_out_and_comes_back_after_buying_chips() -> None:
    """L22."""
    mari = rich_member("mari")
    table = staked_table("three_card_loo", mari, seats=6)
    seat = table.seats.get(number=1)
    bots = table.seats.get(number=2)
    ledger.post(
        key="drain", kind="test", source="test", postings=[ledger.Entry(seat.account, bots.account, 180)]
    )
    start(table)
    deal = table.deals.get()
    assert 1 not in deal.seats and deal.dealer != 1
    told = LogEntry.objects.filter(table=table, deal=deal).earliest("version").events
    assert [event["sat_out"] for event in told if event["type"] == "deal"] == [[1]]
    play_bots_until(table, None)
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN
    services.buy_chips(table_id=table.id, user_id=mari.pk, chips=500)
    start(table)
    assert 1 in table.deals.get(number=2).seats


def test_when_too_few_seats_can_pay_the_match_ends_and_the_pot_is_split() -> None:
    table = staked_table("three_card_loo", rich_member("mari"), seats=5)
    seat, other = table.seats.get(number=2), table.seats.get(number=3)
    ledger.post(
        key="drain", kind="test", source="test", postings=[ledger.Entry(seat.account, other.account, 190)]
    )
    start(table)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert balance(table.pot_account) == 0


def test_a_member_without_enough_chips_cannot_sit_down_and_nothing_is_written() -> None:
    poor = rich_member("mari", chips=199)
    before = Transaction.objects.count(), Account.objects.filter(kind="seat").count()
    with pytest.raises(TableRefusal) as refused:
        staked_table("three_card_loo", poor)
    assert refused.value.code == "not_enough_chips"
    assert not Table.objects.exists()
    assert (Transaction.objects.count(), Account.objects.filter(kind="seat").count()) == before


def test_bots_without_chips_cannot_sit_down() -> None:
    mari = rich_member("mari", chips=10**9)
    terms = StakeTerms(asset="CHIPS", stake=10_000, buy_in_min=500_000, buy_in_max=500_000)
    with pytest.raises(TableRefusal) as refused:
        staked_table("three_card_loo", mari, terms=terms)
    assert refused.value.code == "bots_lack_chips"


def test_a_guest_cannot_play_for_stakes() -> None:
    guest = member("guest")
    guest.is_guest = True
    guest.save()
    with pytest.raises(TableRefusal) as refused:
        staked_table("three_card_loo", guest)
    assert refused.value.code == "guests_without_chips"


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (StakeTerms("CHIPS", 0, 200, 400), "bad_stake"),
        (StakeTerms("CHIPS", -1, 200, 400), "bad_stake"),
        (StakeTerms("CHIPS", 10**7, 200, 400), "bad_stake"),
        (StakeTerms("CHIPS", 10, 400, 200), "bad_buy_in"),
        (StakeTerms("CHIPS", 10, 0, 200), "bad_buy_in"),
        (StakeTerms("CHIPS", 10, 59, 400), "buy_in_too_small"),
    ],
)
def test_stakes_that_cannot_be_are_refused(terms: StakeTerms, code: str) -> None:
    with pytest.raises(TableRefusal) as refused:
        staked_table("three_card_loo", rich_member("mari"), terms=terms)
    assert refused.value.code == code


def test_seats_fill_one_by_one_and_the_countdown_starts_with_the_last() -> None:
    mari, jaan = rich_member("mari"), rich_member("jaan")
    table = services.open_table(
        game="least_score",
        options=OPTIONS["least_score"],
        clock="club",
        members={1: mari},
        bots={},
        opened_by=mari,
        seats=3,
        terms=TERMS["least_score"],
        pace_ms=0,
    )
    assert table.status == Table.Status.SEATING and table.due_at is None
    assert services.sit_down(table_id=table.id, user=jaan, number=3, buy_in=900) == 3
    assert balance(table.seats.get(number=3).account) == 900
    with pytest.raises(TableRefusal) as refused:
        services.sit_down(table_id=table.id, user=jaan)
    assert refused.value.code == "already_seated"
    with pytest.raises(TableRefusal) as refused:
        services.fill_with_bots(table_id=table.id, user_id=jaan.pk)
    assert refused.value.code == "not_yours_to_do"
    services.fill_with_bots(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    assert table.status == Table.Status.BETWEEN and table.due_at is not None
    play_to_the_end(table)
    assert faults(table) == []


def test_leaving_while_seats_fill_gives_the_chips_back_and_frees_the_seat_for_somebody_else() -> None:
    mari, jaan = rich_member("mari"), rich_member("jaan")
    table = services.open_table(
        game="least_score",
        options={},
        clock="club",
        members={1: mari},
        bots={},
        opened_by=mari,
        seats=2,
        terms=TERMS["least_score"],
        pace_ms=0,
    )
    services.leave_table(table_id=table.id, user_id=mari.pk)
    assert balance(wallet_of(mari)) == 2_000
    assert services.sit_down(table_id=table.id, user=jaan) == 1
    services.fill_with_bots(table_id=table.id, user_id=mari.pk)
    table.refresh_from_db()
    play_to_the_end(table)
    assert balance(wallet_of(mari)) == 2_000
    assert faults(table) == []


def test_a_member_who_leaves_in_mid_deal_is_cashed_out_when_the_deal_is_over() -> None:
    """L25: until then a bot plays for the member, whose result the deal stays."""
    mari, jaan = rich_member("mari"), rich_member("jaan")
    table = staked_table("three_card_loo", mari, jaan, seats=6)
    start(table)
    services.leave_table(table_id=table.id, user_id=mari.pk)
    assert balance(wallet_of(mari)) == 1_800
    play_bots_until(table, None)
    assert balance(table.seats.get(number=1).account) == 0
    net = GAMES["three_card_loo"].match_view(GAMES["three_card_loo"].load_match(table.match))["net"]["1"]
    assert balance(wallet_of(mari)) == 2_000 + net * table.stake
    play_to_the_end(table)
    assert faults(table) == []


@both_games
def test_a_keeper_can_close_a_table_in_mid_deal_and_every_chip_goes_home(game: str) -> None:
    mari = rich_member("mari")
    table = staked_table(game, mari)
    start(table)
    play_bots_until(table, 1)
    services.close_table(table_id=table.id)
    table.refresh_from_db()
    assert table.status == Table.Status.FINISHED
    assert balance(table.pot_account) == 0
    assert all(balance(seat.account) == 0 for seat in table.seats.all())
    assert faults(table) == []
    version = table.version
    assert services.close_table(table_id=table.id) == version


def test_chips_can_be_bought_between_deals_only_and_up_to_the_tables_most() -> None:
    mari = rich_member("mari")
    table = staked_table("three_card_loo", mari)
    for chips, code in ((0, "bad_buy_in"), (-5, "bad_buy_in"), (801, "bad_buy_in")):
        with pytest.raises(TableRefusal) as refused:
            services.buy_chips(table_id=table.id, user_id=mari.pk, chips=chips)
        assert refused.value.code == code
    services.buy_chips(table_id=table.id, user_id=mari.pk, chips=800)
    start(table)
    with pytest.raises(TableRefusal) as refused:
        services.buy_chips(table_id=table.id, user_id=mari.pk, chips=1)
    assert refused.value.code == "still_dealt_in"


def test_a_repeated_move_pays_once() -> None:
    from uuid import uuid4

    mari = rich_member("mari")
    table = on_turn("three_card_loo", mari, terms=TERMS["three_card_loo"])
    command, move = uuid4(), first_legal(table)
    play(table, mari, move, command_id=command)
    before = Posting.objects.count()
    play(table, mari, move, command_id=command)
    assert Posting.objects.count() == before


class TestTheCheckFinds:
    """``check_table`` names what is wrong when log and book part ways."""

    @pytest.fixture
    def table(self) -> Table:
        table = staked_table("three_card_loo", rich_member("mari"))
        play_to_the_end(table)
        return table

    def test_a_posting_without_a_cause(self, table: Table) -> None:
        seat = table.seats.get(number=1)
        source = stakes.source_of(table.id, 10_000)
        ledger.post(
            key=source, kind="x", source=source, postings=[ledger.Entry(seat.wallet, seat.account, 5)]
        )
        assert any("no cause" in fault for fault in faults(table))

    def test_a_stake_written_into_the_log_afterwards(self, table: Table) -> None:
        entry = LogEntry.objects.filter(table=table, events__contains=[{"reason": "ante"}]).latest("version")
        entry.events = [
            {**event, "amount": event["amount"] + 1} if event["type"] == "stakes" else event
            for event in entry.events
        ]
        entry.save()
        found = faults(table)
        assert any("not those of the rules" in fault for fault in found)
        assert any("does not move what" in fault for fault in found)

    def test_a_card_changed_in_the_deck(self, table: Table) -> None:
        deal = table.deals.get(number=1)
        deal.deck[0], deal.deck[20] = deal.deck[20], deal.deck[0]
        deal.save()
        assert faults(table)

    def test_a_log_entry_whose_transaction_is_missing(self, table: Table) -> None:
        last = LogEntry.objects.filter(table=table).latest("version")
        LogEntry.objects.filter(pk=last.pk).update(
            events=[*last.events, {"type": "buy_in", "seat": 1, "chips": 7}]
        )
        assert any("not in the book" in fault or "does not move" in fault for fault in faults(table))


def test_a_seat_taken_by_another_owner_has_an_account_of_its_own() -> None:
    table = staked_table("three_card_loo", rich_member("mari"))
    refs = set(Account.objects.filter(kind="seat").values_list("ref", flat=True))
    assert len(refs) == Seat.objects.filter(table=table).count()
