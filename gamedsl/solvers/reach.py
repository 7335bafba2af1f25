"""Detects games far too large to be solved, before solving begins.

In: a game and a state. Out: the reason not to begin, or None. Three tests must agree: the bound
given by the declarations; the size of the tree estimated from random plays (D. E. Knuth,
"Estimating the efficiency of backtrack programs", 1975: the mean product of the branching); and the
absence of late meetings of two plays, which are frequent where positions are few. Games of doubtful
size are tried. Separate tests detect games too large for the memory (`beyond_memory`, by the rarity
of meetings of many random plays) and hopeless searches for a solution (`beyond_search`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log10
from random import Random
from statistics import fmean
from time import perf_counter, process_time

from gamedsl.game.contract import Game
from gamedsl.model.state import State
from gamedsl.solvers.graphs.sampled_layers import estimated_positions
from gamedsl.solvers.graphs.visits import Visits, at_least, met
from gamedsl.source.records import dataclass

HOPELESS = 10**24
"""Number of positions beyond which solving is hopeless, with a margin since often only a small part
is reachable."""
PLAYS = 60
"""Number of random plays in a sample."""
LONGEST = 32
"""Greatest length of a sampled play, in plies."""
MOST_SEEN = 1_000_000
"""Cells and actions evaluated in all plays together, at which sampling ends."""
MOST_PLAYS, MOST_SEEN_OF_THEM, LONGEST_OF_THEM = 8192, 8_000_000, 400
"""For the estimate of the number of positions: number of random plays; cells and actions evaluated
in all plays; greatest length of a play, in plies."""
FIRST_PLAYS = 256
"""Number of plays in the first round; every later round doubles the total."""
A_WHILE = 4.0
"""Seconds of random plays on a slow machine."""
WORK = 20_000
"""States to expand in sampled layers."""
FOR_LENGTH = 100
"""Number of random plays whose longest is the guess at the length of a long play."""
FAR = 16
"""Factor between an early estimate of the number of positions and a limit surely not reached."""
LAST = 4
"""Number of last changed cells that predict the cost of the next cell."""
DOUBT = 1_000
"""Factor by which the estimated number of states must exceed memory to rule out a search."""
MOST_DIGITS = 13
LATE = 8
"""Number of first plies in which meetings of plays prove nothing."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Statistics of random plays.

    Attributes:
        tree: the estimated number of plays of length `plies`.
        branching: mean number of actions to choose from.
        plays: number of plays.
        plies: length of the longest sampled play.
        is_cut: whether a play was stopped before the end.
        meets: whether two plays reached the same position, late.
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
    """The reason why solving from a state is hopeless, in words; None if solving may be tried.

    `most`: number of positions beyond which solving is hopeless. `seconds`: time after which no
    further random play begins; None: no limit.

    Raises GameRuleError where the rules fail in a random play; a note on the error gives the play.
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
    """A very probable lower bound on the number of positions, if greater than `states`; else None.

    `seconds`: processor time for random plays.
    """
    if game.facts.state_bound <= states:
        return None
    visits, deadline = Visits(game, root, Random(0), LONGEST_OF_THEM), process_time() + seconds
    plays = FIRST_PLAYS
    while plays <= MOST_PLAYS:
        visits.play(plays, MOST_SEEN_OF_THEM, deadline)
        bound = at_least(visits.plays)
        if bound > states:
            return bound
        if len(visits.plays) < plays or bound * (MOST_PLAYS / plays) ** 2 < states:
            return None  # without meetings the bound grows with the square of the number of plays
        plays *= 2
    return None


class LikelySize:
    """The number of positions from a state on, as an estimate by sampled layers and by the meetings
    of random plays. Weaker than `beyond_memory`. Play must not return."""

    def __init__(self, game: Game, root: State) -> None:
        self._game, self._root = game, root
        self._visits = Visits(game, root, Random(0), LONGEST_OF_THEM)
        self._plays = 4 * FIRST_PLAYS
        self._by_layers: int | None = None

    def exceeds(self, most: int, seconds: float = A_WHILE, *, unmet: bool = True) -> bool:
        """Whether there seem to be more than `most` positions. `seconds`: processor time for what
        is not known before. `unmet`: the answer where there is no estimate, as layers cannot be
        sampled and plays do not meet, perhaps because they are few."""
        visits, ends = self._visits, process_time() + seconds
        if self._game.facts.state_bound <= most:
            return False
        if not visits.plays:
            visits.play(self._plays, MOST_SEEN_OF_THEM, ends - seconds / 2)
            self._by_layers = estimated_positions(
                self._game, self._root, seed=0, work=WORK, deadline=ends,
                plies=max(visits.lengths[:FOR_LENGTH], default=0),
            )  # fmt: skip
        while True:
            size = met(visits.plays)
            if self._by_layers is not None:
                return max(self._by_layers, size or 0) > most
            if size is not None and (size > most or size * FAR < most):
                return size > most
            if len(visits.plays) < self._plays or self._plays >= MOST_PLAYS:
                return size is None and unmet
            self._plays *= 2
            visits.play(self._plays, MOST_SEEN_OF_THEM, ends)


def beyond_search(
    states: Sequence[State], goals: Sequence[Mapping[int, int]], room: int
) -> str | None:
    """The reason why breadth-first search for a goal is hopeless, in words; None if the search may
    be tried.

    `states`: the first states found, in order; `goals`: required digits of cells, by cell number;
    `room`: number of states that fit in memory.

    A goal is reached only after every cell that differs from the goal has changed. Each unchanged
    cell is assumed to multiply the number of states by the same ratio as the last changed cells.
    """
    root = states[0].cells
    asked = [[cell for cell, digit in goal.items() if digit != root[cell]] for goal in goals]
    changed: dict[int, int] = {}
    waiting = {cell for cells in asked for cell in cells}
    for count, state in enumerate(states, start=1):
        if not waiting:
            return None
        cells = state.cells
        changed_now = {cell for cell in waiting if cells[cell] != root[cell]}
        changed |= dict.fromkeys(changed_now, count)
        waiting -= changed_now
    routes = [_way(len(states), [changed.get(cell) for cell in cells]) for cells in asked]
    if not routes:
        return None
    way = min(routes, key=lambda route: route.digits)
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
    """The cells to change on a way to win.

    Attributes:
        asked: number of cells to change; waiting: number of cells not yet changed.
        ratio: number of states until a cell changes, relative to the previous cell.
        digits: logarithm of the estimated number of states until all cells have changed.
    """

    asked: int
    waiting: int
    ratio: float
    digits: float


def _way(states: int, changed: list[int | None]) -> _Way:
    """`changed`: for each cell to change, the number of states until the change."""
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
    """A sample of random plays, always the same plays for a game.

    After `seconds` no further play begins; at least one play is made.
    """
    ends = inf if seconds is None else perf_counter() + seconds
    visits, seen, meets = Visits(game, root, Random(0), LONGEST), dict[int, int](), False
    while len(visits.plays) < PLAYS and visits.seen < MOST_SEEN and not meets:
        if visits.plays and perf_counter() > ends:
            break
        made = len(visits.plays) + 1
        visits.play(made, MOST_SEEN, inf)
        meets = any(seen.setdefault(key, made) != made for key in visits.plays[-1][LATE:])
    plays, longest = len(visits.plays), max(visits.lengths)
    return Sample(fmean(visits.trees), visits.branching, plays, longest, visits.cut > 0, meets)
