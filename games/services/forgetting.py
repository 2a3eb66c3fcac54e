"""Forget what was said, and what was done about it, when its time has passed."""

from __future__ import annotations

import datetime as dt

from django.db.models import QuerySet

from games import selectors
from games.models import ChatLine, OrganiserAct, Report, Silence

CHAT_KEPT = dt.timedelta(days=90)
REPORTS_KEPT = dt.timedelta(days=365)
"""After a report was handled, a silence ended or an act was done. An open report is kept until it is handled."""
BATCH = 5000


def forget_chat() -> int:
    """Delete chat lines after 90 days, and reports, silences and acts after a year; returns how many rows went.

    Rows go in batches of their own, so that no lock is held for long and a run
    that is cut off has done what it has done.
    """
    now = selectors.clock()
    return (
        _delete(ChatLine.objects.filter(at__lt=now - CHAT_KEPT))
        + _delete(Report.objects.filter(state=Report.State.HANDLED, handled_at__lt=now - REPORTS_KEPT))
        + _delete(Silence.objects.filter(until__lt=now - REPORTS_KEPT))
        + _delete(OrganiserAct.objects.filter(at__lt=now - REPORTS_KEPT))
    )


def _delete(rows: QuerySet[ChatLine] | QuerySet[Report] | QuerySet[Silence] | QuerySet[OrganiserAct]) -> int:
    gone = 0
    while True:
        ids = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
        if not ids:
            return gone
        gone += rows.filter(pk__in=ids).delete()[1].get(rows.model._meta.label, 0)
