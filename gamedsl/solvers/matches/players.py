"""Players of matches: chance, the adviser's searches, and the adviser's best moves.

In: a text, `search:plays=1000`. Out: `PlayerSettings`, and from settings a `Player`, who chooses
actions after a play. Players know no more than a person in their seat.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Protocol

from gamedsl.game.contract import Action, Game, History
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, SIMULTANEOUS
from gamedsl.solvers.advice.adviser import Adviser
from gamedsl.solvers.advice.best_moves import asks_for_chances
from gamedsl.solvers.solution import Solution
from gamedsl.source.nearest import nearest
from gamedsl.source.records import dataclass

PREPARING = 5.0
"""Seconds in which machine code is compiled before play, at most."""
BEFORE_PLAY = 5
"""Time of `best` before play begins, as a multiple of the time of a move."""
USUAL_SECONDS = 0.2


class PlayerKind(StrEnum):
    """The players."""

    RANDOM = "random"
    """Legal actions, uniformly."""
    SEARCH = "search"
    """Simulated plays, never a solution of the game."""
    BEST = "best"
    """A solution if found in time, else simulated plays."""


class PlayerTextError(ValueError):
    """A text that describes no player, with the reason."""


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """A player.

    Attributes:
        kind: the sort of player.
        seconds: time of a move.
        plays: simulated plays of a move, in place of the time; None: by time.
    """

    kind: PlayerKind
    seconds: float = USUAL_SECONDS
    plays: int | None = None

    def __str__(self) -> str:
        if self.kind is PlayerKind.RANDOM:
            return str(self.kind)
        if self.plays is not None:
            return f"{self.kind}:plays={self.plays}"
        return f"{self.kind}:time={self.seconds:g}"


class Player(Protocol):
    """Chooses actions.

    Attributes:
        unadvised: number of actions chosen at random for lack of advice.
    """

    unadvised: int

    def prepare(self, history: History) -> None:
        """Called before the first move of a game, outside the time of moves."""
        ...

    def choose(self, history: History, player: int) -> Action:
        """A legal action of a player after a play."""
        ...


def player_settings(text: str) -> PlayerSettings:
    """The settings of a text: `random`, `search`, `best:time=0.5`, `search:plays=1000`.

    Raises PlayerTextError.
    """
    name, _, options = text.partition(":")
    if name not in set(PlayerKind):
        near = nearest(name, PlayerKind)
        hint = f"did you mean {near}?" if near else f"there are {', '.join(PlayerKind)}"
        raise PlayerTextError(f"there is no player `{name}`; {hint}")
    kind, seconds, plays = PlayerKind(name), USUAL_SECONDS, None
    for option in filter(None, options.split(",")):
        key, _, number = option.partition("=")
        if kind is PlayerKind.RANDOM:
            raise PlayerTextError(f"`random` has no options, found `{option}`")
        if key == "time":
            seconds = _positive(number, option, float)
        elif key == "plays" and kind is PlayerKind.SEARCH:
            plays = int(_positive(number, option, int))
        else:
            allowed = "`time`" if kind is PlayerKind.BEST else "`time` or `plays`"
            raise PlayerTextError(f"`{name}` has the option {allowed}, found `{option}`")
    return PlayerSettings(kind, seconds, plays)


def _positive(text: str, option: str, kind: type[float] | type[int]) -> float:
    try:
        number = kind(text)
    except ValueError:
        number = 0
    if not 0 < number < 1e9:
        raise PlayerTextError(f"a number above 0 is needed in `{option}`")
    return number


def player_of(settings: PlayerSettings, game: Game, rng: Random) -> Player:
    """The player of settings, for one game."""
    if settings.kind is PlayerKind.RANDOM:
        return RandomPlayer(game, rng)
    return AdvisedPlayer(settings, game, rng)


class RandomPlayer:
    """Chooses legal actions uniformly."""

    def __init__(self, game: Game, rng: Random) -> None:
        self.unadvised = 0
        self._game, self._rng = game, rng

    def prepare(self, history: History) -> None:
        """Nothing."""

    def choose(self, history: History, player: int) -> Action:
        """Any action."""
        return self._rng.choice(legal_of(self._game, history, player))


class AdvisedPlayer:
    """Plays as the adviser says; draws from mixed strategies."""

    def __init__(self, settings: PlayerSettings, game: Game, rng: Random) -> None:
        self.unadvised = 0
        self._game, self._rng, self._settings = game, rng, settings
        self._adviser = Adviser(game, rng)
        self._draws = asks_for_chances(game)
        self._is_prepared = False

    def prepare(self, history: History) -> None:
        """Before the first game: machine code, and for `best` a solution from the beginning, within
        limits of time."""
        if self._is_prepared:
            return
        self._is_prepared = True
        if self._settings.kind is PlayerKind.BEST:
            try:
                self._adviser.solve(history[0][0], BEFORE_PLAY * self._settings.seconds)
            except UnsupportedGameError as refusal:
                self._adviser.why_not = refusal.reason
        if self._adviser.solution is None and not self._draws:
            self._adviser.prepare(history[-1][0], PREPARING)
        elif self._adviser.solution is None and self._game.current_player(history[-1][0]) != CHANCE:
            self._adviser.sampled.prepare(history, PREPARING)

    def choose(self, history: History, player: int) -> Action:
        """The advised action; without advice, any action."""
        legal = legal_of(self._game, history, player)
        if len(legal) == 1:
            return legal[0]
        try:
            return self._drawn(history, player) if self._draws else self._advised(history)
        except UnsupportedGameError:
            self.unadvised += 1
            return self._rng.choice(legal)

    def _drawn(self, history: History, player: int) -> Action:
        """An action, drawn from a mixed strategy."""
        solution = self._adviser.solution
        strategies = () if solution is None else solution.strategies_at(history)
        if not strategies:
            seconds = None if self._settings.plays else self._settings.seconds
            answer = self._adviser.sampled.answer(
                history, seconds=seconds, plays=self._settings.plays
            )
            strategies = tuple(choice.local for choice in answer.choices)
        shares = next(local.choices for local in strategies if local.player == player)
        weights = [float(share) for _, share in shares]
        return self._rng.choices(legal_of(self._game, history, player), weights)[0]

    def _advised(self, history: History) -> Action:
        state, settings, adviser = history[-1][0], self._settings, self._adviser
        if settings.kind is PlayerKind.BEST:
            solution = adviser.solution
            if solution is not None and state in solution:
                best = solution.choice(state)
                assert isinstance(best, int), "one player is to move"
                return best
            answer = adviser.answer(state, settings.seconds)
            if isinstance(answer, Solution):
                move = max(answer.moves, key=lambda move: (move.is_best, move.makes_progress))
                assert isinstance(move.action, int), "one player is to move"
                return move.action
        elif settings.plays is not None:
            answer = adviser.estimate(state, budget=settings.plays)
        else:
            answer = adviser.estimate(state, seconds=settings.seconds)
        assert answer.action is not None, "a player is to move"
        return answer.action


def legal_of(game: Game, history: History, player: int) -> tuple[Action, ...]:
    """The legal actions of a player after a play."""
    state = history[-1][0]
    is_joint = game.current_player(state) == SIMULTANEOUS
    return game.legal_actions(state, player if is_joint else None)
