"""Native code against plain Python, and the folder where it is kept. Slow: numba compiles."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.native import cache_contents, clear_cache, stored
from gamedsl.game import LoadedGame
from gamedsl.model import GameRuleError
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.kernels.playouts import KernelPlayouts
from gamedsl.solvers.perft import perft
from tests.native.generated import difference
from tests.native.tables import ROWS, Row

pytest.importorskip("numba")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("native")


def engine_of(game: LoadedGame) -> CompiledEngine:
    assert isinstance(game.engine, CompiledEngine)
    return game.engine


@pytest.mark.parametrize("row", [row for row in ROWS if row.quick], ids=lambda row: row.title)
def test_native_perft_gives_the_published_counts(row: Row, folder: Path) -> None:
    game, state = row.load()
    kernel = KernelPerft(engine_of(game), folder=folder)
    count = kernel.count_turns if row.turns else kernel.count
    found = tuple(count(state, n + 1) for n in range(row.quick))
    assert found == row.counts[: row.quick]


@pytest.mark.parametrize("name", ["pig", "connect_four", "kuhn_poker", "goofspiel"])
def test_native_playouts_are_those_of_python_at_any_number_of_threads(
    name: str, folder: Path
) -> None:
    game = gamedsl.load(name, "python")
    native = KernelPlayouts(engine_of(game), folder=folder)
    plain = KernelPlayouts(engine_of(game), native=False)
    state = game.initial_state()
    assert native.run(state, 200, seed=3) == plain.run(state, 200, seed=3)
    tallies = [native.run(state, 9000, seed=1, threads=n) for n in (1, 2, 3)]
    assert tallies[0] == tallies[1] == tallies[2]


@pytest.mark.parametrize("seed", [2, 3, 5, 7])
def test_generated_games_count_alike_in_native_code(seed: int, folder: Path) -> None:
    assert difference(seed, folder) is None


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("hex", {"width": "9", "height": "9"}),
        ("connect_small", {"width": "13", "height": "10"}),
    ],
)
def test_boards_of_more_squares_than_a_word_has_bits_are_played_natively(
    name: str, settings: dict[str, str], folder: Path
) -> None:
    game = gamedsl.load(name, "python", **settings)
    state = game.initial_state()
    kernel = KernelPerft(engine_of(game), folder=folder)
    assert kernel.count(state, 2) == perft(game, depth=2)[2]
    native = KernelPlayouts(engine_of(game), folder=folder)
    plain = KernelPlayouts(engine_of(game), native=False)
    assert native.run(state, 5, seed=3, longest=150) == plain.run(state, 5, seed=3, longest=150)


def test_players_who_choose_at_once_do_so_in_native_code(folder: Path) -> None:
    game = gamedsl.load("goofspiel", "python")
    native = KernelPerft(engine_of(game), folder=folder)
    plain = KernelPerft(engine_of(game), native=False)
    state = game.initial_state()
    assert native.count(state, 3) == plain.count(state, 3)


def test_an_error_in_native_code_is_the_error_of_the_game(folder: Path) -> None:
    text = 'game "Failing"\nplayers A, B\n\nstate:\n    left: 0..9 = 9\n\n'
    text += "move take(n in 1..4):\n    left -= n\n\nend:\n    if left == 0: turn loses\n"
    game = gamedsl.load(text, "python")
    with pytest.raises(GameRuleError, match="`left` can reach -1"):
        KernelPerft(engine_of(game), folder=folder).count(game.initial_state(), 4)


def test_a_damaged_file_is_written_anew(tmp_path: Path) -> None:
    path = stored("value = 1\n", tmp_path)
    path.write_text("value = 2\n")
    assert stored("value = 1\n", tmp_path) == path
    assert path.read_text() == "value = 1\n"


def test_many_processes_may_store_the_same_text(tmp_path: Path) -> None:
    with ProcessPoolExecutor(3) as pool:
        paths = set(pool.map(stored, ["value = 1\n"] * 9, [tmp_path] * 9))
    assert len(paths) == 1
    assert cache_contents(tmp_path).games == 1
    assert [path.name for path in tmp_path.iterdir()] == [paths.pop().name]


def test_what_is_kept_can_be_deleted(tmp_path: Path) -> None:
    stored("value = 1\n", tmp_path / "kept")
    assert clear_cache(tmp_path / "kept").games == 1
    assert cache_contents(tmp_path / "kept").games == 0
