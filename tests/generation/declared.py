"""What a game under generation has declared so far, and the names in force at one place.

In: declarations as they are made. Out: the same, to be read by the makers of expressions and
statements. Nothing is decided and no text is made here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from tests.generation.code import PRIMARY, Code, Sort


class Place(Enum):
    """Where an expression or statement stands."""

    CONSTANT = "constant"
    DEFINITION = "definition"
    SETUP = "setup"
    MOVE = "move"
    SIMULTANEOUS = "simultaneous"
    END = "end"
    EVALUATE = "evaluate"


@dataclass(frozen=True, slots=True)
class Scope:
    """Local names, and what may be read here.

    Attributes:
        names: local names as expressions.
        sets: local names that stand for sets.
        arrays: local names that stand for whole variables.
        owner: whose secret cells may be read: `turn`, `me`, or nobody's ("").
        is_open: whether all secret cells may be read, as where nothing of legality is decided.
        unset: variables that may not be read yet.
    """

    place: Place
    names: tuple[Code, ...] = ()
    sets: tuple[Code, ...] = ()
    arrays: tuple[Variable, ...] = ()
    owner: str = ""
    is_open: bool = False
    unset: frozenset[str] = frozenset()

    def having(self, *names: Code) -> Scope:
        """This scope with more local names."""
        single = tuple(name for name in names if name.size < 0)
        several = tuple(name for name in names if name.size >= 0)
        return replace(self, names=self.names + single, sets=self.sets + several)

    def opened(self) -> Scope:
        """This scope behind the conditions for legality: secrets may be read."""
        return replace(self, is_open=True)


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable; `secret` is "", "nobody", a player's name, a set of names, "owner" (of its
    cell), or "others" (all but the owner)."""

    name: str
    indices: tuple[Sort, ...]
    sort: Sort
    secret: str = ""

    @property
    def is_on_squares(self) -> bool:
        """Whether it has one cell for each square."""
        return len(self.indices) == 1 and self.indices[0].family == "square"

    @property
    def has_boards(self) -> bool:
        """Whether it has one cell for each square, several times."""
        return len(self.indices) > 1 and self.indices[-1].family == "square"


@dataclass(frozen=True, slots=True)
class Definition:
    """A `def`: `size` is -1 for a single value; `array` is the variable passed whole, or None."""

    name: str
    parameters: tuple[Sort, ...]
    result: Code
    reads: frozenset[str]
    array: Variable | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """An `effect`; `draws` if it has a chance event, `is_for_move` if it stands only in moves.

    `arrays` are the variables passed whole, before the other arguments.
    """

    name: str
    parameters: tuple[Sort, ...]
    draws: bool
    is_for_move: bool
    reads: frozenset[str]
    arrays: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AtomType:
    """A `type` of atoms, some of which may be numbers; of a product also the two types of parts."""

    name: str
    atoms: tuple[str, ...]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """A board: `directions` are those of this game (none on a graph)."""

    squares: tuple[str, ...]
    width: int
    height: int
    directions: tuple[str, ...]
    chains: int = 0

    @property
    def is_grid(self) -> bool:
        """Whether it has columns and rows."""
        return self.width > 0


@dataclass(frozen=True, slots=True)
class Table:
    """A list of so many lists of so many numbers (at least) each."""

    name: str
    height: int
    width: int
    sort: Sort

    def rows(self) -> list[Code]:
        """Each of the lists in it."""
        texts = [f"{self.name}[{row}]" for row in range(1, self.height + 1)]
        return [Code(text, PRIMARY, self.sort, self.width, True) for text in texts]


@dataclass
class Declared:
    """Everything declared so far."""

    players: tuple[str, ...] = ()
    constants: list[Code] = field(default_factory=list)
    lists: list[Code] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    types: list[AtomType] = field(default_factory=list)
    number_types: list[Code] = field(default_factory=list)
    board: Board | None = None
    variables: list[Variable] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    has_secrets: bool = False
    is_simultaneous: bool = False
    reads: set[str] = field(default_factory=set)
    """Variables read since this was last emptied."""
    names: int = 0

    def fresh(self, stem: str = "v") -> str:
        """A name that nothing has."""
        self.names += 1
        return f"{stem}_{self.names}"

    def atoms_of(self, family: str) -> tuple[str, ...]:
        """The atoms of a type."""
        return next((found.atoms for found in self.types if found.name == family), ())

    def has_numbers(self, family: str) -> bool:
        """Whether some atoms of a type are numbers: two constants of the type need not be
        comparable by `==`."""
        return any(atom.isdigit() for atom in self.atoms_of(family))
