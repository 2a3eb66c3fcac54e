"""What organisers do about people and lines. Every act is written down: who, when, why."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from clubs.models import User
from games import selectors
from games.broadcast import announce_news_after_commit
from games.errors import TableRefusal
from games.models import ChatLine, OrganiserAct, Report, Silence, Table
from games.models.chat import NOTE_CHARACTERS

RIGHT = "games.handle_reports"
DURATIONS = {
    1: _("an hour"),
    24: _("a day"),
    24 * 7: _("a week"),
    24 * 30: _("30 days"),
    24 * 365: _("a year"),
}
"""For how long somebody can be silenced, in hours and in words."""


def silence(*, organiser: User, report_id: int, hours: int, why: str, everywhere: bool = False) -> Silence:
    """Silence the person whom a report is about, at its table or everywhere; an open report is handled by it.

    Raises ``TableRefusal`` (``not_organiser``, ``reason_missing``,
    ``bad_duration``, ``no_such_report``, ``nobody_to_silence``).
    """
    why = _reason(organiser, why)
    if hours not in DURATIONS:
        raise TableRefusal("bad_duration")
    with transaction.atomic():
        report = _locked_report(organiser, report_id)
        if report.reported is None:
            raise TableRefusal("nobody_to_silence")
        now = selectors.clock()
        made = Silence.objects.create(
            club_id=report.table.club_id,
            user=report.reported,
            table=None if everywhere else report.table,
            until=now + dt.timedelta(hours=hours),
            by=organiser,
            why=why,
        )
        if report.state == Report.State.OPEN:
            _handle(report, organiser, Report.Decision.SILENCED, why, now)
        _write_down(OrganiserAct.Kind.SILENCE, organiser, why, report=report, table=made.table)
        return made


def dismiss_report(*, organiser: User, report_id: int, why: str) -> None:
    """Handle an open report without doing anything about the person.

    Raises ``TableRefusal`` (``not_organiser``, ``reason_missing``,
    ``no_such_report``, ``report_handled``).
    """
    why = _reason(organiser, why)
    with transaction.atomic():
        report = _locked_report(organiser, report_id)
        if report.state != Report.State.OPEN:
            raise TableRefusal("report_handled")
        _handle(report, organiser, Report.Decision.DISMISSED, why, selectors.clock())
        _write_down(OrganiserAct.Kind.DISMISS, organiser, why, report=report, table=report.table)


def hide_reported_lines(*, organiser: User, report_id: int, why: str) -> int:
    """Take the reported lines out of the chat for everybody and return how many were still there to hide.

    The report keeps its copies. Raises ``TableRefusal`` (``not_organiser``,
    ``reason_missing``, ``no_such_report``, ``no_such_line`` when none is left).
    """
    why = _reason(organiser, why)
    with transaction.atomic():
        report = _locked_report(organiser, report_id)
        ids = [copied["id"] for copied in report.evidence]
        lines = ChatLine.objects.filter(pk__in=ids, table=report.table, hidden_at__isnull=True)
        hidden = lines.update(hidden_at=selectors.clock(), hidden_by=organiser)
        if not hidden:
            raise TableRefusal("no_such_line")
        _write_down(OrganiserAct.Kind.HIDE, organiser, why, report=report, table=report.table)
        announce_news_after_commit(report.table_id, {"kind": "chat", "again": None})
        return hidden


def lift_silence(*, organiser: User, silence_id: int, why: str) -> None:
    """Let a person write again before the time.

    Raises ``TableRefusal`` (``not_organiser``, ``reason_missing``,
    ``no_such_silence``, ``not_yourself``).
    """
    why = _reason(organiser, why)
    with transaction.atomic():
        now = selectors.clock()
        running = Silence.objects.select_for_update().filter(until__gt=now, lifted_at__isnull=True)
        found = running.filter(pk=silence_id).first()
        if found is None or not organiser.has_perm(RIGHT, found):
            raise TableRefusal("no_such_silence")
        if found.user_id == organiser.pk:
            raise TableRefusal("not_yourself")
        found.lifted_at = now
        found.save(update_fields=["lifted_at"])
        OrganiserAct.objects.create(
            club_id=found.club_id,
            by=organiser,
            kind=OrganiserAct.Kind.LIFT,
            person_id=found.user_id,
            table=found.table,
            why=why,
        )


def _reason(organiser: User, why: str) -> str:
    """Return the reason; whether the person organises in that very club is asked when the row is found."""
    if not organiser.has_perm(RIGHT):
        raise TableRefusal("not_organiser")
    why = why.strip()
    if not why or len(why) > NOTE_CHARACTERS:
        raise TableRefusal("reason_missing")
    return why


def _locked_report(organiser: User, report_id: int) -> Report:
    """Return the report with its row locked; raises ``TableRefusal("no_such_report")``."""
    selectors.report_for(organiser, report_id)
    return (
        Report.objects.select_for_update(of=("self",)).select_related("reported", "table").get(pk=report_id)
    )


def _handle(report: Report, organiser: User, decision: Report.Decision, why: str, now: dt.datetime) -> None:
    report.state = Report.State.HANDLED
    report.handled_by = organiser
    report.handled_at = now
    report.decision = decision
    report.decision_note = why
    report.save(update_fields=["state", "handled_by", "handled_at", "decision", "decision_note"])


def _write_down(
    kind: OrganiserAct.Kind, organiser: User, why: str, *, report: Report, table: Table | None
) -> None:
    OrganiserAct.objects.create(
        club_id=report.table.club_id,
        by=organiser,
        kind=kind,
        person=report.reported,
        table=table,
        report=report,
        why=why,
    )
