"""One writing process of ``benchmarks.ledger``: posts as fast as it can whenever it is told to.

    python -m benchmarks.ledger_writers product|product4|floor|hordak TABLE

It reads ``SECONDS`` from standard input, works that long, and answers with the
number of transactions and the seconds that they took. Each contestant does the
same thing, moves chips between two accounts of its own table in a transaction
of its own, through its own public call on Django's connection.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from itertools import count
from uuid import uuid4

import django
from django.conf import settings

HORDAK_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "mptt", "djmoney", "hordak"]
FLOOR = "INSERT INTO floor (key, debit, credit, amount) VALUES (%s, %s, %s, %s) RETURNING id"


def product(table: str, postings: int = 1) -> Callable[[], object]:
    """``ledger.services.post``: stakes from two seats to the table's pot and back."""
    from ledger.services import Entry, open_account, open_house_account, post

    mint = open_house_account(kind="mint", asset="CHIPS")
    seats = [open_account(kind="seat", ref=f"{table}/{n}", asset="CHIPS") for n in range(postings)]
    pot = open_account(kind="pot", ref=table, asset="CHIPS")
    start = [Entry(mint, seat, 1000) for seat in seats]
    post(key=f"start {table} {uuid4()}", kind="start", source=table, postings=start)
    there = [Entry(seat, pot, 10) for seat in seats]
    back = [Entry(pot, seat, 10) for seat in seats]
    run, turn = uuid4().hex, count()

    def move() -> None:
        n = next(turn)
        post(key=f"{run}/{n}", kind="stake", source=f"table/{table}/{n}", postings=back if n % 2 else there)

    return move


def product_four(table: str) -> Callable[[], object]:
    """The same with four postings in each transaction."""
    return product(f"four {table}", 4)


def floor(table: str) -> Callable[[], object]:
    """One plain INSERT of what a transfer is: the least that any ledger can do."""
    from django.db import connection

    run, turn = uuid4().hex, count()

    def insert() -> None:
        with connection.cursor() as cursor:
            cursor.execute(FLOOR, [f"{run}/{next(turn)}", 1, 2, 10])
            cursor.fetchone()

    return insert


def hordak(table: str) -> Callable[[], object]:
    """django-hordak's own call for moving money between two accounts."""
    from hordak.models import Account, AccountType
    from moneyed import Money

    seat, pot = (
        Account.objects.create(name=f"{table} {n}", type=AccountType.liability, currencies=["EUR"])
        for n in (1, 2)
    )
    ten, turn = Money(10, "EUR"), count()

    def transfer() -> None:
        if next(turn) % 2:
            pot.transfer_to(seat, ten)
        else:
            seat.transfer_to(pot, ten)

    return transfer


CONTESTANTS = {"product": product, "product4": product_four, "floor": floor, "hordak": hordak}


def set_up(contestant: str) -> None:
    """Configure Django: the site's own settings, or for hordak the least that it needs on the same server."""
    if contestant == "hordak":
        from config.addresses import database

        settings.configure(
            INSTALLED_APPS=HORDAK_APPS,
            DATABASES={"default": database(os.environ["HORDAK_DATABASE_URL"])},
            DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
            USE_TZ=True,
            SECRET_KEY="benchmark",
            DEFAULT_CURRENCY="EUR",
            CURRENCIES=["EUR"],
        )
    else:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def main(contestant: str, table: str) -> None:
    """Answer every line of standard input with a measurement."""
    set_up(contestant)
    if table == "migrate":
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        return
    move = CONTESTANTS[contestant](table)
    for _ in range(50):
        move()
    print("ready", flush=True)
    for line in sys.stdin:
        done, start = 0, time.perf_counter()
        end = start + float(line)
        while (now := time.perf_counter()) < end:
            move()
            done += 1
        print(done, now - start, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
