"""A year of a club's book as one file that proves itself, without the database (docs/ledger.md).

Lines of JSON, UTF-8; integers, bytes and times as in receipts:

* the head: ``format``, ``club``, ``year``, ``closed_at``, ``closed_by``, ``previous`` (the closed year before: its
  ``year`` and the ``sha256`` of its file, or null), ``log`` (the tree over all seals before the first one here:
  ``size``, ``peaks``) and ``keys`` (every key of the site: ``key_id``, ``public_key``);
* a line for each account that ever moved: ``account``, and ``opening`` and ``closing`` with ``seq`` and ``balance``;
* a line for each seal: ``seal``, its signed ``head``, the hashes of its ``leaves``, and ``listed``, which of them are
  transactions of the club in this year. These follow, each on its line: ``index``, ``transaction``. Of other clubs'
  transactions only the hashes are here, and nothing can be learnt from them;
* the end: ``sha256`` over all bytes before it, and ``key_id``, ``public_key``, ``signature`` (Ed25519) over that.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from . import canonical, merkle
from .receipt import BadReceipt, Json, VerifySignature, check_head, check_seal
from .receipt_values import (
    check_fields,
    read_hash,
    read_hashes,
    read_head,
    read_hex,
    read_integer,
    read_list,
    read_time,
    read_transaction,
)

FORMAT = "card-club-ledger-year/1"
MAGIC = b"club-ledger year\x00\x01"
"""What is signed: this, then the SHA-256 of everything before the last line."""

HEAD_FIELDS = ("format", "club", "year", "closed_at", "closed_by", "previous", "log", "keys")
END_FIELDS = ("sha256", "key_id", "public_key", "signature")


class YearFault(Exception):
    """An archive that does not hold; the sentence says where and how it differs."""


@dataclass
class Balance:
    """Where an account stands: postings so far and balance."""

    seq: int = 0
    balance: int = 0

    def __str__(self) -> str:
        return f"{self.balance} after {self.seq} postings"


@dataclass
class Year:
    """What an archive that holds says. ``closing`` is by account; ``seals`` has the hash of each by its number."""

    club: str
    year: int
    previous: Json | None
    digest: bytes = b""
    opening: dict[int, Balance] = field(default_factory=dict)
    closing: dict[int, Balance] = field(default_factory=dict)
    seals: dict[int, bytes] = field(default_factory=dict)
    keys: list[bytes] = field(default_factory=list)
    transactions: int = 0
    postings: int = 0


def year_span(year: int) -> tuple[int, int]:
    """Return the first microsecond of a year of UTC and the first one after it."""
    first, after = (datetime(number, 1, 1, tzinfo=UTC) for number in (year, year + 1))
    return canonical.microseconds(first), canonical.microseconds(after)


def check_year(
    lines: Iterable[bytes], verify: VerifySignature, *, trusted_keys: Collection[bytes] | None = None
) -> Year:
    """Check an archive from its first line to its last; raises ``YearFault`` at the first thing that differs.

    ``trusted_keys`` are the site's public keys as the reader knows them; without any, only that the keys named
    in the archive signed it.
    """
    reading = _Reading(verify, trusted_keys)
    try:
        return reading.whole(lines)
    except BadReceipt as error:
        raise YearFault(f"{reading.where()}: {error.detail}") from None
    except (KeyError, TypeError, AttributeError, IndexError):
        raise YearFault(f"{reading.where()} is not what an archive has there") from None


def check_follows(earlier: Year, later: Year, earlier_file: bytes) -> None:
    """Check that one archive begins where the other ended; ``earlier_file`` is the SHA-256 of its file.

    Raises ``YearFault``."""
    if later.club != earlier.club or later.year != earlier.year + 1:
        raise YearFault(f"{later.year} of {later.club} does not follow {earlier.year} of {earlier.club}")
    if later.previous is None or later.previous["sha256"] != earlier_file.hex():
        raise YearFault(f"{later.year} was closed after another file of {earlier.year} than this one")
    for account in sorted(later.opening.keys() | earlier.closing.keys()):
        before, after = earlier.closing.get(account, Balance()), later.opening.get(account, Balance())
        if before != after:
            raise YearFault(f"account {account} ended {earlier.year} with {before} and begins with {after}")
    shared = earlier.seals.keys() & later.seals.keys()
    if not shared:
        raise YearFault(f"no seal is in both: seals between {earlier.year} and {later.year} are missing")
    for seq in sorted(shared):
        if earlier.seals[seq] != later.seals[seq]:
            raise YearFault(f"seal {seq} is another one in {earlier.year} than in {later.year}")


class _Reading:
    """An archive that is being read: one line after the other."""

    def __init__(self, verify: VerifySignature, trusted: Collection[bytes] | None) -> None:
        self.verify = verify
        self.trusted = trusted
        self.line = 0
        self.said: dict[int, Balance] = {}
        self.assets: dict[int, str] = {}
        self.kinds: dict[int, str] = {}
        self.log = merkle.Frontier()
        self.last_hash: bytes | None = None
        self.digest = sha256()

    def where(self) -> str:
        return f"line {self.line}"

    def whole(self, lines: Iterable[bytes]) -> Year:
        parsed = self._parsed(lines)
        year = self._head(next(parsed, None))
        self.span = year_span(year.year)
        pending: Json | None = None
        for found in parsed:
            if "account" in found:
                self._account(year, found)
                continue
            pending = found
            break
        while pending is not None and "seal" in pending:
            pending = self._seal(year, pending, parsed)
        self._balances(year)
        self._end(year, pending)
        if next(parsed, None) is not None:
            raise YearFault(f"{self.where()} stands after the archive's end")
        return year

    def _parsed(self, lines: Iterable[bytes]) -> Iterator[Json]:
        for line in lines:
            self.line += 1
            try:
                found = json.loads(line)
            except ValueError:
                raise YearFault(f"{self.where()} is not JSON: the archive is cut off or damaged") from None
            if not isinstance(found, dict):
                raise YearFault(f"{self.where()} is not what an archive has there")
            if "signature" not in found:
                self.digest.update(line)
            yield found

    def _head(self, head: Json | None) -> Year:
        if head is None or head.get("format") != FORMAT:
            raise YearFault(f"this is no archive of a year (format {FORMAT})")
        check_fields(head, HEAD_FIELDS)
        peaks = read_hashes(head["log"]["peaks"])
        try:
            self.log = merkle.Frontier(read_integer(head["log"]["size"]), peaks)
        except ValueError as error:
            raise YearFault(f"the tree before the first seal does not fit: {error}") from None
        keys = [read_hex(key["public_key"], 32) for key in read_list(head["keys"])]
        return Year(head["club"], int(head["year"]), head["previous"], keys=keys)

    def _account(self, year: Year, found: Json) -> None:
        account = found["account"]
        number = read_integer(account["id"])
        if number in self.assets:
            raise YearFault(f"{self.where()}: account {number} is listed twice")
        self.assets[number], self.kinds[number] = account["asset"], account["kind"]
        for name, into in (("opening", year.opening), ("closing", self.said)):
            into[number] = Balance(read_integer(found[name]["seq"]), read_integer(found[name]["balance"]))
        year.closing[number] = Balance(year.opening[number].seq, year.opening[number].balance)

    def _seal(self, year: Year, found: Json, rest: Iterator[Json]) -> Json | None:
        """Check a seal and the transactions after it; return the line that follows them."""
        seal, seq = found["seal"], read_integer(found["seal"]["seq"])
        if seq != self.log.size + 1:
            raise YearFault(f"seal {self.log.size + 1} is missing: seal {seq} stands in its place")
        root, size, seal_hash = self._checked_seal(seal, seq)
        leaves = read_hashes(found["leaves"])
        if len(leaves) != size or merkle.tree_root(leaves) != root:
            raise YearFault(
                f"the leaves of seal {seq} do not give its root: one was changed, removed or moved"
            )
        self._check_head(found["head"], year, seq, seal_hash)
        year.seals[seq] = seal_hash
        for index in (read_integer(index) for index in read_list(found["listed"])):
            self._transaction(year, seq, index, leaves[index], next(rest, None))
        return next(rest, None)

    def _checked_seal(self, seal: Json, seq: int) -> tuple[bytes, int, bytes]:
        try:
            root, size, seal_hash = check_seal(seal)
        except BadReceipt as error:
            raise YearFault(f"seal {seq}: {error.detail}") from None
        if self.last_hash is not None and read_hash(seal["previous"]) != self.last_hash:
            raise YearFault(f"seal {seq} does not name the hash of the seal before it")
        self.last_hash = seal_hash
        self.log.append(seal_hash)
        return root, size, seal_hash

    def _check_head(self, raw: Any, year: Year, seq: int, seal_hash: bytes) -> None:
        head = read_head(raw)
        if (head.seq, head.hash) != (seq, seal_hash):
            raise YearFault(f"the head of seal {seq} is not its own")
        if head.log_root != self.log.root():
            raise YearFault(f"the tree over all seals does not have the root that seal {seq} signed")
        try:
            check_head(head, self.verify, self.trusted if self.trusted is not None else year.keys, None)
        except BadReceipt as error:
            raise YearFault(f"seal {seq}: {error.detail}") from None

    def _transaction(self, year: Year, seq: int, index: int, leaf: bytes, found: Json | None) -> None:
        if found is None or "transaction" not in found or read_integer(found["index"]) != index:
            raise YearFault(
                f"{self.where()}: the transaction at place {index} of seal {seq} is missing or moved"
            )
        transaction = found["transaction"]
        number = transaction["id"]
        if merkle.leaf_hash(read_transaction(transaction)) != leaf:
            raise YearFault(f"transaction {number} is not as seal {seq} has it: something in it was changed")
        if not self.span[0] <= read_time(transaction["at"]) < self.span[1]:
            raise YearFault(f"transaction {number} is not of {year.year}")
        year.transactions += 1
        for posting in transaction["postings"]:
            year.postings += 1
            amount = read_integer(posting["amount"])
            moves = amount if transaction["state"] in ("posted", "post") else 0
            for side, change in (("debit", -moves), ("credit", moves)):
                self._move(year, number, posting, side, change)

    def _move(self, year: Year, number: str, posting: Json, side: str, change: int) -> None:
        account = read_integer(posting[side]["id"])
        place = year.closing.get(account)
        if place is None:
            raise YearFault(f"transaction {number} moves account {account}, which the archive does not list")
        place.seq += 1
        place.balance += change
        told = Balance(read_integer(posting[f"{side}_seq"]), read_integer(posting[f"{side}_after"]))
        if place != told:
            raise YearFault(
                f"transaction {number}: account {account} has {place}, and the posting says {told}:"
                " a transaction before it is missing, or the balance at the beginning was changed"
            )

    def _balances(self, year: Year) -> None:
        """Compare what the accounts came to with what the archive says, and see that nothing was made or lost."""
        for account, said in self.said.items():
            if year.closing[account] != said:
                raise YearFault(
                    f"account {account} ends with {year.closing[account]}, and the archive says {said}"
                )
        sums: dict[str, int] = defaultdict(int)
        for account, place in year.closing.items():
            sums[self.assets[account]] += place.balance
            if self.kinds[account] == "suspense" and place.balance:
                raise YearFault(f"suspense account {account} ends with {place.balance}, not with 0")
        for asset, total in sums.items():
            if total:
                raise YearFault(f"the balances of {asset} come to {total} at the end of the year, not to 0")

    def _end(self, year: Year, end: Json | None) -> None:
        if end is None:
            raise YearFault("the archive is cut off: its end with the signature is missing")
        if "signature" not in end:
            raise YearFault(f"{self.where()} is neither a seal nor the archive's end")
        check_fields(end, END_FIELDS)
        year.digest = self.digest.digest()
        if read_hash(end["sha256"]) != year.digest:
            raise YearFault(
                "the archive is not what was signed: its head or its list of accounts was changed"
            )
        key = read_hex(end["public_key"], 32)
        if not self.verify(key, MAGIC + year.digest, read_hex(end["signature"], 64)):
            raise YearFault("the signature under the archive is not by the key that it names")
        if key not in (self.trusted if self.trusted is not None else year.keys):
            raise YearFault(
                f"the archive is signed by key {canonical.key_name(key)}, which is not to be trusted"
            )
