"""Random plays by the positions that they visit: what they tell of the size of a game.

In: a game, a state, a generator. Out: how wide and long play is, and how many positions there are
at least. If a play visits state s on average m(s) times, two plays visit the same state on
average sum m(s)^2 times, and by Cauchy and Schwarz there are at least (sum m(s))^2 / sum m(s)^2
states: plays that seldom meet lead through many. Both sums are estimated from the plays, to the
safe side by more than three standard deviations (W. Hoeffding, "A class of statistics with
asymptotically normal distribution", 1948, for pairs). How many there are at most no sample of
plays can tell: positions that are hardly ever visited may be as many as one likes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod
from random import Random
from statistics import fmean, pstdev
from time import process_time

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import steps_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State

DEVIATIONS = 3.3
"""Standard deviations to the safe side: wrong in one of a thousand cases, were they normal."""
UNSEEN = 7
"""Meetings that a thousandth of all samples misses altogether (Poisson)."""
TO_CHOOSE = 4
"""One part in so many of the plays is used to choose where in the plays to look."""
PARTS = 8
"""The plays are cut in so many parts, equally often visited, for that choice."""
FEWEST = 40
"""Plays below which nothing is concluded."""

Window = tuple[int, int]
"""Depths from the first to before the second."""


class Visits:
    """Random plays, always the same ones for a seed.

    Attributes:
        plays: for each play the positions on it in order, each by a number that tells it apart.
        cut: how many of them were left before their end.
        widths: the number of actions of the positions in which somebody chose, how often each.
        seen: cells and actions seen in all.
    """

    def __init__(self, game: Game, root: State, rng: Random, longest: int) -> None:
        self.plays: list[list[int]] = []
        self.cut = 0
        self.widths: Counter[int] = Counter()
        self.seen = 0
        self._game, self._root, self._rng, self._longest = game, root, rng, longest
        self._steps = steps_of(game)

    def play(self, most: int, most_seen: int, deadline: float) -> None:
        """Play until there are so many plays, so much was seen, or `process_time` says so."""
        while len(self.plays) < most and self.seen < most_seen and process_time() < deadline:
            self._play(most_seen, deadline)

    @property
    def lengths(self) -> list[int]:
        """Plies of each play; of one that was cut, so far."""
        return [len(play) - 1 for play in self.plays]

    @property
    def return_somewhere(self) -> bool:
        """Whether a play has come to a position twice."""
        return any(len(set(play)) < len(play) for play in self.plays)

    @property
    def branching(self) -> float:
        """Actions to choose from on average, where somebody chooses."""
        return sum(w * n for w, n in self.widths.items()) / max(1, self.widths.total())

    def _play(self, most_seen: int, deadline: float) -> None:
        game, state, play = self._game, self._root, list[int]()
        self.plays.append(play)
        taken: list[tuple[State, Action | JointAction]] = []
        try:
            while True:
                if game.current_player(state) != CHANCE:
                    play.append(hash(self._steps.key(state)))
                if game.is_terminal(state):
                    return
                if len(play) > self._longest or self.seen >= most_seen:
                    break
                if len(play) > 1 and process_time() > deadline:
                    break
                choice = self._choice(state)
                taken.append((state, choice))
                state = game.result(state, choice)
        except GameRuleError as error:
            names = [game.action_name(before, action) for before, action in taken]
            error.add_note(
                f"the play that leads there: {', '.join(names) or 'none, it is the first state'}"
            )
            raise
        self.cut += 1

    def _choice(self, state: State) -> Action | JointAction:
        """An action, a joint action, or a result of chance, which is drawn by its probability."""
        game, rng = self._game, self._rng
        self.seen += state.size
        mover = game.current_player(state)
        if mover == CHANCE:
            outcomes = game.chance_outcomes(state)
            self.seen += len(outcomes)
            weights = [float(share) for _, share in outcomes]
            return rng.choices([outcome for outcome, _ in outcomes], weights)[0]
        sides: Sequence[int | None] = range(len(game.players)) if mover == SIMULTANEOUS else (None,)
        actions = [game.legal_actions(state, side) for side in sides]
        self.widths[prod(map(len, actions))] += 1
        self.seen += sum(map(len, actions))
        if not all(actions):
            raise GameRuleError(
                "E3003", "the game is not over, but the player to move has no legal move",
                state=state,
            )  # fmt: skip
        chosen = tuple(rng.choice(each) for each in actions)
        return chosen if mover == SIMULTANEOUS else chosen[0]


def visited(plays: Iterable[Sequence[int]]) -> int:
    """How many positions some plays visit: so many there are, for sure."""
    return len({key for play in plays for key in play})


def at_least(plays: Sequence[Sequence[int]]) -> int:
    """How many positions there are at least, very probably, by plays that are independent of each
    other. The depths to look at are chosen by some of the plays and judged by the others."""
    sure = visited(plays)
    if len(plays) < FEWEST:
        return sure
    part = len(plays) // TO_CHOOSE
    learning, judging = plays[:part], plays[part:]
    window = max(_windows(learning), key=lambda window: _supported(learning, window, 0))
    return max(sure, int(_supported(judging, window, DEVIATIONS)))


def _windows(plays: Sequence[Sequence[int]]) -> list[Window]:
    """Ranges of depths worth a look: from each cut to the next, and to the end."""
    depths = sorted(depth for play in plays for depth in range(len(play)))
    cuts = sorted({depths[len(depths) * n // PARTS] for n in range(PARTS)})
    end = depths[-1] + 1
    ends = [*cuts[1:], end]
    return [*zip(cuts, ends, strict=True), *((cut, end) for cut in cuts[:-1])]


def _supported(plays: Sequence[Sequence[int]], window: Window, deviations: float) -> Fraction:
    """(sum m)^2 / sum m^2 over the states visited within the window."""
    first, end = window
    within = [Counter(play[first:end]) for play in plays]
    total: Counter[int] = Counter()
    for visits in within:
        total.update(visits)
    met = [sum(n * (total[key] - n) for key, n in visits.items()) for visits in within]
    lengths = [visits.total() for visits in within]
    many = len(plays)
    length = fmean(lengths) - deviations * pstdev(lengths) / many**0.5
    if length <= 0:
        return Fraction(0)
    meetings = sum(met) / 2
    spread = (many * pstdev(met) ** 2 + meetings) ** 0.5
    more = deviations * spread + (UNSEEN if deviations else 1)
    return Fraction(length) ** 2 * (many * (many - 1) // 2) / Fraction(meetings + more)
