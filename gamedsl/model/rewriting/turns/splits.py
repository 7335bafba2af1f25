"""Find turns: phases of play without slow variables, so that all turns share a single graph.

A `TurnSplit` divides the variables into slow and quick variables, and the moves into inner and
outer moves. Inner moves do not read or write slow variables. The states reached by inner moves and
chance events form a graph, a turn, independent of the slow variables. Only outer moves lead from
turn to turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations
from operator import or_

from gamedsl.model import nodes
from gamedsl.model.dataflow import forward
from gamedsl.model.model import Model
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.walk import (
    all_expressions,
    expressions_of,
    expressions_of_move,
    statements,
    within,
)
from gamedsl.source.records import dataclass

MOST_MOVES = 10
"""Limit on the moves of a game; all sets of inner moves are tried."""


@dataclass(frozen=True, slots=True)
class TurnSplit:
    """A division of variables and moves.

    Attributes:
        slow: the variables that turns do not touch; at least one.
        inner: numbers of the moves within a turn; at least one.
        ends_by_slow: whether `end:` reads slow variables only, and not the turn; if False, `end:`
            reads no slow variable.
    """

    slow: tuple[nodes.Variable, ...]
    inner: frozenset[int]
    ends_by_slow: bool


def turn_splits(model: Model) -> tuple[TurnSplit, ...]:
    """The divisions of a game, most inner moves first; () if no division exists."""
    if not model.facts.has_chance or why_not_split(model) is not None:
        return ()
    touched = [_touched_by_move(move) for move in model.moves]
    late = frozenset(_touched_late(model.setup)).union(
        *(_touched_late(move.body) for move in model.moves)
    )
    ends = _touched(model.end)
    asks_turn = any(expression.asks == "turn" for expression in all_expressions(model.end))
    variables = {
        variable.offset: variable for variable in model.variables if not variable.is_constant
    }
    splits: dict[frozenset[int], TurnSplit] = {}
    for size in range(len(model.moves) - 1, 0, -1):
        for inner in combinations(range(len(model.moves)), size):
            quick = frozenset[int]().union(*(touched[number] for number in inner)) | late
            slow = frozenset(variables) - quick
            if not slow or slow in splits:
                continue
            by_slow = bool(ends & slow)
            if by_slow and (asks_turn or not ends <= slow):
                continue
            same = (n for n, reads in enumerate(touched) if reads.isdisjoint(slow))
            slow_variables = tuple(variables[offset] for offset in sorted(slow))
            splits[slow] = TurnSplit(slow_variables, frozenset(same), by_slow)
    return tuple(sorted(splits.values(), key=lambda split: -len(split.inner)))


def why_not_split(model: Model) -> str | None:
    """The reason why a game has no search for turns; None if the game has a search."""
    facts = model.facts
    if model.tree is not None or facts.is_simultaneous or facts.has_secrets or facts.repeats:
        return "players do not see everything, choose at once, or must not repeat positions"
    if facts.discount != 1:
        return "payoffs are discounted"
    if len(model.groups) != 1 or any(move.greatest for move in model.moves):
        return "whether a move is legal depends on other moves"
    of_moves = (expressions_of_move(move) for move in model.moves)
    expressions = chain(all_expressions(model.end), *of_moves)
    if any(expression.asks == "moves" for expression in expressions):
        return "the rules ask for `stuck`"
    if len(model.moves) > MOST_MOVES:
        return f"there are more than {MOST_MOVES} moves"
    return None


def _touched_by_move(move: nodes.Move) -> frozenset[int]:
    asked = [part for parameter in move.parameters for part in expressions_of(parameter)]
    return _touched(move.body) | _read(asked)


def _touched(block: nodes.Block) -> frozenset[int]:
    """The variables that a block reads or writes, by offset."""
    return frozenset(_touched_by(statements(block)))


def _touched_by(body: Iterable[nodes.Statement]) -> Iterator[int]:
    for statement in body:
        if (variable := facts_of(statement).writes) is not None:
            yield variable.offset
        yield from _read(expressions_of(statement))


def _read(expressions: Iterable[nodes.Expr]) -> frozenset[int]:
    return frozenset(
        part.reads.offset
        for expression in expressions
        for part in within(expression)
        if part.reads is not None and not part.reads.is_constant
    )


def _touched_late(block: nodes.Block) -> frozenset[int]:
    """The variables that a body may touch after a chance event."""
    offsets: set[int] = set()

    def step(statement: nodes.Statement, is_late: bool) -> bool:
        is_late = is_late or facts_of(statement).draws
        if is_late:
            offsets.update(_touched_by((statement,)))
        return is_late

    forward(block, False, step, or_)
    return frozenset(offsets)
