"""The shared context of the lowering: the rules, the module being made, cached results.

`Lowering` is made of a model with its codes and layout, and is the first parameter of every
function of the lowering. Expressions contain each other in any order, so a lower part may call an
upper part; such calls go through the methods of `Recursion`, implemented by
`gamedsl.compiler.lowering.game`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.faults import Message, Site
from gamedsl.compiler.ir.builder import Builder, Program
from gamedsl.compiler.ir.values import (
    INT,
    Type,
    Value,
    all_of,
    any_of,
    bits,
    integer,
    name,
    number,
    to_int,
    truth,
)
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.lowering.values.evaluate import Evaluator
from gamedsl.compiler.lowering.values.frames import Cut
from gamedsl.compiler.lowering.values.parts import Parts
from gamedsl.compiler.lowering.values.scope import Code, Known, Scope
from gamedsl.compiler.options import EVERYTHING, CompilerOptions, Strategy
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.safety import Safety
from gamedsl.model.types import Scalar
from gamedsl.model.values import Value as GameValue
from gamedsl.model.walk import statements
from gamedsl.source import Span
from gamedsl.source.records import dataclass

Low = Known | Code
"""The result of lowering an expression."""
Each = Callable[[Low], None]
"""A callback for each element of a collection."""
Entry = GameValue | OperationError | None
"""An entry of a table: a value, the error of the operation, or None for an unused entry."""
AsBits = tuple[tuple[GameValue, ...], tuple[int, ...]]
"""The elements of sets, and each set as a bit mask over the elements."""


class Recursion(ABC):
    """Calls from parts of the lowering to the parts above."""

    @abstractmethod
    def lower(self, node: nodes.Expr, scope: Scope) -> Low:
        """The expression as a known value or as code; cached by scope."""

    @abstractmethod
    def lower_by_kind(self, node: nodes.Expr, scope: Scope) -> Low:
        """An expression that is neither known nor a table."""

    @abstractmethod
    def read(self, node: nodes.Cell, scope: Scope) -> Low:
        """The value of a cell."""

    @abstractmethod
    def is_cell(self, node: nodes.Cell, value: GameValue, scope: Scope) -> Value | None:
        """Whether a cell has a value, where the test is cheaper than reading the cell; else
        None.
        """

    @abstractmethod
    def compare(self, node: nodes.Compare, scope: Scope) -> Low:
        """A comparison."""

    @abstractmethod
    def quantify(self, node: nodes.Comprehension, scope: Scope) -> Low:
        """A quantifier whose answer is a scalar."""

    @abstractmethod
    def reduce(self, node: nodes.Builtin, scope: Scope) -> Low:
        """`max(sizes)`, `len(...)`: a reduction of a collection."""

    @abstractmethod
    def member(self, node: nodes.Member, scope: Scope) -> Low:
        """`element in collection` for an unknown collection."""

    @abstractmethod
    def board_builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        """`line` and `full`."""

    @abstractmethod
    def rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, each: Callable[[Scope], None]
    ) -> None:
        """Loops for all `for` clauses, and `each` with the bindings in force within."""

    @abstractmethod
    def go_through_squares(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """Loops over a group or a line of sight."""

    @abstractmethod
    def go_through_bits(self, squares: Value, each: Each, stem: str) -> None:
        """A loop over the squares of a set held in a local; the loop empties the local."""

    @abstractmethod
    def lifted(self, node: nodes.Expr, slot: int, scope: Scope) -> Value | None:
        """The squares for which a condition holds; the local `slot` stands for the square."""

    @abstractmethod
    def lift(self, node: nodes.Expr, scope: Scope) -> Value | None:
        """As `lifted`, with the square in scope."""

    @abstractmethod
    def opened(self, node: nodes.Expr, scope: Scope) -> tuple[nodes.Expr, Scope]:
        """The expression behind a local or a call."""

    @abstractmethod
    def squares_of(self, node: nodes.Expr, scope: Scope) -> Value | None:
        """A collection of squares as a set, regardless of order; None where the squares are
        unknown.
        """

    @abstractmethod
    def write_branch(self, statement: nodes.Branch, scope: Scope) -> Scope | None:
        """`if`; returns the scope of the next statement, None if unreachable."""

    @abstractmethod
    def write_loop(self, statement: nodes.Loop, scope: Scope) -> None:
        """`for`."""

    @abstractmethod
    def write_reward(self, statement: nodes.Reward, scope: Scope) -> None:
        """A reward, in functions that compute payments."""

    @abstractmethod
    def write_outcome(self, statement: nodes.Outcome, scope: Scope) -> None:
        """An outcome, in `end:`."""


class Lowering(Recursion):
    """One game being lowered.

    Attributes:
        options: the optional strategies left out.
        program: the module being made.
        sites: the guards, by number.
        set_type: the type of sets of squares.
        nothing, everything_set: the set of no squares, the set of all squares.
        bit_of: the number of each square's bit.
        cut: facts about bodies that are cut at chance events.
        measured: the original moves, by name, of which only the greatest instances are legal.
        parts: the amount of code written, by line of the game.
    """

    def __init__(
        self, model: Model, codes: Codes, layout: Layout, options: CompilerOptions = EVERYTHING
    ) -> None:
        self.model = model
        self.options = options
        self.codes = codes
        self.layout = layout
        self.program = Program(layout.widest)
        self.program.taken = _names_by_slot(model)
        self.evaluator = Evaluator(model.board, model.players)
        self.safety = Safety()
        self.sites: list[Site] = []
        self.set_type: Type = bits(max(1, len(codes.squares)))
        self.nothing = self.squares(0)
        self.everything_set = self.squares((1 << len(codes.squares)) - 1)
        self.bit_of: dict[GameValue, int] = {square: n for n, square in enumerate(codes.squares)}
        planes = {title for p in layout.places if isinstance(p, Planes) for _, title in p.names}
        for field in layout.fields:
            kind = self.set_type if field.name in planes else INT
            self.program.fields[field.name] = name(field.name, kind)
        self.cut = Cut()
        self.measured: dict[str, nodes.Move] = {}
        self.parts = Parts(model.source)
        self._site_numbers: dict[object, int] = {}
        self.memo = Memo()

    def does(self, strategy: Strategy) -> bool:
        """Whether an optional strategy is enabled."""
        return self.options.has(strategy)

    @property
    def builder(self) -> Builder:
        """The function being written."""
        return self.program.builder

    def field(self, title: str) -> Value:
        """A field of the state, as the function being written sees the field."""
        return self.program.fields[title]

    def squares(self, mask: int) -> Value:
        """A constant set of squares."""
        return number(mask, self.set_type)

    def mask(self, values: Iterable[GameValue]) -> Value:
        """The squares among some values, as a constant set."""
        return self.squares(
            sum(1 << self.bit_of[square] for square in set(values) if square in self.bit_of)
        )

    def comment(self, offset: int) -> None:
        """The game's line at `offset` as a comment, without immediate repetition."""
        file, span = self.model.source.local(Span(offset, offset))
        line, _ = file.position(span.start)
        self.builder.comment(line, file.line(line).strip())
        self.parts.add(Span(offset, offset))

    def condition(self, node: nodes.Expr, scope: Scope) -> Value:
        """The expression as a truth value."""
        return self.value(self.lower(node, scope))

    def value(self, low: Low) -> Value:
        """The code of a scalar; a truth value stays a truth value."""
        if isinstance(low, Code):
            if low.per != 1:
                raise CannotCompileError("a fraction where a whole value is needed")
            return low.expr
        if isinstance(low.value, bool):
            return truth(low.value)
        return integer(self.codes.code(low.value))

    @staticmethod
    def integer_of(low: Code) -> Value:
        """The code of a scalar as a number, also for truth values."""
        return to_int(low.expr)

    @staticmethod
    def offset(value: Value, base: int) -> Value:
        """The difference of a number and a base."""
        return value - base

    @staticmethod
    def among(value: Value, codes: Sequence[int]) -> Value:
        """Whether a number is one of the given codes."""
        ordered = sorted(set(codes))
        low, high = ordered[0], ordered[-1]
        if len(ordered) == high - low + 1:
            return value.eq(low) if low == high else all_of([value.ge(low), value.le(high)])
        return any_of([value.eq(code) for code in ordered])

    def site(
        self, code: str, span: Span | None, message: Message, key: tuple[object, ...] = ()
    ) -> int:
        """The number of a guard. Guards of equal meaning share a number: `key` has the dependencies
        of the message besides the code and the place in the file.
        """
        meaning = (code, span, key)
        if meaning not in self._site_numbers:
            self._site_numbers[meaning] = len(self.sites)
            self.sites.append(Site(code, span, message))
        return self._site_numbers[meaning]


@dataclass(frozen=True, slots=True)
class Recursive:
    """The function of a recursive `def`; `read`: its parameters besides the arguments; `first`: the
    function for calls from outside, which starts the count of calls.
    """

    title: str
    first: str
    read: tuple[Value, ...]


def _names_by_slot(model: Model) -> frozenset[str]:
    """The names of locals that include their slots; numbered locals must avoid these names."""
    named = [
        (parameter.name, parameter.slot) for move in model.moves for parameter in move.parameters
    ]
    for block in (model.setup, model.end, *(move.body for move in model.moves)):
        named += [(s.name, s.slot) for s in statements(block) if isinstance(s, nodes.Let)]
    return frozenset(f"{title}_{slot}" for title, slot in named)


class Memo:
    """Cached results for expressions, by shape or identity; see `tables`.

    Attributes:
        is_walkable: whether legal instances may be enumerated in any order (`walks`).
        levels: greatest depth of recursion of a `def`.
        pinned: expressions kept alive, so that their ids stay unique.
    """

    def __init__(self) -> None:
        self.lowered: dict[object, Low] = {}
        self.lifted: dict[object, Value | None] = {}
        self.depends: dict[object, bool] = {}
        self.geometric: dict[int, bool] = {}
        self.reads: dict[int, tuple[tuple[int, ...], bool, bool]] = {}
        self.worked_out: dict[object, list[Entry] | None] = {}
        self.masks: dict[object, list[Entry] | None] = {}
        self.spans: dict[Scalar, tuple[int, int, dict[int, GameValue]] | None] = {}
        self.targets: dict[object, dict[int, int]] = {}
        self.subsets: dict[int, tuple[GameValue, AsBits | None]] = {}
        self.recursive: dict[object, Recursive] = {}
        self.is_walkable: bool | None = None
        self.levels = 1
        self.pinned: list[nodes.Expr] = []

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Discard the results of the block at its end."""
        saved = dict(self.lowered), dict(self.lifted), dict(self.recursive)
        yield
        self.lowered, self.lifted, self.recursive = saved
