"""What is refused about tokens of the API."""

from __future__ import annotations

from django.utils.translation import gettext_noop as N_

from clubs.errors.refusal import Refusal

MESSAGES: dict[str, str] = {
    "guests_without_tokens": N_("Guests have no tokens. Sign up first."),
    "bad_token_name": N_("Give the token a name of 1 to 60 characters, so that you know it again."),
    "bad_scopes": N_("Choose at least one scope, each from the list."),
    "bad_token_days": N_("A token is valid for 1 to 365 days."),
    "too_many_tokens": N_("You have ten tokens that are valid. Revoke one of them first."),
    "no_such_token": N_("There is no such token, or it is revoked already."),
}


class TokenRefusal(Refusal):
    """What a person asked about tokens or their account as a bot is refused."""

    messages = MESSAGES
