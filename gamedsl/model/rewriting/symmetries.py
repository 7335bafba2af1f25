"""Find the symmetries of a game: propose renamings, and prove each on the rules.

Candidates are the rotations and reflections of a grid, the automorphisms of a graph, swaps of two
players, swaps of two values, and combinations of squares and players. `normal_forms` proves
candidates; unproved candidates and the identity are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from functools import partial
from itertools import combinations, islice, product

from gamedsl.model.board import Board
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_forms import (
    FormOf,
    NormalForm,
    Renaming,
    cells_moved,
    changed_by,
    normal_form,
)
from gamedsl.model.values import EMPTY, NONE, Atom, Square, Value
from gamedsl.source.records import dataclass

MOST_AUTOMORPHISMS = 120
"""Limit on the automorphisms of a graph; further automorphisms are not tried."""
MOST_TRIALS = 20_000
"""Limit on the placements of squares in the search for automorphisms."""
MOST_SWAPS = 28
"""Limit on the pairs of values tried."""
MOST_CELLS = 400
"""Limit on the cells of a state: writing out the rules of a larger state takes long."""
MOST_ACTIONS = 1_000
MOST_STEPS = 400_000
"""Limit on the steps of writing out the rules: half a second."""


Pairs = frozenset[tuple[Value, Value]]
"""A renaming as a hashable value: pairs of old and new."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A renaming that leaves the rules unchanged.

    Attributes:
        name: description in words.
        renaming: images of squares, players and values.
        cells: image of each cell of a state.
        keeps_players: whether every player is its own image, so that a state and its image have
            equal payoffs for each player.
    """

    name: str
    renaming: Renaming
    cells: Mapping[int, int] = field(hash=False)
    keeps_players: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A renaming that is not yet proved."""

    name: str
    renaming: Mapping[Value, Value]


TOGETHER = " with "
AUTOMORPHISM = "automorphism"
STAYS = Candidate("", {})


def symmetries(model: Model, form_of: FormOf | None = None) -> tuple[Symmetry, ...] | Unknown:
    """All proved symmetries; or the reason why no symmetry can be proved.

    `form_of` returns the normal form of the rules, for callers that share the normal form.
    """
    if sum(v.size for v in model.variables) > MOST_CELLS:
        return Unknown(f"a state has more than {MOST_CELLS} cells")
    if model.facts.action_count > MOST_ACTIONS:
        return Unknown(f"there are more than {MOST_ACTIONS} actions")
    form = (form_of or partial(normal_form, model, MOST_STEPS))()
    if isinstance(form, Unknown):
        return form
    together = product(_of_board(model), _of_players(model))
    alone = ((one,) for one in islice(_of_values(model), MOST_SWAPS))
    found: dict[Pairs, Symmetry] = {}
    for parts in (*together, *alone):
        one = _symmetry(model, form, parts, found.keys())
        if one is not None:
            found.setdefault(frozenset(one.renaming.items()), one)
    return tuple(found.values())


def names_of(found: tuple[Symmetry, ...]) -> tuple[str, ...]:
    """The symmetries in words, without combinations of two named symmetries."""
    names = [one.name for one in found]
    alone = [
        name
        for name in names
        if TOGETHER not in name or not all(part in names for part in name.split(TOGETHER))
    ]
    if all(name in alone for name in GRID_WAYS.values()):
        turned = set(GRID_WAYS.values())
        alone = [ALL_WAYS, *(name for name in alone if name not in turned)]
    count = sum(name.startswith(AUTOMORPHISM) for name in alone)
    if count > 1:
        alone = [name for name in alone if not name.startswith(AUTOMORPHISM)]
        alone.append(f"{count} {AUTOMORPHISM}s of the graph")
    return tuple(alone)


def _symmetry(
    model: Model, form: NormalForm, parts: tuple[Candidate, ...], proved: Collection[Pairs]
) -> Symmetry | None:
    """The symmetry that several renamings form together, if proved: directly, or as a composition
    of two proved symmetries."""
    whole = {one: other for part in parts for one, other in part.renaming.items()}
    renaming = {one: other for one, other in whole.items() if one is not other}
    if not renaming:
        return None
    if not _is_made_of(renaming, proved) and changed_by(model, form, renaming) is not None:
        return None
    return Symmetry(
        TOGETHER.join(part.name for part in parts if part.name),
        renaming,
        cells_moved(model, renaming),
        renaming.keys().isdisjoint(model.players),
    )


def _is_made_of(renaming: Renaming, proved: Collection[Pairs]) -> bool:
    """Whether the renaming is a composition of two proved renamings."""
    for pairs in proved:
        first = dict(pairs)
        rest = {first.get(one, one): renaming.get(one, one) for one in {*first, *renaming}}
        if frozenset((one, other) for one, other in rest.items() if one is not other) in proved:
            return True
    return False


# --- candidates ------------------------------------------------------------------------------


def _of_board(model: Model) -> Iterator[Candidate]:
    yield STAYS
    if model.board is None:
        return
    if model.board.is_grid:
        yield from _of_grid(model.board)
    else:
        yield from _of_graph(model.board)


GRID_WAYS = {
    (True, False, False): "left and right mirrored",
    (False, True, False): "top and bottom mirrored",
    (True, True, False): "the board turned by 180 degrees",
    (False, False, True): "the board mirrored in a diagonal",
    (True, True, True): "the board mirrored in the other diagonal",
    (True, False, True): "the board turned by 90 degrees",
    (False, True, True): "the board turned by 270 degrees",
}
"""Keys: whether columns and rows are counted from the other end, and whether they are then
swapped."""
ALL_WAYS = "the board turned and mirrored in all eight ways"


def _of_grid(board: Board) -> Iterator[Candidate]:
    for (across, up, swapped), name in GRID_WAYS.items():
        if swapped and board.width != board.height:
            continue
        found: dict[Value, Value] = {}
        for square in board.squares:
            assert square.column is not None
            assert square.row is not None
            x = board.width + 1 - square.column if across else square.column
            y = board.height + 1 - square.row if up else square.row
            image = board.at(y, x) if swapped else board.at(x, y)
            if isinstance(image, Square):
                found[square] = image
        if len(found) == len(board.squares):
            yield Candidate(name, found)


def _of_graph(board: Board) -> Iterator[Candidate]:
    near = {square: set(board.neighbours(square)) for square in board.squares}
    found = _automorphisms(_side_by_side(board.squares, near), near)
    for number, one in enumerate(islice(found, MOST_AUTOMORPHISMS), 1):
        renaming: dict[Value, Value] = dict(one.items())
        yield Candidate(f"{AUTOMORPHISM} {number} of the graph", renaming)


def _side_by_side(
    squares: tuple[Square, ...], near: Mapping[Square, set[Square]]
) -> tuple[Square, ...]:
    """The squares in breadth-first order, so that few images fit each next square."""
    found: dict[Square, None] = {}
    for first in squares:
        waiting = [first]
        while waiting:
            one = waiting.pop(0)
            if one not in found:
                found[one] = None
                waiting += [other for other in squares if other in near[one]]
    return tuple(found)


def _automorphisms(
    squares: tuple[Square, ...], near: Mapping[Square, set[Square]]
) -> Iterator[dict[Square, Square]]:
    """Maps of the squares that preserve neighbourhood, without the identity."""
    trials = 0

    def fits(one: Square, image: Square, found: Mapping[Square, Square]) -> bool:
        if len(near[one]) != len(near[image]):
            return False
        return all((other in near[one]) == (found[other] in near[image]) for other in found)

    def extended(found: dict[Square, Square]) -> Iterator[dict[Square, Square]]:
        nonlocal trials
        if len(found) == len(squares):
            yield found
            return
        one = squares[len(found)]
        used = set(found.values())
        for image in squares:
            trials += 1
            if trials > MOST_TRIALS:
                return
            if image not in used and fits(one, image, found):
                yield from extended({**found, one: image})

    for found in extended({}):
        if any(one is not other for one, other in found.items()):
            yield found


def _of_players(model: Model) -> Iterator[Candidate]:
    yield STAYS
    for one, other in combinations(model.players, 2):
        yield Candidate(f"{one.name} and {other.name} swapped", {one: other, other: one})


def _of_values(model: Model) -> Iterator[Candidate]:
    """Swaps of two values of a variable that are neither squares nor players."""
    fixed = {*model.players, EMPTY, NONE}
    seen = set()
    for variable in model.variables:
        atoms = [v for v in variable.domain.values if isinstance(v, Atom) and v not in fixed]
        for pair in combinations((v for v in atoms if not isinstance(v, Square)), 2):
            if pair not in seen:
                seen.add(pair)
                one, other = pair
                yield Candidate(f"{one.name} and {other.name} swapped", {one: other, other: one})
