"""Lines: an order of all actions that is known from the rules, for games in which men make lines.

A line is a set of cells on which a player's men win. In: the conditions of wins, as
`foresight.prospects` derives them. Out: for each action a rank: the more lines lead through the
cells that the action may fill, the higher. In connect four 3 lines lead through a corner and 13
through a square in the middle; a column has the lines of all its squares. Rules are written out for
single cells (`model.rewriting.grounding`); nothing depends on names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.rewriting.cases import Place
from gamedsl.model.rewriting.grounding import At, GroundBodies, Grounding
from gamedsl.model.rewriting.propositions import Proposition, some_of


def ranks_by_lines(model: Model, wins: Iterable[nodes.Expr]) -> tuple[int, ...]:
    """The rank of each action, by id; no two actions have the same rank. Ties are decided by the
    distance of the filled cells from the middle of the board, then by the id.

    Raises NotToldError if a win or a move cannot be written out for single cells.
    """
    grounding = Grounding(model)
    won = some_of([grounding.holds(condition, {}, Place({})) for condition in wins])
    lines, apart = _terms(won)[1], _distances(model)
    keys = [
        (sum(lines[cell] for cell in filled), -sum(apart.get(cell, 0) for cell in filled), -action)
        for action, filled in enumerate(_filled(model, grounding))
    ]
    places = {key: rank for rank, key in enumerate(sorted(keys))}
    return tuple(places[key] for key in keys)


def _terms(proposition: Proposition) -> tuple[int, Counter[int]]:
    """The number of terms of a proposition's disjunctive normal form, and for each cell the number
    of terms with the cell."""
    if isinstance(proposition, bool):
        return int(proposition), Counter()
    through = Counter[int]()
    match proposition:
        case ("cell", number, _) | ("not", ("cell", number, _)):
            through[number] = 1
        case ("or" | "and" as operator, operands):
            counted = [_terms(operand) for operand in operands]
            total = (sum if operator == "or" else prod)(count for count, _ in counted)
            for count, inner in counted:
                others = 1 if operator == "or" else total // count
                for number, times in inner.items():
                    through[number] += times * others
            return total, through
    return 1, through


def _filled(model: Model, grounding: Grounding) -> Iterator[frozenset[int]]:
    """For each action, in the order of ids, the cells that the action may write."""
    for move in model.moves:
        for values in product(*(parameter.values.values for parameter in move.parameters)):
            cells = set[int]()
            for player in model.players:
                place = Place({player: True})
                slots = (parameter.slot for parameter in move.parameters)
                held = {slot: {value: True} for slot, value in zip(slots, values, strict=True)}
                GroundBodies(grounding).block(move.body, At(held, place), True)
                cells.update(place.cells)
            yield frozenset(cells)


def _distances(model: Model) -> Mapping[int, int]:
    """For each cell of a square with coordinates, four times the squared distance to the middle."""
    places = {} if model.board is None else model.board.coordinates
    middle = [min(along) + max(along) for along in zip(*places.values(), strict=True)]
    return {
        variable.offset + number: sum(
            (2 * own - twice) ** 2 for own, twice in zip(places[indices[-1]], middle, strict=True)
        )
        for variable in model.variables
        for number, indices in enumerate(product(*(index.values for index in variable.indices)))
        if indices and indices[-1] in places
    }
