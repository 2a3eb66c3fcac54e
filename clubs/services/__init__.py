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
    "rename",
    "reset_second_factor",
    "sign_up",
]
