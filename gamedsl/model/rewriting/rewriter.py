"""Rewrite an expression at a moment of a body into an expression over the state before the body.

The result has the same value in the state before. A read of `a[i]` after `a[s] = v` becomes
`v if i == s else a[i]`. Every binder on the way gets a new slot, since a substituted expression may
hold the same binder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.builtins import row_of
from gamedsl.model.rewriting.arrays import Arrays
from gamedsl.model.rewriting.moments import Moment, NotToldError, Write
from gamedsl.model.rewriting.terms import Terms
from gamedsl.model.types import element_of
from gamedsl.model.walk import parts, with_parts, within
from gamedsl.source.records import dataclass

MOST_NODES = 300_000
"""Limit on the nodes of a rewritten expression."""


@dataclass(frozen=True, slots=True)
class Footprint:
    """The reads of an expression: variables by offset, locals by slot (own binders included)."""

    variables: frozenset[int] = frozenset()
    slots: frozenset[int] = frozenset()
    turn: bool = False
    stuck: bool = False

    def __or__(self, other: Footprint) -> Footprint:
        return Footprint(
            self.variables | other.variables,
            self.slots | other.slots,
            self.turn or other.turn,
            self.stuck or other.stuck,
        )


class Rewriter:
    """Rewrites expressions of a game.

    Attributes:
        slot_names: the game's locals and the locals added by rewriting.
        stuck: computes `stuck` at a moment; None if not available.
    """

    def __init__(self, terms: Terms, slot_names: tuple[str, ...]) -> None:
        self.terms = terms
        self.slot_names = list(slot_names)
        self.stuck: Callable[[Moment], nodes.Expr] | None = None
        self._footprints: dict[int, tuple[nodes.Expr, Footprint]] = {}
        self._made = 0

    def slot(self, name: str) -> int:
        """A new local."""
        self.slot_names.append(name)
        return len(self.slot_names) - 1

    def footprint(self, node: nodes.Expr) -> Footprint:
        """The reads of an expression, called `def`s included."""
        entry = self._footprints.get(id(node))
        if entry is None:
            total = _own_footprint(node)
            below = parts(node)
            if isinstance(node, nodes.Apply):
                below = (*below, node.definition.body)
            for part in below:
                total = total | self.footprint(part)
            if isinstance(node, nodes.ApplyRecursive):
                for part in within(node.definition.value):
                    total = total | _own_footprint(part)
            entry = self._footprints[id(node)] = (node, total)
        return entry[1]

    def is_changed(self, node: nodes.Expr, moment: Moment) -> bool:
        """Whether an expression may have another value at the moment than before the body."""
        reads = self.footprint(node)
        return (
            (reads.turn and moment.turn is not None)
            or (reads.turn and any(write.variable.offset == nodes.TURN for write in moment.writes))
            or reads.stuck
            or not reads.slots.isdisjoint(moment.locals)
            or any(write.variable.offset in reads.variables for write in moment.writes)
        )

    def condition_of_first(self, value: nodes.Expr, square: nodes.Expr) -> nodes.Expr | None:
        """The condition that a square found by `first(q for q in ... where c)` satisfies, if
        any."""
        match value:
            case nodes.Comprehension(kind="first" | "last", clauses=(clause,)):
                if clause.condition is not None and clause.slot == value.element.local:
                    return self.before(clause.condition, Moment(locals={clause.slot: square}))
        return None

    def before(self, node: nodes.Expr, moment: Moment) -> nodes.Expr:
        """The expression over the state before that has the value of `node` at the moment."""
        if not self.is_changed(node, moment):
            return node
        self._made += 1
        if self._made > MOST_NODES:
            raise NotToldError(f"it takes more than {MOST_NODES} nodes to write down")
        match node:
            case nodes.Local():
                return moment.locals.get(node.slot, node)
            case nodes.Mover():
                return self._after(nodes.TURN, (), moment.turn or node, moment.writes)
            case nodes.Stuck():
                if self.stuck is None or node.player is not None:
                    raise NotToldError("`stuck` asks for the moves of another state")
                return self.stuck(moment)
            case nodes.Cell():
                indices = tuple(self.before(index, moment) for index in node.indices)
                return self.read(node, indices, moment.writes)
            case nodes.Builtin() if row_of(node.name).value is None:
                if not self.terms.is_over_squares(node.array):
                    raise NotToldError(f"`{node.name}` of cells that are not those of the board")
                return Arrays(self, moment).answered(node, node.array.variable)
            case nodes.Apply():
                return self._called(node, moment)
            case nodes.ApplyRecursive():
                if self.is_changed(node.definition.value, replace(moment, locals={})):
                    raise NotToldError(f"`{node.definition.name}` calls itself")
            case nodes.Comprehension():
                return self._quantified(node, moment)
            case nodes.Logic():
                return self._joined(node, moment)
            case nodes.Conditional():
                condition = self.before(node.condition, moment)
                if condition.known is not None:
                    chosen = node.then if condition.known is True else node.otherwise
                    return self.before(chosen, moment)
                then, otherwise = (
                    self.before(node.then, moment),
                    self.before(node.otherwise, moment),
                )
                return self.terms.choice(condition, then, otherwise)
        return self.terms.made(with_parts(node, lambda part: self.before(part, moment)))

    def read(
        self,
        cell: nodes.Cell,
        indices: tuple[nodes.Expr, ...],
        writes: tuple[Write, ...],
    ) -> nodes.Expr:
        """A cell after several writes."""
        value = self.terms.cell(cell.span, cell.variable, indices)
        return self._after(cell.variable.offset, indices, value, writes)

    def _after(
        self,
        offset: int,
        indices: tuple[nodes.Expr, ...],
        value: nodes.Expr,
        writes: tuple[Write, ...],
    ) -> nodes.Expr:
        """The value of a place after several writes, given the value before."""
        for write in writes:
            if write.variable.offset == offset:
                value = self.terms.choice(self.hits(write, indices), write.value, value)
        return value

    def hits(self, write: Write, indices: tuple[nodes.Expr, ...]) -> nodes.Expr:
        """The condition under which a write changes the cell with these indices."""
        pairs = zip(indices, write.indices, strict=True)
        same = (self.terms.equality(index, written) for index, written in pairs)
        return self.terms.conjunction(write.value.span, (write.guard, *same))

    def pinned(self, node: nodes.Expr, moment: Moment) -> nodes.Expr:
        """A cell of the state before, with the type narrowed by `require`s."""
        kind = moment.known.kind_of(node) if isinstance(node, nodes.Cell) else None
        return node if kind is None else replace(node, type=kind)

    def _joined(self, node: nodes.Logic, moment: Moment) -> nodes.Expr:
        """`and` and `or`, no further than needed."""
        decides = node.operator == "or"
        operands: list[nodes.Expr] = []
        for operand in node.operands:
            rewritten = self.before(operand, moment)
            if rewritten.known is not None and (rewritten.known is True) == decides:
                return self.terms.truth(node.span, decides)
            operands.append(rewritten)
        return self.terms.made(replace(node, operands=tuple(operands)))

    def opened(self, node: nodes.Apply) -> nodes.Expr:
        """A call of a `def` expanded, over the same state."""
        held = dict(zip(node.definition.slots, node.arguments, strict=True))
        return self.before(node.definition.body, Moment(locals=held))

    def _called(self, node: nodes.Apply, moment: Moment) -> nodes.Expr:
        """A call of a `def`: kept if the moment changes nothing that the body reads, else
        expanded."""
        arguments = tuple(self.before(argument, moment) for argument in node.arguments)
        inside = replace(moment, locals={})
        is_plain = not any(argument.known is not None for argument in arguments)
        if is_plain and not self.is_changed(node.definition.body, inside):
            return replace(node, arguments=arguments)
        held = dict(zip(node.definition.slots, arguments, strict=True))
        return self.before(node.definition.body, replace(moment, locals=held))

    def _quantified(self, node: nodes.Comprehension, moment: Moment) -> nodes.Expr:
        """A quantifier, with its locals in new slots."""
        clauses: list[nodes.Clause] = []
        for clause in node.clauses:
            slot = self.slot(clause.name)
            domain = self.before(clause.domain, moment)
            local = nodes.Local(clause.domain.span, element_of(domain.type), clause.name, slot)
            moment = replace(moment, locals={**moment.locals, clause.slot: local})
            condition = None
            if clause.condition is not None:
                condition = self.before(clause.condition, moment)
            clauses.append(nodes.Clause(slot, clause.name, domain, condition))
        element = self.before(node.element, moment)
        return self.terms.made(replace(node, clauses=tuple(clauses), element=element))


def _own_footprint(node: nodes.Expr) -> Footprint:
    return Footprint(
        frozenset(() if node.reads is None else (node.reads.offset,)),
        frozenset(() if node.local is None else (node.local,)),
        turn=node.asks == "turn",
        stuck=node.asks == "moves",
    )
