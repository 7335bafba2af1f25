"""Interpreter of games given by an explicit tree; a state is a node.

The methods are those of the interpreter of rules.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from gamedsl.model.errors import IllegalActionError
from gamedsl.model.model import Model
from gamedsl.model.nodes.tree import TreeNode
from gamedsl.model.state import CHANCE, TERMINAL, Player, State


class TreeInterpreter:
    """The interpreter of a `tree:` game. An action's id is the place of its label among all
    labels."""

    def __init__(self, model: Model) -> None:
        assert model.tree is not None
        self.model = model
        self.tree = model.tree
        self.players = tuple(Player(n, atom.name) for n, atom in enumerate(model.players))
        self._id = {label: number for number, label in enumerate(self.tree.labels)}
        self._children: dict[int, dict[int, int]] = {}
        """Cache: for each visited node, the children by the ids of the branches."""

    def node(self, state: State) -> TreeNode:
        """The node that a state stands for."""
        number = state.cells[0]
        assert number is not None
        return self.tree.nodes[number]

    def _state(self, number: int) -> State:
        return State((number,), max(0, self.tree.nodes[number].player))

    def initial_state(self) -> State:
        """The root."""
        return self._state(0)

    def current_player(self, state: State) -> Player:
        """PLAYER(s)."""
        node = self.node(state)
        if node.is_leaf:
            return TERMINAL
        return CHANCE if node.player < 0 else self.players[node.player]

    def is_terminal(self, state: State) -> bool:
        """TERMINAL-TEST(s)."""
        return self.node(state).is_leaf

    def utilities(self, state: State) -> tuple[Fraction, ...]:
        """UTILITY(s, p) of every player."""
        node = self.node(state)
        if not node.is_leaf:
            raise ValueError("only a terminal state has utilities")
        return node.payoffs

    def evaluate(self, state: State, player: int) -> Fraction:
        """Trees have no EVAL."""
        raise ValueError("this game has no `evaluate`")

    def is_quiescent(self, state: State, player: int) -> bool:
        """Trees have no EVAL to distrust."""
        return True

    def legal_actions(self, state: State, player: int | None = None) -> tuple[int, ...]:
        """ACTIONS(s): the ids of the branches, ascending."""
        node = self.node(state)
        if node.player < 0:
            return ()
        return tuple(self._after(node))

    def result(self, state: State, action: int | tuple[int, ...]) -> State:
        """RESULT(s, a)."""
        child = None if isinstance(action, tuple) else self._after(self.node(state)).get(action)
        if child is None:
            raise IllegalActionError("there is no such branch here", action, state)
        return self._state(child)

    def _after(self, node: TreeNode) -> dict[int, int]:
        """The children of a node by the ids of the branches, ascending."""
        children = self._children.get(node.number)
        if children is None:
            by_id = zip((self._id[label] for label in node.labels), node.children, strict=True)
            children = self._children[node.number] = dict(sorted(by_id))
        return children

    def rewards(self, state: State, action: int | tuple[int, ...]) -> tuple[Fraction, ...]:
        """Trees pay at the leaves only."""
        return (Fraction(0),) * len(self.players)

    def chance_outcomes(self, state: State) -> tuple[tuple[int, Fraction], ...]:
        """(branch, probability); branches of probability 0 are left out."""
        node = self.node(state)
        if node.is_leaf or node.player >= 0:
            raise ValueError("this is no chance node")
        pairs = zip(node.labels, node.weights, strict=True)
        return tuple(sorted((self._id[label], weight) for label, weight in pairs if weight))

    def action_name(self, state: State, action: int | tuple[int, ...]) -> str:
        """The label of the branch."""
        assert isinstance(action, int)
        return self.tree.labels[action]

    def is_secret(self, action: int) -> bool:
        """Trees describe information by information sets."""
        return False

    def view(self, state: State, player: int) -> Hashable:
        """The information set at a player's own node; elsewhere None."""
        node = self.node(state)
        return node.information_set if node.player == player else None
