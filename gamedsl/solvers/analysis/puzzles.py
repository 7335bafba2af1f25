"""Puzzles: positions of play in which exactly one move wins, proved by a solver.

In: a game of two players with opposed interests, without chance and hidden information. Out:
`Puzzle`s, no two of which are images of each other under a symmetry of the rules, by rising
difficulty. The proof is the solution of the whole game where `solve` finds it in a part of the
time; else the native search for values, which proves every move to win or not to win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random
from time import process_time
from typing import Protocol

from gamedsl.game.accelerator import (
    Accelerator,
    ProofSearch,
    Refusal,
    SearchLimits,
    ValueSearch,
    machine_code_of,
)
from gamedsl.game.contract import Action, Game
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.model import Model
from gamedsl.model.state import State
from gamedsl.solvers.analysis.analysis import AT_MOST_WAITED, LEAST_FOR_SOLVING
from gamedsl.solvers.analysis.plays import RecordedPlay, Step, Strengths, recorded_play
from gamedsl.solvers.feasibility.estimate import spending
from gamedsl.solvers.graphs.images import images_of
from gamedsl.solvers.options import SolveOptions
from gamedsl.solvers.planner import solve
from gamedsl.solvers.running.proof_search import forced_win
from gamedsl.solvers.running.proved import BUDGETS
from gamedsl.solvers.solution import Goal, Solution, Status
from gamedsl.source.records import dataclass

USUAL_SECONDS = 30.0
FOR_SOLVING, FOR_FINDING = 0.3, 0.5
"""Shares of the time for the solution of the whole game, and for positions; the rest is for
difficulty."""
SEARCHED = 100_000
"""Positions searched for the value of a move, at most; without an answer a position is left out,
and all earlier positions of the play."""
BYTES = 300_000_000
WANTED = 3
"""Puzzles sought for each puzzle asked for: the hardest are given."""
WEAK_PLAYS = 16
"""Simulated plays a move in the plays that give positions."""
STEP = 4
RUNGS = tuple(STEP**n for n in range(1, 8))
"""Simulated plays for which a puzzle is tried, while the time allows."""
TRIES = 3
"""Searches at each rung, of which most must find the move."""
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with exactly one winning move.

    Attributes:
        state: the position; steps: the play that leads there.
        action, move: the winning move, and its name.
        line: names of the moves of a win, beginning with the winning move, as far as known.
        plies: length of the win by best play; None where not known.
        choices: number of legal moves.
        found_at: the least number of simulated plays by which most searches find the move; None if
            none of `RUNGS` suffices.
        missed: share of all searches that choose another move.
        effort: positions searched for the proof; 0 for positions of a solved game.
    """

    state: State
    steps: tuple[Step, ...]
    action: Action
    move: str
    line: tuple[str, ...]
    plies: int | None
    choices: int
    found_at: int | None = None
    missed: float = 0.0
    effort: int = 0

    @property
    def difficulty(self) -> tuple[int, float, int, int]:
        """The order of difficulty: simulated plays needed, searches that miss the move, length of
        the win, choices."""
        needed = RUNGS[-1] + 1 if self.found_at is None else self.found_at
        return needed, self.missed, self.plies or 0, self.choices


@dataclass(frozen=True, slots=True)
class PuzzleSet:
    """Puzzles of a game, the easiest first.

    Attributes:
        proof: the kind of proof, in words.
        looked_at: number of positions examined.
    """

    game: Game
    puzzles: tuple[Puzzle, ...]
    proof: str
    looked_at: int
    seed: int


class UnprovedError(RuntimeError):
    """The results of all moves of a position are not proved within the limits."""


class Prover(Protocol):
    """Proves results of positions.

    Attributes:
        proof: in words.
        searched: positions searched so far.
    """

    proof: str

    @property
    def searched(self) -> int:
        """Positions searched so far."""

    def margin(self, state: State) -> Fraction | None:
        """The first player's payoff less the second player's, by best play; None if not proved."""

    def plies(self, after: State) -> int | None:
        """The plies of a win by best play, given the position after the winning move; None where
        not known."""

    def line(self, puzzle: Puzzle) -> tuple[str, ...]:
        """The moves of a win, as far as known; at least the winning move."""


class BySolution:
    """The solution of the whole game."""

    proof = "the solution of the whole game"
    searched = 0

    def __init__(self, game: Game, solution: Solution) -> None:
        self._game, self._solution = game, solution

    def margin(self, state: State) -> Fraction | None:
        """The difference of the payoffs."""
        if state not in self._solution:
            return None
        first, second = self._solution.value_at(state)
        return Fraction(first - second)

    def plies(self, after: State) -> int | None:
        """The plies of best play."""
        more = 0 if self._game.is_terminal(after) else self._solution.remoteness(after)
        return None if more is None else more + 1

    def line(self, puzzle: Puzzle) -> tuple[str, ...]:
        """Best play after the move."""
        names, after = [puzzle.move], self._game.result(puzzle.state, puzzle.action)
        while not self._game.is_terminal(after) and len(names) < LONGEST:
            action = self._solution.choice(after)
            if action is None:
                break
            names.append(self._game.action_name(after, action))
            after = self._game.result(after, action)
        return tuple(names)


class BySearch:
    """The native search for values."""

    proof = "a search of every move to its value"

    def __init__(self, game: Game, code: Accelerator, search: ValueSearch) -> None:
        self._game, self._code, self._search = game, code, search
        self._proofs: ProofSearch | Refusal | None = None

    @property
    def searched(self) -> int:
        """Positions searched so far."""
        return self._search.looked_at

    def margin(self, state: State) -> Fraction | None:
        """The difference of the payoffs."""
        self._search.max_positions = self._search.looked_at + SEARCHED
        with suppress(*BUDGETS):
            first, second = self._search.value(state)
            return first - second
        return None

    def plies(self, after: State) -> int | None:
        """1 for a win at once."""
        return 1 if self._game.is_terminal(after) else None

    def line(self, puzzle: Puzzle) -> tuple[str, ...]:
        """The win against the longest defence that the search for forced wins finds."""
        if self._proofs is None:
            self._proofs = self._code.proof_search(SearchLimits(positions=SEARCHED, bytes=BYTES))
        if puzzle.plies is None and not isinstance(self._proofs, Refusal):
            self._proofs.max_positions = self._proofs.looked_at + SEARCHED
            with suppress(UnsupportedGameError, *BUDGETS):
                win = forced_win(self._game, puzzle.state, self._proofs)
                if win is not None and win.principal_variation[:1] == (puzzle.move,):
                    return win.principal_variation
        return (puzzle.move,)


def puzzles_of(
    game: Game,
    model: Model,
    state: State | None = None,
    *,
    count: int = 20,
    seconds: float = USUAL_SECONDS,
    seed: int = 1,
) -> PuzzleSet:
    """Puzzles from plays that begin in a state (default: S0).

    Args:
        model: the checked rules of the game.
        count: number of puzzles; fewer are given if the time or the game has no more.
        seconds: processor time, about.

    Raises UnsupportedGameError where a winning move has no meaning, or nothing can be proved;
    GameRuleError where the rules fail.
    """
    facts = game.facts
    if not facts.is_zero_sum:
        reason = "a winning move needs two players with opposed interests"
    elif not facts.pays_at_the_end:
        reason = "a winning move needs payoffs at the end alone, without rewards and discount"
    elif facts.has_chance or facts.has_secrets or facts.is_simultaneous:
        reason = "a winning move needs a game without chance, secrets and choices at once"
    else:
        root = game.initial_state() if state is None else state
        if not game.is_terminal(root):
            work = _Search(game, _key_of(model), root, seed, process_time() + seconds)
            return work.puzzles(count, seconds)
        reason = "the game is over"
    raise UnsupportedGameError(reason)


UNSOLVED = "and the whole game was not solved in the time"
MORE_TIME = "allow more time (`--time`)"


class _Search:
    """The search for puzzles of one game."""

    def __init__(
        self,
        game: Game,
        key: Callable[[State], object],
        root: State,
        seed: int,
        ends: float,
    ) -> None:
        self._game, self._key, self._root, self._seed, self._ends = game, key, root, seed, ends
        self._strengths = Strengths(game)
        self._looked_at = 0

    def puzzles(self, count: int, seconds: float) -> PuzzleSet:
        """The hardest puzzles, by rising difficulty."""
        prover = self._prover(seconds * FOR_SOLVING)
        until = self._ends - seconds * (1 - FOR_SOLVING - FOR_FINDING)
        sought = []
        try:
            for puzzle in self._sought(prover, count * WANTED, until):
                sought.append(puzzle)
        except UnsupportedGameError as refusal:  # of a search; a solution has no such limits
            raise UnsupportedGameError(f"{refusal.reason}, {UNSOLVED}", MORE_TIME) from None
        rated = sorted(self._rated(sought), key=lambda puzzle: puzzle.difficulty)
        chosen = (replace(puzzle, line=prover.line(puzzle)) for puzzle in rated[-count:])
        return PuzzleSet(self._game, tuple(chosen), prover.proof, self._looked_at, self._seed)

    def _prover(self, seconds: float) -> Prover:
        options = SolveOptions(
            max_seconds=max(AT_MOST_WAITED, seconds),
            progress=spending(max(LEAST_FOR_SOLVING, seconds)),
            goal=Goal.ALL,
            searches=False,
        )
        with suppress(UnsupportedGameError):
            solution = solve(self._game, self._root, options)
            if solution.status is Status.STRONG and self._root in solution:
                return BySolution(self._game, solution)
        code = machine_code_of(self._game)
        if isinstance(code, Refusal):
            raise UnsupportedGameError(f"nothing can be proved of positions: {code}")
        search = code.value_search(SearchLimits(bytes=BYTES))
        if isinstance(search, Refusal):
            raise UnsupportedGameError(f"nothing can be proved of positions: {search}")
        return BySearch(self._game, code, search)

    def _sought(self, prover: Prover, most: int, ends: float) -> Iterator[Puzzle]:
        """Puzzles from plays, one from each play, until a time."""
        seen: set[object] = set()
        puzzles = barren = number = 0
        while puzzles < most and process_time() < ends and barren < 40 * most:
            play = self._play(number)
            number += 1
            barren += 1
            puzzle = self._earliest(prover, play, seen, ends)
            if puzzle is not None:
                puzzles, barren = puzzles + 1, 0
                yield puzzle

    def _earliest(
        self, prover: Prover, play: RecordedPlay, seen: set[object], ends: float
    ) -> Puzzle | None:
        """The earliest puzzle of a play, as far back as moves are proved in time."""
        earliest = None
        for place in reversed(range(len(play.steps))):
            key = self._key(play.steps[place][0])
            if key in seen or play.widths[place] < 2:
                continue
            seen.add(key)
            try:
                earliest = self._puzzle(prover, play, place) or earliest
            except UnprovedError:
                break
            if process_time() > ends:
                break
        return earliest

    def _play(self, number: int) -> RecordedPlay:
        """A play of a weak search, every second one at random."""
        rng = Random(f"{self._seed}/{number}")
        plays = WEAK_PLAYS * (number % 2) if self._strengths.has_values else 0
        player = self._strengths.player(plays, rng)
        return recorded_play(self._game, player, rng, start=self._root, longest=LONGEST)

    def _puzzle(self, prover: Prover, play: RecordedPlay, place: int) -> Puzzle | None:
        """The puzzle at a place of a play; None without exactly one winning move. Raises
        UnprovedError."""
        self._looked_at += 1
        game, state, before = self._game, play.steps[place][0], prover.searched
        sign = 1 - 2 * game.current_player(state)
        winning: list[Action] = []
        actions = game.legal_actions(state)
        for action in actions:
            after = game.result(state, action)
            if game.is_terminal(after):
                first, second = game.utilities(after)
                margin: Fraction | None = first - second
            else:
                margin = prover.margin(after)
            if margin is None:
                raise UnprovedError
            winning += [action] * (sign * margin > 0)
            if len(winning) > 1:
                return None
        if not winning:
            return None
        name = game.action_name(state, winning[0])
        return Puzzle(
            state=state,
            steps=play.steps[:place],
            action=winning[0],
            move=name,
            line=(name,),
            plies=prover.plies(game.result(state, winning[0])),
            choices=len(actions),
            effort=prover.searched - before,
        )

    def _rated(self, puzzles: list[Puzzle]) -> list[Puzzle]:
        """The puzzles with their difficulty, as far as positions have values, and by as many rungs
        as the time allows."""
        if not self._strengths.has_values:
            return puzzles
        hits: list[list[int]] = [[] for _ in puzzles]
        for rung in RUNGS:
            begun = process_time()
            for puzzle, scores in zip(puzzles, hits, strict=True):
                scores.append(sum(self._finds(puzzle, rung, number) for number in range(TRIES)))
            if process_time() + STEP * (process_time() - begun) > self._ends:
                break
        return [
            replace(
                puzzle,
                found_at=next(
                    (r for r, n in zip(RUNGS, scores, strict=False) if 2 * n > TRIES), None
                ),
                missed=1 - sum(scores) / (TRIES * len(scores)),
            )
            for puzzle, scores in zip(puzzles, hits, strict=True)
        ]

    def _finds(self, puzzle: Puzzle, plays: int, number: int) -> bool:
        """Whether a search of so many simulated plays finds the move."""
        player = self._strengths.player(plays, Random(f"{self._seed}/{plays}/{number}"))
        mover = self._game.current_player(puzzle.state)
        return player.choose(((puzzle.state, None),), mover) == puzzle.action


def _key_of(model: Model) -> Callable[[State], object]:
    """A function of states, equal for images under the symmetries that can be proved."""
    try:
        images = images_of(model)
    except UnsupportedGameError:
        return lambda state: (tuple(state.cells), state.turn)
    return lambda state: (images(state), state.turn)
