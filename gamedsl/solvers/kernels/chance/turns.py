"""Solve games with uniform turns turn by turn, by a kernel.

In: a game with chance, of one player or of two players with opposed interests, with a compiled
engine, and a state. Out: `SolvedPositions`: for every reachable state the value of best play,
within an error bound. The turn is explored once (`turn_template`), however often it is played;
`turns_kernel` numbers and values the states between turns. Raises UnsupportedGameError if the rules
do not divide into turns, or play can return.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.native import signed
from gamedsl.compiler.packed_state import PackedState
from gamedsl.compiler.records import Rows
from gamedsl.compiler.state_words import Words
from gamedsl.game.accelerator import NO_LIMITS, Refusal, SearchLimits, SolvedChance, SolvedPositions
from gamedsl.model import State, UnsupportedGameError
from gamedsl.model.rewriting.turns.splits import TurnSplit, turn_splits
from gamedsl.solvers.graphs.graph import OutOfBudgetError, OutOfMemoryError, Vector
from gamedsl.solvers.kernels.assembly import Assembly
from gamedsl.solvers.kernels.chance import turns_kernel as kernel
from gamedsl.solvers.kernels.chance.turn_template import (
    CHANCE,
    CHOICE,
    END,
    Template,
    TemplateSearch,
    masks_of,
    quick_words,
)
from gamedsl.solvers.kernels.functions.turns import turn_definitions
from gamedsl.solvers.kernels.memory import NUMBER
from gamedsl.solvers.memory import usable_bytes

FIRST_TURNS = 1 << 12
FIRST_WAITING = 1 << 14
SLICE = 2_000
"""Turns visited in one slice of work."""
LARGEST_SUM = 1 << 60
"""Maximal number of units of a sum of products, needed for means."""
ROOM_ABOVE = 16
"""Initial bits for the integer part of payoffs; larger payoffs leave fewer bits for fractions."""
COARSEST = 1 << 30
"""Minimal number of units per payoff of 1."""
MOST_BEGINNINGS = 24
"""Maximal number of states in which turns begin."""
TOLERANCE = Fraction(1, 10**9)
"""The greatest error of a value, in units of payoff."""
REFUSALS = {
    kernel.RETURNS: "play can return to an earlier turn",
    kernel.STUCK: "somebody cannot move",
    kernel.UNOPPOSED: "what one player wins the other need not lose",
}
FACTS, EDGE = len(kernel.Turn.FIELDS), len(kernel.Edge.FIELDS)
"""Numbers of a turn, and of an edge."""


def refusal(engine: CompiledEngine) -> Refusal | None:
    """Why the rules alone exclude the algorithm; None if the rules do not."""
    if not engine.model.facts.has_chance:
        return Refusal("there is no chance in it")
    if len(engine.players) > 2:
        return Refusal("turns are solved for one player or two")
    if engine.generated.layout.widest > WORD:
        return Refusal("states are too large")
    if not turn_splits(engine.model):
        return Refusal("no part of the state stays as it is within a turn")
    return None


class KernelTurns:
    """Solving one game turn by turn."""

    def __init__(
        self, engine: CompiledEngine, *, native: bool = True, folder: Path | None = None
    ) -> None:
        reason = refusal(engine)
        if reason is not None:
            raise UnsupportedGameError(str(reason), "let another solver choose itself")
        self._engine, self._native, self._folder = engine, native, folder

    def solve(self, root: State, limits: SearchLimits = NO_LIMITS) -> SolvedPositions:
        """Solve all states reachable from a state that is not terminal.

        Raises UnsupportedGameError if turns are not uniform, or play returns; OutOfBudgetError,
        OutOfMemoryError; GameRuleError if the rules fail.
        """
        refusals = []
        for split in turn_splits(self._engine.model):
            try:
                search = TemplateSearch(self._engine, split, limits.progress)
                search.begin_at(root)
            except UnsupportedGameError as refusal:
                refusals.append(refusal)
                continue
            return self._solved(root, split, search, limits)
        raise refusals[-1]

    def _solved(
        self, root: State, split: TurnSplit, search: TemplateSearch, limits: SearchLimits
    ) -> SolvedPositions:
        assembly = Assembly(
            self._engine,
            (kernel.solve_turns, kernel.begin_turns, kernel.enter_all, kernel.number_of),
            turn_definitions(
                self._engine, masks_of(self._engine, split), ends_by_slow=split.ends_by_slow
            ),
            native=self._native,
            folder=self._folder,
            in_slices=True,
        )
        denominator, above = 1, ROOM_ABOVE
        for _ in range(2 * MOST_BEGINNINGS):
            run = TurnsRun(assembly, split, search.template(), limits)
            run.set_unit(denominator, above)
            status = run.run(root)
            if status == kernel.DONE:
                if run.is_stranded:
                    raise UnsupportedGameError("somebody cannot move")
                return run.positions()
            if status == kernel.NEW_ENTRY:
                if len(run.template.entries) == MOST_BEGINNINGS:
                    break
                search.begin_at(run.new_entry_state(root))
            elif status == kernel.UNFIT:
                denominator = lcm(denominator, run.notes.per)
            elif status == kernel.LARGE:
                above += 6
            else:
                raise UnsupportedGameError(REFUSALS[status])
        raise UnsupportedGameError("turns begin in too many ways")


class TurnsRun:
    """Solving one game: the arrays of the kernel.

    Attributes:
        template: the turn; notes: the notes of the kernel.
    """

    def __init__(
        self, assembly: Assembly, split: TurnSplit, template: Template, limits: SearchLimits
    ) -> None:
        self._assembly, self.template, self._limits = assembly, template, limits
        engine = assembly.engine
        self._engine, self._masks = engine, masks_of(engine, split)
        self._slow_words = [word for word, mask in enumerate(self._masks) if mask]
        self._most_bytes = usable_bytes() if limits.bytes is None else limits.bytes
        self.notes = assembly.record(kernel.TurnNotes)
        self._noted = assembly.rows(kernel.Payoff, kernel.MOST_PAYOFFS)
        self._width = len(self._slow_words)
        self._room = FIRST_TURNS
        self._table = kernel.TurnTable(
            keys=assembly.zeros(self._room * self._width),
            slots=assembly.zeros(4 * self._room),
            facts=Rows(kernel.Turn, assembly.zeros(self._room * FACTS)),
            values=assembly.zeros(self._room * len(template.entries)),
            stack=assembly.zeros(FIRST_WAITING),
        )
        self._least = min(
            len(template.reached_from([entry], passes_choices=True)) for entry in template.entries
        )
        self._turn = self._laid_out()

    def _laid_out(self) -> kernel.TurnTemplate:
        """The template as arrays, without nodes and edges, which have payoffs and rewards."""
        template, engine = self.template, self._engine
        actions, row_of = engine.model.facts.action_count, self._assembly.row_of
        rows, classes = [], row_of([-1] * (actions * len(template.examples)))
        for place, (node, members) in enumerate(template.examples):
            rows += self._quick(template.nodes[node].state)
            for action, class_number in members.items():
                classes[place * actions + action] = class_number
        nodes = [template.nodes[number] for number in template.entries]
        exits, listed = list[int](), list[int]()
        for turn, exit_classes in template.exits:
            exits += [len(listed), -1 if turn else 1, 0]
            listed += exit_classes
        return kernel.TurnTemplate(
            examples=row_of(rows),
            class_of=classes,
            entries=row_of(word for node in nodes for word in self._quick(node.state)),
            entry_nodes=row_of(template.entries),
            class_values=row_of([0] * template.classes),
            exits=Rows(kernel.Exits, row_of([*exits, len(listed), 0, 0])),
            exit_classes=row_of(listed),
            nodes=Rows(kernel.Node, row_of([])),
            edges=Rows(kernel.Edge, row_of([])),
            node_values=row_of([0] * len(template.nodes)),
            actions=row_of([0] * (actions + 1)),
            row=row_of([0] * (len(self._masks) + engine.generated.saved)),
        )

    def set_unit(self, denominator: int, above: int) -> None:
        """Choose the number of units per payoff of 1, and convert payoffs and rewards; `above`:
        bits for the integer part of payoffs. Raises UnsupportedGameError if too few bits are left
        for fractions."""
        template = self.template
        denominator = lcm(denominator, template.denominator)
        largest = LARGEST_SUM // template.heaviest
        finest = (largest >> above) // denominator
        unit = denominator << max(0, finest.bit_length() - 1)
        if finest < 1 or unit < COARSEST:
            raise UnsupportedGameError("payoffs or weights are too large")
        self.notes.unit, self.notes.largest = unit, largest
        nodes, edges = list[int](), list[int]()
        for node in template.nodes:
            whole = 1 if node.turn == 0 else -1
            if node.kind == CHANCE:
                whole = sum(weight for _, weight, _ in node.edges)
            payoff = int(node.payoff * unit)
            nodes += [node.kind, len(edges) // EDGE, node.exits, whole, payoff]
            for child, weight, paid in node.edges:
                edges += [child, weight, int(paid * unit)]
        if any(abs(number) > largest for number in [*nodes, *edges]):
            raise UnsupportedGameError("payoffs are too large")
        nodes += [0, len(edges) // EDGE, -1, 0, 0]
        self._turn.nodes.row = self._assembly.row_of(nodes)
        self._turn.edges.row = self._assembly.row_of(edges)

    # --- arrays ----------------------------------------------------------------------------

    def _word(self, word: int) -> int:
        return signed(word) if self._assembly.native else word

    def _quick(self, state: State) -> list[int]:
        """The words of a state without slow variables, in the kernel's form."""
        return [self._word(word) for word in quick_words(self._engine.words_of(state), self._masks)]

    def _slow(self, state: State) -> list[int]:
        words = self._engine.words_of(state)
        return [self._word(words[word] & self._masks[word]) for word in self._slow_words]

    def _larger(self, array: Any, count: int) -> Any:
        larger = self._assembly.zeros(count)
        larger[: len(array)] = array
        return larger

    def _grow(self) -> None:
        """Make room for twice as many turns."""
        per_turn = self._width + FACTS + len(self.template.entries)
        needed = 2 * self._room * (per_turn + 4) + len(self._table.stack)
        if (needed + self._room * (per_turn + 4)) * NUMBER > self._most_bytes:
            raise OutOfMemoryError(self.notes.turns, needed * NUMBER)
        self._room *= 2
        table = self._table
        table.keys = self._larger(table.keys, self._room * self._width)
        table.facts.row = self._larger(table.facts.row, self._room * FACTS)
        table.values = self._larger(table.values, self._room * len(self.template.entries))
        table.slots = self._assembly.zeros(4 * self._room)
        self._assembly.call("enter_all", table.keys, table.slots, self.notes)

    # --- work ------------------------------------------------------------------------------

    def run(self, root: State) -> int:
        """Solve the turn of a state, and all reachable turns; returns a status."""
        slow = self._slow(root)
        self._table.keys[: len(slow)] = self._assembly.row_of(slow)
        self.notes.turns = 1
        self._assembly.call("enter_all", self._table.keys, self._table.slots, self.notes)
        self._table.stack[0], self.notes.waiting = 0, 1
        while True:
            status = self._take_slice(SLICE)
            if status == kernel.FULL:
                self._grow()
            elif status == kernel.HIGH:
                self._table.stack = self._larger(self._table.stack, 2 * len(self._table.stack))
            self._keep_to_limits()
            if status not in {kernel.FULL, kernel.HIGH, kernel.SLICED}:
                return status

    def _take_slice(self, most: int) -> int:
        return self._assembly.call(
            "solve_turns", most, self._table, self._turn, self._noted, self.notes
        )

    def _keep_to_limits(self) -> None:
        most, played = self._limits.positions, self.notes.played
        explored = self.notes.turns + played * (self._least - 1)
        if most is not None and explored > most:
            raise OutOfBudgetError(most, most, explored - most)
        if self._limits.progress is not None:
            self._limits.progress(explored, 0)

    def new_entry_state(self, root: State) -> State:
        """The unknown state in which a turn begins, with the slow variables of `root`, which is not
        terminal."""
        mask, slow = (1 << WORD) - 1, self._engine.words_of(root)
        words = tuple(
            word & mask | (slow[place] & self._masks[place] if place < len(self._masks) else 0)
            for place, word in enumerate(self._turn.row)
        )
        packing, waits = self._engine.packing, words[len(self._masks) :]
        pending = waits if waits and waits[0] else None
        return PackedState(packing, words, packing.turn_of(words), pending)

    # --- answers ---------------------------------------------------------------------------

    @property
    def is_stranded(self) -> bool:
        """Whether a player cannot move in a reachable state."""
        first: int = self._table.values[0]
        return first == kernel.STRANDED

    def positions(self) -> SolvedPositions:
        """The solved positions. Raises UnsupportedGameError if the rounding error is too large."""
        template, unit = self.template, self.notes.unit
        longest = self._table.facts[0].length
        roundings = template.roundings * longest
        error = Fraction(roundings, 2 * unit)
        if error > TOLERANCE:
            raise UnsupportedGameError("rounding leaves too much open")
        self._find_beginnings()
        counts = self._counts()
        most = self._limits.positions
        if most is not None and sum(counts.values()) > most:
            raise OutOfBudgetError(most, most, sum(counts.values()) - most)
        outcomes = frozenset(self._payoffs())
        answers = _Answers(self, self._engine, Fraction(roundings, 2), unit)
        chance = SolvedChance(counts[CHANCE], error, answers.choose, True, outcomes)
        return SolvedPositions(counts[CHOICE] + counts[END], counts[END], answers.look_up, chance)

    def _payoffs(self) -> list[Vector]:
        """The payoffs of ends; only some of them if there are many."""
        players = len(self._engine.players)
        payoffs = [node.payoff for node in self.template.nodes if node.kind == END]
        for place in range(min(self.notes.payoffs, kernel.MOST_PAYOFFS)):
            payoffs.append(Fraction(self._noted[place].share, self._noted[place].per))
        return [(payoff, -payoff)[:players] for payoff in payoffs]

    def _find_beginnings(self) -> None:
        """Find the states in which each turn begins: answers are restricted to reachable states."""
        facts, turns = self._table.facts, self.notes.turns
        if len(self.template.entries) == 1:
            for turn in range(turns):
                facts[turn].begun = 1
            return
        facts[0].begun = 1
        order = self._assembly.row_of(sorted(range(turns), key=lambda turn: -facts[turn].length))
        begun = self._assembly.row_of(self.template.class_beginnings())
        for first in range(0, turns, SLICE):
            self._assembly.call(
                "begin_turns", order, first, min(first + SLICE, turns), self._table,
                self._turn, begun,
            )  # fmt: skip
            self._keep_to_limits()

    def _counts(self) -> dict[int, int]:
        """Number of reachable states of each kind."""
        turns = map(self._table.facts.__getitem__, range(self.notes.turns))
        turns_by_entry = Counter((turn.begun, turn.over) for turn in turns)
        total = {CHANCE: 0, CHOICE: 0, END: 0}
        for (bits, is_over), count in turns_by_entry.items():
            for node in self._reached(bits, bool(is_over)):
                kind = self.template.nodes[node].kind
                total[END if is_over and kind == CHOICE else kind] += count
        return total

    def _reached(self, bits: int, is_over: bool) -> set[int]:
        entries = self.template.entries
        begun = [entry for place, entry in enumerate(entries) if bits >> place & 1]
        return self.template.reached_from(begun, passes_choices=not is_over)

    def value_in_turn(self, state: State) -> int | None:
        """The value of a state in units, rounded down; None if the state is not reachable."""
        words: Words = quick_words(self._engine.words_of(state), self._masks)
        node = self.template.number.get(words)
        row = self._assembly.row_of(self._slow(state))
        turn = self._assembly.call("number_of", row, 0, self._table.keys, self._table.slots)
        if node is None or turn < 0:
            return None
        facts = self._table.facts[turn]
        if node not in self._reached(facts.begun, bool(facts.over)):
            return None
        if self.notes.shown != turn:
            facts.mark = 0
            self._table.stack[0], self.notes.waiting = turn, 1
            status = self._take_slice(1)
            assert status == kernel.DONE, "the turns that follow are solved"
        value: int = self._turn.node_values[node]
        return value


class _Answers:
    """Answers to questions about states of a solved game."""

    def __init__(self, run: TurnsRun, engine: CompiledEngine, middle: Fraction, unit: int) -> None:
        self._run, self._engine, self._middle, self._unit = run, engine, middle, unit

    def look_up(self, state: State) -> tuple[Vector, int | None] | None:
        """Like `SolvedPositions.look_up`."""
        value = self._run.value_in_turn(state)
        if value is None:
            return None
        payoff = (value + self._middle) / self._unit
        return (payoff, -payoff)[: len(self._engine.players)], None

    def choose(self, state: State) -> int | None:
        """Like `SolvedChance.choose`."""
        engine = self._engine
        if state.pending is not None or engine.is_terminal(state):
            return None
        payoffs = []
        for action in engine.legal_actions(state):
            answer = self.look_up(engine.result(state, action))
            assert answer is not None, "all that follows is solved"
            payoffs.append(answer[0][state.turn] + engine.rewards(state, action)[state.turn])
        return payoffs.index(max(payoffs))
