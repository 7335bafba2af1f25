"""Solve a game in a folder, layer by layer, with a bound on memory.

In: a game, a position, a folder. Out: the saved solution, open. The folder holds the work on the
way, from which later work goes on. Earlier work is not trusted: keys are those of positions before
machine code plays from them, and the solution that comes of them is verified.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gamedsl.archive.confirmation import refuse_odd_keys
from gamedsl.archive.layers import LayerFolder, is_ours_alone
from gamedsl.archive.rules import identity_of, rules_of
from gamedsl.archive.saved import SavedSolution, open_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.game.accelerator import NO_LIMITS, Accelerator, Refusal, SearchLimits, machine_code_of
from gamedsl.game.batches import Batches, CodesTooWideError, UnmergedError
from gamedsl.game.game import LoadedGame
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.memory import usable_bytes
from gamedsl.solvers.methods import SolverName
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
) -> SavedSolution:
    """Solve all positions that can be reached from a position, in a folder.

    Args:
        game, root: the game and the first position.
        folder: made if it is not there. Whatever is in it has to be earlier work or a solution.
        limits: `bytes` bounds the memory of tables and keys, `positions` the number of keys.
        resumes: go on from earlier work in the folder; finished work is opened.
        room: how many keys are held at a time, in place of `limits.bytes`.

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
    folder.mkdir(exist_ok=True)
    if not is_ours_alone(folder):
        raise SolutionFileError("it has files that are no part of a solution")
    store = LayerFolder(folder)
    merges, is_tight = limits.uses_symmetry, True
    if resumes:
        how = store.contents.get("keys", {})
        if not isinstance(how, dict):
            raise SolutionFileError("it does not say how its keys are written")
        merges, is_tight = how.get("merges") is not False, how.get("is_tight") is not False
    while True:
        try:
            batches = _batches(accelerator, root, merges=merges, is_tight=is_tight)
            problem = {
                "problem": identity_of(game, root),
                "keys": {"merges": merges, "is_tight": is_tight},
                "fingerprint": batches.fingerprint,
            }
            _begin(store, problem, resumes=resumes)
            if "stored" in store.contents:
                return _opened(folder)
            is_resumed = bool(store.facts)
            if is_resumed:
                verifier = _batches(
                    accelerator, root, merges=merges, is_tight=is_tight, verifies=True
                )
                refuse_odd_keys(verifier, store)
            solver = LayeredSolver(
                batches,
                store,
                room or _room(limits, batches),
                threads=limits.threads,
                max_keys=limits.positions,
                progress=limits.progress,
            )
            solver.solve()
            solved_by = SolverName.NATIVE_INDUCTION if batches.low else SolverName.NATIVE_RETROGRADE
            facts = rules_of(game, root) | {"solver": solved_by.value}
            store.finish({**facts, "stored": solver.facts})
            saved = _opened(folder)
            if is_resumed and (fault := verify_solution(saved).fault) is not None:
                raise SolutionFileError(f"what comes of it is wrong: {fault}")
            return saved
        except UnmergedError:
            merges, resumes = False, False
        except CodesTooWideError:
            is_tight, resumes = False, False
        finally:
            store.close()


def _opened(folder: Path) -> SavedSolution:
    saved = open_solution(folder)
    assert isinstance(saved, SavedSolution), "a folder holds positions"
    return saved


def _batches(accelerator: Accelerator, root: State, **how: bool) -> Batches:
    batches: Batches | Refusal = accelerator.batches(root, **how)
    if isinstance(batches, Refusal):
        raise UnsupportedGameError(f"it cannot be solved by layers: {batches}", ADVICE)
    return batches


def _begin(store: LayerFolder, problem: dict[str, Any], *, resumes: bool) -> None:
    """Begin or resume a problem. Raises SolutionFileError for work on a different problem."""
    if not resumes or not store.contents:
        store.begin(problem)
        return
    for name, wanted in problem.items():
        if store.contents.get(name) != wanted:
            raise SolutionFileError("it is of other rules, parameters, moves or another gamedsl")
    if "stored" not in store.contents:
        store.go_on()


def _room(limits: SearchLimits, batches: Batches) -> Room:
    size = usable_bytes() if limits.bytes is None else limits.bytes
    return Room.within(size // 2, batches, limits.threads)
