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
from clubs.services.founding import DEMO_SLUG, found_site, founding_key, founding_waits
from clubs.services.guests import create_guest, join_guest, sign_up
from clubs.services.invitations import find_invitation, invite, redeem, revoke, token_of
from clubs.services.members import ban, join_club, leave_club, lift_ban, set_roles
from clubs.services.naming import check_name, rename
from clubs.services.requests import ask_to_join, decide_request, withdraw_request
from clubs.services.settling import found_club, make_club, set_terms
from clubs.services.tokens import make_token, mark_bot, note_use, revoke_token

__all__ = [
    "DEMO_SLUG",
    "activate",
    "all_about",
    "ask_to_join",
    "ban",
    "check_name",
    "create_guest",
    "deactivate",
    "decide_request",
    "end_session",
    "end_sessions",
    "erase",
    "find_invitation",
    "found_club",
    "found_site",
    "founding_key",
    "founding_waits",
    "invite",
    "join_club",
    "join_guest",
    "leave_club",
    "lift_ban",
    "make_club",
    "make_token",
    "mark_bot",
    "note_use",
    "redeem",
    "rename",
    "reset_second_factor",
    "revoke",
    "revoke_token",
    "set_roles",
    "set_terms",
    "sign_up",
    "token_of",
    "withdraw_request",
]
