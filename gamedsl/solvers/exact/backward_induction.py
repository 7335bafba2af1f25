"""Backward induction on a graph without cycles: exact values, any number of players, chance.

In: a state graph and the states in reverse topological order. Out: a `SolvedGraph`. Minimax and
expectiminimax (AIMA 3rd ed., figures 5.3 and section 5.5) and max^n (Luckhardt and Irani, "An
algorithmic solution of N-person games", AAAI-86) are the same recursion: every player takes an
action that is best for that player. `ties` lists the values of different tie-breaks. Stages of
simultaneous choices are solved by `simultaneous_stages`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.exact.constant_sum import delays
from gamedsl.solvers.exact.solved import Mixtures, SolvedGraph
from gamedsl.solvers.graphs.graph import StateGraph, Vector

if TYPE_CHECKING:
    from gamedsl.solvers.normal_form.solve import Equilibria


def backward_induction(
    graph: StateGraph,
    order: Sequence[int],
    break_even: Vector | None = None,
    *,
    is_opposed: bool = False,
) -> SolvedGraph:
    """Solves an acyclic graph.

    Among actions with equal payoff to the mover the first in declaration order decides, except
    where `break_even` is given: then (one player, or two with opposed interests) the value does not
    depend on ties, and length decides before order. A mover who is behind takes the longest play,
    every other mover the shortest (`constant_sum.delays`). Rewards count where paid, and payoffs
    are discounted (AIMA 4th ed., section 17.1).

    Args:
        order: every state after all successors.
        break_even: the payoffs that count as neither ahead nor behind.
        is_opposed: whether the game has two players with opposed interests.
    """
    induction = _Induction(graph, break_even, is_opposed)
    for node in order:
        induction.settle(node)
    return SolvedGraph(
        graph, induction.values, induction.plies, induction.choices,
        counts_plies=break_even is not None, by_dominance=induction.by_dominance,
        mixtures=induction.mixtures, equilibria=induction.equilibria,
        error_bound=induction.error,
    )  # fmt: skip


class _Induction:
    """Values, lengths and choices of the states settled so far.

    Attributes:
        values: payoffs of all players, by state.
        plies: lengths of best play; None with chance.
        choices: the edge of best play; -1 where no player chooses alone.
        by_dominance: all edges of joint dominant choices, where stages are solved by dominance.
        mixtures: probabilities of each player's actions, where stages are mixed.
        equilibria: all equilibria of stages without opposed interests.
        error: bound on the error of the value of state 0.
    """

    def __init__(self, graph: StateGraph, break_even: Vector | None, is_opposed: bool) -> None:
        nodes = len(graph.states)
        self.graph = graph
        self.break_even = break_even
        self.is_opposed = is_opposed
        self.values: list[Vector] = [()] * nodes
        self.plies: list[int | None] = [None] * nodes
        self.choices = [-1] * nodes
        self.by_dominance: dict[int, tuple[int, ...]] = {}
        self.mixtures: dict[int, Mixtures] = {}
        self.equilibria: dict[int, Equilibria] = {}
        self.error = Fraction(0)
        self.vectors: dict[Vector, Vector] = {}

    def settle(self, node: int) -> None:
        """Finds the value of a state whose successors are settled."""
        mover = self.graph.movers[node]
        if mover >= 0:
            self._choose(node, mover)
        elif mover == SIMULTANEOUS:
            self._choose_together(node)
        elif mover == CHANCE:
            mean = self._expectation(node)
            self.values[node] = self.vectors.setdefault(mean, mean)
        else:
            payoffs = self.graph.payoffs[node]
            self.values[node] = self.vectors.setdefault(payoffs, payoffs)
            self.plies[node] = 0

    def _expectation(self, node: int) -> Vector:
        values = [self._after(node, edge) for edge in range(len(self.graph.successors[node]))]
        chances = self.graph.chances[node]
        return tuple(
            sum((p * payoff for p, payoff in zip(chances, column, strict=True)), Fraction(0))
            for column in zip(*values, strict=True)
        )

    def _choose(self, node: int, mover: int) -> None:
        children = self.graph.successors[node]
        best_edge, best = 0, self._after(node, 0)
        for edge in range(1, len(children)):
            value = self._after(node, edge)
            if value is not best and value[mover] != best[mover]:
                better = value[mover] > best[mover]
            else:
                better = self._is_preferred(mover, best, children[edge], children[best_edge])
            if better:
                best_edge, best = edge, value
        after = self.plies[children[best_edge]]
        self.values[node] = self.vectors.setdefault(best, best)
        self.choices[node] = best_edge
        self.plies[node] = None if after is None else after + 1

    def _after(self, node: int, edge: int) -> Vector:
        """An action's value, including the reward."""
        return self.graph.expected_payoffs(
            node, edge, self.values[self.graph.successors[node][edge]]
        )

    def _choose_together(self, node: int) -> None:
        from gamedsl.solvers.exact.simultaneous_stages import solve_stage

        children = self.graph.successors[node]
        after = [self._after(node, edge) for edge in range(len(children))]
        stage = solve_stage(self.graph, node, after, is_opposed=self.is_opposed)
        self.values[node] = self.vectors.setdefault(stage.value, stage.value)
        self.choices[node] = stage.edge
        if stage.edge >= 0:
            plies = self.plies[children[stage.edge]]
            self.plies[node] = None if plies is None else plies + 1
        if stage.dominant is not None:
            self.by_dominance[node] = stage.dominant
        if stage.mixtures is not None:
            self.mixtures[node] = stage.mixtures
        if stage.equilibria is not None:
            self.equilibria[node] = stage.equilibria
            self.error = stage.equilibria.equilibria[0].value_error

    def _is_preferred(self, mover: int, value: Vector, child: int, rival: int) -> bool:
        """Whether, at equal value, the length of play speaks for `child`."""
        if self.break_even is None:
            return False
        length, rival_length = self.plies[child], self.plies[rival]
        if length is None or rival_length is None:
            return False
        if delays(value, mover, self.break_even):
            return length > rival_length
        return length < rival_length
