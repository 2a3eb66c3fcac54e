"""Step d: what caused the postings, asked of whoever knows it.

The ledger knows nothing of cards. An app above registers a check for the sources
it writes (``games/receivers.py``: every deal replayed by its rules gives exactly
the postings that it caused) and gets all transactions of one cause at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger.models import Transaction
from ledger.services.faults import Fault
from ledger.services.leaves import Row, by_transaction, stream


@dataclass(frozen=True)
class SourcedPosting:
    """``amount`` from one account to another, each by kind and reference."""

    debit: tuple[str, str]
    credit: tuple[str, str]
    asset: str
    amount: int


@dataclass(frozen=True)
class SourcedTransaction:
    """A transaction as its cause sees it; ``source`` names the cause in full."""

    id: int
    source: str
    kind: str
    state: str
    key: str
    postings: tuple[SourcedPosting, ...]


SourceCheck = Callable[[str, Sequence[SourcedTransaction]], Iterable[str]]
"""``(group, transactions) -> what is wrong``: one English sentence for every fault, none when all is well."""


@dataclass(frozen=True)
class Registered:
    """One registered check."""

    prefix: str
    check: SourceCheck
    group: Callable[[str], str]
    expected: Callable[[], Iterable[str]] | None


_registered: dict[str, Registered] = {}


def register_source_check(
    prefix: str,
    check: SourceCheck,
    *,
    group: Callable[[str], str],
    expected: Callable[[], Iterable[str]] | None = None,
) -> None:
    """Have ``check`` called for every group of transactions whose source begins with ``prefix``.

    ``group`` shortens a source to what is checked as one, and must return a
    beginning of it that ends at a separator (``table/7/deal/3/`` for
    ``table/7/deal/3/event/12``), so that no other group begins with it. ``check``
    gets the group and its transactions by ascending id. ``expected`` lists groups
    that must be checked even if the book has nothing of them. Raises
    ``ValueError`` when the prefix overlaps with one that is registered."""
    for other in _registered:
        if other != prefix and (other.startswith(prefix) or prefix.startswith(other)):
            raise ValueError(f"source prefix {prefix!r} overlaps with {other!r}")
    _registered[prefix] = Registered(prefix, check, group, expected)


def unregister_source_check(prefix: str) -> None:
    """Take a check out again."""
    _registered.pop(prefix, None)


def registered_prefixes() -> list[str]:
    """The prefixes for which there is a check."""
    return sorted(_registered)


def prefix_of(text: str) -> str:
    """How the sources begin that a person means by ``text``: an id alone is that of a table, a tournament, ...

    What is no id is taken as it is. Of several registered prefixes the first wins under
    which the book has anything of that id."""
    try:
        id = str(UUID(text))
    except ValueError:
        return text
    found = [f"{prefix}{id}" for prefix in registered_prefixes()]
    used = (each for each in found if Transaction.objects.filter(source__startswith=each).exists())
    return next(used, found[0] if found else id)


def check_sources(*, since_transaction: int = 0) -> int:
    """Call every registered check; returns the number of groups checked.

    With ``since_transaction`` only groups with a transaction from that id on are
    checked, each of them whole. Must run inside a transaction. Raises ``Fault``."""
    return sum(_check_registered(entry, since_transaction) for entry in _registered.values())


def _check_registered(entry: Registered, since_transaction: int) -> int:
    if since_transaction:
        groups = {entry.group(source) for source in _sources_since(entry.prefix, since_transaction)}
        for group in sorted(groups):
            _check_group(entry, group, sorted(_read(group), key=_by_id))
        return len(groups)
    checked = 0
    missing = set(entry.expected()) if entry.expected else set()
    for group, transactions in _grouped(entry):
        _check_group(entry, group, transactions)
        missing.discard(group)
        checked += 1
    for group in sorted(missing):
        _check_group(entry, group, [])
    return checked + len(missing)


def _check_group(entry: Registered, group: str, transactions: list[SourcedTransaction]) -> None:
    first = transactions[0].id if transactions else None
    try:
        wrong = list(entry.check(group, transactions))
    except Exception as error:
        # A forged source may be anything; whatever its check trips over is found, and named, here.
        detail = f"{group}: the check failed with {type(error).__name__}: {error}"
        raise Fault("source_check_failed", detail, transaction=first) from error
    if wrong:
        raise Fault("source_mismatch", f"{group}: {wrong[0]}", transaction=first)


def _grouped(entry: Registered) -> Iterator[tuple[str, list[SourcedTransaction]]]:
    """Groups one after the other: equal beginnings stand together in the order of bytes."""
    group = ""
    transactions: list[SourcedTransaction] = []
    for transaction in _read(entry.prefix):
        found = entry.group(transaction.source)
        if transactions and found != group:
            yield group, sorted(transactions, key=_by_id)
            transactions = []
        group = found
        transactions.append(transaction)
    if transactions:
        yield group, sorted(transactions, key=_by_id)


def _read(prefix: str) -> Iterator[SourcedTransaction]:
    rows = stream(
        "SELECT t.id, t.source, t.kind, t.state, t.key, d.kind, d.ref, c.kind, c.ref, s.code, p.amount"
        " FROM ledger_transaction t JOIN ledger_posting p ON p.transaction_id = t.id"
        " JOIN ledger_account d ON d.id = p.debit_id JOIN ledger_account c ON c.id = p.credit_id"
        " JOIN ledger_asset s ON s.id = p.asset_id"
        ' WHERE t.source ^@ %s ORDER BY t.source COLLATE "C", t.id, p.n',
        [prefix],
    )
    for group in by_transaction(rows):
        id, source, kind, state, key = group[0][:5]
        postings = tuple(_posting(row) for row in group)
        yield SourcedTransaction(id, source.decode(), kind.decode(), state.decode(), key.decode(), postings)


def _by_id(transaction: SourcedTransaction) -> int:
    return transaction.id


def _posting(row: Row) -> SourcedPosting:
    debit_kind, debit_ref, credit_kind, credit_ref, asset, amount = row[5:]
    return SourcedPosting(
        (debit_kind.decode(), debit_ref.decode()),
        (credit_kind.decode(), credit_ref.decode()),
        asset.decode(),
        amount,
    )


def _sources_since(prefix: str, transaction: int) -> Iterator[str]:
    rows = stream(
        "SELECT DISTINCT t.source FROM ledger_transaction t WHERE t.id >= %s AND t.source ^@ %s",
        [transaction, prefix],
    )
    return (row[0].decode() for row in rows)


@dataclass(frozen=True)
class CauseLink:
    """Where a person can see the cause of a transaction: an address of the site and its words."""

    url: str
    label: str


SourceLinks = Callable[[Sequence[str]], Mapping[str, CauseLink]]
_links: dict[str, SourceLinks] = {}


def register_source_links(prefix: str, links: SourceLinks) -> None:
    """Have ``links`` say where the causes of sources that begin with ``prefix`` are to be seen, of many at once."""
    _links[prefix] = links


def links_of_sources(sources: Iterable[str]) -> dict[str, CauseLink]:
    """The places where causes are to be seen, by source; without those that nobody knows. One question per prefix."""
    found: dict[str, CauseLink] = {}
    wanted = set(sources)
    for prefix, links in _links.items():
        asked = sorted(source for source in wanted if source.startswith(prefix))
        if asked:
            found.update(links(asked))
    return found
