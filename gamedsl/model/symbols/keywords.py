"""Reserved words of the language, and the constants behind words for values.

The constants depend on the players or the board of the game.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.types import ListType, set_of, type_of
from gamedsl.model.values import COMPASS, Atom, Value, unique
from gamedsl.source import Span
from gamedsl.syntax.words import STATEMENTS

KEYWORDS = frozenset(
    {
        *STATEMENTS,
        "and", "or", "not", "in", "where", "while", "true", "false", "none", "empty", "turn",
        "opponent", "me", "stuck", "square", "columns", "rows", "directions", "players", "chains",
        "bool",
    }
)  # fmt: skip
"""Words that cannot be declared as names."""

BUILTIN_VALUES = [
    "true",
    "false",
    "none",
    "empty",
    "bool",
    "square",
    "columns",
    "rows",
    "directions",
    "players",
    "chains",
]
"""Words for values or sets; words about the board have a value only in games with a board."""

PLAIN_WORDS = frozenset({"turn", "opponent", "me", "stuck", "players", "square", "empty", "none"})
"""Words that are used without brackets."""


def value_in_every_game(word: str, players: tuple[Atom, ...]) -> nodes.Const | None:
    """The constant behind a word that is independent of the board, or None."""
    match word:
        case "true" | "false":
            return constant(word == "true")
        case "players":
            return _set(players)
        case "bool":
            return _set((False, True))
        case _:
            return None


def value_on_board(word: str, board: Board) -> nodes.Const | None:
    """The constant behind a word, a direction or the name of a square on this board, or None."""
    match word:
        case "square":
            return _set(board.squares)
        case "columns" if board.is_grid:
            return _set(tuple(range(1, board.width + 1)))
        case "rows" if board.is_grid:
            return _set(tuple(range(1, board.height + 1)))
        case "directions" if board.is_grid:
            return _set(board.directions)
        case "chains" if not board.is_grid:
            chains = tuple(unique(chain) for chain in board.chains)
            longest = max((len(chain) for chain in chains), default=0)
            element = ListType(set_of(board.squares).element, longest)
            return nodes.Const(Span(0, 0), ListType(element, len(chains)), chains)
        case _ if word in COMPASS and board.is_grid:
            return constant(COMPASS[word])
    square = board.named.get(word)
    return None if square is None else constant(square)


def constant(value: Value) -> nodes.Const:
    """A node for a value without a place in the source."""
    return nodes.Const(Span(0, 0), type_of(value), value)


def _set(values: tuple[Value, ...]) -> nodes.Const:
    return nodes.Const(Span(0, 0), set_of(values), values)
