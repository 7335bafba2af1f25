"""The native code of a game read from a file, imported on first use.

`EngineCode` implements `native.NativeCode` for an engine and the requested engine name. The kernels
are imported only for counting, playing or solving.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib import import_module
from math import inf
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.engines import NO_LLVM, Engine, has_llvm
from gamedsl.game.native import (
    NO_LIMITS,
    Checkpoints,
    Needs,
    ProofSearch,
    SearchLimits,
    ShortestPlay,
    SolvedPositions,
    StoredPositions,
    Tally,
    Use,
    ValueSearch,
)
from gamedsl.model import State, UnsupportedGameError
from gamedsl.source.records import dataclass

if TYPE_CHECKING:
    from gamedsl.model import Facts

KERNELS = "gamedsl.solvers.kernels.native_code"
"""The module that defines `KernelCode`."""
NOT_COMPILED = "kernels work on compiled rules, and these are not"


@dataclass(frozen=True)
class EngineCode:
    """The native code of a game, by kernels.

    Attributes:
        facts: consequences of the rules alone.
        engine: the engine of the game; engine_name: one of `engines.ENGINES`.
        fallback: the reason why the rules are not compiled, if known.
    """

    facts: Facts
    engine: Engine
    engine_name: str
    fallback: str | None

    @property
    def use(self) -> Use:
        """When machine code is to be used."""
        if self.engine_name == "native":
            return Use.ALWAYS
        is_open = self.engine_name == "auto" and self.refusal() is None and has_llvm()
        return Use.WHEN_LARGE if is_open else Use.NEVER

    @property
    def counts_turns(self) -> bool:
        """Whether `perft` can count turns."""
        facts = self.facts
        return not (facts.has_chance or facts.is_simultaneous or facts.repeats)

    def refusal(self) -> str | None:
        """The reason why kernels are unavailable; None if available."""
        if isinstance(self.engine, CompiledEngine):
            return None
        return self.fallback or NOT_COMPILED

    def machine_code_refusal(self) -> str | None:
        """The reason why machine code is unavailable; None if available."""
        reason = self.refusal() or (None if has_llvm() else NO_LLVM)
        if reason is None:
            reason = self._code.machine_code_refusal()
        return reason

    @cached_property
    def _code(self) -> Any:
        if (reason := self.refusal()) is not None:
            raise UnsupportedGameError(f"no native code: {reason}", "leave out --engine native")
        return import_module(KERNELS).KernelCode(self.engine)

    def perft(self, state: State, depth: int, *, turns: bool = False, expected: float = inf) -> int:
        """The number of plays of exactly `depth` plies, or turns."""
        count: int = self._code.perft(state, depth, turns=turns, expected=expected)
        return count

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
        """Random plays, by machine code or in Python."""
        tally: Tally = self._code.playouts(
            state, count, seed=seed, threads=threads, longest=longest, is_machine=is_machine,
            foresees=foresees,
        )  # fmt: skip
        return tally

    def solve(
        self,
        root: State,
        *,
        returns: bool,
        limits: SearchLimits = NO_LIMITS,
        checkpoints: Checkpoints | None = None,
    ) -> tuple[str, SolvedPositions] | None:
        """The values of all reachable states; None where unsupported by kernels."""
        if self.refusal() is not None or not has_llvm() or self.engine.is_terminal(root):
            return None
        found: tuple[str, SolvedPositions] | None = self._code.solve(
            root, returns=returns, limits=limits, checkpoints=checkpoints
        )
        return found

    def solve_turns(
        self, root: State, limits: SearchLimits = NO_LIMITS
    ) -> tuple[str, SolvedPositions] | None:
        """The values of all reachable states, turn by turn; None where kernels cannot find the
        values.
        """
        if self.refusal() is not None or not has_llvm() or self.engine.is_terminal(root):
            return None
        found: tuple[str, SolvedPositions] | None = self._code.solve_turns(root, limits)
        return found

    def why_no_turns(self) -> str | None:
        """The reason why the rules alone forbid solving turn by turn; None if allowed."""
        if (reason := self.machine_code_refusal()) is not None:
            return reason
        found: str | None = self._code.why_no_turns()
        return found

    def count_positions(
        self, root: State, *, returns: bool, limits: SearchLimits = NO_LIMITS
    ) -> int | None:
        """The number of reachable positions; None where unsupported by kernels."""
        if self.refusal() is not None or self.engine.is_terminal(root):
            return None
        found: int | None = self._code.count_positions(root, returns=returns, limits=limits)
        return found

    def needs(self, *, returns: bool, branching: float) -> Needs | str:
        """The memory needs of solving, or the reason why solving is impossible."""
        if (reason := self.machine_code_refusal()) is not None:
            return reason
        found: Needs | str = self._code.needs(returns=returns, branching=branching)
        return found

    def symmetries(self) -> tuple[str, ...]:
        """Renamings that are proved to leave the rules unchanged, in words."""
        found: tuple[str, ...] = () if self.refusal() is not None else self._code.symmetries()
        return found

    def goals(self) -> tuple[Mapping[int, int], ...]:
        """The goals of a single player, as far as known."""
        found: tuple[Mapping[int, int], ...] = (
            () if self.refusal() is not None else self._code.goals()
        )
        return found

    def value_search(self, limits: SearchLimits = NO_LIMITS) -> ValueSearch | None:
        """A search for values of single positions; None where the rules alone exclude the
        search.
        """
        if self.refusal() is not None:
            return None
        found: ValueSearch | None = self._code.value_search(limits)
        return found

    def proof_search(self, limits: SearchLimits = NO_LIMITS) -> ProofSearch | None:
        """A search for forced wins; None where the rules alone exclude the search."""
        if self.machine_code_refusal() is not None:
            return None
        found: ProofSearch | None = self._code.proof_search(limits)
        return found

    def shortest(self, root: State, limits: SearchLimits = NO_LIMITS) -> ShortestPlay | None:
        """A shortest play of a single player; None where unsupported by kernels."""
        if self.refusal() is not None or self.engine.is_terminal(root):
            return None
        found: ShortestPlay | None = self._code.shortest(root, limits)
        return found

    def arithmetic(self, module: ModuleType) -> Callable[..., int] | None:
        """A module over numbers as machine code; None where another engine was requested, or
        without LLVM.
        """
        if self.engine_name not in {"auto", "native"} or not has_llvm():
            return None
        return _compiled(inspect.getsource(module))

    def reopen(self, algorithm: str, stored: StoredPositions) -> SolvedPositions:
        """The solved positions of an algorithm, from its stored numbers."""
        found: SolvedPositions = self._code.reopen(algorithm, stored)
        return found


@cache
def _compiled(text: str) -> Callable[..., int]:
    """The compiled module, shared by all games, since it depends on no game."""
    from gamedsl.compiler.native import NativeModule

    return NativeModule(None, text).call
