"""Elaborate product types: `type Card = Rank of Suit` has a named value for each pair.

In: a declaration with `of`. Out: its values, suit by suit; the functions from a value to its parts
and back are entered as tables of the symbol table.
"""

from __future__ import annotations

from itertools import product

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.limits import MOST_VALUES
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import set_of
from gamedsl.model.values import NONE, Atom, Pair, Value, text_of
from gamedsl.syntax import ast


def elaborate_product(
    elaborator: Elaborator, declared: ast.TypeDecl, owner: ast.Expression
) -> nodes.Const | None:
    """The values of a product type; None after a reported error."""
    parts, owners = [_values_of(elaborator, part) for part in (declared.value, owner)]
    if parts is None or owners is None:
        return None
    assert isinstance(declared.value, ast.Name)
    assert isinstance(owner, ast.Name)
    name, part_name, owner_name = declared.name.text, declared.value.text, owner.text
    span = declared.value.span.to(owner.span)
    if part_name == owner_name:
        told = f"the two types of a product are told apart by their names; both are `{owner_name}`"
        hint = f"give one another name: `type Second = {owner_name}`"
        elaborator.reporter.report("E0142", span, told, hint=hint)
        return None
    if len(parts) * len(owners) > MOST_VALUES:
        count = f"{len(parts) * len(owners):,}"
        told = f"this product has {count} values; at most {MOST_VALUES:,} are possible"
        elaborator.reporter.report("E1203", span, told)
        return None
    symbols, values = elaborator.symbols, []
    sign = _sign_between(parts, owners)
    for owner_value, part in product(owners, parts):
        text = f"{text_of(owner_value)}{sign}{text_of(part)}"
        if not text.isidentifier() or NONE in (part, owner_value):
            told = f"`{text_of(owner_value)}` and `{text_of(part)}` make no name: `{text}`"
            hint = f"`{owner_name}` needs named values, `{part_name}` names or numbers from 0"
            elaborator.reporter.report("E0143", span, told, hint=hint)
            return None
        pair = Pair(text, name, symbols.next_order, part, owner_value)
        if not symbols.enter_pair(declared.name, pair):
            return None
        symbols.tables[part_name].rows[pair,] = part
        symbols.tables[owner_name].rows[pair,] = owner_value
        symbols.tables[name].rows[part, owner_value] = pair
        values.append(pair)
    return nodes.Const(span, set_of((*values,)), (*values,))


def _values_of(elaborator: Elaborator, written: ast.Expression) -> tuple[Value, ...] | None:
    """The values of a part, which is the name of a type; None after a reported error."""
    name = written.text if isinstance(written, ast.Name) else None
    if name in elaborator.symbols.types or not (name is None or elaborator.symbols.knows(name)):
        constant = elaborator.constant(written, Scope(RuleContext.CONSTANT))
        return constant.value if constant and isinstance(constant.value, tuple) else None
    text = elaborator.text(written)
    told = f"`of` joins two types by their names, and `{text}` is no name of a type"
    hint = f"give the part a name first: `type Part = {text}`"
    if "|" in text:
        hint += "; values beside a product join in a type of their own: `type Pack = Card | joker`"
    elaborator.reporter.report("E0142", written.span, told, hint=hint)
    return None


def _sign_between(parts: tuple[Value, ...], owners: tuple[Value, ...]) -> str:
    """The sign between the parts of a name: none in `SQ`, as in bridge, else as in `spades_Q`."""
    letters = (*owners, *(part for part in parts if isinstance(part, Atom)))
    return "" if all(len(text_of(value)) == 1 for value in letters) else "_"
