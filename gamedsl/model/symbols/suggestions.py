"""Explain undeclared names: the likely intention of the writer as a `Problem`.

A function returns None if another finding covers the name already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

from gamedsl.model.board import column_name
from gamedsl.model.builtins import BUILTINS, Problem
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.foreign_words import (
    BOARD_WORDS,
    COMPASS_WORDS,
    OTHER_FUNCTIONS,
    OTHER_LANGUAGES,
)
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.values import COMPASS, Vector, text_of

GRID_WORDS = frozenset({"columns", "rows", "directions", *COMPASS})
SQUARE = re.compile(r"[a-z]{1,2}[0-9]{1,4}")
BEARING = re.compile(r"(?=.{2,4}$)(?:[NE]+|[NW]+|[SE]+|[SW]+)")
"""Points of the compass joined to one word without opposites: `NNE`."""


def explain(symbols: SymbolTable, name: str, local_names: Iterable[str]) -> Problem | None:
    """Why the name is unknown, with a suggestion."""
    if (problem := _about_includes(symbols, name)) is not None:
        return problem
    if symbols.is_idle(name):
        return _about_idle_player(symbols, name)
    if name in OTHER_LANGUAGES:
        return Problem("E1001", f"unknown name `{name}`", OTHER_LANGUAGES[name])
    if name.lower() in COMPASS_WORDS and symbols.board is not None and symbols.board.is_grid:
        return Problem(
            "E1001", f"unknown name `{name}`", f"the direction is `{COMPASS_WORDS[name.lower()]}`"
        )
    bearing = sum_of_directions(name)
    if bearing is not None and symbols.board is not None and symbols.board.is_grid:
        lead = "the direction is" if bearing in COMPASS else "a leap is a sum of directions:"
        known = f"; the directions are {', '.join(COMPASS)}"
        return Problem("E1001", f"unknown name `{name}`{known}", f"{lead} `{bearing}`")
    if name in REDUCTIONS or (name in BUILTINS and name != "square"):
        usage = BUILTINS[name].usage if name in BUILTINS else f"{name}(... for s in square)"
        return Problem(
            "E1003", f"`{name}` is a function and needs its arguments", f"as in `{usage}`"
        )
    about_board = name in GRID_WORDS | {"square", "chains"}
    if symbols.is_making_board and (about_board or SQUARE.fullmatch(name)):
        return Problem("E1106", f"`{name}` is not known where the board itself is declared")
    if about_board:
        return _about_board(symbols, name)
    if SQUARE.fullmatch(name) and not symbols.nearest(name, chain(symbols.declared, local_names)):
        return _no_square(symbols, name)
    indexed = symbols.variables_by_index.get(name)
    if indexed is not None:
        where = "it is known on its line of `state:`"
        hint = f"{where}; elsewhere go over its values: `for {name} in ...`"
        message = f"`{name}` is an index of `{indexed}`, and unknown here"
        return Problem("E1001", message, hint)
    owner = symbols.moves_by_parameter.get(name)
    if owner is not None:
        hint = f"it belongs to the move; elsewhere go over its values: `for {name} in ...`"
        message = f"`{name}` is a parameter of `{owner}`, and unknown here"
        return Problem("E1001", message, hint)
    near = symbols.nearest(name, chain(symbols.names(), local_names))
    if near in COMPASS and near != name.upper():
        near = None
    if near in COMPASS and len(name) == 1:
        hint = (
            f"`{near}` is a direction; name the square where it comes from: "
            f"`move f({name} in square)`, `cell[{name} in square]: ...`"
        )
        return Problem("E1001", f"unknown name `{name}`", hint)
    new_value = f"a new value is declared with `type ... = {name} | ...`"
    if near:
        message = f"unknown name `{name}`; did you mean `{near}`?"
        return Problem("E1001", message, new_value if name in symbols.suspects else None)
    if name in symbols.suspects:
        return Problem("E1001", f"unknown name `{name}`", new_value)
    return Problem("E1001", f"unknown name `{name}`", _written_instead(symbols, name))


def _written_instead(symbols: SymbolTable, name: str) -> str:
    """The form of the language for a word of a rulebook or of a foreign language; else how names
    are declared."""
    if _is_column(symbols, name):
        return f"a square has a letter and a number, as `{name}1`"
    if name in BOARD_WORDS and symbols.board is not None and symbols.board.is_grid:
        return BOARD_WORDS[name]
    usual = "declare it: in `state:`, or with `type`, `param`, `def` or `let`"
    return OTHER_FUNCTIONS.get(name, usual)


def _about_idle_player(symbols: SymbolTable, name: str) -> Problem:
    """A named player who does not play, because the number of players is smaller."""
    playing = ", ".join(player.name for player in symbols.players)
    message = f"`{name}` does not play: the players are {playing}"
    hint = "rules for every number of players name none: `players`, `turn`, `next(p)`"
    return Problem("E1001", message, hint)


def sum_of_directions(name: str) -> str | None:
    """The vector of a word such as `NNE`, as an expression of the language: `2*N+E`."""
    if name in COMPASS or not BEARING.fullmatch(name):
        return None
    steps = [COMPASS[letter] for letter in name]
    return text_of(Vector(sum(step.across for step in steps), sum(step.up for step in steps)))


def meaning_of(symbols: SymbolTable, name: str) -> str:
    """The meaning of a known name, as the rest of a sentence."""
    if name not in symbols.declared and symbols.board is not None:
        if symbols.board.is_grid and name in COMPASS:
            return "is a direction of the board"
        if any(square.name == name for square in symbols.board.squares):
            return "is a square of the board"
    return "already means something in this game"


def explain_function(symbols: SymbolTable, name: str) -> Problem:
    """Why the name of a call is unknown."""
    if (problem := _about_includes(symbols, name)) is not None:
        return problem
    near = symbols.nearest(name, chain(symbols.defs, symbols.tables, BUILTINS, REDUCTIONS))
    message = f"unknown function `{name}`"
    if name in OTHER_FUNCTIONS and near not in symbols.tables:
        return Problem("E1001", message, OTHER_FUNCTIONS[name])
    if name in COMPASS_WORDS:
        return Problem("E1001", message, f"the square one step on is `s + {COMPASS_WORDS[name]}`")
    if near:
        return Problem("E1001", f"{message}; did you mean `{near}`?")
    return Problem("E1001", message, f"declare it: `def {name}(...) = ...`")


def explain_left_out(symbols: SymbolTable, name: str) -> Problem | None:
    """A problem for a name that is declared but removed by a `without`."""
    if name not in symbols.program.left_out:
        return None
    hint = "what needs it has to be left out or replaced too"
    return Problem("E1001", f"unknown name `{name}`: `without` leaves it out", hint)


def _about_includes(symbols: SymbolTable, name: str) -> Problem | None:
    if name == "included":
        message = "`included` stands for what a `def` replaces, and none is replaced here"
        return Problem("E0008", message)
    return explain_left_out(symbols, name)


def explain_plain_word(name: str, is_empty_call: bool, is_type: bool) -> Problem:
    """Why a name that is not a function cannot be called."""
    message = f"`{name}` is not a function"
    if is_type and not is_empty_call:
        part = f"`type Pair = {name} of ...` has values with a part `{name}`"
        return Problem("E1004", message, f"whether v is one of its values: `v in {name}`; {part}")
    if name in {"empty", "none"} and not is_empty_call:
        return Problem("E1004", message, f"ask a cell, as in `cell[s] == {name}`")
    return Problem("E1004", message, f"write `{name}`, without brackets" if is_empty_call else None)


def explain_variable(
    symbols: SymbolTable, name: str, local_names: Iterable[str], usage: str
) -> Problem:
    """Why no variable has this name; `usage` is the suggested declaration, if the name needs a
    declaration."""
    message = f"unknown variable `{name}`"
    if (problem := explain_left_out(symbols, name)) is not None:
        return problem
    near = symbols.nearest(name, chain(symbols.variable_decls, local_names))
    if near:
        return Problem("E1001", f"{message}; did you mean `{near}`?")
    if usage:
        return Problem("E1001", message, f"declare it in `state:`, as in `{usage}`")
    hint = f"write `let {name} = ...`, or declare it in `state:` if it is to last"
    return Problem("E1001", message, hint)


def _is_column(symbols: SymbolTable, name: str) -> bool:
    squares = symbols.board.squares if symbols.board is not None else ()
    return name in {column_name(square.column) for square in squares if square.column is not None}


def _about_board(symbols: SymbolTable, name: str) -> Problem | None:
    if symbols.has_failed_board():
        return None
    if symbols.board is None:
        graph = name == "chains"
        example = "`board graph:`" if graph else "`board 3 wide 3 high`"
        return Problem("E1106", f"`{name}` needs a board", f"declare one: {example}")
    if name == "chains":
        return Problem("E1106", "`chains` are the lines of a `board graph:`; this board is a grid")
    return Problem("E1106", f"`{name}` needs a board of rows and columns; this one is a graph")


def _no_square(symbols: SymbolTable, name: str) -> Problem | None:
    if symbols.has_failed_board():
        return None
    if symbols.board is None:
        hint = "a square needs a board: `board 3 wide 3 high`"
        return Problem("E1001", f"unknown name `{name}`", hint)
    squares = symbols.board.squares
    if not squares:
        return Problem("E1001", f"there is no square `{name}`")
    few = ", ".join(square.name for square in squares) if len(squares) < 5 else None
    listed = few or f"{squares[0].name} ... {squares[-1].name}"
    return Problem("E1001", f"there is no square `{name}`; the squares are {listed}")
