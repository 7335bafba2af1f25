"""The kernel that solves games by turns, written against the names of `abi`.

Between turns only the slow variables of a state count. Depth first with a stack of its own: all
outer actions of a turn are carried out, and once the values of the turns that they lead to are
known, those of the states of the turn follow in one pass, each behind those it leads to. Values are
the first player's, in units, and means are rounded down: each is too low by less than a unit for
each chance event on the way. With t the turns, n the states of a turn, c the classes of outer
actions, x the states in which these are looked at, and e those in which turns begin:

keys: int64[t, SLOW_WIDTH]: the slow variables of each turn.
slots: int64[power of 2]: open addressing, the number of a turn + 1.
facts: int64[t, FACTS]: see below.
values: int64[t, e].
stack: int64[...]: turns that wait, the last ones first.
examples: int64[x, STATE_WIDTH]; class_of: int64[x, ACTIONS]: the class of each action that is
looked at there; -1.
entries: int64[e, STATE_WIDTH]; entry_nodes: int64[e].
class_values: int64[c]: what follows an outer action; `NOTHING` where it is not legal.
exit_firsts, exit_classes, exit_signs: the classes of each set of exits, one set behind the other,
and 1 where the first player chooses, else -1; exit_values: what the best of them gives.
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

# What is known of a turn: `OPEN` while the turns that it leads to are solved, then `SOLVED`; how
# many turns may follow, this one included; in which states it begins (bits), once that has been
# asked; 1 if play is over there.
MARK, LENGTH, BEGUN, OVER = range(4)
FACTS = 4
OPEN, SOLVED = 1, 2

# A state of a turn: what it is; its first edge; the set of its exits, -1 without; the sum of the
# weights of a chance event, else 1 where the first player chooses and -1 where the second does;
# what an end pays.
KIND, FIRST, EXITS, WHOLE, PAYOFF = range(5)
NODE = 5
CHANCE, CHOICE, END = range(3)
# What follows, the weight of that outcome, what is paid.
CHILD, WEIGHT, PAID = range(3)
EDGE = 3

NOTHING, STRANDED = -(1 << 62), -(1 << 62) - 1
"""In place of the value of what is not legal; and where it may be that somebody cannot move, which
does no harm where play does not come: not every turn begins in all states in which turns begin."""

# What lives on between calls: turns numbered; those solved that are not over; turns waiting; of how
# many units a payoff is; the largest value allowed; the turn whose values `node_values` are; a
# denominator that does not divide the unit; what ends pay, as far as that is known: how many, then
# these.
TURNS, PLAYED, WAITING, UNIT, LARGEST, SHOWN, PER, PAYOFFS = range(8)
FIRST_PAYOFF = 8
MOST_PAYOFFS = 4
NOTES = FIRST_PAYOFF + 2 * MOST_PAYOFFS

# Why the kernel has come back: all is done; the slice is; there are more turns than room; more wait
# than there is room for; a turn begins in a state that is not known; a value is too large; play can
# return to a turn; somebody cannot move; a payoff is no number of units; one player does not lose
# what the other wins.
DONE, SLICED, FULL, HIGH, NEW_ENTRY, LARGE, RETURNS, STUCK, UNFIT, UNOPPOSED = range(10)


def number_of(row: Array, at: int, keys: Array, slots: Array) -> int:
    """The number of the turn whose slow variables lie in a row; of a new one -1 - its slot."""
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
    """The number of a turn, which is a new one if it is not known."""
    found = number_of(row, 0, keys, slots)
    if found >= 0:
        return found
    number: int = notes[TURNS]
    for part in range(SLOW_WIDTH):
        keys[number * SLOW_WIDTH + part] = row[part]
    slots[-1 - found] = number + 1
    for part in range(FACTS):
        facts[number * FACTS + part] = 0
    notes[TURNS] = number + 1
    return number


def note_payoff(per: int, share: int, notes: Array) -> int:
    """Note what an end pays."""
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
    """Carry out an action of every class: the values of those that lead to turns that are solved;
    the others wait on the stack. `SLICED` if there are some, else `DONE`; after any other status
    it can be done again."""
    for which in range(len(class_values)):
        class_values[which] = NOTHING
    room = len(facts) // FACTS
    begins = len(entries) // STATE_WIDTH
    is_waiting = False
    longest = 0
    for example in range(len(examples) // STATE_WIDTH):
        state = joined_state(keys, turn * SLOW_WIDTH, examples, example * STATE_WIDTH)
        count = legal(*state, actions, 0)
        for place in range(count):
            action = actions[place]
            which = class_of[example * ACTIONS + action]
            if which < 0:
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
            class_values[which] = value + paid if value != STRANDED else STRANDED
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
    """The values of all states of a turn, whose outer actions have values; gives a status.
    `may_strand`: turns begin in several states, and not each in all of them."""
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
    """Go on until no turn waits, or something has to be done about it; `most`: turns looked at
    until then. A turn on the stack that is solved by now is solved no more."""
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
    """Note in which states turns begin, for those that follow some of the turns of an order in
    which none follows later ones; `class_begun`: for each class the states (bits) in which turns
    begin that come to an action of it."""
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
                which = class_of[example * ACTIONS + action]
                if which < 0:
                    continue
                if class_begun[which] & begun == 0:
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
    """Put all turns into slots that are empty."""
    for number in range(notes[TURNS]):
        slots[-1 - number_of(keys, number * SLOW_WIDTH, keys, slots)] = number + 1
    return 0
