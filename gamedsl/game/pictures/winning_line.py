"""The squares of the lines that `end:` asks for, of a state: `if line(cell, p, 3): p wins`.

The inputs are a model and a state at the end of a play; the output is names of squares. Lines of
one owner are found as long as the call asks, along the game's directions.
"""

from __future__ import annotations

from gamedsl.model import Model, State
from gamedsl.model.nodes import Builtin
from gamedsl.model.values import Square
from gamedsl.model.walk import all_expressions


def squares_in_line(model: Model, state: State) -> tuple[str, ...]:
    """The squares of complete lines, in order of the board."""
    if model.board is None:
        return ()
    squares: set[Square] = set()
    for call in all_expressions(model.end):
        if not (isinstance(call, Builtin) and call.name == "line" and len(call.arguments) == 3):
            continue
        array, length = call.arguments[0].whole, call.arguments[2].known
        if array is None or array.fixed or len(array.indices) != 1 or not isinstance(length, int):
            continue
        variable = array.variable
        owners = {variable.domain.digit.get(player) for player in model.players} - {None}
        for run in model.board.lines(length):
            held = {state.cells[variable.offset + array.indices[0].digit[square]] for square in run}
            if len(held) == 1 and held <= owners:
                squares.update(run)
    return tuple(square.name for square in model.board.squares if square in squares)
