"""Goals that go together: the payoffs of all roles that can be paid in one state.

In: the goals of a game as formulas, and the steps. Out: the combinations of payoffs. A combination
of goals is impossible if the first state does not show it and no step leads to it from a state that
is not terminal: induction over plays. `gamedsl` then writes one case for each outcome, and the sum
of payoffs is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from gamedsl.source.records import dataclass
from gamedsl.syntax.kif.formulas import FALSE, TRUE
from gamedsl.syntax.kif.functions import Change, Invariants
from gamedsl.syntax.kif.plays import Plays
from gamedsl.syntax.kif.steps import Game
from gamedsl.syntax.kif.turns import valued

MOST_GOALS = 9
"""Most values of a role whose combinations are proved impossible."""
MOST_ROWS = 8
"""Most combinations of payoffs of which each is a case of the end."""
DEEPEST = 2
"""Levels of parts by which a formula is valued."""
MOST_LOOKED_AT = 3_000_000
"""Formulas looked at in all steps to prove combinations impossible."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The payoffs of a game that go together.

    Attributes:
        sure: for each role, whether a goal holds in every terminal state.
        exclusive: for each role, whether no two goals hold in a terminal state.
        rows: the payoffs of all roles that can be paid together; None if there are more than
            `MOST_ROWS`, or if that is not known.
    """

    sure: tuple[bool, ...]
    exclusive: tuple[bool, ...]
    rows: tuple[tuple[int, ...], ...] | None

    @property
    def is_decided_by_first(self) -> bool:
        """Whether a payoff of the first role decides the payoffs of all roles."""
        return self.rows is not None and len({row[0] for row in self.rows}) == len(self.rows)


def outcomes_of(game: Game, proof: Induction, groups: Iterable[tuple[int, ...]]) -> Outcomes:
    """The payoffs that go together. `groups`: fluents of which exactly one holds."""
    formulas, terminal, goals = game.formulas, game.terminal, game.goals
    groups = [*groups]
    atoms = formulas.atoms_of(formula for values in goals for formula in values.values())
    held = [
        formulas.either(map(formulas.atom, group))
        for group in groups
        if not atoms.isdisjoint(group)
    ]
    sure = []
    for values in goals:
        no_goal = (terminal, *(formulas.negation(formula) for formula in values.values()))
        is_sure = formulas.is_sure(terminal, values.values(), groups)
        sure.append(is_sure or proof.is_never(no_goal, held))
    is_known = all(sure) and max(map(len, goals)) <= MOST_GOALS
    rows = _rows(game, proof) if is_known else None
    exclusive = [
        max(map(len, goals)) <= MOST_GOALS
        and all(proof.is_never((terminal, *pair)) for pair in combinations(values.values(), 2))
        for values in goals
    ]
    outcomes = Outcomes((*sure,), (*exclusive,), rows)
    is_usable = outcomes.is_decided_by_first or all(exclusive)
    return outcomes if is_usable else replace(outcomes, rows=None)


def _rows(game: Game, proof: Induction) -> tuple[tuple[int, ...], ...] | None:
    """The payoffs of all roles that are not proved impossible together; None for too many."""
    rows: list[tuple[int, ...]] = [()]
    possible: dict[tuple[int, int, int, int], bool] = {}

    def is_possible(first: int, value: int, second: int, other: int) -> bool:
        key = first, value, second, other
        if key not in possible:
            parts = (game.terminal, game.goals[first][value], game.goals[second][other])
            possible[key] = not proof.is_never(parts)
        return possible[key]

    for role, values in enumerate(game.goals):
        rows = [
            (*row, value)
            for row in rows
            for value in values
            if all(is_possible(other, row[other], role, value) for other in range(role))
        ]
        if len(rows) > MOST_ROWS:
            return None
    return (*rows,) or None


class Induction:
    """Proofs that formulas hold in no reachable state."""

    def __init__(
        self, game: Game, changes: Sequence[Change], invariants: Invariants, plays: Plays
    ) -> None:
        """`changes`: the steps, with the fluents that may change; `plays`: played before."""
        self.plays = plays
        self.formulas, self.game = game.formulas, game
        self.changes, self.invariants = changes, invariants
        self.left = MOST_LOOKED_AT
        ground = game.ground
        roots = [game.terminal, *(one for goals in game.goals for one in goals.values())]
        self.order = self.formulas.below(roots)
        self.parents: defaultdict[int, list[int]] = defaultdict(list)
        for formula in self.order:
            if self.formulas.kinds[formula] != "atom":
                for part in self.formulas.parts[formula]:
                    self.parents[part].append(formula)
        self.first = valued(self.formulas, self.order, frozenset(ground.initial))
        self.after: list[dict[int, int] | None] = [None] * len(changes)

    def is_never(self, parts: tuple[int, ...], sure: Sequence[int] = ()) -> bool:
        """Whether formulas never hold together; `sure`: formulas that hold in every state."""
        if self._contradict((*parts, *sure)):
            return True
        if all(self._at_first(part) for part in parts) or self.plays.has_seen(parts):
            return False
        if self.invariants.exclude(parts):
            return True
        return all(self._is_kept(number, parts) for number in range(len(self.changes)))

    def _at_first(self, formula: int) -> bool:
        value = self.first.get(formula)
        return not self.first[self.formulas.negation(formula)] if value is None else value

    def _is_kept(self, number: int, parts: tuple[int, ...]) -> bool:
        """Whether a step does not lead to the formulas from a state that is not terminal."""
        if self.left < 0:
            return False
        formulas, change = self.formulas, self.changes[number]
        after = self._after(number)
        if after is None:
            return False
        reached = [after.get(part, part) for part in parts]
        for place, part in enumerate(parts):
            inner = formulas.negation(part)
            if part not in after and inner in after:
                reached[place] = formulas.negation(after[inner])
        before = (change.condition, formulas.negation(self.game.terminal))
        assumptions = (*before, *reached)
        return self._contradict(assumptions) or self.invariants.exclude(assumptions)

    def _after(self, number: int) -> dict[int, int] | None:
        """The formulas that a step may change, with the formulas of the state before; None if that
        takes too long."""
        after = self.after[number]
        if after is None:
            formulas, change = self.formulas, self.changes[number]
            changed = {formulas.atom(fluent) for fluent in change.values}
            pending = [*changed]
            while pending:
                for parent in self.parents[pending.pop()]:
                    if parent not in changed:
                        changed.add(parent)
                        pending.append(parent)
            within = [formula for formula in self.order if formula in changed]
            known = {
                part: part
                for formula in within
                if formulas.kinds[formula] != "atom"
                for part in formulas.parts[formula]
                if part not in changed
            }
            after = {}
            if formulas.room < len(within):
                self.left = -1
                return None
            for formula in within:
                replaced = formulas.replaced(formula, change.values, known)
                after[formula] = known[formula] = replaced
                self.left -= 1 + len(formulas.parts[replaced])
                if self.left < 0:
                    return None
            self.after[number] = after
        return after

    def _contradict(self, assumptions: Iterable[int]) -> bool:
        """Whether formulas contradict each other, by propagation of values to parts and from
        parts."""
        formulas, truth = self.formulas, {FALSE: False, TRUE: True}
        waiting: list[tuple[int, bool]] = []
        todo = [(formula, True) for formula in assumptions]
        while True:
            while todo:
                formula, value = todo.pop()
                self.left -= 1
                if truth.setdefault(formula, value) != value:
                    return True
                kind, parts = formulas.kinds[formula], formulas.parts[formula]
                if kind == "not":
                    todo.append((parts[0], not value))
                elif kind in {"and", "or"}:
                    if (kind == "and") == value:
                        todo += ((part, value) for part in parts if truth.get(part) is not value)
                    else:
                        waiting.append((formula, value))
                elif kind == "atom" and value:
                    others = self.invariants.others(formula)
                    todo += ((other, False) for other in others if other not in truth)
            rest = []
            for formula, value in waiting:
                values = [(part, self._value(part, truth)) for part in formulas.parts[formula]]
                if any(known is value for _, known in values):
                    continue
                open_ = [part for part, known in values if known is None]
                if not open_:
                    return True
                if len(open_) == 1:
                    todo.append((open_[0], value))
                else:
                    rest.append((formula, value))
            waiting = rest
            if not todo or self.left < 0:
                return False

    def _value(self, formula: int, truth: Mapping[int, bool], depth: int = DEEPEST) -> bool | None:
        """The value of a formula, by the values of its parts and of their parts."""
        value = truth.get(formula)
        kind, parts = self.formulas.kinds[formula], self.formulas.parts[formula]
        if value is not None or kind == "atom":
            return value
        if kind == "not":
            inner = self._value(parts[0], truth, depth)
            return None if inner is None else not inner
        if depth == 0:
            return None
        self.left -= len(parts)
        deciding, is_open = kind == "or", False
        for part in parts:
            value = self._value(part, truth, depth - 1)
            if value is deciding:
                return deciding
            is_open = is_open or value is None
        return None if is_open else not deciding
