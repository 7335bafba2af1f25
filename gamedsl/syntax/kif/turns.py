"""The turns of a game: phases, and for each phase the role that chooses.

In: the formulas of a game. Out: a `Turns`. A fluent is free if the next value depends on no move
and on free fluents alone, such as `control` and `step`. The free fluents go through a sequence of
phases, which is computed. If in every phase at most a single role has several moves that can be
legal, the game is played in turns, and the moves of all further roles are forced.

Otherwise choices may decide who is next, as where a capture earns a second move. The phases are
then the fluents of a relation, `(control ?role)`: claimed is that one of them holds in every state,
to be proved on the steps that follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from gamedsl.source.records import dataclass
from gamedsl.syntax.kif.formulas import FALSE, TRUE, Formulas
from gamedsl.syntax.kif.ground import Ground

MOST_PHASES = 2_000
MOST_CLAIMED = 40
"""Most fluents of which one is claimed to hold."""

Phase = frozenset[int]
"""The free fluents that hold, as numbers of `true` atoms."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The phases, in order: from the last phase play returns to phase `back`, unless play ends in
    the last phase.

    Attributes:
        free: the fluents that tell the phases: that no choice influences, or of which one holds.
        movers: for each phase the number of the role that chooses; None where several roles choose.
            Where play is over, the role that would choose if play went on.
        candidates: by phase and role, the moves that can be legal, with the formulas of legality;
            none where play is over.
        is_by_play: whether choices decide which phase is next, so that phases have no order.
    """

    free: frozenset[int]
    phases: tuple[Phase, ...]
    back: int
    movers: tuple[int | None, ...]
    candidates: tuple[tuple[Mapping[int, int], ...], ...]
    is_by_play: bool = False

    @property
    def is_sequential(self) -> bool:
        """Whether the game is played in turns."""
        return None not in self.movers

    def after(self, number: int) -> int:
        """The number of the phase after a phase."""
        return number + 1 if number + 1 < len(self.phases) else self.back

    def of_role(self, role: int) -> list[int]:
        """The numbers of the phases in which a role moves."""
        return [
            number
            for number, mover in enumerate(self.movers)
            if mover == role and any(self.candidates[number])
        ]

    def told_by_mover(self, fluent: int) -> int | None:
        """The role that is to move exactly where a free fluent holds; None if there is none."""
        if fluent not in self.free or not self.is_sequential:
            return None
        pairs = {*zip((fluent in phase for phase in self.phases), self.movers, strict=True)}
        holding = [mover for holds, mover in pairs if holds]
        return holding[0] if len(holding) == 1 and (False, holding[0]) not in pairs else None

    @property
    def never(self) -> frozenset[int]:
        """The free fluents that hold in no phase."""
        return self.free.difference(*self.phases)


def turns_of(
    ground: Ground,
    formulas: Formulas,
    following: Mapping[int, int],
    legal: tuple[Mapping[int, int], ...],
    terminal: int,
) -> Turns:
    """The turns of a game.

    `following`: by fluent, the formula of the next value; `legal`: by role, the moves with the
    formulas of legality.
    """
    free = _free(formulas, following)
    cycle = _phases(ground, formulas, following, free)
    if cycle is None:
        free, cycle = frozenset(), ((frozenset(),), 0)
    phases, back = cycle
    possible_in = _Possible(formulas, free, legal, terminal)
    candidates: list[tuple[Mapping[int, int], ...]] = []
    movers: list[int | None] = []
    for number, phase in enumerate(phases):
        is_over, possible, mover = possible_in(phase)
        movers.append(mover)
        candidates.append(possible)
        if is_over and number:  # a game that is over at once has moves, too
            movers[-1] = -1 if mover is None else mover
            candidates[-1] = ({},) * len(legal)
            phases, back = phases[: number + 1], min(back, number)
            break
    return Turns(free, phases, back, _settled(movers), tuple(candidates))


def turns_by_play(
    ground: Ground,
    formulas: Formulas,
    following: Mapping[int, int],
    legal: tuple[Mapping[int, int], ...],
    terminal: int,
) -> Iterator[Turns]:
    """Turns of a game in which choices decide who is next, each under a claim: of `Turns.free`, one
    fluent holds in every state."""
    relations: defaultdict[str, list[int]] = defaultdict(list)
    for fluent in following:
        relation, arguments = ground.atoms[fluent]
        if len(arguments) == 1:
            relations[relation].append(fluent)
    for fluents in relations.values():
        free = frozenset(fluents)
        first = [*free & ground.initial]
        if len(first) != 1 or not 1 < len(fluents) <= MOST_CLAIMED:
            continue
        possible_in = _Possible(formulas, free, legal, terminal)
        phases, movers, candidates = [frozenset(first)], list[int | None](), []
        for phase in phases:
            _, possible, mover = possible_in(phase)
            if mover is None:
                break
            movers.append(mover)
            candidates.append(possible)
            values = {fluent: TRUE if fluent in phase else FALSE for fluent in fluents}
            put = formulas.put((following[fluent] for fluent in fluents), values, {})
            after = [frozenset({one}) for one in fluents if put[following[one]] != FALSE]
            phases += (phase for phase in after if phase not in phases)
        else:
            if len({*movers} - {-1}) > 1:
                yield Turns(free, (*phases,), 0, _settled(movers), (*candidates,), True)


class _Possible:
    """The moves that can be legal in a phase."""

    def __init__(
        self,
        formulas: Formulas,
        free: frozenset[int],
        legal: tuple[Mapping[int, int], ...],
        terminal: int,
    ) -> None:
        self.formulas, self.legal, self.terminal = formulas, legal, terminal
        self.roots = [terminal, *(formula for moves in legal for formula in moves.values())]
        self.watched = formulas.atoms_of(self.roots) & free
        self.seen: dict[Phase, tuple[bool, tuple[Mapping[int, int], ...], int | None]] = {}

    def __call__(self, phase: Phase) -> tuple[bool, tuple[Mapping[int, int], ...], int | None]:
        """Whether play is over; by role, the moves with the formulas of legality; the role that
        chooses, None for several roles, -1 for none."""
        key = phase & self.watched
        if key not in self.seen:
            values = {number: TRUE if number in key else FALSE for number in self.watched}
            put = self.formulas.put(self.roots, values, {})
            possible: tuple[Mapping[int, int], ...] = tuple(
                {move: put[formula] for move, formula in moves.items() if put[formula] != FALSE}
                for moves in self.legal
            )
            choosing = [role for role, moves in enumerate(possible) if len(moves) > 1]
            mover = None if len(choosing) > 1 else next(iter(choosing), -1)
            self.seen[key] = put[self.terminal] == TRUE, possible, mover
        return self.seen[key]


def _settled(movers: list[int | None]) -> tuple[int | None, ...]:
    """The movers; a phase without a choice has the mover of the phase before."""
    last: int | None = next((mover for mover in movers if mover not in (None, -1)), 0)
    settled: list[int | None] = []
    for mover in movers:
        last = last if mover == -1 else mover
        settled.append(last)
    return tuple(settled)


def _free(formulas: Formulas, following: Mapping[int, int]) -> frozenset[int]:
    """The greatest set of fluents whose next values depend on fluents of the set alone."""
    followed: defaultdict[int, list[int]] = defaultdict(list)
    for fluent, formula in following.items():
        followed[formula].append(fluent)
    users: defaultdict[int, list[int]] = defaultdict(list)
    bound: set[int] = set()
    for formula in formulas.below(following.values()):
        if formulas.kinds[formula] != "atom":
            for part in formulas.parts[formula]:
                users[part].append(formula)
        elif formulas.parts[formula][0] not in following:
            bound.add(formula)
    pending, free = [*bound], {*following}
    while pending:
        formula = pending.pop()
        lost = free.intersection(followed[formula])
        free -= lost
        wider = {*users[formula], *map(formulas.atom, lost)} - bound
        bound |= wider
        pending += wider
    return frozenset(free)


def _phases(
    ground: Ground, formulas: Formulas, following: Mapping[int, int], free: frozenset[int]
) -> tuple[tuple[Phase, ...], int] | None:
    """The phases from the beginning, and the number of the phase after the last phase; None beyond
    `MOST_PHASES`."""
    order = formulas.below(following[fluent] for fluent in free)
    phase = ground.initial & free
    met: dict[Phase, int] = {}
    while phase not in met:
        if len(met) == MOST_PHASES:
            return None
        met[phase] = len(met)
        values = valued(formulas, order, phase)
        phase = frozenset(fluent for fluent in free if values[following[fluent]])
    return tuple(met), met[phase]


def valued(formulas: Formulas, order: Iterable[int], true: Phase) -> dict[int, bool]:
    """The truth values of formulas, parts first."""
    values: dict[int, bool] = {FALSE: False, TRUE: True}
    for formula in order:
        parts = formulas.parts[formula]
        match formulas.kinds[formula]:
            case "atom":
                values[formula] = parts[0] in true
            case "not":
                values[formula] = not values[parts[0]]
            case "and":
                values[formula] = all(map(values.__getitem__, parts))
            case "or":
                values[formula] = any(map(values.__getitem__, parts))
    return values
