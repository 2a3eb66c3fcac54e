"""Pages of people and clubs."""

from clubs.views.doors import second_step, sign_in, sign_in_by_passkey, sign_up
from clubs.views.settings import erase_me, for_members, own_data, sessions, set_language, settings
from clubs.views.tokens import mark_bot, new_token, revoke_token, tokens

__all__ = [
    "erase_me",
    "for_members",
    "mark_bot",
    "new_token",
    "own_data",
    "revoke_token",
    "second_step",
    "sessions",
    "set_language",
    "settings",
    "sign_in",
    "sign_in_by_passkey",
    "sign_up",
    "tokens",
]
