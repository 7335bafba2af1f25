"""Typed nodes: the rules with every name resolved and every type known.

The fields of a class stand in the order of evaluation; `walk` and `likeness` read the fields.

The types are distinct from the syntax tree's on purpose. Locals live in numbered slots; each `let`,
loop, parameter and call has its own slots. A recursive `def` (`RecursiveDefinition`) has a single
set of slots, with separate values for each call under way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from gamedsl.model.types import Scalar, Type
from gamedsl.model.values import Domain, Value, number_among, text_of
from gamedsl.source import Span
from gamedsl.source.records import dataclass

# --- expressions -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: `name[indices]: domain`.

    Attributes:
        offset: position of the first cell among all cells of a state.
        initial: a digit per cell; None where `setup` must set the cell.
        viewers: None for a public variable, else the players who see each cell, by index.
        domain: the values of all cells together.
        domains: the domain of each cell; None if all cells have the same domain.
        missing: the numbers of the combinations of indices that are no cells; a state holds the
            digit 0 there.
        is_constant: whether no statement assigns the variable, so that every cell keeps its initial
            value.
        may_be_unset: whether a cell may have no value in a state: before `setup` has set the cell,
            at a chance event of `setup`.
    """

    name: str
    span: Span
    indices: tuple[Domain, ...]
    domain: Domain
    offset: int
    initial: tuple[int | None, ...]
    viewers: tuple[frozenset[int], ...] | None = None
    domains: tuple[Domain, ...] | None = None
    missing: frozenset[int] = frozenset()
    is_constant: bool = False
    may_be_unset: bool = False

    def domain_of(self, cell: int) -> Domain:
        """The domain of a cell, by its number among the cells of this variable."""
        return self.domain if self.domains is None else self.domains[cell]

    def is_seen(self, cell: int, player: int) -> bool:
        """Whether a player sees a cell, by its number among the cells of this variable."""
        return self.viewers is None or player in self.viewers[cell]

    @property
    def cells(self) -> tuple[int, ...]:
        """The numbers of the existing cells."""
        return tuple(number for number in range(self.size) if number not in self.missing)

    @property
    def size(self) -> int:
        """The number of combinations of indices, missing cells included."""
        size = 1
        for domain in self.indices:
            size *= len(domain)
        return size

    def cell_name(self, number: int) -> str:
        """A cell as written, `score[A]`, by its number among the cells of this variable."""
        parts = ", ".join(map(text_of, self.indices_of(number)))
        return f"{self.name}[{parts}]" if parts else self.name

    def number_of(self, indices: Iterable[Value | None]) -> int | None:
        """The number of a cell, by its indices; None if a value is not known (None), or no index of
        the domain."""
        return number_among(self.indices, indices)

    def indices_of(self, number: int) -> tuple[Value, ...]:
        """The indices of a cell, by its number among the cells of this variable."""
        values: list[Value] = []
        for domain in reversed(self.indices):
            number, digit = divmod(number, len(domain))
            values.append(domain.values[digit])
        return tuple(reversed(values))


Input = Literal["", "state", "turn", "me", "moves"]
"""What an expression reads besides names: the cells of a state, the player to move, the player who
chooses, or all legal moves of the state."""


MoverWord = Literal["turn", "me"]


@dataclass(frozen=True, slots=True)
class Typed:
    """Any typed expression."""

    span: Span
    type: Type

    @property
    def known(self) -> Value | None:
        """The value of a constant; None for any other expression."""
        return None

    @property
    def whole(self) -> ArrayRef | None:
        """The cells, if the expression stands for many; None for any other expression."""
        return None

    @property
    def local(self) -> int | None:
        """The slot of a local; None for any other expression."""
        return None

    @property
    def called(self) -> str:
        """The name of the builtin or operator that is applied here to the parts."""
        return ""

    @property
    def reads(self) -> Variable | None:
        """The variable whose cells are read here, apart from the parts; constants included."""
        return None

    @property
    def asks(self) -> Input:
        """The input that is read here, apart from the parts."""
        return ""

    @property
    def binds(self) -> tuple[int, ...]:
        """The slots that are bound here."""
        return ()


@dataclass(frozen=True, slots=True)
class Const(Typed):
    value: Value

    @property
    def known(self) -> Value:
        """The value."""
        return self.value


@dataclass(frozen=True, slots=True)
class Local(Typed):
    name: str
    slot: int

    @property
    def local(self) -> int:
        """The slot."""
        return self.slot


@dataclass(frozen=True, slots=True)
class Reading(Typed):
    """Any expression that reads cells of a variable: a `Cell` or an `ArrayRef`."""

    variable: Variable

    @property
    def reads(self) -> Variable:
        """The variable."""
        return self.variable

    @property
    def asks(self) -> Input:
        """The state."""
        return "state"


@dataclass(frozen=True, slots=True)
class Cell(Reading):
    """`variable[indices]`; `none` if an index is `none`."""

    indices: tuple[Expr, ...]

    @property
    def asks(self) -> Input:
        """The state, unless the cell is constant."""
        return "" if self.variable.is_constant else "state"


@dataclass(frozen=True, slots=True)
class ArrayRef(Reading):
    """A whole variable, handed to a builtin, or the cells whose first indices are `fixed`."""

    fixed: tuple[Expr, ...] = ()

    @property
    def whole(self) -> ArrayRef:
        """The cells."""
        return self

    @property
    def indices(self) -> tuple[Domain, ...]:
        """The indices that remain to choose a cell."""
        return self.variable.indices[len(self.fixed) :]


@dataclass(frozen=True, slots=True)
class Mover(Typed):
    """`turn`, the player to move, or `me`, the player who chooses in a `simultaneous` body."""

    word: MoverWord

    @property
    def asks(self) -> Input:
        """The player."""
        return self.word


@dataclass(frozen=True, slots=True)
class Stuck(Typed):
    """Whether a player has no legal move.

    Attributes:
        player: None for `stuck`, the player to move, with all rules about legality. Else any
            player, asked as if to move: `stuck(p, moves)`.
        moves: the names of the moves that count for `player`.
    """

    player: Expr | None = None
    moves: tuple[str, ...] = ()

    @property
    def asks(self) -> Input:
        """The moves."""
        return "moves"


@dataclass(frozen=True, slots=True)
class Not(Typed):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Narrowed(Typed):
    """The operand with a type narrowed by a condition.

    The node is evaluated where the condition holds. For a value outside the type, an engine that
    evaluates the node earlier must take any value of the type (`Scalar.settled`): the result is not
    used.
    """

    type: Scalar
    operand: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic(Typed):
    """`+ - * / // %` of two numbers."""

    operator: str
    left: Expr
    right: Expr


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
class Conditional(Typed):
    """`then if condition else otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Collection(Typed):
    """A set, list or tuple of the items; a set drops repeats."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Ranging:
    """`for slot in domain where condition`, in an expression or as a statement."""

    slot: int
    name: str
    domain: Expr
    condition: Expr | None


@dataclass(frozen=True, slots=True)
class Clause(Ranging):
    """A `for` of an expression."""


@dataclass(frozen=True, slots=True)
class Comprehension(Typed):
    """`kind(element for ...)`; kind is any all count sum min max first last, or set, list."""

    kind: str
    clauses: tuple[Clause, ...]
    element: Expr

    @property
    def binds(self) -> tuple[int, ...]:
        """The slots of the clauses."""
        return tuple(clause.slot for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class Definition:
    """A `def` for a single combination of argument types.

    Attributes:
        truth: True or False for a condition that certainly holds or fails, whatever the arguments.
    """

    name: str
    slots: tuple[int, ...]
    body: Expr
    truth: bool | None = None


@dataclass(frozen=True, slots=True)
class Apply(Typed):
    """A call of a `def`: the arguments are evaluated first, then the body."""

    definition: Definition
    arguments: tuple[Expr, ...]

    @property
    def binds(self) -> tuple[int, ...]:
        """The slots of the parameters."""
        return self.definition.slots


@dataclass(frozen=True, slots=True)
class Bounded:
    """A parameter with a domain; the argument is an element, or a subset of the domain."""

    name: str
    slot: int
    domain: Domain
    is_subset: bool


@dataclass(slots=True, eq=False, repr=False)
class RecursiveDefinition:
    """A `def` whose parameters have domains. The `def` may be recursive: the node is part of a
    cycle and compares by identity.

    Attributes:
        body: None during elaboration.
        type: type of the result.
        levels: greatest number of nested calls under way.
    """

    name: str
    parameters: tuple[Bounded, ...]
    type: Type
    body: Expr | None = None
    levels: int = 1

    @property
    def value(self) -> Expr:
        """The body, after elaboration."""
        assert self.body is not None
        return self.body


@dataclass(frozen=True, slots=True)
class ApplyRecursive(Typed):
    """A call of a `def` whose parameters have domains.

    Attributes:
        proved: for each argument, whether the argument provably lies in the domain.
        is_within: whether the call is a recursive call in the body of the `def`, behind the
            condition that ends the recursion.
    """

    definition: RecursiveDefinition
    arguments: tuple[Expr, ...]
    proved: tuple[bool, ...]
    is_within: bool

    @property
    def binds(self) -> tuple[int, ...]:
        """The slots of the parameters."""
        return tuple(parameter.slot for parameter in self.definition.parameters)


@dataclass(frozen=True, slots=True)
class Builtin(Typed):
    """A call of a builtin function, a reduction of a collection (`max(sizes)`), or an operator of
    `builtins.OPERATORS`; `builtins.row_of` gives the meaning of the name."""

    name: str
    arguments: tuple[Expr, ...]

    @property
    def called(self) -> str:
        """The name."""
        return self.name

    @property
    def array(self) -> ArrayRef:
        """The cells that `line`, `group`, `sight` or `full` is about: the first argument."""
        whole = self.arguments[0].whole
        assert whole is not None
        return whole


Expr = (
    Const | Local | Cell | ArrayRef | Mover | Stuck | Not | Narrowed | Arithmetic
    | Compare | Member | Logic | Conditional | Collection
    | Comprehension | Apply | ApplyRecursive | Builtin
)  # fmt: skip


# --- statements ------------------------------------------------------------------------------

TURN = -1
"""The offset of the variable `turn`, the player to move; no cell of a state."""
KEPT = -2
"""The offset of the variable that says whether the turn stays where the body leaves it (`again`);
no cell of a state."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a stored value: `variable[indices]`, a cell, `TURN` or `KEPT`."""

    variable: Variable
    indices: tuple[Expr, ...] = ()

    @property
    def cell_variable(self) -> Variable | None:
        """The variable, if the place is a cell of a state."""
        return self.variable if self.variable.offset >= 0 else None


@dataclass(frozen=True, slots=True)
class Put:
    """`place = value`; `proved` if the value is known to lie in the domain."""

    span: Span
    place: Place
    value: Expr
    proved: bool


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
class Loop(Ranging):
    """A `for` with a body; the domain is evaluated once. `condition` (`where`) is evaluated before
    each round and may skip the round. The first round not skipped for which `going` (`while`) fails
    ends the loop."""

    span: Span
    going: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Weighted:
    """The outcomes of a chance event with weights, evaluated under `clauses`.

    The weights are probabilities, or, with `are_relative`, in proportion to probabilities.
    """

    clauses: tuple[Clause, ...]
    pairs: tuple[tuple[Expr, Expr], ...]
    are_relative: bool = False


@dataclass(frozen=True, slots=True)
class Chance:
    """`chance place in domain where condition`; a place given by number is the slot of a local.

    `support` lists all possible outcomes in order: an outcome's id is its position in the support.

    A set is drawn by an event for each element, the first element in the order of the support
    first. Then `previous` is the element drawn by the event before, `later` is the number of
    elements still to be drawn, and an outcome is as likely as the sets that are left with it.
    """

    span: Span
    name: str
    place: Place | int
    domain: Expr | Weighted
    condition: Expr | None
    support: Domain
    previous: Expr | None = None
    later: int = 0


@dataclass(frozen=True, slots=True)
class Reward:
    """Rewards at once: each share (player, amount) is added to the player's earlier rewards."""

    span: Span
    shares: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class Require:
    """A condition of every legal move; `is_late`: an `ensure`, which may stand after changes."""

    span: Span
    condition: Expr
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class Greatest:
    """`require value is greatest`: of the otherwise legal instances of a group's moves, only the
    instances with the greatest value are legal."""

    span: Span
    value: Expr


@dataclass(frozen=True, slots=True)
class Ending:
    """Any outcome: a `Win` or a `Pay`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Win(Ending):
    """`player wins amount` (sign 1) or `player loses amount` (sign -1), one or two players."""

    player: Expr
    amount: Expr | None
    sign: int


@dataclass(frozen=True, slots=True)
class Pay(Ending):
    """A payoff for every player in turn order (`draw`: zero for each).

    `named` holds players and payoffs as written if the players are expressions
    (`payoff turn: 1, opponent: 0`); `proved` if the players are certainly all players, without
    repetition.
    """

    payoffs: tuple[Expr, ...]
    named: tuple[tuple[Expr, Expr], ...] = ()
    proved: bool = True


Outcome = Win | Pay
Action = Put | Reward | Require
"""Statements of moves and `setup:` with an effect that is known."""
Statement = Action | Chance | Greatest | Outcome | Let | Branch | Loop
"""`Action`, `Chance` and `Greatest` stand in moves and `setup:` alone, an `Outcome` in `end:`."""
Block = tuple[Statement, ...]


# --- rules -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a move: `name in domain where condition`.

    `values` are all possible values, in order. `choices` is None if all values are in the domain in
    every state, else an expression for the domain. For `name subset of domain` the values are the
    positions in `subsets`, from 1.
    """

    name: str
    slot: int
    values: Domain
    choices: Expr | None
    condition: Expr | None
    subsets: tuple[tuple[Value, ...], ...] = ()

    def text_of(self, value: Value) -> str:
        """A value as in the name of an action: `3`, `{1, 3}`."""
        if not self.subsets or not isinstance(value, int):
            return text_of(value)
        return f"{{{', '.join(map(text_of, self.subsets[value - 1]))}}}"


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
    def greatest(self) -> Greatest | None:
        """The statement `require ... is greatest` of the move, or None."""
        return next((statement for statement in self.body if isinstance(statement, Greatest)), None)

    @property
    def size(self) -> int:
        """The number of action ids."""
        size = 1
        for parameter in self.parameters:
            size *= len(parameter.values)
        return size


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repetition rule: the part of a state that is compared, and the effect of a repetition.

    Attributes:
        variables: the compared variables, in order of their offsets.
        with_turn: whether the turn is compared as well.
        exempts_unchanged: whether a step that leaves the compared part unchanged is no occurrence:
            true if the rule names variables, false for `state`.
        outcome: the outcome of the `times`-th occurrence; None: a move that brings an earlier value
            back is illegal.
    """

    span: Span
    variables: tuple[Variable, ...]
    with_turn: bool
    exempts_unchanged: bool
    times: int
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """`evaluate p where quiescent: value`."""

    slot: int
    quiescent: Expr | None
    value: Expr
