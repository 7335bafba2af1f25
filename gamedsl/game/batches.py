"""Native work on batches of positions, for solving layer by layer beyond memory.

`Batches` is offered by `Accelerator.batches` for games whose moves never lower a proved level of a
position. Positions are keys: rows of `width` numbers of 64 bits, signed. A layer is all keys of one
level, sorted. Where moves can keep the level, a layer is a tier, and is cut into parts that fit in
memory. A `LayerStore` keeps layers. A solver (`solvers.shards`) knows a game by its batches, and
files or messages by the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Protocol

from gamedsl.game.accelerator import Payoffs
from gamedsl.model import State
from gamedsl.source.records import dataclass

Numbers = Any
"""A writable array of numbers of 64 bits, signed."""
Key = tuple[int, ...]
BLOCK = 1 << 14
"""Keys of a block; the last block of a layer may be shorter."""


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring keys of a layer, or their codes, as planes of bytes.

    A plane has a byte of each of some numbers, and is filled up to a multiple of eight bytes; the
    lowest plane comes first. Codes are planes. Keys are written number by number of a key, as
    differences to the key before (2 d, or -2 d - 1 if negative): the planes of up to 255 named
    differences, in the order in which they are met; if there are some, a plane with the name of
    each difference, 255 for all others; and the planes of these others.

    Attributes:
        count: number of keys.
        first: the first key; () for codes.
        sizes: for each number of a key, the counts of named differences, of their planes, of other
            differences, and of their planes; for codes the count of planes.
        content: the planes.
    """

    count: int
    first: Key
    sizes: tuple[int, ...]
    content: bytes


class StoredLayer(Protocol):
    """A layer in files, read by blocks.

    Attributes:
        count: number of keys; blocks: number of blocks.
    """

    count: int
    blocks: int

    def first(self, number: int) -> Key:
        """The first key of a block."""

    def keys(self, number: int) -> Block:
        """The keys of a block. Raises OSError; SolutionFileError if the block is damaged."""

    def codes(self, number: int) -> Block:
        """The codes of a block. Raises as `keys`."""


class LayerStore(Protocol):
    """Layers of a game that is being solved, and numbers on the way.

    Methods raise OSError where a file cannot be read or written, SolutionFileError where a file is
    damaged.

    """

    @property
    def facts(self) -> Mapping[str, Any]:
        """The facts kept last, as JSON; empty at the beginning."""

    def layer(self, level: int) -> StoredLayer:
        """A layer that is kept."""

    def packed(self, block: Block) -> Block:
        """A block as it is kept."""

    def keep_keys(self, level: int, blocks: Iterable[Block]) -> int:
        """Write the packed keys of a layer, whole or not at all; return their number."""

    def keep_codes(self, level: int, blocks: Iterable[Block]) -> None:
        """Write the packed codes of a layer beside its keys, whole or not at all."""

    def keep_facts(self, facts: Mapping[str, Any]) -> None:
        """Write the facts so far, for later work: exactly the layers in `facts["layers"]`, as
        [level, number of keys, whether codes are known]."""

    def append(self, name: str, numbers: Numbers) -> None:
        """Append numbers to a file of this run alone."""

    def read(self, name: str, begin: int, numbers: Numbers) -> int:
        """Read numbers of a file of this run from a place on; return the count of numbers read."""

    def numbers(self, name: str, count: int) -> Numbers:
        """An array of zeros in a new file of this run; `count` is above 0."""

    def drop(self, name: str) -> None:
        """Remove a file of this run, if present."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of later layers, each with keys asked for, or with codes that answer.

    Attributes:
        starts: the level and the first key of each part, ascending.
        rows: int64[parts, room, width] for keys, int64[parts, room] for codes.
        fill: the next free place, or the next code, of each part.
        ends, more: the end of the codes of each part; whether further codes follow.
    """

    starts: Sequence[tuple[int, Key]]
    room: int
    firsts: Numbers
    rows: Numbers
    fill: Numbers
    ends: Numbers
    more: Numbers


@dataclass(frozen=True, slots=True)
class Answers:
    """The codes of later layers: a table with keys, or parts with the codes that answer `ask`."""

    table: Numbers | None
    parts: Parts | None = None


class KeySet(Protocol):
    """Different keys in memory, in the order of entering.

    Attributes:
        keys: int64[count or more, width]; count: number of keys.
    """

    keys: Numbers
    count: int

    def enter(self, keys: Numbers, begin: int, end: int) -> None:
        """Add the keys of a range of an array that are not there yet."""

    def look_up(self, first: int, keys: Numbers, count: int, numbers: Numbers) -> None:
        """Write the number of each key in the order of entering, from `first` on, plus 1. Raises
        SolutionFileError for a missing key."""

    def bytes_for(self, count: int) -> int:
        """Bytes of the set with room for so many keys."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a tier.

    Attributes:
        number: of the part: its first position has the number `number << inside` in the tier.
        count: number of positions, at most `1 << inside`.
        total: number of positions of the tier; inside: bits of a place in a part.
    """

    number: int
    count: int
    total: int
    inside: int

    @property
    def first(self) -> int:
        """The number of the first position."""
        return self.number << self.inside


class Tier(Protocol):
    """A part of a layer among whose positions play may return; they are numbered in the order of
    the layer. A way is a number: of its origin among some positions, and in the lowest digits the
    place of its successor in the part.

    Attributes:
        span: the part; ways: number of moves of the tier to the positions of the part.
    """

    span: Span
    ways: int

    def hold_keys(self, keys: KeySet | None) -> None:
        """Look up successors inside the tier in the set of all its keys from now on, or not."""

    def give_back(self) -> None:
        """Leave arrays in files to the operating system until the part is worked on again."""

    def links(self, begin: int, end: int) -> tuple[bytes, bytes]:
        """What `Worker.link` has kept of the positions at a range of places, besides their ways."""

    def take_links(self, begin: int, links: tuple[bytes, bytes]) -> None:
        """Enter the links of positions from a place on, as another process has kept them."""

    def reverse(self, ways: Callable[[], Iterator[tuple[int, Numbers, int]]]) -> None:
        """Reverse all ways to the part, given twice, some at a time: the number of the position
        from which origins count, the ways, and how many."""

    def begin_level(self, value: int, forcer: int, queue: Numbers) -> None:
        """Begin with a payoff of `Batches.payoffs_in_order`. `queue`: room for the positions."""

    def is_awaited(self, length: int) -> bool:
        """Whether positions wait for the wave of a length."""

    def begin_wave(self, length: int) -> None:
        """Settle the positions that wait for the wave of a length: plies + 1."""

    def reach(self, row: Numbers, count: int) -> None:
        """Take in the places of predecessors of the wave before."""

    def spread(self, reached: Parts) -> bool:
        """Write the places of predecessors of the wave to the rows of their parts. Returns whether
        some are left, where a row is full, or after a slice of work."""

    def spread_alone(self) -> int:
        """Settle all waves of the payoff in a tier of a single part; returns the greatest length of
        a wave with positions, or 0."""


class Worker(Protocol):
    """The work of one thread. Methods raise GameRuleError where the rules fail."""

    def expand(
        self, keys: Numbers, begin: int, end: int, out: Numbers, used: int
    ) -> tuple[int, int]:
        """Write the keys of successors behind the `used` keys of `out`. Returns the place behind
        the last expanded key, before `end` where `out` is full, and the number of keys in `out`.
        Payoffs of endings become known on the way."""

    def absorb(
        self, keys: Numbers, other: Numbers, count: int, level: int
    ) -> tuple[Numbers, list[tuple[int, int, int]]]:
        """Sort the keys of successors of a layer, without repetition, by level. Returns one of both
        arrays, and for each level with keys the level, the first place and the place behind."""

    def sorted(self, keys: Numbers, other: Numbers, count: int) -> Numbers:
        """Sort different keys; returns one of both arrays."""

    def leave_out(self, count: int, keys: Numbers, many: int, known: Numbers) -> int:
        """Leave the sorted keys that are not among `many` sorted known keys; return how many."""

    def put_keys(self, keys: Numbers, begin: int, count: int) -> Block:
        """Sorted keys as a block."""

    def take_keys(self, block: Block, keys: Numbers, begin: int) -> None:
        """Write the keys of a block from a place on."""

    def put_codes(self, codes: Numbers, count: int) -> Block:
        """Codes, or other numbers that are not negative, as a block."""

    def take_numbers(self, block: Block, numbers: Numbers) -> None:
        """Write the numbers of a block to an array with room for whole blocks."""

    def take_codes(self, block: Block, codes: Numbers) -> None:
        """Write the codes of a block to an array with room for whole blocks. Raises
        SolutionFileError for impossible codes."""

    def load(self, keys: Numbers, codes: Numbers, count: int, table: Numbers) -> None:
        """Enter keys with codes into a table."""

    def look_up(self, keys: Numbers, count: int, codes: Numbers, table: Numbers) -> None:
        """Write the codes of keys. Raises SolutionFileError for a key that is not in the table."""

    def settle(self, keys: Numbers, begin: int, end: int, codes: Numbers, answers: Answers) -> int:
        """Write the codes of keys. Returns the place behind the last key, before `end` where codes
        of a part run out."""

    def ask(self, keys: Numbers, begin: int, end: int, parts: Parts, least: int = 1) -> int:
        """Write the keys of successors that are at least `least` levels higher to the rows of their
        parts. Returns the place behind the
        last key, before `end` where room is short."""

    def link(
        self,
        tier: Tier,
        keys: Numbers,
        places: tuple[int, int, int],
        answers: Answers,
        ways: Parts,
    ) -> int:
        """Take in the successors of the positions of a tier: those of higher levels by their codes;
        a way for each other successor is written to the row of the part. `places`: the first of the
        keys, the place behind the last, and the number of the key at place 0 in the tier. Returns
        the place behind the last position, before the end where room for ways, or codes, run
        out."""

    def odd_key(self, keys: Numbers, count: int, level: int) -> int:
        """The place of the first key that is of no state of a level, or not behind the key before;
        `count` if all are right. For batches that verify."""

    def confirm(
        self, keys: Numbers, begin: int, end: int, codes: Numbers, answers: Answers
    ) -> tuple[int, bool]:
        """Compare codes with the codes of all successors. Returns the place behind the last right
        code, and whether the next is wrong. For batches that verify."""

    def finish(self, tier: Tier, keys: Numbers, begin: int, count: int, codes: Numbers) -> None:
        """Write the codes of settled positions of a tier, from a place in the part on. Raises
        UnsupportedGameError if play is endless and the rules do not say what endless play is
        worth."""


class Batches(Protocol):
    """Native code for the positions of one game.

    Attributes:
        width: numbers of a key.
        most_successors: greatest number of successors of a position.
        rises: the rises of the level by moves.
        low, high: the least and the greatest rise; with `low` 0 layers are tiers.
        root: the level and the key of the first position.
        fingerprint: a hash of the code: work of different code is never mixed.
        facts: the meaning of keys, as JSON; the same for the same fingerprint.
        bits: after `agree`, bits of a code for the number of a payoff.
        paid: the payoffs of the endings met so far, as a denominator and numerators.
        payoffs: the same as payoffs; after `agree` in the order of their numbers, for tiers with
            that of endless play once more at the end.
        counts_plies: whether the length of play decides between equal payoffs.
    """

    width: int
    most_successors: int
    rises: Set[int]
    low: int
    high: int
    root: tuple[int, Key]
    bits: int
    paid: list[list[int]]

    @property
    def fingerprint(self) -> str:
        """A hash of the code."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """The meaning of keys."""

    @property
    def payoffs(self) -> list[Payoffs]:
        """The payoffs met so far, by number."""

    @property
    def counts_plies(self) -> bool:
        """Whether interests are opposed."""

    def state_of(self, key: Key) -> State:
        """The state of a key."""

    def zeros(self, count: int) -> Numbers:
        """An array of zeros; memory is taken when written."""

    def row(self, numbers: Sequence[int]) -> Numbers:
        """A small array with these numbers."""

    def table(self, count: int) -> Numbers:
        """An empty table with room for so many keys."""

    def table_bytes(self, count: int) -> int:
        """Bytes of such a table."""

    def worker(self) -> Worker:
        """The work of one more thread."""

    def know(self, paid: Sequence[Sequence[int]]) -> None:
        """Make payoffs known. Raises UnmergedError if images of a position can differ in value,
        SolutionFileError for rows that are no payoffs."""

    def know_payoffs(self, payoffs: Sequence[Sequence[str]]) -> None:
        """Make stored `payoffs` known, without that of endless play. Raises as `know`."""

    def agree(self, rise: int) -> None:
        """Fix the meaning of codes: all payoffs are known, and levels rise by `rise` at most.
        Raises CodesTooWideError if a code does not fit beside a key, before any code is written;
        for tiers later, where a length does not fit."""

    def key_set(self, room: int = 0) -> KeySet:
        """An empty set of keys, with room for so many keys at first."""

    def tier(self, span: Span, longest: int, make: Callable[[str, int], Numbers]) -> Tier:
        """A part of a tier; no play after its moves to higher levels takes more than `longest`
        plies. `make`: gives an array of zeros with a name."""

    def tier_bytes(self, span: Span, ways: int) -> int:
        """Bytes of a part of a tier with so many ways."""

    def waves(self, longest: int) -> int:
        """Greatest length of a wave that positions of a tier can wait for."""

    def refuse_length(self, length: int) -> None:
        """Raise CodesTooWideError, or UnsupportedGameError, if plies + 1 fit in no code."""

    @property
    def payoffs_in_order(self) -> list[tuple[int, int]]:
        """The numbers of payoffs in the order in which a tier is settled, each with the player who
        forces the payoff, or 2 for both."""

    def parts(self, starts: Sequence[tuple[int, Key]], room: int, width: int) -> Parts:
        """Rows for parts, each with room for so many rows of `width` numbers."""

    def tallies(self) -> list[list[int]]:
        """[plies + 1, number of the payoff, count of positions, images counted] of all positions
        settled since the last call."""


class CodesTooWideError(RuntimeError):
    """Codes do not fit beside the keys: keys have to be wider."""


class UnmergedError(RuntimeError):
    """Images of a position may differ in value: every position needs its own key."""
