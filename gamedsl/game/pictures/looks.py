"""The roles of variables in pictures of a game: as declared in the file, else by names and shapes.

A `View` tells which variables are men on the squares, figures beside the board, or lines of text.
The module does not draw; text (`drawing`) and SVG (`gamedsl.reports.boards`) use the same `View`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from gamedsl.model import Model, nodes
from gamedsl.model.nodes.looks import BoardLook, VariableLook, is_count, is_truth, lacks
from gamedsl.model.values import EMPTY, NONE, Atom, Domain, Pair, Square, Value, Vector, text_of
from gamedsl.model.walk import expressions_of, statements, within
from gamedsl.source.records import dataclass

MOST_BOARDS = 16
"""A variable that would give more boards is not drawn as boards."""
NOTHING_NAMES = frozenset({"empty", "none", "nothing"})
USUAL = {
    "card": VariableLook.CARDS, "hand": VariableLook.CARDS,
    "die": VariableLook.DICE, "dice": VariableLook.DICE,
    "pit": VariableLook.PITS, "hole": VariableLook.PITS, "house": VariableLook.PITS,
    "heap": VariableLook.HEAPS, "pile": VariableLook.HEAPS, "peg": VariableLook.TOWERS,
}  # fmt: skip
"""The usual looks of variables by name, in the singular, if the shape allows the look."""
SUITS = {"clubs": "\u2663", "diamonds": "\u2666", "hearts": "\u2665", "spades": "\u2660"}
"""Signs of suits by their names; the first letters are names of suits if all four are."""
SUITS_BY_LETTERS = {name[0].upper(): sign for name, sign in SUITS.items()}
MOST_IN_ROW = 13
"""Cells of a row that are drawn as playing cards for their values alone: of a pack of 52, a line is
read better."""
FIGURINES = {
    "king": "\u265a", "queen": "\u265b", "rook": "\u265c", "bishop": "\u265d",
    "knight": "\u265e", "pawn": "\u265f",
}  # fmt: skip
"""Signs of men by their names."""
LETTERS = dict(
    zip(
        "\u2654\u2655\u2656\u2657\u2658\u2659\u265a\u265b\u265c\u265d\u265e\u265f",
        "KQRBNPkqrbnp",
        strict=True,
    )
)
"""Replacement letters for signs of men: upper case for white men, lower case for black men."""
KNOWN_LETTERS = {"knight": "n", "cross": "x", "nought": "o"}
"""Letters of values with a letter other than the first letter of the name."""
ON_SQUARES = frozenset({VariableLook.MEN, VariableLook.MARKS})
FIGURES = frozenset(
    {
        VariableLook.PITS,
        VariableLook.HEAPS,
        VariableLook.TOWERS,
        VariableLook.LINES,
        VariableLook.CARDS,
        VariableLook.DICE,
        VariableLook.FACES,
        VariableLook.DOORS,
        VariableLook.NET,
    }
)


@dataclass(frozen=True, slots=True)
class OneBoard:
    """Cells of a variable that make one board: `cells` are their numbers in the variable, in the
    order of the squares, `indices` the shared values of the other indices.
    """

    title: str
    cells: tuple[int, ...]
    indices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The roles of variables in pictures of a game.

    Attributes:
        board: the look of the board's squares.
        men: variables that together make the men on the squares, owners first.
        marks: truth values of squares, shown by small letters.
        boards: variables drawn on boards of their own, with these boards.
        figures: variables that are drawn without the board.
        lines: variables that are written as text.
    """

    board: BoardLook
    men: tuple[nodes.Variable, ...]
    marks: tuple[nodes.Variable, ...]
    boards: tuple[tuple[nodes.Variable, tuple[OneBoard, ...]], ...]
    figures: tuple[tuple[nodes.Variable, VariableLook], ...]
    lines: tuple[nodes.Variable, ...]


def view_of(model: Model) -> View:
    """The roles of variables in pictures of the game."""
    said = dict(model.looks.variables) | dict.fromkeys(model.left_out, VariableLook.HIDDEN)
    looks = {v.name: _variable_look(model, v, said.get(v.name)) for v in model.variables}
    men: list[nodes.Variable] = []
    marks: list[nodes.Variable] = []
    parted: list[tuple[nodes.Variable, tuple[OneBoard, ...]]] = []
    on_squares = [v for v in model.variables if looks[v.name] in ON_SQUARES]
    for variable in sorted(on_squares, key=lambda v: not is_owner(model, v)):
        is_whole = len(variable.indices) == 1
        if is_whole and looks[variable.name] is VariableLook.MARKS:
            marks.append(variable)
        elif is_whole and (variable.name in said or _joins(model, men, variable)):
            men.append(variable)
        else:
            parted.append((variable, boards_of(model, variable)))
    return View(
        model.looks.board
        or (BoardLook.PLAIN if model.looks.board_colour else None)
        or _usual_board(model, len(men) + len(marks)),
        tuple(men),
        tuple(marks),
        tuple(parted),
        tuple((v, look) for v in model.variables if (look := looks[v.name]) in FIGURES),
        tuple(v for v in model.variables if looks[v.name] is VariableLook.TEXT),
    )


def boards_of(model: Model, variable: nodes.Variable) -> tuple[OneBoard, ...]:
    """The boards of a variable, one for each combination of its other indices; empty where the
    variable has no index of squares, or where the boards would be too many.
    """
    squares = model.board.squares if model.board else ()
    places = [n for n, index in enumerate(variable.indices) if index.values == squares]
    if not squares or not places or variable.missing:
        return ()
    if variable.size > MOST_BOARDS * len(squares):
        return ()
    place = places[-1]
    cells_by_indices: dict[tuple[str, ...], list[int]] = {}
    for number, combination in enumerate(product(*(index.values for index in variable.indices))):
        shared = tuple(text_of(value) for n, value in enumerate(combination) if n != place)
        cells_by_indices.setdefault(shared, []).append(number)
    return tuple(
        OneBoard(_title(variable, place, shared), tuple(cells), shared)
        for shared, cells in cells_by_indices.items()
    )


def _title(variable: nodes.Variable, place: int, shared: tuple[str, ...]) -> str:
    """`cross[left]`; where the squares are not the last index, `height[square, 1]`."""
    if not shared:
        return variable.name
    is_last = place == len(variable.indices) - 1
    names = shared if is_last else (*shared[:place], "square", *shared[place:])
    return f"{variable.name}[{', '.join(names)}]"


def is_owner(model: Model, variable: nodes.Variable) -> bool:
    """Whether a variable holds the owners of men: its domain has players."""
    return any(player in variable.domain.digit for player in model.players)


def is_nothing(value: Value, domain: Domain) -> bool:
    """Whether a value means emptiness; 0 does where the domain has numbers only, with 0 the
    least.
    """
    if value is EMPTY or value is NONE or value is False:
        return True
    if isinstance(value, Atom):
        return value.name in NOTHING_NAMES
    return value == 0 == domain.values[0] and is_count(domain.values[-1])


def signs_of_suits(values: tuple[Value, ...]) -> dict[str, str]:
    """The signs of the suits of playing cards, by the names of the suits that some values have."""
    suits = {text_of(value.owner) for value in values if isinstance(value, Pair)}
    return SUITS_BY_LETTERS if suits == SUITS_BY_LETTERS.keys() else SUITS


def are_playing_cards(values: tuple[Value, ...]) -> bool:
    """Whether all values are playing cards, or nothing."""
    cards = [value for value in values if value not in {NONE, EMPTY}]
    signs = signs_of_suits(values)
    return bool(cards) and all(isinstance(c, Pair) and text_of(c.owner) in signs for c in cards)


def letters_of(values: tuple[Value, ...]) -> dict[Value, str]:
    """A distinct lower-case letter for each named value: its first letter if free, else the next
    free letter of its name, else the whole name. Numbers stand for themselves.
    """
    letters: dict[Value, str] = {}
    atoms = [value for value in values if isinstance(value, Atom)]
    for known in (True, False):
        for atom in atoms:
            if (atom.name in KNOWN_LETTERS) is not known:
                continue
            wanted = [KNOWN_LETTERS.get(atom.name, ""), *atom.name.lower()]
            free = (
                letter for letter in wanted if letter.isalpha() and letter not in letters.values()
            )
            letters[atom] = next(free, atom.name)
    return {value: letters.get(value, text_of(value)) for value in values}


def is_bookkeeping(model: Model, variable: nodes.Variable) -> bool:
    """Whether a picture of men leaves a variable out, unless `show:` says its look: a single value
    beside the board, such as a clock, a count of passes or a phase, that no payoff is made of.
    """
    return (
        not variable.indices
        and variable.name not in dict(model.looks.variables)
        and not any(part.reads is variable for amount in _amounts(model) for part in within(amount))
    )


def _amounts(model: Model) -> Iterator[nodes.Expr]:
    """The amounts of all payoffs and rewards."""
    blocks = (model.end, *(move.body for move in model.moves))
    for statement in chain.from_iterable(map(statements, blocks)):
        if isinstance(statement, nodes.Ending | nodes.Reward):
            yield from expressions_of(statement)


def _variable_look(
    model: Model, variable: nodes.Variable, said: VariableLook | None
) -> VariableLook:
    """The look declared in the file, where the variable can be drawn so."""
    if said in ON_SQUARES and not boards_of(model, variable):
        return VariableLook.TEXT
    return said or _usual(model, variable)


def _usual(model: Model, variable: nodes.Variable) -> VariableLook:
    if boards_of(model, variable):
        is_mark = is_truth(variable.domain) and len(variable.indices) == 1
        rest = [v for v in model.variables if v is not variable and len(v.indices) == 1]
        has_men = any(not is_truth(v.domain) and boards_of(model, v) for v in rest)
        return VariableLook.MARKS if is_mark and has_men else VariableLook.MEN
    name = variable.name
    look = USUAL.get(name) or USUAL.get(name.removesuffix("s"))
    squares = model.board.squares if model.board else ()
    if look is not None and lacks(look, variable, squares) is None and not _counts(variable, look):
        return look
    in_row = len(variable.indices[-1].values) if variable.indices else 1
    if in_row <= MOST_IN_ROW and are_playing_cards(variable.domain.values):
        return VariableLook.CARDS
    return VariableLook.LINES if _is_half_of_a_grid(model, variable) else VariableLook.TEXT


def _counts(variable: nodes.Variable, look: VariableLook) -> bool:
    """Whether the numbers of a variable may count the things in its name: variables with `hand` in
    the name, a single `cards: 0..3`, and plural names whose numbers include 0 (`heaps[1..9]: 0..9`
    may be heaps by their size). Pits hold a number either way.
    """
    numbers = [value for value in variable.domain.values if is_count(value)]
    is_plural = variable.name not in USUAL or variable.name == "dice"
    if look is VariableLook.PITS or not numbers:
        return False
    return (
        "hand" in variable.name
        or (is_plural and 0 in numbers)
        or (variable.name not in USUAL and not variable.indices)
    )


def _is_half_of_a_grid(model: Model, variable: nodes.Variable) -> bool:
    """Whether a variable and another variable are the lines between dots, horizontal and vertical:
    `bool` by `[1..w, 0..h]` and by `[0..w, 1..h]`.
    """
    mine = line_ends(variable)
    return mine is not None and any(
        line_ends(partner) == mine and partner.indices != variable.indices
        for partner in model.variables
        if partner is not variable
    )


def line_ends(variable: nodes.Variable) -> tuple[int, int] | None:
    """The numbers of boxes across and up of lines between dots; None for other variables."""
    if lacks(VariableLook.LINES, variable, ()) is not None:
        return None
    (left, right), (low, high) = ((index.values[0], index.values[-1]) for index in variable.indices)
    if (left, low) not in {(0, 1), (1, 0)}:
        return None
    assert isinstance(right, int)
    assert isinstance(high, int)
    return right, high


def line_starts(variable: nodes.Variable) -> tuple[int, int]:
    """The first column and row of lines between dots: (1, 0) horizontal, (0, 1) vertical."""
    return (1, 0) if is_across(variable) else (0, 1)


def is_across(variable: nodes.Variable) -> bool:
    """Whether lines between dots are horizontal, and so begin to the right of column 0."""
    return variable.indices[0].values[0] == 1


def _joins(model: Model, men: list[nodes.Variable], variable: nodes.Variable) -> bool:
    """Whether a variable and the variables `men` make one man: the owner, and the kind of man."""
    return not men or (len(men) == 1 and is_owner(model, men[0]) and not is_owner(model, variable))


def _usual_board(model: Model, layers: int) -> BoardLook:
    """Two colours where men move or differ, else a single colour; points on a graph."""
    if model.board is None or not model.board.is_grid:
        return BoardLook.POINTS
    is_moving = any(
        sum(isinstance(value, Square | Vector) for value in first) > 1
        for first in (
            [p.values.values[0] for p in move.parameters if p.values.values] for move in model.moves
        )
    )
    return BoardLook.CHEQUERED if layers > 1 or is_moving else BoardLook.PLAIN
