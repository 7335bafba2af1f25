"""All optimal plans of a player as text, with a parameter if the plans form a family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from gamedsl.reports.paragraphs import whole
from gamedsl.reports.solutions.policy import decisions, local_words, seen_words
from gamedsl.solvers.equilibria.families import Family, Line

PARAMETER = "a"
MOST_CORNERS = 4


def family_words(players: Sequence[str], families: Iterable[Family]) -> Iterator[str]:
    """`Ann, for any a from 0 to 1/3: with J: check 1 - a, bet a; ...`.

    Of several plans, the decisions are listed in which the plans differ, with a paragraph for each
    plan.
    """
    for family in families:
        name = players[family.player]
        if family.lines:
            lines = "; ".join(_line(line, name) for line in family.lines)
            limits = f"from {family.least} to {family.most}"
            yield f"{name}, for any {PARAMETER} {limits}: {lines}; the rest as above"
            continue
        plans = [
            [local_words(local, name) for local in decisions(corner, family.player)]
            for corner in family.corners
        ]
        common = set(plans[0]).intersection(*plans)
        rest = "; the rest as above" if common else ""
        yield f"{name}, every mixture of {len(plans)} plans{rest}:"
        for place, plan in enumerate(plans[:MOST_CORNERS], start=1):
            yield f"({place}) {'; '.join(words for words in plan if words not in common)}"
        if len(plans) > MOST_CORNERS:
            yield f"... and {len(plans) - MOST_CORNERS} more"


def _line(line: Line, name: str) -> str:
    terms = (
        action if number == 1 and not slope else whole(f"{action} {_sum(number, slope)}")
        for action, number, slope in line.terms
        if number or slope
    )
    return f"{seen_words(line.local, name)}: {', '.join(terms)}"


def _sum(number: Fraction, slope: Fraction) -> str:
    """`1/3 + a`, `1 - 3a`, `a`."""
    if not slope:
        return str(number)
    times = f"{'' if abs(slope) == 1 else abs(slope)}{PARAMETER}"
    if not number:
        return times if slope > 0 else f"-{times}"
    return f"{number} {'+' if slope > 0 else '-'} {times}"
