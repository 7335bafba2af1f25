"""Work that is cut off and gone on with, against work that nobody disturbs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.archive import format as solution_format
from gamedsl.archive.checkpoints import CheckpointFile
from gamedsl.archive.format import SolutionFile, write_solution
from gamedsl.archive.saved import open_solution
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import ForeignWorkError, StoredPositions
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.accelerator import KernelAccelerator
from gamedsl.solvers.kernels.chance.interval import KernelInterval
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.symmetry.orbits import Orbits
from gamedsl.solvers.kernels.table_layout import entry_layout
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.kernels.transposition_table import Limits
from gamedsl.solvers.methods import SolverName
from tests.hostile.solution_plants import IMAGES

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
TAKING = """game "Taking"
players A, B, C
state:
    left: 0..50 = 50
    held[players]: 0..2 = 0
move take(n in 1..3):
    require n <= left
    left -= n
    held[turn] = (held[turn] + n) % 3
    reward turn: -1
end:
    if left == 0: payoff p: (held[p] if p != turn else 3)
"""
SOLVERS = [
    (KernelInduction, "nim", {"sizes": "[4, 5, 6, 3]"}),
    (KernelRetrograde, CIRCLING, {}),
    (KernelInterval, "pig", {"goal": "8"}),
    (KernelInduction, TAKING, {}),
]


class CutError(Exception):
    """The process has been killed."""


class Cut(CheckpointFile):
    """Checkpoints at every slice of a step and those behind it, and a death after so many."""

    left = 0
    step = 0

    def is_due(self) -> bool:
        return True

    def keep(self, work: StoredPositions) -> None:
        if work.facts["step"] < self.step:
            return
        super().keep(work)
        self.left -= 1
        if not self.left:
            raise CutError


def game_of(text: str, parameters: dict[str, str]) -> LoadedGame:
    return gamedsl.load(text, "python", **parameters)


def solved(
    kind: type[TableSolver],  # type: ignore[type-arg]
    game: LoadedGame,
    checkpoints: Cut | None,
    *,
    native: bool = False,
) -> StoredPositions:
    assert isinstance(game.engine, CompiledEngine)
    solver = kind(game.engine, native=native)
    found = solver.solve(game.initial_state(), checkpoints=checkpoints)
    assert found.stored is not None
    return found.stored  # type: ignore[no-any-return]


@pytest.mark.parametrize("slices", [6, 20])
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
    kept(tmp_path, *SOLVERS[0])
    other = game_of("nim", {"sizes": "[3, 4, 5]"})
    with pytest.raises(SolutionFileError, match="other rules, parameters"):
        _ = CheckpointFile(tmp_path / "out", other, other.initial_state()).latest


def test_work_of_another_solver_is_refused(tmp_path: Path) -> None:
    kept(tmp_path, *SOLVERS[1])
    game = game_of(CIRCLING, {})
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    with pytest.raises(ForeignWorkError, match="another solver"):
        solved(KernelInduction, game, checkpoints)


def test_work_that_an_earlier_version_has_kept_is_refused(tmp_path: Path) -> None:
    path = kept(tmp_path, *SOLVERS[1])
    facts, arrays = contents(path)
    del facts["stored"]["places"]
    write_solution(path, facts, arrays)
    game = game_of(CIRCLING, {})
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    with pytest.raises(SolutionFileError, match="no `places`"):
        solved(KernelRetrograde, game, checkpoints)


def contents(path: Path) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """What a file holds."""
    file = SolutionFile(path)
    return file.facts, {name: [*numbers] for name, numbers in file.arrays.items()}


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
    run._step = 1
    checkpoints.keep(run.work())
    found = KernelAccelerator(game.engine).solve(
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
    work = checkpoints.latest
    assert work is not None
    checkpoints.keep(work)
    checkpoints.keep(work)
    assert [message.endswith("No space left on device; the work goes on") for message in said] == [
        True
    ]
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


# --- what is planted under right checksums -------------------------------------------------------


def used_places(table: list[int]) -> list[int]:
    return [place for place, number in enumerate(table) if number]


def plant_key(facts: dict[str, Any], arrays: dict[str, list[int]]) -> None:
    table = arrays["table"]
    table[used_places(table)[0]] |= (1 << facts["stored"]["shift"]) - 1


def plant_twice(_: dict[str, Any], arrays: dict[str, list[int]]) -> None:
    table = arrays["table"]
    table[table.index(0)] = table[used_places(table)[0]]


def plant_payoff(facts: dict[str, Any], arrays: dict[str, list[int]]) -> None:
    stored, table = facts["stored"], arrays["table"]
    table[used_places(table)[-1]] |= (1 << stored["class_bits"]) - 1 << stored["shift"]


def plant_everywhere(_: dict[str, Any], arrays: dict[str, list[int]]) -> None:
    arrays["table"] = [number or 1 << 60 for number in arrays["table"]]


def plant_beside(_: dict[str, Any], arrays: dict[str, list[int]]) -> None:
    arrays["table"][arrays["table"].index(0)] = 1


def plant_fact(name: str, value: Any) -> Any:
    def plant(facts: dict[str, Any], _: dict[str, list[int]]) -> None:
        assert name in facts["stored"]
        facts["stored"][name] = value

    return plant


def plant_number(name: str, value: int) -> Any:
    def plant(_: dict[str, Any], arrays: dict[str, list[int]]) -> None:
        arrays[name][0] = value

    return plant


def plant_note(number: int, value: int) -> Any:
    def plant(facts: dict[str, Any], _: dict[str, list[int]]) -> None:
        facts["stored"]["notes"][number] = value

    return plant


PLANTS: dict[str, tuple[int, Any]] = {
    "a key that is no state": (1, plant_key),
    "a state twice": (1, plant_twice),
    "a payoff that there is not": (1, plant_payoff),
    "no free entry": (1, plant_everywhere),
    "a number in a free entry": (1, plant_beside),
    "a level that there is not": (1, plant_fact("level", 99)),
    "a length beyond all": (1, plant_fact("length", 1 << 40)),
    "parts beyond the table": (1, plant_fact("places", [[0, 64, 1 << 20]])),
    "parts that are none": (1, plant_fact("places", 3)),
    "a step that there is not": (1, plant_fact("step", 4)),
    "payoffs that nobody gets": (1, plant_fact("paid", [[0, 0, 0]])),
    "payoffs that are not opposed": (1, plant_fact("paid", [[1, 1, 0], [1, 2, 2]])),
    "a bound beyond the payoffs": (2, plant_number("lower", 1 << 60)),
    "a choice that there is not": (2, plant_number("choices", 1 << 40)),
    "more settled than there are": (2, plant_note(0, 1 << 50)),
    "more sweeps than there may be": (2, plant_note(1, 1 << 50)),
    "notes that are none": (2, plant_fact("notes", [1])),
}


@pytest.mark.parametrize("plant", PLANTS)
def test_what_no_checkpoint_can_have_is_refused_before_kernels_see_it(
    plant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transposition_table, "SLICE", 4)
    number, change = PLANTS[plant]
    kind, text, parameters = SOLVERS[number]
    game = game_of(text, parameters)
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    checkpoints.step, checkpoints.left = 2, 1
    with pytest.raises(CutError):
        solved(kind, game, checkpoints)
    facts, arrays = contents(checkpoints.path)
    change(facts, arrays)
    write_solution(checkpoints.path, facts, arrays)
    with pytest.raises((SolutionFileError, ForeignWorkError)):
        solved(kind, game, Cut(tmp_path / "out", game, game.initial_state()))


@pytest.mark.parametrize("ways", [-145, 0, 2**63 - 1])
def test_any_number_of_edges_told_by_a_checkpoint_comes_to_the_same_values(
    ways: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transposition_table, "SLICE", 10)
    game = game_of(IMAGES, {})
    wanted = solved(KernelRetrograde, game, None, native=True)
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    checkpoints.step, checkpoints.left = 1, 3
    with pytest.raises(CutError):
        solved(KernelRetrograde, game, checkpoints, native=True)
    facts, arrays = contents(checkpoints.path)
    facts["stored"]["ways"] = ways
    write_solution(checkpoints.path, facts, arrays)
    checkpoints = Cut(tmp_path / "out", game, game.initial_state())
    again = solved(KernelRetrograde, game, checkpoints, native=True)
    assert again.facts == wanted.facts
    assert list(again.arrays["table"]) == list(wanted.arrays["table"])
