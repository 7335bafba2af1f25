"""Proof-number search by a kernel: forced wins of either player, even if play can return.

In: a game of two players with opposed interests, without chance, with a compiled engine. Out:
`KernelProofNumber`, a `ValueSearch` that finds the value if one player can force the player's best
payoff, and finds no other value: it searches for both wins alternately, for increasing times.
Repetition rules are ignored: on the path of a proof no position occurs twice, but earlier history
may count, and a rule may watch a part of the position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import Payoffs, Progress, Refusal
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.contents import put_key
from gamedsl.solvers.kernels.functions.payoffs import payoff_definitions
from gamedsl.solvers.kernels.memory import NUMBER, zeros
from gamedsl.solvers.kernels.search import bounds_kernel, growth
from gamedsl.solvers.kernels.search import proof_number_kernel as kernel
from gamedsl.solvers.kernels.table_layout import EntryLayout, entry_layout
from gamedsl.solvers.memory import bytes_for_tables, usable_bytes

SLOTS = 4
"""Entries of a bucket."""
FIRST_BUCKETS = 1 << 10
FIRST_FRAMES = 64
SLICE, SHORT_SLICE = 1 << 12, 1 << 8
"""States visited between two returns to Python: at most, and for games with many actions."""
ACTIONS_OF_SLICE = 1 << 20
"""Maximal number of actions tried in a slice: a thousand states with twenty thousand actions each
take a second."""
FIRST_TURN = 1 << 14
"""States visited for one win before the other win's turn; each later turn takes twice as many."""
ENTRIES = (kernel.prove, bounds_kernel.enlarge)


class KernelProofNumber:
    """Forced wins in positions of one game.

    Raises UnsupportedGameError if the rules exclude the search.

    Attributes:
        max_positions: the maximal number of visited states for all questions; None: no limit.
    """

    def __init__(
        self,
        engine: CompiledEngine,
        *,
        native: bool = True,
        max_bytes: int | None = None,
        max_positions: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        if (reason := refusal(engine)) is not None:
            raise UnsupportedGameError(str(reason), "let another solver choose itself")
        self.max_positions = max_positions
        self._progress = progress
        low, high = engine.model.facts.utility_bounds
        self._sides = engine.model.facts.sides
        self._payoffs = tuple(
            tuple(low if side != winner else high for side in self._sides) for winner in range(2)
        )
        layout = replace(entry_layout(engine, is_tight=False), class_bits=kernel.NUMBER_BITS)
        assembly = _assembled(engine, layout, native=native)
        most = usable_bytes() if max_bytes is None else max_bytes
        most = bytes_for_tables(most, native=native) // 2
        self._questions = tuple(Question(assembly, layout, side, high, most) for side in range(2))
        self._known: dict[State, int] = {}

    @property
    def looked_at(self) -> int:
        """States visited so far for all questions."""
        return sum(question.looked_at for question in self._questions)

    def value(self, state: State) -> Payoffs:
        """The payoffs of best play from a position that is not terminal, if a player can force a
        win.

        Raises:
            UnsupportedGameError: no player can force a win, as far as the search can tell.
            OutOfBudgetError, OutOfMemoryError, and exceptions of `progress`.
            GameRuleError: the rules fail in a position.
        """
        most, waiting = FIRST_TURN, [0, 1]
        while state not in self._known and waiting:
            for player in tuple(waiting):
                is_won = self._answer(player, state, most)
                if is_won:
                    break
                if is_won is not None:
                    waiting.remove(player)
            most *= 2
        if state not in self._known:
            raise UnsupportedGameError("nobody can force a win", "leave out --goal")
        return self._payoffs[self._known[state]]

    def gives(self, state: State, player: int, payoffs: Payoffs) -> bool:
        """Whether a player surely gets at least a payoff found by `value`; raises like `value`."""
        side = self._sides[player]
        if payoffs == self._payoffs[1 - side]:
            return True
        most, is_won = FIRST_TURN, None
        while is_won is None:
            is_won = self._answer(side, state, most)
            most *= 2
        return is_won

    def bounds(self, state: State) -> tuple[Payoffs | None, Payoffs | None]:
        """The proved bounds of a position's value: both equal, or both None."""
        payoffs = self._payoffs[self._known[state]] if state in self._known else None
        return payoffs, payoffs

    def plies(self, state: State) -> int:
        """Upper bound of the plies to the proved win of a position."""
        return self._questions[self._known[state]].plies[state]

    def _answer(self, player: int, state: State, most: int) -> bool | None:
        if self.max_positions is not None:
            most = min(most, 1 + max(0, self.max_positions - self.looked_at))
        is_won = self._questions[player].answer(state, most, self._keep_to_limits)
        if is_won:
            self._known[state] = player
        return is_won

    def _keep_to_limits(self) -> None:
        if self.max_positions is not None and self.looked_at > self.max_positions:
            raise OutOfBudgetError(self.max_positions, self.looked_at, 0)
        if self._progress is not None:
            self._progress(self.looked_at, 0)


def refusal(engine: CompiledEngine) -> Refusal | None:
    """Why the rules alone exclude the search; None if the rules do not."""
    facts = engine.model.facts
    if not facts.is_opposed:
        return Refusal("proof-number search is for two players or sides with opposed interests")
    if facts.has_secrets or facts.is_simultaneous or facts.has_chance:
        return Refusal(
            "proof-number search is for games without chance, secrets and choices at once"
        )
    if not facts.pays_at_the_end:
        return Refusal("proof-number search looks at how play ends, not at what is paid on the way")
    if engine.generated.stuck_by_history:
        return Refusal("forbidden repetitions may leave no move, and the search keeps no history")
    low, high = facts.utility_bounds
    return None if low < high else Refusal("every play pays the same")


def _assembled(engine: CompiledEngine, layout: EntryLayout, *, native: bool) -> Assembly:
    return Assembly(
        engine,
        ENTRIES,
        Definitions(
            {
                "SLOTS": SLOTS,
                "STRIDE": SLOTS * layout.width,
                "RECORD": layout.width + kernel.BESIDE,
            }
        )
        | layout.definitions
        | payoff_definitions(engine),
        native=native,
        in_slices=True,
    )


class Question:
    """Whether a player can force a payoff, asked of successive positions: the arrays of the kernel.

    Attributes:
        plies: upper bounds of the plies, for positions with the answer yes.
    """

    def __init__(
        self,
        assembly: Assembly,
        layout: EntryLayout,
        player: int,
        wanted: Fraction,
        most_bytes: int,
    ) -> None:
        self._assembly, self._layout, self._most_bytes = assembly, layout, most_bytes
        self._width = layout.width
        count = assembly.engine.model.facts.action_count
        self._slice = max(SHORT_SLICE, min(SLICE, ACTIONS_OF_SLICE // max(1, count)))
        room = count + 1
        self._actions = assembly.row(room)
        self._table = self._zeros(FIRST_BUCKETS * SLOTS * layout.width)
        self._stack = assembly.rows(kernel.ProofFrame, FIRST_FRAMES)
        self._keys = assembly.row((room + FIRST_FRAMES) * (layout.width + kernel.BESIDE))
        self._path = assembly.row(kernel.PATH)
        self._notes = assembly.record(kernel.ProofNotes)
        self._notes.prover = player
        self._notes.wanted_share, self._notes.wanted_per = wanted.as_integer_ratio()
        self._open: State | None = None
        self._answers: dict[State, bool] = {}
        self.plies: dict[State, int] = {}

    @property
    def looked_at(self) -> int:
        """States visited so far."""
        return self._notes.looked_at

    def answer(self, state: State, most: int, tick: Callable[[], None]) -> bool | None:
        """Whether the player can force the payoff; None: undecided after `most` more states, ask
        again.

        False means: not as far as known; play that returns is taken to fail. `tick` is called from
        time to time.
        """
        if state in self._answers:
            return self._answers[state]
        if state != self._open:
            put_key(
                self._layout, self._assembly.engine.words_of(state), self._keys,
                is_signed=self._assembly.native,
            )  # fmt: skip
            self._notes.top = kernel.FRESH
            self._path = self._assembly.row(kernel.PATH)
            self._open = state
        end = self.looked_at + most
        while (status := self._go_on(min(self._slice, end - self.looked_at))) != kernel.DONE:
            if status == kernel.HIGH:
                self._raise_stack()
            else:
                self._see_to_table()
            tick()
            if self.looked_at >= end:
                return None
        tick()
        self._open = None
        self._answers[state] = self._keys[self._width + kernel.PROOF] == 0
        if self._answers[state]:
            self.plies[state] = self._keys[self._width + kernel.PLIES]
        return self._answers[state]

    def _go_on(self, slice_size: int) -> int:
        arrays = kernel.ProofArrays(
            table=self._table,
            stack=self._stack,
            keys=self._keys,
            actions=self._actions,
            path=self._path,
        )
        return self._call("prove", arrays, self._notes, slice_size)

    def _raise_stack(self) -> None:
        held = len(self._stack.row) + len(self._keys)
        if 2 * held * NUMBER > self._most_bytes:
            raise OutOfMemoryError(self.looked_at, held * NUMBER)
        self._stack = Rows(kernel.ProofFrame, self._assembly.doubled(self._stack.row))
        self._keys = self._assembly.doubled(self._keys)

    def _see_to_table(self) -> None:
        """Enlarge the table if it is half full, and memory allows."""
        if 2 * self._notes.used * self._width >= len(self._table):
            stride = SLOTS * self._width
            count = growth.next_size(self._table, stride, self._most_bytes)
            if count is not None:
                self._table = growth.moved(
                    self._table, self._zeros(count), stride, self._notes, self._call
                )

    def _call(self, name: str, *arguments: Any) -> int:
        with self._assembly.explaining():
            result: int = self._assembly.kernel(name)(*arguments)
        return result

    def _zeros(self, count: int) -> Any:
        try:
            return zeros(count) if self._assembly.native else [0] * count
        except OSError as refusal:
            raise OutOfMemoryError(0, count * NUMBER) from refusal
