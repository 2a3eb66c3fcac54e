"""The club that a request is about."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from clubs.selectors import chosen_club
from clubs.views.asking import KEPT_CLUB


class ClubMiddleware:
    """Set ``request.club``: looked up when somebody asks, and replaced by a view that shows an object of a club."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its club at hand."""
        request.club = SimpleLazyObject(  # type: ignore[attr-defined]
            lambda: chosen_club(request.user, request.session.get(KEPT_CLUB))
        )
        return self.get_response(request)
