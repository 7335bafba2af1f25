"""The conditions on the rules of a file in GDL: fitting numbers of arguments, safe, stratified.

In: the rules of a file. Out: diagnostics; none for valid rules. The conditions are those of Love et
al., "General Game Playing: Game Description Language Specification" (2008), section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.source import Diagnostic, Label, Severity, SourceFile, nearest
from gamedsl.source.plurals import count
from gamedsl.syntax.kif.read import ARITIES
from gamedsl.syntax.kif.rules import (
    MISFIT,
    NEVER_TRUE,
    UNSAFE,
    UNSTRATIFIED,
    Literal,
    Rule,
    Term,
    is_variable,
    text_of,
    variables_of,
)

REQUIRED = ("role", "legal", "terminal", "goal")
"""Relations without which no game can be played."""
FORBIDDEN = {
    "init": ("true", "does"),
    "role": ("true", "does"),
    "legal": ("does",),
    "terminal": ("does",),
    "goal": ("does",),
}
"""Heads, and relations on which they may not depend."""
WRAPPERS = {"true": 0, "init": 0, "next": 0, "base": 0, "does": 1, "legal": 1, "input": 1}
"""Relations with a fluent or a move as an argument, and the number of the argument."""


def violations(source: SourceFile, rules: tuple[Rule, ...]) -> tuple[Diagnostic, ...]:
    """The violations of the conditions, in the order of the file; one kind hides the next."""
    checks = (_arities, _safety, _strata, _missing)
    for check in checks:
        if errors := tuple(check(source, rules)):
            return errors
    return ()


def _literals(rules: Iterable[Rule]) -> Iterator[Literal]:
    for rule in rules:
        yield rule.head
        yield from rule.body


def _arities(source: SourceFile, rules: tuple[Rule, ...]) -> Iterator[Diagnostic]:
    """A name has a single number of arguments as a relation, as a fluent and as a move."""
    first: dict[tuple[str, str], tuple[int, Literal]] = {}
    told: set[tuple[str, str]] = set()
    for literal in _literals(rules):
        place = WRAPPERS.get(literal.predicate)
        kind, name, size = "relation", literal.predicate, len(literal.arguments)
        if place is not None:
            term = literal.arguments[place]
            if is_variable(term):
                continue
            kind = "move" if place else "fluent"
            name, size = (term, 0) if isinstance(term, str) else (str(term[0]), len(term) - 1)
        known, where = first.setdefault((kind, name), (size, literal))
        if known == size or (kind, name) in told:
            continue
        told.add((kind, name))
        message = f"the {kind} `{name}` has {count(size, 'argument')} here, and {known} elsewhere"
        label = Label(where.span, f"{count(known, 'argument')} here")
        yield Diagnostic(MISFIT, message, Label(literal.span), source, (label,))


def _safety(source: SourceFile, rules: tuple[Rule, ...]) -> Iterator[Diagnostic]:
    told: set[object] = set()
    for rule in rules:
        positive = (part for part in rule.body if part.is_positive and part.predicate != "distinct")
        known = frozenset().union(*(variables_of(part.arguments) for part in positive))
        for literal in (rule.head, *rule.body):
            for variable in sorted(variables_of(literal.arguments) - known):
                if (rule.span, variable) in told:
                    continue
                told.add((rule.span, variable))
                message = f"`{variable}` stands in no condition that gives it values"
                hint = "a variable has to stand in a condition without `not`, other than `distinct`"
                yield Diagnostic(UNSAFE, message, Label(literal.span), source, hint=hint)


def _strata(source: SourceFile, rules: tuple[Rule, ...]) -> Iterator[Diagnostic]:
    """No relation depends on a later part of a step, and no relation without state on a negation of
    the relation (of relations with state, `formulas` checks the atoms)."""
    uses: dict[str, dict[str, Literal]] = {}
    for rule in rules:
        for part in rule.body:
            uses.setdefault(rule.head.predicate, {}).setdefault(part.predicate, part)
    reach = {predicate: _reached(uses, predicate) for predicate in uses}
    told: set[object] = set()
    for rule in rules:
        for part in rule.body:
            below = reach.get(part.predicate, frozenset())
            is_cycle = rule.head.predicate in below and below.isdisjoint({"true", "does"})
            if is_cycle and not part.is_positive and part.span not in told:
                told.add(part.span)
                name = rule.head.predicate
                message = f"`{name}` depends on the negation of itself"
                if part.predicate != name:
                    message += f", through `{part.predicate}`"
                yield Diagnostic(UNSTRATIFIED, message, Label(part.span), source)
    for head, forbidden in FORBIDDEN.items():
        for name in forbidden:
            if name in reach.get(head, ()):
                span = next(rule.span for rule in rules if rule.head.predicate == head)
                user = next(
                    part.span
                    for rule in rules
                    for part in rule.body
                    if part.predicate == name
                    and (rule.head.predicate == head or rule.head.predicate in reach[head])
                )
                message = f"`{head}` cannot depend on `{name}`"
                yield Diagnostic(
                    UNSTRATIFIED, message, Label(user), source, (Label(span, f"`{head}`"),)
                )


def _reached(uses: dict[str, dict[str, Literal]], start: str) -> frozenset[str]:
    """The predicates on which a predicate depends."""
    met: set[str] = set()
    pending = [start]
    while pending:
        for name in uses.get(pending.pop(), ()):
            if name not in met:
                met.add(name)
                pending.append(name)
    return frozenset(met)


def _missing(source: SourceFile, rules: tuple[Rule, ...]) -> Iterator[Diagnostic]:
    heads = {rule.head.predicate for rule in rules}
    for rule in rules:
        is_random = rule.head.predicate == "role" and rule.head.arguments == ("random",)
        if is_random or rule.head.predicate == "sees":
            message = f"`{'random' if is_random else 'sees'}` is of GDL-II, which is not read yet"
            yield Diagnostic(MISFIT, message, Label(rule.span), source)
    for name in REQUIRED:
        if name not in heads:
            yield Diagnostic(MISFIT, f"the file has no rule for `{name}`", None, source)


def unknown_names(source: SourceFile, rules: tuple[Rule, ...]) -> Iterator[Diagnostic]:
    """Warnings: conditions that are never true, since no rule has the name as the head, and fluents
    with arguments that hold at first alone, since no rule of `next` has the fluent."""
    heads = {rule.head.predicate for rule in rules}
    fluents = _wrapped(rules, ("init", "next"))
    moves = _wrapped(rules, ("legal",))
    told: set[str] = set()
    renewed = _wrapped(rules, ("next",))
    yield from _unknown_roles(source, rules)
    for rule in rules:
        term = rule.head.arguments[0] if rule.head.predicate == "init" else ""
        if isinstance(term, tuple) and str(term[0]) not in renewed | told and "?" not in renewed:
            name = str(term[0])
            told.add(name)
            message = f"`{name}` holds at first alone: no rule of `next` has it as its head"
            yield Diagnostic(
                NEVER_TRUE, message, Label(rule.span), source, severity=Severity.WARNING
            )
        for part in rule.body:
            name, known = part.predicate, set(heads)
            if name in {"true", "does"}:
                term = part.arguments[WRAPPERS[name]]
                known = fluents if name == "true" else moves
                if is_variable(term) or "?" in known:
                    continue
                name = term if isinstance(term, str) else text_of(term[0])
            elif name in ARITIES:
                continue
            if name in known or name in told:
                continue
            told.add(name)
            near = nearest(name, known)
            hint = f"did you mean `{near}`?" if near else None
            if name in fluents and part.predicate == name:
                hint = f"`{name}` is a fluent: write `(true {text_of((name, *part.arguments))})`"
            yield Diagnostic(
                NEVER_TRUE,
                f"`{name}` is never true: no rule has it as its head",
                Label(part.span),
                source,
                hint=hint,
                severity=Severity.WARNING,
            )


def _unknown_roles(source: SourceFile, rules: tuple[Rule, ...]) -> Iterator[Diagnostic]:
    """Warnings: `legal`, `does` and `goal` of a term that is no role; told once for each term."""
    roles = {rule.head.arguments[0] for rule in rules if rule.head.predicate == "role"}
    told = {*roles}
    for literal in _literals(rules):
        if literal.predicate not in {"legal", "does", "goal"}:
            continue
        term = literal.arguments[0]
        if term in told or is_variable(term) or any(map(is_variable, roles)):
            continue
        told.add(term)
        near = nearest(text_of(term), {*map(text_of, roles)})
        yield Diagnostic(
            NEVER_TRUE,
            f"`{text_of(term)}` is no role",
            Label(literal.span),
            source,
            hint=f"did you mean `{near}`?" if near else None,
            severity=Severity.WARNING,
        )


def _wrapped(rules: tuple[Rule, ...], wrappers: tuple[str, ...]) -> set[str]:
    """The names of the terms behind wrappers in heads; `?` for a variable."""
    terms: list[Term] = [
        rule.head.arguments[WRAPPERS[rule.head.predicate]]
        for rule in rules
        if rule.head.predicate in wrappers
    ]
    return {
        "?" if is_variable(term) else term if isinstance(term, str) else str(term[0])
        for term in terms
    }
