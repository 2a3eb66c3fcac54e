"""How the API says that something was refused: one shape, a stable code, and one table of statuses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as N_
from ninja import Schema
from pydantic import Field

MESSAGES: dict[str, str] = {
    "token_missing": N_("Send a token of yours: Authorization: Bearer club_…"),
    "token_not_valid": N_("This token is unknown, over or revoked. Make a new one in your settings."),
    "scope_missing": N_("This token may not be used for that. Make one with the scope that is named here."),
    "too_many_requests": N_("Too many requests. Wait as long as Retry-After says."),
    "bad_request": N_("The request is not what the description of the API asks for."),
    "bad_cursor": N_("There is no such place in the list. Begin at its first page."),
    "no_such_address": N_("There is nothing at this address. Look at the description of the API."),
    "no_such_thing": N_("There is nothing of that kind that you may see."),
    "method_not_allowed": N_("That cannot be done at this address."),
    "no_right": N_("You have no right to do that in this club."),
    "fault": N_("Something went wrong on the server. It is written down there; try again later."),
}

NOT_FOUND, FORBIDDEN, CONFLICT, WRONG, TOO_MANY, AWAY = 404, 403, 409, 422, 429, 503

BEGINNINGS: Mapping[str, int] = {"no_such_": NOT_FOUND, "unknown_": NOT_FOUND, "bad_": WRONG}
"""Codes that begin so have this status, unless they are named below."""

STATUSES: Mapping[str, int] = {
    "token_missing": 401,
    "token_not_valid": 401,
    "signed_out": 401,
    "deactivated": 401,
    "method_not_allowed": 405,
    "fault": 500,
    "unavailable": AWAY,
    **dict.fromkeys(
        ("too_many_requests", "too_many_streams", "too_fast", "chat_too_fast", "too_many_reports"), TOO_MANY
    ),
    "too_many_watchers": AWAY,
    **dict.fromkeys(
        (
            *("scope_missing", "no_right", "by_hand_only", "bots_not_rated", "not_organiser"),
            *("treasurer_needed", "not_seated", "not_yours_to_do", "not_your_pause", "not_at_table"),
            *("guests_not_rated", "guests_without_chips", "guests_without_tokens", "account_needed"),
            *("chat_members_only", "chat_watchers_only", "chat_guests", "chat_sign_in", "silenced"),
            *("removed", "not_a_wallet", "other_owner", "own_entry", "same_person", "bots_not_allowed"),
        ),
        FORBIDDEN,
    ),
    **dict.fromkeys(
        (
            *("malformed_move", "illegal_move", "not_your_card", "plain_nonce", "reason_missing"),
            *("wrong_players", "wrong_deal", "same_player", "same_account"),
            *("confirm_buy_in", "buy_in_too_small", "too_many_lines", "nobody_in", "wrong_asset"),
            *("must_follow", "must_head", "must_trump", "highest_trump", "must_lead_trump"),
            *("must_lead_ace", "must_lead_king", "whole_only_in_rounds", "sizes_impossible"),
        ),
        WRONG,
    ),
}
"""Every other refusal is 409: the request is sound, and the state of the table, event or book forbids it now."""


def status_of(code: str) -> int:
    """Return the HTTP status of a refusal's code."""
    if code in STATUSES:
        return STATUSES[code]
    return next((status for start, status in BEGINNINGS.items() if code.startswith(start)), CONFLICT)


class ProblemBody(Schema):
    """What is answered instead of what was asked for."""

    code: str = Field(description="Stable: programs may rely on it.")
    message: str = Field(description="A sentence for people, in the person's language.")
    detail: Any = Field(None, description="What is wrong more exactly: a text, or a list of faults.")


PROBLEMS: Mapping[int, type[Schema]] = dict.fromkeys((401, 403, 404, 409, 422, 429, 503), ProblemBody)
"""The answers that every operation may give besides its own."""


class Problem(Exception):
    """A request that is refused by the API itself."""

    def __init__(self, code: str, detail: Any = None, *, headers: Mapping[str, str] | None = None) -> None:
        self.code = code
        self.detail = detail
        self.headers = headers or {}
        super().__init__(code)

    @property
    def message(self) -> str:
        """The sentence to show, in the active language."""
        return _(MESSAGES[self.code])


def body_of(code: str, message: str, detail: Any = None) -> dict[str, Any]:
    """Return the JSON of a refusal."""
    return {"code": code, "message": message, "detail": detail}
