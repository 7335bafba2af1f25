"""Every construct of the language becomes the node that stands for it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from gamedsl.source import SourceFile, Span
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse, parse_expression


def shape(part: object) -> str:
    """A node as text: its class, and its parts without spans; names and numbers bare."""
    match part:
        case ast.Name(text=text) | ast.Decimal(text=text):
            return text
        case ast.Number(value=value):
            return str(value)
        case ast.Node():
            names = [field.name for field in fields(part) if field.name != "span"]
            inner = [shape(getattr(part, name)) for name in names]
            return f"{type(part).__name__}({', '.join(inner)})"
        case tuple():
            return f"[{', '.join(map(shape, part))}]"
        case None:
            return "-"
    return str(part)


def expression(text: str) -> ast.Expression:
    found, diagnostics = parse_expression(text, "test")
    assert diagnostics == ()
    assert found is not None
    return found


def program(text: str) -> tuple[ast.Declaration, ...]:
    found, diagnostics = parse(SourceFile("test", text))
    assert diagnostics == ()
    return found.declarations


def statement(text: str) -> ast.Statement:
    indented = text.replace("\n", "\n    ")
    (effect,) = program(f"effect f():\n    {indented}\n")
    assert isinstance(effect, ast.EffectDecl)
    (found,) = effect.body
    return found


EXPRESSIONS = {
    "a": "a",
    "12": "12",
    "0.7094": "0.7094",
    "-a": "Unary(-, a)",
    "not a == b": "Unary(not, Compare(a, [[==, b]]))",
    "-a * b": "Binary(*, Unary(-, a), b)",
    "1/3": "Binary(/, 1, 3)",
    "a + b * c - d": "Binary(-, Binary(+, a, Binary(*, b, c)), d)",
    "a // b % c": "Binary(%, Binary(//, a, b), c)",
    "0..n - 1": "Binary(.., 0, Binary(-, n, 1))",
    "0..2 | none": "Binary(|, Binary(.., 0, 2), none)",
    "x in a | b": "Compare(x, [[in, Binary(|, a, b)]])",
    "0 <= x < 3": "Compare(0, [[<=, x], [<, 3]])",
    "x not in s": "Compare(x, [[not in, s]])",
    "a != b >= c > d == e": "Compare(a, [[!=, b], [>=, c], [>, d], [==, e]])",
    "a or b or c": "Logic(or, [a, b, c])",
    "a or b and c": "Logic(or, [a, Logic(and, [b, c])])",
    "(a or b) and c": "Logic(and, [Logic(or, [a, b]), c])",
    "a or (b or c)": "Logic(or, [a, Logic(or, [b, c])])",
    "a if b else c if d else e": "Conditional(a, b, Conditional(c, d, e))",
    "f()": "Call(f, [])",
    "f(a, b,)": "Call(f, [a, b])",
    "f(a)[b]": "Index(Call(f, [a]), [b])",
    "a[i, j]": "Index(a, [i, j])",
    "a[i][j]": "Index(Index(a, [i]), [j])",
    "{}": "SetLiteral([])",
    "{a, b}": "SetLiteral([a, b])",
    "[1, 2]": "ListLiteral([1, 2])",
    "(a, b)": "TupleLiteral([a, b])",
    "((a))": "a",
    "any(a for x in s)": "Quantifier(any, a, [Clause(x, s, -)], [])",
    "sum(a for x in s where c for y in t)": (
        "Quantifier(sum, a, [Clause(x, s, c), Clause(y, t, -)], [])"
    ),
    "{a for x in s}": "SetBuild(a, [Clause(x, s, -)])",
    "[a for x in s where c]": "ListBuild(a, [Clause(x, s, c)])",
    "{a: 1/3, b: 2/3}": "Weights([[a, Binary(/, 1, 3)], [b, Binary(/, 2, 3)]])",
    "{k: w for x in s}": "WeightsBuild(k, w, [Clause(x, s, -)])",
    "N+NE": "Binary(+, N, NE)",
    "true": "true",
    "[1,\n 2]": "ListLiteral([1, 2])",
}


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS.items())
def test_an_expression_becomes_its_node(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


STATEMENTS = {
    "x = 1": "Assign(x, =, 1)",
    "x[i] += 1": "Assign(Index(x, [i]), +=, 1)",
    "x -= 1": "Assign(x, -=, 1)",
    "let y = a": "Let(y, a)",
    "f(a)": "CallEffect(f, [a])",
    "f()": "CallEffect(f, [])",
    "again": "Again()",
    "require a": "Require(a)",
    "ensure a": "Ensure(a)",
    "chance x in s": "Chance(x, s, -, -, False)",
    "chance x[i] in s where c": "Chance(Index(x, [i]), s, c, -, False)",
    "chance x in s weighted w[x]": "Chance(x, s, -, Index(w, [x]), False)",
    "chance x in s where c weighted w": "Chance(x, s, c, w, False)",
    "chance x subset of s where c": "Chance(x, s, c, -, True)",
    "p wins": "Wins(p, -)",
    "other(p) wins 2": "Wins(Call(other, [p]), 2)",
    "(a if c else b) loses x": "Loses(Conditional(a, c, b), x)",
    "draw": "Draw()",
    "payoff A: 1, B: -1": "Payoff([[A, 1], [B, Unary(-, 1)]])",
    "if a: draw": "If([[a, [Draw()]]], -)",
    "if a:\n    draw\nelif b:\n    again\nelse: x = 1": (
        "If([[a, [Draw()]], [b, [Again()]]], [Assign(x, =, 1)])"
    ),
    "for x in s: draw": "For(x, s, -, -, [Draw()])",
    "for x in s where c while d:\n    draw\n    again": "For(x, s, c, d, [Draw(), Again()])",
    "for x in s: for y in t: if a: draw": (
        "For(x, s, -, -, [For(y, t, -, -, [If([[a, [Draw()]]], -)])])"
    ),
}


@pytest.mark.parametrize(("text", "expected"), STATEMENTS.items())
def test_a_statement_becomes_its_node(text: str, expected: str) -> None:
    assert shape(statement(text)) == expected


DECLARATIONS = {
    'game "A # b"': "GameTitle(A # b)",
    "param n = [1, 2]": "ParamDecl(n, ListLiteral([1, 2]))",
    "players A": "PlayersDecl([A], -)",
    "players A, B": "PlayersDecl([A, B], -)",
    "players n of A, B": "PlayersDecl([A, B], n)",
    "players n + 1 of A, B": "PlayersDecl([A, B], Binary(+, n, 1))",
    "type T = a | b | 1..3": "TypeDecl(T, Binary(|, Binary(|, a, b), Binary(.., 1, 3)), -)",
    "type C = R of S": "TypeDecl(C, R, S)",
    "def f = sum(a for (a, b) in s)": (
        "DefDecl(f, [], Quantifier(sum, a, [Clause(TupleOfNames([a, b]), s, -)], []), [])"
    ),
    "board 3 wide n high": "BoardGrid(3, n, -, [])",
    "board 3 wide 3 high wrap": "BoardGrid(3, 3, -, [wide, high])",
    "board 3 wide 3 high wrap high where row > 1": (
        "BoardGrid(3, 3, Compare(row, [[>, 1]]), [high])"
    ),
    "board graph:\n    a1-b1-c1\n    d1": "BoardGraph([Chain([a1, b1, c1]), Chain([d1])])",
    "board graph:\n    a1: b1, c1\n    at at (0, 1/2)": (
        "BoardGraph([Joined(a1, [b1, c1]), Placed(at, 0, Binary(/, 1, 2))])"
    ),
    "directions N, E": "DirectionsDecl([N, E])",
    "state:\n    x: 0..3": "StateDecl([VariableDecl(x, [], Binary(.., 0, 3), -, -)])",
    "state:\n    x[square, j in s]: bool = false secret to p": (
        "StateDecl([VariableDecl(x, [IndexDecl(-, square, -), IndexDecl(j, s, -)], bool, false, "
        "Secret(p))])"
    ),
    "state:\n    x[s]: t = none secret": (
        "StateDecl([VariableDecl(x, [IndexDecl(-, s, -)], t, none, Secret(-))])"
    ),
    "state:\n    x[s]: t = diagram\n        . x? (\n        1 -> #2\n    y: t": (
        "StateDecl([VariableDecl(x, [IndexDecl(-, s, -)], t, Diagram([[., x?, (], [1, ->]]), -), "
        "VariableDecl(y, [], t, -, -)])"
    ),
    "setup:\n    x = 1": "SetupDecl([Assign(x, =, 1)])",
    "setup: x = 1": "SetupDecl([Assign(x, =, 1)])",
    "move f: again": "MoveDecl(f, [], False, False, [Again()])",
    "move f(a in s where c, b in t) secret:\n    again": (
        "MoveDecl(f, [Parameter(a, s, c, False), Parameter(b, t, -, False)], True, False,"
        " [Again()])"
    ),
    "move f(a subset of s where c): again": (
        "MoveDecl(f, [Parameter(a, s, c, True)], False, False, [Again()])"
    ),
    "simultaneous f(a in s): x = a": (
        "MoveDecl(f, [Parameter(a, s, -, False)], False, True, [Assign(x, =, a)])"
    ),
    "otherwise": "Otherwise()",
    "def f = 1": "DefDecl(f, [], 1, [])",
    "def f(a, b) = a": "DefDecl(f, [a, b], a, [-, -])",
    "effect f(a): x = a": "EffectDecl(f, [a], [Assign(x, =, a)])",
    "end:\n    draw": "EndDecl([Draw()])",
    "endless: draw": "EndlessDecl(Draw())",
    "repeat x: illegal": "RepeatDecl([x], [], -, -)",
    "repeat state 3 times: draw": "RepeatDecl([state], [], 3, Draw())",
    "repeat state without x, turn 3 times: draw": "RepeatDecl([state], [x, turn], 3, Draw())",
    "repeat x, y, turn: illegal": "RepeatDecl([x, y, turn], [], -, -)",
    "evaluate p: f(p)": "EvaluateDecl(p, -, Call(f, [p]))",
    "evaluate p where a: f(p)": "EvaluateDecl(p, a, Call(f, [p]))",
    "expect value: draw": "ExpectDecl(value, -, False, -, [], [Draw()])",
    "expect perft 4 turns: 1469": "ExpectDecl(perft, 4, True, -, [], [1469])",
    'expect only value after "a1": draw': "ExpectDecl(only value, -, False, a1, [], [Draw()])",
    "expect best with n = 4, m = [1,2]: a1, mark(b2), A wins 2": (
        "ExpectDecl(best, -, False, -, [[n, 4], [m, ListLiteral([1, 2])]], "
        "[a1, Call(mark, [b2]), Wins(A, 2)])"
    ),
    "expect value: 0.25, (1, 2), -1/3": (
        "ExpectDecl(value, -, False, -, [], "
        "[0.25, TupleLiteral([1, 2]), Binary(/, Unary(-, 1), 3)])"
    ),
    "tree:\n    A: l -> 1, r -> B [i]: x -> -1/2, y -> (1, 2)": (
        "TreeDecl(TreeChoice(A, -, [TreeBranch(-, l, TreeLeaf(1)), "
        "TreeBranch(-, r, TreeChoice(B, i, ["
        "TreeBranch(-, x, TreeLeaf(Binary(/, Unary(-, 1), 2))), "
        "TreeBranch(-, y, TreeLeaf(TupleLiteral([1, 2])))]))]))"
    ),
    "tree:\n  chance:\n    1/2 raise -> 3\n    (1 - p) 4 -> A:\n      draw -> (n)": (
        "TreeDecl(TreeChoice(-, -, [TreeBranch(Binary(/, 1, 2), raise, TreeLeaf(3)), "
        "TreeBranch(Binary(-, 1, p), 4, TreeChoice(A, -, [TreeBranch(-, draw, TreeLeaf(n))]))]))"
    ),
}


@pytest.mark.parametrize(("text", "expected"), DECLARATIONS.items())
def test_a_declaration_becomes_its_node(text: str, expected: str) -> None:
    (found,) = program(f"{text}\n")
    assert shape(found) == expected


@pytest.mark.parametrize("text", DECLARATIONS)
def test_a_file_may_end_without_a_line_end_and_hold_comments_anywhere(text: str) -> None:
    commented = text.replace("\n", "  # one\n  # two\n\n") + "  # three"
    assert [shape(one) for one in program(commented)] == [shape(one) for one in program(text)]


def test_a_tab_moves_to_the_next_multiple_of_four_columns() -> None:
    (found,) = program("end:\n  \tif a:\n\t  \tdraw\n    draw\n")
    assert shape(found) == "EndDecl([If([[a, [Draw()]]], -), Draw()])"


def test_the_span_of_an_expression_includes_its_parentheses() -> None:
    text = "((a + b) * c)"
    found = expression(text)
    assert found.span == Span(0, len(text))
    assert isinstance(found, ast.Binary)
    assert text[slice(*found.left.span)] == "(a + b)"


def test_spans_point_at_what_was_written() -> None:
    text = "move f(s in square):  # note\n    require a  # b\n\n    x = 1\n# end\n"
    (move,) = program(text)
    assert isinstance(move, ast.MoveDecl)
    assert text[slice(*move.span)].endswith("x = 1")
    assert text[slice(*move.parameters[0].span)] == "s in square"
    assert text[slice(*move.body[0].span)] == "require a"


def test_an_expression_may_be_long_but_not_deep() -> None:
    assert isinstance(expression(" or ".join(["a"] * 5000)), ast.Logic)
    assert isinstance(expression("+".join(["1"] * 5000)), ast.Series)
    for deep in ("not " * 150 + "a", "a" + "[1]" * 150):
        found, diagnostics = parse_expression(deep, "test")
        assert found is None
        assert [one.code for one in diagnostics] == ["E0118"]
