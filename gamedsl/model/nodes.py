"""Typed nodes: the rules with every name resolved and every type known.

These are other types than the syntax tree's on purpose. Locals live in numbered slots; since
nothing is recursive, each `let`, loop, parameter and call has slots of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.model.types import Type
from gamedsl.model.values import Domain, Value, text_of
from gamedsl.source import Span


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: `name[indices]: domain`.

    Attributes:
        offset: position of its first cell among all cells of a state.
        initial: a digit a cell, None where `setup` must set it.
        owners: None for a public variable, else who sees each cell: a player's index, or None
            for nobody.
    """

    name: str
    span: Span
    indices: tuple[Domain, ...]
    domain: Domain
    offset: int
    initial: tuple[int | None, ...]
    owners: tuple[int | None, ...] | None = None

    @property
    def size(self) -> int:
        """The number of cells."""
        size = 1
        for domain in self.indices:
            size *= len(domain)
        return size

    def cell_name(self, number: int) -> str:
        """A cell as written, `score[A]`, by its number among the cells of this variable."""
        parts: list[str] = []
        for domain in reversed(self.indices):
            number, digit = divmod(number, len(domain))
            parts.append(text_of(domain.values[digit]))
        return f"{self.name}[{', '.join(reversed(parts))}]" if parts else self.name


@dataclass(frozen=True, slots=True)
class Typed:
    """Any typed expression."""

    span: Span
    type: Type


@dataclass(frozen=True, slots=True)
class Const(Typed):
    value: Value


@dataclass(frozen=True, slots=True)
class Local(Typed):
    name: str
    slot: int


@dataclass(frozen=True, slots=True)
class Cell(Typed):
    """`variable[indices]`; `none` if an index is `none`."""

    variable: Variable
    indices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Whole(Typed):
    """A whole variable, handed to a builtin."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class Turn(Typed):
    """The player to move."""


@dataclass(frozen=True, slots=True)
class Me(Typed):
    """The player who chooses, in a `simultaneous` body."""


@dataclass(frozen=True, slots=True)
class Stuck(Typed):
    """Whether the player to move has no legal move."""


@dataclass(frozen=True, slots=True)
class Not(Typed):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Negate(Typed):
    """`-x` of a number or an offset."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(Typed):
    """`+ - * / // %` of two numbers."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Step(Typed):
    """`square + offset`."""

    square: Expr
    offset: Expr


@dataclass(frozen=True, slots=True)
class AddOffsets(Typed):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Scale(Typed):
    """`2*d`."""

    factor: Expr
    offset: Expr


@dataclass(frozen=True, slots=True)
class Compare(Typed):
    """`== != < <= > >=`; atoms of a type are ordered as declared."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Member(Typed):
    """`element in collection`."""

    element: Expr
    collection: Expr


@dataclass(frozen=True, slots=True)
class Logic(Typed):
    """`and` / `or`, evaluated from the left, no further than needed."""

    operator: str
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Choose(Typed):
    """`then if condition else otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Collect(Typed):
    """A set, list or tuple of the items; a set drops repeats."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range(Typed):
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Union(Typed):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Clause:
    """`for slot in domain where condition`."""

    slot: int
    name: str
    domain: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Quantify(Typed):
    """`kind(element for ...)`; kind is any all count sum min max first last, or set, list."""

    kind: str
    element: Expr
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A `def` for one combination of argument types."""

    name: str
    slots: tuple[int, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class Apply(Typed):
    """A call of a `def`: the arguments are evaluated first, then the body."""

    definition: Definition
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Builtin(Typed):
    """`row column neighbours ray sight group line full next other abs len` and reductions of a
    collection (`max(sizes)`)."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ListItem(Typed):
    items: Expr
    index: Expr


Expr = (
    Const | Local | Cell | Whole | Turn | Me | Stuck | Not | Negate | Arithmetic | Step
    | AddOffsets | Scale | Compare | Member | Logic | Choose | Collect | Range | Union
    | Quantify | Apply | Builtin | ListItem
)  # fmt: skip


# --- statements --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetCell:
    """`variable[indices] = value`; `proved` if the value is known to lie in the domain."""

    span: Span
    variable: Variable
    indices: tuple[Expr, ...]
    value: Expr
    proved: bool


@dataclass(frozen=True, slots=True)
class SetTurn:
    span: Span
    value: Expr


@dataclass(frozen=True, slots=True)
class Let:
    span: Span
    name: str
    slot: int
    value: Expr


@dataclass(frozen=True, slots=True)
class Branch:
    """`if` / `elif` / `else`."""

    span: Span
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Loop:
    """`for`; the domain is evaluated once. Before each round `condition` (`where`) may skip it,
    and, of the rounds not skipped, the first for which `going` (`while`) fails ends the loop."""

    span: Span
    name: str
    slot: int
    domain: Expr
    condition: Expr | None
    going: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Perform:
    """A call of an `effect`: parameters bound, then the body."""

    span: Span
    name: str
    slots: tuple[int, ...]
    arguments: tuple[Expr, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Weighted:
    """The outcomes of a chance event with their weights, evaluated under `clauses`."""

    pairs: tuple[tuple[Expr, Expr], ...]
    clauses: tuple[Clause, ...] = ()


@dataclass(frozen=True, slots=True)
class Chance:
    """`chance target in domain where condition`.

    The target is a cell (`variable` with `indices`) or a local (`slot`). `support` lists all
    values that can ever come out, in order: an outcome's id is its position there.
    """

    span: Span
    name: str
    variable: Variable | None
    indices: tuple[Expr, ...]
    slot: int | None
    domain: Expr | Weighted
    condition: Expr | None
    support: Domain


@dataclass(frozen=True, slots=True)
class Again:
    span: Span


@dataclass(frozen=True, slots=True)
class Require:
    span: Span
    condition: Expr


@dataclass(frozen=True, slots=True)
class Ensure:
    span: Span
    condition: Expr


@dataclass(frozen=True, slots=True)
class Win:
    """`player wins amount` (sign 1) or `player loses amount` (sign -1), one or two players."""

    span: Span
    player: Expr
    amount: Expr | None
    sign: int


@dataclass(frozen=True, slots=True)
class Pay:
    """A payoff for every player in turn order (`draw`: zero for each)."""

    span: Span
    payoffs: tuple[Expr, ...]


Outcome = Win | Pay
Statement = (
    SetCell | SetTurn | Let | Branch | Loop | Perform | Chance | Again | Require | Ensure
    | Win | Pay
)  # fmt: skip
Block = tuple[Statement, ...]


# --- the game ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a move: `name in domain where condition`.

    `values` are all values it can ever take, in order; `choices` is None where every one of them
    is always in the domain, else the expression that says which are.
    """

    name: str
    slot: int
    values: Domain
    choices: Expr | None
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Move:
    """A family of actions with ids `first_id .. first_id + size - 1`, last parameter fastest."""

    name: str
    span: Span
    parameters: tuple[Parameter, ...]
    body: Block
    is_secret: bool
    is_simultaneous: bool
    group: int
    first_id: int

    @property
    def size(self) -> int:
        """The number of action ids."""
        size = 1
        for parameter in self.parameters:
            size *= len(parameter.values)
        return size


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repetition rule over `variable`, or the whole state (None).

    `outcome` None: a move that brings an earlier value back is illegal; else the outcome of the
    `times`-th occurrence.
    """

    span: Span
    variable: Variable | None
    times: int
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`evaluate p: value`."""

    slot: int
    value: Expr
