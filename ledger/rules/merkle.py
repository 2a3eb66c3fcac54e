"""Merkle trees, inclusion paths and prefix paths.

There is one kind of tree. A leaf is ``SHA-256(0x00 || data)``, a node is
``SHA-256(0x01 || left || right)``, and on every level an odd node at the end is
promoted unchanged. This is the tree of RFC 9162 section 2.1 (where a list is split
at the largest power of two below its length), so its two proofs apply as they stand.

Nodes have coordinates: ``(level, index)`` covers the leaves from ``index << level``
up to ``(index + 1) << level``. Only *complete* nodes have coordinates; a complete
node never changes when the tree grows, so it may be stored for ever.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()

Coordinates = tuple[int, int]
NodeReader = Callable[[int, int], bytes]


class BadPath(Exception):
    """A path that does not fit the tree's size, or does not lead to its root."""


def leaf_hash(data: bytes) -> bytes:
    """Hash of one leaf's data."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of the node above two nodes."""
    return sha256(b"\x01" + left + right).digest()


class Frontier:
    """The right edge of a tree that grows leaf by leaf, in O(log n) memory.

    ``size`` is the number of leaves so far; ``peaks`` are the roots of the complete
    subtrees from left to right, one for every 1 bit of ``size``, the largest first.
    """

    __slots__ = ("peaks", "size")

    def __init__(self, size: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.size = size
        self.peaks = list(peaks)
        if len(self.peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} peaks, not {len(self.peaks)}")

    def append(self, leaf: bytes) -> list[bytes]:
        """Add one leaf hash. Returns the nodes this completes: the leaf itself on level 0, then its
        ancestors on levels 1, 2, ... as far as they are complete."""
        completed = [leaf]
        node = leaf
        trailing = self.size
        while trailing & 1:
            node = sha256(b"\x01" + self.peaks.pop() + node).digest()
            completed.append(node)
            trailing >>= 1
        self.peaks.append(node)
        self.size += 1
        return completed

    def root(self) -> bytes:
        """Root of the tree so far: the peaks folded from the right."""
        return fold_peaks(self.peaks)


def fold_peaks(peaks: Sequence[bytes]) -> bytes:
    """Root over complete subtrees given from left to right, each larger than the next."""
    if not peaks:
        return EMPTY_ROOT
    node = peaks[-1]
    for peak in reversed(peaks[:-1]):
        node = node_hash(peak, node)
    return node


def tree_root(leaves: Iterable[bytes]) -> bytes:
    """Root over leaf hashes in their order."""
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf)
    return frontier.root()


def levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """All complete nodes of a tree: ``levels(leaves)[level][index]``."""
    rows = [list(leaves)]
    while len(rows[-1]) > 1:
        below = rows[-1]
        rows.append([node_hash(below[i], below[i + 1]) for i in range(0, len(below) - 1, 2)])
    return rows


def peak_coordinates(start: int, end: int) -> list[Coordinates]:
    """The complete nodes, left to right, that cover the leaves ``start <= leaf < end``.

    ``start`` must be a multiple of the largest power of two that fits, which holds
    for every subtree of a tree of this kind."""
    nodes: list[Coordinates] = []
    while start < end:
        level = (end - start).bit_length() - 1
        nodes.append((level, start >> level))
        start += 1 << level
    return nodes


def inclusion_ranges(index: int, size: int) -> list[tuple[int, int]]:
    """Leaf ranges of the siblings on the way from leaf ``index`` up to the root (RFC 9162 2.1.3.1)."""
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size} leaves")
    ranges: list[tuple[int, int]] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            ranges.append((middle, end))
            end = middle
        else:
            ranges.append((start, middle))
            start = middle
    ranges.reverse()
    return ranges


def prefix_ranges(old: int, new: int) -> list[tuple[int, int]]:
    """Leaf ranges whose roots prove that the first ``old`` leaves of ``new`` are unchanged (RFC 9162 2.1.4.1)."""
    if not 0 < old <= new:
        raise ValueError(f"a tree of {old} leaves is no prefix of a tree of {new}")
    ranges: list[tuple[int, int]] = []
    start, end, known = 0, new, True
    while old != end:
        middle = start + _split(end - start)
        if old <= middle:
            ranges.append((middle, end))
            end = middle
        else:
            ranges.append((start, middle))
            start = middle
            known = False
    if not known:
        ranges.append((start, end))
    ranges.reverse()
    return ranges


def read_path(ranges: Iterable[tuple[int, int]], node: NodeReader) -> list[bytes]:
    """The hashes of a path, each range folded from the complete nodes that ``node(level, index)`` gives."""
    return [fold_peaks([node(*place) for place in peak_coordinates(*span)]) for span in ranges]


def path_coordinates(ranges: Iterable[tuple[int, int]]) -> list[Coordinates]:
    """Every complete node that ``read_path`` will ask for, so that they can be fetched at once."""
    return [place for span in ranges for place in peak_coordinates(*span)]


def inclusion_path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Siblings from leaf ``index`` up to the root over ``leaves``."""
    rows = levels(leaves)
    return read_path(inclusion_ranges(index, len(leaves)), lambda level, place: rows[level][place])


def climb(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Root that a leaf and its path lead to, in a tree of ``size`` leaves (RFC 9162 2.1.3.2).

    Raises ``BadPath`` when the path is too short or too long for that place."""
    if not 0 <= index < size:
        raise BadPath(f"leaf {index} is not in a tree of {size} leaves")
    node, place, last = leaf, index, size - 1
    for sibling in path:
        if last == 0:
            raise BadPath("the path is too long")
        if place & 1 or place == last:
            node = node_hash(sibling, node)
            while not place & 1:
                place >>= 1
                last >>= 1
        else:
            node = node_hash(node, sibling)
        place >>= 1
        last >>= 1
    if last:
        raise BadPath("the path is too short")
    return node


def check_prefix(
    old_size: int, old_root: bytes, new_size: int, new_root: bytes, path: Sequence[bytes]
) -> None:
    """Check that the tree of ``old_size`` leaves is a prefix of the other (RFC 9162 2.1.4.2).

    Raises ``BadPath`` when the path does not prove it."""
    if not 0 < old_size <= new_size:
        raise BadPath(f"a tree of {old_size} leaves is no prefix of a tree of {new_size}")
    if old_size == new_size:
        if path or old_root != new_root:
            raise BadPath("two trees of one size have different roots")
        return
    steps = list(path)
    if old_size & (old_size - 1) == 0:
        steps.insert(0, old_root)
    if not steps:
        raise BadPath("the path is too short")
    place, last = old_size - 1, new_size - 1
    while place & 1:
        place >>= 1
        last >>= 1
    old_node = new_node = steps[0]
    for sibling in steps[1:]:
        if last == 0:
            raise BadPath("the path is too long")
        if place & 1 or place == last:
            old_node = node_hash(sibling, old_node)
            new_node = node_hash(sibling, new_node)
            while place and not place & 1:
                place >>= 1
                last >>= 1
        else:
            new_node = node_hash(new_node, sibling)
        place >>= 1
        last >>= 1
    if last:
        raise BadPath("the path is too short")
    if old_node != old_root or new_node != new_root:
        raise BadPath("the path does not lead to the two roots")


def _split(size: int) -> int:
    """Largest power of two below ``size`` (at least 2)."""
    return 1 << ((size - 1).bit_length() - 1)
