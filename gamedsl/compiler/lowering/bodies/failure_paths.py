"""Conditions at the head of a body under which testing the legality of an action may fail.

The body is examined up to its last guard. Each place that may fail has a path: the conditions on
the way to the place, as far as they can be tested before the body is run. The conditions hold
whenever the place is reached, and perhaps at other times: conditions that cannot be tested in
advance are left out.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.semantics.safety import Safety, fits
from gamedsl.model.statement_facts import facts_of, sets_turn, written_in
from gamedsl.model.types import Scalar
from gamedsl.model.walk import conjuncts, expressions_of, within
from gamedsl.model.walk import statements as all_statements

Path = tuple[nodes.Expr, ...]


class Risks:
    """The failures possible in one body.

    Attributes:
        paths: the conditions on the way to each failure; () for a place always reached.
        lets: the values of locals that are the same at the head of the body, by slot; the
            conditions may read these locals.
    """

    def __init__(self, safety: Safety, parameters: frozenset[int]) -> None:
        self.paths: list[Path] = []
        self.lets: dict[int, nodes.Expr] = {}
        self._safety = safety
        self._parameters = parameters
        self._written: set[int] = set()
        self._has_set_turn = False

    def read(self, block: nodes.Block, stop: nodes.Statement | None, path: Path = ()) -> None:
        """Examine the statements up to and including `stop`."""
        for statement in block:
            self._examine(statement, stop, path)
            if statement is stop:
                return

    def _examine(
        self, statement: nodes.Statement, stop: nodes.Statement | None, path: Path
    ) -> None:
        match statement:
            case nodes.Branch():
                if self._fails_itself(statement):
                    self.paths.append(path)
                before = set(self._written), self._has_set_turn
                after = set(self._written), self._has_set_turn
                for condition, block in statement.branches:
                    self._written, self._has_set_turn = set(before[0]), before[1]
                    asked = filter(self._can_be_asked, conjuncts(condition))
                    self.read(block, stop, (*path, *asked))
                    after = after[0] | self._written, after[1] or self._has_set_turn
                self._written, self._has_set_turn = set(before[0]), before[1]
                self.read(statement.otherwise, stop, path)
                self._written |= after[0]
                self._has_set_turn |= after[1]
                return
            case nodes.Loop():
                if any(self._fails_itself(nested) for nested in all_statements((statement,))):
                    self.paths.append(path)
            case _:
                if self._fails_itself(statement):
                    self.paths.append(path)
                elif isinstance(statement, nodes.Let) and self._can_be_asked(statement.value):
                    self.lets[statement.slot] = statement.value
        self._written |= written_in((statement,))
        self._has_set_turn = self._has_set_turn or sets_turn((statement,))

    def _fails_itself(self, statement: nodes.Statement) -> bool:
        """Whether a statement may fail, apart from its blocks."""
        facts = facts_of(statement)
        if facts.draws or facts.may_not_fit:
            return True
        if any(self._safety.can_fail(node) for node in expressions_of(statement)):
            return True
        if facts.place is None:
            return False
        pairs = zip(facts.place.indices, facts.place.variable.indices, strict=True)
        return not all(
            isinstance(index.type, Scalar)
            and not index.type.can_be_none
            and fits(index.type, domain)
            for index, domain in pairs
        )

    def _can_be_asked(self, condition: nodes.Expr) -> bool:
        """Whether a condition has the same value at the head of the body, and cannot fail."""
        if self._safety.can_fail(condition):
            return False
        bound: set[int] = set()
        read: set[int] = set()
        for node in within(condition):
            if node.reads is not None and node.reads.offset in self._written:
                return False
            if node.asks == "moves" or (node.asks == "turn" and self._has_set_turn):
                return False
            bound.update(node.binds)
            read.update(() if node.local is None else (node.local,))
        return read <= bound | self._parameters | self.lets.keys()
