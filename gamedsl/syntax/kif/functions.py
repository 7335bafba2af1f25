"""Functional fluents: `(cell 1 1 ?m)` holds in every state for at most, or exactly, one `?m`.

In: fluents, and the steps of a game. Out: for each relation the argument that is proved to be the
value. A candidate is a relation with some arguments as the value, or an order in which two cells
are filled: a disc lies above another disc. All candidates that hold in the
first state are assumed of a state; candidates that a step could violate are dropped, until every
step keeps the rest: induction over plays. The proof for a step is a tableau: assumptions are taken
apart, alternatives are tried in turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, pairwise, permutations

from gamedsl.source.records import dataclass
from gamedsl.syntax.kif.formulas import FALSE, TRUE, Formulas
from gamedsl.syntax.kif.ground import Ground
from gamedsl.syntax.kif.plays import ALL, WIDTH
from gamedsl.syntax.kif.rules import Term
from gamedsl.syntax.kif.turns import Turns

MOST_EFFORT = 2_000_000
"""Formulas looked at in all proofs for a candidate."""
MOST_IN_ALL = 4_000_000
"""Formulas looked at in all proofs of a game, and in one proof."""
MOST_FOR_A_PROOF = 5_000
LEAST_EFFORT = 5_000
"""Formulas looked at for a candidate even if the proofs before took too many."""
MOST_GATHERED = 500
"""Most alternatives of a disjunction that `gathered` compares."""
MOST_FOR_AN_ORDER = 5_000
MOST_FOR_ORDERS = 100_000
"""Formulas looked at in the proof of an order of two cells, and in all such proofs."""
MOST_ORDERED = 20_000
"""Most pairs of cells of a relation of which orders are looked for."""
MOST_ORDERS = 1_000
"""Most orders that are candidates."""
MOST_ARGUMENTS = 5
"""Most arguments of a relation with candidates."""


@dataclass(frozen=True, slots=True)
class Function:
    """Some arguments of a relation as a function of the rest.

    Attributes:
        places: the numbers of the arguments that are the value.
        groups: for each choice of the rest, the fluents of which at most one holds.
        is_total: whether in every state a fluent of each group holds.
    """

    relation: str
    places: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    is_total: bool

    @property
    def merit(self) -> tuple[bool, int]:
        """Total functions with few groups save most cells."""
        return self.is_total, -len(self.groups)


@dataclass(frozen=True, slots=True)
class Change:
    """A step for proofs: the condition, and the new values of fluents that may change; `going`:
    what else holds wherever the step is taken, for proofs that need more than the condition."""

    condition: int
    values: Mapping[int, int]
    going: int = TRUE


@dataclass(frozen=True, slots=True)
class Vacancy:
    """The condition that a cell holds its first value.

    Attributes:
        fluents: the fluents of the cell that tell.
        is_told: whether the cell is vacant where the only fluent holds; otherwise the cell is
            vacant where no fluent holds.
    """

    fluents: tuple[int, ...]
    is_told: bool

    def formula(self, formulas: Formulas, values: Iterable[int]) -> int:
        """The condition, from the formulas of the fluents."""
        holds = formulas.either(values)
        return holds if self.is_told else formulas.negation(holds)

    def bits(self, state: Mapping[int, int]) -> int:
        """The plays in which the cell is vacant."""
        held = 0
        for fluent in self.fluents:
            held |= state[fluent]
        return held if self.is_told else ALL & ~held


@dataclass(frozen=True, slots=True)
class Filling:
    """An order of two cells: where the cell `first` is vacant, the cell `then` is vacant."""

    first: Vacancy
    then: Vacancy

    def clauses(self) -> Iterator[tuple[tuple[int, int], ...]]:
        """Disjunctions of fluents with truth values, TRUE or FALSE, equivalent to the order."""
        first, then = self.first, self.then
        filled = tuple((fluent, FALSE if first.is_told else TRUE) for fluent in first.fluents)
        for fluent in then.fluents:
            yield (*filled, (fluent, TRUE if then.is_told else FALSE))


@dataclass(frozen=True, slots=True)
class Fall:
    """A change that gives one value to the first vacant cell of several.

    Attributes:
        vacant: for each cell, in order, the condition that the cell is vacant.
        filled: for each cell the fluent that holds where the cell is filled.
        place: the argument by which the fluents of different cells differ.
    """

    vacant: tuple[Vacancy, ...]
    filled: tuple[int, ...]
    place: int


Candidate = Function | Filling


class _SpentError(Exception):
    """A proof takes too long."""


class Invariants:
    """The functions that every step keeps.

    Attributes:
        functions: by relation, a function with a single argument as the value.
    """

    def __init__(
        self,
        ground: Ground,
        formulas: Formulas,
        fluents: Iterable[int],
        changes: Sequence[Change],
        choices: Iterable[tuple[int, ...]] = (),
        states: Iterable[Mapping[int, int]] = (),
        turns: Turns | None = None,
    ) -> None:
        """`choices`: the moves of each role, atoms of which exactly one holds; `states`: states of
        plays side by side, which candidates must agree with; `turns`: the phases of the fluents
        that no choice influences, of which no proof is needed."""
        self._ground, self._prover = ground, _Prover(formulas, choices)
        fluents = [*fluents]
        ordering = _Ordering(ground, fluents, () if turns is None else turns.free)
        candidates = _agreeing([*_candidates(ground, fluents)], ordering.watching(states))
        orders = ordering.orders(candidates)
        proofs: dict[Candidate, frozenset[Candidate]] = {}  # with the candidates used
        while True:
            self._prover.assume(candidates, orders)
            survivors, assumed = [], {*candidates, *orders}
            for candidate in candidates:
                proved: Function | None = candidate
                fluents_in = chain.from_iterable(candidate.groups)
                if turns is not None and turns.free.issuperset(fluents_in):
                    proved = _in_phases(candidate, turns.phases)
                elif not (candidate in proofs and proofs[candidate] <= assumed):
                    proved = _kept(self._prover, candidate, changes)
                    proofs[candidate] = self._prover.premises()
                if proved is not None:
                    survivors.append(proved)
            kept = []
            for order in orders:
                is_proved = order in proofs and proofs[order] <= assumed
                if not is_proved:
                    is_proved = self._prover.keeps(order, changes)
                    proofs[order] = self._prover.premises()
                if is_proved:
                    kept.append(order)
            if (survivors, kept) == (candidates, orders):
                break
            candidates, orders = survivors, kept
        self._later = _closure(orders)
        self._groups: defaultdict[int, list[tuple[frozenset[int], bool]]] = defaultdict(list)
        for candidate in candidates:
            for group in candidate.groups:
                members = frozenset(map(formulas.atom, group))
                for atom in members:
                    self._groups[atom].append((members, candidate.is_total))
        self.functions: dict[str, Function] = {}
        for candidate in candidates:
            known = self.functions.get(candidate.relation)
            if len(candidate.places) == 1 and (known is None or candidate.merit > known.merit):
                self.functions[candidate.relation] = candidate

    def refined(self, change: Change) -> dict[int, int]:
        """The new values that are not provably the old values."""
        formulas, prover = self._prover.formulas, self._prover
        prover.begin()
        changing = {}
        for fluent, value in change.values.items():
            atom = formulas.atom(fluent)
            try:
                is_frame = value > TRUE and prover.is_same(change.condition, value, atom)
            except _SpentError:
                is_frame = False
            if not is_frame:
                changing[fluent] = value
        return changing

    def fall(self, change: Change) -> Fall | None:
        """The fall that a part of a change is, if the change is proved to fill the first vacant
        cell of several, and one of these is vacant wherever the step is taken."""
        if not self._later:
            return None
        self._prover.begin()
        for function in self.functions.values():
            fall = self._fall(function, change)
            try:
                if fall is not None and self._is_fall(fall, change):
                    return fall
            except _SpentError:
                return None
        return None

    def _fall(self, function: Function, change: Change) -> Fall | None:
        """The fall that a change is by the fluents of a function that may change."""
        cells: dict[Vacancy, int] = {}
        for group in function.groups:
            changing = [fluent for fluent in group if fluent in change.values]
            if changing:
                vacancy = _vacancy(self._ground, group)
                filled = [*{*changing}.difference(vacancy.fluents if vacancy.is_told else ())]
                if len(filled) != 1 or vacancy.is_told > (vacancy.fluents[0] in change.values):
                    return None
                cells[vacancy] = filled[0]
        none: frozenset[Vacancy] = frozenset()
        vacant = sorted(cells, key=lambda cell: -len(self._later.get(cell, none) & cells.keys()))
        is_chain = all(b in self._later.get(a, none) for a, b in pairwise(vacant))
        rows = [self._ground.atoms[cells[cell]][1] for cell in vacant]
        columns = enumerate(zip(*rows, strict=True))
        places = [place for place, column in columns if len({*column}) > 1]
        if not is_chain or len(places) != 1 or places == [*function.places]:
            return None
        return Fall((*vacant,), tuple(cells[cell] for cell in vacant), places[0])

    def _is_fall(self, fall: Fall, change: Change) -> bool:
        """Whether a change fills the first vacant cell. Raises _SpentError."""
        formulas, prover, condition = self._prover.formulas, self._prover, change.condition
        before = TRUE
        for vacancy, fluent in zip(fall.vacant, fall.filled, strict=True):
            vacant = vacancy.formula(formulas, map(formulas.atom, vacancy.fluents))
            put = formulas.both((vacant, before))
            before = formulas.negation(vacant)
            filled = formulas.either((formulas.atom(fluent), put))
            if not prover.is_same(condition, change.values[fluent], filled):
                return False
            left = formulas.both((vacant, formulas.negation(put)))
            if vacancy.is_told and not prover.is_same(
                condition, change.values[vacancy.fluents[0]], left
            ):
                return False
        return prover.is_impossible((condition, before))

    def is_implied(self, fall: Fall, condition: int) -> bool:
        """Whether a condition provably holds wherever a cell of a fall is vacant."""
        formulas = self._prover.formulas
        last = fall.vacant[-1]
        vacant = last.formula(formulas, map(formulas.atom, last.fluents))
        return self.exclude((vacant, formulas.negation(condition)))

    def exclude(self, assumptions: Iterable[int]) -> bool:
        """Whether formulas provably cannot hold together in a state."""
        self._prover.begin()
        try:
            return self._prover.is_impossible(assumptions)
        except _SpentError:
            return False

    def others(self, atom: int) -> set[int]:
        """The atoms, as formulas, that cannot hold where an atom does."""
        return self._excluded((atom,))

    def excluded(self, fixed: Mapping[int, int]) -> frozenset[int]:
        """The fluents that cannot hold where other fluents are TRUE."""
        formulas = self._prover.formulas
        held = [formulas.atom(fluent) for fluent, value in fixed.items() if value == TRUE]
        return frozenset(formulas.parts[atom][0] for atom in self._excluded(held))

    def _excluded(self, held: Iterable[int]) -> set[int]:
        """The atoms, as formulas, that cannot hold where others do."""
        return {
            other
            for atom in held
            for members, _ in self._groups[atom]
            for other in members - {atom}
        }

    def gathered(self, formula: int) -> int:
        """A disjunction without impossible alternatives, and without alternatives that together are
        sure: `(a and b) or (a and c)` is `a` if, where `a` holds, one of `b` and `c` does."""
        formulas = self._prover.formulas
        if formulas.kinds[formula] != "or" or len(formulas.parts[formula]) > MOST_GATHERED:
            return formula
        parts = dict.fromkeys(
            part
            for part in formulas.parts[formula]
            if formulas.kinds[part] != "and"
            or self._excluded(formulas.parts[part]).isdisjoint(formulas.parts[part])
        )
        by_rest: defaultdict[tuple[int, ...], dict[int, int]] = defaultdict(dict)
        for part in parts:
            if formulas.kinds[part] == "and":
                inner = formulas.parts[part]
                for atom in inner:
                    by_rest[tuple(other for other in inner if other != atom)][atom] = part
        for rest, alternatives in by_rest.items():
            excluded = self._excluded(rest)
            first = next(iter(alternatives))
            for members, is_total in self._groups[first]:
                if is_total and members <= alternatives.keys() | excluded:
                    for atom in members & alternatives.keys():
                        parts.pop(alternatives[atom], None)
                    parts[formulas.both(rest)] = None
                    break
        return formulas.either(parts)


def _candidates(ground: Ground, fluents: Iterable[int]) -> Iterable[Function]:
    by_relation: defaultdict[str, list[int]] = defaultdict(list)
    for fluent in fluents:
        by_relation[ground.atoms[fluent][0]].append(fluent)
    for relation, numbers in by_relation.items():
        arity = len(ground.atoms[numbers[0]][1])
        if arity > MOST_ARGUMENTS:
            continue
        for size in range(1, arity + 1):
            for places in combinations(reversed(range(arity)), size):
                groups: defaultdict[object, list[int]] = defaultdict(list)
                for number in numbers:
                    arguments = enumerate(ground.atoms[number][1])
                    key = tuple(part for place, part in arguments if place not in places)
                    groups[key].append(number)
                held = [len(ground.initial.intersection(group)) for group in groups.values()]
                if max(held) < 2 and len(groups) < len(numbers):
                    members = tuple(map(tuple, groups.values()))
                    yield Function(relation, places, members, min(held) == 1)


def _vacancy(ground: Ground, group: Sequence[int]) -> Vacancy:
    """The condition that the cell of a group of fluents holds its first value."""
    told = [fluent for fluent in group if fluent in ground.initial]
    return Vacancy((told[0],), True) if told else Vacancy((*sorted(group),), False)


Line = dict[Term, Vacancy]
"""Cells that differ in one index, by the index."""


class _Ordering:
    """The orders of pairs of cells that are seen in plays."""

    def __init__(self, ground: Ground, fluents: Iterable[int], free: Collection[int]) -> None:
        """`free`: fluents of which no orders are looked for."""
        self._lines: dict[tuple[str, int | None], list[list[Line]]] = {}
        """By relation and value, for each index the lines."""
        self._seen: dict[Vacancy, list[bytes]] = {}
        by_relation: defaultdict[str, list[int]] = defaultdict(list)
        for fluent in fluents:
            if fluent not in free:
                by_relation[ground.atoms[fluent][0]].append(fluent)
        for relation, numbers in by_relation.items():
            arity = len(ground.atoms[numbers[0]][1])
            for place in (None, *range(arity)) if arity <= MOST_ARGUMENTS else ():
                self._lines[relation, place] = _lines_of(ground, numbers, place)

    def watching(self, states: Iterable[Mapping[int, int]]) -> Iterator[Mapping[int, int]]:
        """The states, noted."""
        for line in chain.from_iterable(chain.from_iterable(self._lines.values())):
            self._seen.update((vacancy, []) for vacancy in line.values())
        for state in states:
            for vacancy, seen in self._seen.items():
                seen.append(vacancy.bits(state).to_bytes(WIDTH // 8, "little"))
            yield state

    def orders(self, functions: Iterable[Function]) -> list[Filling]:
        """The orders that all states noted agree with, of cells of functions or of truth values,
        without orders that follow from two others. Cells seen filled often come first."""
        bits = {
            vacancy: int.from_bytes(b"".join(seen), "little")
            for vacancy, seen in self._seen.items()
        }
        plies = max(map(len, self._seen.values()), default=0)
        whole = (1 << WIDTH * plies) - 1
        values = {(each.relation, each.places[0]) for each in functions if len(each.places) == 1}
        later: defaultdict[Vacancy, dict[Vacancy, None]] = defaultdict(dict)
        for (relation, place), by_index in self._lines.items():
            for lines in by_index if place is None or (relation, place) in values else ():
                for first, then in _in_order(lines, bits, whole):
                    later[first][then] = None
        if sum(map(len, later.values())) > MOST_ORDERS:
            return []
        orders = [
            Filling(first, then)
            for first, cells in later.items()
            for then in cells
            if not any(then in later.get(between, ()) for between in cells)
        ]
        return sorted(orders, key=lambda order: bits[order.then].bit_count())


def _lines_of(ground: Ground, numbers: Sequence[int], place: int | None) -> list[list[Line]]:
    """For each index the lines of cells of a relation; an argument is the value of a cell, or cells
    are truth values."""
    cells: defaultdict[tuple[Term, ...], list[int]] = defaultdict(list)
    for number in numbers:
        arguments = ground.atoms[number][1]
        rest = arguments if place is None else arguments[:place] + arguments[place + 1 :]
        cells[rest].append(number)
    if any(len(ground.initial.intersection(group)) > 1 for group in cells.values()):
        return []
    size = len(next(iter(cells)))
    by_index: list[dict[tuple[object, ...], Line]] = [{} for _ in range(size)]
    for key, group in cells.items():
        vacancy = _vacancy(ground, group)
        for index, lines in enumerate(by_index):
            apart = (vacancy.is_told, *key[:index], *key[index + 1 :])
            lines.setdefault(apart, {})[key[index]] = vacancy
    pairs = sum(len(line) ** 2 for lines in by_index for line in lines.values())
    return [[*lines.values()] for lines in by_index] if pairs <= MOST_ORDERED else []


def _in_order(
    lines: Sequence[Line], bits: Mapping[Vacancy, int], whole: int
) -> Iterator[tuple[Vacancy, Vacancy]]:
    """The pairs of cells of a line that plays fill in order, where the cells with the same indices
    of some line are seen filled one by one; `whole`: the bits of a cell that is never filled."""
    seen = set[tuple[Term, Term]]()
    agreeing: list[tuple[tuple[Term, Term], tuple[Vacancy, Vacancy]]] = []
    for line in lines:
        filled = {index for index, cell in line.items() if bits[cell] != whole}
        for pair in permutations(line, 2):
            first, then = line[pair[0]], line[pair[1]]
            if not bits[first] & ~bits[then]:
                agreeing.append((pair, (first, then)))
                if pair[1] in filled and bits[first] != bits[then]:
                    seen.add(pair)
    return (cells for pair, cells in agreeing if pair in seen)


def _closure(orders: Iterable[Filling]) -> dict[Vacancy, frozenset[Vacancy]]:
    """For each cell the cells that are vacant where the cell is vacant."""
    direct: defaultdict[Vacancy, set[Vacancy]] = defaultdict(set)
    for order in orders:
        direct[order.first].add(order.then)
    later = {}
    for first in direct:
        met = {*direct[first]}
        pending = [*met]
        while pending:
            fresh = direct.get(pending.pop(), set()) - met
            met |= fresh
            pending += fresh
        later[first] = frozenset(met)
    return later


def _agreeing(
    candidates: Sequence[Function], states: Iterable[Mapping[int, int]]
) -> list[Function]:
    """The candidates that hold in all states of plays, weakened where a group is seen empty.

    `states`: by fluent, the plays in which the fluent holds, as bits.
    """
    left = {number: candidate.is_total for number, candidate in enumerate(candidates)}
    for state in states:
        for number in [*left]:
            for group in candidates[number].groups:
                held = twice = 0
                for fluent in group:
                    bits = state[fluent]
                    twice |= held & bits
                    held |= bits
                if twice:
                    del left[number]
                    break
                if held != ALL:
                    left[number] = False
    return [replace(candidates[number], is_total=is_total) for number, is_total in left.items()]


def _kept(prover: _Prover, function: Function, changes: Sequence[Change]) -> Function | None:
    """A candidate that all steps keep, weakened if necessary; None without a proof."""
    prover.begin()
    try:
        return _proved(prover, function, changes)
    except _SpentError:
        return None


def _in_phases(function: Function, phases: Iterable[frozenset[int]]) -> Function | None:
    """A candidate that holds in all phases, weakened if necessary; None if it does not hold."""
    counts = {len(phase.intersection(group)) for phase in phases for group in function.groups}
    return replace(function, is_total=counts == {1}) if counts <= {0, 1} else None


def _proved(prover: _Prover, function: Function, changes: Sequence[Change]) -> Function | None:
    is_total = function.is_total
    for change in changes:
        for group in function.groups:
            if change.values.keys().isdisjoint(group):
                continue
            values = [prover.value(change, fluent) for fluent in group]
            live = [pair for pair in zip(group, values, strict=True) if pair[1] != FALSE]
            for (fluent, first), (other, second) in combinations(live, 2):
                if fluent not in change.values and other not in change.values:
                    continue
                if not prover.excludes(change.condition, first, second):
                    return None
            if is_total and TRUE not in values:
                none = [prover.formulas.negation(value) for value in values]
                is_total = all(
                    prover.is_impossible((atom, change.condition, *none))
                    or prover.is_impossible((atom, change.going, change.condition, *none))
                    for atom in map(prover.formulas.atom, group)
                )
    return Function(function.relation, function.places, function.groups, is_total)


class _Prover:
    def __init__(self, formulas: Formulas, choices: Iterable[tuple[int, ...]]) -> None:
        self.formulas = formulas
        self.effort = self.left = self.allotted = 0
        self.rest = MOST_IN_ALL
        self.rest_of_orders = MOST_FOR_ORDERS
        self.used: set[int] = set()
        self.owners: list[Candidate | None] = []
        self.clauses: defaultdict[int, list[tuple[int, tuple[tuple[int, int], ...]]]]
        self.clauses = defaultdict(list)
        self.choices = [*choices]
        self.literals: dict[int, tuple[tuple[int, int], ...]] = {}
        self.known: dict[tuple[int, int], frozenset[int] | None] = {}  # with the groups used
        self.groups: defaultdict[int, list[tuple[int, tuple[int, ...], bool]]] = defaultdict(list)
        self.watched: dict[int, tuple[int, int]] = {}
        self.within: dict[int, tuple[tuple[int, ...], frozenset[int]]] = {}

    def begin(self) -> None:
        """Begin the proofs for a candidate."""
        self.rest -= self.allotted - self.effort
        self.allotted = self.effort = min(MOST_EFFORT, max(self.rest, LEAST_EFFORT))
        self.used.clear()

    def premises(self) -> frozenset[Candidate]:
        """The candidates used in the proofs since `begin`."""
        owners = {id(owner): owner for owner in (self.owners[~number] for number in self.used)}
        return frozenset(owner for owner in owners.values() if owner is not None)

    def assume(self, functions: Iterable[Function], orders: Iterable[Filling]) -> None:
        """Assume candidates of the state before a step."""
        self.groups.clear()
        self.clauses.clear()
        self.known.clear()
        self.watched.clear()
        self.within.clear()
        owned: list[tuple[tuple[int, ...], bool, Candidate | None]] = [
            (group, function.is_total, function)
            for function in functions
            for group in function.groups
        ]
        owned += [(choice, True, None) for choice in self.choices]
        groups = [(group, is_total) for group, is_total, _ in owned]
        self.owners = [owner for *_, owner in owned]
        for number, (group, is_total) in enumerate(groups):
            for atom in group:
                self.groups[atom].append((~number, group, is_total))
        for order in orders:
            for clause in order.clauses():
                for atom, _ in clause:
                    self.clauses[atom].append((~len(self.owners), clause))
            self.owners.append(order)

    def keeps(self, order: Filling, changes: Sequence[Change]) -> bool:
        """Whether all steps provably keep an order of two cells."""
        formulas = self.formulas
        fluents = {*order.first.fluents, *order.then.fluents}
        self.rest -= self.allotted - self.effort
        self.allotted = self.effort = min(MOST_FOR_AN_ORDER, self.rest_of_orders)
        self.used.clear()
        try:
            for change in changes:
                if change.values.keys().isdisjoint(fluents):
                    continue
                first, then = (
                    vacancy.formula(
                        formulas, [self.value(change, each) for each in vacancy.fluents]
                    )
                    for vacancy in (order.first, order.then)
                )
                if not self.is_impossible((change.condition, first, formulas.negation(then))):
                    return False
        except _SpentError:
            return False
        finally:
            self.rest_of_orders -= self.allotted - self.effort
            self.allotted = self.effort = 0  # orders take nothing from the rest
        return True

    def value(self, change: Change, fluent: int) -> int:
        """The new value of a fluent."""
        value = change.values.get(fluent)
        return self.formulas.atom(fluent) if value is None else value

    def excludes(self, condition: int, first: int, second: int) -> bool:
        """Whether two formulas exclude each other, at least where the condition holds."""
        pair = first, second
        if pair not in self.known:
            before, self.used = self.used, set()
            is_proved = self.is_impossible(pair)
            self.known[pair] = frozenset(self.used) if is_proved else None
            self.used |= before
        used = self.known[pair]
        if used is not None:
            self.used |= used
            return True
        return self.is_impossible((condition, first, second))

    def is_same(self, condition: int, first: int, second: int) -> bool:
        """Whether two formulas have equal values where a condition holds."""
        negation = self.formulas.negation
        return self.is_impossible((condition, negation(first), second)) and self.is_impossible(
            (condition, first, negation(second))
        )

    def is_impossible(self, assumptions: Iterable[int]) -> bool:
        """Whether formulas cannot hold together in a state; False also if the proof takes too long.
        Raises _SpentError if all proofs together take too long."""
        self.left = MOST_FOR_A_PROOF
        assumed = [*assumptions]
        try:
            return self._is_denied(assumed) or self._contradicts(assumed, {}, [], {})
        except RecursionError:
            return False

    def _is_denied(self, assumptions: Iterable[int]) -> bool:
        """Whether formulas deny each other as they stand: a formula and its negation, or a
        disjunction of which every alternative is denied, as a conjunction is that has all parts
        of a denied conjunction."""
        kinds, parts = self.formulas.kinds, self.formulas.parts
        told: dict[int, bool] = {TRUE: True, FALSE: False}
        pending = [*map(self._bare, assumptions)]
        while pending:
            formula, value = pending.pop()
            if formula in told:
                if told[formula] is not value:
                    return True
                continue
            self.effort -= 1
            told[formula] = value
            if kinds[formula] == ("and" if value else "or"):
                pending += (self._bare(part, value) for part in parts[formula])
        denied: defaultdict[int, list[frozenset[int]]] = defaultdict(list)
        for formula, value in told.items():
            if kinds[formula] == "and" and not value:
                denied[min(parts[formula])].append(frozenset(parts[formula]))

        def is_denied(formula: int, value: bool) -> bool:
            if told.get(formula, value) is not value:
                return True
            inner = parts[formula] if kinds[formula] == "and" and value else ()
            return any(
                self._denies(told, part) or any(map({*inner}.issuperset, denied.get(part, ())))
                for part in inner
            )

        return any(
            all(is_denied(*self._bare(part, value)) for part in parts[formula])
            for formula, value in told.items()
            if kinds[formula] == ("or" if value else "and")
        )

    def _bare(self, formula: int, value: bool = True) -> tuple[int, bool]:
        """A formula that has a truth value without its negation, and the truth value then."""
        is_negation = self.formulas.kinds[formula] == "not"
        return (self.formulas.parts[formula][0], not value) if is_negation else (formula, value)

    def _denies(self, told: Mapping[int, bool], formula: int) -> bool:
        """Whether truth values of formulas, without negations, exclude a formula."""
        bare, value = self._bare(formula)
        return told.get(bare, value) is not value

    def _contradicts(
        self, todo: list[int], facts: dict[int, int], open_: list[int], told: dict[int, bool]
    ) -> bool:
        """Whether formulas and facts are contradictory; adds to `facts`, and to `told` the truth
        values of conjunctions and disjunctions."""
        formulas = self.formulas
        while todo:
            formula = todo.pop()
            self.effort -= 1
            self.left -= 1
            if self.effort < 0:
                raise _SpentError
            if self.left < 0:
                return False
            parts = formulas.parts[formula]
            bare, value = self._bare(formula)
            if formulas.kinds[bare] in {"and", "or"} and told.setdefault(bare, value) is not value:
                return True
            match formulas.kinds[formula]:
                case "const":
                    if formula == FALSE:
                        return True
                case "atom":
                    if not self._learn(parts[0], TRUE, facts):
                        return True
                case "and":
                    todo += parts
                case "or":
                    open_.append(formula)
                case "not":
                    inner = parts[0]
                    if formulas.kinds[inner] == "atom":
                        if not self._learn(formulas.parts[inner][0], FALSE, facts):
                            return True
                    elif formulas.kinds[inner] == "or":
                        todo += map(formulas.negation, formulas.parts[inner])
                    else:
                        open_.append(formula)
        return self._branches(facts, open_, told)

    def _branches(self, facts: dict[int, int], open_: list[int], told: dict[int, bool]) -> bool:
        best: list[int] | None = None
        place = 0
        for number, formula in enumerate(open_):
            if self.left < 0:
                return False
            live = self._live(formula, facts, told)
            if best is None or len(live) < len(best):
                best, place = live, number
            if not live:
                return True
            if len(live) == 1:
                break
        if best is None:
            return False
        rest = open_[:place] + open_[place + 1 :]
        return all(self._contradicts([part], dict(facts), [*rest], {**told}) for part in best)

    def _live(self, formula: int, facts: Mapping[int, int], told: Mapping[int, bool]) -> list[int]:
        """The alternatives that no short look at the facts and the truth values excludes."""
        if self.formulas.kinds[formula] == "or":
            member = self._member(formula, facts)
            if member is not None:
                return [*map(self.formulas.atom, member)]
        return [
            part
            for part in self._alternatives(formula)
            if not self._denies(told, part) and not self._fails(part, facts)
        ]

    def _member(self, formula: int, facts: Mapping[int, int]) -> tuple[int, ...] | None:
        """The alternative that holds, if any, of a disjunction of members of a group of which the
        true member is known; None otherwise."""
        numbers, atoms = self._within(formula)
        for number in numbers:
            if number in facts:
                self.used.add(number)
                return (facts[number],) if facts[number] in atoms else ()
        return None

    def _within(self, formula: int) -> tuple[tuple[int, ...], frozenset[int]]:
        """The groups that have all alternatives of a disjunction as members, with the members."""
        known = self.within.get(formula)
        if known is None:
            formulas, parts = self.formulas, self.formulas.parts[formula]
            atoms = frozenset(formulas.parts[part][0] for part in parts)
            numbers: tuple[int, ...] = ()
            if all(formulas.kinds[part] == "atom" for part in parts):
                shared = ({number for number, *_ in self.groups.get(atom, ())} for atom in atoms)
                numbers = tuple(set.intersection(*shared))
            known = self.within[formula] = numbers, atoms
        return known

    def _alternatives(self, formula: int) -> Iterable[int]:
        formulas = self.formulas
        if formulas.kinds[formula] == "or":
            return formulas.parts[formula]
        return map(formulas.negation, formulas.parts[formulas.parts[formula][0]])

    def _fails(self, formula: int, facts: Mapping[int, int]) -> bool:
        """Whether a short look at the facts excludes a formula."""
        literals = self.literals.get(formula)
        if literals is None:
            literals = self.literals[formula] = self._literals(formula)
        self.effort -= 1 + len(literals)
        self.left -= 1 + len(literals)
        if any(self._value(atom, facts) == failing for atom, failing in literals):
            return True
        kinds, parts = self.formulas.kinds, self.formulas.parts[formula]
        return kinds[formula] == "and" and any(
            kinds[part] == "or" and self._member(part, facts) == () for part in parts
        )

    def _literals(self, formula: int) -> tuple[tuple[int, int], ...]:
        """The atoms whose values exclude a formula at once, with the values."""
        formulas = self.formulas
        parts = formulas.parts[formula]
        match formulas.kinds[formula]:
            case "atom":
                return ((parts[0], FALSE),)
            case "not":
                inner = parts[0]
                is_atom = formulas.kinds[inner] == "atom"
                return ((formulas.parts[inner][0], TRUE),) if is_atom else ()
            case "and":
                inside = (part for part in parts if formulas.kinds[part] != "and")
                return tuple(pair for part in inside for pair in self._literals(part))
        return ()

    def _value(self, atom: int, facts: Mapping[int, int]) -> int | None:
        """The known value of an atom; a true atom makes all further atoms of a group false."""
        value = facts.get(atom)
        if value is None:
            for number, _, _ in self.groups.get(atom, ()):
                if number in facts and facts[number] != atom:
                    self.used.add(number)
                    return FALSE
        return value

    def _learn(self, atom: int, value: int, facts: dict[int, int]) -> bool:
        """Add a fact and the consequences in the groups of the atom; False for a contradiction.

        Negative keys of `facts` are groups; the value is the true atom.
        """
        pending = [(atom, value)]
        while pending:
            atom, value = pending.pop()
            known = self._value(atom, facts)
            if known is not None and known != value:
                return False
            if atom in facts:
                continue
            facts[atom] = value
            if not self._ordered(atom, facts, pending):
                return False
            for number, group, is_total in self.groups.get(atom, ()):
                if value == TRUE:
                    facts[number] = atom
                    for other in group if self.clauses else ():
                        if other != atom and not self._ordered(other, facts, pending):
                            return False
                elif is_total and number not in facts:
                    self.used.add(number)
                    left = self._possible(number, group, facts)
                    if not left:
                        return False
                    if len(left) == 1:
                        pending.append((left[0], TRUE))
        return True

    def _ordered(self, atom: int, facts: Mapping[int, int], pending: list[tuple[int, int]]) -> bool:
        """Add what orders tell of a known atom to `pending`; False for a contradiction."""
        for number, clause in self.clauses.get(atom, ()):
            self.effort -= len(clause)
            values = [self._value(each, facts) for each, _ in clause]
            pairs = [*zip(clause, values, strict=True)]
            if any(value == wanted for (_, wanted), value in pairs):
                continue
            left = [literal for literal, value in pairs if value is None]
            if len(left) < 2:
                self.used.add(number)
                if not left:
                    return False
                pending.append(left[0])
        return True

    def _possible(self, number: int, group: tuple[int, ...], facts: Mapping[int, int]) -> list[int]:
        """Up to two members of a group that may hold. The members of the last answer are looked at
        first, then those behind (watched literals: M. Moskewicz and others, "Chaff: Engineering an
        Efficient SAT Solver", 2001)."""
        first, second = self.watched.get(number, (0, 1))
        size = len(group)
        rest = (place for place in chain(range(second + 1, size), range(second)) if place != first)
        places = chain((first, second) if size > 1 else (first,), rest)
        live = (place for place in places if self._value(group[place], facts) != FALSE)
        left = [*islice(live, 2)]
        if len(left) == 2:
            self.watched[number] = left[0], left[1]
        return [group[place] for place in left]


def closed(facts: Mapping[int, int], functions: Mapping[str, Function]) -> dict[int, int]:
    """Values of atoms (TRUE, FALSE); a true fluent makes the rest of the group false."""
    values = dict(facts)
    for function in functions.values():
        for group in function.groups:
            if any(facts.get(fluent) == TRUE for fluent in group):
                values.update({member: FALSE for member in group if facts.get(member) != TRUE})
    return values
