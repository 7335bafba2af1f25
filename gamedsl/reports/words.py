"""Payoffs, numbers and names as words for a person. Every text here reads the same in all reports.

In: payoff vectors and players' names. Out: short phrases. Knows no solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10

Vector = tuple[Fraction, ...]


def exact(number: Fraction) -> str:
    """A rational as written in the language: `3`, `-1/2`."""
    return str(number)


def decimal(number: Fraction, error_bound: Fraction = Fraction(0), most_digits: int = 12) -> str:
    """A number with as many decimals as its error bound vouches for (at most `most_digits`).

    An exact number is written exactly if its decimals end soon, else as a fraction.
    """
    if not error_bound:
        return exact(number)
    digits = min(most_digits, max(1, floor(-log10(2 * error_bound))))
    return f"{float(number):.{digits}f}"


def vector(payoffs: Vector, error_bound: Fraction = Fraction(0)) -> str:
    """Payoffs of all players in turn order: `(1, 2, 6)`; of a single player: `3`."""
    words = [decimal(payoff, error_bound) for payoff in payoffs]
    return words[0] if len(words) == 1 else f"({', '.join(words)})"


def outcome(payoffs: Vector, players: Sequence[str], error_bound: Fraction = Fraction(0)) -> str:
    """What the payoffs mean, in the words of the language, from nobody's perspective.

    `draw`, `X wins`, `X wins 3`, `Solver loses`; in a two-player zero-sum game with other values
    `X gets 1/3`; else `A: 1, B: 2, C: 6`.
    """
    if len(payoffs) > 2 or (len(payoffs) == 2 and sum(payoffs) != 0):
        pairs = zip(players, payoffs, strict=True)
        return ", ".join(f"{name}: {decimal(payoff, error_bound)}" for name, payoff in pairs)
    first = payoffs[0]
    if error_bound or first.denominator != 1:
        return f"{players[0]} gets {decimal(first, error_bound)}"
    if first == 0:
        return "draw"
    amount = "" if abs(first) == 1 else f" {abs(first)}"
    if len(payoffs) == 1:
        return f"{players[0]} {'wins' if first > 0 else 'loses'}{amount}"
    return f"{players[0] if first > 0 else players[1]} wins{amount}"


def count(number: int, noun: str) -> str:
    """`1 ply`, `5,478 positions`."""
    plural = {"ply": "plies"}.get(noun, noun + "s")
    return f"{number:,} {noun if number == 1 else plural}"


def duration(seconds: float) -> str:
    """Seconds with a sensible number of digits."""
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"
