"""Expressions evaluated at compile time or turned into tables; the base of the lowering.

A node in a scope becomes `Known` or `Code`. Expressions that do not depend on the state are
evaluated at compile time, singly (`Known`) or for all values of a few locals (a table). The meaning
of the kinds of nodes is defined in the modules above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import prod

from gamedsl.compiler.codes import Codes
from gamedsl.compiler.faults import Message
from gamedsl.compiler.ir.values import (
    ZERO,
    guard,
    lookup,
)
from gamedsl.compiler.ir.values import (
    Value as Expr,
)
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.memo import Entry
from gamedsl.compiler.lowering.values.scope import Bound, Code, Held, Known, Low, Scope, SquareSet
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes, operations
from gamedsl.model.builtins import row_of
from gamedsl.model.types import BOOLEAN, Scalar
from gamedsl.model.values import Atom, Value
from gamedsl.model.walk import parts, within

LARGEST_TABLE = 1 << 13
LARGEST_WORTH = 256
"""Limit on the entries of a table in place of code, which is shorter than a larger table."""
GAP = Atom("no value", "no value", 0)
"""The value for codes that no value has."""


ByKind = Callable[[Lowering, nodes.Expr, Scope], Low]
"""Lowers an expression that is neither known nor a table."""


def lower(lowering: Lowering, node: nodes.Expr, scope: Scope, by_kind: ByKind) -> Low:
    """The expression as a known value or as code; cached by scope."""
    if node.local is not None or node.known is not None or node.asks in {"turn", "me"}:
        return _lower_anew(lowering, node, scope, by_kind)
    key = (shape(lowering, node, scope, ()), scope.stuck, scope.calls)
    low = lowering.memo.lowered.get(key)
    if low is None:
        low = lowering.memo.lowered[key] = _lower_anew(lowering, node, scope, by_kind)
    return low


def _lower_anew(lowering: Lowering, node: nodes.Expr, scope: Scope, by_kind: ByKind) -> Low:
    lowering.origin.parts.add(node.span)
    known = lowering.evaluator.known(node, scope)
    if known is not None:
        return Known(known)
    if _is_geometric(lowering, node) and not lowering.can_fail(node):
        low = tabulated(lowering, node, scope)
        if low is not None:
            return low
    return by_kind(lowering, node, scope)


def span_of_codes(lowering: Lowering, kind: Scalar) -> tuple[int, int, dict[int, Value]] | None:
    """The least code, the size of the range up to the greatest code, and the values by code."""
    if kind not in lowering.memo.tables.spans:
        lowering.memo.tables.spans[kind] = _span_of_codes(lowering.codes, kind)
    return lowering.memo.tables.spans[kind]


def _span_of_codes(codes: Codes, kind: Scalar) -> tuple[int, int, dict[int, Value]] | None:
    values = kind.enumerate()
    if values is None or not values or len(values) > LARGEST_TABLE:
        return None
    by_code = {codes.code(value): value for value in values}
    low = min(by_code)
    return low, max(by_code) - low + 1, by_code


def table_of(
    lowering: Lowering,
    operands: Sequence[Low],
    function: Callable[..., Value | None],
    kind: Scalar,
    shape: object = None,
    may_fail: bool = False,
    site: Callable[[Message, tuple[str, ...]], int] | None = None,
) -> Low | None:
    """A table of a function of scalars. None where the table would be too large, or the function
    has no result (None, or OperationError) for some values. With `site`, which numbers the messages
    of guards, an OperationError becomes a guard. Functions of equal `shape` (not None) are equal;
    operands that `may_fail` are always looked up.
    """
    spans = []
    for operand in operands:
        if isinstance(operand, Code):
            span = span_of_codes(lowering, operand.type) if operand.per == 1 else None
            if span is None:
                return None
            spans.append(span)
    if prod(count for _, count, _ in spans) > LARGEST_TABLE:
        return None
    if shape is None or shape not in lowering.memo.tables.worked_out:
        entries = work_out_entries(operands, function, spans, fails=site is not None)
        if shape is not None:
            lowering.memo.tables.worked_out[shape] = entries
    else:
        entries = lowering.memo.tables.worked_out[shape]
    if entries is None:
        return None
    codes = [operand for operand in operands if isinstance(operand, Code)]
    errors = {
        n: (str(entry), entry.hint)
        for n, entry in enumerate(entries)
        if isinstance(entry, operations.OperationError)
    }
    answers = [None if isinstance(entry, operations.OperationError) else entry for entry in entries]
    index = index_of(lowering, codes, spans)
    if site is None or not errors:
        return _looked_up(lowering, index, answers, kind, may_fail)
    number = site(lambda detail, _: errors[detail], tuple(said for said, _ in errors.values()))
    value = lowering.value(_looked_up(lowering, index, answers, kind, True))
    has_answer = lookup(tuple(int(n not in errors) for n in range(len(answers))), index).ne(0)
    return Code(guard(has_answer, value, number, index), kind)


def work_out_entries(
    operands: Sequence[Low],
    function: Callable[..., Value | None],
    spans: list[tuple[int, int, dict[int, Value]]],
    *,
    fails: bool = False,
) -> list[Entry] | None:
    """The results of a function for all values of the operands that are code. None where a result
    is missing. Codes without a value give the entry None. With `fails`, values without a result
    give the error as entry.
    """
    entries: list[Entry] = []
    of_codes = iter(spans)
    ranges = [
        _values_in(*next(of_codes)) if isinstance(operand, Code) else [operand.value]
        for operand in operands
    ]
    has_gaps = any(value is GAP for values in ranges for value in values)
    for values in product(*ranges):
        if has_gaps and any(value is GAP for value in values):
            entries.append(None)
            continue
        try:
            entry = function(*values)
        except operations.OperationError as error:
            if not fails:
                return None
            entries.append(error)
            continue
        if entry is None:
            return None
        entries.append(entry)
    return entries


def _values_in(low: int, count: int, by_code: dict[int, Value]) -> list[Value]:
    """The values of codes in order, `GAP` where a code has no value."""
    return [by_code.get(code, GAP) for code in range(low, low + count)]


def index_of(
    lowering: Lowering, operands: list[Code], spans: list[tuple[int, int, dict[int, Value]]]
) -> Expr:
    """The index in a table for given operands."""
    index = ZERO
    for operand, (low, count, _) in zip(operands, spans, strict=True):
        index = index * count + lowering.offset(lowering.integer_of(operand), low)
    return index


def _looked_up(
    lowering: Lowering,
    index: Expr,
    entries: list[Value | None],
    kind: Scalar,
    may_fail: bool,
) -> Low:
    real = [entry for entry in entries if entry is not None]
    if not may_fail and all(operations.equal(entry, real[0]) for entry in real):
        return Known(real[0])
    codes = tuple(0 if entry is None else lowering.codes.code(entry) for entry in entries)
    code = lookup(codes, index)
    if real and all(isinstance(entry, bool) for entry in real):
        return Code(code.ne(0), BOOLEAN)
    return Code(code, kind)


def tabulated(lowering: Lowering, node: nodes.Expr, scope: Scope) -> Low | None:
    """A state-free expression of few locals as a table; None for other expressions."""
    if not lowering.does(Strategy.TABLES):
        return None
    if not isinstance(node.type, Scalar) or node.type.rational:
        return None
    free: dict[Expr, Code] = {}
    if not free_codes(lowering, node, scope, set(), free) or not 0 < len(free) <= 3:
        return None
    operands = list(free.values())
    spans = [span_of_codes(lowering, operand.type) for operand in operands]
    if prod(LARGEST_TABLE if span is None else span[1] for span in spans) > LARGEST_WORTH:
        return None
    value = _solved(lowering, node, scope, operands) or lowering.evaluator.function(
        node, scope, list(free)
    )
    return table_of(lowering, operands, value, node.type, shape(lowering, node, scope, list(free)))


def _solved(
    lowering: Lowering, node: nodes.Expr, scope: Scope, operands: list[Code]
) -> Callable[..., bool] | None:
    """A condition on several operands by its solutions: the values of one operand that satisfy the
    condition, found once for all values of the others; None where solutions cannot be found.
    """
    if node.type != BOOLEAN or len(operands) < 2:
        return None
    for place, operand in enumerate(operands):
        values = operand.type.enumerate()
        if not values or any(isinstance(value, int | Fraction) for value in values):
            continue  # `true` and 1 are different values, but equal in Python
        others = [other.expr for other in operands if other is not operand]
        solutions = lowering.evaluator.solutions(
            node,
            scope,
            others,
            partial(is_code, scope=scope, expr=operand.expr),
            partial(depends, lowering, scope=scope, on=operand.expr),
        )
        if solutions is not None:
            return partial(
                _is_solution, lru_cache(None, typed=True)(partial(_as_set, solutions)), place
            )
    return None


def _as_set(solutions: Callable[..., Iterable[Value]], *known: Value) -> frozenset[Value]:
    return frozenset(solutions(*known))


def _is_solution(solved: Callable[..., frozenset[Value]], place: int, *values: Value) -> bool:
    return values[place] in solved(*values[:place], *values[place + 1 :])


def is_code(node: nodes.Expr, scope: Scope, expr: Expr) -> bool:
    """Whether an expression is a local that stands for some code."""
    meaning = scope.of(node.local)
    if isinstance(meaning, Bound):
        return is_code(meaning.node, meaning.scope, expr)
    return isinstance(meaning, Code) and meaning.expr is expr


def depends(lowering: Lowering, node: nodes.Expr, scope: Scope, on: Expr) -> bool:
    """Whether an expression reads code that has a name in common with `on`."""
    key = shape(lowering, node, scope, ()), on
    if key not in lowering.memo.traits.depends:
        lowering.memo.traits.depends[key] = _depends_anew(lowering, node, scope, on)
    return lowering.memo.traits.depends[key]


def _depends_anew(lowering: Lowering, node: nodes.Expr, scope: Scope, on: Expr) -> bool:
    if node.local is not None:
        meaning = scope.of(node.local)
        if isinstance(meaning, Bound):
            return depends(lowering, meaning.node, meaning.scope, on)
        return _overlap(meaning, on)
    if node.asks in {"turn", "me"}:
        return _overlap(scope.mover(node.asks), on)
    if isinstance(node, nodes.Apply) and depends(lowering, node.definition.body, scope, on):
        return True
    return any(depends(lowering, part, scope, on) for part in parts(node))


def _overlap(meaning: object, on: Expr) -> bool:
    return isinstance(meaning, Code) and not meaning.expr.names.isdisjoint(on.names)


def shape(lowering: Lowering, node: nodes.Expr, scope: Scope, names: Sequence[Expr]) -> object:
    """The dependencies of a state-free expression besides the values of the code in `names`:
    expressions of equal shape have equal values.
    """
    slots, has_turn, has_me = _free_slots(lowering, node)
    parts_ = [_shape_of(lowering, scope.of(slot), names) for slot in slots]
    parts_ += [_shape_of(lowering, scope.turn, names)] if has_turn else []
    parts_ += [_shape_of(lowering, scope.me, names)] if has_me else []
    return (id(node), *parts_)


def _shape_of(
    lowering: Lowering,
    meaning: Known | Code | Bound | Held | SquareSet | None,
    names: Sequence[Expr],
) -> object:
    match meaning:
        case Known():
            return (type(meaning.value), meaning.value)
        case Code():
            at = names.index(meaning.expr) if meaning.expr in names else meaning.expr
            return (at, meaning.type, meaning.per)
        case Bound():
            return shape(lowering, meaning.node, meaning.scope, names)
        case Held() | SquareSet():
            return meaning
    return None


def _free_slots(lowering: Lowering, node: nodes.Expr) -> tuple[tuple[int, ...], bool, bool]:
    """The locals that an expression reads, and whether the expression reads `turn` and `me`."""
    reads = lowering.memo.traits.reads.get(id(node))
    if reads is None:
        inside = list(within(node))
        slots = dict.fromkeys(part.local for part in inside if part.local is not None)
        asked = {part.asks for part in inside}
        reads = (tuple(slots), "turn" in asked, "me" in asked)
        lowering.memo.traits.reads[id(node)] = reads
        lowering.memo.traits.pinned.append(node)  # kept alive, so that its id stays unique
    return reads


def free_codes(
    lowering: Lowering, node: nodes.Expr, scope: Scope, bound: set[int], free: dict[Expr, Code]
) -> bool:
    """Collect the code behind an expression's locals; False if the expression reads the state."""
    if node.asks in {"state", "moves"} or isinstance(node, nodes.ApplyRecursive):
        return False
    if node.asks:
        return _free_of(lowering, scope.mover(node.asks), free)
    if node.local is not None and node.local not in bound:
        return _free_of(lowering, scope.of(node.local), free)
    if isinstance(node, nodes.Apply):
        inside = bound.union(node.binds)
        if not free_codes(lowering, node.definition.body, scope, inside, free):
            return False
    elif node.binds:
        bound = bound.union(node.binds)
    return all(free_codes(lowering, part, scope, bound, free) for part in parts(node))


def _free_of(
    lowering: Lowering,
    meaning: Known | Code | Bound | Held | SquareSet | None,
    free: dict[Expr, Code],
) -> bool:
    match meaning:
        case Code():
            free[meaning.expr] = meaning
            return True
        case Bound():
            return free_codes(lowering, meaning.node, meaning.scope, set(), free)
        case None | Held() | SquareSet():
            return False
    return True


def _is_geometric(lowering: Lowering, node: nodes.Expr) -> bool:
    """Whether a table may pay: some part of the expression is more than arithmetic."""
    is_geometric = lowering.memo.traits.geometric.get(id(node))
    if is_geometric is None:
        is_geometric = any(
            (part.reads is not None and part.reads.is_constant)
            or isinstance(part, nodes.Comprehension | nodes.Member)
            or (part.called and not row_of(part.called).is_arithmetic)
            for part in within(node)
        )  # fmt: skip
        lowering.memo.traits.geometric[id(node)] = is_geometric
        lowering.memo.traits.pinned.append(node)
    return is_geometric
