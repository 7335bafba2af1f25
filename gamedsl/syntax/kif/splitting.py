"""Rules with many instances as several rules with fewer variables each (variable elimination).

In: a rule with flat literals. Out: rules of the same meaning. The literals of variables that the
head does not have become the body of a new relation, whose arguments are the other variables of
these literals: `h(x) <- a(x, y), b(y, z), c(z)` is `h(x) <- a(x, y), p(y)` and
`p(y) <- b(y, z), c(z)`. An instance is then counted for each value of two variables, not of three.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from gamedsl.syntax.kif.joins import Flat, FlatRule
from gamedsl.syntax.kif.rules import Term, is_variable, replaced, variables_of

MOST_UNFOLDED = 500
"""Rules that unfolding a relation may add."""


def split(rule: FlatRule, new_relation: Callable[[], str]) -> list[FlatRule]:
    """The rules in place of a rule, the rule of its head last; a single rule if none is split.
    Each has fewer variables than the rule."""
    body, parts = [*rule.body], []
    while (part := _part(rule.head, body)) is not None:
        literals, binding, variables = part
        head = Flat(new_relation(), (*sorted(_bound(literals) - variables),), True)
        parts.append(FlatRule(rule.span, head, (*literals, *binding)))
        body = [*(literal for literal in body if literal not in literals), head]
    return [*parts, FlatRule(rule.span, rule.head, (*body,))]


def _variables(literal: Flat) -> frozenset[str]:
    return variables_of(literal.arguments)


def _bound(literals: Sequence[Flat]) -> frozenset[str]:
    """The variables of literals."""
    return frozenset().union(*map(_variables, literals))


Part = tuple[list[Flat], list[Flat], frozenset[str]]
"""Literals, further literals that bind their variables, and the variables that are eliminated."""


def _part(head: Flat, body: Sequence[Flat]) -> Part | None:
    """The part with the fewest variables, for variables of the same literals alone; None if each
    choice leaves a rule with all variables."""
    places: defaultdict[str, set[int]] = defaultdict(set)
    for place, literal in enumerate(body):
        for variable in _variables(literal):
            places[variable].add(place)
    groups: defaultdict[tuple[int, ...], set[str]] = defaultdict(set)
    for variable in places.keys() - _variables(head):
        groups[(*sorted(places[variable]),)].add(variable)
    parts: list[tuple[int, Part]] = []
    for group in sorted(groups):
        literals = [body[place] for place in group]
        binding = _binding(literals, [literal for literal in body if literal not in literals])
        width = len(_bound([*literals, *binding]))
        parts.append((width, (literals, binding, frozenset(groups[group]))))
    width, best = min(parts, key=lambda part: part[0], default=(len(places), None))
    return best if width < len(places) else None


def _binding(literals: Sequence[Flat], rest: Sequence[Flat]) -> list[Flat]:
    """Further literals of the rule that bind all variables of the literals."""
    binding: list[Flat] = []
    free = _bound(literals)
    for literal in literals:
        if literal.is_positive and literal.relation != "distinct":
            free -= _variables(literal)
    while free:
        positive = (part for part in rest if part.is_positive and part.relation != "distinct")
        useful = [part for part in positive if _variables(part) & free]
        best = min(useful, key=lambda part: len(_variables(part)))
        binding.append(best)
        free -= _variables(best)
    return binding


def unfolded(rules: Sequence[FlatRule], relation: str) -> list[FlatRule] | None:
    """The rules without a relation: each condition on the relation is replaced by the bodies of
    the rules of the relation, so that only instances with the arguments of a condition are made.
    None for a relation that depends on itself or is negated, or if the rules are too many."""
    bodies = [rule for rule in rules if rule.head.relation == relation]
    rest = [rule for rule in rules if rule.head.relation != relation]
    if not all(part.is_positive for rule in rules for part in _conditions(rule, relation)):
        return None
    if _depends(rules, relation):
        return None
    done: list[FlatRule] = []
    while rest:
        rule = rest.pop()
        condition = next(iter(_conditions(rule, relation)), None)
        if condition is None:
            done.append(rule)
        else:
            rest += [new for body in bodies for new in _resolved(rule, condition, body)]
        if len(rest) + len(done) > len(rules) + MOST_UNFOLDED:
            return None
    return done[::-1]


def _conditions(rule: FlatRule, relation: str) -> list[Flat]:
    return [part for part in rule.body if part.relation == relation]


def _depends(rules: Sequence[FlatRule], relation: str) -> bool:
    """Whether a relation depends on itself."""
    users: defaultdict[str, set[str]] = defaultdict(set)
    for rule in rules:
        users[rule.head.relation] |= {part.relation for part in rule.body}
    pending, met = [*users[relation]], set()
    while pending:
        name = pending.pop()
        if name not in met:
            met.add(name)
            pending += users[name]
    return relation in met


def _resolved(rule: FlatRule, condition: Flat, other: FlatRule) -> Iterator[FlatRule]:
    """The rule with the body of another rule in place of a condition, if the heads agree."""
    taken = _bound((rule.head, *rule.body))
    values: dict[str, Term] = {}
    for variable in sorted(_bound((other.head, *other.body))):
        name = variable
        while name in taken:
            name += "_"
        taken |= {name}
        values[variable] = name
    pairs = [
        (left, replaced(right, values))
        for left, right in zip(condition.arguments, other.head.arguments, strict=True)
    ]
    equal = _unifier(pairs)
    if equal is None:
        return
    body = [_mapped(part, lambda term: replaced(term, values)) for part in other.body]
    place = rule.body.index(condition)
    parts = (rule.head, *rule.body[:place], *body, *rule.body[place + 1 :])
    head, *rest = (_mapped(part, lambda term: _value(term, equal)) for part in parts)
    yield FlatRule(rule.span, head, (*dict.fromkeys(rest),))


def _mapped(literal: Flat, new: Callable[[Term], Term]) -> Flat:
    """A literal with new terms."""
    return Flat(literal.relation, (*map(new, literal.arguments),), literal.is_positive)


def _unifier(pairs: list[tuple[Term, Term]]) -> dict[str, Term] | None:
    """The most general values of variables that make the terms of each pair equal."""
    equal: dict[str, Term] = {}
    while pairs:
        left, right = (_value(term, equal) for term in pairs.pop())
        if left == right:
            continue
        if is_variable(right):
            left, right = right, left
        if isinstance(left, str) and is_variable(left):
            if left in variables_of(right):
                return None
            equal[left] = right
        elif isinstance(left, str) or isinstance(right, str) or len(left) != len(right):
            return None
        else:
            pairs += zip(left, right, strict=True)
    return equal


def _value(term: Term, equal: dict[str, Term]) -> Term:
    """A term with the values of variables, and with the values of variables in these."""
    if not isinstance(term, str):
        return tuple(_value(part, equal) for part in term)
    return _value(equal[term], equal) if term in equal else term
