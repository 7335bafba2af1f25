"""Trivial wins: by the first move of the game, or by a move that always wins.

In a game of opposed interests nobody would play differently; usually the rules name the wrong
winner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gamedsl.conformance.visits import Visits
from gamedsl.model import TERMINAL
from gamedsl.source import Diagnostic, Label, Severity, Span

FEWEST_WINS = 3
"""Least number of wins by a move for a note."""
FEWEST_POSITIONS = 30
"""Least number of positions for a note; a smaller game may be a stage game or a tree."""


def quick_wins(visits: Visits, extent: str) -> Iterator[Diagnostic]:
    """Notes on winning first moves and on moves that always win."""
    game, facts = visits.game, visits.game.facts
    if not facts.is_zero_sum or facts.is_simultaneous or facts.has_rewards:
        return
    if game.model.tree is not None or visits.discovered < FEWEST_POSITIONS:
        return
    winning = _first_win(visits)
    if winning is not None:
        state = visits.state(0)
        name = game.action_name(state, winning)
        yield _note(visits, "W3114", f"`{name}` wins at once, with the first move", None)
        return
    for move in game.model.moves:
        if move.size == 1:
            wins = _wins_of(visits, move.first_id)
            if wins >= FEWEST_WINS:
                yield _note(
                    visits,
                    "W3114",
                    f"`{move.name}` wins at once whenever it is made, {wins:,} times, in {extent}",
                    move.span,
                )


def _first_win(visits: Visits) -> int | None:
    """A first move that wins at once, if the first player has an alternative."""
    mover, choices = visits.movers[0], visits.choices[0]
    if mover is None or mover < 0 or len(choices) < 2:
        return None
    for choice, after in zip(choices, visits.successors[0], strict=True):
        if isinstance(choice, int) and _wins(visits, after, int(mover)):
            return choice
    return None


def _wins_of(visits: Visits, action: int) -> int:
    """Number of uses of an action, if every use won at once and the player once had a choice.

    Otherwise 0.
    """
    outcomes: Counter[bool] = Counter()
    looked_at = zip(visits.movers, visits.choices, visits.successors, strict=True)
    for mover, choices, successors in looked_at:
        if mover is None or mover < 0 or action not in choices:
            continue
        if not _wins(visits, successors[choices.index(action)], int(mover)):
            return 0
        outcomes[len(choices) > 1] += 1
    return outcomes.total() if outcomes[True] else 0


def _wins(visits: Visits, after: int, mover: int) -> bool:
    """Whether a position is terminal with a positive payoff for a player."""
    if after >= len(visits.movers) or visits.movers[after] != TERMINAL:
        return False
    return visits.game.utilities(visits.state(after))[mover] > 0


def _note(visits: Visits, code: str, message: str, span: Span | None) -> Diagnostic:
    place = span
    if place is None and visits.game.model.end:
        place = visits.game.model.end[0].span
    return Diagnostic(
        code,
        message,
        None if place is None else Label(place),
        visits.game.source,
        severity=Severity.NOTE,
        hint="look at the outcomes: whose are they? `end:` is asked after the turn has passed",
    )
