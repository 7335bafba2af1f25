"""Words of foreign languages, and the equivalents in gamedsl."""

from __future__ import annotations

BOUND = (
    "a range has both ends, for a game has finitely many states: write `0..20` with the most that"
    " it can come to; `check` shows a play that goes beyond"
)
"""Hint how to choose the end of a range."""

NUMBER_TYPES = frozenset(
    {
        "natural",
        "naturals",
        "nat",
        "Natural",
        "Nat",
        "Integer",
        "integers",
        "Int",
        "uint",
        "unsigned",
    }
)
"""Words for infinite sets of numbers; a domain of only a number word declares no new value."""

OTHER_LANGUAGES = {
    **dict.fromkeys(sorted(NUMBER_TYPES), BOUND),
    "inf": BOUND,
    "infinity": BOUND,
    "True": "write `true`",
    "False": "write `false`",
    "None": "write `none`",
    "null": "write `none`",
    "player": "the player to move is `turn`, all players are `players`",
    **dict.fromkeys(("everyone", "everybody"), "the set of all players is `players`"),
    "others": "all players but p are `players - p`",
    "Player": "the set of all players is `players`",
    "Square": "the set of all squares is `square`",
    "board": "what stands on the squares is a variable of `state:`, as in `cell[square]: ...`",
    "self": "the player to move is `turn`",
    "greatest": "it stands behind `is`, as in `require e is greatest`",
    "current_player": "the player to move is `turn`",
    "squares": "all squares are `square`",
    "cells": "all squares are `square`",
    "int": BOUND,
    "integer": BOUND,
    "number": BOUND,
    "float": "there are whole numbers and exact fractions; write the set of values",
    "string": "there are no texts; write the set of values, such as `{red, green}`",
    "str": "there are no texts; write the set of values, such as `{red, green}`",
    "boolean": "write `bool`",
}
"""Foreign words for values and types, with the equivalents in gamedsl."""

OTHER_FUNCTIONS = {
    "range": "write `1..n`; both ends are included",
    **dict.fromkeys(
        ("adjacent", "adjacents", "neighborhood", "neighbourhood", "adj"),
        "the squares next to s are `neighbours(s)`",
    ),
    **dict.fromkeys(
        ("is_adjacent", "isAdjacent", "are_adjacent"),
        "whether b is next to a is asked by `b in neighbours(a)`",
    ),
    **dict.fromkeys(
        ("connected", "connects", "is_connected", "isConnected", "path", "has_path", "joined"),
        "the squares joined to s are `group(cell, s)`: `any(row(q) == 1 for q in group(cell, s))`",
    ),
    **dict.fromkeys(
        ("can_move", "canMove", "has_moves", "has_move", "can", "possible", "legal", "is_legal"),
        "whether a player has moves is asked by `not stuck(opponent)`, or with the moves that"
        " count `not stuck(opponent, go)`",
    ),
    "distance": "columns and rows are numbers: `abs(column(a) - column(b))`",
    **dict.fromkeys(
        ("is_empty", "isEmpty", "isempty", "is_free", "vacant"),
        "ask a cell, as in `cell[s] == empty`",
    ),
    **dict.fromkeys(("is_full", "isFull", "isfull"), "ask a variable, as in `full(cell)`"),
    **dict.fromkeys(
        ("roll", "dice", "die", "d6", "choice", "shuffle", "deal", "uniform", "rand"),
        "a random event is a line of its own: `chance x in 1..6`",
    ),
    "floor": "`a // b` is rounded down",
    "round": "`a // b` is rounded down",
    "random": "a random event is a line of its own: `chance x in 1..6`",
    "randint": "a random event is a line of its own: `chance x in 1..6`",
    "length": "write `len(...)`",
    "size": "write `len(...)`",
    **dict.fromkeys(("subsets", "powerset"), "a set is chosen by `move f(s subset of 1..9):`"),
    **dict.fromkeys(
        ("sorted", "sort", "median", "rank"),
        "sets keep the order in which they are written; `gamedsl how sorted` ranks by a number",
    ),
    **dict.fromkeys(
        ("remove", "delete", "discard"), "what is taken off is overwritten: `man[s] = empty`"
    ),
    **dict.fromkeys(("play_again", "again", "move_again"), "the turn is kept by the line `again`"),
    **dict.fromkeys(
        ("cannot_move", "no_moves", "noMoves", "has_no_moves"),
        "whether the player to move has no legal move is asked by `stuck`",
    ),
    "print": "rules print nothing; `gamedsl play` shows every position",
    "input": "what a player chooses is a parameter of a move: `move f(n in 1..3):`",
    "switch_turn": "the turn passes by itself; `turn = p` gives it to somebody else",
    "end_turn": "the turn passes by itself; `again` keeps it",
    "win": "an outcome is `p wins`, in `end:`",
    "isinstance": "to ask whether a value is in a set write `x in S`",
}
"""Foreign functions, with the equivalents in gamedsl."""

COMPASS_WORDS = {
    "up": "N", "down": "S", "left": "W", "right": "E",
    "above": "N", "over": "N", "below": "S", "beneath": "S", "under": "S",
    "north": "N", "south": "S", "west": "W", "east": "E",
    "northeast": "NE", "northwest": "NW", "southeast": "SE", "southwest": "SW",
}  # fmt: skip
"""Words for directions, with the names of directions in gamedsl."""

BOARD_WORDS = {
    **dict.fromkeys(
        ("orthogonal", "orthogonals", "orthogonally", "straight"),
        "the four straight directions are `{N, E, S, W}`",
    ),
    **dict.fromkeys(
        ("diagonal", "diagonals", "diagonally"),
        "the four diagonal directions are `{NE, SE, SW, NW}`",
    ),
    **dict.fromkeys(
        ("corner", "corners"), "a `def` names squares: `def corners = {a1, h1, a8, h8}`"
    ),
    **dict.fromkeys(
        ("edge", "edges", "border", "borders", "rim"),
        "a `def` names squares: `def rim = {s for s in square where any(s + d == none for d in"
        " directions)}`",
    ),
    **dict.fromkeys(
        ("middle", "centre", "center", "centres", "centers"),
        "a `def` names squares: `def middle = {d4, e4, d5, e5}`",
    ),
}
"""Words of rulebooks for parts of a board of rows and columns, with their definitions."""
