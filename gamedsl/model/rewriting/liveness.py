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
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.types import Scalar
from gamedsl.model.walk import blocks_of, expressions_of, parts
from gamedsl.model.walk import statements as all_statements

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
        for statement in all_statements(block):
            if isinstance(statement, nodes.Let):
                self._stands_for(statement.slot, statement.value)

    def _stands_for(self, slot: int, value: nodes.Expr) -> None:
        if not isinstance(value.type, Scalar):
            self._behind[slot] = self._read((value,))

    def before(self, block: nodes.Block, after: Slots) -> Slots:
        """The slots live before a block, given the slots live after the block."""
        for statement in reversed(block):
            after = self._before_statement(statement, after)
        return after

    def _before_statement(self, statement: nodes.Statement, after: Slots) -> Slots:
        if isinstance(statement, nodes.Loop):
            return self._before_loop(statement, after)
        read = self._read(expressions_of(statement))
        match statement:
            case nodes.Let():
                return (after - {statement.slot}) | read
            case nodes.Branch():
                return read.union(*(self.before(body, after) for body in blocks_of(statement)))
            case _ if (facts := facts_of(statement)).draws:
                self.live_slots[id(statement)] = (after | read).difference(facts.binds)
                return self.live_slots[id(statement)]
            case _:
                return after | read

    def _before_loop(self, loop: nodes.Loop, after: Slots) -> Slots:
        """Live slots before a loop; slots read by a round are live at the end of the round before
        as well."""
        tests = tuple(test for test in (loop.condition, loop.going) if test is not None)
        after |= self._read(tests) | {loop.slot}
        rounds = self.before(loop.body, after | self._read_in(loop)) | after
        return (rounds - {loop.slot}) | self._read((loop.domain,))

    def _read_in(self, loop: nodes.Loop) -> Slots:
        """Slots that a round reads, without the code behind the loop; cached, as loops are
        nested."""
        if id(loop) not in self._rounds:
            self._rounds[id(loop)] = self.before(loop.body, NOTHING)
        return self._rounds[id(loop)]

    def _read(self, expressions: Iterable[nodes.Expr]) -> Slots:
        slots: set[int] = set()
        pending = list(expressions)
        while pending:
            node = pending.pop()
            if node.local is not None:
                slots |= {node.local} | self._behind.get(node.local, NOTHING)
            pending.extend(parts(node))
        return frozenset(slots)
