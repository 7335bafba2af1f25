"""The kernel that solves games turn by turn, written against the names of `abi`.

Between turns, a state is described by its slow variables. Depth-first search with an explicit
stack: all outer actions of a turn are applied, and once the values of the following turns are
known, the values of the turn's states follow in one pass, successors first. Values are the first
player's, in units; means are rounded down: a value is too low by less than a unit per chance event
on the way. With t the turns, n the states of a turn, c the classes of outer actions, x the states
that represent classes, and e the states in which turns begin:

turns: see `TurnTable`; template: see `TurnTemplate`; payoffs: the known payoffs of ends.
notes: see `TurnNotes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.compiler.records import Arrays, Record, Rows

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import (
        ACTIONS,
        ENDS_BY_SLOW,
        SLOW_WIDTH,
        STATE_WIDTH,
        Array,
        State,
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

OPEN, SOLVED = 1, 2
"""Marks of a turn while its successors are solved, and then."""
CHANCE, CHOICE, END = range(3)
"""Kinds of states."""
NOTHING, STRANDED = -(1 << 62), -(1 << 62) - 1
"""In place of the value of an illegal action; and of a state in which a player may be unable to
move. The latter is harmless in unreachable states: not every turn begins in all entry states."""
MOST_PAYOFFS = 4
"""Maximal number of payoffs of ends that are noted."""


class Turn(Record):
    """A turn.

    mark: `OPEN`, `SOLVED`, or 0.
    length: the maximal number of turns from this turn on, including it.
    begun: its entry states (bits), once computed.
    over: 1 if play is over.
    """

    mark: int
    length: int
    begun: int
    over: int


class Node(Record):
    """A state of a turn.

    kind: its kind; first: its first edge; exits: the set of its exits, -1 for no set.
    whole: the sum of the weights of a chance event, else 1 if the first player chooses and -1 if
        the second does.
    payoff: the payoff of an end.
    """

    kind: int
    first: int
    exits: int
    whole: int
    payoff: int


class Edge(Record):
    """The successor, the weight of the outcome, the reward."""

    child: int
    weight: int
    paid: int


class Exits(Record):
    """A set of exits: its first class, 1 if the first player chooses, else -1, and the value of the
    best exit."""

    first: int
    sign: int
    value: int


class Payoff(Record):
    """The payoff of an end: a denominator and a numerator."""

    per: int
    share: int


class TurnTable(Arrays):
    """keys: int64[t, SLOW_WIDTH]: the slow variables of each turn.
    slots: int64[power of 2]: open addressing, the number of a turn + 1.
    facts: t turns.
    values: int64[t, e].
    stack: int64[...]: waiting turns, the next turn last.
    """

    keys: Array
    slots: Array
    facts: Rows[Turn]
    values: Array
    stack: Array


class TurnTemplate(Arrays):
    """examples: int64[x, STATE_WIDTH].
    class_of: int64[x, ACTIONS]: the class of each representative action; -1 for other actions.
    entries: int64[e, STATE_WIDTH]; entry_nodes: int64[e].
    class_values: int64[c]: the value after an outer action; `NOTHING` if the action is illegal.
    exits, exit_classes: the sets of exits, and one more; the classes of each set, set after set.
    nodes, edges, node_values: n + 1 states; their edges; int64[n].
    actions, row: working space for actions, and for a state.
    """

    examples: Array
    class_of: Array
    entries: Array
    entry_nodes: Array
    class_values: Array
    exits: Rows[Exits]
    exit_classes: Array
    nodes: Rows[Node]
    edges: Rows[Edge]
    node_values: Array
    actions: Array
    row: Array


class TurnNotes(Record):
    """turns, played, waiting: number of numbered turns, of solved turns that are not over, and of
    waiting turns.
    unit, largest: units per payoff of 1; the largest value allowed.
    shown: the turn of `node_values`.
    per: a denominator that does not divide the unit.
    payoffs: the number of payoffs of ends.
    """

    turns: int
    played: int
    waiting: int
    unit: int
    largest: int
    shown: int
    per: int
    payoffs: int


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


def entered(table: TurnTable, row: Array, notes: TurnNotes) -> int:
    """The number of a turn; an unknown turn is entered with a new number."""
    turn_or_slot = number_of(row, 0, table.keys, table.slots)
    if turn_or_slot >= 0:
        return turn_or_slot
    number = notes.turns
    for part in range(SLOW_WIDTH):
        table.keys[number * SLOW_WIDTH + part] = row[part]
    table.slots[-1 - turn_or_slot] = number + 1
    turn = table.facts[number]
    turn.mark = 0
    turn.length = 0
    turn.begun = 0
    turn.over = 0
    notes.turns = number + 1
    return number


def note_payoff(per: int, share: int, payoffs: Rows[Payoff], notes: TurnNotes) -> int:
    """Note the payoff of an ending."""
    known = notes.payoffs
    for place in range(min(known, MOST_PAYOFFS)):
        if payoffs[place].per == per and payoffs[place].share == share:
            return 0
    if known < MOST_PAYOFFS:
        payoffs[known].per = per
        payoffs[known].share = share
    notes.payoffs = known + 1
    return 0


def entry_of(after: State, template: TurnTemplate) -> int:
    """The entry state in which a turn begins; the number of entries for an unknown state."""
    begins = len(template.entries) // STATE_WIDTH
    entry = 0
    while entry < begins and not same_quick(*after, template.entries, entry * STATE_WIDTH):
        entry += 1
    return entry


def go_out(turn: int, table: TurnTable, template: TurnTemplate, notes: TurnNotes) -> int:
    """Apply an action of every class, and write the values of actions that lead to solved turns;
    unsolved turns are pushed on the stack. `SLICED` if a turn was pushed, else `DONE`; after any
    further status the call can be repeated."""
    for class_number in range(len(template.class_values)):
        template.class_values[class_number] = NOTHING
    begins = len(template.entries) // STATE_WIDTH
    is_waiting = False
    longest = 0
    for example in range(len(template.examples) // STATE_WIDTH):
        state = joined_state(
            table.keys, turn * SLOW_WIDTH, template.examples, example * STATE_WIDTH
        )
        count = legal(*state, template.actions, 0)
        for place in range(count):
            action = template.actions[place]
            class_number = template.class_of[example * ACTIONS + action]
            if class_number < 0:
                continue
            after = apply(*state, action)
            if notes.turns == len(table.facts):
                return FULL
            if notes.waiting == len(table.stack):
                return HIGH
            write_slow(*after, template.row, 0)
            following = entered(table, template.row, notes)
            entry = entry_of(after, template)
            if entry == begins:
                write_quick(*after, template.row, 0)
                return NEW_ENTRY
            mark = table.facts[following].mark
            if mark == OPEN:
                return RETURNS
            if mark != SOLVED:
                is_waiting = True
                table.stack[notes.waiting] = following
                notes.waiting += 1
                continue
            per, share = paid_first(*state, action)
            if per == 0:
                return UNOPPOSED
            if notes.unit % per != 0:
                notes.per = per
                return UNFIT
            longest = max(longest, table.facts[following].length)
            units = notes.unit // per
            if abs(share) > notes.largest // units:
                return LARGE
            value = table.values[following * begins + entry]
            if value != STRANDED:
                value += share * units
            template.class_values[class_number] = value
    if is_waiting:
        return SLICED
    table.facts[turn].length = 1 + longest
    return DONE


def value_exits(may_strand: bool, template: TurnTemplate) -> int:
    """Write the values of the best exits of a turn, from the values of outer actions; returns 0."""
    for exits in range(len(template.exits) - 1):
        first = template.exits[exits].first
        behind = template.exits[exits + 1].first
        sign = template.exits[exits].sign
        best = NOTHING
        for place in range(first, behind):
            value = template.class_values[template.exit_classes[place]]
            if value != NOTHING:
                best = max(best, sign * value)
        if may_strand:
            for place in range(first, behind):
                if template.class_values[template.exit_classes[place]] == STRANDED:
                    best = STRANDED
        template.exits[exits].value = best
    return 0


def value_turn(is_over: bool, payoff: int, template: TurnTemplate, largest: int) -> int:
    """The values of all states of a turn, from the values of outer actions; returns a status. If
    turns begin in several states, a turn need not begin in all of them."""
    may_strand = len(template.entry_nodes) > 1
    if not is_over:
        value_exits(may_strand, template)
    for number in range(len(template.node_values)):
        node = template.nodes[number]
        first = node.first
        behind = template.nodes[number + 1].first
        value = 0
        is_stranded = False
        if may_strand and not is_over:
            for edge in range(first, behind):
                if template.node_values[template.edges[edge].child] == STRANDED:
                    is_stranded = True
        if node.kind == CHANCE:
            for edge in range(first, behind):
                after = template.node_values[template.edges[edge].child] + template.edges[edge].paid
                value += template.edges[edge].weight * after
            value = value // node.whole
        elif is_over:
            value = payoff
        elif node.kind == CHOICE:
            sign = node.whole
            best = NOTHING
            if node.exits >= 0:
                best = template.exits[node.exits].value
                is_stranded = is_stranded or best == STRANDED
            for edge in range(first, behind):
                after = template.node_values[template.edges[edge].child] + template.edges[edge].paid
                best = max(best, sign * after)
            if best == NOTHING and not may_strand:
                return STUCK
            is_stranded = is_stranded or best == NOTHING
            value = sign * best
        else:
            value = node.payoff
        if is_stranded:
            value = STRANDED
        elif value > largest or value < -largest:
            return LARGE
        template.node_values[number] = value
    return DONE


def end_of(
    turn: int, table: TurnTable, template: TurnTemplate, payoffs: Rows[Payoff], notes: TurnNotes
) -> tuple[int, bool, int]:
    """A status, whether play is over when a turn begins, and the payoff in units."""
    if not ENDS_BY_SLOW:
        return DONE, False, 0
    per, share = end_first(*joined_state(table.keys, turn * SLOW_WIDTH, template.examples, 0))
    if per < 0:
        return UNOPPOSED, False, 0
    if per == 0:
        return DONE, False, 0
    if notes.unit % per != 0:
        notes.per = per
        return UNFIT, True, 0
    units = notes.unit // per
    if abs(share) > notes.largest // units:
        return LARGE, True, 0
    note_payoff(per, share, payoffs, notes)
    table.facts[turn].over = 1
    table.facts[turn].length = 1
    return DONE, True, share * units


def solve_turns(
    most: int, table: TurnTable, template: TurnTemplate, payoffs: Rows[Payoff], notes: TurnNotes
) -> int:
    """Continue until no turn waits, or the caller has to act; `most`: number of turns visited
    before a return. A turn on the stack that has been solved meanwhile is skipped."""
    looked_at = 0
    begins = len(template.entry_nodes)
    while notes.waiting > 0:
        if looked_at == most:
            return SLICED
        turn = table.stack[notes.waiting - 1]
        if table.facts[turn].mark == SOLVED:
            notes.waiting -= 1
            continue
        looked_at += 1
        status, is_over, payoff = end_of(turn, table, template, payoffs, notes)
        if status == DONE and not is_over:
            table.facts[turn].mark = OPEN
            status = go_out(turn, table, template, notes)
        if status == SLICED:
            continue
        if status == DONE:
            status = value_turn(is_over, payoff, template, notes.largest)
        if status != DONE:
            return status
        for entry in range(begins):
            value = template.node_values[template.entry_nodes[entry]]
            table.values[turn * begins + entry] = value
        table.facts[turn].mark = SOLVED
        notes.played += 0 if is_over else 1
        notes.shown = turn
        notes.waiting -= 1
    return DONE


def begin_turns(
    order: Array,
    first: int,
    last: int,
    table: TurnTable,
    template: TurnTemplate,
    class_begun: Array,
) -> int:
    """Note the entry states of the successors of some turns. `order` is a topological order of the
    turns; `class_begun`: for each class the entry states (bits) whose turns can reach an action of
    the class."""
    for place in range(first, last):
        turn = order[place]
        begun = table.facts[turn].begun
        if begun == 0 or table.facts[turn].over == 1:
            continue
        for example in range(len(template.examples) // STATE_WIDTH):
            state = joined_state(
                table.keys, turn * SLOW_WIDTH, template.examples, example * STATE_WIDTH
            )
            count = legal(*state, template.actions, 0)
            for number in range(count):
                action = template.actions[number]
                class_number = template.class_of[example * ACTIONS + action]
                if class_number < 0:
                    continue
                if class_begun[class_number] & begun == 0:
                    continue
                after = apply(*state, action)
                write_slow(*after, template.row, 0)
                following = number_of(template.row, 0, table.keys, table.slots)
                table.facts[following].begun |= 1 << entry_of(after, template)
    return 0


def enter_all(keys: Array, slots: Array, notes: TurnNotes) -> int:
    """Enter all turns into empty slots."""
    for number in range(notes.turns):
        slots[-1 - number_of(keys, number * SLOW_WIDTH, keys, slots)] = number + 1
    return 0
