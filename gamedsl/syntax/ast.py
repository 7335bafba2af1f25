"""The abstract syntax tree: the text as written, with no name resolved and a span on every node.

The parser makes the tree, the formatter prints it, the model is built from it. Neither names nor
types are checked here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import cache
from operator import is_
from typing import Any

from gamedsl.source import SourceFile, Span
from gamedsl.source.records import dataclass, values_of


@dataclass(frozen=True, slots=True)
class Node:
    """Any node."""

    span: Span


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below a node, in the order of the fields."""
    return tuple(_flat(_parts(type(node))(node)))  # type: ignore[arg-type]


def nodes_in(root: object, is_once: bool = False) -> Iterator[Node]:
    """All nodes in a node, or in a tuple of nodes and tuples, from above and in order; none in
    other objects. `is_once`: a node that stands in several places once."""
    pending, met = [root], set[int]()
    while pending:
        part = pending.pop()
        if is_once:
            if id(part) in met:
                continue
            met.add(id(part))
        if isinstance(part, Node):
            yield part
            pending += _parts(type(part))(part)[::-1]  # type: ignore[arg-type]
        elif isinstance(part, tuple):
            pending += part[::-1]


def rebuilt(value: Any, change: Callable[[object], object]) -> Any:
    """A node, or a tuple, with every part changed that can hold nodes; all other values, and spans,
    as they are."""
    if isinstance(value, Node):
        before = _parts(type(value))(value)  # type: ignore[arg-type]
    elif isinstance(value, tuple) and not isinstance(value, Span):
        before = value
    else:
        return value
    after = [change(part) for part in before]
    if all(map(is_, before, after)):
        return value
    if not isinstance(value, Node):
        return tuple(after)
    parts = dict(zip(_fields_with_nodes(type(value)), after, strict=True))  # type: ignore[arg-type]
    rest = _fields_without_span(type(value))  # type: ignore[arg-type]
    return type(value)(value.span, *(parts.get(name, getattr(value, name)) for name in rest))


def contents(node: Node) -> tuple[object, ...]:
    """The values of all fields of a node but the span, in order."""
    return _contents(type(node))(node)  # type: ignore[arg-type]


@cache
def _fields_without_span(kind: type[Node]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name != "span")


@cache
def _fields_with_nodes(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a class, except those whose annotation names no class of nodes."""
    plain = r"\W|\b(tuple|str|int|bool|None|Span)\b"
    return tuple(field.name for field in fields(kind) if re.sub(plain, "", str(field.type)))


@cache
def _contents(kind: type[Node]) -> Callable[[object], tuple[object, ...]]:
    """The function that reads the fields of a class but the span."""
    return values_of(_fields_without_span(kind))  # type: ignore[arg-type]


@cache
def _parts(kind: type[Node]) -> Callable[[object], tuple[object, ...]]:
    """The function that reads the fields of a class that can hold nodes."""
    return values_of(_fields_with_nodes(kind))  # type: ignore[arg-type]


def _flat(contents: Iterable[object]) -> Iterator[Node]:
    for content in contents:
        if isinstance(content, Node):
            yield content
        elif isinstance(content, tuple):
            yield from _flat(content)


# --- expressions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name(Node):
    text: str


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A natural number, as `12`."""

    value: int


@dataclass(frozen=True, slots=True)
class Decimal(Node):
    """A number with a point, as `0.7094`; allowed in `expect` alone."""

    text: str


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`not x` or `-x`; `operator` is "not" or "-"."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """`operator` is one of `+ - * / // % .. |` (`..` a range, `|` a union of sets)."""

    operator: str
    left: Expression
    right: Expression


LONGEST_SPINE = 16
"""Operands that `Binary` nodes nest on the left; an expression with more operands is a `Series`."""


@dataclass(frozen=True, slots=True)
class Series(Node):
    """`a + b - c ...`, flat and left-associative: more than `LONGEST_SPINE` operands, with
    operators of equal precedence between."""

    operators: tuple[str, ...]
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`first op e op e ...`, each op one of `== != < <= > >= in`, or `not in`; chained as in
    Python."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """`a and b and c` or `a or b or c`, flat; `operator` is "and" or "or"."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`then if condition else otherwise`."""

    then: Expression
    condition: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`function(a, b)`."""

    function: Name
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class TupleOfNames(Node):
    """`(a, b)` behind `for`: a name for each item."""

    names: tuple[Name, ...]

    @property
    def text(self) -> str:
        """The tuple as written."""
        return f"({', '.join(name.text for name in self.names)})"


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """`for name in domain [where condition]` inside an expression."""

    name: Name | TupleOfNames
    domain: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """`any(element for x in S where c for y in T)`, and `all count sum min max first last`;
    `arguments`: arguments before the element, as the 0 of `max(0, e for x in S)`."""

    function: Name
    element: Expression
    clauses: tuple[Clause, ...]
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Index(Node):
    """`base[i]` or `base[i, j]`."""

    base: Expression
    indices: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class SetLiteral(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ListLiteral(Node):
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class TupleLiteral(Node):
    """`(a, b)`, two items or more."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class SetBuild(Node):
    """`{element for x in S where c}`."""

    element: Expression
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class ListBuild(Node):
    """`[element for x in S where c]`."""

    element: Expression
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Weights(Node):
    """`{a: 1/3, b: 2/3}`, the outcomes of a chance event."""

    pairs: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class WeightsBuild(Node):
    """`{key: weight for x in S where c}`."""

    key: Expression
    weight: Expression
    clauses: tuple[Clause, ...]


Expression = (
    Name | Number | Decimal | Unary | Binary | Series | Compare | Logic | Conditional | Call
    | Quantifier | Index | SetLiteral | ListLiteral | TupleLiteral | SetBuild | ListBuild | Weights
    | WeightsBuild
)  # fmt: skip


# --- statements --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`target = value`, `+=`, `-=`; `operator` is "=", "+=" or "-="; target a Name or an Index."""

    target: Expression
    operator: str
    value: Expression


@dataclass(frozen=True, slots=True)
class AssignAll(Node):
    """`a, b = b, a`: as many targets as values."""

    targets: tuple[Expression, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Let(Node):
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class If(Node):
    """`branches` are (condition, block) of `if` and each `elif`; `otherwise` the `else` block."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for name in domain [where condition] [while going]:`"""

    name: Name | TupleOfNames
    domain: Expression
    condition: Expression | None
    going: Expression | None
    body: Block


@dataclass(frozen=True, slots=True)
class CallEffect(Node):
    """`effect_name(a, b)` as a statement."""

    name: Name
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Chance(Node):
    """`chance target in domain [where condition] [weighted weight]`; target a Name or an Index.

    `is_subset`: `chance target subset of domain where condition`.
    """

    target: Expression
    domain: Expression
    condition: Expression | None
    weight: Expression | None
    is_subset: bool = False


@dataclass(frozen=True, slots=True)
class Again(Node):
    """`again`: the mover moves once more."""


@dataclass(frozen=True, slots=True)
class Included(Node):
    """`included`: the statements of the replaced body."""


@dataclass(frozen=True, slots=True)
class Reward(Node):
    """`reward A: e, B: e`; `reward p: e`, with p an unknown name, is for every player p."""

    shares: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class Require(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class RequireGreatest(Node):
    """`require value is greatest`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Ensure(Node):
    condition: Expression


@dataclass(frozen=True, slots=True)
class Wins(Node):
    """`player wins [amount]`."""

    player: Expression
    amount: Expression | None


@dataclass(frozen=True, slots=True)
class Loses(Node):
    """`player loses [amount]`."""

    player: Expression
    amount: Expression | None


@dataclass(frozen=True, slots=True)
class Draw(Node):
    """`draw`."""


@dataclass(frozen=True, slots=True)
class Payoff(Node):
    """`payoff A: e, B: e`, or `payoff p: e` with p for every player."""

    entries: tuple[tuple[Expression, Expression], ...]


Outcome = Wins | Loses | Draw | Payoff
Simple = (
    Assign | AssignAll | Let | CallEffect | Chance | Again | Included | Reward | Require
    | RequireGreatest | Ensure | Outcome
)  # fmt: skip
"""Statements without a block."""
Statement = Simple | If | For
Block = tuple[Statement, ...]


# --- declarations ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IncludeDecl(Node):
    """`include "chess.game"`; `file` is the text in quotes."""

    file: str


@dataclass(frozen=True, slots=True)
class WithoutDecl(Node):
    """`without move castle, go`, or without names `without setup`; `kind` is the first word."""

    kind: str
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class GameTitle(Node):
    title: str


@dataclass(frozen=True, slots=True)
class ParamDecl(Node):
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class PlayersDecl(Node):
    """`players A, B`, or `players count of A, B, C`: the first `count` of the names."""

    names: tuple[Name, ...]
    count: Expression | None = None


@dataclass(frozen=True, slots=True)
class TypeDecl(Node):
    """`type Rank = J | Q | K`; the value is Names, ranges and sets joined by `|`. Or the product
    `type Card = Rank of Suit`: a value for each pair, `Rank` the value and `Suit` the owner."""

    name: Name
    value: Expression
    owner: Expression | None = None


@dataclass(frozen=True, slots=True)
class BoardGrid(Node):
    """`board width wide height high [wrap] [where condition]`; `wraps` holds "wide", "high" or
    both."""

    width: Expression
    height: Expression
    condition: Expression | None
    wraps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain(Node):
    """`a1-d1-g1`: a line of a graph (a single point is allowed)."""

    points: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Joined(Node):
    """`a1: b1, c1`: edges from a point to others, without a line."""

    point: Name
    neighbours: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Placed(Node):
    """`a1 at (0, 2)`: the drawing position of a point, to the right and upwards."""

    point: Name
    across: Expression
    up: Expression


@dataclass(frozen=True, slots=True)
class BoardGraph(Node):
    """`board graph:`"""

    lines: tuple[Chain | Joined | Placed, ...]


@dataclass(frozen=True, slots=True)
class DirectionsDecl(Node):
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Diagram(Node):
    """Rows of tokens, first row on top; each token a Name with the text of the token."""

    rows: tuple[tuple[Name, ...], ...]


@dataclass(frozen=True, slots=True)
class Always(Node):
    """`always value`: the value of every cell at the end of each body."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Secret(Node):
    """`secret to p` (owner p) or `secret` alone (owner None: no player sees the variable)."""

    owner: Expression | None


@dataclass(frozen=True, slots=True)
class IndexDecl(Node):
    """`i in domain [where condition]`, or `domain` alone (name None)."""

    name: Name | None
    domain: Expression
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class VariableDecl(Node):
    """One line of `state:`."""

    name: Name
    indices: tuple[IndexDecl, ...]
    domain: Expression
    initial: Expression | Diagram | Always | None
    secret: Secret | None


@dataclass(frozen=True, slots=True)
class StateDecl(Node):
    variables: tuple[VariableDecl, ...]


@dataclass(frozen=True, slots=True)
class SetupDecl(Node):
    body: Block


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`name in domain [where condition]` of a move, or `name subset of domain`."""

    name: Name
    domain: Expression
    condition: Expression | None
    is_subset: bool = False


@dataclass(frozen=True, slots=True)
class MoveDecl(Node):
    """`move name(p in S, ...) [secret]:` or `simultaneous name(...) :`."""

    name: Name
    parameters: tuple[Parameter, ...]
    is_secret: bool
    is_simultaneous: bool
    body: Block


@dataclass(frozen=True, slots=True)
class Otherwise(Node):
    """The line `otherwise` between moves."""


@dataclass(frozen=True, slots=True)
class Bound(Node):
    """The range of a `def` parameter: `in domain`, or `subset of domain`."""

    domain: Expression
    is_subset: bool


@dataclass(frozen=True, slots=True)
class DefDecl(Node):
    """`def name(parameters) = value`; `bounds`: one per parameter, None for a parameter without a
    bound."""

    name: Name
    parameters: tuple[Name, ...]
    value: Expression
    bounds: tuple[Bound | None, ...] = ()


@dataclass(frozen=True, slots=True)
class EffectDecl(Node):
    name: Name
    parameters: tuple[Name, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class EndDecl(Node):
    body: Block


@dataclass(frozen=True, slots=True)
class EndlessDecl(Node):
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RepeatDecl(Node):
    """`repeat names [without left_out] [n times]: outcome`; outcome None means `illegal`.

    A name is `state`, `turn` or a variable.
    """

    names: tuple[Name, ...]
    left_out: tuple[Name, ...]
    times: Expression | None
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class EvaluateDecl(Node):
    """`evaluate player where condition: value`."""

    player: Name
    condition: Expression | None
    value: Expression


@dataclass(frozen=True, slots=True)
class DiscountDecl(Node):
    """`discount = value`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Glyph(Node):
    """`"♟"` in `show:`; `text` is the text in quotes."""

    text: str


@dataclass(frozen=True, slots=True)
class Shown(Node):
    """`fresh, clock as hidden`: a line of `show:`, with names and their look."""

    names: tuple[Name, ...]
    look: Name | Glyph


@dataclass(frozen=True, slots=True)
class ShowDecl(Node):
    """`show:`"""

    lines: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class TreeLeaf(Node):
    """A payoff: a rational expression (the first player's), or a TupleLiteral, one per player."""

    value: Expression


@dataclass(frozen=True, slots=True)
class TreeBranch(Node):
    """`label -> subtree`; `weight` is given exactly under `chance:`. A label may be a number."""

    weight: Expression | None
    label: Name
    subtree: TreeChoice | TreeLeaf


@dataclass(frozen=True, slots=True)
class TreeChoice(Node):
    """`Player [infoset]: branches`; `player` None is `chance:`."""

    player: Name | None
    information_set: Name | None
    branches: tuple[TreeBranch, ...]


@dataclass(frozen=True, slots=True)
class TreeDecl(Node):
    root: TreeChoice


@dataclass(frozen=True, slots=True)
class ExpectDecl(Node):
    """`expect fact [number] [turns] [after "moves"] [with n = 4, ...]: claim, ...`.

    `expect perft 4 turns: 1469` has fact `perft`, number 4, in_turns True, `expect only value: 1`
    has fact `only value`; a claim is an outcome (`draw`, `A wins`) or an expression; `after` is the
    text of the moves that lead to the claimed position, None for the initial position; `settings`
    rebind parameters for this claim.
    """

    fact: Name
    number: int | None
    in_turns: bool
    after: str | None
    settings: tuple[tuple[Name, Expression], ...]
    claims: tuple[Expression | Outcome, ...]


Declaration = (
    IncludeDecl | WithoutDecl | GameTitle | ParamDecl | PlayersDecl | TypeDecl | BoardGrid
    | BoardGraph | DirectionsDecl | StateDecl | SetupDecl | MoveDecl | Otherwise | DefDecl
    | EffectDecl | EndDecl | EndlessDecl | RepeatDecl | EvaluateDecl | DiscountDecl
    | ShowDecl | TreeDecl | ExpectDecl
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Program:
    """A file, or a file with its included files.

    `broken` holds the words of the lines that could not be parsed (empty if all lines were parsed),
    `left_out` the names that a `without` leaves out.
    """

    source: SourceFile
    declarations: tuple[Declaration, ...]
    broken: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
