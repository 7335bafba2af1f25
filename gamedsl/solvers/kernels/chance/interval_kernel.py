"""The kernel that bounds values of games with chance.

Once all states are numbered (`event_graph_kernel`), strongly connected components are found, each
behind all it leads to (`components_kernel`), and settled in this order: where play cannot return a
value follows from those of the successors; where it can, sweeps bring two bounds together from
below and from above (interval iteration: Haddad and Monmege, "Interval iteration algorithm for MDPs
and IMDPs", Theor. Comput. Sci. 735, 2018).

Bounds are whole numbers of one part of the range of payoffs. Lower ones are rounded down and upper
ones up, so each sweep leaves them true, and one that changes nothing is the last.

Bounds may be guessed (optimistic value iteration: Hartmanns and Kaminski, CAV 2020). A lower bound
that a sweep lowers nowhere is true if the first player's choices, by which the sweep did not, leave
the component with probability one whatever the other does; upper bounds likewise. Sweeps come to
move all bounds of a component a certain part as far as the sweep before: so what the last one moved
them by says how far they have to go.

Arrays are those of `event_graph_kernel` and `components_kernel`, and, with n the number of states:

lower, upper: int64[n]: bounds of what the first player gets.
choices: int64[n]: the edge that the player to move takes.
before: int64[n, 2], earlier: int64[n]: bounds before the last sweep or guess, and choices before
the guess, by place in a component.
marks: int64[n]: by place in a component, whether it is known to be left.
notes: int64[ALL_NOTES].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.solvers.kernels.chance.components_kernel import WEIGHT_SHIFT
from gamedsl.solvers.kernels.chance.event_graph_kernel import NATURE
from gamedsl.solvers.kernels.induction_kernel import DONE, SLICED, USED

if TYPE_CHECKING:
    from gamedsl.solvers.kernels.abi import Array

# Besides the notes of `event_graph_kernel`: states that are settled; sweeps of the component that
# is being settled, the greatest distance of bounds that is brought into it, and in it; whether play
# can return at all; the most that the last sweep raised a lower bound by, and lowered an upper one,
# and so the sweep before it; how narrow the next guess is, as a power of 2, and after how many
# sweeps it comes; whether choices are known to leave the component; components of which that is not
# known.
SETTLED, SWEEPS, BROUGHT, GAP, RETURNING = range(15, 20)
ROSE, FELL, ROSE_BEFORE, FELL_BEFORE, NARROWER, GUESS_AT, LEAVING, STAYING = range(20, 28)
ALL_NOTES = 28

MOST_SWEEPS = 100_000
"""Of one component; bounds that are still apart then stay so."""
MOST_PASSES = 16
"""To find out whether players have to leave a component."""
FIRST_GUESS = 3
"""The sweeps before the first guess; after a wrong one, as many again as there have been."""
FIRST_NARROWER, MORE_NARROWER, LESS_NARROWER = 4, 5, 2
"""How narrow, as a power of 2, the first guess is, and by what the one after a right or wrong one
is narrower or wider."""
PART = 20
MOST_PART = 1 << 24
"""How a share is written, in parts of 1 << PART; larger ones are not guessed from."""


def bounds_of(
    node: int, firsts: Array, edges: Array, kinds: Array, lower: Array, upper: Array
) -> tuple[int, int, int]:
    """The bounds of a value that follow from those of the successors, and the edge, counted from
    0, behind which lies the bound that the player who moves can rely on; -1 at a chance event."""
    mask = (1 << WEIGHT_SHIFT) - 1
    begin = firsts[node]
    end = firsts[node + 1]
    if kinds[node] == NATURE:
        total = 0
        low = 0
        high = 0
        for place in range(begin, end):
            weight = edges[place] >> WEIGHT_SHIFT
            child = edges[place] & mask
            total += weight
            low += weight * lower[child]
            high += weight * upper[child]
        return low // total, (high + total - 1) // total, -1
    child = edges[begin] & mask
    low = lower[child]
    high = upper[child]
    chosen = 0
    for place in range(begin + 1, end):
        child = edges[place] & mask
        if kinds[node] == -1:
            if lower[child] > low:
                low = lower[child]
                chosen = place - begin
            high = max(high, upper[child])
        else:
            if upper[child] < high:
                high = upper[child]
                chosen = place - begin
            low = min(low, lower[child])
    return low, high, chosen


def returns_to(node: int, firsts: Array, edges: Array) -> bool:
    """Whether a state leads to itself."""
    for place in range(firsts[node], firsts[node + 1]):
        if edges[place] & ((1 << WEIGHT_SHIFT) - 1) == node:
            return True
    return False


def begin_component(
    begin: int,
    end: int,
    endless_low: int,
    endless_high: int,
    firsts: Array,
    edges: Array,
    ranks: Array,
    order: Array,
    lower: Array,
    upper: Array,
    choices: Array,
    kinds: Array,
    notes: Array,
) -> int:
    """Bound the values of a component by what it leads to and by endless play."""
    low = endless_low
    high = endless_high
    brought = 0
    for place in range(begin, end + 1):
        node = order[place] >> 1
        choices[node] = -1 if kinds[node] == NATURE else 0
        for edge in range(firsts[node], firsts[node + 1]):
            child = edges[edge] & ((1 << WEIGHT_SHIFT) - 1)
            rank = ranks[child] - notes[USED] - 1
            if rank < begin:
                low = min(low, lower[child])
                high = max(high, upper[child])
                brought = max(brought, upper[child] - lower[child])
    for place in range(begin, end + 1):
        lower[order[place] >> 1] = low
        upper[order[place] >> 1] = high
    notes[BROUGHT] = brought
    notes[RETURNING] = 1
    notes[LEAVING] = 0
    notes[NARROWER] = FIRST_NARROWER
    notes[GUESS_AT] = FIRST_GUESS
    return 0


def leaves_surely(
    player: int,
    begin: int,
    end: int,
    firsts: Array,
    edges: Array,
    ranks: Array,
    order: Array,
    kinds: Array,
    choices: Array,
    marks: Array,
    notes: Array,
) -> bool:
    """Whether play by a player's choices leaves a component with probability one whatever the other
    does, as far as a few passes show: from every state there is a way out, of some outcomes and of
    all actions that may be taken."""
    for place in range(begin, end + 1):
        marks[place - begin] = 0
    left = end + 1 - begin
    for _ in range(MOST_PASSES):
        before = left
        for place in range(begin, end + 1):
            if marks[place - begin] == 0:
                node = order[place] >> 1
                first = firsts[node]
                behind = firsts[node + 1]
                if kinds[node] == -1 - player:
                    first += choices[node]
                    behind = first + 1
                out = 0
                for edge in range(first, behind):
                    rank = ranks[edges[edge] & ((1 << WEIGHT_SHIFT) - 1)] - notes[USED] - 1
                    if rank < begin or marks[rank - begin] != 0:
                        out += 1
                if out == behind - first or (out > 0 and kinds[node] == NATURE):
                    marks[place - begin] = 1
                    left -= 1
        if left == 0 or left == before:
            break
    return left == 0


def sweep(
    begin: int,
    end: int,
    firsts: Array,
    edges: Array,
    kinds: Array,
    order: Array,
    lower: Array,
    upper: Array,
    choices: Array,
    before: Array,
    notes: Array,
) -> int:
    """Bring the bounds of a component nearer to each other; how many of them changed.

    A choice is kept from where it made its player's bound better, so that it leads on: what looks
    as good may lead in a circle.
    """
    changes = 0
    gap = 0
    rose = 0
    fell = 0
    for place in range(begin, end + 1):
        node = order[place] >> 1
        low, high, chosen = bounds_of(node, firsts, edges, kinds, lower, upper)
        before[2 * (place - begin)] = lower[node]
        before[2 * (place - begin) + 1] = upper[node]
        if low > lower[node]:
            if kinds[node] == -1:
                choices[node] = chosen
            changes += 1
            rose = max(rose, low - lower[node])
            lower[node] = low
        if high < upper[node]:
            if kinds[node] == -2:
                choices[node] = chosen
            changes += 1
            fell = max(fell, upper[node] - high)
            upper[node] = high
        gap = max(gap, upper[node] - lower[node])
    notes[GAP] = gap
    notes[ROSE_BEFORE] = notes[ROSE]
    notes[FELL_BEFORE] = notes[FELL]
    notes[ROSE] = rose
    notes[FELL] = fell
    return changes


def part_of(moved: int, moved_before: int) -> int:
    """How far bounds have to go, as a share of what they moved by, if each sweep moves them by the
    same part of the one before; 0 if that cannot be told."""
    while moved_before >> 38 != 0:
        moved >>= 8
        moved_before >>= 8
    if moved >= moved_before:
        return 0
    part = (moved << PART) // (moved_before - moved)
    return part if part < MOST_PART else 0


def share_of(whole: int, part: int) -> int:
    """A share of a distance."""
    if whole >> 38 != 0:
        return (whole >> 16) * part >> (PART - 16)
    return whole * part >> PART


def guess(
    begin: int,
    end: int,
    order: Array,
    lower: Array,
    upper: Array,
    choices: Array,
    before: Array,
    earlier: Array,
    notes: Array,
) -> int:
    """Put bounds near to where they seem to go to; what is known is kept."""
    raising = part_of(notes[ROSE], notes[ROSE_BEFORE])
    lowering = part_of(notes[FELL], notes[FELL_BEFORE])
    for place in range(begin, end + 1):
        node = order[place] >> 1
        at = 2 * (place - begin)
        low = lower[node]
        high = upper[node]
        up = share_of(low - before[at], raising)
        down = share_of(before[at + 1] - high, lowering)
        before[at] = low
        before[at + 1] = high
        earlier[place - begin] = choices[node]
        lower[node] = max(low, low + up - (up >> notes[NARROWER]) - 2)
        upper[node] = min(high, high - down + (down >> notes[NARROWER]) + 2)
    return 0


def take_back(
    begin: int,
    end: int,
    order: Array,
    lower: Array,
    upper: Array,
    choices: Array,
    before: Array,
    earlier: Array,
) -> int:
    """Make everything what it was before a guess."""
    for place in range(begin, end + 1):
        node = order[place] >> 1
        lower[node] = before[2 * (place - begin)]
        upper[node] = before[2 * (place - begin) + 1]
        choices[node] = earlier[place - begin]
    return 0


def tighten(
    begin: int,
    end: int,
    firsts: Array,
    edges: Array,
    ranks: Array,
    kinds: Array,
    order: Array,
    lower: Array,
    upper: Array,
    choices: Array,
    before: Array,
    marks: Array,
    earlier: Array,
    notes: Array,
) -> bool:
    """Guess bounds of a component, and keep them if they are proved: a sweep makes none worse, and
    the choices that it finds leave the component."""
    guess(begin, end, order, lower, upper, choices, before, earlier, notes)
    is_right = True
    is_known = notes[LEAVING] == 1
    gap = 0
    rose = 0
    fell = 0
    for place in range(begin, end + 1):
        node = order[place] >> 1
        low, high, chosen = bounds_of(node, firsts, edges, kinds, lower, upper)
        is_right = is_right and low >= lower[node] and high <= upper[node]
        if not is_right:
            break
        rose = max(rose, low - lower[node])
        fell = max(fell, upper[node] - high)
        lower[node] = low
        upper[node] = high
        is_known = is_known and choices[node] == chosen
        choices[node] = chosen
        gap = max(gap, high - low)
    if is_right and not is_known:
        for player in range(2):
            is_right = is_right and leaves_surely(
                player, begin, end, firsts, edges, ranks, order, kinds, choices, marks, notes
            )
    if is_right:
        notes[GAP] = gap
        notes[ROSE] = rose
        notes[FELL] = fell
        notes[GUESS_AT] = notes[SWEEPS] + 1
        notes[LEAVING] = 1
        notes[NARROWER] += MORE_NARROWER
    else:
        take_back(begin, end, order, lower, upper, choices, before, earlier)
        notes[NARROWER] = max(2, notes[NARROWER] - LESS_NARROWER)
        notes[GUESS_AT] = 2 * notes[SWEEPS]
    return is_right


def settle(
    endless_low: int,
    endless_high: int,
    allowed: int,
    firsts: Array,
    edges: Array,
    ranks: Array,
    kinds: Array,
    order: Array,
    lower: Array,
    upper: Array,
    choices: Array,
    before: Array,
    marks: Array,
    earlier: Array,
    notes: Array,
    slice_size: int,
) -> int:
    """Bound the values of all states, component by component; those of endings are known.

    `allowed` is how far apart a component may leave bounds besides what is brought into it; a slice
    is so many states and states swept.
    """
    steps = 0
    begin = notes[SETTLED]
    while begin < notes[USED]:
        if steps >= slice_size:
            notes[SETTLED] = begin
            return SLICED
        node = order[begin] >> 1
        if kinds[node] >= 0:
            choices[node] = -1
            begin += 1
            continue
        if order[begin] & 1 == 1 and not returns_to(node, firsts, edges):
            low, high, chosen = bounds_of(node, firsts, edges, kinds, lower, upper)
            lower[node] = low
            upper[node] = high
            choices[node] = chosen
            steps += 1
            begin += 1
            continue
        end = begin
        while order[end] & 1 == 0:
            end += 1
        if notes[SWEEPS] == 0:
            begin_component(
                begin, end, endless_low, endless_high, firsts, edges, ranks, order, lower, upper,
                choices, kinds, notes,
            )  # fmt: skip
        changes = sweep(
            begin, end, firsts, edges, kinds, order, lower, upper, choices, before, notes
        )
        steps += end - begin + 1
        notes[SWEEPS] += 1
        wanted = notes[BROUGHT] + allowed
        is_near = changes == 0 or notes[GAP] <= wanted
        if not is_near and notes[SWEEPS] >= notes[GUESS_AT]:
            is_proved = tighten(
                begin, end, firsts, edges, ranks, kinds, order, lower, upper, choices, before,
                marks, earlier, notes,
            )  # fmt: skip
            steps += end - begin + 1
            is_near = is_proved and notes[GAP] <= wanted
        if is_near or notes[SWEEPS] == MOST_SWEEPS:
            notes[SWEEPS] = 0
            notes[STAYING] += 1 - notes[LEAVING]
            begin = end + 1
    notes[SETTLED] = begin
    return DONE


def greatest_gap(lower: Array, upper: Array, notes: Array) -> int:
    """The greatest distance between the bounds of one state."""
    gap = 0
    for node in range(notes[USED]):
        gap = max(gap, upper[node] - lower[node])
    return gap


def ends_surely(
    firsts: Array,
    edges: Array,
    kinds: Array,
    order: Array,
    choices: Array,
    marks: Array,
    notes: Array,
) -> int:
    """Whether play by the choices, from the first state, ends with probability one: an ending can
    be reached from wherever it may come. `marks`, int64[n]: 1 if an ending can be reached, 2 if
    play may come there."""
    mask = (1 << WEIGHT_SHIFT) - 1
    changes = 1
    while changes > 0:
        changes = 0
        for place in range(notes[USED]):
            node = order[place] >> 1
            if marks[node] == 0:
                can = kinds[node] >= 0
                if kinds[node] == NATURE:
                    for edge in range(firsts[node], firsts[node + 1]):
                        can = can or marks[edges[edge] & mask] != 0
                elif kinds[node] < 0:
                    can = marks[edges[firsts[node] + choices[node]] & mask] != 0
                if can:
                    marks[node] = 1
                    changes += 1
    if marks[0] == 0:
        return 0
    marks[0] = 3
    changes = 1
    while changes > 0:
        changes = 0
        for back in range(notes[USED]):
            node = order[notes[USED] - 1 - back] >> 1
            if marks[node] == 3 and kinds[node] < 0:
                marks[node] = 7
                begin = firsts[node]
                end = firsts[node + 1]
                if kinds[node] != NATURE:
                    begin += choices[node]
                    end = begin + 1
                for edge in range(begin, end):
                    child = edges[edge] & mask
                    if marks[child] == 0:
                        return 0
                    if marks[child] == 1:
                        marks[child] = 3
                        changes += 1
    return 1
