"""The audit desk's front page: is everything in order, and what happened lately?"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ledger import selectors, services
from ledger.charts import bars
from ledger.models import Adjustment, Transaction
from ledger.services.leaves import snapshot
from ledger.services.pots import wrong_pots
from ledger.services.verifying import SEAL_LAG

DAYS = 30
WINDOWS = {"1": 1, "7": 7, "30": 30}
"""Days over which the top movers may be asked for."""

SLOW_SEAL_SECONDS = 60
"""Seals are made every ten seconds; a transaction that waits longer than this is worth a look."""


@require_safe
def dashboard(request: HttpRequest) -> HttpResponse:
    """Everything that must be in order, each with where to look; all numbers are of one moment."""
    if not request.user.has_perm("ledger.view_account"):
        raise PermissionDenied
    clubs = selectors.readable_clubs(request.user)
    with snapshot():
        context = {**_in_order(clubs), **_lately(request, clubs)}
    frame = admin.site.each_context(request)
    return TemplateResponse(
        request, "admin/ledger/dashboard.html", {**frame, "title": _("Audit desk"), **context}
    )


def _in_order(clubs: selectors.Clubs) -> dict[str, Any]:
    """What must be nothing: sums, suspense, wrong pots, waiting holds and requests; seals and checks."""
    trials = selectors.trial_balances(clubs)
    pots, compared = wrong_pots(clubs)
    lag = selectors.seal_lag()
    checks = selectors.last_checks()
    waiting = Adjustment.objects.filter(state=Adjustment.State.REQUESTED)
    held = any(trial.on_hold for trial in trials)
    return {
        "trials": trials,
        "unbalanced": [trial for trial in trials if trial.total],
        "pots": pots,
        "pots_compared": compared,
        "suspense": selectors.open_suspense(clubs) if any(trial.suspense for trial in trials) else [],
        "holds": _with_causes(selectors.newest_holds(clubs=clubs)) if held else [],
        "lag": lag,
        "lag_state": "bad"
        if lag.seconds > SEAL_LAG.total_seconds()
        else "slow"
        if lag.seconds > SLOW_SEAL_SECONDS
        else "good",
        "checks": checks,
        "requests": selectors.moving_chips_of(waiting, clubs, path="transaction").count(),
    }


def _with_causes(holds: list[Transaction]) -> list[tuple[Transaction, str]]:
    """Each hold with what set the chips aside, in words."""
    sources = {hold.source for hold in holds}
    words = selectors.sources_in_words(sources)
    words |= {source: link.label for source, link in services.links_of_sources(sources).items()}
    return [(hold, words[hold.source]) for hold in holds]


def _lately(request: HttpRequest, clubs: selectors.Clubs) -> dict[str, Any]:
    """Who moved most, and how many chips were out on each of the last days."""
    assets = list(selectors.assets_of(clubs))
    asset = next((each for each in assets if each.code == request.GET.get("asset")), None)
    asset = asset or (assets[0] if assets else None)
    window = WINDOWS.get(request.GET.get("days", ""), 1)
    movers = selectors.top_movers(timezone.now() - timedelta(days=window), clubs=clubs)
    names = selectors.names_of(mover.owner for mover in movers)
    by_id = {each.pk: each for each in assets}
    today = timezone.localdate()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    circulation = selectors.circulation(asset.pk, days) if asset else []
    return {
        "assets": assets,
        "asset": asset,
        "window": window,
        "windows": WINDOWS.values(),
        "movers": [(mover, names[mover.owner], by_id[mover.asset]) for mover in movers],
        "chart": bars(circulation),
        "circulation": list(reversed(circulation)),
    }
