"""Keys that leave out what all states have in common: guessed, and held against every state."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.archive.saved import open_solution, save_solution
from gamedsl.archive.verification import verify_solution
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import SearchLimits, SolvedPositions
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import State
from gamedsl.solvers.graph_solutions import solution_from_table
from gamedsl.solvers.kernels.contents import contents_of
from gamedsl.solvers.kernels.images import fitted_solver
from gamedsl.solvers.kernels.keys import guess
from gamedsl.solvers.kernels.keys.fitted_keys import FittedKey
from gamedsl.solvers.kernels.keys.guess import Guess
from gamedsl.solvers.kernels.keys.invariants import Samples, Sum, shape_of
from gamedsl.solvers.kernels.retrograde.retrograde import KernelRetrograde
from gamedsl.solvers.kernels.symmetry.orbits import orbits_of
from gamedsl.solvers.methods import SolverName
from gamedsl.solvers.solved_table import SolvedTable
from tests.unit.archive.test_saved import TURNED

ROOM = 46
"""Bits above the key that codes are given here: more than the dense key of `TURNED` leaves."""
CARRIED = """game "Carried"
players A, B
board 4 wide 1 high
type Kind = small | large
state:
    man[s in square]: empty | players = A if s == a1 else B if s == d1 else empty
    kind[s in square]: nothing | Kind = small if s == a1 else large if s == d1 else nothing
    taken[players]: 0..2 = 0
    round: 0..6 = 3
move step(s in square, d in {E, W}):
    require man[s] == turn and man[s + d] in {empty, opponent}
    if man[s + d] == opponent:
        taken[turn] += 1
    man[s + d] = turn
    kind[s + d] = kind[s]
    man[s] = empty
    kind[s] = nothing
move wait:
    require round == 3
end:
    if taken[A] + taken[B] > 0: turn loses
    if stuck: draw
endless: draw
"""


def engine_of(text: str) -> tuple[CompiledEngine, State]:
    game = gamedsl.load(text, "python")
    assert isinstance(game.engine, CompiledEngine)
    return game.engine, game.initial_state()


def played(engine: CompiledEngine, state: State, seed: int, plies: int) -> Iterator[State]:
    draw = random.Random(seed)
    for _ in range(plies):
        yield state
        if engine.is_terminal(state):
            break
        state = engine.result(state, draw.choice(engine.legal_actions(state)))


def solved(uses_symmetry: bool = True) -> SolvedPositions:
    engine, root = engine_of(TURNED)
    return KernelRetrograde(engine, native=False).solve(
        root, SearchLimits(uses_symmetry=uses_symmetry)
    )


def facts_of(found: SolvedPositions) -> Any:
    assert found.stored is not None
    return found.stored.facts


@pytest.fixture
def _fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KernelRetrograde, "least_room", ROOM)


def test_shogi_has_keys_of_47_bits_where_its_digits_alone_take_66() -> None:
    engine, root = engine_of("dobutsu_shogi")
    orbits = orbits_of(engine, root)
    found = Guess(engine, orbits, root)
    for seed in range(8):
        found.add(orbits.least(engine.words_of(one)) for one in played(engine, root, seed, 60))
    key = FittedKey(engine.generated.layout, not orbits.group.swaps, found.invariants())
    assert key.bits == 47
    for state in played(engine, root, 3, 60):
        words = orbits.least(engine.words_of(state))
        assert key.holds(words)
        assert key.number(words) < 1 << key.bits
        assert key.words(key.number(words)) == words


@pytest.fixture(scope="module")
def carried() -> FittedKey:
    engine, root = engine_of(CARRIED)
    samples = Samples(shape_of(engine.generated.layout, has_turn=True))
    for seed in range(8):
        samples.add(engine.words_of(state) for state in played(engine, root, seed, 12))
    return FittedKey(engine.generated.layout, True, samples.invariants())


def test_what_others_tell_is_left_out(carried: FittedKey) -> None:
    """Four squares hold a small man of one player, a large one of the other or nothing; who has
    taken how many is told by what is left, the round never ends, and it is some player's turn."""
    assert [len(one) for one in carried.invariants.contents] == [2]
    assert [one.cell for one in carried.invariants.sums] == [0, 1, 2]
    assert carried.invariants.sums[2] == Sum(2, 3, ())
    assert carried.bits == (3**4 * 2 - 1).bit_length()
    engine, root = engine_of(CARRIED)
    for state in played(engine, root, 9, 12):
        words = engine.words_of(state)
        assert carried.words(carried.number(words)) == words


def test_a_state_that_is_not_as_others_has_no_key(carried: FittedKey) -> None:
    """Whichever cell holds something else."""
    engine, root = engine_of(CARRIED)
    assert carried.holds(engine.words_of(root))
    for variable in engine.model.variables:
        for cell in range(variable.offset, variable.offset + variable.size):
            for digit in {*range(len(variable.domain))} - {root.cells[cell]}:
                cells = (*root.cells[:cell], digit, *root.cells[cell + 1 :])
                state = engine.state_of(cells, root.turn)
                assert not carried.holds(engine.words_of(state))


@pytest.mark.parametrize("uses_symmetry", [False, True])
def test_a_solution_is_the_same_with_fitted_keys(
    uses_symmetry: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = solved(uses_symmetry)
    monkeypatch.setattr(KernelRetrograde, "least_room", ROOM)
    found = solved(uses_symmetry)
    monkeypatch.setattr(KernelRetrograde, "may_be_fitted", False)
    without = solved(uses_symmetry)
    assert "contents" in facts_of(found)["dense"]
    assert facts_of(without)["dense"] is None
    assert wanted.entries is not None
    assert facts_of(found)["tallies"] == facts_of(wanted)["tallies"]
    assert facts_of(found)["tallies"] == facts_of(without)["tallies"]
    for state in wanted.entries():
        assert found.look_up(state) == wanted.look_up(state)


@pytest.mark.usefixtures("_fitted")
def test_a_wrong_guess_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    times = []
    monkeypatch.setattr(guess, "PLAYS", 0)
    monkeypatch.setattr(
        fitted_solver.OddStateError, "__init__", lambda self, states: _odd(self, states, times)
    )
    found = solved()
    assert 0 < len(times) <= fitted_solver.MOST_GUESSES
    assert "contents" in facts_of(found)["dense"]
    monkeypatch.setattr(fitted_solver, "MOST_GUESSES", 1)
    given_up = solved()
    assert facts_of(given_up)["dense"] is None
    assert facts_of(given_up)["tallies"] == facts_of(found)["tallies"]


def _odd(error: fitted_solver.OddStateError, states: list[Any], times: list[int]) -> None:
    error.states = states
    times.append(len(states))


@pytest.mark.usefixtures("_fitted")
def test_a_solution_with_fitted_keys_is_saved_and_verified(tmp_path: Path) -> None:
    game = gamedsl.load(TURNED, "python")
    root = game.initial_state()
    table = SolvedTable(game, root, solved(), SolverName.NATIVE_RETROGRADE)
    solution = solution_from_table(table, SolverName.NATIVE_RETROGRADE)
    save_solution(game, solution, tmp_path / "some.solution")
    found = verify_solution(open_solution(tmp_path / "some.solution"))
    assert (found.fault, found.is_whole) == (None, True)


@pytest.mark.usefixtures("_fitted")
def test_invariants_of_no_such_game_are_refused() -> None:
    engine, _ = engine_of(TURNED)
    stored = solved().stored
    assert stored is not None
    facts = json.dumps(dict(stored.facts))
    contents_of(engine, replace(stored, facts=json.loads(facts)))
    for name, planted in [
        ("contents", [[0, 1]]),
        ("contents", [[1], [2]]),
        ("contents", [[1 << 40]]),
        ("contents", [[2, 1]]),
        ("sums", [[0]]),
        ("sums", [[9, 1]]),
        ("sums", [[0, 1, 9, 1]]),
        ("sums", [[0, 2, 3, -1], [1, 2, 2, -1]]),
        ("sums", [[0, 1 << 40]]),
    ]:
        damaged = json.loads(facts)
        damaged["dense"][name] = planted
        with pytest.raises(SolutionFileError):
            contents_of(engine, replace(stored, facts=damaged))
