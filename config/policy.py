"""The Content-Security-Policy of a page: strict everywhere, a little wider in the admin."""

from __future__ import annotations

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# The admin's theme evaluates the expressions in its own templates and sets styles in attributes. Nothing that players
# write is shown there unescaped, and its pages still load from this site alone.
ADMIN = "/admin/"
ADMIN_NEEDS = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}


class PagePolicyMiddleware(CSPMiddleware):
    """django-csp's middleware with the admin's additions."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the parts that the header is made of."""
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith(ADMIN):
            parts.update = {**(parts.update or {}), **ADMIN_NEEDS}
        return parts
