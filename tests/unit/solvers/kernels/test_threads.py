"""Several threads find of every position what one finds, however the work is cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.records import Record
from gamedsl.game.accelerator import SearchLimits, SolvedPositions
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers import planner
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.kernels import threads, transposition_table
from gamedsl.solvers.kernels.accelerator import KernelAccelerator
from gamedsl.solvers.kernels.retrograde import parts, retrograde
from gamedsl.solvers.kernels.retrograde import retrograde_kernel as kernel
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.threads import Crew
from gamedsl.solvers.problem import Problem
from tests.unit.archive.test_checkpoints import Cut, CutError
from tests.unit.archive.test_saved import TURNED
from tests.unit.solvers.kernels.solving import random_duel, random_race

AGAIN, DONE, FAILED = 1, 0, 7
RING = 'game "Ring"\nplayers A, B\n\nstate:\n    at: 0..79 = 0\n    own[players]: 0..2 = 0\n\n'
RING += "move go(n in 1..2):\n    at = (at + n) % 80\n    own[turn] = (own[turn] + n) % 3\n\n"
RING += "move stay:\n    require at % 7 == 0\n    own[turn] = (own[turn] + 1) % 3\n\n"
RING += "end:\n    if at == 78 and own[turn] > 0: turn wins\n    if at == 77: turn loses\n"
RING += "endless: draw\n"
"""A thousand positions, wins in many plies."""


def solved(
    text: str,
    count: int,
    *,
    native: bool = False,
    folder: Any = None,
    checkpoints: Any = None,
    **more: Any,
) -> SolvedPositions:
    parameters = {key: str(value) for key, value in more.pop("define", {}).items()}
    game = gamedsl.load(text, "python", **parameters)
    assert isinstance(game.engine, CompiledEngine)
    solver = KernelRetrograde(game.engine, native=native, folder=folder)
    return solver.solve(game.initial_state(), SearchLimits(threads=count, **more), checkpoints)


def entries(found: SolvedPositions) -> list[tuple[object, ...]]:
    """All that is known of every position: its key and marks, plies and payoffs."""
    assert found.stored is not None
    facts, table = found.stored.facts, found.stored.arrays["table"]
    width, shift, bits = len(facts["limbs"]), facts["shift"], facts["class_bits"]
    known = []
    for place in range(0, len(table), width):
        *rest, last = table[place : place + width]
        if last >> shift:
            code = last >> shift
            payoff = tuple(facts["payoffs"][code & (1 << bits) - 1]) if code >> bits else None
            known.append((*rest, last & (1 << shift) - 1, code >> bits, payoff))
    return sorted(known, key=lambda one: one[:-2])


def stored(found: SolvedPositions) -> tuple[object, ...]:
    """All that a file holds of them."""
    assert found.stored is not None
    return dict(found.stored.facts), {name: [*row] for name, row in found.stored.arrays.items()}


def counts(found: SolvedPositions) -> tuple[object, ...]:
    assert found.lengths is not None
    return found.positions, found.endings, dict(found.lengths.count())


@pytest.fixture
def _cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any table is shared, slices and rounds end often, tables grow often."""
    monkeypatch.setattr(transposition_table, "WORTH_SHARING", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 7)
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 192)


def sweep_in_another_way(way: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Along the lists; by the rules alone; with lists that are turned round; with lists that have
    to be enlarged, and are written again after each sweep."""
    monkeypatch.setattr(retrograde, "MOST_LISTED", 0 if way == 1 else 1 << 30)
    monkeypatch.setattr(retrograde, "PATIENCE", 1 if way == 2 else 64)
    monkeypatch.setattr(parts, "ROOMIER", (1, 4) if way == 3 else (21, 20))
    monkeypatch.setattr(parts, "IN_VAIN", 1 << 20 if way == 3 else 3)


@pytest.mark.usefixtures("_cut_small")
@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize("text", [TURNED, random_race(4, returns=True), random_duel(5)])
def test_parts_in_turn_find_what_the_whole_finds(
    text: str, way: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = solved(text, 1)
    sweep_in_another_way(way, monkeypatch)
    for count in (2, 3):
        found = solved(text, count)
        assert counts(found) == counts(wanted)
        assert stored(found) == stored(wanted)


@pytest.mark.usefixtures("_cut_small")
def test_lists_that_are_too_short_are_enlarged(monkeypatch: pytest.MonkeyPatch) -> None:
    enlarged = []
    plain = parts.Part.enlarge
    monkeypatch.setattr(
        parts.Part, "enlarge", lambda one, table: (enlarged.append(one), plain(one, table))
    )
    solved(TURNED, 2)
    assert not enlarged
    sweep_in_another_way(3, monkeypatch)
    solved(TURNED, 2)
    assert enlarged


@pytest.mark.usefixtures("_cut_small")
def test_threads_keep_to_the_number_of_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transposition_table, "SLICE", 1 << 13)
    with pytest.raises(OutOfBudgetError) as over:
        solved(RING, 3, positions=400)
    assert 400 < over.value.explored < 430
    assert solved(RING, 3, positions=1428).positions == 1428


@pytest.mark.usefixtures("_cut_small")
def test_work_of_several_threads_is_gone_on_with_by_one_and_the_other_way_round(
    tmp_path: Path,
) -> None:
    wanted = solved(RING, 1)
    game, cuts = gamedsl.load(RING, "python"), 0
    while True:
        checkpoints = Cut(tmp_path / "out", game, game.initial_state())
        checkpoints.left = 12
        try:
            found = solved(RING, 1 + cuts % 3, checkpoints=checkpoints)
            break
        except CutError:
            cuts += 1
    assert cuts > 6
    assert counts(found) == counts(wanted)
    assert stored(found) == stored(wanted)


@pytest.mark.usefixtures("_cut_small")
def test_there_is_no_more_memory_than_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutOfMemoryError):
        solved(TURNED, 2, bytes=1 << 12)


@pytest.mark.usefixtures("_cut_small")
def test_parts_are_whole_numbers_of_the_bits_that_sweeps_write() -> None:
    class Table:
        """As much of a table as parts need."""

        room = 3
        payoffs = ()
        notes = kernel.RetrogradeNotes([0] * len(kernel.RetrogradeNotes.FIELDS))

        def __init__(self, entries: int) -> None:
            self.entries, self.table = entries, range(2 * entries)
            self.layout = type("Layout", (), {"width": 2})
            self.assembly = self

        def row(self, size: int) -> list[int]:
            return [0] * size

        def record(self, record: type[Record]) -> Record:
            return record(self.row(len(record.FIELDS)))

        def parts_for(self, threads: int) -> int:
            return threads

        def zeros(self, count: int) -> list[int]:
            return [0] * count

    for size in (1, 63, 64, 65, 128, 1000, 4096):
        for count in (1, 2, 3, 7):
            made = parts.parts_of(Table(size), count)  # type: ignore[arg-type]
            bounds = [one.notes.numbers(("begin", "end")) for one in made]
            assert [bounds[0][0], *(end for _, end in bounds)] == [
                *(begin for begin, _ in bounds),
                2 * size,
            ]
            assert all(begin % 128 == 0 for begin, _ in bounds)


def test_the_number_that_is_asked_for_reaches_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def refuse(_: object, root: object, limits: SearchLimits, checkpoints: object) -> None:
        asked.append(limits.threads)
        raise UnsupportedGameError("asked")

    monkeypatch.setattr(KernelRetrograde, "solve", refuse)
    game = gamedsl.load(RING, "python")
    assert isinstance(game.engine, CompiledEngine)
    for limits in (SearchLimits(), SearchLimits(threads=3)):
        KernelAccelerator(game.engine).solve(game.initial_state(), returns=True, limits=limits)
    assert asked == [1, 3]


def test_as_many_as_there_are_processors_work_where_nobody_says_how_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[int] = []
    plain = Problem.__init__

    def begin(problem: Problem, game: Any, root: Any, options: Any, *rest: Any) -> None:
        told.append(options.search_limits().threads)
        plain(problem, game, root, options, *rest)

    monkeypatch.setattr(Problem, "__init__", begin)
    monkeypatch.setattr(planner, "usable_processors", lambda: 5)
    for given in ({}, {"threads": 2}):
        gamedsl.solve("nim_misere", **given)
    planner.solve(gamedsl.load("nim_misere"))
    assert told == [5, 2, 1]


class TestCrew:
    """Rounds of jobs."""

    def test_a_job_is_done_again_as_long_as_it_says_so(self) -> None:
        left = {"one": 3, "two": 5}

        def job(name: str) -> int:
            left[name] -= 1
            return AGAIN if left[name] else DONE

        jobs = {name: (lambda name=name: job(name)) for name in left}
        crew = Crew(2)
        while jobs:
            statuses = crew.round([*jobs.values()], AGAIN)
            for name, status in zip(tuple(jobs), statuses, strict=True):
                if status == DONE:
                    del jobs[name]
        assert left == {"one": 0, "two": 0}

    def test_a_round_is_over_for_all_as_soon_as_one_says_something_else(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(threads, "ROUND", 60)
        assert Crew(2).round([lambda: AGAIN, lambda: FAILED], AGAIN) == [AGAIN, FAILED]

    @pytest.mark.parametrize("first", [True, False])
    @pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
    def test_what_one_raises_ends_all_of_them(
        self, error: type[BaseException], first: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(threads, "ROUND", 60)
        running = [0]

        def fail() -> int:
            raise error

        def go_on() -> int:
            running[0] += 1
            return AGAIN

        jobs = [fail, go_on] if first else [go_on, fail]
        with pytest.raises(error):
            Crew(2).round(jobs, AGAIN)
        before = running[0]
        assert [Crew(1).round([go_on], AGAIN), running[0]] == [[AGAIN], before + 1]

    def test_one_job_is_done_where_it_is_asked_for(self) -> None:
        assert Crew(4).round([get_ident], AGAIN) == [get_ident()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Machine code is kept where no other tests see it."""
    return tmp_path_factory.getbasetemp() / "threads"


@pytest.mark.native
@pytest.mark.parametrize(
    ("text", "define"), [(RING, {}), ("quixo", {"size": 3})], ids=["ring", "quixo"]
)
def test_threads_of_machine_code_find_of_every_position_what_one_finds(
    text: str, define: dict[str, int], folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llvmlite")
    options: dict[str, Any] = {"native": True, "folder": folder, "define": define}
    wanted = solved(text, 1, **options)
    monkeypatch.setattr(transposition_table, "WORTH_SHARING", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 100)
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 192)
    for way, count in ((0, 2), (1, 3), (2, 3), (3, 2)):
        sweep_in_another_way(way, monkeypatch)
        found = solved(text, count, **options)
        assert counts(found) == counts(wanted)
        assert entries(found) == entries(wanted)
