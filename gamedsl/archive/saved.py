"""Saved solutions: the rules and the results for all states in one file.

`save_solution` writes a game solved by native code; `SavedSolution` holds the game defined by the
rules in the file, and answers by state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

from gamedsl.archive.equilibria import SavedEquilibrium, play_by_positions, write_equilibrium
from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.layers import SolvedFolder
from gamedsl.archive.rules import game_of, is_position, rules_of, slice_in
from gamedsl.compiler.errors import NO_LLVM, has_llvm
from gamedsl.game.accelerator import Refusal, SolvedPositions, StoredPositions, accelerator_of
from gamedsl.game.encoding import state_from_json
from gamedsl.game.game import LoadedGame
from gamedsl.game.slices import in_slice
from gamedsl.game.stored_facts import (
    SolutionFileError,
    either,
    is_fraction,
    is_names,
    is_nothing,
    many,
    refuse_odd,
)
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.equilibria.informed_play import FormPlay
from gamedsl.solvers.exact.solved import Assessed, SolvedGraph
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solution import Solution
from gamedsl.solvers.solved_table import SolvedTable


class SavedSolution:
    """A solution read from a file.

    Attributes:
        path: path of the file.
        game: the game defined by the rules in the file; `root`: the solved state of the game.
        solved: the game that was solved: the game, or its slice.
        table: the answers of `Solved` for all states of `solved` reachable from `table.root`.
        facts: further facts of the file: `gamedsl`, the version that wrote the file;
            `rules_sha256`.
    """

    def __init__(self, path: Path, file: SolutionFile | SolvedFolder) -> None:
        self.path = path
        self.facts = file.facts
        arrays: Mapping[str, Any] = file.arrays
        self._arrays = arrays
        if "checkpoint" in self.facts:
            raise SolutionFileError(
                "it is work under way; `gamedsl solve --save OUT --resume` goes on with it"
            )
        self.game = game_of(self.facts)
        self.solved = slice_in(self.facts, self.game)
        accelerator = accelerator_of(self.solved)
        if isinstance(accelerator, Refusal):
            raise SolutionFileError("its rules are not compiled by this gamedsl")
        refuse_odd(self.facts, {"root": either(is_nothing, is_names), "stored": is_names})
        stored = StoredPositions(self.facts["stored"], self._arrays)
        try:
            positions = accelerator.reopen(self.facts["solver"], stored)
            positions = self._exact(positions)
            solver, root = SolverName(self.facts["solver"]), self._root(self.solved)
        except ValueError as error:
            wanted = self.facts.get("gamedsl")
            raise SolutionFileError(f"{error}; it was written by gamedsl {wanted}") from error
        self.table = SolvedTable(self.solved, root, positions, solver)
        self.root = self._root(self.game)

    def _root(self, game: LoadedGame) -> State:
        written = self.facts["root"]
        return game.initial_state() if written is None else state_from_json(game, written)

    def state_of(self, state: State) -> State | None:
        """The state of `solved` that stands for a state of the game; None if not known."""
        part = None if self.solved is self.game else self.game.slice
        return state if part is None else part.state_of(state)

    def _exact(self, positions: SolvedPositions) -> SolvedPositions:
        """The positions with the file's exact values, if the file has exact values."""
        if "exact" not in self.facts:
            return positions
        count = len(self.game.facts.players)
        refuse_odd(self.facts, {"exact": many(many(is_fraction, count))})
        values, entries = self.facts["exact"], positions.entries
        assert entries is not None, "what is in a file can be gone through"
        states = list(islice(entries(), len(values) + 1))
        if positions.chance is None or len(states) != len(values):
            raise SolutionFileError("it has exact values of other positions than it has")
        if not all(is_position(self.solved, state) for state in states):
            raise SolutionFileError("it has exact values, and not all entries of it are positions")
        vectors = (tuple(map(Fraction, value)) for value in values)
        return _with_exact(positions, dict(zip(states, vectors, strict=True)))

    @property
    def layers(self) -> Mapping[str, Any]:
        """The layers of a folder, by level; empty for a file."""
        return self._arrays if "files" in self.facts else {}

    def check(self) -> None:
        """Read the whole file. Raises SolutionFileError if a part is damaged."""
        for numbers in self._arrays.values():
            numbers.check()

    def __contains__(self, state: object) -> bool:
        return isinstance(state, State) and self.state_of(state) in self.table

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, state: State) -> Vector:
        """The payoffs of best play from a state. Raises KeyError if the state is unreachable."""
        return self.table.value(self._known(state))

    def assessed(self, state: State) -> tuple[Assessed, ...]:
        """The actions of the player to move, with the results of best play after the action."""
        return self.table.assessed(self._known(state))

    def _known(self, state: State) -> State:
        stands = self.state_of(state)
        if stands is None:
            raise KeyError(state)
        return stands


def save_solution(game: LoadedGame, solution: Solution, path: str | Path) -> None:
    """Write a solution to a file, whole or not at all.

    A solution by positions in Python, or turn by turn, is recomputed by
    native code.

    Raises:
        UnsupportedGameError: native code does not solve the game.
        OSError: the file cannot be written.
    """
    if solution.part is not None:
        game = in_slice(game, game.initial_state())[0]
    informed = solution.informed
    play = informed if isinstance(informed, FormPlay) else play_by_positions(game, solution)
    if play is not None:
        write_equilibrium(game, solution, play, Path(path))
        return
    table = _table(game, solution)
    stored = table.settled.stored
    assert stored is not None, "native code gives its numbers"
    facts = {
        **rules_of(game, table.root),
        "solver": table.solver.value,
        "stored": dict(stored.facts),
    }
    if (exact := _exact_values(solution, table)) is not None:
        facts["exact"] = [list(map(str, value)) for value in exact]
    write_solution(Path(path), facts, stored.arrays)


def _exact_values(solution: Solution, table: SolvedTable) -> list[Vector] | None:
    """The exact values of all entries of a table with bounds, if Python gives exact values."""
    solved, entries = solution.solved, table.settled.entries
    if not isinstance(solved, SolvedGraph) or solved.error_bound or not table.error_bound:
        return None
    assert entries is not None, "what is kept can be gone through"
    states = list(islice(entries(), len(solved) + 1))
    if len(states) != len(solved) or any(state not in solved for state in states):
        return None
    return [solved.value(state) for state in states]


def _with_exact(positions: SolvedPositions, values: Mapping[State, Vector]) -> SolvedPositions:
    """Positions with exact values in place of values with error bounds."""
    chance = positions.chance
    assert chance is not None, "there are bounds where chance has a part"

    def look_up(state: State) -> tuple[Vector, int | None] | None:
        known, exact = positions.look_up(state), values.get(state)
        if known is None or exact is None:
            return None
        pairs = zip(known[0], exact, strict=True)
        if any(abs(near - payoff) > chance.error_bound for near, payoff in pairs):
            raise SolutionFileError("it has an exact value that is not within the bounds it has")
        return exact, known[1]

    return replace(positions, look_up=look_up, chance=replace(chance, error_bound=Fraction(0)))


def open_solution(path: str | Path) -> SavedSolution | SavedEquilibrium:
    """A solution from a file, by positions or by information sets.

    Raises:
        OSError: the file cannot be read.
        SolutionFileError: the file is not a solution, is damaged, or has another version; the
            message gives the reason.
    """
    path = Path(path)
    if path.is_dir():
        return SavedSolution(path, SolvedFolder(path))
    file = SolutionFile(path)
    kind = SavedEquilibrium if "equilibrium" in file.facts else SavedSolution
    return kind(path, file)


def _table(game: LoadedGame, solution: Solution) -> SolvedTable:
    solved = solution.solved
    if isinstance(solved, SolvedTable) and solved.settled.stored is not None:
        return solved
    if not has_llvm():
        raise UnsupportedGameError(NO_LLVM, "solve and save it where llvmlite is installed")
    if solved is None:
        raise _not_kept(game, f"{solution.solver} makes no table")
    root, accelerator = next(iter(solved.states)), accelerator_of(game)
    if isinstance(accelerator, Refusal):
        raise _not_kept(game, accelerator)
    answer = accelerator.solve(root, returns=False, is_kept=True)
    if isinstance(answer, Refusal):
        raise _not_kept(game, answer)
    return SolvedTable(game, root, answer[1], SolverName(answer[0]))


def _not_kept(game: LoadedGame, reason: Refusal | str) -> UnsupportedGameError:
    holds = "a saved file holds a table of all positions, or plans by information sets"
    return UnsupportedGameError(f"{game.name} is not saved: {reason}; {holds}", "leave out --save")
