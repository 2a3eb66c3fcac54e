"""A person's tokens of the API: making one, which is shown once, revoking one, and saying that a program plays."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs import services
from clubs.errors.tokens import TokenRefusal
from clubs.forms.tokens import TokenForm
from clubs.models import User
from clubs.selectors.tokens import tokens_of
from clubs.views.settings import for_members


@for_members
@never_cache
@require_safe
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens that are valid or over, and whether a program plays with the account."""
    return render(request, "clubs/tokens.html", {"tokens": tokens_of(_me(request).pk)})


@for_members
@never_cache
@require_http_methods(["GET", "POST"])
@reauthentication_required
def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token. Its text stands on this one page and nowhere else."""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.make_token(user=_me(request), **form.cleaned_data)
        except TokenRefusal as refusal:
            form.add_error(None, refusal.message)
        else:
            return render(request, "clubs/new_token.html", {"made": made})
    status = 422 if form.is_bound else 200
    return render(request, "clubs/new_token.html", {"form": form}, status=status)


@for_members
@require_POST
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    """End a token."""
    try:
        services.revoke_token(token_id=token_id, user=_me(request))
    except TokenRefusal as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("The token is revoked. What used it is signed out."))
    return redirect("tokens")


@for_members
@require_POST
def mark_bot(request: HttpRequest) -> HttpResponse:
    """Say whether a program plays with the account."""
    services.mark_bot(user=_me(request), is_bot=request.POST.get("bot") == "yes")
    messages.success(request, _("Kept."))
    return redirect("tokens")


def _me(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # for_members lets nobody else in
    return request.user
