"""Loops whose rounds only put values on squares, as assignments to sets of squares.

In: a `for` over squares, or over a few known values with such loops in it. Out: the squares of
all rounds at once, the planes changed by `|` and `& ~`. A round must see of the squares that
change none but its own, so that it does not matter that all rounds are made together. What is
not so is left to `statements`, round by round.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.compiler.layout import Planes
from gamedsl.compiler.safety import fits
from gamedsl.compiler.scope import Bound, Code, Scope
from gamedsl.compiler.spots import Spots
from gamedsl.compiler.square_sets import MARK, Bits
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


@dataclass(frozen=True, slots=True)
class Rounds:
    """The squares that a loop goes through, upwards in the order of the board or downwards, until
    it meets one of those where it stops (None: it does not stop)."""

    bits: Bits
    stops: Bits | None
    is_upward: bool


class SetLoops(Spots):
    """The loops of one game that can be made at once.

    Attributes:
        held_before: locals whose values are worked out before anything changes.
    """

    held_before: frozenset[int] = frozenset()

    def lifted_loop(self, statement: nodes.Loop, scope: Scope) -> bool:
        """Write a loop as operations on sets of squares, if that is possible."""
        written = written_by(statement.body)
        puts = self.puts_of(statement, scope, written)
        rounds = self.squares_of(statement, scope, written) if puts else None
        if not puts or rounds is None:
            return False
        if rounds.bits != 0:
            for inner in statements(statement.body):
                self.comment(inner.span.start)
            self._make(puts, self.held_rounds(rounds, statement.name))
            self.held_ends.clear()
        return True

    def _marked(self, statement: nodes.Loop, scope: Scope) -> Scope:
        return scope.having(statement.slot, Code(MARK, self.square_type))

    # --- which squares -----------------------------------------------------------------------

    def squares_of(self, loop: nodes.Loop, scope: Scope, written: frozenset[int]) -> Rounds | None:
        """The squares of the rounds that are made; None if the loop has to be gone through."""
        inner = self._marked(loop, scope)
        bits = self.set_of(loop.domain, scope)
        stops, upward = None, self._direction(loop.domain, scope)
        for test in (loop.condition, loop.going):
            if bits is None or test is None:
                continue
            if self._reads_elsewhere(test, inner, written):
                return None
            holds = self.lifted(test, loop.slot, scope)
            if holds is None:
                return None
            if test is loop.condition:
                bits = self.both(bits, holds)
            else:
                stops = self.neither(holds)
        if bits is None or (stops is not None and upward is None):
            return None
        return Rounds(bits, stops, upward is True)

    def held_rounds(self, rounds: Rounds, stem: str) -> str:
        """The squares of the rounds in a new local."""
        if rounds.stops is None:
            return self.held_bits(rounds.bits, stem)
        writer, upward = self.program.writer, rounds.is_upward
        ahead = self.held_bits(rounds.bits, "way")
        name, ends = self.program.fresh(f"{stem}s"), self.program.fresh("ends")
        writer.assign(ends, f"{ahead} & {self.bits_text(rounds.stops)}")
        if upward:
            stop = f"({ends} & -{ends})"
            writer.assign(name, f"{ahead} & ({stop} - ONE)")
        else:
            last = self.program.fresh("end")
            stop = f"({last} & {ends})"
            writer.assign(last, f"ONE << highest({ends} | ONE)")
            writer.assign(name, f"{ahead} & (-({last} << 1) | ({last} & ~{ends}))")
        self.held_ends[self.bits_text(self.both(rounds.bits, rounds.stops)), upward] = stop
        return name

    # --- what is done ------------------------------------------------------------------------

    def puts_of(self, loop: nodes.Loop, scope: Scope, written: frozenset[int]) -> Puts | None:
        """What a loop over squares does with each; None if it cannot be done at once."""
        if not self.codes.squares or not _is_of_squares(loop.domain):
            return None
        return self._puts_of(loop.body, self._marked(loop, scope), written)

    def _puts_of(self, block: nodes.Block, scope: Scope, written: frozenset[int]) -> Puts | None:
        """What a block does with the round's squares; None if it cannot be done at once."""
        puts: list[Put | Split] = []
        for statement in block:
            if any(
                self.safety.can_fail(node) or self._reads_elsewhere(node, scope, written)
                for node in expressions_of(statement)
            ):
                return None
            match statement:
                case nodes.SetCell():
                    one: Put | Split | None = self.put(statement, scope)
                case nodes.Branch():
                    one = self._branched(statement, 0, scope, written)
                case _:
                    return None
            if one is None:
                return None
            puts.append(one)
        return tuple(puts)

    def put(self, statement: nodes.SetCell, scope: Scope) -> Put | None:
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
            return Put(place, self.lower(statement.value, scope))
        planes = []
        for digit, name in place.names:
            held = domain.values[digit]
            constant = nodes.Const(statement.span, type_of(held), held)
            test = nodes.Compare(statement.span, BOOLEAN, "==", statement.value, constant)
            bits = self._lift_truth(statement.value, scope) if held is True else None
            bits = self._lift(test, scope) if bits is None else bits
            if bits is None or (isinstance(bits, str) and MARK in bits):
                return None
            planes.append((name, bits))
        return Put(place, None, tuple(planes))

    def _lift_truth(self, node: nodes.Expr, scope: Scope) -> Bits | None:
        is_truth = isinstance(node.type, Scalar) and node.type.is_boolean
        return self._lift(node, scope) if is_truth else None

    def _is_round(self, node: nodes.Expr, scope: Scope) -> bool:
        """Whether an expression is the square of the round."""
        node, scope = self._opened(node, scope)
        meaning = scope.of(node.slot) if isinstance(node, nodes.Local) else None
        return isinstance(meaning, Code) and meaning.text == MARK

    def _branched(
        self, statement: nodes.Branch, at: int, scope: Scope, written: frozenset[int]
    ) -> Split | None:
        """`if` and what follows it: of the squares that are left, those that pass."""
        condition, block = statement.branches[at]
        test = self._lift(condition, scope)
        then = self._puts_of(block, scope, written)
        otherwise: Puts | None
        if at + 1 < len(statement.branches):
            further = self._branched(statement, at + 1, scope, written)
            otherwise = None if further is None else (further,)
        else:
            otherwise = self._puts_of(statement.otherwise, scope, written)
        if test is None or then is None or otherwise is None:
            return None
        return None if isinstance(test, str) and MARK in test else Split(test, then, otherwise)

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

    def _make(self, puts: Puts, squares: str) -> None:
        """What is done with the squares in a local."""
        writer = self.program.writer
        for put in puts:
            if isinstance(put, Put):
                self.put_on(put, squares)
                continue
            some, others = self.program.fresh("some"), self.program.fresh("others")
            writer.assign(some, self.bits_text(self.both(squares, put.test)))
            writer.assign(others, f"{squares} & ~{some}")
            self._make(put.then, some)
            self._make(put.otherwise, others)

    def put_on(self, put: Put, squares: str) -> None:
        """A value on the squares in a local."""
        if put.value is not None:
            self._store_planes(put.place, squares, self._held(put.value, "value"), squares)
            return
        writer = self.program.writer
        held = [(name, self.held_bits(bits, "those")) for name, bits in put.planes]
        for name, bits in held:
            writer.assign(name, f"({name} & ~{squares}) | ({bits} & {squares})")

    def comment(self, offset: int) -> None:
        """The line of the game that follows, as a comment, each once in a row."""
        source = self.model.source
        line, _ = source.position(offset)
        text = f"# {line}: {source.line(line).strip()}"
        writer = self.program.writer
        if not any(old.strip() == text for old in writer.lines[-12:]):
            writer.line(text)


def written_by(block: nodes.Block) -> frozenset[int]:
    """The variables that a block assigns."""
    return frozenset(s.variable.offset for s in statements(block) if isinstance(s, nodes.SetCell))


def _is_of_squares(domain: nodes.Expr) -> bool:
    """Whether a collection has squares only, and each once."""
    kind = element_of(domain.type)
    is_set = isinstance(domain.type, SetType)
    return is_set and isinstance(kind, Scalar) and kind.is_square and not kind.can_be_none
