"""The page on which a new site becomes a club's."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs import services
from clubs.adapters import keep_language
from clubs.errors import ClubRefusal, PersonRefusal
from clubs.forms.founding import FoundingForm
from clubs.views.asking import KEPT_CLUB


@never_cache
@require_http_methods(["GET", "POST"])
def found(request: HttpRequest) -> HttpResponse:
    """Name the club and its owner; only with the key, and only once."""
    if not services.founding_waits():
        raise Http404
    start = {"key": request.GET.get("key", ""), "language": get_language()}
    form = FoundingForm(request.POST or None, initial=start)
    if request.method == "POST" and form.is_valid():
        try:
            club, owner = services.found_site(**form.cleaned_data)
        except (ClubRefusal, PersonRefusal) as refusal:
            field = {"bad_key": "key", "bad_name": "club"}.get(refusal.code)
            form.add_error(field or ("name" if isinstance(refusal, PersonRefusal) else None), refusal.message)
        except ValidationError as wrong:
            form.add_error("password", wrong)
        else:
            login(request, owner, backend=settings.AUTHENTICATION_BACKENDS[0])
            request.session[KEPT_CLUB] = club.pk
            leads_on = redirect("club", club.slug)
            keep_language(leads_on, owner.language)
            return leads_on
    return render(request, "clubs/found.html", {"form": form}, status=422 if form.errors else 200)
