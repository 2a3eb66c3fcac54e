"""A new site becomes a club's: whoever has the key that the server printed founds the club and keeps the site."""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.utils.text import slugify

from clubs.errors import ClubRefusal
from clubs.models import FIRST_CLUB, Club, Membership, User
from clubs.services.closing import deactivate
from clubs.services.guests import sign_up
from clubs.services.settling import TAKEN, found_club, make_club

DEMO_SLUG = "demo"
"""The address of the club to try the site with."""


def key_file() -> Path:
    """Where the key is while the site waits for its founder; whoever can read the file may found the club."""
    return Path(settings.VAR_DIR) / "founding_key"


def may_be_founded() -> bool:
    """Whether the site has no club of its own yet: none but the one to try it with."""
    return not Club.objects.filter(founded_at__isnull=False).exclude(slug=DEMO_SLUG).exists()


def founding_waits() -> bool:
    """Whether a founder is waited for: the key is there, and the site has no club of its own."""
    return key_file().exists() and may_be_founded()


def founding_key() -> str:
    """Return the key with which the club can be founded, made when first asked for; empty when it is founded."""
    if not may_be_founded():
        return ""
    path = key_file()
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(24))
    return path.read_text().strip()


def check_key(key: str) -> None:
    """Raise ``ClubRefusal`` (``already_founded``, ``bad_key``) unless the key founds the club."""
    if not founding_waits():
        raise ClubRefusal("already_founded")
    if not hmac.compare_digest(key.encode(), founding_key().encode()):
        raise ClubRefusal("bad_key")


@transaction.atomic
def found_site(
    *, key: str, club: str, language: str, name: str, email: str, password: str
) -> tuple[Club, User]:
    """Found the site's own club with its owner, who keeps the site too; the club to try it with is put away.

    Raises ``ClubRefusal`` (``bad_key``, ``already_founded``, ``bad_name``), ``PersonRefusal`` for the owner's name and
    Django's ``ValidationError`` for the password. Locks the first club's row: of two founders one is refused.
    """
    Club.objects.select_for_update(no_key=True).get(pk=FIRST_CLUB)
    check_key(key)
    owner = sign_up(guest=None, name=name, email=email, password=password, language=language)
    validate_password(password, owner)
    owner.is_staff = owner.is_superuser = True
    owner.save(update_fields=["is_staff", "is_superuser"])
    EmailAddress.objects.create(user=owner, email=email, primary=True, verified=False)
    first = Club.objects.get(pk=FIRST_CLUB)
    terms = {"name": club, "slug": _free_slug(club), "language": language}
    if first.founded_at is None:
        made = found_club(club=first, owner=owner, **terms)
    else:
        made = make_club(owner=owner, **terms)
        put_demo_away()
    transaction.on_commit(lambda: key_file().unlink(missing_ok=True))
    return made, owner


def put_demo_away() -> None:
    """Close the club to try the site with: nobody sees it, and its people, whose password was printed, sign in no more."""
    demo = Club.objects.filter(slug=DEMO_SLUG)
    demo.update(listed=False, welcomes_guests=False, joining=Club.Joining.CLOSED)
    for user in User.objects.filter(memberships__club__in=demo, is_active=True):
        if not Membership.objects.filter(user=user).exclude(club__in=demo).exists():
            User.objects.filter(pk=user.pk).update(is_staff=False, is_superuser=False)
            user.refresh_from_db()
            deactivate(user=user)


def _free_slug(name: str) -> str:
    """Return an address made of a name that no club has."""
    plain = slugify(name)[:30].strip("-") or "club"
    numbers = (plain if number == 1 else f"{plain}-{number}" for number in range(1, 1000))
    others = set(Club.objects.exclude(pk=FIRST_CLUB).values_list("slug", flat=True)) | {*TAKEN, DEMO_SLUG}
    return next(slug for slug in numbers if slug not in others)
