"""The file of heads: every signed head once more, where nobody who writes to the database can reach it.

One line of JSON per seal (``ledger.rules.receipt.head_json`` and the epoch), added
after the seal is committed. A line of a later epoch takes the place of every
earlier line from its number on: that is how heads which a restored database has
lost are given up, visibly and for ever.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from ledger.models import Seal
from ledger.rules.canonical import microseconds
from ledger.rules.receipt import BadReceipt, Head, head_json, read_head
from ledger.services.signing import KnownKey

TAIL_BYTES = 65_536
LINE = re.compile(rb'\{"seq": "(\d{1,18})", .*, "epoch": "(\d{1,9})"\}\n')


@dataclass(frozen=True)
class PublishedHead:
    """One line of the file of heads."""

    head: Head
    epoch: int


class BadHeadsFile(Exception):
    """A line of the file of heads that is no head. ``line`` counts from 1."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        self.line = line
        super().__init__(f"{path}, line {line}: {reason}")


def heads_file() -> Path:
    """Where the heads are published."""
    return Path(settings.LEDGER_HEADS_FILE)


def head_of(seal: Seal, keys: dict[str, KnownKey]) -> Head:
    """The signed head of a seal. Raises ``KeyError`` when its key is not among the known ``keys``."""
    return Head(
        seal.seq,
        bytes(seal.hash),
        bytes(seal.log_root),
        microseconds(seal.sealed_at),
        seal.key_id,
        keys[seal.key_id].public_key,
        bytes(seal.signature),
    )


def read_heads(path: Path | None = None, *, after: int = 0) -> Iterator[PublishedHead]:
    """Every line about a seal above ``after`` in its order; none when there is no file.

    A last line without its end was cut off while it was written and does not count.
    Raises ``BadHeadsFile`` for a line that is no head."""
    path = path or heads_file()
    for number, line, seq, _epoch in _scan(path):
        if seq > after:
            yield _read_line(path, number, line)


def standing_heads(path: Path | None = None, *, after: int = 0) -> Iterator[PublishedHead]:
    """The heads above ``after`` that no later epoch has given up, in ascending order of their numbers."""
    opened = epochs(path)
    for line in read_heads(path, after=after):
        if all(line.head.seq < seq for epoch, seq in opened.items() if epoch > line.epoch):
            yield line


def count_given_up(path: Path | None = None) -> int:
    """How many heads a later epoch has given up."""
    opened = epochs(path)
    if len(opened) < 2:
        return 0
    return sum(
        any(seq >= first for later, first in opened.items() if later > epoch)
        for _number, _line, seq, epoch in _scan(path or heads_file())
    )


def epochs(path: Path | None = None) -> dict[int, int]:
    """The first head of every epoch in the file."""
    opened: dict[int, int] = {}
    for _number, _line, seq, epoch in _scan(path or heads_file()):
        opened.setdefault(epoch, seq)
    return opened


def last_head(path: Path | None = None) -> PublishedHead | None:
    """The last line of the file, found from its end."""
    path = path or heads_file()
    if not path.exists():
        return None
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - TAIL_BYTES))
        whole = [line for line in file.read().splitlines(keepends=True) if line.endswith(b"\n")]
    return _read_line(path, 0, whole[-1]) if whole else None


def append_heads(heads: Iterable[PublishedHead]) -> int:
    """Add lines and see them safely on disk; returns how many. The caller keeps other writers out."""
    path = heads_file()
    text = "".join(json.dumps({**head_json(line.head), "epoch": str(line.epoch)}) + "\n" for line in heads)
    if not text:
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    _cut_torn_line(path)
    with path.open("ab") as file:
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())
    return text.count("\n")


def _scan(path: Path) -> Iterator[tuple[int, bytes, int, int]]:
    """Number, text, seal and epoch of every whole line, without reading the rest of it."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            match = LINE.fullmatch(line)
            if match is None:
                raise BadHeadsFile(path, number, "not a head")
            yield number, line, int(match[1]), int(match[2])


def _read_line(path: Path, number: int, line: bytes) -> PublishedHead:
    try:
        value = json.loads(line)
        epoch = int(value.pop("epoch"))
        return PublishedHead(read_head(value), epoch)
    except (ValueError, KeyError, TypeError, AttributeError, BadReceipt) as error:
        raise BadHeadsFile(path, number, str(error)) from None


def _cut_torn_line(path: Path) -> None:
    """Remove a last line that was cut off while it was written; its seal is published again in full."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        content_end = file.seek(0, os.SEEK_END)
        file.seek(max(0, content_end - TAIL_BYTES))
        tail = file.read()
        torn = len(tail) - (tail.rfind(b"\n") + 1)
        if torn:
            file.truncate(content_end - torn)
