"""Conditions at the head of a body under which testing the legality of an action may fail.

The body is examined up to its last guard. Each place that may fail has a path: the conditions on
the way to the place, as far as they can be tested before the body is run. The conditions hold
whenever the place is reached, and perhaps at other times: conditions that cannot be tested in
advance are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.semantics.safety import Safety, fits
from gamedsl.model.statement_facts import facts_of, sets_turn, written_in
from gamedsl.model.types import BOOLEAN, set_of
from gamedsl.model.values import Domain
from gamedsl.model.walk import conjuncts, expressions_of, within
from gamedsl.source.records import dataclass

Path = tuple[nodes.Expr, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """Conditions that hold wherever a place in a body is reached.

    Attributes:
        asked: conditions of branches with the same value at the head of the body, which cannot
            fail.
        held: the same of guards and of parameters.
        later: conditions on later states. Where these read the player to move, the player is
            still the player to move at the head.
        loops: the loops around the place.
    """

    asked: Path = ()
    held: Path = ()
    later: Path = ()
    loops: tuple[nodes.Ranging, ...] = ()


NOWHERE = Way()


class Risks:
    """The failures possible in one body.

    Attributes:
        ways: the conditions under which each failure occurs.
        lets: the values of locals that are the same at the head of the body, by slot; the
            conditions asked in advance may read these locals.
        bound: the values of all locals in terms of the states in which they are bound, as long as
            the player to move is the same as at the head.
    """

    def __init__(self, safety: Safety, parameters: frozenset[int]) -> None:
        self.ways: list[Way] = []
        self.lets: dict[int, nodes.Expr] = {}
        self.bound: dict[int, nodes.Expr] = {}
        self._safety = safety
        self._parameters = parameters
        self._written: set[int] = set()
        self._has_set_turn = False

    @property
    def paths(self) -> list[Path]:
        """The conditions asked in advance of each failure; () for a place always reached."""
        return list({tuple(map(id, way.asked)): way.asked for way in self.ways}.values())

    def keep(self, is_possible: Callable[[Way], bool]) -> None:
        """Leave out the failures proved impossible."""
        self.ways = [way for way in self.ways if is_possible(way)]

    def read(self, block: nodes.Block, stop: nodes.Statement | None, way: Way = NOWHERE) -> None:
        """Examine the statements up to and including `stop`."""
        for statement in block:
            self._examine(statement, stop, way)
            if statement is stop:
                return
            if isinstance(statement, nodes.Require):
                way = self.under(way, [statement.condition])

    def _examine(self, statement: nodes.Statement, stop: nodes.Statement | None, way: Way) -> None:
        for failure in self._failures(statement):
            self.ways.append(self._failing(way, failure))
        match statement:
            case nodes.Branch():
                before = set(self._written), self._has_set_turn
                after = set(self._written), self._has_set_turn
                for condition, block in statement.branches:
                    self._written, self._has_set_turn = set(before[0]), before[1]
                    self.read(block, stop, self.under(way, [condition], is_branch=True))
                    after = after[0] | self._written, after[1] or self._has_set_turn
                self._written, self._has_set_turn = set(before[0]), before[1]
                self.read(statement.otherwise, stop, way)
                self._written |= after[0]
                self._has_set_turn |= after[1]
                return
            case nodes.Loop():
                self._note_changes(statement)  # of earlier rounds
                if not self._reads_another_turn(statement.domain):
                    way = replace(way, loops=(*way.loops, statement))
                kept = [part for part in (statement.condition, statement.going) if part]
                self.read(statement.body, None, self.under(way, kept))
                return
            case nodes.Let():
                if self._can_be_asked(statement.value):
                    self.lets[statement.slot] = statement.value
                if not self._reads_another_turn(statement.value):
                    self.bound[statement.slot] = statement.value
        self._note_changes(statement)

    def _note_changes(self, statement: nodes.Statement) -> None:
        self._written |= written_in((statement,))
        self._has_set_turn = self._has_set_turn or sets_turn((statement,))

    def under(self, way: Way, conditions: Iterable[nodes.Expr], is_branch: bool = False) -> Way:
        """The way with further conditions."""
        for part in (part for condition in conditions for part in conjuncts(condition)):
            if not self._can_be_asked(part):
                if not self._reads_another_turn(part):
                    way = replace(way, later=(*way.later, part))
            elif is_branch:
                way = replace(way, asked=(*way.asked, part))
            else:
                way = replace(way, held=(*way.held, part))
        return way

    def _failing(self, way: Way, failure: nodes.Expr | None) -> Way:
        """The way with the condition of a failure, the first to be tested."""
        if failure is None or self._reads_another_turn(failure):
            return way
        return replace(way, later=(failure, *way.later))

    def _failures(self, statement: nodes.Statement) -> list[nodes.Expr | None]:
        """The conditions under which a statement fails, apart from its blocks; None if unknown."""
        facts = facts_of(statement)
        if facts.draws or any(self._safety.can_fail(node) for node in expressions_of(statement)):
            return [None]
        failures: list[nodes.Expr | None] = []
        place, value = facts.place, facts.value
        if facts.may_not_fit:
            if place and value and place.cell_variable and not place.variable.domains:
                failures.append(_is_outside(value, place.variable.domain))
            else:
                failures.append(None)
        if place is not None:
            for index, domain in zip(place.indices, place.variable.indices, strict=True):
                kind = index.type
                if not (kind.is_something and fits(kind, domain)):
                    failures.append(_is_outside(index, domain))
        return failures

    def _reads_another_turn(self, condition: nodes.Expr) -> bool:
        """Whether a condition reads the player to move, who may not be the player at the head."""
        return self._has_set_turn and any(node.asks == "turn" for node in within(condition))

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


def _is_outside(node: nodes.Expr, domain: Domain) -> nodes.Expr:
    """The condition that a value is none of a domain."""
    members = nodes.Const(node.span, set_of(domain.values), domain.values)
    return nodes.Not(node.span, BOOLEAN, nodes.Member(node.span, BOOLEAN, node, members))
