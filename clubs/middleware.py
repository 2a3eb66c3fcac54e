"""The club that a request is about, whether the person may come in, the time zone of a page, and addresses of forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from clubs.rules.zones import TIME_ZONE_COOKIE, zone_of
from clubs.selectors import chosen_club
from clubs.selectors.gates import gate_of
from clubs.views.asking import KEPT_CLUB, show_club


class ClubMiddleware:
    """Set ``request.club``: the club of what the address names, else the one that the person chose, or the usual one.

    What belongs to a club where the person may not come in is not there: 404.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its club at hand, looked up when somebody asks."""
        lazy = SimpleLazyObject(lambda: chosen_club(request.user, request.session.get(KEPT_CLUB)))
        request.club = lazy  # type: ignore[attr-defined]
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: Sequence[object], kwargs: Mapping[str, Any]
    ) -> None:
        """Ask the gates of everything that the address names."""
        for part, value in kwargs.items():
            gate = gate_of(part)
            if gate is None:
                continue
            match = request.resolver_match
            club = gate(value, request.user, match.view_name if match else "")
            if club is None:
                raise Http404
            show_club(request, club)


class FormAddressMiddleware:
    """Show a page where somebody opens an address that only takes forms: browsers show nothing for an empty 405."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; what a program is told stays as it is."""
        response = self.get_response(request)
        if response.status_code != 405 or request.method != "GET" or response.content:
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page


class TimeZoneMiddleware:
    """Tell times in the zone that the person chose, which a cookie keeps, so that no page asks the database for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request in that zone, in the site's own for any other text."""
        with timezone.override(zone_of(request.COOKIES.get(TIME_ZONE_COOKIE, ""))):
            return self.get_response(request)
