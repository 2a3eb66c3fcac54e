"""Whether a session still signs a person in."""

from __future__ import annotations

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.utils.crypto import constant_time_compare

from clubs.models import User

SESSION = """
    SELECT s.session_data, u.password FROM django_session s, clubs_user u
    WHERE s.session_key = %s AND s.expire_date > clock_timestamp() AND u.id = %s AND u.is_active
"""
"""Asked before every command at a table, so in one question and without Django's query compiler."""


def session_holds(session_key: str | None, user_id: int) -> bool:
    """Whether a session still exists and still signs in that very person, who is active and kept the password."""
    if not session_key:
        return False
    with connection.cursor() as cursor:
        cursor.execute(SESSION, [session_key, user_id])
        return signs_in(cursor.fetchone(), user_id)


def signs_in(found: tuple[str, str] | None, user_id: int) -> bool:
    """Whether the row of ``SESSION`` (``None``: there was none) signs that person in."""
    if found is None:
        return False
    session, password = SessionStore().decode(found[0]), found[1]
    return str(session.get(SESSION_KEY, "")) == str(user_id) and constant_time_compare(
        session.get(HASH_SESSION_KEY, ""), User(password=password).get_session_auth_hash()
    )
