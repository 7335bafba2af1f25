"""Stationary equilibria, verified, of games with returning play and any number of players and
payoffs.

In: a state graph, the components in reverse topological order, and the payoffs of endless play;
rewards if payoffs are discounted, or if play ends almost surely under all policies. Out: a
`SolvedGraph` in which every player has a fixed action for every state, and no player gains by a
deviation from any state on: a subgame-perfect equilibrium in stationary pure strategies (Shapley,
"Stochastic games", PNAS 39, 1953; Fink 1964 for n players). Further equilibria with different
payoffs may exist. A stationary equilibrium need not exist; UnsupportedGameError then names the
loop.

Components are solved from the endings back. In a component that can return, policies are guessed:
optimal policies of games that end after every ply with a small probability, then changed to better
replies, one player at a time. A guess is accepted only when verified: the guess's Markov chain is
solved in fractions, and no reply of any player, stationary or not, gives more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import prod

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE
from gamedsl.solvers.chance.best_response import BestReply
from gamedsl.solvers.chance.component_game import ComponentGame, Side, component_game
from gamedsl.solvers.chance.markov_chain import markov_chain_values
from gamedsl.solvers.chance.policies import NOISE, Policy
from gamedsl.solvers.exact.solved import SolvedGraph, chosen_plies
from gamedsl.solvers.graphs.components import loop_words
from gamedsl.solvers.graphs.graph import StateGraph, Vector
from gamedsl.source.components import Component, is_cyclic

STOPPING_CHANCES = (2.0**-14, 2.0**-8, 2.0**-20, 2.0**-3)
FEW_SWEEPS, SWEEPS = 20, 2_000
"""Rounds of iteration for one stopping chance; convergence is not needed."""
MOST_STEPS = 2_000_000
"""Edges evaluated for one stopping chance, unless the minimum number of rounds takes more."""
MOST_CHANGES = 60
"""Changes to better replies from one guess on; fewer in large components."""
MOST_WORK = 60_000
"""Edges of all policies that one guess is changed to."""
STABLE = "of one action for each of the positions of such rounds from which nobody gains by another"
UNTOLD = (
    "what players get on such rounds, of whom each keeps to one action for each position, is not "
    "worked out in exact numbers: the positions are too many, or the numbers too long"
)
MOST_POLICIES = 2_000
"""Up to this number of policies, every policy is tried: then non-existence is proved."""


def stationary_equilibrium(
    graph: StateGraph, order: Sequence[Component], endless: Vector
) -> SolvedGraph:
    """An equilibrium of the whole graph.

    Raises UnsupportedGameError with a loop of moves if no equilibrium is found.
    """
    search = _Search(graph, endless)
    for component in order:
        if is_cyclic(component, graph.successors):
            search.settle_component(component)
        else:
            search.settle_node(component[0])
    return SolvedGraph(
        graph, search.values, chosen_plies(graph, search.choices), search.choices,
        counts_plies=False, returning=search.returning,
    )  # fmt: skip


class _Search:
    """Exact values and choices, filled from the endings back."""

    def __init__(self, graph: StateGraph, endless: Vector) -> None:
        self.graph = graph
        self.endless = endless
        self.values: list[Vector] = [()] * len(graph.states)
        self.choices = [-1] * len(graph.states)
        self.returning: set[int] = set()

    def settle_node(self, node: int) -> None:
        """Settles a node whose successors are all settled."""
        graph = self.graph
        if node in graph.payoffs:
            self.values[node] = graph.payoffs[node]
            return
        below = [
            graph.expected_payoffs(node, edge, self.values[child])
            for edge, child in enumerate(graph.successors[node])
        ]
        mover = graph.movers[node]
        if mover == CHANCE:
            chances = graph.chances[node]
            self.values[node] = tuple(
                sum((p * payoff for p, payoff in zip(chances, column, strict=True)), Fraction(0))
                for column in zip(*below, strict=True)
            )
            return
        payoffs = [value[mover] for value in below]
        self.choices[node] = payoffs.index(max(payoffs))
        self.values[node] = below[self.choices[node]]

    def settle_component(self, component: Component) -> None:
        """Settles a component in which play can return, by the first guess that is verified."""
        arena = _Arena(self.graph, component, self.values, self.endless)
        game = arena.game
        told = untold = 0
        for policy in arena.guesses():
            values = arena.values(policy)
            told, untold = told + (values is not None), untold + (values is None)
            if values is not None and arena.is_stable(policy, values):
                break
        else:
            exists = (
                "there is no choice" if arena.is_small and not untold else "no choice was found"
            )
            raise _refusal(self.graph, component, f"{exists} {STABLE}" if told else UNTOLD)
        self.returning.update(game.nodes)
        for node, side, edge, value in zip(game.nodes, game.sides, policy, values, strict=True):
            self.choices[node] = -1 if side is Side.NATURE else edge
            self.values[node] = value


class _Arena:
    """One component with the payoffs of exits and endless play to each player.

    Where play pays on the way, the component is a different game for each player, with equal edges
    and policies.
    """

    def __init__(
        self,
        graph: StateGraph,
        component: Component,
        values: Sequence[Vector],
        endless: Vector,
    ) -> None:
        players = range(len(endless))
        self.game = component_game(graph, component)
        self.is_paid = not graph.game.facts.pays_at_the_end
        self.games = [
            component_game(graph, component, player) if self.is_paid else self.game
            for player in players
        ]
        self.exits = [
            [_outside(game, way, values[state][player]) for way, state in enumerate(game.exits)]
            for player, game in enumerate(self.games)
        ]
        """Per player the value of each exit, including payments on the way out."""
        self.movers = [graph.movers[node] for node in self.game.nodes]
        self.endless = endless
        self.deciders = sorted({mover for mover in self.movers if mover >= 0})

    @property
    def is_small(self) -> bool:
        """Whether every policy is tried."""
        return prod(len(self._open(node)) for node in range(len(self.movers))) <= MOST_POLICIES

    def guesses(self) -> Iterator[Policy]:
        """Different policies, the most likely first; all policies in small components."""
        tried: set[Policy] = set()
        for guess in self._starts():
            for policy in self._improvements(guess):
                if policy in tried:
                    break
                tried.add(policy)
                yield policy
        if self.is_small:
            every = product(*(self._open(node) for node in range(len(self.movers))))
            yield from (policy for policy in every if policy not in tried)

    def values(self, policy: Policy) -> list[Vector] | None:
        """Payoffs of every player from each node under a policy.

        None where the numbers are too long, or too many, for exact computation.
        """
        columns = []
        for player, endless in enumerate(self.endless):
            exits = self.exits[player]
            column = markov_chain_values(self.games[player], policy, exits, endless)
            if column is None:
                return None
            columns.append(column)
        return list(zip(*columns, strict=True))

    def is_stable(self, policy: Policy, values: Sequence[Vector]) -> bool:
        """Whether no player gains, from any node on, by any reply to the policy."""
        return all(self._is_best_reply(player, policy, values) for player in self.deciders)

    def _is_best_reply(self, player: int, policy: Policy, values: Sequence[Vector]) -> bool:
        """Whether the policy is a best reply of the player.

        Costs are negated payoffs: `BestReply` bounds the least cost that the free side can reach.
        Where play pays on the way, play is discounted or leaves almost surely under all policies,
        and Bellman's equation has a unique solution: a player without an immediate gain then has no
        gain at all.
        """
        if self.is_paid:
            return all(
                values[node][player] >= self._after(node, edge, values)[player]
                for node, mover in enumerate(self.movers)
                for edge in self._open(node)
                if mover == player
            )
        sides = tuple(
            side if side is Side.NATURE else Side.MIN if mover == player else Side.MAX
            for side, mover in zip(self.game.sides, self.movers, strict=True)
        )
        exits = [-value for value in self.exits[player]]
        reply = BestReply(
            replace(self.game, sides=sides), Side.MAX, policy, exits, -self.endless[player]
        )
        return reply.proves([-value[player] for value in values])

    def _open(self, node: int) -> range:
        return range(len(self.game.edges[node]) if self.movers[node] >= 0 else 1)

    # --- guesses, which need no proof here -------------------------------------------------------

    def _starts(self) -> Iterator[Policy]:
        for stopping in STOPPING_CHANCES:
            yield self._iterated(1.0 - stopping)

    def _improvements(self, policy: Policy) -> Iterator[Policy]:
        """A policy, and the policies after immediate improvements by one player after the next."""
        yield policy
        few = 2 * len(self.deciders)
        for player in islice(
            self._turns(), max(few, min(MOST_CHANGES, MOST_WORK // self.game.size))
        ):
            values = self.values(policy)
            if values is None:
                return
            changed = tuple(
                self._better(node, edge, player, values) for node, edge in enumerate(policy)
            )
            if changed != policy:
                policy = changed
                yield policy

    def _turns(self) -> Iterator[int]:
        while True:
            yield from self.deciders

    def _better(self, node: int, edge: int, player: int, values: Sequence[Vector]) -> int:
        if self.movers[node] != player:
            return edge
        payoffs = [self._after(node, edge, values)[player] for edge in self._open(node)]
        return edge if payoffs[edge] == max(payoffs) else payoffs.index(max(payoffs))

    def _after(self, node: int, edge: int, values: Sequence[Vector]) -> Vector:
        """Values of an edge for each player, given `values` behind the edge."""
        child = self.game.edges[node][edge]
        if child < 0:
            return tuple(
                exits[~game.edges[node][edge]]
                for game, exits in zip(self.games, self.exits, strict=True)
            )
        if not self.is_paid:
            return values[child]
        return tuple(
            game.reward(node, edge) + game.rest(node, edge) * payoff
            for game, payoff in zip(self.games, values[child], strict=True)
        )

    def _iterated(self, lasting: float) -> Policy:
        """The optimal policy, by iteration, where play ends after each ply with a small
        probability."""
        game, movers = self.game, self.movers
        base = [0.0 if self.is_paid else float(payoff) for payoff in self.endless]
        steps = [[self._step(node, e, base) for e in range(len(game.edges[node]))]
                 for node in range(len(movers))]  # fmt: skip
        size = max(abs(number) for node_steps in steps for step in node_steps for number in step[1])
        gains = [[0.0] * len(base) for _ in movers]
        policy = [0] * len(movers)
        noise = NOISE * max(1e-300, size)
        for _ in range(max(FEW_SWEEPS, min(SWEEPS, MOST_STEPS // game.size))):
            change = 0.0
            for node in range(len(movers) - 1, -1, -1):
                below = [
                    [
                        c + share * gain
                        for c, share, gain in zip(paid, rest, gains[child], strict=True)
                    ]
                    for child, paid, rest in steps[node]
                ]
                if movers[node] >= 0:
                    best = max(value[movers[node]] for value in below) - noise
                    policy[node] = next(
                        edge for edge, value in enumerate(below) if value[movers[node]] >= best
                    )
                    after = below[policy[node]]
                else:
                    shares = [weight / game.totals[node] for weight in game.weights[node]]
                    after = [
                        sum(share * gain for share, gain in zip(shares, column, strict=True))
                        for column in zip(*below, strict=True)
                    ]
                discounted = [lasting * gain for gain in after]
                moved = (abs(a - b) for a, b in zip(discounted, gains[node], strict=True))
                change = max(change, *moved)
                gains[node] = discounted
            if change <= noise:
                break
        return tuple(policy)

    def _step(
        self, node: int, edge: int, base: Sequence[float]
    ) -> tuple[int, list[float], list[float]]:
        """An edge's target, each player's gain on the edge, and each player's factor of the rest of
        play."""
        child = self.game.edges[node][edge]
        if child < 0:
            payoffs = self._after(node, edge, ())
            return 0, [float(w) - b for w, b in zip(payoffs, base, strict=True)], [0.0] * len(base)
        paid = [float(game.reward(node, edge)) for game in self.games]
        return child, paid, [float(game.rest(node, edge)) for game in self.games]


def _outside(game: ComponentGame, way: int, value: Fraction) -> Fraction:
    """An exit's value to a player: the payment on the way plus the discounted value outside."""
    paid, rest = game.tolls[way]
    return paid + rest * value


def _refusal(graph: StateGraph, component: Component, reason: str) -> UnsupportedGameError:
    start, loop = loop_words(graph, component)
    return UnsupportedGameError(
        f"play of {graph.game.name} can go round ({start}, the moves {loop} lead back), and "
        f"{reason}",
        "limit the length of play in the rules, for example with a counter",
    )
