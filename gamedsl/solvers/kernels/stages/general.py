"""Backward induction with stages of any interests, by kernels: exact values of equilibria.

In: a game of any number of players with chance or choices at once, paid at the end, with a compiled
engine, and a state. Out: `SolvedPositions`: for every reachable state the payoffs of an
equilibrium. The kernel knows payoffs by numbers. A stage of choices at once, or a chance event, is
a case: the numbers behind it. The kernel looks cases up; a new case is solved in Python, once, by
dominance and the equilibria of the normal form (`exact.simultaneous_stages`). Many states share few
cases.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import ClassVar

from gamedsl.compiler.definitions import Definitions
from gamedsl.compiler.engine import CompiledEngine
from gamedsl.game.accelerator import (
    NO_LIMITS,
    Checkpoints,
    Refusal,
    SearchLimits,
    SolvedChance,
    SolvedPositions,
)
from gamedsl.model import State, UnsupportedGameError
from gamedsl.solvers.exact.simultaneous_stages import numbered_form, unopposed_stage
from gamedsl.solvers.exact.teams import team_of
from gamedsl.solvers.graphs.graph import Vector
from gamedsl.solvers.kernels import induction_kernel as codes
from gamedsl.solvers.kernels import transposition_table
from gamedsl.solvers.kernels.chance.event_graph_kernel import NATURE
from gamedsl.solvers.kernels.functions.payoffs import payoff_definitions
from gamedsl.solvers.kernels.stages import stage_kernel as kernel
from gamedsl.solvers.kernels.stages.stages import MOST_CELLS, KernelStages, StageRun
from gamedsl.solvers.kernels.table_layout import EntryLayout
from gamedsl.solvers.kernels.table_solver import LEAST_SHARES
from gamedsl.solvers.kernels.transposition_table import TranspositionTable
from gamedsl.solvers.kernels.values import MOST_VALUES

MOST_BITS = 64
"""Most binary digits of payoffs: with more, the equilibria of a single stage take long."""
FIRST_SLOTS = 1 << 10
FIRST_CASES = 1 << 14
"""Numbers of the first arrays of slots and of cases."""


class DifferentInterestsError(UnsupportedGameError):
    """Players do not all want the same."""


class GeneralRun(StageRun):
    """Solving one game whose interests need not be opposed.

    Attributes:
        vectors: the payoffs of all players, by number.
    """

    refusals: ClassVar[Mapping[int, str]] = {codes.LOST: "there are too many choices at once"}

    def __init__(self, table: TranspositionTable, above: int, passes: bool, is_team: bool) -> None:
        """`is_team`: whether players choose together; an ending that shows different interests is
        an error."""
        super().__init__(table, above, passes)
        self._is_team = is_team
        self._players = len(table.assembly.engine.players)
        self._numbers: dict[Vector, int] = {}
        self._shares: list[list[Fraction]] = [[] for _ in range(self._players)]
        self._known, self._behind = 0, 1
        self._cases = {
            "case": table.row([0] * (2 * MOST_CELLS + self._players + 1)),
            "cases": table.zeros(FIRST_CASES),
            "slots": table.zeros(FIRST_SLOTS),
            "ranks": table.row([0] * self._players),
        }

    @property
    def vectors(self) -> list[Vector]:
        """The payoffs of all players, by number."""
        return [*self._numbers]

    def _number_of(self, vector: Vector) -> int:
        """The number of payoffs; payoffs without a number get the next."""
        if vector not in self._numbers:
            if len(self._numbers) == MOST_VALUES:
                raise UnsupportedGameError("there are too many different payoffs")
            parts = (part for share in vector for part in share.as_integer_ratio())
            if max(part.bit_length() for part in parts) > MOST_BITS:
                raise UnsupportedGameError("the payoffs of equilibria have too many digits")
            self._numbers[vector] = len(self._numbers)
            for shares, share in zip(self._shares, vector, strict=True):
                if share not in shares:
                    insort(shares, share)
            pairs = [zip(self._shares, each, strict=True) for each in self._numbers]
            ranks = [bisect_left(shares, share) for row in pairs for shares, share in row]
            self._cases["ranks"] = self._table.row(ranks)
        return self._numbers[vector]

    def _worth(self) -> int:
        """Like `StageRun._worth`: the number of the payoffs."""
        table, paid = self._table, list(self._payment)
        vector = tuple(Fraction(share, paid[0]) for share in paid[1 : 1 + self._players])
        table.payoffs.append(vector)
        if self._is_team and team_of({*table.payoffs}) is None:
            raise DifferentInterestsError("players want different things")
        table.paid = table.row([*table.paid, *paid])
        table.notes.payoffs = len(table.payoffs)
        return self._number_of(vector)

    def _answer(self) -> None:
        """Solve the case that the kernel leaves, and enter it."""
        notes, cases = self._table.notes, self._cases
        length = notes.rows
        case = list(cases["case"][:length])
        number = self._number_of(self._solved(case))
        if self._behind + length + 2 > len(cases["cases"]):
            size = 2 * len(cases["cases"]) + length
            cases["cases"] = self._table.enlarged(cases["cases"], size)
        for place, content in enumerate((number, length, *case), start=self._behind):
            cases["cases"][place] = content
        cases["slots"][notes.columns] = self._behind + 1
        self._behind += length + 2
        self._known += 1
        if 2 * self._known > len(cases["slots"]):
            self._enlarge_slots()

    def _enlarge_slots(self) -> None:
        """Make a larger table of cases."""
        cases = self._cases["cases"]
        size = 4 * len(self._cases["slots"])
        slots, at = [0] * size, 2
        while at <= self._behind:
            length = cases[at]
            slot = kernel.hash_of_case(cases[at + 1 : at + 1 + length], length) % size
            while slots[slot]:
                slot = (slot + 1) % size
            slots[slot] = at
            at += length + 2
        self._cases["slots"] = self._table.row(slots)

    def _solved(self, case: list[int]) -> Vector:
        """The payoffs of an equilibrium of a stage, or the mean of a chance event."""
        vectors, parts = self.vectors, case[1:]
        if case[0] == NATURE:
            count = len(parts) // 2
            weights, after = parts[:count], [vectors[number] for number in parts[count:]]
            total = sum(weights)
            return tuple(
                sum((w * share for w, share in zip(weights, shares, strict=True)), Fraction(0))
                / total
                for shares in zip(*after, strict=True)
            )
        choices = tuple(tuple(range(size)) for size in parts[: self._players])
        behind = [vectors[number] for number in parts[self._players :]]
        if self._is_team:
            return max(behind)
        payoffs = dict(zip(product(*choices), behind, strict=True))
        names = tuple(map(str, range(self._players)))
        stage = unopposed_stage(
            choices, payoffs, lambda listed: numbered_form(names, listed, payoffs), is_first=False
        )
        return stage.value

    def _positions(self) -> SolvedPositions:
        values, notes, vectors = self._values, self._table.notes, self.vectors
        if not vectors:
            raise UnsupportedGameError("play never ends")

        def look_up(state: State) -> tuple[Vector, int | None] | None:
            code = self._code_of(state)
            return (vectors[values[code - 1]], None) if code else None

        outcomes = frozenset(self._table.payoffs)
        return SolvedPositions(
            notes.used - notes.events,
            notes.endings,
            look_up,
            SolvedChance(notes.events, Fraction(0), None, True, outcomes),
            entries=self._table.contents.states,
            counts_plies=False,
            values=frozenset(vectors),
            is_team=self._is_team,
        )


class KernelGeneral(KernelStages):
    """Backward induction with stages of any interests on one game."""

    is_general = True
    _is_team = False

    def solve(
        self, state: State, limits: SearchLimits = NO_LIMITS, checkpoints: Checkpoints | None = None
    ) -> SolvedPositions:
        """Like `TableSolver.solve`, as one player where all players want the same."""
        self._is_team = len(self._engine.players) > 1
        with suppress(DifferentInterestsError):
            return super().solve(state, limits, checkpoints)
        self._is_team = False
        return super().solve(state, limits, checkpoints)

    @property
    def shares(self) -> int:
        """Like `TableSolver.shares`."""
        return max(LEAST_SHARES, len(self._engine.players) + 1)

    @classmethod
    def refusal(cls, engine: CompiledEngine) -> Refusal | None:
        """Like `TableSolver.refusal`."""
        facts = engine.model.facts
        if not facts.pays_at_the_end:
            return Refusal("payments on the way need opposed interests in native code")
        return transposition_table.refusal(
            engine, with_chance=True, any_values=True, with_stages=True
        )

    def begin(self, table: TranspositionTable) -> GeneralRun:
        """Like `TableSolver.begin`."""
        return GeneralRun(table, self._above, self._passes, self._is_team)

    def definitions(self, layout: EntryLayout) -> Definitions:
        """Like `TableSolver.definitions`."""
        return super().definitions(layout) | payoff_definitions(self._engine, self.shares)
