"""Tokens of the API: whose a token is, and which tokens a person has."""

from __future__ import annotations

import hashlib

from django.utils import timezone
from django.utils.crypto import constant_time_compare

from clubs.models import ApiToken

BEGINNING = "club_"
"""Every token begins with this, so that whoever finds one knows what it is."""

PREFIX_CHARACTERS = 10


def hash_of(text: str) -> bytes:
    """Return what is kept of a token. It is drawn from 256 bits, so that one round of a hash keeps it secret."""
    return hashlib.sha256(text.encode()).digest()


def prefix_of(text: str) -> str:
    """Return the part of a token that names it; empty when the text cannot be a token."""
    beginning, found = text[: len(BEGINNING)], text[len(BEGINNING) :][:PREFIX_CHARACTERS]
    sound = beginning == BEGINNING and found.isascii() and found.isalnum()
    return found if sound and len(found) == PREFIX_CHARACTERS else ""


def valid_token(text: str) -> ApiToken | None:
    """Return the token that ``text`` is, with its person; ``None`` when it is unknown, over, revoked or its person's account closed.

    It is found by its first part and compared as a whole in constant time, so that
    how long an answer takes tells nothing of a secret.
    """
    prefix = prefix_of(text)
    token = ApiToken.objects.select_related("user").filter(prefix=prefix).first() if prefix else None
    kept = bytes(token.secret_hash) if token is not None else b""
    same = constant_time_compare(kept, hash_of(text[:200]))
    return token if token is not None and same and is_valid(token) else None


def is_valid(token: ApiToken) -> bool:
    """Whether a token may be used now."""
    user = token.user
    return (
        token.revoked_at is None
        and token.expires_at > timezone.now()
        and user.is_active
        and not user.is_guest
    )


def token_holds(*, token_id: int) -> bool:
    """Whether a token that was valid still is: what a stream asks from time to time."""
    token = ApiToken.objects.select_related("user").filter(pk=token_id).first()
    return token is not None and is_valid(token)


def tokens_of(user_id: int) -> list[ApiToken]:
    """Return a person's tokens, the newest first; those that are revoked are left out."""
    return list(ApiToken.objects.filter(user_id=user_id, revoked_at__isnull=True))
