"""Games written as graphs, for tests that compare a solver with brute force, and shipped games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl
from gamedsl.game import LoadedGame
from gamedsl.model.facts import Facts
from gamedsl.model.state import CHANCE, TERMINAL, Player, State


@dataclass(frozen=True)
class Node:
    """A player's node (`mover` >= 0), a chance node (-1, with weights) or an ending (-4)."""

    mover: int
    successors: tuple[int, ...] = ()
    weights: tuple[Fraction, ...] = ()
    payoffs: tuple[Fraction, ...] = ()
    rewards: tuple[tuple[Fraction, ...], ...] = ()


@dataclass(frozen=True)
class GraphGame:
    """A game on numbered nodes, node 0 first; action k of a node leads to its k-th successor."""

    nodes: Sequence[Node]
    n_players: int = 2
    endless: tuple[Fraction, ...] | None = None
    discount: Fraction = Fraction(1)
    name: str = "a graph"
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(Player(i, "ABC"[i]) for i in range(self.n_players))

    @property
    def facts(self) -> Facts:
        payoffs = [p for node in self.nodes for p in node.payoffs] + [*(self.endless or ())]
        return Facts(
            players=tuple("ABC"[: self.n_players]),
            has_chance=any(node.mover == CHANCE for node in self.nodes),
            has_secrets=False,
            is_simultaneous=False,
            payoff_total=None,
            utility_bounds=(min(payoffs, default=Fraction(0)), max(payoffs, default=Fraction(0))),
            action_count=max(len(node.successors) for node in self.nodes),
            state_bits=8,
            state_bound=len(self.nodes),
            endless=self.endless,
            repeats=False,
            has_evaluate=False,
            is_tree=False,
            has_rewards=any(node.rewards for node in self.nodes),
            discount=self.discount,
        )

    def node(self, state: State) -> Node:
        assert state.cells[0] is not None
        return self.nodes[state.cells[0]]

    def initial_state(self) -> State:
        return State((0,), 0)

    def current_player(self, state: State) -> Player:
        mover = self.node(state).mover
        return self.players[mover] if mover >= 0 else CHANCE if mover == CHANCE else TERMINAL

    def legal_actions(self, state: State, player: int | None = None) -> tuple[int, ...]:
        node = self.node(state)
        return tuple(range(len(node.successors))) if node.mover >= 0 else ()

    def result(self, state: State, action: object) -> State:
        assert isinstance(action, int)
        return State((self.node(state).successors[action],), 0)

    def rewards(self, state: State, action: object) -> tuple[Fraction, ...]:
        assert isinstance(action, int)
        paid = self.node(state).rewards
        return paid[action] if paid else (Fraction(0),) * self.n_players

    def is_terminal(self, state: State) -> bool:
        return self.node(state).mover == TERMINAL

    def utilities(self, state: State) -> tuple[Fraction, ...]:
        if not self.is_terminal(state):
            raise ValueError("not terminal")
        return self.node(state).payoffs

    def utility(self, state: State, player: int) -> Fraction:
        return self.utilities(state)[player]

    def chance_outcomes(self, state: State) -> tuple[tuple[int, Fraction], ...]:
        return tuple(enumerate(self.node(state).weights))

    def action_name(self, state: State, action: object) -> str:
        return f"{state.cells[0]}.{action}"

    def action_named(self, state: State, name: str, player: int | None = None) -> int:
        return int(name.rpartition(".")[2])

    def information_state(self, history: object, player: int) -> tuple[object, ...]:
        assert isinstance(history, Sequence)
        return tuple(history)

    def evaluate(self, state: State, player: int) -> Fraction:
        raise ValueError("no evaluation")

    def show(self, state: State) -> str:
        return repr(state)


@dataclass(frozen=True)
class Written:
    """How tests write graph games: short names for the two classes above."""

    game: type[GraphGame] = GraphGame

    @staticmethod
    def move(mover: int, *successors: int) -> Node:
        return Node(mover, successors)

    @staticmethod
    def chance(*pairs: tuple[str, int]) -> Node:
        return Node(
            int(CHANCE), tuple(child for _, child in pairs), tuple(Fraction(w) for w, _ in pairs)
        )

    @staticmethod
    def end(*payoffs: int | Fraction) -> Node:
        return Node(int(TERMINAL), payoffs=tuple(Fraction(p) for p in payoffs))


@pytest.fixture(scope="session")
def written() -> Written:
    """Writes games as graphs."""
    return Written()


@pytest.fixture(scope="session")
def games() -> Path:
    """The folder of shipped games."""
    return Path(__file__).resolve().parents[3] / "games"


@pytest.fixture
def shipped(games: Path) -> Callable[..., LoadedGame]:
    """A game of the library: `shipped("nim", sizes=[1, 2])`."""

    def load(name: str, **parameters: object) -> LoadedGame:
        return gamedsl.load(games / f"{name}.game", **parameters)

    return load


def three_in_a_row(height: int) -> str:
    """Three in a row for three players, on a board four wide."""
    return f"""game "Three in a row for three"
players A, B, C
board 4 wide {height} high
state:
    mark[square]: empty | players = empty
move put(s in square):
    require mark[s] == empty
    mark[s] = turn
end:
    if any(line(mark, p, 3) for p in players): payoff q: (1 if line(mark, q, 3) else 0)
    if full(mark): payoff p: 0
"""
