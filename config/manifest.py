"""/manifest.webmanifest: what a phone needs to put the site among its own programs."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from clubs.views.asking import club_of

# The paper and the felt of static/css/site.css.
PAPER, FELT = "#f5f2ea", "#234a40"
ICONS = (
    ("img/icon-192.png", "192x192", "any"),
    ("img/icon-512.png", "512x512", "any"),
    ("img/icon-mask-512.png", "512x512", "maskable"),
    ("img/favicon.svg", "any", "any"),
)
"""Files, sizes, and whether the system may cut the picture to a shape of its own. ``script/pictures.py`` draws them."""
KINDS = {"png": "image/png", "svg": "image/svg+xml"}


@cache_control(max_age=3600)
@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """The web manifest (https://www.w3.org/TR/appmanifest/), in the language of the page that names it."""
    return JsonResponse(
        {
            "id": "/",
            "name": club_of(request).title,
            "short_name": club_of(request).title,
            "description": _("3-Card Loo and Least Score at timed tables and club evenings."),
            "lang": get_language(),
            "start_url": reverse("games:home"),
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": FELT,
            "icons": [
                {"src": static(name), "sizes": sizes, "type": KINDS[name.rpartition(".")[2]], "purpose": use}
                for name, sizes, use in ICONS
            ],
            "shortcuts": [
                {"name": _("Tables"), "url": reverse("games:lobby")},
                {"name": _("Tournaments"), "url": reverse("tournaments:events")},
            ],
        },
        content_type="application/manifest+json",
    )
