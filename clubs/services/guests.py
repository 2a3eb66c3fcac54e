"""People who play without an account."""

from __future__ import annotations

import secrets

from django.utils.translation import gettext as _

from clubs.models import User


def create_guest(*, language: str) -> User:
    """Create a person who plays without an account; the name can be changed and the progress claimed later."""
    token = secrets.token_hex(6)
    user = User(
        username=f"guest-{token}",
        display_name=_("Guest %(number)s") % {"number": int(token[:4], 16) % 9000 + 1000},
        is_guest=True,
        language=language,
    )
    user.set_unusable_password()
    user.save()
    return user
