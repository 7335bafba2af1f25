"""Layout of states: words of 64 bits, cut into fields for the variables.

An array over the squares of the board with few values becomes bitboards: one field ("plane") per
value, except the value represented by all planes being 0. Any other array is a row of digits, cut
into chunks of at most 63 bits; a scalar is one digit. Words are unsigned in Python. No code is
generated here.
"""

from __future__ import annotations

from gamedsl.model.model import Model
from gamedsl.model.nodes import Variable
from gamedsl.model.values import EMPTY, text_of
from gamedsl.source.records import dataclass

WORD = 64
MOST_PLANES = 8
"""An array with more values is kept as digits."""


@dataclass(frozen=True, slots=True)
class Slice:
    """A field: `bits` bits of word `word` from bit `shift` on, called `name` in the code."""

    name: str
    bits: int
    word: int
    shift: int

    @property
    def mask(self) -> int:
        """The field's bits, moved down to bit 0."""
        return (1 << self.bits) - 1


@dataclass(frozen=True, slots=True)
class Planes:
    """An array over the squares: for each digit but `default`, the set of squares with the
    digit.
    """

    variable: Variable
    names: tuple[tuple[int, str], ...]
    default: int

    def name_of(self, digit: int) -> str | None:
        """The field of a digit; None for the default."""
        return dict(self.names).get(digit)


@dataclass(frozen=True, slots=True)
class Digits:
    """Any other variable: its cells as digits of `bits` bits, `per_chunk` in each field.

    A variable that `setup` has to set has an additional digit, `unset`.
    """

    variable: Variable
    bits: int
    per_chunk: int
    names: tuple[str, ...]
    unset: int | None


Place = Planes | Digits


@dataclass(frozen=True, slots=True)
class Layout:
    """All variables in order, and the fields of the variables and of the turn.

    `widest` is the number of bits of the widest field or set of squares.
    """

    places: tuple[Place, ...]
    fields: tuple[Slice, ...]
    words: int
    widest: int

    def field(self, name: str) -> Slice:
        """The field of a given name."""
        return next(field for field in self.fields if field.name == name)

    @property
    def limbs(self) -> tuple[int, ...]:
        """The number of 64-bit limbs of each word."""
        widths = [WORD] * self.words
        for field in self.fields:
            widths[field.word] = max(widths[field.word], field.bits)
        whole = -(-self.widest // WORD)
        return tuple(1 if width <= WORD else whole for width in widths)

    @property
    def is_wide(self) -> bool:
        """Whether a word has more than one limb."""
        return any(limbs > 1 for limbs in self.limbs)

    def place_of(self, variable: Variable) -> Place:
        """The place of a variable."""
        return next(p for p in self.places if p.variable.offset == variable.offset)

    def masks_of(self, variables: tuple[Variable, ...], with_turn: bool) -> tuple[int, ...]:
        """For each word, the mask of the bits of some variables, and of the turn if `with_turn`."""
        names = {TURN} if with_turn else set()
        for place in map(self.place_of, variables):
            if isinstance(place, Planes):
                names.update(name for _, name in place.names)
            else:
                names.update(place.names)
        masks = [0] * self.words
        for field in self.fields:
            if field.name in names:
                masks[field.word] |= field.mask << field.shift
        return tuple(masks)


TURN = "turn_"


def lay_out(model: Model) -> Layout:
    """The layout of a game's states."""
    sizes: dict[str, int] = {}
    places = tuple(_place(model, variable, sizes) for variable in model.variables)
    sizes[TURN] = max(1, (len(model.players) - 1).bit_length())
    fields, words = _packed(sizes)
    squares = len(model.board.squares) if model.board else 0
    return Layout(places, fields, words, max(squares, *sizes.values()))


def _place(model: Model, variable: Variable, sizes: dict[str, int]) -> Place:
    is_unset = variable.may_be_unset
    if _is_board(model, variable) and len(variable.domain) <= MOST_PLANES and not is_unset:
        return _planes(variable, sizes)
    count = len(variable.domain) + is_unset
    bits = max(1, (count - 1).bit_length())
    per_chunk = max(1, (WORD - 1) // bits)
    chunks = -(-variable.size // per_chunk)
    stem = _identifier(variable.name)
    names = []
    for chunk in range(chunks):
        name = _unused(f"{stem}__" if chunks == 1 else f"{stem}__{chunk}_", sizes)
        sizes[name] = bits * min(per_chunk, variable.size - chunk * per_chunk)
        names.append(name)
    unset = len(variable.domain) if is_unset else None
    return Digits(variable, bits, per_chunk, tuple(names), unset)


def _planes(variable: Variable, sizes: dict[str, int]) -> Planes:
    default = variable.domain.digit.get(EMPTY, _first_of_all(variable))
    names = []
    for digit, value in enumerate(variable.domain.values):
        if digit != default:
            stem = _identifier(variable.name)
            if value is not True:
                stem = f"{stem}_{_identifier(text_of(value))}"
            name = _unused(f"{stem}__", sizes)
            sizes[name] = variable.size
            names.append((digit, name))
    return Planes(variable, tuple(names), default)


def _first_of_all(variable: Variable) -> int:
    """The digit with which all cells of an array of three values or more begin, or else 0."""
    digits = set(variable.initial)
    return digits.pop() or 0 if len(digits) == 1 and len(variable.domain) > 2 else 0


def _is_board(model: Model, variable: Variable) -> bool:
    board = model.board
    return (
        board is not None
        and len(variable.indices) == 1
        and variable.indices[0].values == board.squares
    )


def _identifier(text: str) -> str:
    plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in text)
    return plain if plain[:1].isalpha() else f"v{plain}"


def _unused(name: str, sizes: dict[str, int]) -> str:
    unused, number = name, 1
    while unused in sizes:
        number += 1
        unused = f"{name}{number}_"
    return unused


def _packed(sizes: dict[str, int]) -> tuple[tuple[Slice, ...], int]:
    """First fit, widest first; a field wider than a word has a (wide) word of its own."""
    room: list[int] = []
    fields: dict[str, Slice] = {}
    for name in sorted(sizes, key=lambda title: -sizes[title]):
        bits = sizes[name]
        word = next((n for n, left in enumerate(room) if left >= bits), len(room))
        if word == len(room):
            room.append(max(WORD, bits))
        shift = max(WORD, bits) - room[word] if room[word] <= WORD else 0
        fields[name] = Slice(name, bits, word, shift)
        room[word] -= bits
    return tuple(fields[name] for name in sizes), len(room)
