"""Several processes: the same bytes as one, and one error for all. Threads play the processes."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest

import gamedsl
from gamedsl.archive import confirmation, layers
from gamedsl.archive.layers import LayerFolder
from gamedsl.archive.out_of_core import solve_out_of_core
from gamedsl.archive.saved import SavedSolution, open_solution
from gamedsl.game.accelerator import NO_LIMITS, SearchLimits
from gamedsl.solvers.graphs.graph import OutOfTimeError
from gamedsl.solvers.shards import backward, crew, forward, tiers
from gamedsl.solvers.shards.ranks import Messages, SharedError
from gamedsl.solvers.shards.solve import Room
from tests.generation.layered import tiered_text
from tests.unit.archive.test_layers import planted as plant
from tests.unit.archive.test_layers import with_a_bit

pytest.importorskip("llvmlite")
Held = TypeVar("Held")
BLOCK = 64
SLIDES = tiered_text(7, 4)


class Threads:
    """What threads in the place of processes share."""

    def __init__(self, size: int) -> None:
        self.size, self.barrier = size, Barrier(size, timeout=20)
        self.held: list[Any] = [None] * size


class ThreadRanks(Messages):
    """Like `Ranks`, over memory that threads share."""

    def __init__(self, shared: Threads, rank: int) -> None:
        super().__init__(rank, shared.size, shared.size)
        self._shared = shared

    def _all(self, held: Held) -> list[Held]:
        self._shared.held[self.rank] = held
        self._shared.barrier.wait()
        held_by_all = [*self._shared.held]
        self._shared.barrier.wait()
        return held_by_all

    def _at_first(self, held: Held) -> list[Held]:
        held_by_all = self._all(held)
        return [] if self.rank else held_by_all

    def _swap(self, numbers: Any, counts: Sequence[int], into: Any) -> list[int]:
        rows, used, received = [], 0, list[int]()
        for count in counts:
            rows.append([*numbers[used : used + count]])
            used += count
        used = 0
        for row in (rows[self.rank] for rows in self._all(rows)):
            for place, number in enumerate(row):
                into[used + place] = number
            used += len(row)
            received.append(len(row))
        return received


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small blocks, so that small games have many."""
    for module in (forward, backward, tiers, layers):
        monkeypatch.setattr(module, "BLOCK", BLOCK)
    monkeypatch.setattr(crew, "SHARE", 1)
    monkeypatch.setattr(forward, "MOST_RUNS", 2)


SMALL = Room(1024, 4 * BLOCK)
"""A table of few blocks, so that successors are asked for."""


def solved(
    text: str,
    folder: Path,
    processes: int,
    limits: SearchLimits = NO_LIMITS,
    room: Room = SMALL,
) -> None:
    """Solve in a folder."""
    shared = Threads(processes)
    games = [gamedsl.load(text) for _ in range(processes)]

    def solve(rank: int) -> None:
        game = games[rank]
        root, ranks = game.initial_state(), ThreadRanks(shared, rank)
        solve_out_of_core(game, root, folder, limits, resumes=True, room=room, ranks=ranks)

    with ThreadPoolExecutor(processes) as pool:
        works = [pool.submit(solve, rank) for rank in range(processes)]
    errors = {type(work.exception()) for work in works}
    assert len(errors) == 1  # all processes end the same way
    works[0].result()


def faults_in(folder: Path, processes: int) -> set[str | None]:
    """What several processes say of a folder: successors are asked for, and are all in a table."""
    shared = Threads(processes)

    def verify(rank: int) -> list[str | None]:
        saved = open_solution(folder)
        assert isinstance(saved, SavedSolution)
        batches, ranks = confirmation.batches_of(saved), ThreadRanks(shared, rank)
        assert batches is not None
        faults = (
            confirmation.fault_in(saved, batches, room=room, ranks=ranks)
            for room in (4 * BLOCK, 1 << 20)
        )
        return [fault and fault[0] for fault in faults]

    with ThreadPoolExecutor(processes) as pool:
        return {*chain.from_iterable(pool.map(verify, range(processes)))}


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("text", ["tic_tac_toe", SLIDES], ids=["layers", "tiers"])
def test_the_bytes_depend_neither_on_the_number_of_processes_nor_on_room(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six thousand bytes hold the keys of no tier, which are in runs, and the moves of a hundred
    positions."""
    cuts, real = [0], tiers._spans
    monkeypatch.setattr(
        tiers, "_spans", lambda *how: cuts.append(len(spans := real(*how))) or spans
    )
    small = Room(1024, 4 * BLOCK, 6_000)
    for processes, room in ((1, SMALL), (3, SMALL), (2, small)):
        solved(text, tmp_path / str(processes), processes, room=room)
    assert contents(tmp_path / "2") == contents(tmp_path / "3") == contents(tmp_path / "1")
    assert max(cuts) > 2 or text != SLIDES


def failing_once(real: Callable[..., Any], failed: set[str]) -> Callable[..., Any]:
    """A way to write that fails once for every kind of numbers: a full disk."""

    def write(*how: Any) -> Any:
        kind = how[1].rsplit("_", 1)[0] if len(how) == 3 else real.__name__
        if kind not in failed:
            failed.add(kind)
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*how)

    return write


def test_a_disk_full_at_any_write_is_said_and_later_work_comes_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = gamedsl.load(tiered_text(4, 4))
    root, folder, failed, failures = game.initial_state(), tmp_path / "full", set[str](), 0
    solve_out_of_core(game, root, tmp_path / "whole", room=SMALL)
    for place, name in (
        (LayerFolder, "append"),
        (LayerFolder, "numbers"),
        (layers, "write_manifest"),
        (layers._LayerWriter, "add"),
        (layers._LayerWriter, "finish"),
    ):
        monkeypatch.setattr(place, name, failing_once(getattr(place, name), failed))
    small = Room(1024, 4 * BLOCK, 6_000)
    while True:
        try:
            solve_out_of_core(game, root, folder, resumes=folder.exists(), room=small)
        except OSError:
            assert {file.suffix for file in folder.glob("*")} <= {".keys", ".layer", ".json"}
            failures += 1
        else:
            break
    assert contents(folder) == contents(tmp_path / "whole")
    assert failures == len(failed)
    assert failed >= {"keys", "known", "asked", "answers", "ways", "odd", "links", "lists"}


def test_processes_verify_together_and_see_the_same_fault(tmp_path: Path) -> None:
    solved(tiered_text(7), tmp_path / "out", 1)
    assert faults_in(tmp_path / "out", 2) == {None}
    second = sorted(int(file.stem) for file in (tmp_path / "out").glob("*.layer"))[1]
    plant(tmp_path / "out", second, partial(with_a_bit, 4))
    (fault,) = faults_in(tmp_path / "out", 2)
    assert fault is not None


def test_an_error_of_one_process_ends_all_and_another_number_goes_on(tmp_path: Path) -> None:
    def stop(explored: int, frontier: int) -> None:
        if explored > 300:
            raise OutOfTimeError(explored, frontier)

    with pytest.raises(OutOfTimeError):
        solved("tic_tac_toe", tmp_path / "cut", 3, SearchLimits(progress=stop))
    assert (tmp_path / "cut" / "3.keys").exists()
    for folder, processes in (("cut", 2), ("whole", 1)):
        solved("tic_tac_toe", tmp_path / folder, processes)
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_an_error_that_cannot_be_sent_comes_as_its_text() -> None:
    """The process that has the error raises the error itself."""
    shared = Threads(2)
    error = ValueError(partial(print), lambda: None)
    with ThreadPoolExecutor(2) as pool:
        own = pool.submit(ThreadRanks(shared, 0).fail, error)
        other = pool.submit(ThreadRanks(shared, 1).gather, 0)
    assert own.result() is error
    assert isinstance(other.exception(), SharedError)
