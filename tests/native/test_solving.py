"""Games solved by machine code, and when the planner leaves them to it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from time import perf_counter

import pytest

import gamedsl
from gamedsl.archive import saved
from gamedsl.archive.verification import verify_solution
from gamedsl.cli.saved import solution_at
from gamedsl.compiler import errors
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import SearchLimits
from gamedsl.model import GameRuleError, UnsupportedGameError
from gamedsl.reports.solutions.as_text import solution_text
from gamedsl.solvers import planner, problem
from gamedsl.solvers.expectations import verify_all
from gamedsl.solvers.kernels import accelerator, assembly, induction
from gamedsl.solvers.kernels.memory import zeros
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.search.alpha_beta import KernelAlphaBeta
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, Solution, Status
from tests.unit.archive.test_saved import TURNED
from tests.unit.solvers.exact.test_puzzle import SLIDING
from tests.unit.solvers.kernels.chance.test_turns import SMALL as THREE_BOXES
from tests.unit.solvers.kernels.solving import difference, random_duel, random_interests

pytest.importorskip("llvmlite")

STRIP = 'game "Strip"\nplayers A, B\nboard 70 wide 1 high\n\n'
STRIP += "state:\n    cell[square]: empty | players = empty\n    steps: 0..12 = 0\n\n"
STRIP += "move fill(s in square):\n    require column(s) in {1, 8, 63, 66} and cell[s] == empty\n"
STRIP += "    cell[s] = turn\n    steps += 1\n\nend:\n    if steps == 4: turn loses\n"
FAILING = (
    'game "Failing"\nplayers A, B\n\nstate:\n    left: 0..300 = 300\n    taken: 0..299 = 0\n\n'
)
FAILING += "move take(n in 1..2):\n    require n <= left\n    left -= n\n    taken += n\n\n"
FAILING += "end:\n    if left == 0: turn loses\n"
ROUND = 'game "Round"\nplayers A, B\n\nstate:\n    at: 0..999 = 0\n\nmove go(n in 1..2):\n'
ROUND += "    at = (at + n) % 1000\n\nend:\n    if at == 998: turn loses\nendless: draw\n"
BACK = ROUND.replace("\n\nend", "\n\nmove back:\n    require at > 0\n    at -= 1\n\nend")


@pytest.fixture
def _in_a_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code is kept where no other tests see it."""
    folder = tmp_path_factory.getbasetemp() / "solving"
    monkeypatch.setattr("gamedsl.compiler.native.cache_folder", lambda: folder)


pytestmark = pytest.mark.usefixtures("_in_a_folder")


@pytest.fixture
def _early(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` goes over to native code after a few states."""
    monkeypatch.setattr(problem, "WORTH_COMPILING", 100)


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Native code is not left out where Python has seen all positions."""
    monkeypatch.setattr(problem, "A_LOOK", 5)


def solved(source: str, engine: str, **settings: str) -> Solution:
    return solve(gamedsl.load(source, engine, **settings))


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("native code is asked")


@pytest.mark.parametrize(
    "source", ["connect_small", "dots_and_boxes", STRIP, BACK, TURNED, random_duel(5)]
)
def test_machine_code_says_of_every_state_what_python_says(source: str) -> None:
    assert difference(gamedsl.load(source, "python"), 20_000, native=True) is None


def test_machine_code_with_keys_that_leave_out_what_is_common_says_what_python_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where codes are given more bits than the dense key of this game leaves."""
    monkeypatch.setattr(KernelRetrograde, "least_room", 46)
    assert difference(gamedsl.load(TURNED, "python"), 20_000, native=True) is None


@pytest.mark.parametrize(
    ("width", "height", "positions", "endings"),
    [(4, 4, 161_029, 26_740), (4, 5, 1_706_255, None), (5, 4, 3_945_711, None)],
)
def test_connect_four_on_small_boards_has_the_published_number_of_positions(
    width: int, height: int, positions: int, endings: int | None
) -> None:
    found = solved("connect_small", "native", width=str(width), height=str(height))
    assert (found.positions, found.outcome) == (positions, "draw")
    assert found.terminals == endings or endings is None
    assert found.plies == width * height


@pytest.mark.usefixtures("_early")
@pytest.mark.parametrize("name", ["hexapawn", "domineering"])
def test_a_large_game_is_left_to_machine_code_which_says_the_same(name: str) -> None:
    by_python, native = solved(name, "python"), solved(name, "auto")
    assert by_python.solver is SolverName.BACKWARD_INDUCTION
    assert native.solver is SolverName.NATIVE_INDUCTION
    alike = replace(native, solver=by_python.solver, seconds=by_python.seconds)
    assert alike == by_python


def test_a_puzzle_that_is_not_small_is_left_to_machine_code_which_says_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_python = solved("hanoi", "python", discs="6")
    monkeypatch.setattr(problem, "SMALL_PUZZLE", 50)
    native = solved("hanoi", "auto", discs="6")
    assert (by_python.positions, by_python.plies) == (729, 63)
    assert (by_python.solver, native.solver) == (
        SolverName.RETROGRADE,
        SolverName.NATIVE_RETROGRADE,
    )
    assert replace(native, solver=by_python.solver, seconds=by_python.seconds) == by_python


def test_a_small_game_is_solved_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accelerator.KernelAccelerator, "solve", refuse)
    assert solved("tic_tac_toe", "auto").solver is SolverName.BACKWARD_INDUCTION


@pytest.mark.usefixtures("_early")
@pytest.mark.parametrize("engine", ["python", "interpreter"])
def test_other_engines_never_ask_for_machine_code(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(induction.KernelInduction, "solve", refuse)
    assert solved("hexapawn", engine).solver is SolverName.BACKWARD_INDUCTION


@pytest.mark.usefixtures("_early")
def test_without_llvmlite_all_is_solved_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda _: None)
    monkeypatch.setattr(accelerator.KernelAccelerator, "solve", refuse)
    assert solved("hexapawn", "auto").solver is SolverName.BACKWARD_INDUCTION


def test_without_llvmlite_no_kernel_is_asked_what_it_would_take_or_solves_to_save(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda _: None)
    monkeypatch.setattr(accelerator, "KernelInduction", refuse)
    game = gamedsl.load("hexapawn")
    with pytest.raises(UnsupportedGameError, match="llvmlite"):
        gamedsl.save_solution(game, gamedsl.solve(game), tmp_path / "hexapawn.solution")
    found = gamedsl.estimate("hexapawn", seconds=0.1)
    native = [one for one in found.forecasts if "native" in one.solver.value]
    assert errors.NO_LLVM in {one.why_not for one in native}


@pytest.mark.parametrize("engine", ["auto", "native"])
def test_play_that_can_return_is_solved_by_retrograde_analysis(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_python = solved(ROUND, "python")
    monkeypatch.setattr(problem, "WORTH_COMPILING", 900)
    native = solved(ROUND, engine)
    assert by_python.solver is SolverName.RETROGRADE
    assert native.solver is SolverName.NATIVE_RETROGRADE
    assert replace(native, solver=by_python.solver, seconds=by_python.seconds) == by_python


def test_a_cycle_that_python_has_seen_spares_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problem, "WORTH_COMPILING", 900)
    monkeypatch.setattr(accelerator, "KernelInduction", refuse)
    assert solved(BACK, "auto").solver is SolverName.NATIVE_RETROGRADE


def test_chance_is_left_to_machine_code_which_finds_the_published_value() -> None:
    """Pig to 30 (value iteration by others): 47,000 positions."""
    found = solved("pig", "auto", goal="30")
    assert found.solver is SolverName.NATIVE_VALUE_ITERATION
    assert found.win_probability is not None
    assert abs(found.win_probability - Fraction("0.567914744493")) < Fraction(1, 10**12)
    assert found.error_bound < Fraction(1, 10**11)


@pytest.mark.usefixtures("_at_once")
@pytest.mark.parametrize(("name", "settings"), [("pig", {"goal": "8"}), ("knuth_yao_die", {})])
def test_machine_code_says_of_a_game_with_chance_what_python_says(
    name: str, settings: dict[str, str]
) -> None:
    by_python, native = solved(name, "python", **settings), solved(name, "native", **settings)
    assert (native.positions, native.terminals, native.chance_nodes) == (
        by_python.positions,
        by_python.terminals,
        by_python.chance_nodes,
    )
    assert native.value is not None
    assert by_python.value is not None
    errors = zip(native.value, by_python.value, strict=True)
    assert all(abs(one - other) <= native.error_bound for one, other in errors)
    assert native.best == by_python.best


COSTLY = """game "Costly race"
discount = 9/10
players A, B
state:
    at[players]: 0..20 = 0
move throw:
    reward turn: -1/7, opponent: 1/7
    chance die in {1: 1/2, 2: 1/3, 5: 1/6}
    reward A: die / 3, B: -(die / 3)
    at[turn] = (at[turn] + die) % 21
move rest:
    require at[turn] % 3 == 1
end:
    for p in players:
        if at[p] == 20: p wins
endless: draw
"""
"""Both can circle for ever; rewards of moves and of outcomes, weights of three kinds."""


@pytest.mark.usefixtures("_at_once")
def test_machine_code_says_of_a_game_with_rewards_and_chance_what_python_says() -> None:
    found, wanted = solve(gamedsl.load(COSTLY, "native")), solve(gamedsl.load(COSTLY, "python"))
    assert found.solver is SolverName.NATIVE_VALUE_ITERATION
    assert found.value is not None
    assert wanted.value is not None
    allowed = found.error_bound + wanted.error_bound
    assert abs(found.value[0] - wanted.value[0]) <= allowed
    assert found.best == wanted.best


PAID_ROUND = BACK.replace("\n\nmove back", "\n    reward A: -1/7, B: 1/7\n\nmove back")
"""A pays for each step ahead, and so for each loop."""


@pytest.mark.parametrize("line", ["", "discount = 9/10\n"])
def test_rewards_of_returning_play_without_chance_are_those_of_python(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        PAID_ROUND.replace("players", f"{line}players").replace("99", "19").replace("1000", "200")
    )
    monkeypatch.setattr(problem, "WORTH_COMPILING", 50)
    native, by_python = solved(text, "auto"), solved(text, "python")
    assert native.solver is SolverName.NATIVE_VALUE_ITERATION
    assert native.value is not None
    assert by_python.value is not None
    allowed = native.error_bound + by_python.error_bound
    assert abs(native.value[0] - by_python.value[0]) <= allowed
    assert bool(native.error_bound) == bool(line)


UNDECIDED = """
game "Undecided"
players A, B
state:
    at: 0..4 = 0
move leave:
    require at == 0 and turn == B
    at = 4
move pass:
    require at == 0
    at = 0 if turn == A else 1
move up:
    require at == 1
    at = 2
    reward A: -1, B: 1
move down:
    require at == 2
    at = 1
    reward A: 1, B: -1
end:
    if at == 4: payoff p: (0 if p == A else 1)
endless: payoff p: (1 if p == A else 0)
"""
"""Once B has passed, sums for A go up and down for ever between 0 and 1."""


def test_actions_to_positions_without_a_value_are_undecided_whatever_payoffs_add_up_to() -> None:
    game = gamedsl.load(UNDECIDED, "native")
    state = game.result(game.initial_state(), game.legal_actions(game.initial_state())[0])
    solution = gamedsl.solve(game, state)
    assert solution.status is Status.WEAK
    assert solution.value == (0, 1)
    assert solution.best == ("leave",)
    assert solution.undecided == ("pass",)


@pytest.mark.parametrize("engine", ["auto", "native"])
def test_turns_that_are_all_alike_are_solved_once_and_can_be_left_out(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(problem, "WORTH_COMPILING", 100)
    monkeypatch.setattr(problem, "A_LOOK", 100)
    game = gamedsl.load(THREE_BOXES, engine)
    found, wanted = solve(game), solve(game, options=SolveOptions(uses_turns=False))
    assert found.solver is SolverName.NATIVE_TURNS
    assert wanted.solver is SolverName.NATIVE_EXPECTIMINIMAX
    assert (found.positions, found.terminals, found.chance_nodes, found.best) == (
        wanted.positions,
        wanted.terminals,
        wanted.chance_nodes,
        wanted.best,
    )
    assert found.value is not None
    assert wanted.value is not None
    allowed = found.error_bound + wanted.error_bound
    assert abs(found.value[0] - wanted.value[0]) <= allowed < Fraction(1, 10**9)
    after = game.result(game.initial_state(), 0)
    assert game.current_player(after) < 0
    assert abs(found.value_at(after)[0] - wanted.value_at(after)[0]) <= allowed


def test_an_exact_claim_about_what_was_solved_turn_by_turn_is_looked_at_closer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(problem, "WORTH_COMPILING", 100)
    by_python = SolveOptions(solver=SolverName.BACKWARD_INDUCTION)
    exact = solve(gamedsl.load(THREE_BOXES), options=by_python).value
    assert exact is not None
    game = gamedsl.load(f"{THREE_BOXES}\nexpect value: {exact[0]}\n")
    assert solve(game).solver is SolverName.NATIVE_TURNS
    (verdict,) = verify_all(game, game.expectations, lambda _: game)
    assert verdict.ok


@pytest.mark.parametrize("text", [THREE_BOXES, COSTLY])
def test_solutions_with_rewards_and_chance_are_kept_in_files_and_verified(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solution turn by turn is kept as interval iteration finds it."""
    monkeypatch.setattr(problem, "WORTH_COMPILING", 100)
    game, path = gamedsl.load(text), tmp_path / "game.solution"
    found = solve(game)
    saved.save_solution(game, found, path)
    kept = saved.open_solution(path)
    assert isinstance(kept, saved.SavedSolution)
    again = solution_at(kept, kept.table.root)
    assert again.value is not None
    assert found.value is not None
    assert abs(again.value[0] - found.value[0]) < Fraction(1, 10**9)
    assert verify_solution(kept).fault is None


@pytest.mark.usefixtures("_at_once")
def test_an_exact_claim_is_looked_at_closer_than_machine_code_does() -> None:
    game = gamedsl.load("piglet", "native")
    assert solve(game).solver is SolverName.NATIVE_VALUE_ITERATION
    exact = next(one for one in game.expectations if one.fact == "value" and not one.settings)
    (verdict,) = verify_all(game, [exact], lambda _: game)
    assert (verdict.expected, verdict.ok) == ("1/7", True)


@pytest.mark.usefixtures("_early")
@pytest.mark.parametrize("name", ["three_player_race", *map(random_interests, (4, 7, 12, 20))])
def test_interests_of_any_sort_are_solved_as_by_python_kept_and_verified(
    name: str, tmp_path: Path
) -> None:
    native, by_python = solved(name, "native"), solved(name, "python")
    assert native.solver is SolverName.NATIVE_INDUCTION
    for fact in ("value", "plies", "outcome", "kind", "principal_variation", "positions", "moves"):
        assert getattr(native, fact) == getattr(by_python, fact), fact
    assert set(native.alternatives) == set(by_python.alternatives)
    saved.save_solution(gamedsl.load(name, "native"), native, tmp_path / "all.solution")
    kept = saved.open_solution(tmp_path / "all.solution")
    assert isinstance(kept, saved.SavedSolution)
    verification = verify_solution(kept)
    assert (verification.fault, verification.looked_at) == (None, native.positions)
    assert solution_at(kept, kept.table.root).ties == native.ties


@pytest.mark.parametrize("solver", [SolverName.NATIVE_INDUCTION, SolverName.NATIVE_RETROGRADE])
def test_native_solvers_cannot_be_asked_for_by_name(solver: SolverName) -> None:
    with pytest.raises(ValueError, match="up to the engine"):
        solve(gamedsl.load("tic_tac_toe"), options=SolveOptions(solver=solver))


@pytest.mark.usefixtures("_early")
def test_rules_that_fail_far_away_are_the_error_that_python_reports() -> None:
    said = []
    for engine in ("python", "auto"):
        with pytest.raises(GameRuleError) as failed:
            solved(FAILING, engine)
        said.append((failed.value.code, str(failed.value), failed.value.__notes__))
    assert said[0] == said[1]
    assert "take(2), take(2)" in str(said[0])


@pytest.mark.usefixtures("_early")
def test_rules_that_fail_farther_away_than_python_looks_are_an_error_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(problem, "usual_limit", lambda *_: 150)
    with pytest.raises(GameRuleError, match="`taken` can reach 300") as failed:
        solved(FAILING, "auto")
    assert not hasattr(failed.value, "__notes__")


def test_a_table_that_may_not_grow_leaves_the_game_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "usable_bytes", lambda: 1_000_000)
    monkeypatch.setattr(problem, "within", lambda _, progress: progress)
    game = gamedsl.load("connect_small", "native", width="4", height="5")
    foreseen = solve(game, options=SolveOptions(searches=False))
    assert foreseen.status is Status.OPEN
    assert foreseen.positions < 20_000
    monkeypatch.setattr(problem, "beyond_memory", lambda *_: None)
    found = solve(game, options=SolveOptions(goal=Goal.ALL))
    assert found.status is Status.OPEN
    assert 20_000 < found.positions < 125_000
    text = " ".join(solution_text(found, game.players[0], None).split())
    assert "its positions fill" in text
    assert "no memory for more" in text


def test_a_small_game_is_solved_without_asking_whether_it_is_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("random plays are made of a game that is solved more quickly")

    monkeypatch.setattr(problem, "beyond_memory", asked)
    game = gamedsl.load("connect_small", "native", width="4", height="3")
    assert solve(game, options=SolveOptions(goal=Goal.ALL)).positions == 12_031
    with pytest.raises(AssertionError, match="more quickly"):
        solve(
            gamedsl.load("connect_small", "native", width="4", height="5"),
            options=SolveOptions(goal=Goal.ALL),
        )


def test_the_value_is_found_where_the_table_may_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "usable_bytes", lambda: 500_000)
    monkeypatch.setattr(problem, "within", lambda _, progress: progress)
    monkeypatch.setattr(problem, "beyond_memory", lambda *_: None)
    found = solve(gamedsl.load("connect_small", "native", width="4", height="4"))
    assert (found.status, found.outcome) == (Status.ULTRA_WEAK, "draw")


def test_a_machine_that_gives_no_memory_leaves_the_game_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def scarce(count: int) -> memoryview[int]:
        if count > 100_000:
            raise OSError(12, "Cannot allocate memory")
        return zeros(count)

    monkeypatch.setattr(assembly, "zeros", scarce)
    found = solve(
        gamedsl.load("connect_small", "native", width="4", height="5"),
        options=SolveOptions(goal=Goal.ALL),
    )
    assert found.status is Status.OPEN
    assert 10_000 < found.positions < 100_000


def test_the_limits_that_are_set_hold_for_machine_code() -> None:
    game = gamedsl.load("connect_small", "native", width="4", height="5")
    few = solve(game, options=SolveOptions(max_positions=50_000, searches=False))
    assert few.status is Status.OPEN
    assert 50_000 < few.positions < 200_000
    soon = solve(game, options=SolveOptions(max_seconds=0))
    assert soon.status is Status.OPEN
    assert soon.positions < 200_000


def test_solving_a_small_game_loads_neither_llvmlite_nor_kernels(tmp_path: Path) -> None:
    command = "from gamedsl.cli.program import app\n"
    command += "try: app(['solve', 'tic_tac_toe'])\nexcept SystemExit: pass\n"
    command += "import sys\nprint([n for n in sys.modules if 'llvmlite' in n or 'kernels' in n])"
    said = subprocess.run(
        [sys.executable, "-c", command],
        env=os.environ | {"XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.splitlines()[-1] == "[]"


def test_a_puzzle_too_large_to_value_whole_is_searched_by_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_python = solve(
        gamedsl.load("hanoi", "python", discs="6"),
        options=SolveOptions(solver=SolverName.SHORTEST_SOLUTION),
    )
    for limit in ("SMALL_PUZZLE", "LARGE_PUZZLE"):
        monkeypatch.setattr(problem, limit, 50)
    native = solved("hanoi", "auto", discs="6")
    assert native.solver is SolverName.NATIVE_SHORTEST_SOLUTION
    assert (by_python.plies, by_python.status) == (63, Status.WEAK)
    assert replace(native, solver=by_python.solver, seconds=by_python.seconds) == by_python


@pytest.mark.parametrize(("width", "height", "value"), [(4, 4, 0), (6, 4, -1)])
def test_alpha_beta_finds_the_published_value_of_connect_four_on_small_boards(
    width: int, height: int, value: int
) -> None:
    game = gamedsl.load("connect_small", "native", width=str(width), height=str(height))
    assert isinstance(game.engine, CompiledEngine)
    search = KernelAlphaBeta(game.engine, limits=SearchLimits(bytes=1 << 28))
    assert search.value(game.initial_state()) == (value, -value)


def test_a_sliding_puzzle_is_searched_by_databases_that_its_rules_give(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_python = solve(
        gamedsl.load(SLIDING, "python"), options=SolveOptions(solver=SolverName.SHORTEST_SOLUTION)
    )
    for limit in ("SMALL_PUZZLE", "LARGE_PUZZLE"):
        monkeypatch.setattr(problem, limit, 50)
    native = solved(SLIDING, "auto")
    assert native.solver is SolverName.NATIVE_DEEPENING
    assert (native.status, native.plies) == (Status.WEAK, by_python.plies)
    assert (native.best, native.progress) == (by_python.best, by_python.progress)


def test_some_of_the_time_is_left_for_the_value_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, limits: SearchLimits, **__: object) -> None:
        deadline = perf_counter() + 30
        while perf_counter() < deadline:
            assert limits.progress is not None
            limits.progress(1, 0)
        raise AssertionError("nobody has stopped it")

    game = gamedsl.load("connect_small", "native", width="4", height="4")
    monkeypatch.setattr(accelerator.KernelAccelerator, "solve", slow)
    monkeypatch.setattr(planner, "FOR_ALL", 0.1)
    found = solve(game, options=SolveOptions(max_seconds=20))
    assert (found.status, found.outcome) == (Status.ULTRA_WEAK, "draw")
    assert solve(game, options=SolveOptions(max_seconds=1, goal=Goal.ALL)).status is Status.OPEN
