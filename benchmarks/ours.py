"""gamedsl as the benchmarks see it: the only file here that knows its names.

In: a shipped game's name, an engine (`native` or `python`), what to leave out. Out: perft and
playouts by the kernels of that engine. Solvers are imported where they are used: they are no part
of what a process takes that counts plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import gamedsl
from benchmarks.contender import need
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.kept import generated_once
from gamedsl.compiler.options import OPTIONAL, CompilerOptions
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.kernels.playouts import KernelPlayouts

PARAMETERS: Mapping[str, Mapping[str, int]] = {
    "breakthrough": {"width": 8, "height": 8},
    "go": {"size": 5},
    "hex": {"width": 5, "height": 5},
}

PARTS = OPTIONAL
"""Passes and strategies of the compiler that can be left out."""


@dataclass(frozen=True, slots=True)
class PlayoutTotals:
    """Plies of all playouts, and how many the first player won, were drawn, the second won."""

    plies: int
    outcomes: tuple[int, int, int]


class Ours:
    """A game of the library on one engine. Native code is kept in `folder`.

    `without`: those of `PARTS` that the compiler leaves out.
    """

    def __init__(
        self,
        name: str,
        engine: str,
        folder: Path | None = None,
        without: Sequence[str] = (),
    ) -> None:
        if engine == "native":
            need("llvmlite", "llvmlite")
        game = gamedsl.load(name, engine=engine, **PARAMETERS.get(name, {}))
        assert isinstance(game.engine, CompiledEngine)
        self._engine = game.engine
        if without:
            options = CompilerOptions(frozenset(without))
            self._engine = CompiledEngine(game.model, generated_once(game.model, options=options))
        self._start = self._engine.initial_state()
        self._is_native = engine == "native"
        self._folder = folder
        self._perft: KernelPerft | None = None
        self._playouts: KernelPlayouts | None = None

    @property
    def source(self) -> str:
        """The code that the compiler makes for kernels, as Python."""
        return self._engine.kernel_module.source

    def perft(self, depth: int, *, is_bulk: bool) -> int:
        """Plays of `depth` plies; `is_bulk`: the last ply is counted and not carried out."""
        if self._perft is None:
            self._perft = KernelPerft(self._engine, native=self._is_native, folder=self._folder)
        return self._perft.count(self._start, depth, each=not is_bulk)

    def playouts(self, count: int, seed: int, threads: int = 1) -> PlayoutTotals:
        """Uniform random plays from the start."""
        if self._playouts is None:
            self._playouts = KernelPlayouts(
                self._engine, native=self._is_native, folder=self._folder
            )
        tally = self._playouts.run(self._start, count, seed=seed, threads=threads)
        assert not tally.unfinished
        won, drawn, lost = 0, 0, 0
        for payoffs, times in tally.endings:
            won += times * (payoffs[0] > payoffs[1])
            drawn += times * (payoffs[0] == payoffs[1])
            lost += times * (payoffs[0] < payoffs[1])
        return PlayoutTotals(tally.plies, (won, drawn, lost))


def positions_solved(
    name: str, engine: str, threads: int = 1, **parameters: int
) -> Callable[[], int]:
    """What solves a game strongly, and says how many positions that were."""
    from gamedsl.solvers.options import SolveOptions
    from gamedsl.solvers.planner import solve

    if engine == "native":
        need("llvmlite", "llvmlite")
    game = gamedsl.load(name, engine=engine, **parameters)

    def run() -> int:
        solution = solve(game, options=SolveOptions(threads=threads))
        assert solution.solved is not None
        return solution.positions

    return run


class Learner(Protocol):
    """Somebody who learns both sides of a game."""

    def go_on(self, rounds: int) -> None:
        """Learn for so many rounds."""
        ...

    def exploitability(self) -> float:
        """The mean of what both players could gain by best replies."""
        ...


class _Learner:
    def __init__(self, name: str, engine: str) -> None:
        from gamedsl.solvers.equilibria.extensive_form import extensive_form
        from gamedsl.solvers.equilibria.regret_minimisation import Learning, RegretRule

        self._form = extensive_form(gamedsl.load(name, engine=engine))
        self._rounds = Learning(
            self._form, RegretRule.CFR_PLUS, 1 << 17, is_native=engine == "native"
        )

    def go_on(self, rounds: int) -> None:
        self._rounds.go_on(rounds)

    def exploitability(self) -> float:
        from gamedsl.solvers.equilibria.best_response import best_response_value

        profile = self._rounds.behaviour()
        gains = (best_response_value(self._form, profile, player) for player in (0, 1))
        return float(sum(gains)) / 2


def form_builder(name: str, sides: int, *, by_kernel: bool) -> Callable[[], int]:
    """Builds the extensive form of a game of dice; returns the number of information sets."""
    from gamedsl.solvers.equilibria.extensive_form import extensive_form

    game = gamedsl.load(name, sides=sides)

    def build() -> int:
        return sum(extensive_form(game, by_kernel=by_kernel).size.information_sets)

    return build


def curve_counted_before(name: str, marks: Sequence[int]) -> list[float]:
    """Exploitability after so many rounds of CFR+ by the kernel as Python, where a plan counts in
    the mean before it is changed in a round, and not afterwards."""
    from gamedsl.solvers.equilibria import regret_kernel as kernel
    from gamedsl.solvers.equilibria.best_response import best_response_gains
    from gamedsl.solvers.equilibria.extensive_form import extensive_form
    from gamedsl.solvers.equilibria.regret_minimisation import Learning, RegretRule

    form = extensive_form(gamedsl.load(name, engine="python"))
    learning = Learning(form, RegretRule.CFR_PLUS, 10 * max(marks), is_native=False)
    shape, learnt = learning.shape, learning.learnt
    sequences, sets = shape.sequence_starts, shape.set_starts
    found = []
    for number in range(1, max(marks) + 1):
        for player in (0, 1):
            own, low, high = range(*sequences[player : player + 2]), *sets[player : player + 2]
            for sequence in own:
                learnt.totals[sequence] += number * learnt.plan[sequence]
            kernel.weigh(own.start, own.stop, learning.cells, learnt)
            kernel.regret(low, high, 0, 1, shape, learnt)
            kernel.act(low, high, 0, shape, learnt)
        if number in marks:
            found.append(float(sum(best_response_gains(form, learning.behaviour()))) / 2)
    return found


def regret_learner(name: str, engine: str) -> Learner:
    """CFR+ on a shipped game at the beginning."""
    if engine == "native":
        need("llvmlite", "llvmlite")
    return _Learner(name, engine)
