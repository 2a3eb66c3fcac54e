"""Pages packed on their way, for a site without a proxy that does it; a proxy leaves them as they are."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class PackPages(GZipMiddleware):
    """Django's packing, which hides the length of what it packs from whoever guesses at secrets, but for streams: their
    events must not wait in a packer until there are enough of them."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer packed if the browser unpacks it."""
        return response if response.streaming else super().process_response(request, response)
