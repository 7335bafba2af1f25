"""What the page says of games whose payoffs have a constant sum other than 0."""

from __future__ import annotations

import pytest

from gamedsl.game.library import shipped_game
from gamedsl.playground.solving import solve_position, values

BEFORE_A_WIN = {
    "Red": [f"drop({column})" for column in (4, 1, 3, 1, 5, 2)],
    "Yellow": [f"drop({column})" for column in (4, 1, 3, 1, 7, 1, 7)],
}
PAYOFFS = [(3, 2, 1), (100, 50, 0), (-1, -3, -5)]
"""Of a win, a draw and a loss."""


def rewritten(name: str, win: int, draw: int, loss: int) -> str:
    """A shipped game with numbers for wins and draws."""
    path = shipped_game(name)
    assert path is not None
    text = path.read_text("utf-8").partition("expect")[0]
    text = text.replace("p wins", f"payoff p: {win}, other(p): {loss}")
    return text.replace(": draw", f": payoff q: {draw}")


@pytest.mark.parametrize("winner", BEFORE_A_WIN)
@pytest.mark.parametrize(("win", "draw", "loss"), PAYOFFS)
def test_who_gets_more_wins_and_fills_the_bar(winner: str, win: int, draw: int, loss: int) -> None:
    text, moves = rewritten("connect_four", win, draw, loss), BEFORE_A_WIN[winner]
    red, yellow = (win, loss) if winner == "Red" else (loss, win)
    headline = f"{winner} wins (payoffs Red: {red}, Yellow: {yellow})"
    assert solve_position(text, moves)["headline"] == headline
    told = values(text, moves)
    assert str(told["why"]).startswith(headline)
    assert told["share"] == (1 if winner == "Red" else 0)


@pytest.mark.parametrize(("win", "draw", "loss"), PAYOFFS)
def test_a_draw_fills_half_of_the_bar_and_a_lost_move_ranks_last(
    win: int, draw: int, loss: int
) -> None:
    text = rewritten("tic_tac_toe", win, draw, loss)
    assert values(text, [])["share"] == 0.5
    lost = values(text, ["mark(a1)", "mark(b1)", "mark(b2)"])
    assert lost["share"] == 1
    assert {move["rank"] for move in lost["moves"]} == {0}  # type: ignore[attr-defined]


def test_partners_win_together() -> None:
    text = """game "Corner"
players Ann, Bob, Cid
board 6 wide 6 high
state:
    own[square]: empty | players = empty
move mark(s in square):
    require own[s] == empty
    own[s] = turn
end:
    if own[a1] != empty: payoff p: 3 if (p == Bob) == (own[a1] == Bob) else 1
"""
    headline = "Ann and Cid win (payoffs Ann: 3, Bob: 1, Cid: 3)"
    assert solve_position(text, [])["headline"] == headline
