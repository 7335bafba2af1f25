"""Bound the number of loop rounds in each body, before any play.

A body that can go more rounds than allowed is an error, reported at the loop with most of the
rounds. The type of a collection bounds the number of elements; the bounds of nested loops multiply.
Conditions are not taken into account, so that the bound is the same for every engine and costs
nothing in play; except that of all instances of a move few go beyond a test `parameter == value`.
Recursive calls of a `def` are counted as far as the number is certain (`calls`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, reduce
from math import prod
from typing import NamedTuple

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.builtins import OPERATORS, Setting
from gamedsl.model.checks.calls import COUNTED, most_calls
from gamedsl.model.limits import CALL_AS_ROUNDS, INSTANCES_AS_ROUNDS
from gamedsl.model.statement_facts import facts_in, facts_of
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.types import ListType, SetType
from gamedsl.model.values import text_of
from gamedsl.model.walk import blocks_of, expressions_of, parts
from gamedsl.source import Span
from gamedsl.source.plurals import count


class Rounds(NamedTuple):
    """Number of rounds in `total`; the loop at `dearest` has the most rounds, `most`."""

    total: int = 0
    most: int = 0
    dearest: Span | None = None

    def and_then(self, following: Rounds) -> Rounds:
        """The rounds of two bodies in sequence."""
        dear = self if self.most > following.most else following
        return Rounds(self.total + following.total, dear.most, dear.dearest)

    def each(self, size: int, span: Span) -> Rounds:
        """The rounds of a loop over `size` elements whose body has these rounds."""
        inner = Rounds(self.total * size, self.most * size, self.dearest)
        return Rounds(size, size, span).and_then(inner)

    def shared(self, instances: int) -> Rounds:
        """The rounds of one of several instances, rounded up, for each of the instances, if any."""
        instances = max(1, instances)
        return Rounds(-(-self.total // instances), -(-self.most // instances), self.dearest)


NOTHING = Rounds()


def check_rounds(
    reporter: Reporter,
    blocks: Iterable[nodes.Block],
    moves: tuple[nodes.Move, ...],
    evaluation: nodes.Evaluation | None,
    setting: Setting,
    at_most: int,
) -> None:
    """Report bodies that can go more than `at_most` rounds; `blocks` are `setup:` and `end:`."""
    if reporter.has_errors:
        return
    counter = _Counter(setting.board)
    expressions = () if evaluation is None else (evaluation.quiescent, evaluation.value)
    bodies = [counter.block(block) for block in (*blocks, *(move.body for move in moves))]
    bodies += [
        counter.expression(expression) for expression in expressions if expression is not None
    ]
    for rounds in (*bodies, *counter.recursive.values()):
        _report(reporter, rounds, at_most, "in one body")
    for definition in counter.definitions:
        _report_calls(reporter, definition, setting, at_most // CALL_AS_ROUNDS)
    if not reporter.has_errors:
        for move in moves:
            together = f"in all {count(move.size, 'instance')} of `{move.name}`"
            most = at_most * INSTANCES_AS_ROUNDS
            _report(reporter, counter.instances(move), most, together, INSTANCES_AS_ROUNDS)


def _report(
    reporter: Reporter, rounds: Rounds, at_most: int, where: str, as_rounds: int = 1
) -> None:
    """Report a body over the limit; `as_rounds` rounds of the body are allowed per round of the
    user's limit."""
    if rounds.total > at_most and rounds.dearest is not None:
        needed = -(-rounds.total // as_rounds)
        reporter.report(
            "E1206",
            rounds.dearest,
            f"up to {count(rounds.total, 'round')} {where}: at most {at_most:,} are possible",
            hint=f"go through less, or raise the limit: `--max-rounds {needed}`",
        )


def _report_calls(
    reporter: Reporter, definition: nodes.RecursiveDefinition, setting: Setting, at_most: int
) -> None:
    calls = most_calls(definition, setting)
    if calls is not None and calls.least > max(1, at_most):
        call = f"{definition.name}({', '.join(map(text_of, calls.arguments))})"
        least = (
            count(calls.least, "call") if calls.least < COUNTED else f"more than {COUNTED:,} calls"
        )
        more = f", or raise the limit: `--max-rounds {calls.least * CALL_AS_ROUNDS}`"
        reporter.report(
            "E1206",
            calls.at,
            f"`{call}` takes {least} of `{definition.name}`: at most {at_most:,} are possible",
            hint="ask for each value once, or allow smaller arguments"
            + (more if calls.least < COUNTED else ""),
        )


class _Counter:
    """Counts rounds; the body of a `def` is counted once, and added at each call."""

    def __init__(self, board: Board | None) -> None:
        self._board = board
        self._definitions: dict[int, Rounds] = {}
        self.recursive: dict[int, Rounds] = {}
        """Rounds of one call, for each recursive `def`."""
        self.definitions: list[nodes.RecursiveDefinition] = []
        self._open: dict[int, int] = {}
        """By slot, the number of values of the parameters of all instances that are counted."""

    def block(self, block: nodes.Block) -> Rounds:
        return _sum(self.statement(statement) for statement in block)

    def statement(self, statement: nodes.Statement) -> Rounds:
        if facts_of(statement).over is not None:
            (over, *tests), (body,) = expressions_of(statement), blocks_of(statement)
            inner = _sum(map(self.expression, tests)).and_then(self.block(body))
            return self.expression(over).and_then(inner.each(self._size(over), over.span))
        match statement:
            case nodes.Chance(domain=nodes.Weighted(pairs=pairs, clauses=clauses)):
                parts_of_pairs = (part for pair in pairs for part in pair)
                return self._clauses(clauses, _sum(map(self.expression, parts_of_pairs)))
            case nodes.Chance(domain=domain):
                assert not isinstance(domain, nodes.Weighted)
                inner = _sum(map(self.expression, expressions_of(statement)))
                return inner.each(self._size(domain), domain.span)
            case _:
                asked = _sum(map(self.expression, expressions_of(statement)))
                return asked.and_then(_largest(map(self.block, blocks_of(statement))))

    def expression(self, node: nodes.Expr) -> Rounds:
        match node:
            case nodes.Comprehension():
                return self._clauses(node.clauses, self.expression(node.element))
            case nodes.Conditional():
                chosen = _largest(map(self.expression, (node.then, node.otherwise)))
                return self.expression(node.condition).and_then(chosen)
            case nodes.Logic(operator="and") if self._open:
                return self._both(node.operands)
        inner = _sum(map(self.expression, parts(node)))
        match node:
            case nodes.Apply(definition=definition):
                return inner.and_then(self._definition(definition))
            case nodes.ApplyRecursive(definition=definition):
                self._recursive(definition)
            case nodes.Builtin() if node.name not in OPERATORS:
                cells = sum(map(self._size, node.arguments))
                return inner.and_then(Rounds(cells, cells, node.span))
        return inner

    def instances(self, move: nodes.Move) -> Rounds:
        """The rounds of all instances of a move in sequence, up to the last requirement: what
        follows is carried out for a move that is made."""
        forbids = [any(facts.forbids for facts in facts_in((part,))) for part in move.body]
        last = max((place for place, does in enumerate(forbids) if does), default=-1)
        self._open = {
            parameter.slot: len(parameter.values)
            for parameter in move.parameters
            if parameter.choices is None
        }
        rounds = self.block(move.body[: last + 1])
        self._open = {}
        for parameter in reversed(move.parameters):
            if parameter.condition is not None:
                rounds = self.expression(parameter.condition).and_then(rounds)
            rounds = rounds.each(len(parameter.values), move.span)
            if parameter.choices is not None:
                rounds = self.expression(parameter.choices).and_then(rounds)
        return rounds

    def _both(self, operands: Iterable[nodes.Expr]) -> Rounds:
        """The rounds of a conjunction, of which few instances go beyond a test of a parameter."""
        outside, rounds, share = self._open, NOTHING, 1
        for operand in operands:
            rounds = rounds.and_then(self.expression(operand).shared(share))
            match operand:
                case nodes.Compare(operator="==", left=nodes.Local(slot=slot), right=right) if (
                    right.known is not None and slot in self._open
                ):
                    share *= self._open[slot]
                    self._open = {key: size for key, size in self._open.items() if key != slot}
        self._open = outside
        return rounds

    def _clauses(self, clauses: tuple[nodes.Clause, ...], rounds: Rounds) -> Rounds:
        for clause in reversed(clauses):
            if clause.condition is not None:
                rounds = self.expression(clause.condition).and_then(rounds)
            rounds = rounds.each(self._size(clause.domain), clause.domain.span)
            rounds = self.expression(clause.domain).and_then(rounds)
        return rounds

    def _definition(self, definition: nodes.Definition) -> Rounds:
        rounds = self._definitions.get(id(definition))
        if rounds is None:
            rounds = self._definitions[id(definition)] = self.expression(definition.body)
        return rounds

    def _recursive(self, definition: nodes.RecursiveDefinition) -> None:
        if id(definition) not in self.recursive:
            self.recursive[id(definition)] = NOTHING
            self.definitions.append(definition)
            self.recursive[id(definition)] = self.expression(definition.value)

    def _size(self, node: nodes.Expr) -> int:
        """The greatest number of elements of a collection or cells of a variable."""
        if node.whole is not None:
            return prod(len(domain) for domain in node.whole.indices)
        size = node.type.size if isinstance(node.type, SetType | ListType) else 0
        if node.called == "neighbours":
            directions = parts(node)[1:]
            return min(size, self._size(directions[0]) if directions else self._most_neighbours)
        return size

    @cached_property
    def _most_neighbours(self) -> int:
        board = self._board
        return (
            0 if board is None else max(len(board.neighbours(square)) for square in board.squares)
        )


def _sum(bodies: Iterable[Rounds]) -> Rounds:
    return reduce(Rounds.and_then, bodies, NOTHING)


def _largest(bodies: Iterable[Rounds]) -> Rounds:
    return max(bodies, key=lambda rounds: rounds.total, default=NOTHING)
