"""What a treasurer can do at the desk: each act's form, its title, and the service that does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _l

from clubs.models import User
from ledger import selectors, services
from ledger.errors import NoWallet
from ledger.forms import ChipsForm, ClearForm, CreditForm, DeskForm, KindForm, MoveForm
from ledger.models import Account


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
