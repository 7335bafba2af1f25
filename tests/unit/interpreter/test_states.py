"""States: equal by what they hold, immutable, and refused actions leave them alone."""

from __future__ import annotations

import pytest

from gamedsl import GameRuleError, IllegalActionError, State
from gamedsl.interpreter import TreeInterpreter
from tests.unit.interpreter.playing import cells, legal_names, loaded, play, shipped

HEAP = """game "Heap"
players A, B
param n = 3
state:
    left: 0..n = n
    kept[players]: 0..9 = 0
move take(k in 1..2):
    require k <= left
    left -= k
    kept[turn] += k
    ensure left > 0 or k == 1
move pass: again
end:
    if left == 0: turn loses
"""
UNGUARDED = HEAP.replace("    require k <= left\n", "")


def test_asking_about_a_state_changes_neither_it_nor_its_hash() -> None:
    game = loaded(HEAP)
    state, same = game.initial_state(), game.initial_state()
    before = hash(state)
    game.legal_actions(state)
    game.is_terminal(state)
    game.result(state, 0)
    game.show(state)
    assert state == same
    assert hash(state) == before == hash(same)


def test_a_result_is_a_new_state() -> None:
    game = loaded(HEAP)
    state = game.initial_state()
    held = state.cells
    after = game.result(state, game.action_named(state, "take(1)"))
    assert state.cells is held
    assert after != state


def test_whose_turn_it_is_is_part_of_the_state() -> None:
    game = shipped("nim", sizes="[1, 1]")
    one = play(game, "take(1, 1)")
    assert one != State(one.cells, 1 - one.turn)


def test_history_is_no_part_of_the_state() -> None:
    game = shipped("tic_tac_toe")
    assert play(game, "a1", "b1", "c1") == play(game, "c1", "b1", "a1")


def test_a_state_is_equal_to_no_other_thing() -> None:
    state = loaded(HEAP).initial_state()
    assert state != (state.cells, state.turn)
    assert len({state, loaded(HEAP).initial_state()}) == 1


def test_a_failing_ensure_leaves_no_trace() -> None:
    game = loaded(HEAP, n="2")
    state = game.initial_state()
    assert legal_names(game, state) == ["take(1)", "pass"]
    assert cells(game, state) == {"left": "2", "kept[A]": "0", "kept[B]": "0"}


@pytest.mark.parametrize("action", [1, 99, -1, "take(9)", (0, 0), None, 1.5])
def test_what_is_no_legal_action_is_refused_with_action_and_state(action: object) -> None:
    game = loaded(HEAP, n="2")
    state = game.initial_state()
    with pytest.raises(IllegalActionError) as caught:
        game.result(state, action)  # type: ignore[arg-type]
    assert caught.value.action == action
    assert caught.value.state is state


def test_nothing_is_legal_when_the_game_is_over() -> None:
    game = loaded(HEAP, n="1")
    over = play(game, "take(1)")
    assert game.legal_actions(over) == ()
    with pytest.raises(IllegalActionError, match="the game is over"):
        game.result(over, 0)
    with pytest.raises(ValueError, match="only a terminal state has utilities"):
        game.utilities(game.initial_state())


def test_an_error_while_looking_for_legal_moves_names_the_move_with_its_values() -> None:
    game = loaded(UNGUARDED, n="1")
    with pytest.raises(GameRuleError) as caught:
        game.legal_actions(game.initial_state())
    assert caught.value.action == "take(2)"
    assert caught.value.state == game.initial_state()
    assert caught.value.message == "`left` can reach -1, its domain is `0..1`"
    assert caught.value.hint == "forbid it with `require`, write `max(0, ...)`, or widen the domain"


def test_an_error_names_the_cell_and_what_might_be_done() -> None:
    text = HEAP.replace("kept[players]: 0..9", "kept[players]: 0..1")
    game = loaded(text)
    with pytest.raises(GameRuleError) as caught:
        game.legal_actions(game.initial_state())
    assert caught.value.message == "`kept[A]` can reach 2, its domain is `0..1`"
    assert caught.value.hint == "forbid it with `require`, write `min(1, ...)`, or widen the domain"


def test_no_legal_move_is_an_error_of_the_game() -> None:
    text = HEAP.replace("move pass: again\n", "")
    game = loaded(text, n="3")
    state = play(game, "take(2)")
    assert legal_names(game, state) == ["take(1)"]
    stranded = loaded(text.replace("k in 1..2", "k in 2..2").replace(" or k == 1", ""), n="3")
    with pytest.raises(GameRuleError, match="B is to move and has no legal move") as caught:
        stranded.legal_actions(play(stranded, "take(2)"))
    assert caught.value.code == "E3003"


def test_a_heuristic_value_that_is_no_number_is_an_error_of_the_game() -> None:
    text = HEAP + "evaluate p: first(i for i in 1..3 where i == left)\n"
    game = loaded(text, n="1")
    assert game.evaluate(game.initial_state(), 0) == 1
    with pytest.raises(GameRuleError, match="found `none`"):
        game.evaluate(play(game, "take(1)"), 0)
    with pytest.raises(ValueError, match="has no `evaluate`"):
        loaded(HEAP).evaluate(loaded(HEAP).initial_state(), 0)


def test_an_evaluation_sees_for_whom_it_is_asked() -> None:
    game = loaded(HEAP + "evaluate p: kept[p] - kept[next(p)] / 2\n")
    state = play(game, "take(2)")
    assert [game.evaluate(state, p) for p in game.players] == [2, -1]


def test_the_branches_of_a_wide_tree_are_numbered_once() -> None:
    width = 500
    branches = ", ".join(f"a{number} -> {number}" for number in range(width))
    game = loaded(f'game "Wide"\nplayers A, B\ntree:\n    A: {branches}\n')
    engine = game.engine
    assert isinstance(engine, TreeInterpreter)
    asked: list[str] = []

    class Watched(dict[str, int]):
        def __getitem__(self, label: str) -> int:
            asked.append(label)
            return super().__getitem__(label)

    engine._id = Watched(engine._id)
    root = game.initial_state()
    ends = {game.result(root, action) for action in game.legal_actions(root)}
    assert len(ends) == width == len(asked)
