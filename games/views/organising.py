"""Pages of the organisers: reports with their evidence, what can be done about them, and what was done."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import User
from clubs.views.asking import club_of
from games import selectors, services
from games.errors import TableRefusal
from games.models import Report
from games.services.organising import DURATIONS, RIGHT
from games.views.addresses import whole

PAGE_SIZE = 50


def organisers_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let signed-in organisers of the club in, and tell other members that the page is not theirs."""

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.has_perm(RIGHT, club_of(request)):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return login_required(answer)


@organisers_only
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """The open reports, the oldest first, or with ``?state=handled`` the others, the latest first."""
    handled = request.GET.get("state") == "handled"
    found = selectors.reports_for(_organiser(request)).filter(table__club=club_of(request))
    if handled:
        found = found.filter(state=Report.State.HANDLED)
    else:
        found = found.filter(state=Report.State.OPEN).order_by("id")
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"page": page, "handled": handled, "silences": selectors.silences_now(club_of(request))}
    return render(request, "games/reports.html", context)


@organisers_only
@require_safe
def one_report(request: HttpRequest, report_id: int) -> HttpResponse:
    """One report with its evidence and what can be done about it."""
    try:
        report = selectors.report_for(_organiser(request), report_id)
    except TableRefusal as refusal:
        raise Http404(refusal.message) from refusal
    context = {
        "report": report,
        "evidence": selectors.evidence_of(report),
        "acts": report.acts.select_related("by"),
        "durations": DURATIONS.items(),
    }
    return render(request, "games/one_report.html", context)


@organisers_only
@require_POST
def silence(request: HttpRequest, report_id: int) -> HttpResponse:
    """Silence the person whom the report is about."""

    def act() -> str:
        services.silence(
            organiser=_organiser(request),
            report_id=report_id,
            hours=whole(request.POST.get("hours", "")),
            why=request.POST.get("why", ""),
            everywhere=request.POST.get("where") == "everywhere",
        )
        return _("The person was silenced.")

    return _acted(request, act, "games:one_report", report_id)


@organisers_only
@require_POST
def dismiss_report(request: HttpRequest, report_id: int) -> HttpResponse:
    """Close a report without doing anything about the person."""

    def act() -> str:
        why = request.POST.get("why", "")
        services.dismiss_report(organiser=_organiser(request), report_id=report_id, why=why)
        return _("The report was dismissed.")

    return _acted(request, act, "games:one_report", report_id)


@organisers_only
@require_POST
def hide_lines(request: HttpRequest, report_id: int) -> HttpResponse:
    """Take the reported lines out of the chat."""

    def act() -> str:
        why = request.POST.get("why", "")
        count = services.hide_reported_lines(organiser=_organiser(request), report_id=report_id, why=why)
        return ngettext("%(count)d line was hidden.", "%(count)d lines were hidden.", count) % {
            "count": count
        }

    return _acted(request, act, "games:one_report", report_id)


@organisers_only
@require_POST
def lift_silence(request: HttpRequest, silence_id: int) -> HttpResponse:
    """Let a person write again."""

    def act() -> str:
        why = request.POST.get("why", "")
        services.lift_silence(organiser=_organiser(request), silence_id=silence_id, why=why)
        return _("The person may write again.")

    return _acted(request, act, "games:reports")


@organisers_only
@require_safe
def organiser_acts(request: HttpRequest) -> HttpResponse:
    """What organisers did: who, when, why."""
    return render(request, "games/organiser_acts.html", {"acts": selectors.organiser_acts(club_of(request))})


def _acted(request: HttpRequest, act: Callable[[], str], name: str, *args: object) -> HttpResponse:
    """Do something and go back to the page ``name``, with what was done or why it was refused."""
    try:
        messages.success(request, act())
    except TableRefusal as refusal:
        messages.error(request, refusal.message)
    return redirect(name, *args)


def _organiser(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # organisers_only lets nobody else in
    return request.user
