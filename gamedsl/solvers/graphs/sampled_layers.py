"""Estimates the number of positions of a game that is too large to be counted, layer by layer.

In: a game, a state, a seed, an amount of work. Out: the estimated number, or None. Layers are
counted exactly while they are small; then each layer is represented by random members. A random
successor of members of a layer with E edges stands for E / m states of the next layer, where m is
the number of its predecessors: the mean of 1 / m over edges is the number of states per edge. The
estimate is D. E. Knuth's of trees ("Estimating the efficiency of backtrack programs", 1975), with
each state counted once, however many ways lead to the state. The successors drawn are the members
of the next layer, with the weight 1 / m.

Predecessors are sought by undoing changes: the bits that some move was seen to change, in a state
with the bits as after the move. A candidate counts if the rules lead from the candidate to the
state, and if the candidate contains no pair of values that the states seen contain apart, often,
and never together (mutual exclusion of facts, as in planning). Unreachable candidates that pass
make the estimate too low, predecessors by unknown changes too high. Play must not return.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from contextlib import suppress
from random import Random
from time import process_time

from gamedsl.game.contract import Game
from gamedsl.game.steps import Steps, steps_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, State

EXACT = 3
"""Divisor of the work: one part in `EXACT` counts layers exactly."""
CHEAPER = 3
"""Factor of the work in layers that need no predecessors."""
FEWEST, MOST = 20, 400
"""Numbers of members that represent a layer."""
EXPECTED = 15
"""Expected number of states that contain two values, if the values were independent, from which on
no such state is taken for proof that no such state is reachable."""
BITS = 64
MASK = (1 << BITS) - 1

Words = tuple[int, ...]


def estimated_positions(
    game: Game, root: State, *, seed: int, work: int, plies: int, deadline: float
) -> int | None:
    """The estimated number of positions; None without a compiled engine, or where twice the work
    does not do.

    `work`: number of states to expand; `plies`: a guess at the length of a long play, to divide the
    work; `deadline`: in `process_time`, the only time on which the answer depends.
    """
    steps = steps_of(game)
    if not isinstance(steps.key(root), tuple):
        return None
    kinds: list[tuple[type[_Layers], int]] = [(_MeetingLayers, CHEAPER * work)]
    if not game.facts.has_chance:  # events have no values that could be undone
        kinds.insert(0, (_Layers, work))
    totals = []
    for kind, most in kinds:
        with suppress(TimeoutError):
            totals.append(kind(steps, root, Random(seed), deadline).total(most, plies))
    return max(totals, default=None)


class _Layers:
    """The present layer: its members with weights, and the estimated number of its states."""

    def __init__(self, steps: Steps, root: State, rng: Random, deadline: float) -> None:
        self._steps, self._rng = steps, rng
        self._members: list[tuple[Hashable, float]] = [(steps.key(root), 1.0)]
        self._size, self._depth = 1.0, 0
        self._expanded = 0
        self._deadline, self._backward = deadline, _Backward(steps, deadline)

    def total(self, work: int, plies: int) -> int:
        """The sum over all layers, without chance events."""
        total, seen = 0.0, {key for key, _ in self._members}
        while self._members:
            edges, weights, share = self._edges()
            total += self._size * share
            self._depth += 1
            fresh = {key for key in edges if key not in seen}
            if seen and len(seen) + len(fresh) <= work // EXACT:
                seen |= fresh
                self._members = [(key, 1.0) for key in sorted(fresh)]  # type: ignore[type-var]
                self._size = float(len(fresh))
                continue
            seen = set()
            spent = self._expanded + self._backward.expanded
            if spent > 2 * work:
                raise TimeoutError
            each = (work - spent) / max(1, plies - self._depth) / (1 + self._backward.mean)
            self._draw(edges, weights, round(max(FEWEST, each)))
        return round(total)

    def _edges(self) -> tuple[list[Hashable], list[float], float]:
        """The successors of all members, each with the member's weight; and the share of the layer
        that is not chance events."""
        edges, weights, players = list[Hashable](), list[float](), 0.0
        for key, weight in self._members:
            mover, _, results, _ = self._steps.after(key)
            players += weight * (mover != CHANCE)
            if process_time() > self._deadline:
                raise TimeoutError
            self._learn(key, results)
            for child in dict.fromkeys(results):
                edges.append(child)
                weights.append(weight)
        self._expanded += len(self._members)
        return edges, weights, players / sum(weight for _, weight in self._members)

    def _learn(self, key: Hashable, results: Sequence[Hashable]) -> None:
        self._backward.note(key, results)

    def _draw(self, edges: list[Hashable], weights: list[float], count: int) -> None:
        """Go on to the next layer, represented by `count` members."""
        if not edges:
            self._members = []
            return
        self._backward.begin()
        count = min(MOST, count)
        chosen = self._rng.choices(edges, weights, k=count)
        held = sum(weight for _, weight in self._members)
        self._members = [(key, 1 / self._backward.predecessors(key)) for key in chosen]
        states_per_edge = sum(weight for _, weight in self._members) / count
        self._size *= sum(weights) / held * states_per_edge


class _MeetingLayers(_Layers):
    """Layers whose members have no weights. Predecessors are counted by the rate at which two
    members lead to one state: their mean over edges, so that the estimate is too small where states
    of a layer differ in the number of ways to them."""

    def _learn(self, key: Hashable, results: Sequence[Hashable]) -> None:
        """Nothing: no move is undone."""

    def _draw(self, edges: list[Hashable], weights: list[float], count: int) -> None:
        times = Counter(edges)
        stands_for = self._size / len(self._members)
        meetings = sum(often * (often - 1) for often in times.values())
        predecessors = 1 + meetings * stands_for / max(1, len(edges))
        self._size = max(len(times), len(edges) * stands_for / predecessors)
        children = sorted(times)  # type: ignore[type-var]
        chosen = self._rng.sample(children, min(count, len(children)))
        self._members = [(key, 1.0) for key in chosen]


class _Backward:
    """Predecessors of states, by undoing the changes seen so far.

    Attributes:
        expanded: number of candidates expanded; mean: mean number of predecessors so far.
    """

    def __init__(self, steps: Steps, deadline: float) -> None:
        self.expanded = 0
        self._steps, self._deadline = steps, deadline
        self._sums, self._asked = 0, 0
        self._changes: dict[tuple[int, int], None] = {}
        self._after: dict[Words, frozenset[Hashable]] = {}
        self._bit_of: dict[tuple[int, int | None], int] = {}
        self._together: Counter[int] = Counter()
        self._times: Counter[int] = Counter()
        self._states = 0

    @property
    def mean(self) -> float:
        """Mean number of predecessors of the states asked for."""
        return self._sums / max(1, self._asked)

    def begin(self) -> None:
        """Begin a layer: candidates of the layer before are dropped, and values become common."""
        self._after.clear()

    def note(self, key: Hashable, results: Sequence[Hashable]) -> None:
        """Learn the changes of a state's moves, and the pairs of values of the state."""
        before = _number(key)
        for child in results:
            after = _number(child)
            changed = before ^ after
            self._changes[changed, after & changed] = None
        values, mask = self._values(key)
        self._states += 1
        for bit in values:
            self._together[bit] |= mask
            self._times[bit] += 1

    def predecessors(self, key: Hashable) -> int:
        """The number of states known to lead to a state, at least one."""
        assert isinstance(key, tuple)
        if process_time() > self._deadline:
            raise TimeoutError
        number, leading = _number(key), 0
        for changed, after in self._changes:
            if number & changed == after:
                leading += self._leads(_words(number ^ changed, len(key)), key)
        self._asked += 1
        self._sums += max(1, leading)
        return max(1, leading)

    def _leads(self, before: Words, key: Words) -> bool:
        results = self._after.get(before)
        if results is None:
            self.expanded += 1
            results = frozenset()
            if self._is_plausible(before):
                with suppress(GameRuleError):
                    results = frozenset(self._steps.after(before)[2])
            self._after[before] = results
        return key in results

    def _is_plausible(self, key: Words) -> bool:
        values, mask = self._values(key)
        times, least = self._times, EXPECTED * self._states
        for bit in values:
            if not times[bit]:
                return False
            if apart := mask & ~self._together[bit]:
                others = (other for other in values if other & apart)
                if any(times[bit] * times[other] >= least for other in others):
                    return False
        return True

    def _values(self, key: Hashable) -> tuple[list[int], int]:
        """A bit for each cell with its digit, and for the turn; and the union of the bits."""
        bit_of, state = self._bit_of, self._steps.state(key)
        values = []
        for value in enumerate((*state.cells, state.turn)):
            bit = bit_of.get(value)
            if bit is None:
                bit = bit_of[value] = 1 << len(bit_of)
            values.append(bit)
        return values, sum(values)


def _number(key: Hashable) -> int:
    """The words of a state as one number."""
    assert isinstance(key, tuple)
    number = 0
    for word in key:
        number = number << BITS | word & MASK
    return number


def _words(number: int, count: int) -> Words:
    """The words of the state of a number."""
    words = [number >> BITS * place & MASK for place in reversed(range(count))]
    return tuple(word - (word >> BITS - 1 << BITS) for word in words)
