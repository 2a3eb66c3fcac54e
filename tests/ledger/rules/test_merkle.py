"""Trees: the growing one, the recursive definition of RFC 9162 and every path agree, and no wrong path passes."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.rules import merkle

SIZES = range(1, 66)


def leaves(count: int) -> list[bytes]:
    return [merkle.leaf_hash(b"%d" % number) for number in range(count)]


def by_definition(hashes: list[bytes]) -> bytes:
    """RFC 9162, section 2.1.1, as it is written there."""
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return sha256(b"\x01" + by_definition(hashes[:split]) + by_definition(hashes[split:])).digest()


def level_by_level(hashes: list[bytes]) -> bytes:
    """The house's own words: pairs are hashed, an odd node at the end is promoted."""
    while len(hashes) > 1:
        paired = [merkle.node_hash(a, b) for a, b in zip(hashes[::2], hashes[1::2], strict=False)]
        hashes = paired + hashes[len(paired) * 2 :]
    return hashes[0]


def test_a_leaf_and_a_node_are_these_bytes() -> None:
    assert merkle.leaf_hash(b"x") == sha256(b"\x00x").digest()
    assert merkle.node_hash(b"l" * 32, b"r" * 32) == sha256(b"\x01" + b"l" * 32 + b"r" * 32).digest()
    assert merkle.tree_root([]) == sha256(b"").digest()


@pytest.mark.parametrize("size", SIZES)
def test_three_ways_to_a_root_agree(size: int) -> None:
    hashes = leaves(size)
    assert merkle.tree_root(hashes) == by_definition(hashes) == level_by_level(hashes)


def test_a_frontier_grows_node_by_node() -> None:
    frontier = merkle.Frontier()
    rows = merkle.levels(leaves(65))
    for number, leaf in enumerate(leaves(65)):
        completed = frontier.append(leaf)
        assert completed == [rows[level][((number + 1) >> level) - 1] for level in range(len(completed))]
        assert (number + 1) % (1 << (len(completed) - 1)) == 0
        assert frontier.root() == by_definition(leaves(number + 1))
        resumed = merkle.Frontier(
            frontier.size,
            [rows[level][index] for level, index in merkle.peak_coordinates(0, frontier.size)],
        )
        assert resumed.root() == frontier.root()
        assert resumed.append(b"x" * 32) == merkle.Frontier(frontier.size, frontier.peaks).append(b"x" * 32)


def test_a_frontier_refuses_peaks_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="peaks"):
        merkle.Frontier(3, [b"x" * 32])


@pytest.mark.parametrize("size", SIZES)
def test_every_leaf_climbs_to_the_root_and_to_no_other_place(size: int) -> None:
    hashes = leaves(size)
    root = merkle.tree_root(hashes)
    for index in range(size):
        path = merkle.inclusion_path(hashes, index)
        assert merkle.climb(hashes[index], index, size, path) == root
        for elsewhere in range(size):
            if elsewhere != index:
                assert not leads(hashes[index], elsewhere, size, path, root)


def leads(leaf: bytes, index: int, size: int, path: list[bytes], root: bytes) -> bool:
    try:
        return merkle.climb(leaf, index, size, path) == root
    except merkle.BadPath:
        return False


@given(st.data())
def test_a_changed_path_leads_nowhere(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 200))
    index = data.draw(st.integers(0, size - 1))
    hashes = leaves(size)
    path = merkle.inclusion_path(hashes, index)
    root = merkle.tree_root(hashes)
    assert not leads(merkle.leaf_hash(b"other"), index, size, path, root)
    assert not leads(hashes[index], index, size, [*path, root], root)
    if path:
        place = data.draw(st.integers(0, len(path) - 1))
        assert not leads(hashes[index], index, size, path[:place] + path[place + 1 :], root)
        assert not leads(hashes[index], index, size, [*path[:place], b"x" * 32, *path[place + 1 :]], root)


@pytest.mark.parametrize("index", [-1, 3])
def test_a_leaf_outside_the_tree_is_refused(index: int) -> None:
    with pytest.raises(merkle.BadPath, match="not in a tree"):
        merkle.climb(b"x" * 32, index, 3, [])
    with pytest.raises(ValueError, match="not in a tree"):
        merkle.inclusion_ranges(index, 3)


@pytest.mark.parametrize("new", SIZES)
def test_every_prefix_is_proven_and_no_other_head(new: int) -> None:
    hashes = leaves(new)
    rows = merkle.levels(hashes)
    root = merkle.tree_root(hashes)
    forked = merkle.tree_root([*hashes[:-1], merkle.leaf_hash(b"forked")])
    for old in range(1, new + 1):
        path = merkle.read_path(merkle.prefix_ranges(old, new), lambda level, index: rows[level][index])
        before = merkle.tree_root(hashes[:old])
        merkle.check_prefix(old, before, new, root, path)
        for wrong in (
            (old, b"x" * 32, new, root, path),
            (old, before, new, forked, path),
            (old, before, new, root, [*path, b"x" * 32]),
            (old + 1, before, new, root, path),
            (new + 1, before, new, root, path),
            (0, before, new, root, path),
            *([(old, before, new, root, path[:-1])] if path else []),
        ):
            with pytest.raises(merkle.BadPath):
                merkle.check_prefix(*wrong)


def test_paths_are_short() -> None:
    """A proof in a log of a million seals takes at most twenty hashes, from few stored nodes."""
    size = 1_000_003
    assert max(len(merkle.inclusion_ranges(index, size)) for index in range(0, size, 9973)) <= 20
    assert len(merkle.path_coordinates(merkle.prefix_ranges(size - 77, size))) <= 40


def test_a_node_cannot_pass_for_a_leaf() -> None:
    """A tree of two leaves is not the tree of one leaf whose data are their two hashes."""
    left, right = leaves(2)
    assert merkle.tree_root([left, right]) != merkle.leaf_hash(left + right)
