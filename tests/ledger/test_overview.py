"""The book at a glance and people in bulk: what the desk's selectors answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from clubs.models import User
from ledger import selectors, services
from ledger.models import Transaction
from ledger.selectors import overview, statements
from ledger.services.sources import links_of_sources, prefix_of, register_source_links
from ledger.wording import chips, count, hexadecimal, kind_name, name_kinds, signed
from tests.ledger.conftest import Club


# --- A filtered statement looks at a bounded number of lines -------------------------------------------------------
@pytest.fixture
def short_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "LOOK", 4)


def busy(club: Club, steps: str) -> None:
    """Lines of the pot: ``i`` in from alice, ``o`` out to bob; capital letters are of the rare kind."""
    club.give(club.alice, 1_000)
    club.give(club.pot, 1_000)
    for n, step in enumerate(steps):
        entry = (
            services.Entry(club.alice, club.pot, 1) if step in "iI" else services.Entry(club.pot, club.bob, 1)
        )
        kind = "rare" if step.isupper() else "usual"
        services.post(key=f"s{n}", kind=kind, source=f"step/{n}", postings=[entry])


@pytest.mark.parametrize(
    "steps",
    [
        "iiiiiiiiI",
        "Iiiiiiiiii",
        "IoIoIoIoIo",
        "OiiiiiiiiiO",
        "IIIIooooooooo",
        "iiiiiiiii",
        "iOiOiiiiiiiiiiOoooooooI",
    ],
)
@pytest.mark.parametrize("size", [1, 2, 5])
def test_pages_of_a_filtered_statement_lose_nothing_however_short_the_look(
    club: Club, short_look: None, steps: str, size: int
) -> None:
    busy(club, steps)
    expected = [
        number
        for number, kind in Transaction.objects.order_by("-id").values_list("id", "kind")
        if kind == "rare"
    ]
    page = selectors.statement(club.pot, size=size, kinds=["rare"])
    found = list(page.lines)
    for _ in range(100):
        if page.following is None:
            break
        page = selectors.statement(club.pot, size=size, kinds=["rare"], after=page.following)
        found += page.lines
    assert [line.transaction for line in found] == expected
    assert page.following is None


def test_a_page_without_a_line_says_how_far_it_looked(club: Club, short_look: None) -> None:
    busy(club, "Iiiiiiii")
    page = selectors.statement(club.pot, kinds=["rare"])
    assert page.lines == [] and page.following is not None
    last = selectors.statement(club.pot).lines[3]
    assert page.following == last.place


def test_lines_are_chosen_by_the_other_side(club: Club) -> None:
    busy(club, "ioio")
    lines = selectors.statement(club.pot, others=[club.bob]).lines
    assert {line.other for line in lines} == {club.bob} and len(lines) == 2
    assert selectors.statement(club.pot, others=[]).lines == []


@pytest.mark.parametrize(
    ("at", "seq", "known"),
    [
        ("2026-01-01T00:00:00+00:00", "7", True),
        ("2026-01-01T00:00:00", "7", False),
        ("2026-01-01T00:00:00+00:00", "-7", False),
        ("2026-01-01T00:00:00+00:00", "٧", False),
        ("2026-01-01T00:00:00+00:00", "9" * 19, False),
        ("yesterday", "7", False),
        ("", "", False),
    ],
)
def test_a_place_is_read_from_a_link_or_not_at_all(at: str, seq: str, known: bool) -> None:
    assert (selectors.read_place(at, seq) is not None) == known


# --- The front page -----------------------------------------------------------------------------------------------
def test_every_asset_has_its_trial_balance(club: Club) -> None:
    club.give(club.alice, 100)
    services.create_asset(code="GOLD")
    gold, chip = {}, {}
    for trial in selectors.trial_balances():
        (gold if trial.asset.code == "GOLD" else chip)["trial"] = trial
    assert gold["trial"].lines == [] and gold["trial"].total == 0
    assert (chip["trial"].total, chip["trial"].circulating, chip["trial"].suspense) == (0, 100, 0)
    assert [tuple(line) for line in chip["trial"].lines] == [
        tuple(line) for line in selectors.trial_balance("CHIPS")
    ]


def test_suspense_and_pots_that_are_not_empty(club: Club) -> None:
    assert selectors.open_suspense() == [] and selectors.pots_with_chips() == []
    club.give(club.suspense, 3)
    club.give(club.pot, 5)
    assert [account.pk for account in selectors.open_suspense()] == [club.suspense]
    assert [account.pk for account in selectors.pots_with_chips()] == [club.pot]


def test_the_lag_of_the_seals_counts_what_waits(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (selectors.seal_lag().waiting, selectors.seal_lag().seconds) == (0, 0.0)
    first = club.give(club.alice, 1)
    club.give(club.alice, 1)
    lag = selectors.seal_lag()
    assert (lag.last, lag.waiting) == (None, 2)
    assert lag.since == Transaction.objects.get(pk=first).at and lag.seconds > 0
    monkeypatch.setattr(overview, "MOST_UNSEALED", 1)
    assert selectors.seal_lag().waiting == 1, "counted up to a bound"


def test_who_moved_most_is_a_members_change_over_all_accounts(club: Club) -> None:
    club.give(club.alice, 100)
    club.give(club.bob, 100)
    club.move(club.alice, club.seat1, 60)
    club.move(club.seat1, club.pot, 50)
    # After what has happened, however coarse a clock is.
    start = Transaction.objects.latest("id").at + timedelta(microseconds=1)
    club.move(club.pot, club.seat2, 40)
    club.move(club.seat1, club.alice, 5)
    movers = {mover.owner: (mover.net, mover.postings) for mover in selectors.top_movers(start)}
    assert movers == {club.owners["bob"]: (40, 1), club.owners["alice"]: (0, 2)}
    everything = [mover.net for mover in selectors.top_movers(start - timedelta(days=1))]
    assert everything == [140, 50]
    assert len(selectors.top_movers(start, shown=1)) == 1


def test_the_movers_walk_the_index_of_their_accounts(club: Club) -> None:
    club.give(club.alice, 100)
    with CaptureQueriesContext(connection) as queries:
        selectors.top_movers(timezone.now() - timedelta(days=1))
        selectors.circulation(1, [timezone.localdate()])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        for query in queries:
            cursor.execute("EXPLAIN " + query["sql"])
            plan = "\n".join(row[0] for row in cursor.fetchall())
            assert "posting_debit" in plan and "posting_credit" in plan
            assert "Seq Scan on ledger_posting" not in plan


def test_chips_in_circulation_at_the_end_of_each_day(club: Club) -> None:
    club.give(club.alice, 100)
    club.move(club.alice, club.mint, 30)
    today = timezone.localdate()
    asset = selectors.get_account(club.mint).asset_id
    days = [today - timedelta(days=1), today, today + timedelta(days=1)]
    assert selectors.circulation(asset, days) == list(zip(days, [0, 70, 70], strict=True))


def test_a_day_ends_at_midnight_of_the_club(club: Club) -> None:
    """Not at midnight UTC: late evenings belong to their own day."""
    club.give(club.alice, 100)
    at = Transaction.objects.latest("at").at
    asset = selectors.get_account(club.mint).asset_id
    for hours in (-14, 0, 14):
        zone = timezone.get_fixed_timezone(hours * 60)
        with timezone.override(zone):
            day = at.astimezone(zone).date()
            assert [
                chips for _day, chips in selectors.circulation(asset, [day - timedelta(days=1), day])
            ] == [0, 100]


# --- People -------------------------------------------------------------------------------------------------------
def test_names_come_in_one_query_and_nobody_is_an_erased_member(db: None) -> None:
    owners = [
        services.owner_of(user=User.objects.create_user(username=f"u{n}", display_name=f"U {n}"))
        for n in range(5)
    ]
    with CaptureQueriesContext(connection) as queries:
        names = selectors.names_of([*owners, None, UUID(int=7)])
    assert len(queries) == 1
    assert [names[owner] for owner in owners] == [f"U {n}" for n in range(5)]
    assert names[UUID(int=7)] == "erased member"
    with CaptureQueriesContext(connection) as queries:
        assert selectors.names_of([None]) == {}
    assert len(queries) == 0


def test_accounts_are_called_by_kind_and_owner_or_reference(club: Club) -> None:
    names = selectors.account_names([club.alice, club.pot, club.mint, 12345])
    assert {number: str(name) for number, name in names.items()} == {
        club.alice: "wallet of erased member",
        club.pot: "pot table 1",
        club.mint: "mint",
    }
    long = services.open_account(kind="pot", ref=str(uuid4()), asset="CHIPS")
    assert len(str(selectors.account_names([long])[long])) == len("pot 12345678…")


def test_owners_are_found_by_part_of_a_name_or_by_their_id(db: None) -> None:
    mari = services.owner_of(user=User.objects.create_user(username="mari", display_name="Mari Maasikas"))
    jaan = services.owner_of(user=User.objects.create_user(username="jaan_m"))
    assert selectors.owners_called("maasik") == [mari]
    assert set(selectors.owners_called("AA")) == {mari, jaan}
    assert selectors.owners_called("%") == []
    assert selectors.owners_called(str(mari)) == [mari]


# --- Sources and words --------------------------------------------------------------------------------------------
def test_an_id_alone_means_the_table_or_tournament_that_the_book_has(club: Club) -> None:
    id = uuid4()
    assert prefix_of(str(id)) == f"table/{id}"
    assert prefix_of("desk:") == "desk:"


def test_links_are_asked_for_together(db: None) -> None:
    asked: list[list[str]] = []

    def links(sources: object) -> dict[str, services.CauseLink]:
        asked.append(list(sources))  # type: ignore[call-overload]
        return {"game/1": services.CauseLink("/1/", "one")}

    from ledger.services import sources

    register_source_links("game/", links)
    try:
        found = links_of_sources(["game/1", "game/2", "game/1", "other"])
    finally:
        sources._links.pop("game/")
    assert asked == [["game/1", "game/2"]]
    assert found == {"game/1": services.CauseLink("/1/", "one")}


@pytest.mark.parametrize(
    ("amount", "scale", "english", "estonian"),
    [
        (0, 0, "0", "0"),
        (1234567, 0, "1,234,567", "1\u00a0234\u00a0567"),
        (-5, 0, "−5", "−5"),
        (5, 2, "0.05", "0,05"),
        (-123456, 2, "−1,234.56", "−1\u00a0234,56"),
        (10, 6, "0.000010", "0,000010"),
    ],
)
def test_amounts_are_written_as_the_language_wants(
    amount: int, scale: int, english: str, estonian: str
) -> None:
    asset = SimpleNamespace(scale=scale)
    with translation.override("en"):
        assert chips(amount, asset) == chips(amount, scale) == english
    with translation.override("et"):
        assert chips(amount, asset) == estonian


def test_other_words() -> None:
    assert (signed(5), signed(-5), signed(0), chips(None), count(1000)) == ("+5", "−5", "", "", "1,000")
    assert (hexadecimal(b"\x01\xff"), hexadecimal(None)) == ("01ff", "")
    name_kinds({"test_kind": "a kind of test"})
    assert (kind_name("test_kind"), kind_name("nobody_named_this")) == ("a kind of test", "nobody_named_this")


def test_kinds_in_use_are_probed_one_by_one(club: Club) -> None:
    club.give(club.alice, 10)
    club.move(club.alice, club.bob, 1)
    assert selectors.kinds_in_use() == ["issue", "move"]


@pytest.mark.parametrize("text", ["0", "9" * 30, "-1", "table/", "x" * 300, "٣"])
def test_whatever_is_searched_for_is_no_error(club: Club, text: str) -> None:
    assert list(Transaction.objects.filter(selectors.searched(text).condition)) == []


def test_postings_are_chosen_by_every_condition_at_once(
    club: Club, site_role: Callable[[], AbstractContextManager[None]]
) -> None:
    club.give(club.alice, 10)
    club.move(club.alice, club.bob, 1)
    with site_role():
        chosen = selectors.choose_postings(
            account=club.alice,
            owner=club.owners["bob"],
            asset="CHIPS",
            kind="move",
            source_prefix="te",
            since=datetime(2020, 1, 1, tzinfo=UTC),
            until=datetime(2099, 1, 1, tzinfo=UTC),
        )
        assert [posting.amount for posting in chosen] == [1]
