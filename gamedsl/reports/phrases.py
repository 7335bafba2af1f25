"""Short phrases for values of moves and positions, counts and times; shared by all reports.

`gamedsl.reports.solutions.sentences` has the sentences about a whole solved game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction
from textwrap import shorten

from gamedsl.reports.outcomes import outcome_words
from gamedsl.reports.paragraphs import listed
from gamedsl.solvers.decimals import SHORT_DENOMINATOR, decimals, near, rounded
from gamedsl.solvers.graphs.extended import is_infinite

Payoffs = tuple[Fraction, ...]

MOST_DIGITS = 12
MOST_NAMED = 12
"""Moves without a known value are named up to this number."""
WORTH_TELLING = 0.1
"""Least number of seconds of compiling to report."""
LONGEST_SETTING = 40
"""Characters of the value of a parameter in a title."""


def value_words(
    payoffs: Payoffs,
    players: Sequence[str],
    error_bound: Fraction,
    by_chance: bool,
    *,
    is_opposed: bool = True,
) -> str:
    """The meaning of payoffs under best play: `draw`, `X wins`; with chance the expected payoff.

    If the second payoff is the negative of the first, only the first player's payoff is given. If
    payoffs are not opposed (`is_opposed` is false), all payoffs are listed.
    """
    if not by_chance and is_opposed:
        return outcome_words(players, payoffs)
    if len(payoffs) == 2 and is_opposed and not sum(payoffs):
        payoffs = payoffs[:1]
    pairs = zip(players, payoffs, strict=False)
    sort = "" if by_chance else "payoffs "
    return sort + ", ".join(f"{name}: {decimals(payoff, error_bound)}" for name, payoff in pairs)


def symbol(payoffs: Payoffs, mover: int, error_bound: Fraction, by_chance: bool) -> str:
    """A value in a few letters, for a square of a board.

    `+` is a win of the player to move, `=` a draw, `-` a loss.
    """
    if by_chance and not error_bound and payoffs[0].denominator > SHORT_DENOMINATOR:
        return rounded(payoffs[0], ".3f")
    if by_chance:
        return near(payoffs[0], error_bound, ".3f")
    if not any(payoffs):
        return "="
    is_win = len(payoffs) == 2 and abs(payoffs[0]) == 1 and not sum(payoffs) and mover >= 0
    if not is_win:
        return ",".join(map(str, payoffs))
    return "+" if payoffs[mover] > 0 else "-"


def decimal_text(number: Fraction) -> str:
    """A number known with an error, as decimals."""
    if is_infinite(number):
        return str(number)
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.{MOST_DIGITS}f}"


def bound_text(bound: Fraction) -> str:
    """An error bound in two digits, never rounded down; `0` without an error."""
    if not bound:
        return "0"
    upwards = Context(prec=2, rounding=ROUND_UP)
    return f"{upwards.divide(Decimal(bound.numerator), Decimal(bound.denominator)):.1e}"


def titled(game: str, parameters: Iterable[tuple[str, str]]) -> str:
    """A game's name and the given parameters, long lists shortened: `Nim (sizes = [1, 2])`."""
    settings = ", ".join(
        f"{name} = {shorten(value, LONGEST_SETTING, placeholder=' …]')}"
        for name, value in parameters
    )
    return f"{game} ({settings})" if settings else game


def all_alike(number: int, is_alike: bool) -> str:
    """A phrase for several moves that all have the best value; `is_alike`: of equal length, too."""
    how = "are equally good" if is_alike else "have this value"
    return f"{'both' if number == 2 else f'all {number}'} {how}"


def undecided_words(names: Sequence[str]) -> str:
    """A phrase for moves that may be as good as the best; many moves are counted."""
    if len(names) > MOST_NAMED:
        return f"whether any of {len(names)} others is as good"
    return f"whether {listed(names)} {'is' if len(names) == 1 else 'are'} as good"


def compiling_words(seconds: float) -> str:
    """The compilation's share of a time; "" if negligible."""
    return f", of these {duration(seconds)} compiling" if seconds >= WORTH_TELLING else ""


def duration(seconds: float) -> str:
    """Seconds with a sensible number of digits."""
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"
