"""Loops over a few known values with loops over squares in them, all of which change at once.

In: `for d in directions where ...:` around a `for` over squares. Out: the squares of every round,
each worked out from the state before the loop, and one assignment for all of them. That needs
that no round reads a square that an earlier one may have changed, which is found out in advance
for every value of the parameter that decides about it. What is not so is left to `set_loops`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gamedsl.compiler.collections import UNROLLED
from gamedsl.compiler.footprints import Footprints
from gamedsl.compiler.ir.values import Value as Expr
from gamedsl.compiler.ir.values import all_of, select
from gamedsl.compiler.scope import Code, Known, Later, Scope
from gamedsl.compiler.set_loops import Put, SetLoops, written_by
from gamedsl.compiler.sets import conjuncts
from gamedsl.compiler.square_sets import Bits
from gamedsl.model import nodes
from gamedsl.model.types import Scalar
from gamedsl.model.values import NONE, Value
from gamedsl.model.walk import expressions_of, statements

MOST_ROUNDS = 16
MOST_VALUES = 512
"""At most so many values of a parameter are looked at to see that rounds are apart."""
Tests = tuple[tuple[nodes.Expr, Scope], ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A loop over squares in one round: what it waits for, its squares, what it puts on them."""

    loop: nodes.Loop
    scope: Scope
    tests: Tests
    squares: Bits
    puts: tuple[Put, ...]


class JoinedLoops(SetLoops):
    """The loops of one game whose rounds are joined."""

    def lifted_loop(self, statement: nodes.Loop, scope: Scope) -> bool:
        """Write a loop as operations on sets of squares, if that is possible."""
        if super().lifted_loop(statement, scope):
            return True
        values = self.known_value(statement.domain, scope)
        if not isinstance(values, tuple) or not 1 < len(values) <= MOST_ROUNDS:
            return False
        if statement.going is not None or len(values) * self.copies > UNROLLED:
            return False
        before = self.held_before
        self.held_before |= {s.slot for s in statements(statement.body) if isinstance(s, nodes.Let)}
        pieces = self._pieces_of_rounds(statement, values, scope)
        self.held_before = before
        if not pieces or not self._are_apart(pieces, written_by(statement.body)):
            return False
        self._join(pieces)
        return True

    # --- the pieces --------------------------------------------------------------------------

    def _pieces_of_rounds(
        self, loop: nodes.Loop, values: tuple[Value, ...], scope: Scope
    ) -> list[Piece] | None:
        pieces: list[Piece] = []
        for value in values:
            inner = scope.having(loop.slot, Known(value))
            tests = self._tests(loop.condition, inner)
            found = None if tests is None else self._pieces(loop.body, inner, tests, loop)
            if found is None:
                return None
            pieces += found
        return pieces

    def _tests(self, condition: nodes.Expr | None, scope: Scope) -> Tests | None:
        """The parts of a condition, definitions opened; None if it may fail."""
        if condition is None:
            return ()
        if self.safety.can_fail(condition):
            return None
        return tuple(self._opened_parts(condition, scope))

    def _opened_parts(self, node: nodes.Expr, scope: Scope) -> Iterator[tuple[nodes.Expr, Scope]]:
        for part in conjuncts(node):
            opened, inner = self._opened(part, scope)
            if opened is part:
                yield part, scope
            else:
                yield from self._opened_parts(opened, inner)

    def _pieces(
        self, block: nodes.Block, scope: Scope, tests: Tests, whole: nodes.Loop
    ) -> list[Piece] | None:
        """The pieces of a block; None if there is something else in it."""
        pieces: list[Piece] = []
        for statement in block:
            found: list[Piece] | None = None
            match statement:
                case nodes.Let() if not self.safety.can_fail(statement.value):
                    scope = scope.having(statement.slot, Later(statement.value, scope))
                    found = []
                case nodes.Branch(branches=((condition, inner),), otherwise=()):
                    more = self._tests(condition, scope)
                    if more is not None:
                        found = self._pieces(inner, scope, (*tests, *more), whole)
                case nodes.Loop():
                    found = self._piece(statement, scope, tests, written_by(whole.body))
            if found is None:
                return None
            pieces += found
        return pieces

    def _piece(
        self, loop: nodes.Loop, scope: Scope, tests: Tests, written: frozenset[int]
    ) -> list[Piece] | None:
        puts = self.puts_of(loop, scope, written)
        plain = tuple(put for put in puts or () if isinstance(put, Put) and put.value is not None)
        if puts is None or plain != puts:
            return None
        squares = self.squares_of(loop, scope, written)
        return None if squares is None else [Piece(loop, scope, tests, squares, plain)]

    # --- whether they are apart ----------------------------------------------------------------

    def _are_apart(self, pieces: list[Piece], written: frozenset[int]) -> bool:
        """Whether no piece reads what an earlier one may change."""
        free: dict[Expr, Code] = {}
        for piece in pieces:
            domain, inner = self._opened(piece.loop.domain, piece.scope)
            fixed: tuple[nodes.Expr, ...] = (domain,)
            if isinstance(domain, nodes.Builtin) and domain.name == "sight":
                fixed = domain.arguments[1:]
            if not all(self.free_codes(node, inner, set(), free) for node in fixed):
                return False
        spans = [self.span_of_codes(code.type) for code in free.values()]
        span = spans[0] if len(spans) == 1 else None
        if len(spans) > 1 or (spans and (span is None or span[1] > MOST_VALUES)):
            return False
        given = [{code: v} for code in free for v in span[2].values()] if span else [{}]
        return all(
            self._are_apart_given(pieces, Footprints(self, written, values)) for values in given
        )

    @staticmethod
    def _are_apart_given(pieces: list[Piece], footprints: Footprints) -> bool:
        changed: list[tuple[int, tuple[Put, ...]]] = []
        for piece in pieces:
            squares = footprints.collection(piece.loop.domain, piece.scope)
            seen = footprints.reads(piece.loop.domain, piece.scope)
            for test, scope in piece.tests:
                seen |= footprints.reads(test, scope)
            inner = footprints.among(piece.loop.slot, squares, piece.scope)
            for own in _own_expressions(piece.loop):
                seen |= footprints.reads(own, inner)
            for before, puts in changed:
                if before & seen or (before & squares and puts != piece.puts):
                    return False
            changed.append((squares, piece.puts))
        return True

    # --- writing -----------------------------------------------------------------------------

    def _join(self, pieces: list[Piece]) -> None:
        together: dict[object, tuple[Piece, Bits]] = {}
        for piece in pieces:
            if piece.squares is self.nothing:
                continue
            self.comment(piece.loop.span.start)
            said = self._said_by_loop(piece)
            tests = [self.condition(test, scope) for test, scope in piece.tests]
            is_run = all_of(test for test in tests if test is not said)
            made = select(is_run, piece.squares, self.nothing)
            held = self.program.hold(made, f"{piece.loop.name}s")
            key = tuple((put.place.names, put.value) for put in piece.puts)
            first, others = together.get(key, (piece, self.nothing))
            together[key] = (first, others | held)
        for piece, squares in together.values():
            for statement in piece.loop.body:
                self.comment(statement.span.start)
            everything = self.program.hold(squares, "all")
            for put in piece.puts:
                self.put_on(put, everything)

    def _said_by_loop(self, piece: Piece) -> Expr | None:
        """What holds where a loop along a ray has any round: its `while`, of the first square."""
        loop = piece.loop
        ray, scope = self._opened(loop.domain, piece.scope)
        is_ray = isinstance(ray, nodes.Builtin) and ray.name == "ray"
        if loop.going is None or loop.condition is not None or not is_ray:
            return None
        assert isinstance(ray, nodes.Builtin)
        kind = Scalar(atoms=frozenset({*self.codes.squares, NONE}))
        first = Later(nodes.Step(ray.span, kind, *ray.arguments), scope)
        return self.condition(loop.going, piece.scope.having(loop.slot, first))


def _own_expressions(loop: nodes.Loop) -> Iterator[nodes.Expr]:
    """What is asked in every round of a loop."""
    yield from (node for node in (loop.condition, loop.going) if node is not None)
    for statement in statements(loop.body):
        yield from expressions_of(statement)
