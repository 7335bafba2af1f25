"""List all states of a game, with what each player sees, by machine code.

In: a compiled engine. Out: `ListedStates`. The masks of what a player sees follow from the layout
of states in words.
"""

from __future__ import annotations

from array import array

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.values import INT, ROW, name
from gamedsl.compiler.layout import TURN, WORD, Digits, Layout, Planes
from gamedsl.compiler.native import signed, unsigned
from gamedsl.compiler.packed_state import PackedState
from gamedsl.game.accelerator import ListedStates, SearchLimits
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.graphs.graph import OutOfHistoriesError, OutOfMemoryError
from gamedsl.solvers.histories import pairs_kernel
from gamedsl.solvers.interruptible import interruptible
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.functions.payoffs import share_titles
from gamedsl.solvers.kernels.functions.standard import game_words, largest_event, row_definitions
from gamedsl.solvers.kernels.listing import listing_kernel
from gamedsl.solvers.kernels.memory import NUMBER, zeros

ROW_, PLACE = name("row", ROW), name("place", INT)
AT_ONCE = 20_000
"""States between two reports of progress."""
MOST_STATES = 20_000_000
NUMBERS_A_STATE = 100
"""Numbers in all arrays per state, with its edges and chains, at most in the mean."""
EDGES_A_STATE = 8
PAIRS_A_STATE = 12
FEWEST_PAIRS = 1_000_000
"""Room for pairs in small listings, whose states may need more than in the mean."""
SHAPES = {
    "movers": (1, 0), "firsts": (1, 0), "totals": (1, 0), "views": (0, 1), "widths": (0, 1),
    "choices": (0, 1),
}  # fmt: skip
"""Numbers per state: a constant, and a multiple of the players."""
EDGE_SHAPES = {"nexts": (1, 0), "weights": (1, 0), "heard": (0, 1)}


def list_states(engine: CompiledEngine, limits: SearchLimits) -> ListedStates:
    """All states reachable from the first state.

    Raises:
        UnsupportedGameError: the kernel does not apply to the game.
        OutOfHistoriesError: there are more than `limits.positions` states.
        OutOfMemoryError: the states do not fit in `limits.bytes`.
        GameRuleError: the rules fail.
    """
    facts = engine.model.facts
    if facts.is_simultaneous or facts.repeats or engine.generated.layout.widest > WORD:
        raise UnsupportedGameError("states of short words are listed, where one moves at a time")
    return _Listing(engine, limits).run()


class _Listing:
    def __init__(self, engine: CompiledEngine, limits: SearchLimits) -> None:
        self._engine, self._limits = engine, limits
        self._players = len(engine.players)
        self._words = engine.generated.words + engine.generated.saved
        most = MOST_STATES if limits.bytes is None else limits.bytes // (NUMBERS_A_STATE * NUMBER)
        self._room = min(most, MOST_STATES, limits.positions or most)
        margin = engine.model.facts.action_count + largest_event(engine) + 2
        states = self._room + margin
        edges = max(self._room * EDGES_A_STATE, FEWEST_PAIRS) + margin
        self._states, self._edges = states, edges
        links = listing_kernel.LINKS * self._words * (self._players + margin) + margin
        pairs = max(self._room * PAIRS_A_STATE, FEWEST_PAIRS) + links
        notes = pairs_kernel.PairNotes(array("q", bytes(NUMBER * 2)))
        notes.mask = 63
        self._pairs = pairs_kernel.Pairs(
            slots=zeros(1 << (4 * pairs).bit_length()),
            parts=zeros(2 * pairs), notes=notes,
        )  # fmt: skip
        shapes = {name: states * _size(shape, self._players) for name, shape in SHAPES.items()}
        shapes |= {n: edges * _size(shape, self._players) for n, shape in EDGE_SHAPES.items()}
        self._listing = listing_kernel.Listing(
            words=zeros(states * self._words),
            state_of=zeros(pairs),
            **{name: zeros(size) for name, size in shapes.items()},
            codes=zeros(edges),
            paid=zeros(states * (self._players + 1)),
            masks=array("q", map(signed, _masks(engine))),
            told=array("q", _told(engine)),
            notes=listing_kernel.ListingNotes(array("q", bytes(NUMBER * 3))),
        )

    def run(self) -> ListedStates:
        """List the states."""
        engine, listing, notes = self._engine, self._listing, self._listing.notes
        kernels = (listing_kernel.list_first, listing_kernel.list_states)
        assembly = Assembly(engine, kernels, self._definitions(), native=True, in_slices=True)
        words = engine.words_of(engine.initial_state())
        listing.words[: self._words] = array("q", map(signed, words))
        actions = array("q", bytes(NUMBER * (engine.model.facts.action_count + 1)))
        assembly.call("list_first", listing, self._pairs)
        arguments = AT_ONCE, self._states, self._edges, listing, self._pairs, actions
        status = listing_kernel.MORE
        while status == listing_kernel.MORE:
            status = interruptible(lambda: assembly.call("list_states", *arguments))
            if self._limits.progress is not None:
                self._limits.progress(notes.next, notes.used - notes.next)
        if status == listing_kernel.FULL:
            if notes.used >= self._room == self._limits.positions:
                raise OutOfHistoriesError(self._room, notes.used)
            raise OutOfMemoryError(notes.used, self._room * NUMBERS_A_STATE * NUMBER)
        return self._listed()

    def _listed(self) -> ListedStates:
        listing, players = self._listing, self._players
        states, edges = listing.notes.used, listing.notes.edges
        sizes = {name: states * _size(shape, players) for name, shape in SHAPES.items()}
        sizes |= {name: edges * _size(shape, players) for name, shape in EDGE_SHAPES.items()}
        sizes["firsts"] += 1
        arrays = {
            name: array("q", getattr(listing, name)[:size].tobytes())
            for name, size in sizes.items()
        }
        return ListedStates(arrays, listing.paid, listing.codes, self._state)

    def _state(self, number: int) -> State:
        engine, width = self._engine, self._words
        row = self._listing.words[number * width : (number + 1) * width]
        words = tuple(unsigned(word) for word in row)
        standing = words[engine.generated.words :]
        pending = standing if any(standing[:1]) else None
        return PackedState(engine.packing, words, engine.packing.turn_of(words), pending)

    def _definitions(self) -> Definitions:
        """The functions that move states between arrays and words."""
        words = game_words(self._engine)
        put_end = FunctionBuilder("put_end", *words, ROW_, PLACE)
        paid = put_end.results(share_titles(self._engine), "end", *words)
        with put_end.when(paid[0].ne(0)):
            for n, share in enumerate(paid):
                put_end.store(ROW_, PLACE + n, share)
        put_end.give(paid[0])
        return Definitions(functions=(put_end.function,)) | row_definitions(self._engine)


def _size(shape: tuple[int, int], players: int) -> int:
    return shape[0] + shape[1] * players


def _told(engine: CompiledEngine) -> list[int]:
    """What opponents hear of each action: the action, or the name of a secret move."""
    moves = engine.model.moves
    names = sorted({move.name for move in moves})
    count = engine.model.facts.action_count
    told = list(range(count))
    for move in moves:
        if move.is_secret:
            for action in range(move.first_id, move.first_id + move.size):
                told[action] = count + names.index(move.name)
    return told


def _masks(engine: CompiledEngine) -> list[int]:
    """The bits of each word that a player sees, for each player; then all bits."""
    layout, saved = engine.generated.layout, engine.generated.saved
    rows = [[*visible(layout, player), *[0] * saved] for player in range(len(engine.players))]
    whole = [(1 << WORD) - 1] * (layout.words + saved)
    return [mask for row in (*rows, whole) for mask in row]


def visible(layout: Layout, player: int) -> list[int]:
    """The bits of each word that a player sees: the turn, public cells and the player's cells."""
    masks = [0] * layout.words
    turn = layout.field(TURN)
    masks[turn.word] |= turn.mask << turn.shift
    for place in layout.places:
        for cell in range(place.variable.size):
            if place.variable.is_seen(cell, player):
                for word, bits in _bits_of(layout, place, cell):
                    masks[word] |= bits
    return masks


def _bits_of(layout: Layout, place: Planes | Digits, cell: int) -> list[tuple[int, int]]:
    """Words, and the bits in them, that hold a cell."""
    if isinstance(place, Planes):
        fields = [layout.field(name) for _, name in place.names]
        return [(field.word, 1 << (field.shift + cell)) for field in fields]
    field = layout.field(place.names[cell // place.per_chunk])
    shift = field.shift + cell % place.per_chunk * place.bits
    return [(field.word, ((1 << place.bits) - 1) << shift)]
