"""Teams and sides: players with identical interests, who are one player to a solver.

A `Team` expresses all payoffs by the first player's payoff. The state graph of a team becomes a
graph of a single player, who chooses for the whole team (J. Marschak and R. Radner, "Economic
Theory of Teams", 1972), and the graph of two opposed sides a graph of two players; solvers for one
player or two then apply. No graph is solved in the module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import replace
from fractions import Fraction

from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Team:
    """Payoffs of all players as a function of the first player's payoff.

    The payoffs are `base + slope * (payoff - base[0])`; all slopes are greater than 0, except for
    opponents, whose slopes are less.
    """

    base: Vector
    slopes: Vector

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each player: 1 for opponents of the first player, else 0."""
        return tuple(int(slope < 0) for slope in self.slopes)

    def payoffs(self, first: Fraction) -> Vector:
        """Payoffs of all players, given the first player's payoff."""
        more = first - self.base[0]
        return tuple(
            payoff + slope * more for payoff, slope in zip(self.base, self.slopes, strict=True)
        )


def team_of(outcomes: Set[Vector]) -> Team | None:
    """The team with the given payoffs of plays; None where interests differ."""
    team = opposed_teams_of(outcomes)
    return None if team is None or any(team.sides) else team


def opposed_teams_of(outcomes: Set[Vector], idle: Collection[int] = ()) -> Team | None:
    """The team, or the two opposed sides, with the given payoffs of plays; None where interests
    differ otherwise. The payoffs of `idle` players, who never choose, may always be the same."""
    least, most = min(outcomes), max(outcomes)
    if least[0] == most[0]:
        slopes = (Fraction(1),) * len(least)
    else:
        spread = most[0] - least[0]
        slopes = tuple((high - low) / spread for low, high in zip(least, most, strict=True))
    team = Team(least, slopes)
    fits = all(slope or player in idle for player, slope in enumerate(slopes)) and all(
        team.payoffs(payoffs[0]) == payoffs for payoffs in outcomes
    )
    return team if fits else None


def team_of_graph(graph: StateGraph, endless: Vector | None) -> Team | None:
    """The team of all plays of a graph; None where interests differ.

    Rewards on the way add up, and discounting reduces later payoffs: a payoff of 0 must then be 0
    for all players.
    """
    paid = graph.outcomes() | {payoffs for edges in graph.rewards for payoffs in edges}
    if endless is not None:
        paid.add(endless)
    if not graph.game.facts.pays_at_the_end:
        paid.add((Fraction(0),) * len(graph.game.players))
    return team_of(paid) if paid else None


def by_side(graph: StateGraph, sides: Sequence[int]) -> StateGraph:
    """The graph of the sides: the first player of each side is paid, and chooses for all players of
    the side. All choices at once are the choice of side 0, the only side."""
    firsts = [sides.index(side) for side in sorted(set(sides))]
    of_mover = {SIMULTANEOUS: 0} | dict(enumerate(sides))
    rewards = [tuple(tuple(paid[n] for n in firsts) for paid in edges) for edges in graph.rewards]
    return replace(
        graph,
        movers=[of_mover.get(mover, mover) for mover in graph.movers],
        payoffs={node: tuple(paid[n] for n in firsts) for node, paid in graph.payoffs.items()},
        rewards=rewards,
    )


def for_all_players(
    solved: SolvedGraph, graph: StateGraph, payoffs: Callable[[Fraction], Vector]
) -> SolvedGraph:
    """Turns the solution of the sides into the solution of all players, whose payoffs follow from
    the first player's."""
    vectors = {value: payoffs(value[0]) for value in set(solved.values)}
    return replace(solved, graph=graph, values=[vectors[value] for value in solved.values])
