"""What becomes of the chips of a person who goes for ever."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clubs.errors import PersonRefusal
from clubs.models import User
from ledger.models import Account, AccountOwner
from ledger.selectors import accounts_of
from ledger.services.accounts import forget_owner
from ledger.services.treasury import redeem_chips
from ledger.wording import chips


def check_leaves(*, user: User, gives_chips: bool) -> None:
    """Refuse to forget a person with whom the club is not even.

    Raises ``PersonRefusal``: ``has_holds``, ``owes_chips``, and ``has_chips`` unless the person gives them away.
    """
    accounts = _open_accounts(user)
    if any(account.debits_pending or account.credits_pending for account in accounts):
        raise PersonRefusal("has_holds")
    balances = {account: account.credits - account.debits for account in accounts}
    if any(balance < 0 for balance in balances.values()):
        raise PersonRefusal("owes_chips")
    if any(balance and account.kind != Account.Kind.WALLET for account, balance in balances.items()):
        raise PersonRefusal("at_a_table")
    left = [_told(account, balance) for account, balance in balances.items() if balance]
    if left and not gives_chips:
        raise PersonRefusal("has_chips", ", ".join(left))


def leave_book(*, user: User) -> None:
    """Let what is left in a person's wallets go back to the mint, and forget whose accounts they were.

    Nobody keeps those chips: to have fewer of them about is the same to every member. Raises ``NotEmpty`` while
    an account has chips or holds that ``check_leaves`` refuses.
    """
    for account in _open_accounts(user):
        rest = account.credits - account.debits
        if rest > 0 and account.owner is not None:
            key = f"leave:{account.pk}"
            why = _("given back when the account was erased")
            redeem_chips(key=key, wallet=account.pk, amount=rest, by=account.owner, reference=why)
    forget_owner(user=user)


def _open_accounts(user: User) -> list[Account]:
    owner = AccountOwner.objects.filter(user=user).first()
    return [] if owner is None else list(accounts_of(owner.pk).filter(closed_at__isnull=True))


def _told(account: Account, balance: int) -> str:
    return f"{chips(balance, account.asset.scale)} {account.asset.code}"
