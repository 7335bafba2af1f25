"""Conditions with a constant result: branches that play never took.

Steps of play are replayed by the reference interpreter, and the results of the conditions of `if`
are counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import chain

from gamedsl.conformance.tied_comparisons import TiedComparisons
from gamedsl.game.game import LoadedGame
from gamedsl.interpreter import RulesInterpreter
from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.interpreter.expressions import Expressions
from gamedsl.model import State, nodes
from gamedsl.model.action_names import move_of
from gamedsl.model.values import Value
from gamedsl.model.walk import expressions_of, parts, statements
from gamedsl.source import Diagnostic, Label, Severity, Span
from gamedsl.source.records import dataclass

MOST_RUNS = 2_000
"""Steps replayed at most."""
FEWEST_RUNS = 300
"""Steps replayed at least; a step may be replayed repeatedly, as chance may decide differently."""
MOST_FURTHER = 20_000
"""Results computed at most in a replay of all steps with all chance outcomes."""


@dataclass(slots=True, eq=False)
class Condition:
    """A watched condition: the node, and the counts of false and true results."""

    node: nodes.Expr
    never: str
    always: str
    times: list[int] = field(default_factory=lambda: [0, 0])

    def said(self, fewest: int) -> str:
        """The message if the result was constant in at least `fewest` evaluations; else ""."""
        false, true = self.times
        if false + true < fewest:
            return ""
        return self.never if not true else self.always if not false else ""


class WatchedExpressions(Expressions):
    """The meanings of a game's expressions, with results of watched conditions counted."""

    def __init__(
        self, game: LoadedGame, watched: dict[int, Condition], ties: TiedComparisons
    ) -> None:
        super().__init__(game.model.board, game.model.players)
        self._watched = watched
        self._ties = ties

    def meaning(self, node: nodes.Expr) -> Meaning:
        """The usual meaning; for a watched condition the meaning also counts the result."""
        meaning = self._ties.watched(node, super().meaning(node))
        condition = self._watched.get(id(node))
        if condition is None:
            return meaning
        times = condition.times

        def noted(env: Environment) -> Value:
            value = meaning(env)
            times[value is True] += 1
            return value

        return noted


class Branches:
    """The conditions of a game, watched while steps are replayed."""

    def __init__(self, game: LoadedGame) -> None:
        self._game = game
        moves = [move for move in game.model.moves if not move.is_simultaneous]
        of_moves = {move.first_id: list(_conditions(move.body)) for move in moves}
        every = [*chain.from_iterable(of_moves.values()), *_conditional(game.model.end)]
        conditions_by_id = _written_once(every)
        self._watched = conditions_by_id
        self._of_moves = {
            first: [
                conditions_by_id[id(condition.node)]
                for condition in conditions
                if id(condition.node) in conditions_by_id
            ]
            for first, conditions in of_moves.items()
        }
        self.ties = TiedComparisons(game)
        watching = WatchedExpressions(game, conditions_by_id, self.ties)
        self.definition = RulesInterpreter(game.model, watching)
        cut = (replace(move, body=_up_to_conditions(move.body)) for move in game.model.moves)
        self._replayed = RulesInterpreter(replace(game.model, moves=tuple(cut)), watching)

    def run(self, steps: Sequence[tuple[State, int, State]]) -> None:
        """Replay steps of moves with a condition that has not been both true and false yet, until
        no such move is left or the budget is spent."""
        chooser = random.Random(0)
        runs = chooser.sample(steps, min(MOST_RUNS, len(steps)))
        while steps and len(runs) < FEWEST_RUNS:
            runs += steps
        waiting = self._undecided()
        for state, action, _ in runs:
            if not waiting:
                return
            first = move_of(self._game.model.moves, action).first_id
            if first not in waiting:
                continue
            after = self._replayed.after_legal(state, action)
            while after.pending is not None:
                outcomes = [outcome for outcome, _ in self._replayed.chance_outcomes(after)]
                after = self._replayed.result(after, chooser.choice(outcomes))
            if self._is_decided(first):
                waiting = self._undecided()

    def run_on(self, steps: Iterable[tuple[State, int]], fewest: int) -> bool:
        """Replay steps of moves with one-sided conditions, over all chance outcomes.

        Returns:
            True if all such steps were replayed or no one-sided condition is left.
        """
        left = MOST_FURTHER
        telling = self._telling(fewest)
        for state, action in steps if telling else ():
            if move_of(self._game.model.moves, action).first_id not in telling:
                continue
            pending = [self._replayed.after_legal(state, action)]
            while pending:
                left -= 1
                after = pending.pop()
                if after.pending is not None:
                    outcomes = self._replayed.chance_outcomes(after)
                    pending += [self._replayed.result(after, outcome) for outcome, _ in outcomes]
            telling = self._telling(fewest)
            if left <= 0 or not telling:
                return not telling
        return True

    def _undecided(self) -> frozenset[int]:
        """The moves with a condition that has not been both true and false."""
        return frozenset(first for first in self._of_moves if not self._is_decided(first))

    def _is_decided(self, first: int) -> bool:
        """Whether every condition of a move has been both true and false."""
        return all(all(condition.times) for condition in self._of_moves[first])

    def _telling(self, fewest: int) -> frozenset[int]:
        """The moves with a condition that would be reported."""
        return frozenset(
            first
            for first, conditions in self._of_moves.items()
            if any(condition.said(fewest) for condition in conditions)
        )

    def one_sided(self, fewest: int) -> Iterator[Diagnostic]:
        """Notes about conditions with a constant result in at least `fewest` evaluations."""
        for condition in dict.fromkeys(self._watched.values()):
            said = condition.said(fewest)
            if said:
                yield Diagnostic(
                    "W3111",
                    f"{said}: {sum(condition.times):,} times it came out the same",
                    Label(condition.node.span),
                    self._game.source,
                    severity=Severity.NOTE,
                    hint="look at the condition: can it be otherwise?",
                )


def _written_once(every: Sequence[Condition]) -> dict[int, Condition]:
    """The non-constant conditions by node id, merged by place in the source.

    A condition in an `effect` is one condition in all moves that run the effect; a constant result
    in one of the moves is counted.
    """
    of_places: dict[Span, Condition] = {}
    for condition in every:
        if condition.node.known is None:
            of_places.setdefault(condition.node.span, condition)
    for condition in every:
        if condition.node.known is not None and condition.node.span in of_places:
            of_places[condition.node.span].times[condition.node.known is True] += 1
    return {
        id(condition.node): of_places[condition.node.span]
        for condition in every
        if condition.node.known is None
    }


def _conditions(body: nodes.Block) -> Iterator[Condition]:
    """The conditions of a move, including conditions decided by constants such as parameters."""
    for statement in statements(body):
        if isinstance(statement, nodes.Branch):
            yield from _of_branch(statement)
    yield from _conditional(body)


def _up_to_conditions(body: nodes.Block) -> nodes.Block:
    """A body without the statements after the last condition: nothing in them is counted."""
    places = [n for n, statement in enumerate(body) if any(_conditions((statement,)))]
    if not places:
        return ()
    *before, last = body[: places[-1] + 1]
    if isinstance(last, nodes.Branch):
        branches = tuple((test, _up_to_conditions(block)) for test, block in last.branches)
        last = replace(last, branches=branches, otherwise=_up_to_conditions(last.otherwise))
    return (*before, last)


def _conditional(block: nodes.Block) -> Iterator[Condition]:
    """The conditions of `... if ... else ...`."""
    for statement in statements(block):
        for expression in expressions_of(statement):
            for part in _written_in(expression):
                if isinstance(part, nodes.Conditional):
                    yield Condition(
                        part.condition,
                        "what stands before this `if` was never taken",
                        "what stands after its `else` was never taken",
                    )


def _written_in(expression: nodes.Expr) -> Iterator[nodes.Expr]:
    """The node and the nodes below, except bodies of a `def`, often called for a single case."""
    yield expression
    for part in parts(expression):
        yield from _written_in(part)


def _of_branch(statement: nodes.Branch) -> Iterator[Condition]:
    last = len(statement.branches) - 1
    for number, (condition, _) in enumerate(statement.branches):
        goes_on = number < last or bool(statement.otherwise)
        always = "what stands below, in `elif` or `else`, was never taken" if goes_on else ""
        yield Condition(condition, "this branch was never taken", always)
