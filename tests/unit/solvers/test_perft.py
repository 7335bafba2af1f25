"""Perft against published tables and against plain recursion."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl.game.accelerator import Capability, Refusal
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.reports.counts.perft import counts_text
from gamedsl.solvers.perft import divide, is_much, perft

TIC_TAC_TOE = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0)


def plain(game: Any, state: Any, depth: int) -> int:
    """Leaves at exactly this depth, one play at a time."""
    if game.current_player(state) < -1:
        return int(depth == 0)
    if game.current_player(state) == -1:
        outcomes = game.chance_outcomes(state)
        return sum(plain(game, game.result(state, o), depth) for o, _ in outcomes)
    if depth == 0:
        return 1
    return sum(plain(game, game.result(state, a), depth - 1) for a in game.legal_actions(state))


def test_tic_tac_toe_counts_a_finished_game_only_where_it_ends(games: Any) -> None:
    assert perft(gamedsl.load(games / "tic_tac_toe.game"), depth=10) == TIC_TAC_TOE


@pytest.mark.parametrize(("name", "depth"), [("pig", 3), ("kuhn_poker", 3), ("nim", 3)])
def test_perft_counts_the_leaves_of_plain_recursion(games: Any, name: str, depth: int) -> None:
    game = gamedsl.load(games / f"{name}.game")
    counts = perft(game, depth=depth)
    assert counts == tuple(plain(game, game.initial_state(), d) for d in range(depth + 1))


def test_whoever_waits_is_told_how_many_positions_were_expanded(games: Any) -> None:
    told: list[int] = []
    game = gamedsl.load(games / "tic_tac_toe.game", "python")
    perft(game, depth=7, progress=lambda expanded, _: told.append(expanded))
    assert told
    assert told == sorted(set(told))
    divided: list[int] = []
    divide(game, depth=7, progress=lambda expanded, _: divided.append(expanded))
    assert divided


def test_chance_outcomes_multiply_the_count_and_are_no_plies(games: Any) -> None:
    assert perft(gamedsl.load(games / "kuhn_poker.game"), depth=1) == (6, 12)


def test_joint_actions_are_one_ply(games: Any) -> None:
    assert perft(gamedsl.load(games / "rock_paper_scissors.game"), depth=2) == (1, 9, 0)


def test_a_multiple_jump_is_one_turn_of_draughts(games: Any) -> None:
    """7, 49, 302, 1469, 7361: Aart Bik's table of English draughts."""
    checkers = gamedsl.load(games / "checkers.game")
    assert perft(checkers, depth=4, turns=True) == (1, 7, 49, 302, 1469)
    assert perft(checkers, depth=4)[:4] == (1, 7, 49, 302)


def test_a_turn_in_which_one_player_moves_twice_is_one_turn() -> None:
    game = gamedsl.load("""\
game "Twice"
players A, B
state:
    moves: 0..4 = 0
move go(k in 1..2):
    moves += 1
    if moves % 2 == 1: again
end:
    if moves == 4: draw
""")
    assert perft(game, depth=4) == (1, 2, 4, 8, 16)
    assert perft(game, depth=3, turns=True) == (1, 4, 16, 0)
    assert divide(game, depth=2, turns=True) == (("go(1)", 8), ("go(2)", 8))


def test_the_end_is_not_asked_beyond_the_last_turn() -> None:
    game = gamedsl.load("""\
game "Failing end"
players A, B
state:
    left: 0..3 = 3
move take:
    left -= 1
end:
    if 3 // (left - 1) == 9: draw
""")
    assert perft(game, depth=2, turns=True) == perft(game, depth=2) == (1, 1, 1)


def test_a_turn_without_end_cannot_be_counted(games: Any) -> None:
    with pytest.raises(UnsupportedGameError, match="one turn of Pig can go on for ever"):
        perft(gamedsl.load(games / "pig.game"), depth=1, turns=True)


def test_an_endless_turn_is_found_without_walking_through_all_its_positions(games: Any) -> None:
    told: list[int] = []
    puzzle = gamedsl.load(games / "eight_puzzle.game")
    with pytest.raises(UnsupportedGameError, match="can go on for ever"):
        perft(puzzle, depth=1, turns=True, progress=lambda expanded, _: told.append(expanded))
    assert not told


def test_ways_that_meet_within_one_turn_are_added_up() -> None:
    game = gamedsl.load("""\
game "Stairs"
players A, B
state:
    step: 0..20 = 0
move climb(n in 1..2):
    require step + n <= 20
    step += n
    if step < 20: again
end:
    if step == 20: draw
""")
    assert perft(game, depth=2, turns=True) == (1, 10946, 0)  # the 21st Fibonacci number
    assert divide(game, depth=1, turns=True) == (("climb(1)", 6765), ("climb(2)", 4181))


def test_divide_carries_out_no_more_than_perft() -> None:
    game = gamedsl.load("""\
game "Failing move"
players A, B
state:
    left: 0..3 = 3
move take(n in 1..2):
    left -= n
end:
    if left == 9: draw
""")
    assert perft(game, depth=2) == (1, 2, 4)
    assert divide(game, depth=2) == (("take(1)", 2), ("take(2)", 2))


def test_divide_adds_up_to_perft(games: Any) -> None:
    game = gamedsl.load(games / "tic_tac_toe.game")
    parts = divide(game, depth=5)
    assert sum(count for _, count in parts) == TIC_TAC_TOE[5]
    assert [name for name, _ in parts][:2] == ["mark(a1)", "mark(b1)"]


def test_divide_of_a_deal_lists_the_outcomes(games: Any) -> None:
    game = gamedsl.load(games / "kuhn_poker.game")
    assert [count for _, count in divide(game, depth=1)] == [4, 4, 4]


def test_perft_from_a_state_counts_from_there(games: Any) -> None:
    game = gamedsl.load(games / "tic_tac_toe.game")
    state = game.result(game.initial_state(), 0)
    assert perft(game, state, 2) == (1, 8, 56)
    over = game.initial_state()
    for square in (0, 3, 1, 4, 2):
        over = game.result(over, square)
    assert perft(game, over, 2) == (1, 0, 0)
    assert divide(game, over, 1) == ()


def test_impossible_depths_are_refused(games: Any) -> None:
    game = gamedsl.load(games / "nim.game")
    with pytest.raises(ValueError, match="depth -1 is negative"):
        perft(game, depth=-1)
    with pytest.raises(ValueError, match="depth 0 divides nothing"):
        divide(game, depth=0)


@pytest.mark.parametrize("engine", ["interpreter", "python"])
def test_no_play_is_longer_than_the_longest_and_this_is_said_once(engine) -> None:
    game = gamedsl.load("nim", engine, sizes=[1, 1])
    counts = perft(game, depth=1_000_000)
    assert counts[:4] == (1, 2, 2, 0)
    assert len(counts) == 1_000_001
    assert not any(counts[3:])
    expected = "1  2\n2  2\n3  0\nno play is longer: 0 up to depth 1,000,000"
    assert counts_text(counts) == expected
    assert counts_text(counts[:4]) == "1  2\n2  2\n3  0"


@pytest.mark.parametrize("count", [perft, divide])
def test_depths_for_which_there_is_no_room_are_refused(games: Any, count: Any) -> None:
    """They were counted, one zero for each ply."""
    with pytest.raises(UnsupportedGameError, match="1,000,000 plies"):
        count(gamedsl.load(games / "tic_tac_toe.game"), depth=10**31)


def test_levels_that_shrink_are_not_followed_to_any_depth() -> None:
    assert not is_much([(100, 100), (50, 50)], 10**31)
    assert is_much([(100, 100), (1000, 1000)], 10)


def test_short_counts_ask_for_no_machine_code(monkeypatch: pytest.MonkeyPatch, games: Any) -> None:
    asked: list[int] = []

    def refused(_: Any, __: Capability) -> Refusal:
        asked.append(depth)
        return Refusal("a test")

    monkeypatch.setattr("gamedsl.solvers.perft.machine_code_of", refused)
    game = gamedsl.load(games / "tic_tac_toe.game")
    for depth in (3, 6):
        if depth == 6:
            monkeypatch.setattr("gamedsl.solvers.perft.WORTH_COMPILING", 1_000)
        assert perft(game, depth=depth) == TIC_TAC_TOE[: depth + 1]
    assert asked == [6]
