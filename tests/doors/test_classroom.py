"""`examples/chapter5.py`: each search finds what the solvers find, and looks at as many states."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

import gamedsl
from tests.generation.explicit_trees import Shape, tree_text

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "examples" / "chapter5.py"
BOOK = ROOT / "docs" / "textbook"
MOST_LINES = 230
MAX_AND_MIN = ("minimax_search", "alpha_beta_search", "heuristic_alpha_beta_search")
ALL = (*MAX_AND_MIN, "expectiminimax_search", "max_n_search")
SHIPPED = {"minimax": "minimax_search", "alpha-beta": "alpha_beta_search"}
"""Searches of the package with their like in the file."""


@pytest.fixture(scope="module")
def page() -> ModuleType:
    """The file, loaded as a module."""
    spec = spec_from_file_location("chapter5", FILE)
    assert spec is not None
    assert spec.loader is not None
    loaded = module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


Found = tuple[object, int, int]
Look = Callable[..., Found]


@pytest.fixture
def look(page: ModuleType) -> Look:
    """The value, the move and the number of states of a search of the file."""

    def run(search: str, game: gamedsl.LoadedGame, moves: str = "", *limit: int) -> Found:
        counted = page.Counted(game)
        value, move = getattr(page, search)(counted, game.position(moves), *limit)
        return value, move, counted.states

    return run


def tree(seed: int, shape: Shape) -> gamedsl.LoadedGame:
    return gamedsl.load(tree_text(Random(seed), shape))


def mover(game: gamedsl.LoadedGame, moves: str = "") -> int:
    return game.current_player(game.position(moves))


def agree(look: Look, algorithm: str, game: gamedsl.LoadedGame, moves: str = "") -> None:
    """The file and the package find the same value and move from as many states, and the value
    of the solution for the player to move."""
    decision = gamedsl.search(game, algorithm, moves)
    truth = gamedsl.solve(game, moves).value[mover(game, moves)]
    assert look(SHIPPED[algorithm], game, moves) == (truth, decision.action, decision.nodes)


@pytest.mark.parametrize("algorithm", SHIPPED)
def test_minimax_and_alpha_beta_find_the_value_of_random_trees(look: Look, algorithm: str) -> None:
    trees = [tree(seed, Shape(depth=5)) for seed in range(25)]
    assert {mover(game) for game in trees} == {0, 1}
    for game in trees:
        agree(look, algorithm, game)


@pytest.mark.parametrize("algorithm", SHIPPED)
@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("aima_fig_5_2", ""),
        ("sequential_rochambeau", ""),
        ("sequential_rochambeau", "rock"),
        ("tic_tac_toe", "a1 b1 b3"),
        ("tic_tac_toe", "b2 a1 b1 b3"),
        ("nim_misere", "take(3, 4) take(1, 1)"),
    ],
)
def test_minimax_and_alpha_beta_find_the_value_of_games(
    look: Look, algorithm: str, name: str, moves: str
) -> None:
    agree(look, algorithm, gamedsl.load(name), moves)


def test_alpha_beta_cuts(look: Look) -> None:
    game = gamedsl.load("tic_tac_toe")
    assert look("alpha_beta_search", game, "a1 b1")[2] < look("minimax_search", game, "a1 b1")[2]


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
@pytest.mark.parametrize(("moves", "sign"), [("", 1), ("b1", -1)])
def test_the_search_with_a_limit_finds_what_that_of_the_package_finds(
    look: Look, limit: int, moves: str, sign: int
) -> None:
    game = gamedsl.load("othello_small")
    decision = gamedsl.search(game, "alpha-beta", moves, limit=limit)
    expected = (sign * decision.value, decision.action, decision.nodes)
    assert look("heuristic_alpha_beta_search", game, moves, limit) == expected


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("name", ["exchange", "horizon"])
def test_what_is_not_quiescent_is_looked_into(look: Look, name: str, limit: int) -> None:
    game = gamedsl.load(BOOK / f"{name}.game")
    decision = gamedsl.search(game, "alpha-beta", limit=limit)
    expected = (decision.value, decision.action, decision.nodes)
    assert look("heuristic_alpha_beta_search", game, "", limit) == expected


NEVER_QUIET = """\
game "Round"
players A, B
state:
    on: bool = false
move turn_it:
    on = not on
end:
    if false: draw
endless: draw
evaluate p where false: 0
"""


def test_what_is_never_quiescent_is_evaluated_all_the_same(look: Look) -> None:
    game = gamedsl.load(NEVER_QUIET)
    nodes = gamedsl.search(game, "alpha-beta", limit=2).nodes
    assert look("heuristic_alpha_beta_search", game, "", 2) == (0, 0, nodes)


def test_a_limit_beyond_all_endings_changes_nothing(look: Look) -> None:
    for seed in range(10):
        game = tree(seed, Shape(depth=5))
        found = look("alpha_beta_search", game)
        assert look("heuristic_alpha_beta_search", game, "", 5) == found


GUESSES = """\
game "Guesses"
players A, B
state:
    left: 0..4 = 4
move guess(n in -9..9):
    left -= 1
end:
    if left == 0: payoff A: 2, B: -2
    if left == 1: payoff A: -2, B: 2
evaluate p: {}
"""


@pytest.mark.parametrize(
    ("guess", "value"),
    [(0, "0"), (1, "1"), (-1, "-1"), (2, "3/2"), (-2, "-3/2"), (50, "99/50"), (-50, "-99/50")],
)
def test_eval_stays_between_the_worst_and_the_best_payoff(
    page: ModuleType, guess: int, value: str
) -> None:
    game = gamedsl.load(GUESSES.format(guess))
    assert page.evaluation(game, game.initial_state(), mover(game)) == Fraction(value)


@pytest.mark.parametrize("has_chance", [False, True])
def test_max_n_finds_the_payoffs_of_random_trees(look: Look, has_chance: bool) -> None:
    for seed in range(25):
        game = tree(seed, Shape(players=3, has_chance=has_chance))
        decision = gamedsl.search(game, "maxn")
        assert decision.value == gamedsl.solve(game).value
        assert look("max_n_search", game) == (decision.value, decision.action, decision.nodes)


@pytest.mark.parametrize(
    ("name", "settings", "moves"),
    [
        ("aima_three_player", {}, ""),
        ("aima_three_player", {}, "right"),
        ("three_player_race", {"n": 7}, ""),
        ("centipede", {}, ""),
        ("aima_fig_5_2", {}, "a2"),
    ],
)
def test_max_n_finds_the_payoffs_of_games(
    look: Look, name: str, settings: dict[str, int], moves: str
) -> None:
    game = gamedsl.load(name, **settings)
    decision = gamedsl.search(game, "maxn", moves)
    assert decision.value == gamedsl.solve(game, moves).value
    assert look("max_n_search", game, moves) == (decision.value, decision.action, decision.nodes)


def test_expectiminimax_finds_the_value_of_random_trees(look: Look) -> None:
    for seed in range(25):
        game = tree(seed, Shape(has_chance=True, depth=5))
        decision = gamedsl.search(game, "expectiminimax")
        truth = gamedsl.solve(game).value[mover(game)]
        expected = (truth, decision.action, decision.nodes)
        assert look("expectiminimax_search", game) == expected


@pytest.mark.parametrize(
    ("name", "moves", "value"),
    [
        ("expectiminimax", "", "4/5"),
        ("expectiminimax", "rich heads", "-3/5"),
        ("tic_tac_toe_random", "a1 s=b2 a2 s=a3", None),
    ],
)
def test_expectiminimax_finds_the_value_of_games(
    look: Look, name: str, moves: str, value: str | None
) -> None:
    game = gamedsl.load(name)
    decision = gamedsl.search(game, "expectiminimax", moves)
    truth = gamedsl.solve(game, moves).value[mover(game, moves)]
    assert value is None or truth == Fraction(value)
    assert look("expectiminimax_search", game, moves) == (truth, decision.action, decision.nodes)


@pytest.mark.parametrize(
    ("name", "searches", "reason"),
    [
        ("kuhn_poker", ALL, "Kuhn poker has hidden information"),
        ("matching_pennies", ALL, "Matching pennies has simultaneous moves"),
        ("grid_world", ALL, "does not pay by the end of a play alone"),
        ("expectiminimax", MAX_AND_MIN, "has chance nodes: use expectiminimax_search"),
        ("aima_three_player", ALL[:-1], "are not MAX and MIN: use max_n_search"),
        ("centipede", ALL[:-1], "are not MAX and MIN: use max_n_search"),
    ],
)
def test_a_game_that_a_search_does_not_take_is_refused_in_a_sentence(
    page: ModuleType, name: str, searches: tuple[str, ...], reason: str
) -> None:
    game = gamedsl.load(name)
    for search in searches:
        with pytest.raises(gamedsl.UnsupportedGameError, match=re.escape(reason)) as refused:
            getattr(page, search)(game, game.initial_state())
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "moves", "searches"),
    [
        ("aima_fig_5_2", "a1 b1", ALL),
        ("expectiminimax", "poor", ("expectiminimax_search", "max_n_search")),
    ],
)
def test_a_search_begins_where_a_player_is_to_move(
    page: ModuleType, name: str, moves: str, searches: tuple[str, ...]
) -> None:
    game = gamedsl.load(name)
    for search in searches:
        with pytest.raises(ValueError, match="no player is to move"):
            getattr(page, search)(game, game.position(moves))


def test_the_file_imports_gamedsl_and_the_standard_library_alone() -> None:
    imported = set()
    for node in ast.walk(ast.parse(FILE.read_text("utf-8"))):
        match node:
            case ast.Import(names):
                imported |= {name.name for name in names}
            case ast.ImportFrom(module, names):
                assert node.level == 0
                imported |= {f"{module}.{name.name}" for name in names}
    ours = {name for name in imported if name.partition(".")[0] == "gamedsl"}
    assert {name.partition(".")[0] for name in imported - ours} <= sys.stdlib_module_names
    assert ours
    assert ours <= {f"gamedsl.{name}" for name in gamedsl.__all__}


def test_the_file_stays_short() -> None:
    assert len(FILE.read_text("utf-8").splitlines()) <= MOST_LINES


OTHELLO = "Othello, small, after b1: White to move"
SHOWN = [
    ("AIMA figure 5.2: MAX to move", "minimax_search", "3", "a1", "13"),
    ("AIMA figure 5.2: MAX to move", "alpha_beta_search", "3", "a1", "11"),
    ("Tic-tac-toe, after a1 b1: X to move", "minimax_search", "1", "mark(a2)", "8,232"),
    ("Tic-tac-toe, after a1 b1: X to move", "alpha_beta_search", "1", "mark(a2)", "749"),
    ("AIMA figure 5.4, three players: A to move", "max_n_search", "(1, 2, 6)", "left", "15"),
    ("A sure thing or a coin: MAX to move", "expectiminimax_search", "4/5", "rich", "10"),
    (OTHELLO, "alpha_beta_search", "1", "place(a1)", "382"),
    (OTHELLO, "heuristic_alpha_beta_search", "0", "place(a1)", "27"),
]
"""What stands above a line, and its parts: search, value, move, states."""


def test_the_script_shows_what_each_search_finds(tmp_path: Path) -> None:
    """Run as a teacher runs it, from any folder; the page fits 80 columns."""
    ran = subprocess.run(
        [sys.executable, FILE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    shown: list[tuple[str, ...]] = []
    title = ""
    for line in ran.stdout.splitlines():
        assert len(line) <= 80
        if line.startswith("  "):
            *cells, states = re.split(r" {2,}", line.strip())
            shown.append((title, *cells, states.removesuffix(" states")))
        elif line:
            title = line
    assert shown == SHOWN
