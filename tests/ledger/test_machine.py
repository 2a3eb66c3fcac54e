"""Random work on the book, compared step by step with the reference, and the book's laws after every step.

Every request goes to the product (as the site's role, which owns nothing) and to
``tests/ledger/reference.py``. Both must answer the same, refuse the same with the
same code, and hold the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.db.models import Model
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from ledger import services
from ledger.errors import LedgerError
from ledger.models import Account, Posting, Transaction
from tests.ledger import reference

NAMES = ["a", "b", "c", "seat", "pot", "mint", "suspense", "gold a", "gold mint"]
KINDS = {"seat": "seat", "pot": "pot", "mint": "mint", "suspense": "suspense", "gold mint": "mint"}
UNKNOWN = "nobody"
TREASURER = UUID(int=1)

names = st.sampled_from([*NAMES, *NAMES, UNKNOWN])
amounts = st.one_of(
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from([0, -1, 10**12, 10**12 + 1, 2**63, True, 1.0, None]),
)
entries = st.lists(st.tuples(names, names, amounts), min_size=0, max_size=4)
likely_entries = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "mint"]), st.sampled_from(["a", "seat", "pot"]), st.integers(1, 9)
    ),
    min_size=1,
    max_size=3,
)
keys = st.one_of(st.integers(1, 10**9).map("key {}".format), st.sampled_from(["k1", "k2", ""]))
sources = st.sampled_from(["table:1", "table:2"])
pick = st.integers(0, 10**6)


class BookMachine(RuleBasedStateMachine):
    """The product and the reference side by side."""

    def __init__(self) -> None:
        super().__init__()
        self.book = reference.Book()
        self.ids: dict[str, int] = {}
        self.transactions: list[int] = []
        self.block = transaction.atomic()
        self.block.__enter__()

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.block.__exit__(None, None, None)

    @initialize()
    def open_accounts(self) -> None:
        for code in ("CHIPS", "GOLD"):
            services.create_asset(code=code)
        for name in NAMES:
            asset = "GOLD" if name.startswith("gold") else "CHIPS"
            kind = KINDS.get(name, "wallet")
            self.ids[name] = services.open_account(kind=kind, ref=name, asset=asset)
            floor = None if kind in ("mint", "suspense") else 0
            self.book.accounts[self.ids[name]] = reference.Account(asset, floor)
        for name in ("a", "b", "c"):
            self.both(
                lambda name=name: self.product(
                    services.post, f"start {name}", "start", [(self.ids["mint"], self.ids[name], 20)]
                ),
                lambda name=name: self.book.post(
                    f"start {name}", "start", "s", [(self.ids["mint"], self.ids[name], 20)]
                ),
            )

    def product(self, verb: Callable[..., Any], key: str, kind: str, entries: list, source: str = "s") -> Any:
        postings = [services.Entry(*entry) for entry in entries]
        return verb(key=key, kind=kind, source=source, postings=postings)

    def both(self, product: Callable[[], Any], book: Callable[[], Any]) -> None:
        """Ask both, and compare what they say."""
        try:
            expected = book()
        except reference.Refused as refusal:
            with pytest.raises(LedgerError) as caught, transaction.atomic():
                product()
            assert caught.value.code == refusal.code
            return
        with transaction.atomic():
            answer = product()
        if expected is None:
            return
        number, replayed = expected
        if not replayed:
            self.transactions.append(answer.id)
        assert answer == (self.transactions[number - 1], replayed)

    def resolve_names(self, entries: list) -> list:
        return [(self.ids.get(d, 2**60), self.ids.get(c, 2**60), amount) for d, c, amount in entries]

    @rule(key=keys, source=sources, entries=st.one_of(entries, likely_entries))
    def post(self, key: str, source: str, entries: list) -> None:
        moved = self.resolve_names(entries)
        self.both(
            lambda: self.product(services.post, key, "move", moved, source),
            lambda: self.book.post(key, "move", source, moved),
        )

    @rule(key=keys, source=sources, entries=st.one_of(entries, likely_entries, likely_entries))
    def hold(self, key: str, source: str, entries: list) -> None:
        moved = self.resolve_names(entries)
        self.both(
            lambda: self.product(services.hold, key, "move", moved, source),
            lambda: self.book.hold(key, "move", source, moved),
        )

    @rule(key=keys, source=sources, at=pick, post=st.booleans(), of_holds=st.booleans())
    def resolve(self, key: str, source: str, at: int, post: bool, of_holds: bool) -> None:
        number = self.some_transaction(at, "pending" if of_holds else None)
        verb, state = (services.post_hold, "post") if post else (services.void_hold, "void")
        self.both(
            lambda: verb(key=key, kind="move", source=source, hold=self.id_of(number)),
            lambda: self.book.resolve(state, key, "move", source, number),
        )

    @rule(key=keys, source=sources, at=pick, substitute=st.none() | st.tuples(names, names))
    def reverse(self, key: str, source: str, at: int, substitute: tuple[str, str] | None) -> None:
        number = self.some_transaction(at, None)
        swaps = [substitute] if substitute else []
        instead = {self.ids.get(old, 2**60): self.ids.get(new, 2**60) for old, new in swaps}
        self.both(
            lambda: services.reverse(
                key=key, kind="undo", source=source, transaction=self.id_of(number), instead=instead
            ),
            lambda: self.book.reverse(key, "undo", source, number, instead.items()),
        )

    @rule(at=pick)
    def repeat(self, at: int) -> None:
        """The same request once more: answered, not done."""
        number = self.some_transaction(at, None)
        record = self.book.records[number - 1]
        if record.resolves or record.reverses:
            return
        kind, state, source, moved = record.request
        verb = services.post if state == "posted" else services.hold
        with transaction.atomic():
            answer = self.product(verb, record.key, kind, list(moved), source)
        assert answer == (self.transactions[number - 1], True)

    @rule(name=st.sampled_from(["a", "c", "seat", "gold a"]))
    def close(self, name: str) -> None:
        self.both(
            lambda: services.close_account(account=self.ids[name]),
            lambda: self.book.close(self.ids[name]),
        )

    @rule(name=st.sampled_from(["a", "b"]), credit=st.integers(0, 30) | st.sampled_from([-1, 10**12 + 1]))
    def set_credit(self, name: str, credit: int) -> None:
        self.both(
            lambda: services.set_credit_line(
                account=self.ids[name],
                credit=credit,
                by=TREASURER,
                reason="test",
            ),
            lambda: self.book.set_credit(self.ids[name], credit),
        )

    def some_transaction(self, at: int, state: str | None) -> int:
        numbers = [n for n, r in enumerate(self.book.records, 1) if state in (None, r.state)]
        return numbers[at % len(numbers)] if numbers else 10**9

    def id_of(self, number: int) -> int:
        return self.transactions[number - 1] if number <= len(self.transactions) else 10**12

    @invariant()
    def the_book_is_as_it_should_be(self) -> None:
        """All that follows looks at one reading of the book: nothing changes between two of them."""
        if not self.ids:
            return
        accounts = list(Account.objects.select_related("asset"))
        postings = list(Posting.objects.order_by("transaction", "n"))
        records = list(Transaction.objects.order_by("id"))
        self.same_numbers(accounts, postings, records)
        conserved(accounts)
        never_below_the_floor(accounts)
        numbers_without_gaps(accounts, postings)
        holds_are_what_is_pending(accounts, postings, records)

    def same_numbers(
        self, accounts: list[Account], postings: list[Posting], records: list[Transaction]
    ) -> None:
        columns = ("debits", "credits", "debits_pending", "credits_pending", "seq", "min_balance")
        assert {account.pk: values(account, columns) for account in accounts} == {
            number: (a.debits, a.credits, a.debits_pending, a.credits_pending, a.seq, a.floor)
            for number, a in self.book.accounts.items()
        }
        link = lambda number: number and self.transactions[number - 1]  # noqa: E731
        columns = ("pk", "key", "state", "resolves_id", "reverses_id")
        assert [values(record, columns) for record in records] == [
            (self.transactions[i], r.key, r.state, link(r.resolves), link(r.reverses))
            for i, r in enumerate(self.book.records)
        ]
        columns = (
            *("debit_id", "credit_id", "amount"),
            *("debit_after", "debit_seq", "credit_after", "credit_seq"),
        )
        moves = [tuple(vars(move).values()) for record in self.book.records for move in record.moves]
        assert [values(posting, columns) for posting in postings] == moves


def values(row: Model, columns: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(getattr(row, column) for column in columns)


def conserved(accounts: list[Account]) -> None:
    for asset in ("CHIPS", "GOLD"):
        of_asset = [account for account in accounts if account.asset.code == asset]
        assert sum(account.balance for account in of_asset) == 0
        assert sum(a.debits_pending - a.credits_pending for a in of_asset) == 0


def never_below_the_floor(accounts: list[Account]) -> None:
    for account in accounts:
        assert account.min_balance is None or account.available >= 0


def numbers_without_gaps(accounts: list[Account], postings: list[Posting]) -> None:
    seen: dict[int, list[int]] = {}
    for posting in postings:
        seen.setdefault(posting.debit_id, []).append(posting.debit_seq)
        seen.setdefault(posting.credit_id, []).append(posting.credit_seq)
    for account in accounts:
        assert sorted(seen.get(account.pk, [])) == list(range(1, account.seq + 1))


def holds_are_what_is_pending(
    accounts: list[Account], postings: list[Posting], records: list[Transaction]
) -> None:
    resolved = {record.resolves_id for record in records}
    holds = {record.pk for record in records if record.state == "pending"} - resolved
    pending: dict[int, int] = {}
    for posting in postings:
        if posting.transaction_id in holds:
            pending[posting.debit_id] = pending.get(posting.debit_id, 0) + posting.amount
    for account in accounts:
        assert account.debits_pending == pending.get(account.pk, 0)


@pytest.fixture
def as_site(db: None, site_role: Callable[[], AbstractContextManager[None]]) -> Iterator[None]:
    """Work with the rights of the site's role."""
    with site_role():
        yield


def test_random_work_agrees_with_the_reference(as_site: None) -> None:
    run_state_machine_as_test(
        BookMachine,
        settings=settings(
            max_examples=25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )


@seed(7)
class Found(BookMachine):
    """The same machine with chance that comes upon the fault soon."""


def test_the_comparison_is_worth_something(as_site: None) -> None:
    """A function that forgets holds when it checks the floor is caught."""
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
        cursor.execute("ALTER TABLE ledger_account DROP CONSTRAINT account_above_floor")
        cursor.execute("SELECT pg_get_functiondef('ledger_post'::regproc)")
        source = cursor.fetchone()[0]
        cursor.execute(source.replace("- debited_pending[i] - floors[i]", "- floors[i]"))
    with pytest.raises(BaseException) as caught:
        run_state_machine_as_test(
            Found,
            settings=settings(
                max_examples=200,
                stateful_step_count=30,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                database=None,
                report_multiple_bugs=False,
                print_blob=False,
                phases=[Phase.generate],
            ),
        )
    assert isinstance(caught.value, AssertionError) or "DID NOT RAISE" in str(caught.value)
