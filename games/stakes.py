"""The one door through which chips move at tables.

Every movement is caused by an event in the table's log and posted in the same
transaction as that entry: ``stakes`` events of the rules (in stakes; 0 is the
pot), and the table's own ``buy_in`` and ``cash_out`` events (in chips). One log
entry causes at most one transaction, whose key and source name the entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from uuid import UUID, uuid5

from django.utils.translation import gettext_lazy as _

from clubs.models import Club, User
from games.errors import TableRefusal
from games.models import Seat, Table
from games.rules.interface import POT, Event
from ledger import services as ledger
from ledger.errors import Insufficient
from ledger.selectors import accounts_of, balances_of, club_of_asset, name_owner
from ledger.services.pots import PotCheck, PotClaim
from ledger.services.sources import (
    CauseLink,
    SourceCheck,
    SourcedPosting,
    SourcedTransaction,
    SourceLinks,
    register_source_check,
)

__all__ = [
    "BOTS_OWNER",
    "CAUSES",
    "SOURCE_PREFIX",
    "CauseLink",
    "PotClaim",
    "SourcedPosting",
    "SourcedTransaction",
    "answer_for_tables",
    "buy_in_event",
    "cash_out_events",
    "check_asset",
    "chips_at",
    "group_of",
    "move_chips",
    "open_pot",
    "open_seat_accounts",
    "purses_of",
    "seat_ref",
    "source_of",
    "stacks_at",
]

SOURCE_PREFIX = "table/"
BOTS_OWNER = uuid5(UUID(int=0), "the bots' chips")
"""Who owns the wallet that bots buy in from: the treasurer gives it chips like anybody's."""

CAUSES = {"stakes", "buy_in", "cash_out"}

KINDS = {
    "buy_in": _("buy-in"),
    "cash_out": _("cash-out"),
    "ante": _("ante"),
    "trick": _("tricks paid"),
    "loo": _("loo"),
    "pot": _("pot won"),
    "split": _("pot shared out"),
    "entry": _("entry"),
    "per_point": _("points paid"),
    "prize": _("prize"),
}
"""What the transactions that tables cause are called: by the reason of their first event (``_kind``)."""


def check_asset(table: Table) -> None:
    """Raise ``TableRefusal("bad_stake")`` when the chips are another club's."""
    if club_of_asset(table.asset) not in (None, table.club_id):
        raise TableRefusal("bad_stake")


def open_pot(table: Table) -> int:
    """Open the pot's account of a staked table; returns its id."""
    return ledger.open_account(kind="pot", ref=str(table.id), asset=table.asset)


def open_seat_accounts(table: Table, seat: Seat) -> None:
    """Give a taken seat of a staked table its escrow account and the wallet behind it (not saved)."""
    owner = BOTS_OWNER if seat.user is None else ledger.owner_of(user=_member(seat.user))
    seat.wallet = ledger.open_wallet(owner=owner, asset=table.asset)
    seat.account = ledger.open_account(
        kind="seat", ref=seat_ref(table.id, seat.number, owner), asset=table.asset, owner=owner
    )


def seat_ref(table_id: UUID, number: int, owner: UUID) -> str:
    """Return the ledger's reference of a seat's account: a seat taken by another owner has another account."""
    return f"{table_id}/{number}/{owner.hex[:12]}"


def source_of(table_id: UUID, version: int) -> str:
    """Return the ledger's name of a log entry as the cause of a transaction."""
    return f"{SOURCE_PREFIX}{table_id}/event/{version}"


def group_of(source: str) -> str:
    """Return the beginning of a source that all transactions of its table share."""
    return "/".join(source.split("/")[:2]) + "/"


def move_chips(table: Table, seats: Mapping[int, Seat], version: int, events: Iterable[Event]) -> None:
    """Post what ``events`` of log entry ``version`` move, all in one transaction of the ledger.

    Runs inside the entry's own database transaction. Raises ``TableRefusal``
    (``not_enough_chips``, ``bots_lack_chips``) when a wallet cannot pay a buy-in;
    a seat or pot that cannot pay is a bug of the rules and raises
    ``ledger.errors.Insufficient``.
    """
    causes = [event for event in events if event["type"] in CAUSES]
    entries = [_entry(table, seats, event) for event in causes]
    entries = [entry for entry in entries if entry.amount]
    if not entries:
        return
    name = source_of(table.id, version)
    try:
        ledger.post(key=name, kind=_kind(causes), source=name, postings=entries)
    except Insufficient as refusal:
        short = str(refusal.params.get("account"))
        owner = next((seat for seat in seats.values() if str(seat.wallet) == short), None)
        if owner is None:
            raise
        raise TableRefusal("bots_lack_chips" if owner.user is None else "not_enough_chips") from refusal


def chips_at(table: Table, seats: Iterable[Seat]) -> dict[int, int]:
    """Return the chips that each seat of a staked table holds."""
    by_account = {seat.account: seat.number for seat in seats if seat.account is not None}
    balances = balances_of(list(by_account))
    return {number: balances[account] for account, number in by_account.items()}


def stacks_at(table: Table, seats: Iterable[Seat]) -> dict[int, int]:
    """Return the whole stakes that each seat of a staked table holds."""
    return {number: chips // table.stake for number, chips in chips_at(table, seats).items()}


def purses_of(user: User, *, club: Club) -> dict[str, int]:
    """Return what a member may bring to a club's tables: available chips by asset code, empty for guests."""
    if user.is_guest:
        return {}
    wallets = accounts_of(ledger.owner_of(user=user)).filter(kind="wallet", closed_at__isnull=True)
    return {wallet.asset.code: wallet.available for wallet in wallets.filter(asset__club=club)}


def buy_in_event(seat: int, chips: int) -> Event:
    """Return the event by which chips go from the seat's wallet to the seat."""
    return {"type": "buy_in", "seat": seat, "chips": chips}


def cash_out_events(chips: Mapping[int, int], seats: Iterable[int]) -> tuple[Event, ...]:
    """Return the events by which everything that ``seats`` hold goes back to their wallets."""
    return tuple(
        {"type": "cash_out", "seat": seat, "chips": chips[seat]} for seat in sorted(seats) if chips.get(seat)
    )


def answer_for_tables(
    check: SourceCheck, *, expected: Callable[[], Iterable[str]], links: SourceLinks, pots: PotCheck
) -> None:
    """Let the ledger ask about tables.

    ``check`` answers for the transactions of every table (those of ``expected`` in
    any case), ``links`` for the pages of causes, ``pots`` for what pots must hold.
    """
    ledger.register_source_links(SOURCE_PREFIX, links)
    ledger.register_pot_check(SOURCE_PREFIX, pots)
    register_source_check(SOURCE_PREFIX, check, group=group_of, expected=expected)
    name_owner(BOTS_OWNER, _("the bots"))
    ledger.name_kinds(KINDS)


def _entry(table: Table, seats: Mapping[int, Seat], event: Event) -> ledger.Entry:
    if event["type"] == "stakes":
        sides = [_account(table, seats, event[side]) for side in ("from", "to")]
        return ledger.Entry(sides[0], sides[1], event["amount"] * table.stake)
    seat = seats[event["seat"]]
    assert seat.wallet is not None and seat.account is not None
    if event["type"] == "buy_in":
        return ledger.Entry(seat.wallet, seat.account, event["chips"])
    return ledger.Entry(seat.account, seat.wallet, event["chips"])


def _account(table: Table, seats: Mapping[int, Seat], place: int) -> int:
    account = table.pot_account if place == POT else seats[place].account
    assert account is not None, "a staked table has an account for its pot and for each taken seat"
    return account


def _kind(causes: Sequence[Event]) -> str:
    """Name a transaction after its first cause: ``ante``, ``trick``, ``loo``, ``buy_in``, ..."""
    first = causes[0]
    return str(first.get("reason", first["type"]))


def _member(user: User) -> User:
    if user.is_guest:
        raise TableRefusal("guests_without_chips")
    return user
