"""Pages of the book for people: one's own chips, receipts, published heads, and the treasurer's desk."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction as database
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_GET, require_http_methods

from clubs.models import User
from clubs.views.asking import club_of
from ledger import selectors, services
from ledger.charts import bars
from ledger.errors import KeyReused, LedgerError, NotSealed, NoWallet, UnknownAccount, UnknownTransaction
from ledger.forms import KEYS, ChipsForm, ClearForm, CreditForm, DeskForm, KindForm, MoveForm, StatementFilter
from ledger.models import Account, Posting, Transaction
from ledger.services.receipts import list_heads, make_receipt
from ledger.services.signing import known_keys
from ledger.services.spreadsheets import csv_text
from ledger.wording import chips

LINES = 50
CSV_LINES = 500
CSV_COLUMNS = ("at", "seq", "transaction", "kind", "state", "amount", "held", "balance", "source", "note")
WALLETS_WITH_LINES = 3
DAYS = 30
"""Days of which the chart of a wallet tells."""


@login_required
@require_GET
def own_chips(request: HttpRequest) -> HttpResponse:
    """A member's wallets, those that moved last with their latest lines."""
    assert isinstance(request.user, User)
    wallets = [] if request.user.is_guest else _wallets_of(request.user)
    first, others = wallets[:WALLETS_WITH_LINES], wallets[WALLETS_WITH_LINES:]
    latest = [
        (wallet, _with_causes(selectors.statement(wallet.id, size=8).lines), bars(_last_days(wallet)))
        for wallet in first
    ]
    return render(request, "ledger/own_chips.html", {"wallets": latest, "others": others})


@login_required
@require_GET
def statement(request: HttpRequest, account: int) -> HttpResponse:
    """One account's lines, newest first, for its owner and for those who may read the whole book."""
    found = _readable_account(request, account)
    filters = StatementFilter(request.GET)
    page = selectors.statement(
        account,
        size=LINES,
        after=selectors.read_place(request.GET.get("at", ""), request.GET.get("seq", "")),
        **filters.wanted(),
    )
    query = _query_without_place(request)
    assert isinstance(request.user, User)
    [name] = selectors.name_accounts([found])
    context = {
        "account": found,
        "name": name,
        "own": found.owner == services.owner_of(user=request.user),
        "page": page,
        "lines": _with_causes(page.lines),
        "filters": filters,
        "query": query,
        "size": LINES,
    }
    return render(request, "ledger/statement.html", context)


@login_required
@require_GET
def statement_csv(request: HttpRequest, account: int) -> HttpResponse | StreamingHttpResponse:
    """The same lines as a file for a spreadsheet."""
    _readable_account(request, account)
    wanted = StatementFilter(request.GET).wanted()
    response = StreamingHttpResponse(_csv_pages(account, wanted), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="statement-{account}.csv"'
    return response


@login_required
@require_GET
def transaction(request: HttpRequest, number: int) -> HttpResponse:
    """A receipt: what moved, why, and the proof, for those whose account it touched and for readers of the book."""
    assert isinstance(request.user, User)
    found, postings = _readable_transaction(request, number)
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
@require_GET
def receipt(request: HttpRequest, number: int) -> HttpResponse:
    """The receipt as a file that proves the transaction without this site (docs/check_receipt.py)."""
    _readable_transaction(request, number)
    try:
        proof = make_receipt(transaction=number, with_note=True)
    except NotSealed as refusal:
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=409)
    response = JsonResponse(proof)
    response["Content-Disposition"] = f'attachment; filename="receipt-{number}.json"'
    return response


@require_GET
def heads(request: HttpRequest) -> HttpResponse:
    """The published heads of the book, for everybody: whoever keeps one can tell later whether the past was changed."""
    return render(request, "ledger/heads.html", {"heads": list_heads(limit=100)})


@require_GET
def check(request: HttpRequest) -> HttpResponse:
    """The page that checks a receipt in the browser, without asking the site anything."""
    return render(request, "ledger/check.html", {"keys": _trusted_keys()})


def _trusted_keys() -> list[str]:
    """The public keys of the site, in hexadecimal: a receipt signed with any other proves nothing here."""
    return [key.public_key.hex() for key in known_keys().values()]


def for_treasurers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let the treasurers of the club in, and tell others that the page is not theirs."""

    @functools.wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.has_perm("ledger.treasure", club_of(request)):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return answer


@for_treasurers
@require_GET
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


def _issue(chosen: dict[str, Any], by: Any) -> None:
    wallet = _wallet(chosen["member"], chosen["asset"].code)
    _chips(services.issue_chips, wallet, chosen, by)


def _redeem(chosen: dict[str, Any], by: Any) -> None:
    wallet = _filled_wallet(chosen["member"], chosen["asset"].code)
    _chips(services.redeem_chips, wallet, chosen, by)


def _chips(verb: Callable[..., object], wallet: int, chosen: dict[str, Any], by: Any) -> None:
    verb(key=chosen["key"], wallet=wallet, amount=chosen["amount"], by=by, reference=chosen["reference"])


def _move(chosen: dict[str, Any], by: Any) -> None:
    asset = chosen["asset"].code
    payer, payee = _filled_wallet(chosen["payer"], asset), _wallet(chosen["payee"], asset)
    services.move_between_members(
        key=chosen["key"], debit=payer, credit=payee, amount=chosen["amount"], by=by, reason=chosen["reason"]
    )


def _credit(chosen: dict[str, Any], by: Any) -> None:
    wallet = _wallet(chosen["member"], chosen["asset"].code)
    services.set_credit_line(account=wallet, credit=chosen["credit"], by=by, reason=chosen["reason"])


def _clear(chosen: dict[str, Any], by: Any) -> None:
    asset = chosen["asset"].code
    suspense = services.open_house_account(kind=Account.Kind.SUSPENSE, asset=asset)
    if chosen["direction"] == ClearForm.TO_MEMBER:
        debit, credit = suspense, _wallet(chosen["member"], asset)
    else:
        debit, credit = _filled_wallet(chosen["member"], asset), suspense
    services.clear_suspense(
        key=chosen["key"], debit=debit, credit=credit, amount=chosen["amount"], by=by, reason=chosen["reason"]
    )


def _make_kind(chosen: dict[str, Any], by: Any) -> None:
    services.create_asset(code=chosen["asset"], club=chosen["club"])


Act = tuple[type[DeskForm], Any, Callable[[dict[str, Any], Any], None]]
ACTS: dict[str, Act] = {
    "issue": (ChipsForm, _l("Give chips"), _issue),
    "redeem": (ChipsForm, _l("Take chips back"), _redeem),
    "move": (MoveForm, _l("Move chips between members"), _move),
    "credit": (CreditForm, _l("Set a credit line"), _credit),
    "clear": (ClearForm, _l("Clear suspense"), _clear),
    "kind": (KindForm, _l("Make a kind of chips"), _make_kind),
}


def _wallet(member: User, asset: str) -> int:
    return services.open_wallet(owner=services.owner_of(user=member), asset=asset)


def _filled_wallet(member: User, asset: str) -> int:
    """The wallet that chips are to be taken from. Raises ``NoWallet`` when there never was one."""
    owner = services.owner_of(user=member)
    wallet = selectors.find_account(kind=Account.Kind.WALLET, ref=str(owner), asset=asset)
    if wallet is None:
        raise NoWallet(member=member.shown_name, asset=asset)
    return wallet


def _last_days(wallet: Account) -> list[tuple[date, int]]:
    """The balance at the end of each of the last ``DAYS`` days, today's being the one of now."""
    today = timezone.localdate()
    return selectors.balances_by_day(wallet.pk, [today - timedelta(days=back) for back in range(DAYS)])


def _wallets_of(user: User) -> list[Account]:
    wallets = selectors.accounts_of(services.owner_of(user=user)).filter(kind=Account.Kind.WALLET)
    return list(wallets.order_by(F("moved_at").desc(nulls_last=True), "id"))


def _with_causes(
    lines: list[selectors.StatementLine],
) -> list[tuple[selectors.StatementLine, services.CauseLink | None]]:
    """Lines, each with the page that shows what caused it."""
    links = services.links_of_sources(line.source for line in lines)
    return [(line, links.get(line.source)) for line in lines]


def _reads_book(request: HttpRequest, thing: Account | Transaction) -> bool:
    """Whether the person may read the book of the club whose chips these are."""
    return isinstance(request.user, User) and request.user.has_perm("ledger.view_account", thing)


def _readable_account(request: HttpRequest, account: int) -> Account:
    """Return the account, or say that there is none to whoever may not read it."""
    assert isinstance(request.user, User)
    try:
        found = selectors.get_account(account)
    except UnknownAccount as error:
        raise Http404 from error
    if found.owner != services.owner_of(user=request.user) and not _reads_book(request, found):
        raise Http404
    return found


def _readable_transaction(request: HttpRequest, number: int) -> tuple[Transaction, list[Posting]]:
    assert isinstance(request.user, User)
    try:
        found = selectors.get_transaction(number)
    except UnknownTransaction as error:
        raise Http404 from error
    postings = selectors.postings_of(number)
    owner = services.owner_of(user=request.user)
    touched = any(owner in (posting.debit.owner, posting.credit.owner) for posting in postings)
    if not touched and not _reads_book(request, found):
        raise Http404
    return found, postings


def _query_without_place(request: HttpRequest) -> str:
    query = request.GET.copy()
    for name in ("at", "seq"):
        query.pop(name, None)
    return query.urlencode()


async def _csv_pages(account: int, wanted: dict[str, Any]) -> AsyncIterator[str]:
    """Yield the statement as CSV, page by page, so that a long one is never in memory."""
    yield csv_text([CSV_COLUMNS])
    place = None
    while True:
        page = await sync_to_async(selectors.statement)(account, size=CSV_LINES, after=place, **wanted)
        yield csv_text(
            (line.at.isoformat(), *(getattr(line, column) for column in CSV_COLUMNS[1:]))
            for line in page.lines
        )
        if page.following is None:
            return
        place = page.following
