"""Table of the builtin functions: all properties that the checker and the engines need.

A row gives the parameters, the result, the value as a function of values, and whether a call may
fail. Type checking, constant folding, evaluation in the compiler, execution and the question
whether a call can fail all read the row. The values of builtins over a whole variable (`group`,
`line`, ...) are not in the table: these builtins read the state, and each engine implements them.
Of the quantifiers (`any`, `count`, ...) the table has only the form as functions of a collection;
`operations.REDUCTIONS` has their values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

from gamedsl.model import nodes, operations
from gamedsl.model.board import Board
from gamedsl.model.types import (
    BOOLEAN,
    UNKNOWN,
    ListType,
    Scalar,
    SetType,
    Type,
    atoms,
    can_be_equal,
    describe,
    element_of,
    is_always_number,
    join,
    number,
    scalar_of,
    size_of,
)
from gamedsl.model.values import EMPTY, NONE, Atom, Value, Vector, text_of
from gamedsl.model.walk import sides_of, within
from gamedsl.source.plurals import count
from gamedsl.source.records import dataclass


class Setting(Protocol):
    """The properties of the game that builtins depend on."""

    @property
    def board(self) -> Board | None:
        """The board, if the game has one."""

    @property
    def players(self) -> tuple[Atom, ...]:
        """The players in turn order."""


Arguments = tuple[nodes.Expr, ...]
Function = Callable[..., Value]
"""A function of the values of the arguments; raises `OperationError` if the call fails."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error in a call of a builtin."""

    code: str
    message: str
    hint: str | None = None


_KINDS = {
    "array": "a variable indexed by `square`",
    "cells": "a variable with indices",
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
    return count(number, "argument")


def no_more_asked(_: Setting, __: Arguments) -> Problem | None:
    """The `check` of a builtin whose kinds of parameters suffice."""
    return None


@dataclass(frozen=True, slots=True)
class Builtin:
    """A builtin function.

    Attributes:
        usage: an example of a call, for messages.
        parameters: the kinds of the parameters: square, direction, player, number, list, any, and
            array (a whole variable indexed by `square` alone).
        result: the type of the result.
        value: the function of the arguments' values in a game; None if an argument is a whole
            variable.
        can_fail: whether a call with these arguments may fail in play. A call that cannot fail may
            be evaluated earlier, later, or not at all.
        needs: "board", "grid", or nothing.
        usage_with_directions: the call with an additional argument, a constant set of directions
            instead of the game's; empty if not allowed.
        check: further conditions on the arguments.
    """

    usage: str
    parameters: tuple[str, ...]
    result: Callable[[Setting, Arguments], Type]
    value: Callable[[Setting], Function] | None
    can_fail: Callable[[Arguments], bool]
    needs: str = ""
    usage_with_directions: str = ""
    check: Callable[[Setting, Arguments], Problem | None] = no_more_asked
    is_arithmetic: ClassVar[bool] = False

    @property
    def explained(self) -> str:
        """The meaning of the parameters, in words."""
        names = self.usage.partition("(")[2].removesuffix(")").split(", ")
        pairs = zip(names, self.parameters, strict=True)
        return ", ".join(f"`{name}` is {_KINDS[kind]}" for name, kind in pairs)

    def problem(self, setting: Setting, arguments: Arguments) -> Problem | None:
        """The error in a call with these arguments, or None."""
        board = setting.board
        if self.needs and board is None:
            return Problem(
                "E1106", f"`{self.usage}` needs a board", "declare one: `board 3 wide 3 high`"
            )
        if self.needs == "grid" and board is not None and not board.is_grid:
            return Problem("E1106", f"`{self.usage}` needs a board of rows and columns")
        for kind, argument in zip(self.parameters, arguments, strict=False):
            if not _is_kind(board, kind, argument):
                actual = describe(argument.type)
                return Problem("E1101", f"`{self.usage}` needs {_KINDS[kind]}; found {actual}")
        if len(arguments) > len(self.parameters):
            problem = self._problem_with_directions(board, arguments[-1])
            if problem is not None:
                return problem
        return self.check(setting, arguments)

    def _problem_with_directions(
        self, board: Board | None, directions: nodes.Expr
    ) -> Problem | None:
        """The error in the directions given as the last argument, or None."""
        if board is not None and not board.is_grid:
            name = self.usage.partition("(")[0]
            message = f"a graph has no directions: `{name}` goes along its lines"
            return Problem("E1106", message, f"write `{self.usage}`")
        element = element_of(directions.type)
        if not isinstance(element, Scalar) or element.kinds != {"direction"}:
            actual = describe(directions.type)
            message = f"`{self.usage_with_directions}` needs a set of directions; found {actual}"
            return Problem("E1101", message, "as in `{N, E, S, W}`")
        if directions.known is None and not _has_error(directions):
            return Problem("E1306", "these directions must be known before the game starts")
        return None


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator, or a quantifier as a function of a collection: `max(sizes)`.

    Attributes as in `Builtin`, and:
        is_arithmetic: whether the operation alone is no reason for a table of its values.
    """

    value: Callable[[Setting], Function]
    can_fail: Callable[[Arguments], bool]
    is_arithmetic: bool = False


def ways_of(node: nodes.Builtin) -> tuple[Vector, ...] | None:
    """The directions given in a call; None if the call uses the game's directions."""
    row = BUILTINS.get(node.name)
    if row is None or not row.usage_with_directions or len(node.arguments) == len(row.parameters):
        return None
    directions = node.arguments[-1]
    assert isinstance(directions.known, tuple)
    return tuple(way for way in directions.known if isinstance(way, Vector))


def row_of(name: str) -> Builtin | Operation:
    """The row of the function that a `nodes.Builtin` names."""
    return BUILTINS[name] if name in BUILTINS else OPERATIONS[name]


def _has_error(node: nodes.Expr) -> bool:
    """Whether a part of an expression is in error already."""
    return any(part.type == UNKNOWN for part in within(node))


def _is_kind(board: Board | None, kind: str, argument: nodes.Expr) -> bool:
    actual = argument.type
    match kind:
        case "array":
            return (
                (whole := argument.whole) is not None
                and board is not None
                and len(whole.indices) == 1
                and not whole.variable.missing
                and whole.indices[0].values == board.squares
            )
        case "cells":
            return argument.whole is not None
        case "list":
            return isinstance(actual, SetType | ListType)
        case "any":
            return isinstance(actual, Scalar)
        case "square":
            return actual.is_square
        case "direction":
            return actual.is_vector
        case "player":
            return actual.is_player
        case _:
            return actual.is_number


# --- what else is asked of arguments -----------------------------------------------------------


def _looks_for_empty(usage: str) -> Callable[[Setting, Arguments], Problem | None]:
    def check(_: Setting, arguments: Arguments) -> Problem | None:
        whole = arguments[0].whole
        if whole is None or EMPTY in whole.variable.domain.digit:
            return None
        name, domain = whole.variable.name, whole.variable.domain
        message = f"`{usage}` looks for `empty`, which `{name}` never holds"
        hint = f"declare `{name}[...]: empty | ...`"
        if set(domain.values) == {False, True}:
            hint = f"whether all are true is asked by `all({name}[...] for ...)`"
        return Problem("E1102", f"{message}: its domain is `{domain}`", hint)

    return check


def _can_hold(_: Setting, arguments: Arguments) -> Problem | None:
    whole, sought = arguments[0].whole, arguments[1].type
    assert whole is not None
    domain = whole.variable.domain
    if can_be_equal(sought, scalar_of(domain.values)):
        return None
    message = f"`{whole.variable.name}` never holds {describe(sought)}: its domain is `{domain}`"
    return Problem("E1102", message)


def _of_two_players(setting: Setting, _: Arguments) -> Problem | None:
    if len(setting.players) in (0, 2):
        return None
    return Problem(
        "E1303",
        f"`other(p)` needs two players; this game has {len(setting.players)}",
        "use `next(p)`, or `q != p`",
    )


# --- types of results --------------------------------------------------------------------------


def _squares(most: Callable[[Board], int]) -> Callable[[Setting, Arguments], Type]:
    """The type: a set of at most `most` squares."""

    def result(setting: Setting, _: Arguments) -> Type:
        board = setting.board
        return SetType(atoms(*board.squares), most(board)) if board else SetType(atoms(), 0)

    return result


def _coordinate(limit: int, square: nodes.Expr) -> Type:
    kind = number(1, limit)
    if square.type.can_be_none:
        return join(kind, atoms(NONE))
    return kind


def _column(setting: Setting, arguments: Arguments) -> Type:
    return _coordinate(setting.board.width if setting.board else 1, arguments[0])


def _row(setting: Setting, arguments: Arguments) -> Type:
    return _coordinate(setting.board.height if setting.board else 1, arguments[0])


def _place(setting: Setting, _: Arguments) -> Type:
    return atoms(*(setting.board.squares if setting.board else ()), NONE)


def _player(setting: Setting, _: Arguments) -> Type:
    return atoms(*setting.players)


def _truth(_: Setting, __: Arguments) -> Type:
    return BOOLEAN


def _absolute(_: Setting, arguments: Arguments) -> Type:
    kind = arguments[0].type
    assert isinstance(kind, Scalar)
    low, high = kind.interval
    ends = sorted((low if low >= 0 else -low, high if high >= 0 else -high))
    return number(0 if low <= 0 <= high else ends[0], ends[1], kind.rational)


def _length(_: Setting, arguments: Arguments) -> Type:
    return number(0, size_of(arguments[0].type))


def _longest(board: Board) -> int:
    return len(board.squares) if board.wraps else max(board.width, board.height)


def _all(board: Board) -> int:
    return len(board.squares)


# --- values ------------------------------------------------------------------------------------


def of_values(function: Function) -> Callable[[Setting], Function]:
    """The `value` of a builtin that does not depend on the game."""
    return lambda _: function


def on_board(function: Callable[[Board], Function]) -> Callable[[Setting], Function]:
    """The `value` of a builtin that depends on the board."""

    def value(setting: Setting) -> Function:
        assert setting.board is not None, "calls are checked by `needs`"
        return function(setting.board)

    return value


def _following(name: str) -> Callable[[Setting], Function]:
    """`next(p)`; with two players `other(p)` is equal."""

    def value(setting: Setting) -> Function:
        players = setting.players
        after = {player: players[(n + 1) % len(players)] for n, player in enumerate(players)}

        def following(player: Value) -> Value:
            if not isinstance(player, Atom) or player not in after:
                raise operations.OperationError(
                    f"`{name}` needs a player, found `{text_of(player)}`",
                    f"say what happens if it is nobody: `{name}(p) if p != none else ...`",
                )
            return after[player]

        return following

    return value


# --- what can fail -----------------------------------------------------------------------------


def never(_: Arguments) -> bool:
    """The `can_fail` of a builtin that never fails for the allowed parameters, including `none` for
    a square, a direction or a number."""
    return False


def unless_numbers(arguments: Arguments) -> bool:
    """The `can_fail` of a builtin that fails unless all arguments are numbers, never `none`."""
    return not all(is_always_number(argument.type) for argument in arguments)


def unless_players(arguments: Arguments) -> bool:
    """The `can_fail` of a builtin that fails unless all arguments are players, never `none`."""
    kinds = [argument.type for argument in arguments]
    return not all(kind.kinds == {"player"} for kind in kinds)


def _unless_all_numbers(arguments: Arguments) -> bool:
    return not is_always_number(element_of(arguments[0].type))


def _unless_some_and_all_numbers(arguments: Arguments) -> bool:
    return not _is_some(arguments[0]) or _unless_all_numbers(arguments)


def _is_some(node: nodes.Expr) -> bool:
    """Whether a collection certainly has an element."""
    if isinstance(node, nodes.Collection):
        return bool(node.items)
    if node.known is not None:
        return bool(node.known)
    if node.called == "|":
        return any(map(_is_some, sides_of(node)))
    return isinstance(node.type, Scalar)


BUILTINS: dict[str, Builtin] = {
    "column": Builtin(
        "column(s)", ("square",), _column, of_values(operations.column), never, "grid"
    ),
    "row": Builtin("row(s)", ("square",), _row, of_values(operations.row), never, "grid"),
    "square": Builtin(
        "square(c, r)",
        ("number", "number"),
        _place,
        on_board(lambda board: board.at),
        never,
        "grid",
    ),
    "neighbours": Builtin(
        "neighbours(s)",
        ("square",),
        _squares(_all),
        on_board(lambda board: board.neighbours),
        never,
        "board",
        "neighbours(s, D)",
    ),
    "ray": Builtin(
        "ray(s, d)",
        ("square", "direction"),
        _squares(_longest),
        on_board(lambda board: board.ray),
        never,
        "grid",
    ),
    "sight": Builtin(
        "sight(a, s, d)",
        ("array", "square", "direction"),
        _squares(_longest),
        None,
        never,
        "grid",
        check=_looks_for_empty("sight(a, s, d)"),
    ),
    "group": Builtin(
        "group(a, s)",
        ("array", "square"),
        _squares(_all),
        None,
        never,
        "board",
        "group(a, s, D)",
    ),
    "line": Builtin(
        "line(a, v, n)",
        ("array", "any", "number"),
        _truth,
        None,
        never,
        "board",
        "line(a, v, n, D)",
        _can_hold,
    ),
    "full": Builtin("full(a)", ("cells",), _truth, None, never, check=_looks_for_empty("full(a)")),
    "next": Builtin("next(p)", ("player",), _player, _following("next"), unless_players),
    "other": Builtin(
        "other(p)",
        ("player",),
        _player,
        _following("other"),
        unless_players,
        check=_of_two_players,
    ),
    "abs": Builtin(
        "abs(n)", ("number",), _absolute, of_values(operations.magnitude), unless_numbers
    ),
    "len": Builtin("len(list)", ("list",), _length, of_values(operations.length), never),
}
"""The builtin functions by name."""

_CAN_FAIL = {
    "any": never,
    "all": never,
    "count": never,
    "sum": _unless_all_numbers,
    "min": _unless_some_and_all_numbers,
    "max": _unless_some_and_all_numbers,
    "first": never,
    "last": never,
}


def _steps(setting: Setting) -> Function:
    assert setting.board is not None
    return setting.board.step


def _cell_at(setting: Setting) -> Function:
    assert setting.board is not None
    return setting.board.cell_at


def _unless_offset(arguments: Arguments) -> bool:
    return not all(_is_offset(argument.type) for argument in arguments)


def _unless_scaled(arguments: Arguments) -> bool:
    kinds = [argument.type for argument in arguments]
    return not (any(map(is_always_number, kinds)) and any(map(_is_offset, kinds)))


def _unless_position(arguments: Arguments) -> bool:
    """Whether the position may lie outside the list, as far as the list is known."""
    items, kind = arguments[0].known, arguments[1].type
    if not (isinstance(kind, Scalar) and isinstance(items, tuple)):
        return True
    if not kind.kinds <= {"number", "none"}:
        return True
    low, high = kind.interval
    return kind.has_numbers and (low < 1 or high > len(items))


def _is_offset(kind: Type) -> bool:
    return kind.is_vector


OPERATORS: dict[str, Operation] = {
    "-n": Operation(of_values(operations.negate), unless_numbers, is_arithmetic=True),
    "-d": Operation(of_values(operations.opposite), _unless_offset, is_arithmetic=True),
    "s+d": Operation(_steps, never),
    "at": Operation(_cell_at, never, is_arithmetic=True),
    "d+d": Operation(of_values(operations.add_offsets), never),
    "n*d": Operation(of_values(operations.scale), _unless_scaled),
    "..": Operation(of_values(operations.span_of_numbers), unless_numbers, is_arithmetic=True),
    "|": Operation(of_values(operations.joined), never, is_arithmetic=True),
    "[]": Operation(of_values(operations.list_item), _unless_position),
    "table": Operation(of_values(operations.looked_up), never),
}
"""Operators that have no name in the language: n is a number, d a direction or an offset, s a
square; the elaborator chooses by the types of the operands and knows the result types. `at` is the
square of some indices, on a board that was an array. `table` has a `Table` as its first argument,
and gives the value of its row for the other arguments: a part of a card, the card of its parts."""

OPERATIONS: dict[str, Operation] = OPERATORS | {
    name: Operation(of_values(function), _CAN_FAIL[name])
    for name, function in operations.REDUCTIONS.items()
}
"""The operators, and the quantifiers as functions of a collection; `quantifiers` knows the result
types of the latter."""
