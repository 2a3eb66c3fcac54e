"""Tell the organisers of lines or of a deal. What was said is copied, so that the report outlives the chat."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from clubs.models import User
from games import selectors
from games.errors import TableRefusal
from games.models import ChatLine, Report, Seat
from games.models.chat import NOTE_CHARACTERS

REPORTS_A_DAY = 10
LINES_A_REPORT = 50


def report(
    *,
    table_id: UUID,
    reporter_id: int,
    reason: str,
    note: str = "",
    line_ids: Collection[int] = (),
    deal_number: int | None = None,
    seat: int | None = None,
) -> Report:
    """Report lines that the reporter may read, or a deal that is over, and return the report.

    Lines name the person; a report of a deal may name a ``seat``. Raises
    ``TableRefusal`` (``no_such_table``, ``no_such_line``, ``report_one_person``, ``report_many_lines``,
    ``not_yourself``, ``no_such_deal``, ``deal_running``, ``report_bad_person``,
    ``report_bad_reason``, ``report_long_note``, ``report_empty``,
    ``too_many_reports``).
    """
    note = note.strip()
    if reason not in Report.Reason.values:
        raise TableRefusal("report_bad_reason")
    if len(note) > NOTE_CHARACTERS:
        raise TableRefusal("report_long_note")
    if not line_ids and (deal_number is None or not note):
        raise TableRefusal("report_empty")
    if len(set(line_ids)) > LINES_A_REPORT:
        raise TableRefusal("report_many_lines")
    lines = _chosen_lines(table_id, reporter_id, line_ids)
    if deal_number is not None:
        selectors.ended_deal(table_id, deal_number)
    reported = lines[0].author_id if lines else _person_in(table_id, seat)
    if reported == reporter_id:
        raise TableRefusal("not_yourself")
    with transaction.atomic():
        _check_number(reporter_id)
        return Report.objects.create(
            reporter_id=reporter_id,
            reported_id=reported,
            table_id=table_id,
            deal_number=deal_number,
            reason=reason,
            note=note,
            evidence=[_copy(line) for line in lines],
        )


def _chosen_lines(table_id: UUID, reporter_id: int, line_ids: Collection[int]) -> Sequence[ChatLine]:
    readable = {line.pk: line for line in selectors.readable_lines(table_id, reporter_id, also=line_ids)}
    if not set(line_ids) <= set(readable):
        raise TableRefusal("no_such_line")
    lines = [readable[line_id] for line_id in sorted(set(line_ids))]
    if any(line.author_id is None for line in lines):
        raise TableRefusal("no_such_line")
    if len({line.author_id for line in lines}) > 1:
        raise TableRefusal("report_one_person")
    return lines


def _person_in(table_id: UUID, seat: int | None) -> int | None:
    """Return who holds a seat; ``None`` when no seat is named or a bot holds it."""
    if seat is None:
        return None
    held = Seat.objects.filter(table_id=table_id, number=seat).first()
    if held is None:
        raise TableRefusal("report_bad_person")
    return held.user_id


def _check_number(reporter_id: int) -> None:
    """Count under the person's lock, so that many requests at once do not slip through."""
    User.objects.select_for_update(no_key=True).get(pk=reporter_id)
    day = selectors.clock() - dt.timedelta(days=1)
    if Report.objects.filter(reporter_id=reporter_id, at__gt=day).count() >= REPORTS_A_DAY:
        raise TableRefusal("too_many_reports")


def _copy(line: ChatLine) -> dict[str, Any]:
    return {
        "id": line.pk,
        "room": line.room,
        "seat": line.seat,
        "author": line.author_id,
        "text": line.text,
        "phrase": line.phrase,
        "at": line.at.isoformat(),
    }
