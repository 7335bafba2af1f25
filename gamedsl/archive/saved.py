"""A solution that is kept: the rules, and what was found for every state, in one file.

In: a game that native code has solved, or a path. Out: the file; or `SavedSolution`, which holds
the game that the file's own rules make, and answers by state.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

from gamedsl.archive.format import SolutionFile, SolutionFileError, write_solution
from gamedsl.game.encoding import state_from_json, state_to_json
from gamedsl.game.game import LoadedGame
from gamedsl.game.loading import load_source
from gamedsl.game.native import StoredPositions, native_of
from gamedsl.model.errors import GameSourceError, UnsupportedGameError
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.model.state import State
from gamedsl.solvers.exact.solved import Assessed
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.solution import Solution, SolverName
from gamedsl.solvers.solved_table import SolvedTable
from gamedsl.source.text import SourceFile
from gamedsl.version import __version__

ONLY_TABLES = (
    "what is kept in a file is a table of compiled positions, and {} is not solved by one",
    "leave out --save; games of one player or two with opposed interests, without secrets, choices "
    "at once, repetition rules, rewards and a discount, can be kept",
)


class SavedSolution:
    """A solution read from a file.

    Attributes:
        path: where it lies.
        game: the game that the rules in it make.
        table: the answers of `Solved`, for every state that can be reached from `table.root`.
        facts: what else was written: `gamedsl`, the version that did it; `rules_sha256`.
    """

    def __init__(self, path: Path, file: SolutionFile) -> None:
        self.path = path
        self.facts, self._arrays = file.facts, file.arrays
        if "checkpoint" in self.facts:
            raise SolutionFileError(
                "it is work under way; `gamedsl solve --save OUT --resume` goes on with it"
            )
        source = SourceFile(self.facts["file"], self.facts["rules"])
        try:
            parameters, most = self.facts["parameters"], self.facts.get("max_rounds", MOST_ROUNDS)
            self.game = load_source(source, parameters, max_rounds=most)
        except GameSourceError as error:
            raise SolutionFileError("its rules are not valid in this gamedsl") from error
        native = native_of(self.game)
        if native is None or native.refusal() is not None:
            raise SolutionFileError("its rules are not compiled by this gamedsl")
        stored = StoredPositions(self.facts["stored"], file.arrays)
        try:
            positions = native.reopen(self.facts["solver"], stored)
            solver, root = SolverName(self.facts["solver"]), self._root()
        except (ValueError, KeyError, TypeError) as error:
            wanted = self.facts.get("gamedsl")
            raise SolutionFileError(f"{error}; it was written by gamedsl {wanted}") from error
        self.table = SolvedTable(self.game, root, positions, solver)

    def _root(self) -> State:
        written = self.facts["root"]
        return self.game.initial_state() if written is None else state_from_json(self.game, written)

    def check(self) -> None:
        """Read the whole file. Raises SolutionFileError where some part of it is damaged."""
        for numbers in self._arrays.values():
            numbers.check()

    def __contains__(self, state: object) -> bool:
        return state in self.table

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, state: State) -> Vector:
        """The payoffs of best play from a state; KeyError where it cannot be reached."""
        return self.table.value(state)

    def assessed(self, state: State) -> tuple[Assessed, ...]:
        """Every action of the player to move with what best play gives after it."""
        return self.table.assessed(state)


def save_solution(game: LoadedGame, solution: Solution, path: str | Path) -> None:
    """Write a solution to a file, whole or not at all; one that Python has found is found once
    more by native code.

    Raises:
        UnsupportedGameError: native code does not solve such a game.
        OSError: the file cannot be written.
    """
    table = _table(game, solution)
    stored, text = table.settled.stored, game.source.text
    assert stored is not None, "native code gives its numbers"
    facts: dict[str, Any] = {
        **identity_of(game, table.root),
        "file": Path(game.source.name).name,
        "rules": text,
        "solver": table.solver.value,
        "stored": dict(stored.facts),
    }
    write_solution(Path(path), facts, stored.arrays)


def identity_of(game: LoadedGame, root: State) -> dict[str, Any]:
    """What a file is about, as JSON has it: rules, parameters, and the state that is solved."""
    return {
        "gamedsl": __version__,
        "rules_sha256": sha256(game.source.text.encode()).hexdigest(),
        "parameters": dict(game.parameters),
        "max_rounds": game.model.max_rounds,
        "root": _written(game, root),
    }


def open_solution(path: str | Path) -> SavedSolution:
    """A solution from a file.

    Raises:
        OSError: it cannot be read.
        SolutionFileError: it is not a solution, is damaged, or of another version; why.
    """
    return SavedSolution(Path(path), SolutionFile(Path(path)))


def _table(game: LoadedGame, solution: Solution) -> SolvedTable:
    solved = solution.solved
    if isinstance(solved, SolvedTable):
        return solved
    native = native_of(game)
    if solved is not None and native is not None:
        root = next(iter(solved.states))
        found = native.solve(root, returns=False)
        if found is not None:
            return SolvedTable(game, root, found[1], SolverName(found[0]))
    raise UnsupportedGameError(ONLY_TABLES[0].format(game.name), ONLY_TABLES[1])


def _written(game: LoadedGame, root: State) -> dict[str, Any] | None:
    """The state that was solved, as JSON; None for S0."""
    if root == game.initial_state():
        return None
    if root.pending is not None:
        raise UnsupportedGameError(
            "a position in which a chance event comes next cannot be written down",
            "save the solution of the whole game, or of the position before or after it",
        )
    return state_to_json(game, root)
