"""Work that is cut off and gone on with, against work that nobody disturbs."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.archive import format as solution_format
from gamedsl.archive.checkpoints import CheckpointFile
from gamedsl.archive.saved import open_solution
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.native import ForeignWorkError, StoredPositions
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.chance.interval import KernelInterval
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.native_code import KernelCode
from gamedsl.solvers.kernels.returning.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.symmetry.orbits import Orbits
from gamedsl.solvers.kernels.table_layout import entry_layout
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.kernels.transposition_table import Limits
from gamedsl.solvers.solution import SolverName

CIRCLING = """game "Circling"
players A, B
state:
    at: 0..199 = 0
move walk(n in 1..3):
    at = (at * 2 + n) % 200
move back:
    require at > 50
    at -= 7
end:
    if at == 198: turn wins
    if at == 77: draw
endless: draw
"""
SOLVERS = [
    (KernelInduction, "nim", {"sizes": "[3, 4, 5]"}),
    (KernelRetrograde, CIRCLING, {}),
    (KernelInterval, "pig", {"goal": "4"}),
]


class CutError(Exception):
    """The process has been killed."""


class Cut(CheckpointFile):
    """Checkpoints at every slice, and a death after so many."""

    left = 0

    def is_due(self) -> bool:
        return True

    def keep(self, work: StoredPositions) -> None:
        super().keep(work)
        self.left -= 1
        if not self.left:
            raise CutError


def game_of(text: str, parameters: dict[str, str]) -> LoadedGame:
    return gamedsl.load(text, "python", **parameters)


def solved(kind: type[TableSolver], game: LoadedGame, checkpoints: Cut | None) -> StoredPositions:  # type: ignore[type-arg]
    assert isinstance(game.engine, CompiledEngine)
    solver = kind(game.engine, native=False)
    found = solver.solve(game.initial_state(), checkpoints=checkpoints)
    assert found.stored is not None
    return found.stored  # type: ignore[no-any-return]


@pytest.mark.parametrize("slices", [1, 20])
@pytest.mark.parametrize(("kind", "text", "parameters"), SOLVERS)
def test_work_that_is_cut_off_again_and_again_comes_to_the_same_numbers(
    kind: type[TableSolver],  # type: ignore[type-arg]
    text: str,
    parameters: dict[str, str],
    slices: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transposition_table, "SLICE", 40)
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 16)
    game = game_of(text, parameters)
    wanted, cuts = solved(kind, game, None), 0
    while True:
        checkpoints = Cut(tmp_path / "out", game, game.initial_state())
        checkpoints.left = slices
        try:
            found = solved(kind, game, checkpoints)
            break
        except CutError:
            cuts += 1
    assert cuts > 2 or slices == 20
    assert found.facts == wanted.facts
    for name, numbers in wanted.arrays.items():
        assert list(found.arrays[name]) == list(numbers)


def kept(tmp_path: Path, kind: type[TableSolver], text: str, parameters: dict[str, str]) -> Path:  # type: ignore[type-arg]
    game = game_of(text, parameters)
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    checkpoints.left = 1
    with pytest.raises(CutError):
        solved(kind, game, checkpoints)
    return checkpoints.path


def test_work_on_something_else_is_refused(tmp_path: Path) -> None:
    kept(tmp_path, *SOLVERS[2])
    other = game_of("pig", {"goal": "8"})
    with pytest.raises(SolutionFileError, match="other rules, parameters"):
        _ = CheckpointFile(tmp_path / "out", other, other.initial_state()).found


def test_work_of_another_solver_is_refused(tmp_path: Path) -> None:
    kept(tmp_path, *SOLVERS[1])
    game = game_of(CIRCLING, {})
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    with pytest.raises(ForeignWorkError, match="another solver"):
        solved(KernelInduction, game, checkpoints)


def test_work_that_an_earlier_version_has_kept_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(tmp_path, *SOLVERS[1])
    monkeypatch.setattr(KernelRetrograde, "notes", KernelRetrograde.notes + 1)
    game = game_of(CIRCLING, {})
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    with pytest.raises(ForeignWorkError, match="earlier version"):
        solved(KernelRetrograde, game, checkpoints)


def test_work_of_a_solver_that_gives_up_does_not_stand_in_the_way_of_the_next(
    tmp_path: Path,
) -> None:
    game = game_of(CIRCLING, {})
    assert isinstance(game.engine, CompiledEngine)
    solver = KernelInduction(game.engine, native=False)
    solver._use(Orbits(game.engine), game.initial_state())
    run = solver._run(  # as if it had been cut off in time
        entry_layout(game.engine), Limits(None, 1 << 20), None, None
    )
    checkpoints = CheckpointFile(tmp_path / "out", game, game.initial_state())
    run._table.put_key(game.initial_state(), run._keys)
    run._step = 1
    checkpoints.keep(run._work())
    found = KernelCode(game.engine).solve(
        game.initial_state(), returns=False, checkpoints=checkpoints
    )
    assert found is not None
    assert found[0] is SolverName.NATIVE_RETROGRADE


def test_damaged_work_is_refused(tmp_path: Path) -> None:
    path = kept(tmp_path, *SOLVERS[1])
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)
    game = game_of(CIRCLING, {})
    with pytest.raises(SolutionFileError, match="damaged"):
        solved(KernelRetrograde, game, Cut(tmp_path / "out", game, game.initial_state()))


def test_work_under_way_is_no_solution(tmp_path: Path) -> None:
    path = kept(tmp_path, *SOLVERS[1])
    with pytest.raises(SolutionFileError, match="resume` goes on with it"):
        open_solution(path)


def test_a_full_disk_is_said_once_and_what_was_kept_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = kept(tmp_path, *SOLVERS[1])
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(solution_format, "_write", full)
    said: list[str] = []
    game = game_of(CIRCLING, {})
    checkpoints = CheckpointFile(tmp_path / "out", game, game.initial_state(), tell=said.append)
    work = checkpoints.found
    assert work is not None
    checkpoints.keep(work)
    checkpoints.keep(work)
    assert [message.endswith("No space left on device; the work goes on") for message in said] == [
        True
    ]
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
