"""Repetition rules in the interpreter: forbidden moves and outcomes.

In games with `repeat` rules the state carries, for each rule, the numbers of occurrences of values
since the start (or since the state at which play was resumed). `gamedsl.model.repetition` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from gamedsl.interpreter.ends import Ends
from gamedsl.interpreter.environment import Environment
from gamedsl.model import nodes
from gamedsl.model.engine import Payoffs
from gamedsl.model.repetition import allowance, history_after, history_in_step, reached
from gamedsl.model.state import State

Cells = tuple[int | None, ...]


class Repetition:
    """The repetition rules of a game."""

    def __init__(self, rules: tuple[nodes.Repeat, ...], ends: Ends) -> None:
        self.rules = rules
        self._outcomes = tuple(
            None if rule.outcome is None else ends.outcome(rule.outcome) for rule in rules
        )
        self.forbids = any(rule.outcome is None for rule in rules)

    def after(self, before: State, cells: Cells, turn: int) -> Hashable:
        """The history of the state with the given cells, following `before`."""
        return history_after(self.rules, before, State(cells, turn))

    def within(self, before: State) -> Hashable:
        """The history of a state in which the step from `before` pauses at a chance event."""
        return history_in_step(self.rules, before)

    def allowance(self, state: State) -> Callable[[State], bool]:
        """A predicate of positions: whether no `illegal` rule forbids the move from `state`."""
        return allowance(self.rules, state)

    def outcome(self, state: State, env: Environment) -> Payoffs | None:
        """The outcome of the first rule with a full count in the state, or None."""
        for number in reached(self.rules, state):
            outcome = self._outcomes[number]
            assert outcome is not None, "only rules with an outcome are reached"
            return outcome(env)
        return None
