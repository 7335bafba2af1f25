"""Whether a game is far too large to be solved: told before it is tried.

In: a game and a state. Out: why solving is not begun, or nothing. Three things must agree: the
bound that the declarations give, the size of the tree that random plays lead through (D. E. Knuth,
"Estimating the efficiency of backtrack programs", 1975: the mean product of the branching), and
that no two of these plays met late, as they would where positions are few. A game of doubtful
size is tried. What would not fit the memory is told apart (`beyond_memory`): by how seldom many
random plays meet. Nor is a search for a solution begun where it seems hopeless (`beyond_search`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import inf, log10
from random import Random
from time import perf_counter, process_time

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import Choices, Steps, actions_at, steps_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.graphs.visits import Visits, at_least
from gamedsl.source.records import dataclass

HOPELESS = 10**24
"""Far more positions than anything looks at, since what can be reached is often a small part."""
PLAYS = 60
"""Random plays that are looked at."""
LONGEST = 32
"""Plies of one of them."""
MOST_SEEN = 1_000_000
"""Cells and actions seen in all of them together, at which they end."""
MOST_PLAYS, MOST_SEEN_OF_THEM, LONGEST_OF_THEM = 8192, 8_000_000, 400
"""Random plays by which many positions are told from few; cells and actions seen in all of them;
plies of one."""
FIRST_PLAYS = 256
"""So many at first, then always as many again."""
A_WHILE = 4.0
"""Seconds of these plays, on a machine that is slow."""
LAST = 4
"""Cells by whose changes it is told how much longer the next one takes."""
DOUBT = 1_000
"""Search is tried unless it seems to need so many times as many states as memory holds."""
MOST_DIGITS = 13
LATE = 8
"""In the first plies plays may meet in any game."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What random plays show.

    Attributes:
        tree: the estimated number of plays of so many plies.
        branching: actions, or outcomes, to choose from on average.
        plays: how many there were.
        plies: of the longest play that was looked at.
        is_cut: whether one of them was left before its end.
        meets: whether two of them came to the same position, late.
    """

    tree: float
    branching: float
    plays: int
    plies: int
    is_cut: bool
    meets: bool


def out_of_reach(
    game: Game, root: State, most: int = HOPELESS, seconds: float | None = None
) -> str | None:
    """Why solving is hopeless from a state, in words; None if it may be tried. `most`: where
    hope ends. `seconds`: after which no further random play is begun; None: all are made.

    Raises GameRuleError where the rules fail in one of the plays; a note on it gives that play.
    """
    if game.facts.state_bound <= most or game.facts.is_simultaneous:
        return None
    sample = random_sample(game, root, seconds)
    if sample.meets or sample.tree <= most:
        return None
    plays = "a random play" if sample.plays == 1 else f"{sample.plays} random plays"
    far = f"the next {sample.plies} plies" if sample.is_cut else "on to the end"
    reason = (
        f"out of reach: about 10^{log10(sample.tree):.0f} ways to play {far}, estimated "
        f"from {plays} ({sample.branching:.0f} actions a position)"
    )
    if game.facts.repeats:
        reason += ", and the `repeat` rule makes the history part of every position"
    return reason


def beyond_memory(game: Game, root: State, states: int, seconds: float = A_WHILE) -> int | None:
    """How many positions there are at least, very probably, if that is more than so many states;
    None if it may be less. `seconds`: of computing, in which random plays are looked at."""
    if game.facts.state_bound <= states:
        return None
    visits, deadline = Visits(game, root, Random(0), LONGEST_OF_THEM), process_time() + seconds
    plays = FIRST_PLAYS
    while plays <= MOST_PLAYS:
        visits.play(plays, MOST_SEEN_OF_THEM, deadline)
        found = at_least(visits.plays)
        if found > states:
            return found
        if len(visits.plays) < plays or found * (MOST_PLAYS / plays) ** 2 < states:
            return None  # what plays show that never meet grows with the square of their number
        plays *= 2
    return None


def beyond_search(
    states: Sequence[State], goals: Sequence[Mapping[int, int]], room: int
) -> str | None:
    """Why breadth-first search for a way to one of these goals is hopeless, in words; None if it
    may be tried. `states`: the first that it finds, in its order; `goals`: digits that cells must
    hold, by their numbers; `room`: how many states memory holds.

    A goal is not found before every cell has changed of which it asks another value. Those that
    have not changed yet are taken to need so many times as many states, one after the other, as
    the last ones that have.
    """
    root = states[0].cells
    asked = [[cell for cell, digit in goal.items() if digit != root[cell]] for goal in goals]
    changed: dict[int, int] = {}
    waiting = {cell for cells in asked for cell in cells}
    for count, state in enumerate(states, start=1):
        if not waiting:
            return None
        cells = state.cells
        found = {cell for cell in waiting if cells[cell] != root[cell]}
        changed |= dict.fromkeys(found, count)
        waiting -= found
    ways = [_way(len(states), [changed.get(cell) for cell in cells]) for cells in asked]
    if not ways:
        return None
    way = min(ways, key=lambda one: one.digits)
    if way.digits <= log10(room * DOUBT):
        return None
    looked_at = rounded(len(states))
    return (
        f"very probably 10^{int(way.digits)} positions or more on the way to a solution: it "
        f"changes {way.asked} cells, {way.waiting} of them are unchanged in the first {looked_at} "
        f"positions, and each took {way.ratio:.2g} times as many as the one before"
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """What a way to win asks to change.

    Attributes:
        asked: how many cells; waiting: how many of them have not changed yet.
        ratio: states until a cell changes, in states until the one before did.
        digits: the logarithm of the states until all have changed, as it seems.
    """

    asked: int
    waiting: int
    ratio: float
    digits: float


def _way(states: int, changed: list[int | None]) -> _Way:
    """`changed`: for each cell that is asked to change after how many states it did."""
    known = sorted(count for count in changed if count is not None)
    waiting = len(changed) - len(known)
    ratio = 1.0
    if len(known) > LAST:
        ratio = (known[-1] / known[-1 - LAST]) ** (1 / LAST)
    return _Way(len(changed), waiting, ratio, log10(states) + waiting * log10(ratio))


def rounded(number: int) -> str:
    """A large number, rounded down to two digits: `3,200,000,000`, or `10^24`."""
    if number >= 10**MOST_DIGITS:
        return f"10^{int(log10(number))}"
    digits = len(str(number))
    return f"{number // 10 ** max(0, digits - 2) * 10 ** max(0, digits - 2):,}"


def random_sample(game: Game, root: State, seconds: float | None = None) -> Sample:
    """Some random plays, always the same ones; after so many seconds no further one, but one is
    made in any case."""
    ends = inf if seconds is None else perf_counter() + seconds
    rng, steps = Random(0), steps_of(game)
    seen: dict[Hashable, int] = {}
    products: list[float] = []
    choices, plies, longest, meets, is_cut = 0, 0, 0, False, False
    cells = root.size
    while len(products) < PLAYS and choices + plies * cells < MOST_SEEN and not meets:
        if products and perf_counter() > ends:
            break
        product = 1.0
        most = MOST_SEEN - choices - plies * cells
        counts, late, is_over = _play(game, steps, root, rng, most)
        for count in counts:
            product *= count
        for key in late:
            meets = meets or seen.setdefault(key, len(products)) != len(products)
        products.append(product)
        choices, plies = choices + sum(counts), plies + len(counts)
        longest, is_cut = max(longest, len(counts)), is_cut or not is_over
    made = len(products)
    return Sample(sum(products) / made, choices / max(1, plies), made, longest, is_cut, meets)


def _play(
    game: Game, steps: Steps, root: State, rng: Random, most: int
) -> tuple[list[int], list[Hashable], bool]:
    """How many ways to go on there were at each ply, until so much was seen; the positions that
    came late; whether the play came to its end."""
    state = root
    taken: list[tuple[State, Action | JointAction]] = []
    counts: list[int] = []
    late: list[Hashable] = []
    try:
        while not game.is_terminal(state):
            if len(counts) == LONGEST or most <= 0:
                return counts, late, False
            if game.current_player(state) == CHANCE:
                choices: Choices = tuple(outcome for outcome, _ in game.chance_outcomes(state))
            else:
                choices = actions_at(game, state)
            counts.append(len(choices))
            most -= len(choices) + root.size
            choice = choices[rng.randrange(len(choices))]
            after = game.result(state, choice)
            taken.append((state, choice))
            state = after
            if len(counts) >= LATE:
                late.append(steps.key(state))
    except GameRuleError as error:
        names = [game.action_name(before, action) for before, action in taken]
        play = ", ".join(names) or "none, it is the first state"
        error.add_note(f"the play that leads there: {play}")
        raise
    return counts, late, True
