"""Compute the inputs that every evaluation of an expression reads: state, turn, local names.

The `Needs` of a node are computed once. Inputs read under a condition, or in a loop that may be
empty, are not counted: `Needs` are a lower bound. An evaluator that lacks an input of the `Needs`
certainly fails; an evaluator with all inputs may still fail.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.walk import parts
from gamedsl.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Needs:
    """Inputs that are read for all values; `slots` are the slots of free local names."""

    state: bool = False
    turn: bool = False
    me: bool = False
    slots: frozenset[int] = frozenset()

    def __or__(self, other: Needs) -> Needs:
        return Needs(
            self.state or other.state,
            self.turn or other.turn,
            self.me or other.me,
            self.slots | other.slots,
        )

    def __and__(self, other: Needs) -> Needs:
        return Needs(
            self.state and other.state,
            self.turn and other.turn,
            self.me and other.me,
            self.slots & other.slots,
        )

    def without(self, slots: frozenset[int]) -> Needs:
        """The needs with the slots bound."""
        return Needs(self.state, self.turn, self.me, self.slots - slots)


NOTHING = Needs()


class NeedsOfNodes:
    """The needs of a game's nodes, computed once per node."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[nodes.Expr, Needs]] = {}

    def of(self, node: nodes.Expr) -> Needs:
        """The inputs that every evaluation of the expression reads."""
        entry = self._known.get(id(node))
        if entry is None:  # the node is kept so that its identity is not reused
            entry = self._known[id(node)] = node, self._worked_out(node)
        return entry[1]

    def _worked_out(self, node: nodes.Expr) -> Needs:
        match node:
            case nodes.Logic():
                return self.of(node.operands[0])
            case nodes.Conditional():
                either = self.of(node.then) & self.of(node.otherwise)
                return self.of(node.condition) | either
            case nodes.Member():
                element = self.of(node.element) if _has_elements(node.collection) else NOTHING
                return element | self.of(node.collection)
            case nodes.Comprehension():
                return self._of_clauses(node.clauses, node.element)
            case nodes.Apply():
                inside = self.of(node.definition.body).without(frozenset(node.definition.slots))
                return self._of_all(node.arguments) | inside
            case _:
                return _own(node) | self._of_all(parts(node))

    def _of_all(self, expressions: tuple[nodes.Expr, ...]) -> Needs:
        total = NOTHING
        for node in expressions:
            total |= self.of(node)
        return total

    def _of_clauses(self, clauses: tuple[nodes.Clause, ...], element: nodes.Expr) -> Needs:
        """The needs of the first domain, and of later parts if the domains before are certainly not
        empty."""
        if not clauses:
            return self.of(element)
        clause = clauses[0]
        domain, inside = self.of(clause.domain), NOTHING
        if _has_elements(clause.domain):
            inside = (
                self._of_clauses(clauses[1:], element)
                if clause.condition is None
                else self.of(clause.condition)
            )
        return domain | inside.without(frozenset({clause.slot}))


def _own(node: nodes.Expr) -> Needs:
    """The inputs that are read apart from the parts."""
    if node.local is not None:
        return Needs(slots=frozenset({node.local}))
    match node.asks:
        case "":
            return NOTHING
        case "turn":
            return Needs(turn=True)
        case "me":
            return Needs(me=True)
        case "state" | "moves":
            return Needs(state=True)


def _has_elements(collection: nodes.Expr) -> bool:
    return bool(collection.known)
