"""Races between real connections: each is first shown with the locks taken off, then prevented by the product.

The product's tests log in as the site. ``without_locks`` is for the proofs only:
it redefines the copy's ``ledger_post`` with the row locks removed and a meeting of
all who race where they were, and drops the constraints that would catch the damage late.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, connections, transaction

from ledger import errors, selectors
from ledger.models import Account, Adjustment, Posting, Transaction
from ledger.services import (
    Entry,
    Posted,
    approve_adjustment,
    hold,
    open_account,
    post,
    post_hold,
    request_adjustment,
    reverse,
    set_credit_line,
    void_hold,
)
from tests.ledger.conftest import Club

as_site = pytest.mark.committed(role="site")
as_owner = pytest.mark.committed

INSERT = "    INSERT INTO ledger_transaction AS t"

# A sequence is seen by all at once, whatever their transactions see: each waits until everybody has come so far.
MEET = """
CREATE SEQUENCE test_meeting;
CREATE FUNCTION test_meet() RETURNS void LANGUAGE plpgsql AS $$
DECLARE racers text := current_setting('test.racers', true);
BEGIN
    IF racers <> '' THEN
        PERFORM nextval('test_meeting');
        FOR try IN 1..1000 LOOP
            EXIT WHEN (SELECT last_value FROM test_meeting) >= racers::int;
            PERFORM pg_sleep(0.02);
        END LOOP;
    END IF;
END $$
"""
Outcome = Any


def race(*attempts: Callable[[], Any]) -> list[Outcome]:
    """Run every attempt at once, each on a connection of its own; returns results and exceptions."""
    gate = threading.Barrier(len(attempts))
    outcomes: list[Outcome] = [None] * len(attempts)

    def run(place: int) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('test.racers', %s, false)", [str(len(attempts))])
            gate.wait(60)
            outcomes[place] = attempts[place]()
        except Exception as error:
            outcomes[place] = error
        finally:
            connections["default"].close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(attempts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    return outcomes


def sorted_out(outcomes: list[Outcome]) -> tuple[list[Any], list[str]]:
    """What went through, and the codes of what was refused; anything else is an error of the test."""
    refused = [outcome.code for outcome in outcomes if isinstance(outcome, errors.LedgerError)]
    done = [outcome for outcome in outcomes if not isinstance(outcome, Exception)]
    unexpected = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert len(unexpected) == len(refused), unexpected
    return done, refused


@pytest.fixture
def without_locks(committed_club: Club) -> Iterator[Club]:
    """The club of a test marked ``as_owner``, in a book whose posting function takes no locks."""
    with connection.cursor() as cursor:
        cursor.execute(MEET)
        for name in ("ledger_post", "ledger_target"):
            cursor.execute(f"SELECT pg_get_functiondef('{name}'::regproc)")
            source = cursor.fetchone()[0]
            naive = source.replace("ORDER BY id FOR NO KEY UPDATE", "ORDER BY id").replace(
                " FOR UPDATE;", ";"
            )
            assert naive != source
            naive = naive.replace(INSERT, "    PERFORM test_meet();\n" + INSERT)
            cursor.execute(naive)
        # The function for single postings leaves everything to the other one.
        cursor.execute("SELECT pg_get_functiondef('ledger_post_one'::regproc)")
        cursor.execute(cursor.fetchone()[0].replace("IF p_amount BETWEEN", "IF false AND p_amount BETWEEN"))
        cursor.execute("ALTER TABLE ledger_account DROP CONSTRAINT account_above_floor")
        cursor.execute("DROP INDEX transaction_resolved_once, transaction_reversed_once")
    yield committed_club


def moved_in_postings(account: int) -> int:
    """The balance that an account's postings add up to."""
    rows = Posting.objects.filter(transaction__state__in=("posted", "post"))
    return sum(rows.filter(credit=account).values_list("amount", flat=True)) - sum(
        rows.filter(debit=account).values_list("amount", flat=True)
    )


# --- Overdraft ------------------------------------------------------------------------------------------------------
def overdraw(club: Club) -> list[Outcome]:
    """Four payments of 60 out of 100, at once."""
    club.give(club.alice, 100)
    return race(*[lambda n=n: club.move(club.alice, club.bob, 60, key=f"pay {n}") for n in range(4)])


@as_owner
def test_without_locks_a_wallet_is_overdrawn(without_locks: Club) -> None:
    done, _ = sorted_out(overdraw(without_locks))
    assert len(done) > 1
    assert moved_in_postings(without_locks.alice) < 0


@as_site
def test_a_wallet_is_never_overdrawn(committed_club: Club) -> None:
    done, refused = sorted_out(overdraw(committed_club))
    assert (len(done), refused) == (1, ["insufficient"] * 3)
    assert selectors.balance(committed_club.alice) == moved_in_postings(committed_club.alice) == 40


# --- Lost updates -----------------------------------------------------------------------------------------------------
def pay_in(club: Club) -> list[Outcome]:
    """Four payments into one pot at once."""
    for payer in (club.alice, club.bob, club.carol, club.seat1):
        club.give(payer, 10)
    payers = (club.alice, club.bob, club.carol, club.seat1)
    return race(*[lambda payer=payer: club.move(payer, club.pot, 10) for payer in payers])


@as_owner
def test_without_locks_a_pot_loses_chips(without_locks: Club) -> None:
    pay_in(without_locks)
    assert selectors.balance(without_locks.pot) < moved_in_postings(without_locks.pot) == 40


@as_site
def test_a_pot_loses_nothing(committed_club: Club) -> None:
    done, _ = sorted_out(pay_in(committed_club))
    assert len(done) == 4
    assert selectors.balance(committed_club.pot) == 40
    seqs = Posting.objects.filter(credit=committed_club.pot).values_list("credit_seq", "credit_after")
    assert sorted(seqs) == [(1, 10), (2, 20), (3, 30), (4, 40)]


# --- The same key ------------------------------------------------------------------------------------------------------
@as_owner
def test_without_a_unique_key_a_retry_pays_twice(without_locks: Club) -> None:
    """Looking first and inserting then is not enough."""
    club = without_locks
    club.give(club.alice, 100)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_transaction DROP CONSTRAINT transaction_key_once")

    all_have_looked = threading.Barrier(3)

    def look_then_pay() -> None:
        if not Transaction.objects.filter(key="k").exists():
            all_have_looked.wait(60)
            with connection.cursor() as cursor:
                cursor.execute(
                    "INSERT INTO ledger_transaction (key, fingerprint, kind, state, source, salt)"
                    " VALUES ('k', sha256('x'), 'x', 'posted', 'x', '0123456789abcdef')"
                )

    race(*[look_then_pay] * 3)
    assert Transaction.objects.filter(key="k").count() == 3


@as_site
def test_the_same_request_at_once_is_done_once(committed_club: Club) -> None:
    """The chips suffice for one, so a second attempt would be refused if it were judged at all."""
    club = committed_club
    club.give(club.alice, 30)
    done, refused = sorted_out(race(*[lambda: club.move(club.alice, club.bob, 30, key="k")] * 6))
    assert refused == []
    assert len({posted.id for posted in done}) == 1
    assert [posted.replayed for posted in done].count(False) == 1
    assert Transaction.objects.filter(key="k").count() == 1


@as_site
def test_one_key_for_two_requests_at_once_serves_one(committed_club: Club) -> None:
    """They share no account, so no lock but that of the key itself stands between them."""
    club = committed_club
    club.give(club.alice, 30)
    club.give(club.carol, 30)
    pairs = [(club.alice, club.bob), (club.carol, club.seat1)]
    outcomes = race(*[lambda pair=pair: club.move(*pair, 30, key="k") for pair in pairs])
    done, refused = sorted_out(outcomes)
    assert (len(done), refused) == (1, ["key_reused"])
    assert selectors.balance(club.bob) + selectors.balance(club.seat1) == 30


# --- Holds ------------------------------------------------------------------------------------------------------------
def six_holds(club: Club) -> list[Outcome]:
    """Six holds of 1000 on 5000, at once."""
    club.give(club.alice, 5000)
    entry = Entry(club.alice, club.pot, 1000)
    return race(
        *[lambda n=n: hold(key=f"h{n}", kind="entry", source="t", postings=[entry]) for n in range(6)]
    )


@as_owner
def test_without_locks_six_holds_of_1000_fit_into_5000(without_locks: Club) -> None:
    done, _ = sorted_out(six_holds(without_locks))
    assert len(done) == 6


@as_site
def test_five_holds_of_1000_fit_into_5000(committed_club: Club) -> None:
    done, refused = sorted_out(six_holds(committed_club))
    assert (len(done), refused) == (5, ["insufficient"])
    assert selectors.available(committed_club.alice) == 0


def resolve_at_once(club: Club) -> list[Outcome]:
    """Post a hold twice and void it, at once, while enough chips are there for both."""
    club.give(club.alice, 200)
    held = hold(key="h", kind="entry", source="t", postings=[Entry(club.alice, club.pot, 50)]).id
    hold(key="another", kind="entry", source="t", postings=[Entry(club.alice, club.pot, 100)])
    resolutions = [("p1", post_hold), ("p2", post_hold), ("v", void_hold)]
    return race(
        *[
            lambda key=key, verb=verb: verb(key=key, kind="entry", source="t", hold=held)
            for key, verb in resolutions
        ]
    )


@as_owner
def test_without_locks_a_hold_resolves_twice(without_locks: Club) -> None:
    resolve_at_once(without_locks)
    assert Transaction.objects.exclude(resolves=None).count() > 1


@as_site
def test_a_hold_resolves_once(committed_club: Club) -> None:
    done, refused = sorted_out(resolve_at_once(committed_club))
    assert (len(done), refused) == (1, ["already_resolved"] * 2)
    alice = Account.objects.get(id=committed_club.alice)
    assert alice.debits_pending == 100
    assert alice.debits in (0, 50)


# --- Reversals --------------------------------------------------------------------------------------------------------
def refund_at_once(club: Club) -> list[Outcome]:
    """Refund one payment twice at once, out of different pockets: the accounts' locks do not meet."""
    club.give(club.carol, 50)
    club.give(club.bob, 50)
    paid = club.move(club.seat1, club.pot, 50).id if club.give(club.seat1, 50) else 0
    pockets = [(club.carol, club.alice), (club.bob, club.seat2)]
    return race(
        *[
            lambda payer=payer, payee=payee: reverse(
                key=f"refund from {payer}",
                kind="refund",
                source="t",
                transaction=paid,
                instead={club.pot: payer, club.seat1: payee},
            )
            for payer, payee in pockets
        ]
    )


@as_owner
def test_without_locks_a_refund_is_paid_twice(without_locks: Club) -> None:
    refund_at_once(without_locks)
    assert Transaction.objects.exclude(reverses=None).count() == 2


@as_site
def test_a_refund_is_paid_once(committed_club: Club) -> None:
    done, refused = sorted_out(refund_at_once(committed_club))
    assert (len(done), refused) == (1, ["already_reversed"])


@as_site
def test_a_request_is_approved_once(committed_club: Club) -> None:
    club = committed_club
    number = club.give(club.carol, 50)
    request = request_adjustment(transaction_id=number, requested_by=club.owners["alice"], reason="x")
    approvers = [club.owners["bob"], club.owners["carol"]]
    outcomes = race(
        *[lambda by=by: approve_adjustment(adjustment=request.pk, approved_by=by) for by in approvers]
    )
    done, refused = sorted_out(outcomes)
    assert (len(done), refused) == (1, ["already_decided"])
    assert Adjustment.objects.get().reversal_id == done[0].id


# --- Deadlocks ----------------------------------------------------------------------------------------------------------
@as_owner
def test_locks_in_the_order_of_the_request_deadlock(committed_club: Club) -> None:
    club = committed_club
    for account in (club.alice, club.bob):
        club.give(account, 100)
    with connection.cursor() as cursor:
        cursor.execute(MEET)
        cursor.execute(
            "CREATE FUNCTION naive_transfer(payer bigint, payee bigint) RETURNS void LANGUAGE plpgsql AS $$ BEGIN"
            " UPDATE ledger_account SET debits = debits + 1 WHERE id = payer; PERFORM test_meet();"
            " UPDATE ledger_account SET credits = credits + 1 WHERE id = payee; END $$"
        )

    def transfer(payer: int, payee: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT naive_transfer(%s, %s)", [payer, payee])

    outcomes = race(lambda: transfer(club.alice, club.bob), lambda: transfer(club.bob, club.alice))
    assert any(isinstance(outcome, OperationalError) and "deadlock" in str(outcome) for outcome in outcomes)


@as_site
def test_no_order_of_accounts_deadlocks(committed_club: Club) -> None:
    """Inside transactions of their own, where nothing is tried again."""
    club = committed_club
    accounts = [club.alice, club.bob, club.carol, club.seat1, club.pot, club.mint]
    for account in accounts[:-1]:
        club.give(account, 1000)

    def work(writer: int) -> int:
        for n in range(25):
            turn = n + writer
            order = accounts[turn % 6 :] + accounts[: turn % 6]
            if writer % 2:
                order.reverse()
            entries = [Entry(a, b, 1) for a, b in pairwise(order)]
            with transaction.atomic():
                post(key=f"{writer}/{n}", kind="x", source="x", postings=entries)
        return writer

    done, refused = sorted_out(race(*[lambda writer=writer: work(writer) for writer in range(6)]))
    assert (sorted(done), refused) == (list(range(6)), [])
    for account in accounts:
        assert selectors.balance(account) == moved_in_postings(account)
        seqs = [*Posting.objects.filter(debit=account).values_list("debit_seq", flat=True)]
        seqs += Posting.objects.filter(credit=account).values_list("credit_seq", flat=True)
        assert sorted(seqs) == list(range(1, len(seqs) + 1))


def stand_in_the_way(club: Club, work: Callable[[], Any]) -> tuple[Outcome, int]:
    """Make ``work`` (which locks alice, then bob) deadlock with a stranger who locks bob, then alice, and be the one that
    finds it; returns what came of it and how many chips it moved to bob."""
    for _ in range(20):
        club.give(club.alice, 10)
        before = selectors.balance(club.bob)
        outcome, found_it = one_deadlock(club, work)
        if found_it:
            return outcome, selectors.balance(club.bob) - before
    raise AssertionError("the stranger was always the first to look")


def one_deadlock(club: Club, work: Callable[[], Any]) -> tuple[Outcome, bool]:
    """Return what came of ``work``, and whether it found the deadlock: where a machine stands still, the stranger does."""
    described = connections["default"].get_connection_params()
    described.pop("cursor_factory", None)
    outcome: list[Outcome] = []
    with psycopg.connect(**described) as stranger:
        lock = "SELECT 1 FROM ledger_account WHERE id = %s FOR NO KEY UPDATE"
        stranger.execute(lock, [club.bob])

        def run() -> None:
            try:
                outcome.append(work())
            except Exception as error:
                outcome.append(error)
            finally:
                connections["default"].close()

        thread = threading.Thread(target=run)
        thread.start()
        until_somebody_waits()
        # Each looks for a deadlock once, a second after its wait began: the product is to find it, and so the first to look.
        time.sleep(0.5)
        found_it = True
        try:
            stranger.execute(lock, [club.alice])
            stranger.commit()
        except psycopg.errors.DeadlockDetected:
            found_it = False
            stranger.rollback()
        thread.join(60)
    return outcome[0], found_it


def until_somebody_waits() -> None:
    """Return when a session at this database waits for another's lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    deadline = time.monotonic() + 60
    with connection.cursor() as cursor:
        while cursor.execute(waiting).fetchone() == (0,):  # type: ignore[attr-defined]
            assert time.monotonic() < deadline, "nobody waits for a lock"
            time.sleep(0.01)


@as_owner
def test_a_deadlock_is_tried_again(committed_club: Club) -> None:
    club = committed_club
    outcome, moved = stand_in_the_way(club, lambda: club.move(club.alice, club.bob, 10))
    assert isinstance(outcome, Posted) and not outcome.replayed
    assert moved == 10


@as_owner
def test_inside_a_transaction_a_deadlock_is_its_owners_affair(committed_club: Club) -> None:
    club = committed_club

    def work() -> Posted:
        with transaction.atomic():
            return club.move(club.alice, club.bob, 10)

    outcome, moved = stand_in_the_way(club, work)
    assert isinstance(outcome, OperationalError)
    assert moved == 0


# --- Accounts ----------------------------------------------------------------------------------------------------------
@as_site
def test_an_account_is_opened_once(committed_club: Club) -> None:
    done, refused = sorted_out(race(*[lambda: open_account(kind="pot", ref="table 2", asset="CHIPS")] * 8))
    assert refused == [] and len(set(done)) == 1 and len(done) == 8


@as_site
def test_a_credit_line_is_not_cut_while_it_is_being_used(committed_club: Club) -> None:
    club = committed_club
    by = club.owners["carol"]
    set_credit_line(account=club.alice, credit=100, by=by, reason="x")
    outcomes = race(
        lambda: set_credit_line(account=club.alice, credit=0, by=by, reason="cut"),
        lambda: club.move(club.alice, club.bob, 100).id,
    )
    _, refused = sorted_out(outcomes)
    assert refused in (["credit_in_use"], ["insufficient"])
    alice = Account.objects.get(id=club.alice)
    assert alice.available == 0
