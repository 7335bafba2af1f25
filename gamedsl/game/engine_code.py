"""The native code of a game that was read from a file, looked up by name when it is used.

In: an engine, and the name by which it was asked for. Out: `EngineCode`, which obeys
`native.NativeCode`. Nothing of kernels is imported before something is counted or played.
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
"""The module that has `KernelCode`."""
NOT_COMPILED = "kernels work on compiled rules, and these are not"


@dataclass(frozen=True)
class EngineCode:
    """What kernels do for a game.

    Attributes:
        facts: what follows from the rules alone.
        engine: what plays the game; engine_name: one of `engines.ENGINES`.
        fallback: why the rules are not compiled, if that is known.
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
        """Why there are no kernels; None if there are."""
        if isinstance(self.engine, CompiledEngine):
            return None
        return self.fallback or NOT_COMPILED

    def machine_code_refusal(self) -> str | None:
        """Why there is no machine code; None if there is."""
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
        """Plays of exactly so many plies, or turns."""
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
        """The values of all states that can be reached; None where kernels cannot find them."""
        if self.refusal() is not None or not has_llvm() or self.engine.is_terminal(root):
            return None
        found: tuple[str, SolvedPositions] | None = self._code.solve(
            root, returns=returns, limits=limits, checkpoints=checkpoints
        )
        return found

    def solve_turns(
        self, root: State, limits: SearchLimits = NO_LIMITS
    ) -> tuple[str, SolvedPositions] | None:
        """The values of all states that can be reached, turn by turn; None where that cannot be."""
        if self.refusal() is not None or not has_llvm() or self.engine.is_terminal(root):
            return None
        found: tuple[str, SolvedPositions] | None = self._code.solve_turns(root, limits)
        return found

    def why_no_turns(self) -> str | None:
        """Why the rules alone forbid solving turn by turn; None if they do not."""
        if (reason := self.machine_code_refusal()) is not None:
            return reason
        found: str | None = self._code.why_no_turns()
        return found

    def count_positions(
        self, root: State, *, returns: bool, limits: SearchLimits = NO_LIMITS
    ) -> int | None:
        """How many positions can be reached; None where kernels cannot find them."""
        if self.refusal() is not None or self.engine.is_terminal(root):
            return None
        found: int | None = self._code.count_positions(root, returns=returns, limits=limits)
        return found

    def needs(self, *, returns: bool, branching: float) -> Needs | str:
        """What solving takes, or why it cannot be."""
        if (reason := self.machine_code_refusal()) is not None:
            return reason
        found: Needs | str = self._code.needs(returns=returns, branching=branching)
        return found

    def symmetries(self) -> tuple[str, ...]:
        """Renamings that are proved to leave the rules as they are, in words."""
        found: tuple[str, ...] = () if self.refusal() is not None else self._code.symmetries()
        return found

    def goals(self) -> tuple[Mapping[int, int], ...]:
        """What a single player has to come to, as far as it is known."""
        found: tuple[Mapping[int, int], ...] = (
            () if self.refusal() is not None else self._code.goals()
        )
        return found

    def value_search(self, limits: SearchLimits = NO_LIMITS) -> ValueSearch | None:
        """A search for values of single positions; None where the rules alone exclude it."""
        if self.refusal() is not None:
            return None
        found: ValueSearch | None = self._code.value_search(limits)
        return found

    def proof_search(self, limits: SearchLimits = NO_LIMITS) -> ProofSearch | None:
        """A search for wins that can be forced; None where the rules alone exclude it."""
        if self.machine_code_refusal() is not None:
            return None
        found: ProofSearch | None = self._code.proof_search(limits)
        return found

    def shortest(self, root: State, limits: SearchLimits = NO_LIMITS) -> ShortestPlay | None:
        """A shortest play of a single player; None where kernels cannot look for one."""
        if self.refusal() is not None or self.engine.is_terminal(root):
            return None
        found: ShortestPlay | None = self._code.shortest(root, limits)
        return found

    def arithmetic(self, module: ModuleType) -> Callable[..., int] | None:
        """A module over numbers as machine code; None where another engine was asked for, or there
        is no LLVM."""
        if self.engine_name not in {"auto", "native"} or not has_llvm():
            return None
        return _compiled(inspect.getsource(module))

    def reopen(self, algorithm: str, stored: StoredPositions) -> SolvedPositions:
        """What such an algorithm has found, from the numbers that it has stored."""
        found: SolvedPositions = self._code.reopen(algorithm, stored)
        return found


@cache
def _compiled(text: str) -> Callable[..., int]:
    """One module for all games, since it knows none."""
    from gamedsl.compiler.native import NativeModule

    return NativeModule(None, text).call
