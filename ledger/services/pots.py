"""Pots that do not hold what their tables say, asked of whoever knows the tables.

The ledger knows nothing of tables. An app above registers a check that names
the pots of all tables that are still played at, and what each must hold; every
other pot must be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ledger.models import Account
from ledger.selectors import Clubs, assets_of, pots_with_chips
from ledger.services.leaves import snapshot


@dataclass(frozen=True)
class PotClaim:
    """What an account must hold by what is known of its table, in the asset's smallest unit."""

    account: int
    chips: int


@dataclass(frozen=True)
class WrongPot:
    """A pot that holds other than it must."""

    account: Account
    holds: int
    must_hold: int


PotCheck = Callable[[], Iterable[PotClaim]]
_checks: dict[str, PotCheck] = {}


def register_pot_check(name: str, check: PotCheck) -> None:
    """Have ``check`` say what pots must hold; it is asked inside the snapshot in which they are compared."""
    _checks[name] = check


def wrong_pots(clubs: Clubs = None) -> tuple[list[WrongPot], int]:
    """Pots (of some clubs) that disagree with their tables, and how many were compared. All of it sees one snapshot."""
    with snapshot():
        claims = {claim.account: claim.chips for check in _checks.values() for claim in check()}
        accounts = {account.pk: account for account in pots_with_chips()}
        missing = claims.keys() - accounts.keys()
        accounts |= {account.pk: account for account in Account.objects.filter(pk__in=missing)}
        if clubs is not None:
            assets = {asset.pk for asset in assets_of(clubs)}
            accounts = {number: pot for number, pot in accounts.items() if pot.asset_id in assets}
        wrong = [
            WrongPot(account, account.balance, claims.get(number, 0))
            for number, account in sorted(accounts.items())
            if account.balance != claims.get(number, 0)
        ]
        return wrong, len(accounts)
