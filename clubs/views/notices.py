"""What the person is told: the bell of every page, the list, how to be told, and the link that stops mails."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs import services
from clubs.forms.notices import NoticesForm
from clubs.models import Notice, User
from clubs.selectors import address_of
from clubs.selectors.kinds import kind_of, kinds_for
from clubs.selectors.notices import SHOWN, notice_settings_of, notices_of, unread_of
from clubs.views.settings import for_members


def bell(request: HttpRequest) -> dict[str, Callable[[], int | None]]:
    """Give templates ``unread_notices``: how many are new to the member, ``None`` for everybody else."""
    return {"unread_notices": lambda: _unread(request)}


def _unread(request: HttpRequest) -> int | None:
    """Count what is new, with one query; what leads to the page that is just shown counts as read."""
    user = getattr(request, "user", None)
    if not isinstance(user, User) or user.is_guest:
        return None
    addresses = list(unread_of(user.pk).values_list("address", flat=True)[:SHOWN])
    if request.method == "GET" and request.path in addresses:
        services.mark_read(user=user, address=request.path)
    return sum(address != request.path for address in addresses)


@for_members
@never_cache
@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """What the person was told, the newest first."""
    return render(request, "clubs/notices.html", {"told": notices_of(_me(request).pk)})


@never_cache
@require_safe
def notice_count(request: HttpRequest) -> HttpResponse:
    """The inside of the bell alone, which open pages ask for from time to time."""
    return render(request, "clubs/_bell.html", {"unread": _unread(request)})


@for_members
@never_cache
@require_safe
def notice(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Go where a notice leads, and note that it was read."""
    found = Notice.objects.filter(user=_me(request), on_site=True, pk=notice_id).first()
    if found is None:
        raise Http404
    services.mark_read(user=_me(request), notice_id=found.pk)
    return redirect(found.address)


@for_members
@require_POST
def read_notices(request: HttpRequest) -> HttpResponse:
    """Note that the person has read everything."""
    services.mark_read(user=_me(request))
    return redirect("notices")


@for_members
@never_cache
@require_http_methods(["GET", "POST"])
def notice_settings(request: HttpRequest) -> HttpResponse:
    """Choose of what to be told, and how."""
    user = _me(request)
    form = NoticesForm(request.POST or None, kinds=kinds_for(user), wishes=notice_settings_of(user.pk))
    if request.method == "POST" and form.is_valid():
        services.choose_notices(user=user, **form.choice())
        messages.success(request, _("Your settings are kept."))
        return redirect("notice_settings")
    context = {"form": form, "address": address_of(user)}
    return render(request, "clubs/notice_settings.html", context, status=422 if form.errors else 200)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def stop_mails(request: HttpRequest, signed: str) -> HttpResponse:
    """Stop mails by the link that stands in each of them. Only sending the form does it: programs that look through
    mails open every link. No session is needed, and no token of a form: a mail program sends it by itself (RFC 8058)."""
    found = services.find_stop(token=signed)
    if found is None:
        raise Http404
    user, kind = found
    if request.method == "POST":
        services.stop_mails(user=user, kind=kind)
    context = {"title": kind_of(kind).title if kind else "", "stopped": request.method == "POST"}
    return render(request, "clubs/stop_mails.html", context)


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # for_members lets nobody else in
    return request.user
