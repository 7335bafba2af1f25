"""Mistakes of newcomers: a sound game, what stands there, and what they write instead.

Out: broken texts by name. A name says whose habit it is, or what was forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass

TIC_TAC_TOE = """game "Tic-tac-toe"
players X, O
board 3 wide 3 high

state:
    cell[square]: empty | players = empty

move mark(s in square):
    require cell[s] == empty
    cell[s] = turn

end:
    for p in players:
        if line(cell, p, 3): p wins
    if full(cell): draw
"""
HEAP = """game "One heap"
param start = 9
players A, B

state:
    left: 0..start = start

move take(n in 1..3):
    require n <= left
    left -= n

end:
    if stuck: turn loses
"""
DROP = """game "Drop"
players X, O
board 4 wide 4 high

state:
    cell[square]: empty | players = empty

move drop(c in columns):
    let place = first(s for s in square where column(s) == c and cell[s] == empty)
    require place != none
    cell[place] = turn

end:
    for p in players:
        if line(cell, p, 4): p wins
    if full(cell): draw
"""
PIG = """game "Pig"
param goal = 20
players A, B

state:
    score[players]: 0..goal = 0
    pot: 0..goal = 0

move roll:
    chance die in 1..6
    if die == 1:
        pot = 0
    else:
        pot = min(goal, pot + die)
        again

move hold:
    score[turn] = min(goal, score[turn] + pot)
    pot = 0

end:
    for p in players:
        if score[p] == goal: p wins

endless: draw
"""
RACE = """game "Race"
players A, B, C

state:
    at[players]: 0..10 = 0

move roll:
    chance die in 1..6
    at[turn] = min(10, at[turn] + die)

end:
    for w in players:
        if at[w] == 10: payoff p: 2 if p == w else -1
"""
HANDS = """game "Hands"
players A, B
type Hand = rock | paper | scissors

state:
    shown[players]: none | Hand = none

def beats(a, b) = (a, b) in {(rock, scissors), (scissors, paper), (paper, rock)}

simultaneous show(h in Hand):
    shown[me] = h

end:
    if shown[A] != none:
        if beats(shown[A], shown[B]): A wins
        if beats(shown[B], shown[A]): B wins
        draw
"""
SOUND = (TIC_TAC_TOE, HEAP, DROP, PIG, RACE, HANDS)


@dataclass(frozen=True, slots=True)
class Mistake:
    """Where `right` stands in a game, `wrong` is written: so many mistakes, so many messages."""

    name: str
    game: str
    right: str
    wrong: str
    messages: int = 1

    @property
    def text(self) -> str:
        """The broken game."""
        assert self.right in self.game
        return self.game.replace(self.right, self.wrong)


_CELL = "    cell[square]: empty | players = empty"
_LINES = "    for p in players:\n        if line(cell, p, 3): p wins\n"
_MARK = "move mark(s in square):\n    require cell[s] == empty\n    cell[s] = turn"
_TAKE = "    require n <= left\n    left -= n\n"
_PLACE = "first(s for s in square where column(s) == c and cell[s] == empty)"

MISTAKES = (
    Mistake(
        "a ragged diagram",
        TIC_TAC_TOE,
        "= empty\n\nmove",
        "= diagram\n        . . .\n          . X .\n        . . .\n\nmove",
    ),
    Mistake(
        "else if below a for",
        TIC_TAC_TOE,
        "    if full(cell): draw",
        "    else if full(cell): draw",
    ),
    Mistake(
        "else if",
        TIC_TAC_TOE,
        "    for p in players:\n        if line(cell, p, 3): p wins\n    if full(cell): draw",
        "    if line(cell, X, 3): X wins\n    else if full(cell): draw",
    ),
    Mistake(
        "else if below an if on the line of a for",
        TIC_TAC_TOE,
        "    for p in players:\n        if line(cell, p, 3): p wins\n    if full(cell): draw",
        "    for p in players: if line(cell, p, 3): p wins\n    else if full(cell): draw",
    ),
    Mistake(
        "counting what is not declared",
        TIC_TAC_TOE,
        "    cell[s] = turn",
        "    cell[s] = turn\n    score += 1",
    ),
    Mistake(
        "counting in full what is not declared",
        TIC_TAC_TOE,
        "    cell[s] = turn",
        "    cell[s] = turn\n    moves = moves + 1",
    ),
    Mistake("a claimed draw misspelt", TIC_TAC_TOE, "draw\n", "draw\n\nexpect value: drw\n"),
    Mistake(
        "a claimed tie",
        TIC_TAC_TOE,
        "    if full(cell): draw\n",
        "    if full(cell): draw\n\nexpect value: tie\n",
    ),
    Mistake(
        "a claim without its fact",
        TIC_TAC_TOE,
        "    if full(cell): draw\n",
        "    if full(cell): draw\n\nexpect draw\n",
    ),
    Mistake("opponent with brackets", HEAP, "turn loses", "opponent() wins"),
    Mistake(
        "a list for other cells", TIC_TAC_TOE, _CELL, _CELL + "\n    gate[1..3]: square = [a1, c1]"
    ),
    Mistake(
        "columns for squares",
        TIC_TAC_TOE,
        _CELL,
        _CELL + "\n    gate[1..2]: square = [a, c]",
        messages=2,
    ),
    Mistake("a board without width", TIC_TAC_TOE, "board 3 wide", "board 0 wide"),
    Mistake(
        "parameters with types", HANDS, "def beats(a, b) =", "def beats(a: Hand, b: Hand) -> bool ="
    ),
    Mistake(
        "a result with a type",
        HEAP,
        "move take",
        "def half(x) -> int:\n    return x // 2\n\nmove take",
    ),
    Mistake("a def with a colon", HANDS, "def beats(a, b) =", "def beats(a, b):"),
    Mistake("self in front", HEAP, "    left -= n", "    self.left -= n"),
    Mistake(
        "a property with a point",
        TIC_TAC_TOE,
        "require cell[s] == empty",
        "require s.row == 1 and cell[s] == empty",
    ),
    Mistake(
        "a conditional of c",
        PIG,
        "pot = min(goal, pot + die)",
        "pot = pot + die > goal ? goal : pot + die",
    ),
    Mistake(
        "operators of c", HEAP, "require n <= left", "require n <= left && !(n == 2) || left == 2"
    ),
    Mistake("changing a parameter", HEAP, "    left -= n", "    left -= n\n    start += 1"),
    Mistake("print", HEAP, "    left -= n", "    left -= n\n    print(left)"),
    Mistake(
        "elif below a for",
        TIC_TAC_TOE,
        "    for p in players:\n        if line(cell, p, 3): p wins\n    if",
        _LINES + "    elif",
    ),
    Mistake(
        "rows and columns from 0", TIC_TAC_TOE, "mark(s in square)", "mark(r in 0..2, c in 0..2)"
    ),
    Mistake(
        "a cell by row and column",
        TIC_TAC_TOE,
        _MARK,
        "move mark(r in 0..2, c in 0..2):\n    require cell[r][c] == empty\n    cell[r][c] = turn",
    ),
    Mistake(
        "a square of row 0",
        TIC_TAC_TOE,
        "    cell[s] = turn",
        "    cell[s] = turn\n    cell[a0] = X",
    ),
    Mistake(
        "a tab among spaces",
        TIC_TAC_TOE,
        "        if line(cell, p, 3): p wins",
        "\tif line(cell, p, 3): p wins",
    ),
    Mistake("a list of players", TIC_TAC_TOE, "players X, O", "players = [X, O]"),
    Mistake("a number of players", TIC_TAC_TOE, "players X, O", "players 2"),
    Mistake("a move without effect", HEAP, "    left -= n\n", ""),
    Mistake("pass", HEAP, "end:", "move skip:\n    pass\n\nend:"),
    Mistake(
        "players of other names",
        TIC_TAC_TOE,
        _LINES,
        "    if line(cell, white, 3): white wins\n    if line(cell, black, 3): black wins\n",
        messages=2,
    ),
    Mistake(
        "players in small letters",
        TIC_TAC_TOE,
        _LINES,
        "    if line(cell, x, 3): x wins\n    if line(cell, o, 3): o wins\n",
        messages=2,
    ),
    Mistake("a payoff for one of three", RACE, "payoff p: 2 if p == w else -1", "payoff A: 2"),
    Mistake("wins among three", RACE, "payoff p: 2 if p == w else -1", "w wins"),
    Mistake("payoff with an equals sign", RACE, "payoff p: 2 if p == w else -1", "payoff w = 2"),
    Mistake("a payoff for the loop variable", RACE, "payoff p: 2 if p == w else -1", "payoff w: 2"),
    Mistake("a list of payoffs", RACE, "payoff p: 2 if p == w else -1", "payoff [2, -1, -1]"),
    Mistake("weights out of a hundred", PIG, "chance die in 1..6", "chance die in {1: 50, 2: 50}"),
    Mistake(
        "weights with a point",
        PIG,
        "chance die in 1..6",
        "chance die in {1: 0.5, 2: 0.5}",
        messages=2,
    ),
    Mistake("weights in percent", PIG, "chance die in 1..6", "chance die in {1: 50%, 2: 50%}"),
    Mistake("random as a function", PIG, "chance die in 1..6", "die = random(1, 6)"),
    Mistake("chance as a value", PIG, "chance die in 1..6", "die = chance 1..6"),
    Mistake("chance with a colon", PIG, "chance die in 1..6", "chance die: 1..6"),
    Mistake(
        "a square off the board",
        TIC_TAC_TOE,
        "    cell[s] = turn",
        "    cell[s] = turn\n    cell[d4] = empty",
    ),
    Mistake(
        "a parameter of the move in end",
        HEAP,
        "if stuck: turn loses",
        "if n == 3 or stuck: turn loses",
    ),
    Mistake("if without a colon", HEAP, "    require n <= left\n", "    if n <= left\n"),
    Mistake(
        "if where require is meant",
        HEAP,
        "    require n <= left\n    left -= n",
        "    if n <= left: left -= n",
    ),
    Mistake("illegal", HEAP, "    require n <= left\n", "    if n > left: illegal\n"),
    Mistake("require with a colon", HEAP, "require n <= left", "require: n <= left"),
    Mistake("assert", HEAP, "require n <= left", "assert n <= left"),
    Mistake("when", HEAP, "require n <= left", "when n <= left"),
    Mistake("a loop of c", TIC_TAC_TOE, "for p in players:", "for (int i = 0; i < 2; i++):"),
    Mistake("foreach", TIC_TAC_TOE, "for p in players:", "foreach p in players:"),
    Mistake("for each", TIC_TAC_TOE, "for p in players:", "for each p in players:"),
    Mistake("a comment of c", HEAP, "    left -= n", "    left -= n  // take them"),
    Mistake("a long comment of c", HEAP, "    left -= n", "    /* take them */\n    left -= n"),
    Mistake("winner as a variable", TIC_TAC_TOE, "p wins", "winner = p"),
    Mistake("win as a function", TIC_TAC_TOE, "p wins", "win(p)"),
    Mistake("a number for a domain", HEAP, "left: 0..start = start", "left: 9"),
    Mistake("no domain", HEAP, "left: 0..start = start", "left = start"),
    Mistake("a list for a domain", HEAP, "left: 0..start = start", "left: [0, start] = start"),
    Mistake("a range in brackets", HEAP, "left: 0..start = start", "left: [0..start] = start"),
    Mistake(
        "an array of c",
        TIC_TAC_TOE,
        "cell[square]: empty | players = empty",
        "cell[3][3]: empty | players = empty",
    ),
    Mistake(
        "a size for an index",
        TIC_TAC_TOE,
        "cell[square]: empty | players = empty",
        "cell[9]: empty | players = empty",
    ),
    Mistake("empty outside the domain", TIC_TAC_TOE, "empty | players = empty", "players = empty"),
    Mistake("a space in quotes", TIC_TAC_TOE, "empty | players = empty", "' ' | players = ' '"),
    Mistake("a power", HEAP, "require n <= left", "require 2**n <= left"),
    Mistake("a power with a caret", HEAP, "require n <= left", "require 2^n <= left"),
    Mistake("unless", HEAP, "require n <= left", "require n <= left unless left == 2"),
    Mistake("a square that is empty", TIC_TAC_TOE, "cell[s] == empty", "s == empty"),
    Mistake("empty as a function", TIC_TAC_TOE, "require cell[s] == empty", "require empty(s)"),
    Mistake("player for turn", TIC_TAC_TOE, "cell[s] = turn", "cell[s] = player"),
    Mistake("passing the turn", HEAP, "    left -= n", "    left -= n\n    next turn"),
    Mistake("next of nobody", HEAP, "    left -= n", "    left -= n\n    turn = next()"),
    Mistake("switching the turn", HEAP, "    left -= n", "    left -= n\n    switch turn"),
    Mistake(
        "directions in words",
        TIC_TAC_TOE,
        "board 3 wide 3 high",
        "board 3 wide 3 high\ndirections north, south",
        messages=2,
    ),
    Mistake("up", TIC_TAC_TOE, "require cell[s] == empty", "require cell[s + up] == empty"),
    Mistake(
        "north as a function",
        TIC_TAC_TOE,
        "require cell[s] == empty",
        "require cell[north(s)] == empty",
    ),
    Mistake("a function that nobody defined", TIC_TAC_TOE, "line(cell, p, 3)", "three_in_a_row(p)"),
    Mistake("a parameter without a domain", TIC_TAC_TOE, "mark(s in square)", "mark(s)"),
    Mistake("a move called def", TIC_TAC_TOE, "move mark(s in square):", "def mark(s in square):"),
    Mistake(
        "a condition behind a move",
        TIC_TAC_TOE,
        "move mark(s in square):",
        "move mark(s in square) if cell[s] == empty:",
    ),
    Mistake(
        "a type with commas",
        HANDS,
        "type Hand = rock | paper | scissors",
        "type Hand = rock, paper, scissors",
    ),
    Mistake(
        "a type of texts",
        HANDS,
        "type Hand = rock | paper | scissors",
        'type Hand = "rock" | "paper" | "scissors"',
    ),
    Mistake("an end that forgets a case", HEAP, "if stuck: turn loses", "if left == 1: turn loses"),
    Mistake(
        "secret in front",
        HANDS,
        "shown[players]: none | Hand = none",
        "secret shown[players]: none | Hand = none",
    ),
    Mistake(
        "secret before the first value",
        HANDS,
        "shown[players]: none | Hand = none",
        "shown[p in players]: none | Hand secret to p = none",
    ),
    Mistake(
        "new values in a chance",
        PIG,
        "chance die in 1..6",
        "chance die in {good: 5/6, bad: 1/6}",
        messages=2,
    ),
    Mistake("conditions with a comma", HEAP, "require n <= left", "require n <= left, n > 0"),
    Mistake("a name without let", DROP, "let place =", "place ="),
    Mistake(
        "the first item at 0",
        DROP,
        _PLACE,
        "[s for s in square where column(s) == c and cell[s] == empty][0]",
    ),
    Mistake("len of a number", HEAP, "require n <= left", "require len(left) >= n"),
    Mistake("counting all cells at once", TIC_TAC_TOE, "full(cell)", "count(cell == empty) == 0"),
    Mistake("comparing all cells at once", TIC_TAC_TOE, "full(cell)", "all(cell != empty)"),
)
"""What newcomers wrote, each with one thing wrong."""
