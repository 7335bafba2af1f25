"""Scalar expressions: typed nodes become expressions of the generated code.

In: a node and a scope. Out: `Known` or `Code`. What the state has no part in is worked out now,
alone (`Known`) or for all values of a few locals (a table). Evaluation order and failures are
those of the language. Collections are the business of `collections`, sets of squares of `sets`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import lcm, prod

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.evaluate import Evaluator, NotKnownError
from gamedsl.compiler.faults import Message, Site
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.safety import Safety, is_number
from gamedsl.compiler.scope import Bound, Code, Known, Later, Scope
from gamedsl.compiler.writer import Program
from gamedsl.model import nodes, operations
from gamedsl.model.model import Model
from gamedsl.model.types import BOOLEAN, Scalar, TupleType, number
from gamedsl.model.values import NONE, Atom, Value, Vector
from gamedsl.model.walk import parts, within
from gamedsl.source import Span

LARGEST_TABLE = 1 << 13
Low = Known | Code


class Expressions:
    """Writes the expressions of one game into a program."""

    def __init__(self, model: Model, codes: Codes, layout: Layout) -> None:
        self.model = model
        self.codes = codes
        self.layout = layout
        self.program = Program()
        self.program.fields.update(field.name for field in layout.fields)
        self.evaluator = Evaluator(model.board, model.players)
        self.safety = Safety()
        self.sites: list[Site] = []
        self._geometric: dict[int, bool] = {}
        self._kept: list[nodes.Expr] = []
        self._reads: dict[int, tuple[tuple[int, ...], bool, bool]] = {}
        self._worked_out: dict[object, list[Value | None] | None] = {}
        self._operation: nodes.Expr | None = None
        self._definitions: dict[object, tuple[str, list[str]]] = {}

    # --- what is needed of the other parts -------------------------------------------------

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

    def _shape_of(self, meaning: Known | Code | Bound | None, names: Sequence[str]) -> object:
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

    def _free_of(self, meaning: Known | Code | Bound | None, free: dict[str, Code]) -> bool:
        match meaning:
            case Code():
                free[meaning.text] = meaning
                return True
            case Bound():
                return self.free_codes(meaning.node, meaning.scope, set(), free)
            case None:
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

    # --- nodes -----------------------------------------------------------------------------

    def _lower(self, node: nodes.Expr, scope: Scope) -> Low:
        match node:
            case nodes.Const():
                return Known(node.value)
            case nodes.Local():
                meaning = scope.of(node.slot)
                assert meaning is not None
                return (
                    self.lower(meaning.node, meaning.scope)
                    if isinstance(meaning, Bound)
                    else meaning
                )
            case nodes.Turn():
                return scope.turn
            case nodes.Me():
                assert scope.me is not None
                return scope.me
            case nodes.Stuck():
                assert scope.stuck is not None
                return Code(scope.stuck, BOOLEAN)
            case nodes.Cell():
                return self.read(node, scope)
            case nodes.Not():
                return self._not(self.lower(node.operand, scope))
            case nodes.Negate():
                return self._negate(node, scope)
            case nodes.Arithmetic():
                return self._arithmetic(node, scope)
            case nodes.Step():
                assert self.model.board is not None
                return self._by_table(
                    node, (node.square, node.offset), self.model.board.step, scope
                )
            case nodes.AddOffsets():
                return self._by_table(node, (node.left, node.right), operations.add_offsets, scope)
            case nodes.Scale():
                return self._by_table(node, (node.factor, node.offset), operations.scale, scope)
            case nodes.Compare():
                return self._compare(node, scope)
            case nodes.Member():
                return self.member(node, scope)
            case nodes.Logic():
                return self._logic(node, scope)
            case nodes.Choose():
                return self._choose(node, scope)
            case nodes.Quantify():
                return self.quantify(node, scope)
            case nodes.Apply():
                return self._apply(node, scope)
            case nodes.Builtin():
                return self._builtin(node, scope)
            case nodes.ListItem():
                return self._list_item(node, scope)
            case nodes.Collect() | nodes.Range() | nodes.Union() | nodes.Whole():
                raise CannotCompileError(
                    "a collection that is neither known nor gone through", node.span
                )

    def _by_table(
        self,
        node: nodes.Expr,
        operands: tuple[nodes.Expr, ...],
        function: Callable[..., Value],
        scope: Scope,
    ) -> Low:
        assert isinstance(node.type, Scalar)
        lowered = [self.lower(operand, scope) for operand in operands]
        may_fail = any(self.safety.can_fail(operand) for operand in operands)
        found = self.table_of(lowered, function, node.type, may_fail=may_fail)
        if found is None:
            raise CannotCompileError("an operation of too many different values", node.span)
        return found

    @staticmethod
    def _not(low: Low) -> Low:
        if isinstance(low, Known):
            return Known(not low.value)
        return Code(f"(not {low.text})", BOOLEAN)

    def _negate(self, node: nodes.Negate, scope: Scope) -> Low:
        if is_number(node.operand.type):
            low = self.numeric(node.operand, scope)
            assert isinstance(node.type, Scalar)
            return Code(f"(-{low.text})", node.type, low.per)
        return self._by_table(node, (node.operand,), operations.negate, scope)

    def numeric(self, node: nodes.Expr, scope: Scope, operator: str = "+") -> Code:
        """A number as code, fractions included; guarded where it may be `none`."""
        return self._numeric_of(node, self.lower(node, scope), operator)

    def _numeric_of(self, node: nodes.Expr, low: Low, operator: str) -> Code:
        if isinstance(low, Code):
            return low if is_number(low.type) else self._surely_number(node, low, operator)
        if low.value is NONE:
            return self._surely_number(node, Code(str(self.codes.none), number(0, 0)), operator)
        return self.number_code(low.value, node.span)

    def _surely_number(self, node: nodes.Expr, low: Code, operator: str) -> Code:
        """A number that may be `none`, guarded."""
        if low.per != 1 or not low.type.without_none().is_number:
            raise CannotCompileError("arithmetic with what may be no number", node.span)
        message = f"`{operator}` needs numbers, and one side is `none`"
        site = self.site(
            "E3007",
            self._operation.span if self._operation else node.span,
            lambda _, __: (message, None),
        )
        none = self.codes.none
        text = self.as_name(
            low, "amount", lambda n: f"({n.text} if {n.text} != {none} else fault({site}, 0, 0))"
        )
        return Code(text, low.type.without_none())

    def number_code(self, value: Value, span: Span) -> Code:
        """A known number as code."""
        if isinstance(value, Atom | Vector | tuple):
            raise CannotCompileError("arithmetic with what is no number", span)
        if isinstance(value, int):
            return Code(self.program.number(value), number(value, value))
        return Code(
            self.program.number(value.numerator), number(value, value, True), value.denominator
        )

    def _arithmetic(self, node: nodes.Arithmetic, scope: Scope) -> Low:
        outer, self._operation = self._operation, None
        lows = self.lower(node.left, scope), self.lower(node.right, scope)
        self._operation = node
        left, right = (
            self._numeric_of(side, low, node.operator)
            for side, low in zip((node.left, node.right), lows, strict=True)
        )
        self._operation = outer
        assert isinstance(node.type, Scalar)
        match node.operator:
            case "*":
                return Code(f"({left.text} * {right.text})", node.type, left.per * right.per)
            case "+" | "-":
                one, other, per = self.common(left, right)
                return Code(f"({one} {node.operator} {other})", node.type, per)
            case "/":
                return self._divided(node, left, right, node.type)
        one, other, per = self.common(left, right)
        other = self._nonzero(node, one, other, right.type)
        if node.operator == "//":
            return Code(f"({one} // {other})", node.type)
        return Code(f"({one} % {other})", node.type, per)

    @staticmethod
    def common(left: Code, right: Code) -> tuple[str, str, int]:
        """Two numbers as numerators over one denominator."""
        per = lcm(left.per, right.per)

        def scaled(code: Code) -> str:
            return code.text if code.per == per else f"({code.text} * {per // code.per})"

        return scaled(left), scaled(right), per

    def _nonzero(self, node: nodes.Arithmetic, left: str, divisor: str, kind: Scalar) -> str:
        low, high = kind.interval
        if not low <= 0 <= high:
            return divisor
        site = self._division_site(node, Scalar())
        return self.as_name(
            Code(divisor, kind),
            "divisor",
            lambda d: f"({d.text} if {d.text} != 0 else fault({site}, {left}, 0))",
        )

    def _division_site(self, node: nodes.Arithmetic, _: Scalar) -> int:
        def message(found: int, _: int) -> tuple[str, str | None]:
            return f"`{found} {node.operator} 0`: division by zero", None

        return self.site("E3007", node.span, message)

    def _divided(self, node: nodes.Arithmetic, left: Code, right: Code, kind: Scalar) -> Code:
        span = self.span_of_codes(right.type) if right.per == 1 else None
        if right.per != 1 or span is None:
            raise CannotCompileError("division by this", node.span)
        whole = lcm(*(abs(code) for code in span[2] if code != 0))
        if whole > 1 << 20 or left.per * whole > 1 << 30:
            raise CannotCompileError("division by too many different numbers", node.span)
        divisor = self._nonzero(node, left.text, right.text, right.type)
        if span[1] == 1 and span[0] > 0:
            return Code(left.text, kind, left.per * span[0])
        return Code(f"({left.text} * ({whole} // {divisor}))", kind, left.per * whole)

    # --- conditions ------------------------------------------------------------------------

    def _compare(self, node: nodes.Compare, scope: Scope) -> Low:
        if node.operator in {"==", "!="}:
            equal = self.equal(node.left, node.right, scope)
            return equal if node.operator == "==" else self._not(equal)
        left, right = self.lower(node.left, scope), self.lower(node.right, scope)
        left, right = self._ordered(node, left), self._ordered(node, right)
        one, other = self._comparable(left, right, node.span)
        return Code(f"({one} {node.operator} {other})", BOOLEAN)

    def _ordered(self, node: nodes.Compare, low: Low) -> Low:
        """One side of `<`, guarded where it may be `none`."""
        if isinstance(low, Known) and low.value is NONE:
            raise CannotCompileError("an order of `none`", node.span)
        if isinstance(low, Known) or not low.type.can_be_none:
            return low
        message = f"`{node.operator}` cannot order `none`"
        site = self.site("E3007", node.span, lambda _, __: (message, None))
        none = self.codes.none
        text = self.as_name(
            low, "side", lambda s: f"({s.text} if {s.text} != {none} else fault({site}, 0, 0))"
        )
        return Code(text, low.type.without_none(), low.per)

    def _comparable(self, left: Low, right: Low, span: Span) -> tuple[str, str]:
        if _is_fraction(left) or _is_fraction(right):
            one = left if isinstance(left, Code) else self.number_code(left.value, span)
            other = right if isinstance(right, Code) else self.number_code(right.value, span)
            return self.common(one, other)[:2]
        return self.text(left), self.text(right)

    def equal(self, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Low:
        """`left == right`."""
        if isinstance(left.type, TupleType) and isinstance(right.type, TupleType):
            return self._equal_tuples(left, right, scope)
        for side in (left, right):
            if not isinstance(side.type, Scalar):
                raise CannotCompileError("equality of collections", side.span)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, nodes.Cell):
                value = self.lower(other, scope)
                if isinstance(value, Known):
                    text = self.is_cell(one, value.value, scope)
                    if text is not None:
                        return Code(text, BOOLEAN)
        may_fail = self.safety.can_fail(left) or self.safety.can_fail(right)
        lows = self.lower(left, scope), self.lower(right, scope)
        return self.equal_lowered(*lows, left.span, may_fail)

    def evaluated(self, code: str, then: bool) -> Low:
        """A truth value that is known, after code that may fail has been evaluated."""

        def write() -> None:
            self.program.writer.assign(self.program.fresh("unused"), code)
            self.program.writer.line(f"return {then}")

        return Code(self.program.call("evaluated", write), BOOLEAN)

    def equal_lowered(self, one: Low, other: Low, span: Span, may_fail: bool = False) -> Low:
        """Whether two values are equal; code that `may_fail` is kept whatever the answer."""
        if isinstance(one, Known) and isinstance(other, Known):
            return Known(operations.equal(one.value, other.value))
        for known, code in ((one, other), (other, one)):
            if isinstance(known, Known) and isinstance(code, Code):
                if isinstance(known.value, bool) and code.type.is_boolean:
                    return code if known.value else self._not(code)
                if not may_fail and not _can_be(code.type, known.value):
                    return Known(False)
        left, right = self._comparable(one, other, span)
        return Code(f"({left} == {right})", BOOLEAN)

    def _equal_tuples(self, left: nodes.Expr, right: nodes.Expr, scope: Scope) -> Low:
        pairs = zip(self.tuple_items(left, scope), self.tuple_items(right, scope), strict=True)
        return self.all_of([self.equal_lowered(a, b, left.span) for a, b in pairs])

    def tuple_items(self, node: nodes.Expr, scope: Scope) -> list[Low]:
        """The items of a tuple."""
        if isinstance(node, nodes.Collect):
            return [self.lower(item, scope) for item in node.items]
        low = self.lower(node, scope)
        if isinstance(low, Known) and isinstance(low.value, tuple):
            return [Known(value) for value in low.value]
        raise CannotCompileError("a tuple that is neither written out nor known", node.span)

    def all_of(self, conditions: Sequence[Low]) -> Low:
        """All of some conditions, from the left, no further than needed."""
        return self._joined(conditions, "and")

    def any_of(self, conditions: Sequence[Low]) -> Low:
        """Any of some conditions, from the left, no further than needed."""
        return self._joined(conditions, "or")

    def _joined(self, conditions: Sequence[Low], operator: str) -> Low:
        """Known operands are dropped; one that decides cuts off those after it."""
        decides = operator == "or"
        texts: list[str] = []
        for low in conditions:
            if isinstance(low, Code):
                texts.append(low.text)
            elif low.value is decides:
                texts.append(str(decides))
                break
        if not texts:
            return Known(not decides)
        if texts == [str(decides)]:
            return Known(decides)
        return Code(texts[0] if len(texts) == 1 else f"({f' {operator} '.join(texts)})", BOOLEAN)

    def _logic(self, node: nodes.Logic, scope: Scope) -> Low:
        decides = node.operator == "or"
        lowered: list[Low] = []
        for operand in node.operands:
            low = self.lower(operand, scope)
            lowered.append(low)
            if isinstance(low, Known) and low.value is decides:
                before = node.operands[: len(lowered) - 1]
                if not any(self.safety.can_fail(one) for one in before):
                    return Known(decides)
                break
        return self._joined(lowered, node.operator)

    def _choose(self, node: nodes.Choose, scope: Scope) -> Low:
        condition = self.lower(node.condition, scope)
        if isinstance(condition, Known):
            return self.lower(node.then if condition.value else node.otherwise, scope)
        then, otherwise = self.lower(node.then, scope), self.lower(node.otherwise, scope)
        assert isinstance(node.type, Scalar)
        if then == otherwise and not self.safety.can_fail(node.condition):
            return then
        if node.type.is_boolean and isinstance(then, Known) and isinstance(otherwise, Known):
            return condition if then.value else self._not(condition)
        if _is_fraction(then) or _is_fraction(otherwise):
            one = then if isinstance(then, Code) else self.number_code(then.value, node.span)
            other = (
                otherwise
                if isinstance(otherwise, Code)
                else self.number_code(otherwise.value, node.span)
            )
            first, second, per = self.common(one, other)
            return Code(f"({first} if {condition.text} else {second})", node.type, per)
        return Code(
            f"({self.text(then)} if {condition.text} else {self.text(otherwise)})", node.type
        )

    # --- calls -----------------------------------------------------------------------------

    def bound(self, node: nodes.Apply, scope: Scope) -> Scope | None:
        """The scope of a call's body, its arguments worked out where they are used; None where
        that might change what fails."""
        inner = Scope(scope.turn, scope.me, {}, scope.stuck)
        for slot, argument in zip(node.definition.slots, node.arguments, strict=True):
            meaning = self.meaning_of(argument, scope)
            if meaning is None:
                return None
            inner = inner.having(slot, meaning)
        return inner

    def meaning_of(self, argument: nodes.Expr, scope: Scope) -> Known | Code | Later | None:
        """A known value, a name, or what cannot fail and so can wait; else None."""
        try:
            return Known(self.evaluator.value(argument, scope))
        except (NotKnownError, operations.OperationError):
            pass
        if isinstance(argument, nodes.Local):
            found = scope.of(argument.slot)
            return Later(found.node, found.scope) if isinstance(found, Bound) else found
        return None if self.safety.can_fail(argument) else Later(argument, scope)

    def _apply(self, node: nodes.Apply, scope: Scope) -> Low:
        """Small bodies in place, others as functions, one for each kind of arguments."""
        definition = node.definition
        inner = Scope(scope.turn, scope.me, {}, scope.stuck)
        given: dict[str, str] = {}
        shapes: list[object] = []
        in_place = True
        for slot, argument in zip(definition.slots, node.arguments, strict=True):
            if isinstance(argument.type, Scalar):
                low: Known | Code | Later = self.lower(argument, scope)
            else:
                found = self.meaning_of(argument, scope)
                if found is None:
                    raise CannotCompileError(
                        "a collection as an argument that may fail", argument.span
                    )
                low = found
            if isinstance(low, Code) and not low.is_name:
                in_place = False
            if isinstance(low, Later):
                shapes = []
                inner = inner.having(slot, low)
                continue
            inner = inner.having(slot, low)
            shapes.append(low)
        if in_place and (
            len(list(within(definition.body))) <= 12
            or any(isinstance(m, Later) for m in inner.slots.values())
        ):
            return self.lower(definition.body, inner)
        return self._call(node, inner, given, scope)

    def _call(self, node: nodes.Apply, inner: Scope, given: dict[str, str], scope: Scope) -> Low:
        definition = node.definition
        named = inner
        for slot, meaning in inner.slots.items():
            if isinstance(meaning, Code):
                name = self.program.named(f"{definition.name}_{slot}")
                given[name] = meaning.text
                named = named.having(slot, Code(name, meaning.type, meaning.per))
        result: list[Low] = []

        def write() -> None:
            low = self.lower(definition.body, named)
            result.append(low)
            if isinstance(low, Code):
                self.program.writer.line(f"return {low.text}")

        text = self.program.call(definition.name, write, given)
        low = result[0]
        return low if isinstance(low, Known) else Code(text, low.type, low.per)

    def _builtin(self, node: nodes.Builtin, scope: Scope) -> Low:
        if isinstance(node.arguments[0], nodes.Whole):
            return self.board_builtin(node, scope)
        match node.name:
            case "row":
                return self._by_table(node, node.arguments, operations.row, scope)
            case "column":
                return self._by_table(node, node.arguments, operations.column, scope)
            case "next" | "other":
                return self._following(node, scope)
            case "abs":
                low = self.numeric(node.arguments[0], scope)
                assert isinstance(node.type, Scalar)
                return Code(f"abs({low.text})", node.type, low.per)
        return self.reduce(node, scope)

    def _following(self, node: nodes.Builtin, scope: Scope) -> Low:
        players = self.model.players

        def after(player: Value) -> Value:
            if player not in players:
                raise operations.OperationError("no player")
            return players[(players.index(player) + 1) % len(players)]

        return self._by_table(node, node.arguments, after, scope)

    def _list_item(self, node: nodes.ListItem, scope: Scope) -> Low:
        items = self.lower(node.items, scope)
        index = self.lower(node.index, scope)
        assert isinstance(node.type, Scalar)
        found = (
            self.table_of(
                [items, index] if isinstance(items, Known) else [], operations.list_item, node.type
            )
            if isinstance(items, Known)
            else None
        )
        if found is None:
            raise CannotCompileError("a position that may lie outside its list", node.span)
        return found


def _is_fraction(low: Low) -> bool:
    if isinstance(low, Code):
        return low.per != 1
    return not isinstance(low.value, int | Atom | Vector | tuple)


def _can_be(kind: Scalar, value: Value) -> bool:
    """Whether an expression of this type may have the value; when in doubt, yes."""
    if isinstance(value, Atom):
        return value in kind.atoms
    if isinstance(value, Vector):
        return value in kind.vectors
    if isinstance(value, bool):
        return kind.boolean
    low, high = kind.interval
    return kind.has_numbers and not isinstance(value, tuple) and low <= value <= high


__all__ = ["NONE", "Expressions", "Low"]
