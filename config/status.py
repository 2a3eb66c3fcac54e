"""The keeper's page: what the doctor finds now, and the last hour as charts. For superusers alone."""

from __future__ import annotations

import datetime as dt
import time

import redis
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import pulse, samples
from config.doctor import FAILURE, examine
from config.redis_line import line
from config.status_charts import BASE, HEIGHT, KINDS, MINUTES, WIDTH, Chart, chart


@never_cache
@require_safe
@login_required
def status(request: HttpRequest) -> HttpResponse:
    """Show how the site is."""
    if not request.user.is_superuser:
        raise PermissionDenied
    report = examine()
    findings = [each for found in report.findings.values() for each in found]
    findings.sort(key=lambda each: each.level != FAILURE)
    context = {
        # Every second part of what is to be done is a command.
        "findings": [(each, each.do.split("`")) for each in findings],
        "checks": len(report.findings),
        "left_out": report.left_out,
        "charts": _charts(),
        "processes": _processes(),
        "size": {"width": WIDTH, "height": HEIGHT, "base": BASE},
    }
    return render(request, "config/status.html", context)


def _charts() -> list[tuple[Chart, list[tuple[dt.datetime, float | None, float | None]]]]:
    """Return every chart with its table's rows; none while Redis is away, which is a finding above them."""
    try:
        minutes = samples.minutes(MINUTES)
    except redis.RedisError:
        return []
    drawn = [chart(name, minutes, until=time.time()) for name in KINDS]
    return [(each, [(_moment(row.at), row.mean, row.most) for row in each.rows]) for each in drawn]


def _moment(seconds: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, tz=timezone.get_current_timezone())


def _processes() -> list[pulse.Pulse]:
    try:
        return pulse.living(line())
    except redis.RedisError:
        return []
