"""How far exploration goes, and that it goes as far every time."""

from __future__ import annotations

import sys
from random import Random

import pytest

import gamedsl
from gamedsl.conformance import PlayTest, explore, sample
from gamedsl.conformance.plays import RandomPlays
from gamedsl.python.explored import native_count


def explored(name: str, **limits: int) -> PlayTest:
    """A shipped game, looked at from the start."""
    return explore(gamedsl.load(name), **limits)


def test_a_game_is_looked_at_equally_far_every_time() -> None:
    first, again = (explored("checkers", max_positions=500, plays=5) for _ in range(2))
    assert first == again
    assert not first.is_complete
    assert first.positions < 500 < first.positions + first.waiting


def test_a_small_game_is_seen_whole() -> None:
    found = explored("tic_tac_toe")
    assert (found.positions, found.waiting, found.is_complete, found.plays) == (5478, 0, True, 0)


def test_where_moves_are_many_positions_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[explore.__module__], "WORTH_COUNTING", 100)
    game = gamedsl.load("tic_tac_toe")

    def found(counted: int | None) -> PlayTest:
        return explore(game, plays=1, count=lambda *_: counted)

    assert (found(5478).positions, found(5478).is_complete) == (5478, True)
    assert not found(10**9).is_complete
    assert (found(None).positions, found(None).is_complete) == (5478, True)


ONLY_X = """game "X alone wins"
players X, O
board 3 wide 3 high

state:
    cell[square]: empty | X | O = empty

move mark(s in square):
    require cell[s] == empty
    cell[s] = turn

end:
    if line(cell, X, 3): X wins
    if cell[a1] == X and cell[a1] == O: O wins
    if full(cell): draw
"""


def test_what_is_odd_is_told_though_positions_are_only_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Counting finds that there is no error; what never happens is for plays to tell."""
    monkeypatch.setattr(sys.modules[explore.__module__], "WORTH_COUNTING", 100)
    found = explore(gamedsl.load(ONLY_X), count=lambda *_: 5000)
    assert (found.positions, found.is_complete) == (5000, True)
    assert {one.code for one in found.diagnostics} >= {"W3102", "W3110"}


@pytest.mark.parametrize(("most", "count"), [(10_000, 5478), (100, 101)])
def test_native_code_counts_positions(most: int, count: int) -> None:
    assert native_count(gamedsl.load("tic_tac_toe", engine="native"), most, None) == count


def test_native_code_that_cannot_count_says_so() -> None:
    assert native_count(gamedsl.load("kuhn_poker"), 1000, None) is None
    assert native_count(gamedsl.load("chess"), 1000, None) is None


ENDLESS = """game "Endless one"
players L
state:
    pull: 0..1 = 0
move pull_it(k in 0..1):
    pull = k
    reward L: k
discount = 1/2
"""


def test_what_endless_plays_are_paid_is_not_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand plies with a discount have sums of a thousand bits."""

    def refuse(*_: object) -> None:
        raise AssertionError("what a play is paid is added up before it has ended")

    monkeypatch.setattr("gamedsl.conformance.visits.Paid.add", refuse)
    found = explore(gamedsl.load(ENDLESS))
    assert found.is_complete


def test_random_plays_have_no_more_plies_than_they_are_given() -> None:
    steps: list[object] = []
    playing = RandomPlays(
        gamedsl.load("tic_tac_toe"), Random(0), lambda *_: None, lambda *_: None,
        lambda *step: steps.append(step),
    )  # fmt: skip
    playing.run(plays=9, plies=3)
    assert playing.begun == 1
    assert len(steps) == 3


PUZZLE = """
game "Long row"
players Solver

state:
    at: 0..60 = 30
    left: 0..40 = 40

move step(d in {-1, 1}):
    at += d
    left -= 1

end:
    if at == GOAL: Solver SIGN
    if left == 0: Solver loses
"""


@pytest.mark.parametrize(("sign", "goal", "count"), [("wins", 0, 0), ("loses", 0, 1)])
def test_what_a_lone_player_has_to_find_may_be_rare(sign: str, goal: int, count: int) -> None:
    text = PUZZLE.replace("GOAL", str(goal)).replace("SIGN", sign)
    found = explore(gamedsl.load(text), max_positions=50)
    assert [one.code for one in found.diagnostics].count("W3102") == count


GUESS = """
game "Guess the number"
players Ann

state:
    hidden: 1..3 = 1 OWNER
    answer: none | lower | higher | right = none

setup:
    chance hidden in 1..3

move guess(k in 1..3):
    answer = right if k == hidden else lower if hidden < k else higher

end:
    if answer == right: draw

endless: draw
"""


@pytest.mark.parametrize("owner", ["secret", "secret to Ann", ""])
@pytest.mark.parametrize(("guess", "count"), [("k", 0), ("2", 1)])
def test_actions_that_another_position_tells_apart_are_not_alike(
    owner: str, guess: str, count: int
) -> None:
    text = GUESS.replace("OWNER", owner).replace("k == hidden", f"{guess} == hidden")
    found = explore(gamedsl.load(text.replace("hidden < k", f"hidden < {guess}")))
    assert [one.code for one in found.diagnostics].count("W3104") == count


def test_pushes_that_do_the_same_on_an_empty_board_are_not_alike() -> None:
    assert "W3104" not in {one.code for one in explored("quixo").diagnostics}


TOUR = """
game "Three steps"
players Solver

state:
    at: 0..3 = 0

move step(k in 1..2):
    require at + k <= 3
    at += k

end:
    FIRST
    OTHER
"""
WON, FAILED = "if at == 3: Solver wins", "if stuck: Solver loses"


@pytest.mark.parametrize(("first", "other", "count"), [(WON, FAILED, 0), (FAILED, WON, 1)])
def test_a_goal_above_a_way_to_fail_is_no_clash(first: str, other: str, count: int) -> None:
    text = TOUR.replace("FIRST", first).replace("OTHER", other)
    found = explore(gamedsl.load(text))
    assert [one.code for one in found.diagnostics].count("W3101") == count


ROUNDS = """
game "Who bids more"
players A, B

state:
    bid[players]: none | 1..3 = none
    won: none | players = none
    is_over: bool = false

move offer(n in 1..3):
    require bid[turn] == none
    if turn == A: bid[A] = n
    else: BIDS
    if bid[A] != none and bid[B] != none:
        if bid[A] > bid[B]: won = A
        if bid[B] > bid[A]: won = B
    is_over = turn == B
    bid[B] = none

end:
    if is_over and won != none: won wins
    if is_over: draw
"""


def test_what_is_set_back_within_a_move_has_changed() -> None:
    found = explore(gamedsl.load(ROUNDS.replace("BIDS", "bid[B] = n")))
    assert "W3108" not in {one.code for one in found.diagnostics}


def test_a_value_in_few_of_many_positions_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third position is examined in detail, and `done` is true in another alone."""
    monkeypatch.setattr(sample, "MOST_STATES", 10)
    text = """
game "Steps"
players A
state:
    n: 0..20 = 0
    done: bool = false
    never: bool = false
move step:
    n += 1
    done = n == 4
    never = n == 0
end:
    if n == 20: A wins
"""
    found = [one for one in explore(gamedsl.load(text)).diagnostics if one.code == "W3108"]
    assert [one.message for one in found] == ["`never` never changed, in all 21 positions"]


def test_what_is_set_back_instead_has_not_changed() -> None:
    """The same values in branches of which one is taken."""
    text = ROUNDS.replace("    else: BIDS\n", "    else: bid[B] = none\n")
    found = explore(gamedsl.load(text.replace("    bid[B] = none\n\n", "\n")))
    assert "`bid[B]` never changed, and `bid[A]` did" in " ".join(
        one.message for one in found.diagnostics
    )
