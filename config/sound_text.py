"""Text that the database cannot keep is the sender's fault: a page that fails on a NUL answers 400."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import bad_request

NUL = "\x00"


class SoundTextMiddleware(MiddlewareMixin):
    """Answer 400 where a NUL in a query or a form reached the database: PostgreSQL keeps none, and browsers send none.

    Forms that refuse it with words of their own do so before.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer in place of the database's refusal of a NUL that was sent."""
        if not isinstance(exception, DataError):
            return None
        if _has_nul(request.GET.lists()) or _has_nul(request.POST.lists()):
            return bad_request(request, exception)
        return None


def _has_nul(sent: Iterable[tuple[str, list[str]]]) -> bool:
    return any(NUL in name or any(NUL in value for value in values) for name, values in sent)
