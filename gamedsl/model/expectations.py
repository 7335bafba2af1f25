"""`expect` lines of a file, ready for verification: claims, without their truth."""

from __future__ import annotations

from fractions import Fraction

from gamedsl.source import Span
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Approximate:
    """A decimal claim such as `0.7094`: true within half a unit of its last digit."""

    text: str
    value: Fraction
    tolerance: Fraction


Claim = Fraction | tuple[Fraction, ...] | Approximate | str
"""A number; a payoff per player (the form of `draw`, `X wins` and `(1, 2, 6)`); a decimal; or the
name of an action."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """`expect fact [number] [turns] [after "moves"] [with settings]: claims`.

    Attributes:
        fact: a name known to the solvers: value, states, terminals, perft, plays, longest, plies,
            best, infosets, histories, ...
        number: the depth in `expect perft 4: ...`, else None.
        in_turns: whether depth counts changes of turn instead of plies.
        after: the moves that lead to the position of the claim, as written; "" for S0.
        settings: parameters bound for this claim alone, as text in the language's notation.
        claims: one or more (several: `best` actions).
        text: the line as written, without comment.
    """

    span: Span
    fact: str
    number: int | None
    in_turns: bool
    after: str
    settings: tuple[tuple[str, str], ...]
    claims: tuple[Claim, ...]
    text: str
