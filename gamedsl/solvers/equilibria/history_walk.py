"""Build the extensive form of a game by walking its histories through the game contract.

In: a game. Out: `ExtensiveForm`. Games without perfect recall are rejected (Kuhn, "Extensive games
and the problem of information", 1953). `numbered_form` builds the same form by a kernel.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.paid import Paid
from gamedsl.game.steps import Following, choosers, steps_of
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamedsl.solvers.equilibria.form import (
    Cells,
    ExtensiveForm,
    FormSize,
    InformationSet,
    Sequences,
    Story,
)
from gamedsl.solvers.equilibria.history_tree import HistoryTree
from gamedsl.solvers.graphs.graph import (
    REPORT_EVERY,
    EndlessHistoriesError,
    OutOfHistoriesError,
    Progress,
    Vector,
)
from gamedsl.solvers.graphs.information import History, leak, play_names
from gamedsl.source.records import dataclass

LONGEST_IN_MEAN = 200
"""Maximal mean length of histories in plies; the memory per history grows with its length."""
ZERO, ONE = Fraction(0), Fraction(1)


def walked_form(
    game: Game, most: int, progress: Progress | None = None, *, with_tree: bool = False
) -> ExtensiveForm:
    """The extensive form; depth first in declaration order.

    Raises:
        OutOfHistoriesError: there are more than `most` histories, or they are very long. The
            subclass EndlessHistoriesError: play can return.
        UnsupportedGameError: a player has no perfect recall.
        GameRuleError: E3010, legal actions differ within an information set.
    """
    return _Walk(game, most, progress, HistoryTree() if with_tree else None).form()


@dataclass(frozen=True, slots=True)
class _Node:
    """A history: the key of its last state, the history itself, the names of chance outcomes and
    moves, the players' sequences, the node's number in the tree, its chance probability, and the
    rewards on the way; None if only endings pay."""

    key: Hashable
    history: History
    drawn: tuple[str, ...]
    seen: tuple[str, ...]
    sequences: Sequences
    number: int = 0
    weight: Fraction = ONE
    paid: Paid | None = None


@dataclass(slots=True)
class _Growing:
    """An information set under construction; `choices` are its actions by id, `place` is its number
    among the player's sets."""

    player: int
    place: int
    choices: tuple[Action, ...]
    actions: tuple[str, ...]
    first: int
    node: _Node
    drawn: tuple[str, ...]
    seen: tuple[str, ...]
    size: int = 0

    def information_set(self) -> InformationSet:
        story = Story(self.drawn, self.seen, self.node.history)
        parent = self.node.sequences[self.player]
        return InformationSet(self.actions, parent, self.first, self.size, lambda: story)


class _Walk:
    def __init__(
        self, game: Game, most: int, progress: Progress | None, tree: HistoryTree | None
    ) -> None:
        self.game = game
        self.most = most
        self.progress = progress
        self.steps = steps_of(game)
        self.following: dict[Hashable, Following] = {}
        self.names: dict[tuple[Hashable, object], str] = {}
        self.sets: list[dict[object, _Growing]] = [{} for _ in game.players]
        self.made = [1 for _ in game.players]
        self.payoffs: dict[Sequences, Vector] = {}
        self.chances: dict[Sequences, Fraction] = {}
        self.outcomes: set[Vector] = set()
        self.tree = tree

    def form(self) -> ExtensiveForm:
        root = self.game.initial_state()
        nothing = None if self.game.facts.pays_at_the_end else Paid(self.game)
        start = _Node(self.steps.key(root), ((root, None),), (), (), (0,) * len(self.sets))
        stack = [replace(start, paid=nothing)]
        histories = actions = 0
        path: dict[Hashable, None] = {}
        while stack:
            node = stack.pop()
            histories += 1
            actions += len(node.history)
            while len(path) >= len(node.history):
                path.popitem()
            if node.key in path:
                raise EndlessHistoriesError(self.most, len(self.following))
            if histories > self.most or actions > LONGEST_IN_MEAN * self.most:
                raise OutOfHistoriesError(self.most, len(self.following))
            path[node.key] = None
            if self.progress is not None and histories % REPORT_EVERY == 0:
                self.progress(histories, len(stack))
            if node.key not in self.following:
                self.following[node.key] = self.steps.after(node.key)
            mover, _, _, payoffs = self.following[node.key]
            if mover == TERMINAL:
                self._end(node, payoffs)
            stack += reversed(list(self._after(node)))
        sets = tuple(
            tuple(growing.information_set() for growing in by_sight.values())
            for by_sight in self.sets
        )
        movers = [mover for mover, _, _, _ in self.following.values()]
        size = FormSize(
            histories, tuple(map(len, sets)), tuple(self.made),
            len(movers) - movers.count(CHANCE), movers.count(TERMINAL), movers.count(CHANCE),
        )  # fmt: skip
        cells = Cells.of(self.payoffs, self.chances)
        return ExtensiveForm(self.game, sets, cells, frozenset(self.outcomes), size, self.tree)

    def _end(self, node: _Node, payoffs: Vector) -> None:
        if node.paid is not None:
            payoffs = node.paid.total(payoffs)
        self.outcomes.add(payoffs)
        if self.tree is not None:
            self.tree.end(node.number, payoffs, node.weight)
        self.chances[node.sequences] = self.chances.get(node.sequences, ZERO) + node.weight
        old = self.payoffs.get(node.sequences, (ZERO,) * len(payoffs))
        self.payoffs[node.sequences] = tuple(map(lambda u, v: u + node.weight * v, old, payoffs))

    def _after(self, node: _Node) -> Iterator[_Node]:
        """The histories with one action more."""
        mover, choices, keys, shares = self.following[node.key]
        if mover == TERMINAL:
            return
        state = node.history[-1][0]
        here = {player: self._enter(node, player) for player in choosers(self.game, state)}
        first = 0 if self.tree is None else self._branch(self.tree, node, here)
        for place, key in enumerate(keys):
            action: Action | JointAction = choices[place]
            name = self._name(node, action)
            sequences, number = list(node.sequences), place if mover == CHANCE else 0
            for player, growing in here.items():
                chosen = action[player] if isinstance(action, tuple) else action
                turn = growing.choices.index(chosen)
                sequences[player] = growing.first + turn
                number = number * len(growing.choices) + turn
            child = self.steps.state(key)
            history: History = (*node.history[:-1], (state, action), (child, None))
            yield _Node(
                key,
                history,
                (*node.drawn, name) if mover == CHANCE else node.drawn,
                node.seen if mover == CHANCE else (*node.seen, name),
                tuple(sequences),
                first + number,
                node.weight * shares[place] if mover == CHANCE else node.weight,
                self._paid(node, action, child),
            )

    def _branch(self, tree: HistoryTree, node: _Node, here: dict[int, _Growing]) -> int:
        """The first child of a history in the tree."""
        mover, _, _, shares = self.following[node.key]
        if mover == CHANCE:
            return tree.draw(node.number, shares)
        choosers = [
            (player, growing.place, len(growing.choices)) for player, growing in here.items()
        ]
        return tree.choose(node.number, choosers)

    def _paid(self, node: _Node, action: Action | JointAction, after: State) -> Paid | None:
        """The rewards up to and including an action."""
        if node.paid is None:
            return None
        paid = node.paid.copied()
        paid.add(node.history[-1][0], action, after)
        return paid

    def _name(self, node: _Node, action: Action | JointAction) -> str:
        key = node.key, action
        if key not in self.names:
            self.names[key] = self.game.action_name(node.history[-1][0], action)
        return self.names[key]

    def _enter(self, node: _Node, player: int) -> _Growing:
        """The information set of a player after a history, updated with the history."""
        state = node.history[-1][0]
        mover, actions, _, _ = self.following[node.key]
        if mover == SIMULTANEOUS:
            actions = self.game.legal_actions(state, player)
        choices = tuple(action for action in actions if isinstance(action, int))
        seen = self.game.information_state(node.history, player)
        growing = self.sets[player].get(seen)
        if growing is None:
            names = tuple(self._name(node, action) for action in choices)
            place = len(self.sets[player])
            growing = _Growing(
                player, place, choices, names, self.made[player], node, node.drawn, node.seen
            )
            self.sets[player][seen] = growing
            self.made[player] += len(choices)
        growing.size += 1
        if growing.choices != choices:
            raise leak(self.game, player, growing.node.history, node.history)
        if growing.node.sequences[player] != node.sequences[player]:
            raise self._forgets(growing, node)
        growing.drawn = _common(growing.drawn, node.drawn)
        growing.seen = _common(growing.seen, node.seen)
        return growing

    def _forgets(self, growing: _Growing, node: _Node) -> UnsupportedGameError:
        game, player = self.game, self.game.players[growing.player].name
        first, second = (
            ", ".join(play_names(game, history)) or "the start"
            for history in (growing.node.history, node.history)
        )
        sequence = node.sequences[growing.player] - growing.first
        if 0 <= sequence < len(growing.choices):
            fault = "cannot tell whether the same decision has been made before"
        else:
            fault = "forgets what he has done or seen"
        return UnsupportedGameError(
            f"{player} in {game.name} {fault}: after {first}, and after {second}, he has the same "
            "information set, so that what is best there depends on how he chose elsewhere",
            "give the nodes information sets of their own",
        )


def _common(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """The names of `first` that occur in `second` as well."""
    if first == second:
        return first
    left = list(second)
    common = []
    for name in first:
        if name in left:
            left.remove(name)
            common.append(name)
    return tuple(common)
