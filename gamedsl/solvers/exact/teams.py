"""Players who all want the same: a team has one value, that of its best joint plan.

In: what plays pay; a state graph. Out: the `Team`, whose payoffs all follow from those of its first
player, and the graph as that of one player who chooses for everybody, which the solvers of one
player solve (J. Marschak and R. Radner, "Economic Theory of Teams", 1972). It solves nothing.
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
    """What every player gets, by what the first one gets: `base + slope * (payoff - base[0])`; all
    slopes are greater than 0."""

    base: Vector
    slopes: Vector

    def payoffs(self, first: Fraction) -> Vector:
        """Those of all players, where the first one gets this."""
        more = first - self.base[0]
        return tuple(own + slope * more for own, slope in zip(self.base, self.slopes, strict=True))


def team_of(outcomes: Set[Vector]) -> Team | None:
    """The team whose plays pay this; None where one player prefers what another does not."""
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
    """The same for all plays of a graph. What is paid on the way adds up, and later payoffs may
    count for less: then nothing is nothing for everybody."""
    paid = graph.outcomes() | {payoffs for edges in graph.rewards for payoffs in edges}
    if endless is not None:
        paid.add(endless)
    if not graph.game.facts.pays_at_the_end:
        paid.add((Fraction(0),) * len(graph.game.players))
    return team_of(paid) if paid else None


def as_one_player(graph: StateGraph) -> StateGraph:
    """The graph of the first player's payoffs, in which that player chooses for all."""
    movers = [0 if mover >= 0 or mover == SIMULTANEOUS else mover for mover in graph.movers]
    payoffs = {node: paid[:1] for node, paid in graph.payoffs.items()}
    rewards = [tuple(paid[:1] for paid in edges) for edges in graph.rewards]
    return replace(graph, movers=movers, payoffs=payoffs, rewards=rewards)


def for_all_players(solved: SolvedGraph, graph: StateGraph, team: Team) -> SolvedGraph:
    """What was found for one player, as what the team can get."""
    vectors = {value: team.payoffs(value[0]) for value in set(solved.values)}
    error = solved.error_bound * max(team.slopes)
    values = [vectors[value] for value in solved.values]
    return replace(solved, graph=graph, values=values, error_bound=error, is_team=True)
