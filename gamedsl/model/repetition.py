"""Count the occurrences of positions and values for repetition rules.

The history of a state holds, for each rule, a frozen set of occurrences: (key, 1), (key, 2) and so
on, where a key is `State.position` or `State.part`, in the engine's form. The set grows without
inspection of its elements. A step may pause at chance events: the history of a state on the way
ends with the keys of the state before the step, where a rule exempts unchanged steps. The payoffs
of a rule are in generated code; this module only counts occurrences.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from gamedsl.model.nodes import Repeat, Variable
from gamedsl.model.state import State

Occurrences = frozenset[tuple[Hashable, int]]


def key_of(rule: Repeat, position: State) -> State:
    """The part of a position that a rule compares."""
    compared = sum(variable.size for variable in rule.variables)
    if rule.with_turn and compared == position.size:
        return position.position()
    return position.part(rule.variables, rule.with_turn)


def occurrences_of(rules: tuple[Repeat, ...], state: State) -> tuple[Occurrences, ...]:
    """The occurrences so far, a set per rule."""
    if state.history is None:
        return tuple(frozenset() for _ in rules)
    return state.history[: len(rules)]  # type: ignore[index,no-any-return]


def keys_before_step(rules: tuple[Repeat, ...], state: State) -> tuple[State | None, ...]:
    """The key of each rule in the state before the step that paused in `state`; None for a rule
    that exempts no step, and before the first state."""
    if state.history is None or len(state.history) == len(rules):  # type: ignore[arg-type]
        return tuple(None for _ in rules)
    return state.history[-1]  # type: ignore[index,no-any-return]


def history_in_step(rules: tuple[Repeat, ...], before: State) -> Hashable:
    """The history of a state in which the step from `before` pauses at a chance event."""
    if before.history is None or not any(rule.exempts_unchanged for rule in rules):
        return before.history
    return (*occurrences_of(rules, before), _keys_from(rules, before))


def _keys_from(rules: tuple[Repeat, ...], before: State) -> tuple[State | None, ...]:
    """The keys with which the state after a step from `before` is compared, as in
    `keys_before_step`."""
    if before.history is None or before.pending is not None:
        return keys_before_step(rules, before)
    return tuple(key_of(rule, before) if rule.exempts_unchanged else None for rule in rules)


def _times(occurrences: Occurrences, key: Hashable) -> int:
    """The number of occurrences of a key."""
    times = 0
    while (key, times + 1) in occurrences:
        times += 1
    return times


def history_after(rules: tuple[Repeat, ...], before: State, position: State) -> Hashable:
    """The history of the state at this position that ends the step from `before`, or from the
    state before the step that paused in `before`.

    A step that leaves the compared part unchanged is no occurrence, if the rule exempts such steps.
    """
    if not rules:
        return None
    keys = _keys_from(rules, before)
    history = []
    for rule, occurrences, exempt in zip(rules, occurrences_of(rules, before), keys, strict=True):
        key = key_of(rule, position)
        is_counted = exempt is None or key != exempt
        more = {(key, _times(occurrences, key) + 1)} if is_counted else set()
        history.append(occurrences | more)
    return tuple(history)


def allowance(rules: tuple[Repeat, ...], state: State) -> Callable[[State], bool]:
    """A predicate of positions: whether no rule forbids the step from `state` to the position."""
    forbidding = [
        (rule, occurrences, key_of(rule, state) if rule.exempts_unchanged else None)
        for rule, occurrences in zip(rules, occurrences_of(rules, state), strict=True)
        if rule.outcome is None
    ]

    def is_allowed(position: State) -> bool:
        for rule, occurrences, exempt in forbidding:
            key = key_of(rule, position)
            if _times(occurrences, key) + 1 >= rule.times and key != exempt:
                return False
        return True

    return is_allowed


def reached(rules: tuple[Repeat, ...], state: State) -> Iterator[int]:
    """The numbers of the rules whose outcome is reached in a state, in order."""
    if not rules:
        return
    position = state.position()
    for number, (rule, occurrences) in enumerate(
        zip(rules, occurrences_of(rules, state), strict=True)
    ):
        if rule.outcome is not None and _times(occurrences, key_of(rule, position)) >= rule.times:
            yield number


def most_occurrences(state: State) -> int:
    """The greatest number of occurrences of a key in the history of a state."""
    history = state.history or ()
    return max((times for part in history for _, times in part), default=0)  # type: ignore[attr-defined]


def head_without(rule: Repeat, variables: tuple[Variable, ...], name: str) -> str:
    """The head of a repetition rule, as written, without the variable `name`; `variables` are the
    game's."""
    compared = [variable.name for variable in rule.variables if variable.name != name]
    if rule.exempts_unchanged:
        return f"repeat {', '.join([*compared, *(['turn'] if rule.with_turn else [])])}"
    left_out = [variable.name for variable in variables if variable.name not in compared]
    return f"repeat state without {', '.join(left_out + ([] if rule.with_turn else ['turn']))}"
