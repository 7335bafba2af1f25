"""Enumeration of the legal instances of moves.

Loops over the legal instances of a move for a given player give ascending ids: parameters in
declaration order, the last fastest. The `where`s of the parameters and the `require`s before the
first change may be tested in any order if none of them can fail. Tests of one square become a set,
and the loop runs over the set instead of all squares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod

from gamedsl.compiler.ir.values import TRUE, Value, any_of, integer
from gamedsl.compiler.lowering.bodies import blocks, state_functions
from gamedsl.compiler.lowering.bodies.action_ids import Instance, instance_of
from gamedsl.compiler.lowering.bodies.failure_paths import NOWHERE, Risks
from gamedsl.compiler.lowering.bodies.failure_proofs import Proofs
from gamedsl.compiler.lowering.sets import parallel_tests, quantified
from gamedsl.compiler.lowering.sets.necessary import necessary
from gamedsl.compiler.lowering.values import cells, collections, conditions
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Bound, Known, Later, Low, Scope, Testing
from gamedsl.compiler.options import Strategy
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, scalar_of
from gamedsl.model.values import Value as GameValue
from gamedsl.model.walk import conjuncts, parts
from gamedsl.source.records import dataclass

InstanceAt = Callable[[Value], Instance]
MOST_CASES = 16

"""Limit on sets computed together, one for each combination of the later parameters."""


@dataclass(frozen=True, slots=True)
class ActionSink:
    """Callbacks that write the code for legal instances.

    Attributes:
        on_action: for a single instance.
        on_set: for a set of squares, each of which gives a legal instance, where the identity of
            the instances is irrelevant (None: loop over the set).
        on_attempt: before a test that may fail: the id of the instance, or -2 minus the number of
            the move (None: nothing).
        on_set_elements: where any order will do: for a set, held in a local, each bit of which
            stands for a legal instance, a function from the number of a bit to the instance, and
            the numbers of all bits.
        is_unchecked: an instance whose legality depends on running its body counts as legal.
        is_wanted: where false, the legality of an instance no longer matters, and its body is run
            only where running may fail (None: every instance matters).
    """

    on_action: Callable[[Instance], None]
    on_set: Callable[[Value], None] | None = None
    on_attempt: Callable[[Value], None] | None = None
    on_set_elements: Callable[[Value, InstanceAt, Sequence[int]], None] | None = None
    is_unchecked: bool = False
    is_wanted: Value | None = None


@dataclass(frozen=True, slots=True)
class Lead:
    """The head of a body: `let`s and guards that cannot fail and may be tested in any order.

    Attributes:
        scope: the scope with the `let`s.
        tests: the guards' conditions, `and`s taken apart.
        guards: the guards themselves.
        is_all: legality depends on these guards alone.
    """

    scope: Scope
    tests: tuple[nodes.Expr, ...]
    guards: tuple[nodes.Require, ...]
    is_all: bool


@dataclass(frozen=True, slots=True)
class Case:
    """The possible squares of a parameter for one combination of the later parameters: the set, the
    scope and digits of the combination, and the remaining tests for each square.
    """

    bits: Value
    scope: Scope
    digits: tuple[Value, ...]
    residue: tuple[nodes.Expr, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """The state of the enumeration of a move.

    Attributes:
        tests: remaining conditions.
        digits: digits of the parameters bound so far.
        lead: the guards among the tests.
    """

    move: nodes.Move
    scope: Scope
    tests: tuple[nodes.Expr, ...]
    digits: tuple[Value, ...]
    lead: Lead
    sink: ActionSink


def instances(lowering: Lowering, move: nodes.Move, scope: Scope, sink: ActionSink) -> None:
    """Loops over all legal instances."""
    lowering.comment(move.span.start)
    tests = [test for parameter in move.parameters for test in _tests_of(parameter)]
    if sink.on_attempt is not None and not is_safe(lowering, move):
        sink.on_attempt(integer(-2 - lowering.model.moves.index(move)))
    else:
        sink = replace(sink, on_attempt=None)
    if any(lowering.can_fail(test) for test in tests):
        _in_order(lowering, move, 0, scope, (), sink)
        return
    lead = lead_of(lowering, move, scope)
    tests = [*_split(tests), *lead.tests]
    search = Search(move, lead.scope, tuple(tests), (), lead, sink)
    if move.parameters and sink.on_set_elements is None:
        _with_ripe(lowering, search)
    else:  # sets of elements are held for later, whatever the tests give
        _enumerate(lowering, search)


def all_instances(
    lowering: Lowering, moves: Iterable[nodes.Move], player: int, sink: ActionSink
) -> None:
    """Loops over all legal instances of some moves of a player."""
    for move in moves:
        instances(lowering, move, state_functions.scope_of_move(lowering, move, player), sink)


def is_safe(lowering: Lowering, move: nodes.Move) -> bool:
    """Whether the enumeration of legal instances cannot fail, for any player to move."""
    tests = [test for parameter in move.parameters for test in _tests_of(parameter)]
    scopes = (
        state_functions.scope_of(lowering, player, move.body)
        for player in range(len(lowering.model.players))
    )
    return not any(lowering.can_fail(test) for test in tests) and all(
        lead_of(lowering, move, scope).is_all for scope in scopes
    )


def cannot_fail(lowering: Lowering, move: nodes.Move) -> bool:
    """Whether testing the legality of instances cannot fail, bodies included."""
    tests = [test for parameter in move.parameters for test in _tests_of(parameter)]
    may_fail = any(lowering.can_fail(test) for test in tests)
    return not may_fail and not risks(lowering, move).paths


def lead_of(lowering: Lowering, move: nodes.Move, scope: Scope) -> Lead:
    """The head of a body. Where the executed block of a branch is known, for example after `if turn
    == White`, the guards of the block belong to the head. Of a guard that may fail, and ends the
    head, a necessary condition belongs to the tests.
    """
    tests: list[nodes.Expr] = []
    guards: list[nodes.Require] = []
    rest = list(move.body)
    while _guards_in(lowering, rest, scope):
        statement = rest.pop(0)
        block = _block_of(lowering, statement, scope)
        if block is not None:
            rest = [*block, *rest]
            continue
        match statement:
            case nodes.Let() if not lowering.can_fail(statement.value):
                scope = scope.having(statement.slot, Later(statement.value, None))
            case nodes.Require() if not lowering.can_fail(statement.condition):
                tests += _split([statement.condition])
                guards.append(statement)
            case _:
                if isinstance(statement, nodes.Require):
                    test = necessary(lowering, statement.condition)
                    tests += [] if test is None else _split([test])
                return Lead(scope, tuple(tests), tuple(guards), False)
    return Lead(scope, tuple(tests), tuple(guards), True)


def _guards_in(lowering: Lowering, block: Sequence[nodes.Statement], scope: Scope) -> bool:
    """Whether a block has guards in statements that are known to be executed."""
    for statement in block:
        inner = _block_of(lowering, statement, scope)
        if inner is None and blocks.last_guard((statement,)) is not None:
            return True
        if inner and _guards_in(lowering, inner, scope):
            return True
    return False


def _block_of(lowering: Lowering, statement: nodes.Statement, scope: Scope) -> nodes.Block | None:
    """The executed block of a branch, if known."""
    if not isinstance(statement, nodes.Branch) or not lowering.does(Strategy.KNOWN_BRANCHES):
        return None
    for condition, block in statement.branches:
        holds = lowering.evaluator.known(condition, scope)
        if holds is not False:
            return block if holds is True else None
    return statement.otherwise


def _split(tests: list[nodes.Expr]) -> list[nodes.Expr]:
    """The tests, with `and`s and calls of definitions that are `and`s taken apart."""
    return [part for test in tests for part in conjuncts(test)]


def _enumerate(lowering: Lowering, search: Search) -> None:
    depth = len(search.digits)
    parameters = search.move.parameters
    if depth == len(parameters):
        _settle(lowering, search)
        return
    parameter = parameters[depth]
    values = parameter.values.values
    if len(values) >= 4 and quantified.is_ascending(lowering, values):
        cases = _cases_of(parameters[depth + 1 :])
        if cases is not None:
            _by_sets(lowering, search, parameter, cases)
        else:
            _by_set_of_one(lowering, search, parameter)
        return
    if depth + 1 == len(parameters) and _all_at_once(lowering, search, parameter):
        return

    def with_value(element: Low) -> None:
        digit = cells.digit_of(lowering, element, parameter.values)
        _further(lowering, search, parameter, element, digit, search.tests)

    collections.go_through_known(lowering, values, with_value, parameter.name)


def _all_at_once(lowering: Lowering, search: Search, parameter: nodes.Parameter) -> bool:
    """The values of the last parameter as one set, where a set is useful and available."""
    sink = search.sink
    if not search.lead.is_all or (sink.on_set is None and sink.on_set_elements is None):
        return False
    some = parallel_tests.passing_values(lowering, parameter, search.tests, search.scope)
    if some is None:
        return False
    if sink.on_set is not None:
        sink.on_set(some.bits)
        return True
    if sink.on_set_elements is None or search.digits or not some.is_ordered:
        return False
    held = lowering.program.hold(some.bits, f"{parameter.name}s")
    sink.on_set_elements(
        held, lambda place: instance_of(search.move, (some.digit_at(place),)), some.places
    )
    return True


def _cases_of(parameters: tuple[nodes.Parameter, ...]) -> list[tuple[GameValue, ...]] | None:
    """All combinations of the later parameters; None if too many."""
    sizes = [len(parameter.values) for parameter in parameters]
    if prod(sizes) > MOST_CASES:
        return None
    return list(product(*(parameter.values.values for parameter in parameters)))


def _by_set_of_one(lowering: Lowering, search: Search, parameter: nodes.Parameter) -> None:
    """The squares that pass the tests independent of later parameters."""
    later = {p.slot for p in search.move.parameters[len(search.digits) + 1 :]}
    independent = [t for t in search.tests if not _mentions(lowering, t, search.scope, later)]
    dependent = [t for t in search.tests if _mentions(lowering, t, search.scope, later)]
    mask = lowering.sets.mask(parameter.values.values)
    bits, residue = quantified.sieve(
        lowering, lowering.sets.constant(mask), independent, parameter.slot, search.scope
    )

    def with_value(element: Low) -> None:
        digit = cells.digit_of(lowering, element, parameter.values)
        _further(lowering, search, parameter, element, digit, (*residue, *dependent))

    held = lowering.program.hold(bits, f"{parameter.name}s")
    collections.go_through_bits(lowering, held, with_value, parameter.name)


def _by_sets(
    lowering: Lowering,
    search: Search,
    parameter: nodes.Parameter,
    cases: list[tuple[GameValue, ...]],
) -> None:
    """One set for each combination of the later parameters; the loop runs over their union."""
    later = search.move.parameters[len(search.digits) + 1 :]
    mask = lowering.sets.mask(parameter.values.values)
    sets: list[Case] = []
    for choice in cases:
        scope, digits = search.scope, []
        for further, value in zip(later, choice, strict=True):
            scope = scope.having(further.slot, Known(value))
            digits.append(integer(further.values.digit[value]))
        bits, residue = quantified.sieve(
            lowering, lowering.sets.constant(mask), list(search.tests), parameter.slot, scope
        )
        if bits.is_const and bits.const == 0:
            continue
        if search.sink.on_set is not None and search.lead.is_all and not residue:
            search.sink.on_set(bits)
            continue
        held = lowering.program.hold(bits, f"{parameter.name}s")
        sets.append(Case(held, scope, tuple(digits), tuple(residue)))
    on_elements = search.sink.on_set_elements
    if on_elements is not None and search.lead.is_all and not search.digits:
        places = [place for place in range(mask.bit_length()) if mask >> place & 1]
        for case in sets:
            if not case.residue:
                at = partial(_placed, lowering, search, parameter, case)
                on_elements(case.bits, at, places)
        sets = [case for case in sets if case.residue]
    if len(sets) == 1:
        collections.go_through_bits(
            lowering,
            sets[0].bits,
            lambda square: _instance_at(lowering, search, parameter, square, sets[0]),
            parameter.name,
        )
    elif sets:
        _through_union(lowering, search, parameter, sets)


def _placed(
    lowering: Lowering, search: Search, parameter: nodes.Parameter, case: Case, place: Value
) -> Instance:
    digit = cells.digit_of(lowering, collections.square_at(lowering, place), parameter.values)
    return instance_of(search.move, (*search.digits, digit, *case.digits))


def _through_union(
    lowering: Lowering, search: Search, parameter: nodes.Parameter, cases: list[Case]
) -> None:
    """The squares of several sets in order, and for each square the sets that contain it."""
    union = lowering.program.fresh("all", lowering.sets.type)
    everything = lowering.sets.constant(0)
    for case in cases:
        everything = everything | case.bits
    lowering.builder.assign(union, everything)

    def at(square: Low) -> None:
        there = collections.at_base(lowering, lowering.value(square))
        for case in cases:
            with lowering.builder.when(cells.bit(lowering, case.bits, there)):
                _instance_at(lowering, search, parameter, square, case)

    collections.go_through_bits(lowering, union, at, parameter.name)


def _instance_at(
    lowering: Lowering, search: Search, parameter: nodes.Parameter, square: Low, case: Case
) -> None:
    digit = cells.digit_of(lowering, square, parameter.values)
    _settle(
        lowering,
        replace(
            search,
            scope=case.scope.having(parameter.slot, square),
            tests=case.residue,
            digits=(*search.digits, digit, *case.digits),
        ),
    )


def _further(
    lowering: Lowering,
    search: Search,
    parameter: nodes.Parameter,
    element: Low,
    digit: Value,
    tests: tuple[nodes.Expr, ...],
) -> None:
    """With one more parameter bound."""
    scope, digits = search.scope.having(parameter.slot, element), (*search.digits, digit)
    _with_ripe(lowering, replace(search, scope=scope, tests=tests, digits=digits))


def _with_ripe(lowering: Lowering, search: Search) -> None:
    """The tests that are decidable by the bound parameters, then the next parameter."""
    later = {p.slot for p in search.move.parameters[len(search.digits) :]}
    ripe: list[tuple[nodes.Expr, Scope]] = []
    rest: list[nodes.Expr] = []
    for test in search.tests:
        if _mentions(lowering, test, search.scope, later):
            rest.append(test)
        else:
            ripe.append((test, search.scope))
    inner = replace(search, tests=tuple(rest))
    quantified.only_if_all(lowering, ripe, lambda: _enumerate(lowering, inner))


def _settle(lowering: Lowering, search: Search) -> None:
    """All parameters are bound: the remaining tests, which cannot fail."""
    instance = instance_of(search.move, search.digits)
    if search.tests and search.sink.is_wanted is not None:
        risky = _is_risky(lowering, instance, search.scope)
        with lowering.builder.when(any_of([search.sink.is_wanted, risky])):
            _settle(lowering, replace(search, sink=replace(search.sink, is_wanted=None)))
        return

    def legal() -> None:
        if search.lead.is_all:
            search.sink.on_action(instance)
        else:
            if_allowed(lowering, instance, search.scope, search.sink, search.lead)

    quantified.only_if_all(lowering, [(test, search.scope) for test in search.tests], legal)


def _mentions(lowering: Lowering, node: nodes.Expr, scope: Scope, slots: set[int]) -> bool:
    """Whether an expression depends on one of the (unbound) parameters."""
    if not slots:
        return False
    if node.local is not None:
        if node.local in slots:
            return True
        meaning = scope.of(node.local)
        return isinstance(meaning, Bound) and _mentions(lowering, meaning.node, scope, slots)
    return any(_mentions(lowering, part, scope, slots) for part in parts(node))


def _in_order(
    lowering: Lowering,
    move: nodes.Move,
    depth: int,
    scope: Scope,
    digits: tuple[Value, ...],
    sink: ActionSink,
) -> None:
    if depth == len(move.parameters):
        if_allowed(lowering, instance_of(move, digits), scope, sink)
        return
    parameter = move.parameters[depth]

    def with_value(element: Low) -> None:
        inner = scope.having(parameter.slot, element)
        digit = cells.digit_of(lowering, element, parameter.values)
        quantified.only_if_all(
            lowering,
            [(test, inner) for test in _tests_of(parameter)],
            lambda: _in_order(lowering, move, depth + 1, inner, (*digits, digit), sink),
        )

    collections.go_through_known(lowering, parameter.values.values, with_value, parameter.name)


def if_allowed(
    lowering: Lowering, instance: Instance, scope: Scope, sink: ActionSink, lead: Lead | None = None
) -> None:
    """The body up to its last guard, on a copy of the state; `lead`: the head of the body, known to
    hold.
    """
    move = instance.move
    stop = blocks.last_guard(move.body)
    if stop is None:
        sink.on_action(instance)
        return
    if sink.is_unchecked:
        _if_risky(lowering, instance, scope, replace(sink, is_unchecked=False), lead)
        return
    if sink.is_wanted is not None:
        risky = _is_risky(lowering, instance, scope)
        with lowering.builder.when(any_of([sink.is_wanted, risky])):
            if_allowed(lowering, instance, scope, replace(sink, is_wanted=None), lead)
        return
    guards = lead.guards if lead and lowering.does(Strategy.ESTABLISHED_GUARDS) else ()
    body_scope = replace(scope, purpose=Testing(stop, guards))

    def write() -> None:
        if not blocks.write_block(lowering, move.body, body_scope):
            lowering.builder.give(TRUE)

    test = lowering.program.call(f"may_{move.name}", write)
    if sink.on_attempt is not None:
        sink.on_attempt(instance.number)
    with lowering.builder.when(test):
        sink.on_action(instance)


def risks(lowering: Lowering, move: nodes.Move) -> Risks:
    """The conditions under which testing the legality of an instance may fail."""
    _, survey = lowering.memo.risks.get(id(move), (move, None))
    if survey is None:
        survey = Risks(lowering.memo.traits, frozenset(p.slot for p in move.parameters))
        tests = [test for parameter in move.parameters for test in _tests_of(parameter)]
        survey.read(move.body, blocks.last_guard(move.body), survey.under(NOWHERE, tests))
        proofs = Proofs(lowering.evaluator, move.parameters, survey.bound)
        survey.keep(proofs.may_happen)
        lowering.memo.risks[id(move)] = move, survey
    assert isinstance(survey, Risks)
    return survey


def _is_risky(lowering: Lowering, instance: Instance, scope: Scope) -> Value:
    """Whether running the body up to its last guard may fail."""
    survey = risks(lowering, instance.move)
    for slot, value in survey.lets.items():
        scope = scope.having(slot, Later(value, None))
    lows = [
        conditions.conjunction(lowering, [lowering.lower(node, scope) for node in path])
        for path in survey.paths
    ]
    return lowering.value(conditions.disjunction(lowering, lows))


def _if_risky(
    lowering: Lowering, instance: Instance, scope: Scope, sink: ActionSink, lead: Lead | None
) -> None:
    """Run the body only where it may fail; elsewhere the instance counts as legal."""
    risky = _is_risky(lowering, instance, scope)
    if risky.is_const:
        if risky.const:
            if_allowed(lowering, instance, scope, sink, lead)
        else:
            sink.on_action(instance)
        return
    with lowering.builder.when(risky):
        if_allowed(lowering, instance, scope, sink, lead)
    with lowering.builder.otherwise():
        sink.on_action(instance)


def _tests_of(parameter: nodes.Parameter) -> list[nodes.Expr]:
    """The tests of a parameter value: membership in the set, and `where`."""
    tests: list[nodes.Expr] = []
    if parameter.choices is not None:
        kind = scalar_of(parameter.values.values)
        local = nodes.Local(parameter.choices.span, kind, parameter.name, parameter.slot)
        tests.append(nodes.Member(parameter.choices.span, BOOLEAN, local, parameter.choices))
    if parameter.condition is not None:
        tests.append(parameter.condition)
    return tests
