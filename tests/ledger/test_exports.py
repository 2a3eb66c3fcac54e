"""Exports: what is in the file, that it is recorded for ever, and what happens when something goes wrong on the way."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, connections, transaction
from django.utils import timezone

from ledger import errors, services
from ledger.models import Export, ExportResult, Posting
from ledger.services import exported_postings, exports
from ledger.services.drafts import Draft
from ledger.services.exported_postings import Wanted
from ledger.services.exports import progress_of, recorded_file, request_export, run_export
from ledger.services.spreadsheets import csv_text, guard_cell
from ledger.services.verifying import verify
from ledger.tasks import export_book
from tests.ledger.conftest import Club

BY = UUID(int=5)
As = Callable[[], AbstractContextManager[None]]


@pytest.fixture(autouse=True)
def export_folder(settings: Any, tmp_path: Path) -> Path:
    settings.LEDGER_EXPORT_DIR = tmp_path / "exports"
    return tmp_path / "exports"


def exported(format: str = "csv", **wanted: Any) -> ExportResult:
    asked = request_export(format=format, wanted=Wanted(**wanted), by=BY)
    result = run_export(export=asked.pk)
    assert result is not None
    return result


def rows_of(result: ExportResult) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(recorded_file(result).read_text(), newline="")))


def played(club: Club) -> None:
    club.give(club.alice, 100)
    club.give(club.bob, 100)
    services.post(
        key="ante", kind="ante", source="table/1/event/1", postings=[services.Entry(club.alice, club.pot, 30)]
    )
    services.post(
        key="win", kind="trick", source="table/1/event/2", postings=[services.Entry(club.pot, club.bob, 30)]
    )


def test_the_file_has_every_posting_as_the_book_has_it(club: Club) -> None:
    played(club)
    rows = rows_of(exported())
    postings = Posting.objects.order_by("transaction_id", "n").select_related("transaction", "debit")
    assert len(rows) == postings.count() == 4
    for row, posting in zip(rows, postings, strict=True):
        assert int(row["transaction"]) == posting.transaction_id
        assert (row["kind"], row["source"]) == (posting.transaction.kind, posting.transaction.source)
        assert (int(row["from"]), int(row["to"])) == (posting.debit_id, posting.credit_id)
        assert (int(row["amount"]), row["asset"]) == (posting.amount, "CHIPS")
        assert int(row["from_balance"]) == posting.debit_after
        assert row["time"] == posting.at.isoformat()
    assert rows[2]["from_owner"] == club.owners["alice"].hex


@pytest.mark.parametrize(
    ("wanted", "kinds"),
    [
        (lambda club: {"account": club.pot}, ["ante", "trick"]),
        (lambda club: {"owner": club.owners["bob"]}, ["issue", "trick"]),
        (lambda club: {"kind": "ante"}, ["ante"]),
        (lambda club: {"source_prefix": "table/1"}, ["ante", "trick"]),
        (lambda club: {"asset": "GOLD"}, []),
        (lambda club: {"until": timezone.localdate()}, ["issue", "issue", "ante", "trick"]),
        (lambda club: {"since": timezone.localdate() + timedelta(days=1)}, []),
        (lambda club: {"until": timezone.localdate() - timedelta(days=1)}, []),
    ],
)
def test_a_filter_chooses_postings(club: Club, wanted: Any, kinds: list[str]) -> None:
    played(club)
    result = exported(**wanted(club))
    assert [row["kind"] for row in rows_of(result)] == kinds
    assert result.rows == len(kinds)


def test_the_result_tells_hash_size_and_how_far_the_book_went(club: Club) -> None:
    played(club)
    result = exported()
    data = recorded_file(result).read_bytes()
    assert bytes(result.sha256 or b"") == hashlib.sha256(data).digest()
    assert (result.size, result.rows) == (len(data), 4)
    assert result.last_transaction == Posting.objects.order_by("-id").values_list("transaction", flat=True)[0]
    assert result.last_seal is None
    assert result.file.endswith(".csv") and hashlib.sha256(data).hexdigest()[:12] in result.file
    assert recorded_file(result).stat().st_mode & 0o077 == 0, "nobody else on the machine reads it"


def test_the_request_remembers_who_asked_for_what(club: Club) -> None:
    wanted = Wanted(account=club.pot, kind="ante", since=timezone.localdate(), owner=club.owners["alice"])
    asked = request_export(format="csv", wanted=wanted, by=BY)
    asked.refresh_from_db()
    assert asked.requested_by == BY
    assert Wanted.from_json(asked.chosen) == wanted
    assert "asset" not in asked.chosen, "what was not asked for is not written down"


def test_the_book_for_beancount_passes_beancount(club: Club) -> None:
    from beancount import loader

    played(club)
    result = exported("beancount")
    entries, faults, _options = loader.load_file(str(recorded_file(result)))
    assert faults == [] and entries
    assert result.rows == 4


def test_no_name_and_no_note_leaves_the_site(club: Club) -> None:
    services.post(
        key="n",
        kind="issue",
        source="desk",
        postings=[services.Entry(club.mint, club.alice, 5)],
        note="for Mari",
    )
    for format in ("csv", "beancount"):
        assert "Mari" not in recorded_file(exported(format)).read_text()


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t=", "\r=", "\n=", " =", "＝"])
def test_a_cell_that_begins_like_a_formula_is_guarded(begin: str) -> None:
    text = f"{begin}HYPERLINK(1)"
    assert guard_cell(text) == f"'{text}"
    assert next(csv.reader(io.StringIO(csv_text([[text]]), newline=""))) == [f"'{text}"]


@pytest.mark.parametrize("text", ["", "table/1", "a=b", "1-2", "'quoted'", "Õie"])
def test_a_plain_cell_stays_as_it_is(text: str) -> None:
    assert guard_cell(text) == text


def test_numbers_are_not_guarded() -> None:
    assert csv_text([[-5, None, "-5"]]) == "-5,,'-5\r\n"


def test_a_source_that_is_a_formula_is_guarded_in_the_file(club: Club) -> None:
    entry = services.Entry(club.mint, club.alice, 5)
    services.post(key="=1+1", kind="@x", source="=cmd|' /C calc'!A0", postings=[entry])
    [row] = rows_of(exported())
    assert (row["key"], row["kind"], row["source"]) == ("'=1+1", "'@x", "'=cmd|' /C calc'!A0")


def test_nobody_rewrites_an_export_or_its_result(club: Club, site_role: As) -> None:
    exported()
    connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")
    for model in (Export, ExportResult):
        table = model._meta.db_table
        for sql in (
            f"UPDATE {table} SET {model._meta.pk.attname} = 7",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
        ):
            with pytest.raises(DatabaseError, match="refuses"), transaction.atomic():
                connection.cursor().execute(sql)
            with site_role(), pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
                connection.cursor().execute(sql)


def test_a_trigger_that_is_gone_is_found_by_verification(club: Club) -> None:
    connection.cursor().execute("ALTER TABLE ledger_export DISABLE TRIGGER append_only")
    report = verify(steps="a", record=False)
    assert report.fault is not None and report.fault.code == "guard_missing"
    assert "ledger_export" in report.fault.detail


@pytest.mark.parametrize(
    ("format", "wanted"),
    [
        ("pdf", Wanted()),
        ("csv", Wanted(since=timezone.now().date(), until=timezone.now().date() - timedelta(days=1))),
        ("csv", Wanted(source_prefix="a\0b")),
        ("csv", Wanted(account=0)),
        ("csv", Wanted(account=2**63)),
    ],
)
def test_what_cannot_be_exported_is_refused_and_not_recorded(db: None, format: str, wanted: Wanted) -> None:
    with pytest.raises(errors.BadExport):
        request_export(format=format, wanted=wanted, by=BY)
    assert not Export.objects.exists()


def test_an_export_is_made_once(club: Club) -> None:
    result = exported()
    before = recorded_file(result).stat().st_mtime_ns
    assert run_export(export=result.pk) is None
    assert recorded_file(result).stat().st_mtime_ns == before
    assert run_export(export=result.pk + 1) is None, "there is no such export"


def test_a_disk_that_refuses_is_the_result(club: Club, export_folder: Path) -> None:
    export_folder.write_text("a file where the folder should be")
    result = exported()
    assert result.error.startswith("The file cannot be written") and result.file == ""
    with pytest.raises(errors.ExportGone):
        recorded_file(result)


def test_an_error_while_writing_is_recorded_raised_and_leaves_no_file(
    club: Club, export_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(club)
    asked = request_export(format="csv", wanted=Wanted(), by=BY)
    monkeypatch.setitem(exported_postings.COLUMNS, "broken", "no_such_column")
    with pytest.raises(Exception, match="no_such_column"):
        run_export(export=asked.pk)
    assert "no_such_column" in ExportResult.objects.get(export=asked).error
    assert list(export_folder.iterdir()) == []


def test_a_file_that_was_changed_or_taken_away_is_not_given_out(club: Club) -> None:
    played(club)
    result = exported()
    path = recorded_file(result)
    path.write_text(path.read_text().replace("30", "31"))
    with pytest.raises(errors.ExportGone):
        recorded_file(result)
    path.unlink()
    with pytest.raises(errors.ExportGone):
        recorded_file(result)


def test_a_draft_that_was_not_kept_is_gone(tmp_path: Path) -> None:
    with Draft(tmp_path, "export-1") as draft:
        draft.write("half")
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_draft_that_was_left_behind_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "export-1.dead.part").write_text("half")
    (tmp_path / "export-12.dead.part").write_text("another export's")
    with Draft(tmp_path, "export-1") as draft:
        draft.write("whole")
        draft.keep("csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([draft.name, "export-12.dead.part"])


def test_progress_is_told_while_it_runs_and_forgotten_afterwards(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(club)
    monkeypatch.setattr(exported_postings, "STRIDE", 2)
    asked = request_export(format="csv", wanted=Wanted(), by=BY)
    seen: list[exports.Progress] = []
    told = exports._tell

    def listen(export: int, expected: int, rows: int) -> None:
        told(export, expected, rows)
        seen.append(progress_of(asked))

    assert not progress_of(asked).running
    monkeypatch.setattr(exports, "_tell", listen)
    assert run_export(export=asked.pk) is not None
    assert [progress.rows for progress in seen] == [2, 4]
    assert all(progress.running and 0 <= progress.percent < 100 for progress in seen)
    assert not progress_of(asked).running


@pytest.mark.committed(role="site")
def test_two_workers_make_one_file(committed_club: Club) -> None:
    """An export that was handed out twice: whoever comes second finds the first at it."""
    played(committed_club)
    asked = request_export(format="csv", wanted=Wanted(), by=BY)
    other = connections["default"].copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [exports.LOCK, asked.pk])
            assert run_export(export=asked.pk) is None
            cursor.execute("ROLLBACK")
    finally:
        other.close()
    assert run_export(export=asked.pk) is not None
    assert ExportResult.objects.count() == 1


@pytest.mark.committed(role="site")
def test_what_is_posted_while_the_file_is_written_is_not_half_in_it(
    committed_club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(committed_club)
    monkeypatch.setattr(exported_postings, "STRIDE", 1)
    told = exports._tell
    posted: list[int] = []

    def post_meanwhile(export: int, expected: int, rows: int) -> None:
        told(export, expected, rows)
        if not posted:
            other = connections["default"].copy()
            with other.cursor() as cursor:
                cursor.execute(
                    "SELECT transaction_id FROM ledger_post('late', sha256('late'), 'late', 'posted', 'late',"
                    " substring(sha256('salt') FOR 16), ARRAY[%s]::bigint[], ARRAY[%s]::bigint[], ARRAY[1]::bigint[])",
                    [committed_club.mint, committed_club.carol],
                )
                posted.append(cursor.fetchone()[0])
            other.close()

    monkeypatch.setattr(exports, "_tell", post_meanwhile)
    result = exported()
    assert posted and result.last_transaction is not None
    assert result.last_transaction < posted[0]
    assert "late" not in {row["kind"] for row in rows_of(result)}


@pytest.mark.committed(role="site")
def test_the_task_makes_the_file_as_the_site_logs_in(committed_club: Club) -> None:
    played(committed_club)
    asked = request_export(format="beancount", wanted=Wanted(), by=BY)
    export_book(asked.pk)
    assert recorded_file(ExportResult.objects.get(export=asked)).read_text().count("\n  id: ") == 4
