"""Names: which may be taken, and the user names made from them."""

from __future__ import annotations

import re
import secrets
import unicodedata

from django.db import IntegrityError, transaction

from clubs.errors import PersonRefusal
from clubs.models import User
from clubs.rules.names import fault_of, key_of, tidy

MADE_NAMES = ("guest-", "erased-")
"""Beginnings of user names that the site itself makes."""


def check_name(*, name: str, of: User | None = None) -> str:
    """Return the name as it would be kept, if the person ``of`` (or a newcomer) may have it.

    Raises ``PersonRefusal`` (``name_empty``, ``name_too_long``, ``name_characters``, ``name_mixed``,
    ``name_guest``, ``name_taken``). Two who ask at once may both hear yes: the database has the last word.
    """
    name = tidy(name)
    if fault := fault_of(name):
        raise PersonRefusal(fault)
    others = User.objects.filter(name_key=key_of(name))
    if (others.exclude(pk=of.pk) if of and of.pk else others).exists():
        raise PersonRefusal("name_taken")
    return name


def rename(*, user: User, name: str) -> None:
    """Give a person another name for the tables. Raises what ``check_name`` raises."""
    user.display_name = check_name(name=name, of=user)
    save_named(user)


def save_named(user: User, *update_fields: str) -> None:
    """Save a person with a new name; who took a name at the same moment was first (``name_taken``)."""
    try:
        with transaction.atomic():
            user.save(update_fields=["display_name", *update_fields] if user.pk else None)
    except IntegrityError as error:
        if "user_name_once" not in str(error):
            raise
        raise PersonRefusal("name_taken") from error


def free_username(*, name: str) -> str:
    """Return a user name for signing in that nobody has: the name in plain letters, with a number if need be."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:30] or "player"
    if stem.startswith(MADE_NAMES):
        stem = f"player-{stem}"
    wanted = stem
    while User.objects.filter(username__iexact=wanted).exists():
        wanted = f"{stem}-{secrets.randbelow(9_000) + 1_000}"
    return wanted
