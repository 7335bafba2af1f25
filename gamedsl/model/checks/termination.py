"""Prove that recursion ends: a parameter changes monotonically at every recursive call.

For a `def` whose parameters have domains, the result is the greatest number of nested calls, and
the arguments that certainly lie in the domains; or the first call without a proof. A decreasing
whole number and a growing set end because the domains are finite. The facts at a call are the
conditions evaluated on the way to the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf

from gamedsl.model import nodes
from gamedsl.model.intervals import lies_in, narrowed_by
from gamedsl.model.nodes.likeness import key
from gamedsl.model.types import BOOLEAN, Scalar, element_of, is_number, number
from gamedsl.model.values import NONE
from gamedsl.model.walk import parts, sides_of, with_parts
from gamedsl.source import Span
from gamedsl.source.records import dataclass

DEEPEST = 5
"""Depth of the proof that a number is less than another number."""
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition that was evaluated, and its truth."""

    condition: nodes.Expr
    holds: bool


Facts = tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class SelfCall:
    """A recursive call, and the facts at the call."""

    node: nodes.ApplyRecursive
    facts: Facts


@dataclass(frozen=True, slots=True)
class Unproven:
    """A call without a proof. `nearest` is the parameter closest to a proof; `above` is the number
    that a numeric parameter must exceed."""

    span: Span
    nearest: nodes.Bounded | None
    above: int = 0


def levels_of(definition: nodes.RecursiveDefinition, body: nodes.Expr) -> int | Unproven:
    """The greatest number of nested calls; or the first call without a proof."""
    calls = list(_self_calls(body, definition, ()))
    if not calls:
        return 1
    for place, parameter in enumerate(definition.parameters):
        if all(_leads_on(call, place, parameter) for call in calls):
            return len(parameter.domain) + parameter.is_subset
    for call in calls:
        moved = [p for n, p in enumerate(definition.parameters) if _leads_on(call, n, p)]
        if not moved:
            return Unproven(call.node.span, *_nearest(call, definition))
    return Unproven(calls[0].node.span, None)


def with_proofs(definition: nodes.RecursiveDefinition, body: nodes.Expr) -> nodes.Expr:
    """The body, with a mark at each call which arguments certainly lie in their domains."""
    proved = {
        id(call.node): tuple(
            lies_within(argument, parameter, call.facts)
            for argument, parameter in zip(call.node.arguments, definition.parameters, strict=True)
        )
        for call in _self_calls(body, definition, ())
    }

    def noted(node: nodes.Expr) -> nodes.Expr:
        made = with_parts(node, noted)
        if isinstance(made, nodes.ApplyRecursive) and id(node) in proved:
            return replace(made, proved=proved[id(node)])
        return made

    return noted(body)


# --- calls, and what is known there ------------------------------------------------------------


def _self_calls(
    node: nodes.Expr, definition: nodes.RecursiveDefinition, facts: Facts
) -> Iterator[SelfCall]:
    """The recursive calls in an expression, in order of writing."""
    match node:
        case nodes.Logic():
            for operand in node.operands:
                yield from _self_calls(operand, definition, facts)
                facts = (*facts, *_split(operand, node.operator == "and"))
        case nodes.Conditional():
            yield from _self_calls(node.condition, definition, facts)
            then = (*facts, *_split(node.condition, True))
            otherwise = (*facts, *_split(node.condition, False))
            yield from _self_calls(node.then, definition, then)
            yield from _self_calls(node.otherwise, definition, otherwise)
        case nodes.Comprehension():
            for clause in node.clauses:
                yield from _self_calls(clause.domain, definition, facts)
                facts = (*facts, *_of_range(clause))
                if clause.condition is not None:
                    yield from _self_calls(clause.condition, definition, facts)
                    facts = (*facts, *_split(clause.condition, True))
            yield from _self_calls(node.element, definition, facts)
        case _:
            if isinstance(node, nodes.ApplyRecursive) and node.definition is definition:
                yield SelfCall(node, facts)
            for part in parts(node):
                yield from _self_calls(part, definition, facts)


def _split(condition: nodes.Expr, holds: bool) -> Iterator[Fact]:
    """The single conditions decided by a condition's truth; calls of other `def`s are expanded."""
    match condition:
        case nodes.Not():
            yield from _split(condition.operand, not holds)
        case nodes.Logic() if (condition.operator == "and") == holds:
            for operand in condition.operands:
                yield from _split(operand, holds)
        case nodes.Apply():
            bindings = dict(zip(condition.definition.slots, condition.arguments, strict=True))
            yield from _split(_with_locals(condition.definition.body, bindings), holds)
        case _:
            yield Fact(condition, holds)


def _with_locals(node: nodes.Expr, bindings: dict[int, nodes.Expr]) -> nodes.Expr:
    if node.local is not None:
        return bindings.get(node.local, node)
    return with_parts(node, lambda part: _with_locals(part, bindings))


def _of_range(clause: nodes.Clause) -> Iterable[Fact]:
    """The facts about a number taken from a range."""
    if clause.domain.called != "..":
        return ()
    low, high = parts(clause.domain)
    span = clause.domain.span
    local = nodes.Local(span, low.type, clause.name, clause.slot)
    ends = ((">=", low), ("<=", high))
    return tuple(Fact(nodes.Compare(span, BOOLEAN, sign, local, end), True) for sign, end in ends)


def _compared(node: nodes.Expr, facts: Facts) -> Iterator[tuple[str, nodes.Expr]]:
    """The comparisons known of an expression: `(operator, other side)`."""
    node_key = key(node)
    for fact in facts:
        if isinstance(fact.condition, nodes.Compare):
            sign = fact.condition.operator
            sign = sign if fact.holds else _OPPOSITE[sign]
            if key(fact.condition.left) == node_key:
                yield sign, fact.condition.right
            if key(fact.condition.right) == node_key:
                yield _FLIPPED[sign], fact.condition.left


# --- numbers -----------------------------------------------------------------------------------


def _bounds(node: nodes.Expr, facts: Facts) -> tuple[float, float]:
    """The least and the greatest whole number that an expression can be."""
    if not is_number(node.type) or not node.type.has_numbers:
        return -inf, inf
    low, high = (float(end) for end in node.type.interval)
    if isinstance(node, nodes.Arithmetic) and node.operator in {"+", "-"}:
        (least, most), (less, more) = _bounds(node.left, facts), _bounds(node.right, facts)
        sides = (least + less, most + more)
        if node.operator == "-":
            sides = (least - more, most - less)
        low, high = max(low, sides[0]), min(high, sides[1])
    if isinstance(node, nodes.Arithmetic) and node.operator == "-" and not node.type.rational:
        for sign, compared in _compared(node.left, facts):
            if key(compared) == key(node.right):
                low, high = narrowed_by(sign, (low, high), (0, 0))
    if node.called in {"min", "max"}:
        (listed,) = parts(node)
        if isinstance(listed, nodes.Collection):
            pick = min if node.called == "min" else max
            lows, highs = zip(*(_bounds(item, facts) for item in listed.items), strict=True)
            low, high = max(low, pick(lows)), min(high, pick(highs))
    if isinstance(node, nodes.Arithmetic) and node.operator == "%":
        least, most = _bounds(node.right, facts)
        if least >= 1:
            low, high = max(low, 0), min(high, most - 1)
    for sign, compared in _compared(node, facts):
        if not is_number(compared.type) or not compared.type.has_numbers or compared.type.rational:
            continue
        least, most = (float(end) for end in compared.type.interval)
        low, high = narrowed_by(sign, (low, high), (least, most))
    return low, high


def _is_below(node: nodes.Expr, limit: nodes.Expr, facts: Facts, depth: int = DEEPEST) -> bool:
    """Whether a number is certainly less than another number."""
    if depth == 0:
        return False
    if _bounds(node, facts)[1] < _bounds(limit, facts)[0]:
        return True
    match node:
        case nodes.Arithmetic(operator="-") if _bounds(node.right, facts)[0] >= 1:
            if _is_at_most(node.left, limit, facts, depth):
                return True
        case nodes.Arithmetic(operator="+"):
            for base, added in ((node.left, node.right), (node.right, node.left)):
                is_less = _bounds(added, facts)[1] <= -1
                if is_less and _is_at_most(base, limit, facts, depth):
                    return True
        case nodes.Arithmetic(operator="//"):
            halves = _bounds(node.right, facts)[0] >= 2 and _bounds(node.left, facts)[0] >= 1
            if halves and _is_at_most(node.left, limit, facts, depth):
                return True
        case nodes.Arithmetic(operator="%") if _bounds(node.right, facts)[0] >= 1:
            if _is_at_most(node.right, limit, facts, depth):
                return True
        case nodes.Builtin(name="min" | "max", arguments=(nodes.Collection(items=items),)):
            decides = any if node.name == "min" else all
            if decides(_is_below(item, limit, facts, depth - 1) for item in items):
                return True
    return any(
        (sign == "<" and _is_at_most(third, limit, facts, depth - 1))
        or (sign in {"<=", "=="} and _is_below(third, limit, facts, depth - 1))
        for sign, third in _compared(node, facts)
    )


def _is_at_most(node: nodes.Expr, limit: nodes.Expr, facts: Facts, depth: int) -> bool:
    return key(node) == key(limit) or _is_below(node, limit, facts, depth - 1)


# --- parameters --------------------------------------------------------------------------------


def _leads_on(call: SelfCall, place: int, parameter: nodes.Bounded) -> bool:
    """Whether a parameter changes monotonically at a call, towards the end of the recursion."""
    argument = call.node.arguments[place]
    local = _local_of(parameter, argument)
    if parameter.is_subset:
        return any(_is_absent(element, local, call.facts) for element in _added(argument, local))
    if not all(isinstance(v, int) and not isinstance(v, bool) for v in parameter.domain.values):
        return False
    return _is_below(argument, local, call.facts) and lies_within(argument, parameter, call.facts)


def _local_of(parameter: nodes.Bounded, argument: nodes.Expr) -> nodes.Local:
    values = parameter.domain.values
    numbers = [value for value in values if isinstance(value, int)]
    kind = number(min(numbers), max(numbers)) if numbers else argument.type
    return nodes.Local(argument.span, kind, parameter.name, parameter.slot)


def _added(argument: nodes.Expr, local: nodes.Local) -> tuple[nodes.Expr, ...]:
    """The elements that a union adds to the set `local`; empty if `local` is not part of the
    union."""
    sides = list(sides_of(argument))
    if not any(key(side) == key(local) for side in sides):
        return ()
    elements: list[nodes.Expr] = []
    for side in sides:
        if isinstance(side, nodes.Collection):
            elements.extend(side.items)
        elif isinstance(side.type, Scalar):
            elements.append(side)
    return tuple(elements)


def _is_absent(element: nodes.Expr, local: nodes.Local, facts: Facts) -> bool:
    """Whether a value is known to lie outside a set."""
    return any(
        isinstance(fact.condition, nodes.Member)
        and not fact.holds
        and key(fact.condition.collection) == key(local)
        and key(fact.condition.element) == key(element)
        for fact in facts
    )


def lies_within(argument: nodes.Expr, parameter: nodes.Bounded, facts: Facts = ()) -> bool:
    """Whether an argument certainly lies in its domain; for a set, whether all elements do."""
    if parameter.is_subset:
        return _is_subset(argument, parameter, facts)
    if not isinstance(argument.type, Scalar):
        return False
    if lies_in(argument.type, parameter.domain) is True:
        return True
    if argument.type.can_be_none and _is_some(argument, facts):
        return lies_in(argument.type.without_none(), parameter.domain) is True
    values = [v for v in parameter.domain.values if isinstance(v, int) and not isinstance(v, bool)]
    if not is_number(argument.type) or argument.type.can_be_none or argument.type.rational:
        return False
    if not values or len(values) != max(values) - min(values) + 1:
        return False
    low, high = _bounds(argument, facts)
    return min(values) <= low and high <= max(values)


def _is_subset(argument: nodes.Expr, parameter: nodes.Bounded, facts: Facts) -> bool:
    """Whether a set is certainly a subset of a domain: the parameter itself, with added
    elements."""
    parameter_key = key(_local_of(parameter, argument))
    return all(
        key(side) == parameter_key
        or _is_side_within(side, replace(parameter, is_subset=False), facts)
        for side in sides_of(argument)
    )


def _is_side_within(side: nodes.Expr, element: nodes.Bounded, facts: Facts) -> bool:
    """Whether a side of a union certainly lies in a domain."""
    match side:
        case nodes.Const(value=tuple() as values):
            return all(element.domain.position(value) is not None for value in values)
        case nodes.Collection(items=items):
            return all(lies_within(item, element, facts) for item in items)
    if isinstance(side.type, Scalar):
        return lies_within(side, element, facts)
    kind = element_of(side.type)
    return isinstance(kind, Scalar) and lies_in(kind, element.domain) is True


def _is_some(node: nodes.Expr, facts: Facts) -> bool:
    """Whether a value is known not to be `none`: by a comparison of the value, or of a cell with
    the value as an index."""
    node_key = key(node)
    for sign, compared in _compared(node, facts):
        if sign == "!=" and compared.known is NONE:
            return True
        if sign == "==" and not _can_be_none(compared):
            return True
    for fact in facts:
        condition = fact.condition
        if isinstance(condition, nodes.Compare) and fact.holds == (condition.operator == "=="):
            for cell, compared in (
                (condition.left, condition.right),
                (condition.right, condition.left),
            ):
                if isinstance(cell, nodes.Cell) and condition.operator in {"==", "!="}:
                    is_index = any(key(index) == node_key for index in cell.indices)
                    if is_index and not _can_be_none(compared):
                        return True
    return False


def _can_be_none(node: nodes.Expr) -> bool:
    return not isinstance(node.type, Scalar) or node.type.unknown or node.type.can_be_none


def _nearest(
    call: SelfCall, definition: nodes.RecursiveDefinition
) -> tuple[nodes.Bounded | None, int]:
    """The parameter that a call changes in the right direction, and the number above which the
    change stays within the domain."""
    for argument, parameter in zip(call.node.arguments, definition.parameters, strict=True):
        local = _local_of(parameter, argument)
        if parameter.is_subset and _added(argument, local):
            return parameter, 0
        if parameter.is_subset or not isinstance(argument, nodes.Arithmetic):
            continue
        if argument.operator in {"-", "//"} and key(argument.left) == key(local):
            lowest = min(value for value in parameter.domain.values if isinstance(value, int))
            match argument:
                case nodes.Arithmetic(operator="-", right=nodes.Const(value=int() as step)):
                    return parameter, lowest + step - 1
            return parameter, lowest
    return None, 0
