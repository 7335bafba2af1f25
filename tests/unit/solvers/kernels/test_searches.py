"""Backward induction with images as one entry, other keys and several threads: as without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import SearchLimits, SolvedPositions, StoredPositions
from gamedsl.model import UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError
from gamedsl.solvers.kernels import induction, induction_kernel, transposition_table
from gamedsl.solvers.kernels.accelerator import KernelAccelerator
from gamedsl.solvers.kernels.contents import contents_of
from gamedsl.solvers.kernels.images.fitted_solver import OddStateError
from gamedsl.solvers.kernels.induction import KernelInduction, ReturningPlayError
from gamedsl.solvers.kernels.keys import guess
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.kernels.table_layout import entry_layout
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.planner import solve
from tests.unit.archive.test_checkpoints import Cut, CutError
from tests.unit.solvers.kernels.solving import random_race
from tests.unit.solvers.kernels.test_threads import counts, entries, stored

SHIPPED = [
    ("tic_tac_toe", {}),
    ("hexapawn", {}),
    ("domineering", {}),
    ("connect_small", {"width": "3", "run": "3"}),
]
SHORT = SHIPPED[-1]
BARE = 'game "Bare"\nplayers A, B\nboard 2 wide 1 high\n\nstate:\n    left: 0..9 = 9\n\n'
BARE += "move take(s in square):\n    require left > 0\n    left -= 1\n\n"
BARE += "end:\n    if left == 0: turn loses\n"
CIRCLE = 'game "Circle"\nplayers A, B\n\nstate:\n    at: 0..199 = 0\n\n'
CIRCLE += "move go(n in 1..3):\n    at = 5 if at == 198 else at + n if at < 197 else 198\n\n"
CIRCLE += "end:\n    if at == 199: turn loses\nendless: draw\n"
"""Play returns from near its end alone."""
HEAP = 'game "Heap"\nplayers A, B\n\nstate:\n    left: 0..20 = 20\n    own[players]: 0..20 = 0\n\n'
HEAP += "move take(n in 1..3):\n    require n <= left\n    left -= n\n    own[turn] += n\n\n"
HEAP += "end:\n    if left == 0: payoff p: (own[p] % 5 - own[A] % 5 + own[p] % 5 - own[B] % 5)\n"
"""What is left and what both have is always 20."""


def solved(
    text: str,
    parameters: dict[str, str] | None = None,
    *,
    opening: tuple[str, ...] = (),
    native: bool = False,
    folder: Path | None = None,
    checkpoints: Any = None,
    **more: Any,
) -> SolvedPositions:
    game = gamedsl.load(text, "python", **(parameters or {}))
    assert isinstance(game.engine, CompiledEngine)
    root = game.initial_state()
    for name in opening:
        root = game.result(root, game.action_named(root, name))
    return KernelInduction(game.engine, native=native, folder=folder).solve(
        root, SearchLimits(**more), checkpoints
    )


@pytest.fixture
def _cut_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any table is shared, slices and rounds end often, tables and stacks grow often."""
    monkeypatch.setattr(transposition_table, "WORTH_SHARING", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 7)
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 64)
    monkeypatch.setattr(induction, "FIRST_FRAMES", 1)


@pytest.mark.parametrize(("name", "parameters"), SHIPPED)
def test_images_that_are_one_entry_are_counted_and_looked_up_each(
    name: str, parameters: dict[str, str]
) -> None:
    found, plain = (
        solved(name, parameters, uses_symmetry=uses_symmetry) for uses_symmetry in (True, False)
    )
    assert found.stored is not None
    assert plain.stored is not None
    assert found.entries is not None
    assert plain.entries is not None
    assert found.stored.facts["symmetries"] != plain.stored.facts["symmetries"] == []
    assert found.stored.facts["entries"] < plain.stored.facts["entries"] == plain.positions
    assert counts(found) == counts(plain)
    states = list(found.entries())
    assert len(set(states)) == len(states) == found.positions
    assert set(states) == set(plain.entries())
    assert all(found.look_up(state) == plain.look_up(state) for state in states)


def test_a_symmetry_that_leaves_every_position_as_it_is_is_none() -> None:
    """Squares that no variable is over are mirrored, and moves with them."""
    found, plain = solved(BARE), solved(BARE, uses_symmetry=False)
    assert found.stored is not None
    assert found.stored.facts["symmetries"] == []
    assert counts(found) == counts(plain)


def test_symmetries_that_the_first_position_has_not_are_not_used() -> None:
    name, parameters = SHORT
    for opening, symmetries in ((("drop(2)",), ["left and right swapped"]), (("drop(1)",), [])):
        found = solved(name, parameters, opening=opening)
        plain = solved(name, parameters, opening=opening, uses_symmetry=False)
        assert found.stored is not None
        assert len(found.stored.facts["symmetries"]) == len(symmetries)
        assert counts(found) == counts(plain)


@pytest.mark.usefixtures("_cut_small")
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize(("name", "parameters"), [SHIPPED[1], SHORT])
def test_threads_find_of_every_position_what_one_finds(
    name: str, parameters: dict[str, str], count: int
) -> None:
    wanted, found = solved(name, parameters), solved(name, parameters, threads=count)
    assert counts(found) == counts(wanted)
    assert stored(found) == stored(wanted)


@pytest.mark.usefixtures("_cut_small")
@pytest.mark.parametrize("seed", range(20))
def test_threads_find_of_a_random_race_what_one_finds(seed: int) -> None:
    """Ends that pay all sorts of things, which several threads may meet at once."""
    wanted, found = solved(random_race(seed)), solved(random_race(seed), threads=3)
    assert counts(found) == counts(wanted)
    assert stored(found) == stored(wanted)


@pytest.mark.usefixtures("_cut_small")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_play_that_returns_is_seen_by_any_number_of_threads(count: int) -> None:
    with pytest.raises(ReturningPlayError):
        solved(CIRCLE, threads=count)
    returning = 0
    for seed in range(6):
        text = random_race(seed, returns=True)
        game = gamedsl.load(text, "python")
        try:
            found = solved(text, threads=count)
        except ReturningPlayError:
            returning += 1
        else:
            wanted = solve(game)
            assert wanted.solver is SolverName.BACKWARD_INDUCTION
            assert found.positions == wanted.positions
    assert returning > 3


@pytest.mark.usefixtures("_cut_small")
def test_threads_keep_to_the_number_of_positions_and_to_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name, parameters = SHORT
    monkeypatch.setattr(transposition_table, "SLICE", 1 << 13)
    found = solved(name, parameters)
    assert found.stored is not None
    entered = found.stored.facts["entries"]
    with pytest.raises(OutOfBudgetError) as over:
        solved(name, parameters, threads=3, positions=entered - 100)
    assert entered - 100 < over.value.explored <= entered
    assert solved(name, parameters, threads=3, positions=entered).positions == found.positions
    with pytest.raises(OutOfMemoryError):
        solved(name, parameters, threads=3, bytes=entered * NUMBER)


@pytest.mark.usefixtures("_cut_small")
def test_work_of_several_threads_is_gone_on_with_by_one_and_the_other_way_round(
    tmp_path: Path,
) -> None:
    name, parameters = SHORT
    game, cuts = gamedsl.load(name, "python", **parameters), 0
    wanted = solved(name, parameters)
    while True:
        checkpoints = Cut(tmp_path / "out", game, game.initial_state())
        checkpoints.left = 8
        try:
            found = solved(name, parameters, threads=1 + cuts % 3, checkpoints=checkpoints)
            break
        except CutError:
            cuts += 1
    assert cuts > 2
    assert counts(found) == counts(wanted)
    assert stored(found) == stored(wanted)


@pytest.mark.parametrize(("room", "plays"), [(48, 24), (50, 24), (50, 0)])
def test_keys_that_are_dense_or_fitted_hold_the_same(
    room: int, plays: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`room`: so much above the key that states as they are leave too little, or dense keys do,
    too. Where all that is guessed is wrong at first it is guessed again."""
    wanted, odd = solved(HEAP), []
    plain = OddStateError.__init__
    monkeypatch.setattr(
        OddStateError, "__init__", lambda one, states: (odd.append(1), plain(one, states))[1]
    )
    monkeypatch.setattr(guess, "PLAYS", plays)
    monkeypatch.setattr(KernelInduction, "least_room", room)
    found = solved(HEAP)
    monkeypatch.setattr(KernelInduction, "may_be_dense", False)
    loose = solved(HEAP)
    assert found.stored is not None
    assert loose.stored is not None
    assert ("contents" in found.stored.facts["dense"]) == (room == 50)
    assert loose.stored.facts["dense"] is None
    assert counts(found) == counts(loose) == counts(wanted)
    assert bool(odd) == (plays == 0)


def test_what_was_stored_before_images_were_one_entry_is_read() -> None:
    name, parameters = SHORT
    plain = solved(name, parameters, uses_symmetry=False)
    assert plain.stored is not None
    later = {"tallies", "symmetries", "kept", "entries", "marks", "dense"}
    facts = {key: value for key, value in plain.stored.facts.items() if key not in later}
    stored = StoredPositions(json.loads(json.dumps(facts)), plain.stored.arrays)
    engine = gamedsl.load(name, "python", **parameters).engine
    assert isinstance(engine, CompiledEngine)
    found = induction.positions(contents_of(engine, stored), stored)
    assert counts(found) == counts(plain)
    assert plain.entries is not None
    assert all(found.look_up(state) == plain.look_up(state) for state in plain.entries())


def test_a_table_for_which_there_is_no_larger_one_is_made_fuller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 64)
    name, parameters = SHORT
    wanted = solved(name, parameters)
    assert wanted.stored is not None
    most = wanted.stored.facts["entries"] * 10 // 8 * NUMBER
    found = solved(name, parameters, bytes=most)
    assert found.stored is not None
    assert len(found.stored.arrays["table"]) * NUMBER <= most
    assert counts(found) == counts(wanted)
    monkeypatch.setattr(transposition_table, "FULL_AT_LAST", transposition_table.FULLEST)
    with pytest.raises(OutOfMemoryError):
        solved(name, parameters, bytes=most)


def test_memory_is_planned_for_what_an_entry_takes() -> None:
    """Of 61 bits and a code, a dense key leaves one number; two images are one entry."""
    engine = gamedsl.load("connect_small", "python", width="5", height="6").engine
    assert isinstance(engine, CompiledEngine)
    least, most = KernelInduction.bytes_a_state(engine, 5)
    assert (least // KernelInduction.images(engine), most) == (4, 23)
    assert entry_layout(engine).width == 2


def test_large_tables_grow_by_half(monkeypatch: pytest.MonkeyPatch) -> None:
    name, parameters = SHORT
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 128)
    sizes = []
    for large in (1 << 26, 1):
        monkeypatch.setattr(transposition_table, "LARGE", large)
        stored = solved(name, parameters).stored
        assert stored is not None
        sizes.append(len(stored.arrays["table"]) / stored.facts["entries"])
    assert sizes == [pytest.approx(2.0, abs=0.9), pytest.approx(1.8, abs=0.4)]


def test_every_order_goes_through_all_successors() -> None:
    for count in range(1, 8):
        for order in range(6):
            places = [induction_kernel.place_in(order, n, count) for n in range(count)]
            assert sorted(places) == list(range(count))
    firsts = {induction_kernel.place_in(order, 0, 6) for order in range(4)}
    assert firsts == {0, 5, 1, 4}


def test_what_is_asked_for_reaches_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, bool]] = []

    def refuse(_: object, root: object, limits: SearchLimits, checkpoints: object) -> None:
        asked.append((limits.threads, limits.uses_symmetry))
        raise UnsupportedGameError("asked")

    monkeypatch.setattr(KernelInduction, "solve", refuse)
    game = gamedsl.load("tic_tac_toe", "python")
    assert isinstance(game.engine, CompiledEngine)
    for limits in (SearchLimits(), SearchLimits(threads=3, uses_symmetry=False)):
        KernelAccelerator(game.engine).solve(game.initial_state(), returns=False, limits=limits)
    assert asked == [(1, True), (3, False)]


@pytest.mark.native
def test_threads_of_machine_code_find_of_every_position_what_one_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llvmlite")
    options: dict[str, Any] = {"native": True, "folder": tmp_path}
    wanted = solved("connect_small", **options)
    monkeypatch.setattr(transposition_table, "WORTH_SHARING", 1)
    monkeypatch.setattr(transposition_table, "SLICE", 100)
    monkeypatch.setattr(transposition_table, "FIRST_ENTRIES", 192)
    for count in (2, 3):
        found = solved("connect_small", threads=count, **options)
        assert counts(found) == counts(wanted)
        assert entries(found) == entries(wanted)
