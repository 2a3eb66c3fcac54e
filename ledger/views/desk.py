"""The treasurer's desk: members with their balances, and a form for each act."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction as database
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from clubs.models import User
from clubs.views.asking import club_of
from ledger import selectors, services
from ledger.errors import KeyReused, LedgerError
from ledger.forms import KEYS
from ledger.views.acts import ACTS
from ledger.wording import chips


def for_treasurers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let the treasurers of the club in, and tell others that the page is not theirs."""

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.has_perm("ledger.treasure", club_of(request)):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return answer


@for_treasurers
@require_safe
def desk(request: HttpRequest) -> HttpResponse:
    """The treasurer's desk: members with their balances, and what can be done."""
    club = club_of(request)
    wanted = request.GET.get("q", "")[:80].replace("\0", "")
    people = Paginator(selectors.members_with_wallets(club, wanted), 50).get_page(request.GET.get("page"))
    owners = {person: getattr(person, "account_owner", None) for person in people}
    known = [owner.id for owner in owners.values() if owner is not None]
    wallets = selectors.wallets_by_owner(known, club=club)
    rows = [
        (person, wallets.get(owner.id, []) if owner is not None else []) for person, owner in owners.items()
    ]
    acts = [(name, title) for name, (_form, title, _do) in ACTS.items()]
    return render(request, "ledger/desk.html", {"page": people, "rows": rows, "acts": acts, "q": wanted})


@for_treasurers
@require_http_methods(["GET", "POST"])
def act(request: HttpRequest, name: str) -> HttpResponse:
    """One of the treasurer's acts: its form, and doing it."""
    if name not in ACTS:
        raise Http404
    form_class, title, do = ACTS[name]
    initial = {"key": f"{KEYS}{uuid4()}", "member": request.GET.get("member")}
    club = club_of(request)
    form = form_class(request.POST if request.method == "POST" else None, initial=initial, club=club)
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        by = services.owner_of(user=request.user)
        try:
            # Together: what is refused leaves no wallet behind that was opened for it.
            with database.atomic():
                do({**form.cleaned_data, "club": club}, by)
        except KeyReused as refusal:
            form.add_error(None, _sent_before(refusal))
        except LedgerError as refusal:
            form.add_error(None, selectors.told(refusal))
        else:
            messages.success(request, _("Done: %(what)s.") % {"what": _what(title, form.cleaned_data)})
            return redirect("ledger:desk")
    status = 422 if form.is_bound else 200
    suspense = selectors.open_suspense([club.pk]) if name == "clear" else []
    context = {"form": form, "title": title, "name": name, "suspense": suspense}
    return render(request, "ledger/act.html", context, status=status)


def _what(title: Any, chosen: dict[str, Any]) -> str:
    """What was done, with whom and how many, so that a slip is seen at once."""
    people = " → ".join(chosen[name].shown_name for name in ("payer", "payee", "member") if name in chosen)
    amount = chosen.get("amount", chosen.get("credit"))
    asset = chosen["asset"]
    told = asset if amount is None else f"{chips(amount, asset)} {asset.code}"
    return ", ".join(part for part in (str(title), people, told) if part)


def _sent_before(refusal: KeyReused) -> str:
    return _(
        "This form was sent before and made transaction %(transaction)s. Go back to the desk and open it anew."
    ) % {"transaction": refusal.params["transaction"]}
