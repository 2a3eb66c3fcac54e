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
from clubs.services.forgetting import forget_guests
from clubs.services.founding import DEMO_SLUG, found_site, founding_key, founding_waits
from clubs.services.guests import create_guest, join_guest, sign_up
from clubs.services.invitations import find_invitation, invite, redeem, revoke, token_of
from clubs.services.mailing import send_due_mails
from clubs.services.members import ban, join_club, leave_club, lift_ban, set_roles
from clubs.services.naming import check_name, rename
from clubs.services.notices import (
    Telling,
    choose_notices,
    forget_notices,
    mark_read,
    notify,
    notify_each,
    settle_notices,
)
from clubs.services.requests import ask_to_join, decide_request, withdraw_request
from clubs.services.settling import found_club, make_club, set_terms
from clubs.services.tokens import make_token, mark_bot, note_use, revoke_token
from clubs.services.unsubscribing import find_stop, stop_mails

__all__ = [
    "DEMO_SLUG",
    "Telling",
    "activate",
    "all_about",
    "ask_to_join",
    "ban",
    "check_name",
    "choose_notices",
    "create_guest",
    "deactivate",
    "decide_request",
    "end_session",
    "end_sessions",
    "erase",
    "find_invitation",
    "find_stop",
    "forget_guests",
    "forget_notices",
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
    "mark_read",
    "note_use",
    "notify",
    "notify_each",
    "redeem",
    "rename",
    "reset_second_factor",
    "revoke",
    "revoke_token",
    "send_due_mails",
    "set_roles",
    "set_terms",
    "settle_notices",
    "sign_up",
    "stop_mails",
    "token_of",
    "withdraw_request",
]
