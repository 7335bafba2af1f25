"""Parse tree to AST: declarations, at the left margin of a file.

In: the children of a rule, all tokens kept. Out: AST nodes; `program` is the tuple of all
declarations, without the gaps left by error recovery.
"""

from __future__ import annotations

from typing import Any

from lark import Token

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.builders.expressions import number_of
from gamedsl.syntax.builders.extent import BuildError, extent, token_span
from gamedsl.syntax.builders.rules import (
    Children,
    all_names,
    at,
    built,
    declared,
    first,
    name_at,
    name_of,
    new_name_at,
    nodes,
    quoted_at,
    rest,
    several_at,
    taken,
    tokens,
    tuples,
)
from gamedsl.syntax.builders.statements import StatementBuilder


class DeclarationBuilder(StatementBuilder):
    """Builds declarations."""

    program = taken(nodes)
    include_decl = built(ast.IncludeDecl, quoted_at(1))

    def without_decl(self, children: Children) -> ast.WithoutDecl:
        _, kind, *_ = children
        names = tuple(name_of(child) for child in children[2:-1] if child.type != "COMMA")
        return ast.WithoutDecl(extent(children), str(kind), names)

    game_title = built(ast.GameTitle, quoted_at(1))
    param_decl = built(ast.ParamDecl, new_name_at(1), at(3))
    players_decl = built(ast.PlayersDecl, all_names, at(1))
    type_decl = built(ast.TypeDecl, new_name_at(1), at(3), at(5))
    board_grid = built(ast.BoardGrid, at(1), at(3), at(7), several_at(5))

    def wrap(self, children: Children) -> tuple[str, ...]:
        side = children[1]
        return ("wide", "high") if side is None else (str(side),)

    board_graph = built(ast.BoardGraph, nodes)
    chain = built(ast.Chain, all_names)
    joined = built(ast.Joined, first(all_names), rest(all_names))
    placed = built(ast.Placed, name_at(0), at(3), at(5))
    directions_decl = built(ast.DirectionsDecl, all_names)
    state_decl = built(ast.StateDecl, nodes)

    def variable(self, children: Children) -> ast.VariableDecl:
        name, indices, _, domain, sign, initial, secret, _ = children
        _check_initial(domain, initial)
        if sign is not None and sign.type == "ALWAYS":
            initial = ast.Always(extent(children[4:6]), initial)
        return ast.VariableDecl(
            extent(children), declared(name), indices or (), domain, initial, secret
        )

    variable_drawn = built(ast.VariableDecl, new_name_at(0), several_at(1), at(3), at(7), at(6))
    indices = taken(nodes)

    def index_decl(self, children: Children) -> ast.IndexDecl:
        written, _, condition = children
        return _index(extent(children), written, condition)

    secret = built(ast.Secret, at(2))

    def diagram(self, children: Children) -> ast.Diagram:
        rows = tuple(child for child in children if isinstance(child, tuple))
        return ast.Diagram(extent(rows) if rows else token_span(children[0]), rows)

    def row(self, children: Children) -> tuple[ast.Name, ...]:
        return tuple(name_of(token) for token in tokens(children, "CELL"))

    setup_decl = built(ast.SetupDecl, at(2))

    def move_decl(self, children: Children) -> ast.MoveDecl:
        word, name, parameters, secret, _, body = children
        return ast.MoveDecl(
            extent(children),
            name_of(name),
            parameters or (),
            secret is not None,
            str(word) == "simultaneous",
            body,
        )

    simultaneous_decl = move_decl

    parameters = taken(nodes)

    def parameter(self, children: Children) -> ast.Parameter:
        name, bound, _, condition = children
        return ast.Parameter(
            extent(children), declared(name), bound.domain, condition, bound.is_subset
        )

    otherwise = built(ast.Otherwise)

    def def_decl(self, children: Children) -> ast.DefDecl:
        _, name, names, _, value, _ = children
        bounded = names or ()
        parameters, bounds = (
            tuple(parameter for parameter, _ in bounded),
            tuple(bound for _, bound in bounded),
        )
        return ast.DefDecl(extent(children), name_of(name), parameters, value, bounds)

    bounded_names = taken(tuples)

    def bounded_name(self, children: Children) -> tuple[ast.Name, ast.Bound | None]:
        name, bound = children
        return declared(name), bound

    def bound(self, children: Children) -> ast.Bound:
        return ast.Bound(extent(children), children[-1], str(children[0]) == "subset")

    effect_decl = built(ast.EffectDecl, new_name_at(1), several_at(2), at(4))

    def names(self, children: Children) -> tuple[ast.Name, ...]:
        return tuple(declared(token) for token in tokens(children, "NAME"))

    end_decl = built(ast.EndDecl, at(2))
    endless_decl = built(ast.EndlessDecl, at(2))

    def repeat_decl(self, children: Children) -> ast.RepeatDecl:
        _, (names, left_out), times, _, _, outcome, _ = children
        ending = None if isinstance(outcome, Token) else outcome
        return ast.RepeatDecl(extent(children), names, left_out, times, ending)

    def compared(self, children: Children) -> tuple[tuple[ast.Name, ...], tuple[ast.Name, ...]]:
        *names, left_out = children
        return all_names(names), left_out or ()

    left_out = taken(all_names)
    evaluate_decl = built(ast.EvaluateDecl, name_at(1), at(3), at(5))
    discount_decl = built(ast.DiscountDecl, at(2))
    show_decl = built(ast.ShowDecl, nodes)

    def shown(self, children: Children) -> ast.Shown:
        *before, token, _ = children
        drawn: ast.Name | ast.Glyph = (
            ast.Glyph(token_span(token), str(token)[1:-1])
            if token.type == "TITLE"
            else name_of(token)
        )
        return ast.Shown(extent(children), all_names(before), drawn)

    def expect_decl(self, children: Children) -> ast.ExpectDecl:
        _, qualifier, word, depth, after, settings, *claims = children
        number, in_turns = depth or (None, False)
        fact = name_of(word)
        if qualifier is not None:
            fact = ast.Name(qualifier.span.to(fact.span), f"{qualifier.text} {fact.text}")
        return ast.ExpectDecl(
            extent(children), fact, number, in_turns, after, settings or (), nodes(claims)
        )

    after = taken(quoted_at(1))
    of_which = taken(name_at(0))

    def depth(self, children: Children) -> tuple[int | None, bool]:
        numbers, words = tokens(children, "NUMBER"), tokens(children, "TURNS")
        return number_of(numbers[0]).value if numbers else None, bool(words)

    settings = taken(tuples)

    def setting(self, children: Children) -> tuple[ast.Name, Any]:
        name, _, value = children
        return name_of(name), value


def _check_initial(domain: Any, initial: Any) -> None:
    match domain:
        case ast.Compare(rest=(("==", _),)) if initial is None:
            span = Span(domain.first.span.end, domain.rest[0][1].span.start)
            message = "`==` compares; to give an initial value, write `=`"
            raise BuildError(span, "E0103", message)


def _index(span: Span, expression: Any, condition: Any) -> ast.IndexDecl:
    match expression:
        case ast.Compare(_, ast.Name() as name, (("in", domain),)):
            return ast.IndexDecl(span, name, domain, condition)
    return ast.IndexDecl(span, None, expression, condition)
