"""Max^n: search for any number of players with separate payoffs (AIMA 3rd ed., section 5.2.2,
Figure 5.4).

In: a game of perfect information whose plays all end. Out: the vector of payoffs backed up to the
root. "The backed-up value of a node n is always the utility vector of the successor state with the
highest value for the player choosing at n" (section 5.2.2; C. Luckhardt and K. Irani, AAAI-86).
Chance nodes back up averages. Values depend on tie-breaking, as reported in the decision.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game.contract import Action, Game
from gamedsl.model.state import CHANCE, TERMINAL, State
from gamedsl.solvers.exact.ties import tie_breaks
from gamedsl.solvers.graphs.graph import Vector, explore
from gamedsl.solvers.requirements import SEARCH, refuse_unless
from gamedsl.solvers.textbook.decision import Decision
from gamedsl.solvers.textbook.ordering import declared_order
from gamedsl.solvers.textbook.search_context import Line, SearchContext
from gamedsl.solvers.textbook.trace import Observer
from gamedsl.source.components import components

REQUIRES = SEARCH


def maxn_decision(
    game: Game, state: State | None = None, *, observer: Observer | None = None
) -> Decision:
    """The action of max^n at `state`, with payoffs of all players in turn order.

    Ties go to the first action in declaration order. `ties` names the actions between which the
    player at the root is indifferent although opponents are not, and the payoff vectors of
    different tie-breaking anywhere in the tree.

    Cost: every node of the tree below `state`.

    Raises:
        UnsupportedGameError: the game has secrets or simultaneous moves, or the tree is infinite.
    """
    refuse_unless(game, REQUIRES)
    root = game.initial_state() if state is None else state
    context = SearchContext(game, observer)
    value, line = _MaxN(game, context).value(root)
    decision = context.decision("max^n", root, value, line)
    return context.decision("max^n", root, value, line, _ties(game, root, decision))


class _MaxN:
    def __init__(self, game: Game, context: SearchContext) -> None:
        self.game = game
        self.context = context

    def value(self, state: State) -> tuple[Vector, Line]:
        """The vector of a state: the payoffs of an ending, else by the player to move."""
        player = self.game.current_player(state)
        self.context.enter(state, player)
        line: Line = None
        if player == TERMINAL:
            value = self.game.utilities(state)
        elif player == CHANCE:
            value = self.expectation(state)
        else:
            value, line = self.best(state, player)
        self.context.leave(state, player, value, is_leaf=player == TERMINAL)
        return value, line

    def best(self, state: State, player: int) -> tuple[Vector, Line]:
        """The vector with the highest payoff for the deciding player."""
        best: tuple[Vector, Line] | None = None
        for action in declared_order(self.game, state):
            value, line = self.value(self.context.result(state, action))
            if best is None or value[player] > best[0][player]:
                best = value, (action, line)
                self.context.improve(state, player, value, action)
        assert best is not None, "a state that is not an ending has actions"
        return best

    def expectation(self, state: State) -> Vector:
        """The average of the vectors, weighted by their probabilities."""
        mean = tuple(Fraction(0) for _ in self.game.players)
        for outcome, chance in self.game.chance_outcomes(state):
            value, _ = self.value(self.context.result(state, outcome))
            mean = tuple(m + chance * v for m, v in zip(mean, value, strict=True))
            self.context.improve(state, CHANCE, mean, outcome)
        return mean


def _ties(game: Game, root: State, decision: Decision) -> str | None:
    """The results of different tie-breaking, in one sentence."""
    graph = explore(game, root)
    order = [component[0] for component in components(graph.successors)]
    possible = tie_breaks(graph, order)
    if possible is None:
        return "the value may depend on how ties are broken; there are too many ties to list"
    alternatives = [vector for vector in possible if vector != decision.value]
    if not alternatives:
        return None
    listed = ", ".join(map(_vector_text, alternatives))
    return f"the value depends on how ties are broken{_tied(game, root, decision)}: {listed}"


def _tied(game: Game, root: State, decision: Decision) -> str:
    """The actions that tie at the root, if any."""
    mover = game.current_player(root)
    chosen = decision.value
    if mover < 0 or isinstance(chosen, Fraction):
        return " below the root"
    tied: dict[Action, str] = {
        move.action: move.name
        for move in decision.moves
        if not isinstance(move.value, Fraction) and move.value[mover] == chosen[mover]
    }
    if len(tied) < 2:
        return " below the root"
    names = ", ".join(tied.values())
    return f" ({mover!r} is indifferent between {names} at the root)"


def _vector_text(vector: Vector) -> str:
    return f"({', '.join(map(str, vector))})"
