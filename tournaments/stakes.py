"""The one door through which chips move for events.

An entry fee is set aside when a player enters (a hold from the wallet to the event's pool), paid when the
event starts, let go on withdrawal before that. Prizes leave the pool in one transaction, which can be taken
back as one. What prizes are guaranteed beyond the fees comes from the mint, as new chips. Every
transaction has an action of the event as its source, and that action says what was moved
(``Action.moved``); ``answer_for_events`` lets the ledger's verification compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, User
from games.stakes import BOTS_OWNER
from ledger import services as ledger
from ledger.errors import Insufficient
from ledger.selectors import balance, balances_of, club_of_asset, find_account, minted_assets
from ledger.services.sources import SourceCheck, SourcedTransaction, register_source_check
from tournaments.errors import EventRefusal
from tournaments.models import Entry, Tournament

__all__ = [
    "SOURCE_PREFIX",
    "SourcedTransaction",
    "answer_for_events",
    "check_asset",
    "club_assets",
    "event_asset",
    "group_of",
    "hold_fee",
    "issue_event_chips",
    "pay_fee",
    "pay_prizes",
    "pool_of",
    "redeem_event_chips",
    "refund_fees",
    "source_of",
    "take_prizes_back",
    "void_fee",
]

SOURCE_PREFIX = "tournament/"
EVENT_PREFIX = "EV-"
"""Chips whose code begins so belong to one event."""

KINDS = {
    "event_fee": _("entry fee"),
    "event_refund": _("entry fees refunded"),
    "event_guarantee": _("guaranteed prizes"),
    "event_prizes": _("prizes"),
    "event_prizes_back": _("prizes taken back"),
    "event_chips": _("event’s own chips"),
}

Moved = dict[str, Any]
"""What one transaction moved, as an action notes it: ``{"type", "entry", "amount"}``."""


def source_of(tournament: Tournament, action: int) -> str:
    """Return the ledger's name of an action as the cause of a transaction."""
    return f"{SOURCE_PREFIX}{tournament.pk}/action/{action}"


def group_of(source: str) -> str:
    """Return the beginning of a source that all transactions of its event share."""
    return "/".join(source.split("/")[:2]) + "/"


def check_asset(code: str, *, club_id: int | None) -> None:
    """Raise ``EventRefusal("bad_fee")`` unless the club has such chips."""
    if club_of_asset(code) != club_id or find_account(kind="mint", ref="", asset=code) is None:
        raise EventRefusal("bad_fee", f"there are no chips {code!r}")


def club_assets(club: Club) -> list[str]:
    """Return the codes of the club's chips, without those that belong to one event."""
    return [code for code in minted_assets(club_id=club.pk) if not code.startswith(EVENT_PREFIX)]


def pool_of(tournament: Tournament) -> int:
    """Return the chips in the event's pool."""
    return balance(_pool(tournament)) if tournament.asset else 0


def hold_fee(tournament: Tournament, entry: Entry, action: int) -> Moved:
    """Set the entry fee aside; notes the hold in ``entry`` (not saved).

    Raises ``EventRefusal`` (``account_needed``, ``guests_without_chips``, ``not_enough_chips``).
    """
    source = source_of(tournament, action)
    postings = [ledger.Entry(_wallet(tournament, entry), _pool(tournament), tournament.fee)]
    try:
        # A savepoint of its own: the next on the waiting list may be able to pay.
        with transaction.atomic():
            held = ledger.hold(
                key=f"{source}/fee/{entry.number}", kind="event_fee", source=source, postings=postings
            )
    except Insufficient as refusal:
        raise EventRefusal("not_enough_chips") from refusal
    entry.fee_hold, entry.fee_paid = held.id, False
    return {"type": "hold", "entry": entry.number, "amount": tournament.fee}


def pay_fee(tournament: Tournament, entry: Entry, action: int) -> Moved:
    """Move the fee that was set aside into the pool; notes it in ``entry`` (not saved)."""
    assert entry.fee_hold is not None, "only a fee that was set aside can be paid"
    source = source_of(tournament, action)
    ledger.post_hold(
        key=f"{source}/paid/{entry.number}", kind="event_fee", source=source, hold=entry.fee_hold
    )
    entry.fee_hold, entry.fee_paid = None, True
    return {"type": "paid", "entry": entry.number, "amount": tournament.fee}


def void_fee(tournament: Tournament, entry: Entry, action: int) -> Moved:
    """Let go of the fee that was set aside; notes it in ``entry`` (not saved)."""
    assert entry.fee_hold is not None, "only a fee that was set aside can be let go"
    source = source_of(tournament, action)
    ledger.void_hold(
        key=f"{source}/void/{entry.number}", kind="event_fee", source=source, hold=entry.fee_hold
    )
    entry.fee_hold = None
    return {"type": "void", "entry": entry.number, "amount": tournament.fee}


def refund_fees(tournament: Tournament, entries: Sequence[Entry], action: int) -> list[Moved]:
    """Send paid fees back to the wallets they came from, all in one transaction; notes it (not saved)."""
    paid = [entry for entry in entries if entry.fee_paid]
    if not paid:
        return []
    source = source_of(tournament, action)
    postings = [ledger.Entry(_pool(tournament), _wallet(tournament, entry), tournament.fee) for entry in paid]
    ledger.post(key=f"{source}/refund", kind="event_refund", source=source, postings=postings)
    for entry in paid:
        entry.fee_paid = False
    return [{"type": "refund", "entry": entry.number, "amount": tournament.fee} for entry in paid]


def pay_prizes(
    tournament: Tournament, awards: Sequence[tuple[Entry, int]], action: int
) -> tuple[int, list[Moved]]:
    """Pay the awards out of the pool in one transaction; returns its id and what was moved.

    What the pool lacks of the guaranteed prizes comes from the mint in the same transaction.
    """
    source = source_of(tournament, action)
    total = sum(amount for _entry, amount in awards)
    lacking = total - pool_of(tournament)
    postings, moved = [], []
    if lacking > 0:
        mint = ledger.open_house_account(kind="mint", asset=tournament.asset)
        postings.append(ledger.Entry(mint, _pool(tournament), lacking))
        moved.append({"type": "guarantee", "entry": 0, "amount": lacking})
    for entry, amount in awards:
        postings.append(ledger.Entry(_pool(tournament), _wallet(tournament, entry), amount))
        moved.append({"type": "prize", "entry": entry.number, "amount": amount})
    posted = ledger.post(key=f"{source}/prizes", kind="event_prizes", source=source, postings=postings)
    return posted.id, moved


def take_prizes_back(
    tournament: Tournament, paid: int, moved: Sequence[Mapping[str, Any]], action: int, reason: str
) -> tuple[int, list[Moved]]:
    """Undo the payout of transaction ``paid`` as one; returns the new transaction's id and what was moved.

    What a winner won whose account was erased since comes from suspense, for the treasurer to clear: nobody has those
    chips any more. Raises ``EventRefusal("chips_spent")``.
    """
    source = source_of(tournament, action)
    try:
        with transaction.atomic():
            posted = ledger.reverse(
                key=f"{source}/back",
                kind="event_prizes_back",
                source=source,
                transaction=paid,
                note=reason,
                instead=ledger.suspense_for_leavers(transaction_id=paid),
            )
    except Insufficient as refusal:
        raise EventRefusal("chips_spent") from refusal
    return posted.id, [{**each, "type": f"{each['type']}_back"} for each in moved]


def event_asset(tournament: Tournament) -> str:
    """Return the code of the event's own chips."""
    return f"{EVENT_PREFIX}{tournament.pk.hex[:16].upper()}"


def issue_event_chips(tournament: Tournament, entries: Sequence[Entry], action: int) -> list[Moved]:
    """Give every player the event's own chips for one round, from the event's own mint, in one transaction."""
    asset = event_asset(tournament)
    ledger.create_asset(code=asset, club=tournament.club)
    mint = ledger.open_house_account(kind="mint", asset=asset)
    source = source_of(tournament, action)
    postings = [ledger.Entry(mint, _purse(entry, asset), tournament.event_chips) for entry in entries]
    ledger.post(key=f"{source}/chips", kind="event_chips", source=source, postings=postings)
    return [{"type": "chips", "entry": entry.number, "amount": tournament.event_chips} for entry in entries]


def redeem_event_chips(tournament: Tournament, entries: Sequence[Entry], action: int) -> list[Moved]:
    """Take the event's own chips back to its mint when a round is over, in one transaction."""
    asset = event_asset(tournament)
    purses = {_purse(entry, asset): entry for entry in entries}
    left = {account: chips for account, chips in balances_of(list(purses)).items() if chips}
    if not left:
        return []
    mint = ledger.open_house_account(kind="mint", asset=asset)
    source = source_of(tournament, action)
    postings = [ledger.Entry(account, mint, chips) for account, chips in left.items()]
    ledger.post(key=f"{source}/chips_back", kind="event_chips", source=source, postings=postings)
    return [
        {"type": "chips_back", "entry": purses[account].number, "amount": chips}
        for account, chips in left.items()
    ]


def answer_for_events(check: SourceCheck, *, expected: Callable[[], Iterable[str]]) -> None:
    """Let the ledger's verification ask events about the transactions they caused."""
    register_source_check(SOURCE_PREFIX, check, group=group_of, expected=expected)
    ledger.name_kinds(KINDS)


def _pool(tournament: Tournament) -> int:
    return ledger.open_account(kind="pool", ref=str(tournament.pk), asset=tournament.asset)


def _wallet(tournament: Tournament, entry: Entry) -> int:
    return ledger.open_wallet(owner=ledger.owner_of(user=_member(entry.user)), asset=tournament.asset)


def _purse(entry: Entry, asset: str) -> int:
    """Return the wallet that a table buys in from: a member's own, or that of all bots."""
    owner = BOTS_OWNER if entry.is_bot else ledger.owner_of(user=_member(entry.user))
    return ledger.open_wallet(owner=owner, asset=asset)


def _member(user: User | None) -> User:
    if user is None:
        raise EventRefusal("account_needed")
    if user.is_guest:
        raise EventRefusal("guests_without_chips")
    return user
