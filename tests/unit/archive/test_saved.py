"""Solutions written to files, opened again, and verified."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.archive import format as solution_format
from gamedsl.archive.saved import SavedSolution, open_solution, save_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game import LoadedGame
from gamedsl.game.accelerator import NativeMode, SearchLimits
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.graph_solutions import solution_from_table
from gamedsl.solvers.kernels.chance.interval import KernelInterval
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.table_layout import entry_layout
from gamedsl.solvers.kernels.table_solver import TableSolver
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Solution
from gamedsl.solvers.solved_table import SolvedTable

ROUND = """game "Round"
players A, B
state:
    at: 0..19 = 0
move go(n in 1..2):
    at = (at + n) % 20
move back:
    require at > 0
    at -= 1
end:
    if at == 18: turn loses
endless: draw
"""
TURNED = """game "Turned"
players A, B
board 3 wide 3 high
state:
    man[square]: empty | players = empty
    hand[players]: 0..2 = 2
move put(s in square):
    require hand[turn] > 0 and man[s] == empty
    hand[turn] -= 1
    man[s] = turn
move slide(s in square, d in directions):
    require hand[turn] == 0 and man[s] == turn and man[s + d] == empty
    man[s] = empty
    man[s + d] = turn
end:
    if any(man[s] == opponent and man[t] == opponent for s in {a1, a3, c1, c3}
        for t in {a1, a3, c1, c3} where s != t and row(s) != row(t) and column(s) != column(t)):
        opponent wins
endless: draw
"""
CASES: dict[str, tuple[str, type[TableSolver], SolverName]] = {
    "induction": ("hexapawn", KernelInduction, SolverName.NATIVE_INDUCTION),
    "retrograde": (ROUND, KernelRetrograde, SolverName.NATIVE_RETROGRADE),
    "symmetry": (TURNED, KernelRetrograde, SolverName.NATIVE_RETROGRADE),
    "puzzle": ("hanoi", KernelRetrograde, SolverName.NATIVE_RETROGRADE),
    "interval": ("piglet", KernelInterval, SolverName.NATIVE_VALUE_ITERATION),
}


def solved(case: str) -> tuple[LoadedGame, Solution]:
    """A game solved by a kernel run as Python, which needs no compiler."""
    text, kernel, name = CASES[case]
    game = gamedsl.load(text, "python", **({"discs": "3"} if case == "puzzle" else {}))
    root = game.initial_state()
    positions = kernel(game.engine, native=False).solve(root)  # type: ignore[arg-type]
    return game, solution_from_table(SolvedTable(game, root, positions, name), name)


@pytest.fixture(params=list(CASES))
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[LoadedGame, Solution, Path]:
    game, solution = solved(request.param)
    path = tmp_path / "some.solution"
    save_solution(game, solution, path)
    return game, solution, path


def test_a_solution_that_was_saved_says_the_same(kept: tuple[LoadedGame, Solution, Path]) -> None:
    _, solution, path = kept
    saved = open_solution(path)
    assert solution.solved is not None
    assert len(saved) == len(solution.solved)
    assert saved.table.error_bound == solution.error_bound or solution.chance_nodes
    for state in solution.solved.states:
        assert saved[state] == solution.solved.value(state)
        assert saved.table.remoteness(state) == solution.solved.remoteness(state)
        assert saved.table.choice(state) == solution.solved.choice(state)
        assert saved.assessed(state) == solution.solved.assessed(state)


def test_a_solution_that_was_saved_is_verified(kept: tuple[LoadedGame, Solution, Path]) -> None:
    found = verify_solution(open_solution(kept[2]))
    assert found.fault is None
    assert found.is_whole
    assert found.looked_at > 20


def test_some_states_are_verified_where_that_is_asked_for(
    kept: tuple[LoadedGame, Solution, Path],
) -> None:
    found = verify_solution(open_solution(kept[2]), most=10)
    assert (found.looked_at, found.fault, found.is_whole) == (10, None, False)


def test_progress_counts_what_is_still_to_be_verified(
    kept: tuple[LoadedGame, Solution, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("gamedsl.archive.verification.REPORT_EVERY", 5)
    limits = SearchLimits(progress=lambda *at: told.append(at))
    verify_solution(open_solution(kept[2]), most=10, limits=limits)
    assert told == [(5, 5), (10, 0)]


def test_every_damaged_byte_is_found(kept: tuple[LoadedGame, Solution, Path]) -> None:
    path = kept[2]
    content = path.read_bytes()
    draw = random.Random(1)
    for _ in range(60):
        place, bit = draw.randrange(len(content)), 1 << draw.randrange(8)
        damaged = bytearray(content)
        damaged[place] ^= bit
        path.write_bytes(damaged)
        with pytest.raises(SolutionFileError):
            verify_solution(open_solution(path))


@pytest.mark.parametrize("kept", [0, 10, 40, -1, -70])
def test_a_file_that_was_cut_off_is_refused(kept: int, tmp_path: Path) -> None:
    game, solution = solved("retrograde")
    path = tmp_path / "cut.solution"
    save_solution(game, solution, path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(SolutionFileError):
        open_solution(path)


Change = Callable[[dict[str, list[int]]], None]


def changed(case: str, path: Path, change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solution written with right checksums and wrong numbers."""
    game, solution = solved(case)
    write = solution_format.write_solution

    def written(where: Path, facts: object, arrays: dict[str, object]) -> None:
        numbers = {name: list(row) for name, row in arrays.items()}  # type: ignore[call-overload]
        change(numbers)
        write(where, facts, numbers)  # type: ignore[arg-type]

    monkeypatch.setattr("gamedsl.archive.saved.write_solution", written)
    save_solution(game, solution, path)


def recoded(
    numbers: dict[str, list[int]], change: Callable[[int, int], tuple[int, int]], most: int = 10**9
) -> None:
    """Change plies + 1 (0: endless) and the payoff of so many entries where that is a change."""
    engine = gamedsl.load(ROUND, "python").engine
    assert isinstance(engine, CompiledEngine)
    layout = entry_layout(engine, marks=2, has_turn=False)  # players are swapped
    shift, bits = layout.shift, layout.class_bits
    assert layout.width == 1
    for place, entry in enumerate(numbers["table"]):
        length, payoff = divmod(entry >> shift, 1 << bits)
        other = change(length, payoff)
        if entry and other != (length, payoff) and most:
            code = other[0] << bits | other[1]
            numbers["table"][place] = entry & (1 << shift) - 1 | code << shift
            most -= 1


def another_value(numbers: dict[str, list[int]]) -> None:
    recoded(numbers, lambda length, payoff: (length, 1 - payoff if length > 1 else payoff), 1)


def another_length(numbers: dict[str, list[int]]) -> None:
    recoded(numbers, lambda length, payoff: (length + 2 if length > 1 else length, payoff), 1)


def an_end_in_place_of_a_circle(numbers: dict[str, list[int]]) -> None:
    recoded(numbers, lambda length, payoff: (length, payoff) if length else (8, 0))


def an_ending_that_goes_on(numbers: dict[str, list[int]]) -> None:
    recoded(numbers, lambda length, payoff: (length + 2 if length else 0, payoff))


@pytest.mark.parametrize(
    "change",
    [another_value, another_length, an_end_in_place_of_a_circle, an_ending_that_goes_on],
)
def test_a_wrong_number_under_a_right_checksum_is_found(
    change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "planted.solution"
    changed("retrograde", path, change, monkeypatch)
    assert verify_solution(open_solution(path)).fault is not None


def test_wrong_counts_under_a_right_checksum_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, solution = solved("retrograde")
    write = solution_format.write_solution

    def written(where: Path, facts: dict[str, Any], arrays: object) -> None:
        (length, payoff, count), *others = facts["stored"]["tallies"]
        facts["stored"]["tallies"] = [[length + 1, payoff, count], *others]
        write(where, facts, arrays)  # type: ignore[arg-type]

    monkeypatch.setattr("gamedsl.archive.saved.write_solution", written)
    save_solution(game, solution, tmp_path / "planted.solution")
    fault = verify_solution(open_solution(tmp_path / "planted.solution")).fault
    assert fault is not None
    assert "other numbers of positions" in fault


def test_a_wrong_move_under_a_right_checksum_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def another_move(numbers: dict[str, list[int]]) -> None:
        numbers["choices"] = [1 - choice if choice >= 0 else -1 for choice in numbers["choices"]]

    path = tmp_path / "planted.solution"
    changed("interval", path, another_move, monkeypatch)
    fault = verify_solution(open_solution(path)).fault
    assert fault is not None
    assert "the move that it takes" in fault


def test_a_missing_position_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_one(numbers: dict[str, list[int]]) -> None:
        table = numbers["table"]
        place = next(n for n in range(len(table) - 1, -1, -1) if table[n])
        table[place] = 0

    path = tmp_path / "planted.solution"
    changed("induction", path, without_one, monkeypatch)
    found = verify_solution(open_solution(path))
    assert found.fault is not None
    assert "not in it" in found.fault or "it says that it has" in found.fault


def test_a_position_of_no_number_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def the_least_number(numbers: dict[str, list[int]]) -> None:
        table = numbers["table"]
        place = next(n for n in range(len(table)) if table[n])
        table[place] = -(1 << 63)

    path = tmp_path / "planted.solution"
    changed("interval", path, the_least_number, monkeypatch)
    with pytest.raises(SolutionFileError, match="a position of number"):
        verify_solution(open_solution(path))


def test_a_wrong_expectation_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def another_bound(numbers: dict[str, list[int]]) -> None:
        numbers["lower"][0] //= 2

    path = tmp_path / "planted.solution"
    changed("interval", path, another_bound, monkeypatch)
    assert verify_solution(open_solution(path)).fault is not None


def test_what_is_no_solution_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.solution"
    path.write_text('game "No"\n' * 20)
    with pytest.raises(SolutionFileError, match="no solution that gamedsl has written"):
        open_solution(path)


CIRCLE = """game "A circle that pays"
discount = 1/2
players A
state:
    at: 0..3 = 0
move go:
    reward A: at
    at = (at + 1) % 4
move rest:
    at = 0
"""


JUGS = """game "Two jugs"
players A
state:
    large: 0..5 = 5
    small: 0..3 = 0
move pour:
    reward A: -1
    let n = min(large, 3 - small)
    require n > 0
    large, small = large - n, small + n
move back:
    reward A: -1
    let n = min(small, 5 - large)
    require n > 0
    large, small = large + n, small - n
move spill:
    reward A: -1
    require small > 0
    small = 0
move fill:
    reward A: -1
    large = 5
end:
    if large == 4: draw
endless: draw
"""


TRAP = """game "Trap"
players A, B
state:
    at: 0..2 = 0
move leave:
    require at == 0
    at = 2
move stay:
    require at < 2
    at = 1
    reward A: -1, B: 1
end:
    if at == 2: payoff p: (0 if p == A else 1)
endless: payoff p: (0 if p == A else 1)
"""
"""Who stays once stays for ever, at A's cost."""

ONE_POINT = """game "One point"
players A, B
state:
    n: 0..6 = 0
move take(k in 1..2):
    require n + k <= 6
    n += k
end:
    if n == 6: payoff p: (1 if p == turn else 0)
"""


@pytest.mark.parametrize("text", [CIRCLE, JUGS, TRAP, ONE_POINT])
def test_values_of_any_sum_are_kept_exactly(tmp_path: Path, text: str) -> None:
    game = gamedsl.load(text, "python")
    solution = solve(game)
    assert solution.solved is not None
    save_solution(game, solution, tmp_path / "some.solution")
    saved = open_solution(tmp_path / "some.solution")
    assert isinstance(saved, SavedSolution)
    assert len(saved) == len(solution.solved)
    for state in solution.solved.states:
        assert saved[state] == solution.solved.value(state)
    assert verify_solution(saved).fault is None


def test_what_native_code_does_not_solve_is_not_saved(tmp_path: Path) -> None:
    game = gamedsl.load(CIRCLE + "repeat state: draw\n", "python")
    with pytest.raises(UnsupportedGameError, match="is not saved: "):
        save_solution(game, solve(game), tmp_path / "none.solution")
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_where_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, solution = solved("retrograde")
    path = tmp_path / "some.solution"
    path.write_text("before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(solution_format, "_write_array", full)
    with pytest.raises(OSError, match="No space"):
        save_solution(game, solution, path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_variant_is_kept_with_what_it_includes(tmp_path: Path) -> None:
    """The rules in the file are whole: what they include need not be there any more."""
    base, variant = tmp_path / "base.game", tmp_path / "variant.game"
    base.write_text(ROUND)
    variant.write_text('include "base.game"\n\ngame "Sooner"\nend:\n    if at == 9: turn loses\n')
    game = gamedsl.load(variant, "python")
    assert game.native_mode is not NativeMode.ALWAYS
    root = game.initial_state()
    positions = KernelRetrograde(game.engine, native=False).solve(root)  # type: ignore[arg-type]
    name = SolverName.NATIVE_RETROGRADE
    parts = solution_from_table(SolvedTable(game, root, positions, name), name)
    save_solution(game, parts, tmp_path / "variant.solution")
    base.unlink()
    saved = open_solution(tmp_path / "variant.solution")
    assert saved.game.name == "Sooner"
    assert verify_solution(saved).fault is None


def test_rules_that_may_go_many_rounds_are_read_again(tmp_path: Path) -> None:
    loops = ["if at == 19 and at == 18:", *(f"for {x} in 1..300:" for x in "abc"), "at = 0"]
    many = "".join(f"{'    ' * depth}{line}\n" for depth, line in enumerate(loops, 1))
    text = ROUND.replace("% 20\n", "% 20\n" + many)
    game = gamedsl.load(text, "python", max_rounds=10**8)
    root = game.initial_state()
    positions = KernelRetrograde(game.engine, native=False).solve(root)  # type: ignore[arg-type]
    name = SolverName.NATIVE_RETROGRADE
    parts = solution_from_table(SolvedTable(game, root, positions, name), name)
    save_solution(game, parts, tmp_path / "many.solution")
    assert open_solution(tmp_path / "many.solution").game.model.max_rounds == 10**8


FAIR = """game "Fair"
players A, B
state:
    left: 0..3 = 3
    side: 0..1 = 0
    score: -3..3 = 0
move flip:
    chance side in {0: 1/3, 1: 2/3}
    score += 1 if side == 1 else -1
    left -= 1
end:
    if left == 0: payoff A: score - 1, B: 1 - score
"""


def test_what_was_exact_is_exact_in_a_file(tmp_path: Path) -> None:
    """An exact 0 came back as 0.000000000000 with an error."""
    game, path = gamedsl.load(FAIR), tmp_path / "fair.solution"
    solution = solve(game)
    save_solution(game, solution, path)
    saved = open_solution(path)
    assert isinstance(saved, SavedSolution)
    again = solution_from_table(saved.table, saved.table.solver)
    assert (again.value, again.error_bound) == ((0, 0), 0)
    assert again.outcome == solution.outcome
    assert verify_solution(saved).fault is None


@pytest.mark.parametrize("planted", [["1/7", "-1/7"], [f"1/{10**30}", f"-1/{10**30}"]])
def test_an_exact_value_that_is_none_is_noticed(planted: list[str], tmp_path: Path) -> None:
    game, path = gamedsl.load(FAIR), tmp_path / "fair.solution"
    save_solution(game, solve(game), path)
    file = solution_format.SolutionFile(path)
    exact = file.facts["exact"]
    facts = {**file.facts, "exact": [planted if one == ["0", "0"] else one for one in exact]}
    arrays = {name: list(numbers) for name, numbers in file.arrays.items()}
    solution_format.write_solution(path, facts, arrays)
    is_far = pytest.raises(SolutionFileError, match="within the bounds")
    with is_far if "1/7" in planted else nullcontext():
        saved = open_solution(path)
        assert isinstance(saved, SavedSolution)
        assert verify_solution(saved).fault is not None
