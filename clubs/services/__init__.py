"""What is done with people and clubs: verbs with keyword-only arguments."""

from clubs.services.closing import (
    activate,
    deactivate,
    end_session,
    end_sessions,
    erase,
    reset_second_factor,
)
from clubs.services.exporting import all_about
from clubs.services.guests import create_guest, join_guest, sign_up
from clubs.services.naming import check_name, rename
from clubs.services.tokens import make_token, mark_bot, note_use, revoke_token

__all__ = [
    "activate",
    "all_about",
    "check_name",
    "create_guest",
    "deactivate",
    "end_session",
    "end_sessions",
    "erase",
    "join_guest",
    "make_token",
    "mark_bot",
    "note_use",
    "rename",
    "reset_second_factor",
    "revoke_token",
    "sign_up",
]
