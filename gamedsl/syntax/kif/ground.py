"""Grounding: the rules of a file in GDL without variables, by semi-naive evaluation.

In: valid rules. Out: facts about roles and beginnings, and for each atom that depends on the state
or on moves the instances of the rules. Relations without state and moves are evaluated exactly, a
stratum at a time. For all further relations a positive condition is possible once derived (a
fluent: by `init` or `next`; a move: by `legal`), and negations are kept. So every atom that can
hold is met, perhaps with atoms that never hold.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import field
from itertools import count
from typing import TypeVar

from gamedsl.source import SourceFile, Span
from gamedsl.source.components import components as components_of
from gamedsl.source.records import dataclass
from gamedsl.syntax.kif.joins import Fact, Facts, Flat, FlatRule, join, relations_of
from gamedsl.syntax.kif.rules import (
    TOO_LARGE,
    Literal,
    Rule,
    Term,
    is_variable,
    refuse,
    replaced,
)
from gamedsl.syntax.kif.splitting import split, unfolded

MOST_STEPS = 40_000_000
"""Facts tried in joins."""
MOST_INSTANCES = 700_000
"""Ground rules, and facts."""
MOST_OF_A_RULE = 60_000
"""Instances of a rule beyond which the rule is split, where it can be."""
MOST_BEFORE_UNFOLDING = 100_000
"""Instances or facts of a rule beyond which its relation is unfolded, where it can be."""
DEEPEST_TERM = 12
"""Greatest depth of nested functions."""
NEEDED = ("role", "init", "next", "legal", "terminal", "goal", "sees")
WRAPPERS = {"true": 0, "init": 0, "next": 0, "base": 0, "does": 1, "legal": 1, "input": 1}
FLUENTS = frozenset({"true", "init", "next", "base"})

ANY = "?"
"""The name of all fluents, or all moves, if a head has a variable for a whole fluent, or move."""
Shapes = dict[bool, dict[tuple[str, int], None] | None]
"""Of fluents (True) and moves (False) the names, with the numbers of arguments; None: all names."""
Atom = tuple[str, Fact]
"""A relation and its arguments."""
Key = TypeVar("Key", bound=Hashable)
Body = tuple[int, ...]
"""Atoms by number, from 1; negative for a negated atom."""


@dataclass(slots=True)
class Ground:
    """The rules without variables.

    Attributes:
        roles: in the order of the file.
        atoms: every atom by number; number 0 stands for none.
        bodies: by number of the head, the instances of the rules, in the order of the file, by
            their atoms in order; an empty body: always true.
        initial: the fluents that hold at first, as numbers of `true` atoms.
        spans: by relation, the place of a rule.
        steps: facts tried.
        parameters: for a relation, the names of the variables in the first rule with different
            variables alone; for `legal`, without the role.
    """

    roles: tuple[Term, ...]
    atoms: list[Atom]
    bodies: dict[int, dict[Body, Body]]
    initial: frozenset[int]
    spans: dict[str, Span]
    steps: int = 0
    parameters: dict[str, tuple[str, ...]] = field(default_factory=dict)


class _RewrittenError(Exception):
    """A rule has many instances; rules of the same meaning in place of all rules."""

    def __init__(self, rules: list[FlatRule]) -> None:
        super().__init__()
        self.rules = rules


def _flat(literal: Literal, values: dict[str, Term], shapes: Shapes) -> Flat:
    arguments = tuple(replaced(part, values) for part in literal.arguments)
    place = WRAPPERS.get(literal.predicate)
    if place is None:
        return Flat(literal.predicate, arguments, literal.is_positive)
    if shapes[literal.predicate in FLUENTS] is None:
        return Flat(f"{literal.predicate} {ANY}", arguments, literal.is_positive)
    relation, arguments = _named(literal.predicate, arguments, place)
    return Flat(relation, arguments, literal.is_positive)


def _named(predicate: str, arguments: Fact, place: int) -> Atom:
    """An atom whose relation includes the name of the fluent or move at a place."""
    term = arguments[place]
    inner: tuple[Term, ...] = (term,) if isinstance(term, str) else term
    return f"{predicate} {inner[0]}", arguments[:place] + inner[1:]


def ground(source: SourceFile, rules: tuple[Rule, ...]) -> Ground:
    """The rules without variables. Raises KifError beyond the limits."""
    flat, parts = [*_with_shapes(_used(rules))], set[str]()
    while True:
        try:
            return _Grounder(source, flat, parts).run()
        except _RewrittenError as error:
            flat = [FlatRule(rule.span, rule.head, rule.body) for rule in error.rules]


class _Grounder:
    def __init__(self, source: SourceFile, rules: list[FlatRule], parts: set[str]) -> None:
        """`parts`: the relations made by splitting, never unfolded; it grows by splitting."""
        self.source, self.rules, self.parts = source, rules, parts
        self.facts = Facts()
        self.steps = [MOST_STEPS]
        self.atoms: list[Atom] = [("", ())]
        self.numbers: dict[Atom, int] = {}
        self.bodies: dict[int, dict[Body, Body]] = {}
        self.pending: deque[tuple[str, Fact]] = deque()
        self.instances = 0
        self.rule = rules[0]
        self.names: dict[str, object] = {"steps": self.steps, "spent": self._spent}

    def run(self) -> Ground:
        dynamic = self._dynamic()
        exact = [rule for rule in self.rules if rule.head.relation not in dynamic]
        self.names["emit"] = self._emit_fact
        for group in _strata(exact):
            self._evaluate(group, relations_of(rule.head for rule in group))
        for relation in [name for name in self.facts.known if name.startswith("init ")]:
            for fact in self.facts.known[relation]:
                self.pending.append(("true" + relation[4:], fact))
        self.names["emit"] = self._emit_instance
        instances = [rule for rule in self.rules if rule.head.relation in dynamic]
        self._evaluate(instances, dynamic)
        order = {rule.head.arguments: None for rule in self.rules if rule.head.relation == "role"}
        facts = self.facts.known["role"]
        listed = dict.fromkeys(fact for fact in order if fact in facts)
        roles = tuple(fact[0] for fact in listed | facts)
        initial = frozenset(
            self._number("true" + relation[4:], fact)
            for relation, known in self.facts.known.items()
            if relation.startswith("init ")
            for fact in known
        )
        spans: dict[str, Span] = {}
        for rule in self.rules:
            spans.setdefault(rule.head.relation, rule.span)
            spans.setdefault(rule.head.relation.split(" ")[0], rule.span)
        used = MOST_STEPS - self.steps[0]
        for number, (relation, fact) in enumerate(self.atoms):
            predicate, _, name = relation.partition(" ")
            if name == ANY:
                named = _named(predicate, fact, WRAPPERS[predicate])
                self.atoms[number] = named
                spans.setdefault(named[0], spans.get(relation, self.rule.span))
        parameters: dict[str, tuple[str, ...]] = {}
        for rule in self.rules:
            relation = rule.head.relation
            arguments = rule.head.arguments[relation.startswith("legal ") :]
            if all(map(is_variable, arguments)) and len({*arguments}) == len(arguments):
                parameters.setdefault(relation, tuple(str(part)[1:] for part in arguments))
        return Ground(roles, self.atoms, self.bodies, initial, spans, used, parameters)

    def _dynamic(self) -> set[str]:
        """The relations that depend on the state or on moves."""
        users: defaultdict[str, set[str]] = defaultdict(set)
        dynamic: set[str] = set()
        for rule in self.rules:
            for part in rule.body:
                users[part.relation].add(rule.head.relation)
                if part.relation.startswith(("true ", "does ")):
                    dynamic.add(part.relation)
            if rule.head.relation.startswith(("next ", "legal ")):
                dynamic.add(rule.head.relation)
        dynamic |= relations_of(
            rule.head for rule in self.rules if rule.head.relation in ("terminal", "goal")
        )
        pending = [*dynamic]
        while pending:
            for user in users[pending.pop()]:
                if user not in dynamic:
                    dynamic.add(user)
                    pending.append(user)
        return dynamic

    def _evaluate(self, rules: list[FlatRule], open_relations: set[str]) -> None:
        """Add all facts of some rules; facts of other relations are complete."""

        def exact(relation: str) -> bool:
            return relation not in open_relations

        runs: defaultdict[str, list[tuple[FlatRule, Callable[[Fact], None]]]] = defaultdict(list)
        seeds = []
        for rule in rules:
            deltas: list[int | None] = [
                place
                for place, part in enumerate(rule.body)
                if part.is_positive and not exact(part.relation)
            ]
            for first in [*deltas] or [None]:
                run = join(self.facts, rule.head, rule.body, first, exact, self.names)
                if first is None:
                    seeds.append((rule, run))
                else:
                    runs[rule.body[first].relation].append((rule, run))
        for self.rule, run in seeds:
            run(())
        while self.pending:
            relation, fact = self.pending.popleft()
            if not self.facts.add(relation, fact):
                continue
            for self.rule, run in runs[relation]:
                run(fact)

    def _emit_fact(self, relation: str, fact: Fact, _: object) -> None:
        if fact not in self.facts.known[relation]:
            self._count(fact)
            self.pending.append((relation, fact))

    def _emit_instance(
        self, relation: str, fact: Fact, body: tuple[tuple[bool, str, Fact], ...]
    ) -> None:
        head = self._number(relation, fact)
        literals = tuple(
            self._number(name, arguments) if is_positive else -self._number(name, arguments)
            for is_positive, name, arguments in body
        )
        bodies = self.bodies.get(head)
        if bodies is None:
            bodies = self.bodies[head] = {}
            self.pending.append((relation, fact))
            if relation.startswith("next "):
                self._number("true" + relation[4:], fact)
                self.pending.append(("true" + relation[4:], fact))
            elif relation.startswith("legal "):
                self.pending.append(("does" + relation[5:], fact))
        key = tuple(sorted(literals))
        if key not in bodies:
            self._count(fact)
            bodies[key] = literals
            if self.rule.instances == MOST_OF_A_RULE:
                self._split()

    def _number(self, relation: str, fact: Fact) -> int:
        atom = (relation, fact)
        number = self.numbers.get(atom)
        if number is None:
            number = self.numbers[atom] = len(self.atoms)
            self.atoms.append(atom)
        return number

    def _split(self) -> None:
        """Ground again with the rule split, if it can be."""
        parts = split(self.rule, self._new_relation)
        if len(parts) > 1:
            place = next(place for place, rule in enumerate(self.rules) if rule is self.rule)
            raise _RewrittenError([*self.rules[:place], *parts, *self.rules[place + 1 :]])

    def _unfold(self) -> None:
        """Ground again without the relation of the rule, if that can be."""
        relation = self.rule.head.relation
        if " " not in relation and relation not in (*NEEDED, *self.parts):
            rules = unfolded(self.rules, relation)
            if rules is not None:
                raise _RewrittenError(rules)

    def _count(self, fact: Fact) -> None:
        self.instances += 1
        self.rule.instances += 1
        if self.rule.instances == MOST_BEFORE_UNFOLDING:
            self._unfold()
        if self.instances > MOST_INSTANCES:
            message = f"the rules without variables are more than {MOST_INSTANCES:,}"
            refuse(self.source, TOO_LARGE, message, self.rule.span)
        if _depth(fact) > DEEPEST_TERM:
            message = f"this rule makes terms more than {DEEPEST_TERM} functions deep"
            refuse(self.source, TOO_LARGE, message, self.rule.span)

    def _new_relation(self) -> str:
        """A name for a part of the rule, that no relation has."""
        taken = relations_of(part for rule in self.rules for part in (rule.head, *rule.body))
        stem = self.rule.head.relation.replace(" ", "-").replace(ANY, "any")
        name = next(name for n in count(1) if (name := f"{stem}-{n}") not in taken | self.parts)
        self.parts.add(name)
        return name

    def _spent(self) -> None:
        message = f"more than {MOST_STEPS:,} facts are tried for the conditions of the rules"
        refuse(self.source, TOO_LARGE, message, self.rule.span, "the last of them for this rule")


def _depth(term: Term) -> int:
    if isinstance(term, str):
        return 0
    return max((1 + _depth(part) for part in term if not isinstance(part, str)), default=0)


def _used(rules: tuple[Rule, ...]) -> list[Rule]:
    """The rules on which play depends."""
    needed: dict[str, None] = dict.fromkeys(NEEDED)
    for name in (pending := [*needed]):
        for rule in rules:
            if rule.head.predicate == name:
                for part in rule.body:
                    if part.predicate not in needed:
                        needed[part.predicate] = None
                        pending.append(part.predicate)
    return [rule for rule in rules if rule.head.predicate in needed]


def _with_shapes(rules: list[Rule]) -> Iterator[FlatRule]:
    """The rules; a variable for a whole fluent or move makes a copy for each form."""
    shapes: Shapes = {True: {}, False: {}}
    for rule in rules:
        place = WRAPPERS.get(rule.head.predicate)
        if place is None:
            continue
        term, is_fluent = rule.head.arguments[place], rule.head.predicate in FLUENTS
        known = shapes[is_fluent]
        if is_variable(term):
            shapes[is_fluent] = None
        elif known is not None:
            known[(term, 0) if isinstance(term, str) else (str(term[0]), len(term) - 1)] = None
    for rule in rules:
        yield from _shaped(rule, {}, shapes)


def _shaped(rule: Rule, values: dict[str, Term], shapes: Shapes) -> Iterator[FlatRule]:
    for literal in (rule.head, *rule.body):
        place = WRAPPERS.get(literal.predicate)
        if place is None:
            continue
        term, known = literal.arguments[place], shapes[literal.predicate in FLUENTS]
        if known is None or not isinstance(term, str):
            continue
        if is_variable(term) and term not in values:
            for name, size in known:
                parts = tuple(f"{term}.{number}" for number in range(size))
                value: Term = (name, *parts) if size else name
                yield from _shaped(rule, {**values, term: value}, shapes)
            return
    head, *body = (_flat(part, values, shapes) for part in (rule.head, *rule.body))
    yield FlatRule(rule.span, head, (*body,))


def _strata(rules: list[FlatRule]) -> list[list[FlatRule]]:
    """Rules in the order of evaluation: the rules of mutually dependent relations together."""
    by_head: defaultdict[str, list[FlatRule]] = defaultdict(list)
    for rule in rules:
        by_head[rule.head.relation].append(rule)
    uses = {
        head: sorted({part.relation for rule in group for part in rule.body} & by_head.keys())
        for head, group in by_head.items()
    }
    return [[rule for head in group for rule in by_head[head]] for group in components(uses)]


def components(uses: dict[Key, list[Key]]) -> list[list[Key]]:
    """The strongly connected components of a graph, used components first."""
    keys = [*uses]
    number = {key: place for place, key in enumerate(keys)}
    groups = components_of([[number[other] for other in used] for used in uses.values()])
    return [[keys[place] for place in reversed(group)] for group in groups]
