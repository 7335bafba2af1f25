"""Nearly optimal behaviour of two players in games with too many histories to list.

In: a graph of states with what each player observes. Out: the mean behaviour of both players, and
exact best responses to it. Regrets are minimised as by CFR+ (Tammelin, "Solving large imperfect
information games using CFR+", 2014), with two differences. Without regrets a player takes the
first action, so that the first rounds are short. In most rounds a player leaves the actions in use
only a few times in a play, as limited discrepancy search does (Harvey and Ginsberg, IJCAI 1995);
all numbers of times get an equal part of the work. So nothing is guaranteed about convergence, and
best responses, which try all actions, tell the quality. Equal work gives equal behaviour.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import arithmetic
from gamedsl.game.contract import Game
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.graphs.information import History
from gamedsl.solvers.histories import belief_kernel, form_kernel, pairs_kernel
from gamedsl.solvers.histories.belief_kernel import GOES_ON, LEARNS, NO_ROOM, RESPONDS, SHARES
from gamedsl.solvers.histories.observed_graph import ObservedGraph
from gamedsl.solvers.interruptible import interruptible
from gamedsl.solvers.memory import NUMBER, zeros

MOST_PAYOFF = (1 << 28) - 1
BYTES_KNOWN, NUMBERS_A_ROW = 88, 6
"""Bytes per number of `Beliefs.row_of` in all its arrays; numbers in rows, for the same."""
MOST_KNOWN = 1 << 28
MOST_MEMBERS = 1 << 22
MOST_GROUPS = 1 << 16
EVERYTHING = 1 << 60
RARE = 600
"""Actions of the mean that are played less often, in units of 1 / `SHARES`, are left out."""
MOST_ROUNDS = 1 << 13
"""Greatest number of rounds: with more, sums of plans could overflow."""
LEVELS = (0, 1, 2, 3)
"""Numbers of times that a player leaves the actions in use, besides every time."""
IN_USE = 30
"""Greatest number of rounds with the actions in use between two rounds that try others."""


class BeliefLearning:
    """Both players learning.

    Attributes:
        rounds: number of rounds played; members: members of beliefs visited.
        is_full: whether memory is used up, so that no more can be learnt.
    """

    def __init__(self, graph: ObservedGraph, max_bytes: int, *, is_native: bool = True) -> None:
        self.graph = graph
        self.rounds = self.members = 0
        self.is_full = False
        self._code = (
            arithmetic(graph.game, belief_kernel, pairs_kernel, form_kernel) if is_native else None
        )
        most = min(MOST_KNOWN, max_bytes // (BYTES_KNOWN + NUMBERS_A_ROW * NUMBER))
        self._row: Any = _short if self._code is None else zeros
        self._known = self._pairs(most)
        self._learnt = self._beliefs(most)
        self._roots = tuple(map(self._root, (0, 1)))
        self._levels = (*(level for level in LEVELS if level < graph.longest), graph.longest)
        self._spent, self._costs = [0] * len(self._levels), [1] * len(self._levels)
        self._in_use = 0

    def _pairs(self, most: int) -> pairs_kernel.Pairs:
        notes = pairs_kernel.PairNotes(self._row(len(pairs_kernel.PairNotes.FIELDS)))
        notes.mask = 63
        slots = self._row(1 << (4 * most + 64).bit_length())
        return pairs_kernel.Pairs(slots=slots, parts=self._row(2 * most), notes=notes)

    def _beliefs(self, most: int) -> belief_kernel.Beliefs:
        graph, row = self.graph, self._row
        widest = max(behind - first for first, behind in pairwise(graph.arrays.firsts))
        notes = belief_kernel.BeliefNotes(row(len(belief_kernel.BeliefNotes.FIELDS)))
        notes.widest = widest
        most_paid = max(1, *map(abs, graph.arrays.paid))
        return belief_kernel.Beliefs(
            items=self._items(),
            lasts=row(0 if graph.unit == 1 else most),
            row_of=row(most),
            heads=row(most),
            rows=row(most * NUMBERS_A_ROW),
            stack=Rows(
                belief_kernel.Member,
                row(min(most, MOST_MEMBERS) * len(belief_kernel.Member.FIELDS)),
            ),
            groups=row(MOST_GROUPS),
            gains=row((graph.longest + 1) * widest),
            paid=array("q", (paid * MOST_PAYOFF // most_paid for paid in graph.arrays.paid)),
            notes=notes,
        )

    def _items(self) -> Any:
        """The observations of edges and the states behind; none with chance events."""
        arrays = self.graph.arrays
        if self.graph.unit != 1:
            return array("q")
        items = array("q", bytes(2 * NUMBER * len(arrays.nexts)))
        self._call("merge", arrays, self._pairs(len(items) + 1), items)
        return items

    def _call(self, name: str, *arguments: Any) -> int:
        plain: Callable[..., int] = getattr(belief_kernel, name)
        call = plain if self._code is None else partial(self._code, name)
        return int(call(*arguments))

    def _root(self, player: int) -> int:
        """What a player knows at the beginning."""
        view = self.graph.arrays.views[player]
        first = pairs_kernel.pair_number(player, (1 << 30) + player, self._known)
        known = pairs_kernel.pair_number(first, view, self._known)
        if len(self._learnt.lasts):
            self._learnt.lasts[known] = view
        return known

    def play_round(self) -> None:
        """Play the next round. Nothing happens once memory is used up."""
        last = len(self._levels) - 1
        number = self._next_level() if self.rounds else last
        self._in_use = 0 if number else self._in_use + 1
        self.rounds += 1
        notes, before = self._learnt.notes, self.members
        notes.tries, notes.weight = self._levels[number], self.rounds * self.rounds
        notes.most = EVERYTHING
        for player in (0, 1):
            notes.round = 2 * self.rounds + player
            self._explore(player, LEARNS)
        cost = self.members - before
        self._spent[number] += cost
        self._costs[number] = cost
        for larger in range(number + 1, last + 1):
            self._costs[larger] = max(cost, self._costs[larger])

    def _next_level(self) -> int:
        """The level with the least work after its next round; not too often the actions in use."""
        sums = [spent + cost for spent, cost in zip(self._spent, self._costs, strict=True)]
        first = int(self._in_use >= IN_USE)
        return first + sums[first:].index(min(sums[first:]))

    def _explore(self, learner: int, purpose: int) -> int:
        """The value for a player, by one traversal."""
        notes, first = self._learnt.notes, self._learnt.stack[0]
        bits = belief_kernel.PART if purpose == LEARNS else belief_kernel.FINE
        notes.learner, notes.opponent, notes.purpose = learner, 1 - learner, purpose
        notes.members, notes.lost = 0, 0
        first.state, first.mine, first.theirs = 0, self._roots[learner], self._roots[1 - learner]
        first.reach, first.plan = 1 << bits, 1 << belief_kernel.PART
        graph, known = self.graph.arrays, self._known
        try:
            value = interruptible(partial(self._call, "explore", graph, known, self._learnt))
        except BaseException:
            notes.most = 0  # machine code that goes on unattended ends soon
            raise
        self.members += notes.members
        self.is_full = self.is_full or notes.status == NO_ROOM
        return value

    def best_responses(
        self, rare: int = RARE, most: int = EVERYTHING
    ) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]] | None:
        """For each player, bounds of the greatest expected payoff against the mean behaviour of the
        opponent, without actions rarer than `rare` in units of 1 / `SHARES`; None if memory, or
        `most` members of beliefs, do not suffice."""
        learnt, graph = self._learnt, self.graph
        learnt.notes.status, learnt.notes.least, learnt.notes.most = GOES_ON, rare, most
        scaled, learnt.paid = learnt.paid, graph.arrays.paid
        responses = []
        try:
            for player in (0, 1):
                value = Fraction(self._explore(player, RESPONDS), 1 << belief_kernel.FINE)
                lost = Fraction(learnt.notes.lost, 1 << belief_kernel.FINE)
                if learnt.notes.status != GOES_ON:
                    return None
                most = max(1, *map(abs, graph.arrays.paid))
                responses.append(
                    ((value - lost * most) / graph.share, (value + lost * most) / graph.share)
                )
        finally:
            learnt.paid = scaled
        return responses[0], responses[1]

    @property
    def information_sets(self) -> tuple[int, int]:
        """Number of information sets met, and of their actions."""
        return self._learnt.notes.sets, self._learnt.notes.actions

    def behaviour(self, known: int, width: int) -> tuple[Fraction, ...]:
        """The mean behaviour in an information set, by the number of what its player knows."""
        row = self._learnt.row_of[known] - 1
        if row < 0:
            return tuple(Fraction(int(turn == 0)) for turn in range(width))
        shares = (belief_kernel.mean_share(row, width, turn, self._learnt) for turn in range(width))
        return tuple(Fraction(share, SHARES) for share in shares)


class BeliefPlay:
    """The mean behaviour of both players, looked up by history."""

    def __init__(self, learning: BeliefLearning) -> None:
        self.game: Game = learning.graph.game
        self._learning = learning

    @cached_property
    def first(self) -> tuple[LocalStrategy, ...]:
        """The behaviour in the first state, if a player moves there."""
        state = self._learning.graph.state(0)
        mover = self._learning.graph.arrays.movers[0]
        choice = self.at(((state, None),), mover) if mover >= 0 else None
        return () if choice is None else (choice.local,)

    def at(self, history: History, player: int) -> InformedChoice | None:
        """A player's choice after a history; None for a history that the game does not have."""
        learning, graph = self._learning, self._learning.graph
        number, known = 0, learning._roots[player]
        for _, action in history[:-1]:
            edges = range(graph.arrays.firsts[number], graph.arrays.firsts[number + 1])
            edge = next((edge for edge in edges if graph.choice(edge) == action), None)
            if edge is None:
                return None
            known = belief_kernel.learn_more(
                known, edge, player, graph.arrays, learning._known, learning._learnt
            )
            number = graph.arrays.nexts[edge]
        if graph.arrays.movers[number] != player:
            return None
        names = graph.action_names(number, player)
        shares = learning.behaviour(known, len(names))
        local = LocalStrategy(player, (), (), tuple(zip(names, shares, strict=True)))
        return InformedChoice(local, None, known)


def _short(count: int) -> list[int]:
    """A row for Python."""
    return [0] * count
