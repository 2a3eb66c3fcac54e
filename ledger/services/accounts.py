"""Opening and closing: assets, accounts, and the random ids under which people own them."""

from __future__ import annotations

import re
from uuid import UUID

from clubs.models import FIRST_CLUB, Club, User
from ledger.errors import BadAccount, BadAsset, UnknownAccount
from ledger.models import Account, AccountOwner, Asset
from ledger.services.calling import call
from ledger.services.posting import LARGEST_ID, stored_bytes

REF_LENGTH = 120


def create_asset(*, code: str, scale: int = 0, club: Club | None = None) -> Asset:
    """Get or create an asset of a club (not given: the site's first): 2 to 24 of A-Z 0-9 . _ - and a scale from 0 to 6.

    Codes are unique on the site: each club's book names its chips without doubt. Raises ``BadAsset``, also for a code
    that is another club's.
    """
    well_formed = isinstance(code, str) and re.fullmatch(r"[A-Z][A-Z0-9._-]{0,22}[A-Z0-9]", code)
    if not well_formed or type(scale) is not int or not 0 <= scale <= 6:
        raise BadAsset(asset=str(code))
    club_id = FIRST_CLUB if club is None else club.pk
    asset, _ = Asset.objects.get_or_create(code=code, defaults={"scale": scale, "club_id": club_id})
    if asset.scale != scale or asset.club_id != club_id:
        raise BadAsset(asset=code)
    return asset


def open_account(*, kind: str, ref: str, asset: str, owner: UUID | None = None) -> int:
    """Get or create the account of this kind, reference and asset; returns its id.

    A new account has the floor 0, or none if it is a mint or suspense; a wallet
    goes below zero only by ``set_credit_line``. Two callers at once get the same
    account. Raises ``LedgerError``: bad_account, unknown_asset, closed, other_owner.
    """
    if kind not in Account.Kind.values or (ref != "" and not stored_bytes(ref)) or len(ref) > REF_LENGTH:
        raise BadAccount(kind=str(kind), ref=str(ref))
    sql = "SELECT ledger_open_account(%s, %s, %s, %s)"
    return int(call(sql, [kind, ref, asset, str(owner) if owner else None])[0])


def open_wallet(*, owner: UUID, asset: str) -> int:
    """The owner's wallet for this asset, opened if need be. Raises what ``open_account`` raises."""
    return open_account(kind=Account.Kind.WALLET, ref=str(owner), asset=asset, owner=owner)


def open_house_account(*, kind: str, asset: str) -> int:
    """The one mint, rake or suspense account of an asset, opened if need be."""
    return open_account(kind=kind, ref="", asset=asset)


def close_account(*, account: int) -> None:
    """Close an empty account for ever; closing it twice changes nothing.

    Raises ``LedgerError``: unknown_account, not_empty.
    """
    if type(account) is not int or not 0 < account <= LARGEST_ID:
        raise UnknownAccount(account=str(account))
    call("SELECT ledger_close_account(%s)", [str(account)])


def owner_of(*, user: User) -> UUID:
    """The random id under which a person owns accounts and signs requests, made when first asked for."""
    return AccountOwner.objects.get_or_create(user=user)[0].id


def forget_owner(*, user: User) -> None:
    """Make a person's accounts anonymous for ever, and close them.

    Drops the mapping from the random id to the person, every note about their
    transactions and the reasons of their requests. The book and every proof stay
    as they are. Raises ``NotEmpty`` while an account has chips or holds.
    """
    mapped = AccountOwner.objects.filter(user=user).first()
    if mapped is not None:
        call("SELECT ledger_forget(%s)", [str(mapped.id)])
