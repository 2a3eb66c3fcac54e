"""Many players at once, from a file: every line is looked at before anything is written."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from clubs.models import User
from clubs.selectors import people_at
from tournaments.errors import EventRefusal
from tournaments.models import Entry
from tournaments.services.entering import check_room, enter
from tournaments.services.locked import LockedTournament, check_organiser, locked_tournament

MOST_LINES = 1_000


@dataclass(frozen=True)
class ImportLine:
    """What a line of a file would do: the player's name and new status, or why it is refused."""

    line: int
    name: str
    status: str = ""
    refused: EventRefusal | None = None


def import_entries(*, tournament_id: UUID, by: User, text: str) -> list[Entry]:
    """Enter everybody in a file of comma-separated values, all or nobody; returns the new entries.

    The first line names the columns ``name`` and/or ``username``; without such a line every line
    is a name. Raises what ``register_by_hand`` raises, ``bad_file`` and ``too_many_lines``; the refusal's
    detail names the line. Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    rows = _read_lines(text)
    with locked_tournament(tournament_id) as locked:
        check_room(locked, len(rows))
        entered = []
        for line, (username, name) in rows:
            try:
                entered.append(
                    enter(locked, by, user=_member(locked, username), name="" if username else name)
                )
            except EventRefusal as refusal:
                raise EventRefusal(refusal.code, f"line {line}: {username or name}") from refusal
        return entered


def preview_import(*, tournament_id: UUID, by: User, text: str) -> list[ImportLine]:
    """Return what ``import_entries`` would do with each line of a file; nothing is written.

    Raises ``EventRefusal`` (``not_organiser``, ``bad_file``, ``too_many_lines``, ``no_such_event``); what is wrong with a
    line stands in it. Takes the event's lock.
    """
    check_organiser(by, tournament_id)
    rows = _read_lines(text)
    with transaction.atomic():
        with locked_tournament(tournament_id) as locked:
            lines = [_try_line(locked, by, line, *who) for line, who in rows]
        transaction.set_rollback(True)
    return lines


def _try_line(locked: LockedTournament, by: User, line: int, username: str, name: str) -> ImportLine:
    """Enter one line's player and say how it went; after a refusal the lines before it still stand."""
    try:
        with transaction.atomic():
            entry = enter(locked, by, user=_member(locked, username), name="" if username else name)
    except EventRefusal as refusal:
        return ImportLine(line, username or name, refused=refusal)
    return ImportLine(line, entry.shown_name, status=entry.status)


def _member(locked: LockedTournament, username: str) -> User | None:
    if not username:
        return None
    found = people_at(locked.tournament.club).filter(username=username).first()
    if found is None:
        raise EventRefusal("bad_file", f"no member {username!r}")
    return found


def _read_lines(text: str) -> list[tuple[int, tuple[str, str]]]:
    """Return (line, (user name, name)) of every line that is not empty."""
    if "\x00" in text:
        raise EventRefusal("bad_file", "a NUL")
    try:
        lines = list(csv.reader(io.StringIO(text.lstrip("\ufeff")), strict=True))
    except csv.Error as error:
        raise EventRefusal("bad_file", str(error)) from error
    lines = [[cell.strip() for cell in line] for line in lines]
    if len(lines) > MOST_LINES:
        raise EventRefusal("too_many_lines")
    head = [cell.lower() for cell in lines[0]] if lines else []
    known = {name: head.index(name) for name in ("username", "name") if name in head}
    columns = known or {"name": 0}
    rows = []
    for number, line in enumerate(lines[1:] if known else lines, 2 if known else 1):
        if not any(line):
            continue
        cells = {name: line[at] if at < len(line) else "" for name, at in columns.items()}
        rows.append((number, (cells.get("username", ""), cells.get("name", ""))))
    if not rows:
        raise EventRefusal("bad_file", "no line names a player")
    return rows
