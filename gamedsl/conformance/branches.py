"""Conditions that came out the same every time: branches that play never took.

In: a game and steps of play. Out: notes. The steps are carried out once more by the definition of
the language, which notes down how each condition of an `if` comes out.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import chain

from gamedsl.conformance.ties import Ties
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

MOST_RUNS = 3_000
"""Steps that are carried out once more."""
FEWEST_RUNS = 300
"""As many at least, the same step more than once: chance may go another way."""
LOOK_AGAIN = 100
"""Steps after which it is asked whether there is anything left to find."""
MOST_FURTHER = 20_000
"""Steps that are carried out once more where all are known, outcomes of chance included."""


@dataclass(slots=True, eq=False)
class Condition:
    """A condition that is watched: where it stands, and how often it came out false and true."""

    node: nodes.Expr
    never: str
    always: str
    times: list[int] = field(default_factory=lambda: [0, 0])

    def said(self, fewest: int) -> str:
        """What is to be said of it: something never came out, in so many times at least."""
        false, true = self.times
        if false + true < fewest:
            return ""
        return self.never if not true else self.always if not false else ""


class WatchedExpressions(Expressions):
    """The meanings of a game, with some conditions watched."""

    def __init__(self, game: LoadedGame, watched: dict[int, Condition], ties: Ties) -> None:
        super().__init__(game.model.board, game.model.players)
        self._watched = watched
        self._ties = ties

    def meaning(self, node: nodes.Expr) -> Meaning:
        """As ever; of a watched condition it is noted down."""
        found = self._ties.watched(node, super().meaning(node))
        condition = self._watched.get(id(node))
        if condition is None:
            return found
        times = condition.times

        def noted(env: Environment) -> Value:
            value = found(env)
            times[value is True] += 1
            return value

        return noted


class Branches:
    """The conditions of one game, watched while steps are carried out once more."""

    def __init__(self, game: LoadedGame) -> None:
        self._game = game
        moves = [move for move in game.model.moves if not move.is_simultaneous]
        of_moves = {move.first_id: list(_conditions(move.body)) for move in moves}
        every = [*chain.from_iterable(of_moves.values()), *_conditional(game.model.end)]
        found = _written_once(every)
        self._watched = found
        self._of_moves = {
            first: [found[id(one.node)] for one in conditions if id(one.node) in found]
            for first, conditions in of_moves.items()
        }
        self.ties = Ties(game)
        watching = WatchedExpressions(game, found, self.ties)
        self.definition = RulesInterpreter(game.model, watching)

    def run(self, steps: Sequence[tuple[State, int, State]]) -> None:
        """Carry steps out until every condition has come out both ways, or often enough."""
        chooser = random.Random(0)
        runs = chooser.sample(steps, min(MOST_RUNS, len(steps)))
        while steps and len(runs) < FEWEST_RUNS:
            runs += steps
        for number, (state, action, _) in enumerate(runs):
            if number % LOOK_AGAIN == 0 and all(all(c.times) for c in self._watched.values()):
                return
            after = self.definition.after_legal(state, action)
            while after.pending is not None:
                outcomes = [outcome for outcome, _ in self.definition.chance_outcomes(after)]
                after = self.definition.result(after, chooser.choice(outcomes))

    def run_on(self, steps: Iterable[tuple[State, int]], fewest: int) -> bool:
        """Carry out those of all steps that may tell more of what would be remarked on, whatever
        chance brings; whether these were all, or nothing is left to remark on."""
        left = MOST_FURTHER
        telling = self._telling(fewest)
        for state, action in steps if telling else ():
            if move_of(self._game.model.moves, action).first_id not in telling:
                continue
            pending = [self.definition.after_legal(state, action)]
            while pending:
                left -= 1
                after = pending.pop()
                if after.pending is not None:
                    outcomes = self.definition.chance_outcomes(after)
                    pending += [self.definition.result(after, outcome) for outcome, _ in outcomes]
            telling = self._telling(fewest)
            if left <= 0 or not telling:
                return not telling
        return True

    def _telling(self, fewest: int) -> frozenset[int]:
        """The moves of which some condition would be remarked on."""
        return frozenset(
            first
            for first, conditions in self._of_moves.items()
            if any(one.said(fewest) for one in conditions)
        )

    def one_sided(self, fewest: int) -> Iterator[Diagnostic]:
        """The conditions that came out the same every time, and at least so often."""
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
    """The conditions that are open, by their nodes. What an `effect` asks is one condition in all
    the places that run it; where a constant decides it in one of them, that is noted down."""
    of_places: dict[Span, Condition] = {}
    for one in every:
        if not isinstance(one.node, nodes.Const):
            of_places.setdefault(one.node.span, one)
    for one in every:
        if isinstance(one.node, nodes.Const) and one.node.span in of_places:
            of_places[one.node.span].times[one.node.value is True] += 1
    return {
        id(one.node): of_places[one.node.span]
        for one in every
        if not isinstance(one.node, nodes.Const)
    }


def _conditions(body: nodes.Block) -> Iterator[Condition]:
    """The conditions of a move, those too that a constant decides, such as a parameter."""
    for statement in statements(body):
        if isinstance(statement, nodes.Branch):
            yield from _of_branch(statement)
    yield from _conditional(body)


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
    """The node and those below it, not those of a `def`, which may be called for one case only."""
    yield expression
    for part in parts(expression):
        yield from _written_in(part)


def _of_branch(statement: nodes.Branch) -> Iterator[Condition]:
    last = len(statement.branches) - 1
    for number, (condition, _) in enumerate(statement.branches):
        goes_on = number < last or bool(statement.otherwise)
        always = "what stands below, in `elif` or `else`, was never taken" if goes_on else ""
        yield Condition(condition, "this branch was never taken", always)
