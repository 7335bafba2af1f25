"""Native code of games, for counting, playing and solving beyond the contract.

A game of any origin may offer an `Accelerator` by a method `accelerator`, and say by a property
`native_mode` when the accelerator is used. Both are optional; modules above use `native_mode` and
`accelerator_of` only. Accelerators of games read from files are made by `registry.accelerator`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from math import inf, lcm
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from gamedsl.compiler.errors import has_llvm
from gamedsl.game.contract import Action, Game, History, JointAction
from gamedsl.model.state import State
from gamedsl.source.records import dataclass

Payoffs = tuple[Fraction, ...]
"""A payoff for every player, in turn order."""
Progress = Callable[[int, int], None]
"""Callback for progress: (states explored, states discovered but not yet explored)."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The resources of a search by native code.

    Attributes:
        positions: limit on positions examined; None: as many as the memory holds.
        bytes: limit on memory for the table; None: a good part of the free memory.
        progress: callback for progress; an error raised by the callback ends the search.
        uses_symmetry: symmetric images of a position may be merged.
        threads: number of threads, where the algorithm is parallel; results do not depend on the
            number.
    """

    positions: int | None = None
    bytes: int | None = None
    progress: Progress | None = None
    uses_symmetry: bool = True
    threads: int = 1


NO_LIMITS = SearchLimits()
UNWANTED = "machine code is not wanted, or not to be had"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer of an algorithm that does not apply.

    Attributes:
        reason: the reason, as a clause.
    """

    reason: str

    def __str__(self) -> str:
        return self.reason


class NativeMode(Enum):
    """When machine code is used."""

    NEVER = "never"
    WHEN_LARGE = "when the work is large"
    ALWAYS = "always"


class Capability(Enum):
    """Kinds of work of machine code that not all games allow."""

    ANY = "any work"
    TURN_COUNTS = "counting plays by turns"
    TURN_SOLVING = "solving turn by turn"


@dataclass(frozen=True, slots=True)
class PlayoutOptions:
    """Options of random plays.

    Attributes:
        seed: of the random numbers.
        longest: plies after which a play is broken off.
        threads: number of threads; results do not depend on the number.
        foresees: where the code can tell, players take an immediate win and leave none to the
            opponent; else all legal actions are equally likely.
    """

    seed: int
    longest: int
    threads: int = 1
    foresees: bool = False


@dataclass(frozen=True, slots=True)
class PlayoutCounts:
    """Statistics of playouts.

    Attributes:
        playouts: number of playouts.
        endings: the number of times of each payoff vector, one payoff per player; most frequent
            first.
        unfinished: number of playouts broken off because of their length.
        plies: of all playouts together; chance events are no plies.
        shortest, longest: plies of one playout.
    """

    playouts: int
    endings: tuple[tuple[Payoffs, int], ...]
    unfinished: int
    plies: int
    shortest: int
    longest: int

    @property
    def mean_payoffs(self) -> Payoffs:
        """The mean payoff of each player over the finished playouts; () if none finished."""
        count = self.playouts - self.unfinished
        players = len(self.endings[0][0]) if self.endings else 0
        return tuple(self.total(player) / count for player in range(players)) if count else ()

    def total(self, player: int) -> Fraction:
        """The sum of a player's payoffs over the finished playouts."""
        paid = [(payoffs[player], times) for payoffs, times in self.endings]
        unit = lcm(*(payoff.denominator for payoff, _ in paid))
        shares = (payoff.numerator * (unit // payoff.denominator) * n for payoff, n in paid)
        return Fraction(sum(shares), unit)


Length = tuple[Payoffs, int | None]
"""Payoffs and plies of best play; plies None for endless play."""


@dataclass(frozen=True, slots=True)
class LengthsOfPlay:
    """Solved positions by the payoffs and plies of best play.

    Attributes:
        count: the number of positions for each length.
        states: the positions of a length, in arbitrary order.
    """

    count: Callable[[], Mapping[Length, int]]
    states: Callable[[Length], Iterator[State]]


@dataclass(frozen=True, slots=True)
class SolvedPositions:
    """All reachable states, with the results of best play.

    Attributes:
        positions: number of states, without chance events; endings: number of states at the end of
            the game.
        look_up: the payoffs and plies of best play from a state, plies None for endless play or in
            games with chance; None if the state is not among the solved states.
        chance: additional results in games with chance; else None.
        stored: all results as numbers, for a file.
        entries: all solved states, in arbitrary order.
        lengths: the states by payoff and number of plies of best play; unknown in games with
            chance.
        counts_plies: whether the length of play decides between equal payoffs; if not, interests
            are not opposed, and the first best action decides.
        possible: for interests that are not opposed, the payoffs of the first state under any way
            to break ties; None if they are too many.
        values: for interests that are not opposed, the values of all states.
        is_team: whether players with identical interests choose at once as one player.
    """

    positions: int
    endings: int
    look_up: Callable[[State], tuple[Payoffs, int | None] | None]
    chance: SolvedChance | None = None
    stored: StoredPositions | None = None
    entries: Callable[[], Iterator[State]] | None = None
    lengths: LengthsOfPlay | None = None
    counts_plies: bool = True
    possible: tuple[Payoffs, ...] | None = None
    values: frozenset[Payoffs] = frozenset()
    is_team: bool = False


@dataclass(frozen=True, slots=True)
class ShortestPlay:
    """The result of a search for a play that pays every player the most.

    Attributes:
        line: the actions, or joint actions, of a play to an ending with the best payoffs, a
            shortest play of a single player; None if unreachable.
        firsts: places, among the legal actions of the state, of the first actions of all shortest
            plays to such endings.
        explored: states discovered; endings: number of states at the end of the game.
        layers: number of states at each distance from the first; () if unknown.
        solver: the algorithm (a `SolverName`).
    """

    line: tuple[Action | JointAction, ...] | None
    firsts: tuple[int, ...]
    explored: int
    endings: int
    layers: tuple[int, ...]
    solver: str

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of a single player; without joint actions."""
        return tuple(action for action in self.line or () if isinstance(action, int))


@dataclass(frozen=True, slots=True)
class GrundyValues:
    """Grundy values of all positions reachable in an impartial game.

    Attributes:
        positions: number of positions.
        value: the value of a position; None if the position is not reachable.
    """

    positions: int
    value: Callable[[State], int | None]


@dataclass(frozen=True, slots=True)
class StoredPositions:
    """Solved positions as numbers that a file can hold.

    Attributes:
        facts: the meaning of the numbers, as JSON data.
        arrays: signed numbers of 64 bits, by name.
    """

    facts: Mapping[str, Any]
    arrays: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class SolvedChance:
    """Additional results for solved positions in games with chance.

    Attributes:
        events: number of reachable chance events.
        error_bound: proven bound on the error of any value, in payoff.
        choose: the place, among the legal actions of a state, of the action of best play; None
            where no player chooses, or for the first best action. None where play cannot return.
        ends_surely: whether best play ends with probability one.
        outcomes: payoffs of the endings.
        bounds: the least and the greatest that the first player's rewards add up to in the limit,
            from a state; None for an unknown state. Given if sums of some state go up and down for
            ever, so that it has no value.
    """

    events: int
    error_bound: Fraction
    choose: Callable[[State], int | None] | None
    ends_surely: bool
    outcomes: frozenset[Payoffs]
    bounds: Callable[[State], tuple[Fraction, Fraction] | None] | None = None


@dataclass(frozen=True, slots=True)
class Needs:
    """The memory needs of solving by native code.

    Attributes:
        algorithm: a `SolverName`.
        apart: least bytes for each reachable state if no two states share an entry.
        most: most bytes for each reachable state.
        images: counts the states that may share an entry, by a proof that may take long.
    """

    algorithm: str
    apart: int
    most: int
    images: Callable[[], int]

    @property
    def least(self) -> int:
        """Least bytes for each reachable state: all images are reachable and share an entry."""
        return max(1, self.apart // self.images())


class PlayBatch(Protocol):
    """Plays of one game side by side; a play that ends begins again in the same step.

    Attributes:
        count: number of plays; longest: plies after which a play is broken off.
        plane_words, mask_words: numbers of 8 bytes of an observation, and of a mask.
        arrays: `batch_kernel.BatchArrays`.
    """

    count: int
    longest: int
    plane_words: int
    mask_words: int
    arrays: Any

    def begin(self, seed: int) -> None:
        """Begin all plays; the seed decides chance events."""

    def step(self) -> int:
        """Take the action of each play; the first play with an illegal action, -1 if all are
        legal. Raises GameRuleError."""

    def choose(self, seed: int) -> None:
        """Choose a legal action in each play, uniformly; the seed and the number of the play
        decide."""


class PositionSearch(Protocol):
    """A search for proved values of single positions in a two-player game with opposed interests,
    without examining all reachable positions. The positions must not be over.

    `value` and `gives` raise UnsupportedGameError where play can return or interests are not
    opposed, OutOfBudgetError, OutOfMemoryError, and the errors of `progress`; values proved before
    an error stay.

    Attributes:
        max_positions: limit on positions examined in all; None: no limit.
        looked_at: positions examined so far.
    """

    max_positions: int | None

    @property
    def looked_at(self) -> int:
        """Positions examined so far."""

    def value(self, state: State) -> Payoffs:
        """The payoffs of best play."""

    def gives(self, state: State, player: int, payoffs: Payoffs) -> bool:
        """Whether best play pays a player at least as much as the given payoffs."""

    def bounds(self, state: State) -> tuple[Payoffs | None, Payoffs | None]:
        """A lower and an upper bound of the value for the first player, as payoffs; None where
        nothing is proved.
        """


class ValueSearch(PositionSearch, Protocol):
    """A search for any value of a position, where play cannot return."""

    @property
    def payoffs(self) -> Sequence[Payoffs]:
        """The payoffs met so far."""

    def leave_bytes(self, part: int) -> int:
        """Leaves one of `part` equal parts of the memory for tables to another search; returns the
        memory of the other search, for its `SearchLimits`.
        """


class ProofSearch(PositionSearch, Protocol):
    """A search for forced wins, also where play can return; rules about repetition are ignored.
    `value` also raises UnsupportedGameError where no forced win is found.
    """

    def plies(self, state: State) -> int:
        """An upper bound on the plies of the proved win: above the bound of a successor if the
        winner moves, above the bounds of all successors if the opponent moves.
        """


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """Options of a search by simulated plays.

    Attributes:
        seed: of the random numbers.
        longest: plies after which a play is broken off.
        exploration: the weight of the confidence term, for payoffs scaled to 0..1.
        patience: visits of a position before its moves are told apart.
        amaf_worth: the means of all moves as first count less from so many visits of a position
            on; 0: these means are not used.
        keeps: what is known of the root from an earlier root is kept.
    """

    seed: int
    longest: int
    exploration: float = 0.35
    patience: int = 1
    keeps: bool = True
    amaf_worth: int = 0


@dataclass(frozen=True, slots=True)
class TreeMove:
    """A move at the root of a tree of simulated plays.

    Attributes:
        visits: number of plays that begin with the move.
        payoffs: mean payoffs of the plays, () without plays; the value itself where the value is
            proved, as nearly as chance events are computed.
        low, high: proved bounds of each player's payoff by best play after the move.
        is_closed: whether nothing is left to search after the move.
    """

    action: Action
    visits: int
    payoffs: Payoffs
    low: Payoffs
    high: Payoffs
    is_closed: bool


@dataclass(frozen=True, slots=True)
class TreeReport:
    """The results of a tree of simulated plays.

    Attributes:
        moves: all moves of the root.
        payoffs, low, high: of the root, as of a move.
        plays: plays simulated since the search of the root began.
        visits: plays through the root, earlier plays included.
        depth: greatest number of plies from the root to a position of the tree.
        positions: positions in the tree.
        line: the actions tried most often, up to a chance event.
    """

    moves: tuple[TreeMove, ...]
    payoffs: Payoffs
    low: Payoffs
    high: Payoffs
    plays: int
    visits: int
    depth: int
    positions: int
    line: tuple[Action, ...]


class TreeSearch(Protocol):
    """A search by simulated plays (UCT) in a tree of limited memory."""

    def start(self, state: State, options: TreeOptions) -> None:
        """Makes a state, which is not over and in which a player is to move, the root."""

    def prepare_to_keep(self, state: State) -> None:
        """Compiles what `start` needs to keep what is known; may run beside a search."""

    def run(self, plays: int) -> int:
        """Simulates plays; returns their number, which is smaller only where nothing is left to
        search. Many short calls are one long call.
        """

    def report(self) -> TreeReport:
        """The results so far."""


@dataclass(frozen=True, slots=True)
class DepthMove:
    """A move at the root of a search to a depth.

    Attributes:
        value: the first player's payoff, estimated; is_bound: the true value is equal or worse for
            the player to move.
        nodes: positions looked at after the move.
    """

    action: Action
    value: Fraction
    is_bound: bool
    nodes: int


@dataclass(frozen=True, slots=True)
class DepthReport:
    """The decision of a search to a depth.

    Attributes:
        moves: the chosen move, then the others.
        value: the first player's payoff, estimated.
        nodes, leaves: positions looked at so far; of these, endings and estimates.
        depth: the depth of the last complete search; deepest: of the deepest position.
        line: the actions of best play, as far as known.
        is_final: whether the value rests on endings alone, so that more depth would change nothing.
    """

    moves: tuple[DepthMove, ...]
    value: Fraction
    nodes: int
    leaves: int
    depth: int
    deepest: int
    line: tuple[Action, ...]
    is_final: bool


class DepthSearch(Protocol):
    """A search by alpha-beta with the file's `evaluate`, deeper and deeper."""

    def start(self, state: State) -> None:
        """Makes a state, which is not over and in which a player is to move, the root."""

    def run(self, nodes: int) -> int:
        """Looks at about so many positions; returns their number, which is smaller only where more
        would not change the decision."""

    def report(self) -> DepthReport | None:
        """The decision so far; None before the first move has been looked at."""


@dataclass(frozen=True, slots=True)
class SampledStrategy:
    """A strategy after a play, from simulated plays.

    Attributes:
        player: the player.
        shares: probabilities of the legal actions, in order; () where nothing is known.
        worths: mean payoffs of the simulated plays with the action, to the player; None for an
            action that was never tried.
        visits: simulated plays from here.
    """

    player: int
    shares: tuple[Fraction, ...]
    worths: tuple[Fraction | None, ...]
    visits: int


class StrategySearch(Protocol):
    """A search for strategies by simulated plays.

    Attributes:
        is_reached: whether plays were found that agree with what the player has observed.
    """

    is_reached: bool

    def start(
        self,
        history: History,
        player: int,
        seed: int,
        longest: int,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """Makes what a player knows after a play the goal of the search; the player is to choose.
        A simulated play is broken off after `longest` plies. `until` is asked while the search
        looks for agreeing plays; True ends that."""

    def run(self, plays: int) -> int:
        """Simulates plays; returns their number."""

    def report(self) -> tuple[SampledStrategy, ...]:
        """The strategies after the play: of the player, or of all players where all choose."""


class ForeignWorkError(ValueError):
    """A checkpoint is from another solver, or another version, than the solver to continue."""


class Checkpoints(Protocol):
    """Storage for intermediate states of long computations.

    Attributes:
        latest: the last checkpoint; None if there is none.
    """

    @property
    def latest(self) -> StoredPositions | None:
        """The last checkpoint."""

    def is_due(self) -> bool:
        """Whether the next checkpoint is due."""

    def keep(self, work: StoredPositions) -> None:
        """Replace the checkpoint by the present work."""

    def forget(self) -> None:
        """Discard the latest checkpoint as unusable."""


@dataclass(frozen=True, slots=True)
class ListedStates:
    """All states reachable from the first state of a game, with what each player sees.

    Attributes:
        arrays: the arrays of `solvers.histories.form_kernel.Graph` by name, without payoffs.
        paid: int64[states, players + 1]: denominator and payoffs of an ending.
        codes: int64[edges]: the action or outcome.
        state: the state with a number.
    """

    arrays: Mapping[str, Any]
    paid: Any
    codes: Any
    state: Callable[[int], State]


class Accelerator(Protocol):
    """Native code of one game, for work on many states at once.

    A method that does not apply to the game answers with a `Refusal`; `perft`, `playouts` and
    `reopen` raise `UnsupportedGameError`. Every method raises `GameRuleError` where the rules fail
    during the computation.
    """

    def refusal(self, capability: Capability = Capability.ANY) -> Refusal | None:
        """The reason why the rules alone, or the installation, exclude a capability of machine
        code; None if there is no such reason.
        """

    def perft(self, state: State, depth: int, *, turns: bool = False, expected: float = inf) -> int:
        """The number of plays of exactly `depth` plies, or turns; see `solvers.perft`. `expected`:
        a rough estimate of the number.
        """

    def playouts(
        self,
        state: State,
        count: int,
        options: PlayoutOptions,
        *,
        is_machine: bool,
    ) -> PlayoutCounts:
        """Random plays, equal for machine code (`is_machine`) and Python."""

    def solve(
        self,
        root: State,
        *,
        returns: bool,
        limits: SearchLimits = NO_LIMITS,
        checkpoints: Checkpoints | None = None,
        is_kept: bool = False,
    ) -> tuple[str, SolvedPositions] | Refusal:
        """The algorithm (a `SolverName`), and the values of all states reachable from a state.
        `returns`: play is known to return; `is_kept`: the results are needed as numbers for a file.
        With checkpoints, the computation continues from the stored work, with the same results.

        Raises OutOfBudgetError, OutOfMemoryError; ForeignWorkError for a checkpoint of another
        solver.
        """

    def solve_turns(
        self, root: State, limits: SearchLimits = NO_LIMITS
    ) -> tuple[str, SolvedPositions] | Refusal:
        """As `solve`, including rewards, for games with chance and uniform turns."""

    def count_positions(
        self, root: State, *, returns: bool, limits: SearchLimits = NO_LIMITS
    ) -> int | Refusal:
        """The number of positions reachable from a state. Raises the errors of `solve`."""

    def layers_of_sets(
        self, root: State, *, max_bytes: int, progress: Progress | None = None
    ) -> Iterator[tuple[int, int]] | Refusal:
        """For 0, 1, 2, ... plies: the number of positions with so many plies in a shortest play
        from a state, and how many of these are endings. Sets of positions are decision diagrams,
        so that no position is stored by itself.

        Raises MemoryError where `max_bytes` do not suffice, while the iterator is used, too.
        """

    def needs(self, *, returns: bool, branching: float) -> Needs | Refusal:
        """The memory needs of `solve`, given the average number of actions per position.
        `returns`: play is known to return.
        """

    def batch(self, count: int, seed: int, longest: int) -> PlayBatch | Refusal:
        """Plays side by side."""

    def list_states(self, limits: SearchLimits = NO_LIMITS) -> ListedStates | Refusal:
        """All states with what each player sees, for games in which one player moves at a time.

        Raises OutOfHistoriesError, OutOfMemoryError.
        """

    def symmetries(self) -> tuple[str, ...]:
        """Proved renamings under which the rules are unchanged, in words; the list may be
        incomplete.
        """

    def goals(self) -> tuple[Mapping[int, int], ...]:
        """For each way to the best payoff of a single player, the required digits of cells, by cell
        number; () where unknown.
        """

    def value_search(self, limits: SearchLimits = NO_LIMITS) -> ValueSearch | Refusal:
        """A search for values of single positions."""

    def proof_search(self, limits: SearchLimits = NO_LIMITS) -> ProofSearch | Refusal:
        """A search for forced wins."""

    def tree_search(
        self, limits: SearchLimits = NO_LIMITS, *, learns: bool = False
    ) -> TreeSearch | Refusal:
        """A search by simulated plays, for any number of players, with or without chance.
        `learns`: plays prefer actions that have paid, in games whose payoffs come at the end.
        """

    def depth_search(self, limits: SearchLimits = NO_LIMITS) -> DepthSearch | Refusal:
        """A search by alpha-beta with the file's `evaluate`."""

    def note_file(self, name: str) -> Path:
        """The cache file of a note about the compiled game, for `source.keeping`."""

    def strategy_search(
        self, limits: SearchLimits = NO_LIMITS, *, is_machine: bool = True
    ) -> StrategySearch | Refusal:
        """A search for strategies by simulated plays, for games with hidden information or choices
        at once; by machine code, or in Python."""

    def shortest(
        self, root: State, limits: SearchLimits = NO_LIMITS, *, or_any: bool = False
    ) -> ShortestPlay | Refusal:
        """A shortest play of a single player from a state to the best payoff of the rules; or any
        play that pays every player the most (`or_any`), without `firsts`.

        Raises OutOfBudgetError, OutOfMemoryError.
        """

    def grundy_values(
        self, root: State, limits: SearchLimits = NO_LIMITS
    ) -> GrundyValues | Refusal:
        """The Grundy values of all positions reachable from a state of a game proved impartial,
        where the player to move at the end loses. A Refusal also if play can return.

        Raises OutOfBudgetError, OutOfMemoryError.
        """

    def batches(
        self, root: State, *, merges: bool = True, is_tight: bool = True, verifies: bool = False
    ) -> Any:
        """Work on batches of positions, by a level that no move lowers: a
        `gamedsl.game.batches.Batches`, or a Refusal. `merges`: images of a position share a key;
        `is_tight`: keys are as narrow as codes let them be; `verifies`: for solved layers.
        """

    def reopen(self, algorithm: str, stored: StoredPositions) -> SolvedPositions:
        """The solved positions of an algorithm, from its stored numbers. Raises ValueError for
        numbers of another game or version.
        """


def native_mode(game: Game) -> NativeMode:
    """When machine code of a game is to be used."""
    if not _offers(game, "native_mode"):
        return NativeMode.NEVER
    mode: NativeMode = game.native_mode  # type: ignore[attr-defined]
    return mode


def accelerator_of(game: Game) -> Accelerator | Refusal:
    """The accelerator of a game, whatever the mode."""
    if not _offers(game, "accelerator"):
        return Refusal("the game has no code of its own")
    accelerator: Accelerator | Refusal = game.accelerator()  # type: ignore[attr-defined]
    return accelerator


def _offers(game: Game, name: str) -> bool:
    """Whether the game itself has an attribute: `__getattr__` of a wrapper answers for the wrapped
    game, whose code plays by other rules."""
    return inspect.getattr_static(game, name, None) is not None


def machine_code_of(game: Game, capability: Capability = Capability.ANY) -> Accelerator | Refusal:
    """The accelerator of a game, if machine code is allowed and available for the work."""
    if native_mode(game) is NativeMode.NEVER:
        return Refusal(UNWANTED)
    accelerator = accelerator_of(game)
    if isinstance(accelerator, Refusal):
        return accelerator
    return accelerator.refusal(capability) or accelerator


def arithmetic(game: Game, *modules: ModuleType) -> Callable[..., int] | None:
    """Modules of functions over numbers and arrays of numbers (docs/CONTRIBUTING.md, "a kernel")
    as machine code, called with the name of a function and its arguments; None where the mode of
    the game excludes machine code, or without LLVM.
    """
    if native_mode(game) is NativeMode.NEVER or not has_llvm():
        return None
    return _compiled("\n\n".join(map(inspect.getsource, modules)))


@cache
def _compiled(text: str) -> Callable[..., int]:
    """The compiled module, shared by all games, since it depends on no game."""
    from gamedsl.compiler.native import CompiledModule

    return CompiledModule(None, text).call
