"""Bit operations and random numbers for the hand-written games.

In and out: uint64 scalars. The intrinsics become one machine instruction each where the
processor has it; numba offers none of them as a function.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic as numba_intrinsic

intrinsic: Any = numba_intrinsic
"""Untyped: what it makes of a function takes one argument less."""
U = np.uint64
ZERO, ONE = U(0), U(1)
GOLDEN, MIX_1, MIX_2 = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)


@intrinsic
def popcount(typing_context: Any, bits: Any) -> Any:
    """How many bits are set."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), build


@intrinsic
def lowest(typing_context: Any, bits: Any) -> Any:
    """The number of the lowest set bit; `bits` must not be zero."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic
def highest(typing_context: Any, bits: Any) -> Any:
    """The number of the highest set bit; `bits` must not be zero."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.uint64(types.uint64), build


@intrinsic
def upside_down(typing_context: Any, bits: Any) -> Any:
    """The bytes in reverse order: a board of eight by eight seen from the other side."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.uint64(types.uint64), build


@njit(inline="always")
def nth_bit(bits: Any, number: Any) -> Any:
    """The set bit with `number` set bits below it."""
    for _ in range(number):
        bits &= bits - ONE
    return bits & (ZERO - bits)


@njit(inline="always")
def random_state(seed: Any, number: Any) -> Any:
    """Where the stream of playout `number` begins."""
    return mix(U(seed) * MIX_1 + U(number) * MIX_2 + GOLDEN)


@njit(inline="always")
def mix(x: Any) -> Any:
    """The output function of SplitMix64 (Steele, Lea and Flood, 2014)."""
    x = (x ^ (x >> U(30))) * MIX_1
    x = (x ^ (x >> U(27))) * MIX_2
    return x ^ (x >> U(31))


@njit(inline="always")
def below(random: Any, count: Any) -> Any:
    """A number from 0 to `count` - 1 out of 64 random bits; biased by less than 1 in 2**26."""
    return ((random >> U(32)) * count) >> U(32)
