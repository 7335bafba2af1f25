"""Implications between conditions of a state, by their form.

`all(a[q] == X and q != s for q in ...)` implies `all(a[q] == X for q in ...)`: the conditions have
the same form, and each part of the one implies a part of the other. The answer yes is certain, no
is not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Set
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.nodes.likeness import UNBOUND, Bound, key, key_of_clauses
from gamedsl.model.rewriting.rewriter import Rewriter
from gamedsl.model.types import BOOLEAN
from gamedsl.model.walk import with_parts

MOST_COMPARED = 16
"""Most operands of `and` or `or` that are compared with each other."""
Inside = tuple[Bound, Bound]
"""The numbers of the locals that quantifiers around two conditions bind."""
OUTSIDE: Inside = (UNBOUND, UNBOUND)


class Implications:
    """Implications between expressions of a rewriter."""

    def __init__(self, rewriter: Rewriter) -> None:
        self._rewriter = rewriter
        self._keys = rewriter.terms.keys
        self._calls: dict[int, tuple[nodes.Apply, nodes.Expr]] = {}
        self._sets: dict[int, tuple[nodes.Expr, frozenset[Hashable]]] = {}

    def all_false(self, conditions: Iterable[nodes.Expr]) -> list[nodes.Expr]:
        """Conditions none of which holds, each simplified by those before, as alternatives."""
        false: list[nodes.Expr] = []
        for condition in conditions:
            false += self._alternatives(self.without(condition, false))
        return false

    def _alternatives(self, node: nodes.Expr) -> Iterator[nodes.Expr]:
        """The operands of nested `or`s, also of calls."""
        if isinstance(node, nodes.Apply):
            node = self._opened(node)
        if isinstance(node, nodes.Logic) and node.operator == "or":
            for operand in node.operands:
                yield from self._alternatives(operand)
        else:
            yield node

    def without(self, node: nodes.Expr, false: list[nodes.Expr]) -> nodes.Expr:
        """A condition simplified by conditions known to be false."""
        is_or = isinstance(node, nodes.Logic) and node.operator == "or"
        if node.type == BOOLEAN and not is_or and any(self.implies(node, each) for each in false):
            return self._rewriter.terms.truth(node.span, False)
        if not isinstance(node, nodes.Logic | nodes.Not | nodes.Conditional):
            return node
        simple = with_parts(node, lambda part: self.without(part, false))
        made = self._rewriter.terms.made(simple)
        return self._shortened(made) if isinstance(made, nodes.Logic) else made

    def _shortened(self, node: nodes.Logic) -> nodes.Expr:
        """`and` or `or` without operands that add nothing, as `a or b` in `a and (a or b)`."""
        kept = list(node.operands)
        for operand in node.operands if len(kept) <= MOST_COMPARED else ():
            others = [other for other in kept if other is not operand]
            if node.operator == "and" and any(self.implies(other, operand) for other in others):
                kept = others
            if node.operator == "or" and any(self.implies(operand, other) for other in others):
                kept = others
        return self._rewriter.terms.made(replace(node, operands=tuple(kept)))

    def implies(self, one: nodes.Expr, other: nodes.Expr, inside: Inside = OUTSIDE) -> bool:
        """Whether a condition certainly fails where another fails."""
        if key(one, inside[0], self._keys) == key(other, inside[1], self._keys):
            return True
        match one, other:
            case nodes.Apply(), _:
                return self.implies(self._opened(one), other, inside)
            case _, nodes.Apply():
                return self.implies(one, self._opened(other), inside)
            case nodes.Logic(operator="or"), _:
                return all(self.implies(part, other, inside) for part in one.operands)
            case _, nodes.Logic(operator="and"):
                return all(self.implies(one, part, inside) for part in other.operands)
            case nodes.Not(), nodes.Not():
                return self.implies(other.operand, one.operand, inside[::-1])
            case nodes.Comprehension(kind="any" | "all" as kind), nodes.Comprehension() if (
                kind == other.kind
            ):
                return self._implies_for_all(one, other, inside)
        if isinstance(other, nodes.Logic):
            return any(self.implies(one, part, inside) for part in other.operands)
        if isinstance(one, nodes.Logic):
            if key(other, inside[1], self._keys) in self._operands(one, inside[0]):
                return True
            inner = one.operands
            if isinstance(other, nodes.Compare | nodes.Member):
                inner = tuple(part for part in inner if isinstance(part, nodes.Logic | nodes.Apply))
            return any(self.implies(part, other, inside) for part in inner)
        return False

    def _operands(self, node: nodes.Expr, inside: Bound) -> Set[Hashable]:
        """The keys of the operands of `and`."""
        operands = node.operands if isinstance(node, nodes.Logic) else ()
        if inside:
            return {key(operand, inside, self._keys) for operand in operands}
        if id(node) not in self._sets:
            self._sets[id(node)] = node, frozenset(map(self._keys.of, operands))
        return self._sets[id(node)][1]

    def _opened(self, node: nodes.Apply) -> nodes.Expr:
        """A call of a `def` expanded, once."""
        if id(node) not in self._calls:
            self._calls[id(node)] = (node, self._rewriter.opened(node))
        return self._calls[id(node)][1]

    def _implies_for_all(
        self, one: nodes.Comprehension, other: nodes.Comprehension, inside: Inside
    ) -> bool:
        """As `implies`, for two quantifiers of the same kind."""
        (ranges, left), (other_ranges, right) = (
            key_of_clauses(node.clauses, bound, self._keys)
            for node, bound in zip((one, other), inside, strict=True)
        )
        return ranges == other_ranges and self.implies(one.element, other.element, (left, right))
