"""All operations of the kernels for one game: the counterpart of `game.native.NativeCode`.

In: a compiled engine. Out: counts, tallies, solved positions. Rule errors are raised without the
play that leads to the error: the searches on the game contract find the shortest such play.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from math import inf
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.native import (
    NO_LIMITS,
    Checkpoints,
    Needs,
    SearchLimits,
    ShortestPlay,
    SolvedPositions,
    StoredPositions,
    Tally,
)
from gamedsl.model import GameRuleError, State, UnsupportedGameError
from gamedsl.model.rewriting.goals import goals_of
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.symmetries import names_of, symmetries
from gamedsl.solvers.interruptible import interruptible
from gamedsl.solvers.kernels import induction
from gamedsl.solvers.kernels.assembly import native_refuses
from gamedsl.solvers.kernels.chance import interval, turns
from gamedsl.solvers.kernels.chance.interval import KernelInterval
from gamedsl.solvers.kernels.contents import contents_of
from gamedsl.solvers.kernels.induction import KernelInduction, ReturningPlayError
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.kernels.playouts import KernelPlayouts
from gamedsl.solvers.kernels.puzzles.deepening import shortest_by_deepening
from gamedsl.solvers.kernels.puzzles.layers import KernelLayers
from gamedsl.solvers.kernels.retrograde import positions as returning
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.search.alpha_beta import KernelAlphaBeta
from gamedsl.solvers.kernels.search.proof_number import KernelProofNumber
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.methods import SolverName


class KernelCode:
    """Kernels for one game; a kernel is assembled at its first use."""

    def __init__(self, engine: CompiledEngine) -> None:
        self._engine = engine
        self._playouts: dict[tuple[bool, bool], KernelPlayouts] = {}

    def machine_code_refusal(self) -> str | None:
        """The reason for missing machine code; None if machine code is available."""
        return native_refuses(self._engine)

    @cached_property
    def _perft(self) -> KernelPerft:
        return KernelPerft(self._engine)

    def perft(self, state: State, depth: int, *, turns: bool = False, expected: float = inf) -> int:
        """Number of plays of exactly `depth` plies, or turns, counted by machine code."""
        count = self._perft.count_turns if turns else self._perft.count
        return interruptible(partial(count, state, depth, expected=expected))

    def playouts(
        self,
        state: State,
        count: int,
        *,
        seed: int,
        threads: int,
        longest: int,
        is_machine: bool,
        foresees: bool = False,
    ) -> Tally:
        """Random plays, by machine code or in Python. In Python only one thread is used, because
        more threads gain no time."""
        used = threads if is_machine else 1
        kind = is_machine, foresees
        if kind not in self._playouts:
            self._playouts[kind] = KernelPlayouts(
                self._engine, native=is_machine, foresees=foresees
            )
        return self._playouts[kind].run(state, count, seed=seed, threads=used, longest=longest)

    def solve(
        self,
        root: State,
        *,
        returns: bool,
        limits: SearchLimits = NO_LIMITS,
        checkpoints: Checkpoints | None = None,
    ) -> tuple[SolverName, SolvedPositions] | None:
        """The values of all reachable states; None if no kernel applies to the game."""
        options = {**_options(limits), "checkpoints": checkpoints}
        in_table = {
            **options, "uses_symmetry": limits.uses_symmetry, "threads": limits.threads
        }  # fmt: skip
        kept = None if checkpoints is None else checkpoints.found
        if kept is not None:
            returns = returns or KernelRetrograde.has_kept(kept)
        try:
            if self._engine.model.facts.has_chance:
                between = KernelInterval(self._engine)
                found = between.solve(root, **options)
                return SolverName.NATIVE_VALUE_ITERATION, found
            if not returns:
                try:
                    first = KernelInduction(self._engine)
                    found = first.solve(root, **in_table)
                    return SolverName.NATIVE_INDUCTION, found
                except ReturningPlayError:
                    if checkpoints is not None:
                        checkpoints.forget()
            second = KernelRetrograde(self._engine)
            found = second.solve(root, **in_table)
            return SolverName.NATIVE_RETROGRADE, found
        except UnsupportedGameError:
            return None

    def solve_turns(
        self, root: State, limits: SearchLimits = NO_LIMITS
    ) -> tuple[SolverName, SolvedPositions] | None:
        """The values of all reachable states, solved turn by turn. None if no kernel applies to the
        game, or if the rules fail in a turn, even in an unreachable turn."""
        try:
            return SolverName.NATIVE_TURNS, turns.KernelTurns(self._engine).solve(root, limits)
        except (UnsupportedGameError, GameRuleError):
            return None

    def why_no_turns(self) -> str | None:
        """Why the rules alone forbid solving turn by turn; None if the rules allow turn solving."""
        return turns.why_not(self._engine)

    def count_positions(
        self, root: State, *, returns: bool, limits: SearchLimits = NO_LIMITS
    ) -> int | None:
        """Number of reachable positions; None if no kernel applies to the game."""
        if returns and not self._engine.model.facts.has_chance:
            try:
                return KernelRetrograde(self._engine).count(
                    root,
                    max_positions=limits.positions,
                    progress=limits.progress,
                    threads=limits.threads,
                )
            except UnsupportedGameError:
                return None
        found = self.solve(root, returns=returns, limits=limits)
        return None if found is None else found[1].positions

    def needs(self, *, returns: bool, branching: float) -> Needs | str:
        """The memory needs of `solve`, or the reason why the rules alone forbid `solve`."""
        kind: type[TableSolver[SolvedPositions]]
        if self._engine.model.facts.has_chance:
            kind, name = KernelInterval, SolverName.NATIVE_VALUE_ITERATION
        elif not returns:
            kind, name = KernelInduction, SolverName.NATIVE_INDUCTION
        else:
            kind, name = KernelRetrograde, SolverName.NATIVE_RETROGRADE
        reason = kind.why_not(self._engine)
        return (
            Needs(name, *kind.bytes_a_state(self._engine, branching)) if reason is None else reason
        )

    def symmetries(self) -> tuple[str, ...]:
        """Names of the renamings that are proved to leave the rules unchanged."""
        found = symmetries(self._engine.model)
        return () if isinstance(found, Unknown) else names_of(found)

    def goals(self) -> tuple[Mapping[int, int], ...]:
        """The digits required of cells, for every way to win; () if the rules do not show the
        digits."""
        model = self._engine.model
        found = goals_of(model) if len(model.players) == 1 else ()
        return () if isinstance(found, Unknown) else found

    def value_search(self, limits: SearchLimits = NO_LIMITS) -> KernelAlphaBeta | None:
        """A search for values of single positions; None if the rules exclude the search."""
        options = {**_options(limits), "uses_symmetry": limits.uses_symmetry}
        try:
            return KernelAlphaBeta(self._engine, **options)
        except UnsupportedGameError:
            return None

    def proof_search(self, limits: SearchLimits = NO_LIMITS) -> KernelProofNumber | None:
        """A search for forced wins; None if the rules exclude the search."""
        try:
            return KernelProofNumber(self._engine, **_options(limits))
        except UnsupportedGameError:
            return None

    def shortest(self, root: State, limits: SearchLimits = NO_LIMITS) -> ShortestPlay | None:
        """A shortest play of a single player: by IDA* if the rules give pattern databases, else by
        layers; None if no kernel applies to the game."""
        options = _options(limits)
        try:
            return shortest_by_deepening(self._engine, root, **options)
        except UnsupportedGameError:
            pass
        try:
            return KernelLayers(self._engine).solve(root, **options)
        except UnsupportedGameError:
            return None

    def reopen(self, algorithm: str, stored: StoredPositions) -> SolvedPositions:
        """The solved positions of `algorithm`, from the stored numbers."""
        makers = {
            SolverName.NATIVE_INDUCTION: induction.positions,
            SolverName.NATIVE_RETROGRADE: returning.positions,
            SolverName.NATIVE_VALUE_ITERATION: interval.positions,
        }
        return makers[SolverName(algorithm)](contents_of(self._engine, stored), stored)


def _options(limits: SearchLimits) -> dict[str, Any]:
    """The limits common to all kernels, as arguments of `TableSolver.solve`."""
    return {
        "max_positions": limits.positions, "max_bytes": limits.bytes, "progress": limits.progress
    }  # fmt: skip
