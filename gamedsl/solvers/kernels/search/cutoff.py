"""Alpha-beta with `evaluate` by a kernel: deeper and deeper, in slices.

In: a game of two players with opposed interests, without chance, whose file has `evaluate`, with a
compiled engine. Out: `KernelCutoff`, which searches a position to depth 1, 2, 3, ... and reports
the decision of the deepest search, with values in payoffs of the first player. Plain Python and
native code give equal decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import BOOL, TRUE, call
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import DepthMove, DepthReport, Refusal, SearchLimits
from gamedsl.model import State
from gamedsl.solvers.kernels import playouts
from gamedsl.solvers.kernels.assembly import Kernels
from gamedsl.solvers.kernels.functions.payoffs import turn_of
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.search import cutoff_kernel as kernel
from gamedsl.solvers.kernels.search import uct
from gamedsl.solvers.kernels.search.kernel_search import KernelSearch
from gamedsl.solvers.kernels.table_layout import entry_layout

KERNELS = (
    kernel.begin_depth,
    kernel.search_on,
    kernel.list_root,
    kernel.best_known,
    kernel.fade,
)
ALL_PARTS = 2 * kernel.USES_QUIESCENCE - 1
DEEPEST = 100
"""Positions on the stack, at most."""
MOST_MOVES = 1 << 14
"""Actions waiting for each position on the stack, at most, on average."""
BYTES = 200_000_000
"""Memory for the table, unless limited. The operating system provides memory when it is used."""
ENTRIES = 1 << 20
"""Greatest number of entries of the table."""
IN_PYTHON = 1 << 12
"""Greatest number of entries in Python."""


class KernelCutoff(KernelSearch):
    """The search in one game.

    Attributes:
        uses: the parts of the search in use, `USES_WINDOWS` and so on, from the next `start` on.
    """

    def _refusal(self, engine: CompiledEngine) -> Refusal | None:
        return refusal(engine)

    def _code(self, engine: CompiledEngine) -> tuple[Kernels, Definitions]:
        self._unit = uct.unit_of(engine)
        self._layout = entry_layout(engine, is_tight=False)
        definitions = self._layout.definitions | _definitions(engine, self._unit)
        return KERNELS, definitions

    def _reserve(self, limits: SearchLimits) -> None:
        engine, native, layout = self._engine, self._native, self._layout
        entry = layout.width + len(kernel.Known.FIELDS)
        room = max(kernel.SLOTS, min(ENTRIES, self._room(limits, entry, BYTES, IN_PYTHON)))
        actions = engine.model.facts.action_count
        self._notes = self._assembly.record(kernel.CutoffNotes)
        self.uses = ALL_PARTS
        moves = (DEEPEST if native else 20) * min(actions, MOST_MOVES) + actions + 1
        self._arrays = kernel.CutoffArrays(
            stack=self._assembly.rows(kernel.Frame, DEEPEST),
            keys=self._assembly.row((DEEPEST + 1) * layout.width),
            moves=self._assembly.zeros(moves),
            scores=self._assembly.zeros(moves),
            worths=self._assembly.row(3 * (actions + 1)),
            table=self._assembly.zeros(room * layout.width),
            known=Rows(kernel.Known, self._assembly.zeros(room * len(kernel.Known.FIELDS))),
            history=self._assembly.row(1 << kernel.HISTORY_BITS),
            past=self._assembly.row(0),
        )
        self._nodes = 0
        self._report: DepthReport | None = None

    def start(self, state: State) -> None:
        """Make a state that is not over, with a player to move, the root."""
        repeats = self._engine.model.facts.repeats
        self._root, self._words = state, self._assembly.words(state)
        self._arrays.past, self._length = self._assembly.past(state, (DEEPEST + 2) * repeats)
        notes = self._notes
        notes.uses = self.uses
        notes.search += 1
        notes.nodes = notes.leaves = notes.deepest = self._depth = 0
        self._assembly.call("fade", self._arrays.history)
        count = self._assembly.call("list_root", self._words, self._length, self._arrays)
        self._actions = [int(action) for action in self._arrays.moves[:count]]
        self._report = None
        self._begin()

    def _begin(self) -> None:
        """Begin the next depth."""
        self._depth += 1
        for place, action in enumerate(self._actions):
            self._arrays.moves[place] = action
        self._assembly.call(
            "begin_depth", self._words, self._depth, self._length, len(self._actions),
            self._arrays, self._notes,
        )  # fmt: skip

    def run(self, nodes: int) -> int:
        """Look at about so many positions more; returns their number, smaller than `nodes` where
        more would not change the decision."""
        before = self._notes.nodes
        while not self._is_over() and self._notes.nodes < before + nodes:
            left = before + nodes - self._notes.nodes
            if self._assembly.call("search_on", left, self._arrays, self._notes):
                self._report = self._reported()
                self._actions = [move.action for move in self._report.moves]
                if not self._is_over():
                    self._begin()
        return int(self._notes.nodes - before)

    def _is_over(self) -> bool:
        report = self._report
        return report is not None and (report.is_final or report.depth == DEEPEST)

    def report(self) -> DepthReport | None:
        """The decision so far; None before the first move is known at depth 1.

        A search that has looked at some moves of a further depth already tells the best of them:
        the first was the best of the depth before.
        """
        report, notes = self._report, self._notes
        if notes.top < 0 or not self._arrays.stack[0].next or (report and report.is_final):
            return report
        return self._reported(report)

    def _reported(self, before: DepthReport | None = None) -> DepthReport:
        """The report of the present depth; moves not looked at are told as `before`."""
        frame, notes = self._arrays.stack[0], self._notes
        known = self._report
        low, high = self._engine.model.facts.utility_bounds
        best, worst = (high, low) if frame.sign > 0 else (low, high)
        value = Fraction(frame.sign * frame.best, self._unit)
        action = frame.action
        if value == worst and known is not None:
            action = known.moves[0].action  # the move that resists longest
        moves = [self._move(place) for place in range(frame.next)]
        if before is not None:
            seen = {move.action for move in moves}
            moves += [move for move in before.moves if move.action not in seen]
        moves.sort(key=lambda move: move.action != action)
        is_whole = frame.next == len(self._actions)
        return DepthReport(
            moves=tuple(moves),
            value=value,
            nodes=notes.nodes,
            leaves=notes.leaves,
            depth=self._depth if is_whole else self._depth - 1,
            deepest=notes.deepest,
            line=tuple(self._line(action)),
            is_final=value == best or (is_whole and (value == worst or not frame.is_guess)),
        )

    def _move(self, place: int) -> DepthMove:
        value, is_bound, nodes = self._arrays.worths[3 * place : 3 * place + 3]
        action = int(self._arrays.moves[place])
        return DepthMove(action, Fraction(value, self._unit), bool(is_bound), nodes)

    def _line(self, action: int) -> Iterator[int]:
        """The best actions by the table, from an action of the root on."""
        state, engine = self._root, self._engine
        for _ in range(self._depth):
            yield action
            state = engine.result(state, action)
            if engine.is_terminal(state):
                return
            words = self._assembly.words(state)
            action = self._assembly.call("best_known", words, self._arrays, self._notes)
            if action not in engine.legal_actions(state):
                return


def refusal(engine: CompiledEngine) -> Refusal | None:
    """Why the rules alone exclude the search; None if the rules do not."""
    facts = engine.model.facts
    if not facts.has_evaluate:
        return Refusal("the file has no `evaluate`")
    if facts.has_chance or len(engine.players) != 2 or uct.sides_of(engine) != 1:
        return Refusal("alpha-beta is for two players with opposed interests, without chance")
    if not facts.pays_at_the_end:
        return Refusal("`evaluate` knows no rewards on the way")
    return uct.refusal(engine)


def _definitions(engine: CompiledEngine, unit: int) -> Definitions:
    low, high = engine.model.facts.utility_bounds
    evaluation = engine.model.evaluation
    constants = {
        "UNIT": unit,
        "LOWEST": floor(low * unit),
        "HIGHEST": ceil(high * unit),
        "QUIESCES": evaluation is not None and evaluation.quiescent is not None,
    }
    functions = (*uct.estimates(engine, 1), *_quiet(engine))
    return Definitions(constants, functions) | playouts.foresight_definitions(engine)


def _quiet(engine: CompiledEngine) -> Iterator[Function]:
    """`is_quiet(*state)`, from the first player's side, for a game with a condition."""
    evaluation = engine.model.evaluation
    if evaluation is None or evaluation.quiescent is None:
        return
    words = game_words(engine)
    f = FunctionBuilder("is_quiet", *words)
    for player in range(2):
        with f.when(turn_of(words).eq(player)):
            f.give(call(f"quiescent_0_{player}", words, BOOL))
    f.give(TRUE)
    yield f.function
