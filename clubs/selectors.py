"""What can be read of people."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare

from clubs.models import User


def session_holds(session_key: str | None, user_id: int) -> bool:
    """Whether a session still exists and still signs in that very person, who is active and kept the password."""
    if not session_key:
        return False
    store: Any = import_module(settings.SESSION_ENGINE).SessionStore
    session = store(session_key)
    if str(session.get(SESSION_KEY, "")) != str(user_id):
        return False
    user = User.objects.filter(pk=user_id, is_active=True).first()
    return user is not None and constant_time_compare(
        session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()
    )
