"""Teams: players with identical interests, whose value is the value of the best joint plan.

A `Team` expresses all payoffs by the first player's payoff. The state graph of a team becomes a
graph of a single player, who chooses for the whole team; one-player solvers then apply (J. Marschak
and R. Radner, "Economic Theory of Teams", 1972). No graph is solved in the module.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from fractions import Fraction

from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.exact.solved import SolvedGraph
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Team:
    """Payoffs of all players as a function of the first player's payoff.

    The payoffs are `base + slope * (payoff - base[0])`; all slopes are greater than 0.
    """

    base: Vector
    slopes: Vector

    def payoffs(self, first: Fraction) -> Vector:
        """Payoffs of all players, given the first player's payoff."""
        more = first - self.base[0]
        return tuple(
            payoff + slope * more for payoff, slope in zip(self.base, self.slopes, strict=True)
        )


def team_of(outcomes: Set[Vector]) -> Team | None:
    """The team with the given payoffs of plays; None where interests differ."""
    least, most = min(outcomes), max(outcomes)
    if least[0] == most[0]:
        slopes = (Fraction(1),) * len(least)
    else:
        spread = most[0] - least[0]
        slopes = tuple((high - low) / spread for low, high in zip(least, most, strict=True))
    team = Team(least, slopes)
    fits = all(slope > 0 for slope in slopes) and all(
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


def as_one_player(graph: StateGraph) -> StateGraph:
    """The graph of the first player's payoffs, in which the first player chooses for all
    players."""
    movers = [0 if mover >= 0 or mover == SIMULTANEOUS else mover for mover in graph.movers]
    payoffs = {node: paid[:1] for node, paid in graph.payoffs.items()}
    rewards = [tuple(paid[:1] for paid in edges) for edges in graph.rewards]
    return replace(graph, movers=movers, payoffs=payoffs, rewards=rewards)


def for_all_players(solved: SolvedGraph, graph: StateGraph, team: Team) -> SolvedGraph:
    """Turns the one-player solution into the solution of the team."""
    vectors = {value: team.payoffs(value[0]) for value in set(solved.values)}
    error = solved.error_bound * max(team.slopes)
    values = [vectors[value] for value in solved.values]
    return replace(solved, graph=graph, values=values, error_bound=error, is_team=True)
