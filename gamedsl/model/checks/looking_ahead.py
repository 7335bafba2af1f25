"""Check that questions for moves end: `stuck(p, moves)` within the conditions of moves.

Whether a move is legal may depend on further moves, not on itself, and only over a few moves: every
question goes through all instances of the moves it names. Findings are reported as diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gamedsl.model import nodes
from gamedsl.model.statement_facts import facts_in
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.walk import all_expressions, expressions_of, within
from gamedsl.source import Label

CODE = "E0137"
MOST_AHEAD = 3
"""Limit on the moves that ask one for the next."""

Questions = Mapping[str, tuple[nodes.Stuck, ...]]
"""The questions on which the legality of each move depends."""


def check_looking_ahead(
    moves: Sequence[nodes.Move], setup: nodes.Block, reporter: Reporter
) -> None:
    """Report questions in `setup:`, moves that ask for themselves, and chains that are too long."""
    for question in _questions(all_expressions(setup)):
        message = "in `setup:` nobody is stuck yet: `stuck(...)` asks for moves during play"
        reporter.report(CODE, question.span, message)
    questions = {move.name: tuple(_questions(_deciding(move))) for move in moves}
    reported: set[frozenset[str]] = set()
    for move in moves:
        for question in questions[move.name]:
            path = _path(questions, question, (move.name,))
            if path is not None and frozenset(path) not in reported:
                reported.add(frozenset(path))
                _report(reporter, move, question, path)


def _deciding(move: nodes.Move) -> Iterator[nodes.Expr]:
    """The expressions that decide whether a move is legal: all up to the last guard."""
    for parameter in move.parameters:
        for expression in expressions_of(parameter):
            yield from within(expression)
    guards = [any(row.forbids for row in facts_in((statement,))) for statement in move.body]
    last = max((place for place, is_guard in enumerate(guards) if is_guard), default=-1)
    yield from all_expressions(move.body[: last + 1])


def _questions(expressions: Iterator[nodes.Expr]) -> Iterator[nodes.Stuck]:
    return (part for part in expressions if isinstance(part, nodes.Stuck) and part.moves)


def _path(
    questions: Questions, question: nodes.Stuck, before: tuple[str, ...]
) -> tuple[str, ...] | None:
    """The moves from a question to a move that was asked for before, or over the limit."""
    for name in question.moves:
        path = (*before, name)
        if name == before[0] or len(before) > MOST_AHEAD:
            return path
        if name in before:
            continue  # a circle of other moves is reported at these moves
        for further in questions.get(name, ()):
            found = _path(questions, further, path)
            if found is not None:
                return found
    return None


def _report(
    reporter: Reporter, move: nodes.Move, question: nodes.Stuck, path: tuple[str, ...]
) -> None:
    way = " -> ".join(path)
    if path[-1] == path[0]:
        others = [name for name in question.moves if name not in path]
        message = f"whether `{move.name}` is legal would depend on itself: {way}"
        hint = "name the moves that count, without those that ask"
        hint += f": `stuck(..., {', '.join(others)})`" if others else ""
    else:
        message = f"`stuck(...)` looks ahead over more than {MOST_AHEAD} moves: {way}"
        hint = "name moves that do not ask for further moves"
    label = Label(move.span, "this move asks")
    reporter.report(CODE, question.span, message, secondary=(label,), hint=hint)
