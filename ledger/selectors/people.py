"""Who is behind the random ids of the book, and what its accounts are called: always in bulk.

A name is never in the book. An id that nobody is mapped to belongs to somebody
who was erased, or was never a person (``name_owner``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from clubs.models import Club, User
from clubs.selectors import people_at
from ledger.errors import LedgerError
from ledger.models import Account, AccountOwner
from ledger.selectors.clubs import Clubs
from ledger.wording import chips

_named: dict[UUID, str | Promise] = {}


def name_owner(owner: UUID, name: str | Promise) -> None:
    """Give a fixed owner id that is no person its name."""
    _named[owner] = name


def names_of(owners: Iterable[UUID | None]) -> dict[UUID, str]:
    """The name shown for every owner id, in one query: the person's, or "erased member"."""
    wanted = {owner for owner in owners if owner is not None}
    names = {owner: str(_named[owner]) for owner in wanted & _named.keys()}
    people = wanted - names.keys()
    if people:
        found = AccountOwner.objects.filter(id__in=people).select_related("user")
        names |= {each.id: each.user.shown_name for each in found}
    return names | {owner: _("erased member") for owner in wanted - names.keys()}


def sources_in_words(sources: Iterable[str]) -> dict[str, str]:
    """The ledger's own causes as people say them: who was at the desk, which request. Others' sources stay as they are."""
    wanted = set(sources)
    desk = {source: owner for source in wanted if (owner := _at_desk(source)) is not None}
    names = names_of(desk.values())
    words = {source: source for source in wanted}
    words |= {
        source: _("treasurer’s desk, %(name)s") % {"name": names[owner]} for source, owner in desk.items()
    }
    for source in wanted:
        prefix, _colon, number = source.partition(":")
        if prefix == "adjustment":
            words[source] = _("request for a reversal %(number)s") % {"number": number}
    return words


def _at_desk(source: str) -> UUID | None:
    prefix, _colon, owner = source.partition(":")
    try:
        return UUID(owner) if prefix == "desk" else None
    except ValueError:
        return None


class AccountName(NamedTuple):
    """An account as people call it. ``owner`` is the name of whose it is, empty for house accounts."""

    id: int
    kind: str
    title: str
    owner: str
    ref: str
    asset: str
    scale: int

    def __str__(self) -> str:
        return called(self.title, self.owner, self.ref)


def called(title: str, owner: str, ref: str) -> str:
    """An account's kind and whose it is, or what tells it from others of its kind, shortened when it is long."""
    if owner:
        return _("%(kind)s of %(name)s") % {"kind": title, "name": owner}
    return f"{title} {ref if len(ref) <= 20 else ref[:8] + '…'}".strip()


def account_names(accounts: Iterable[int]) -> dict[int, AccountName]:
    """What several accounts are called, by id, in two queries; unknown ids are left out."""
    found = list(Account.objects.select_related("asset").filter(id__in=set(accounts)))
    return {account.pk: name for account, name in zip(found, name_accounts(found), strict=True)}


def name_accounts(accounts: Sequence[Account]) -> list[AccountName]:
    """What accounts are called that were read with their asset, in one query."""
    names = names_of(account.owner for account in accounts)
    return [
        AccountName(
            account.pk,
            account.kind,
            account.get_kind_display(),
            names[account.owner] if account.owner else "",
            account.ref,
            account.asset.code,
            account.asset.scale,
        )
        for account in accounts
    ]


def told(refusal: LedgerError) -> str:
    """A refusal's sentence as people understand it: accounts by name too, and missing chips as the asset writes them."""
    numbers = {
        side: int(str(number))
        for side in ("account", "debit", "credit")
        if str(number := refusal.params.get(side, "")).isdigit()
    }
    names = account_names(numbers.values())
    words: dict[str, object] = {
        side: f"{number} ({names[number]})" for side, number in numbers.items() if number in names
    }
    missing = str(refusal.params.get("missing", ""))
    if missing.isdigit() and numbers.get("account") in names:
        words["missing"] = chips(int(missing), names[numbers["account"]])
    return refusal.told(**words)


def owners_called(text: str, *, most: int = 50, clubs: Clubs = None) -> list[UUID]:
    """Owner ids of people whose name or user name contains ``text``, or the id itself; ``most`` people at most.

    With ``clubs`` only of those who have or had chips of these: a part of a name tells nothing of other clubs' people.
    """
    people = AccountOwner.objects.all()
    if clubs is not None:
        people = people.filter(id__in=Account.objects.filter(asset__club__in=clubs).values("owner"))
    try:
        asked = UUID(text)
    except ValueError:
        pass
    else:
        return [asked] if clubs is None or people.filter(id=asked).exists() else []
    people = people.filter(Q(user__display_name__icontains=text) | Q(user__username__icontains=text))
    named = [owner for owner, name in _named.items() if text.lower() in str(name).lower()]
    return [*named, *people.values_list("id", flat=True)[:most]]


def accounts_owned(owners: Sequence[UUID]) -> list[int]:
    """Ids of all accounts of several owners."""
    return list(Account.objects.filter(owner__in=owners).values_list("id", flat=True))


def members_with_wallets(club: Club, wanted: str = "") -> QuerySet[User]:
    """Members of a club and others who have its chips, by name, whose name contains ``wanted``."""
    holders = Account.objects.filter(kind=Account.Kind.WALLET, asset__club=club, owner__isnull=False)
    people = User.objects.filter(is_guest=False, is_active=True).order_by("display_name", "username")
    people = people.filter(
        Q(pk__in=people_at(club).values("pk"))
        | Q(pk__in=AccountOwner.objects.filter(id__in=holders.values("owner")).values("user"))
    )
    if wanted:
        people = people.filter(Q(display_name__icontains=wanted) | Q(username__icontains=wanted))
    return people.select_related("account_owner")


def wallets_by_owner(owners: Sequence[UUID], *, club: Club) -> dict[UUID, list[Account]]:
    """Open wallets of several owners for the chips of a club, in one query."""
    wallets = Account.objects.filter(owner__in=owners, kind=Account.Kind.WALLET, closed_at__isnull=True)
    wallets = wallets.filter(asset__club=club)
    found: dict[UUID, list[Account]] = {}
    for wallet in wallets.select_related("asset").order_by("asset__code"):
        assert wallet.owner is not None
        found.setdefault(wallet.owner, []).append(wallet)
    return found
