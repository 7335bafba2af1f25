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
from gamedsl.compiler.risks import Path, Risks
from gamedsl.compiler.scope import Bound, Code, Known, Later, Scope
from gamedsl.compiler.sets import conjuncts
from gamedsl.compiler.square_sets import Bits
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, scalar_of
from gamedsl.model.values import Value
from gamedsl.model.walk import parts

MOST_CASES = 16
"""At most so many sets are made at once, one for each choice of the later parameters."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance of a move: the digits of its parameters, and its id, as code."""

    move: nodes.Move
    digits: tuple[str, ...]
    number: str


@dataclass(frozen=True, slots=True)
class Found:
    """What to write where instances are legal.

    Attributes:
        one: for one instance.
        many: for a whole set of squares, each of which gives a legal instance, where which they
            are does not matter (None: go through them).
        trying: before a test that may fail: the id of the instance, or -2 less the number of the
            move (None: nothing).
        is_unchecked: an instance whose body would have to be run counts as legal.
        each: where any order will do: for a set of squares, held in a local, each of which gives
            a legal instance, and what makes the instance of a square.
    """

    one: Callable[[Instance], None]
    many: Callable[[str], None] | None = None
    trying: Callable[[str], None] | None = None
    is_unchecked: bool = False
    each: Callable[[str, Callable[[Low], Instance]], None] | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """How far the instances of a move are enumerated.

    Attributes:
        tests: conditions not made yet.
        digits: those of the parameters bound so far.
        is_settled: the tests are all there is to legality.
    """

    move: nodes.Move
    scope: Scope
    tests: tuple[nodes.Expr, ...]
    digits: tuple[str, ...]
    is_settled: bool
    found: Found


class Moves(Families):
    """The moves of one game."""

    def instances(self, move: nodes.Move, scope: Scope, found: Found) -> None:
        """Loops over all legal instances."""
        self.comment(move.span.start)
        tests: list[nodes.Expr] = []
        for parameter in move.parameters:
            tests += _tests_of(parameter)
        if found.trying is not None and not self.is_safe(move):
            found.trying(str(-2 - self.model.moves.index(move)))
        else:
            found = replace(found, trying=None)
        if any(self.safety.can_fail(test) for test in tests):
            self._in_order(move, 0, scope, (), found)
            return
        scope, more, is_settled = self._leading(move, scope)
        self._enumerate(Search(move, scope, (*self._split(tests), *more), (), is_settled, found))

    def is_safe(self, move: nodes.Move) -> bool:
        """Whether nothing can fail while the legal instances are looked for."""
        tests = [test for parameter in move.parameters for test in _tests_of(parameter)]
        is_settled = self._leading(move, Scope(Known(self.model.players[0])))[2]
        return is_settled and not any(self.safety.can_fail(test) for test in tests)

    def _leading(self, move: nodes.Move, scope: Scope) -> tuple[Scope, list[nodes.Expr], bool]:
        """The `let`s and `require`s at the head of a body that cannot fail."""
        stop = self.last_guard(move.body)
        tests: list[nodes.Expr] = []
        if stop is None:
            return scope, tests, True
        for statement in move.body:
            match statement:
                case nodes.Let() if not self.safety.can_fail(statement.value):
                    scope = scope.having(statement.slot, Later(statement.value, None))
                case nodes.Require() | nodes.Ensure() if not self.safety.can_fail(
                    statement.condition
                ):
                    tests += self._split([statement.condition])
                    if statement is stop:
                        return scope, tests, True
                case _:
                    break
        return scope, tests, False

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
        if search.found.many is not None and search.is_settled and depth + 1 == len(parameters):
            some = self.passing_values(parameter, search.tests, search.scope)
            if some is not None:
                search.found.many(some)
                return

        def with_value(element: Low) -> None:
            digit = self.digit_of(element, parameter.values)
            self._further(search, parameter, element, digit, search.tests)

        self._go_through_known(values, with_value, parameter.name)

    def _cases_of(self, parameters: tuple[nodes.Parameter, ...]) -> list[tuple[Value, ...]] | None:
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
        bits, residue = self.sieve(mask, own, parameter.slot, search.scope)

        def with_value(element: Low) -> None:
            digit = self.digit_of(element, parameter.values)
            self._further(search, parameter, element, digit, (*residue, *others))

        self.go_through_bits(self.held_bits(bits, parameter.name), with_value, parameter.name)

    def _by_sets(
        self, search: Search, parameter: nodes.Parameter, cases: list[tuple[Value, ...]]
    ) -> None:
        """One set for each choice of the later parameters; their union is gone through."""
        later = search.move.parameters[len(search.digits) + 1 :]
        mask = self.mask_of(parameter.values.values)
        sets: list[tuple[str, Scope, tuple[str, ...], list[nodes.Expr]]] = []
        for case in cases:
            scope, digits = search.scope, []
            for further, value in zip(later, case, strict=True):
                scope = scope.having(further.slot, Known(value))
                digits.append(str(further.values.digit[value]))
            bits, residue = self.sieve(mask, list(search.tests), parameter.slot, scope)
            if bits == 0:
                continue
            if self._counted(search, bits, residue):
                continue
            sets.append((self.held_bits(bits, parameter.name), scope, tuple(digits), residue))
        if search.found.each is not None and search.is_settled and not search.digits:
            for bits, _, others, residue in sets:
                if not residue:
                    search.found.each(bits, partial(self._instance_of, search, parameter, others))
            sets = [one for one in sets if one[3]]
        if len(sets) == 1:
            self._through_one(search, parameter, sets[0])
        elif sets:
            self._through_union(search, parameter, sets)

    def _counted(self, search: Search, bits: Bits, residue: list[nodes.Expr]) -> bool:
        """Where only the number matters and the set says it all."""
        if search.found.many is None or residue or not search.is_settled:
            return False
        search.found.many(self.bits_text(bits))
        return True

    def _instance_of(
        self, search: Search, parameter: nodes.Parameter, others: tuple[str, ...], square: Low
    ) -> Instance:
        own = self.digit_of(square, parameter.values)
        return self._instance(search.move, (*search.digits, own, *others))

    def _through_one(
        self,
        search: Search,
        parameter: nodes.Parameter,
        case: tuple[str, Scope, tuple[str, ...], list[nodes.Expr]],
    ) -> None:
        bits, scope, digits, residue = case
        self.go_through_bits(
            bits,
            lambda square: self._instance_at(search, parameter, square, scope, digits, residue),
            parameter.name,
        )

    def _through_union(
        self,
        search: Search,
        parameter: nodes.Parameter,
        cases: list[tuple[str, Scope, tuple[str, ...], list[nodes.Expr]]],
    ) -> None:
        union = self.program.fresh("all")
        writer = self.program.writer
        writer.assign(union, " | ".join(bits for bits, *_ in cases))

        def at(square: Low) -> None:
            there = self._at_base(self.text(square))
            for bits, scope, digits, residue in cases:
                with writer.block(f"if ({bits} >> {there}) & 1 != 0"):
                    self._instance_at(search, parameter, square, scope, digits, residue)

        self.go_through_bits(union, at, parameter.name)

    def _instance_at(
        self,
        search: Search,
        parameter: nodes.Parameter,
        square: Low,
        scope: Scope,
        digits: tuple[str, ...],
        residue: list[nodes.Expr],
    ) -> None:
        assert isinstance(square, Code)
        own = self.digit_of(square, parameter.values)
        self._settle(
            replace(
                search,
                scope=scope.having(parameter.slot, square),
                tests=tuple(residue),
                digits=(*search.digits, own, *digits),
            )
        )

    def _further(
        self,
        search: Search,
        parameter: nodes.Parameter,
        element: Low,
        digit: str,
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
            if search.is_settled:
                search.found.one(instance)
            else:
                self.if_allowed(instance, search.scope, search.found)

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
        digits: tuple[str, ...],
        found: Found,
    ) -> None:
        if depth == len(move.parameters):
            self.if_allowed(self._instance(move, digits), scope, found)
            return
        parameter = move.parameters[depth]

        def with_value(element: Low) -> None:
            inner = scope.having(parameter.slot, element)
            digit = self.digit_of(element, parameter.values)
            self.only_if_all(
                [(test, inner) for test in _tests_of(parameter)],
                lambda: self._in_order(move, depth + 1, inner, (*digits, digit), found),
            )

        self._go_through_known(parameter.values.values, with_value, parameter.name)

    def if_allowed(self, instance: Instance, scope: Scope, found: Found) -> None:
        """The body up to its last guard, on a copy of the state."""
        move = instance.move
        stop = self.last_guard(move.body)
        if stop is None:
            found.one(instance)
            return
        if found.is_unchecked:
            self._if_risky(instance, scope, replace(found, is_unchecked=False))
            return
        before = self.guarded_by(stop)

        def write() -> None:
            if not self.block(move.body, scope):
                self.program.writer.line("return True")

        test = self.program.call(f"may_{move.name}", write)
        self.guarding = before
        if found.trying is not None:
            found.trying(instance.number)
        with self.program.writer.block(f"if {test}"):
            found.one(instance)

    def risks(self, move: nodes.Move) -> list[Path]:
        """When asking whether an instance is legal may fail."""
        found = Risks(self.safety, frozenset(p.slot for p in move.parameters))
        found.read(move.body, self.last_guard(move.body))
        return found.paths

    def _if_risky(self, instance: Instance, scope: Scope, found: Found) -> None:
        """The body is run where that may fail; elsewhere the instance is taken as legal."""
        paths = self.risks(instance.move)
        if not paths:
            found.one(instance)
            return
        lows = [self.all_of([self.lower(node, scope) for node in path]) for path in paths]
        risky = self.any_of(lows)
        if isinstance(risky, Known):
            if risky.value is True:
                self.if_allowed(instance, scope, found)
            else:
                found.one(instance)
            return
        with self.program.writer.block(f"if {risky.text}"):
            self.if_allowed(instance, scope, found)
        with self.program.writer.block("else"):
            found.one(instance)

    # --- action ids --------------------------------------------------------------------------

    def _instance(self, move: nodes.Move, digits: tuple[str, ...]) -> Instance:
        return Instance(move, digits, self._id_of(move, digits))

    @staticmethod
    def _id_of(move: nodes.Move, digits: tuple[str, ...]) -> str:
        """The id of an instance, from the digits of its parameters."""
        known, text, stride = move.first_id, "", move.size
        for digit, parameter in zip(digits, move.parameters, strict=True):
            stride //= len(parameter.values)
            if digit.isdigit():
                known += int(digit) * stride
                continue
            term = digit if stride == 1 else f"{digit} * {stride}"
            text = f"{text} + {term}" if text else term
        if not text:
            return str(known)
        return f"{text} + {known}" if known else text

    def digits_of(self, move: nodes.Move) -> tuple[str, ...]:
        """The digits of the parameters of `action`, read off its id."""
        writer = self.program.writer
        rest = self.program.named("action")
        if move.first_id and move.size > 1:
            name = self.program.fresh("instance")
            writer.assign(name, f"{rest} - {move.first_id}")
            rest = name
        stride, digits = move.size, []
        for parameter in move.parameters:
            count = len(parameter.values)
            is_first = stride == move.size
            stride //= count
            digit = rest if stride == 1 else f"({rest} // {stride})"
            digit = digit if is_first else f"({digit} % {count})"
            digits.append(digit if count > 1 else "0")
        return tuple(digits)

    def with_digits(self, move: nodes.Move, digits: tuple[str, ...], scope: Scope) -> Scope:
        """The scope in which the parameters of a move are bound."""
        for parameter, digit in zip(move.parameters, digits, strict=True):
            if len(parameter.values) == 1:
                scope = scope.having(parameter.slot, Known(parameter.values.values[0]))
                continue
            value = self.of_digit(digit, parameter.values, scalar_of(parameter.values.values))
            if not value.is_name:
                name = self.program.named(f"{parameter.name}_{parameter.slot}")
                self.program.writer.assign(name, value.text)
                value = Code(name, value.type)
            scope = scope.having(parameter.slot, value)
        return scope

    def arguments(self, move: nodes.Move, scope: Scope) -> Scope:
        """The scope in which the parameters of `action` are bound."""
        return self.with_digits(move, self.digits_of(move), scope)


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
