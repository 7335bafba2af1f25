"""Liveness analysis: the local names that a chance event must keep because later code reads them.

For each chance event in a body the result is the set of slots that belong to the state waiting for
the event. States that differ only in names that are not read again are equal in every engine, so
the analysis is shared by all engines.

A name is read where an expression mentions the name; reachability is not considered. Two kinds of
names are kept longer. The variable of a loop is kept as long as the loop runs, as part of the
position in the body. With a name for a collection, the names in the collection's expression are
kept as well, since an engine may hold the collection or the names.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.model import nodes
from gamedsl.model.statement_facts import facts_in, facts_of
from gamedsl.model.types import Scalar
from gamedsl.model.walk import blocks_of, expressions_of, parts

Slots = frozenset[int]
NOTHING: Slots = frozenset()


def kept_at_chance(block: nodes.Block) -> dict[int, Slots]:
    """The slots that each chance event of a body keeps, by the identity of the statement."""
    analysis = _Liveness(block)
    analysis.before(block, NOTHING)
    return analysis.live_slots


class _Liveness:
    """The textbook's backward analysis, on nested statements."""

    def __init__(self, block: nodes.Block) -> None:
        self.live_slots: dict[int, Slots] = {}
        self._rounds: dict[int, Slots] = {}
        self._behind: dict[int, Slots] = {}
        """The names in the expression behind a name for a collection."""
        for facts in facts_in(block):
            if facts.value is not None and not isinstance(facts.value.type, Scalar):
                self._behind |= dict.fromkeys(facts.binds, self._read((facts.value,)))

    def before(self, block: nodes.Block, after: Slots) -> Slots:
        """The slots live before a block, given the slots live after the block."""
        for statement in reversed(block):
            after = self._before_statement(statement, after)
        return after

    def _before_statement(self, statement: nodes.Statement, after: Slots) -> Slots:
        facts, inner = facts_of(statement), blocks_of(statement)
        if facts.over is not None:
            return self._before_loop(statement, after)
        read = self._read(expressions_of(statement))
        if facts.draws:
            self.live_slots[id(statement)] = (after | read).difference(facts.binds)
            return self.live_slots[id(statement)]
        if inner:
            return read.union(*(self.before(body, after) for body in inner))
        return after.difference(facts.binds) | read

    def _before_loop(self, loop: nodes.Statement, after: Slots) -> Slots:
        """Live slots before a loop; slots read by a round are live at the end of the round before
        as well."""
        (domain, *tests), (body,) = expressions_of(loop), blocks_of(loop)
        slots = facts_of(loop).binds
        after = after.union(self._read(tests), slots)
        rounds = self.before(body, after | self._read_in(body)) | after
        return rounds.difference(slots) | self._read((domain,))

    def _read_in(self, body: nodes.Block) -> Slots:
        """Slots that a round reads, without the code behind the loop; cached, as loops are
        nested."""
        if id(body) not in self._rounds:
            self._rounds[id(body)] = self.before(body, NOTHING)
        return self._rounds[id(body)]

    def _read(self, expressions: Iterable[nodes.Expr]) -> Slots:
        slots: set[int] = set()
        pending = list(expressions)
        while pending:
            node = pending.pop()
            if node.local is not None:
                slots |= {node.local} | self._behind.get(node.local, NOTHING)
            pending.extend(parts(node))
        return frozenset(slots)
