"""Texts of errors in play: equal wording in every engine.

Each function takes the names, values and bounds involved and returns a message and a hint or None.
The engines decide when an error occurs.
"""

from __future__ import annotations

from collections.abc import Container

from gamedsl.model.limits import CALL_AS_ROUNDS
from gamedsl.model.nodes import Bounded, Cell, Chance, Compare, Comprehension, Place, Variable
from gamedsl.model.values import Value, text_of
from gamedsl.model.walk import within

UNKNOWN = (None, None)
"""The local and the constant of an expression that is neither."""
Said = tuple[str, str | None]
"""A message and a hint."""

BOTH_KINDS: Said = (
    "moves for one player and `simultaneous` moves are legal at the same time",
    "let `require` keep them apart",
)
NOTHING_TO_DRAW = "ask before with `if` or `require` whether there is anything to draw"
"""A hint."""
FEW_CELLS = 3
"""Number of cells named as examples."""
WEIGHTS = (
    "in every state the last weight can be 1 minus all the others; numbers in proportion to the"
    " chances stand behind `weighted`: `chance x in S weighted w`"
)
"""A hint."""
NO_PLAYER = "say what happens if it is nobody, on a line above"
"""A hint."""


def no_moves(name: str) -> Said:
    """The player to move has no legal move, and the game is not over."""
    return (
        f"{name} is to move and has no legal move, and the game is not over",
        "say in `end:` what happens: `if stuck: ...`, or add a move after `otherwise`",
    )


def idle_player(name: str) -> Said:
    """A player has no legal choice in a `simultaneous` move."""
    return (
        f"all players choose at once, and {name} has no legal choice",
        "give everybody a choice, or none",
    )


def out_of_range(variable: Variable, cell: int, value: Value) -> Said:
    """A value outside the domain of its variable; `cell` counts within the variable."""
    name, domain = variable.cell_name(cell), variable.domain_of(cell)
    numbers = [v for v in domain.values if isinstance(v, int) and not isinstance(v, bool)]
    if not numbers or not isinstance(value, int) or isinstance(value, bool):
        return f"`{name}` would be {text_of(value)}, its domain is `{domain}`", None
    low, high = min(numbers), max(numbers)
    keep = f"max({low}, ...)" if value < low else f"min({high}, ...)"
    return (
        f"`{name}` can reach {value}, its domain is `{domain}`",
        f"forbid it with `require`, write `{keep}`, or widen the domain",
    )


def off_the_board(variable: Variable) -> Said:
    """Writing to `a[none]`."""
    return (
        f"`{variable.name}[none]` is written to: that place is off the board",
        "make sure of it before: `require ... != none`",
    )


def no_cell(variable: Variable, place: int, value: Value) -> Said:
    """An index outside its domain; `place` counts the indices from 0."""
    name, domain = variable.name, variable.indices[place]
    if len(variable.indices) == 1:
        text = f"`{name}` has no cell {text_of(value)}; its indices are `{domain}`"
    else:
        position = f"index {place + 1} is {text_of(value)}"
        text = f"`{name}` has no cell whose {position}; it is one of `{domain}`"
    if variable.missing:
        return text, f"{_as_declared(variable)}: {_first_cells(variable)}"
    return text, f"let the index go over `{domain}` alone, or ask before whether it is in there"


def missing_cell(variable: Variable, cell: int) -> Said:
    """A combination of indices that the declaration leaves out."""
    text = f"there is no cell `{variable.cell_name(cell)}`: the declaration leaves it out"
    turned = _other_way_round(variable, cell)
    if turned is not None:
        return text, f"these two have the cell `{turned}`; {_as_declared(variable)}"
    return text, f"{_as_declared(variable)}: {_first_cells(variable)}"


def _as_declared(variable: Variable) -> str:
    """A hint if some combinations of indices are no cells."""
    return f"let parameters and loops range as the indices of `{variable.name}` are declared"


def _first_cells(variable: Variable) -> str:
    names = [f"`{variable.cell_name(cell)}`" for cell in variable.cells[: FEW_CELLS + 1]]
    few = ", ".join(names[:FEW_CELLS])
    return few if len(names) <= FEW_CELLS else f"{few}, ..."


def _other_way_round(variable: Variable, cell: int) -> str | None:
    """The cell with the two indices exchanged, if the cell exists."""
    if len(variable.indices) != 2:
        return None
    first, second = variable.indices
    first_digit, second_digit = divmod(cell, len(second))
    row, column = (
        first.digit.get(second.values[second_digit]),
        second.digit.get(first.values[first_digit]),
    )
    if row is None or column is None or row * len(second) + column in variable.missing:
        return None
    return variable.cell_name(row * len(second) + column)


def not_set(variable: Variable) -> Said:
    """A cell without an initial value, read before `setup:` has set the cell."""
    return f"`{variable.name}` is read before it is set", None


def no_mover(value: Value) -> Said:
    """`turn` set to a value that is not a player."""
    return f"`turn` would be {text_of(value)}, which is no player", None


def paid_twice(value: Value) -> Said:
    """A `payoff` whose players are expressions, two of which are the same player."""
    return f"this `payoff` gives {text_of(value)} two payoffs, and another player none", None


def nobody_wins(value: Value) -> Said:
    """An outcome for a value that is not a player."""
    return f"an outcome for `{text_of(value)}`, who is no player", NO_PLAYER


def nobody_gets(value: Value) -> Said:
    """A reward for a value that is not a player."""
    return f"a reward for `{text_of(value)}`, who is no player", NO_PLAYER


def nothing_to_draw(statement: Chance) -> Said:
    """A chance event without possible outcomes."""
    said = f"nothing can come out of `chance {statement.name}`"
    names = _compared_with_itself(statement)
    if not names:
        return said, NOTHING_TO_DRAW
    apart = " or ".join(f"{name} != ..." for name in names)
    return said, f"`{statement.name}` is compared with itself too: leave it out, `where {apart}`"


def _compared_with_itself(statement: Chance) -> list[str]:
    """The names that go through all cells in a condition `all(a[...] != a[...] for ...)` on a cell
    `a[...]` that is drawn; none if there is no such condition."""
    place = statement.place
    if not isinstance(place, Place) or statement.condition is None:
        return []
    for node in within(statement.condition):
        match node:
            case Comprehension(
                kind="all", element=Compare(operator="!=", left=Cell() as one, right=Cell() as two)
            ) if all(
                clause.condition is None and clause.domain.known is not None
                for clause in node.clauses
            ):
                free = {clause.slot for clause in node.clauses}
                if any(
                    _is_at(drawn, place) and _is_at(other, place, free)
                    for drawn, other in ((one, two), (two, one))
                ):
                    return [clause.name for clause in node.clauses]
    return []


def _is_at(cell: Cell, place: Place, free: Container[int] = ()) -> bool:
    """Whether a cell is the cell of a place, for some values of the locals in the slots `free`."""
    return cell.variable == place.variable and all(
        index.local in free or (index.local, index.known) == (other.local, other.known) != UNKNOWN
        for index, other in zip(cell.indices, place.indices, strict=True)
    )


def too_few_to_draw(name: str, size: int) -> Said:
    """A set cannot be drawn; `name`: of the event for an element, such as `cards[1]`."""
    whole = name.partition("[")[0]
    return f"fewer than {size} values are left for `chance {whole} subset of ...`", NOTHING_TO_DRAW


def no_number(kind: str, value: Value) -> Said:
    """A payoff, a reward or a heuristic value that is not a number."""
    return f"{kind} is a number, found `{text_of(value)}`", None


def wrong_weight(name: str, value: Value, weight: Value) -> Said:
    """A weight of a chance event that is negative or not a number."""
    return f"the weight of {text_of(value)} in `chance {name}` is {text_of(weight)}", None


def wrong_total(name: str, total: Value) -> Said:
    """Weights of a chance event that do not sum to 1."""
    return f"the weights of `chance {name}` add up to {text_of(total)}, not 1", WEIGHTS


def too_many_calls(definition: str, most: int) -> Said:
    """A recursive `def` with too many calls."""
    said = f"one call of `{definition}` has led to {most:,} more: no more are possible"
    ten_times = f"`--max-rounds {10 * most * CALL_AS_ROUNDS}` allows ten times as many"
    return said, f"ask for each value once, or stop sooner; {ten_times}"


def outside_its_domain(definition: str, parameter: Bounded, value: Value) -> Said:
    """An argument of a `def` (or an element of a set argument) outside the parameter's domain."""
    name, domain = parameter.name, parameter.domain
    if parameter.is_subset:
        said = f"`{name}` of `{definition}` would hold {text_of(value)}, it is a subset of"
    else:
        said = f"`{name}` of `{definition}` would be {text_of(value)}, its domain is"
    return f"{said} `{domain}`", "ask before the call whether it is one of them"
