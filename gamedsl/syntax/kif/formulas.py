"""Formulas over fluents and moves, from ground rules; equal formulas have equal numbers.

In: a `Ground`. Out: for every head a number in a `Formulas`; formulas that differ in the order of
parts are equal. The parts of a formula have smaller numbers than the formula, so that a walk
upwards needs no recursion. Recursive relations are unfolded from below, as many times as there are
atoms: the least fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import product
from typing import NoReturn

from gamedsl.source import SourceFile
from gamedsl.source.plurals import count
from gamedsl.syntax.kif.ground import Ground, components
from gamedsl.syntax.kif.rules import TOO_LARGE, UNSTRATIFIED, refuse, text_of

FALSE, TRUE = 0, 1
MOST_FORMULAS = 1_000_000
MOST_TRIED = 9
"""Most relations and atoms whose values `is_sure` tries."""
LEAVES = ("true ", "does ")
"""Beginnings of the relations that are given, not derived: fluents and moves."""


class Formulas:
    """The formulas of a game.

    Attributes:
        kinds: by number: "const", "atom", "not", "and", "or".
        parts: the numbers of the parts; for an atom, the number of the atom.
        views: the formulas of relations of the file; a view is not dissolved in other formulas.
    """

    def __init__(self, refuse_more: Callable[[], NoReturn]) -> None:
        """`refuse_more` is called for more than `MOST_FORMULAS`."""
        self.refuse_more = refuse_more
        self.kinds = ["const", "const"]
        self.parts: list[tuple[int, ...]] = [(), ()]
        self.views: set[int] = set()
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    def _made(self, kind: str, parts: tuple[int, ...]) -> int:
        key = kind, tuple(sorted(parts))
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.kinds)
            self.kinds.append(kind)
            self.parts.append(parts)
            if number > MOST_FORMULAS:
                self.refuse_more()
        return number

    @property
    def room(self) -> int:
        """The number of formulas that proofs may make, so that some are left for the rules."""
        return MOST_FORMULAS * 3 // 4 - len(self.kinds)

    def atom(self, number: int) -> int:
        """The formula of an atom."""
        return self._made("atom", (number,))

    def negation(self, formula: int) -> int:
        """`not formula`."""
        if formula in (FALSE, TRUE):
            return TRUE - formula
        if self.kinds[formula] == "not":
            return self.parts[formula][0]
        return self._made("not", (formula,))

    def both(self, formulas: Iterable[int]) -> int:
        """The conjunction."""
        return self._joined("and", formulas, FALSE, TRUE)

    def either(self, formulas: Iterable[int]) -> int:
        """The disjunction."""
        return self._joined("or", formulas, TRUE, FALSE)

    def _joined(self, kind: str, formulas: Iterable[int], deciding: int, idle: int) -> int:
        parts: dict[int, None] = {}
        for formula in formulas:
            if formula == deciding:
                return deciding
            if formula == idle:
                continue
            if self.kinds[formula] == kind and formula not in self.views:
                parts.update(dict.fromkeys(self.parts[formula]))
            else:
                parts[formula] = None
        for formula in parts:
            if self.kinds[formula] == "not" and self.parts[formula][0] in parts:
                return deciding
        if len(parts) < 2:
            return next(iter(parts), idle)
        return self._made(kind, self._absorbed(kind, tuple(parts)))

    def _absorbed(self, kind: str, formulas: tuple[int, ...]) -> tuple[int, ...]:
        """The parts, less parts of the dual kind that contain a part: `a or (a and b)` is `a`."""
        dual = "or" if kind == "and" else "and"
        present = set(formulas)
        return tuple(
            formula
            for formula in formulas
            if self.kinds[formula] != dual or present.isdisjoint(self.parts[formula])
        )

    def below(self, formulas: Iterable[int], closed: Container[int] = ()) -> list[int]:
        """The formulas and all their parts, parts first; parts of `closed` formulas are left
        out."""
        met = set(formulas)
        pending = [*met]
        while pending:
            formula = pending.pop()
            if self.kinds[formula] in {"const", "atom"} or formula in closed:
                continue
            for part in self.parts[formula]:
                if part not in met:
                    met.add(part)
                    pending.append(part)
        return sorted(met)

    def atoms_of(self, formulas: Iterable[int]) -> set[int]:
        """The atoms in formulas."""
        return {
            self.parts[formula][0]
            for formula in self.below(formulas)
            if self.kinds[formula] == "atom"
        }

    def put(
        self, formulas: Iterable[int], values: Mapping[int, int], known: dict[int, int]
    ) -> dict[int, int]:
        """Replace atoms in formulas by the formulas `values`. Returns `known`, with additions: by
        formula, the formula with the replacements."""
        for formula in self.below(part for part in formulas if part not in known):
            if formula not in known:
                known[formula] = self.replaced(formula, values, known)
        return known

    def replaced(self, formula: int, values: Mapping[int, int], known: Mapping[int, int]) -> int:
        """A formula with atoms replaced by `values`; `known`: the replaced parts."""
        parts = self.parts[formula]
        match self.kinds[formula]:
            case "const":
                return formula
            case "atom":
                return values.get(parts[0], formula)
            case "not":
                return self.negation(known[parts[0]])
        replaced = tuple(known[part] for part in parts)
        if replaced == parts:
            return formula
        return self.both(replaced) if self.kinds[formula] == "and" else self.either(replaced)

    def told_by(self, condition: int) -> dict[int, int]:
        """The values of disjunctions that a condition is made of, where the condition holds."""
        parts = self.parts[condition] if self.kinds[condition] == "and" else (condition,)
        values = {part: TRUE for part in parts if self.kinds[part] == "or"}
        for part in parts:
            if self.kinds[part] == "not" and self.kinds[self.parts[part][0]] in {"and", "or"}:
                values[self.parts[part][0]] = FALSE
        return values

    def is_sure(
        self, condition: int, alternatives: Iterable[int], groups: Iterable[tuple[int, ...]] = ()
    ) -> bool:
        """Whether an alternative certainly holds where the condition holds: all values of the
        relations and atoms in the formulas are tried, if exactly one atom of each group holds;
        False for more than `MOST_TRIED`."""
        roots = [condition, *alternatives]
        inner = {part for root in roots for part in self._inside(root)}
        opened = set(roots) - inner
        leaves: set[int] = set()
        pending = [*roots]
        while pending:
            formula = pending.pop()
            is_view = formula in self.views and formula not in opened
            if is_view or self.kinds[formula] == "atom":
                leaves.add(formula)
                if len(leaves) > MOST_TRIED:
                    return False
            elif self.kinds[formula] != "const":
                opened.add(formula)
                pending += self.parts[formula]
        ascending = sorted(opened - leaves)
        whole = [set(map(self.atom, group)) for group in groups]
        whole = [group for group in whole if group <= leaves]
        for truth in product((FALSE, TRUE), repeat=len(leaves)):
            known = {FALSE: FALSE, TRUE: TRUE, **dict(zip(leaves, truth, strict=True))}
            if any(sum(known[atom] for atom in group) != 1 for group in whole):
                continue
            for formula in ascending:
                known[formula] = self.replaced(formula, {}, known)
            if known[condition] == TRUE and all(known[root] != TRUE for root in roots[1:]):
                return False
        return True

    def _inside(self, root: int) -> set[int]:
        """The formulas inside a formula; views inside are not entered."""
        inside: set[int] = set()
        pending = [root]
        while pending:
            formula = pending.pop()
            if self.kinds[formula] in {"const", "atom"}:
                continue
            for part in self.parts[formula]:
                if part not in inside:
                    inside.add(part)
                    if part not in self.views:
                        pending.append(part)
        return inside

    def fixed_by(self, formula: int) -> dict[int, int]:
        """The atoms that a true formula fixes, with the values (TRUE, FALSE)."""
        parts = self.parts[formula] if self.kinds[formula] == "and" else (formula,)
        values = {}
        for part in parts:
            if self.kinds[part] == "atom":
                values[self.parts[part][0]] = TRUE
            elif self.kinds[part] == "not" and self.kinds[self.parts[part][0]] == "atom":
                values[self.parts[self.parts[part][0]][0]] = FALSE
        return values


def formulas_of(source: SourceFile, ground: Ground) -> tuple[Formulas, dict[int, int]]:
    """The formula of every atom that has rules, and of every fluent and move. Raises KifError."""

    def refuse_more() -> NoReturn:
        message = f"the rules without variables have more than {MOST_FORMULAS:,} formulas"
        refuse(source, TOO_LARGE, message, min(ground.spans.values()))

    formulas = Formulas(refuse_more)
    derived = {ground.atoms[head] for head in ground.bodies}
    known: dict[int, int] = {}
    for number, (relation, arguments) in enumerate(ground.atoms):
        if relation.startswith(LEAVES):
            giver = relation.replace("true ", "next ").replace("does ", "legal ")
            can_hold = number in ground.initial or (giver, arguments) in derived
            known[number] = formulas.atom(number) if can_hold else FALSE
    uses = {
        head: [
            number
            for number in {abs(part) for body in bodies for part in body}
            if number in ground.bodies
        ]
        for head, bodies in ground.bodies.items()
    }
    for group in components(uses):
        _unfold(source, ground, formulas, known, group, uses)
    return formulas, known


def _unfold(
    source: SourceFile,
    ground: Ground,
    formulas: Formulas,
    known: dict[int, int],
    group: list[int],
    uses: dict[int, list[int]],
) -> None:
    """Add the formulas of mutually dependent atoms; all further formulas are known."""
    is_cycle = len(group) > 1 or group[0] in uses[group[0]]
    bodies = {head: _without_itself(head, ground.bodies[head].values()) for head in group}
    if is_cycle:
        _refuse_negation(source, ground, bodies)
    before: dict[int, int] = dict.fromkeys(group, FALSE)
    for _ in range(len(group) if is_cycle else 1):
        formula_of = _formulas_of(formulas, {**known, **before} if is_cycle else known)
        after = {
            head: formulas.either(formulas.both(map(formula_of, body)) for body in bodies[head])
            for head in group
        }
        if after == before:
            break
        before = after
        if len(formulas.kinds) > MOST_FORMULAS // 2 and is_cycle:
            relation = ground.atoms[group[0]][0]
            message = (
                f"`{relation}` depends on itself, through {count(len(group), 'atom')}: "
                "written out, that is too long"
            )
            refuse(source, TOO_LARGE, message, ground.spans[relation])
    known.update(before)
    formulas.views.update(before.values())


def _refuse_negation(
    source: SourceFile, ground: Ground, bodies: Mapping[int, Iterable[tuple[int, ...]]]
) -> None:
    """Refuse mutual dependence through a negation."""
    for head, alternatives in bodies.items():
        for part in (part for body in alternatives for part in body):
            if -part in bodies:
                relation = ground.atoms[head][0]
                message = (
                    f"`{atom_text(ground, head)}` depends on the negation of itself, "
                    f"through `not {atom_text(ground, -part)}`"
                )
                refuse(source, UNSTRATIFIED, message, ground.spans[relation])


def _without_itself(head: int, bodies: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The bodies without the head as a condition."""
    return [body for body in bodies if head not in body]


def _formulas_of(formulas: Formulas, known: Mapping[int, int]) -> Callable[[int], int]:
    def formula_of(literal: int) -> int:
        formula = known.get(abs(literal), FALSE)
        return formula if literal > 0 else formulas.negation(formula)

    return formula_of


def atom_text(ground: Ground, number: int) -> str:
    """An atom as written: `true (cell 1 1 b)`."""
    relation, arguments = ground.atoms[number]
    return " ".join((relation, *map(text_of, arguments)))
