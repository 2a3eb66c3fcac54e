"""The book against the record: every transaction of an event is one that its action tells of, and none is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tournaments.models import Action, Tournament
from tournaments.stakes import SOURCE_PREFIX, SourcedTransaction

STATES = {"hold": "pending", "paid": "post", "void": "void"}
"""The ledger's state of a transaction by what an action says it did; everything else is posted at once."""


def events_with_chips() -> Iterator[str]:
    """Return the groups of all events that moved chips: the book must have them."""
    moved = Action.objects.exclude(moved=[]).values_list("tournament_id", flat=True).distinct()
    return (f"{SOURCE_PREFIX}{pk}/" for pk in moved)


def check_event(group: str, transactions: Sequence[SourcedTransaction]) -> Iterable[str]:
    """Compare the transactions of an event with what its actions say they moved; yields what is wrong."""
    pk = group.removeprefix(SOURCE_PREFIX).rstrip("/")
    tournament = Tournament.objects.filter(pk=pk).first()
    if tournament is None:
        yield "there is no such event"
        return
    told = {
        f"{SOURCE_PREFIX}{pk}/action/{number}": _told(moved)
        for number, moved in Action.objects.filter(tournament=tournament)
        .exclude(moved=[])
        .values_list("number", "moved")
    }
    found: dict[str, Counter[tuple[str, int]]] = {}
    for transaction in transactions:
        amounts = found.setdefault(transaction.source, Counter())
        amounts.update((transaction.state, posting.amount) for posting in transaction.postings)
    for source in sorted(told.keys() | found.keys()):
        if told.get(source, Counter()) != found.get(source, Counter()):
            yield f"{source} moved other chips than its action says"


def _told(moved: Sequence[dict[str, Any]]) -> Counter[tuple[str, int]]:
    return Counter((STATES.get(each["type"], "posted"), each["amount"]) for each in moved)
