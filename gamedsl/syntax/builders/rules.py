"""Rules of the grammar whose nodes are made of their children, one field after the other.

`param_decl = built(ast.ParamDecl, new_name_at(1), at(3))`: a `ParamDecl` of the name at place 1 and
the node at place 3. A field is a function of the children of a rule, all tokens kept.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any, TypeAlias

from lark import Token

from gamedsl.syntax import ast
from gamedsl.syntax.builders.extent import BuildError, extent, token_span
from gamedsl.syntax.words import HEADERS, STATEMENTS

Children: TypeAlias = list[Any]
Field: TypeAlias = Callable[[Children], Any]
Rule: TypeAlias = Callable[[Any, Children], Any]

STARTERS = frozenset(STATEMENTS) - HEADERS
"""Words that begin a statement: a variable with such a name could never be assigned."""


def built(kind: Callable[..., Any], *fields: Field) -> Rule:
    """The builder of a rule: a node of the given kind, made of the extent and the fields."""

    def build(_: Any, children: Children) -> Any:
        return kind(extent(children), *[field(children) for field in fields])

    return build


def taken(field: Field) -> Rule:
    """The builder of a rule that stands for a field of another rule."""
    return lambda _, children: field(children)


def at(place: int) -> Field:
    """The child at a place; the end of the list counts as negative places."""
    return itemgetter(place)


def several_at(place: int) -> Field:
    """The tuple at a place, empty if omitted."""
    return lambda children: children[place] or ()


def word_at(place: int) -> Field:
    """The text of the token at a place."""
    return lambda children: str(children[place])


def first(field: Field) -> Field:
    """The first item of a field."""
    return lambda children: field(children)[0]


def rest(field: Field) -> Field:
    """The items of a field after the first."""
    return lambda children: field(children)[1:]


def quoted_at(place: int) -> Field:
    """The text between the quotation marks of the token at a place."""
    return lambda children: str(children[place])[1:-1]


def name_at(place: int) -> Field:
    """The name at a place."""
    return lambda children: name_of(children[place])


def new_name_at(place: int) -> Field:
    """The name declared at a place; raises BuildError as `declared`."""
    return lambda children: declared(children[place])


def nodes(children: Children) -> tuple[Any, ...]:
    """The AST nodes among the children of a rule."""
    return tuple(child for child in children if isinstance(child, ast.Node))


def tuples(children: Children) -> tuple[Any, ...]:
    """The tuples among the children of a rule."""
    return tuple(child for child in children if isinstance(child, tuple))


def tokens(children: Children, kind: str) -> list[Token]:
    """The tokens of a kind among the children of a rule."""
    return [child for child in children if isinstance(child, Token) and child.type == kind]


def all_names(children: Children) -> tuple[ast.Name, ...]:
    """The names among the children of a rule."""
    return tuple(name_of(token) for token in tokens(children, "NAME"))


def name_of(token: Token) -> ast.Name:
    """A word of the text as a Name."""
    return ast.Name(token_span(token), str(token))


def declared(token: Token) -> ast.Name:
    """The name in a declaration; raises BuildError for a word that begins a statement."""
    name = name_of(token)
    if name.text in STARTERS:
        raise BuildError(
            name.span,
            "E0110",
            f"`{name.text}` is a word of the language and cannot be used as a name here",
            f"choose another name, such as `{name.text}_`",
        )
    return name
