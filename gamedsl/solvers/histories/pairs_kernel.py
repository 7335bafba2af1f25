"""Number pairs of numbers 0, 1, 2 and so on, in the order of their first occurrence.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays. Sequences are
numbered as pairs of the number of their beginning, and their last element. Parts of pairs are less
than 2**31 and at least 0.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array, Arrays, Record


class PairNotes(Record):
    """used: number of pairs.
    mask: slots in use, less 1: one less than a power of two.
    """

    used: int
    mask: int


class Pairs(Arrays):
    """slots: int64[at least four times the pairs]: a table of numbers of pairs, plus 1; 0: free.
    parts: int64[pairs, 2]: the left and the right part of each pair.
    """

    slots: Array
    parts: Array
    notes: PairNotes


def first_slot(left: int, right: int, mask: int) -> int:
    """The first slot in which a pair may stand."""
    mixed = left * 1640531527 + right * 1073807359
    mixed = ((mixed ^ (mixed >> 31)) & 2147483647) * 1640531527
    return (mixed ^ (mixed >> 29)) & mask


def spread(pairs: Pairs) -> int:
    """Double the slots in use."""
    mask = pairs.notes.mask * 2 + 1
    for slot in range(pairs.notes.mask + 1):
        pairs.slots[slot] = 0
    pairs.notes.mask = mask
    for number in range(pairs.notes.used):
        slot = first_slot(pairs.parts[2 * number], pairs.parts[2 * number + 1], mask)
        while pairs.slots[slot] != 0:
            slot = (slot + 1) & mask
        pairs.slots[slot] = number + 1
    return mask


def pair_number(left: int, right: int, pairs: Pairs) -> int:
    """The number of a pair, which is numbered if it is new."""
    mask = pairs.notes.mask
    slot = first_slot(left, right, mask)
    while pairs.slots[slot] != 0:
        number: int = pairs.slots[slot] - 1
        if pairs.parts[2 * number] == left and pairs.parts[2 * number + 1] == right:
            return number
        slot = (slot + 1) & mask
    number = pairs.notes.used
    pairs.slots[slot] = number + 1
    pairs.parts[2 * number] = left
    pairs.parts[2 * number + 1] = right
    pairs.notes.used = number + 1
    if 2 * number > mask:
        spread(pairs)
    return number


def forget_pairs(used: int, pairs: Pairs) -> int:
    """Drop all pairs but the first `used`. The last pair is the last in its row of slots, so that
    its slot becomes free."""
    mask = pairs.notes.mask
    while pairs.notes.used > used:
        number = pairs.notes.used - 1
        slot = first_slot(pairs.parts[2 * number], pairs.parts[2 * number + 1], mask)
        while pairs.slots[slot] != number + 1:
            slot = (slot + 1) & mask
        pairs.slots[slot] = 0
        pairs.notes.used = number
    return mask
