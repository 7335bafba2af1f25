"""Moves: which instances are legal, and how an action's arguments are read off its id.

In: a move and whose turn it is. Out: loops over the legal instances, ids ascending: parameters in
declaration order, the last fastest. The `where`s of the parameters and the `require`s before the
first change are tests that may be made in any order, where none of them can fail: those about one
square become a set, which is gone through instead of all squares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import prod

from gamedsl.compiler.families import Families
from gamedsl.compiler.ir.values import INT, TRUE, Value, integer, name
from gamedsl.compiler.risks import Path, Risks
from gamedsl.compiler.scope import Bound, Code, Known, Later, Scope
from gamedsl.compiler.sets import conjuncts
from gamedsl.compiler.statements import Guarding
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, scalar_of
from gamedsl.model.values import Value as GameValue
from gamedsl.model.walk import parts

ACTION = name("action", INT)
"""The id of an action, as a parameter."""
MOST_CASES = 16
"""At most so many sets are made at once, one for each choice of the later parameters."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a move: the digits of its parameters, and its id, as code."""

    move: nodes.Move
    digits: tuple[Value, ...]
    number: Value


@dataclass(frozen=True, slots=True)
class ActionSink:
    """What to write where instances are legal.

    Attributes:
        on_action: for one instance.
        on_set: for a whole set of squares, each of which gives a legal instance, where which they
            are does not matter (None: go through them).
        on_attempt: before a test that may fail: the id of the instance, or -2 less the number of
            the move (None: nothing).
        on_set_elements: where any order will do: for a set of squares, held in a local, each of
            which gives a legal instance, and what makes the instance of a square.
        is_unchecked: an instance whose body would have to be run counts as legal.
    """

    on_action: Callable[[Instance], None]
    on_set: Callable[[Value], None] | None = None
    on_attempt: Callable[[Value], None] | None = None
    on_set_elements: Callable[[Value, Callable[[Low], Instance]], None] | None = None
    is_unchecked: bool = False


@dataclass(frozen=True, slots=True)
class Lead:
    """The head of a body: `let`s and guards that cannot fail, which may be asked in any order.

    Attributes:
        scope: with the `let`s in it.
        tests: the guards' conditions, `and`s taken apart.
        guards: the guards themselves.
        is_all: they are all there is to legality.
    """

    scope: Scope
    tests: tuple[nodes.Expr, ...]
    guards: tuple[nodes.Require | nodes.Ensure, ...]
    is_all: bool


@dataclass(frozen=True, slots=True)
class Case:
    """The squares that a parameter may be for one choice of the later ones: a set, the scope and
    the digits of that choice, and what is left to test of each square."""

    bits: Value
    scope: Scope
    digits: tuple[Value, ...]
    residue: tuple[nodes.Expr, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """How far the instances of a move are enumerated.

    Attributes:
        tests: conditions not made yet.
        digits: those of the parameters bound so far.
        lead: the guards among the tests.
    """

    move: nodes.Move
    scope: Scope
    tests: tuple[nodes.Expr, ...]
    digits: tuple[Value, ...]
    lead: Lead
    sink: ActionSink


class Moves(Families):
    """The moves of one game."""

    def instances(self, move: nodes.Move, scope: Scope, sink: ActionSink) -> None:
        """Loops over all legal instances."""
        self.comment(move.span.start)
        tests = [test for parameter in move.parameters for test in _tests_of(parameter)]
        if sink.on_attempt is not None and not self.is_safe(move):
            sink.on_attempt(integer(-2 - self.model.moves.index(move)))
        else:
            sink = replace(sink, on_attempt=None)
        if any(self.safety.can_fail(test) for test in tests):
            self._in_order(move, 0, scope, (), sink)
            return
        lead = self._lead(move, scope)
        tests = [*self._split(tests), *lead.tests]
        self._enumerate(Search(move, lead.scope, tuple(tests), (), lead, sink))

    def is_safe(self, move: nodes.Move) -> bool:
        """Whether nothing can fail while the legal instances are looked for."""
        tests = [test for parameter in move.parameters for test in _tests_of(parameter)]
        lead = self._lead(move, Scope(Known(self.model.players[0])))
        return lead.is_all and not any(self.safety.can_fail(test) for test in tests)

    def _lead(self, move: nodes.Move, scope: Scope) -> Lead:
        """The head of a body."""
        stop = self.last_guard(move.body)
        tests: list[nodes.Expr] = []
        guards: list[nodes.Require | nodes.Ensure] = []
        if stop is None:
            return Lead(scope, (), (), True)
        for statement in move.body:
            match statement:
                case nodes.Let() if not self.safety.can_fail(statement.value):
                    scope = scope.having(statement.slot, Later(statement.value, None))
                case nodes.Require() | nodes.Ensure() if not self.safety.can_fail(
                    statement.condition
                ):
                    tests += self._split([statement.condition])
                    guards.append(statement)
                    if statement is stop:
                        return Lead(scope, tuple(tests), tuple(guards), True)
                case _:
                    break
        return Lead(scope, tuple(tests), tuple(guards), False)

    def _split(self, tests: list[nodes.Expr]) -> list[nodes.Expr]:
        """The tests, with `and`s and calls of definitions that are `and`s taken apart."""
        return [part for test in tests for part in conjuncts(test)]

    # --- tests in any order ------------------------------------------------------------------

    def _enumerate(self, search: Search) -> None:
        depth = len(search.digits)
        parameters = search.move.parameters
        if depth == len(parameters):
            self._settle(search)
            return
        parameter = parameters[depth]
        values = parameter.values.values
        if len(values) >= 4 and self.is_ascending(values):
            cases = self._cases_of(parameters[depth + 1 :])
            if cases is not None:
                self._by_sets(search, parameter, cases)
            else:
                self._by_set_of_one(search, parameter)
            return
        is_counted = search.sink.on_set is not None and search.lead.is_all
        if is_counted and search.sink.on_set and depth + 1 == len(parameters):
            some = self.passing_values(parameter, search.tests, search.scope)
            if some is not None:
                search.sink.on_set(some)
                return

        def with_value(element: Low) -> None:
            digit = self.digit_of(element, parameter.values)
            self._further(search, parameter, element, digit, search.tests)

        self._go_through_known(values, with_value, parameter.name)

    def _cases_of(
        self, parameters: tuple[nodes.Parameter, ...]
    ) -> list[tuple[GameValue, ...]] | None:
        """All choices of the later parameters, if they are few."""
        sizes = [len(parameter.values) for parameter in parameters]
        if prod(sizes) > MOST_CASES:
            return None
        return list(product(*(parameter.values.values for parameter in parameters)))

    def _by_set_of_one(self, search: Search, parameter: nodes.Parameter) -> None:
        """The squares that pass the tests in which no later parameter has a part."""
        later = {p.slot for p in search.move.parameters[len(search.digits) + 1 :]}
        own = [t for t in search.tests if not self._mentions(t, search.scope, later)]
        others = [t for t in search.tests if self._mentions(t, search.scope, later)]
        mask = self.mask_of(parameter.values.values)
        bits, residue = self.sieve(self.squares(mask), own, parameter.slot, search.scope)

        def with_value(element: Low) -> None:
            digit = self.digit_of(element, parameter.values)
            self._further(search, parameter, element, digit, (*residue, *others))

        held = self.program.hold(bits, f"{parameter.name}s")
        self.go_through_bits(held, with_value, parameter.name)

    def _by_sets(
        self, search: Search, parameter: nodes.Parameter, cases: list[tuple[GameValue, ...]]
    ) -> None:
        """One set for each choice of the later parameters; their union is gone through."""
        later = search.move.parameters[len(search.digits) + 1 :]
        mask = self.mask_of(parameter.values.values)
        sets: list[Case] = []
        for choice in cases:
            scope, digits = search.scope, []
            for further, value in zip(later, choice, strict=True):
                scope = scope.having(further.slot, Known(value))
                digits.append(integer(further.values.digit[value]))
            bits, residue = self.sieve(
                self.squares(mask), list(search.tests), parameter.slot, scope
            )
            if bits.is_const and bits.const == 0:
                continue
            if search.sink.on_set is not None and search.lead.is_all and not residue:
                search.sink.on_set(bits)
                continue
            held = self.program.hold(bits, f"{parameter.name}s")
            sets.append(Case(held, scope, tuple(digits), tuple(residue)))
        on_elements = search.sink.on_set_elements
        if on_elements is not None and search.lead.is_all and not search.digits:
            for case in sets:
                if not case.residue:
                    on_elements(case.bits, partial(self._instance_of, search, parameter, case))
            sets = [case for case in sets if case.residue]
        if len(sets) == 1:
            self.go_through_bits(
                sets[0].bits,
                lambda square: self._instance_at(search, parameter, square, sets[0]),
                parameter.name,
            )
        elif sets:
            self._through_union(search, parameter, sets)

    def _instance_of(
        self, search: Search, parameter: nodes.Parameter, case: Case, square: Low
    ) -> Instance:
        own = self.digit_of(square, parameter.values)
        return self._instance(search.move, (*search.digits, own, *case.digits))

    def _through_union(self, search: Search, parameter: nodes.Parameter, cases: list[Case]) -> None:
        """The squares of several sets in order, and for each the sets that it is in."""
        union = self.program.fresh("all", self.set_type)
        everything = self.squares(0)
        for case in cases:
            everything = everything | case.bits
        self.builder.assign(union, everything)

        def at(square: Low) -> None:
            there = self._at_base(self.value(square))
            for case in cases:
                with self.builder.when(self.bit(case.bits, there)):
                    self._instance_at(search, parameter, square, case)

        self.go_through_bits(union, at, parameter.name)

    def _instance_at(
        self, search: Search, parameter: nodes.Parameter, square: Low, case: Case
    ) -> None:
        own = self.digit_of(square, parameter.values)
        self._settle(
            replace(
                search,
                scope=case.scope.having(parameter.slot, square),
                tests=case.residue,
                digits=(*search.digits, own, *case.digits),
            )
        )

    def _further(
        self,
        search: Search,
        parameter: nodes.Parameter,
        element: Low,
        digit: Value,
        tests: tuple[nodes.Expr, ...],
    ) -> None:
        """With one more parameter bound: the tests that are ripe, then the next parameter."""
        scope = search.scope.having(parameter.slot, element)
        later = {p.slot for p in search.move.parameters[len(search.digits) + 1 :]}
        ripe = [test for test in tests if not self._mentions(test, scope, later)]
        rest = tuple(test for test in tests if self._mentions(test, scope, later))
        inner = replace(search, scope=scope, tests=rest, digits=(*search.digits, digit))
        self.only_if_all([(test, scope) for test in ripe], lambda: self._enumerate(inner))

    def _settle(self, search: Search) -> None:
        """All parameters are bound: what is left to test."""
        instance = self._instance(search.move, search.digits)

        def legal() -> None:
            if search.lead.is_all:
                search.sink.on_action(instance)
            else:
                self.if_allowed(instance, search.scope, search.sink, search.lead)

        self.only_if_all([(test, search.scope) for test in search.tests], legal)

    def _mentions(self, node: nodes.Expr, scope: Scope, slots: set[int]) -> bool:
        """Whether one of the (unbound) parameters has a part in an expression."""
        if not slots:
            return False
        if isinstance(node, nodes.Local):
            if node.slot in slots:
                return True
            meaning = scope.of(node.slot)
            return isinstance(meaning, Bound) and self._mentions(meaning.node, scope, slots)
        return any(self._mentions(part, scope, slots) for part in parts(node))

    # --- tests in the order of the language --------------------------------------------------

    def _in_order(
        self,
        move: nodes.Move,
        depth: int,
        scope: Scope,
        digits: tuple[Value, ...],
        sink: ActionSink,
    ) -> None:
        if depth == len(move.parameters):
            self.if_allowed(self._instance(move, digits), scope, sink)
            return
        parameter = move.parameters[depth]

        def with_value(element: Low) -> None:
            inner = scope.having(parameter.slot, element)
            digit = self.digit_of(element, parameter.values)
            self.only_if_all(
                [(test, inner) for test in _tests_of(parameter)],
                lambda: self._in_order(move, depth + 1, inner, (*digits, digit), sink),
            )

        self._go_through_known(parameter.values.values, with_value, parameter.name)

    def if_allowed(
        self, instance: Instance, scope: Scope, sink: ActionSink, lead: Lead | None = None
    ) -> None:
        """The body up to its last guard, on a copy of the state; `lead`: its head, which is known
        to hold."""
        move = instance.move
        stop = self.last_guard(move.body)
        if stop is None:
            sink.on_action(instance)
            return
        if sink.is_unchecked:
            self._if_risky(instance, scope, replace(sink, is_unchecked=False), lead)
            return
        before = self.guarded_by(Guarding(stop, lead.guards if lead is not None else ()))

        def write() -> None:
            if not self.block(move.body, scope):
                self.builder.give(TRUE)

        test = self.program.call(f"may_{move.name}", write)
        self.guarding = before
        if sink.on_attempt is not None:
            sink.on_attempt(instance.number)
        with self.builder.when(test):
            sink.on_action(instance)

    def risks(self, move: nodes.Move) -> list[Path]:
        """When asking whether an instance is legal may fail."""
        found = Risks(self.safety, frozenset(p.slot for p in move.parameters))
        found.read(move.body, self.last_guard(move.body))
        return found.paths

    def _if_risky(
        self, instance: Instance, scope: Scope, sink: ActionSink, lead: Lead | None
    ) -> None:
        """The body is run where that may fail; elsewhere the instance is taken as legal."""
        paths = self.risks(instance.move)
        lows = [self.all_of([self.lower(node, scope) for node in path]) for path in paths]
        risky = self.value(self.any_of(lows))
        if risky.is_const:
            if risky.const:
                self.if_allowed(instance, scope, sink, lead)
            else:
                sink.on_action(instance)
            return
        with self.builder.when(risky):
            self.if_allowed(instance, scope, sink, lead)
        with self.builder.otherwise():
            sink.on_action(instance)

    # --- action ids --------------------------------------------------------------------------

    def _instance(self, move: nodes.Move, digits: tuple[Value, ...]) -> Instance:
        """An instance and its id, from the digits of its parameters."""
        number, stride = integer(move.first_id), move.size
        for digit, parameter in zip(digits, move.parameters, strict=True):
            stride //= len(parameter.values)
            number = number + digit * stride
        return Instance(move, digits, number)

    @staticmethod
    def digits_of(move: nodes.Move, action: Value) -> tuple[Value, ...]:
        """The digits of the parameters of an action, read off its id."""
        rest = action - move.first_id
        stride, digits = move.size, []
        for parameter in move.parameters:
            count = len(parameter.values)
            is_first = stride == move.size
            stride //= count
            digit = rest // stride if is_first else rest // stride % count
            digits.append(digit if count > 1 else integer(0))
        return tuple(digits)

    def with_digits(self, move: nodes.Move, digits: tuple[Value, ...], scope: Scope) -> Scope:
        """The scope in which the parameters of a move are bound."""
        for parameter, digit in zip(move.parameters, digits, strict=True):
            if len(parameter.values) == 1:
                scope = scope.having(parameter.slot, Known(parameter.values.values[0]))
                continue
            value = self.of_digit(digit, parameter.values, scalar_of(parameter.values.values))
            if not value.is_name:
                local = name(f"{parameter.name}_{parameter.slot}", value.expr.type)
                self.builder.assign(local, value.expr)
                value = Code(local, value.type)
            scope = scope.having(parameter.slot, value)
        return scope

    def arguments(self, move: nodes.Move, scope: Scope) -> Scope:
        """The scope in which the parameters of `action` are bound."""
        return self.with_digits(move, self.digits_of(move, ACTION), scope)


def _tests_of(parameter: nodes.Parameter) -> list[nodes.Expr]:
    """What a value of a parameter has to pass: to be in the set, and `where`."""
    tests: list[nodes.Expr] = []
    if parameter.choices is not None:
        kind = scalar_of(parameter.values.values)
        local = nodes.Local(parameter.choices.span, kind, parameter.name, parameter.slot)
        tests.append(nodes.Member(parameter.choices.span, BOOLEAN, local, parameter.choices))
    if parameter.condition is not None:
        tests.append(parameter.condition)
    return tests
