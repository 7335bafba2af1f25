"""States by digits, their fingerprints, and the notes that engines keep about states."""

from __future__ import annotations

from itertools import product

import pytest

import gamedsl
from gamedsl.interpreter import RulesInterpreter
from gamedsl.model import State
from gamedsl.model.recent import REMEMBERED, UNASKED, Recent
from gamedsl.model.state import MODULUS, factor_of, fingerprint

TWO = """players A, B
state:
    first: 0..1 = 0
    second: 0..1 = 1
move go:
    first, second = second, first
end:
    if first == 1: draw
"""


def test_a_fingerprint_tells_small_boards_apart() -> None:
    boards = list(product((0, 1, 2, None), repeat=6))
    assert len({fingerprint(board) for board in boards}) == len(boards)


def test_a_fingerprint_tells_places_apart_that_lie_far_from_each_other() -> None:
    lonely = [tuple(int(n == place) for n in range(400)) for place in range(400)]
    assert len({fingerprint(board) for board in lonely}) == 400


@pytest.mark.parametrize("digits", [(), (0,), (2, 0, 1) * 30, (None, 3, None, 255), (256, 4), (9,)])
def test_a_fingerprint_is_the_sum_of_factors_times_powers_of_two(
    digits: tuple[int | None, ...],
) -> None:
    total = sum(factor_of(digit) * 2**place for place, digit in enumerate(digits))
    assert fingerprint(digits) == total % MODULUS


def test_a_state_is_its_cells_turn_place_and_history() -> None:
    state = State((0, 1), 0, ("place",), ("past",))
    others = (
        State((1, 1), 0, ("place",), ("past",)),
        State((0, 1), 1, ("place",), ("past",)),
        State((0, 1), 0, None, ("past",)),
        State((0, 1), 0, ("place",), None),
    )
    assert state == State((0, 1), 0, ("place",), ("past",))
    assert hash(state) == hash(State((0, 1), 0, ("place",), ("past",)))
    for other in others:
        assert other != state
        assert hash(other) != hash(state)
    assert state.position() == State((0, 1), 0)
    game = gamedsl.load(TWO)
    second = game.model.variables[1:]
    assert state.part(second, False) == State((1,), 0)
    assert State((0, 1), 1).part(second, True) == State((1,), 1)


def test_notes_are_of_one_object_and_equal_states_have_their_own() -> None:
    recent = Recent()
    states = [State((n,), 0) for n in range(2)]
    notes = [recent.notes(state) for state in states]
    notes[0].legal = (1,)
    assert recent.notes(states[0]) is notes[0]
    assert notes[1].legal is UNASKED
    assert recent.notes(State((0,), 0)).legal is UNASKED


def test_notes_on_old_states_make_room_for_new_ones_and_those_in_use_stay() -> None:
    recent, used, unused = Recent(), State((0,), 0), State((1,), 0)
    notes, others = recent.notes(used), recent.notes(unused)
    for n in range(20 * REMEMBERED):
        recent.notes(State((n,), 1))
        assert recent.notes(used) is notes
    assert len(recent) <= 2 * REMEMBERED
    assert recent.notes(unused) is not others


def test_the_legal_actions_of_a_state_are_worked_out_once_for_all_its_results() -> None:
    game = gamedsl.load("tic_tac_toe", "interpreter")
    engine, asked = game.engine, 0
    assert isinstance(engine, RulesInterpreter)
    original = engine._first_group

    def first_group(*arguments: object) -> object:
        nonlocal asked
        asked += 1
        return original(*arguments)  # type: ignore[arg-type]

    engine._first_group = first_group  # type: ignore[method-assign, assignment]
    state = game.initial_state()
    for action in game.legal_actions(state):
        game.result(state, action)
    assert asked == 1
