"""Joins: the conditions of a rule as nested loops over facts, written as Python and compiled.

In: a rule with flat literals, and the literal that a new fact has matched. Out: a function that
hands every instance of the rule to `emit`. Facts are tuples of terms, found by the arguments that
are already known (an index for each relation and choice of arguments).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from gamedsl.source import Span
from gamedsl.source.records import dataclass
from gamedsl.syntax.kif.rules import Term, is_variable, variables_of

Fact = tuple[Term, ...]
Emit = Callable[..., None]
MOST_LOOPS = 15
"""Greatest depth of nested loops in a Python function; Python allows 20 blocks."""


@dataclass(frozen=True, slots=True)
class Flat:
    """A literal whose relation includes the name of the fluent or move: `true cell/3`."""

    relation: str
    arguments: tuple[Term, ...]
    is_positive: bool


@dataclass(slots=True)
class FlatRule:
    """A rule with flat literals, and the number of instances counted so far."""

    span: Span
    head: Flat
    body: tuple[Flat, ...]
    instances: int = 0


class Facts:
    """The facts of each relation, with the indices for joins."""

    def __init__(self) -> None:
        self.known: defaultdict[str, dict[Fact, None]] = defaultdict(dict)
        self.indices: dict[tuple[str, tuple[int, ...]], dict[Fact, list[Fact]]] = {}
        self.of_relation: defaultdict[str, list[tuple[tuple[int, ...], dict[Fact, list[Fact]]]]] = (
            defaultdict(list)
        )

    def index(self, relation: str, places: tuple[int, ...]) -> dict[Fact, list[Fact]]:
        """The facts of a relation by their arguments at some places; kept up to date."""
        index = self.indices.get((relation, places))
        if index is None:
            index = self.indices[relation, places] = {}
            self.of_relation[relation].append((places, index))
            for fact in self.known[relation]:
                index.setdefault(tuple(fact[place] for place in places), []).append(fact)
        return index

    def add(self, relation: str, fact: Fact) -> bool:
        """Add a fact; False if the fact is known."""
        known = self.known[relation]
        if fact in known:
            return False
        known[fact] = None
        for places, index in self.of_relation[relation]:
            index.setdefault(tuple([fact[place] for place in places]), []).append(fact)
        return True


class _Writer:
    """Writes the function of a join."""

    def __init__(self, facts: Facts, exact: Callable[[str], bool]) -> None:
        self.facts = facts
        self.exact = exact
        self.lines: list[str] = []
        self.names: dict[str, object] = {}
        self.variables: dict[str, str] = {}
        self.depth = 1
        self.loops = 0
        self.outer: list[str] = []

    def write(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def constant(self, value: object) -> str:
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def term(self, term: Term) -> str:
        if isinstance(term, str):
            return self.variables[term] if is_variable(term) else repr(term)
        return self.tuple(term)

    def tuple(self, terms: Sequence[Term]) -> str:
        return f"({''.join(self.term(term) + ', ' for term in terms)})"

    def bind(self, pattern: Term, value: str, leave: str) -> None:
        """Match a value with a pattern; new variables are named."""
        if isinstance(pattern, str):
            if is_variable(pattern) and pattern not in self.variables:
                self.variables[pattern] = f"v{len(self.variables)}"
                self.write(f"{self.variables[pattern]} = {value}")
            else:
                self.write(f"if {value} != {self.term(pattern)}: {leave}")
            return
        self.write(
            f"if {value}.__class__ is not tuple or len({value}) != {len(pattern)} "
            f"or {value}[0] != {pattern[0]!r}: {leave}"
        )
        for place, part in enumerate(pattern[1:], start=1):
            self.bind(part, f"{value}[{place}]", leave)

    def literal(self, literal: Flat) -> None:
        leave = "continue" if self.loops else "return"
        arguments = literal.arguments
        if literal.relation == "distinct":
            self.write(f"if {self.term(arguments[0])} == {self.term(arguments[1])}: {leave}")
            return
        bound = self.variables.keys()
        places = [place for place, part in enumerate(arguments) if variables_of(part) <= bound]
        if len(places) == len(arguments):
            known = self.constant(self.facts.known[literal.relation])
            word = "not in" if literal.is_positive else "in"
            self.write(f"if {self.tuple(arguments)} {word} {known}: {leave}")
            return
        index = self.constant(self.facts.index(literal.relation, tuple(places)))
        if self.loops and self.loops % MOST_LOOPS == 0:
            self.write("def inner():")
            self.outer.append("    " * self.depth + "inner()")
            self.depth += 1
        key = self.tuple([arguments[place] for place in places])
        fact = f"f{len(self.names)}"
        self.write(f"matches = {index}.get({key}, ())")
        self.write("steps[0] -= len(matches)")
        self.write("if steps[0] < 0: spent()")
        self.write(f"for {fact} in matches:")
        self.depth += 1
        self.loops += 1
        for place, part in enumerate(arguments):
            if place not in places:
                self.bind(part, f"{fact}[{place}]", "continue")


def join(
    facts: Facts,
    head: Flat,
    body: Sequence[Flat],
    first: int | None,
    exact: Callable[[str], bool],
    names: dict[str, object],
) -> Callable[[Fact], None]:
    """The function of a rule, called with a fact of the literal `first` (or with any, if None).

    `exact` tells relations whose facts are complete: only their negations are conditions. The
    instances go to `names["emit"]`, as a fact of the head, and the facts of all other literals.
    """
    writer = _Writer(facts, exact)
    rest = [literal for number, literal in enumerate(body) if number != first]
    if first is not None:
        for place, part in enumerate(body[first].arguments):
            writer.bind(part, f"fact[{place}]", "return")
    checked = [part for part in rest if part.is_positive or exact(part.relation)]
    while checked:
        best = min(checked, key=lambda part: _cost(part, writer, facts))
        checked.remove(best)
        writer.literal(best)
    conditions = [part for part in body if part.relation != "distinct" and not exact(part.relation)]
    shown = [
        f"({part.is_positive}, {part.relation!r}, {writer.tuple(part.arguments)}), "
        for part in conditions
    ]
    writer.write(f"emit({head.relation!r}, {writer.tuple(head.arguments)}, ({''.join(shown)}))")
    lines = ["def run(fact):", *writer.lines, *reversed(writer.outer)]
    space = {**names, **writer.names}
    exec("\n".join(lines), space)
    run: Callable[[Fact], None] = space["run"]  # type: ignore[assignment]
    return run


def _cost(literal: Flat, writer: _Writer, facts: Facts) -> tuple[int, float]:
    """Tests first, then the loops that are expected to be short."""
    bound = writer.variables.keys()
    free = [part for part in literal.arguments if not variables_of(part) <= bound]
    if literal.relation == "distinct" or not literal.is_positive:
        return (2, 0.0) if free else (0, 0.0)
    if not free:
        return (0, 1.0)
    size = len(facts.known[literal.relation]) + 1 if writer.exact(literal.relation) else 1_000
    return (1, size ** (len(free) / len(literal.arguments)))


def relations_of(literals: Iterable[Flat]) -> set[str]:
    """The relations of literals."""
    return {literal.relation for literal in literals}
