"""Nearly optimal behaviour of players who act by their present views, and best responses to it.

In: a graph of states with what each player observes. Out: the mean behaviour of all players, and
bounds of the values of exact best responses by players who remember everything. Regrets are
minimised as by CFR+ (Tammelin, "Solving large imperfect information games using CFR+", 2014) in
the game in which players forget all but their present views (Waugh and others, "A practical use of
imperfect recall", SARA 2009). Such strategies need not come near an equilibrium: the best
responses, which try all histories, tell the quality. Equal work gives equal behaviour.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise

from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.histories import (
    form_kernel,
    pairs_kernel,
    response_kernel,
    shares_kernel,
    view_kernel,
)
from gamedsl.solvers.histories.native import Kernels
from gamedsl.solvers.histories.observed_graph import ObservedGraph
from gamedsl.solvers.histories.response_kernel import GOES_ON
from gamedsl.solvers.histories.shares_kernel import ALL_SHARES
from gamedsl.solvers.histories.view_kernel import FINE
from gamedsl.solvers.interruptible import interruptible
from gamedsl.solvers.memory import NUMBER

MOST_PAYOFF = (1 << 28) - 1
MOST_VALUE = 61
"""Bits of the products of probabilities and payoffs of best responses."""
MOST_CHANCES = 32
"""Bits of the probabilities of a chance event; with more, payoffs are rougher in learning."""
MOST_BITS = 40
"""Bits of payoffs in units of 1 / `ObservedGraph.share`."""
BYTES_A_MEMBER, BYTES_KNOWN = 4 * NUMBER, 8 * NUMBER
MOST_MEMBERS = 1 << 22
MOST_KNOWN = 1 << 20
EVERYTHING = 1 << 60
MOST_ROUNDS = 1 << 12
"""Greatest number of rounds: with more, sums of plans could overflow."""
RARE = (ALL_SHARES // 1000, ALL_SHARES // 50, ALL_SHARES)
"""Actions of the mean that are played less often, in units of 1 / `ALL_SHARES`, are left out: all
are tried. The last leaves the most frequent action alone."""
Bounds = tuple[Fraction, Fraction]


class ViewLearning:
    """All players learning.

    Attributes:
        graph: the graph of states.
        whole: certainty, in the mean behaviour.
        rounds: number of rounds played.
        sets, actions: number of views in which players choose, and of their actions.
    """

    def __init__(self, graph: ObservedGraph, max_bytes: int, *, is_native: bool = True) -> None:
        self.graph, self.whole = graph, ALL_SHARES
        self.players = len(graph.game.players)
        self.rounds = 0
        modules = view_kernel, response_kernel, shares_kernel, pairs_kernel, form_kernel
        self._kernels = Kernels(graph.game, *modules, is_native=is_native)
        states = len(graph.arrays.movers)
        self._plans = self._numbered(states)
        self.sets, self.actions = self._plans.notes.sets, self._plans.notes.actions
        known = min(MOST_KNOWN, max_bytes // (4 * BYTES_KNOWN))
        self._known = self._kernels.pairs(known)
        self._responses = self._working_space(states, known, max_bytes // 2 // BYTES_A_MEMBER)
        self._kernels.call("begin", self._plans)

    @classmethod
    def suits(cls, graph: ObservedGraph) -> bool:
        """Whether payoffs are few enough bits for the kernels."""
        most: int = max(map(abs, graph.arrays.paid))
        return most.bit_length() <= MOST_BITS

    def _numbered(self, states: int) -> view_kernel.Plans:
        """The arrays of learning, with sets and actions numbered."""
        graph, row, players = self.graph, self._kernels.row, self.players
        sets = players * states
        actions = sum(graph.arrays.widths)
        most_paid = max(1, *map(abs, graph.arrays.paid))
        scale = MOST_PAYOFF >> max(0, max(graph.arrays.totals).bit_length() - MOST_CHANCES)
        notes = self._kernels.record(view_kernel.ViewNotes)
        notes.players = players
        plans = view_kernel.Plans(
            order=graph.order,
            entered=row(states * players),
            chosen=row(len(graph.arrays.nexts) * players),
            firsts=row(sets + 1),
            owners=row(sets),
            **{name: row(actions) for name in
               ("local", "mean", "shaken", "regrets", "gains", "totals")},
            **{name: row(states) for name in ("reached", "alone", "values")},
            paid=array("q", (paid * scale // most_paid for paid in graph.arrays.paid)),
            seen=row(sets),
            seen_alone=row(sets),
            notes=notes,
        )  # fmt: skip
        numbered = self._kernels.call(
            "number_sets", graph.arrays, self._kernels.pairs(sets + 1), row(sets + 1), plans
        )
        if numbered < 0:
            raise UnsupportedGameError(
                f"{graph.game.name} has legal actions that do not follow from what a player sees",
                "let another solver choose itself",
            )
        return plans

    def _working_space(self, states: int, known: int, members: int) -> response_kernel.Responses:
        row, paid = self._kernels.row, self.graph.arrays.paid
        notes = self._kernels.record(response_kernel.ResponseNotes)
        notes.widest = max(1, *self.graph.arrays.widths)
        firsts = self.graph.arrays.firsts
        notes.edges = max(behind - first for first, behind in pairwise(firsts))
        size = max(1, *map(abs, paid)).bit_length()
        self._fine = min(FINE, MOST_VALUE - size)
        chances = max(self.graph.arrays.totals).bit_length()
        notes.bits = max(0, MOST_VALUE - size - max(self._fine, chances))
        return response_kernel.Responses(
            stack=self._kernels.rows(response_kernel.Member, min(members, MOST_MEMBERS)),
            heads=row(known),
            groups=row(known),
            member_of=row(states),
            bounds=row(states),
            prospects=row((self.graph.longest + 1) * notes.widest),
            notes=notes,
        )

    def play_round(self) -> None:
        """Play the next round, in which all players learn in turn."""
        self.rounds += 1
        notes = self._plans.notes
        notes.weight = self.rounds * self.rounds
        notes.slip = ALL_SHARES // (notes.weight + 1)
        for player in range(self.players):
            notes.learner = player
            interruptible(partial(self._kernels.call, "learn", self.graph.arrays, self._plans))

    def take_mean(self, rare: int) -> tuple[int, ...]:
        """The mean behaviour without actions rarer than `rare`, to which the next best responses
        are: the probability of each action, in units of 1 / `ALL_SHARES`."""
        self._plans.notes.least = rare
        self._kernels.call("take_mean", self._plans)
        return tuple(self._plans.mean[: self.actions])

    def best_response(self, player: int, most: int = EVERYTHING) -> Bounds | None:
        """Bounds of a player's greatest expected payoff against the mean behaviour of the others;
        None if memory, or `most` members of beliefs, do not suffice."""
        graph, responses, notes = self.graph, self._responses, self._responses.notes
        self._plans.notes.learner = player
        notes.status, notes.most, notes.members, notes.lost = GOES_ON, most, 0, 0
        pairs_kernel.forget_pairs(0, self._known)
        view = graph.arrays.views[player]
        first = responses.stack[0]
        first.state, first.reach = 0, 1 << self._fine
        first.known = pairs_kernel.pair_number(0, 2 * view, self._known)
        arguments = graph.arrays, self._known, self._plans, responses
        try:
            value = interruptible(partial(self._kernels.call, "respond", *arguments))
        except BaseException:
            notes.most = 0  # machine code that goes on unattended ends soon
            raise
        if notes.status != GOES_ON:
            return None
        unit = graph.share << self._fine
        slack = notes.lost * max(1, *map(abs, graph.arrays.paid))
        return Fraction(value - slack, unit), Fraction(value + slack, unit)

    def judged(self, most_members: int) -> Iterator[tuple[int, Fraction, tuple[int, ...]]]:
        """For means without their rare actions and each player: the player, the most that the
        player gets against the mean, and the mean. Best replies of more members do not count."""
        for rare in RARE:
            mean = self.take_mean(rare)
            for player in range(self.players):
                bounds = self.best_response(player, most_members)
                if bounds is not None:
                    yield player, bounds[1], mean

    def choices_after(self, edges: Sequence[int], player: int) -> range | None:
        """Like `Learnt.choices_after`."""
        number = self._plans.entered[self.graph.end_of(edges) * self.players + player]
        if number < 0:
            return None
        return range(self._plans.firsts[number], self._plans.firsts[number + 1])
