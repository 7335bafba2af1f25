"""Actions by number and by name: the move of an action id, action names, and their parts.

The instances of moves are numbered consecutively. Names written by people are read by
`game.reading` (decision 31).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from gamedsl.model.nodes import Move, Variable
from gamedsl.model.values import Domain, Value, text_of


def number_of_move(moves: Sequence[Move], action: int) -> int:
    """The number of the move of an action id; ValueError if the id does not exist."""
    number = bisect_right(moves, action, key=lambda move: move.first_id) - 1
    if number >= 0 and action < moves[number].first_id + moves[number].size:
        return number
    raise ValueError(f"there is no action {action}")


def move_of(moves: Sequence[Move], action: int) -> Move:
    """The move of an action id; ValueError if the id does not exist."""
    return moves[number_of_move(moves, action)]


def arguments_of(move: Move, action: int) -> tuple[Value, ...]:
    """The values of the parameters behind an action id."""
    number = action - move.first_id
    arguments: list[Value] = []
    for parameter in reversed(move.parameters):
        number, digit = divmod(number, len(parameter.values))
        arguments.append(parameter.values.values[digit])
    return tuple(reversed(arguments))


def name_of(move: Move, action: int) -> str:
    """`mark(a1)`, `give({1, 3})`; a move without parameters has no parentheses."""
    arguments = zip(move.parameters, arguments_of(move, action), strict=True)
    texts = [parameter.text_of(value) for parameter, value in arguments]
    return f"{move.name}({', '.join(texts)})" if texts else move.name


def name_of_cell(variable: Variable, number: int | None, written: str) -> str:
    """The name of a drawn cell, by number in the variable: `die[2]`; `written`, such as `die[i]`,
    if no cell has the number."""
    if number in variable.cells:
        return variable.cell_name(number)
    return written


def name_of_outcome(drawn: str, support: Domain, outcome: int) -> str:
    """`die=3`, from the drawn name and the outcome's place in the support; ValueError if the
    outcome does not exist."""
    if not 0 <= outcome < len(support):
        raise ValueError(f"there is no outcome {outcome}")
    return f"{drawn}={text_of(support.values[outcome])}"


def joined_name(names: Sequence[str]) -> str:
    """`throw(rock)+throw(paper)`: the joint name of simultaneous choices."""
    return "+".join(names)


def joined_parts(name: str) -> tuple[str, ...]:
    """The names joined in a name; a single name in most cases."""
    return (name,) if "=" in name else tuple(_split(name, "+"))


def parts_of(name: str) -> tuple[str, str, tuple[str, ...]]:
    """The head of a name, the mark behind the head, and the arguments: `go`, `()`, (`e2`, `e4`);
    `die`, `=`, (`3`,); `roll`, ``, ()."""
    drawn, mark, value = name.rpartition("=")
    if mark:
        return drawn, mark, (value,)
    head, bracket, inside = name.partition("(")
    if not (bracket and inside.endswith(")")):
        return name, "", ()
    return head, "()", tuple(part.strip() for part in _split(inside[:-1], ","))


def short_name(name: str) -> str:
    """The arguments alone: `e2,e4`, `3`, `rock+paper`; a name without arguments unchanged."""
    parts = (parts_of(part) for part in joined_parts(name))
    return "+".join(",".join(arguments) or head for head, _, arguments in parts)


def _split(text: str, mark: str) -> Iterator[str]:
    """The parts of a text between marks outside brackets."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == mark and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]
