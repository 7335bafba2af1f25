"""Actions by number and by name: which move an id belongs to, with which arguments.

In: moves, whose instances are numbered one after the other. Out: a move, its arguments, a name.
"""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.model.nodes import Move
from gamedsl.model.values import Domain, Value, text_of


def number_of_move(moves: Sequence[Move], action: int) -> int:
    """Which of the moves an action id belongs to; ValueError if there is no such id."""
    for number, move in enumerate(moves):
        if move.first_id <= action < move.first_id + move.size:
            return number
    raise ValueError(f"there is no action {action}")


def move_of(moves: Sequence[Move], action: int) -> Move:
    """The move that an action id belongs to; ValueError if there is no such id."""
    return moves[number_of_move(moves, action)]


def arguments_of(move: Move, action: int) -> tuple[Value, ...]:
    """The values of the parameters that an id stands for."""
    number = action - move.first_id
    found: list[Value] = []
    for parameter in reversed(move.parameters):
        number, digit = divmod(number, len(parameter.values))
        found.append(parameter.values.values[digit])
    return tuple(reversed(found))


def name_of(move: Move, action: int) -> str:
    """`mark(a1)`; a move without parameters has no parentheses."""
    arguments = arguments_of(move, action)
    if not arguments:
        return move.name
    return f"{move.name}({', '.join(text_of(value) for value in arguments)})"


def name_of_outcome(drawn: str, support: Domain, outcome: int) -> str:
    """`die=3`, of what is drawn and an outcome's place in the support; ValueError if there is no
    such outcome."""
    if not 0 <= outcome < len(support):
        raise ValueError(f"there is no outcome {outcome}")
    return f"{drawn}={text_of(support.values[outcome])}"
