"""What players of events are told, in words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

About = Mapping[str, Any]


def _coming(about: About) -> str:
    at = timezone.localtime(dt.datetime.fromisoformat(about["at"]))
    return _("%(event)s is coming up: %(when)s.") % {
        "event": about["event"],
        "when": date_format(at, "SHORT_DATETIME_FORMAT"),
    }


def _check_in(about: About) -> str:
    return _("Check-in for %(event)s is open: say that you are there.") % about


def _moved_up(about: About) -> str:
    return _("A place at %(event)s is free, and it is yours now.") % about


def _drawn(about: About) -> str:
    return _("%(event)s, round %(round)d: you sit at table %(table)d.") % about


def _called_off(about: About) -> str:
    return _("%(event)s is cancelled.") % about


TOLD: dict[str, tuple[str | Promise, Callable[[About], str]]] = {
    "event_soon": (_l("A tournament of mine comes up"), _coming),
    "check_in": (_l("Check-in is open"), _check_in),
    "moved_up": (_l("A place from the waiting list"), _moved_up),
    "drawn": (_l("My table is drawn"), _drawn),
    "called_off": (_l("A tournament of mine is cancelled"), _called_off),
}
"""By kind of notice: what the kind is called, and its sentence."""
