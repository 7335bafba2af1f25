"""Small games that have shown a mistake of the compiler: played alike on both engines."""

from __future__ import annotations

import random

import pytest

import gamedsl
from gamedsl.compiler.engine import CompiledEngine
from tests.differential.lockstep import Lockstep

GAMES = {
    "moves that are asked for ahead, in all places": """
players A, B
board 2 wide 3 high
state:
    man[s in square]: empty | players = (A if row(s) == 1 else B if s == b2 else empty)
    worth: 0..9 = 0
    left: 0..6 = 6
def shut_in(p) = stuck(p, go, leap)
effect step(a, b):
    man[b] = turn
    man[a] = empty
    if stuck(opponent, give) and worth < 6: worth += 1
    elif worth > 0: worth -= 1
move go(a in square where man[a] == turn, d in directions):
    require left > 0 and man[a + d] == empty
    step(a, a + d)
    left -= 1
    ensure worth < 5
move leap(a in square where man[a] == turn and not stuck(other(turn), give), n in 2..3):
    require left > 0 and man[a + n*N] == empty
    worth += n
    turn = opponent
    man[a + n*N] = turn
    ensure worth < 6 and count(s for s in square where man[s] == turn) < 4
    left -= 1
move give(s in square where man[s] == turn):
    require left > 0
    for p in players where p != man[s]: man[s] = p
    again
    left -= 1
    ensure worth != 2
move shut(s in square where man[s] == empty):
    require left > 0 and not any(stuck(p, go) for p in players where p != turn)
    man[s] = turn if not stuck(turn, leap) else opponent
    left -= 1
    ensure not shut_in(man[s] if man[s] != empty else turn)
move skip:
    require left > 0 and shut_in(turn)
    left -= 1
end:
    if left == 0 or shut_in(A) and stuck(B): draw
    if stuck: turn loses
evaluate p: 1/2 if stuck(p, go) else 0
""",
    "an error in a move that is asked for ahead": """
players A, B
state:
    left: 0..4 = 4
move take(n in 1..2):
    left -= n
    ensure left != 2
move look(n in 1..2):
    require n <= left
    left -= 1
    ensure not stuck(opponent, take)
move wait(n in 1..3 where left > 2 or stuck(turn, take)):
    left -= 1
end:
    if left == 0: draw
""",
    "elements that fail behind the first": """
players A, B
state:
    n: 0..3 = 0
    z: 0..1 = 0
move decide:
    require n < 3 and any(v == 0 for v in [1 % k for k in [1, n]])
    n += 1
move take:
    require n < 3 and first(v for v in {1 % k for k in [1, n]}) == 0
    n += 1
move walk:
    require n < 3
    for v in [1 % (k + n) for k in 0..1]: n += v
move belong:
    require n < 3 and 0 in [1 % k for k in [1, n]]
    n += 1
end:
    if n == 3: draw
""",
    "a line of whoever is to move": """
players Red, Blue
board 2 wide 1 high
state:
    cell[square]: empty | players = Blue
    left: 0..3 = 3
move take(s in square):
    cell[s] = empty
    left -= 1
move wait:
    require left > 0
    left -= 1
end:
    if line(cell, turn, 2): Red loses
    if left == 0: draw
""",
    "items of lists that are written out or held": """
players A, B
state:
    a: 1..5 = 2
    b: 1..5 = 4
    k: 1..3 = 1
    n: 0..6 = 0
move go(i in 1..3):
    let l = [x for x in {a, b, 6 - a} where x > 1]
    require l[i] != 5
    a = l[k]
    b = [b, a][1 if a > 2 else 2]
    k = i
    n += 1
move flip(i in 1..2):
    require [a > b, a == b, true][k]
    n += i
    a = [k, i, 5][k]
end:
    let paid = [a, b, k][k] / [1, 2, 3][k] + [a/2, b/3][1 if a > b else 2]
    if n >= 5: payoff A: paid, B: 0
""",
    "a cell drawn at an index drawn before": """
players X, O
state:
    hot[players, 0..1]: bool = false
    left: 0..2 = 2
setup:
    chance drawn in 1..2
    chance hot[turn, drawn % 2] in bool
move cool(n in 0..1):
    require left > 0
    hot[turn, n] = false
    left -= 1
end:
    if left == 0: draw
""",
    "a loop over numbers that puts values on a square": """
players A, B
board 2 wide 2 high
state:
    cell[square]: 0..9 = 0
    left: 0..3 = 3
move add(p in square):
    require left > 0
    for v in 2..5 where p != b2:
        if v % 2 == 1: cell[p] = v
    left -= 1
end:
    if left == 0: draw
""",
    "sets of known squares, compared": """
players A, B
board 3 wide 3 high
state:
    left: 0..3 = 3
move go(s in square):
    require {s, a1} == {a1, s} and [s, a1] != [a1, s]
    left -= 1
end:
    if left == 0: draw
""",
    "a direction that may be none, turned round": """
players A, B
board 3 wide 3 high
state:
    left: 0..3 = 3
move go(s in square):
    require s + -first(d for d in directions where s + d == none) != none
    left -= 1
end:
    if left == 0: draw
""",
}


@pytest.mark.parametrize("title", GAMES)
def test_games_that_were_once_different_are_played_alike(title: str) -> None:
    game = gamedsl.load(f'game "Once"\n{GAMES[title]}', "interpreter")
    for seed in range(6):
        together = Lockstep(game.engine, CompiledEngine(game.model), random.Random(seed))
        assert together.play(20) is None
