"""Breadth-first search by layers, by a kernel: shortest solutions of puzzles of millions of states.

In: a game of one player without chance, with a compiled engine, and a state. Out: `ShortestPlay`:
a shortest play to an ending with the greatest payoff, by the conventions of `solvers.exact.puzzle`.
`any_play` gives any play that pays every player the most, also for several players and choices at
once, by guesses and by depth-first search, which begins anew with other orders of successors
(Gomes, Selman and Kautz, "Boosting combinatorial search through randomization", 1998).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import ClassVar

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import all_of
from gamedsl.game.accelerator import (
    NO_LIMITS,
    Progress,
    Refusal,
    SearchLimits,
    ShortestPlay,
)
from gamedsl.game.contract import Action, JointAction
from gamedsl.model import GameRuleError, State, UnsupportedGameError
from gamedsl.model.nodes import Variable
from gamedsl.model.rewriting.goals import with_distance
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.state import SIMULTANEOUS
from gamedsl.solvers.graphs.graph import OutOfBudgetError
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.assembly import Kernels
from gamedsl.solvers.kernels.functions.payoffs import share_titles
from gamedsl.solvers.kernels.functions.standard import game_words, row_size
from gamedsl.solvers.kernels.numbering import ROOM, NumberingRun
from gamedsl.solvers.kernels.puzzles import layers_kernel as kernel
from gamedsl.solvers.kernels.puzzles.patterns import contents_of
from gamedsl.solvers.kernels.search import uct
from gamedsl.solvers.kernels.table_layout import EntryLayout
from gamedsl.solvers.kernels.table_solver import TableRun, TableSolver
from gamedsl.solvers.kernels.transposition_table import TranspositionTable
from gamedsl.solvers.methods import SolverName

DEEP = (20_000, 150_000, 1_000_000, 6_000_000)
"""Positions of each attempt of depth-first search."""
GUESSED = 2
"""Attempts that follow guesses, too."""
MOST_TOGETHER = 1 << 12
"""Joint actions of a state that are looked at."""
ELSEWHERE, GOAL = (1, 0, 0), (1, 1, 0)
"""Rows of payoffs: an ending, and an ending that pays every player the most."""
FILLED = 64
"""How much longer a step takes where cells are to be filled."""


class LayersRun(NumberingRun[ShortestPlay]):
    """The search of one puzzle; `_kinds` are the parents, `_counts` the first actions."""

    extra_width = 2

    def __init__(self, table: TranspositionTable) -> None:
        self._words = 1
        super().__init__(table)
        self._layers = [1]
        self._wanted = table.row([])

    def solve(self, state: State, progress: Progress | None) -> ShortestPlay:
        """A shortest play; no play if no ending has the best payoff."""
        table = self._table
        choices = len(table.assembly.engine.legal_actions(state))
        self._words = 1 + choices // kernel.BITS
        self.extra_width = 1 + self._words
        self._counts = table.zeros(self._sizes()[2])
        self.number_states(state, progress)
        self._end_layer()
        layers = tuple(layer for layer in self._layers if layer)
        goal, name = table.notes.goal - 1, SolverName.NATIVE_SHORTEST_SOLUTION
        if goal < 0:
            return ShortestPlay(None, (), table.used, table.notes.endings, layers, name)
        line = self._line_to(goal, state)
        return ShortestPlay(
            line, self._first_actions(choices), table.used, table.notes.endings, layers, name
        )

    def explore(self) -> int:
        """Like `NumberingRun.explore`."""
        table = self._table
        return table.call(
            "search", self._arrays(), table.most, self._words, table.notes,
            transposition_table.SLICE,
        )  # fmt: skip

    def _arrays(self) -> kernel.LayerArrays:
        return kernel.LayerArrays(
            **self._table.arrays(self._keys),
            parents=self._kinds,
            firsts=self._counts,
            wanted=self._wanted,
        )

    def add_payoff(self) -> None:
        """Like `NumberingRun.add_payoff`."""
        super().add_payoff()
        best = self._table.assembly.engine.model.facts.utility_bounds[1]
        self._wanted = self._table.row([int(payoff[0] == best) for payoff in self._table.payoffs])

    def see_to(self, status: int) -> None:
        """Like `NumberingRun.see_to`: count a complete layer."""
        super().see_to(status)
        if status == kernel.LAYER:
            self._end_layer()

    def _end_layer(self) -> None:
        self._layers.append(self._table.used - sum(self._layers))

    def _sizes(self) -> tuple[int, int, int]:
        keys, parents, states = super()._sizes()
        return keys, parents, self._words * states

    def _line_to(self, goal: int, state: State) -> tuple[Action | JointAction, ...]:
        """The actions of the play by which a state was found first."""
        table, engine = self._table, self._table.assembly.engine
        layout, width = table.layout, table.layout.width
        path = []
        node = goal
        while node:
            path.append(layout.words(self._keys[node * width : (node + 1) * width]))
            node = self._kinds[node] >> 2
        line = []
        for words in reversed(path):
            action, state = _step(engine, state, words)
            line.append(action)
        return tuple(line)

    def _first_actions(self, choices: int) -> tuple[int, ...]:
        """Indices, among the legal actions, of the first actions of all shortest solutions."""
        table = self._table
        bits = table.row([0] * self._words)
        first = table.used - self._layers[-1]
        table.call("gather_firsts", self._kinds, self._counts, self._words, first, table.used, bits)
        return tuple(
            place
            for place in range(choices)
            if bits[place // kernel.BITS] >> place % kernel.BITS & 1
        )


class DeepRun(LayersRun):
    """Depth-first search; `_counts` are the stacks."""

    def __init__(self, table: TranspositionTable, cells: int) -> None:
        super().__init__(table)
        sizes = dict.fromkeys(kernel.Guess.FIELDS, max(1, cells)) | {"tops": kernel.RANKS}
        rows = {title: table.row([0] * size) for title, size in sizes.items()}
        self._guess = kernel.Guess(**rows)
        table.paid, self._wanted = table.row([*ELSEWHERE, *GOAL]), table.row([0, 1])
        table.notes.payoffs = 2

    def solve(self, state: State, progress: Progress | None) -> ShortestPlay:
        """A play to an ending with the greatest payoff; no play if none was met."""
        table = self._table
        self.number_states(state, progress)
        goal = table.notes.goal - 1
        line = None if goal < 0 else self._line_to(goal, state)
        name = SolverName.NATIVE_DEPTH_FIRST
        return ShortestPlay(line, (), table.used, table.notes.endings, (), name)

    def explore(self) -> int:
        """Like `NumberingRun.explore`."""
        table = self._table
        size = transposition_table.SLICE
        if table.notes.fills:
            size = 1 + size // FILLED
        try:
            status: int = table.call(
                "search_deep", self._arrays(), self._guess, table.most, table.notes, size
            )
        except GameRuleError:  # the line ends here, not the search
            if table.notes.node < 0:
                raise
            self._kinds[table.notes.node] |= kernel.ENDING
            return codes.SLICED
        return status

    def waiting(self) -> int:
        """Like `TableRun.waiting`."""
        return 0


def _step(
    engine: CompiledEngine, state: State, words: tuple[int, ...]
) -> tuple[Action | JointAction, State]:
    """The first action, or joint action, that leads from a state to the state with these words."""
    actions: Iterable[Action | JointAction]
    if engine.current_player(state) == SIMULTANEOUS:
        actions = product(*(engine.legal_actions(state, player) for player in engine.players))
    else:
        actions = engine.legal_actions(state)
    for action in actions:
        after = engine.result(state, action)
        if engine.words_of(after) == words:
            return action, after
    raise AssertionError("each state was found from its parent")


class KernelLayers(TableSolver[ShortestPlay]):
    """Breadth-first search of one puzzle."""

    kernels: ClassVar[Kernels] = (kernel.search, kernel.gather_firsts, codes.rehash)
    notes = kernel.LayerNotes
    least_room = ROOM
    run: type[TableRun[ShortestPlay]] = LayersRun

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Why the rules alone exclude the search; None if the rules do not."""
        if len(engine.players) > 1:
            return Refusal("a shortest solution exists for one player only")
        return super().refusal(engine)


class KernelDepthFirst(KernelLayers):
    """Depth-first search for one play that pays every player the most.

    Attributes:
        random: decides the order of successors; -1: the order of the actions.
        fills: whether cells are to be filled, which leaves successors out.
        by_distance: whether `evaluate` is a distance, and the states nearest to a goal go first.
    """

    kernels = (kernel.search_deep, codes.rehash)
    random, fills, by_distance = -1, False, False

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Like `KernelLayers.refusal`."""
        if not engine.model.facts.pays_at_the_end:
            return Refusal("the payoff of a play does not follow from its end")
        return transposition_table.refusal(engine, any_values=True, with_stages=True)

    @property
    def joint_actions(self) -> int:
        """Like `TableSolver.joint_actions`."""
        facts = self._engine.model.facts
        if not facts.is_simultaneous:
            return 0
        most: int = min(facts.action_count ** len(facts.players), MOST_TOGETHER)
        return max(most, row_size(self._engine))

    def definitions(self, layout: EntryLayout) -> Definitions:
        """Like `TableSolver.definitions`."""
        engine = self._engine
        distance = uct.estimates(engine, 1) if self.by_distance else ()
        estimates = Definitions(
            {"ESTIMATES": self.by_distance, "SHARES": len(GOAL)},
            (_goal_function(engine), *distance),
        )
        return contents_of(engine, self._variables) | estimates

    @cached_property
    def _variables(self) -> tuple[Variable, ...]:
        """The variables whose cells are looked at: none where a state is wider than its words."""
        engine = self._engine
        return () if engine.generated.layout.is_wide else engine.model.variables

    def begin(self, table: TranspositionTable) -> DeepRun:
        """Like `TableSolver.begin`, with the order of successors of an attempt."""
        table.notes.random, table.notes.fills = self.random, self.fills
        return DeepRun(table, sum(variable.size for variable in self._variables))


def _goal_function(engine: CompiledEngine) -> Function:
    """`payoffs_after(*state)`: `GOAL` for an ending that pays every player the most, `ELSEWHERE`
    for other endings, zeros for a state that is not over."""
    words = game_words(engine)
    f = FunctionBuilder("payoffs_after", *words)
    per, *shares = f.results(share_titles(engine), "end_after", *words)
    with f.when(per.eq(0)):
        f.give(0, 0, 0)
    best = zip(shares, engine.model.facts.best_payoffs, strict=True)
    are_best = ((share * most.denominator).eq(per * most.numerator) for share, most in best)
    with f.when(all_of(are_best)):
        f.give(*GOAL)
    f.give(*ELSEWHERE)
    return f.function


def any_play(
    engine: CompiledEngine, state: State, limits: SearchLimits = NO_LIMITS, *, native: bool = True
) -> ShortestPlay:
    """Any play to an ending that pays every player the most, by attempts with more and more
    positions: by guesses as in `solvers.exact.guided`, and by depth-first search without a guess.
    No play if there is none, or too many joint actions. Raises like `TableSolver.solve`."""
    all_ = limits.positions
    attempts = [most for most in DEEP if all_ is None or most < all_]
    attempts += [] if all_ is None else [all_]
    plain = KernelDepthFirst(engine, native=native)
    nearest: KernelDepthFirst | None = None
    for number, most in enumerate(attempts):
        within = replace(limits, positions=most)
        plain.random = number - 1
        if number < GUESSED:
            play = _guessed(plain, state, within, fills=True)
            if play is not None:
                return play
        try:
            return plain.solve(state, within)
        except OutOfBudgetError as error:
            limit = error
        if number == 0:
            nearest = _nearest(engine, native)
        if number < GUESSED and nearest is not None:
            nearest.random = number
            play = _guessed(nearest, state, within)
            if play is not None:
                return play
    raise limit


def _guessed(
    search: KernelDepthFirst, state: State, limits: SearchLimits, *, fills: bool = False
) -> ShortestPlay | None:
    """A play met by a guess; None if the guess leads to none, or the rules fail on the way."""
    search.fills = fills
    try:
        play = search.solve(state, limits)
    except (OutOfBudgetError, GameRuleError):
        return None
    finally:
        search.fills = False
    return None if play.line is None else play


def _nearest(engine: CompiledEngine, native: bool) -> KernelDepthFirst | None:
    """Best-first search by the distance to the best payoffs; None if no distance is known."""
    model = with_distance(engine.model)
    if isinstance(model, Unknown):
        return None
    with suppress(CannotCompileError, UnsupportedGameError):
        search = KernelDepthFirst(CompiledEngine(model), native=native)
        search.by_distance = True
        return search
    return None
