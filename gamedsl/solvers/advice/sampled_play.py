"""Strategies by outcome sampling, where information is hidden or all choose at once.

In: a game, a play, a time or a number of simulated plays. Out: `SampledPlay.answer`: mixed
strategies of the players to choose, with the number of plays. What a player is advised depends only
on what the player has observed. By machine code as soon as compiled; in Python where nothing is
compiled. Nothing is proved: `promise` says what is known.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import inf
from random import Random
from threading import Thread
from time import perf_counter

from gamedsl.game.accelerator import (
    PlayoutOptions,
    Refusal,
    SampledStrategy,
    StrategySearch,
    accelerator_of,
    machine_code_of,
)
from gamedsl.game.contract import Game, History
from gamedsl.game.slices import relevant_game
from gamedsl.game.steps import choosers
from gamedsl.model.errors import GameRuleError, UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.advice.deals import Deals
from gamedsl.solvers.equilibria.informed_play import InformedChoice
from gamedsl.solvers.equilibria.local_strategies import LocalStrategy
from gamedsl.solvers.interruptible import has_threads
from gamedsl.solvers.montecarlo.contenders import RunLimits, run_within
from gamedsl.solvers.montecarlo.playouts import LONGEST_PLAYOUT, PATIENCE
from gamedsl.source.records import dataclass

LEAST = 32
"""Least number of plays of a player..."""
FOREVER = 1e9
"""...whatever the time, in seconds."""
FOR_PLAYS = 0.5
"""Share of the time that is left for simulated plays by the search for agreeing plays."""
FOR_COMPILING = 0.5
"""Share of the time that machine code is waited for."""
RARE = Fraction(1, 20)
"""Actions with a smaller share of the probability of the likeliest action are not played."""
NO_PLAYS = "no plays were found that agree with what {name} has observed"
FROM_THE_START = "what players know depends on the play from the beginning, which is not given"
MORE_TIME = "allow more time (`--time`)"


class Promise(StrEnum):
    """What is known of sampled strategies."""

    APPROACHES = "approaches"
    """Two players with opposed interests: the mean strategies approach an equilibrium."""
    NOTHING = "nothing"
    """Several players, or other interests: players learn against each other."""
    DEALS = "deals"
    """Mean payoffs of random plays from other deals of what is not seen."""


@dataclass(frozen=True, slots=True)
class SampledAnswer:
    """Strategies after a play.

    Attributes:
        choices: the strategy of the player to choose, or of all players if all choose; `worths`
            are the mean payoffs of simulated plays, None where an action was not tried.
        plays: number of simulated plays.
        promise: what is known of the strategies.
    """

    choices: tuple[InformedChoice, ...]
    plays: int
    promise: Promise


class SampledPlay:
    """Outcome sampling for one game.

    Attributes:
        why_not: the reason why the rules exclude sampling, as a clause; "" otherwise.
    """

    def __init__(
        self, game: Game, rng: Random, *, clock: Callable[[], float] = perf_counter
    ) -> None:
        """`clock` measures time."""
        self.game = game
        self.why_not = ""
        self._rng, self._clock = rng, clock
        self._search: StrategySearch | None = None
        self._machine: StrategySearch | None = None
        self._maker: Thread | None = None
        self._accelerator = accelerator_of(game)
        if isinstance(self._accelerator, Refusal):
            self.why_not = str(self._accelerator)
        self._longest = LONGEST_PLAYOUT if game.facts.endless is None else PATIENCE
        self._deals_at_once = False
        """Whether the quickest search has met no play that agrees with what a player knew."""
        self._plays_by_machine = False
        self.promise = Promise.APPROACHES if game.facts.is_opposed else Promise.NOTHING

    def refusal(self, history: History) -> str:
        """The reason why no strategies are sampled after a play, as a clause; "" if they are."""
        has_secrets = relevant_game(self.game).facts.has_secrets
        if has_secrets and history[0][0] != self.game.initial_state():
            return self.why_not or FROM_THE_START
        return self.why_not

    def prepare(self, history: History, seconds: float = 0) -> None:
        """Compiles machine code on a thread; waits at most the given number of seconds. Nothing is
        compiled where nobody is to choose."""
        can_choose = choosers(self.game, history[-1][0])
        is_wanted = can_choose and self._maker is None and not self.refusal(history)
        if is_wanted and has_threads() and not isinstance(machine_code_of(self.game), Refusal):
            self._maker = Thread(target=self._make, args=(history,), daemon=True)
            self._maker.start()
        if self._maker is not None and seconds > 0:
            self._maker.join(seconds)

    def _make(self, history: History) -> None:
        try:
            search = self._new(is_machine=True)
            search.start(self._known(history), self._choosers(history)[0], 0, self._longest)
            search.run(1)
            if not search.is_reached:
                self._compile_plays(history[-1][0])
        except (UnsupportedGameError, GameRuleError):
            return  # Python raises the error again
        self._machine = search

    def _compile_plays(self, state: State) -> None:
        assert not isinstance(self._accelerator, Refusal), "the accelerator was asked for"
        options = PlayoutOptions(0, self._longest)
        self._accelerator.playouts(state, 1, options, is_machine=True)
        self._plays_by_machine = True

    def _new(self, *, is_machine: bool) -> StrategySearch:
        assert not isinstance(self._accelerator, Refusal), "the accelerator was asked for"
        search = self._accelerator.strategy_search(is_machine=is_machine)
        if isinstance(search, Refusal):
            raise UnsupportedGameError(str(search))
        return search

    def _known(self, history: History) -> History:
        """The play; without secrets, only the position."""
        return history if relevant_game(self.game).facts.has_secrets else history[-1:]

    def _choosers(self, history: History) -> tuple[int, ...]:
        """The players to choose. Raises ValueError if there are none."""
        players = choosers(self.game, history[-1][0])
        if not players:
            raise ValueError("nobody is to move after that play")
        return players

    def answer(
        self, history: History, *, seconds: float | None = None, plays: int | None = None
    ) -> SampledAnswer:
        """The strategies after a play, within a time or by a number of plays.

        Raises:
            UnsupportedGameError: the rules exclude sampling, or no plays were found that agree with
                what a player has observed.
            ValueError: no player is to choose.
            GameRuleError: the rules fail in a simulated play.
        """
        if reason := self.refusal(history):
            raise UnsupportedGameError(reason)
        begun, players, state = self._clock(), self._choosers(history), history[-1][0]
        if all(len(self.game.legal_actions(state, player)) == 1 for player in players):
            only = (SampledStrategy(player, (Fraction(1),), (None,), 0) for player in players)
            return SampledAnswer(tuple(self._choice(history, s) for s in only), 0, self.promise)
        self.prepare(history, (seconds or 0) * FOR_COMPILING if plays is None else 1e9)
        search = self._machine or self._search
        if search is None:
            search = self._search = self._new(is_machine=False)
        if self._deals_at_once and (dealt := self._dealt(history, begun, seconds, plays)):
            return dealt
        known = self._known(history)
        at_once = len(known) == 1 and len(players) > 1
        goals = players[:1] if at_once else players
        strategies: list[SampledStrategy] = []
        done = 0
        for number, player in enumerate(goals):
            share = Fraction(number + 1, len(goals))
            ends = None if seconds is None else begun + seconds * float(share)
            late = inf if ends is None else ends - FOR_PLAYS * (ends - self._clock())
            until = partial(self._is_after, late)
            search.start(known, player, self._rng.getrandbits(30), self._longest, until)
            if not search.is_reached and (dealt := self._dealt(history, begun, seconds, plays)):
                self._deals_at_once = search is self._machine or self._maker is None
                return dealt
            wanted = None if plays is None else int(plays * share)
            left = None if wanted is None else max(0, wanted - done)
            done += run_within(search.run, RunLimits(left, ends, LEAST, FOREVER), self._clock)[0]
            strategies += [s for s in search.report() if at_once or s.player == player]
        is_known = all(strategy.shares for strategy in strategies)
        if not is_known and (dealt := self._dealt(history, begun, seconds, plays)):
            return dealt
        choices = tuple(self._choice(history, strategy) for strategy in strategies)
        return SampledAnswer(choices, done, self.promise)

    def _dealt(
        self, history: History, begun: float, seconds: float | None, plays: int | None
    ) -> SampledAnswer | None:
        """The action with the greatest mean payoff of random plays from other deals; None where
        hands do not hold all that the player does not see, or several choose."""
        players, legal = self._choosers(history), self.game.legal_actions(history[-1][0])
        deals = Deals(self.game, history, players[0]) if len(players) == 1 else None
        if not deals or not self.game.facts.pays_at_the_end:
            return None
        assert not isinstance(self._accelerator, Refusal), "the accelerator was asked for"
        ends = inf if seconds is None else begun + seconds

        def goes_on(done: int) -> bool:
            return self._clock() < ends if plays is None else done < plays

        dealt = deals.choose(
            self._accelerator, self._rng,
            is_machine=self._plays_by_machine, goes_on=goes_on, longest=self._longest,
        )  # fmt: skip
        if not dealt.worths:
            return None
        best = max(dealt.worths, key=lambda action: dealt.worths[action])
        worths = tuple(dealt.worths.get(action) for action in legal)
        shares = tuple(Fraction(action == best) for action in legal)
        strategy = SampledStrategy(players[0], shares, worths, dealt.plays)
        return SampledAnswer((self._choice(history, strategy),), dealt.plays, Promise.DEALS)

    def _is_after(self, time: float) -> bool:
        return self._clock() > time

    def _choice(self, history: History, strategy: SampledStrategy) -> InformedChoice:
        game, state = self.game, history[-1][0]
        player = strategy.player
        if not strategy.shares:
            raise UnsupportedGameError(NO_PLAYS.format(name=repr(game.players[player])), MORE_TIME)
        names = (game.action_name(state, action) for action in game.legal_actions(state, player))
        shares = _played(strategy.shares)
        local = LocalStrategy(player, (), (), tuple(zip(names, shares, strict=True)))
        worths = strategy.worths
        known = tuple(worth for worth in worths if worth is not None)
        return InformedChoice(local, known if len(known) == len(worths) else None, 0)


def _played(shares: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """The probabilities without rare actions."""
    least = max(shares) * RARE
    kept = [share if share >= least else Fraction(0) for share in shares]
    return tuple(share / sum(kept) for share in kept)
