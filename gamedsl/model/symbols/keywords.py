"""The words of the language: which nothing may be named, and what those for values stand for.

In: a word, and the players or the board of the game. Out: a constant, or None.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.types import ListType, SetType, set_of, type_of
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
"""Words that nothing may be named."""

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
"""Names that stand for values or sets in every game, if there is a board for them."""

PLAIN_WORDS = frozenset({"turn", "opponent", "me", "stuck", "players", "square", "empty", "none"})
"""Words that are used without brackets."""


def value_in_every_game(word: str, players: tuple[Atom, ...]) -> nodes.Const | None:
    """What a word stands for whether there is a board or not, or None."""
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
    """What a word, a direction or the name of a square stands for on this board, or None."""
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
            element = SetType(set_of(board.squares).element, longest)
            return nodes.Const(Span(0, 0), ListType(element, len(chains)), chains)
        case _ if word in COMPASS and board.is_grid:
            return constant(COMPASS[word])
    square = board.named.get(word)
    return None if square is None else constant(square)


def constant(value: Value) -> nodes.Const:
    """A value that is written nowhere, as a node."""
    return nodes.Const(Span(0, 0), type_of(value), value)


def _set(values: tuple[Value, ...]) -> nodes.Const:
    return nodes.Const(Span(0, 0), set_of(values), values)
