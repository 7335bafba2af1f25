"""UCT by a kernel: a tree of simulated plays in arrays, kept from move to move.

In: a game of any number of players without secrets and simultaneous choices, with a compiled
engine. Out: `KernelUct`, which simulates plays from a state in slices, and reports for every move
the number of plays, the mean payoffs, and proved bounds of the payoffs of best play. The tree has a
fixed number of nodes. Plain Python and native code give equal trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor, log, sqrt
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.generated import Event
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, MANY, all_of, call, name
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import (
    Payoffs,
    Refusal,
    SearchLimits,
    TreeMove,
    TreeOptions,
    TreeReport,
)
from gamedsl.model import State
from gamedsl.model.facts import PayoffSum
from gamedsl.solvers.kernels import playout_kernel, playouts
from gamedsl.solvers.kernels.assembly import Kernels
from gamedsl.solvers.kernels.functions.payoffs import reward_function, turn_of
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.search import uct_kernel as kernel
from gamedsl.solvers.kernels.search.kernel_search import KernelSearch

UNITS = (3_603_600, 360_360, 2_520, 60, 12, 1)
"""Units in a payoff of 1, as many as the payoffs allow: with common divisors, so that payoffs are
exact."""
WITH_REWARDS = 2_520
"""Most units of a payoff where sums of rewards have no known bound."""
MOST_UNITS = 1 << 31
"""Limit on a payoff in units: the sum over as many simulations has 64 bits."""
DEEPEST = 1 << 10
"""Limit on the depth of the tree."""
BYTES = 500_000_000
"""Memory for a tree and its successor, unless limited. The operating system provides memory when it
is used."""
NEAR = 4
"""Greatest distance, in plies and chance events, of a root from the next root."""
IN_PYTHON = 1 << 16
"""Greatest number of nodes of a tree in Python."""
MOST_SOUGHT = 1 << 15
"""States compared with the next root."""
KERNELS = (kernel.search_tree, kernel.find_node, kernel.take_tree, kernel.write_estimates)
"""Plays that are broken off call the last."""


class KernelUct(KernelSearch):
    """The tree of one game.

    Attributes:
        learns: whether plays prefer actions that have paid.
    """

    learns = False

    def _refusal(self, engine: CompiledEngine) -> Refusal | None:
        return refusal(engine)

    def _code(self, engine: CompiledEngine) -> tuple[Kernels, Definitions]:
        self._unit, self._sides = unit_of(engine), sides_of(engine)
        definitions = _definitions(engine, self._unit, self._sides)
        definitions |= Definitions({"LEARNS": self.learns})
        return KERNELS, definitions

    def _reserve(self, limits: SearchLimits) -> None:
        self._nodes = max(2, self._room(limits, 2 * self._width, BYTES, IN_PYTHON))
        self._logs = self._assembly.row_of(_roots(lambda number: sqrt(log(number))))
        self._inverses = self._assembly.row_of(_roots(lambda number: 1 / sqrt(number)))
        self._tree: kernel.TreeArrays | None = None
        self._root: State | None = None

    @property
    def _width(self) -> int:
        """Numbers of a node."""
        return len(kernel.Node.FIELDS) + self._sides * kernel.FIGURES

    def prepare_to_keep(self, state: State) -> None:
        """Compile what `start` calls to keep a tree; may run beside a search."""
        words = self._assembly.words(state)
        small, other = (self._empty(self._play(state, 0)[0], TreeOptions(0, 0), 2) for _ in "ab")
        self._assembly.call("find_node", words, kernel.ROOT, 0, 1, words, small)
        self._assembly.call("take_tree", kernel.ROOT, small, other.nodes, other.payoffs)

    def start(self, state: State, options: TreeOptions) -> None:
        """Make a state that is not over the root."""
        node = self._node_of(state) if options.keeps else None
        self._options, self._root = options, state
        self._words = self._assembly.words(state)
        play, self._length = self._play(state, options.longest)
        before = self._tree
        self._tree = self._empty(play, options, self._nodes)
        self._tree.notes.begun = not self._is_opening(state)
        if before is not None and node is not None and before.nodes[node].count:
            tree = self._tree
            tree.notes.used = self._assembly.call(
                "take_tree", node, before, tree.nodes, tree.payoffs
            )
            tree.notes.least, tree.notes.greatest = before.notes.least, before.notes.greatest

    def _play(self, state: State, longest: int) -> tuple[playout_kernel.PlayoutArrays, int]:
        """Arrays for plays from a state of a tree, and the length of the past."""
        repeats = self._engine.model.facts.repeats
        past, length = self._assembly.past(state, (longest + DEEPEST + 1) * repeats)
        arrays = playouts.playout_arrays(self._assembly, past, records=True, learns=self.learns)
        return arrays, length

    def _empty(
        self, play: playout_kernel.PlayoutArrays, options: TreeOptions, room: int
    ) -> kernel.TreeArrays:
        """A tree of `room` nodes, with an unexplored root."""
        low, high = _bounds(self._engine, self._unit)
        notes = self._assembly.record(kernel.TreeNotes)
        notes.patience = options.patience
        notes.amaf_worth = options.amaf_worth
        notes.exploration = int(options.exploration * (1 << kernel.PART))
        notes.used, notes.least, notes.greatest = 1, high, low
        nodes, payoffs = self._trees(room)
        for side in range(self._sides):
            payoffs[side * kernel.FIGURES + kernel.LOW] = low
            payoffs[side * kernel.FIGURES + kernel.HIGH] = high
        return kernel.TreeArrays(
            nodes=nodes,
            payoffs=payoffs,
            path=self._assembly.row(DEEPEST),
            instead=self._assembly.row(DEEPEST),
            gained=self._assembly.row(self._sides),
            logs=self._logs,
            inverses=self._inverses,
            play=play,
            notes=notes,
        )

    def _node_of(self, state: State) -> int | None:
        """The node of a state a few steps from the root; None without such a node."""
        root, tree = self._root, self._tree
        if tree is None or root is None:
            return None
        if root == state:
            return kernel.ROOT
        if not self._engine.model.facts.pays_at_the_end:
            return None  # payoffs are counted from the root on
        wanted = self._assembly.words(state)
        tree.notes.sought = MOST_SOUGHT
        for steps in range(1, NEAR + 1):
            node: int = self._assembly.call(
                "find_node", self._words, kernel.ROOT, 0, steps, wanted, tree
            )
            if node >= 0:
                return node if self._leads_to(state, list(tree.path[:steps])) else None
        return None

    def _leads_to(self, state: State, path: list[int]) -> bool:
        """Whether nodes lead from the root to a state, with its history."""
        assert self._root is not None, "there is a tree"
        nodes, here, node = self.tree.nodes, self._root, kernel.ROOT
        for child in path:
            is_chance = nodes[node].mover == len(self._engine.players)
            action = child - nodes[node].first if is_chance else nodes[child].action
            here, node = self._engine.result(here, action), child
        return here == state

    def _is_opening(self, state: State) -> bool:
        """Whether a state is a chance event of `setup`."""
        if state.pending is None:
            return False
        assert isinstance(state.pending, tuple), "the place in the words of an event"
        event: Event = self._engine.generated.events[state.pending[0] - 1]
        return event.move < 0

    @property
    def tree(self) -> kernel.TreeArrays:
        """The tree."""
        assert self._tree is not None, "a search is begun by `start`"
        return self._tree

    def run(self, plays: int) -> int:
        """Simulate plays; returns the number of plays, smaller than `plays` if the value of the
        root is proved."""
        options = self._options
        done: int = self._assembly.call(
            "search_tree", self._words, options.seed, plays, options.longest, self.tree,
            self._length,
        )  # fmt: skip
        return done

    def report(self) -> TreeReport:
        """The results so far."""
        tree = self.tree
        root = tree.nodes[kernel.ROOT]
        children = range(root.first, root.first + root.count)
        low, high = self._node_bounds(kernel.ROOT)
        return TreeReport(
            moves=tuple(self._move(child) for child in children),
            payoffs=self._mean(kernel.ROOT),
            low=low,
            high=high,
            plays=tree.notes.done,
            visits=root.visits,
            depth=tree.notes.deepest,
            positions=tree.notes.used,
            line=tuple(self._line()),
        )

    def _move(self, child: int) -> TreeMove:
        node = self.tree.nodes[child]
        low, high = self._node_bounds(child)
        mean = self._mean(child)
        return TreeMove(node.action, node.visits, mean, low, high, node.closed != 0)

    def _mean(self, node: int) -> Payoffs:
        """The mean payoffs of a node, within the bounds; () for a node without visits."""
        low, high = self._node_bounds(node)
        visits = self.tree.nodes[node].visits
        if visits == 0:
            return ()
        averages = [
            Fraction(total, visits * self._unit) for total in self._figures(node, kernel.TOTAL)
        ]
        mean = (averages[0], -averages[0]) if len(low) > len(averages) else averages
        return tuple(max(a, min(m, b)) for a, m, b in zip(low, mean, high, strict=True))

    def _node_bounds(self, node: int) -> tuple[Payoffs, Payoffs]:
        """A lower and an upper bound of each player's payoff."""
        low, high = (
            [Fraction(bound, self._unit) for bound in self._figures(node, which)]
            for which in (kernel.LOW, kernel.HIGH)
        )
        if len(self._engine.players) == 2 and self._sides == 1:
            return (low[0], -high[0]), (high[0], -low[0])
        return tuple(low), tuple(high)

    def _figures(self, node: int, which: int) -> list[int]:
        begin = node * self._sides * kernel.FIGURES + which
        return [self.tree.payoffs[begin + side * kernel.FIGURES] for side in range(self._sides)]

    def _line(self) -> Iterator[int]:
        """The actions tried most often, up to a chance event or a node tried only once."""
        nodes, players = self.tree.nodes, len(self._engine.players)
        node = kernel.ROOT
        while nodes[node].count and nodes[node].mover < players:
            first = nodes[node].first
            node = max(range(first, first + nodes[node].count), key=lambda n: nodes[n].visits)
            if nodes[node].visits < 2:
                return
            yield nodes[node].action

    def _trees(self, room: int) -> tuple[Rows[kernel.Node], Any]:
        sizes = len(kernel.Node.FIELDS) * room, self._sides * kernel.FIGURES * room
        nodes, payoffs = map(self._assembly.zeros, sizes)
        return Rows(kernel.Node, nodes), payoffs


class LearningUct(KernelUct):
    """The tree of one game whose payoffs come at the end, with plays that prefer actions that have
    paid."""

    learns = True

    def _refusal(self, engine: CompiledEngine) -> Refusal | None:
        if not engine.model.facts.pays_at_the_end:
            return Refusal("plays learn where payoffs come at the end")
        return refusal(engine)


def refusal(engine: CompiledEngine) -> Refusal | None:
    """Why the rules alone exclude the search; None if the rules do not."""
    facts = engine.model.facts
    if facts.has_secrets or facts.is_simultaneous:
        return Refusal("trees are for games without secrets and choices at once")
    if max(map(abs, facts.utility_bounds)) > MOST_UNITS:
        return Refusal("payoffs are too large")
    return None


def unit_of(engine: CompiledEngine) -> int:
    """Units in a payoff of 1."""
    facts = engine.model.facts
    most = max(map(abs, facts.utility_bounds))
    units = UNITS if facts.pays_at_the_end else UNITS[UNITS.index(WITH_REWARDS) :]
    return next(unit for unit in units if most * unit <= MOST_UNITS)


def sides_of(engine: CompiledEngine) -> int:
    """Players whose payoffs are kept."""
    players, total = len(engine.players), engine.model.facts.payoff_sum
    return 1 if players == 2 and total is PayoffSum.ZERO else players


def _bounds(engine: CompiledEngine, unit: int) -> tuple[int, int]:
    """Bounds of all payoffs, in units; with rewards the bounds to which payments are cut."""
    if not engine.model.facts.pays_at_the_end:
        return -kernel.MOST_PAID, kernel.MOST_PAID
    low, high = engine.model.facts.utility_bounds
    return floor(low * unit), ceil(high * unit)


def _roots(function: Callable[[float], float]) -> list[int]:
    """The table of a function of positive numbers, see `uct_kernel.place_of`."""
    half = 1 << kernel.EXACT - 1
    exact = [function(max(1, number)) for number in range(2 * half)]
    rest = [
        function((number + 0.5) * 2.0**shift)
        for shift in range(1, 63 - kernel.EXACT)
        for number in range(half, 2 * half)
    ]
    return [int(value * (1 << kernel.PART)) for value in (*exact, *rest)]


def _definitions(engine: CompiledEngine, unit: int, sides: int) -> Definitions:
    """The constants of `abi` for trees, with foresight."""
    low, high = _bounds(engine, unit)
    facts = engine.model.facts
    cut = facts.endless or (sum(facts.utility_bounds, Fraction(0)) / 2,) * len(engine.players)
    constants = Definitions(
        {
            "SIDES": sides,
            "UNIT": unit,
            "LOWEST": low,
            "HIGHEST": high,
            "ESTIMATES": facts.has_evaluate and facts.pays_at_the_end,
            "ENDLESS": tuple(floor(payoff * unit) for payoff in cut[:sides]),
            "PAYS": not facts.pays_at_the_end,
            "RECORDS": True,
            "LASTING": facts.discount.numerator,
            "WHOLE": facts.discount.denominator,
        },
        (reward_function(engine),),
    )
    return (
        constants
        | Definitions(functions=(_same_words(engine), *estimates(engine, sides)))
        | playouts.foresight_definitions(engine, foresees=facts.pays_at_the_end)
    )


def _same_words(engine: CompiledEngine) -> Function:
    """`same_words(*state, *other)`."""
    words, others = game_words(engine), game_words(engine, "v")
    f = FunctionBuilder("same_words", *words, *others)
    f.give(all_of(word.eq(other) for word, other in zip(words, others, strict=True)))
    return f.function


def estimates(engine: CompiledEngine, sides: int) -> Iterator[Function]:
    """`estimate(side, *state)`, for a game with `evaluate`."""
    if not engine.model.facts.has_evaluate:
        return
    words, wanted = game_words(engine), name("side", INT)
    f = FunctionBuilder("estimate", wanted, *words)
    for side, player in product(range(sides), range(len(engine.players))):
        with f.when(all_of([wanted.eq(side), turn_of(words).eq(player)])):
            f.give(call(f"evaluate_{side}_{player}", words, MANY))
    f.give(1, 0)
    yield f.function
