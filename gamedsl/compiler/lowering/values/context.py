"""The shared context of the lowering: the rules, the module being made, cached results.

`Lowering` is made of a model with its codes and layout, and is the first parameter of every
function of the lowering. Expressions contain each other in any order, so a lower part may call an
upper part; such calls go through the methods of `Recursion`, implemented by
`gamedsl.compiler.lowering.game`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.builder import Builder, Program
from gamedsl.compiler.ir.values import (
    INT,
    Value,
    all_of,
    any_of,
    integer,
    name,
    to_int,
    truth,
)
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.lowering.values.evaluate import Evaluator
from gamedsl.compiler.lowering.values.frames import Bodies
from gamedsl.compiler.lowering.values.memo import Memo
from gamedsl.compiler.lowering.values.origin import Origin
from gamedsl.compiler.lowering.values.scope import Code, Low, Scope
from gamedsl.compiler.lowering.values.set_constants import SetConstants
from gamedsl.compiler.options import EVERYTHING, CompilerOptions, Strategy
from gamedsl.model import nodes
from gamedsl.model.model import Model
from gamedsl.model.walk import statements
from gamedsl.source import Span

MOST_CASES = 16

Each = Callable[[Low], None]
"""A callback for each element of a collection."""


class Recursion(ABC):
    """Calls from parts of the lowering to the parts above."""

    @abstractmethod
    def lower(self, node: nodes.Expr, scope: Scope) -> Low:
        """The expression as a known value or as code; cached by scope."""

    @abstractmethod
    def lift(self, node: nodes.Expr, scope: Scope) -> Value | None:
        """The squares for which a condition holds, with the square in scope (see `square_sets`);
        None where the condition does not become a set.
        """

    @abstractmethod
    def rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, each: Callable[[Scope], None]
    ) -> None:
        """Loops for all `for` clauses, and `each` with the bindings in force within."""

    @abstractmethod
    def go_through_squares(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """Loops over a group or a line of sight."""

    @abstractmethod
    def write_statement(self, statement: nodes.Statement, scope: Scope) -> Scope | None:
        """Write a statement; return the scope of the next statement, None if unreachable."""


class Lowering(Recursion):
    """One game being lowered. Nothing here depends on the place in the code that is being written:
    that is a `Scope`.

    Attributes:
        options: the optional strategies left out.
        program: the module being made.
        evaluator: the values of expressions known at compile time.
        sets: constant sets of squares.
        origin: the places of the game that code comes from.
        bodies: facts about bodies.
        memo: results kept.
        most_cases: most values of a quantifier that become a set each, joined; a loop goes through
            more.
    """

    def __init__(
        self,
        model: Model,
        codes: Codes,
        layout: Layout,
        options: CompilerOptions = EVERYTHING,
        measured: Mapping[str, nodes.Move] = MappingProxyType({}),
    ) -> None:
        self.model = model
        self.options = options
        self.codes = codes
        self.layout = layout
        self.program = Program(layout.widest)
        self.program.taken = _names_by_slot(model)
        self.evaluator = Evaluator(model.board, model.players)
        self.sets = SetConstants(codes.squares)
        self.origin = Origin(model.source)
        self.bodies = Bodies(measured)
        self.memo = Memo()
        self.most_cases = MOST_CASES
        planes = {title for p in layout.places if isinstance(p, Planes) for _, title in p.names}
        for field in layout.fields:
            kind = self.sets.type if field.name in planes else INT
            self.program.fields[field.name] = name(field.name, kind)

    def can_fail(self, node: nodes.Expr) -> bool:
        """Whether some evaluation of an expression might raise an error in the game."""
        return self.memo.traits.can_fail(node)

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

    def comment(self, offset: int) -> None:
        """The game's line at `offset` as a comment, without immediate repetition."""
        file, span = self.model.source.local(Span(offset, offset))
        line, _ = file.position(span.start)
        self.builder.comment(line, file.line(line).strip())
        self.origin.parts.add(Span(offset, offset))

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


def _names_by_slot(model: Model) -> frozenset[str]:
    """The names of locals that include their slots; numbered locals must avoid these names."""
    named = [
        (parameter.name, parameter.slot) for move in model.moves for parameter in move.parameters
    ]
    for block in (model.setup, model.end, *(move.body for move in model.moves)):
        named += [(s.name, s.slot) for s in statements(block) if isinstance(s, nodes.Let)]
    return frozenset(f"{title}_{slot}" for title, slot in named)
