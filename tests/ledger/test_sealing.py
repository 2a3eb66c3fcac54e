"""Sealing: what a seal takes, in which order, what it leaves for later, and when the sealer refuses."""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from ledger import selectors, services
from ledger.errors import HeadsDisagree, HeadsMissing, IdsRestarted
from ledger.models import Leaf, Seal, Transaction
from ledger.rules import merkle
from ledger.rules.canonical import GENESIS, head_bytes
from ledger.services import sealing
from ledger.services.heads import last_head, read_heads
from ledger.services.sealing import publish_heads, seal_pending
from ledger.services.signing import current_signer, known_keys, rotate_key, verify_signature
from ledger.services.verifying import verify
from tests.ledger.books import Book, counted, open_book, post, seal_everything, settle, small_book
from tests.ledger.tampering import run, tamper

pytestmark = pytest.mark.committed


def another_connection() -> psycopg.Connection:
    """A second client of this test's database."""
    described = connection.settings_dict
    return psycopg.connect(
        host=described["HOST"],
        port=described["PORT"],
        user=described["USER"],
        password=described["PASSWORD"],
        dbname=described["NAME"],
    )


def post_from(client: psycopg.Connection, book: Book, key: str) -> int:
    """Post chips to a wallet in the client's open transaction; returns the id."""
    row = client.execute(
        "SELECT transaction_id FROM ledger_post(%s, sha256('f'), 'issue', 'posted', 'test', substring(sha256('s') FOR 16),"
        " ARRAY[%s::bigint], ARRAY[%s::bigint], ARRAY[1::bigint])",
        [key, book.wallets[0], book.wallets[1]],
    ).fetchone()
    assert row
    return int(row[0])


# --- What a seal takes ----------------------------------------------------------------------------------------------


def test_everything_finished_is_sealed_once_in_the_order_of_ids() -> None:
    book = small_book()
    seals = seal_everything()
    assert [seal.n for seal in seals] == [len(book.transactions)]
    leaves = list(Leaf.objects.order_by("seal_id", "index"))
    assert [leaf.transaction_id for leaf in leaves] == book.transactions
    assert [leaf.index for leaf in leaves] == list(range(len(leaves)))
    assert merkle.tree_root(bytes(leaf.hash) for leaf in leaves) == bytes(seals[0].root)
    assert bytes(seals[0].previous) == GENESIS


def test_nothing_is_written_when_idle() -> None:
    assert seal_pending() == []
    small_book()
    seal_everything()
    before = counted()
    run("CREATE TABLE other_work (x integer)")  # other transactions of the database are no reason to seal
    assert seal_pending() == []
    assert counted() == before


def test_seals_are_cut_by_size_and_linked() -> None:
    book = small_book()
    seals = seal_everything(seal_size=5)
    assert [seal.n for seal in seals] == [5, 5, 5, len(book.transactions) - 15]
    for before, after in pairwise(seals):
        assert bytes(after.previous) == bytes(before.hash)
        assert after.from_xid == before.to_xid
    roots = [merkle.tree_root([bytes(seal.hash) for seal in seals[: i + 1]]) for i in range(len(seals))]
    assert [bytes(seal.log_root) for seal in Seal.objects.order_by("seq")] == roots


def test_one_database_transaction_is_never_split() -> None:
    book = open_book()
    with transaction.atomic():
        for _ in range(12):
            book.issue()
    book.issue()
    assert [seal.n for seal in seal_everything(seal_size=5)] == [12, 1]


def test_a_run_makes_at_most_so_many_seals() -> None:
    small_book()
    assert len(seal_everything(seal_size=3, most=2)) == 2
    seal_everything(seal_size=3)
    assert verify(steps="abc").fault is None


def test_what_finishes_while_a_seal_is_made_waits_for_the_next_run() -> None:
    """Under load the sealer once made a small seal after the other without an end."""
    book = small_book()
    settle()
    posted: list[int] = []

    def post_meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if sql.startswith('INSERT INTO "ledger_seal"'):
            with another_connection() as client:
                posted.append(post_from(client, book, f"meanwhile {len(posted)}"))
        return result

    with connection.execute_wrapper(post_meanwhile):
        seals = seal_pending()
    assert (len(seals), len(posted)) == (1, 1)
    assert [seal.n for seal in seal_everything()] == [1]


def test_totals_are_by_asset() -> None:
    chips, coins = open_book(), open_book(code="COIN", scale=2)
    chips.issue(amount=30)
    post((chips.mint, chips.wallets[0], 5), (chips.wallets[0], chips.wallets[1], 7))
    coins.issue(amount=250)
    (seal,) = seal_everything()
    assert seal.totals == [("CHIPS", 0, 3, 42), ("COIN", 2, 1, 250)]


def test_the_signature_is_over_the_head() -> None:
    small_book()
    (seal,) = seal_everything()
    head = last_head()
    assert head
    message = head_bytes(1, bytes(seal.hash), bytes(seal.log_root), head.head.sealed_at, seal.key_id)
    assert verify_signature(current_signer().public_key, message, bytes(seal.signature))


# --- What it leaves for later ---------------------------------------------------------------------------------------


def test_a_transaction_that_commits_late_is_not_lost() -> None:
    """The cut-off waits for the oldest running transaction, and then takes both in the order of their ids."""
    book = open_book()
    book.issue(0)
    seal_everything()
    with another_connection() as slow:
        late = post_from(slow, book, "late")
        other = open_book(code="OTHER")
        early = other.issue(0)
        assert late < early
        assert seal_pending() == []
        slow.commit()
    (seal,) = seal_everything()
    assert list(seal.leaves.order_by("index").values_list("transaction_id", flat=True)) == [late, early]


def test_the_obvious_cut_off_by_the_highest_id_loses_a_transaction() -> None:
    """What the cut-off by running transactions is for: ids become visible out of their order."""
    book = open_book()
    book.issue(0)
    first = Transaction.objects.latest("id").pk
    with another_connection() as slow:
        late = post_from(slow, book, "late")
        open_book(code="OTHER").issue(0)
        sealed_up_to = Transaction.objects.latest("id").pk
        taken = set(
            Transaction.objects.filter(id__gt=first, id__lte=sealed_up_to).values_list("id", flat=True)
        )
        slow.commit()
    taken |= set(Transaction.objects.filter(id__gt=sealed_up_to).values_list("id", flat=True))
    assert late not in taken


def test_a_rolled_back_transaction_leaves_no_hole() -> None:
    book = open_book()
    book.issue(0)
    with another_connection() as client:
        post_from(client, book, "never")
        client.rollback()
    book.issue(1)
    (seal,) = seal_everything()
    assert seal.n == 2
    assert verify(steps="abc").fault is None


def test_a_second_sealer_does_nothing() -> None:
    small_book()
    with another_connection() as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [sealing.SEALER_LOCK])
        with transaction.atomic():
            run("SET LOCAL lock_timeout = '2s'")
            assert sealing._seal_next(False, 1000) == (None, False)
    assert len(seal_everything()) == 1


def test_sealing_never_waits_for_a_writer() -> None:
    """Not even for one that has locked every account and has written."""
    book = small_book()
    settle()
    with another_connection() as writer:
        writer.execute("SELECT id FROM ledger_account FOR UPDATE")
        post_from(writer, book, "unfinished")
        run("SET lock_timeout = '2s'")
        (seal,) = seal_pending()
        assert seal.n == len(book.transactions)


def test_a_number_given_out_between_two_statements_is_no_restart() -> None:
    """The sealer once took a transaction for one from before a restore that had begun after its first statement."""
    book = small_book()
    settle()
    posted: list[int] = []

    def post_in_between(execute: Any, sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if "pg_snapshot_xmin(s)" in sql and not posted:
            with another_connection() as client:
                posted.append(post_from(client, book, "in between"))
        return result

    with connection.execute_wrapper(post_in_between):
        seals = seal_pending()
    assert len(posted) == 1
    assert sum(seal.n for seal in seals) in (len(book.transactions), len(book.transactions) + 1)
    seal_everything()
    assert verify(steps="abc").fault is None


# --- Heads outside the database -------------------------------------------------------------------------------------


def test_every_head_is_published_once(proof_files: Path) -> None:
    small_book()
    seals = seal_everything(seal_size=5)
    assert [line.head.seq for line in read_heads()] == [1, 2, 3, 4]
    assert [line.head.hash for line in read_heads()] == [bytes(seal.hash) for seal in seals]
    assert publish_heads() == 0


def test_heads_that_could_not_be_published_come_with_the_next_run(settings: Any, proof_files: Path) -> None:
    book = small_book()
    blocked = proof_files / "disk"
    blocked.write_text("not a folder")
    settings.LEDGER_HEADS_FILE = blocked / "heads.jsonl"
    with pytest.raises(OSError, match="disk"):
        seal_everything(seal_size=5)
    assert Seal.objects.count() == 4
    with pytest.raises(OSError, match="disk"):
        seal_pending()
    blocked.unlink()
    book.issue()
    seal_everything(seal_size=5)
    assert [line.head.seq for line in read_heads()] == [1, 2, 3, 4, 5]
    assert verify(steps="abc").fault is None


def test_a_line_cut_off_by_a_crash_is_written_again(proof_files: Path) -> None:
    book = small_book()
    seal_everything(seal_size=9)
    heads = proof_files / "heads.jsonl"
    whole = heads.read_bytes()
    heads.write_bytes(whole[:-20])
    assert [line.head.seq for line in read_heads()] == [1, 2]
    book.issue()
    seal_everything()
    assert heads.read_bytes().startswith(whole)
    assert [line.head.seq for line in read_heads()] == [1, 2, 3, 4]
    assert verify(steps="abc").fault is None


def test_a_database_older_than_its_heads_is_refused_until_a_new_epoch() -> None:
    """As after a restored backup: seals 2 and 3 were published, and the database knows nothing of them."""
    book = small_book()
    seal_everything(seal_size=5, most=3)
    tamper("DELETE FROM ledger_leaf WHERE seal_id > 1", "DELETE FROM ledger_seal WHERE seq > 1")
    with pytest.raises(HeadsDisagree) as refused:
        seal_everything()
    assert refused.value.params == {"seal": 3}
    fault = verify(steps="abc", lag=timedelta(0)).fault
    assert fault
    assert fault.code == "not_sealed_in_time"
    (seal,) = seal_everything(new_epoch=True)
    assert (seal.seq, seal.epoch, seal.from_xid, seal.n) == (2, 1, 0, len(book.transactions) - 5)
    book.issue()
    assert [seal.seq for seal in seal_everything()] == [3]
    report = verify(steps="abc")
    assert report.fault is None
    assert report.notices == [
        "seal 2 opens epoch 1: the database was restored before it",
        "2 published heads of earlier epochs were given up",
    ]


def test_a_changed_last_seal_is_refused() -> None:
    book = small_book()
    seal_everything()
    tamper("UPDATE ledger_seal SET log_root = decode(repeat('00', 32), 'hex')")
    book.issue()
    with pytest.raises(HeadsDisagree):
        seal_everything()


def test_a_lost_file_of_heads_is_refused_until_somebody_accepts_a_new_one(proof_files: Path) -> None:
    book = small_book()
    seal_everything()
    aged = f"now() - interval '{sealing.HEADS_GRACE + timedelta(minutes=1)}'"
    tamper(f"UPDATE ledger_seal SET sealed_at = {aged}")
    (proof_files / "heads.jsonl").unlink()
    book.issue()
    with pytest.raises(HeadsMissing):
        seal_everything()
    seal_everything(new_heads_file=True)
    assert [line.head.seq for line in read_heads()] == [1, 2]


# --- After a restore ------------------------------------------------------------------------------------------------

LATER = 10**12


def test_ids_below_the_last_seal_are_refused() -> None:
    book = small_book()
    seal_everything()
    tamper(f"UPDATE ledger_seal SET to_xid = '{LATER}'::xid8")
    book.issue()
    with pytest.raises(IdsRestarted):
        seal_everything()


def test_a_new_epoch_takes_what_the_old_one_left() -> None:
    """Transactions with numbers that this database has not given out yet were written before the restore."""
    book = small_book()
    seal_everything(seal_size=5, most=2)
    tamper(
        f"UPDATE ledger_transaction t SET xid = (t.xid::text::bigint + {LATER})::text::xid8"
        " WHERE NOT EXISTS (SELECT FROM ledger_leaf l WHERE l.transaction_id = t.id)"
    )
    with pytest.raises(IdsRestarted):
        seal_everything()
    (opening,) = seal_everything(new_epoch=True)
    assert (opening.epoch, opening.n) == (1, len(book.transactions) - 10)
    book.issue()
    (after,) = seal_everything()
    assert (after.epoch, after.from_xid) == (1, opening.to_xid)
    report = verify(steps="abc")
    assert report.fault is None
    assert report.notices == ["seal 3 opens epoch 1: the database was restored before it"]


def test_after_a_restore_everything_that_was_sealed_before_it_counted_as_waiting_for_a_seal() -> None:
    """The doctor called a restored site ill, two minutes later and from then on."""
    book = small_book()
    seal_everything(seal_size=5, most=2)
    tamper(f"UPDATE ledger_transaction SET xid = (xid::text::bigint + {LATER})::text::xid8")
    assert selectors.seal_lag().waiting == len(book.transactions) - 10
    seal_everything(new_epoch=True)
    assert (selectors.seal_lag().waiting, selectors.seal_lag().since) == (0, None)
    book.issue()
    assert selectors.seal_lag().waiting == 1


def test_a_new_epoch_may_find_nothing_to_seal() -> None:
    book = small_book()
    seal_everything()
    (opening,) = seal_everything(new_epoch=True)
    assert (opening.epoch, opening.n, bytes(opening.root)) == (1, 0, merkle.EMPTY_ROOT)
    book.issue()
    assert [seal.n for seal in seal_everything()] == [1]
    assert verify(steps="abc").fault is None


# --- Keys -----------------------------------------------------------------------------------------------------------


def test_the_key_is_made_once_and_for_its_owner_alone(proof_files: Path) -> None:
    first = current_signer()
    assert current_signer().public_key == first.public_key
    path = proof_files / "keys" / "signing_key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert list(known_keys()) == [first.key_id]
    assert sorted(each.name for each in path.parent.iterdir()) == ["public_keys.jsonl", "signing_key"]


def test_seals_of_an_old_key_stay_good_after_rotation() -> None:
    book = small_book()
    (before,) = seal_everything()
    rotate_key()
    book.issue()
    (after,) = seal_everything()
    assert before.key_id != after.key_id
    assert list(known_keys()) == [before.key_id, after.key_id]
    assert known_keys()[after.key_id].signed_by == before.key_id
    assert verify(steps="abc").fault is None


def test_a_key_that_was_not_handed_over_is_found(proof_files: Path) -> None:
    small_book()
    seal_everything()
    rotate_key()
    path = proof_files / "keys" / "public_keys.jsonl"
    old, new = (json.loads(line) for line in path.read_text().splitlines())
    new["signature"] = "00" * 64
    path.write_text(f"{json.dumps(old)}\n{json.dumps(new)}\n")
    fault = verify(steps="abc").fault
    assert fault
    assert fault.code == "key_chain"


def test_a_key_from_the_environment_takes_the_place_of_the_file(settings: Any, proof_files: Path) -> None:
    settings.LEDGER_SIGNING_KEY = "07" * 32
    small_book()
    seal_everything()
    assert not (proof_files / "keys" / "signing_key").exists()
    with pytest.raises(RuntimeError, match="LEDGER_SIGNING_KEY"):
        rotate_key()
    settings.LEDGER_SIGNING_KEY = "08" * 32
    open_book(code="MORE").issue()
    seal_everything()
    assert len(known_keys()) == 2
    assert verify(steps="abc").fault is None


@pytest.mark.committed(role="site")
def test_the_site_role_may_seal() -> None:
    small_book_as_the_site()
    assert [seal.n for seal in seal_everything()] == [1]
    assert verify(steps="abc").fault is None


def small_book_as_the_site() -> None:
    services.create_asset(code="CHIPS")
    mint = services.open_house_account(kind="mint", asset="CHIPS")
    wallet = services.open_account(kind="wallet", ref="w", asset="CHIPS")
    services.post(key="k", kind="issue", source="test", postings=[services.Entry(mint, wallet, 5)])
