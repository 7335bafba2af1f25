"""Breadth-first exploration: the positions nearest to the start, with a shortest play to each.

`Visits` stores the successors of visited positions. A failure of the rules is reported to
`on_error`, and the exploration continues. The extent depends on the rules alone, not on time,
unless a `Pace` stops the exploration.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from math import inf
from random import Random

from gamedsl.conformance.laws import choices
from gamedsl.conformance.time_limits import Pace
from gamedsl.game.contract import Action, JointAction
from gamedsl.game.game import LoadedGame
from gamedsl.game.paid import Paid
from gamedsl.game.steps import Shares, numbered, steps_of
from gamedsl.model import CHANCE, TERMINAL, GameRuleError, Player, State
from gamedsl.source.records import dataclass

AnyAction = Action | JointAction
Play = list[tuple[State, AnyAction]]
OnProgress = Callable[[int, int], None]
OnError = Callable[[GameRuleError, int, AnyAction | None], None]

MOST_CHOICES = 20_000
"""Limit on the choices examined in a state; further choices are left out."""
MOST_CELLS = 2_000_000
"""Limit on the cells of all successors of a state; further choices are left out."""
LONGEST_PLAY = 1_000
"""Steps of a random play through the visited positions."""
REPORT_EVERY = 64
TOO_DEAR = frozenset({"E3013"})
"""Codes of errors for rules too expensive to evaluate; other positions would take as long."""


class TooDearError(Exception):
    """The rules are too expensive to continue the exploration."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Numbers of visited and discovered positions, and the endings among them."""

    looked_at: int
    discovered: int
    endings: Counter[tuple[Fraction, ...]]


class Visits:
    """Positions by number, in order of distance from the start.

    Attributes:
        keys: keys of all discovered positions, in order of discovery.
        number: position number by key.
        parents: for a position, the number of the position from which exploration discovered it.
        movers: player to move in a visited position.
        choices: choices in a visited position.
        successors: number of the position after a choice.
        endings: number of terminal positions per payoff vector.
        rewards: rewards of a choice; empty in games without rewards.
        shares: payoffs of terminal positions, probabilities of chance events; absent if the rules
            fail or all players choose at once.
        left_out: whether choices were left out because a position had too many.
    """

    def __init__(self, game: LoadedGame, on_error: OnError, pace: Pace | None = None) -> None:
        """`pace` may stop the exploration by an exception."""
        self.game = game
        self._pace = pace
        self.movers: list[Player | None] = []
        self.choices: list[Sequence[AnyAction]] = []
        self.successors: list[Sequence[int]] = []
        self.rewards: list[Sequence[tuple[Fraction, ...]]] = []
        self.endings: Counter[tuple[Fraction, ...]] = Counter()
        self.left_out = False
        self.shares: dict[int, Shares] = {}
        self._steps = steps_of(game)
        self._on_error = on_error
        self.keys: list[Hashable] = [self._steps.key(game.initial_state())]
        self.number = {self.keys[0]: 0}
        self.parents = [-1]

    @property
    def looked_at(self) -> int:
        """Number of visited positions, chance events excluded."""
        return len(self.movers) - self.movers.count(CHANCE)

    @property
    def waiting(self) -> int:
        """Number of positions and chance events discovered but not yet visited."""
        return len(self.keys) - len(self.movers)

    @property
    def carried_out(self) -> int:
        """Number of moves and chance events carried out."""
        return sum(map(len, self.successors))

    @property
    def is_whole(self) -> bool:
        """Whether everything reachable was visited."""
        return not self.waiting and not self.left_out

    def state(self, number: int) -> State:
        """The state with the given number."""
        return self._steps.state(self.keys[number])

    def before(self, number: int) -> State:
        """The state from which a position other than the start was discovered."""
        return self.state(self.parents[number])

    @property
    def discovered(self) -> int:
        """Number of positions and chance events discovered."""
        return len(self.keys)

    def run(self, limit: int, progress: OnProgress | None, results: float = inf) -> None:
        """Visit positions in order.

        Stops after `limit` discovered positions or `results` executed moves, or when no position
        is left.
        """
        keys, movers = self.keys, self.movers
        while len(movers) < len(keys) <= limit and results > 0:
            self._look_at(len(movers))
            results -= len(self.successors[-1])
            if progress is not None and len(movers) % REPORT_EVERY == 0:
                progress(len(movers), self.waiting)

    def mark(self) -> Mark:
        """The current extent, for `go_back`."""
        return Mark(len(self.movers), len(self.keys), Counter(self.endings))

    def go_back(self, mark: Mark) -> None:
        """Forget everything visited and discovered since `mark`."""
        del self.movers[mark.looked_at :], self.choices[mark.looked_at :]
        del self.successors[mark.looked_at :], self.rewards[mark.looked_at :]
        for key in self.keys[mark.discovered :]:
            del self.number[key]
        del self.keys[mark.discovered :], self.parents[mark.discovered :]
        self.shares = {n: share for n, share in self.shares.items() if n < mark.looked_at}
        self.endings = Counter(mark.endings)

    def will_exceed(self, limit: int) -> bool:
        """Whether more than `limit` positions are to be expected.

        Waiting positions are assumed to bring as many new positions as the later half of the
        visited positions.
        """
        later = len(self.movers) // 2
        brought = len(self.parents) - bisect_left(self.parents, later)
        each = brought / max(1, len(self.movers) - later)
        return self.waiting * each > limit - self.discovered

    def play_to(self, number: int) -> Play:
        """A shortest play from the start to a position: states with the choices made."""
        play: Play = []
        while (before := self.parents[number]) >= 0:
            edge = self.successors[before].index(number)
            play.append((self.state(before), self.choices[before][edge]))
            number = before
        return play[::-1]

    def _look_at(self, number: int) -> None:
        if self._pace is not None:
            self._pace.count()
        try:
            if self.game.facts.is_simultaneous:
                mover, chosen, results = self._one_by_one(number)
            else:
                mover, chosen, results, shares = self._steps.after(self.keys[number])
                if shares:
                    self.shares[number] = shares
                if mover == TERMINAL:
                    self.endings[shares] += 1
        except GameRuleError:
            mover, chosen, results = self._one_by_one(number)
        if self.game.facts.has_rewards:
            self.rewards.append(self._paid(number, chosen))
        self.movers.append(mover)
        self.choices.append(chosen)
        self.successors.append(numbered(results, number, self.number, self.keys, self.parents))

    def _paid(self, number: int, chosen: Sequence[AnyAction]) -> Sequence[tuple[Fraction, ...]]:
        with suppress(GameRuleError):
            return self._steps.paid(self.keys[number], chosen)  # type: ignore[arg-type]
        state, paid = self.state(number), []
        for choice in chosen:
            try:
                paid.append(self.game.rewards(state, choice))
            except GameRuleError as error:
                self._on_error(error, number, choice)
                paid.append(())
        return paid

    def payoffs_of_plays(self, count: int) -> Iterator[tuple[Fraction, ...]]:
        """Total payoffs of random plays that end in visited positions."""
        chooser = Random(0)
        for _ in range(count):
            number, steps = 0, []
            for _ in range(LONGEST_PLAY):
                if number >= len(self.movers) or not self.successors[number]:
                    break
                edge = chooser.randrange(len(self.successors[number]))
                steps.append((number, edge))
                number = self.successors[number][edge]
            if number < len(self.movers) and self.movers[number] == TERMINAL:
                yield self._total(steps, number)

    def _total(self, steps: Sequence[tuple[int, int]], end: int) -> tuple[Fraction, ...]:
        """The total payoffs of a finished play."""
        paid = Paid(self.game)
        for number, edge in steps:
            after = self.successors[number][edge]
            movers = self.movers[number], self.movers[after]
            paid.count(self.rewards[number][edge], *(mover == CHANCE for mover in movers))
        return paid.total(self.shares[end] if end in self.shares else self._payoffs(end))

    def _payoffs(self, number: int) -> tuple[Fraction, ...]:
        return tuple(self.game.utilities(self.state(number)))

    def unpaid(self) -> list[Sequence[int]]:
        """The successors of positions by choices without rewards."""
        if not self.rewards:
            return self.successors
        return [
            [after for after, paid in zip(reached, rewards, strict=True) if not any(paid)]
            for reached, rewards in zip(self.successors, self.rewards, strict=True)
        ]

    def steps(self) -> Iterator[tuple[State, int]]:
        """All pairs of a visited state and an action of a single player to move."""
        for number, (mover, chosen) in enumerate(zip(self.movers, self.choices, strict=True)):
            if mover is not None and mover >= 0 and chosen:
                state = self.state(number)
                yield from ((state, choice) for choice in chosen if isinstance(choice, int))

    def edge(self, number: int, after: int) -> int:
        """The index of the first choice that leads to a position, preferably without a reward."""
        edges = [n for n, reached in enumerate(self.successors[number]) if reached == after]
        rewards = self.rewards[number] if self.rewards else ()
        return next((n for n in edges if rewards and not any(rewards[n])), edges[0])

    def _one_by_one(
        self, number: int
    ) -> tuple[Player | None, Sequence[AnyAction], Sequence[Hashable]]:
        """Like `_steps.after`, for failing rules and for positions with very many choices."""
        state, game = self.state(number), self.game
        mover = None
        chosen: list[AnyAction] = []
        results: list[Hashable] = []
        try:
            mover = game.current_player(state)
            if mover == TERMINAL:
                self.endings[game.utilities(state)] += 1
            most = min(MOST_CHOICES, max(1, MOST_CELLS // max(1, state.size)))
            possible = list(islice(choices(game, state), most + 1))
        except GameRuleError as error:
            self._on_error(error, number, None)
            return mover, (), ()
        self.left_out |= len(possible) > most
        for choice in possible[:most]:
            try:
                results.append(self._steps.key(game.result(state, choice)))
                chosen.append(choice)
            except GameRuleError as error:
                self._on_error(error, number, choice)
        return mover, chosen, results
