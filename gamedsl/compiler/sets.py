"""Sets of squares at work: groups and lines of sight, and quantifiers answered by a whole set.

In: an expression over squares. Out: code on bit sets where `lifting` knows the set, else the
loops of `collections`. Both give the same answers.
"""

from __future__ import annotations

from collections.abc import Callable

from gamedsl.compiler.collections import Each
from gamedsl.compiler.layout import Digits, Planes
from gamedsl.compiler.lifting import Lifting
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.square_sets import Bits
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import BOOLEAN, Scalar, SetType, number
from gamedsl.model.values import EMPTY, Square, Value, Vector


class Sets(Lifting):
    """Sets of squares of one game."""

    # --- going through sets ----------------------------------------------------------------

    def go_through_bits(self, bits: str, each: Each, stem: str, upward: bool = True) -> None:
        """A loop over the squares of a set that is held in a local, which it uses up."""
        writer = self.program.writer
        with writer.block(f"while {bits} != 0"):
            place = self.program.fresh(stem)
            writer.assign(place, f"lowest({bits})" if upward else f"highest({bits})")
            if upward:
                writer.line(f"{bits} &= {bits} - ONE")
            else:
                writer.line(f"{bits} ^= ONE << {place}")
            each(self.square_at(place))

    def square_at(self, place: str) -> Code:
        """The square of a bit, under a name."""
        base = self.codes.code(self.codes.squares[0])
        if base == 0:
            return Code(place, self.square_type)
        name = self.program.fresh("square")
        self.program.writer.assign(name, f"{place} + {base}")
        return Code(name, self.square_type)

    def held_bits(self, bits: Bits, stem: str) -> str:
        """A set in a new local."""
        name = self.program.fresh(f"{stem}s")
        self.program.writer.assign(name, self.bits_text(bits))
        return name

    def set_of_squares(self, node: nodes.Expr, scope: Scope) -> str | None:
        """A collection of squares whose order is that of the board, as a set; else None."""
        node, scope = self._opened(node, scope)
        is_ordered = isinstance(node, nodes.Builtin) and node.name == "group"
        if isinstance(node, nodes.Quantify) and len(node.clauses) == 1:
            values = self.known_value(node.clauses[0].domain, scope)
            is_ordered = isinstance(values, tuple) and self.is_ascending(values)
        if not is_ordered:
            return None
        bits = self.set_of(node, scope)
        return None if bits is None else self.bits_text(bits)

    def is_ascending(self, values: tuple[Value, ...]) -> bool:
        """Whether these are squares in the order of the board."""
        places = [self.codes.code(v) for v in values if isinstance(v, Square)]
        return len(places) == len(values) > 0 and places == sorted(set(places))

    def go_through_squares(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """Loops over a group or a line of sight."""
        if node.name == "group":
            self.go_through_bits(self.held_bits(self.group(node, scope), stem), each, stem)
            return
        self._go_through_sight(node, scope, each, stem)

    def _go_through_sight(self, node: nodes.Builtin, scope: Scope, each: Each, stem: str) -> None:
        """The ray, left after the first square that is not empty."""
        whole, start, way = node.arguments
        assert isinstance(whole, nodes.Whole)
        ray = nodes.Builtin(node.span, SetType(self.square_type, 64), "ray", (start, way))
        writer = self.program.writer
        seen = self.program.fresh("seen")
        writer.assign(seen, "True")
        place = self.layout.place_of(whole.variable)
        vacant = whole.variable.domain.digit.get(EMPTY)

        def visible(element: Low) -> None:
            held = self._hold(element, stem)
            with writer.block(f"if {seen}"):
                there = self.number_of(whole.variable, [held])
                if vacant is None:
                    writer.assign(seen, "False")
                elif isinstance(place, Planes):
                    writer.assign(seen, self.bit(self.plane(place, vacant), there))
                else:
                    writer.assign(seen, f"{self._digit_at(place, there)} == {vacant}")
                each(held)

        self.go_through(ray, scope, visible, stem)

    # --- clauses over squares --------------------------------------------------------------

    def rounds(
        self, clauses: tuple[nodes.Clause, ...], scope: Scope, each: Callable[[Scope], None]
    ) -> None:
        """As in `collections`; over squares, only those that pass what can be lifted of `where`."""
        clause, rest = clauses[0], clauses[1:]
        if clause.condition is None or self.safety.can_fail(clause.condition):
            super().rounds(clauses, scope, each)
            return
        values = self.known_value(clause.domain, scope)
        if not isinstance(values, tuple) or not self.is_ascending(values) or len(values) < 5:
            super().rounds(clauses, scope, each)
            return
        bits, residue = self.sieve(
            self.mask_of(values), conjuncts(clause.condition), clause.slot, scope
        )

        def with_value(element: Low) -> None:
            inner = scope.having(clause.slot, element)

            def further() -> None:
                if rest:
                    self.rounds(rest, inner, each)
                else:
                    each(inner)

            self.only_if_all([(test, inner) for test in residue], further)

        self.go_through_bits(self.held_bits(bits, clause.name), with_value, clause.name)

    def mask_of(self, values: tuple[Value, ...]) -> int:
        """Squares as a mask."""
        return sum(1 << self.codes.squares.index(v) for v in values if isinstance(v, Square))

    def sieve(
        self, bits: Bits, conditions: list[nodes.Expr], slot: int, scope: Scope
    ) -> tuple[Bits, list[nodes.Expr]]:
        """The squares of a set that pass those conditions that can be lifted, and the others."""
        residue = []
        for condition in conditions:
            found = self.lifted(condition, slot, scope)
            if found is None:
                residue.append(condition)
            else:
                bits = self.both(bits, found)
        return bits, residue

    def only_if_all(self, tests: list[tuple[nodes.Expr, Scope]], write: Callable[[], None]) -> None:
        """What `write` writes, done only where all tests hold."""
        low = self.all_of([self.lower(test, scope) for test, scope in tests])
        if isinstance(low, Known):
            if low.value is True:
                write()
            return
        with self.program.writer.block(f"if {low.text}"):
            write()

    # --- quantifiers -----------------------------------------------------------------------

    def quantify(self, node: nodes.Quantify, scope: Scope) -> Low:
        """By a set of squares where there is one, else by loops."""
        found = self._by_set(node, scope)
        return super().quantify(node, scope) if found is None else found

    def _by_set(self, node: nodes.Quantify, scope: Scope) -> Low | None:
        """A quantifier over one square, answered by the set of those that count."""
        if len(node.clauses) != 1 or self.safety.can_fail(node):
            return None
        clause = node.clauses[0]
        if not self.codes.squares:
            return None
        if node.kind in {"first", "last"}:
            return self._end_of_set(node, scope)
        is_truth = isinstance(node.element.type, Scalar) and node.element.type.is_boolean
        if node.kind not in {"any", "all", "count"}:
            return None
        if node.kind == "count" and not isinstance(clause.domain.type, SetType):
            return None
        if not _ranges_over_squares(clause):
            return None
        bits = self._passing(clause, scope)
        if bits is None:
            return None
        if is_truth:
            element = self.lifted(node.element, clause.slot, scope)
            if element is None:
                return None
            bits = self.both(bits, self.neither(element) if node.kind == "all" else element)
        return self._answer(node, bits)

    def _passing(self, clause: nodes.Clause, scope: Scope) -> Bits | None:
        bits = self.set_of(clause.domain, scope)
        if bits is None or clause.condition is None:
            return bits
        holds = self.lifted(clause.condition, clause.slot, scope)
        return None if holds is None else self.both(bits, holds)

    def _answer(self, node: nodes.Quantify, bits: Bits) -> Low:
        if isinstance(bits, int):
            match node.kind:
                case "any":
                    return Known(bits != 0)
                case "all":
                    return Known(bits == 0)
            return Known(bits.bit_count())
        match node.kind:
            case "any":
                return Code(f"({bits} != 0)", BOOLEAN)
            case "all":
                return Code(f"({bits} == 0)", BOOLEAN)
        return Code(f"count_bits({bits})", number(0, len(self.codes.squares)))

    def _end_of_set(self, node: nodes.Quantify, scope: Scope) -> Low | None:
        """`first` and `last` of squares in the order of the board, or along a ray."""
        found = self.end_of_set(node, scope)
        if found is None:
            return None
        bits, is_lowest = found
        assert isinstance(node.type, Scalar)
        find = "lowest" if is_lowest else "highest"
        name = self.program.fresh("squares")
        base = self.codes.code(self.codes.squares[0])
        number_ = f"{find}({name})" if base == 0 else f"{find}({name}) + {base}"
        call = self.program.call(
            f"{node.kind}_of",
            lambda: self.program.writer.line(
                f"return {number_} if {name} != 0 else {self.codes.none}"
            ),
            {name: bits},
        )
        return Code(call, node.type)

    def end_of_set(self, node: nodes.Quantify, scope: Scope) -> tuple[str, bool] | None:
        """The set of which `first` or `last` is one end, and whether that is the lowest bit."""
        if node.kind not in {"first", "last"} or len(node.clauses) != 1:
            return None
        clause = node.clauses[0]
        if not isinstance(node.element, nodes.Local) or node.element.slot != clause.slot:
            return None
        if not self.codes.squares or not _ranges_over_squares(clause):
            return None
        upward = self._direction(clause.domain, scope)
        bits = self._passing(clause, scope) if upward is not None else None
        if bits is None or isinstance(bits, int):
            return None
        return bits, upward == (node.kind == "first")

    def _direction(self, node: nodes.Expr, scope: Scope) -> bool | None:
        """Whether a collection of squares goes up in the order of the board; None if neither."""
        values = self.known_value(node, scope)
        if isinstance(values, tuple):
            if self.is_ascending(values):
                return True
            return False if self.is_ascending(values[::-1]) else None
        node, scope = self._opened(node, scope)
        match node:
            case nodes.Builtin(name="group"):
                return True
            case nodes.Builtin(name="ray", arguments=(_, way)):
                return self._is_upward(self.known_value(way, scope))
            case nodes.Builtin(name="sight", arguments=(_, _, way)):
                return self._is_upward(self.known_value(way, scope))
        return None

    @staticmethod
    def _is_upward(way: Value | None) -> bool | None:
        if not isinstance(way, Vector) or way == Vector(0, 0):
            return None
        return (way.up, way.across) > (0, 0)

    # --- groups and sight ------------------------------------------------------------------

    def sight(self, node: nodes.Builtin, scope: Scope) -> Bits | None:
        """The ray less what lies beyond the first occupied square."""
        whole, start, way_node = node.arguments
        assert isinstance(whole, nodes.Whole)
        place = self.layout.place_of(whole.variable)
        way = self.known_value(way_node, scope)
        upward = self._is_upward(way)
        if not isinstance(place, Planes) or upward is None or not isinstance(way, Vector):
            return None
        vacant = whole.variable.domain.digit.get(EMPTY)
        low = self.lower(start, scope)
        if vacant is None or isinstance(low, Known) or not isinstance(start.type, Scalar):
            return None
        assert self.model.board is not None
        board = self.model.board
        number_of = {square: n for n, square in enumerate(board.squares)}
        rays = tuple(sum(1 << number_of[q] for q in board.ray(s, way)) for s in board.squares)
        table = self.program.table(rays)
        name = self.program.fresh("start")
        occupied = self.neither(self.plane(place, vacant))

        def write() -> None:
            writer = self.program.writer
            if low.type.can_be_none:
                with writer.block(f"if {name} == {self.codes.none}"):
                    writer.line("return ZERO")
            writer.assign("ray", f"{table}[{self._at_base(name)}]")
            writer.assign("blocked", f"ray & {self.bits_text(occupied)}")
            with writer.block("if blocked != 0"):
                find = "lowest" if upward else "highest"
                writer.line(f"return ray ^ {table}[{find}(blocked)]")
            writer.line("return ray")

        return self.program.call("sight", write, {name: low.text})

    def group(self, node: nodes.Builtin, scope: Scope) -> str:
        """Flood fill: from the start, over neighbours that hold the same value."""
        whole = node.arguments[0]
        assert isinstance(whole, nodes.Whole)
        start = self.lower(node.arguments[1], scope)
        if isinstance(start, Known) and not isinstance(start.value, Square):
            return "ZERO"
        place = self.layout.place_of(whole.variable)
        name = self.program.fresh("start")
        kind = start.type if isinstance(start, Code) else self.square_type

        def write() -> None:
            writer = self.program.writer
            if kind.can_be_none:
                with writer.block(f"if {name} == {self.codes.none}"):
                    writer.line("return ZERO")
            there = self.number_of(whole.variable, [Code(name, self.square_type)])
            if isinstance(place, Planes):
                self._choose_plane(place, there)
            else:
                self._gather_plane(place, there)
            writer.assign("found", f"ONE << {there}")
            with writer.block("while True"):
                writer.assign("grown", f"(found | {self.beside('found')}) & held")
                with writer.block("if grown == found"):
                    writer.line("return found")
                writer.assign("found", "grown")

        return self.program.call("group", write, {name: self.text(start)})

    def _choose_plane(self, place: Planes, there: str) -> None:
        writer = self.program.writer
        writer.assign("held", self.plane(place, place.default))
        for _, plane in place.names:
            with writer.block(f"if {self.bit(plane, there)}"):
                writer.assign("held", plane)

    def _gather_plane(self, place: Digits, there: str) -> None:
        writer = self.program.writer
        writer.assign("same", self._digit_at(place, there))
        writer.assign("held", "ZERO")
        with self._loop("n", f"range({place.variable.size})") as n:
            writer.line(f"if {self._digit_at(place, n)} == same:")
            writer.line(f"    held = held | ONE << {n}")

    def beside(self, text: str) -> str:
        """The squares next to those of a set (a name)."""
        board = self.model.board
        assert board is not None
        number_of = {square: n for n, square in enumerate(board.squares)}
        sources: dict[int, int] = {}
        for square, n in number_of.items():
            for other in board.neighbours(square):
                step = number_of[other] - n
                sources[step] = sources.get(step, 0) | 1 << n
        return " | ".join(self.moved(text, step, mask) for step, mask in sources.items()) or "ZERO"

    def moved(self, text: str, step: int, sources: int) -> str:
        """The squares of a set that lie in `sources`, each moved by `step` places."""
        mask = self.program.number(sources << step if step >= 0 else sources >> -step)
        if step >= 0:
            return f"(({text} << {step}) & {mask})" if step else f"({text} & {mask})"
        return f"(({text} >> {-step}) & {mask})"


def conjuncts(node: nodes.Expr) -> list[nodes.Expr]:
    """The parts of nested `and`s, in order."""
    if isinstance(node, nodes.Logic) and node.operator == "and":
        return [part for operand in node.operands for part in conjuncts(operand)]
    return [node]


def _ranges_over_squares(clause: nodes.Clause) -> bool:
    from gamedsl.model.types import element_of

    kind = element_of(clause.domain.type)
    return isinstance(kind, Scalar) and kind.is_square and not kind.can_be_none
