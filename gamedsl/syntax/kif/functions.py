"""Fluents that are functions: of `(cell 1 1 ?m)` exactly one holds in every state, or at most one.

In: fluents, and the steps of a game. Out: for each relation the argument that is the value, where
that is proved. A candidate is a relation and one of its arguments. All candidates that hold at
first are assumed of a state; a candidate that a step could violate is dropped, until every step
keeps all that are left: induction over plays. The proof for a step is a tableau: the assumptions
are taken apart, alternatives are tried one by one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from gamedsl.source.records import dataclass
from gamedsl.syntax.kif.formulas import FALSE, TRUE, Formulas
from gamedsl.syntax.kif.ground import Ground

MOST_EFFORT = 100_000
"""Formulas taken apart in all proofs for a candidate."""
MOST_FOR_A_PROOF = 2_000


@dataclass(frozen=True, slots=True)
class Function:
    """The argument `place` of a relation is a function of the other arguments.

    Attributes:
        groups: the fluents of which at most one holds.
        is_total: whether one of each group holds in every state.
    """

    relation: str
    place: int
    groups: tuple[tuple[int, ...], ...]
    is_total: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A step for proofs: its condition, and the new values of fluents that may change."""

    condition: int
    values: Mapping[int, int]


class _SpentError(Exception):
    """A proof takes too long."""


def functions_of(
    ground: Ground,
    formulas: Formulas,
    fluents: Iterable[int],
    changes: Sequence[Change],
    choices: Iterable[tuple[int, ...]] = (),
) -> dict[str, Function]:
    """A function for each relation for which one is proved.

    Of the atoms of each of `choices` exactly one holds: the moves of a role.
    """
    prover = _Prover(formulas, choices)
    candidates = list(_candidates(ground, fluents))
    while True:
        prover.assume(candidates)
        found = (_kept(prover, candidate, changes) for candidate in candidates)
        kept = [candidate for candidate in found if candidate is not None]
        if kept == candidates:
            break
        candidates = kept
    best: dict[str, Function] = {}
    for candidate in candidates:
        known = best.get(candidate.relation)
        if known is None or _merit(candidate) > _merit(known):
            best[candidate.relation] = candidate
    return best


def _merit(function: Function) -> tuple[bool, int]:
    """Functions with few groups save most cells."""
    return function.is_total, -len(function.groups)


def _candidates(ground: Ground, fluents: Iterable[int]) -> Iterable[Function]:
    by_relation: defaultdict[str, list[int]] = defaultdict(list)
    for fluent in fluents:
        by_relation[ground.atoms[fluent][0]].append(fluent)
    for relation, numbers in by_relation.items():
        arity = len(ground.atoms[numbers[0]][1])
        for place in reversed(range(arity)):
            groups: defaultdict[object, list[int]] = defaultdict(list)
            for number in numbers:
                arguments = ground.atoms[number][1]
                groups[arguments[:place], arguments[place + 1 :]].append(number)
            held = [len(ground.initial.intersection(group)) for group in groups.values()]
            if max(held) < 2 and 2 * len(groups) <= len(numbers):
                members = tuple(map(tuple, groups.values()))
                yield Function(relation, place, members, min(held) == 1)


def _kept(prover: _Prover, function: Function, changes: Sequence[Change]) -> Function | None:
    """The candidate if all steps keep it, or a weaker candidate, or None."""
    prover.effort = MOST_EFFORT
    try:
        return _proved(prover, function, changes)
    except _SpentError:
        return None


def _proved(prover: _Prover, function: Function, changes: Sequence[Change]) -> Function | None:
    is_total = function.is_total
    for change in changes:
        for group in function.groups:
            touched = [fluent for fluent in group if fluent in change.values]
            if not touched:
                continue
            values = [prover.value(change, fluent) for fluent in group]
            pairs = combinations(zip(group, values, strict=True), 2)
            for (one, first), (two, second) in pairs:
                if one not in change.values and two not in change.values:
                    continue
                if not prover.is_impossible((change.condition, first, second)):
                    return None
            none = [prover.formulas.negation(value) for value in values]
            if is_total and not prover.is_impossible((change.condition, *none)):
                is_total = False
    return Function(function.relation, function.place, function.groups, is_total)


class _Prover:
    def __init__(self, formulas: Formulas, choices: Iterable[tuple[int, ...]]) -> None:
        self.formulas = formulas
        self.effort = self.left = 0
        self.choices = [*choices]
        self.groups: defaultdict[int, list[tuple[tuple[int, ...], bool]]] = defaultdict(list)

    def assume(self, functions: Iterable[Function]) -> None:
        """Take some candidates as given of the state before a step."""
        self.groups.clear()
        for function in functions:
            for group in function.groups:
                for fluent in group:
                    self.groups[fluent].append((group, function.is_total))
        for choice in self.choices:
            for move in choice:
                self.groups[move].append((choice, True))

    def value(self, change: Change, fluent: int) -> int:
        """The new value of a fluent."""
        value = change.values.get(fluent)
        return self.formulas.atom(fluent) if value is None else value

    def is_impossible(self, assumptions: Iterable[int]) -> bool:
        """Whether some formulas cannot hold together in a state; False also where the proof takes
        too long. Raises _SpentError if all proofs together do."""
        self.left = MOST_FOR_A_PROOF
        try:
            return self._contradicts([*assumptions], {}, [])
        except RecursionError:
            return False

    def _contradicts(self, todo: list[int], facts: dict[int, bool], open_: list[int]) -> bool:
        """Whether formulas contradict the facts, and each other; adds to `facts`."""
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
            match formulas.kinds[formula]:
                case "const":
                    if formula == FALSE:
                        return True
                case "atom":
                    if not self._learn(parts[0], True, facts):
                        return True
                case "and":
                    todo += parts
                case "or":
                    open_.append(formula)
                case "not":
                    inner = parts[0]
                    if formulas.kinds[inner] == "atom":
                        if not self._learn(formulas.parts[inner][0], False, facts):
                            return True
                    elif formulas.kinds[inner] == "or":
                        todo += map(formulas.negation, formulas.parts[inner])
                    else:
                        open_.append(formula)
        return self._branches(facts, open_)

    def _branches(self, facts: dict[int, bool], open_: list[int]) -> bool:
        best: list[int] | None = None
        place = 0
        for number, formula in enumerate(open_):
            live = [part for part in self._alternatives(formula) if not self._fails(part, facts)]
            if best is None or len(live) < len(best):
                best, place = live, number
            if not live:
                return True
        if best is None:
            return False
        rest = open_[:place] + open_[place + 1 :]
        return all(self._contradicts([part], dict(facts), [*rest]) for part in best)

    def _alternatives(self, formula: int) -> Iterable[int]:
        formulas = self.formulas
        if formulas.kinds[formula] == "or":
            return formulas.parts[formula]
        return map(formulas.negation, formulas.parts[formulas.parts[formula][0]])

    def _fails(self, formula: int, facts: Mapping[int, bool]) -> bool:
        """Whether facts alone exclude a formula, at a glance."""
        formulas = self.formulas
        parts = formulas.parts[formula]
        match formulas.kinds[formula]:
            case "atom":
                return facts.get(parts[0]) is False
            case "not":
                inner = parts[0]
                return formulas.kinds[inner] == "atom" and facts.get(formulas.parts[inner][0], False)
            case "and":
                return any(
                    self._fails(part, facts) for part in parts if formulas.kinds[part] != "and"
                )
        return False

    def _learn(self, atom: int, value: bool, facts: dict[int, bool]) -> bool:
        """Add a fact and what follows in its groups; False if that contradicts the facts."""
        pending = [(atom, value)]
        while pending:
            atom, value = pending.pop()
            if atom in facts:
                if facts[atom] != value:
                    return False
                continue
            facts[atom] = value
            for group, is_total in self.groups.get(atom, ()):
                self.effort -= len(group) // 8
                if value:
                    pending += [(other, False) for other in group if other != atom]
                elif is_total:
                    left = [other for other in group if facts.get(other, True)]
                    if not left:
                        return False
                    if len(left) == 1:
                        pending.append((left[0], True))
        return True


def closed(facts: Mapping[int, int], functions: Mapping[str, Function]) -> dict[int, int]:
    """Values of atoms (TRUE, FALSE), with what follows for the other values of functions."""
    found = dict(facts)
    for function in functions.values():
        for group in function.groups:
            if any(facts.get(fluent) == TRUE for fluent in group):
                found.update({one: FALSE for one in group if facts.get(one) != TRUE})
    return found
