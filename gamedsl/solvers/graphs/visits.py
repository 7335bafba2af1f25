"""Estimates the size of a game from the positions visited by random plays.

In: a game, a state, a generator. Out: breadth and length of play, and a lower bound on the number
of positions. If a play visits state s on average m(s) times, two plays visit the same state on
average sum m(s)^2 times, and by Cauchy and Schwarz the game has at least (sum m(s))^2 / sum m(s)^2
states: rare meetings prove many states. Both sums are estimated from the plays, to the safe side by
more than three standard deviations (W. Hoeffding, "A class of statistics with asymptotically normal
distribution", 1948, for pairs). No sample of plays gives an upper bound: arbitrarily many positions
may be visited only rarely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import prod
from random import Random
from statistics import fmean, pstdev
from time import process_time

from gamedsl.game.contract import Action, Game, JointAction
from gamedsl.game.steps import choosers, drawn_outcome, steps_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, SIMULTANEOUS, State

DEVIATIONS = 3.3
"""Standard deviations to the safe side: wrong in one of a thousand cases of a normal
distribution."""
UNSEEN = 7
"""Expected number of meetings that a thousandth of all samples misses altogether (Poisson)."""
TO_CHOOSE = 4
"""Divisor of the number of plays: one part in `TO_CHOOSE` serves to choose the depths."""
PARTS = 8
"""Number of equally visited parts of the plays for the choice of depths."""
FORGOTTEN = 3
"""Factor of the positions that plays visit in two parts, up to which plays no longer spread."""
MOST_ALONE = 0.05
"""Share of the positions seen that are seen by one play alone, beyond which many are unseen."""
FEWEST = 40
"""Least number of plays for a conclusion."""

Window = tuple[int, int]
"""Depths from the first to before the second."""


class Visits:
    """Random plays, determined by the seed.

    Attributes:
        plays: for each play the positions in order, each as its number by the first visit.
        trees: for each play the product of the numbers of choices: its mean is the number of plays
            of this length (Knuth 1975).
        cut: number of plays stopped before their end.
        widths: numbers of actions at the decisions, with frequencies.
        seen: number of cells and actions evaluated.
    """

    def __init__(self, game: Game, root: State, rng: Random, longest: int) -> None:
        self.plays: list[list[int]] = []
        self.trees: list[float] = []
        self.cut = 0
        self.widths: Counter[int] = Counter()
        self.seen = 0
        self._game, self._root, self._rng, self._longest = game, root, rng, longest
        self._steps = steps_of(game)
        self._numbers: dict[Hashable, int] = {}

    def play(self, most: int, most_seen: int, deadline: float) -> None:
        """Plays until the number of plays, the amount evaluated, or the `process_time` reaches the
        limit."""
        while len(self.plays) < most and self.seen < most_seen and process_time() < deadline:
            self._play(most_seen, deadline)

    @property
    def lengths(self) -> list[int]:
        """Plies of each play; for a stopped play, the plies so far."""
        return [len(play) - 1 for play in self.plays]

    @property
    def return_somewhere(self) -> bool:
        """Whether a play has come to a position twice."""
        return any(len(set(play)) < len(play) for play in self.plays)

    @property
    def branching(self) -> float:
        """Mean number of actions per decision."""
        return sum(w * n for w, n in self.widths.items()) / max(1, self.widths.total())

    def _play(self, most_seen: int, deadline: float) -> None:
        game, state, play = self._game, self._root, list[int]()
        self.plays.append(play)
        self.trees.append(1.0)
        taken: list[tuple[State, Action | JointAction]] = []
        try:
            while True:
                if game.current_player(state) != CHANCE:
                    key = self._steps.key(state)
                    play.append(self._numbers.setdefault(key, len(self._numbers)))
                if game.is_terminal(state):
                    return
                if len(play) > self._longest or self.seen >= most_seen:
                    break
                if len(play) > 1 and process_time() > deadline:
                    break
                choice = self._choice(state)
                after = game.result(state, choice)
                taken.append((state, choice))
                state = after
        except GameRuleError as error:
            names = [game.action_name(before, action) for before, action in taken]
            error.add_note(
                f"the play that leads there: {', '.join(names) or 'none, it is the first state'}"
            )
            raise
        self.cut += 1

    def _choice(self, state: State) -> Action | JointAction:
        """An action, a joint action, or a chance outcome drawn by probability."""
        game, rng = self._game, self._rng
        self.seen += state.size
        mover = game.current_player(state)
        if mover == CHANCE:
            shares, drawn = dict(game.chance_outcomes(state)), drawn_outcome(game, state, rng)
            self.seen += len(shares)
            self.trees[-1] /= float(shares[drawn])
            return drawn
        actions = [game.legal_actions(state, player) for player in choosers(game, state)]
        width = prod(map(len, actions))
        self.widths[width] += 1
        self.trees[-1] *= width
        self.seen += sum(map(len, actions))
        if not all(actions):
            raise GameRuleError(
                "E3003", "the game is not over, but the player to move has no legal move",
                state=state,
            )  # fmt: skip
        chosen = tuple(rng.choice(each) for each in actions)
        return chosen if mover == SIMULTANEOUS else chosen[0]


def visited(plays: Iterable[Sequence[int]]) -> int:
    """Number of positions visited by the plays: a certain lower bound."""
    return len({key for play in plays for key in play})


def at_least(plays: Sequence[Sequence[int]]) -> int:
    """A very probable lower bound on the number of positions, from independent plays.

    Some of the plays choose the depths to use, and the remaining plays give the bound.
    """
    sure = visited(plays)
    if len(plays) < FEWEST:
        return sure
    part = len(plays) // TO_CHOOSE
    learning, judging = plays[:part], plays[part:]
    window = max(_windows(learning), key=lambda window: _supported(learning, window, 0))
    return max(sure, int(_supported(judging, window, DEVIATIONS)))


def met(plays: Sequence[Sequence[int]]) -> int | None:
    """An estimate of the number of positions that random plays visit, by their meetings: the sum
    over parts of the depths. None without meetings. Play must not return."""
    if len(plays) < FEWEST or sum(map(len, plays)) - visited(plays) < UNSEEN * len(plays) ** 0.5:
        return None
    supported = [int(_supported(plays, window, 0)) for window in _parts(plays)]
    return max(visited(plays), sum(supported))


def met_returning(plays: Sequence[Sequence[int]]) -> int | None:
    """An estimate of the number of positions of play that returns: plays that have forgotten their
    beginning visit most positions about alike often. None where such plays seldom meet, where later
    positions are still more varied than earlier ones, or where more positions are seen than that,
    and many by one play alone. Positions visited seldom are missed."""
    if len(plays) < FEWEST:
        return None
    _, *parts = _parts(plays)
    half = len(parts) // 2
    if not half:
        return None
    end = parts[-1][1]
    mixed, early, late = (parts[0][0], end), (parts[0][0], parts[half][0]), (parts[half][0], end)
    is_spreading = _supported(plays, late, 0) > FORGOTTEN * _supported(plays, early, 0)
    if is_spreading or sum(_met_within(plays, mixed)[0]) < 2 * UNSEEN:
        return None
    about, seen = int(_supported(plays, mixed, 0)), visited(plays)
    return None if about < seen and _alone(plays) > MOST_ALONE * seen else max(seen, about)


def _alone(plays: Iterable[Sequence[int]]) -> int:
    """Number of positions that are visited by one play alone."""
    return sum(many == 1 for many in Counter(key for play in plays for key in {*play}).values())


def _windows(plays: Sequence[Sequence[int]]) -> list[Window]:
    """Candidate ranges of depths: the parts, and from each part but the first to the end."""
    parts = _parts(plays)
    return [*parts, *((begin, parts[-1][1]) for begin, _ in parts[1:])]


def _parts(plays: Sequence[Sequence[int]]) -> list[Window]:
    """Ranges of depths that the plays visit about equally often: `PARTS`, or fewer where depths are
    few."""
    depths = sorted(depth for play in plays for depth in range(len(play)))
    cuts = sorted({depths[len(depths) * n // PARTS] for n in range(PARTS)})
    return list(zip(cuts, [*cuts[1:], depths[-1] + 1], strict=True))


def _supported(plays: Sequence[Sequence[int]], window: Window, deviations: float) -> Fraction:
    """(sum m)^2 / sum m^2 over the states visited within the window."""
    met, lengths = _met_within(plays, window)
    many = len(plays)
    length = fmean(lengths) - deviations * pstdev(lengths) / many**0.5
    if length <= 0:
        return Fraction(0)
    meetings = sum(met) / 2
    spread = (many * pstdev(met) ** 2 + meetings) ** 0.5
    more = deviations * spread + (UNSEEN if deviations else 1)
    return Fraction(length) ** 2 * (many * (many - 1) // 2) / Fraction(meetings + more)


def _met_within(plays: Sequence[Sequence[int]], window: Window) -> tuple[list[int], list[int]]:
    """For each play, how often its positions within the window are visited by other plays there,
    and the number of its positions there."""
    first, end = window
    within = [Counter(play[first:end]) for play in plays]
    total: Counter[int] = Counter()
    for visits in within:
        total.update(visits)
    met = [sum(n * (total[key] - n) for key, n in visits.items()) for visits in within]
    return met, [visits.total() for visits in within]
