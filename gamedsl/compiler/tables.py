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
from gamedsl.compiler.layout import WORD, Layout
from gamedsl.compiler.safety import Safety
from gamedsl.compiler.scope import Bound, Code, Held, Known, Scope
from gamedsl.compiler.writer import Program
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
        self.program = Program()
        self.program.is_wide = layout.widest > WORD
        self.program.fields.update(field.name for field in layout.fields)
        self.evaluator = Evaluator(model.board, model.players)
        self.safety = Safety()
        self.sites: list[Site] = []
        self._geometric: dict[int, bool] = {}
        self._kept: list[nodes.Expr] = []
        self._reads: dict[int, tuple[tuple[int, ...], bool, bool]] = {}
        self._worked_out: dict[object, list[Value | None] | None] = {}
        self._operation: nodes.Expr | None = None

    # --- what is needed of the other parts -------------------------------------------------

    @abstractmethod
    def _lower(self, node: nodes.Expr, scope: Scope) -> Low:
        """An expression that is not known and no table."""

    @abstractmethod
    def read(self, node: nodes.Cell, scope: Scope) -> Low:
        """The value of a cell."""

    @abstractmethod
    def is_cell(self, node: nodes.Cell, value: Value, scope: Scope) -> str | None:
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

    # --- entry points ----------------------------------------------------------------------

    def lower(self, node: nodes.Expr, scope: Scope) -> Low:
        """The expression as a known value or as code."""
        try:
            return Known(self.evaluator.value(node, scope))
        except (NotKnownError, operations.OperationError):
            pass
        if self._is_geometric(node) and not self.safety.can_fail(node):
            found = self.tabulated(node, scope)
            if found is not None:
                return found
        return self._lower(node, scope)

    def condition(self, node: nodes.Expr, scope: Scope) -> str:
        """The expression as a truth value: code, or `True` or `False`."""
        return self.text(self.lower(node, scope))

    def text(self, low: Low) -> str:
        """The code of a scalar; a truth value as Python's own."""
        if isinstance(low, Code):
            if low.per != 1:
                raise CannotCompileError("a fraction where a whole value is needed")
            return low.text
        if isinstance(low.value, bool):
            return str(low.value)
        return self.program.number(self.codes.code(low.value))

    def site(self, code: str, span: Span | None, message: Message) -> int:
        """A new guard's number."""
        self.sites.append(Site(code, span, message))
        return len(self.sites) - 1

    def as_name(self, code: Code, stem: str, use: Callable[[Code], str]) -> str:
        """Code that uses the value of `code` several times."""
        if code.is_name:
            return use(code)
        name = self.program.fresh(stem)

        def write() -> None:
            self.program.writer.line(f"return {use(Code(name, code.type, code.per))}")

        return self.program.call(stem, write, {name: code.text})

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
        index = ""
        for operand, (low, count, _) in zip(operands, spans, strict=True):
            text = operand.text if not operand.type.is_boolean else f"int({operand.text})"
            place = text if low == 0 else f"({text} - {low})" if low > 0 else f"({text} + {-low})"
            index = place if not index else f"({index} * {count} + {place})"
        table = self.program.table(tuple(0 if e is None else self.codes.code(e) for e in entries))
        is_truth = all(isinstance(entry, bool) for entry in real)
        if is_truth:
            return Code(f"({table}[{index}] != 0)", BOOLEAN)
        return Code(f"{table}[{index}]", kind)

    def tabulated(self, node: nodes.Expr, scope: Scope) -> Low | None:
        """A state-free expression of few locals as a table; None if it is not one."""
        if not isinstance(node.type, Scalar) or node.type.rational:
            return None
        free: dict[str, Code] = {}
        if not self.free_codes(node, scope, set(), free) or not 0 < len(free) <= 3:
            return None
        names = list(free)

        def value(*values: Value) -> Value:
            return self.evaluator.value(node, scope, dict(zip(names, values, strict=True)))

        return self.table_of(list(free.values()), value, node.type, self.shape(node, scope, names))

    def shape(self, node: nodes.Expr, scope: Scope, names: Sequence[str]) -> object:
        """What an expression in which the state has no part depends on, besides the values of
        the code in `names`: equal shapes have equal values."""
        slots, has_turn, has_me = self._free_slots(node)
        parts_ = [self._shape_of(scope.of(slot), names) for slot in slots]
        parts_ += [self._shape_of(scope.turn, names)] if has_turn else []
        parts_ += [self._shape_of(scope.me, names)] if has_me else []
        return (id(node), *parts_)

    def _shape_of(
        self, meaning: Known | Code | Bound | Held | None, names: Sequence[str]
    ) -> object:
        match meaning:
            case Known():
                return (type(meaning.value), meaning.value)
            case Code():
                at = names.index(meaning.text) if meaning.text in names else meaning.text
                return (at, meaning.type)
            case Bound():
                return self.shape(meaning.node, meaning.scope, names)
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
        self, node: nodes.Expr, scope: Scope, bound: set[int], free: dict[str, Code]
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

    def _free_of(self, meaning: Known | Code | Bound | Held | None, free: dict[str, Code]) -> bool:
        match meaning:
            case Code():
                free[meaning.text] = meaning
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
