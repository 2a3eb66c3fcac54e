"""The tree over all seals, read from the nodes that each seal keeps.

The complete node at ``(level, index)`` is finished by seal number
``(index + 1) << level`` and stands there, so that any path needs a handful of rows.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.models import Seal
from ledger.rules.merkle import (
    HASH_BYTES,
    Coordinates,
    Frontier,
    inclusion_ranges,
    path_coordinates,
    peak_coordinates,
    prefix_ranges,
    read_path,
)


def log_frontier(size: int) -> Frontier:
    """The tree over the first ``size`` seals, ready to grow. Raises ``KeyError`` when a seal is missing."""
    places = peak_coordinates(0, size)
    nodes = _read_nodes(places)
    return Frontier(size, [nodes[place] for place in places])


def seal_path(seq: int, size: int) -> list[bytes]:
    """Path from seal ``seq`` to the root over the first ``size`` seals."""
    return _path(inclusion_ranges(seq - 1, size))


def prefix_path(old: int, new: int) -> list[bytes]:
    """Path that proves the first ``old`` seals a prefix of the first ``new``."""
    return _path(prefix_ranges(old, new))


def _path(ranges: list[tuple[int, int]]) -> list[bytes]:
    nodes = _read_nodes(path_coordinates(ranges))
    return read_path(ranges, lambda level, index: nodes[level, index])


def _read_nodes(places: Iterable[Coordinates]) -> dict[Coordinates, bytes]:
    wanted = {(level, index): (index + 1) << level for level, index in places}
    kept = {
        seq: bytes(nodes)
        for seq, nodes in Seal.objects.filter(seq__in=set(wanted.values())).values_list("seq", "nodes")
    }
    return {
        place: kept[seq][place[0] * HASH_BYTES : (place[0] + 1) * HASH_BYTES] for place, seq in wanted.items()
    }
