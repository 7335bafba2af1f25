"""Star1 and Star2: alpha-beta's cuts at chance nodes (B. Ballard, "The *-minimax search procedure
for trees containing chance nodes", Artificial Intelligence 21, 1983; AIMA 3rd ed., section 5.5.1:
"if we put bounds on the possible values of the utility function, then we can arrive at bounds for
the average without looking at every number").

In: a game that expectiminimax takes. Out: the same value. The bounds are the least and greatest
payoff of the game's facts. Star2 first looks at one action below each outcome.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Unpack

from gamedsl.game.contract import Action, Game
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.requirements import refuse_unless
from gamedsl.solvers.textbook import expectiminimax
from gamedsl.solvers.textbook.alpha_beta import AlphaBeta
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.minimax import SearchOptions, decide
from gamedsl.solvers.textbook.search_context import BackedUpValue, Window
from gamedsl.source.records import dataclass

REQUIRES = expectiminimax.REQUIRES


def star1_decision(
    game: Game, state: State | None = None, **options: Unpack[SearchOptions]
) -> Decision:
    """Expectiminimax with the cuts of Star1; values and errors as `expectiminimax_decision`.

    The search begins with the game's payoff bounds as window: an action with the greatest possible
    payoff ends the search.
    """
    refuse_unless(game, REQUIRES)
    window = Window(*game.facts.utility_bounds)
    return decide("star1", partial(_Star, probes=False), game, state, window, **options)


def star2_decision(
    game: Game, state: State | None = None, **options: Unpack[SearchOptions]
) -> Decision:
    """As `star1_decision`, with a probe of the first action below every outcome of chance."""
    refuse_unless(game, REQUIRES)
    window = Window(*game.facts.utility_bounds)
    return decide("star2", partial(_Star, probes=True), game, state, window, **options)


@dataclass(slots=True)
class _Outcome:
    """An outcome of chance with the known bounds on the outcome's value."""

    action: Action
    chance: Fraction
    low: Fraction
    high: Fraction


class _Outcomes:
    """All outcomes of a chance node; the bounds on the node's value are sums over the outcomes'
    bounds."""

    def __init__(
        self, pairs: tuple[tuple[Action, Fraction], ...], bounds: tuple[Fraction, Fraction]
    ) -> None:
        self.all = [_Outcome(action, chance, *bounds) for action, chance in pairs if chance]
        self.low, self.high = bounds

    def narrow(self, outcome: _Outcome, low: Fraction, high: Fraction) -> None:
        """Better bounds for one outcome."""
        self.low += outcome.chance * (low - outcome.low)
        self.high += outcome.chance * (high - outcome.high)
        outcome.low, outcome.high = low, high

    def window(self, outcome: _Outcome, alpha: Fraction, beta: Fraction) -> Window:
        """Ballard's A and B: the outcome's value at which the average passes alpha if all remaining
        outcomes are at their highest, or beta if all remaining outcomes are at their lowest."""
        others_high = self.high - outcome.chance * outcome.high
        others_low = self.low - outcome.chance * outcome.low
        return Window(
            max((alpha - others_high) / outcome.chance, outcome.low),
            min((beta - others_low) / outcome.chance, outcome.high),
        )


@dataclass
class _Star(AlphaBeta):
    """AlphaBeta with chance nodes; every window is bounded, like the root's window."""

    probes: bool

    def inner_value(self, state: State, player: int, window: Window) -> BackedUpValue:
        """The value of a state where a player or chance decides."""
        if player == CHANCE:
            return BackedUpValue(self.chance_value(state, window))
        return super().inner_value(state, player, window)

    def chance_value(self, state: State, window: Window) -> Fraction:
        """The average of the outcomes; outside the window a bound on the average."""
        outcomes = _Outcomes(self.game.chance_outcomes(state), self.game.facts.utility_bounds)
        if self.probes:
            for outcome in outcomes.all:
                self.probe(state, outcome, outcomes)
            bound = self.passed(state, window, outcomes, 0)
            if bound is not None:
                return bound
        for i, outcome in enumerate(outcomes.all):
            if outcome.low < outcome.high:
                self.search(state, outcome, outcomes, window)
            bound = self.passed(state, window, outcomes, i + 1)
            if bound is not None:
                return bound
        return outcomes.low

    def search(self, state: State, outcome: _Outcome, outcomes: _Outcomes, window: Window) -> None:
        """Searches an outcome as far as the outcome's value matters to the average."""
        assert window.alpha is not None, "the window of the root is bounded, and so are all"
        assert window.beta is not None, "the window of the root is bounded, and so are all"
        inner = outcomes.window(outcome, window.alpha, window.beta)
        value = self.value(self.context.result(state, outcome.action), inner).value
        is_most = inner.beta is None or value < inner.beta
        is_least = inner.alpha is None or value > inner.alpha
        outcomes.narrow(
            outcome,
            max(outcome.low, value) if is_least else outcome.low,
            min(outcome.high, value) if is_most else outcome.high,
        )
        self.context.improve(state, CHANCE, outcomes.low, outcome.action, window)

    def passed(
        self, state: State, window: Window, outcomes: _Outcomes, done: int
    ) -> Fraction | None:
        """The bound on the average that leaves the window, if any: then the remaining outcomes are
        cut."""
        assert window.alpha is not None, "the window of the root is bounded, and so are all"
        assert window.beta is not None, "the window of the root is bounded, and so are all"
        if outcomes.low >= window.beta:
            bound = outcomes.low
        elif outcomes.high <= window.alpha:
            bound = outcomes.high
        else:
            return None
        rest = tuple(o.action for o in outcomes.all[done:] if o.low < o.high)
        self.context.cut(state, CHANCE, bound, window, rest)
        return bound

    def probe(self, state: State, outcome: _Outcome, outcomes: _Outcomes) -> None:
        """Searches one action below an outcome, which bounds the outcome from one side."""
        below = self.context.result(state, outcome.action)
        player = self.game.current_player(below)
        window = Window(outcome.low, outcome.high)
        self.context.enter(below, player, window)
        leaf = self.leaves.leaf(below, player, self.context.ply)
        if leaf is not None:
            value = leaf.value
            outcomes.narrow(outcome, value, value)
        elif player == CHANCE:
            value = outcome.low
        else:
            first, *rest = self.ordering(self.game, below)
            value = self.value(self.context.result(below, first), window).value
            self.context.improve(below, player, value, first, window)
            self.context.cut(below, player, value, window, tuple(rest))
            if self.game.facts.are_partners(player, self.maximizer):
                outcomes.narrow(outcome, max(outcome.low, value), outcome.high)
            else:
                outcomes.narrow(outcome, outcome.low, min(outcome.high, value))
        self.context.leave(below, player, value, window, is_leaf=leaf is not None)
