"""Outcome sampling by a kernel: strategies where information is hidden, or all choose at once.

In: a game of any number of players that pays at the end, with a compiled engine; a play. Out:
`KernelOutcomeSampling`, which simulates plays in slices, and reports the mean strategy of the
players to choose. The answer depends only on what the player has observed, the seed and the number
of simulations. Strategies are kept from play to play. Plain Python and native code give equal
strategies.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, log2
from typing import Any

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.statements import Function
from gamedsl.compiler.ir.values import INT, integer, mixed, name
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.records import Rows
from gamedsl.game.accelerator import Refusal, SampledStrategy, SearchLimits
from gamedsl.game.contract import History
from gamedsl.model import CHANCE, SIMULTANEOUS, State
from gamedsl.model.action_names import move_of
from gamedsl.solvers.kernels import playouts
from gamedsl.solvers.kernels.assembly import Kernels
from gamedsl.solvers.kernels.functions.standard import game_words
from gamedsl.solvers.kernels.listing.listing import visible
from gamedsl.solvers.kernels.search import outcome_sampling_kernel as kernel
from gamedsl.solvers.kernels.search.kernel_search import KernelSearch

PAYOFF_BITS = 20
"""Payoffs are numbers of so many bits."""
BYTES = 400_000_000
"""Memory for strategies, unless limited. The operating system provides memory when it is used."""
CHOICES_A_SET = 4
"""Room for choices, on average."""
IN_PYTHON = 1 << 14
"""Greatest number of information sets in Python."""
EXPLORING = 0.25
"""Share of the exploring player's choices that are random."""
TARGETED = 2
"""Of four simulations, the number of targeted ones."""
LEAST_CHANCE = 10
"""A goal with a probability below 2^-LEAST_CHANCE counts as if it had this probability."""
TRIES, TRIES_IN_PYTHON = 20_000, 500
"""Attempts by which the probability of the goal is measured, at most."""
AT_ONCE, AT_ONCE_IN_PYTHON = 1000, 20
"""Attempts in a slice."""
MEASURED = 20
"""Attempts that reach the goal, after which the probability is known well enough."""
LONGEST_PATH = 1 << 10
PLAYER = name("player", INT)


class KernelOutcomeSampling(KernelSearch):
    """The strategies of one game."""

    def _refusal(self, engine: CompiledEngine) -> Refusal | None:
        return refusal(engine)

    def _code(self, engine: CompiledEngine) -> tuple[Kernels, Definitions]:
        self._unit = _unit(engine)
        return (kernel.sample, kernel.find_set, kernel.seek_goal), _definitions(engine, self._unit)

    def _reserve(self, limits: SearchLimits) -> None:
        a_set = len(kernel.InformationSet.FIELDS) + CHOICES_A_SET * len(kernel.Choice.FIELDS) + 2
        self._sets = max(2, self._room(limits, a_set, BYTES, IN_PYTHON))
        self._root: State | None = None
        self._observed: tuple[int, ...] = ()
        self._hopes = self._assembly.row(kernel.HOPES)
        self._strategies: tuple[Any, ...] = ()

    def start(
        self,
        history: History,
        player: int,
        seed: int,
        longest: int,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """Make what a player knows after a play the goal. The player is to choose after the play.

        Args:
            longest: plies after which a simulation is broken off.
            until: asked between attempts to reach the goal; True ends them.
        """
        root = history[0][0]
        if self._root is None or (root != self._root and not self._serve()):
            self._strategies = self._no_strategies()
        self._root = root
        self._seed, self._longest, self._player = seed, longest, player
        self._words = self._assembly.words(root)
        before = self._observed
        self._arrays = self._made(root, longest, len(history))
        self._observe(history, player)
        if before != self._observed[: len(before)]:
            self._arrays.hopes[:] = self._assembly.row(kernel.HOPES)
        self._measure(until)

    def _serve(self) -> bool:
        """Whether the strategies found from another first state serve: keys are states, and there
        is room."""
        has_room: bool = self._strategies[-1].sets < self._sets // 2
        return has_room and not self._engine.model.facts.has_secrets

    def _no_strategies(self) -> tuple[Any, ...]:
        slots, row = 1 << self._sets.bit_length(), self._assembly.zeros
        sets = Rows(kernel.InformationSet, row(self._sets * len(kernel.InformationSet.FIELDS)))
        choices = Rows(kernel.Choice, row(self._sets * CHOICES_A_SET * len(kernel.Choice.FIELDS)))
        notes = self._assembly.record(kernel.SampleNotes)
        notes.sets = notes.choices = 1
        notes.mask = slots - 1
        return row(slots), sets, choices, notes

    def _made(self, root: State, longest: int, steps: int) -> kernel.SampleArrays:
        row, facts = self._assembly.row, self._engine.model.facts
        players, actions = len(self._engine.players), facts.action_count + 1
        past, self._length = self._assembly.past(
            root, (2 * longest + steps + LONGEST_PATH) * facts.repeats
        )
        slots, sets, choices, notes = self._strategies
        return kernel.SampleArrays(
            slots=slots, sets=sets, choices=choices,
            keys=row(players), seen=row(players), counts=row(players), fresh=row(players),
            strategy=row(actions), worths=row(actions), chosen=row(players),
            path=row(kernel.PATH * LONGEST_PATH),
            hopes=self._hopes, walk=row(LONGEST_PATH),
            observed=row(2 * steps + 2), forced=row((2 * steps + 2) * players),
            play=playouts.playout_arrays(self._assembly, past), notes=notes,
        )  # fmt: skip

    def _observe(self, history: History, player: int) -> None:
        """Note the keys of a player along a play."""
        arrays, call, engine = self._arrays, self._assembly.call, self._engine
        call("know_nothing", self._words, arrays)
        self._note(player)
        for (state, action), (after, _) in pairwise(history):
            mover = engine.current_player(state)
            if mover != CHANCE:
                if isinstance(action, tuple):
                    for who, code in enumerate(action):
                        arrays.chosen[who] = code
                        arrays.forced[arrays.counts[player] * len(action) + who] = code
                else:
                    arrays.chosen[mover] = action
                call("hear_all", -1 if mover == SIMULTANEOUS else int(mover), arrays)
                self._note(player)
            call("see_all", self._assembly.words(after), arrays)
            self._note(player)
        self._keys = tuple(arrays.keys)
        self._observed = tuple(arrays.observed[: arrays.counts[player] + 1])
        arrays.notes.player, arrays.notes.goal = player, arrays.counts[player]
        self._movers = (
            range(len(engine.players))
            if engine.current_player(history[-1][0]) == SIMULTANEOUS
            else (player,)
        )

    def _note(self, player: int) -> None:
        self._arrays.observed[self._arrays.counts[player]] = self._arrays.keys[player]

    def _measure(self, until: Callable[[], bool]) -> None:
        """Measure the probability of the goal, and set the share and the weight of targeted
        simulations."""
        notes, call = self._arrays.notes, self._assembly.call
        notes.arrived = notes.failed = notes.usual = tries = arrived = 0
        most, total = TRIES if self._native else TRIES_IN_PYTHON, 0.0
        at_once = AT_ONCE if self._native else AT_ONCE_IN_PYTHON
        while tries < most and arrived < MEASURED and not (tries and until()):
            left = min(most - tries, at_once)
            tries += call(
                "seek_goal", self._words, self._seed + 1, tries, left, self._arrays, self._length
            )
            arrived += notes.ratio > 0
            total += notes.ratio * 2.0 ** -(kernel.RATIO + notes.exponent)
        chance = total / tries
        self.is_reached = arrived > 0
        notes.targeted = 4 if chance > 0.99 else TARGETED if arrived else 0
        notes.scale = max(0, floor(-log2(chance)) - LEAST_CHANCE) if arrived else 0
        notes.exploring = int(EXPLORING * kernel.FULL)

    def run(self, plays: int) -> int:
        """Simulate plays; returns their number."""
        self._assembly.call(
            "sample", self._words, self._seed, plays, self._longest, self._arrays, self._length
        )
        return plays

    def report(self) -> tuple[SampledStrategy, ...]:
        """The strategies after the play: of the player, or of all players if all choose."""
        return tuple(self._report(player) for player in self._movers)

    def _report(self, player: int) -> SampledStrategy:
        arrays = self._arrays
        place = self._assembly.call("find_set", self._keys[player], arrays)
        if not place:
            return SampledStrategy(player, (), (), 0)
        known = arrays.sets[place]
        choices = [arrays.choices[known.first + place] for place in range(known.count)]
        shares = [choice.share for choice in choices]
        if not any(shares):
            shares = [choice.regret for choice in choices]
        if not any(shares):
            shares = [1] * known.count
        return SampledStrategy(
            player,
            tuple(Fraction(share, sum(shares)) for share in shares),
            tuple(
                Fraction(choice.total, choice.weight * self._unit) if choice.weight else None
                for choice in choices
            ),
            known.visits,
        )


def refusal(engine: CompiledEngine) -> Refusal | None:
    """Why the rules alone exclude the search; None if the rules do not."""
    facts = engine.model.facts
    if not facts.pays_at_the_end:
        return Refusal("strategies are sampled where play pays at its end alone")
    if engine.generated.layout.widest > WORD:
        return Refusal("strategies are sampled on states of short words")
    if max(map(abs, facts.utility_bounds)) >= 1 << PAYOFF_BITS:
        return Refusal("payoffs are too large")
    return None


def _unit(engine: CompiledEngine) -> int:
    most = max(map(abs, engine.model.facts.utility_bounds))
    return (1 << PAYOFF_BITS) // max(1, ceil(most))


def _definitions(engine: CompiledEngine, unit: int) -> Definitions:
    """The constants of `abi` for the kernel."""
    facts, moves = engine.model.facts, engine.model.moves
    cut = facts.endless or (sum(facts.utility_bounds, Fraction(0)) / 2,) * len(engine.players)
    concealed = tuple(
        moves.index(move_of(moves, action)) + 1 if engine.is_secret(action) else 0
        for action in range(facts.action_count)
    )
    constants = Definitions(
        {
            "UNIT": unit,
            "ESTIMATES": False,
            "RECORDS": False,
            "LEARNS": False,
            "PAYS": False,
            "ENDLESS": tuple(floor(payoff * unit) for payoff in cut),
            "CONCEALED": concealed or (0,),
            "RECALLS": facts.has_secrets,
        },
        (_sight(engine),),
    )
    return constants | playouts.foresight_definitions(engine, foresees=False)


def _sight(engine: CompiledEngine) -> Function:
    """`sight(player, *state)`: a hash of what a player sees."""
    words, layout = game_words(engine), engine.generated.layout
    f = FunctionBuilder("sight", PLAYER, *words)
    for player in range(len(engine.players)):
        with f.when(PLAYER.eq(player)):
            high, low = integer(1), integer(2)
            for word, mask in zip(words, visible(layout, player), strict=False):
                if mask:
                    high, low = mixed(high, word & mask), mixed(low, word & mask)
            f.give((high << 31) | low)
    f.give(0)
    return f.function
