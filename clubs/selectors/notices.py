"""What can be read of notices: a person's list, how many are new, which things are still open."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from clubs.models import Notice, NoticeSettings
from clubs.selectors.kinds import is_kind, kind_of

SHOWN = 100
"""Notices on the page, the newest; the bell counts no further."""


@dataclass(frozen=True)
class Told:
    """A notice in words of the active language."""

    notice: Notice
    sentence: str


def unread_of(user_id: int) -> QuerySet[Notice]:
    """Return what a person was told on the site and has not read."""
    return Notice.objects.filter(user=user_id, on_site=True, read_at=None)


def notices_of(user_id: int) -> list[Told]:
    """Return what a person was told on the site, the newest first."""
    rows = Notice.objects.filter(user=user_id, on_site=True).select_related("club")
    return list(in_words(rows[:SHOWN]))


def in_words(notices: Collection[Notice] | QuerySet[Notice]) -> Iterator[Told]:
    """Put notices into the active language; those of a kind that was given up are left out."""
    for notice in notices:
        if is_kind(notice.kind):
            yield Told(notice, kind_of(notice.kind).sentence(notice.about))


def open_keys(kind: str) -> set[str]:
    """Return the keys of all notices of a kind that nobody has read and nothing has ended."""
    found = Notice.objects.filter(kind=kind, read_at=None)
    return set(found.order_by().values_list("key", flat=True).distinct())


def keys_told(keys: Collection[str]) -> set[str]:
    """Return those of the keys that somebody was told of already."""
    return set(Notice.objects.filter(key__in=keys).order_by().values_list("key", flat=True))


def notice_settings_of(user_id: int) -> NoticeSettings:
    """Return how a person wants to be told: what was chosen, else the row that would be made."""
    return NoticeSettings.objects.filter(user=user_id).first() or NoticeSettings(user_id=user_id)
