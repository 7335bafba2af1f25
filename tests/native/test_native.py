"""Native code against plain Python, and the folder where it is kept."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from array import array
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from threading import Event

import pytest

import gamedsl
from gamedsl.compiler import native
from gamedsl.compiler.cache import cache_contents, clear_cache
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.faults import Fault
from gamedsl.compiler.frontend.text import SubsetError
from gamedsl.compiler.native import CompiledModule
from gamedsl.compiler.object_code import object_code, plain_object_code
from gamedsl.game import LoadedGame
from gamedsl.model import GameRuleError
from gamedsl.solvers.kernels.induction import KernelInduction
from gamedsl.solvers.kernels.perft import KernelPerft
from gamedsl.solvers.kernels.playouts import KernelPlayouts
from gamedsl.solvers.perft import perft
from gamedsl.source.stopwatch import COMPILING
from tests.native.generated import difference
from tests.native.tables import ROWS, Row

pytest.importorskip("llvmlite")


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
    fast = KernelPlayouts(engine_of(game), folder=folder)
    plain = KernelPlayouts(engine_of(game), native=False)
    state = game.initial_state()
    assert fast.run(state, 200, seed=3) == plain.run(state, 200, seed=3)
    tallies = [fast.run(state, 9000, seed=1, threads=n) for n in (1, 2, 3)]
    assert tallies[0] == tallies[1] == tallies[2]


@pytest.mark.parametrize(
    "name", ["connect_four", "mnk", "treblecross", "wild_tic_tac_toe", "domineering"]
)
def test_native_playouts_with_foresight_are_those_of_python(name: str, folder: Path) -> None:
    game = gamedsl.load(name, "python")
    fast = KernelPlayouts(engine_of(game), folder=folder, foresees=True)
    plain = KernelPlayouts(engine_of(game), native=False, foresees=True)
    state = game.initial_state()
    assert fast.run(state, 200, seed=3) == plain.run(state, 200, seed=3)


def test_native_code_asks_who_is_stuck_where_repetitions_are_illegal(folder: Path) -> None:
    text = """game "Used up"
players A, B
state:
    x: 0..4 = 0
    odd: bool = false
move go(k in 0..4):
    require k != x
    x = k
    odd = k % 2 == 1
repeat x: illegal
end:
    if stuck and odd: turn loses
    if stuck: turn wins
"""
    game = gamedsl.load(text, "python")
    state = game.initial_state()
    kernel = KernelPerft(engine_of(game), folder=folder)
    assert [kernel.count(state, n) for n in (1, 2, 3, 4, 5)] == [4, 12, 24, 24, 0]
    plain = KernelPlayouts(engine_of(game), native=False).run(state, 100, seed=3)
    assert KernelPlayouts(engine_of(game), folder=folder).run(state, 100, seed=3) == plain


@pytest.mark.parametrize("seed", [2, 4, 5, 7])
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
    assert kernel.count(state, 2) == perft(game, depth=2)[2] == kernel.count(state, 2, expected=1)
    fast = KernelPlayouts(engine_of(game), folder=folder)
    plain = KernelPlayouts(engine_of(game), native=False)
    assert fast.run(state, 5, seed=3, longest=150) == plain.run(state, 5, seed=3, longest=150)


def test_players_who_choose_at_once_do_so_in_native_code(folder: Path) -> None:
    game = gamedsl.load("goofspiel", "python")
    fast = KernelPerft(engine_of(game), folder=folder)
    plain = KernelPerft(engine_of(game), native=False)
    state = game.initial_state()
    assert fast.count(state, 3) == plain.count(state, 3)


def test_an_error_in_native_code_is_the_error_of_the_game(folder: Path) -> None:
    text = 'game "Failing"\nplayers A, B\n\nstate:\n    left: 0..9 = 9\n\n'
    text += "move take(n in 1..4):\n    left -= n\n\nend:\n    if left == 0: turn loses\n"
    game = gamedsl.load(text, "python")
    with pytest.raises(GameRuleError, match="`left` can reach -1"):
        KernelPerft(engine_of(game), folder=folder).count(game.initial_state(), 4)


def count_stones(folder: Path, depth: int = 4) -> int:
    """Plays of a small game, in native code kept in a folder."""
    game = gamedsl.load("nim", "python")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "WORTH_KEEPING", 0.0)
        return KernelPerft(engine_of(game), folder=folder).count(game.initial_state(), depth)


def refuse(*_: object) -> None:
    raise AssertionError("it is made again")


@pytest.mark.parametrize("work", ["object_code", "specialiser_for"])
def test_what_is_kept_is_not_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    found = count_stones(tmp_path)
    monkeypatch.setattr(native, work, refuse)
    assert count_stones(tmp_path) == found
    with pytest.raises(AssertionError, match="again"):
        count_stones(tmp_path / "elsewhere")


def test_other_parameters_and_other_kernels_are_other_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "WORTH_KEEPING", 0.0)
    for width in (3, 4):
        game = gamedsl.load("breakthrough", "python", width=width, height=4)
        KernelPerft(engine_of(game), folder=tmp_path).count(game.initial_state(), 2)
    KernelPlayouts(engine_of(game), folder=tmp_path).run(
        game.initial_state(), 1, seed=1, longest=50
    )
    assert len(list(tmp_path.glob("game_*"))) == 3
    assert cache_contents(tmp_path).games == 2


def test_what_is_compiled_in_no_time_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "WORTH_KEEPING", 1e9)
    game = gamedsl.load("nim", "python")
    KernelPerft(engine_of(game), folder=tmp_path).count(game.initial_state(), 3)
    assert not list(tmp_path.iterdir())


def test_counting_natively_loads_neither_numba_nor_numpy() -> None:
    command = "from gamedsl.cli.program import app\n"
    command += "try: app(['perft', 'nim', '3', '--engine', 'native'])\nexcept SystemExit: pass\n"
    command += "import sys\nprint([n for n in ('numba', 'numpy', 'llvmlite') if n in sys.modules])"
    said = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True).stdout
    assert said.splitlines()[-1] == "['llvmlite']"


@pytest.mark.skipif(os.name == "nt", reason="rights are others there")
def test_a_folder_that_others_may_write_to_is_not_used(tmp_path: Path) -> None:
    found = count_stones(tmp_path)
    (path,) = tmp_path.glob("game_*")
    tmp_path.chmod(0o777)
    path.write_bytes(b"not machine code")
    assert count_stones(tmp_path) == found
    assert path.read_bytes() == b"not machine code"
    tmp_path.chmod(0o700)
    assert count_stones(tmp_path) == found
    assert path.read_bytes() != b"not machine code"


@pytest.mark.skipif(os.name == "nt", reason="rights are others there")
def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    count_stones(tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


def test_damaged_machine_code_is_made_anew(tmp_path: Path) -> None:
    found = count_stones(tmp_path)
    (path,) = tmp_path.glob("game_*")
    whole = path.read_bytes()
    for damaged in (b"", whole[:40], whole[:-9], whole.replace(b"entry", b"entri"), b"?" + whole):
        path.write_bytes(damaged)
        assert count_stones(tmp_path) == found
        assert path.read_bytes()[:32] == sha256(path.read_bytes()[32:]).digest()


def test_native_code_works_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    assert count_stones(tmp_path / "taken") == count_stones(tmp_path)


def test_another_processor_or_compiler_makes_machine_code_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = count_stones(tmp_path)
    monkeypatch.setattr(native, "machine", lambda: ("another processor",))
    assert count_stones(tmp_path) == found
    assert len(list(tmp_path.iterdir())) == 2
    assert cache_contents(tmp_path).games == 1


def test_many_processes_may_compile_the_same_game(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert len(set(pool.map(count_stones, [tmp_path] * 4))) == 1
    assert len(list(tmp_path.iterdir())) == cache_contents(tmp_path).games == 1


def test_what_is_kept_can_be_deleted(tmp_path: Path) -> None:
    count_stones(tmp_path / "kept")
    assert clear_cache(tmp_path / "kept").games == 1
    assert cache_contents(tmp_path / "kept").games == 0


PAGE = 4096

KERNELS = """
def fails(number):
    if number > 100:
        fault(7, number + 1, number + 2)
    return number


def deep(number):
    return deep(number - 1) + 1 if number > 50 else fails(number + 60)


def changes(row, words, which):
    row[0] = words[1] + which
    return len(row)


def asks(words, which):
    return words[which]
"""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> CompiledModule:
    generated = engine_of(gamedsl.load("nim", "python")).generated
    return CompiledModule(generated, KERNELS, tmp_path_factory.mktemp("kernels"))


def test_a_fault_says_what_was_found_in_the_thread_that_met_it(module: CompiledModule) -> None:
    def told(number: int) -> tuple[int, ...]:
        try:
            return (module.call("deep", number),)
        except Fault as fault:
            return fault.args

    numbers = [*range(30, 60)] * 20
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(told, numbers))
    assert found == [
        (7, min(n, 50) + 61, min(n, 50) + 62) if n > 40 else (n + 60,) for n in numbers
    ]


def test_arrays_are_written_to_and_tuples_read(module: CompiledModule) -> None:
    row = array("q", [0, 0, 0])
    assert module.call("changes", row, (5, -6), 1) == 3
    assert row[0] == -5


def test_kernels_called_for_slices_of_work_are_optimised_once_they_have_worked_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(text: str) -> bytes:
        made.append(text)
        return object_code(text)

    monkeypatch.setattr(native, "object_code", counted)
    monkeypatch.setattr(native, "SHORT", 0)
    monkeypatch.setattr(native, "WORTH_KEEPING", 0.0)
    generated = engine_of(gamedsl.load("nim", "python")).generated
    patient = CompiledModule(generated, KERNELS, tmp_path, in_slices=True)
    for number, found in ((7, 7), (49, None), (30, 90)):
        with nullcontext() if found else pytest.raises(Fault):
            assert patient.call("deep" if number > 7 else "fails", number) == found
    assert not made
    monkeypatch.setattr(native, "SECONDS_A_BYTE", AT_ONCE)
    hasty = CompiledModule(generated, KERNELS, tmp_path, in_slices=True)
    assert tiers_of_calls(hasty) == ["quick", "plain", "optimised"]
    assert len(made) == 1
    for work in ("quick_object_code", "plain_object_code", "object_code"):
        monkeypatch.setattr(native, work, refuse)
    again = CompiledModule(generated, KERNELS, tmp_path, in_slices=True)
    assert tiers_of_calls(again) == ["optimised"] * 3


def test_plain_code_that_was_kept_is_called_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "SHORT", 0)
    monkeypatch.setattr(native, "WORTH_KEEPING", 0.0)
    monkeypatch.setattr(native, "SECONDS_A_BYTE", {"quick": 0.0, "plain": 1.0})
    generated = engine_of(gamedsl.load("nim", "python")).generated
    first = CompiledModule(generated, KERNELS, tmp_path, in_slices=True)
    assert tiers_of_calls(first) == ["quick", "plain", "plain"]
    again = CompiledModule(generated, KERNELS, tmp_path, in_slices=True)
    assert tiers_of_calls(again) == ["plain"] * 3


def test_optimised_code_that_an_earlier_process_began_is_begun_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "SHORT", 0)
    monkeypatch.setattr(native, "WORTH_KEEPING", 0.0)
    monkeypatch.setattr(native, "SECONDS_A_BYTE", AT_ONCE)
    generated = engine_of(gamedsl.load("nim", "python")).generated
    with monkeypatch.context() as broken_off:
        broken_off.setattr(native, "object_code", refuse)
        first = CompiledModule(generated, KERNELS, tmp_path, in_slices=True)
        with pytest.raises(AssertionError):
            tiers_of_calls(first)
    monkeypatch.setattr(native, "SECONDS_A_BYTE", {"quick": 1.0, "plain": 1.0})
    again = CompiledModule(generated, KERNELS, tmp_path, in_slices=True)
    assert tiers_of_calls(again) == ["plain", "optimised", "optimised"]


AT_ONCE = {"quick": 0.0, "plain": 0.0}


def tiers_of_calls(module: CompiledModule) -> list[str]:
    """The tiers of three calls; each waits for the code that the call before has begun."""
    tiers = []
    for _ in range(3):
        assert [module.call("deep", 30) for _ in range(2)] == [90, 90]
        (made,) = module._made.values()
        tiers.append(made.tier)
        if made.maker is not None:
            made.maker.join()
    return tiers


def test_nobody_waits_for_optimised_code_that_replaces_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = Event()

    def slow(text: str) -> bytes:
        assert may_end.wait(60)
        return plain_object_code(text)

    monkeypatch.setattr(native, "plain_object_code", slow)
    monkeypatch.setattr(native, "SHORT", 0)
    monkeypatch.setattr(native, "SECONDS_A_BYTE", AT_ONCE)
    module = CompiledModule(
        engine_of(gamedsl.load("nim", "python")).generated, KERNELS, tmp_path, in_slices=True
    )
    waited = COMPILING.seconds
    assert module.call("deep", 30) == 90
    begun = COMPILING.seconds
    assert [module.call("deep", 30) for _ in range(5)] == [90] * 5
    assert waited < begun == COMPILING.seconds
    may_end.set()
    (made,) = module._made.values()
    assert made.maker is not None
    made.maker.join()
    assert [made.tier for made in module._made.values()] == ["plain"]
    assert module.call("deep", 30) == 90


def test_what_comes_in_the_way_of_optimised_code_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: str) -> bytes:
        raise MemoryError("no room")

    monkeypatch.setattr(native, "object_code", fails)
    monkeypatch.setattr(native, "SHORT", 0)
    monkeypatch.setattr(native, "SECONDS_A_BYTE", AT_ONCE)
    module = CompiledModule(
        engine_of(gamedsl.load("nim", "python")).generated, KERNELS, tmp_path, in_slices=True
    )
    with pytest.raises(MemoryError, match="no room"):
        tiers_of_calls(module)


def test_waiting_for_machine_code_is_counted_apart(tmp_path: Path) -> None:
    generated = engine_of(gamedsl.load("nim", "python")).generated
    module, before = CompiledModule(generated, KERNELS, tmp_path), COMPILING.seconds
    assert module.call("deep", 30) == 90
    made = COMPILING.seconds
    assert made > before
    assert module.call("deep", 30) == 90
    assert COMPILING.seconds == made


def test_rules_that_call_themselves_deeply_are_optimised_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "quick_object_code", refuse)
    monkeypatch.setattr(native, "SHORT", 0)
    text = 'game "Deep"\nplayers A, B\nstate:\n    left: 0..200 = 200\n'
    text += "def depth(n in 0..{most}) = 0 if n == 0 else 1 + depth(n - 1)\n"
    text += "move take(n in 1..2):\n    require depth(min({most}, left)) > 0\n    left -= n\n"
    text += "end:\n    if left <= 1: turn loses\n"
    for most, refused in ((200, nullcontext()), (20, pytest.raises(AssertionError, match="again"))):
        game = gamedsl.load(text.format(most=most), "python")
        kernel = KernelInduction(engine_of(game), folder=tmp_path / str(most))
        with refused:
            assert kernel.solve(game.initial_state()).positions > 200


def test_a_kernel_that_is_not_in_the_subset_is_refused(module: CompiledModule) -> None:
    with pytest.raises(SubsetError, match="tuple that is not known: which"):
        module.call("asks", (5, -6), 1)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux tells what is mapped")
def test_machine_code_goes_with_the_module_that_had_it_made(tmp_path: Path) -> None:
    generated = engine_of(gamedsl.load("nim", "python")).generated

    def mapped() -> int:
        """Bytes of code that is in no file."""
        gc.collect()
        lines = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
        ends = [line[0].split("-") for line in lines if line[1] == "r-xp" and len(line) == 5]
        return sum(int(high, 16) - int(low, 16) for low, high in ends)

    def use() -> None:
        assert CompiledModule(generated, KERNELS, tmp_path).call("fails", 7) == 7

    use()
    before = mapped()
    for _ in range(40):
        use()
    assert mapped() < before + 20 * PAGE


def test_machine_code_has_the_same_text_in_every_process(tmp_path: Path) -> None:
    command = (
        "import gamedsl\n"
        "from gamedsl.compiler.native import CompiledModule\n"
        "texts, made = [], CompiledModule.text\n"
        "CompiledModule.text = lambda *wanted: texts.append(made(*wanted)) or texts[-1]\n"
        "from gamedsl.solvers.kernels.perft import KernelPerft\n"
        "game = gamedsl.load('kalah', 'python')\n"
        "KernelPerft(game.engine).count(game.initial_state(), 2)\n"
        "import hashlib\n"
        "print(hashlib.sha256(''.join(texts).encode()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", command],
            capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(tmp_path / seed)},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1
