"""Integers as in machine words: modulo two to the power of their bits."""

from __future__ import annotations


def signed(value: int, width: int = 64) -> int:
    """The number between -2**(width - 1) and 2**(width - 1) - 1 with the same bits."""
    low = value & ((1 << width) - 1)
    return low - (1 << width) if low >> (width - 1) else low


def unsigned(value: int, width: int = 64) -> int:
    """The number between 0 and 2**width - 1 with the same bits."""
    return value & ((1 << width) - 1)


def whole_words(width: int) -> int:
    """A number of bits, rounded up to whole words of 64."""
    return -(-width // 64) * 64
