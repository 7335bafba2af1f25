"""A mistake is named where it is, in words that teach; one mistake gives one message."""

from __future__ import annotations

import pytest

from gamedsl.source import Diagnostic, SourceFile
from gamedsl.syntax.parse import parse, parse_expression

GAME = """\
game "T"
players X, O
board 3 wide 3 high
state:
    cell[square]: empty | players = empty
    pot: 0..9 = 0
move mark(s in square):
    require cell[s] == empty
    cell[s] = turn
end:
    if full(cell): draw
"""
"""A right game; every row of the table spoils one line of it."""

BODY, CHECK, MOVE, TEST, BOARD, POT, SIDES, TITLE, END = (
    "cell[s] = turn", "cell[s] == empty", "move mark(s in square):", "if full(cell): draw",
    "board 3 wide 3 high", "pot: 0..9 = 0", "players X, O", 'game "T"', "end:",
)  # fmt: skip

TABLE = [
    # what newcomers write, and what they should read
    (CHECK, "cell[s] = empty", "E0102", 8, 21, "`=` changes a variable; to compare, write `==`"),
    (TEST, "if pot = 3: draw", "E0102", 11, 12, "to compare, write `==`"),
    (TEST, "if line(cell, X, 3): X win", "E0104", 11, 28,
     "an outcome is `p wins`, `p loses`, `draw` or `payoff ...`"),
    (TEST, "X won", "E0104", 11, 7, "an outcome is"),
    (TEST, "winner X", "E0104", 11, 5, "an outcome is"),
    (TEST, "if full(cell): tie", "E0104", 11, 20, "an outcome is"),
    (TEST, "X wins, O loses", "E0104", 11, 11, "when one of two players wins, the other loses"),
    (TEST, "if full(cell): win X", "E0104", 11, 20, "an outcome is"),
    (TEST, "if line(cell, X, 3): return X wins", "E0115", 11, 26, "nothing is returned"),
    (POT, "pot: 0, 1, 2 = 0", "E0114", 6, 11, "the values of a variable are joined by `|`"),
    (POT, "tile[square]: 0..9 = diagram\n            1 2 3\n        4 . 6\n        7 8 9",
     "E0106", 8, 9, "this row does not begin below the first row of the diagram"),
    (SIDES, "players X, O\nparam n: 5", "E0103", 3, 8, "given its value with `=`, not with `:`"),
    (SIDES, "players X, O\nlet n = 5", "E0123", 3, 1, "`let` belongs into a block"),
    (END, "endless:\n    draw\nend:", "E0108", 10, 9, "stands behind `endless:`, on the same"),
    (END, "expect value X wins\nend:", "E0105", 10, 13, "put `:` after `expect value`"),
    (END, "expect best move: mark(a1)\nend:", "E0105", 10, 12, "put `:` after `expect best`"),
    (MOVE, "move mark(s in square) simultaneous:", "E0115", 7, 24,
     "`simultaneous` stands in the place of `move`"),
    (BOARD, "board graph:\n    a -> b", "E0113", 4, 7, "points of a graph are joined by `-`"),
    (BOARD, "board graph:\n    edges: (a, b)", "E0113", 4, 12, "are joined by `-`"),
    (CHECK, "exists t in square: pot == 1", "E0115", 8, 13, "`exists` is written `any(...)` here"),
    (CHECK, "any(t in square: cell[t] == X)", "E0115", 8, 17,
     "what is asked stands in front: `any(... for t in square)`"),
    (CHECK, "count(t in square where cell[t] == X) > 0", "E0115", 8, 19,
     "what is counted stands in front: `count(... for t in square)`"),
    (BODY, "if pot > 0: pot--", "E0114", 9, 20, "there is no `--`"),
    (BODY, "let die = chance in 1..6", "E0115", 9, 15, "`chance` is no value"),
    (BODY, "pot = chance in 1..6", "E0115", 9, 11, "`chance` is no value"),
    (BODY, "chance a in 1..6, b in 1..6", "E0114", 9, 21, "each chance event stands on a line"),
    (BODY, "if pot == 1:\n        pot = 2\n    otherwise:\n        pot = 3", "E0123", 11, 5,
     "`otherwise` stands between moves, at the left margin"),
    (BODY, "cell[s] = turn\n    next_player", "E0115", 10, 5, "the turn passes by itself"),
    (BODY, "cell[s] = turn\n    end turn", "E0115", 10, 5, "the turn passes by itself"),
    (BODY, "pot(1) = 2", "E0120", 9, 5, "only a variable, or a cell of one, can be given"),
    (SIDES, "players X, O // two", "E0114", 2, 14, "a comment begins with `#`, not with `//`"),
    (CHECK, "pot > 1 AND pot < 3", "E0114", 8, 21, "`AND` is written `and` here"),
    (CHECK, "pot -= 1", "E0102", 8, 17, "`-=` changes a variable; a condition only asks"),
    (BODY, "pot = 1 if cell[s] == X", "E0115", 9, 13, "a conditional value needs an `else`"),
    (BODY, "if pot == 1: pot = 2 else: pot = 3", "E0121", 9, 26, "`else` begins a line of its own"),
    (BODY, "for a, b in players: pot = 1", "E0111", 9, 10, "`for (a, b) in ...`"),
    (MOVE, "move mark(s in square, cell[s] == empty):", "E0115", 7, 24,
     "a condition on a parameter stands behind `where`"),
    (END, "evaluate: pot\nend:", "E0124", 10, 9, "an evaluation says for whom it is"),
    (END, "def f(x) = return x\nend:", "E0115", 10, 12, "one formula, without `return`"),
    (END, "endless: tie\nend:", "E0104", 10, 10, "an outcome is"),
    ("state:", "state", "E0105", 4, 6, "put `:` after `state`"),
    (MOVE, "move mark(s in square)", "E0105", 7, 23, "put `:` after `move mark(s in square)`"),
    (BODY, "if pot == 1\n        pot = 2", "E0105", 9, 16, "put `:` after `if pot == 1`"),
    (BODY, "for p in players\n        pot = 2", "E0105", 9, 21, "put `:` after `for p in players`"),
    (TEST, "if pot == 1: draw\n    else\n        draw", "E0105", 12, 9, "put `:` after `else`"),
    (POT, "pot 0..9 = 0", "E0100", 6, 9, "found `0`, expected `:` or `[`"),
    (BODY, "cell[s] = turn\n  pot = 1", "E0106", 10, 3,
     "this line fits no block above; blocks are indented by 4 spaces"),
    (BODY, "cell[s] = turn\n      pot = 1", "E0107", 10, 7,
     "this line is indented, but the line above opens no block"),
    (TITLE, '  game "T"', "E0107", 1, 3, "the first line is indented"),
    (BODY, "if pot == 1:", "E0108", 9, 5, "`if` needs a block: lines below it, indented by 4"),
    (TEST, "if pot == 1: if pot == 2: draw", "E0108", 11, 18, "only a simple statement fits"),
    (BOARD, "board 3x3", "E0113", 3, 7, "write `board 3 wide 3 high`"),
    (BOARD, "board 8 by 9", "E0113", 3, 7, "write `board 8 wide 9 high`"),
    (BOARD, "board 4", "E0113", 3, 7, "write `board 4 wide 4 high`"),
    (SIDES, "player X, O", "E0109", 2, 1, "`player` begins no section; did you mean `players`?"),
    (SIDES, "Players X, O", "E0109", 2, 1, "did you mean `players`?"),
    (MOVE, "action mark(s in square):", "E0109", 7, 1, "did you mean `move`?"),
    (END, "foo = 3\nend:", "E0109", 10, 1, "`foo` begins no section"),
    (BODY, "requires pot == 1", "E0109", 9, 5, "did you mean `require`?"),
    (BODY, "agian", "E0109", 9, 5, "did you mean `again`?"),
    (BODY, "do pot", "E0109", 9, 5, "`do` begins no statement"),
    (END, "repeat state 3 time: draw\nend:", "E0109", 10, 16, "did you mean `times`?"),
    # names
    (BODY, "let if = 3", "E0110", 9, 9, "`if` is a word of the language"),
    (POT, "draw: 0..9 = 0", "E0110", 6, 5, "`draw` is a word of the language"),
    (SIDES, "players 1, 2", "E0116", 2, 9, "`1` is no name: a name begins with a letter"),
    (SIDES, "players X, 2nd", "E0116", 2, 12, "`2nd` is no name"),
    # brackets and quotes
    (BODY, "for a in players, b in players: pot = 1", "E0150", 9, 21, "has its own `for`"),
    (CHECK, "any(a == b for a in players, b in players)", "E0150", 8, 40, "has its own `for`"),
    (CHECK, "f(cell[s]", "E0111", 8, 14, "`(` is never closed"),
    (CHECK, "f(cell[s]]", "E0111", 8, 22, "`]` cannot close `(`"),
    (CHECK, "cell[s]) == empty", "E0111", 8, 20, "`)` closes nothing: no `(` is open"),
    (CHECK + "\n    " + BODY, "f(a, b\n    cell[s] = max(1, 2))", "E0111", 9, 5,
     "`(` is not closed before this line"),
    (MOVE, "move mark(s in square:", "E0111", 7, 10, "`(` is never closed"),
    (MOVE, "move mark s in square:", "E0111", 7, 11, "the parameters of a move stand in paren"),
    (TITLE, 'game "T', "E0112", 1, 6, "the title has no closing quote"),
    (TITLE, "game T", "E0112", 1, 6, 'put the title in quotes: `game "T"`'),
    (TITLE, "game: T", "E0112", 1, 5, 'put the title in quotes: `game "T"`'),
    (TITLE, "game 'T'", "E0112", 1, 6, "a title stands in double quotes"),
    (TITLE, "game", "E0112", 1, 5, "a title is missing"),
    (BODY, 'pot = "a"', "E0112", 9, 11, "there are no texts in quotes"),
    # signs
    (BODY, "require a && b", "E0114", 9, 15, "`&&` is written `and` here"),
    (BODY, "require a || b", "E0114", 9, 15, "`||` is written `or` here"),
    (BODY, "require !a", "E0114", 9, 13, "`!` is written `not` here"),
    (BODY, "require a === b", "E0114", 9, 15, "`===` is written `==` here"),
    (BODY, "pot++", "E0114", 9, 8, "there is no `++`"),
    (BODY, "pot *= 2", "E0114", 9, 9, "there is no `*=`"),
    (BODY, "pot = 1;", "E0114", 9, 12, "a statement ends with its line"),
    (BODY, "require pot is 1", "E0114", 9, 17, "`is` is written `==` here"),
    (BODY, "require pot is even", "E0114", 9, 20, "the language has no word `even`"),
    (BODY, "require pot is not 1", "E0114", 9, 17, "`is not` is written `!=` here"),
    (BODY, "require pot mod 2 == 0", "E0114", 9, 17, "`mod` is written `%` here"),
    (BODY, "pot := 1", "E0103", 9, 9, "`:=` is written `=` here"),
    (BODY, "pot =+ 1", "E0103", 9, 9, "`=+` is written `+=` here"),
    (BODY, "let x == 1", "E0103", 9, 11, "`==` compares; to give a value, write `=`"),
    (BODY, "pot == 1", "E0103", 9, 9, "`==` compares; to give a value, write `=`"),
    (BODY, "let x += 1", "E0103", 9, 11, "a new name is given a value with `=`"),
    (POT, "pot: 0..9 == 0", "E0103", 6, 14, "to give an initial value, write `=`"),
    (BODY, "require pot ≤ 3", "E0101", 9, 17, "write `<=`"),
    (BODY, "pot = pot − 1", "E0101", 9, 15, "write `-`"),
    (BODY, "pot = 2 × 3", "E0101", 9, 13, "write `*`"),
    (TITLE, "game “T”", "E0101", 1, 6, 'write `"`'),
    (BODY, "pot\u00a0= 1", "E0101", 9, 8, "this is not an ordinary space"),
    (BODY, "pot = \x07 1", "E0101", 9, 11, "an invisible character here (U+0007)"),
    (BODY, "pot = a.b", "E0101", 9, 12, "`.` means nothing here"),
    # numbers and ranges
    (BODY, "require 2pot > 3", "E0116", 9, 13, "`2pot` is neither a number nor a name"),
    (BODY, "pot = 1.", "E0116", 9, 11, "digits on both sides"),
    (BODY, "pot = " + "9" * 50, "E0116", 9, 11, "this number has 50 digits"),
    (BODY, "pot = 1...5", "E0117", 9, 12, "a range has two points"),
    (BODY, "require pot in 1 to 5", "E0117", 9, 22, "a range is written `1..6`"),
    # other languages
    (BODY, "return pot", "E0115", 9, 5, "nothing is returned"),
    (BODY, "while pot > 3:\n        pot -= 1", "E0115", 9, 5, "there is no `while`"),
    (BODY, "if a then pot = 1", "E0115", 9, 10, "`:` where you wrote `then`"),
    (BODY, "if a:\n        pot = 1\n    else if b:\n        pot = 2", "E0115", 11, 5,
     "`else if` is written `elif` here"),
    (BODY, "if a:\n        pot = 1\n    elseif b:\n        pot = 2", "E0115", 11, 5,
     "`elseif` is written `elif` here"),
    (MOVE, "move mark(s in square) {", "E0115", 7, 24, "a block begins with `:`, not with `{`"),
    (END, "def f(x):\n    return x\nend:", "E0115", 10, 9, "a `def` is one formula"),
    (BODY, "pot = if a then 1 else 2", "E0115", 9, 11, "begins with the value: `b if a else c`"),
    (BODY, "pot = 1 if a", "E0115", 9, 13, "needs an `else`"),
    (BODY, "require any(x for x in s if x > 3)", "E0115", 9, 30, "with `where`, not with `if`"),
    (BODY, "for x in s if x > 2:\n        pot = 1", "E0115", 9, 16, "with `where`, not with"),
    (TEST, "if (a for x in s): draw", "E0115", 11, 8, "belongs to a function"),
    # what is too deep
    (BODY, "pot = " + "(" * 70 + "1" + ")" * 70, "E0118", 9, 71, "nested more than 60 deep"),
    (BODY, "pot = " + "-" * 200 + "1", "E0118", 9, 109, "nested more than 100 levels deep"),
    # statements, branches and sections out of place
    (BODY, "cell[s]", "E0120", 9, 5, "this does nothing"),
    (BODY, "f(x) = 3", "E0120", 9, 5, "only a variable, or a cell of one"),
    (BODY, "else:\n        pot = 1", "E0121", 9, 5, "there is no `if` above for this `else`"),
    (BODY, "if a:\n        pot = 1\n    else:\n        pot = 2\n    else:\n        pot = 3",
     "E0121", 13, 5, "an `if` has one `else`, at its end"),
    (END, "again\nend:", "E0123", 10, 1, "this statement stands at the left margin"),
    (BODY, "def f(x) = 3", "E0123", 9, 5, "`def` begins a section"),
    (SIDES, "players: X, O", "E0124", 2, 8, "no `:` comes after `players`"),
    (SIDES, "players = X, O", "E0124", 2, 9, "no `=` comes after `players`"),
    (END, "otherwise:\nend:", "E0124", 10, 10, "no `:` comes after `otherwise`"),
    (POT, "pot = 0", "E0125", 6, 9, "`pot` needs a domain"),
    (MOVE, "move mark(s):", "E0125", 7, 11, "what does `s` range over?"),
    (MOVE, "move mark(s: square):", "E0125", 7, 12, "is written `s in ...`, not with `:`"),
    (MOVE, "move mark(s in subset of square):", "E0125", 7, 16, "is written `s subset of ...`"),
    (MOVE, "move mark(s: set of square):", "E0125", 7, 14, "is written `s subset of ...`"),
    (MOVE, "move mark(a in b, s subset square):", "E0125", 7, 28, "is written `s subset of ...`"),
    (MOVE, "move mark(s subset of 2 of square):", "E0125", 7, 25, "stands behind `where`"),
    (MOVE, "move mark(s ⊆ square):", "E0101", 7, 13, "write `subset of`"),
    (POT, "pot: subset of 1..9", "E0125", 6, 10, "a variable holds a single value, no set"),
    (BODY, "for i subset of 1..3:\n        pot = i", "E0125", 9, 11, "only a parameter"),
    (BODY, "for i = 1..3:\n        pot = i", "E0125", 9, 11, "not with `=`"),
    (BODY, "chance die = 1..6", "E0125", 9, 16, "not with `=`"),
    (BODY, "chance a[i, 2] = 1..6", "E0125", 9, 20, "`a[i, 2]` ranges over is written"),
    # found and expected
    (BODY, "require", "E0100", 9, 12, "found the end of the line, expected a value"),
    (BODY, "pot = 1 pot = 2", "E0100", 9, 13, "found `pot`, expected an operator or the end"),
    (SIDES, "players X O", "E0100", 2, 11, "found `O`, expected an operator, `,`, `of`"),
]  # fmt: skip


def read(text: str) -> tuple[Diagnostic, ...]:
    return parse(SourceFile("test.game", text))[1]


def test_the_game_of_the_table_is_right() -> None:
    assert read(GAME) == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "column", "message"),
    TABLE,
    ids=[f"{row[2]}-{row[1][:50]}".encode("unicode_escape").decode() for row in TABLE],
)
def test_a_mistake_has_one_message_at_its_place(
    old: str, new: str, code: str, line: int, column: int, message: str
) -> None:
    assert GAME.count(old) == 1
    (found,) = read(GAME.replace(old, new))
    assert (found.code, found.position) == (code, (line, column))
    assert message in found.message


TREES = [
    ("A: l -> 1\n    B: r -> 2", "E0126", 3, 5, "a tree has one root"),
    ("chance: l -> 1, 1/2 r -> 2", "E0122", 2, 13, "how likely is `l`?"),
    ("A: 1/2 l -> 1", "E0122", 2, 8, "only the branches of `chance:` have weights"),
    ("chance [i]: 1/1 l -> 1", "E0122", 2, 13, "a chance node has no information set"),
    ("A: l ->", "E0100", 2, 12, "expected a payoff or who moves next"),
    ("A: l > 1", "E0100", 2, 10, "found `>`, expected `->`"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "message"), TREES)
def test_a_mistake_in_a_tree_is_named(
    text: str, code: str, line: int, column: int, message: str
) -> None:
    (found,) = read(f"tree:\n    {text}\n")
    assert (found.code, found.position) == (code, (line, column))
    assert message in found.message


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", "   "])
def test_a_file_without_a_game_says_what_a_game_needs(text: str) -> None:
    (found,) = read(text)
    assert found.code == "E0119"
    assert found.hint is not None
    assert "players" in found.hint


@pytest.mark.parametrize("line", ["payoff pot", "if pot == 1: payoff pot"])
def test_a_payoff_that_nobody_gets_is_told_who_does(line: str) -> None:
    found = read(GAME.replace(TEST, line))
    assert [(one.code, one.hint) for one in found] == [
        ("E0105", "first who is paid, then what: `payoff A: 3, B: -3`")
    ]


def test_a_team_wins_in_the_singular() -> None:
    found = read(GAME.replace(TEST, "if line(cell, X, 3): Crosses win"))
    assert [(one.code, one.hint) for one in found] == [("E0104", "a team too: `Crosses wins`")]


def test_a_mismatched_bracket_points_at_the_one_that_it_should_close() -> None:
    (found,) = read(GAME.replace(CHECK, "f(cell[s]]"))
    (label,) = found.secondary
    assert found.source is not None
    assert found.source.position(label.span.start) == (8, 14)


EXPRESSIONS = [
    ("", "E0100", "a value is expected"),
    ("1 +", "E0100", "expected a value"),
    ("(1, 2", "E0100", "expected"),
    ("[1; 2]", "E0114", "`;`"),
    ("n = 3", "E0102", "write `==`"),
    ("a b", "E0100", "found `b`"),
    ("9" * 50, "E0116", "digits"),
    ("1\n2", "E0100", "found"),
    ("  ≤", "E0101", "write `<=`"),
]


@pytest.mark.parametrize(("text", "code", "message"), EXPRESSIONS)
def test_a_wrong_value_of_a_parameter_is_explained(text: str, code: str, message: str) -> None:
    found, (diagnostic,) = parse_expression(text, "-D n")
    assert found is None
    assert diagnostic.code == code
    assert diagnostic.file_name == "-D n"
    assert message in diagnostic.message


def test_a_value_of_a_parameter_may_have_space_around_it() -> None:
    found, diagnostics = parse_expression(" [1,\n 2] \n", "-D n")
    assert found is not None
    assert diagnostics == ()


def test_probabilities_that_are_negative_are_not_said_to_add_up_to_one_and_not_one() -> None:
    text = (
        'EFG 2 R "Odds" { "A" }\n'
        'c "" 1 "" { "l" -1/2 "r" 3/2 } 0\n'
        't "" 1 "" { 1 }\nt "" 2 "" { 0 }\n'
    )
    _, (found,) = parse(SourceFile("odds.efg", text))
    assert found.message == "a probability cannot be -1/2"
