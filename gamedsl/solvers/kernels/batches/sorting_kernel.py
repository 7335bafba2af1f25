"""Kernels that sort keys and write keys and codes as planes of bytes, without a game.

A key is a row of `WIDTH` numbers, compared as signed numbers, the first number first. Of the last
number only `KEY_BYTES` bytes are used.

keys, other: int64[n, WIDTH]: keys, and working space of the same size.
counts: int64[WIDTH, 8, 256]: working space.
planes: int64[m]: bytes, eight in a number, the first byte lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import KEY_BYTES, WIDTH, Array

TOP = 128
"""The sign in the highest byte of a number."""


def digit_of(number: int, place: int) -> int:
    """A byte of a number, in the order of signed numbers."""
    digit = number >> 8 * place & 255
    return digit ^ TOP if place == 7 else digit


def bytes_of(number: int) -> int:
    """The used bytes of a number of a key."""
    return KEY_BYTES if number == WIDTH - 1 else 8


def scatter(count: int, number: int, place: int, source: Array, target: Array, counts: Array) -> int:
    """Copy keys in the order of a byte of a number; equal bytes stay in order."""
    begin = (number * 8 + place) * 256
    total = 0
    for digit in range(256):
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


def sort_keys(count: int, keys: Array, other: Array, counts: Array) -> int:
    """Sort keys by bytes, from the last to the first (radix sort). Returns 1 if the sorted keys lie
    in `other`, 0 if they lie in `keys`."""
    for place in range(WIDTH * 2048):
        counts[place] = 0
    for at in range(count):
        for number in range(WIDTH):
            for place in range(bytes_of(number)):
                digit = digit_of(keys[at * WIDTH + number], place)
                counts[(number * 8 + place) * 256 + digit] += 1
    swapped = 0
    for back in range(WIDTH):
        number = WIDTH - 1 - back
        for place in range(bytes_of(number)):
            first = keys[number] if swapped == 0 else other[number]
            common = counts[(number * 8 + place) * 256 + digit_of(first, place)]
            if common != count:  # else all keys have the same byte
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


def put_planes(count: int, row: Array, planes: Array, at: int) -> int:
    """Write numbers that are not negative as planes of bytes, the lowest plane first, from a place
    on; return the number of planes."""
    every = 0
    for n in range(count):
        every |= row[n]
    size = 0
    while size < 8 and every >> 8 * size != 0:
        size += 1
    words = (count + 7) // 8
    for plane in range(size):
        for word in range(words):
            packed = 0
            for part in range(8):
                n = 8 * word + part
                if n < count:
                    packed |= (row[n] >> 8 * plane & 255) << 8 * part
            planes[at + plane * words + word] = packed
    return size


def take_planes(count: int, size: int, row: Array, planes: Array, at: int) -> int:
    """Read the numbers that `put_planes` has written as `size` planes."""
    words = (count + 7) // 8
    for n in range(count):
        row[n] = 0
    for plane in range(size):
        for n in range(count):
            row[n] |= (planes[at + plane * words + n // 8] >> 8 * (n & 7) & 255) << 8 * plane
    return 0


def put_keys(begin: int, count: int, keys: Array, row: Array, planes: Array, sizes: Array) -> int:
    """Write the differences of neighbouring keys as planes, number by number, and the number of
    planes of each; return the number of words. `row`: int64[count], working space."""
    at = 0
    for number in range(WIDTH):
        row[0] = 0
        for n in range(1, count):
            place = (begin + n) * WIDTH + number
            change = keys[place] - keys[place - WIDTH]
            row[n] = change if WIDTH == 1 else folded(change)
        sizes[number] = put_planes(count, row, planes, at)
        at += sizes[number] * ((count + 7) // 8)
    return at


def folded(change: int) -> int:
    """A change of either sign as a number whose high bytes are mostly 0."""
    return change << 1 ^ change >> 63


def take_keys(
    begin: int, count: int, keys: Array, row: Array, planes: Array, sizes: Array
) -> int:
    """Read the keys that `put_keys` has written behind the first key, which stands in `keys`."""
    at = 0
    for number in range(WIDTH):
        take_planes(count, sizes[number], row, planes, at)
        at += sizes[number] * ((count + 7) // 8)
        for n in range(1, count):
            place = (begin + n) * WIDTH + number
            change = row[n]
            if WIDTH > 1:
                change = (change >> 1 & (1 << 63) - 1) ^ -(change & 1)
            keys[place] = keys[place - WIDTH] + change
    return at
