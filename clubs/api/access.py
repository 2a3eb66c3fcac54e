"""Who asks: a bearer's token, its scope, and the limit of requests. No cookie signs anybody in here."""

from __future__ import annotations

from typing import Annotated, Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from ninja import Query
from ninja.security import HttpBearer

from clubs.api.limits import Limit, count_request
from clubs.api.paging import Text
from clubs.api.problems import Problem
from clubs.models import ApiToken, Club, User
from clubs.selectors import chosen_club, clubs_of, may_play_at
from clubs.selectors.tokens import valid_token
from clubs.services.tokens import note_use


class Token(HttpBearer):
    """Let a request in whose token has a scope; the person speaks for the token's language and rights.

    Raises ``Problem`` (``token_missing``, ``token_not_valid``, ``scope_missing``, ``too_many_requests``).
    """

    openapi_description = str(_("A token that you make in your settings: club_…"))

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> Any:
        """Refuse a request without a token in the words of the API."""
        found = super().__call__(request)
        if found is None:
            raise Problem("token_missing", headers={"WWW-Authenticate": "Bearer"})
        return found

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        """Return the token and make its person the one who asks."""
        found = valid_token(token)
        if found is None:
            raise Problem("token_not_valid", headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
        request.user = found.user
        speak(request, found.user)
        limit = count_request(found.user.pk)
        request.limit = limit  # type: ignore[attr-defined]
        if limit.reached:
            raise Problem("too_many_requests", headers=limit.headers)
        if self.scope not in found.scopes:
            raise Problem("scope_missing", self.scope)
        note_use(token=found)
        return found


reads, plays, organises, audits = Token("read"), Token("play"), Token("organise"), Token("audit")


def speak(request: HttpRequest, user: User) -> None:
    """Answer in the language that the person has chosen; without one the request's header has decided already."""
    if user.language and translation.check_for_language(user.language):
        translation.activate(user.language)
        request.LANGUAGE_CODE = translation.get_language()


def person(request: HttpRequest) -> User:
    """Return who asks."""
    return cast(User, request.user)


def token_of(request: HttpRequest) -> ApiToken:
    """Return the token with which is asked."""
    return cast(ApiToken, request.auth)  # type: ignore[attr-defined]


def limit_of(request: HttpRequest) -> Limit | None:
    """Return how the request was counted, ``None`` when it never came so far."""
    return getattr(request, "limit", None)


ClubSlug = Annotated[
    Text | None, Query(max_length=40, description="The address of a club of mine; without it my first one.")
]


def own_club(request: HttpRequest, slug: str | None) -> Club:
    """Return the person's club of that address; without one the first one joined, or else the site's where the person may
    play. Raises ``Problem("no_such_thing")``."""
    own = clubs_of(person(request))
    found = next((club for club in own if slug in (None, club.slug)), None)
    if found is None and slug is None:
        usual = chosen_club(person(request), None)
        found = usual if may_play_at(person(request), usual) else None
    if found is None:
        raise Problem("no_such_thing", "club")
    return found


def language() -> str:
    """Return the language in which the request is answered."""
    return translation.get_language() or settings.LANGUAGE_CODE
