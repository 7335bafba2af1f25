"""The history of a play and its repetition rules: functions for kernels.

Written against the names of every generated module (`abi`). `past` is int64[n, ENTRY]: the states
in which a player was to move, the present state last; `length` rows are in use. A row is the output
of `store_state`, the state and its fingerprint for each rule, and, if `IS_MARKED`, a set of rules
(bit n: rule n) for which the state counts as an occurrence. In a game without rules nothing is
written, and `past` may be empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ENTRY,
        GROUPS,
        IS_MARKED,
        PRINTS,
        RULE_ILLEGAL,
        RULE_TIMES,
        RULES,
        STUCK_BY_HISTORY,
        Array,
        State,
        apply,
        end,
        end_after,
        fingerprint,
        legal,
        legal_in_group,
        numbers,
        same_position,
        store_state,
        unchanged,
    )


def occurrences(rule: int, sought: int, state: State, past: Array, length: int) -> int:
    """Number of occurrences of a state, whose fingerprint is `sought`, in the past, as seen by a
    rule."""
    count = 0
    for number in range(length):
        place = number * ENTRY
        if past[place + PRINTS + rule] == sought:
            counts = True
            if IS_MARKED:
                counts = (past[place + ENTRY - 1] >> rule) & 1 != 0
            if counts and same_position(rule, *state, past, place):
                count += 1
    return count


def repeated_rule(state: State, past: Array, length: int) -> int:
    """The first rule by which the present state, the last of the past, ends the game; -1 if no rule
    does."""
    for rule in range(RULES):
        if RULE_ILLEGAL[rule] == 0:
            times = 1
            if IS_MARKED:
                times = past[length * ENTRY - 1] >> rule & 1
            sought = past[(length - 1) * ENTRY + PRINTS + rule]
            if times + occurrences(rule, sought, state, past, length - 1) >= RULE_TIMES[rule]:
                return rule
    return -1


def mark_next(state: State, past: Array, length: int) -> int:
    """Mark the rules for which the state after a step counts, in the next row of the past; return
    the number of rows in use. The chance events of a step belong to the step: the state is compared
    with the last state in which a player was to move."""
    if IS_MARKED:
        marks = 0
        for rule in range(RULES):
            if length == 0 or not unchanged(rule, *state, past, (length - 1) * ENTRY):
                marks |= 1 << rule
        past[length * ENTRY + ENTRY - 1] = marks
    return length


def push_history(state: State, past: Array, length: int) -> int:
    """Append a marked state with a player to move to the past; return the new length."""
    if RULES > 0:
        store_state(*state, past, length * ENTRY)
        length += 1
    return length


def keeps_rules(state: State, past: Array, length: int) -> bool:
    """Whether no rule forbids the step to a state from the present state, the last of the past."""
    for rule in range(RULES):
        present = (length - 1) * ENTRY
        if RULE_ILLEGAL[rule] != 0 and not unchanged(rule, *state, past, present):
            sought = fingerprint(rule, *state)
            if occurrences(rule, sought, state, past, length) + 1 >= RULE_TIMES[rule]:
                return False
    return True


def legal_now(state: State, past: Array, length: int, actions: Array, first: int) -> int:
    """`legal`, restricted by the repetition rules."""
    if GROUPS == 0:
        return legal(*state, actions, first)
    for group in range(GROUPS):
        last = legal_in_group(group, *state, actions, first)
        allowed = first
        for place in range(first, last):
            action = actions[place]
            if keeps_rules(apply(*state, action), past, length):
                actions[allowed] = action
                allowed += 1
        if allowed > first:
            return allowed
    return first


def terminal_payoffs(*arguments: Any) -> tuple[int, ...]:
    """Like `end`; the last two arguments are the past and its length."""
    if STUCK_BY_HISTORY:
        return end(*arguments)
    else:  # noqa: RET505 (a branch that is left out has no types)
        return end(*arguments[:-2])


def terminal_payoffs_after(*arguments: Any) -> tuple[int, ...]:
    """Like `end_after`, with the past; in games with chance equal to `terminal_payoffs`."""
    if STUCK_BY_HISTORY:
        return end_after(*arguments)
    else:  # noqa: RET505 (as above)
        return end_after(*arguments[:-2])


def stuck_now(*arguments: Any) -> bool:
    """Whether the player to move has no legal action; `end` asks, with the past and its length."""
    free = numbers(ACTIONS + 1)
    return legal_now(arguments[:-2], arguments[-2], arguments[-1], free, 0) == 0
