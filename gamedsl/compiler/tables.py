"""Expressions by name, by value, by table: what every other part of the lowering stands on.

In: a node and a scope. Out: `Known` or `Code`. What the state has no part in is worked out now,
alone (`Known`) or for all values of a few locals (a table). What a node means is said further up.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import prod

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.evaluate import Evaluator, NotKnownError
from gamedsl.compiler.faults import Message, Site
from gamedsl.compiler.ir.builder import Builder, Program
from gamedsl.compiler.ir.values import (
    INT,
    ZERO,
    Type,
    all_of,
    any_of,
    bits,
    integer,
    lookup,
    name,
    number,
    to_int,
    truth,
)
from gamedsl.compiler.ir.values import (
    Value as Expr,
)
from gamedsl.compiler.layout import Layout, Planes
from gamedsl.compiler.safety import Safety
from gamedsl.compiler.scope import Bound, Code, Held, Known, Scope
from gamedsl.model import nodes, operations
from gamedsl.model.model import Model
from gamedsl.model.types import BOOLEAN, Scalar
from gamedsl.model.values import Value
from gamedsl.model.walk import parts, within
from gamedsl.source import Span

LARGEST_TABLE = 1 << 13
Low = Known | Code


class Tables:
    """Writes the expressions of one game into a program: names, guards, tables."""

    def __init__(self, model: Model, codes: Codes, layout: Layout) -> None:
        self.model = model
        self.codes = codes
        self.layout = layout
        self.program = Program(layout.widest)
        planes = {title for p in layout.places if isinstance(p, Planes) for _, title in p.names}
        self.set_type: Type = bits(max(1, len(codes.squares)))
        for field in layout.fields:
            kind = self.set_type if field.name in planes else INT
            self.program.fields[field.name] = name(field.name, kind)
        self.evaluator = Evaluator(model.board, model.players)
        self.safety = Safety()
        self.sites: list[Site] = []
        self._geometric: dict[int, bool] = {}
        self._kept: list[nodes.Expr] = []
        self._reads: dict[int, tuple[tuple[int, ...], bool, bool]] = {}
        self._worked_out: dict[object, list[Value | None] | None] = {}
        self._operation: nodes.Expr | None = None
        self._site_numbers: dict[object, int] = {}
        self._lowered: dict[object, Low] = {}

    # --- what is needed of the other parts -------------------------------------------------

    @abstractmethod
    def _lower(self, node: nodes.Expr, scope: Scope) -> Low:
        """An expression that is not known and no table."""

    @abstractmethod
    def read(self, node: nodes.Cell, scope: Scope) -> Low:
        """The value of a cell."""

    @abstractmethod
    def is_cell(self, node: nodes.Cell, value: Value, scope: Scope) -> Expr | None:
        """Code for `cell == value`, where it is cheaper than reading; else None."""

    @abstractmethod
    def quantify(self, node: nodes.Quantify, scope: Scope) -> Low:
        """A quantifier whose answer is a scalar."""

    @abstractmethod
    def reduce(self, node: nodes.Builtin, scope: Scope) -> Low:
        """`max(sizes)`, `len(...)`: a reduction of a collection."""

    @abstractmethod
    def member(self, node: nodes.Member, scope: Scope) -> Low:
        """`element in collection` where the collection is not known."""

    @abstractmethod
    def board_builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        """`line` and `full`."""

    # --- the function being written --------------------------------------------------------

    @property
    def builder(self) -> Builder:
        """The function being written."""
        return self.program.builder

    def field(self, title: str) -> Expr:
        """A field of the state, as the function being written sees it."""
        return self.program.fields[title]

    def squares(self, mask: int) -> Expr:
        """A set of squares known now."""
        return number(mask, self.set_type)

    # --- entry points ----------------------------------------------------------------------

    def lower(self, node: nodes.Expr, scope: Scope) -> Low:
        """The expression as a known value or as code; worked out once for equal scopes."""
        if isinstance(node, nodes.Const | nodes.Local | nodes.Turn | nodes.Me):
            return self._lower_anew(node, scope)
        key = (self.shape(node, scope, ()), scope.stuck)
        found = self._lowered.get(key)
        if found is None:
            found = self._lowered[key] = self._lower_anew(node, scope)
        return found

    def _lower_anew(self, node: nodes.Expr, scope: Scope) -> Low:
        try:
            return Known(self.evaluator.value(node, scope))
        except (NotKnownError, operations.OperationError):
            pass
        if self._is_geometric(node) and not self.safety.can_fail(node):
            found = self.tabulated(node, scope)
            if found is not None:
                return found
        return self._lower(node, scope)

    def condition(self, node: nodes.Expr, scope: Scope) -> Expr:
        """The expression as a truth value."""
        return self.value(self.lower(node, scope))

    def value(self, low: Low) -> Expr:
        """The code of a scalar; a truth value as such."""
        if isinstance(low, Code):
            if low.per != 1:
                raise CannotCompileError("a fraction where a whole value is needed")
            return low.expr
        if isinstance(low.value, bool):
            return truth(low.value)
        return integer(self.codes.code(low.value))

    @staticmethod
    def integer_of(low: Code) -> Expr:
        """The code of a scalar as a number, a truth value included."""
        return to_int(low.expr)

    @staticmethod
    def offset(value: Expr, base: int) -> Expr:
        """How far a number lies above another."""
        return value - base

    def among(self, value: Expr, codes: Sequence[int]) -> Expr:
        """Whether a number is one of some."""
        ordered = sorted(set(codes))
        low, high = ordered[0], ordered[-1]
        if len(ordered) == high - low + 1:
            return value.eq(low) if low == high else all_of([value.ge(low), value.le(high)])
        return any_of([value.eq(code) for code in ordered])

    def site(
        self, code: str, span: Span | None, message: Message, key: tuple[object, ...] = ()
    ) -> int:
        """The number of a guard. Guards that mean the same share one: `key` has what the message
        depends on besides the code and the place in the file."""
        meaning = (code, span, key)
        if meaning not in self._site_numbers:
            self._site_numbers[meaning] = len(self.sites)
            self.sites.append(Site(code, span, message))
        return self._site_numbers[meaning]

    # --- tables ----------------------------------------------------------------------------

    def span_of_codes(self, kind: Scalar) -> tuple[int, int, dict[int, Value]] | None:
        """Least code, how many from there to the greatest, and the values by code."""
        values = kind.enumerate()
        if values is None or not values or len(values) > LARGEST_TABLE:
            return None
        by_code = {self.codes.code(value): value for value in values}
        low = min(by_code)
        return low, max(by_code) - low + 1, by_code

    def table_of(
        self,
        operands: Sequence[Low],
        function: Callable[..., Value | None],
        kind: Scalar,
        shape: object = None,
        may_fail: bool = False,
    ) -> Low | None:
        """A table of a function of scalars; None where it would be too large, or the function
        has no answer (None, or OperationError) for some of their values. Functions of one
        `shape` (not None) are the same; operands that `may_fail` are looked up in any case."""
        spans = []
        for operand in operands:
            if isinstance(operand, Code):
                span = self.span_of_codes(operand.type) if operand.per == 1 else None
                if span is None:
                    return None
                spans.append(span)
        if prod(count for _, count, _ in spans) > LARGEST_TABLE:
            return None
        if shape is None or shape not in self._worked_out:
            entries = self._entries(operands, function, spans)
            if shape is not None:
                self._worked_out[shape] = entries
        else:
            entries = self._worked_out[shape]
        if entries is None:
            return None
        codes = [operand for operand in operands if isinstance(operand, Code)]
        return self._looked_up(codes, spans, entries, kind, may_fail)

    def _entries(
        self,
        operands: Sequence[Low],
        function: Callable[..., Value | None],
        spans: list[tuple[int, int, dict[int, Value]]],
    ) -> list[Value | None] | None:
        entries: list[Value | None] = []
        for place in range(prod(count for _, count, _ in spans)):
            number, values = place, list[Value]()
            for low, count, by_code in reversed(spans):
                number, offset = divmod(number, count)
                if low + offset not in by_code:
                    break
                values.append(by_code[low + offset])
            if len(values) < len(spans):
                entries.append(None)
                continue
            given = iter(reversed(values))
            try:
                found = function(
                    *(next(given) if isinstance(o, Code) else o.value for o in operands)
                )
            except operations.OperationError:
                return None
            if found is None:
                return None
            entries.append(found)
        return entries

    def _looked_up(
        self,
        operands: list[Code],
        spans: list[tuple[int, int, dict[int, Value]]],
        entries: list[Value | None],
        kind: Scalar,
        may_fail: bool,
    ) -> Low:
        real = [entry for entry in entries if entry is not None]
        if not may_fail and all(operations.equal(entry, real[0]) for entry in real):
            return Known(real[0])
        index = ZERO
        for operand, (low, count, _) in zip(operands, spans, strict=True):
            index = index * count + self.offset(self.integer_of(operand), low)
        codes = tuple(0 if entry is None else self.codes.code(entry) for entry in entries)
        found = lookup(codes, index)
        if all(isinstance(entry, bool) for entry in real):
            return Code(found.ne(0), BOOLEAN)
        return Code(found, kind)

    def tabulated(self, node: nodes.Expr, scope: Scope) -> Low | None:
        """A state-free expression of few locals as a table; None if it is not one."""
        if not isinstance(node.type, Scalar) or node.type.rational:
            return None
        free: dict[Expr, Code] = {}
        if not self.free_codes(node, scope, set(), free) or not 0 < len(free) <= 3:
            return None
        names = list(free)

        def value(*values: Value) -> Value:
            return self.evaluator.value(node, scope, dict(zip(names, values, strict=True)))

        return self.table_of(list(free.values()), value, node.type, self.shape(node, scope, names))

    def shape(self, node: nodes.Expr, scope: Scope, names: Sequence[Expr]) -> object:
        """What an expression in which the state has no part depends on, besides the values of
        the code in `names`: equal shapes have equal values."""
        slots, has_turn, has_me = self._free_slots(node)
        parts_ = [self._shape_of(scope.of(slot), names) for slot in slots]
        parts_ += [self._shape_of(scope.turn, names)] if has_turn else []
        parts_ += [self._shape_of(scope.me, names)] if has_me else []
        return (id(node), *parts_)

    def _shape_of(
        self, meaning: Known | Code | Bound | Held | None, names: Sequence[Expr]
    ) -> object:
        match meaning:
            case Known():
                return (type(meaning.value), meaning.value)
            case Code():
                at = names.index(meaning.expr) if meaning.expr in names else meaning.expr
                return (at, meaning.type, meaning.per)
            case Bound():
                return self.shape(meaning.node, meaning.scope, names)
            case Held():
                return meaning
        return None

    def _free_slots(self, node: nodes.Expr) -> tuple[tuple[int, ...], bool, bool]:
        """The locals that an expression reads, and whether it reads `turn` and `me`."""
        found = self._reads.get(id(node))
        if found is None:
            inside = list(within(node))
            slots = dict.fromkeys(part.slot for part in inside if isinstance(part, nodes.Local))
            has_turn = any(isinstance(part, nodes.Turn) for part in inside)
            has_me = any(isinstance(part, nodes.Me) for part in inside)
            found = self._reads[id(node)] = (tuple(slots), has_turn, has_me)
            self._kept.append(node)  # kept alive, so that no other node gets its identity
        return found

    def free_codes(
        self, node: nodes.Expr, scope: Scope, bound: set[int], free: dict[Expr, Code]
    ) -> bool:
        """Gather the code that an expression's locals stand for; False if it reads the state."""
        match node:
            case nodes.Cell() | nodes.Whole() | nodes.Stuck():
                return False
            case nodes.Local() if node.slot not in bound:
                return self._free_of(scope.of(node.slot), free)
            case nodes.Turn():
                return self._free_of(scope.turn, free)
            case nodes.Me():
                return self._free_of(scope.me, free)
        if isinstance(node, nodes.Quantify):
            bound = bound | {clause.slot for clause in node.clauses}
        if isinstance(node, nodes.Apply):
            inside = bound | set(node.definition.slots)
            if not self.free_codes(node.definition.body, scope, inside, free):
                return False
        return all(self.free_codes(part, scope, bound, free) for part in parts(node))

    def _free_of(self, meaning: Known | Code | Bound | Held | None, free: dict[Expr, Code]) -> bool:
        match meaning:
            case Code():
                free[meaning.expr] = meaning
                return True
            case Bound():
                return self.free_codes(meaning.node, meaning.scope, set(), free)
            case None | Held():
                return False
        return True

    def _is_geometric(self, node: nodes.Expr) -> bool:
        """Whether a table may pay: something in it is more than arithmetic."""
        found = self._geometric.get(id(node))
        if found is None:
            found = any(
                isinstance(
                    part,
                    nodes.Step | nodes.AddOffsets | nodes.Scale | nodes.Quantify | nodes.Builtin
                    | nodes.ListItem | nodes.Member,
                )
                for part in within(node)
            )  # fmt: skip
            self._geometric[id(node)] = found
            self._kept.append(node)
        return found
