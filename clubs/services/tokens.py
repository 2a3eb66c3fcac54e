"""Making and revoking tokens of the API, and saying that an account is a program's."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Collection
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from clubs.errors.tokens import TokenRefusal
from clubs.models import ApiToken, Scope, User
from clubs.selectors.tokens import BEGINNING, PREFIX_CHARACTERS, hash_of

MOST_TOKENS = 10
LONGEST_DAYS = 365
USE_IS_NOTED = dt.timedelta(minutes=1)


class NewToken(NamedTuple):
    """A token that was just made, and its text, which nobody can read again."""

    token: ApiToken
    text: str


def make_token(*, user: User, name: str, scopes: Collection[str], days: int) -> NewToken:
    """Make a token that is valid for ``days`` days.

    Raises ``TokenRefusal`` (``guests_without_tokens``, ``bad_token_name``, ``bad_scopes``,
    ``bad_token_days``, ``too_many_tokens``). Locks the person's row, so that nobody makes too many at once.
    """
    name = " ".join(name.split())
    if user.is_guest:
        raise TokenRefusal("guests_without_tokens")
    if not 1 <= len(name) <= 60 or "\x00" in name:
        raise TokenRefusal("bad_token_name")
    if not scopes or not set(scopes) <= set(Scope.values):
        raise TokenRefusal("bad_scopes")
    if not 1 <= days <= LONGEST_DAYS:
        raise TokenRefusal("bad_token_days")
    prefix = secrets.token_hex(PREFIX_CHARACTERS // 2)
    text = f"{BEGINNING}{prefix}{secrets.token_urlsafe(32)}"
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        now = timezone.now()
        valid = ApiToken.objects.filter(user=user, revoked_at__isnull=True, expires_at__gt=now)
        if valid.count() >= MOST_TOKENS:
            raise TokenRefusal("too_many_tokens")
        token = ApiToken.objects.create(
            user=user,
            name=name,
            prefix=prefix,
            secret_hash=hash_of(text),
            scopes=[scope for scope in Scope.values if scope in scopes],
            expires_at=now + dt.timedelta(days=days),
        )
    return NewToken(token, text)


def revoke_token(*, token_id: int, user: User | None = None) -> None:
    """End a token now and for ever; its streams are closed. ``user`` is whose it must be (``None``: a keeper's act).

    Raises ``TokenRefusal("no_such_token")``.
    """
    with transaction.atomic():
        rows = ApiToken.objects.select_for_update().filter(pk=token_id, revoked_at__isnull=True)
        token = (rows if user is None else rows.filter(user=user)).first()
        if token is None:
            raise TokenRefusal("no_such_token")
        token.revoked_at = timezone.now()
        token.save(update_fields=["revoked_at"])


def note_use(*, token: ApiToken) -> None:
    """Keep when a token was last used, at most once a minute."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - USE_IS_NOTED:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def mark_bot(*, user: User, is_bot: bool) -> None:
    """Say whether a program plays with this account; everybody at its tables sees it.

    Raises ``TokenRefusal`` (``guests_without_tokens``).
    """
    if user.is_guest:
        raise TokenRefusal("guests_without_tokens")
    user.is_bot = is_bot
    user.save(update_fields=["is_bot"])
