"""All operations of the kernels for one game: an `Accelerator`.

In: a compiled engine. Out: counts, playouts, solved positions. Rule errors are raised without the
play that leads to the error: the searches on the game contract find the shortest such play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial, wraps
from math import inf
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from gamedsl.compiler.cache import cache_folder, hash_of
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.errors import NO_LLVM, has_llvm
from gamedsl.game.accelerator import (
    NO_LIMITS,
    Capability,
    Checkpoints,
    GrundyValues,
    ListedStates,
    Needs,
    PlayoutCounts,
    PlayoutOptions,
    Progress,
    Refusal,
    SearchLimits,
    ShortestPlay,
    SolvedPositions,
    StoredPositions,
)
from gamedsl.model import GameRuleError, State, UndefinedValueError, UnsupportedGameError
from gamedsl.model.facts import PayoffSum
from gamedsl.model.rewriting.goals import goals_of
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.symmetries import names_of, symmetries
from gamedsl.solvers.interruptible import interruptible
from gamedsl.solvers.kernels import assembly, induction, perft
from gamedsl.solvers.kernels.batches import layers
from gamedsl.solvers.kernels.batches.batches import BatchCode, KernelBatches
from gamedsl.solvers.kernels.chance import interval, turns
from gamedsl.solvers.kernels.chance.interval import KernelInterval
from gamedsl.solvers.kernels.contents import contents_of
from gamedsl.solvers.kernels.grundy.grundy import KernelGrundy
from gamedsl.solvers.kernels.induction import KernelInduction, ReturningPlayError
from gamedsl.solvers.kernels.listing.listing import list_states
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.kernels.playouts import KernelPlayouts
from gamedsl.solvers.kernels.puzzles.deepening import KernelDeepening
from gamedsl.solvers.kernels.puzzles.layers import KernelLayers, any_play
from gamedsl.solvers.kernels.retrograde import positions as returning
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.search.alpha_beta import KernelAlphaBeta
from gamedsl.solvers.kernels.search.cutoff import KernelCutoff
from gamedsl.solvers.kernels.search.outcome_sampling import KernelOutcomeSampling
from gamedsl.solvers.kernels.search.proof_number import KernelProofNumber
from gamedsl.solvers.kernels.search.uct import KernelUct, LearningUct
from gamedsl.solvers.kernels.stages.general import KernelGeneral
from gamedsl.solvers.kernels.stages.stages import KernelStages
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.kernels.vectorised.batch import KernelBatch
from gamedsl.solvers.methods import SolverName
from gamedsl.source.keeping import hash_of_code

P = ParamSpec("P")
Answer = TypeVar("Answer")


def _refusing(
    method: Callable[Concatenate[KernelAccelerator, P], Answer],
) -> Callable[Concatenate[KernelAccelerator, P], Answer | Refusal]:
    """The method, answering with a `Refusal` where machine code or a kernel does not apply; an
    UndefinedValueError, which is an answer, is raised."""

    @wraps(method)
    def answer(
        self: KernelAccelerator, /, *arguments: P.args, **options: P.kwargs
    ) -> Answer | Refusal:
        if (reason := self.refusal()) is not None:
            return reason
        try:
            return method(self, *arguments, **options)
        except UndefinedValueError:
            raise
        except UnsupportedGameError as error:
            return Refusal(error.reason)

    return answer


class KernelAccelerator:
    """Kernels for one game; a kernel is assembled at its first use."""

    def __init__(self, engine: CompiledEngine) -> None:
        self._engine = engine
        self._perft = cache(partial(KernelPerft, engine))
        self._playouts = cache(partial(KernelPlayouts, engine))
        self._batch_code = cache(partial(BatchCode, engine))

    def refusal(self, capability: Capability = Capability.ANY) -> Refusal | None:
        """The reason for missing machine code, or for a missing capability of it."""
        reason = assembly.refusal(self._engine) if has_llvm() else Refusal(NO_LLVM)
        if reason is None and capability is Capability.TURN_COUNTS:
            reason = perft.refusal(self._engine)
        if reason is None and capability is Capability.TURN_SOLVING:
            reason = turns.refusal(self._engine)
        return reason

    def perft(self, state: State, depth: int, *, turns: bool = False, expected: float = inf) -> int:
        """Number of plays of exactly `depth` plies, or turns, counted by machine code."""
        count = self._perft().count_turns if turns else self._perft().count
        return interruptible(partial(count, state, depth, expected=expected))

    def playouts(
        self,
        state: State,
        count: int,
        options: PlayoutOptions,
        *,
        is_machine: bool,
    ) -> PlayoutCounts:
        """Random plays, by machine code or in Python. In Python only one thread is used, because
        more threads gain no time."""
        used = options.threads if is_machine else 1
        kernel = self._playouts(native=is_machine, foresees=options.foresees)
        return kernel.run(state, count, seed=options.seed, threads=used, longest=options.longest)

    @_refusing
    def solve(
        self,
        root: State,
        *,
        returns: bool,
        limits: SearchLimits = NO_LIMITS,
        checkpoints: Checkpoints | None = None,
        is_kept: bool = False,
    ) -> tuple[SolverName, SolvedPositions]:
        """The values of all reachable states."""
        self._refuse_ending(root)
        checkpoint = None if checkpoints is None else checkpoints.latest
        if checkpoint is not None:
            kept_by = KernelRetrograde, KernelInterval
            returns = returns or any(kind.has_kept(checkpoint) for kind in kept_by)
        facts = self._engine.model.facts
        is_kept = is_kept or checkpoints is not None
        if facts.is_simultaneous:
            if is_kept:
                raise UnsupportedGameError("values of choices at once are not kept in a file")
            return self._at_once(root, limits)
        if facts.has_chance and not is_kept:
            with suppress(UnsupportedGameError):
                positions = KernelStages(self._engine).solve(root, limits)
                assert positions.chance is not None, "bounds have an error"
                if positions.chance.choose is not None:  # play returns
                    return SolverName.NATIVE_VALUE_ITERATION, positions
                return SolverName.NATIVE_EXPECTIMINIMAX, positions
        if facts.has_chance:
            positions = KernelInterval(self._engine).solve(root, limits, checkpoints)
            return SolverName.NATIVE_VALUE_ITERATION, positions
        if not returns:
            try:
                positions = KernelInduction(self._engine).solve(root, limits, checkpoints)
                return SolverName.NATIVE_INDUCTION, positions
            except ReturningPlayError:
                if checkpoints is not None:
                    checkpoints.forget()
        if not facts.pays_at_the_end and (is_kept or len(facts.players) > 1):
            # a single player's play has a length, which Python knows
            positions = KernelInterval(self._engine).solve(root, limits, checkpoints)
            assert positions.chance is not None, "bounds have an error"
            if is_kept and positions.chance.bounds is not None:
                raise UndefinedValueError(
                    "rewards of some positions have no sum, and a file keeps values of all",
                    "leave out --save",
                )
            return SolverName.NATIVE_VALUE_ITERATION, positions
        positions = KernelRetrograde(self._engine).solve(root, limits, checkpoints)
        return SolverName.NATIVE_RETROGRADE, positions

    def _at_once(
        self, root: State, limits: SearchLimits, *, passes: bool = True
    ) -> tuple[SolverName, SolvedPositions]:
        """The values of a game with choices at once: by matrix games if interests are opposed."""
        kinds = {
            SolverName.NATIVE_STAGES: KernelStages,
            SolverName.NATIVE_EQUILIBRIA: KernelGeneral,
        }
        is_general = self._engine.model.facts.payoff_sum is PayoffSum.GENERAL
        while True:
            name, kind = next(iter(kinds.items()))
            try:
                solver = kind(self._engine)
                solver.passes = passes
                return name, solver.solve(root, limits)
            except UnsupportedGameError as error:
                del kinds[name]
                if not (kinds and is_general) or isinstance(error, ReturningPlayError):
                    raise

    @_refusing
    def solve_turns(
        self, root: State, limits: SearchLimits = NO_LIMITS
    ) -> tuple[SolverName, SolvedPositions] | Refusal:
        """The values of all reachable states, solved turn by turn. A Refusal also if the rules fail
        in a turn, even in an unreachable turn."""
        self._refuse_ending(root)
        try:
            return SolverName.NATIVE_TURNS, turns.KernelTurns(self._engine).solve(root, limits)
        except GameRuleError as error:
            return Refusal(str(error))

    @_refusing
    def count_positions(
        self, root: State, *, returns: bool, limits: SearchLimits = NO_LIMITS
    ) -> int | Refusal:
        """Number of reachable positions."""
        self._refuse_ending(root)
        facts = self._engine.model.facts
        if returns and not (facts.has_chance or facts.is_simultaneous):
            return KernelRetrograde(self._engine).count(root, limits)
        if facts.is_simultaneous:
            return self._at_once(root, limits, passes=False)[1].positions
        solved = self.solve(root, returns=returns, limits=limits)
        return solved if isinstance(solved, Refusal) else solved[1].positions

    def layers_of_sets(
        self, root: State, *, max_bytes: int, progress: Progress | None = None
    ) -> Iterator[tuple[int, int]] | Refusal:
        """The sizes of the layers of positions, counted on sets; needs no LLVM."""
        from gamedsl.solvers.kernels import sets  # imports the generator of modules

        try:
            return sets.layers(self._engine, root, max_bytes, progress)
        except UnsupportedGameError as error:
            return Refusal(error.reason)

    def _refuse_ending(self, root: State) -> None:
        if self._engine.is_terminal(root):
            raise UnsupportedGameError("the game is over")

    @_refusing
    def needs(self, *, returns: bool, branching: float) -> Needs | Refusal:
        """The memory needs of `solve`."""
        kind: type[TableSolver[SolvedPositions]]
        numbered: type[KernelInterval] | None = None
        facts = self._engine.model.facts
        if facts.is_simultaneous and KernelStages.refusal(self._engine) is None:
            kind, name = KernelStages, SolverName.NATIVE_STAGES
        elif facts.is_simultaneous:
            kind, name = KernelGeneral, SolverName.NATIVE_EQUILIBRIA
        elif facts.has_chance and not returns:
            kind, name = KernelStages, SolverName.NATIVE_EXPECTIMINIMAX
        elif facts.has_chance:
            kind, name, numbered = KernelStages, SolverName.NATIVE_VALUE_ITERATION, KernelInterval
        elif not returns:
            kind, name = KernelInduction, SolverName.NATIVE_INDUCTION
        else:
            kind, name = KernelRetrograde, SolverName.NATIVE_RETROGRADE
        apart, most = kind.bytes_a_state(self._engine, branching)
        if numbered is not None:  # used where components are large
            most = numbered.bytes_a_state(self._engine, branching)[1]
        return kind.refusal(self._engine) or Needs(
            name, apart, most, partial(kind.images, self._engine)
        )

    @_refusing
    def batch(self, count: int, seed: int, longest: int) -> KernelBatch:
        """Plays side by side."""
        try:
            return KernelBatch(self._engine, count, seed, longest)
        except (MemoryError, OSError, OverflowError):
            raise UnsupportedGameError("so many plays, or so long, do not fit in memory") from None

    @_refusing
    def list_states(self, limits: SearchLimits = NO_LIMITS) -> ListedStates:
        """All states with what each player sees."""
        return list_states(self._engine, limits)

    def symmetries(self) -> tuple[str, ...]:
        """Names of the renamings that are proved to leave the rules unchanged."""
        renamings = symmetries(self._engine.model)
        return () if isinstance(renamings, Unknown) else names_of(renamings)

    def goals(self) -> tuple[Mapping[int, int], ...]:
        """The digits required of cells, for every way to win; () if the rules do not show the
        digits."""
        model = self._engine.model
        goals = goals_of(model) if len(model.players) == 1 else ()
        return () if isinstance(goals, Unknown) else goals

    @_refusing
    def value_search(self, limits: SearchLimits = NO_LIMITS) -> KernelAlphaBeta:
        """A search for values of single positions."""
        return KernelAlphaBeta(self._engine, limits=limits)

    @_refusing
    def proof_search(self, limits: SearchLimits = NO_LIMITS) -> KernelProofNumber:
        """A search for forced wins."""
        return KernelProofNumber(self._engine, limits=limits)

    @_refusing
    def tree_search(self, limits: SearchLimits = NO_LIMITS, *, learns: bool = False) -> KernelUct:
        """A search by simulated plays."""
        return (LearningUct if learns else KernelUct)(self._engine, limits=limits)

    @_refusing
    def depth_search(self, limits: SearchLimits = NO_LIMITS) -> KernelCutoff:
        """A search by alpha-beta with the file's `evaluate`."""
        return KernelCutoff(self._engine, limits=limits)

    def note_file(self, name: str) -> Path:
        """The cache file of a note, for the rules as compiled and these solvers."""
        code = hash_of(self._engine.generated.source, hash_of_code("solvers"))
        return cache_folder() / f"{name}_{code}.json"

    def strategy_search(
        self, limits: SearchLimits = NO_LIMITS, *, is_machine: bool = True
    ) -> KernelOutcomeSampling | Refusal:
        """A search for strategies by simulated plays, by machine code or in Python."""
        if is_machine and (reason := self.refusal()) is not None:
            return reason
        try:
            return KernelOutcomeSampling(self._engine, native=is_machine, limits=limits)
        except UnsupportedGameError as error:
            return Refusal(error.reason)

    @_refusing
    def shortest(
        self, root: State, limits: SearchLimits = NO_LIMITS, *, or_any: bool = False
    ) -> ShortestPlay:
        """A shortest play of a single player: by IDA* if the rules give pattern databases, else by
        layers; any play (`or_any`): by guesses and depth-first search."""
        self._refuse_ending(root)
        if or_any:
            return any_play(self._engine, root, limits)
        with suppress(UnsupportedGameError):
            return KernelDeepening(self._engine).solve(root, limits)
        return KernelLayers(self._engine).solve(root, limits)

    @_refusing
    def grundy_values(self, root: State, limits: SearchLimits = NO_LIMITS) -> GrundyValues:
        """Grundy values of all positions reachable from a state that is not terminal."""
        self._refuse_ending(root)
        return KernelGrundy(self._engine).solve(root, limits)

    @_refusing
    def batches(
        self, root: State, *, merges: bool = True, is_tight: bool = True, verifies: bool = False
    ) -> KernelBatches:
        """Work on batches of positions, by a level that no move lowers."""
        self._refuse_ending(root)
        code = self._batch_code(root, merges=merges, is_tight=is_tight, verifies=verifies)
        return KernelBatches(code)

    def reopen(self, algorithm: str, stored: StoredPositions) -> SolvedPositions:
        """The solved positions of `algorithm`, from the stored numbers."""
        if "levels" in stored.facts:
            return layers.positions(self._engine, stored)
        makers = {
            SolverName.NATIVE_INDUCTION: induction.positions,
            SolverName.NATIVE_RETROGRADE: returning.positions,
            SolverName.NATIVE_VALUE_ITERATION: interval.positions,
        }
        return makers[SolverName(algorithm)](contents_of(self._engine, stored), stored)
