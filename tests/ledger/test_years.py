"""Years of the book as files: what closes one, what the file proves, and that nothing in it can be changed unseen."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.test import Client

from clubs.models import FIRST_CLUB, Club, User
from ledger.errors import LedgerError
from ledger.models import ClosedYear
from ledger.rules import year as rules
from ledger.rules.canonical import microseconds
from ledger.rules.year import MAGIC, YearFault, check_follows, check_year
from ledger.services import closing_years, owner_of
from ledger.services.closing_years import check_file, close_year, year_file
from ledger.services.drafts import sha256_of
from ledger.services.leaves import database_time
from ledger.services.sealing import seal_pending
from ledger.services.signing import current_signer, known_keys, verify_signature
from tests.ledger.books import Book, open_book, seal_everything, settle, small_book

pytestmark = pytest.mark.committed
BY = uuid4()
THIS = datetime.now(UTC).year
LAST = THIS - 1


@pytest.fixture(autouse=True)
def of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The years as they are when a test begins: those that run in the night of a new year begin in another one."""
    year = datetime.now(UTC).year
    monkeypatch.setitem(globals(), "THIS", year)
    monkeypatch.setitem(globals(), "LAST", year - 1)


@pytest.fixture(autouse=True)
def place(committed_database: Any, settings: Any, tmp_path: Path) -> Path:
    settings.LEDGER_KEY_DIR, settings.LEDGER_HEADS_FILE = tmp_path / "keys", tmp_path / "heads.jsonl"
    settings.ARCHIVE_DIR = tmp_path / "archive"
    return tmp_path


@pytest.fixture
def new_year(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let last year end and this one begin now: the book has the server's time, so it is the calendar that is moved."""
    turn = [microseconds(database_time()) + 10**12]

    def span(year: int) -> tuple[int, int]:
        return (0, turn[0]) if year == LAST else (turn[0], turn[0] + 10**12)

    def begin() -> None:
        turn[0] = microseconds(database_time()) + 1

    for module in (rules, closing_years):
        monkeypatch.setattr(module, "year_span", span)
    monkeypatch.setattr(closing_years, "RESTS", timedelta(days=-40))
    return begin


def close(year: int) -> ClosedYear:
    return close_year(club=Club.objects.get(pk=FIRST_CLUB), year=year, by=BY)


def two_years(new_year: Callable[[], None]) -> Book:
    """A book whose second year begins in the middle of a seal, beside a club that has one of its own."""
    book = small_book()
    seal_everything()
    book.play(2)
    new_year()
    open_book(code="THEIRS", club=Club.objects.create(slug="other", name="Other").pk).issue()
    book.play()
    seal_everything()
    book.play(1)
    seal_everything()
    return book


def lines_of(closed: ClosedYear) -> list[bytes]:
    return gzip.decompress(year_file(closed).read_bytes()).splitlines(keepends=True)


def test_two_years_follow_each_other_and_are_proved_without_the_database(
    new_year: Callable[[], None], place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = two_years(new_year)
    first, second = close(LAST), close(THIS)
    keys = [key.public_key for key in known_keys().values()]
    earlier, later = (check_file(year_file(each), trusted_keys=keys) for each in (first, second))
    assert earlier.transactions + later.transactions == len(book.transactions)
    assert b"THEIRS" not in b"".join(lines_of(second)).replace(b'{"asset":"THEIRS"', b"")
    assert {str(place) for place in earlier.opening.values()} == {"0 after 0 postings"}
    assert earlier.closing[book.mint].balance == -3000 == later.opening[book.mint].balance
    check_follows(earlier, later, sha256_of(year_file(first)))
    with pytest.raises(YearFault, match="does not follow"):
        check_follows(later, earlier, b"")
    with pytest.raises(YearFault, match="after another file"):
        check_follows(earlier, later, b"x" * 32)
    assert ClosedYear.objects.get(year=THIS).closed_by == BY

    # The seals as they were signed lead from one file into the other.
    assert earlier.seals.keys() & later.seals.keys()
    call_command("verify_ledger", "--archive", year_file(second), "--after", year_file(first))
    assert f"OK  {THIS}" in capsys.readouterr().out
    nowhere = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "SECRET_KEY": "x" * 60}
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_ledger", "--archive", year_file(second), "--keys", place / "keys" / "public_keys.jsonl"],
        env={**os.environ, **nowhere, "VAR_DIR": str(place / "elsewhere")},
        capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False,
    )  # fmt: skip
    assert done.returncode == 0 and f"OK  {THIS}" in done.stdout, done.stderr


Lines = list[Any]


def parsed(lines: list[bytes]) -> Lines:
    return [json.loads(line) for line in lines]


def first_transaction(lines: Lines) -> int:
    return next(place for place, line in enumerate(lines) if "transaction" in line)


def change_amount(lines: Lines) -> None:
    lines[first_transaction(lines)]["transaction"]["postings"][0]["amount"] = "7"


def change_account(lines: Lines) -> None:
    posting = lines[first_transaction(lines)]["transaction"]["postings"][0]
    posting["credit"], posting["debit"] = posting["debit"], posting["credit"]


def swap_transactions(lines: Lines) -> None:
    place = first_transaction(lines)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]


def remove_transaction(lines: Lines) -> None:
    del lines[first_transaction(lines)]


def hide_transaction(lines: Lines) -> None:
    place = first_transaction(lines)
    seal = next(line for line in reversed(lines[:place]) if "seal" in line)
    seal["listed"].remove(lines[place]["index"])
    del lines[place]


def remove_leaf(lines: Lines) -> None:
    next(line for line in lines if "seal" in line)["leaves"].pop()


def change_root(lines: Lines) -> None:
    next(line for line in lines if "seal" in line)["seal"]["root"] = "0" * 64


def remove_seal(lines: Lines) -> None:
    place = next(place for place, line in enumerate(lines) if "seal" in line)
    after = next(p for p, line in enumerate(lines) if p > place and "transaction" not in line)
    del lines[place:after]


def change_signature(lines: Lines) -> None:
    head = next(line for line in lines if "seal" in line)["head"]
    head["signature"] = head["signature"][2:] + head["signature"][:2]


def change_opening(lines: Lines) -> None:
    lines[1]["opening"]["balance"] = "5"


def change_closing(lines: Lines) -> None:
    lines[1]["closing"]["balance"] = "5"


def change_club(lines: Lines) -> None:
    lines[0]["club"] = "another"


def cut_off(lines: Lines) -> None:
    lines.pop()


CHANGES: list[tuple[Callable[[Lines], None], str]] = [
    (change_amount, "something in it was changed"),
    (change_account, "something in it was changed"),
    (swap_transactions, "is missing or moved"),
    (remove_transaction, "is missing or moved"),
    (hide_transaction, "is missing, or the balance at the beginning was changed"),
    (remove_leaf, "do not give its root"),
    (change_root, "do not give the seal's hash"),
    (remove_seal, "seal 1 is missing: seal 2"),
    (change_signature, "signature is not by its key"),
    (change_opening, "the balance at the beginning was changed"),
    (change_closing, "the archive says 5"),
    (change_club, "its head or its list of accounts was changed"),
    (cut_off, "cut off"),
]


def refused(lines: Lines, **trusted: Any) -> str:
    packed = [json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines]
    with pytest.raises(YearFault) as fault:
        check_year(packed, verify_signature, **trusted)
    return str(fault.value)


def test_whatever_is_changed_in_a_file_is_named(
    new_year: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    two_years(new_year)
    closed = close(LAST)
    lines = lines_of(closed)
    keys = [key.public_key for key in known_keys().values()]
    check_year(lines, verify_signature, trusted_keys=keys)
    for change, says in CHANGES:
        changed = parsed(lines)
        change(changed)
        assert says in refused(changed), change.__name__
    # Whoever signs with a key of their own is trusted by nobody who knows the site's.
    assert "not one of the keys to trust" in refused(parsed(lines), trusted_keys=[b"x" * 32])
    for place, byte in ((10, b"x"), (-30, b"7")):
        broken = bytearray(year_file(closed).read_bytes())
        broken[place : len(broken) if place > 0 else place + 1] = byte
        path = year_file(closed).with_name("broken.gz")
        path.write_bytes(broken)
        with pytest.raises(SystemExit):
            call_command("verify_ledger", "--archive", path)
        assert "FAULT" in capsys.readouterr().err
    year_file(closed).write_bytes(b"")
    with pytest.raises(LedgerError, match="year_gone"):
        year_file(closed)


def test_with_the_signing_key_a_year_that_ends_otherwise_still_contradicts_its_seals(
    new_year: Callable[[], None],
) -> None:
    """The closing balances signed anew do not come from the sealed transactions."""
    two_years(new_year)
    lines = parsed(lines_of(close(LAST)))
    change_club(lines)
    body = b"".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines[:-1]
    )
    digest = rules.sha256(body).digest()
    signer = current_signer()
    lines[-1] |= {"sha256": digest.hex(), "signature": signer.sign(MAGIC + digest).hex()}
    packed = [json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines]
    assert check_year(packed, verify_signature).club == "another"
    change_closing(lines)
    assert "the archive says 5" in refused(lines)


def code_of(year: int) -> str:
    with pytest.raises(LedgerError) as refusal:
        close(year)
    assert refusal.value.message
    return refusal.value.code


def test_a_year_with_something_open_is_not_closed(
    new_year: Callable[[], None], monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    assert code_of(LAST) == "year_empty"
    book = small_book()
    assert code_of(LAST) == "seals_behind"
    hold = book._add((book.wallets[0], book.seats[0], 7), state="pending")
    seal_everything()
    assert code_of(LAST) == "holds_open"
    book._add(state="void", resolves=hold)
    seal_everything()
    new_year()
    book.play()
    seal_everything()
    assert code_of(THIS) == "earlier_year_open"
    closed = close(LAST)
    assert code_of(LAST) == "year_closed"
    monkeypatch.setattr(closing_years, "RESTS", timedelta(days=400))
    assert code_of(THIS) == "year_running"
    # What was written of a close that did not come about is in the way of nobody.
    assert [path.name for path in (place / "archive" / "ledger").iterdir()] == [closed.file]
    for statement in (ClosedYear.objects.all().delete, lambda: ClosedYear.objects.update(year=2020)):
        with pytest.raises(DatabaseError), transaction.atomic():
            statement()


@pytest.mark.parametrize("step", ["_end", "check_file", "sha256_of"])
def test_a_close_that_is_cut_off_closes_nothing_and_is_repeated(
    step: str, new_year: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    two_years(new_year)
    with monkeypatch.context() as patch:
        patch.setattr(closing_years, step, lambda *_args, **_named: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            close(LAST)
    assert not ClosedYear.objects.exists()
    assert year_file(close(LAST)).is_file()


def test_the_desk_shows_who_closed_what_and_gives_out_the_file(
    new_year: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    two_years(new_year)
    keeper = User.objects.create_superuser(
        "keeper", password="a good long password", display_name="Kai Keeper"
    )
    slug = Club.objects.get(pk=FIRST_CLUB).slug
    call_command("close_ledger_year", "--year", str(LAST), "--club", slug, "--by", "keeper")
    closed = ClosedYear.objects.get()
    assert bytes(closed.sha256).hex() in capsys.readouterr().out
    assert closed.closed_by == owner_of(user=keeper)
    for wrong in (["--club", "none", "--by", "keeper"], ["--club", slug, "--by", "nobody"]):
        with pytest.raises(CommandError, match="there is no"):
            call_command("close_ledger_year", "--year", str(LAST), *wrong)
    with pytest.raises(CommandError, match="closed already"):
        call_command("close_ledger_year", "--year", str(LAST), "--club", slug, "--by", "keeper")
    browser = Client()
    browser.force_login(keeper)
    for address in ("/admin/ledger/closedyear/", f"/admin/ledger/closedyear/{closed.pk}/change/"):
        page = browser.get(address).content.decode()
        assert bytes(closed.sha256).hex() in page and "Kai Keeper" in page
        assert str(closed.closed_by) not in page, "a random number says nothing to whoever looks"
    answer = browser.get(f"/admin/ledger/closedyear/{closed.pk}/download/")
    assert answer["Content-Length"] == str(year_file(closed).stat().st_size) == str(closed.size)
    assert closed.file in answer["Content-Disposition"]
    year_file(closed).unlink()
    assert (
        "is gone"
        in browser.get(f"/admin/ledger/closedyear/{closed.pk}/download/", follow=True).content.decode()
    )
    settle()
    assert seal_pending() == []
