"""A number for every request, in the log and in the answer: who reports a fault can say which request it was."""

from __future__ import annotations

import re
import secrets

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from config.logs import answering

HEADER = "X-Request-ID"
# What a proxy may have given it; anything else is not put into a log.
GIVEN = re.compile(r"[A-Za-z0-9_-]{8,64}")


class RequestNumbers(MiddlewareMixin):
    """Give each request its number, and the log the request."""

    def process_request(self, request: HttpRequest) -> None:
        """Take the proxy's number, or make one."""
        given = request.headers.get(HEADER, "")
        request.number = given if GIVEN.fullmatch(given) else secrets.token_hex(8)  # type: ignore[attr-defined]
        answering.set(request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Tell the number."""
        answering.set(None)
        response[HEADER] = getattr(request, "number", "")
        return response
