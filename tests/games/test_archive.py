"""Logs that were moved into files: what people and programs are shown stays the same, and nothing is ever nowhere."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from clubs.models import User
from clubs.services.tokens import make_token
from games import selectors, services, stakes, tasks
from games.errors import TableRefusal
from games.models import ArchivedLog, ArchiveFile, Deal, DealStatistics, LogEntry, Table
from games.rules import GAMES
from games.selectors.archive import ArchiveUnreadable, _parsed, archive_folder, archived_log, manifest_of
from games.selectors.people import everything_about
from games.selectors.ratings import table_places
from games.services import archiving
from games.snapshots import TableSnapshot
from tests.games.archives import YEAR, age, archive
from tests.games.tables import member, open_table, play_one, start
from tests.games.test_commands import run
from tests.games.test_history import play_deals
from tests.games.test_stakes import club_chips, faults, rich_member, staked_table

pytestmark = pytest.mark.django_db
__all__ = ["club_chips"]


@pytest.fixture(autouse=True)
def place(settings: Any, tmp_path: Path) -> Path:
    settings.ARCHIVE_DIR = tmp_path / "archive"
    _parsed.cache_clear()
    return archive_folder()


def old_table(game: str, *, deals: int = 1, **options: Any) -> Table:
    table = open_table(game, **options)
    play_deals(table, deals)
    return age(table)


def seen_of(table: Table, user: User, token: str) -> dict[str, Any]:
    """Everything that pages, the API, the ledger and the services say of a table."""
    client = Client()
    client.force_login(user)
    program = Client(headers={"Authorization": f"Bearer {token}"})
    selectors.remembered.forget(table.pk)
    pages = ["", "log.json", "history/", "fair/", "fair/proofs.json"]
    numbers = list(Deal.objects.filter(table=table).values_list("number", flat=True))
    for number in numbers:
        kinds = ("", "steps.json", "steps.json?seat=1&hands=open", "record.json", "proof.json")
        pages += [f"deals/{number}/{kind}" for kind in kinds]
    told: dict[str, Any] = {}
    for page in pages:
        answer = client.get(f"/tables/{table.pk}/{page}")
        text = answer.content.decode()
        told[page] = (
            answer.status_code,
            re.sub(r'"now": \d+|csrfmiddlewaretoken" value="\w+|X-CSRFToken": "\w+', "", text),
        )
    for number in numbers:
        for kind in ("record", "proof"):
            address = f"/api/v1/tables/{table.pk}/deals/{number}/{kind}"
            told[address] = (program.get(address).status_code, program.get(address).content)
    sources = [stakes.source_of(table.pk, version) for version in range(table.version + 2)]
    return told | {
        "links": selectors.causes_of(sources),
        "export": everything_about(user),
        "log": [(e.version, e.deal_id, e.ply, e.move, e.by, e.events, e.at) for e in whole(table)],
        "checked": faults(table),
        "ratings": table_places([table.pk]),
        "resumed": [entry.version for entry in TableSnapshot(table.pk, since=3).log_since(3)],
        "counted": counted(),
    }


def whole(table: Table) -> list[LogEntry]:
    return selectors.whole_log(table.pk)


def counted() -> list[tuple[Any, ...]]:
    services.recount_deals()
    return sorted(DealStatistics.objects.values_list("game", "kind", "key", "count"))


# What people see ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(GAMES))
def test_nobody_is_shown_anything_else_once_a_log_is_in_a_file(game: str) -> None:
    mari = rich_member("mari")
    table = staked_table(game, mari)
    for _deal in range(2):
        start(table)
        play_out(table)
    age(table)
    token = make_token(user=mari, name="bot", scopes=["read"], days=1).text
    before = seen_of(table, mari, token)
    assert {status for page, (status, _text) in pages_of(before).items()} == {200}
    entries = LogEntry.objects.filter(table=table).count()

    made = archive()

    assert (made.files, made.tables, made.entries) == (1, 1, entries)
    assert not LogEntry.objects.filter(table=table).exists()
    assert seen_of(table, mari, token) == before
    # A page of a finished table still takes acts: what they write follows the archived part.
    following = services.play_again(table_id=table.pk, user_id=mari.pk, buy_in=table.buy_in_min)
    table.refresh_from_db()
    assert [entry.version for entry in whole(table)] == list(range(1, table.version + 1))
    assert str(following) in str(selectors.recent_events(table.pk, 1, until=table.version)[-1])
    assert archive().files == 0 and faults(table) == before["checked"] == []


def pages_of(told: dict[str, Any]) -> dict[str, tuple[int, str]]:
    return {page: answer for page, answer in told.items() if isinstance(answer, tuple)}


def play_out(table: Table) -> None:
    table.refresh_from_db()
    while table.status == Table.Status.PLAYING:
        play_one(table)
        table.refresh_from_db()


def test_whoever_may_not_see_a_deal_may_not_see_it_in_the_archive() -> None:
    """The club's door and the delay for watchers are asked of the table, which stays where it is."""
    table = old_table("three_card_loo")
    archive()
    before_the_end = timezone.now() - 2 * YEAR
    assert (
        selectors.proofs_of(table, most=5) and selectors.proofs_of(table, most=5, until=before_the_end) == []
    )
    pages = [f"/tables/{table.pk}/{page}" for page in ("deals/1/record.json", "deals/1/", "fair/proofs.json")]
    assert [Client().get(page).status_code for page in pages] == [200] * 3
    type(table.club).objects.filter(pk=table.club_id).update(welcomes_guests=False)
    assert [Client().get(page).status_code for page in pages] == [404] * 3


def test_replay_and_check_deal_read_a_deal_from_the_file_alone(
    place: Path, capsys: pytest.CaptureFixture[str], django_assert_num_queries: Any
) -> None:
    tables = [old_table("least_score", deals=2, threshold=25), old_table("three_card_loo", deals=2)]
    records = {table.pk: selectors.record_of(table, table.deals.get(number=2)) for table in tables}
    archive()
    file = str(place / ArchiveFile.objects.get().name)
    with django_assert_num_queries(0):
        for table in tables:
            code, out, err = run(capsys, "replay", file, "--deal", f"{table.pk}/2", "--json")
            assert (code, err) == (0, "")
            assert json.loads(out)["events"]
            assert run(capsys, "check_deal", file, "--deal", f"{table.pk}/1") == (0, "OK\n", "")
            assert run(capsys, "check_deal", file, "--deal", f"{table.pk}/2") == (0, "OK\n", "")
    assert {table.pk: selectors.record_of(table, table.deals.get(number=2)) for table in tables} == records
    wrong = [(f"{tables[0].pk}/9", "no deal 9"), ("x/1", "names no deal"), (f"{'0' * 36}/1", "not in this")]
    for deal, said in wrong:
        code, _out, err = run(capsys, "replay", file, "--deal", deal)
        assert code == 2 and said in err
    assert run(capsys, "check_deal", str(place / "none"), "--deal", f"{tables[0].pk}/1")[0] == 2


def test_a_file_names_nobody_and_has_no_seed_of_a_deal_that_was_never_dealt(place: Path) -> None:
    table = open_table("three_card_loo", member("mari.liis"))
    start(table)
    age(table)
    archive()
    text = gzip.decompress((place / ArchiveFile.objects.get().name).read_bytes()).decode()
    assert "mari" not in text
    assert selectors.seed_of(table, 1).hex() in text
    assert not any(seed in text for seed in (selectors.seed_of(table, 2).hex(), bytes(table.chain_end).hex()))


# What may go ----------------------------------------------------------------------------------------------------------


def test_only_what_has_been_over_for_long_and_is_counted_goes() -> None:
    running, young, uncounted, old = (open_table("three_card_loo") for _each in range(4))
    for table in (running, young, uncounted, old):
        play_deals(table, 1)
    age(young, by=dt.timedelta(days=20))
    age(old)
    age(uncounted)
    Deal.objects.filter(table=uncounted).update(counted=False)
    assert archive().tables == 1
    assert [log.table_id for log in ArchivedLog.objects.all()] == [old.pk]
    with pytest.raises(TableRefusal, match="archive_too_young"):
        services.archive_deals(before=timezone.now() - dt.timedelta(days=29))


def test_every_month_has_a_file_and_a_full_one_a_further_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiving, "TABLES_A_FILE", 1)
    first = dt.datetime(2025, 3, 31, 23, 59, tzinfo=dt.UTC)
    for moment in (first, first, first + dt.timedelta(minutes=2)):
        Table.objects.filter(pk=old_table("three_card_loo").pk).update(finished_at=moment)
    assert archive(most_files=2).files == 2 and archive().files == 1
    assert [file.name[:24] for file in ArchiveFile.objects.all()] == [
        "club-1/2025-03-0001-" + ArchiveFile.objects.all()[0].name[20:24],
        "club-1/2025-03-0002-" + ArchiveFile.objects.all()[1].name[20:24],
        "club-1/2025-04-0001-" + ArchiveFile.objects.all()[2].name[20:24],
    ]


def test_by_itself_nothing_is_moved_until_the_keeper_says_after_how_long(
    settings: Any, site_role: Any
) -> None:
    old_table("three_card_loo")
    tasks.archive_deals.run()
    assert not ArchiveFile.objects.exists()
    settings.ARCHIVE_AFTER_DAYS = 400
    tasks.archive_deals.run()
    assert not ArchiveFile.objects.exists()
    settings.ARCHIVE_AFTER_DAYS = 300
    with site_role():
        tasks.archive_deals.run()
    assert ArchiveFile.objects.get().tables == 1


def test_the_command_says_what_it_moved_and_what_it_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    old_table("three_card_loo")
    with pytest.raises(CommandError, match="30 days ago"):
        call_command("archive_deals", "--before", timezone.now().date().isoformat())
    with pytest.raises(CommandError, match="no day"):
        call_command("archive_deals", "--before", "spring")
    call_command("archive_deals", "--before", (timezone.now() - dt.timedelta(days=40)).date().isoformat())
    assert "The logs of 1 tables" in capsys.readouterr().out


# Crashes, and two at a time -------------------------------------------------------------------------------------------


class Crash(BaseException):
    """What nobody catches."""


@pytest.mark.parametrize(
    "step", ["_log_lines", "_sync", "_manifest", "_sync_folder", "_read_again", "_remove_rows", "after"]
)
def test_a_run_that_is_cut_off_leaves_the_rows_and_the_next_one_does_its_work(
    step: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = old_table("three_card_loo")
    before = [entry.version for entry in whole(table)]

    def crash(*_args: Any, **_named: Any) -> None:
        raise Crash

    remove = archiving._remove_rows
    with monkeypatch.context() as patch:
        if step == "after":
            patch.setattr(archiving, "_remove_rows", lambda file: (remove(file), crash()))
        else:
            patch.setattr(archiving, step, crash)
        with pytest.raises(Crash):
            archive()
    assert LogEntry.objects.filter(table=table).count() == len(before)
    assert not ArchiveFile.objects.exists() and not ArchivedLog.objects.exists()

    assert archive().tables == 1
    assert [entry.version for entry in whole(table)] == before
    left = sorted(path.name for path in place.rglob("*") if path.is_file())
    name = Path(ArchiveFile.objects.get().name).name
    assert left == [name, manifest_of(name)]
    assert archive().files == 0


def test_a_disk_that_keeps_something_else_removes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = old_table("three_card_loo")
    rows = LogEntry.objects.filter(table=table).count()
    compress = gzip.compress
    monkeypatch.setattr(
        archiving.gzip, "compress", lambda data, **named: compress(data.replace(b'"by"', b'"By"'), **named)
    )
    with pytest.raises(ArchiveUnreadable, match="not what was written"):
        archive()
    assert LogEntry.objects.filter(table=table).count() == rows


def test_two_runs_at_once_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    old_table("three_card_loo")
    described = connection.get_connection_params()
    wanted = ("host", "port", "user", "password", "dbname")
    with psycopg.connect(**{key: described[key] for key in wanted if described.get(key)}) as other:
        other.execute("SELECT pg_advisory_xact_lock(%s)", [archiving.ARCHIVING_LOCK])
        with pytest.raises(TableRefusal, match="archive_busy"):
            archive()
    assert archive().tables == 1


# The database lets nothing go that is in no file ----------------------------------------------------------------------


def refused(statement: str, params: list[Any] | None = None) -> str:
    """Return what the database says to a statement, which it must refuse."""
    with pytest.raises(DatabaseError) as error, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, params)
    return str(error.value)


def test_a_log_cannot_be_taken_away_or_rewritten(site_role: Any) -> None:
    archived, kept = old_table("three_card_loo"), old_table("three_card_loo")
    Table.objects.filter(pk=kept.pk).update(finished_at=timezone.now())
    archive()
    assert "in no archive" in refused("DELETE FROM games_logentry WHERE table_id = %s", [kept.pk])
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert "refuses TRUNCATE" in refused("TRUNCATE games_logentry")
    for table in ("games_archivefile", "games_archivedlog"):
        assert "refuses DELETE" in refused(f"DELETE FROM {table}")
        assert "refuses UPDATE" in refused(f"UPDATE {table} SET entries = 1")
    with site_role():
        statements = ("DELETE FROM {}", "UPDATE {} SET id = id", "TRUNCATE {}")
        for statement in statements:
            assert "permission denied" in refused(statement.format("games_logentry"))
        assert "permission denied" in refused("DELETE FROM games_archivedlog")
        assert archived_log(archived.pk) and whole(kept)


@pytest.mark.parametrize("wrong", ["digest", "entries", "young", "running"])
def test_the_function_removes_only_what_the_recorded_digest_proves(wrong: str, site_role: Any) -> None:
    """Whoever takes over the web process can call it, and must say exactly what is in an old log first."""
    table = old_table("three_card_loo")
    if wrong == "young":
        Table.objects.filter(pk=table.pk).update(finished_at=timezone.now() - dt.timedelta(days=29))
    if wrong == "running":
        Table.objects.filter(pk=table.pk).update(status=Table.Status.BETWEEN)
    lines = archiving._log_lines(table)
    with site_role():
        file = ArchiveFile.objects.create(
            club=table.club, month=dt.date(2025, 1, 1), part=1, name="x", size=1, sha256=b"x" * 32,
            manifest_sha256=b"x" * 32, tables=1, entries=1,
        )  # fmt: skip
        log = archiving._located(table, lines, 0, 1)
        log.file = file
        if wrong == "digest":
            log.sha256 = b"x" * 32
        log.entries += wrong == "entries"
        log.save(force_insert=True)
        said = refused("SELECT games_remove_archived(%s)", [file.pk])
    assert "it stays" in said or "its log stays" in said
    assert len(whole(table)) == len(lines)


# Files that are not what they were ------------------------------------------------------------------------------------


def changed(content: bytes, how: str) -> bytes:
    """Return a file in which somebody changed something and packed it up again."""
    lines = gzip.decompress(content).split(b"\n")
    if how == "a row removed":
        del lines[3]
    elif how == "rows in another order":
        lines[3], lines[4] = lines[4], lines[3]
    else:
        place = next(number for number, line in enumerate(lines) if number and b'"amount": 3' in line)
        lines[place] = lines[place].replace(b'"amount": 3', b'"amount": 4')
    return gzip.compress(b"\n".join(lines), mtime=0)


@pytest.mark.parametrize(
    "how", ["an amount", "a row removed", "rows in another order", "cut off", "gone", "its manifest"]
)
def test_a_file_that_was_changed_is_named_and_not_believed(
    how: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = old_table("three_card_loo")
    deal = table.deals.get(number=1)
    archive()
    file = ArchiveFile.objects.get()
    path, manifest = place / file.name, place / manifest_of(file.name)
    assert run(capsys, "archive_deals", "--check") == (0, "1 files are as they were recorded.\n", "")
    if how == "gone":
        path.unlink()
    elif how == "cut off":
        path.write_bytes(path.read_bytes()[:-20])
    elif how == "its manifest":
        manifest.write_bytes(manifest.read_bytes().replace(b'"entries": ', b'"entries": 1'))
    else:
        path.write_bytes(changed(path.read_bytes(), how))
    code, _out, err = run(capsys, "archive_deals", "--check")
    said = "cannot be read" if how == "gone" else "not the file that was recorded"
    assert code == 1 and said in err
    if how != "its manifest":
        with pytest.raises(ArchiveUnreadable):
            selectors.record_of(table, deal)
