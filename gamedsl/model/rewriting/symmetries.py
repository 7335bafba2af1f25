"""Find the symmetries of a game: propose renamings, and prove each on the rules.

Candidates are the rotations and reflections of a grid, the automorphisms of a graph, indices that
are counted from the other end or swapped, swaps of two players, combinations of these, and swaps of
two values. `normal_forms` proves candidates; unproved candidates and the identity are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import combinations, islice, permutations, product
from math import inf, prod

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.model import Model
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_forms import (
    CellImages,
    FormOf,
    NormalForm,
    Renaming,
    cells_moved,
    changed_by,
    normal_form,
)
from gamedsl.model.rewriting.propositions import bounded
from gamedsl.model.values import EMPTY, NONE, Atom, Domain, Square, Value
from gamedsl.source.records import dataclass

MOST_AUTOMORPHISMS = 120
"""Limit on the automorphisms of a graph; further automorphisms are not tried."""
MOST_TRIALS = 20_000
"""Limit on the placements of squares in the search for automorphisms."""
MOST_SWAPS = 28
"""Limit on the pairs of values tried."""
MOST_TOGETHER = 256
"""Limit on the combinations of renamings of squares, indices and players."""
MOST_CELLS = 400
"""Limit on the cells of a state: writing out the rules of a larger state takes long."""
MOST_ACTIONS = 1_000
MOST_STEPS = 400_000
"""Limit on the steps of writing out the rules: half a second."""


Pairs = frozenset[tuple[Hashable, Hashable]]
"""A renaming as a hashable value: pairs of old and new, of values and of moved cells."""


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A renaming that leaves the rules unchanged.

    Attributes:
        name: description in words.
        renaming: images of squares, players and values.
        cells: image of each cell of a state.
        moved: images of cells that do not follow from the images of values.
        keeps_players: whether every player is its own image, so that a state and its image have
            equal payoffs for each player.
    """

    name: str
    renaming: Renaming
    cells: CellImages = field(hash=False)
    moved: CellImages = field(hash=False)
    keeps_players: bool

    @property
    def pairs(self) -> Pairs:
        """What tells the symmetry from all others."""
        return frozenset((*self.renaming.items(), *(((n,), (to,)) for n, to in self.moved.items())))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A renaming that is not yet proved."""

    name: str
    renaming: Renaming
    moved: CellImages = field(default_factory=dict)


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
    board, players = [*_of_board(model)], [*_of_players(model)]
    of_indices: list[list[Candidate]] = []
    for alike in _alike(model):
        ways = [*_of_indices(model, alike)]
        if prod(map(len, (board, *of_indices, ways, players))) <= MOST_TOGETHER:
            of_indices.append(ways)  # all of them or none: a part need not form a group
    yield from islice(product(board, *of_indices, players), MOST_TOGETHER)
    yield from ((candidate,) for candidate in islice(_of_values(model), MOST_SWAPS))


def _proved(model: Model, form: NormalForm) -> Iterable[Symmetry]:
    proved: dict[Pairs, Symmetry] = {}
    for parts in _candidates(model):
        symmetry = _symmetry(model, form, parts, proved.keys())
        if symmetry is not None:
            proved.setdefault(symmetry.pairs, symmetry)
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
    if symmetry is None or _is_made_of(symmetry.pairs, proved):
        return symmetry
    change = changed_by(model, form, symmetry.renaming, symmetry.moved)
    return symmetry if change is None else None


def _made_of(model: Model, parts: tuple[Candidate, ...]) -> Symmetry | None:
    """The renaming that several renamings form together, not yet proved; None if nothing moves or
    a cell has no image."""
    whole = {value: image for part in parts for value, image in part.renaming.items()}
    renaming = {value: image for value, image in whole.items() if value is not image}
    moved = {cell: image for part in parts for cell, image in part.moved.items() if cell != image}
    cells = cells_moved(model, renaming, moved) if renaming or moved else None
    if cells is None or not _keeps_tables(model, renaming, cells):
        return None
    return Symmetry(
        TOGETHER.join(part.name for part in parts if part.name),
        renaming,
        cells,
        moved,
        renaming.keys().isdisjoint(model.players),
    )


def _keeps_tables(model: Model, renaming: Renaming, cells: CellImages) -> bool:
    """Whether the images of all states of play hold the same in the variables that never change."""
    tables = [variable for variable in model.variables if variable.is_constant]
    held = {
        table.offset + number: table.domain.values[digit]
        for table in tables
        for number, digit in enumerate(table.initial)
        if digit is not None and number not in table.missing
    }
    return all(
        held.get(cells.get(cell, cell)) == renaming.get(value, value)
        for cell, value in held.items()
    )


def _is_made_of(composed: Pairs, proved: Collection[Pairs]) -> bool:
    """Whether the renaming is a composition of two proved renamings."""
    renaming = dict(composed)
    for pairs in proved:
        first = dict(pairs)
        rest = {
            first.get(value, value): renaming.get(value, value) for value in {*first, *renaming}
        }
        if frozenset((value, image) for value, image in rest.items() if value != image) in proved:
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


def _alike(model: Model) -> Iterable[list[nodes.Variable]]:
    """The variables with indices, by the domains of their indices."""
    alike = defaultdict[tuple[Domain, ...], list[nodes.Variable]](list)
    for variable in model.variables:
        if any(_may_move(model, domain) for domain in variable.indices):
            alike[variable.indices].append(variable)
    return alike.values()


def _may_move(model: Model, domain: Domain) -> bool:
    """Whether the values of an index are other than squares and players, which are renamed."""
    return len(domain) > 1 and not any(
        isinstance(value, Square) or value in model.players for value in domain.values
    )


def _of_indices(model: Model, alike: Sequence[nodes.Variable]) -> Iterator[Candidate]:
    """Indices of variables with equal indices, counted from the other end, swapped, or both."""
    yield STAYS
    indices = alike[0].indices
    free = [place for place, domain in enumerate(indices) if _may_move(model, domain)]
    ways = product(permutations(free), product((False, True), repeat=len(free)))
    for order, turned in islice(ways, 1, MOST_TOGETHER):
        sources = list(zip(free, order, turned, strict=True))
        if all(len(indices[place]) == len(indices[source]) for place, source, _ in sources):
            moved = _moved(alike, sources)
            if all(_keeps_domains(variable, moved) for variable in alike):
                yield Candidate(_moved_in_words(alike, sources), {}, moved)


Sources = list[tuple[int, int, bool]]
"""Places of indices, each with the place whose value goes there, and whether the value is counted
from the other end."""


def _moved(alike: Iterable[nodes.Variable], sources: Sources) -> dict[int, int]:
    moved = {}
    for variable in alike:
        sizes = [len(domain) for domain in variable.indices]
        numbers = {digits: number for number, digits in enumerate(product(*map(range, sizes)))}
        for digits, number in numbers.items():
            image = [*digits]
            for place, source, is_turned in sources:
                image[place] = (sizes[source] - 1 - digits[source]) if is_turned else digits[source]
            moved[variable.offset + number] = variable.offset + numbers[tuple(image)]
    return moved


def _keeps_domains(variable: nodes.Variable, moved: CellImages) -> bool:
    """Whether every cell and its image have the same values, and no cell is missing for one."""
    pairs = [(n, moved[variable.offset + n] - variable.offset) for n in range(variable.size)]
    return all((n in variable.missing) == (to in variable.missing) for n, to in pairs) and (
        variable.domains is None
        or all(variable.domains[n] == variable.domains[to] for n, to in pairs)
    )


def _moved_in_words(alike: Sequence[nodes.Variable], sources: Sources) -> str:
    """`cell[i, j] at cell[9 - j, i]`."""
    indices = alike[0].indices
    letters = ["ijklmnopq"[place % 9] for place in range(len(indices))]
    image = letters.copy()
    for place, source, is_turned in sources:
        image[place] = _index_in_words(letters[source], indices[source], indices[place], is_turned)
    names = [(f"{v.name}[{', '.join(letters)}]", f"{v.name}[{', '.join(image)}]") for v in alike]
    return ", ".join(f"{name} at {there}" for name, there in names)


def _index_in_words(letter: str, source: Domain, place: Domain, is_turned: bool) -> str:
    """Where a value of `source` goes in `place`: `i`, `i + 2`, `9 - i`, `i from the end`."""
    images = place.values[:: -1 if is_turned else 1]
    if images == source.values:
        return letter
    pairs = [
        (number, image)
        for number, image in zip(source.values, images, strict=True)
        if type(number) is int and type(image) is int
    ]
    shifts, totals = ({image + sign * number for number, image in pairs} for sign in (-1, 1))
    if len(pairs) == len(images) and len(shifts) == 1:
        (shift,) = shifts
        return f"{letter} {'+' if shift > 0 else '-'} {abs(shift)}"
    if len(pairs) == len(images) and len(totals) == 1:
        (total,) = totals
        return f"{total} - {letter}" if total else f"-{letter}"
    return f"{letter} from the {'end' if is_turned else 'start'}"


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
