"""Recorded plays of one player in all seats: at random, by a tree of simulated plays, or advised.

In: a game, a strength (simulated plays a move, 0 for random moves), a seed. Out: `RecordedPlay`s
with every state, the number of legal actions, and the player's evaluation of every state. A play
depends on the seed and its number alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from fractions import Fraction
from functools import partial
from math import prod
from random import Random
from threading import Event
from time import process_time
from typing import TypeVar

from gamedsl.game.accelerator import (
    Payoffs,
    Refusal,
    SearchLimits,
    TreeOptions,
    TreeReport,
    TreeSearch,
    machine_code_of,
)
from gamedsl.game.contract import Action, Game, History, JointAction
from gamedsl.game.play import Sitting
from gamedsl.game.steps import choosers, step_of
from gamedsl.model.errors import GameRuleError
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.advice.best_moves import asks_for_chances
from gamedsl.solvers.interruptible import has_threads
from gamedsl.solvers.matches.players import (
    Player,
    PlayerKind,
    PlayerSettings,
    RandomPlayer,
    player_of,
)
from gamedsl.solvers.montecarlo.contenders import chosen_move
from gamedsl.solvers.montecarlo.playouts import LONGEST_PLAYOUT, PATIENCE
from gamedsl.source.records import dataclass

LONGEST = 500
"""Plies after which a play is broken off."""
TREE_LIMITS = SearchLimits(bytes=64_000_000)
"""The memory of a tree and its successor."""
AT_ONCE = 4_096
"""Simulated plays of a slice, after which an interrupt is noticed."""
A_MOMENT = 0.2
"""Seconds of a wait for threads."""

Step = tuple[State, Action | JointAction]
Result = TypeVar("Result")
Worker = TypeVar("Worker")


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """A play.

    Attributes:
        steps: every state with the action taken in it, chance events included.
        state: the last state.
        movers: for each step the player to move, `CHANCE` or `SIMULTANEOUS`.
        widths: for each step the number of legal (joint) actions; 0 at chance events.
        values: for each step the payoffs that the player to move expects; () where unknown.
        payoffs: of all players, rewards included; None if the play was broken off.
    """

    steps: tuple[Step, ...]
    state: State
    movers: tuple[int, ...]
    widths: tuple[int, ...]
    values: tuple[tuple[float, ...], ...]
    payoffs: Payoffs | None

    @property
    def plies(self) -> int:
        """The number of decisions; chance events are no plies."""
        return sum(mover != CHANCE for mover in self.movers)

    @property
    def winner(self) -> int | None:
        """The only player with the greatest payoff; None for shared payoffs, for a single player,
        and for a play that was broken off."""
        if self.payoffs is None or len(self.payoffs) < 2:
            return None
        best = max(self.payoffs)
        return self.payoffs.index(best) if self.payoffs.count(best) == 1 else None


class TreePlayer:
    """Plays by a tree of simulated plays, and values every position.

    Attributes:
        unadvised: 0.
        values: the payoffs expected in the position of the last choice.
    """

    def __init__(self, game: Game, search: TreeSearch, plays: int, rng: Random) -> None:
        self.unadvised = 0
        self.values: tuple[float, ...] = ()
        self.plays = plays
        self._game, self._search, self._rng = game, search, rng
        self._longest = LONGEST_PLAYOUT if game.facts.endless is None else PATIENCE

    def prepare(self, history: History) -> None:
        """Nothing."""

    def choose(self, history: History, player: int) -> Action:
        """The action with the most simulated plays, or a proved action that is as good."""
        state = history[-1][0]
        chosen = chosen_move(self.report(state), self._game.current_player(state))
        self.values = tuple(map(float, chosen.payoffs))
        return chosen.action

    def report(self, state: State) -> TreeReport:
        """A new tree from a state."""
        options = TreeOptions(self._rng.getrandbits(30), self._longest, keeps=False)
        self._search.start(state, options)
        left = self.plays
        while left > 0 and (done := self._search.run(min(left, AT_ONCE))):
            left -= done
        return self._search.report()


class Strengths:
    """Makes players of any strength for one game.

    Attributes:
        has_values: whether players value positions.
        why_not: the reason why positions have no values, as a clause; "" if they have.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.why_not = ""
        self._trees: list[TreeSearch] = []
        if asks_for_chances(game):
            self.why_not = "the value of a position depends on what players know or choose at once"
            return
        code = machine_code_of(game)
        tree = code if isinstance(code, Refusal) else code.tree_search(TREE_LIMITS)
        if isinstance(tree, Refusal):
            self.why_not = f"a search needs machine code: {tree}"

    @property
    def has_values(self) -> bool:
        """Whether players value positions."""
        return not self.why_not

    def search(self, number: int) -> TreeSearch:
        """The tree with a number; each number is for the use of one thread."""
        code = machine_code_of(self.game)
        assert not isinstance(code, Refusal), "positions have values"
        while number >= len(self._trees):
            tree = code.tree_search(TREE_LIMITS)
            assert not isinstance(tree, Refusal), "positions have values"
            self._trees.append(tree)
        return self._trees[number]

    def player(self, plays: int, rng: Random, number: int = 0) -> Player:
        """A player with some simulated plays a move, by the tree with a number; 0 plays: moves at
        random."""
        if not plays:
            return RandomPlayer(self.game, rng)
        if self.has_values:
            return TreePlayer(self.game, self.search(number), plays, rng)
        return player_of(PlayerSettings(PlayerKind.SEARCH, plays=plays), self.game, rng)


def recorded_play(
    game: Game, player: Player, rng: Random, *, start: State, longest: int = LONGEST
) -> RecordedPlay:
    """A play of one player in all seats.

    Args:
        rng: draws the chance events.
        longest: plies after which the play is broken off; chance events are no plies.

    Raises GameRuleError, with a note of the play, where the rules fail.
    """
    sitting, plies = Sitting(game, start), 0
    movers, widths, values = list[int](), list[int](), list[tuple[float, ...]]()
    has_memory = not isinstance(player, TreePlayer | RandomPlayer)
    player.prepare(sitting.history)
    try:
        while not game.is_terminal(sitting.state):
            mover = game.current_player(sitting.state)
            if mover != CHANCE and plies == longest:
                break
            plies += mover != CHANCE
            history = sitting.history if has_memory else ((sitting.state, None),)
            action, width = _step(game, player, rng, history)
            movers.append(mover)
            widths.append(width)
            is_valued = mover >= 0 and isinstance(player, TreePlayer)
            values.append(player.values if is_valued else ())  # type: ignore[attr-defined]
            sitting.make(action)
        play = sitting.play
    except GameRuleError as error:
        names = ", ".join(game.action_name(*step) for step in sitting.steps)
        error.add_note(f"the play that leads there: {names or 'none, it is the first state'}")
        raise
    return RecordedPlay(
        play.steps, play.state, tuple(movers), tuple(widths), tuple(values), play.payoffs
    )


def _step(
    game: Game, player: Player, rng: Random, history: History
) -> tuple[Action | JointAction, int]:
    """The next action or outcome, and the number of (joint) actions."""
    state = history[-1][0]
    seats = choosers(game, state)
    width = prod(len(game.legal_actions(state, seat)) for seat in seats) if seats else 0
    if seats and not width:
        message = "the game is not over, but the player to move has no legal move"
        raise GameRuleError("E3003", message, state=state)
    return step_of(game, state, rng, partial(player.choose, history)), width


def side_by_side(
    work: Callable[[Worker, int], Result],
    make: Callable[[int], Worker],
    *,
    most: int,
    ends: float,
    least: int = 1,
    threads: int = 1,
) -> tuple[Result, ...]:
    """The results of numbered work, begun until a time; in the order of the numbers.

    Args:
        make: makes what a thread needs, given the number of the thread.
        most, least: numbers of results; work for `least` results is begun at any time.
        ends: the time, of `process_time`.
    """
    numbers, stop = iter(range(most)), Event()
    results: dict[int, Result] = {}

    def begun() -> Iterator[int]:
        for number in numbers:
            if stop.is_set() or (number >= least and process_time() > ends):
                return
            yield number

    workers = [make(thread) for thread in range(threads if has_threads() else 1)]

    def serve(worker: Worker) -> None:
        for number in begun():
            results[number] = work(worker, number)

    if len(workers) == 1:
        serve(workers[0])
    else:
        _serve([partial(serve, worker) for worker in workers], stop)
    return tuple(results[number] for number in sorted(results))


def _serve(work: Sequence[Callable[[], None]], stop: Event) -> None:
    """Run functions on a thread each; an error or an interrupt ends them all."""
    pool = ThreadPoolExecutor(len(work))
    try:
        waiting: Iterable[object] = {pool.submit(each) for each in work}
        while waiting:
            done, waiting = wait(waiting, A_MOMENT, FIRST_COMPLETED)  # type: ignore[arg-type]
            for finished in done:
                finished.result()
    finally:
        stop.set()
        pool.shutdown(wait=True)


def mean_payoffs(plays: Iterable[RecordedPlay]) -> tuple[Fraction, ...]:
    """The mean payoffs of the plays that ended; () if none did."""
    ended = [play.payoffs for play in plays if play.payoffs is not None]
    columns = zip(*ended, strict=True)
    return tuple(sum(column, Fraction(0)) / len(ended) for column in columns)
