"""What people type to choose from the book, and what it becomes: kinds, members, sources, days."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger import selectors
from ledger.services.sources import prefix_of
from ledger.wording import kind_name

MOST_MEMBERS = 50
"""Members that part of a name may fit, so that their accounts are few."""


class KindField(forms.ChoiceField):
    """A kind of transaction that the book has, by its name."""

    def __init__(self) -> None:
        super().__init__(label=_("Kind"), required=False, choices=_kinds)


def _kinds() -> list[tuple[str, str]]:
    return [("", gettext("all")), *((kind, kind_name(kind)) for kind in selectors.kinds_in_use())]


class MemberField(forms.CharField):
    """Part of a member's name, or an owner id; becomes the owner ids that fit.

    ``clubs`` are those of whose people the reader may know, ``None`` for all.
    """

    clubs: selectors.Clubs = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=_("Member"), required=False, max_length=80, **kwargs)

    def clean(self, value: Any) -> Any:
        """Owner ids of the people who are called so, ``None`` when nobody is named."""
        text = super().clean(value)
        if not text:
            return None
        found = selectors.owners_called(text, most=MOST_MEMBERS + 1, clubs=self.clubs)
        if len(found) > MOST_MEMBERS:
            raise forms.ValidationError(
                _("More than %(most)s members fit. Write more of the name.") % {"most": MOST_MEMBERS}
            )
        return found


class SourceField(forms.CharField):
    """A table's or tournament's id, or how a source begins; becomes the beginning of sources."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=_("Table or tournament"), required=False, max_length=200, **kwargs)

    def clean(self, value: Any) -> str:
        """The beginning that all sources of it share, empty when none is named."""
        text = super().clean(value)
        return prefix_of(text) if text else ""


class DayField(forms.DateField):
    """A day, picked from a calendar; of years whose ends every time zone can write."""

    YEARS = (1970, 2999)

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def clean(self, value: Any) -> Any:
        """The day, or None."""
        day = super().clean(value)
        first, last = self.YEARS
        if day is not None and not first <= day.year <= last:
            raise forms.ValidationError(
                _("Choose a day of the years %(first)s to %(last)s.") % {"first": first, "last": last}
            )
        return day


def span(chosen: dict[str, Any]) -> tuple[dt.datetime | None, dt.datetime | None]:
    """The moments between which the days ``since`` and ``until`` lie, both included."""
    until = chosen.get("until")
    return _midnight(chosen.get("since")), _midnight(until + dt.timedelta(days=1) if until else None)


def _midnight(day: dt.date | None) -> dt.datetime | None:
    return None if day is None else timezone.make_aware(dt.datetime.combine(day, dt.time.min))
