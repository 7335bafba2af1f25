"""UCT: Monte-Carlo tree search with upper confidence bounds (L. Kocsis and C. Szepesvari, "Bandit
based Monte-Carlo planning", ECML 2006; AIMA 3rd ed., section 5.7 and its notes).

In: a game of any number of players, with or without chance, a budget of simulated plays and a
generator of random numbers. Out: a decision with estimates. Selection, expansion, simulation and
back-propagation are named as in C. Browne et al., "A survey of Monte Carlo tree search methods"
(2012), Algorithm 2; every player maximises the player's own payoff.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import log, sqrt
from random import Random
from time import perf_counter

from gamedsl.game.contract import Action, Game
from gamedsl.model.state import State
from gamedsl.solvers.montecarlo.playouts import Payoffs, Place, Playouts
from gamedsl.solvers.requirements import SEARCH, refuse_unless
from gamedsl.solvers.textbook.decision import Decision, RootMove
from gamedsl.source.records import dataclass

REQUIRES = SEARCH
EXPLORATION = sqrt(2)


@dataclass(frozen=True, slots=True)
class SimulatedPlay:
    """One round of the search: down through the tree, one node further, a random play, and back.

    Attributes:
        path: the actions (and outcomes) from the root to the first node of the random play.
        states: states of the nodes on the path, both ends included.
        bounds: for each step of the path the upper confidence bound of every action at that moment;
            empty where chance decided, or an action was tried for the first time.
        is_new: whether the last node was added to the tree; else the node is an ending met before.
        payoffs: payoffs of all players, added up at every node on the way.
    """

    path: tuple[Action, ...]
    states: tuple[State, ...]
    bounds: tuple[tuple[tuple[Action, float], ...], ...]
    is_new: bool
    payoffs: Payoffs


PlayObserver = Callable[[SimulatedPlay], None]


def uct_search(
    game: Game,
    state: State | None = None,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    patience: float = 0.0,
    rng: Random,
    leaving_out: Container[Action] = (),
    observer: PlayObserver | None = None,
    clock: Callable[[], float] = perf_counter,
    until: Callable[[], bool] | None = None,
) -> Decision:
    """UCTSEARCH(s0): the action tried most often, with ties decided by value.

    Values are average payoffs of all players over the simulated plays; equal seeds give equal
    decisions.

    Args:
        iterations: simulated plays, at least 1; each adds one node to the tree.
        seconds: limit of wall-clock time, by `clock`; results then depend on the machine.
        patience: extra seconds, until every action has been tried once.
        leaving_out: actions at the root known to be bad, which are not tried.
        observer: receives every simulated play.
        until: called after every simulated play; True ends the search.

    Raises:
        UnsupportedGameError: the game has secrets or simultaneous moves, or play does not end.
        ValueError: no player is to move at `state`, `iterations` is below 1, or no limit is given.
    """
    refuse_unless(game, REQUIRES)
    playouts = Playouts(game, rng)
    place = playouts.place(game.initial_state() if state is None else state)
    if place.mover < 0:
        raise ValueError("nobody is to move here")
    if iterations is None and seconds is None:
        raise ValueError("either the number of plays or the time has a limit")
    if iterations is not None and iterations < 1:
        raise ValueError(f"at least 1 play has to be simulated, not {iterations}")
    search = _Uct(playouts)
    root = _Node(place, len(game.players))
    root.order = [n for n, action in enumerate(place.actions) if action not in leaving_out]
    deadline = None if seconds is None else clock() + seconds
    done = 0

    def is_late() -> bool:
        late = patience * (done < len(root.order))
        return done > 0 and deadline is not None and clock() >= deadline + late

    while not done or (
        (iterations is None or done < iterations)
        and not is_late()
        and (until is None or not until())
    ):
        line = search.tree_policy(root)
        payoffs = search.default_policy(line, is_late)
        if payoffs is None:
            break
        if observer is not None:
            observer(search.told(line, payoffs))
        search.back_up(line, payoffs)
        done += 1
    return _decision(game, root, done)


class _Node:
    """A node of the search tree: the place, and the total payoffs of the plays through the node."""

    __slots__ = ("children", "order", "place", "totals", "untried", "visits")

    def __init__(self, place: Place, players: int) -> None:
        self.place = place
        self.visits = 0
        self.totals = [0.0] * players
        self.children: list[_Node | None] = [None] * len(place.actions)
        self.order: Sequence[int] = range(len(place.actions))
        """The indices of the actions to try."""
        self.untried = 0
        """Actions before this index in the order have been tried."""


class _Uct:
    def __init__(self, playouts: Playouts) -> None:
        low, high = playouts.game.facts.utility_bounds
        self.playouts = playouts
        self.players = len(playouts.game.players)
        self.exploration = EXPLORATION * float(high - low or 1)

    def tree_policy(self, root: _Node) -> list[_Node]:
        """TREEPOLICY: from the root through the tree to a new node, or to an ending."""
        node, line = root, [root]
        while node.place.actions and len(line) < self.playouts.longest:
            if node.place.odds:
                index = self.playouts.drawn(node.place)
            elif node.untried < len(node.order):
                index, node.untried = node.order[node.untried], node.untried + 1
            else:
                index = self.best_child(node)
            child = node.children[index]
            is_new = child is None
            if child is None:
                child = _Node(self.playouts.result(node.place, index), self.players)
                node.children[index] = child
            line.append(child)
            node = child
            if is_new and not node.place.odds:
                break
        return line

    def best_child(self, node: _Node) -> int:
        """BESTCHILD: the greatest upper confidence bound for the player who chooses."""
        bounds = self.bounds(node)
        return node.order[bounds.index(max(bounds))]

    def bounds(self, node: _Node) -> list[float]:
        """The upper confidence bound of each action in the order, for the player who chooses."""
        mover, confidence, exploration = node.place.mover, log(node.visits), self.exploration
        bounds = []
        for index in node.order:
            child = node.children[index]
            assert child is not None, "every action has been tried before any is preferred"
            visits = child.visits
            bounds.append(child.totals[mover] / visits + exploration * sqrt(confidence / visits))
        return bounds

    def told(self, line: list[_Node], payoffs: Payoffs) -> SimulatedPlay:
        """The play along a line, before back-propagation."""
        path, bounds = [], []
        for node, child in pairwise(line):
            path.append(node.place.actions[node.children.index(child)])
            is_preferred = not node.place.odds and child.visits > 0
            values = self.bounds(node) if is_preferred else []
            actions = [node.place.actions[index] for index in node.order]
            bounds.append(tuple(zip(actions, values, strict=False)))
        states = tuple(node.place.state for node in line)
        return SimulatedPlay(
            tuple(path), states, tuple(bounds), len(line) > 1 and not line[-1].visits, payoffs
        )

    def default_policy(self, line: list[_Node], is_late: Callable[[], bool]) -> Payoffs | None:
        """DEFAULTPOLICY: a random play from the new node; None if it is broken off."""
        place = line[-1].place
        return self.playouts.play(place, is_late) if place.payoffs is None else place.payoffs

    def back_up(self, line: list[_Node], payoffs: Payoffs) -> None:
        """BACKUP: the payoffs count for every node on the way."""
        for node in line:
            node.visits += 1
            totals = node.totals
            for player, payoff in enumerate(payoffs):
                totals[player] += payoff


def _decision(game: Game, root: _Node, iterations: int) -> Decision:
    tried = [(i, child) for i, child in enumerate(root.children) if child and child.visits]
    moves = tuple(
        RootMove(
            root.place.actions[i],
            game.action_name(root.place.state, root.place.actions[i]),
            _mean(child),
            visits=child.visits,
        )
        for i, child in tried
    )
    mover = root.place.mover
    best = max(moves, key=lambda move: (move.visits, move.value[mover]))  # type: ignore[index]
    following = root.children[root.place.actions.index(best.action)]
    line = (best.name, *_most_visited_line(game, following))
    return Decision(
        "UCT", best.value, best.action, moves, line, iterations, iterations, is_exact=False
    )


def _most_visited_line(game: Game, node: _Node | None) -> Iterator[str]:
    """The actions tried most often, up to a chance event or a node tried only once."""
    while node is not None and not node.place.odds and node.visits > 1:
        visits = [0 if child is None else child.visits for child in node.children]
        if not any(visits):
            return
        index = visits.index(max(visits))
        yield game.action_name(node.place.state, node.place.actions[index])
        node = node.children[index]


def _mean(node: _Node) -> tuple[Fraction, ...]:
    return tuple(Fraction(total) / node.visits for total in node.totals)
