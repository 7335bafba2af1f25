"""Parse tree to AST: declarations, at the left margin of a file.

In: the children of a rule, all tokens kept. Out: AST nodes; `program` is the tuple of all
declarations, without the gaps left by error recovery.
"""

from __future__ import annotations

from typing import Any

from lark import Token

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.builders.expressions import Children, name_of, nodes, number_of
from gamedsl.syntax.builders.extent import BuildError, extent, token_span
from gamedsl.syntax.builders.statements import StatementBuilder, declared


def _tokens(children: Children, kind: str) -> list[Token]:
    return [child for child in children if isinstance(child, Token) and child.type == kind]


def _names(children: Children) -> tuple[ast.Name, ...]:
    return tuple(name_of(token) for token in _tokens(children, "NAME"))


class DeclarationBuilder(StatementBuilder):
    """Builds declarations."""

    def program(self, children: Children) -> tuple[Any, ...]:
        return nodes(children)

    def include_decl(self, children: Children) -> ast.IncludeDecl:
        return ast.IncludeDecl(extent(children), str(children[1])[1:-1])

    def without_decl(self, children: Children) -> ast.WithoutDecl:
        _, kind, *_ = children
        names = tuple(name_of(child) for child in children[2:-1] if child.type != "COMMA")
        return ast.WithoutDecl(extent(children), str(kind), names)

    def game_title(self, children: Children) -> ast.GameTitle:
        return ast.GameTitle(extent(children), str(children[1])[1:-1])

    def param_decl(self, children: Children) -> ast.ParamDecl:
        _, name, _, value, _ = children
        return ast.ParamDecl(extent(children), declared(name), value)

    def players_decl(self, children: Children) -> ast.PlayersDecl:
        return ast.PlayersDecl(extent(children), _names(children))

    def type_decl(self, children: Children) -> ast.TypeDecl:
        _, name, _, value, _ = children
        return ast.TypeDecl(extent(children), declared(name), value)

    def board_grid(self, children: Children) -> ast.BoardGrid:
        _, width, _, height, _, wraps, _, condition, _ = children
        return ast.BoardGrid(extent(children), width, height, condition, wraps or ())

    def wrap(self, children: Children) -> tuple[str, ...]:
        side = children[1]
        return ("wide", "high") if side is None else (str(side),)

    def board_graph(self, children: Children) -> ast.BoardGraph:
        return ast.BoardGraph(extent(children), nodes(children))

    def chain(self, children: Children) -> ast.Chain:
        return ast.Chain(extent(children), _names(children))

    def joined(self, children: Children) -> ast.Joined:
        point, *neighbours = _names(children)
        return ast.Joined(extent(children), point, tuple(neighbours))

    def placed(self, children: Children) -> ast.Placed:
        point, _, _, across, _, up, _, _ = children
        return ast.Placed(extent(children), name_of(point), across, up)

    def directions_decl(self, children: Children) -> ast.DirectionsDecl:
        return ast.DirectionsDecl(extent(children), _names(children))

    def state_decl(self, children: Children) -> ast.StateDecl:
        return ast.StateDecl(extent(children), nodes(children))

    def variable(self, children: Children) -> ast.VariableDecl:
        name, indices, _, domain, _, initial, secret, _ = children
        _check_initial(domain, initial)
        return ast.VariableDecl(
            extent(children), declared(name), indices or (), domain, initial, secret
        )

    def variable_drawn(self, children: Children) -> ast.VariableDecl:
        name, indices, _, domain, _, _, secret, diagram = children
        return ast.VariableDecl(
            extent(children), declared(name), indices or (), domain, diagram, secret
        )

    def indices(self, children: Children) -> tuple[ast.IndexDecl, ...]:
        return tuple(nodes(children))

    def index_decl(self, children: Children) -> ast.IndexDecl:
        written, _, condition = children
        return _index(extent(children), written, condition)

    def secret(self, children: Children) -> ast.Secret:
        return ast.Secret(extent(children), children[2])

    def diagram(self, children: Children) -> ast.Diagram:
        rows = tuple(child for child in children if isinstance(child, tuple))
        return ast.Diagram(extent(rows) if rows else token_span(children[0]), rows)

    def row(self, children: Children) -> tuple[ast.Name, ...]:
        return tuple(name_of(token) for token in _tokens(children, "CELL"))

    def setup_decl(self, children: Children) -> ast.SetupDecl:
        return ast.SetupDecl(extent(children), children[2])

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

    def parameters(self, children: Children) -> tuple[ast.Parameter, ...]:
        return nodes(children)

    def parameter(self, children: Children) -> ast.Parameter:
        name, bound, _, condition = children
        return ast.Parameter(
            extent(children), declared(name), bound.domain, condition, bound.is_subset
        )

    def otherwise(self, children: Children) -> ast.Otherwise:
        return ast.Otherwise(extent(children))

    def def_decl(self, children: Children) -> ast.DefDecl:
        _, name, names, _, value, _ = children
        bounded = names or ()
        parameters, bounds = (
            tuple(parameter for parameter, _ in bounded),
            tuple(bound for _, bound in bounded),
        )
        return ast.DefDecl(extent(children), name_of(name), parameters, value, bounds)

    def bounded_names(self, children: Children) -> tuple[tuple[ast.Name, ast.Bound | None], ...]:
        return tuple(child for child in children if isinstance(child, tuple))

    def bounded_name(self, children: Children) -> tuple[ast.Name, ast.Bound | None]:
        name, bound = children
        return declared(name), bound

    def bound(self, children: Children) -> ast.Bound:
        return ast.Bound(extent(children), children[-1], str(children[0]) == "subset")

    def effect_decl(self, children: Children) -> ast.EffectDecl:
        _, name, names, _, body = children
        return ast.EffectDecl(extent(children), declared(name), names or (), body)

    def names(self, children: Children) -> tuple[ast.Name, ...]:
        return tuple(declared(token) for token in _tokens(children, "NAME"))

    def end_decl(self, children: Children) -> ast.EndDecl:
        return ast.EndDecl(extent(children), children[2])

    def endless_decl(self, children: Children) -> ast.EndlessDecl:
        return ast.EndlessDecl(extent(children), children[2])

    def repeat_decl(self, children: Children) -> ast.RepeatDecl:
        _, (names, left_out), times, _, _, outcome, _ = children
        ending = None if isinstance(outcome, Token) else outcome
        return ast.RepeatDecl(extent(children), names, left_out, times, ending)

    def compared(self, children: Children) -> tuple[tuple[ast.Name, ...], tuple[ast.Name, ...]]:
        *names, left_out = children
        return _names(names), left_out or ()

    def left_out(self, children: Children) -> tuple[ast.Name, ...]:
        return _names(children[1:])

    def evaluate_decl(self, children: Children) -> ast.EvaluateDecl:
        _, player, _, condition, _, value, _ = children
        return ast.EvaluateDecl(extent(children), name_of(player), condition, value)

    def discount_decl(self, children: Children) -> ast.DiscountDecl:
        return ast.DiscountDecl(extent(children), children[2])

    def show_decl(self, children: Children) -> ast.ShowDecl:
        return ast.ShowDecl(extent(children), nodes(children))

    def shown(self, children: Children) -> ast.Shown:
        *before, token, _ = children
        drawn: ast.Name | ast.Glyph = (
            ast.Glyph(token_span(token), str(token)[1:-1])
            if token.type == "TITLE"
            else name_of(token)
        )
        return ast.Shown(extent(children), _names(before), drawn)

    def expect_decl(self, children: Children) -> ast.ExpectDecl:
        _, qualifier, word, depth, after, settings, *claims = children
        number, in_turns = depth or (None, False)
        fact = name_of(word)
        if qualifier is not None:
            fact = ast.Name(qualifier.span.to(fact.span), f"{qualifier.text} {fact.text}")
        return ast.ExpectDecl(
            extent(children), fact, number, in_turns, after, settings or (), nodes(claims)
        )

    def after(self, children: Children) -> str:
        return str(children[1])[1:-1]

    def of_which(self, children: Children) -> ast.Name:
        return name_of(children[0])

    def depth(self, children: Children) -> tuple[int | None, bool]:
        numbers, words = _tokens(children, "NUMBER"), _tokens(children, "TURNS")
        return number_of(numbers[0]).value if numbers else None, bool(words)

    def settings(self, children: Children) -> tuple[tuple[ast.Name, Any], ...]:
        return tuple(child for child in children if isinstance(child, tuple))

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
