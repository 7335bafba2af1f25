"""Elaborate `chance s subset of S where count(s) == k`: a set of k elements, drawn at once.

All sets of k elements are equally likely, and too many for a list: the statement becomes k events
in a row, for the elements of the set in their order. No variable changes between the events, hence
no player observes the events apart, and each set is drawn in one way only.
"""

from __future__ import annotations

from math import comb

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.limits import MOST_SETS
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import UNKNOWN, Scalar, SetType, describe, element_of
from gamedsl.model.values import Domain, unique
from gamedsl.syntax import ast


def draw(
    elaborator: Elaborator, written: ast.Chance, scope: Scope
) -> tuple[nodes.Block | None, Scope]:
    """The events (None after an error), and the scope in which the name stands for the set."""
    name = _name(elaborator, written)
    subject = f"`{elaborator.text(written.target)}`"
    domain = elaborator.worked_out(
        written.domain, elaborator.collection(written.domain, scope, subject)
    )
    support = _support(elaborator, written, domain)
    element = element_of(domain.type)
    if name is None:
        return None, scope
    if support is None or not isinstance(element, Scalar):
        return None, elaborator.new_local(name, UNKNOWN, scope)[0]
    kind = SetType(element, len(support))
    size = _size(elaborator, written, name, kind, scope)
    if size is None or not _is_possible(elaborator, written, support, size):
        return None, elaborator.new_local(name, kind, scope)[0]
    scope, _ = elaborator.new_local(name, kind, scope)
    events: list[nodes.Statement] = []
    elements: list[nodes.Expr] = []
    for place in range(1, size + 1):
        slot = elaborator.new_slot(f"{name.text}_{place}")
        previous = elements[-1] if elements else None
        title = f"{name.text}[{place}]"
        events.append(
            nodes.Chance(written.span, title, slot, domain, None, support, previous, size - place)
        )
        elements.append(nodes.Local(name.span, element, f"{name.text}_{place}", slot))
    drawn = nodes.Collection(name.span, SetType(element, size), tuple(elements))
    return tuple(events), scope.having(name.text, drawn)


def _name(elaborator: Elaborator, written: ast.Chance) -> ast.Name | None:
    """The new name of the set; None, and an error, for a place in the state."""
    target = written.target
    if written.weight is not None:
        elaborator.wrong(
            "E1110",
            written.weight.span,
            "sets drawn at once are equally likely",
            hint="weights go with single values: `chance x in S weighted w`",
        )
    if isinstance(target, ast.Name) and target.text not in elaborator.symbols.variable_decls:
        return target
    text = elaborator.text(target)
    cell = f"{text[:-1]}, c]" if text.endswith("]") else f"{text}[c]"
    elaborator.wrong(
        "E1105",
        target.span,
        "a set is drawn under a new name, not into a variable",
        hint=f"`chance drawn subset of ...`, and below it `for c in drawn: {cell} = true`",
    )
    return None


def _support(elaborator: Elaborator, written: ast.Chance, domain: nodes.Expr) -> Domain | None:
    """All values that the set may contain, in order; None if they are in error or unknown."""
    element = element_of(domain.type)
    if not isinstance(element, Scalar):
        message = f"a drawn set holds single values; these are {describe(element)}"
        elaborator.wrong("E1105", written.domain.span, message)
        return None
    if element.unknown:
        return None
    if isinstance(domain.known, tuple):
        return Domain(unique(domain.known))
    values = element.enumerate()
    if values is None:
        elaborator.wrong(
            "E1203",
            written.domain.span,
            f"what can be drawn must be known before the game starts; this is {describe(element)}",
        )
        return None
    return Domain(values)


def _size(
    elaborator: Elaborator, written: ast.Chance, name: ast.Name, kind: SetType, scope: Scope
) -> int | None:
    """The number k of `where count(s) == k`; None after an error."""
    where = f"`where count({name.text}) == 5`"
    if written.condition is None:
        elaborator.wrong(
            "E1203", written.span, f"how many elements are drawn stands behind it: {where}"
        )
        return None
    errors = len(elaborator.reporter.findings)
    inner, slot = elaborator.new_local(name, kind, scope)
    condition = elaborator.condition(written.condition, inner, "`where`")
    match condition:
        case nodes.Compare(operator="==", left=left, right=right):
            for counted, number in ((left, right), (right, left)):
                match counted, number.known:
                    case nodes.Builtin(name="count" | "len", arguments=(drawn,)), int() as size:
                        if drawn.local == slot:
                            return size
    if len(elaborator.reporter.findings) == errors:
        elaborator.wrong(
            "E1203",
            written.condition.span,
            f"a set is drawn by its size alone, known before the game starts: {where}",
            hint="leave out of the set what cannot be drawn: "
            f"`chance {name.text} subset of {{c for c in S where ...}} {where[1:]}",
        )
    return None


def _is_possible(elaborator: Elaborator, written: ast.Chance, support: Domain, size: int) -> bool:
    """Whether there are sets of the size; else an error."""
    sets = comb(len(support), max(size, 0))
    if size < 0 or sets == 0:
        wrong = (
            f"{len(support)} values are fewer than {size}"
            if size > 0
            else "no set has a size below 0"
        )
        elaborator.wrong("E1110", written.span, wrong)
    elif sets > MOST_SETS:
        elaborator.wrong(
            "E1203",
            written.span,
            f"{size} of {len(support)} values are more than {MOST_SETS:,} sets",
            hint="draw several smaller sets, one after the other",
        )
    else:
        return True
    return False
