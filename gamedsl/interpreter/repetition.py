"""Repetition rules: what has occurred, how often, and what follows from it.

Where a game has `repeat` rules its states carry, for each rule, how often each value has occurred
since the start (or since the state that play was taken up from).
"""

from __future__ import annotations

from collections.abc import Hashable

from gamedsl.interpreter.ends import Ends, Payoffs
from gamedsl.interpreter.environment import Environment
from gamedsl.model import nodes
from gamedsl.model.state import State

Cells = tuple[int | None, ...]
Counts = frozenset[tuple[Hashable, int]]


class Repetition:
    """The repetition rules of one game."""

    def __init__(self, rules: tuple[nodes.Repeat, ...], ends: Ends) -> None:
        self.rules = rules
        self._outcomes = tuple(
            None if rule.outcome is None else ends.outcome(rule.outcome) for rule in rules
        )
        self.forbids = any(rule.outcome is None for rule in rules)

    @staticmethod
    def _key(rule: nodes.Repeat, cells: Cells, turn: int) -> Hashable:
        if rule.variable is None:
            return State(cells, turn)
        return State(cells, turn).part(
            rule.variable.offset, rule.variable.offset + rule.variable.size
        )

    def _counts(self, state: State) -> tuple[dict[Hashable, int], ...]:
        if state.history is None:
            return tuple({} for _ in self.rules)
        return tuple(dict(counts) for counts in state.history)  # type: ignore[attr-defined]

    def after(self, before: State, cells: Cells, turn: int) -> Hashable:
        """The history of the state with these cells that follows `before`."""
        if not self.rules:
            return None
        history: list[Counts] = []
        for rule, counts in zip(self.rules, self._counts(before), strict=True):
            key = self._key(rule, cells, turn)
            is_start = before.history is None
            if is_start or not self._is_exempt(rule, before, key):
                counts[key] = counts.get(key, 0) + 1
            history.append(frozenset(counts.items()))
        return tuple(history)

    def _is_exempt(self, rule: nodes.Repeat, before: State, key: Hashable) -> bool:
        """A move that leaves the variable unchanged does not count."""
        return rule.variable is not None and self._key(rule, before.cells, before.turn) == key

    def allows(self, state: State, cells: Cells, turn: int) -> bool:
        """Whether no `illegal` rule forbids the move from `state` to these cells and this turn."""
        for rule, counts in zip(self.rules, self._counts(state), strict=True):
            if rule.outcome is None:
                key = self._key(rule, cells, turn)
                if not self._is_exempt(rule, state, key) and counts.get(key, 0) + 1 >= rule.times:
                    return False
        return True

    def outcome(self, state: State, env: Environment) -> Payoffs | None:
        """The outcome of the first rule whose count is reached in this state, or None."""
        for rule, counts, outcome in zip(
            self.rules, self._counts(state), self._outcomes, strict=True
        ):
            if outcome is not None:
                key = self._key(rule, state.cells, state.turn)
                if counts.get(key, 0) >= rule.times:
                    return outcome(env)
        return None
