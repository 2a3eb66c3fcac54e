"""Sealing: what a seal takes, in which order, and when the sealer refuses."""

from __future__ import annotations

import pytest
from tests.ledger.books import counted, small_book

from ledger.models import Leaf, Seal
from ledger.rules import merkle
from ledger.services.sealing import seal_pending


@pytest.mark.committed
def test_everything_finished_is_sealed_once_in_the_order_of_ids() -> None:
    book = small_book()
    seals = seal_pending()
    assert [seal.n for seal in seals] == [len(book.transactions)]
    leaves = list(Leaf.objects.order_by("seal_id", "index"))
    assert [leaf.transaction_id for leaf in leaves] == book.transactions
    assert merkle.tree_root(bytes(leaf.hash) for leaf in leaves) == bytes(seals[0].root)


@pytest.mark.committed
def test_nothing_is_written_when_idle() -> None:
    assert seal_pending() == []
    small_book()
    seal_pending()
    before = counted()
    assert seal_pending() == []
    assert counted() == before


@pytest.mark.committed
def test_seals_are_cut_by_size_and_linked() -> None:
    book = small_book()
    seals = seal_pending(seal_size=5)
    assert [seal.n for seal in seals] == [5, 5, 5, len(book.transactions) - 15]
    for before, after in zip(seals, seals[1:], strict=False):
        assert bytes(after.previous) == bytes(before.hash)
        assert after.from_xid == before.to_xid
    roots = [merkle.tree_root([bytes(seal.hash) for seal in seals[: i + 1]]) for i in range(len(seals))]
    assert [bytes(seal.log_root) for seal in Seal.objects.order_by("seq")] == roots
