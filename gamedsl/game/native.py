"""What a game may offer besides the contract: counting, playing and solving by code of its own.

In: a game. Out: the `NativeCode` that it offers, or none (`native_of`), and the results that it
makes. Everything above asks for no more than this, so that a game of any origin can
have such code. For games read from files it is made by kernels on a floor above, which imports this
one; so it is looked up by name when it is used, as pictures are (decision 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from math import inf
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from gamedsl.game.contract import Action, Game
from gamedsl.model.state import State
from gamedsl.source.records import dataclass

Payoffs = tuple[Fraction, ...]
"""A payoff for every player, in turn order."""
Progress = Callable[[int, int], None]
"""Told from time to time: (states explored, states found but not yet explored)."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """What a search by native code may take.

    Attributes:
        positions: the most to look at; None: as many as the memory holds.
        bytes: the most memory for its table; None: a good part of what is free.
        progress: told how far it is; an error that it raises ends the search.
        uses_symmetry: positions that are images of one another may be taken for one.
        threads: how many may work side by side, where the algorithm knows how; nothing that is
            found depends on it.
    """

    positions: int | None = None
    bytes: int | None = None
    progress: Progress | None = None
    uses_symmetry: bool = True
    threads: int = 1


NO_LIMITS = SearchLimits()


class Use(Enum):
    """When machine code is used."""

    NEVER = "never"
    WHEN_LARGE = "when the work is large"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Tally:
    """How playouts ended.

    Attributes:
        playouts: how many there were.
        endings: how often each vector of payoffs, one a player, came out; most often first.
        unfinished: those broken off because they grew too long.
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
        """The mean payoff of each player over the playouts that ended; () if none did."""
        count = self.playouts - self.unfinished
        columns = zip(
            *([payoff * n for payoff in payoffs] for payoffs, n in self.endings), strict=True
        )
        return tuple(sum(column, Fraction(0)) / count for column in columns) if count else ()


Length = tuple[Payoffs, int | None]
"""Payoffs and plies of best play; no plies where it is endless."""


@dataclass(frozen=True, slots=True)
class LengthsOfPlay:
    """Solved positions by the payoffs and plies of best play.

    Attributes:
        count: how many positions there are of each.
        states: the positions of one of them, in no order of meaning.
    """

    count: Callable[[], Mapping[Length, int]]
    states: Callable[[Length], Iterator[State]]


@dataclass(frozen=True, slots=True)
class SolvedPositions:
    """All states that can be reached, with what best play gives.

    Attributes:
        positions: how many they are, chance events not counted; endings: how many of them are
            the end of the game.
        look_up: the payoffs and plies of best play from a state, no plies where it is endless or
            chance has a part in it; None if the state is not among them.
        chance: what else is to be said where chance has a part in play; else None.
        stored: all this as numbers, for a file.
        entries: all these states, in no order of meaning.
        lengths: how many of them have each payoff and number of plies of best play, and the states
            that have one of them, in no order of meaning; not known where chance has a part.
    """

    positions: int
    endings: int
    look_up: Callable[[State], tuple[Payoffs, int | None] | None]
    chance: SolvedChance | None = None
    stored: StoredPositions | None = None
    entries: Callable[[], Iterator[State]] | None = None
    lengths: LengthsOfPlay | None = None


@dataclass(frozen=True, slots=True)
class ShortestPlay:
    """What breadth-first search from a state of a single player has found.

    Attributes:
        line: the actions of a shortest play to an ending that pays the most; None if there is none.
        firsts: places, among the legal actions of the state, of the first actions of all shortest
            plays to such endings.
        explored: states found; endings: how many of them are the end of the game.
        layers: how many states were found at each distance from the first; () if not known.
        solver: the algorithm (a `SolverName`).
    """

    line: tuple[Action, ...] | None
    firsts: tuple[int, ...]
    explored: int
    endings: int
    layers: tuple[int, ...]
    solver: str


@dataclass(frozen=True, slots=True)
class StoredPositions:
    """Solved positions as numbers that a file can hold.

    Attributes:
        facts: what the numbers mean, as JSON has it.
        arrays: numbers of 64 bits, signed, by name.
    """

    facts: Mapping[str, Any]
    arrays: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class SolvedChance:
    """What is to be said of solved positions besides, where chance has a part in play.

    Attributes:
        events: how many chance events can be reached.
        error_bound: proven bound on the error of any value, in payoff.
        choose: the place, among the legal actions of a state, of the one that best play takes;
            None where nobody chooses.
        ends_surely: whether this play ends with probability one.
        outcomes: what endings pay.
    """

    events: int
    error_bound: Fraction
    choose: Callable[[State], int | None]
    ends_surely: bool
    outcomes: frozenset[Payoffs]


@dataclass(frozen=True, slots=True)
class Needs:
    """What solving by code of a game's own takes.

    Attributes:
        algorithm: a `SolverName`.
        least, most: bytes for each state that can be reached.
    """

    algorithm: str
    least: int
    most: int


class ValueSearch(Protocol):
    """A search for values of single positions of a game of two with opposed interests, which are
    proved without looking at all that can be reached. Positions that are asked about are not over.

    `value` and `gives` raise UnsupportedGameError where play can return or interests are not
    opposed, OutOfBudgetError, OutOfMemoryError, and what `progress` raises; what is proved until
    then stays.

    Attributes:
        max_positions: the most positions to look at in all; None: any number.
        looked_at: positions looked at so far.
    """

    max_positions: int | None

    @property
    def looked_at(self) -> int:
        """Positions looked at so far."""
        ...

    def value(self, state: State) -> Payoffs:
        """What best play pays."""
        ...

    def gives(self, state: State, player: int, payoffs: Payoffs) -> bool:
        """Whether best play pays a player at least as much as some value does that was found."""
        ...

    def bounds(self, state: State) -> tuple[Payoffs | None, Payoffs | None]:
        """Payoffs that the value is proved not to be less than, for the first player, and not more
        than; None where nothing is proved."""
        ...


class ProofSearch(ValueSearch, Protocol):
    """A search for wins that a player can force, also where play can return; rules about repetition
    are not looked at. `value` raises UnsupportedGameError too where nobody can force one, as far as
    can be told."""

    def plies(self, state: State) -> int:
        """How many plies the win takes at most that is proved of a position: more than that of one
        of its successors, if the winner moves, and more than those of all if the other does."""
        ...


class ForeignWorkError(ValueError):
    """Work that was kept is not of the solver, or the version, that is to go on with it."""


class Checkpoints(Protocol):
    """Where long work is kept from time to time, and what is left of work that was cut off.

    Attributes:
        found: what was kept last; None if nothing was.
    """

    @property
    def found(self) -> StoredPositions | None:
        """What was kept last."""
        ...

    def is_due(self) -> bool:
        """Whether it is time to keep the work again."""
        ...

    def keep(self, work: StoredPositions) -> None:
        """Keep the work as it is now, in place of what was kept before."""
        ...

    def forget(self) -> None:
        """What was found leads nowhere."""
        ...


class NativeCode(Protocol):
    """Code for one game that works on many states at once.

    Every method raises `UnsupportedGameError` where it does not work on the game, and
    `GameRuleError` where the rules fail on the way.
    """

    @property
    def use(self) -> Use:
        """When machine code is to be used."""
        ...

    @property
    def counts_turns(self) -> bool:
        """Whether `perft` can count turns."""
        ...

    def refusal(self) -> str | None:
        """Why there is none of this; None if there is."""
        ...

    def machine_code_refusal(self) -> str | None:
        """Why there is no machine code; None if there is."""
        ...

    def perft(self, state: State, depth: int, *, turns: bool = False, expected: float = inf) -> int:
        """Plays of exactly so many plies, or turns; see `solvers.perft`. `expected`: about how many
        there will be."""
        ...

    def playouts(
        self,
        state: State,
        count: int,
        *,
        seed: int,
        threads: int,
        longest: int,
        is_machine: bool,
        foresees: bool = False,
    ) -> Tally:
        """Random plays, the same whether by machine code (`is_machine`) or in Python. `foresees`:
        players take a win that is there at once and leave none to the other, where the code can
        tell; else every legal action is as likely."""
        ...

    def solve(
        self,
        root: State,
        *,
        returns: bool,
        limits: SearchLimits = NO_LIMITS,
        checkpoints: Checkpoints | None = None,
    ) -> tuple[str, SolvedPositions] | None:
        """The algorithm (a `SolverName`), and the values of all states that can be reached from
        one that is not over; None where it cannot find them. `returns`: play is known to return.
        With checkpoints it goes on with what they hold, and comes to the same numbers.

        Raises OutOfBudgetError, OutOfMemoryError; ForeignWorkError where it cannot go on.
        """
        ...

    def count_positions(
        self, root: State, *, returns: bool, limits: SearchLimits = NO_LIMITS
    ) -> int | None:
        """How many positions can be reached from one that is not over; None where it cannot find
        them, or where `returns` is false and play returns. Raises as `solve`."""
        ...

    def value_search(self, limits: SearchLimits = NO_LIMITS) -> ValueSearch | None:
        """A search for values of single positions; None where the rules alone exclude it."""
        ...

    def proof_search(self, limits: SearchLimits = NO_LIMITS) -> ProofSearch | None:
        """A search for wins that can be forced; None where the rules alone exclude it."""
        ...

    def shortest(self, root: State, limits: SearchLimits = NO_LIMITS) -> ShortestPlay | None:
        """A shortest play of a single player to the best payoff of the rules, from a state that is
        not over; None where it cannot look for one.

        Raises OutOfBudgetError, OutOfMemoryError.
        """
        ...

    def arithmetic(self, module: ModuleType) -> Callable[..., int] | None:
        """A module of functions over numbers and arrays of them (docs/CONTRIBUTING.md, "a kernel")
        as machine code, called with the name of a function and its arguments; None if there is to
        be none."""
        ...

    def reopen(self, algorithm: str, stored: StoredPositions) -> SolvedPositions:
        """What such an algorithm has found, from the numbers that it has stored. Raises ValueError
        where they are not of this game, or of another version of it."""
        ...


@runtime_checkable
class OffersNativeCode(Protocol):
    """A game with code of its own; any game may have this method, and none needs it."""

    def native(self) -> NativeCode | None:
        """The code; None if there is none after all."""
        ...


@runtime_checkable
class SolvesTurns(Protocol):
    """Native code that solves games whose turns are all alike, rewards included; none has to."""

    def solve_turns(
        self, root: State, limits: SearchLimits = NO_LIMITS
    ) -> tuple[str, SolvedPositions] | None:
        """As `NativeCode.solve`; None where play has no such turns, or it finds no values."""
        ...

    def why_no_turns(self) -> str | None:
        """Why the rules alone forbid it, in words; None if they do not."""
        ...


@runtime_checkable
class TellsNeeds(Protocol):
    """Native code that knows what it will take; none has to."""

    def needs(self, *, returns: bool, branching: float) -> Needs | str:
        """What solving takes, where positions have so many actions on average; or why it cannot
        be, in words. `returns`: play is known to return."""
        ...


@runtime_checkable
class TellsSymmetries(Protocol):
    """Native code that knows which renamings leave the rules as they are; none has to."""

    def symmetries(self) -> tuple[str, ...]:
        """Those that are proved, in words; others may be left out."""
        ...


@runtime_checkable
class TellsGoals(Protocol):
    """Native code that knows what a single player has to come to; none has to."""

    def goals(self) -> tuple[Mapping[int, int], ...]:
        """For each way to the best payoff digits that cells of a state must hold, by the numbers
        of these cells; () where that is not known."""
        ...


def native_of(game: Game) -> NativeCode | None:
    """The code of a game's own for counting, playing and solving; None if it offers none."""
    return game.native() if isinstance(game, OffersNativeCode) else None


def machine_code_of(game: Game) -> NativeCode | None:
    """The same, if machine code may be used and can be made."""
    native = native_of(game)
    if native is None or native.use is Use.NEVER or native.machine_code_refusal() is not None:
        return None
    return native


def turns_of(native: object) -> SolvesTurns | None:
    """The same code, if it solves games turn by turn."""
    return native if isinstance(native, SolvesTurns) else None


def symmetries_of(native: object) -> tuple[str, ...]:
    """Renamings that leave the rules as they are, in words; () where none is known."""
    return native.symmetries() if isinstance(native, TellsSymmetries) else ()


def goals_of(native: object) -> tuple[Mapping[int, int], ...]:
    """For each way to win the digits that cells must hold; () where that is not known."""
    return native.goals() if isinstance(native, TellsGoals) else ()


def needs_of(native: object, *, returns: bool, branching: float) -> Needs | str | None:
    """What solving by native code takes, or why it cannot be; None where it does not tell."""
    if not isinstance(native, TellsNeeds):
        return None
    return native.needs(returns=returns, branching=branching)
