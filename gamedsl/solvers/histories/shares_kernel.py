"""Probabilities of actions in proportion to weights, in units of 1 / `ALL_SHARES`.

A kernel (docs/CONTRIBUTING.md): plain functions over numbers and flat arrays.
"""

from __future__ import annotations

from gamedsl.compiler.records import Array

ALL_SHARES = 1048576
LONG = 4398046511104


def share_of(wanted: int, total: int) -> int:
    """`wanted` / `total` in units of 1 / `ALL_SHARES`, at most `ALL_SHARES`."""
    shift = 0
    while (total >> shift) >= LONG:
        shift += 1
    if wanted <= 0:
        return 0
    return min(ALL_SHARES, ((wanted >> shift) * ALL_SHARES) // (total >> shift))


def write_shares(first: int, behind: int, least: int, weights: Array, shares: Array) -> int:
    """Write the probabilities of actions in proportion to weights, uniformly if there are none, and
    return the sum of the weights. Probabilities below `least` are left out; the action of the
    greatest weight has the rest."""
    total = 0
    best = first
    for action in range(first, behind):
        total += weights[action]
        if weights[action] > weights[best]:
            best = action
    rest = ALL_SHARES
    for action in range(first, behind):
        share = ALL_SHARES // (behind - first)
        if total > 0:
            share = share_of(weights[action], total)
        if share < least:
            share = 0
        shares[action] = share
        rest -= share
    shares[best] += rest
    return total
