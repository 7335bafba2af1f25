"""Express builtins over whole arrays after writes (`line`, `full`, `sight`, `group`) cell by cell.

The result is an expression over the state before the writes. `line(a, v, n)` after `a[s] = w` is
the same `line` before, or, if `w == v`, a run through `s` whose other squares all hold `v`. On a
grid the run is written by offsets from `s`, so that a single expression serves all `s`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from gamedsl.model import nodes
from gamedsl.model.builtins import ways_of
from gamedsl.model.rewriting.moments import Moment, NotToldError, Write
from gamedsl.model.rewriting.terms import Terms, constant, is_known
from gamedsl.model.types import BOOLEAN, ListType, Scalar, SetType, number
from gamedsl.model.values import EMPTY, Value, Vector

MOST_SQUARES_OF_GROUPS = 64
"""Largest board on which a group after a write is written out: each square takes a step."""


class Reader(Protocol):
    """Reads expressions before or after writes."""

    terms: Terms

    def before(self, node: nodes.Expr, moment: Moment) -> nodes.Expr:
        """An expression over the state before the writes."""

    def slot(self, name: str) -> int:
        """A new local."""

    def read(
        self, cell: nodes.Cell, indices: tuple[nodes.Expr, ...], writes: tuple[Write, ...]
    ) -> nodes.Expr:
        """A cell after writes."""

    def pinned(self, node: nodes.Expr, moment: Moment) -> nodes.Expr:
        """An expression with its known type."""


class Arrays:
    """Rewrites calls on arrays at a moment."""

    def __init__(self, rewriter: Reader, moment: Moment) -> None:
        self.rewriter = rewriter
        self.terms = rewriter.terms
        self.moment = moment
        assert rewriter.terms.board is not None
        self.board = rewriter.terms.board
        self.squares = tuple[Value, ...](self.board.squares)

    def answered(self, node: nodes.Builtin, variable: nodes.Variable) -> nodes.Expr:
        """The call as an expression over the state before."""
        rest = tuple(self.rewriter.before(argument, self.moment) for argument in node.arguments[1:])
        writes = tuple(
            write for write in self.moment.writes if write.variable.offset == variable.offset
        )
        if not writes:
            return replace(node, arguments=(node.arguments[0], *rest))
        match node.name:
            case "line":
                return self._line(node, variable, rest, writes)
            case "full":
                return self._full(node, variable, writes)
            case "sight":
                return self._sight(node, variable, rest, writes)
            case "group":
                return self._group(node, variable, rest[0], writes)
        raise NotToldError(f"`{node.name}` of an array that has been changed")

    # --- what the answers are made of ------------------------------------------------------

    def _over(
        self, node: nodes.Expr, domain: nodes.Expr, element_type: Scalar | ListType
    ) -> tuple[nodes.Local, nodes.Clause]:
        """A new local, and the clause that binds the local."""
        name = "run" if isinstance(element_type, ListType) else "q"
        slot = self.rewriter.slot(name)
        return nodes.Local(node.span, element_type, name, slot), nodes.Clause(
            slot, name, domain, None
        )

    def _every_square(self, node: nodes.Expr) -> nodes.Const:
        return nodes.Const(node.span, SetType(self._square, len(self.squares)), self.squares)

    @property
    def _square(self) -> Scalar:
        return Scalar(atoms=frozenset(self.board.squares))

    def _holds(
        self,
        node: nodes.Expr,
        variable: nodes.Variable,
        square: nodes.Expr,
        value: nodes.Expr,
        writes: tuple[Write, ...],
    ) -> nodes.Expr:
        """Whether a square holds a value after the writes."""
        cell = self.terms.cell(node.span, variable, (square,))
        content = self.rewriter.read(cell, (square,), writes)
        return self.terms.equality(self.rewriter.pinned(content, self.moment), value)

    # --- line ------------------------------------------------------------------------------

    def _line(
        self,
        node: nodes.Builtin,
        variable: nodes.Variable,
        rest: tuple[nodes.Expr, ...],
        writes: tuple[Write, ...],
    ) -> nodes.Expr:
        """The call, rewritten from the last write backwards: runs that the write leaves, completes,
        breaks."""
        value, length = rest[:2]
        if not isinstance(length.known, int):
            raise NotToldError("`line` of a length that is not known")
        if not writes:
            return replace(node, arguments=(node.arguments[0], *rest))
        *preceding, last = writes
        earlier = tuple(preceding)
        left = self._line(node, variable, rest, earlier)
        same = self.terms.equality(last.value, value)
        completed = left
        if not is_known(same, False):
            through = self._through(node, variable, rest, last, earlier)
            gained = self.terms.conjunction(node.span, (last.guard, same, through))
            completed = self.terms.disjunction(node.span, (left, gained))
        square = last.indices[0]
        was_one = self._holds(node, variable, square, value, earlier)
        if is_known(same, True) or is_known(was_one, False) or is_known(left, False):
            return completed
        elsewhere = self._elsewhere(node, variable, rest, square, earlier)
        unbroken = self.terms.conjunction(node.span, (left, elsewhere))
        broken = self.terms.conjunction(node.span, (last.guard, self.terms.negation(same), was_one))
        return self.terms.choice(broken, unbroken, completed)

    def _through(
        self,
        node: nodes.Builtin,
        variable: nodes.Variable,
        rest: tuple[nodes.Expr, ...],
        last: Write,
        earlier: tuple[Write, ...],
    ) -> nodes.Expr:
        """Whether a run through the square written last holds the value on all other squares."""
        value, length = rest[:2]
        square, size = last.indices[0], _whole(length)
        is_relative = value.type.is_something
        if not (self.board.is_grid and is_relative) or self.board.wraps:
            return self._among(node, variable, rest, square, earlier, through=True)
        runs = (
            self.terms.conjunction(
                node.span,
                (
                    self._holds(node, variable, self.terms.step(square, way), value, earlier)
                    for way in offsets
                ),
            )
            for offsets in self._runs(size, ways_of(node))
        )
        return self.terms.disjunction(node.span, runs)

    def _runs(self, size: int, chosen: tuple[Vector, ...] | None) -> Iterator[tuple[Vector, ...]]:
        """The runs through a square, as offsets of the other squares."""
        if not self.board.lines(size, chosen):
            return  # `size` may be far longer than the board
        seen: set[Vector] = set()
        for way in self.board.directions if chosen is None else chosen:
            if way in seen or way == Vector(0, 0):
                continue
            seen |= {way, -way}
            for place in range(size):
                yield tuple(way.scaled(n - place) for n in range(size) if n != place)

    def _elsewhere(
        self,
        node: nodes.Builtin,
        variable: nodes.Variable,
        rest: tuple[nodes.Expr, ...],
        square: nodes.Expr,
        writes: tuple[Write, ...],
    ) -> nodes.Expr:
        """Whether a run that avoids a square holds the value."""
        return self._among(node, variable, rest, square, writes, through=False)

    def _among(
        self,
        node: nodes.Builtin,
        variable: nodes.Variable,
        rest: tuple[nodes.Expr, ...],
        square: nodes.Expr,
        writes: tuple[Write, ...],
        through: bool,
    ) -> nodes.Expr:
        """`any(all(a[q] == v for q in run where q != s) for run in RUNS where s in run)`, or the
        corresponding expression for runs without `s`."""
        value, length = rest[:2]
        size = _whole(length)
        runs = self.board.lines(size, ways_of(node))
        kind = ListType(self._square, size)
        domain = nodes.Const(node.span, ListType(kind, len(runs)), runs)
        run, outer = self._over(node, domain, kind)
        visited, inner = self._over(node, run, self._square)
        among: nodes.Expr = nodes.Member(node.span, BOOLEAN, square, run)
        if through:
            is_other = self.terms.negation(self.terms.equality(visited, square))
            inner = replace(inner, condition=is_other)
        else:
            among = self.terms.negation(among)
        holds = self._holds(node, variable, visited, value, writes)
        every = self.terms.made(nodes.Comprehension(node.span, BOOLEAN, "all", (inner,), holds))
        clauses = (replace(outer, condition=among),)
        return self.terms.made(nodes.Comprehension(node.span, BOOLEAN, "any", clauses, every))

    # --- full, sight and group -------------------------------------------------------------

    def _full(
        self, node: nodes.Builtin, variable: nodes.Variable, writes: tuple[Write, ...]
    ) -> nodes.Expr:
        """`all(a[q] != empty for q in square)`; `count` if the last vacant square is filled."""
        if variable.domain.position(EMPTY) is None:
            return self.terms.truth(node.span, True)
        if len(writes) == 1 and is_known(writes[0].guard, True):
            short = self._full_after_one(node, variable, writes[0])
            if short is not None:
                return short
        square, clause = self._over(node, self._every_square(node), self._square)
        vacant = self._holds(node, variable, square, constant(node.span, EMPTY), writes)
        element = self.terms.negation(vacant)
        return self.terms.made(nodes.Comprehension(node.span, BOOLEAN, "all", (clause,), element))

    def _full_after_one(
        self, node: nodes.Builtin, variable: nodes.Variable, write: Write
    ) -> nodes.Expr | None:
        """The value after a single write, if the change in the number of vacant squares is
        evident."""
        empty = constant(node.span, EMPTY)
        is_vacant = self.terms.equality(write.value, empty)
        if is_known(is_vacant, True):
            return self.terms.truth(node.span, False)
        was_vacant = self._holds(node, variable, write.indices[0], empty, ())
        if not is_known(is_vacant, False):
            return None
        if is_known(was_vacant, False):
            return node
        held = self.terms.cell(node.span, variable, write.indices)
        if self.moment.known.kind_of(held) != empty.type:
            return None
        square, clause = self._over(node, self._every_square(node), self._square)
        vacant = self._holds(node, variable, square, empty, ())
        clauses = (replace(clause, condition=vacant),)
        kind = number(0, len(self.squares))
        count = nodes.Comprehension(node.span, kind, "count", clauses, square)
        return self.terms.equality(count, constant(node.span, 1))

    def _sight(
        self,
        node: nodes.Builtin,
        variable: nodes.Variable,
        rest: tuple[nodes.Expr, ...],
        writes: tuple[Write, ...],
    ) -> nodes.Expr:
        """The squares of the ray with only vacant squares between the square and the start."""
        start, way = rest
        kind = node.type
        if self.board.wraps:
            raise NotToldError("`sight` after a change, on a board that wraps")
        ray = self.terms.folded(nodes.Builtin(node.span, kind, "ray", (start, way)))
        square, outer = self._over(node, ray, self._square)
        between, inner = self._over(node, ray, self._square)
        onward = nodes.Builtin(node.span, kind, "ray", (between, way))
        inner = replace(inner, condition=nodes.Member(node.span, BOOLEAN, square, onward))
        vacant = self._holds(node, variable, between, constant(node.span, EMPTY), writes)
        clear = nodes.Comprehension(node.span, BOOLEAN, "all", (inner,), vacant)
        clauses = (replace(outer, condition=clear),)
        return nodes.Comprehension(node.span, kind, "set", clauses, square)

    def _group(
        self,
        node: nodes.Builtin,
        variable: nodes.Variable,
        start: nodes.Expr,
        writes: tuple[Write, ...],
    ) -> nodes.Expr:
        """The group by repeated steps to equal neighbours; as many steps as squares of the board
        less one."""
        if len(self.squares) > MOST_SQUARES_OF_GROUPS:
            reason = f"`group` after a change, on more than {MOST_SQUARES_OF_GROUPS} squares"
            raise NotToldError(reason)
        span, kind = node.span, SetType(self._square, len(self.squares))
        held = self.rewriter.read(self.terms.cell(span, variable, (start,)), (start,), writes)
        group: nodes.Expr = nodes.Collection(span, kind, (start,))
        for _ in self.squares[1:]:
            square, outer = self._over(node, group, self._square)
            near, inner = self._over(node, square, self._square)
            neighbours = nodes.Builtin(span, kind, "neighbours", (square, *node.arguments[2:]))
            both = nodes.Builtin(
                span, kind, "|", (nodes.Collection(span, kind, (square,)), neighbours)
            )
            same = self.terms.equality(
                self.rewriter.read(self.terms.cell(span, variable, (near,)), (near,), writes), held
            )
            inner = replace(inner, domain=both, condition=same)
            group = nodes.Comprehension(span, kind, "set", (outer, inner), near)
        square, clause = self._over(node, self._every_square(node), self._square)
        inside = nodes.Member(span, BOOLEAN, square, group)
        return nodes.Comprehension(span, kind, "set", (replace(clause, condition=inside),), square)


def _whole(length: nodes.Expr) -> int:
    assert isinstance(length.known, int)
    return length.known
