"""Which part of the book a person may read: the chips of the clubs where the person has the right."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from clubs.models import Club
from clubs.selectors import clubs_where
from ledger.models import Asset, Posting

LOOKING = "ledger.view_account"

Clubs = Collection[int] | None
"""Ids of clubs; ``None`` for the whole book, which then costs nothing to restrict."""


def readable_clubs(person: Any, right: str = LOOKING) -> Clubs:
    """Return the clubs whose book a person may read, ``None`` when these are all the clubs of the site."""
    clubs = clubs_where(person, right)
    if clubs and not Club.objects.exclude(pk__in=clubs).exists():
        return None
    return clubs


def assets_of(clubs: Clubs) -> QuerySet[Asset]:
    """Return the assets of some clubs by their codes."""
    assets = Asset.objects.order_by("code")
    return assets if clubs is None else assets.filter(club__in=clubs)


def moving_chips_of(transactions: QuerySet[Any], clubs: Clubs, *, path: str = "pk") -> QuerySet[Any]:
    """Return the rows whose transaction (found by ``path``) moved chips of some clubs; one probe of an index a row."""
    if clubs is None:
        return transactions
    assets = list(assets_of(clubs).values_list("pk", flat=True))
    moved = Posting.objects.filter(transaction=OuterRef(path), asset__in=assets)
    return transactions.filter(Exists(moved))
