"""Walks the whole tree of a game node by node, from the root, in preorder.

In: a game and a state. Out: `WalkNode`s, each after the parent and before the siblings, with
numbered information sets: the content of a file of an extensive game. Simultaneous choices become
successive unobserved choices. No game is solved here.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.paid import Paid
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.solvers.graphs.graph import OutOfBudgetError, Vector
from gamedsl.solvers.graphs.information import History
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class WalkNode:
    """A node of the tree.

    Attributes:
        player: the deciding player; -1 for chance; None for an ending.
        information_set: the number of the information set among the player's sets, from 1.
        actions: names of the branches, which follow in this order; `weights` for chance nodes.
        payoffs: payoffs of an ending, including all payments on the way.
    """

    player: int | None
    information_set: int = 0
    actions: tuple[str, ...] = ()
    weights: tuple[Fraction, ...] = ()
    payoffs: Vector = ()


@dataclass(frozen=True, slots=True)
class _Step:
    """A node to visit: the history, the payments, and the choices already made at the node."""

    history: History
    paid: Paid
    chosen: JointAction = ()


def walk_of(game: Game, root: State | None = None, *, max_nodes: int = 100_000) -> list[WalkNode]:
    """All nodes from a state on (None: the beginning).

    Raises:
        OutOfBudgetError: the tree has more than `max_nodes` nodes.
        UnsupportedGameError: the players' information in the state depends on the play before.
    """
    first = game.initial_state()
    if root is not None and root != first and game.facts.has_secrets:
        raise UnsupportedGameError(
            f"what players of {game.name} know in a later position depends on the play before it",
            "write the whole tree, from the beginning",
        )
    walk = _Walk(game)
    nodes: list[WalkNode] = []
    stack = [_Step((((first if root is None else root), None),), Paid(game))]
    while stack:
        if len(nodes) == max_nodes:
            raise OutOfBudgetError(max_nodes, len(nodes), len(stack))
        node, below = walk.node(stack.pop())
        nodes.append(node)
        stack += reversed(below)
    return nodes


class _Walk:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.sets: list[dict[object, int]] = [{} for _ in game.players]
        self.chances = 0
        self.shares_sets = game.facts.has_secrets or game.facts.is_simultaneous

    def node(self, step: _Step) -> tuple[WalkNode, list[_Step]]:
        """A node, and the steps that follow the node."""
        game, state = self.game, step.history[-1][0]
        mover = game.current_player(state)
        if mover == TERMINAL:
            return WalkNode(None, payoffs=step.paid.total(game.utilities(state))), []
        if mover == CHANCE:
            outcomes = game.chance_outcomes(state)
            names = tuple(game.action_name(state, outcome) for outcome, _ in outcomes)
            below = [self._after(step, outcome) for outcome, _ in outcomes]
            return WalkNode(-1, self._fresh(-1), names, tuple(p for _, p in outcomes)), below
        player = len(step.chosen) if mover == SIMULTANEOUS else int(mover)
        number = self._number(step, player)
        if mover == SIMULTANEOUS:
            actions = game.legal_actions(state, player)
            below = [self._chosen(step, action) for action in actions]
        else:
            actions = game.legal_actions(state)
            below = [self._after(step, action) for action in actions]
        names = tuple(game.action_name(state, action) for action in actions)
        return WalkNode(player, number, names), below

    def _chosen(self, step: _Step, action: Action) -> _Step:
        """Records the choice of the next player among the simultaneous choosers."""
        chosen = (*step.chosen, action)
        if len(chosen) < len(self.game.players):
            return _Step(step.history, step.paid, chosen)
        return self._after(step, chosen)

    def _after(self, step: _Step, action: Action | JointAction) -> _Step:
        state = step.history[-1][0]
        child = self.game.result(state, action)
        paid = step.paid
        if not self.game.facts.pays_at_the_end:
            paid = paid.copied()
            paid.add(state, action, child)
        if not self.shares_sets:
            return _Step(((child, None),), paid)
        return _Step((*step.history[:-1], (state, action), (child, None)), paid)

    def _number(self, step: _Step, player: int) -> int:
        sets = self.sets[player]
        if not self.shares_sets:
            return self._fresh(player)
        seen = self.game.information_state(step.history, player)
        return sets.setdefault(seen, len(sets) + 1)

    def _fresh(self, player: int) -> int:
        """The number of a new singleton set; chance nodes are numbered separately."""
        if player < 0:
            self.chances += 1
            return self.chances
        sets = self.sets[player]
        return sets.setdefault(("node", len(sets)), len(sets) + 1)
