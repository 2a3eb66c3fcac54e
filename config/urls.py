"""Every address of the site, app by app."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.vary import vary_on_cookie
from django.views.i18n import JavaScriptCatalog

from clubs.views import set_language
from config.api import urls as api_urls
from config.health import healthz
from config.manifest import manifest
from config.metrics import metrics
from config.status import status
from config.style import style, style_error

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("status/", status, name="status"),
    path("metrics", metrics, name="metrics"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("style/", style, name="style"),
    path("style/<int:code>/", style_error, name="style_error"),
    path("admin/", admin.site.urls),
    path("i18n/setlang/", set_language, name="set_language"),
    path("api/v1/", api_urls),
    # Its language is that of the cookie: a cache must not hand it to who reads another one.
    path("i18n/catalog.js", vary_on_cookie(JavaScriptCatalog.as_view()), name="javascript-catalog"),
    path("", include("clubs.urls")),
    path("", include("ledger.urls")),
    path("events/", include("tournaments.urls")),
    path("", include("games.urls")),
]
