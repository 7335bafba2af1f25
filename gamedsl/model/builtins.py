"""The builtin functions: what they take and what they give, as a table.

Their meaning is the interpreter's; here are only their types. The quantifiers (`any`, `count`,
...) are not here but in `operations.REDUCTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.types import (
    BOOLEAN,
    ListType,
    Scalar,
    SetType,
    Type,
    atoms,
    can_be_equal,
    describe,
    join,
    number,
    scalar_of,
    size_of,
)
from gamedsl.model.values import EMPTY, NONE

if TYPE_CHECKING:
    from gamedsl.model.world import World


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a call of a builtin is wrong."""

    code: str
    message: str
    hint: str | None = None


_KINDS = {
    "array": "a variable indexed by `square`",
    "any": "one value",
    "square": "a square",
    "direction": "a direction",
    "player": "a player",
    "number": "a number",
    "list": "a set or a list",
}
"""Kinds of parameters, in words."""


def arguments_in_words(number: int) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} argument{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Signature:
    """A builtin: `usage` for people, `parameters` as kinds, `result` computes the type.

    Kinds: square, direction, player, number, list, any, and array (a whole variable indexed by
    `square` alone).
    """

    usage: str
    parameters: tuple[str, ...]
    result: Callable[[World, tuple[nodes.Expr, ...]], Type]
    needs: str = ""

    @property
    def explained(self) -> str:
        """What its parameters stand for."""
        names = self.usage.partition("(")[2].removesuffix(")").split(", ")
        pairs = zip(names, self.parameters, strict=True)
        return ", ".join(f"`{name}` is {_KINDS[kind]}" for name, kind in pairs)

    def problem(self, world: World, arguments: tuple[nodes.Expr, ...]) -> Problem | None:
        """What is wrong with these arguments, or None."""
        board = world.board
        if self.needs and board is None:
            return Problem(
                "E1106", f"`{self.usage}` needs a board", "declare one: `board 3 wide 3 high`"
            )
        if self.needs == "grid" and board is not None and not board.is_grid:
            return Problem("E1106", f"`{self.usage}` needs a board of rows and columns")
        for kind, argument in zip(self.parameters, arguments, strict=True):
            if not _is_kind(world, kind, argument):
                found = describe(argument.type)
                return Problem("E1101", f"`{self.usage}` needs {_KINDS[kind]}; found {found}")
        contents = self._contents_problem(arguments)
        if contents is not None:
            return contents
        if self.usage == "other(p)" and len(world.players) not in (0, 2):
            return Problem(
                "E1303",
                f"`other(p)` needs two players; this game has {len(world.players)}",
                "use `next(p)`, or `q != p`",
            )
        return None

    def _contents_problem(self, arguments: tuple[nodes.Expr, ...]) -> Problem | None:
        """What is asked of an array that it can never hold."""
        whole = arguments[0] if arguments else None
        if not isinstance(whole, nodes.Whole):
            return None
        name, domain = whole.variable.name, whole.variable.domain
        if self.usage in {"full(a)", "sight(a, s, d)"} and EMPTY not in domain.digit:
            message = f"`{self.usage}` looks for `empty`, which `{name}` never holds"
            hint = f"declare `{name}[square]: empty | ...`"
            return Problem("E1102", f"{message}: its domain is `{domain}`", hint)
        if self.usage == "line(a, v, n)":
            sought = arguments[1].type
            if not can_be_equal(sought, scalar_of(domain.values)):
                message = f"`{name}` never holds {describe(sought)}: its domain is `{domain}`"
                return Problem("E1102", message)
        return None


def _is_kind(world: World, kind: str, argument: nodes.Expr) -> bool:
    found = argument.type
    match kind:
        case "array":
            return (
                isinstance(argument, nodes.Whole)
                and world.board is not None
                and len(argument.variable.indices) == 1
                and argument.variable.indices[0].values == world.board.squares
            )
        case "list":
            return isinstance(found, SetType | ListType)
        case "any":
            return isinstance(found, Scalar)
        case "square":
            return isinstance(found, Scalar) and found.is_square
        case "direction":
            return isinstance(found, Scalar) and found.is_vector
        case "player":
            return isinstance(found, Scalar) and found.is_player
        case _:
            return isinstance(found, Scalar) and found.is_number


def _some_squares(most: Callable[[World], int]) -> Callable[[World, object], Type]:
    def result(world: World, _: object) -> Type:
        squares = world.board.squares if world.board else ()
        return SetType(atoms(*squares), most(world))

    return result


def _coordinate(world: World, limit: int, square: nodes.Expr) -> Type:
    kind = number(1, limit)
    if isinstance(square.type, Scalar) and square.type.can_be_none:
        return join(kind, atoms(NONE))
    return kind


def _column(world: World, arguments: tuple[nodes.Expr, ...]) -> Type:
    return _coordinate(world, world.board.width if world.board else 1, arguments[0])


def _row(world: World, arguments: tuple[nodes.Expr, ...]) -> Type:
    return _coordinate(world, world.board.height if world.board else 1, arguments[0])


def _player(world: World, _: object) -> Type:
    return atoms(*world.players)


def _absolute(_: World, arguments: tuple[nodes.Expr, ...]) -> Type:
    kind = arguments[0].type
    assert isinstance(kind, Scalar)
    low, high = kind.interval
    ends = sorted((low if low >= 0 else -low, high if high >= 0 else -high))
    return number(0 if low <= 0 <= high else ends[0], ends[1], kind.rational)


def _length(_: World, arguments: tuple[nodes.Expr, ...]) -> Type:
    return number(0, size_of(arguments[0].type))


def _longest(world: World) -> int:
    return max(world.board.width, world.board.height) if world.board else 0


def _all(world: World) -> int:
    return len(world.board.squares) if world.board else 0


BUILTINS: dict[str, Signature] = {
    "column": Signature("column(s)", ("square",), _column, "grid"),
    "row": Signature("row(s)", ("square",), _row, "grid"),
    "neighbours": Signature("neighbours(s)", ("square",), _some_squares(_all), "board"),
    "ray": Signature("ray(s, d)", ("square", "direction"), _some_squares(_longest), "grid"),
    "sight": Signature(
        "sight(a, s, d)", ("array", "square", "direction"), _some_squares(_longest), "grid"
    ),
    "group": Signature("group(a, s)", ("array", "square"), _some_squares(_all), "board"),
    "line": Signature("line(a, v, n)", ("array", "any", "number"), lambda *_: BOOLEAN, "board"),
    "full": Signature("full(a)", ("array",), lambda *_: BOOLEAN, "board"),
    "next": Signature("next(p)", ("player",), _player),
    "other": Signature("other(p)", ("player",), _player),
    "abs": Signature("abs(n)", ("number",), _absolute),
    "len": Signature("len(list)", ("list",), _length),
}
