"""Who I am, and which clubs I belong to."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpRequest
from ninja import Schema
from pydantic import Field

from clubs.api.access import person, reads, token_of
from clubs.api.problems import PROBLEMS
from clubs.api.routing import ScopedRouter
from clubs.models import Club, Role, User
from clubs.selectors import clubs_of, roles_in

router = ScopedRouter(tags=["people"])


class ClubLine(Schema):
    """A club and what the person is there."""

    slug: str
    name: str
    roles: list[str] = Field(
        description="`member`, and the offices: owner, organiser, treasurer, approver, auditor."
    )


class TokenLine(Schema):
    """The token that was sent."""

    name: str
    scopes: list[str]
    expires_at: dt.datetime


class Me(Schema):
    """The person whose token was sent."""

    id: int
    username: str
    name: str = Field(description="As other players see it.")
    language: str
    is_bot: bool = Field(description="Whether a program plays with this account.")
    clubs: list[ClubLine]
    token: TokenLine


@router.get("/me", auth=reads, response={200: Me, **PROBLEMS}, summary="Who I am")
def me(request: HttpRequest) -> dict[str, Any]:
    """The person of the token, the person's clubs and what the token may be used for."""
    user, token = person(request), token_of(request)
    return {
        "id": user.pk,
        "username": user.username,
        "name": user.shown_name,
        "language": user.language,
        "is_bot": user.is_bot,
        "clubs": [_club_line(user, club) for club in clubs_of(user)],
        "token": {"name": token.name, "scopes": token.scopes, "expires_at": token.expires_at},
    }


@router.get("/clubs", auth=reads, response={200: list[ClubLine], **PROBLEMS}, summary="My clubs")
def clubs(request: HttpRequest) -> list[dict[str, Any]]:
    """The clubs that I am a member of, the one joined first at the head."""
    user = person(request)
    return [_club_line(user, club) for club in clubs_of(user)]


def _club_line(user: User, club: Club) -> dict[str, Any]:
    held = roles_in(user, club.pk)
    return {"slug": club.slug, "name": club.name, "roles": [role for role in Role.values if role in held]}
