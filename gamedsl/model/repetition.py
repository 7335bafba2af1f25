"""Repetition rules: how often each position or value has occurred, what that forbids or ends.

The history of a state holds, for each rule, a frozen set of (key, occurrences): `State.position`
or `State.part`, in whatever form the engine holds them. Which payoffs a rule means is generated
code; here only occurrences are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from gamedsl.model.nodes import Repeat
from gamedsl.model.state import State


def key_of(rule: Repeat, position: State) -> Hashable:
    """What a rule watches: a variable, or the whole position."""
    if rule.variable is None:
        return position
    start = rule.variable.offset
    return position.part(start, start + rule.variable.size)


def counts_of(rules: tuple[Repeat, ...], state: State) -> tuple[dict[Hashable, int], ...]:
    """The occurrences so far, a dictionary a rule."""
    if state.history is None:
        return tuple({} for _ in rules)
    return tuple(dict(counts) for counts in state.history)  # type: ignore[attr-defined]


def is_exempt(rule: Repeat, before: State, key: Hashable) -> bool:
    """A move that leaves the variable as it is does not count."""
    return rule.variable is not None and key_of(rule, before) == key


def history_after(rules: tuple[Repeat, ...], before: State, position: State) -> Hashable:
    """The history of the state at this position that follows `before`."""
    if not rules:
        return None
    history = []
    for rule, counts in zip(rules, counts_of(rules, before), strict=True):
        key = key_of(rule, position)
        if before.history is None or not is_exempt(rule, before, key):
            counts[key] = counts.get(key, 0) + 1
        history.append(frozenset(counts.items()))
    return tuple(history)


def allowance(rules: tuple[Repeat, ...], state: State) -> Callable[[State], bool]:
    """Tells of a position whether no rule forbids the step from `state` to it."""
    forbidding = [
        (rule, counts, None if rule.variable is None else key_of(rule, state))
        for rule, counts in zip(rules, counts_of(rules, state), strict=True)
        if rule.outcome is None
    ]

    def is_allowed(position: State) -> bool:
        for rule, counts, exempt in forbidding:
            key = key_of(rule, position)
            if counts.get(key, 0) + 1 >= rule.times and key != exempt:
                return False
        return True

    return is_allowed


def reached(rules: tuple[Repeat, ...], state: State) -> Iterator[int]:
    """The numbers of the rules whose outcome is reached in a state, in order."""
    if not rules:
        return
    position = state.position()
    for number, (rule, counts) in enumerate(zip(rules, counts_of(rules, state), strict=True)):
        if rule.outcome is not None:
            key = key_of(rule, position)
            if counts.get(key, 0) >= rule.times:
                yield number
