"""Sealing beside writers whose transactions are slow: nothing is lost, where the obvious cut-off loses rows for ever."""

from __future__ import annotations

import random
import threading
import time
from datetime import timedelta
from itertools import count

import psycopg
import pytest
from django.db import connection

from ledger.models import Leaf, Transaction
from ledger.services.sealing import seal_pending
from ledger.services.verifying import verify
from tests.ledger.books import Book, open_book, seal_everything
from tests.ledger.test_sealing import another_connection, post_from

WRITERS = 6
SECONDS = 4.0
PATIENCE = 120.0

pytestmark = pytest.mark.committed


class Writer(threading.Thread):
    """Posts in transactions that stay open for a while after their rows have ids."""

    def __init__(self, number: int, book: Book, stop: threading.Event) -> None:
        super().__init__(name=f"writer {number}")
        self.number = number
        self.book = book
        self.stop = stop
        self.client = another_connection()
        self.error: BaseException | None = None

    def run(self) -> None:
        dice = random.Random(self.number)
        try:
            with self.client:
                for turn in count():
                    if self.stop.is_set():
                        break
                    post_from(self.client, self.book, f"{self.number}:{turn}")
                    time.sleep(dice.choice((0, 0.001, 0.02, 0.08)))
                    self.client.commit()
        except psycopg.Error as error:
            self.error = error


class ObviousSealer:
    """What one would write first: everything above the last id taken, up to the highest id there is."""

    def __init__(self) -> None:
        self.last = 0
        self.taken: set[int] = set()

    def seal(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id FROM ledger_transaction WHERE id > %s", [self.last])
            ids = [row[0] for row in cursor.fetchall()]
        self.taken.update(ids)
        self.last = max([self.last, *ids])


def test_six_slow_writers_lose_nothing_to_the_sealer_and_something_to_the_obvious_cut_off() -> None:
    books = [open_book(code=f"CHIPS{number}") for number in range(WRITERS)]
    for book in books:
        book.issue(0, 100_000)
    stop = threading.Event()

    def enough() -> bool:
        posted = set(Transaction.objects.values_list("id", flat=True))
        missed = {number for number in posted - obvious.taken if number < obvious.last}
        return len(posted) > 100 and seals > 3 and bool(missed)

    writers = [Writer(number, book, stop) for number, book in enumerate(books)]
    obvious = ObviousSealer()
    seals = 0
    for writer in writers:
        writer.start()
    try:
        started = time.monotonic()
        # On a busy machine until enough has happened.
        while (gone := time.monotonic() - started) < SECONDS or (gone < PATIENCE and not enough()):
            obvious.seal()
            seals += len(seal_pending(seal_size=50))
            time.sleep(0.02)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    obvious.seal()
    seals += len(seal_everything(seal_size=50))
    assert [writer.error for writer in writers] == [None] * WRITERS
    posted = set(Transaction.objects.values_list("id", flat=True))
    assert len(posted) > 100
    assert seals > 3
    assert posted - obvious.taken, "the obvious cut-off lost nothing: the race is not in this test any more"
    assert set(Leaf.objects.values_list("transaction_id", flat=True)) == posted
    report = verify(steps="abc", lag=timedelta(hours=-1))
    assert report.fault is None
    assert report.unsealed == 0


def test_two_sealers_at_once_seal_everything_once() -> None:
    book = open_book()
    for _ in range(60):
        book.issue()
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(6):
                seal_pending(seal_size=7)
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    sealers = [threading.Thread(target=work) for _ in range(3)]
    for sealer in sealers:
        sealer.start()
    for sealer in sealers:
        sealer.join()
    seal_everything(seal_size=7)
    assert errors == []
    assert Leaf.objects.count() == 60
    assert verify(steps="abc").fault is None
