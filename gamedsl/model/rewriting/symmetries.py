"""Find the symmetries of a game: propose renamings, and prove each on the rules.

Candidates are the rotations and reflections of a grid, the automorphisms of a graph, swaps of two
players, swaps of two values, and combinations of squares and players. `normal_forms` proves
candidates; unproved candidates and the identity are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from functools import partial
from itertools import combinations, islice, product
from math import inf

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
from gamedsl.model.rewriting.propositions import bounded
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
    if (limit := _beyond(model)) is not None:
        return limit
    with bounded(inf):  # a form and its images share their propositions
        form = (form_of or partial(normal_form, model, MOST_STEPS))()
        return form if isinstance(form, Unknown) else tuple(_proved(model, form))


def possible(model: Model) -> Iterator[Symmetry]:
    """The renamings of which `symmetries` proves some, or none, at a much greater cost."""
    for parts in () if _beyond(model) is not None else _candidates(model):
        if (symmetry := _made_of(model, parts)) is not None:
            yield symmetry


def _beyond(model: Model) -> Unknown | None:
    if sum(v.size for v in model.variables) > MOST_CELLS:
        return Unknown(f"a state has more than {MOST_CELLS} cells")
    if model.facts.action_count > MOST_ACTIONS:
        return Unknown(f"there are more than {MOST_ACTIONS} actions")
    return None


def _candidates(model: Model) -> Iterator[tuple[Candidate, ...]]:
    yield from product(_of_board(model), _of_players(model))
    yield from ((candidate,) for candidate in islice(_of_values(model), MOST_SWAPS))


def _proved(model: Model, form: NormalForm) -> Iterable[Symmetry]:
    proved: dict[Pairs, Symmetry] = {}
    for parts in _candidates(model):
        symmetry = _symmetry(model, form, parts, proved.keys())
        if symmetry is not None:
            proved.setdefault(frozenset(symmetry.renaming.items()), symmetry)
    return proved.values()


def names_of(proved: tuple[Symmetry, ...]) -> tuple[str, ...]:
    """The symmetries in words, without combinations of two named symmetries."""
    names = [symmetry.name for symmetry in proved]
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
    symmetry = _made_of(model, parts)
    if symmetry is None or _is_made_of(symmetry.renaming, proved):
        return symmetry
    return symmetry if changed_by(model, form, symmetry.renaming) is None else None


def _made_of(model: Model, parts: tuple[Candidate, ...]) -> Symmetry | None:
    """The renaming that several renamings form together, not yet proved; None if nothing moves or
    a cell has no image."""
    whole = {value: image for part in parts for value, image in part.renaming.items()}
    renaming = {value: image for value, image in whole.items() if value is not image}
    cells = cells_moved(model, renaming) if renaming else None
    if cells is None:
        return None
    return Symmetry(
        TOGETHER.join(part.name for part in parts if part.name),
        renaming,
        cells,
        renaming.keys().isdisjoint(model.players),
    )


def _is_made_of(renaming: Renaming, proved: Collection[Pairs]) -> bool:
    """Whether the renaming is a composition of two proved renamings."""
    for pairs in proved:
        first = dict(pairs)
        rest = {
            first.get(value, value): renaming.get(value, value) for value in {*first, *renaming}
        }
        if (
            frozenset((value, image) for value, image in rest.items() if value is not image)
            in proved
        ):
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
        images: dict[Value, Value] = {}
        for square in board.squares:
            assert square.column is not None
            assert square.row is not None
            x = board.width + 1 - square.column if across else square.column
            y = board.height + 1 - square.row if up else square.row
            image = board.at(y, x) if swapped else board.at(x, y)
            if isinstance(image, Square):
                images[square] = image
        if len(images) == len(board.squares):
            yield Candidate(name, images)


def _of_graph(board: Board) -> Iterator[Candidate]:
    near = {square: set(board.neighbours(square)) for square in board.squares}
    automorphisms = _automorphisms(_side_by_side(board.squares, near), near)
    for number, automorphism in enumerate(islice(automorphisms, MOST_AUTOMORPHISMS), 1):
        renaming: dict[Value, Value] = dict(automorphism.items())
        yield Candidate(f"{AUTOMORPHISM} {number} of the graph", renaming)


def _side_by_side(
    squares: tuple[Square, ...], near: Mapping[Square, set[Square]]
) -> tuple[Square, ...]:
    """The squares in breadth-first order, so that few images fit each next square."""
    ordered: dict[Square, None] = {}
    for first in squares:
        waiting = [first]
        while waiting:
            square = waiting.pop(0)
            if square not in ordered:
                ordered[square] = None
                waiting += [neighbour for neighbour in squares if neighbour in near[square]]
    return tuple(ordered)


def _automorphisms(
    squares: tuple[Square, ...], near: Mapping[Square, set[Square]]
) -> Iterator[dict[Square, Square]]:
    """Maps of the squares that preserve neighbourhood, without the identity."""
    trials = 0

    def fits(square: Square, image: Square, images: Mapping[Square, Square]) -> bool:
        if len(near[square]) != len(near[image]):
            return False
        return all((placed in near[square]) == (images[placed] in near[image]) for placed in images)

    def extended(images: dict[Square, Square]) -> Iterator[dict[Square, Square]]:
        nonlocal trials
        if len(images) == len(squares):
            yield images
            return
        square = squares[len(images)]
        used = set(images.values())
        for image in squares:
            trials += 1
            if trials > MOST_TRIALS:
                return
            if image not in used and fits(square, image, images):
                yield from extended({**images, square: image})

    for images in extended({}):
        if any(square is not image for square, image in images.items()):
            yield images


def _of_players(model: Model) -> Iterator[Candidate]:
    yield STAYS
    for first, second in combinations(model.players, 2):
        yield Candidate(f"{first.name} and {second.name} swapped", {first: second, second: first})


def _of_values(model: Model) -> Iterator[Candidate]:
    """Swaps of two values of a variable that are neither squares nor players."""
    fixed = {*model.players, EMPTY, NONE}
    seen = set()
    for variable in model.variables:
        atoms = [v for v in variable.domain.values if isinstance(v, Atom) and v not in fixed]
        for pair in combinations((v for v in atoms if not isinstance(v, Square)), 2):
            if pair not in seen:
                seen.add(pair)
                first, second = pair
                yield Candidate(
                    f"{first.name} and {second.name} swapped", {first: second, second: first}
                )
