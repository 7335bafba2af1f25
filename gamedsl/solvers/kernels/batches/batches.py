"""Native work on batches of positions: the `Batches` of one game.

In: a compiled engine whose every move raises a level, proved on the rules, and a first state. Out:
`KernelBatches` and its `KernelWorker`s. Kernels are compiled once for all work on the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import accumulate
from math import lcm
from operator import add
from threading import Lock
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.native import CompiledModule
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.accelerator import Payoffs
from gamedsl.game.batches import (
    BLOCK,
    Answers,
    Block,
    CodesTooWideError,
    Key,
    Parts,
    Span,
    UnmergedError,
)
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.rewriting.levels import levels_of
from gamedsl.model.rewriting.quantities import Quantity
from gamedsl.solvers.exact.constant_sum import constant_sum, delays, neutral_payoff
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.assembly import Assembly, text_of
from gamedsl.solvers.kernels.batches import batch_kernel as kernel
from gamedsl.solvers.kernels.batches import confirm_kernel, tier_kernel
from gamedsl.solvers.kernels.batches import sorting_kernel as sorting
from gamedsl.solvers.kernels.batches.level_function import level_definitions
from gamedsl.solvers.kernels.batches.tiers import (
    KernelKeys,
    KernelTier,
    arrays_of,
    levels_in_order,
    tier_bytes,
)
from gamedsl.solvers.kernels.contents import layout_facts, put_key
from gamedsl.solvers.kernels.functions.payoffs import payoff_definitions
from gamedsl.solvers.kernels.memory import NUMBER, zeros
from gamedsl.solvers.kernels.resuming.entries import state_test
from gamedsl.solvers.kernels.symmetry.orbits import Orbits, orbits_keeping
from gamedsl.solvers.kernels.table_layout import CODE_BITS, EntryLayout, entry_layout
from gamedsl.solvers.kernels.table_solver import LEAST_SHARES
from gamedsl.solvers.kernels.transposition_table import FULLEST, MOST_PAYOFFS
from gamedsl.solvers.kernels.values import RANK

FIRST_PAYOFF_BITS = 2
"""Bits for the number of a payoff beside a narrow key."""
LENGTH_BITS, MOST_LENGTH_BITS = 10, 14
"""Bits for the length of play in tiers: beside a narrow key, and beside a wide key."""
TALLY_BITS = 22
"""Bits for the length of play and the payoff together, in tiers: positions are counted by both."""
KERNELS = (
    kernel.expand,
    kernel.count_levels,
    kernel.split_levels,
    kernel.load,
    kernel.look_up,
    kernel.settle,
    kernel.ask,
    kernel.settle_asked,
    kernel.are_codes,
)
TIERS = (
    tier_kernel.fill_slots,
    tier_kernel.enter_keys,
    tier_kernel.find_keys,
    tier_kernel.link,
    tier_kernel.count_ways,
    tier_kernel.sum_starts,
    tier_kernel.reverse_ways,
    tier_kernel.begin_level,
    tier_kernel.settle_waiting,
    tier_kernel.reach,
    tier_kernel.spread,
    tier_kernel.spread_alone,
    tier_kernel.finish_codes,
)
"""The kernels of games with tiers."""
CONFIRMING = (confirm_kernel.check_keys, confirm_kernel.confirm)
"""The kernels that verify solved layers."""
SORTING = (
    sorting.sort_keys,
    sorting.drop_repeated,
    sorting.leave_out,
    sorting.put_keys,
    sorting.take_keys,
    sorting.put_planes,
    sorting.take_planes,
)
TIERS_NEED = (
    "moves can keep the level, and tiers are solved for one player, or two with opposed interests"
)
FAR = 1 << 40
"""More than all lengths of play, and less than `RANK` allows."""
MOST_NUMBER = 1 << 63
"""Above all numbers of a payoff."""


@cache
def sorting_module(width: int) -> CompiledModule:
    """The kernels that know no game, for keys of so many numbers; compiled once for all games."""
    return CompiledModule(None, text_of(SORTING, Definitions({"WIDTH": width}), native=True))


class BatchCode:
    """The code of a game's batches for a first state, compiled once for all work.

    Raises UnsupportedGameError where the game has no levels, or no kernels.

    Attributes:
        origin: the level of the first state, from which levels are counted.
    """

    def __init__(
        self,
        engine: CompiledEngine,
        root: State,
        *,
        merges: bool,
        is_tight: bool,
        verifies: bool = False,
    ) -> None:
        """Like `Accelerator.batches`."""
        refuse(engine)
        levels = levels_of(engine.model)
        self.orbits = orbits_keeping(engine, root) if merges else Orbits(engine)
        if levels.have_cells and self.orbits.used:  # an image may have another level
            levels = levels_of(engine.model, by_cell=False)
        self.engine, self.levels = engine, levels
        self.origin = levels.of(root.cells)
        bits = LENGTH_BITS
        if levels.low:
            bits = ((levels.most - self.origin) // levels.low + 1).bit_length()
        self.layout: EntryLayout = entry_layout(
            engine,
            is_tight=is_tight,
            may_be_dense=True,
            least_room=bits + FIRST_PAYOFF_BITS,
        )
        self.shares = max(LEAST_SHARES, len(engine.players) + 1)
        self.assembly = Assembly(
            engine,
            (*KERNELS, *(() if levels.low else TIERS), *(CONFIRMING if verifies else ())),
            self.layout.definitions
            | Definitions({"PLAYERS": len(engine.players)})
            | payoff_definitions(engine, self.shares)
            | level_definitions(engine, levels, self.origin)
            | self.orbits.definitions
            | Definitions(functions=(state_test(engine),) if verifies else ()),
            native=True,
            in_slices=True,
        )
        row = self.assembly.row(self.layout.width)
        put_key(self.layout, self.orbits.least(engine.words_of(root)), row, is_signed=True)
        self.key: Key = tuple(row)


class KernelBatches:
    """Like `Batches`."""

    def __init__(self, code: BatchCode) -> None:
        self.code, self.engine, self.assembly = code, code.engine, code.assembly
        self.layout, self.shares = code.layout, code.shares
        self.zeros, self.row = zeros, code.assembly.row_of
        self.width, self.rises = code.layout.width, code.levels.rises
        self.low, self.high = code.levels.low, code.levels.high
        self.most_successors = code.engine.model.facts.action_count
        self.root: tuple[int, Key] = (0, code.key)
        self.paid: list[list[int]] = []
        self._endless_rows: list[list[int]] = []
        self.bits = self.lengths = 0
        self._is_widest = False
        self.preferences = self.assembly.row(0)
        self._lock = Lock()
        self._workers: list[KernelWorker] = []

    @property
    def facts(self) -> dict[str, Any]:
        """The meaning of keys."""
        terms = [
            [
                factor,
                each.variable.offset,
                _digit_of(each),
                *([] if each.cell is None else [each.cell]),
            ]
            for factor, each in self.code.levels.terms
        ]
        return {
            **layout_facts(self.engine, self.layout),
            "symmetries": [permutation.name for permutation in self.code.orbits.used],
            "kept": list(self.code.orbits.stabilizer),
            "levels": terms,
            "origin": self.code.origin,
        }

    @property
    def fingerprint(self) -> str:
        """Like `Batches.fingerprint`."""
        return sha256(self.assembly.source.encode()).hexdigest()

    def state_of(self, key: Key) -> State:
        """Like `Batches.state_of`."""
        packing, words = self.engine.packing, self.layout.words(key)
        return PackedState(packing, words, packing.turn_of(words), None)

    # --- arrays -------------------------------------------------------------------------------

    def table(self, count: int) -> Any:
        """Like `Batches.table`."""
        return zeros(self.table_bytes(count) // NUMBER)

    def table_bytes(self, count: int) -> int:
        """Like `Batches.table_bytes`."""
        return (count * FULLEST[1] // FULLEST[0] + kernel.BLOCK) * self.width * NUMBER

    def parts(self, starts: Sequence[tuple[int, Key]], room: int, width: int) -> Parts:
        """Like `Batches.parts`."""
        firsts = self.assembly.row(len(starts) * (self.width + 1))
        for number, (level, key) in enumerate(starts):
            for place, part in enumerate((level, *key)):
                firsts[number * (self.width + 1) + place] = part
        rows = zeros(len(starts) * room * width)
        fill, ends, more = (self.assembly.row(len(starts)) for _ in range(3))
        return Parts(starts, room, firsts, rows, fill, ends, more)

    def worker(self) -> KernelWorker:
        """Like `Batches.worker`."""
        worker = KernelWorker(self)
        with self._lock:
            self._workers.append(worker)
        return worker

    # --- payoffs and codes --------------------------------------------------------------------

    @property
    def payoffs(self) -> list[Payoffs]:
        """Like `Batches.payoffs`."""
        players = len(self.engine.players)
        return [tuple(Fraction(n, per) for n in row[:players]) for per, *row in self.rows]

    @property
    def rows(self) -> list[list[int]]:
        """The payoffs by number, as kernels write them; after `agree`, of endless play the last."""
        return self.paid + self._endless_rows

    def know(self, paid: Sequence[Sequence[int]]) -> None:
        """Like `Batches.know`."""
        if not all(
            len(row) == self.shares and row[0] > 0 and all(abs(n) < MOST_NUMBER for n in row)
            for row in paid
        ):
            raise SolutionFileError("it has payoffs that cannot be")
        with self._lock:
            self.paid += [list(row) for row in paid if list(row) not in self.paid]
        if len(self.paid) > MOST_PAYOFFS:
            raise UnsupportedGameError("there are too many different payoffs")
        if self.counts_plies:
            return
        if not self.low:
            raise UnsupportedGameError(TIERS_NEED, "leave out --out-of-core")
        if self.code.orbits.used:
            raise UnmergedError("images of a position may differ in value")

    def know_payoffs(self, payoffs: Sequence[Sequence[str]]) -> None:
        """Like `Batches.know_payoffs`."""
        known = payoffs if self._endless is None else payoffs[:-1]
        self.know([self._row_of(tuple(map(Fraction, each))) for each in known])

    @property
    def _endless(self) -> Payoffs | None:
        """The payoff of endless play, where play may return and the rules name it."""
        return None if self.low else self.engine.model.facts.endless

    def agree(self, rise: int) -> None:
        """Like `Batches.agree`."""
        self.paid.sort()
        if (endless := self._endless) is not None:  # its number is not 0: 0 is no code
            self._endless_rows = [self._row_of(endless)] * (1 if self.paid else 2)
        self.bits = max(1, (len(self.rows) - 1).bit_length())
        room = CODE_BITS - self.layout.shift - self.bits
        if self.low:
            self.lengths = rise // self.low + 2
        else:
            most = min(MOST_LENGTH_BITS, TALLY_BITS - self.bits)
            self.lengths, self._is_widest = 1 << min(room, most), room >= most
        if room < (LENGTH_BITS if not self.low else (self.lengths - 1).bit_length()):
            raise CodesTooWideError("payoffs and plies do not fit beside a key")
        numbers = [number for each in self.payoffs for number in self._preferences(each)]
        if endless is not None:
            numbers[-2 * len(endless) :] = self._preferences_of_endless(endless)
        self.preferences = self.row(numbers)

    def _row_of(self, payoffs: Payoffs) -> list[int]:
        """A payoff as kernels write it: a denominator and numerators."""
        per = lcm(*(share.denominator for share in payoffs))
        row = [per, *(int(share * per) for share in payoffs)]
        return [*row, *[0] * (self.shares - len(row))]

    def _preferences_of_endless(self, endless: Payoffs) -> list[int]:
        """Like `_preferences`, for endless play: beyond all lengths of play."""
        ranks = self._preferences(endless)
        return [n for at in range(0, len(ranks), 2) for n in (ranks[at] + ranks[at + 1] * FAR, 0)]

    def _preferences(self, payoffs: Payoffs) -> list[int]:
        """The rank and the sign of plies for each player, as `batch_kernel` has them."""
        facts, players = self.engine.model.facts, len(payoffs)
        break_even = neutral_payoff({*self.payoffs}, facts.endless, facts.sides)
        numbers = []
        for player in range(players):
            ranks = sorted({each[player] for each in self.payoffs})
            sign = 0
            if break_even is not None:
                sign = 1 if delays(payoffs, player, break_even) else -1
            numbers += [RANK * ranks.index(payoffs[player]), sign]
        return numbers

    @property
    def counts_plies(self) -> bool:
        """Like `Batches.counts_plies`."""
        sides, payoffs = self.engine.model.facts.sides, {*self.payoffs}
        if payoffs and (endless := self._endless) is not None:
            payoffs.add(endless)
        return not payoffs or constant_sum(payoffs, sides) is not None

    @property
    def worths(self) -> confirm_kernel.Worths:
        """What payoffs are worth to each player, for verification."""
        payoffs, players = self.payoffs, range(len(self.engine.players))
        facts = self.engine.model.facts
        neutral = neutral_payoff({*payoffs}, facts.endless, facts.sides)
        ranks = [sorted({each[player] for each in payoffs}) for player in players]
        return confirm_kernel.Worths(
            worth=self.row([ranks[n].index(each[n]) for each in payoffs for n in players]),
            delays=self.row(
                [
                    int(neutral is not None and delays(each, n, neutral))
                    for each in payoffs
                    for n in players
                ]
            ),
            counts_plies=int(self.counts_plies),
        )

    # --- tiers --------------------------------------------------------------------------------

    def key_set(self, room: int = 0) -> KernelKeys:
        """Like `Batches.key_set`."""
        return KernelKeys(self.assembly, self.width, room)

    def tier_bytes(self, span: Span, ways: int) -> int:
        """Like `Batches.tier_bytes`."""
        return tier_bytes(self.width, span, ways)

    def tier(self, span: Span, longest: int, make: Callable[[str, int], Any]) -> KernelTier:
        """Like `Batches.tier`."""
        waves = self.waves(longest)
        return KernelTier(self.assembly, span, waves, self.bits, self.preferences, make)

    def waves(self, longest: int) -> int:
        """Like `Batches.waves`."""
        return min(longest + 2, self.lengths)

    @property
    def payoffs_in_order(self) -> list[tuple[int, int]]:
        """Like `Batches.payoffs_in_order`."""
        payoffs, endless = self.payoffs, self._endless
        neutral = neutral_payoff({*payoffs}, endless, self.engine.model.facts.sides)
        assert neutral is not None, "interests are opposed"
        return levels_in_order(payoffs[: len(self.paid)], neutral)

    def refuse_length(self, length: int) -> None:
        """Like `Batches.refuse_length`."""
        if length < self.lengths:
            return
        if self._is_widest:
            raise UnsupportedGameError(f"play takes {self.lengths:,} plies or more")
        raise CodesTooWideError("plies do not fit beside a key")

    @property
    def endless_code(self) -> int:
        """The code of endless play; 0 without."""
        return 0 if self._endless is None else len(self.rows) - 1

    # --- counts -------------------------------------------------------------------------------

    def tallies(self) -> list[list[int]]:
        """Like `Batches.tallies`."""
        stride = len(self.rows)
        total = [0] * (self.lengths * stride)
        with self._lock:
            for worker in self._workers:
                total = [*map(add, total, worker.take_tallies())]
        return [[*divmod(n, stride), held] for n, held in enumerate(total) if held]


class KernelWorker:
    """Like `Worker`."""

    def __init__(self, batches: KernelBatches) -> None:
        self._batches, self._assembly = batches, batches.assembly
        room = batches.engine.model.facts.action_count + 1
        row = self._assembly.row
        self._actions, self._asked = row(room), row(batches.shares)
        self._recent = row(kernel.RECENT * batches.width)
        many = room + kernel.CHILDREN
        self._children, self._buckets = row(many * batches.width), row(2 * many)
        self._counts = row(batches.width * sorting.DIGITS * sorting.VALUES)
        self._nothing = row(0)
        self._planes = row(2 * BLOCK * batches.width)
        self._differences = sorting.Differences(
            row=row(BLOCK),
            rest=row(BLOCK),
            named=row(sorting.MOST_NAMED + 1),
            slots=row(sorting.SLOTS),
            planes=self._planes,
            sizes=row(4 * batches.width),
        )
        self._notes: kernel.BatchNotes = self._assembly.record(kernel.BatchNotes)
        self._payoffs = row(0)
        self._tallies = row(0)
        self._worths: confirm_kernel.Worths | None = None
        self._no_parts = kernel.PartArrays(
            firsts=row(0), rows=row(0), fill=row(0), ends=row(0), more=row(0), room=0
        )

    def _plainly(self, name: str, *arguments: Any) -> int:
        """The result of a kernel that knows no game."""
        return sorting_module(self._batches.width).call(name, *arguments)

    def _checked(self, status: int) -> int:
        """A place that a kernel gives. Raises the error of a status."""
        if status == kernel.WRONG_WAY:
            raise RuntimeError("a move does not raise the level as was proved")
        if status == kernel.ODD:
            raise RuntimeError("a key does not hold a position")
        if status in (kernel.LOST, kernel.NEW_PAYOFF):
            raise SolutionFileError("a layer lacks a position, or has one that was never reached")
        return status

    # --- forward ------------------------------------------------------------------------------

    def expand(self, keys: Any, begin: int, end: int, out: Any, used: int) -> tuple[int, int]:
        """Like `Worker.expand`."""
        self._notes.used = used
        while True:
            arrays = kernel.ExpandArrays(
                keys=keys,
                out=out,
                recent=self._recent,
                actions=self._actions,
                payoffs=self._payoffs,
                asked=self._asked,
            )
            at = self._assembly.call("expand", begin, end, arrays, self._notes)
            if at != kernel.NEW_PAYOFF:
                return self._checked(at), self._notes.used
            begin = self._notes.at
            self._learn()

    def _learn(self) -> None:
        """Make the payoffs of the ending that the kernel has met known."""
        self._batches.know([list(self._asked)])
        self._take_payoffs()

    def _take_payoffs(self) -> None:
        rows = list(self._batches.rows)
        self._payoffs = self._batches.row([number for row in rows for number in row])
        self._notes.payoffs = len(rows)

    def absorb(
        self, keys: Any, other: Any, count: int, level: int
    ) -> tuple[Any, list[tuple[int, int, int]]]:
        """Like `Worker.absorb`."""
        before, keys = keys, self.sorted(keys, other, count)
        other = before if keys is other else other
        count = self._plainly("drop_repeated", count, keys)
        low, high = self._batches.low, self._batches.high
        if low == high or not count:
            return keys, [(level + low, 0, count)] if count else []
        counts, first = self._assembly.row(high - low + 1), level + low
        self._assembly.call("count_levels", count, keys, first, counts)
        starts = self._batches.row([0, *accumulate(counts)])
        spans = [(first + n, starts[n], starts[n] + held) for n, held in enumerate(counts) if held]
        self._assembly.call("split_levels", count, keys, first, starts, other)
        return other, spans

    def sorted(self, keys: Any, other: Any, count: int) -> Any:
        """Like `Worker.sorted`."""
        digits = -(-self._batches.layout.key_bits // sorting.DIGIT)
        is_moved = self._plainly("sort_keys", count, digits, keys, other, self._counts)
        return other if is_moved else keys

    def leave_out(self, count: int, keys: Any, many: int, known: Any) -> int:
        """Like `Worker.leave_out`."""
        return self._plainly("leave_out", count, keys, many, known)

    # --- blocks -------------------------------------------------------------------------------

    def put_keys(self, keys: Any, begin: int, count: int) -> Block:
        """Like `Worker.put_keys`."""
        width = self._batches.width
        words = self._plainly("put_keys", begin, count, keys, self._differences)
        first = tuple(keys[begin * width : (begin + 1) * width])
        return Block(count, first, tuple(self._differences.sizes), self._planes[:words].tobytes())

    def take_keys(self, block: Block, keys: Any, begin: int) -> None:
        """Like `Worker.take_keys`."""
        width = self._batches.width
        self._take_words(block)
        for place, size in enumerate(block.sizes):
            self._differences.sizes[place] = size
        for place, number in enumerate(block.first):
            keys[begin * width + place] = number
        if self._plainly("take_keys", begin, block.count, keys, self._differences) < 0:
            raise SolutionFileError("a layer has keys that cannot be")

    def put_codes(self, codes: Any, count: int) -> Block:
        """Like `Worker.put_codes`."""
        size = self._plainly("put_planes", count, codes, self._planes, 0)
        words = size * -(-count // NUMBER)
        return Block(count, (), (size,), self._planes[:words].tobytes())

    def take_numbers(self, block: Block, numbers: Any) -> None:
        """Like `Worker.take_numbers`."""
        self._take_words(block)
        self._plainly("take_planes", block.count, block.sizes[0], numbers, self._planes, 0)

    def take_codes(self, block: Block, codes: Any) -> None:
        """Like `Worker.take_codes`."""
        self.take_numbers(block, codes)
        batches, count = self._batches, block.count
        most = batches.lengths << batches.bits
        endless = batches.endless_code
        if not self._assembly.call(
            "are_codes", count, codes, most, batches.bits, len(batches.rows), endless
        ):
            raise SolutionFileError("a layer has codes that cannot be")

    def _take_words(self, block: Block) -> None:
        words = memoryview(block.content).cast("q")
        memoryview(self._planes)[: len(words)] = words

    # --- backward -----------------------------------------------------------------------------

    def load(self, keys: Any, codes: Any, count: int, table: Any) -> None:
        """Like `Worker.load`."""
        self._assembly.call("load", 0, count, keys, codes, table, self._buckets)

    def look_up(self, keys: Any, count: int, codes: Any, table: Any) -> None:
        """Like `Worker.look_up`."""
        if self._assembly.call("look_up", 0, count, keys, codes, table, self._buckets):
            self._checked(kernel.LOST)

    def settle(self, keys: Any, begin: int, end: int, codes: Any, answers: Answers) -> int:
        """Like `Worker.settle`."""
        arrays, parts = self._settling(keys, codes, answers)
        if answers.parts is None:
            return self._checked(self._assembly.call("settle", begin, end, arrays, self._notes))
        at = self._assembly.call("settle_asked", begin, end, arrays, parts, self._notes)
        return self._checked(at)

    def ask(self, keys: Any, begin: int, end: int, parts: Parts, least: int = 1) -> int:
        """Like `Worker.ask`."""
        arrays, asked = self._settling(keys, self._nothing, Answers(None, parts))
        at = self._assembly.call("ask", begin, end, least, arrays, asked, self._notes)
        return self._checked(at)

    # --- tiers --------------------------------------------------------------------------------

    def link(
        self,
        tier: KernelTier,
        keys: Any,
        places: tuple[int, int, int],
        answers: Answers,
        ways: Parts,
    ) -> int:
        """Like `Worker.link`."""
        arrays, parts = self._settling(keys, self._nothing, answers)
        at = self._assembly.call(
            "link", *places, arrays, tier.arrays, parts, arrays_of(ways), self._notes
        )
        return self._checked(at)

    def finish(self, tier: KernelTier, keys: Any, begin: int, count: int, codes: Any) -> None:
        """Like `Worker.finish`."""
        arrays, _ = self._settling(keys, codes, Answers(None))
        endless = self._batches.endless_code
        at = self._assembly.call(
            "finish_codes", 0, count, begin, endless, arrays, tier.arrays, self._notes
        )
        if at < count:
            raise UnsupportedGameError(
                "play can return, and the rules do not say what endless play is worth",
                "say it: `endless: draw`",
            )

    # --- verification -------------------------------------------------------------------------

    def odd_key(self, keys: Any, count: int, level: int) -> int:
        """Like `Worker.odd_key`."""
        return self._assembly.call("check_keys", count, keys, level, self._children)

    def confirm(
        self, keys: Any, begin: int, end: int, codes: Any, answers: Answers
    ) -> tuple[int, bool]:
        """Like `Worker.confirm`."""
        if self._worths is None:
            self._worths = self._batches.worths
        arrays, parts = self._settling(keys, codes, answers)
        at = self._assembly.call("confirm", begin, end, arrays, parts, self._worths, self._notes)
        return (self._notes.at, True) if at < 0 else (at, False)

    def _settling(
        self, keys: Any, codes: Any, answers: Answers
    ) -> tuple[kernel.SettleArrays, kernel.PartArrays]:
        batches = self._batches
        if not len(self._tallies):
            self._take_payoffs()
            self._notes.bits = batches.bits
            self._tallies = self._assembly.row(batches.lengths * len(batches.rows))
        arrays = kernel.SettleArrays(
            keys=keys,
            codes=codes,
            table=self._nothing if answers.table is None else answers.table,
            children=self._children,
            buckets=self._buckets,
            actions=self._actions,
            payoffs=self._payoffs,
            asked=self._asked,
            preferences=batches.preferences,
            tallies=self._tallies,
        )
        parts = answers.parts
        return arrays, self._no_parts if parts is None else arrays_of(parts)

    def take_tallies(self) -> list[int]:
        """The counts of states by plies + 1 and payoff, which begin anew."""
        batches = self._batches
        counted = list(self._tallies) or [0] * (batches.lengths * len(batches.rows))
        self._tallies = self._assembly.row(0)
        return counted


def _digit_of(quantity: Quantity) -> int | None:
    """The digit that a quantity counts; None for a sum."""
    return None if quantity.value is None else quantity.variable.domain.position(quantity.value)


def refuse(engine: CompiledEngine) -> None:
    """Raise UnsupportedGameError if the rules alone exclude solving by layers."""
    advice = "leave out --out-of-core"
    reason = transposition_table.refusal(engine, any_values=True)
    if reason is not None:
        raise UnsupportedGameError(str(reason), advice)
    if not engine.model.facts.pays_at_the_end:
        raise UnsupportedGameError("layers hold how play ends, not what is paid on the way", advice)
