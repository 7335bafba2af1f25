"""Players of matches: chance, the adviser's searches, and the adviser's best moves.

In: a text, `search:plays=1000`. Out: `PlayerSettings`, and from settings a `Player`, who chooses
actions after a play. Players know no more than a person in their seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from random import Random
from time import perf_counter, process_time
from typing import Protocol

from gamedsl.game.contract import Action, Game, History
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.solvers.advice.counsel import Counsel
from gamedsl.solvers.montecarlo.rates import is_searched, plays_at
from gamedsl.source.nearest import nearest
from gamedsl.source.records import dataclass

PREPARING = 5.0
"""Seconds in which machine code is compiled before play, at most."""
USUAL_SECONDS = 0.2


class PlayerKind(StrEnum):
    """The players."""

    RANDOM = "random"
    """Legal actions, uniformly."""
    SEARCH = "search"
    """Simulated plays, never a solution of the game."""
    BEST = "best"
    """A solution if found in time, else simulated plays."""
    LEVEL = "level"
    """A search that is limited so that each level is stronger than the level before."""
    OPENSPIEL = "openspiel"
    """OpenSpiel's Monte-Carlo tree search, with simulated plays."""
    JSON = "json"
    """Another program, by the JSON lines of `gamedsl engine`."""
    UCI = "uci"
    """Another program for chess, by UCI."""


PROGRAMS = (PlayerKind.JSON, PlayerKind.UCI)
OPTIONS = {
    PlayerKind.SEARCH: ("time", "cpu", "plays"),
    PlayerKind.BEST: ("time", "cpu"),
    PlayerKind.OPENSPIEL: ("plays",),
}
"""The options of players."""
OF_OPENSPIEL = 1_000
"""Usual number of OpenSpiel's simulated plays."""
LEVELS = (1, 1.5, 2.4, 4.5, 8, 18, 35, 63, 260, 800)
"""Simulated plays of the levels, or positions of alpha-beta, for each legal move, from level 1 on,
where a game's levels are not fitted by matches."""


class PlayerTextError(ValueError):
    """A text that describes no player, with the reason."""


@dataclass(frozen=True, slots=True)
class PlayerSettings:
    """A player.

    Attributes:
        kind: the sort of player.
        seconds: time of a move.
        is_processor: whether `seconds` is processor time of all threads, not wall-clock time.
        plays: simulated plays of a move, in place of the time; None: by time.
        command: of another program, else "".
        level: from 1 on, of a level; else 0.
    """

    kind: PlayerKind
    seconds: float = USUAL_SECONDS
    plays: int | None = None
    command: str = ""
    level: int = 0
    is_processor: bool = False

    def __str__(self) -> str:
        if self.kind is PlayerKind.RANDOM:
            return str(self.kind)
        if self.kind in PROGRAMS:
            return f"{self.kind}:time={self.seconds:g},{self.command}"
        if self.kind is PlayerKind.LEVEL:
            return f"{self.kind}:{self.level}"
        if self.plays is not None:
            return f"{self.kind}:plays={self.plays}"
        return f"{self.kind}:{'cpu' if self.is_processor else 'time'}={self.seconds:g}"


class Player(Protocol):
    """Chooses actions.

    Attributes:
        unadvised: number of actions chosen at random for lack of advice.
    """

    unadvised: int

    def prepare(self, history: History) -> None:
        """Called before the first move of a game, outside the time of moves."""

    def choose(self, history: History, player: int) -> Action:
        """A legal action of a player after a play."""


def player_settings(text: str, others: Sequence[str] = ()) -> PlayerSettings:
    """The settings of a text: `random`, `search`, `best:time=0.5`, `search:cpu=0.5`,
    `search:plays=1000`, `level:3`, `openspiel:plays=1000`, `uci:stockfish`,
    `json:time=0.5,gamedsl engine hex`.

    `others`: further names for errors to suggest. Raises PlayerTextError.
    """
    name, _, options = text.partition(":")
    if name not in set(PlayerKind):
        names = {**dict.fromkeys((*PlayerKind, *others), ""), PlayerKind.LEVEL: ":1"}
        short = name.rstrip("0123456789")
        near = short if short in names else nearest(short, names)
        hint = f"did you mean {near}{names[near]}?" if near else f"there are {', '.join(names)}"
        raise PlayerTextError(f"there is no player `{name}`; {hint}")
    kind = PlayerKind(name)
    if kind is PlayerKind.LEVEL:
        return level(options)
    if kind in PROGRAMS:
        return _program(kind, options)
    allowed = OPTIONS.get(kind, ())
    settings = PlayerSettings(kind, plays=OF_OPENSPIEL if kind is PlayerKind.OPENSPIEL else None)
    if not options:
        return settings
    if "," in options:
        raise PlayerTextError(f"`{name}` has a single limit, found `{options}`")
    key, _, number = options.partition("=")
    if key not in allowed:
        known = " or ".join(f"`{option}`" for option in allowed)
        reason = f"has the option {known}" if known else "has no options"
        raise PlayerTextError(f"`{name}` {reason}, found `{options}`")
    if key == "plays":
        return replace(settings, plays=int(_positive(number, options, int)))
    seconds = _positive(number, options, float)
    return replace(settings, seconds=seconds, is_processor=key == "cpu")


def level(text: str) -> PlayerSettings:
    """The player of a level, a number as text. Raises PlayerTextError."""
    if not text.isdecimal() or not 1 <= int(text) <= len(LEVELS):
        asked = f"level:{text}".rstrip(":")
        raise PlayerTextError(f"levels are `level:1` to `level:{len(LEVELS)}`, found `{asked}`")
    return PlayerSettings(PlayerKind.LEVEL, level=int(text))


def _program(kind: PlayerKind, text: str) -> PlayerSettings:
    """Another program: its command line, perhaps behind the time of a move."""
    first, comma, rest = text.partition(",")
    key, _, number = first.partition("=")
    if key != "time":
        seconds, command = USUAL_SECONDS, text
    else:
        seconds, command = _positive(number, first, float), rest if comma else ""
    if not command.strip():
        raise PlayerTextError(f"the command of a program is needed, as `{kind}:time=0.5,COMMAND`")
    return PlayerSettings(kind, seconds, command=command)


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
        return self._rng.choice(self._game.legal_actions(history[-1][0], player))


class AdvisedPlayer:
    """Plays as advised; where nothing is advised, at random."""

    def __init__(self, settings: PlayerSettings, game: Game, rng: Random) -> None:
        self.unadvised = 0
        self._game, self._rng, self._settings = game, rng, settings
        clock = process_time if settings.is_processor else perf_counter
        self._counsel = Counsel(
            game, rng, settings.seconds, solves=settings.kind is PlayerKind.BEST, clock=clock
        )
        if settings.level or settings.plays:
            self._counsel.adviser.hold_no_matches()
        self._is_prepared = False
        self._rates: tuple[float, ...] = ()

    def prepare(self, history: History) -> None:
        """Before the first game: machine code, and for `best` a solution from the beginning, within
        limits of time; for a level the plays of levels, by matches once for a game."""
        if not self._is_prepared:
            self._is_prepared = True
            root = self._game.initial_state()
            self._counsel.prepare(((history[0][0], None),), compiling=PREPARING)
            if self._settings.level and not self._counsel.samples:
                self._rates = self._counsel.adviser.level_rates(root, len(LEVELS))

    def choose(self, history: History, player: int) -> Action:
        """The advised action; without advice, any action."""
        legal = self._game.legal_actions(history[-1][0], player)
        if len(legal) == 1:
            return legal[0]
        rate = rate_of(self._settings, self._rates)
        if rate is not None and not is_searched(rate, self._rng):
            return self._rng.choice(legal)
        try:
            return self._counsel.advise(history, self.plays_for(len(legal))).of(player)
        except UnsupportedGameError:
            self.unadvised += 1
            return self._rng.choice(legal)

    def plays_for(self, legal: int) -> int | None:
        """See `plays_of`."""
        return plays_of(self._settings, legal, self._rates)


def rate_of(settings: PlayerSettings, rates: Sequence[float] = ()) -> float | None:
    """The simulated plays of a level for each legal action; None for other players. `rates`: of all
    levels, if known for a game."""
    return (rates or LEVELS)[settings.level - 1] if settings.level else None


def plays_of(settings: PlayerSettings, legal: int, rates: Sequence[float] = ()) -> int | None:
    """The number of simulated plays of a searched move with so many legal actions; None: by
    time. `rates`: as for `rate_of`."""
    rate = rate_of(settings, rates)
    return settings.plays if rate is None else plays_at(rate, legal)
