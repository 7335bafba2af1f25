"""Kernels that sort keys, and write keys and codes compactly, without a game.

A key is a row of `WIDTH` numbers, compared as signed numbers, the first number first. Of the last
number only the lowest `last` digits are used.

keys, other: int64[n, WIDTH]: keys, and working space of the same size.
counts: int64[WIDTH, DIGITS, VALUES]: working space.
planes: int64[m]: bytes, eight in a number, the first byte lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import WIDTH, Array

DIGIT = 11
"""Bits of a digit by which keys are sorted."""
VALUES = 2048
"""Values of a digit."""
DIGITS = 6
"""Digits of a number; the highest has 9 bits, and the sign."""
TOP = 256
"""The sign in the highest digit."""
MOST_NAMED = 255
"""Greatest number of differences with a name of one byte; the byte 255 stands for all further
differences."""
SLOTS = 1024
"""Slots of the hash table of named differences."""


class Differences(Arrays):
    """Working space for the differences of the keys of a block.

    row, rest: int64[BLOCK]: the name of each difference; the differences without a name.
    named: int64[MOST_NAMED]: the differences with a name.
    slots: int64[SLOTS]: the name of the difference in a slot, plus 1; 0: a free slot.
    planes: int64[WIDTH * BLOCK * 2]: the block.
    sizes: int64[WIDTH, 4]: the count of named differences and of their planes, and the same for
        the rest.
    """

    row: Array
    rest: Array
    named: Array
    slots: Array
    planes: Array
    sizes: Array


def digit_of(number: int, place: int) -> int:
    """A digit of a number, in the order of signed numbers."""
    if place == DIGITS - 1:
        return number >> DIGIT * (DIGITS - 1) & 511 ^ TOP
    return number >> DIGIT * place & VALUES - 1


def digits_of(number: int, last: int) -> int:
    """The used digits of a number of a key."""
    return last if number == WIDTH - 1 else DIGITS


def scatter(
    count: int, number: int, place: int, source: Array, target: Array, counts: Array
) -> int:
    """Copy keys in the order of a digit of a number; keys with equal digits stay in order."""
    begin = (number * DIGITS + place) * VALUES
    total = 0
    for digit in range(VALUES):
        held = counts[begin + digit]
        counts[begin + digit] = total
        total += held
    for at in range(count):
        digit = begin + digit_of(source[at * WIDTH + number], place)
        there = counts[digit] * WIDTH
        counts[digit] += 1
        for part in range(WIDTH):
            target[there + part] = source[at * WIDTH + part]
    return 0


def sort_keys(count: int, last: int, keys: Array, other: Array, counts: Array) -> int:
    """Sort keys by digits, the last first (radix sort). Returns 1 if the sorted keys are in
    `other`, 0 if they are in `keys`."""
    for place in range(WIDTH * DIGITS * VALUES):
        counts[place] = 0
    for at in range(count):
        for number in range(WIDTH):
            for place in range(digits_of(number, last)):
                digit = digit_of(keys[at * WIDTH + number], place)
                counts[(number * DIGITS + place) * VALUES + digit] += 1
    swapped = 0
    for back in range(WIDTH):
        number = WIDTH - 1 - back
        for place in range(digits_of(number, last)):
            first = keys[number] if swapped == 0 else other[number]
            common = counts[(number * DIGITS + place) * VALUES + digit_of(first, place)]
            if common != count:  # else all keys have the same digit
                if swapped == 0:
                    scatter(count, number, place, keys, other, counts)
                else:
                    scatter(count, number, place, other, keys, counts)
                swapped = 1 - swapped
    return swapped


def is_same(keys: Array, first: int, second: int) -> bool:
    """Whether two keys are equal."""
    same = True
    for number in range(WIDTH):
        same = same and keys[first * WIDTH + number] == keys[second * WIDTH + number]
    return same


def drop_repeated(count: int, keys: Array) -> int:
    """Leave one of equal neighbours; return the number of keys left."""
    left = 0
    for at in range(count):
        if left == 0 or not is_same(keys, at, left - 1):
            for number in range(WIDTH):
                keys[left * WIDTH + number] = keys[at * WIDTH + number]
            left += 1
    return left


def order_of(keys: Array, first: int, others: Array, second: int) -> int:
    """Below 0, 0 or above 0, as a key is before, equal to or behind a key of another array."""
    order = 0
    for number in range(WIDTH):
        if order == 0:
            if keys[first * WIDTH + number] < others[second * WIDTH + number]:
                order = -1
            elif keys[first * WIDTH + number] > others[second * WIDTH + number]:
                order = 1
    return order


def leave_out(count: int, keys: Array, many: int, known: Array) -> int:
    """Leave the sorted keys that are not among `many` sorted known keys; return their number."""
    left = 0
    place = 0
    for at in range(count):
        while place < many and order_of(known, place, keys, at) < 0:
            place += 1
        if place == many or order_of(known, place, keys, at) != 0:
            for number in range(WIDTH):
                keys[left * WIDTH + number] = keys[at * WIDTH + number]
            left += 1
    return left


def put_planes(count: int, row: Array, planes: Array, at: int) -> int:
    """Write numbers that are not negative as planes of bytes, the lowest plane first, from a place
    on; return the number of planes."""
    every = 0
    for n in range(count):
        every |= row[n]
    size = 0
    while size < 8 and every >> 8 * size != 0:
        size += 1
    for plane in range(size):
        put_plane(count, row, 8 * plane, planes, at + plane * ((count + 7) // 8))
    return size


def put_plane(count: int, row: Array, shift: int, planes: Array, at: int) -> int:
    """Write a byte of each number, from a place on; the last number is filled up with zeros."""
    for word in range(count // 8):
        packed = 0
        for part in range(8):
            packed |= (row[8 * word + part] >> shift & 255) << 8 * part
        planes[at + word] = packed
    if count & 7 != 0:
        packed = 0
        for part in range(count & 7):
            packed |= (row[count - (count & 7) + part] >> shift & 255) << 8 * part
        planes[at + count // 8] = packed
    return 0


def take_planes(count: int, size: int, row: Array, planes: Array, at: int) -> int:
    """Read the numbers that `put_planes` has written as `size` planes; `row` has room for a
    multiple of eight numbers."""
    words = (count + 7) // 8
    for word in range(words):
        packed = planes[at + word] if size > 0 else 0
        for part in range(8):
            row[8 * word + part] = packed >> 8 * part & 255
    for plane in range(1, size):
        for word in range(words):
            packed = planes[at + plane * words + word]
            for part in range(8):
                row[8 * word + part] |= (packed >> 8 * part & 255) << 8 * plane
    return 0


def name_of(change: int, known: int, arrays: Differences) -> int:
    """The name of a difference, which may be new: `known`; MOST_NAMED if all names are taken."""
    slot = change * 0x9E3779B97F4A7C1 >> 40 & SLOTS - 1
    while arrays.slots[slot] != 0:
        name: int = arrays.slots[slot] - 1
        if arrays.named[name] == change:
            return name
        slot = slot + 1 & SLOTS - 1
    if known < MOST_NAMED:
        arrays.named[known] = change
        arrays.slots[slot] = known + 1
    return known


def put_keys(begin: int, count: int, keys: Array, arrays: Differences) -> int:
    """Write the differences of neighbouring keys, number by number: the named differences, the name
    of each difference, and the rest; return the number of words."""
    at = 0
    for number in range(WIDTH):
        for slot in range(SLOTS):
            arrays.slots[slot] = 0
        known = 0
        left = 0
        arrays.row[0] = 0
        for n in range(1, count):
            place = (begin + n) * WIDTH + number
            change = folded(keys[place] - keys[place - WIDTH])
            name = name_of(change, known, arrays)
            arrays.row[n] = name
            if name == MOST_NAMED:
                arrays.rest[left] = change
                left += 1
            elif name == known:
                known += 1
        sizes = 4 * number
        arrays.sizes[sizes] = known
        arrays.sizes[sizes + 1] = put_planes(known, arrays.named, arrays.planes, at)
        at += arrays.sizes[sizes + 1] * ((known + 7) // 8)
        if known > 0:
            put_plane(count, arrays.row, 0, arrays.planes, at)
            at += (count + 7) // 8
        arrays.sizes[sizes + 2] = left
        arrays.sizes[sizes + 3] = put_planes(left, arrays.rest, arrays.planes, at)
        at += arrays.sizes[sizes + 3] * ((left + 7) // 8)
    return at


def folded(change: int) -> int:
    """A change of either sign as a number whose high bytes are mostly 0."""
    return change << 1 ^ change >> 63


def unfolded(number: int) -> int:
    """The change of a folded number."""
    return (number >> 1 & (1 << 63) - 1) ^ -(number & 1)


def take_keys(begin: int, count: int, keys: Array, arrays: Differences) -> int:
    """Read the keys that `put_keys` has written, behind the first key, which stands in `keys`;
    return the number of words, or -1 if a name has no difference."""
    at = 0
    for number in range(WIDTH):
        sizes = 4 * number
        known = arrays.sizes[sizes]
        left = arrays.sizes[sizes + 2]
        take_planes(known, arrays.sizes[sizes + 1], arrays.named, arrays.planes, at)
        at += arrays.sizes[sizes + 1] * ((known + 7) // 8)
        if known > 0:
            take_planes(count, 1, arrays.row, arrays.planes, at)
            at += (count + 7) // 8
        take_planes(left, arrays.sizes[sizes + 3], arrays.rest, arrays.planes, at)
        at += arrays.sizes[sizes + 3] * ((left + 7) // 8)
        used = 0
        place = begin * WIDTH + number
        key = keys[place]
        for n in range(1, count):
            name = arrays.row[n]
            change = arrays.named[name] if name < known else 0
            if name >= known:
                if name < MOST_NAMED or used == left:
                    return -1
                change = arrays.rest[used]
                used += 1
            key += unfolded(change)
            place += WIDTH
            keys[place] = key
    return at
