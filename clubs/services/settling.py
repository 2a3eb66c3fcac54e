"""A club itself: founding it, its name and terms."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs.errors import ClubRefusal
from clubs.models import Club, Membership, Role, User
from clubs.selectors import forget_memberships
from clubs.services.members import GOVERN, check_right, locked_club, write_down

TERMS = ("name", "slug", "description", "language", "joining", "listed", "welcomes_guests")
TAKEN = ("new",)
"""Addresses that pages of the site have."""

FOUNDERS_ROLES = [Role.OWNER.value, Role.ORGANISER.value, Role.TREASURER.value]
"""What a founder is until others take it over: somebody must give out the first chips."""


def found_club(*, club: Club, owner: User, name: str, language: str = "", **terms: Any) -> Club:
    """Found a club that is not founded yet, with ``owner`` as owner, organiser and treasurer.

    Raises ``ClubRefusal`` (``already_founded`` and the codes of ``set_terms``). Locks the club.
    """
    with locked_club(club.pk) as locked:
        if locked.founded_at is not None:
            raise ClubRefusal("already_founded")
        locked.founded_at = timezone.now()
        _apply(locked, {"name": name, "language": language, **terms})
        Membership.objects.update_or_create(
            club=locked,
            user=owner,
            defaults={"state": Membership.State.ACTIVE, "roles": FOUNDERS_ROLES},
        )
        forget_memberships(owner)
        write_down(locked, owner, "founded")
        return locked


@transaction.atomic
def make_club(*, owner: User, name: str, slug: str, **terms: Any) -> Club:
    """Make one more club on the site and found it. Raises ``ClubRefusal``: the codes of ``set_terms``."""
    _check_slug(slug)
    try:
        with transaction.atomic():
            made = Club.objects.create(slug=slug, name=name.strip() or "-")
    except IntegrityError as error:
        raise ClubRefusal("slug_taken") from error
    return found_club(club=made, owner=owner, name=name, **terms)


def set_terms(*, club: Club, by: User, **terms: Any) -> Club:
    """Change a club's name, address, description, language, or how open it is (``TERMS``).

    Raises ``ClubRefusal`` (``not_allowed``, ``bad_name``, ``bad_slug``, ``slug_taken``, ``bad_terms``). Locks the club.
    """
    with locked_club(club.pk) as locked:
        check_right(by, GOVERN, locked)
        before = {name: getattr(locked, name) for name in terms if name in TERMS}
        _apply(locked, terms)
        changed = sorted(name for name in before if before[name] != getattr(locked, name))
        if changed:
            write_down(locked, by, "terms", changed=changed)
        return locked


def _apply(club: Club, terms: dict[str, Any]) -> None:
    """Set terms, check them and write the row."""
    if not set(terms) <= set(TERMS):
        raise ClubRefusal("bad_terms")
    for name, value in terms.items():
        setattr(club, name, value.strip() if isinstance(value, str) else value)
    if not 1 <= len(club.name) <= 60 or not re.search(r"\w", club.name) or not club.name.isprintable():
        raise ClubRefusal("bad_name")
    _check_slug(club.slug)
    if (
        club.joining not in Club.Joining.values
        or len(club.description) > 2000
        or "\0" in club.description
        or club.language not in ("", *dict(settings.LANGUAGES))
    ):
        raise ClubRefusal("bad_terms")
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        raise ClubRefusal("slug_taken") from error


def _check_slug(slug: str) -> None:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", slug) or slug in TAKEN:
        raise ClubRefusal("bad_slug")
