"""Receipts of transactions, the published heads of the book, and the page that checks receipts."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.models import User
from ledger import selectors, services
from ledger.errors import NotSealed
from ledger.models import Account
from ledger.services.receipts import list_heads, make_receipt
from ledger.services.signing import known_keys
from ledger.views.asking import readable_transaction


@login_required
@require_safe
def transaction(request: HttpRequest, number: int) -> HttpResponse:
    """A receipt: what moved, why, and the proof, for those whose account it touched and for readers of the book."""
    assert isinstance(request.user, User)
    found, postings = readable_transaction(request, number)
    sides = [account for posting in postings for account in (posting.debit, posting.credit)]
    names = {name.id: name for name in selectors.name_accounts(sides)}
    context = {
        "transaction": found,
        "postings": [(posting, names[posting.debit_id], names[posting.credit_id]) for posting in postings],
        "note": getattr(found, "note", None),
        "cause": services.links_of_sources([found.source]).get(found.source),
        "source_words": selectors.sources_in_words([found.source])[found.source],
        "sealed": hasattr(found, "leaf"),
        "own_account": next(
            (
                side.pk
                for side in sides
                if side.kind == Account.Kind.WALLET and side.owner == services.owner_of(user=request.user)
            ),
            None,
        ),
    }
    return render(request, "ledger/transaction.html", {**context, "keys": _trusted_keys()})


@login_required
@require_safe
def receipt(request: HttpRequest, number: int) -> HttpResponse:
    """The receipt as a file that proves the transaction without this site (docs/check_receipt.py)."""
    readable_transaction(request, number)
    try:
        proof = make_receipt(transaction=number, with_note=True)
    except NotSealed as refusal:
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=409)
    response = JsonResponse(proof)
    response["Content-Disposition"] = f'attachment; filename="receipt-{number}.json"'
    return response


@require_safe
def heads(request: HttpRequest) -> HttpResponse:
    """The published heads of the book, for everybody: whoever keeps one can tell later whether the past was changed."""
    return render(request, "ledger/heads.html", {"heads": list_heads(limit=100)})


@require_safe
def check(request: HttpRequest) -> HttpResponse:
    """The page that checks a receipt in the browser, without asking the site anything."""
    return render(request, "ledger/check.html", {"keys": _trusted_keys()})


def _trusted_keys() -> list[str]:
    """The public keys of the site, in hexadecimal: a receipt signed with any other proves nothing here."""
    return [key.public_key.hex() for key in known_keys().values()]
