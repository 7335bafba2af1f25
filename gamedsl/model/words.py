"""The words of the language: which nothing may be named, and what those for values stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.types import ListType, SetType, set_of, type_of
from gamedsl.model.values import COMPASS, Value
from gamedsl.source import Span

if TYPE_CHECKING:
    from gamedsl.model.world import World

KEYWORDS = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "if",
        "elif",
        "else",
        "for",
        "where",
        "while",
        "let",
        "require",
        "ensure",
        "again",
        "chance",
        "true",
        "false",
        "none",
        "empty",
        "turn",
        "opponent",
        "me",
        "stuck",
        "square",
        "columns",
        "rows",
        "directions",
        "players",
        "chains",
        "bool",
        "draw",
        "payoff",
    ]
)
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


def value_of_word(world: World, name: str) -> nodes.Const | None:
    """What a word of the language or an atom stands for, or None."""
    value: Value
    match name:
        case "true" | "false":
            value = name == "true"
        case "players":
            return _set(world.players)
        case "bool":
            return _set((False, True))
        case _ if name in world.atoms:
            value = world.atoms[name]
        case _:
            return _word_of_board(world, name)
    return nodes.Const(Span(0, 0), type_of(value), value)


def _word_of_board(world: World, name: str) -> nodes.Const | None:
    if name in world.declared:
        return None
    board = world.board
    if board is None:
        return None
    match name:
        case "square":
            return _set(board.squares)
        case "columns" if board.is_grid:
            return _set(tuple(range(1, board.width + 1)))
        case "rows" if board.is_grid:
            return _set(tuple(range(1, board.height + 1)))
        case "directions" if board.is_grid:
            return _set(board.directions)
        case "chains" if not board.is_grid:
            longest = max((len(chain) for chain in board.chains), default=0)
            element = SetType(set_of(board.squares).element, longest)
            return nodes.Const(Span(0, 0), ListType(element, len(board.chains)), board.chains)
        case _ if name in COMPASS and board.is_grid:
            return nodes.Const(Span(0, 0), type_of(COMPASS[name]), COMPASS[name])
    square = board.named.get(name)
    return None if square is None else nodes.Const(Span(0, 0), type_of(square), square)


def _set(values: tuple[Value, ...]) -> nodes.Const:
    return nodes.Const(Span(0, 0), set_of(values), values)
