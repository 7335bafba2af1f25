"""Proof-number search by a kernel: forced wins of either player, even if play can return.

In: a game of two players with opposed interests, without chance, with a compiled engine. Out:
`KernelProofNumber`, a `ValueSearch` that finds the value if one player can force the player's best
payoff, and finds no other value: it searches for both wins alternately, for increasing times. Where
every ending pays one player the best payoff, a refuted win of the first player is a win of the
second: then the first player's win alone is searched for.
Repetition rules are ignored: on the path of a proof no position occurs twice, but earlier history
may count, and a rule may watch a part of the position.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from gamedsl.compiler.definitions import Constant, Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import NO_LIMITS, Payoffs, Refusal, SearchLimits
from gamedsl.model import Model, State, UnsupportedGameError, nodes
from gamedsl.model.statement_facts import amount_of, shares_of, wins_of
from gamedsl.model.walk import statements
from gamedsl.solvers.kernels.search import bounds_kernel
from gamedsl.solvers.kernels.search import proof_number_kernel as kernel
from gamedsl.solvers.kernels.search.growth import BoundsRun
from gamedsl.solvers.kernels.search.position_search import KernelPositionSearch
from gamedsl.solvers.kernels.symmetry.permutations import least_image, permutations
from gamedsl.solvers.kernels.table_layout import entry_layout
from gamedsl.solvers.kernels.transposition_table import TranspositionTable

SLOTS = 4
"""Entries of a bucket."""
FIRST_BUCKETS = 1 << 10
SLICE = 1 << 12
"""Maximal number of states visited between two returns to Python."""
FIRST_TURN = 1 << 14
"""States visited for one win before the other win's turn; each later turn takes twice as many."""
ALL_PARTS = kernel.USES_HISTORY | kernel.USES_REFUTATIONS
ENTRIES = (kernel.prove, bounds_kernel.enlarge)


class KernelProofNumber(KernelPositionSearch):
    """Forced wins in positions of one game."""

    def __init__(
        self,
        engine: CompiledEngine,
        *,
        native: bool = True,
        limits: SearchLimits = NO_LIMITS,
        uses: int = ALL_PARTS,
    ) -> None:
        """`uses`: the parts in use; see `ProofNotes`."""
        super().__init__(engine, refusal(engine), native=native, limits=limits)
        low, high = engine.model.facts.utility_bounds
        self._sides = engine.model.facts.sides
        self._payoffs = tuple(
            tuple(low if side != winner else high for side in self._sides) for winner in range(2)
        )
        layout = replace(entry_layout(engine, is_tight=False), class_bits=kernel.NUMBER_BITS)
        images = permutations(engine) if limits.uses_symmetry else ()
        sizes: dict[str, Constant] = {
            "SLOTS": SLOTS,
            "STRIDE": SLOTS * layout.width,
            "RECORD": 2 * layout.width + kernel.BESIDE,
            "SYMMETRIC": bool(images),
            "IMAGE": (layout.width + kernel.BESIDE) * bool(images),
        }
        assembly = self._assembled(
            layout, ENTRIES, Definitions(sizes, (least_image(engine, images),))
        )
        self._is_one = bool(uses & kernel.USES_REFUTATIONS) and _always_wins(engine.model)
        first = Fraction(7, 8) if self._is_one else Fraction(1, 2)
        shares = [
            replace(self._limits, bytes=int(self._limits.bytes * part))
            for part in (first, 1 - first)
        ]
        self._questions = tuple(
            Question(
                TranspositionTable(assembly, layout, share, kernel.ProofNotes), side, high, uses
            )
            for side, share in enumerate(shares)
        )
        self._plies: dict[State, int] = {}
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
            for player in waiting[:1] if self._is_one else tuple(waiting):
                if self._answer(player, state, most) is not None:
                    waiting.remove(player)
                if state in self._known:
                    break
            most *= 2
        if state not in self._known:
            raise UnsupportedGameError("nobody can force a win", "leave out --goal")
        return self._payoffs[self._known[state]]

    def gives(self, state: State, player: int, payoffs: Payoffs) -> bool:
        """Whether a player surely gets at least a payoff found by `value`; raises like `value`."""
        side = self._sides[player]
        if payoffs == self._payoffs[1 - side]:
            return True
        most, waiting = FIRST_TURN, [0, side] if self._is_one and side else [side]
        while state not in self._known and waiting:
            if self._answer(waiting[0], state, most) is not None:
                waiting.pop(0)
            most *= 2
        return self._known.get(state) == side

    def bounds(self, state: State) -> tuple[Payoffs | None, Payoffs | None]:
        """The proved bounds of a position's value: both equal, or both None."""
        payoffs = self._payoffs[self._known[state]] if state in self._known else None
        return payoffs, payoffs

    def plies(self, state: State) -> int:
        """Upper bound of the plies to the proved win of a position."""
        return self._plies[state]

    def _answer(self, player: int, state: State, most: int) -> bool | None:
        """Whether a player can force the best payoff, as `Question.answer` has it; keeps what is
        known by the answer."""
        if self.max_positions is not None:
            most = min(most, 1 + max(0, self.max_positions - self.looked_at))
        question = self._questions[player]
        is_won = question.answer(state, most, self._keep_to_limits)
        if state in question.plies and (is_won or self._is_one):
            self._known[state] = player if is_won else 1 - player
            self._plies[state] = question.plies[state]
        return is_won


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


def _always_wins(model: Model) -> bool:
    """Whether every ending pays one of two players the best payoff, and the other the worst."""
    outcomes = [end for end in statements(model.end) if isinstance(end, nodes.Outcome)]
    wins = wins_of(model)
    amounts = {abs(share) for shares in wins for share in shares}
    are_wins = all(
        amount_of(end) in amounts
        if isinstance(end, nodes.Win)
        else shares_of(end, model.players) in wins
        for end in outcomes
    )
    return are_wins and set(model.facts.utility_bounds) == {s for shares in wins for s in shares}


class Question(BoundsRun):
    """Whether a player can force a payoff, asked of successive positions: the arrays of the kernel.

    Attributes:
        plies: upper bounds of the plies, for positions with the answer yes, and with the answer no
            by a proof that rests on endings only.
    """

    def __init__(
        self, arrays: TranspositionTable, player: int, wanted: Fraction, uses: int
    ) -> None:
        self._width = arrays.layout.width
        buckets, record = (FIRST_BUCKETS, SLOTS * self._width), 2 * self._width + kernel.BESIDE
        super().__init__(arrays, kernel.ProofFrame, record, buckets, SLICE)
        arrays.notes.prover, arrays.notes.uses = player, uses
        self._history = arrays.assembly.row(bounds_kernel.EFFECTS)
        arrays.notes.wanted_share, arrays.notes.wanted_per = wanted.as_integer_ratio()
        self._open: State | None = None
        self._answers: dict[State, bool] = {}
        self.plies: dict[State, int] = {}

    def answer(self, state: State, most: int, tick: Callable[[], None]) -> bool | None:
        """Whether the player can force the payoff; None: undecided after `most` more states, ask
        again.

        False means: not as far as known; play that returns is taken to fail. `tick` is called from
        time to time.
        """
        if state in self._answers:
            return self._answers[state]
        if state != self._open:
            self._arrays.put_key(state, self._keys)
            self._arrays.notes.top = kernel.FRESH
            self._path = self._arrays.assembly.row(bounds_kernel.PATH)
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
        if not self._keys[self._width + kernel.RETURNED]:
            self.plies[state] = self._keys[self._width + kernel.PLIES]
        return self._answers[state]

    def _go_on(self, slice_size: int) -> int:
        arrays = kernel.ProofArrays(
            table=self._arrays.table,
            stack=self._stack,
            keys=self._keys,
            actions=self._arrays.actions,
            path=self._path,
            history=self._history,
        )
        return self._arrays.call("prove", arrays, self._arrays.notes, slice_size)
