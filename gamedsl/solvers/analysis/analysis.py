"""Analyses a game for its designer, in about a given time.

In: a game, a state, seconds. Out: a `GameAnalysis`: results, lengths, branching and tension of
plays at rising strength, depth, values of first moves, use of moves, squares and rules, size, and
the value where `solve` finds it. A measure without meaning for the game is None, and `left_out`
says why. The time is processor time, for each thread; results depend on the seed and on the numbers
of plays, which are told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from enum import StrEnum
from itertools import pairwise
from math import log10
from random import Random
from time import perf_counter, process_time

from gamedsl.game.accelerator import PlayoutCounts, PlayoutOptions, Refusal, machine_code_of
from gamedsl.game.contract import Game, settings_of
from gamedsl.game.notebook import drawn
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.facts import PayoffSum
from gamedsl.model.model import Model
from gamedsl.model.state import State
from gamedsl.solvers.analysis.measures import (
    Branching,
    Lengths,
    Results,
    Tension,
    branching_of,
    endings_of,
    lengths_of,
    permanence_of,
    results_of,
    tension_of,
)
from gamedsl.solvers.analysis.openings import Openings, openings_of
from gamedsl.solvers.analysis.plays import (
    LONGEST,
    RecordedPlay,
    Strengths,
    recorded_play,
    side_by_side,
)
from gamedsl.solvers.analysis.usage import IdleRules, Usage, board_cells, usage_of
from gamedsl.solvers.feasibility.estimate import Estimate, estimate, spending
from gamedsl.solvers.graphs.graph import Progress
from gamedsl.solvers.matches.elo import Interval
from gamedsl.solvers.matches.match import MatchResult, Pair, play_pair
from gamedsl.solvers.matches.players import Player
from gamedsl.solvers.montecarlo.random_plays import playouts
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.solution import Goal, Solution
from gamedsl.source.records import dataclass

USUAL_SECONDS = 20.0


class Part(StrEnum):
    """The parts of the work, in order."""

    SOLVING = "solving"
    SIZE = "size"
    RANDOM = "random plays"
    WEAK = "weak plays"
    STRONG = "strong plays"
    LADDER = "ladder"
    OPENINGS = "openings"
    RULES = "rules"


SHARES = {
    Part.SOLVING: 0.1,
    Part.SIZE: 0.1,
    Part.RANDOM: 0.08,
    Part.WEAK: 0.1,
    Part.STRONG: 0.3,
    Part.LADDER: 0.2,
    Part.OPENINGS: 0.06,
    Part.RULES: 0.06,
}
"""Shares of the time."""
LATE, LEAST_FOR_SOLVING, AT_MOST_WAITED = 0.1, 1.0, 15.0
"""Part of the time that is shared where nothing is left; least seconds for `solve`; and seconds of
wall-clock time that `solve` may take on a busy machine, if its share is no greater."""
LEAST_RUNG, FACTOR = 25, 4
"""Simulated plays a move of the weakest searching player, and the ratio to the next."""
MOST_RUNGS = 7
WEAK = 100
"""Simulated plays a move of a weak player."""
RANDOM_PLAYS, RECORDED_RANDOM, MOST_PLAYS = 20_000, 300, 400
"""Random plays counted, random plays recorded, and plays of players that search, at most."""
LEAST_RANDOM, LEAST_PLAYS, FEW, TRIED = 50, 4, 200, 4
"""Plays recorded whatever the time: at random, and of players that search; random plays
counted whatever the time; and steps by which the time of a play is judged."""
WANTED_PLAYS = 30
"""Plays for which the strength is chosen."""
FEWEST_PAIRS = 4
LONGEST_MATCH = 300
"""Plies after which a game of the ladder counts as drawn."""
ONE_PLAYER = "there is one player"
CHOICES_OF_CHANCE = "chance comes first, or all choose at once"


@dataclass(frozen=True, slots=True)
class Level:
    """Plays between players of one strength.

    Attributes:
        strength: simulated plays a move; 0: random moves.
        results: of the plays; of random plays counted in larger number than recorded.
        lengths, branching: of the recorded plays.
        tension: None without values.
        permanence: as `measures.permanence_of`, without the count; None without a board.
    """

    strength: int
    results: Results
    lengths: Lengths
    branching: Branching
    tension: Tension | None
    permanence: float | None


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of the ladder: a player with more simulated plays a move against one with fewer."""

    weaker: int
    stronger: int
    elo: Interval
    pairs: int
    tally: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """The designer's report as data.

    Attributes:
        game, settings: the title, and parameters that differ from the file.
        levels: random players, then searching players of rising strength.
        ladder: () where left out.
        size: of the game, by `estimate`.
        solution: None where `solve` did not find a value within its share of the time.
        left_out: for each measure left out, the reason as a clause.
        seconds: wall-clock time.
    """

    game: str
    settings: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    seed: int
    has_winners: bool
    levels: tuple[Level, ...]
    ladder: tuple[Rung, ...] = ()
    openings: Openings | None = None
    usage: Usage | None = None
    idle: IdleRules | None = None
    size: Estimate | None = None
    solution: Solution | None = None
    left_out: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    rules: Game | None = field(default=None, compare=False, repr=False)

    @property
    def strongest(self) -> Level:
        """The level of the strongest player."""
        return self.levels[-1]

    @property
    def tree_size(self) -> float:
        """The decimal logarithm of the size of the game tree: of the mean branching to the power of
        the mean length, of the strongest plays (Allis 1994, section 6.2.4)."""
        level = self.strongest
        return level.lengths.mean * log10(max(1.0, level.branching.mean))

    @property
    def depth(self) -> float | None:
        """The mean Elo of a step of the ladder; None without a ladder."""
        return sum(r.elo.mean for r in self.ladder) / len(self.ladder) if self.ladder else None

    def __str__(self) -> str:
        return drawn("analysis_text", self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return drawn("analysis_page", self)


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Limits of an analysis: seconds of processor time for each thread, seed, threads, plies of
    the longest play, and a callback for progress."""

    seconds: float = USUAL_SECONDS
    seed: int = 1
    threads: int = 1
    longest: int = LONGEST
    progress: Progress | None = None


USUAL = AnalysisOptions()


FindIdle = Callable[[tuple[RecordedPlay, ...], float], IdleRules]
"""Finds the idle rules by plays, until a time of `process_time`."""


def analyse_game(
    game: Game,
    model: Model,
    state: State | None = None,
    options: AnalysisOptions = USUAL,
    *,
    find_idle: FindIdle,
) -> GameAnalysis:
    """The analysis of a game from a state on (default: S0).

    Args:
        model: the checked rules of the game.
        find_idle: finds idle rules; not called for a game given as a tree.

    Raises GameRuleError where the rules fail; UnsupportedGameError if the game is over.
    """
    root = game.initial_state() if state is None else state
    if game.is_terminal(root):
        raise UnsupportedGameError("the game is over")
    return _Work(game, model, root, options).analysis(find_idle)


class _Work:
    """The parts of an analysis, in the order of work."""

    def __init__(self, game: Game, model: Model, root: State, options: AnalysisOptions) -> None:
        self._game, self._model, self._root, self._options = game, model, root, options
        self._begun = perf_counter()
        self._left = options.seconds
        self._since, self._used = process_time(), 1
        """The processor time at the beginning of the present part, and its threads."""
        self._over: set[Part] = set()
        self._strengths = Strengths(game)
        self._left_out: list[tuple[str, str]] = []
        self._plays: dict[int, tuple[RecordedPlay, ...]] = {}

    def _until(self, part: Part, threads: int = 1) -> float:
        """The end of a part of the work, of `process_time`: the part's share of the time that is
        left, on a number of threads."""
        now = process_time()
        self._left -= (now - self._since) / self._used
        self._since, self._used = now, threads
        left = sum(share for later, share in SHARES.items() if later not in self._over)
        self._over.add(part)
        if self._options.progress is not None:
            self._options.progress(round(100 * (1 - left)), 0)
        return now + SHARES[part] / left * max(self._left, LATE * self._options.seconds) * threads

    def analysis(self, find_idle: FindIdle) -> GameAnalysis:
        """All parts."""
        game, facts = self._game, self._game.facts
        solution = self._solution(self._until(Part.SOLVING))
        size = self._size(self._until(Part.SIZE))
        levels = [self._random_level(self._until(Part.RANDOM))]
        levels += self._searching_levels(levels[0])
        if self._no_tension:
            self._left_out.append(("tension", self._no_tension))
        ladder = self._ladder(levels[-1], self._until(Part.LADDER, self._options.threads))
        openings = self._openings(self._until(Part.OPENINGS, self._options.threads))
        strong = () if len(levels) == 1 else self._plays[levels[-1].strength]
        usage = usage_of(game, self._model, self._plays[0], strong)
        idle = self._idle(find_idle, self._until(Part.RULES))
        return GameAnalysis(
            game=game.name,
            settings=settings_of(game),
            players=tuple(facts.players),
            seed=self._options.seed,
            has_winners=facts.has_winners,
            levels=tuple(levels),
            ladder=ladder,
            openings=openings,
            usage=usage,
            idle=idle,
            size=size,
            solution=solution,
            left_out=tuple(self._left_out),
            seconds=perf_counter() - self._begun,
            rules=game,
        )

    # --- size and value -----------------------------------------------------------------------

    def _solution(self, ends: float) -> Solution | None:
        options = SolveOptions(
            max_seconds=max(AT_MOST_WAITED, ends - process_time()),
            progress=spending(max(LEAST_FOR_SOLVING, ends - process_time())),
            goal=Goal.VALUE,
            threads=self._options.threads,
        )
        try:
            solution = solve(self._game, self._root, options)
        except UnsupportedGameError as refusal:
            self._left_out.append(("value", refusal.reason))
            return None
        if solution.value is None:
            self._left_out.append(("value", "the game is not solved in the time"))
            return None
        return solution

    def _size(self, ends: float) -> Estimate:
        seconds = max(0.3, ends - process_time())
        return estimate(self._game, self._root, seconds=seconds, seed=self._options.seed)

    # --- plays --------------------------------------------------------------------------------

    def _recorded(self, strength: int, most: int, ends: float) -> tuple[RecordedPlay, ...]:
        """Plays of a strength until a time."""
        game, options = self._game, self._options

        def make(thread: int) -> Callable[[Random], Player]:
            return lambda rng: self._strengths.player(strength, rng, 2 * thread)

        def play(player: Callable[[Random], Player], number: int) -> RecordedPlay:
            rng = Random(f"{options.seed}/{strength}/{number}")
            return recorded_play(game, player(rng), rng, start=self._root, longest=options.longest)

        plays = side_by_side(
            play,
            make,
            most=most,
            least=LEAST_PLAYS if strength else LEAST_RANDOM,
            ends=ends,
            threads=self._threads(strength),
        )
        self._plays[strength] = plays
        return plays

    def _threads(self, strength: int) -> int:
        """The threads that are of use: what is not machine code takes turns."""
        return self._options.threads if strength and self._strengths.has_values else 1

    def _random_level(self, ends: float) -> Level:
        plays = self._recorded(0, RECORDED_RANDOM, (process_time() + ends) / 2)
        level = self._level(0, plays)
        if not self._game.facts.pays_at_the_end:
            return level
        few = self._counted(ends)
        counted = results_of(
            [*few.endings, *([(None, few.unfinished)] if few.unfinished else [])],
            len(self._game.players),
        )
        return replace(level, results=counted)

    def _counted(self, ends: float) -> PlayoutCounts:
        """Random plays, as many as the time allows; by machine code, if allowed."""
        game, options = self._game, self._options
        code = machine_code_of(game)

        def counted(count: int, threads: int) -> PlayoutCounts:
            if isinstance(code, Refusal):
                return playouts(game, self._root, count, seed=options.seed, longest=options.longest)
            wanted = PlayoutOptions(options.seed, options.longest, threads)
            return code.playouts(self._root, count, wanted, is_machine=True)

        counted(1, 1)  # compiles
        begun = process_time()
        few = counted(FEW, 1)
        rate = FEW / max(1e-6, process_time() - begun)
        count = min(RANDOM_PLAYS, int(rate * max(0.0, ends - begun)))
        return counted(count, options.threads) if count > FEW else few

    def _searching_levels(self, random: Level) -> list[Level]:
        """A weak and a strong player, as strong as the time allows."""
        weak_ends = self._until(Part.WEAK, self._options.threads)
        if len(self._game.players) == 1 and not self._strengths.has_values:
            self._left_out.append(("search", self._strengths.why_not))
            return []
        weak = self._greatest_rung(random, (LEAST_RUNG, WEAK), weak_ends)
        levels = [self._level(weak, self._recorded(weak, MOST_PLAYS, weak_ends))]
        ends = self._until(Part.STRONG, self._options.threads)
        rungs = [LEAST_RUNG * FACTOR**n for n in range(MOST_RUNGS)]
        strong = self._greatest_rung(levels[0], [r for r in rungs if r >= weak], ends)
        if strong > weak:
            levels.append(self._level(strong, self._recorded(strong, MOST_PLAYS, ends)))
        return levels

    def _greatest_rung(self, like: Level, rungs: Sequence[int], ends: float) -> int:
        """The greatest strength with enough plays until a time; the least of the rungs otherwise.
        Plays are taken to be as long as at another level."""
        room = ends - process_time()
        for weaker, rung in pairwise(rungs):
            if self._seconds_of_play(rung, like.lengths.mean) * WANTED_PLAYS > room:
                return weaker
        return rungs[-1]

    def _seconds_of_play(self, strength: int, length: float) -> float:
        """The time of a play, from its first moves."""
        player = self._strengths.player(strength, Random(self._options.seed))
        recorded_play(self._game, player, Random(0), start=self._root, longest=1)  # compiles
        begun = process_time()
        trial = recorded_play(self._game, player, Random(0), start=self._root, longest=TRIED)
        return (process_time() - begun) / max(1, trial.plies) * max(1.0, length)

    @property
    def _no_tension(self) -> str:
        """The reason why values along plays have no meaning for tension; "" if they have."""
        facts = self._game.facts
        if len(facts.players) == 1:
            return ONE_PLAYER
        if not facts.pays_at_the_end:
            return "payoffs on the way have no bounds"
        if facts.payoff_sum is PayoffSum.GENERAL:
            return "interests are not opposed"
        return self._strengths.why_not

    def _level(self, strength: int, plays: Sequence[RecordedPlay]) -> Level:
        facts, players = self._game.facts, len(self._game.players)
        tension = None
        if strength and not self._no_tension:
            tension = tension_of(plays, facts.utility_bounds)
        kept = permanence_of(plays, board_cells(self._model)) if players > 1 else None
        return Level(
            strength,
            results_of(endings_of(plays), players),
            lengths_of(plays),
            branching_of(plays),
            tension,
            None if kept is None else kept[0],
        )

    # --- strength -----------------------------------------------------------------------------

    def _ladder(self, strongest: Level, ends: float) -> tuple[Rung, ...]:
        """Elo of each fourfold number of simulated plays, up to the strongest player."""
        game = self._game
        reason = ONE_PLAYER if len(game.players) == 1 else ""
        if len(game.players) > 2:
            reason = "Elo is defined for two players"
        if reason or not strongest.strength:
            self._left_out.append(("depth", reason or "there is no player that searches"))
            return ()
        if self._strengths.has_values:
            self._strengths.search(2 * self._options.threads - 1)  # compiles
        rungs = [LEAST_RUNG]
        while rungs[-1] * FACTOR <= max(strongest.strength, LEAST_RUNG * FACTOR):
            rungs.append(rungs[-1] * FACTOR)
        ladder: list[Rung] = []
        steps = list(pairwise(rungs))
        for place, (weaker, stronger) in enumerate(steps):
            now = process_time()
            weights = [2**n for n in range(len(steps) - place)]
            share = max(0.0, ends - now) * weights[0] / sum(weights)
            pairs = self._pairs(weaker, stronger, now + share)
            if len(pairs) < FEWEST_PAIRS:
                break
            result = MatchResult(pairs)
            assert result.elo is not None, "there are two seats"
            ladder.append(Rung(weaker, stronger, result.elo, len(pairs), result.tally))
        if not ladder:
            self._left_out.append(("depth", "the time allows too few games"))
        return tuple(ladder)

    def _pairs(self, weaker: int, stronger: int, ends: float) -> tuple[Pair, ...]:
        def make(thread: int) -> tuple[Player, Player]:
            first, second = (
                self._strengths.player(
                    plays, Random(f"{self._options.seed}/{plays}"), 2 * thread + place
                )
                for place, plays in enumerate((stronger, weaker))
            )
            return first, second

        def play(players: tuple[Player, Player], number: int) -> Pair:
            seed = self._options.seed
            return play_pair(self._game, players, number, seed, LONGEST_MATCH, self._root)

        try:
            return side_by_side(
                play, make, most=MOST_PLAYS, ends=ends, threads=self._threads(stronger)
            )
        except UnsupportedGameError:  # every opening of the match ends the game
            return ()

    # --- first moves and rules ----------------------------------------------------------------

    def _openings(self, ends: float) -> Openings | None:
        game: Game = self._game
        openings = openings_of(
            game,
            self._strengths,
            self._root,
            seed=self._options.seed,
            ends=ends,
            threads=self._options.threads,
        )
        if openings is None:
            reason = self._strengths.why_not or "the time is too short, or payoffs have no bounds"
            if game.current_player(self._root) < 0:
                reason = CHOICES_OF_CHANCE
            self._left_out.append(("openings", reason))
        return openings

    def _idle(self, find_idle: FindIdle, ends: float) -> IdleRules | None:
        if self._model.tree is not None:
            self._left_out.append(("idle rules", "the game is given as a tree"))
            return None
        plays = (play for strength in sorted(self._plays) for play in self._plays[strength])
        return find_idle(tuple(plays), ends)
