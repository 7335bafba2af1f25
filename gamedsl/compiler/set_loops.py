"""Loops whose rounds only put values on squares, as assignments to sets of squares.

In: a `for` over squares, or over a few known values with such loops in it. Out: the squares of
all rounds at once, the planes changed by `|` and `& ~`. A round must see of the squares that
change none but its own, so that it does not matter that all rounds are made together. What is
not so is left to `statements`, round by round.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.compiler.ir.values import highest, select
from gamedsl.compiler.layout import Planes
from gamedsl.compiler.safety import fits
from gamedsl.compiler.scope import Bound, Scope
from gamedsl.compiler.sets import Sets
from gamedsl.compiler.square_sets import Bits, without_square
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, Scalar, SetType, element_of, type_of
from gamedsl.model.values import NONE
from gamedsl.model.walk import expressions_of, parts, statements


@dataclass(frozen=True, slots=True)
class Put:
    """A value put on those of the round's squares where it is the value: all (None), or a set
    for each plane. `value` None: every plane has a set."""

    place: Planes
    value: Low | None
    planes: tuple[tuple[str, Bits], ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """Blocks for those squares that pass a test, and for the others."""

    test: Bits
    then: Puts
    otherwise: Puts


Puts = tuple[Put | Split, ...]


class SetLoops(Sets):
    """The loops of one game that can be made at once.

    Attributes:
        held_before: locals whose values are worked out before anything changes.
    """

    held_before: frozenset[int] = frozenset()

    def lifted_loop(self, statement: nodes.Loop, scope: Scope) -> bool:
        """Write a loop as operations on sets of squares, if that is possible."""
        written = written_by(statement.body)
        puts = self.puts_of(statement, scope, written)
        squares = self.squares_of(statement, scope, written) if puts else None
        if not puts or squares is None:
            return False
        if squares is not self.nothing:
            for inner in statements(statement.body):
                self.comment(inner.span.start)
            self._make(puts, self.program.hold(squares, f"{statement.name}s"))
        return True

    # --- which squares -----------------------------------------------------------------------

    def squares_of(self, loop: nodes.Loop, scope: Scope, written: frozenset[int]) -> Bits | None:
        """The squares of the rounds that are made; None if the loop has to be gone through."""
        inner = self.marked(loop.slot, scope)
        for test in (loop.condition, loop.going):
            if test is not None and self._reads_elsewhere(test, inner, written):
                return None
        bits = self._passing(loop, scope)
        if bits is None or loop.going is None:
            return bits
        upward = self._direction(loop.domain, scope)
        goes_on = self.lifted(loop.going, loop.slot, scope)
        if upward is None or goes_on is None:
            return None
        return self._until(bits, self.neither(goes_on), upward)

    def _until(self, bits: Bits, stops: Bits, is_upward: bool) -> Bits:
        """The squares of a set that come before the first of those where a loop stops."""
        ends = bits & stops
        if ends is self.nothing:
            return bits
        if is_upward:
            return bits & ends - 1 & ~ends
        return select(ends.ne(0), bits & ~((self.squares(2) << highest(ends)) - 1), bits)

    # --- what is done ------------------------------------------------------------------------

    def puts_of(self, loop: nodes.Loop, scope: Scope, written: frozenset[int]) -> Puts | None:
        """What a loop over squares does with each; None if it cannot be done at once."""
        if not self.codes.squares or not _is_of_squares(loop.domain):
            return None
        return self._puts_of(loop.body, self.marked(loop.slot, scope), written)

    def _puts_of(self, block: nodes.Block, scope: Scope, written: frozenset[int]) -> Puts | None:
        """What a block does with the round's squares; None if it cannot be done at once."""
        puts: Puts = ()
        for statement in block:
            if any(
                self.safety.can_fail(node) or self._reads_elsewhere(node, scope, written)
                for node in expressions_of(statement)
            ):
                return None
            found: Puts | None = None
            match statement:
                case nodes.SetCell():
                    found = self._put(statement, scope)
                case nodes.Branch():
                    found = self._branched(statement.branches, statement.otherwise, scope, written)
            if found is None:
                return None
            puts += found
        return puts

    def _put(self, statement: nodes.SetCell, scope: Scope) -> tuple[Put] | None:
        """An assignment to the square of the round."""
        place = self.layout.place_of(statement.variable)
        if not isinstance(place, Planes) or not self._is_round(statement.indices[0], scope):
            return None
        domain = place.variable.domain
        kind = statement.value.type
        if not isinstance(kind, Scalar) or not fits(kind, domain):
            return None
        if kind.can_be_none and domain.position(NONE) is None:
            return None
        if not self.depends(statement.value, scope):
            return (Put(place, self.lower(statement.value, scope)),)
        planes = []
        for digit, title in place.names:
            held = domain.values[digit]
            constant = nodes.Const(statement.span, type_of(held), held)
            test = nodes.Compare(statement.span, BOOLEAN, "==", statement.value, constant)
            bits = self._lift(statement.value, scope) if held is True and kind.is_boolean else None
            bits = without_square(self._lift(test, scope) if bits is None else bits)
            if bits is None:
                return None
            planes.append((title, bits))
        return (Put(place, None, tuple(planes)),)

    def _is_round(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether an expression is the square of the round."""
        return self.is_square(*self._opened(node, scope))

    def _branched(
        self,
        branches: tuple[tuple[nodes.Expr, nodes.Block], ...],
        otherwise: nodes.Block,
        scope: Scope,
        written: frozenset[int],
    ) -> Puts | None:
        """`if` and what follows it: of the squares that are left, those that pass."""
        if not branches:
            return self._puts_of(otherwise, scope, written)
        (condition, block), *later = branches
        test = without_square(self._lift(condition, scope))
        then = self._puts_of(block, scope, written)
        others = self._branched(tuple(later), otherwise, scope, written)
        if test is None or then is None or others is None:
            return None
        return (Split(test, then, others),)

    # --- whether the rounds are apart ----------------------------------------------------------

    def _reads_elsewhere(self, node: nodes.Expr, scope: Scope, written: frozenset[int]) -> bool:
        """Whether an expression may read a variable that the loop changes, at another square than
        that of the round."""
        match node:
            case nodes.Whole() if node.variable.offset in written:
                return True
            case nodes.Cell() if node.variable.offset in written:
                return not (node.indices and self._is_round(node.indices[0], scope))
            case nodes.Local() if node.slot in self.held_before:
                return False
            case nodes.Local():
                meaning = scope.of(node.slot)
                if isinstance(meaning, Bound):
                    return self._reads_elsewhere(meaning.node, meaning.scope, written)
            case nodes.Apply():
                inner = self.bound(node, scope)
                if inner is None or self._reads_elsewhere(node.definition.body, inner, written):
                    return True
        return any(self._reads_elsewhere(part, scope, written) for part in parts(node))

    # --- writing -----------------------------------------------------------------------------

    def _make(self, puts: Puts, squares: Bits) -> None:
        """What is done with the squares in a local."""
        for put in puts:
            if isinstance(put, Put):
                self.put_on(put, squares)
                continue
            some = self.program.hold(squares & put.test, "some")
            others = self.program.hold(squares & ~some, "others")
            self._make(put.then, some)
            self._make(put.otherwise, others)

    def put_on(self, put: Put, squares: Bits) -> None:
        """A value on the squares in a local."""
        if put.value is not None:
            self._store_planes(put.place, squares, self._hold(put.value, "value"))
            return
        held = [(self.field(title), self.program.hold(bits, "those")) for title, bits in put.planes]
        for plane, bits in held:
            self.builder.assign(plane, plane & ~squares | bits & squares)

    def comment(self, offset: int) -> None:
        """The line of the game that follows, as a comment, each once in a row."""
        line, _ = self.model.source.position(offset)
        self.builder.comment(line, self.model.source.line(line).strip())


def written_by(block: nodes.Block) -> frozenset[int]:
    """The variables that a block assigns."""
    return frozenset(s.variable.offset for s in statements(block) if isinstance(s, nodes.SetCell))


def _is_of_squares(domain: nodes.Expr) -> bool:
    """Whether a collection has squares only, and each once."""
    kind = element_of(domain.type)
    is_set = isinstance(domain.type, SetType)
    return is_set and isinstance(kind, Scalar) and kind.is_square and not kind.can_be_none
