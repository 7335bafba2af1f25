"""Matches of two players: paired games, with chance and openings in common and seats changed.

In: a game, two players, a seed. Out: a `Pair` for each number: the games from one opening, so that
every player sits in every seat. A pair depends on the seed and its number alone, as far as the
players do. With more than two seats one player takes one seat, and the other player all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from time import perf_counter

from gamedsl.game.contract import Action, Game, History, JointAction
from gamedsl.game.play import Sitting
from gamedsl.game.steps import step_of
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import State
from gamedsl.solvers.advice.best_moves import asks_for_chances
from gamedsl.solvers.matches.elo import Interval, elo_interval, mean_interval
from gamedsl.solvers.matches.players import Player
from gamedsl.source.records import dataclass

OPENING = (2, 4)
"""Least and greatest number of random plies of an opening, in games without chance and secrets."""
MOST_OPENINGS = 100
"""Openings tried, of which the game must not end in one."""
LONGEST = 1000
"""Plies after which a game is broken off, and counts as endless play."""

Step = tuple[State, Action | JointAction]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a match.

    Attributes:
        seats: for each seat the player, 0 or 1.
        moves: the names of the actions, chance events included, for `game.position`.
        payoffs: of all seats, rewards included; those of endless play if the game was broken off.
    """

    seats: tuple[int, ...]
    moves: tuple[str, ...]
    payoffs: tuple[Fraction, ...]

    @property
    def margin(self) -> Fraction:
        """The mean payoff of the first player's seats less that of the other seats."""
        means = [
            sum(payoff for payoff, seat in zip(self.payoffs, self.seats, strict=True) if seat == n)
            / Fraction(self.seats.count(n))
            for n in (0, 1)
        ]
        return means[0] - means[1]

    @property
    def score(self) -> float:
        """1 for a greater mean payoff of the first player, 0 for a smaller, else 0.5."""
        return 0.5 if self.margin == 0 else float(self.margin > 0)


@dataclass(frozen=True, slots=True)
class Effort:
    """A player's effort: moves with a choice, seconds of wall-clock time, and random moves for lack
    of advice."""

    moves: int = 0
    seconds: float = 0.0
    unadvised: int = 0

    def __add__(self, other: Effort) -> Effort:
        return Effort(
            self.moves + other.moves,
            self.seconds + other.seconds,
            self.unadvised + other.unadvised,
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """The games from one opening, and the efforts of both players."""

    number: int
    games: tuple[PlayedGame, ...]
    efforts: tuple[Effort, Effort]

    @property
    def score(self) -> float:
        """The mean score of the first player."""
        return sum(game.score for game in self.games) / len(self.games)

    @property
    def margin(self) -> float:
        """The mean margin of the first player."""
        return float(sum(game.margin for game in self.games)) / len(self.games)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match for the first player.

    Attributes:
        pairs: at least one, in the order of their numbers.
    """

    pairs: tuple[Pair, ...]

    @property
    def tally(self) -> tuple[int, int, int]:
        """Games won, drawn and lost."""
        scores = [game.score for pair in self.pairs for game in pair.games]
        return scores.count(1), scores.count(0.5), scores.count(0)

    @property
    def elo(self) -> Interval | None:
        """The Elo difference; None for more than two seats, where equal players need not share the
        wins."""
        if len(self.pairs[0].games[0].seats) != 2:
            return None
        return elo_interval([pair.score for pair in self.pairs])

    @property
    def margin(self) -> Interval:
        """The payoff a game, less the payoff of the other player."""
        return mean_interval([pair.margin for pair in self.pairs])

    @property
    def efforts(self) -> tuple[Effort, Effort]:
        """The efforts of both players."""
        first, second = zip(*(pair.efforts for pair in self.pairs), strict=True)
        return sum(first, Effort()), sum(second, Effort())


def play_pair(
    game: Game,
    players: Sequence[Player],
    number: int,
    seed: int,
    longest: int = LONGEST,
    start: State | None = None,
) -> Pair:
    """The games of a pair.

    Args:
        start: the first state; None: S0.

    Raises:
        UnsupportedGameError: the game is for a single player, or ends in every opening.
        GameRuleError: the rules fail.
    """
    if len(game.players) < 2:
        raise UnsupportedGameError("a match is between two players, and the game has one")
    root = game.initial_state() if start is None else start
    if game.is_terminal(root):
        raise UnsupportedGameError("the game is over")
    opening = _opening(game, root, Random(f"{seed}/{number}/opening"))
    efforts = [Effort(), Effort()]
    games = []
    state = game.result(*opening[-1]) if opening else root
    for player in players:
        player.prepare((*opening, (state, None)))
    for seats in seatings(len(game.players)):
        rng = Random(f"{seed}/{number}/chance")  # equal for all games of the pair
        games.append(_played(game, players, seats, _Luck(root, opening, rng, longest), efforts))
    return Pair(number, tuple(games), (efforts[0], efforts[1]))


def seatings(seats: int) -> Iterator[tuple[int, ...]]:
    """The first player in each seat, the second in all others."""
    for place in range(seats):
        yield tuple(int(seat != place) for seat in range(seats))


def _opening(game: Game, root: State, rng: Random) -> tuple[Step, ...]:
    """Random plies; none where chance, or hidden or simultaneous choices, make plays differ."""
    if game.facts.has_chance or asks_for_chances(game):
        return ()
    for _ in range(MOST_OPENINGS):
        state, steps = root, list[Step]()
        for _ in range(rng.randint(*OPENING)):
            if not game.is_terminal(state):
                steps.append((state, rng.choice(game.legal_actions(state))))
                state = game.result(*steps[-1])
        if not game.is_terminal(state):
            return tuple(steps)
    raise UnsupportedGameError("the game ends within a few plies at random")


@dataclass(frozen=True, slots=True)
class _Luck:
    """The first state, the opening and the chance of a game, and the limit of its plies."""

    root: State
    opening: tuple[Step, ...]
    rng: Random
    longest: int


def _played(
    game: Game,
    players: Sequence[Player],
    seats: tuple[int, ...],
    luck: _Luck,
    efforts: list[Effort],
) -> PlayedGame:
    sitting = Sitting(game, luck.root, luck.opening[: luck.longest])

    def choose(seat: int) -> Action:
        return _choice(game, players[seats[seat]], sitting.history, seat, seats[seat], efforts)

    while not game.is_terminal(sitting.state) and len(sitting.steps) < luck.longest:
        sitting.make(step_of(game, sitting.state, luck.rng, choose))
    play = sitting.play
    payoffs = sitting.payoffs_so_far if play.payoffs is None else play.payoffs
    return PlayedGame(seats, play.names, payoffs)


def _choice(
    game: Game, player: Player, history: History, seat: int, place: int, efforts: list[Effort]
) -> Action:
    """A player's action; the effort is added, if there is a choice."""
    begun, before = perf_counter(), player.unadvised
    action = player.choose(history, seat)
    if len(game.legal_actions(history[-1][0], seat)) > 1:
        effort = Effort(1, perf_counter() - begun, player.unadvised - before)
        efforts[place] = efforts[place] + effort
    return action
