"""Solve a game in a folder, layer by layer, with a bound on memory.

In: a game, a position, a folder. Out: the saved solution, open. The folder holds the work on the
way, from which later work goes on. Earlier work is not trusted: keys are those of positions before
machine code plays from them, and the solution that comes of them is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gamedsl.archive.confirmation import fault_of, refuse_odd_keys
from gamedsl.archive.layers import FollowingFolder, LayerFolder, is_ours_alone
from gamedsl.archive.rules import identity_of, rules_of
from gamedsl.archive.saved import SavedSolution, open_solution
from gamedsl.game.accelerator import NO_LIMITS, Accelerator, Refusal, SearchLimits, machine_code_of
from gamedsl.game.batches import Batches, CodesTooWideError, UnmergedError
from gamedsl.game.game import LoadedGame
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.shards.crew import Crew
from gamedsl.solvers.shards.ranks import ALONE, Ranks
from gamedsl.solvers.shards.solve import LayeredSolver, Room

ADVICE = "leave out --out-of-core"


def solve_out_of_core(
    game: LoadedGame,
    root: State,
    folder: Path,
    limits: SearchLimits = NO_LIMITS,
    *,
    resumes: bool = False,
    room: Room | None = None,
    ranks: Ranks = ALONE,
) -> SavedSolution:
    """Solve all positions that can be reached from a position, in a folder.

    Args:
        game, root: the game and the first position.
        folder: made if it is not there. Whatever is in it has to be earlier work or a solution.
        limits: `bytes` bounds the memory of tables and keys, `positions` the number of keys.
        resumes: go on from earlier work in the folder; finished work is opened.
        room: how many keys are held at a time, in place of `limits.bytes`.
        ranks: the processes that share the work, which all make this call; the folder is the same
            for all, and limits are of each.

    Raises:
        UnsupportedGameError: no level of positions is proved that every move raises, or other rules
            exclude solving by layers.
        SolutionFileError: earlier work is damaged, or of another problem.
        OSError: the folder cannot be read or written; the layers kept so far stay.
        OutOfBudgetError, OutOfMemoryError, GameRuleError, and the errors of `limits.progress`.
    """
    accelerator = machine_code_of(game)
    if isinstance(accelerator, Refusal):
        raise UnsupportedGameError(f"solving by layers needs machine code: {accelerator}", ADVICE)
    _batches(accelerator, root, merges=limits.uses_symmetry, is_tight=True)  # or a refusal
    with _made(folder):
        if not is_ours_alone(folder):
            raise SolutionFileError("it has files that are no part of a solution")
        store = FollowingFolder(folder, ranks.rank) if ranks.rank else LayerFolder(folder)
        keys = {"merges": limits.uses_symmetry, "is_tight": True}
        if resumes:
            held = store.contents.get("keys", {})
            if not isinstance(held, dict):
                raise SolutionFileError("it does not say how its keys are written")
            keys = {name: held.get(name) is not False for name in keys}
        work = _Work(accelerator, game, root, store, limits)
        ranks.gather(None)  # all have seen the folder as it was
        while True:
            try:
                if "stored" not in work.begun(keys, resumes=resumes):
                    work.solve(room, ranks)
                return _opened(folder)
            except UnmergedError:
                keys, resumes = keys | {"merges": False}, False
            except CodesTooWideError:
                keys, resumes = keys | {"is_tight": False}, False
            finally:
                store.close()


@contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Makes a folder. A folder that was not there goes again where nothing is kept in it."""
    is_new = not folder.exists()
    folder.mkdir(exist_ok=True)
    try:
        yield
    finally:
        if is_new:
            with suppress(OSError):  # there are files in it
                folder.rmdir()


class _Work:
    """The work on one problem in a folder."""

    def __init__(
        self,
        accelerator: Accelerator,
        game: LoadedGame,
        root: State,
        store: LayerFolder,
        limits: SearchLimits,
    ) -> None:
        self._accelerator, self._game, self._root = accelerator, game, root
        self._store, self._limits = store, limits
        self._keys: dict[str, bool] = {}

    def begun(self, keys: dict[str, bool], *, resumes: bool) -> Mapping[str, Any]:
        """The contents of the folder, begun anew or resumed, with keys of a kind. Raises
        SolutionFileError for work on a different problem."""
        self._keys, store = keys, self._store
        problem = {
            "problem": identity_of(self._game, self._root),
            "keys": keys,
            "fingerprint": self._batches().fingerprint,
        }
        if not resumes or not store.contents:
            store.begin(problem)
            return store.contents
        for name, wanted in problem.items():
            if store.contents.get(name) != wanted:
                raise SolutionFileError(
                    "it is of other rules, parameters, moves or another gamedsl"
                )
        if "stored" not in store.contents:
            store.go_on()
        return store.contents

    def solve(self, room: Room | None, ranks: Ranks) -> None:
        """Do all work that is left, and finish the folder."""
        store, limits, batches = self._store, self._limits, self._batches()
        is_resumed = bool(store.facts)
        if is_resumed:
            refuse_odd_keys(self._batches(verifies=True), store, limits.threads, ranks)
        ranks.gather(None)  # nothing is in the folder that will be removed
        if room is None:
            size = usable_bytes() if limits.bytes is None else limits.bytes
            room = Room.within(size // 2, batches, limits.threads)
        solver = LayeredSolver(
            batches,
            store,
            room,
            Crew(limits.threads, batches.worker, ranks),
            max_keys=limits.positions,
            progress=limits.progress,
        )
        solver.solve()
        if is_resumed:
            self._refuse_wrong(solver, room, ranks)
        solved_by = SolverName.NATIVE_INDUCTION if batches.low else SolverName.NATIVE_RETROGRADE
        facts = rules_of(self._game, self._root) | {"solver": solved_by.value}
        store.finish({**facts, "stored": solver.facts})
        ranks.gather(None)  # the folder is finished

    def _refuse_wrong(self, solver: LayeredSolver, room: Room, ranks: Ranks) -> None:
        """Verify all layers before the folder is finished, so that verification that is cut off is
        done again."""
        facts, levels, batches = solver.facts, solver.levels, self._batches(verifies=True)
        wrong = fault_of(facts, levels, batches, self._store, self._limits, room.table, ranks)
        if wrong is not None:
            raise SolutionFileError(f"what comes of it is wrong: {wrong[0]}")

    def _batches(self, **how: bool) -> Batches:
        return _batches(self._accelerator, self._root, **self._keys, **how)


def _opened(folder: Path) -> SavedSolution:
    saved = open_solution(folder)
    assert isinstance(saved, SavedSolution), "a folder holds positions"
    return saved


def _batches(accelerator: Accelerator, root: State, **how: bool) -> Batches:
    batches: Batches | Refusal = accelerator.batches(root, **how)
    if isinstance(batches, Refusal):
        raise UnsupportedGameError(f"it cannot be solved by layers: {batches}", ADVICE)
    return batches
