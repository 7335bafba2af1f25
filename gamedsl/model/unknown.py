"""What to say about a name that nothing declares: what the writer probably meant.

In: the name and the `World` it was looked up in. Out: a `Problem`, or None where another finding
says it already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gamedsl.model.board import column_name
from gamedsl.model.builtins import BUILTINS, Problem
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.values import COMPASS
from gamedsl.source import nearest
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.model.world import World

OTHER_LANGUAGES = {
    "True": "write `true`",
    "False": "write `false`",
    "None": "write `none`",
    "null": "write `none`",
    "player": "the player to move is `turn`, all players are `players`",
    "Player": "the set of all players is `players`",
    "Square": "the set of all squares is `square`",
    "self": "the player to move is `turn`",
    "current_player": "the player to move is `turn`",
    "squares": "all squares are `square`",
    "cells": "all squares are `square`",
    "int": "write the range of its values, such as `0..9`",
    "integer": "write the range of its values, such as `0..9`",
    "number": "write the range of its values, such as `0..9`",
    "float": "there are whole numbers and exact fractions; write the set of values",
    "string": "there are no texts; write the set of values, such as `{red, green}`",
    "str": "there are no texts; write the set of values, such as `{red, green}`",
    "boolean": "write `bool`",
}
"""Words for values and types that newcomers bring along, and what is written here instead."""

OTHER_FUNCTIONS = {
    "range": "write `1..n`; both ends are included",
    "random": "a random event is a line of its own: `chance x in 1..6`",
    "randint": "a random event is a line of its own: `chance x in 1..6`",
    "length": "write `len(...)`",
    "size": "write `len(...)`",
    "sorted": "sets keep the order in which they are written",
    "print": "rules print nothing; `gamedsl play` shows every position",
    "input": "what a player chooses is a parameter of a move: `move f(n in 1..3):`",
    "switch_turn": "the turn passes by itself; `turn = p` gives it to somebody else",
    "end_turn": "the turn passes by itself; `again` keeps it",
    "win": "an outcome is `p wins`, in `end:`",
    "isinstance": "to ask whether a value is in a set write `x in S`",
}
"""Functions that newcomers bring along."""

WAYS = {
    "up": "N", "down": "S", "left": "W", "right": "E",
    "north": "N", "south": "S", "west": "W", "east": "E",
    "northeast": "NE", "northwest": "NW", "southeast": "SE", "southwest": "SW",
}  # fmt: skip
"""Words for directions, and what they are called here."""

PLAIN_WORDS = frozenset({"turn", "opponent", "me", "stuck", "players", "square", "empty", "none"})
"""Words that are used without brackets."""

GRID_WORDS = frozenset({"columns", "rows", "directions", *COMPASS})
SQUARE = re.compile(r"[a-z]{1,2}[0-9]{1,4}")


def explain(world: World, name: str, local_names: Iterable[str]) -> Problem | None:
    """Why the name means nothing here, and what might be meant."""
    if name in OTHER_LANGUAGES:
        return Problem("E1001", f"unknown name `{name}`", OTHER_LANGUAGES[name])
    if name.lower() in WAYS and world.board is not None and world.board.is_grid:
        return Problem(
            "E1001", f"unknown name `{name}`", f"the direction is `{WAYS[name.lower()]}`"
        )
    if name in BUILTINS or name in REDUCTIONS:
        usage = BUILTINS[name].usage if name in BUILTINS else f"{name}(... for s in square)"
        return Problem(
            "E1003", f"`{name}` is a function and needs its arguments", f"as in `{usage}`"
        )
    about_board = name in GRID_WORDS | {"square", "chains"}
    if world.is_making_board and (about_board or SQUARE.fullmatch(name)):
        return Problem("E1106", f"`{name}` is not known where the board itself is declared")
    if about_board:
        return _about_board(world, name)
    if SQUARE.fullmatch(name) and not nearest(name, [*world.declared, *local_names]):
        return _no_square(world, name)
    owner = _move_with_parameter(world, name)
    if owner is not None:
        hint = f"it belongs to the move; elsewhere go over its values: `for {name} in ...`"
        message = f"`{name}` is a parameter of `{owner}`, and unknown here"
        return Problem("E1001", message, hint)
    near = nearest(name, [*world.names(), *local_names])
    if near in COMPASS and near != name.upper():
        near = None
    if near in COMPASS and len(name) == 1:
        hint = f"`{near}` is a direction; a square is a parameter, as in `move f({name} in square)`"
        return Problem("E1001", f"unknown name `{name}`", hint)
    new_value = f"a new value is declared with `type ... = {name} | ...`"
    if near:
        message = f"unknown name `{name}`; did you mean `{near}`?"
        return Problem("E1001", message, new_value if name in world.suspects else None)
    if name in world.suspects:
        return Problem("E1001", f"unknown name `{name}`", new_value)
    hint = "declare it: in `state:`, or with `type`, `param`, `def` or `let`"
    if _is_column(world, name):
        hint = f"a square has a letter and a number, as `{name}1`"
    return Problem("E1001", f"unknown name `{name}`", hint)


def explain_function(world: World, name: str) -> Problem:
    """Why a call of this name means nothing."""
    near = nearest(name, [*world.defs, *BUILTINS, *REDUCTIONS])
    message = f"unknown function `{name}`"
    if name in OTHER_FUNCTIONS:
        return Problem("E1001", message, OTHER_FUNCTIONS[name])
    if name in WAYS:
        return Problem("E1001", message, f"the square one step on is `s + {WAYS[name]}`")
    if near:
        return Problem("E1001", f"{message}; did you mean `{near}`?")
    return Problem("E1001", message, f"declare it: `def {name}(...) = ...`")


def explain_plain_word(name: str, is_empty_call: bool) -> Problem:
    """Why a name that is no function cannot be called."""
    message = f"`{name}` is not a function"
    if name in {"empty", "none"} and not is_empty_call:
        return Problem("E1004", message, f"ask a cell, as in `cell[s] == {name}`")
    return Problem("E1004", message, f"write `{name}`, without brackets" if is_empty_call else None)


def explain_variable(world: World, name: str, local_names: Iterable[str], usage: str) -> Problem:
    """Why nothing can be stored under this name; `usage` is its declaration, if it needs one."""
    message = f"unknown variable `{name}`"
    near = nearest(name, [*world.variable_decls(), *local_names])
    if near:
        return Problem("E1001", f"{message}; did you mean `{near}`?")
    if usage:
        return Problem("E1001", message, f"declare it in `state:`, as in `{usage}`")
    hint = f"write `let {name} = ...`, or declare it in `state:` if it is to last"
    return Problem("E1001", message, hint)


def _is_column(world: World, name: str) -> bool:
    squares = world.board.squares if world.board is not None else ()
    return name in {column_name(square.column) for square in squares if square.column is not None}


def _move_with_parameter(world: World, name: str) -> str | None:
    for move in world.all(ast.MoveDecl):
        if any(parameter.name.text == name for parameter in move.parameters):
            return move.name.text
    return None


def _about_board(world: World, name: str) -> Problem | None:
    if _has_failed_board(world):
        return None
    if world.board is None:
        graph = name == "chains"
        example = "`board graph:`" if graph else "`board 3 wide 3 high`"
        return Problem("E1106", f"`{name}` needs a board", f"declare one: {example}")
    if name == "chains":
        return Problem("E1106", "`chains` are the lines of a `board graph:`; this board is a grid")
    return Problem("E1106", f"`{name}` needs a board of rows and columns; this one is a graph")


def _no_square(world: World, name: str) -> Problem | None:
    if _has_failed_board(world):
        return None
    if world.board is None:
        hint = "a square needs a board: `board 3 wide 3 high`"
        return Problem("E1001", f"unknown name `{name}`", hint)
    squares = world.board.squares
    if not squares:
        return Problem("E1001", f"there is no square `{name}`")
    few = ", ".join(square.name for square in squares) if len(squares) < 5 else None
    what = few or f"{squares[0].name} ... {squares[-1].name}"
    return Problem("E1001", f"there is no square `{name}`; the squares are {what}")


def _has_failed_board(world: World) -> bool:
    """Whether a board is declared but in error, which has been said where it stands."""
    declared = [*world.all(ast.BoardGrid), *world.all(ast.BoardGraph)]
    return world.board is None and bool(declared)
