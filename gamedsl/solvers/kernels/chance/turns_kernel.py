"""The kernel that solves games turn by turn, written against the names of `abi`.

Between turns, a state is described by its slow variables. Depth-first search with an explicit
stack: all outer actions of a turn are applied, and once the values of the following turns are
known, the values of the turn's states follow in one pass, successors first. Values are the first
player's, in units; means are rounded down: a value is too low by less than a unit per chance event
on the way. With t the turns, n the states of a turn, c the classes of outer actions, x the states
that represent classes, and e the states in which turns begin:

keys: int64[t, SLOW_WIDTH]: the slow variables of each turn.
slots: int64[power of 2]: open addressing, the number of a turn + 1.
facts: int64[t, FACTS]: see below.
values: int64[t, e].
stack: int64[...]: waiting turns, the next turn last.
examples: int64[x, STATE_WIDTH]; class_of: int64[x, ACTIONS]: the class of each representative
action; -1 for other actions.
entries: int64[e, STATE_WIDTH]; entry_nodes: int64[e].
class_values: int64[c]: the value after an outer action; `NOTHING` if the action is illegal.
exit_firsts, exit_classes, exit_signs: the classes of each set of exits, set after set, and 1 if the
first player chooses, else -1; exit_values: the value of the best exit.
nodes: int64[n + 1, NODE]; edges: int64[..., EDGE]; node_values: int64[n].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ENDS_BY_SLOW,
        SLOW_WIDTH,
        STATE_WIDTH,
        Array,
        apply,
        end_first,
        hash_slow,
        joined_state,
        legal,
        paid_first,
        same_quick,
        write_quick,
        write_slow,
    )

# Facts of a turn: `OPEN` while its successors are solved, then `SOLVED`; the maximal number of
# turns from this turn on, including it; its entry states (bits), once computed; 1 if play is over.
MARK, LENGTH, BEGUN, OVER = range(4)
FACTS = 4
OPEN, SOLVED = 1, 2

# A state of a turn: its kind; its first edge; the set of its exits, -1 for no set; the sum of the
# weights of a chance event, else 1 if the first player chooses and -1 if the second does; the
# payoff of an end.
KIND, FIRST, EXITS, WHOLE, PAYOFF = range(5)
NODE = 5
CHANCE, CHOICE, END = range(3)
# The successor, the weight of the outcome, the reward.
CHILD, WEIGHT, PAID = range(3)
EDGE = 3

NOTHING, STRANDED = -(1 << 62), -(1 << 62) - 1
"""In place of the value of an illegal action; and of a state in which a player may be unable to
move. The latter is harmless in unreachable states: not every turn begins in all entry states."""

# What lives on between calls: number of numbered turns; number of solved turns that are not over;
# number of waiting turns; units per payoff of 1; the largest value allowed; the turn of
# `node_values`; a denominator that does not divide the unit; the known payoffs of ends: their
# number, then the payoffs.
TURNS, PLAYED, WAITING, UNIT, LARGEST, SHOWN, PER, PAYOFFS = range(8)
FIRST_PAYOFF = 8
MOST_PAYOFFS = 4
NOTES = FIRST_PAYOFF + 2 * MOST_PAYOFFS

# Statuses: all work is done; the slice is done; too many turns for the arrays; too many waiting
# turns for the stack; a turn begins in an unknown state; a value is too large; play can return to a
# turn; a player cannot move; a payoff is no whole number of units; interests are not opposed.
DONE, SLICED, FULL, HIGH, NEW_ENTRY, LARGE, RETURNS, STUCK, UNFIT, UNOPPOSED = range(10)


def number_of(row: Array, at: int, keys: Array, slots: Array) -> int:
    """The number of the turn with the slow variables at a place of a row; -1 - slot for a new
    turn."""
    slot = hash_slow(row, at) & (len(slots) - 1)
    while slots[slot] != 0:
        number: int = slots[slot] - 1
        is_same = True
        for part in range(SLOW_WIDTH):
            is_same = is_same and keys[number * SLOW_WIDTH + part] == row[at + part]
        if is_same:
            return number
        slot = (slot + 1) & (len(slots) - 1)
    return -1 - slot


def entered(row: Array, keys: Array, slots: Array, facts: Array, notes: Array) -> int:
    """The number of a turn; an unknown turn is entered with a new number."""
    turn_or_slot = number_of(row, 0, keys, slots)
    if turn_or_slot >= 0:
        return turn_or_slot
    number: int = notes[TURNS]
    for part in range(SLOW_WIDTH):
        keys[number * SLOW_WIDTH + part] = row[part]
    slots[-1 - turn_or_slot] = number + 1
    for part in range(FACTS):
        facts[number * FACTS + part] = 0
    notes[TURNS] = number + 1
    return number


def note_payoff(per: int, share: int, notes: Array) -> int:
    """Note the payoff of an ending."""
    known = notes[PAYOFFS]
    for place in range(min(known, MOST_PAYOFFS)):
        at = FIRST_PAYOFF + 2 * place
        if notes[at] == per and notes[at + 1] == share:
            return 0
    if known < MOST_PAYOFFS:
        notes[FIRST_PAYOFF + 2 * known] = per
        notes[FIRST_PAYOFF + 2 * known + 1] = share
    notes[PAYOFFS] = known + 1
    return 0


def go_out(
    turn: int,
    keys: Array,
    slots: Array,
    facts: Array,
    values: Array,
    stack: Array,
    examples: Array,
    class_of: Array,
    entries: Array,
    class_values: Array,
    actions: Array,
    row: Array,
    notes: Array,
) -> int:
    """Apply an action of every class, and write the values of actions that lead to solved turns;
    unsolved turns are pushed on the stack. `SLICED` if a turn was pushed, else `DONE`; after any
    further status the call can be repeated."""
    for class_number in range(len(class_values)):
        class_values[class_number] = NOTHING
    room = len(facts) // FACTS
    begins = len(entries) // STATE_WIDTH
    is_waiting = False
    longest = 0
    for example in range(len(examples) // STATE_WIDTH):
        state = joined_state(keys, turn * SLOW_WIDTH, examples, example * STATE_WIDTH)
        count = legal(*state, actions, 0)
        for place in range(count):
            action = actions[place]
            class_number = class_of[example * ACTIONS + action]
            if class_number < 0:
                continue
            after = apply(*state, action)
            if notes[TURNS] == room:
                return FULL
            if notes[WAITING] == len(stack):
                return HIGH
            write_slow(*after, row, 0)
            following = entered(row, keys, slots, facts, notes)
            entry = 0
            while entry < begins and not same_quick(*after, entries, entry * STATE_WIDTH):
                entry += 1
            if entry == begins:
                write_quick(*after, row, 0)
                return NEW_ENTRY
            mark = facts[following * FACTS + MARK]
            if mark == OPEN:
                return RETURNS
            if mark != SOLVED:
                is_waiting = True
                stack[notes[WAITING]] = following
                notes[WAITING] += 1
                continue
            per, share = paid_first(*state, action)
            if per == 0:
                return UNOPPOSED
            if notes[UNIT] % per != 0:
                notes[PER] = per
                return UNFIT
            longest = max(longest, facts[following * FACTS + LENGTH])
            units = notes[UNIT] // per
            if abs(share) > notes[LARGEST] // units:
                return LARGE
            paid = share * units
            value = values[following * begins + entry]
            class_values[class_number] = value + paid if value != STRANDED else STRANDED
    if is_waiting:
        return SLICED
    facts[turn * FACTS + LENGTH] = 1 + longest
    return DONE


def value_turn(
    is_over: bool,
    payoff: int,
    may_strand: bool,
    class_values: Array,
    exit_firsts: Array,
    exit_classes: Array,
    exit_signs: Array,
    exit_values: Array,
    nodes: Array,
    edges: Array,
    node_values: Array,
    notes: Array,
) -> int:
    """The values of all states of a turn, from the values of outer actions; returns a status.
    `may_strand`: turns begin in several states, and a turn need not begin in all of them."""
    if not is_over:
        for exits in range(len(exit_signs)):
            sign = exit_signs[exits]
            best = NOTHING
            for place in range(exit_firsts[exits], exit_firsts[exits + 1]):
                value = class_values[exit_classes[place]]
                if value != NOTHING:
                    best = max(best, sign * value)
            if may_strand:
                for place in range(exit_firsts[exits], exit_firsts[exits + 1]):
                    if class_values[exit_classes[place]] == STRANDED:
                        best = STRANDED
            exit_values[exits] = best
    largest = notes[LARGEST]
    for node in range(len(node_values)):
        at = node * NODE
        kind = nodes[at + KIND]
        first = nodes[at + FIRST]
        behind = nodes[at + NODE + FIRST]
        value = 0
        is_stranded = False
        if may_strand and not is_over:
            for edge in range(first, behind, EDGE):
                if node_values[edges[edge + CHILD]] == STRANDED:
                    is_stranded = True
        if kind == CHANCE:
            for edge in range(first, behind, EDGE):
                after = node_values[edges[edge + CHILD]] + edges[edge + PAID]
                value += edges[edge + WEIGHT] * after
            value = value // nodes[at + WHOLE]
        elif is_over:
            value = payoff
        elif kind == CHOICE:
            sign = nodes[at + WHOLE]
            best = NOTHING
            if nodes[at + EXITS] >= 0:
                best = exit_values[nodes[at + EXITS]]
                is_stranded = is_stranded or best == STRANDED
            for edge in range(first, behind, EDGE):
                best = max(best, sign * (node_values[edges[edge + CHILD]] + edges[edge + PAID]))
            if best == NOTHING and not may_strand:
                return STUCK
            is_stranded = is_stranded or best == NOTHING
            value = sign * best
        else:
            value = nodes[at + PAYOFF]
        if is_stranded:
            value = STRANDED
        elif value > largest or value < -largest:
            return LARGE
        node_values[node] = value
    return DONE


def solve_turns(
    most: int,
    keys: Array,
    slots: Array,
    facts: Array,
    values: Array,
    stack: Array,
    examples: Array,
    class_of: Array,
    entries: Array,
    entry_nodes: Array,
    class_values: Array,
    exit_firsts: Array,
    exit_classes: Array,
    exit_signs: Array,
    exit_values: Array,
    nodes: Array,
    edges: Array,
    node_values: Array,
    actions: Array,
    row: Array,
    notes: Array,
) -> int:
    """Continue until no turn waits, or the caller has to act; `most`: number of turns visited
    before a return. A turn on the stack that has been solved meanwhile is skipped."""
    looked_at = 0
    while notes[WAITING] > 0:
        if looked_at == most:
            return SLICED
        turn = stack[notes[WAITING] - 1]
        if facts[turn * FACTS + MARK] == SOLVED:
            notes[WAITING] -= 1
            continue
        looked_at += 1
        is_over = False
        payoff = 0
        status = DONE
        if ENDS_BY_SLOW:
            per, share = end_first(*joined_state(keys, turn * SLOW_WIDTH, examples, 0))
            if per < 0:
                return UNOPPOSED
            if per > 0:
                is_over = True
                if notes[UNIT] % per != 0:
                    notes[PER] = per
                    return UNFIT
                units = notes[UNIT] // per
                if abs(share) > notes[LARGEST] // units:
                    return LARGE
                payoff = share * units
                note_payoff(per, share, notes)
                facts[turn * FACTS + OVER] = 1
                facts[turn * FACTS + LENGTH] = 1
        if not is_over:
            facts[turn * FACTS + MARK] = OPEN
            status = go_out(
                turn, keys, slots, facts, values, stack, examples, class_of, entries, class_values,
                actions, row, notes,
            )  # fmt: skip
        if status == DONE:
            status = value_turn(
                is_over, payoff, len(entry_nodes) > 1, class_values, exit_firsts, exit_classes,
                exit_signs, exit_values, nodes, edges, node_values, notes,
            )  # fmt: skip
            if status != DONE:
                return status
            for entry in range(len(entry_nodes)):
                values[turn * len(entry_nodes) + entry] = node_values[entry_nodes[entry]]
            facts[turn * FACTS + MARK] = SOLVED
            notes[PLAYED] += 0 if is_over else 1
            notes[SHOWN] = turn
            notes[WAITING] -= 1
        elif status != SLICED:
            return status
    return DONE


def begin_turns(
    order: Array,
    first: int,
    last: int,
    keys: Array,
    slots: Array,
    facts: Array,
    examples: Array,
    class_of: Array,
    class_begun: Array,
    entries: Array,
    actions: Array,
    row: Array,
) -> int:
    """Note the entry states of the successors of some turns. `order` is a topological order of the
    turns; `class_begun`: for each class the entry states (bits) whose turns can reach an action of
    the class."""
    for place in range(first, last):
        turn = order[place]
        begun = facts[turn * FACTS + BEGUN]
        if begun == 0 or facts[turn * FACTS + OVER] == 1:
            continue
        for example in range(len(examples) // STATE_WIDTH):
            state = joined_state(keys, turn * SLOW_WIDTH, examples, example * STATE_WIDTH)
            count = legal(*state, actions, 0)
            for number in range(count):
                action = actions[number]
                class_number = class_of[example * ACTIONS + action]
                if class_number < 0:
                    continue
                if class_begun[class_number] & begun == 0:
                    continue
                after = apply(*state, action)
                write_slow(*after, row, 0)
                following = number_of(row, 0, keys, slots)
                entry = 0
                while not same_quick(*after, entries, entry * STATE_WIDTH):
                    entry += 1
                facts[following * FACTS + BEGUN] |= 1 << entry
    return 0


def enter_all(keys: Array, slots: Array, notes: Array) -> int:
    """Enter all turns into empty slots."""
    for number in range(notes[TURNS]):
        slots[-1 - number_of(keys, number * SLOW_WIDTH, keys, slots)] = number + 1
    return 0
