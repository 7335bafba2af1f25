"""Verification of a saved solution: values are compared with the values of successor states.

The check uses only the rules in the file and no part of a solver. All positions of a folder of
layers are checked by machine code (`confirmation`). A `Verification` states the
extent and the first error.

Without chance, a check of all states is a proof. A terminal state's value is the payoffs of the
rules. The player to move gets the payoff of the best action. If play ends, a best action leads to a
state one ply nearer to the end, and for a player who delays no best action leads farther from the
end; play by such actions therefore ends with the claimed payoffs. If play is endless, a best action
leads to endless play, and only the value of endless play may lack a length. With chance, the check
shows that values agree with successors' values within the error; if play can return to a state,
agreement alone is no proof.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice

from gamedsl.archive.confirmation import batches_of, fault_in
from gamedsl.archive.rules import is_position
from gamedsl.archive.saved import SavedSolution
from gamedsl.game.accelerator import NO_LIMITS, Progress, SearchLimits
from gamedsl.game.batches import Batches
from gamedsl.game.game import LoadedGame
from gamedsl.game.stored_facts import SolutionFileError
from gamedsl.model.state import CHANCE, State
from gamedsl.solvers.exact.constant_sum import delays, neutral_payoff
from gamedsl.solvers.graphs.graph import Vector, opening_events
from gamedsl.solvers.shards.ranks import ALONE, Ranks
from gamedsl.solvers.solved_table import (
    SolvedTable,
    paid_before,
    paid_by_step,
)
from gamedsl.source.records import dataclass

REPORT_EVERY = 256
AS_MANY_AS = 100_000
"""Positions verified by default."""
Answer = tuple[Vector, int | None]
"""Payoffs and plies of best play from a state."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The extent and result of a verification.

    Attributes:
        looked_at: number of states checked.
        of: number of states in the file by the file's own count, chance events included.
        fault: the first error, in one sentence; None without an error.
        state: the state of the error.
    """

    looked_at: int
    of: int
    fault: str | None = None
    state: State | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every state was checked."""
        return self.looked_at == self.of


def verify_solution(
    saved: SavedSolution,
    *,
    most: int | None = None,
    seed: int = 0,
    limits: SearchLimits = NO_LIMITS,
    ranks: Ranks = ALONE,
) -> Verification:
    """Check all states of a saved solution, or a random sample of `most` states.

    Args:
        limits: progress; memory and threads for all positions of a folder.
        ranks: the processes that share all positions of a folder, which all make this call; the
            result is that of process 0.

    Raises SolutionFileError if a part of the file is damaged, GameRuleError if the rules fail.
    """
    if ranks.rank == 0:
        saved.check()
    ranks.gather(None)  # the files are whole
    if saved.layers and (most is None or most >= len(saved.table)):
        batches = batches_of(saved)
        if batches is not None:
            return _verify_layers(saved, batches, limits, ranks)
    if ranks.rank:
        return Verification(0, len(saved.table))
    progress = limits.progress
    return verify_table(saved.solved, saved.table, most=most, seed=seed, progress=progress)


def _verify_layers(
    saved: SavedSolution, batches: Batches, limits: SearchLimits, ranks: Ranks
) -> Verification:
    """All positions by machine code; the words for a wrong position are those of `_Checker`."""
    checker, total = _Checker(saved.solved, saved.table), len(saved.table)
    if fault := checker.fault(saved.table.root):
        return Verification(1, total, fault, saved.table.root)
    wrong = fault_in(saved, batches, limits, ranks=ranks)
    if wrong is None:
        return Verification(total, total)
    fault, state = wrong
    return Verification(0, total, (state and checker.fault(state)) or fault, state)


def verify_table(
    game: LoadedGame,
    table: SolvedTable,
    *,
    most: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Verification:
    """Like `verify_solution`, for a table not yet saved."""
    checker = _Checker(game, table)
    total = len(table)
    asked = total if most is None else min(most, total)
    if fault := checker.fault(table.root):
        return Verification(1, total, fault, table.root)
    count = 0
    lengths: Counter[Answer | None] = Counter()
    for state in _picked(table, total, most, seed):
        if state is None or not is_position(game, state):
            fault = f"it says that it has {total:,} positions, and not all that it has are some"
            return Verification(count, total, fault)
        fault = checker.fault(state)
        count += 1
        lengths[checker.look_up(state)] += 1
        if fault is not None:
            return Verification(count, total, fault, state)
        if progress is not None and count % REPORT_EVERY == 0:
            progress(count, asked - count)
    if most is None and count != total:
        fault = f"it says that it has {total:,} positions, and has {count:,}"
        return Verification(count, total, fault)
    if most is None and table.by_length is not None and table.by_length.count() != lengths:
        fault = "it says that there are other numbers of positions by result and plies"
        return Verification(count, total, fault)
    return Verification(count, total)


def _picked(table: SolvedTable, total: int, most: int | None, seed: int) -> Iterator[State | None]:
    """All states, or a uniform sample of `most` states in file order.

    None stands for a missing state.
    """
    entries = table.settled.entries
    assert entries is not None, "what is in a file can be gone through"
    if most is None or most >= total:
        yield from entries()
        return
    places = sorted(random.Random(seed).sample(range(total), most))
    states, behind = entries(), 0
    for place in places:
        yield next(islice(states, place - behind, None), None)
        behind = place + 1


class _Checker:
    """Checks of a solution's answers against the rules."""

    def __init__(self, game: LoadedGame, table: SolvedTable) -> None:
        self.game = game
        self.look_up = table.settled.look_up
        self.chance = chance = table.settled.chance
        self.counts_plies = table.settled.counts_plies
        self.allowed = Fraction(0) if chance is None else 2 * chance.error_bound
        self.break_even: Vector | None = None

    def fault(self, state: State) -> str | None:
        """The error in the answer for a state, or None."""
        game = self.game
        claim = self.look_up(state)
        if claim is None:
            return "this position is not in it"
        value, plies = claim
        if game.is_terminal(state):
            return self._fault_of_end(value, plies, tuple(game.utilities(state)))
        mover = game.current_player(state)
        if mover == CHANCE:
            return self._fault_of_chance(state, value)
        after: list[Answer] = []
        for action in game.legal_actions(state):
            reached = game.result(state, action)
            answer = self.look_up(reached)
            if answer is None:
                return f"the position after {game.action_name(state, action)} is not in it"
            after.append((paid_before(game, state, action, reached, answer[0]), answer[1]))
        best = max(child[mover] for child, _ in after)
        if not self._is_near((best,), (value[mover],)):
            return f"it says {_shown(value)}, and the best move gives {best}"
        if self.chance is not None:
            assert self.chance.choose is not None, "a file has the choices"
            choice = self.chance.choose(state)
            gives = [value[mover] for value, _ in after]
            if choice is None or choice >= len(gives) or gives[choice] < best - self.allowed:
                return "the move that it takes is not one that gives so much"
            return None
        if not self.counts_plies:
            first = next(answer for answer in after if answer[0][mover] == best)
            is_first = first[0] == value and first[1] is not None and plies == first[1] + 1
            return None if is_first else "it does not say what the first best move gives"
        return self._fault_of_length(mover, value, plies, [n for v, n in after if v[mover] == best])

    @cached_property
    def _opening(self) -> frozenset[State]:
        """The events before the first ply, where a discount counts plies."""
        return frozenset() if self.game.facts.discount == 1 else opening_events(self.game)

    def _fault_of_end(self, value: Vector, plies: int | None, paid: Vector) -> str | None:
        if not self._is_near(value, paid):
            return f"it ends here with {_shown(paid)}"
        if self.chance is not None or plies == 0:
            return None
        return "it says that play goes on, and it ends here"

    def _fault_of_chance(self, state: State, value: Vector) -> str | None:
        game, mean = self.game, [Fraction(0) for _ in value]
        for outcome, share in game.chance_outcomes(state):
            reached = game.result(state, outcome)
            answer = self.look_up(reached)
            if answer is None:
                return f"the position after {game.action_name(state, outcome)} is not in it"
            is_last = game.current_player(reached) != CHANCE and state not in self._opening
            paid = paid_by_step(game, state, outcome, answer[0], completes=is_last)
            for player, payoff in enumerate(paid):
                mean[player] += share * payoff
        if self._is_near(value, tuple(mean)):
            return None
        return f"it says {_shown(value)}, and the mean is {_shown(tuple(mean))}"

    def _fault_of_length(
        self, mover: int, value: Vector, plies: int | None, best: list[int | None]
    ) -> str | None:
        """The error if the length disagrees with the lengths after the best actions, or None."""
        endless = self.game.facts.endless
        if plies is None:
            if value != endless:
                return "it says that play is endless, which is not worth that"
            return None if None in best else "it says that play is endless, and every way ends"
        lengths = [length for length in best if length is not None]
        if self._delays(mover, value):
            right = None not in best and bool(lengths) and max(lengths) == plies - 1
        else:
            right = bool(lengths) and min(lengths) == plies - 1
        return None if right else f"it says that play takes {plies} plies, and it does not"

    def _delays(self, mover: int, value: Vector) -> bool:
        """Whether a player with these payoffs wants a late end; nobody does where steps pay."""
        if not self.game.facts.pays_at_the_end:
            return False
        if self.break_even is None:
            outcomes = {value}
            neutral = neutral_payoff(outcomes, self.game.facts.endless, self.game.facts.sides)
            if neutral is None:
                raise SolutionFileError(f"it says {_shown(value)}, and interests are opposed")
            self.break_even = neutral
        return delays(value, mover, self.break_even)

    def _is_near(self, value: Vector, expected: Vector) -> bool:
        """Whether payoffs, some of which may be infinite, differ by the error bound at most."""
        return all(
            a == b or abs(a - b) <= self.allowed for a, b in zip(value, expected, strict=True)
        )


def _shown(payoffs: Vector) -> str:
    return f"({', '.join(map(str, payoffs))})"
