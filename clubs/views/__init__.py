"""Pages of people and clubs."""

from clubs.views.doors import second_step, sign_in, sign_in_by_passkey, sign_up
from clubs.views.founding import found
from clubs.views.keeping import (
    ban,
    club_settings,
    decide,
    invitations,
    lift_ban,
    log,
    members,
    one_invitation,
    revoke,
    roles,
)
from clubs.views.notices import notice, notice_count, notice_settings, notices, read_notices, stop_mails
from clubs.views.pages import club, clubs, enter_club, invitation, join, leave, new_club, withdraw
from clubs.views.settings import erase_me, for_members, own_data, sessions, set_language, settings
from clubs.views.tokens import mark_bot, new_token, revoke_token, tokens

__all__ = [
    "ban",
    "club",
    "club_settings",
    "clubs",
    "decide",
    "enter_club",
    "erase_me",
    "for_members",
    "found",
    "invitation",
    "invitations",
    "join",
    "leave",
    "lift_ban",
    "log",
    "mark_bot",
    "members",
    "new_club",
    "new_token",
    "notice",
    "notice_count",
    "notice_settings",
    "notices",
    "one_invitation",
    "own_data",
    "read_notices",
    "revoke",
    "revoke_token",
    "roles",
    "second_step",
    "sessions",
    "set_language",
    "settings",
    "sign_in",
    "sign_in_by_passkey",
    "sign_up",
    "stop_mails",
    "tokens",
    "withdraw",
]
