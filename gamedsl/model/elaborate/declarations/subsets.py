"""Elaborate `s subset of S`: a parameter of a move that is a set.

The typed parameter is the number of a subset in a list: smaller subsets first, subsets of equal
size in the order of S. The parameter's name stands for the subset with that number. Later stages
handle a number and a list of sets, as in `for (a, b) in S`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import accumulate, chain, combinations, takewhile
from math import comb

from gamedsl.model import nodes
from gamedsl.model.elaborate.certainty import is_never
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.narrowing import learned
from gamedsl.model.limits import MOST_CHOSEN_FROM, MOST_SUBSETS
from gamedsl.model.operations import OperationError
from gamedsl.model.semantics.evaluate import Locals, NotKnownError, evaluate
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import (
    BOOLEAN,
    UNKNOWN,
    ListType,
    Scalar,
    SetType,
    describe,
    element_of,
    number,
)
from gamedsl.model.values import Domain, Value, unique
from gamedsl.model.walk import conjuncts, parts
from gamedsl.syntax import ast


def elaborate_subset(
    elaborator: Elaborator, written: ast.Parameter, scope: Scope
) -> tuple[nodes.Parameter | None, Scope]:
    """The parameter (None after an error), and the scope with the parameter's name as a set.

    If S depends on the state, all elements of a subset must lie in S.
    """
    name = written.name
    domain = elaborator.worked_out(
        written.domain, elaborator.collection(written.domain, scope, f"parameter `{name.text}`")
    )
    element = element_of(domain.type)
    members = _members(elaborator, written, domain, element)
    if members is None or not isinstance(element, Scalar):
        return None, elaborator.new_local(name, UNKNOWN, scope)[0]
    sizes = _sizes(elaborator, written, scope, element, members)
    if sizes is None:
        _refuse_number(elaborator, written, len(members))
        return None, elaborator.new_local(name, SetType(element, len(members)), scope)[0]
    subsets = tuple(chain.from_iterable(combinations(members, size) for size in sizes))
    count = len(subsets)
    elaborator.check_free(name, scope)
    here = nodes.Local(
        name.span, number(1, max(count, 1)), name.text, elaborator.new_slot(name.text)
    )
    kind = SetType(element, max(sizes, default=0))
    items = nodes.Const(name.span, ListType(kind, count), subsets)
    subset = nodes.Builtin(name.span, kind, "[]", (items, here))
    scope = scope.having(name.text, subset)
    conditions = [] if domain.known is not None else [_lies_in(elaborator, subset, domain)]
    if written.condition is not None:
        asked = partial(elaborator.condition, written.condition, scope, "`where`")
        where = elaborator.elaborate_if_reachable(not is_never(domain.type), asked, None)
        conditions += [] if where is None else [where]
    condition = _both(conditions)
    if condition is not None:
        scope = scope.knowing(learned(condition))
        firsts = list(accumulate((comb(len(members), size) for size in sizes), initial=1))[:-1]
        condition = _undecided(elaborator, condition, here.slot, firsts)
    places = Domain(tuple(range(1, count + 1)))
    return nodes.Parameter(name.text, here.slot, places, None, condition, subsets), scope


def _members(
    elaborator: Elaborator, written: ast.Parameter, domain: nodes.Expr, element: object
) -> tuple[Value, ...] | None:
    """All values that subsets may contain; None if S is in error or unknown."""
    if not isinstance(element, Scalar):
        elaborator.reporter.report(
            "E1105",
            written.domain.span,
            f"a subset holds single values; these are {describe(element_of(domain.type))}",
        )
        return None
    if element.unknown:
        return None
    if isinstance(domain.known, tuple):
        return unique(domain.known)
    values = element.enumerate()
    if values is None:
        elaborator.reporter.report(
            "E1203",
            written.domain.span,
            f"what `{written.name.text}` may hold must be known before the game starts; this is"
            f" {describe(element)}",
            hint="name a fixed set, and narrow it with `where`",
        )
    return values


def _sizes(
    elaborator: Elaborator,
    written: ast.Parameter,
    scope: Scope,
    element: Scalar,
    members: tuple[Value, ...],
) -> list[int] | None:
    """The sizes that `where` allows, judged by conditions on the size alone (`count(s) == 3`); None
    if there are too many subsets of the allowed sizes."""
    if len(members) > MOST_CHOSEN_FROM:
        return None
    passes = _test_of_sizes(elaborator, written, scope, element, members)
    sizes, count = [], 0
    for size in range(len(members) + 1):
        if passes(size):
            sizes.append(size)
            count += comb(len(members), size)
        if count > MOST_SUBSETS:
            return None
    return sizes


def _test_of_sizes(
    elaborator: Elaborator,
    written: ast.Parameter,
    scope: Scope,
    element: Scalar,
    members: tuple[Value, ...],
) -> Callable[[int], bool]:
    if written.condition is None:
        return lambda size: True
    slots, steps = len(elaborator.slot_names), elaborator.effort.steps
    instances = dict(elaborator.calls.instances)
    with elaborator.reporter.apart():
        inner, slot = elaborator.new_local(written.name, SetType(element, len(members)), scope)
        condition = elaborator.condition(written.condition, inner, "`where`")
    del elaborator.slot_names[slots:]
    elaborator.effort.steps, elaborator.calls.instances = steps, instances
    tests = [test for test in conjuncts(condition) if _asks_of_size(test, slot)]
    return lambda size: all(
        _answer(elaborator, test, slot, members[:size]) is not False for test in tests
    )


def _answer(elaborator: Elaborator, test: nodes.Expr, slot: int, value: Value) -> Value | None:
    """The value of a test for a value of a local; None if unknown."""
    try:
        return evaluate(test, elaborator.symbols, Locals({slot: value}))
    except (NotKnownError, OperationError):
        return None


def _undecided(
    elaborator: Elaborator, condition: nodes.Expr, slot: int, firsts: list[int]
) -> nodes.Expr | None:
    """The condition without the tests of the size alone that hold for all listed subsets;
    `firsts`: the numbers of the first subsets of each size."""
    tests = conjuncts(condition)
    kept = [
        test
        for test in tests
        if not _asks_of_size(test, slot)
        or any(_answer(elaborator, test, slot, first) is not True for first in firsts)
    ]
    return condition if len(kept) == len(tests) else _both(kept)


def _asks_of_size(node: nodes.Expr, slot: int) -> bool:
    """Whether a condition depends on a set only by the number of elements."""
    match node:
        case nodes.Builtin(name="len" | "count", arguments=(counted,)) if _is(counted, slot):
            return True
        case nodes.Compare(operator="==" | "!=", left=left, right=right):
            for side, opposite in ((left, right), (right, left)):
                if side.known == () and _is(opposite, slot):
                    return True
        case nodes.Local() | nodes.Comprehension() | nodes.Apply() | nodes.ApplyRecursive():
            return False
    return all(_asks_of_size(part, slot) for part in parts(node))


def _is(node: nodes.Expr, slot: int) -> bool:
    """Whether an expression is the local, or the element of a list with the local's number."""
    if isinstance(node, nodes.Builtin) and node.name == "[]":
        node = node.arguments[1]
    return node.local == slot


def _refuse_number(elaborator: Elaborator, written: ast.Parameter, members: int) -> None:
    name = written.name.text
    sizes = range(1, members + 1)
    sums = accumulate((comb(members, size) for size in sizes), initial=1)
    most = sum(1 for _ in takewhile(lambda count: count <= MOST_SUBSETS, sums)) - 1
    few = f"say how many: `where count({name}) <= {most}`; or " if most > 1 else ""
    elaborator.reporter.report(
        "E1203",
        written.domain.span,
        f"`{name}` could be more than {MOST_SUBSETS:,} subsets of these {members:,} values",
        hint=f"{few}let a move choose one element, and `again` the next",
    )


def _lies_in(elaborator: Elaborator, subset: nodes.Builtin, domain: nodes.Expr) -> nodes.Expr:
    """`all(one in S for one in s)`"""
    assert isinstance(subset.type, SetType)
    span, slot = domain.span, elaborator.new_slot("one")
    member = nodes.Member(
        span, BOOLEAN, nodes.Local(span, subset.type.element, "one", slot), domain
    )
    return nodes.Comprehension(
        span, BOOLEAN, "all", (nodes.Clause(slot, "one", subset, None),), member
    )


def _both(conditions: list[nodes.Expr]) -> nodes.Expr | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return nodes.Logic(conditions[-1].span, BOOLEAN, "and", tuple(conditions))
