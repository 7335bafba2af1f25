"""Solving by layers: the values of the solver in memory, and the same bytes in every way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.archive import out_of_core
from gamedsl.archive.layers import LayerFolder
from gamedsl.archive.out_of_core import solve_out_of_core
from gamedsl.archive.saved import SavedSolution
from gamedsl.game.accelerator import NO_LIMITS, Refusal, SearchLimits, accelerator_of
from gamedsl.game.batches import BLOCK
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.shards.solve import Room
from tests.generation.layered import layered_text, tiered_text

pytest.importorskip("llvmlite")

THREE = """players A, B, C
state:
    left: 0..7 = 7
    took[players]: 0..7 = 0

move take(n in 1..3):
    require left >= n
    left = left - n
    took[turn] = took[turn] + n

end:
    if left == 0:
        payoff A: took[A] * took[B], B: took[B] * 2, C: took[C] + {paid}
"""
WIDE = """players A, B
state:
    heap[1..5]: 0..65535 = 2
    mark: 0..65535 = 65534

move take(i in 1..5):
    require heap[i] > 0
    heap[i] = heap[i] - 1

end:
    if all(heap[i] == 0 for i in 1..5): turn loses
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def solved(text: str, folder: Path, room: Room | None = None, threads: int = 1) -> SavedSolution:
    game = gamedsl.load(text)
    limits = SearchLimits(threads=threads)
    return solve_out_of_core(game, game.initial_state(), folder, limits, room=room)


def refuse_difference(text: str, folder: Path, returns: bool = False, **values: int) -> None:
    """Fail where a position has another value than in memory, or is not found in memory."""
    game = gamedsl.load(text, **values)
    saved = solve_out_of_core(game, game.initial_state(), folder)
    root, settled = saved.table.root, saved.table.settled
    accelerator = accelerator_of(saved.game)
    assert not isinstance(accelerator, Refusal)
    answer = accelerator.solve(root, returns=returns)
    if isinstance(answer, Refusal):  # endless play is not worth anything, for there is none
        answer = accelerator.solve(root, returns=False)
    assert not isinstance(answer, Refusal)
    wanted = answer[1]
    assert wanted.entries is not None
    assert settled.entries is not None
    states = list(wanted.entries())
    assert [state for state in states if settled.look_up(state) != wanted.look_up(state)] == []
    assert set(settled.entries()) == set(states)
    assert (settled.positions, settled.endings) == (wanted.positions, wanted.endings)
    assert settled.counts_plies == wanted.counts_plies
    if settled.lengths is not None and wanted.lengths is not None:
        assert settled.lengths.count() == wanted.lengths.count()


@pytest.mark.parametrize("game", ["tic_tac_toe", "domineering"])
def test_every_position_has_the_value_of_the_solver_in_memory(game: str, tmp_path: Path) -> None:
    refuse_difference(game, tmp_path / "out")


@pytest.mark.parametrize("paid", ["0", "took[A]"])
def test_three_players_with_any_interests(paid: str, tmp_path: Path) -> None:
    refuse_difference(THREE.format(paid=paid), tmp_path / "out")


def test_keys_of_several_numbers(tmp_path: Path) -> None:
    refuse_difference(WIDE, tmp_path / "out")


@pytest.mark.parametrize("seed", range(6))
def test_generated_games(seed: int, tmp_path: Path) -> None:
    refuse_difference(layered_text(seed), tmp_path / "out")


@pytest.mark.parametrize("seed", [1, 4, 6, 7])
def test_tiers_have_the_values_of_retrograde_analysis(seed: int, tmp_path: Path) -> None:
    """Play of odd seeds can be endless for a player's good; boards are of both sizes."""
    refuse_difference(tiered_text(seed, 3 + seed % 2), tmp_path / "out", returns=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "values"),
    [
        ("six_mens_morris", {"men": 2}),
        ("quixo", {"size": 3}),
        ("kalah", {"pits": 3, "seeds": 3}),
        ("rook_endgame", {}),
        ("hanoi", {}),
        ("othello_small", {}),
        ("hexapawn", {}),
    ],
)
def test_shipped_games_in_tiers(game: str, values: dict[str, int], tmp_path: Path) -> None:
    refuse_difference(game, tmp_path / "out", True, **values)


SLIDES = tiered_text(7, 4)


@pytest.mark.parametrize("game", ["tic_tac_toe", "nim", SLIDES])
@pytest.mark.parametrize(
    ("room", "threads"), [(Room(100, BLOCK), 1), (Room(100, 1 << 20), 3), (Room(4096, BLOCK), 2)]
)
def test_the_bytes_depend_neither_on_room_nor_on_threads(
    game: str, room: Room, threads: int, tmp_path: Path
) -> None:
    """A hundred keys make many runs; in Nim, and where two stones may be
    put, a table of one block holds no two later layers."""
    solved(game, tmp_path / "out")
    solved(game, tmp_path / "other", room, threads)
    assert contents(tmp_path / "out") == contents(tmp_path / "other")


class CutOffError(Exception):
    """The end of a run in a test."""


def cut_off_at(last: int, real: Callable[..., object], *, does_work: bool) -> Any:
    """A method that ends the run at a call, before or after the work of the call."""
    calls = count(1)

    def cut(*arguments: object) -> object:
        number = next(calls)
        done = real(*arguments) if number < last or does_work else None
        if number == last:
            raise CutOffError
        return done

    return cut


@pytest.mark.parametrize("text", ["subtraction", tiered_text(1)])
@pytest.mark.parametrize("event", ["keep_keys", "keep_codes", "keep_facts", "finish"])
def test_work_that_was_cut_off_goes_on_to_the_same_bytes(
    text: str, event: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = gamedsl.load(text)
    root, folder, real = game.initial_state(), tmp_path / "cut", getattr(LayerFolder, event)
    solve_out_of_core(game, root, tmp_path / "whole")
    for last, does_work in product((1, 2, 5), (False, True)):
        cut = cut_off_at(last, real, does_work=does_work)
        monkeypatch.setattr(LayerFolder, event, cut)
        with suppress(CutOffError):
            solve_out_of_core(game, root, folder, resumes=True)
        monkeypatch.setattr(LayerFolder, event, real)
    solve_out_of_core(game, root, folder, resumes=True)
    assert contents(folder) == contents(tmp_path / "whole")


def test_verification_that_is_cut_off_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, real = gamedsl.load("subtraction"), out_of_core.fault_of
    root, folder = game.initial_state(), tmp_path / "cut"
    solve_out_of_core(game, root, tmp_path / "whole")
    with pytest.raises(OutOfBudgetError):
        solve_out_of_core(game, root, folder, SearchLimits(positions=9))
    for last in (1, 1, 9):
        cut = cut_off_at(last, real, does_work=False)
        monkeypatch.setattr(out_of_core, "fault_of", cut)
        with pytest.raises(CutOffError) if last == 1 else nullcontext():
            solve_out_of_core(game, root, folder, resumes=True)
    assert contents(folder) == contents(tmp_path / "whole")


def test_a_limit_ends_the_work_and_later_work_goes_on(tmp_path: Path) -> None:
    game = gamedsl.load("tic_tac_toe")
    root = game.initial_state()
    with pytest.raises(OutOfBudgetError):
        solve_out_of_core(game, root, tmp_path, SearchLimits(positions=100))
    saved = solve_out_of_core(game, root, tmp_path, NO_LIMITS, resumes=True)
    assert len(saved.table) == 5478


def test_a_block_of_a_tier_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    game = gamedsl.load(tiered_text(1))
    with pytest.raises(OutOfMemoryError):
        solve_out_of_core(game, game.initial_state(), tmp_path, room=Room(4096, BLOCK, 100))
    saved = solve_out_of_core(game, game.initial_state(), tmp_path, resumes=True)
    assert len(saved.table) > 100


SHARED = """players A, B
state:
    at: 0..3 = 1
move go(n in 0..3):
    at = n
end:
    if at == 0: {first}
    if at == 3: turn wins
{endless}
"""
"""Who ends play loses."""


LONG = """players A
state:
    at: 0..20000 = 1
move go:
    at = (at + 1) % 20001
end:
    if at == 0: A wins
endless: A loses
"""


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("pig", "chance"),
        (LONG, "16,384 plies or more"),
        ("rock_paper_scissors", "secrets and choices at once"),
        (SHARED.format(first="payoff A: 3, B: 1", endless="endless: draw"), "opposed interests"),
        (SHARED.format(first="turn wins", endless=""), "what endless play is worth"),
    ],
)
def test_other_games_are_refused(game: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedGameError, match=reason):
        solved(game, tmp_path / "out")


def test_keys_are_asked_for_only_where_the_row_of_a_part_has_room() -> None:
    """A row may be full where a block of keys ends; the next block must not overflow it."""
    game = gamedsl.load(WIDE)
    batches = accelerator_of(game).batches(game.initial_state(), merges=True, is_tight=True)
    worker, room = batches.worker(), 2 * batches.most_successors
    parts = batches.parts([batches.root], room, batches.width)
    keys = batches.zeros(batches.width)
    keys[:] = memoryview(batches.row(batches.root[1]))
    parts.fill[0] = room - 1
    assert worker.ask(keys, 0, 1, parts) == 0
    parts.fill[0] = 0
    assert (worker.ask(keys, 0, 1, parts), parts.fill[0]) == (1, 5)
