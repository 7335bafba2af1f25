"""Counts positions by depth: the exact number of positions at each number of plies from a state.

In: a game, a state, limits. Out: `Layers`. The depth of a position is the length in plies of a
shortest play to the position; results of chance are no plies. Breadth-first search, where steps of
chance cost nothing (E. W. Dijkstra's algorithm with costs 0 and 1). No values are computed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from time import process_time

from gamedsl.game.accelerator import Refusal, accelerator_of
from gamedsl.game.contract import Game
from gamedsl.game.steps import can_be_wider_than, is_wider_than, steps_of
from gamedsl.model.errors import UnsupportedGameError
from gamedsl.model.state import CHANCE, TERMINAL, State
from gamedsl.solvers.graphs.graph import OutOfMemoryError, Progress, within
from gamedsl.source.records import dataclass

REPORT_EVERY = 256
WIDEST = 100_000
"""Greatest number of actions of a position that is expanded."""


Depth = tuple[int, int]
"""The positions at a depth, and the endings among the positions."""


@dataclass(frozen=True, slots=True)
class Layers:
    """The counts.

    Attributes:
        counts: positions at depth 0, 1, ..., for completely counted depths.
        positions: number of expanded positions, positions of the next depth included.
        waiting: number of states discovered but not expanded, possibly with chance events.
        endings: number of expanded positions in which the game is over.
        events: number of expanded chance events.
        is_whole: whether the counts cover all reachable states.
        seconds: time spent.
    """

    counts: tuple[int, ...]
    positions: int
    waiting: int
    endings: int
    events: int
    is_whole: bool
    seconds: float

    @classmethod
    def of(cls, depths: Sequence[Depth], *, is_whole: bool, seconds: float) -> Layers:
        """The counts of completely counted depths."""
        counts = tuple(positions for positions, _ in depths)
        endings = sum(endings for _, endings in depths)
        return cls(counts, sum(counts), 0, endings, 0, is_whole, seconds)

    @property
    def states_found(self) -> int:
        """States discovered in all, chance events included."""
        return self.positions + self.waiting + self.events

    @property
    def rate(self) -> float:
        """States looked at in a second."""
        return (self.positions + self.events) / max(self.seconds, 1e-6)


def count_layers(
    game: Game,
    root: State,
    *,
    seconds: float,
    max_bytes: int,
    progress: Progress | None = None,
    depths: list[Depth] | None = None,
) -> Layers:
    """Counts for some seconds, within a memory limit. `depths` receives each counted depth.

    Raises GameRuleError where the rules fail in an expanded position.
    """
    counting = _Counting(game, root, [] if depths is None else depths)
    with suppress(OutOfMemoryError):
        counting.run(seconds, within(max_bytes, progress))
    return counting.layers()


class _Counting:
    """The states discovered so far, each with the depth, and the states still to be expanded."""

    def __init__(self, game: Game, root: State, depths: list[Depth]) -> None:
        self._game = game
        self._steps = steps_of(game)
        first = self._steps.key(root)
        self._depth: dict[Hashable, int] = {first: 0}
        self._here: list[Hashable] = [first]
        self._next: list[Hashable] = []
        self._depths = depths
        self._positions = self._endings = self._events = 0
        self._size = 1
        self._is_whole = False
        self._start = self._end = process_time()

    def run(self, seconds: float, progress: Progress) -> None:
        """Go on until all are known, or the time is up."""
        is_doubtful = can_be_wider_than(self._game, WIDEST)
        looked = 0
        while self._here:
            positions, endings = self._positions, self._endings
            self._size = len(self._here)
            while self._here:
                key = self._here.pop()
                if is_doubtful and is_wider_than(self._game, self._steps.state(key), WIDEST):
                    self._here.append(key)
                    return
                self._look_at(key)
                looked += 1
                self._end = process_time()
                if self._end - self._start > seconds:
                    break
                if looked % REPORT_EVERY == 0:
                    progress(looked, len(self._depth) - looked)
            if self._here:
                return
            if self._positions > positions:  # else chance led to known positions alone
                self._depths.append((self._positions - positions, self._endings - endings))
            depth = len(self._depths)
            self._here = [key for key in self._next if self._depth[key] == depth]
            self._next = []
        self._is_whole = True

    def layers(self) -> Layers:
        """The counts so far."""
        looked = self._positions + self._events
        counts = tuple(positions for positions, _ in self._depths)
        if not self._is_whole and not self._game.facts.has_chance:
            counts = (*counts, self._size)  # all discovered, though not yet expanded
        return Layers(
            counts, self._positions, len(self._depth) - looked, self._endings, self._events,
            self._is_whole, self._end - self._start,
        )  # fmt: skip

    def _look_at(self, key: Hashable) -> None:
        mover, _, results, _ = self._steps.after(key)
        depth, known = len(self._depths), self._depth
        if mover == CHANCE:
            self._events += 1
            for child in results:
                if known.get(child, depth + 1) > depth:
                    known[child] = depth
                    self._here.append(child)
            return
        self._positions += 1
        self._endings += mover == TERMINAL
        for child in results:
            if child not in known:
                known[child] = depth + 1
                self._next.append(child)


def count_on_sets(
    game: Game,
    root: State,
    *,
    max_bytes: int,
    progress: Progress | None = None,
    depths: list[Depth] | None = None,
) -> Layers:
    """As `count_layers`, on sets of positions: no position is stored by itself. Numbers far beyond
    memory can be counted where positions of one depth are alike. `depths` receives each depth.

    Raises UnsupportedGameError; GameRuleError where the rules fail in any position.
    """
    accelerator = accelerator_of(game)
    if isinstance(accelerator, Refusal):
        raise UnsupportedGameError(str(accelerator))
    depths, is_whole, begun = [] if depths is None else depths, False, process_time()
    with suppress(MemoryError):
        layers = accelerator.layers_of_sets(root, max_bytes=max_bytes, progress=progress)
        if isinstance(layers, Refusal):
            raise UnsupportedGameError(str(layers))
        for depth in layers:
            depths.append(depth)
        is_whole = True
    return Layers.of(depths, is_whole=is_whole, seconds=process_time() - begun)
