"""The formatter keeps the meaning and the comments, settles at once, and changes little."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gamedsl.source import SourceFile
from gamedsl.syntax.parse import parse, parse_expression
from gamedsl.syntax.printers.comments import comments_of
from gamedsl.syntax.printers.program import format_program
from tests.comparing import same

GAMES = sorted((Path(__file__).resolve().parents[3] / "games").glob("*.game"))


def formatted(text: str) -> str:
    program, diagnostics = parse(SourceFile("test", text))
    assert diagnostics == ()
    return format_program(program)


def assert_laws(text: str) -> None:
    """Same AST, stable, all comments, and no line too long that could have been broken."""
    once = formatted(text)
    before, _ = parse(SourceFile("test", text))
    after, diagnostics = parse(SourceFile("test", once))
    assert diagnostics == ()
    assert same(before.declarations, after.declarations)
    assert format_program(after) == once
    assert sorted(one.text for one in comments_of(once)) == sorted(
        one.text for one in comments_of(text)
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.stem)
def test_a_shipped_game_is_formatted_already(game: Path) -> None:
    text = game.read_text("utf-8")
    assert_laws(text)
    assert formatted(text) == text
    assert max(len(line.partition("#")[0].rstrip()) for line in text.splitlines()) <= 100


TIDIED = {
    "spaces": ("param   n=( 3 )\n", "param n = 3\n"),
    "parentheses": (
        "def f(a) = ((a)or(b and(c)))and not(d)\n",
        "def f(a) = (a or b and c) and not d\n",
    ),
    "a tight operator stays tight, and what is inside is tight too": (
        "def f = 2*pits + 1 + a*(b + c)+d % e\n",
        "def f = 2*pits+1+a*(b + c)+d%e\n",
    ),
    "a range is tight": ("param n = 0 .. a + 1\n", "param n = 0..a+1\n"),
    "indentation": (
        "end:\n  if a:\n\tdraw\n  else:\n    for x in s : draw\n",
        "end:\n    if a:\n        draw\n    else:\n        for x in s: draw\n",
    ),
    "blank lines": ("\n\nplayers A\n\n\n\nend:\n\n    draw\n\n", "players A\n\nend:\n    draw\n"),
    "comments": (
        "#a\nend: # b\n    # c\n    draw    # d\n  # e\n# f\n",
        "#a\nend:  # b\n    # c\n    draw    # d\n# e\n# f\n",
    ),
    "a comment below a block stays in it": (
        "end:\n  if a:\n    draw\n    # in\n  # out\n  draw\n",
        "end:\n    if a:\n        draw\n        # in\n    # out\n    draw\n",
    ),
    "a comment inside a line stays at its break": (
        "def f = (a and  # one\n         # two\n         b)  # three\n",
        "def f = (a and  # one\n    # two\n    b)       # three\n",
    ),
    "a comment that loses its break moves above the line": (
        "x = 1\n".join(["move f:\n    ", ""]) + "param n = (  # why\n    3)\n",
        "move f:\n    x = 1\n# why\nparam n = 3\n",
    ),
    "the author's breaks are kept, inside brackets": (
        "end:\n    if (a and\n      b): draw\n",
        "end:\n    if (a and\n        b): draw\n",
    ),
    "a diagram has columns": (
        "state:\n    x[square]: t = diagram\n      a . bcd\n      abc    b .\n",
        "state:\n    x[square]: t = diagram\n        a   . bcd\n        abc b .\n",
    ),
    "a tree has columns": (
        "tree:\n  A:\n    l -> B: x->1,yy->(2)\n    right -> B: x->1000, yy -> 1 / 2\n"
        "    c -> B:\n      d -> 1\n",
        "tree:\n    A:\n        l     -> B: x -> 1,    yy -> 2\n"
        "        right -> B: x -> 1000, yy -> 1/2\n"
        "        c -> B:\n            d -> 1\n",
    ),
    "payoffs stay on their lines": (
        "end:\n  payoff A:1  # one\n  # two\n  payoff B: (2),C:3\n",
        "end:\n    payoff A: 1  # one\n    # two\n    payoff B: 2, C: 3\n",
    ),
    "a title keeps its sign": ('game   "a # b"#c\n', 'game "a # b"  #c\n'),
}


@pytest.mark.parametrize(("before", "after"), TIDIED.values(), ids=TIDIED.keys())
def test_a_text_is_brought_into_the_standard_layout(before: str, after: str) -> None:
    assert formatted(before) == after
    assert_laws(before)


LONG = "a_rather_long_name"


def test_a_long_line_is_broken_at_the_outermost_place_and_gets_parentheses() -> None:
    parts = " and ".join([LONG] * 3)
    text = formatted(f"def f(x) = {parts} or {parts}\n")
    first, second = text.splitlines()
    assert first == f"def f(x) = ({parts} or"
    assert second == f"    {parts})"


def test_a_head_that_is_too_long_is_broken_between_its_parts() -> None:
    ranges = ", ".join(f"parameter_{name} in first | second" for name in "abc")
    lines = formatted(f"def f({ranges}, last in third | fourth) = parameter_a\n").splitlines()
    assert [line.strip() for line in lines] == [
        f"def f({ranges},", "last in third | fourth) = parameter_a",
    ]  # fmt: skip


def test_heads_and_calls_stay_whole_where_the_value_can_be_broken() -> None:
    first, second = "shorter(column, row) or " * 2, "longer(column, row) and " * 2
    text = f"def wanted(column, row) = {first}{second}is_last(column, row)\n"
    head, *more = formatted(text).splitlines()
    assert head.startswith("def wanted(column, row) = (shorter(column, row) or")
    assert all(line.count("(") >= line.count(")") for line in (head, *more[:-1]))
    assert_laws(text)


def test_a_statement_that_is_too_long_is_aligned_with_its_bracket() -> None:
    text = formatted(f"move f:\n    require g({', '.join([LONG] * 6)})\n")
    lines = text.splitlines()
    assert len(lines) == 3
    assert lines[2].index("a_rather") == lines[1].index("a_rather")


@pytest.mark.parametrize("separator", [" and ", " or ", ", ", " + ", " | "])
@pytest.mark.parametrize(
    "frame",
    ["param n = {}", "move f:\n    if f({}): x = g({})", "end:\n    p wins {{{}}}",
     "move f:\n    for x in [{}] where g({}): y = 1", "expect value: g({})"],
)  # fmt: skip
def test_no_line_is_longer_than_a_page_where_it_can_be_broken(separator: str, frame: str) -> None:
    inner = separator.join([LONG] * 25)
    if separator == ", " and "({" not in frame and "[{" not in frame and "{{" not in frame:
        inner = f"[{inner}]"
    text = frame.replace("{{{}}}", "{[" + inner + "]}").replace("{}", inner) + "\n"
    assert max(map(len, formatted(text).splitlines())) <= 100
    assert_laws(text)


# --- random texts --------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b_1", "long_name_of_something", "state", "wide", "x"])
TEMPLATES = [
    "{} + {}", "{} - {}", "{}*{}", "{} / {}", "{}//{}", "{} % {}", "{}..{}", "{} | {}", "-{}",
    "not {}", "{} and {}", "{} or {} or {}", "{} == {}", "{} < {} <= {}", "{} in {}",
    "{} not in {}", "{} if {} else {}", "f({}, {})", "a[{}]", "({})[{}, {}]", "({}, {})", "({})",
    "[{}, {}]", "{{{}}}", "{{{}: {}, {}: {}}}", "any({} for x in {})", "[{} for x in {} where {}]",
    "{{{} for x in {} for y in {}}}", "{{{}: {} for x in {}}}", "[]", "f()", "{{}}",
]  # fmt: skip
"""Every form of an expression; what is put in may bind looser than what is around it."""


def expressions() -> st.SearchStrategy[str]:
    """Expressions of every form, of a readable size."""
    leaves = st.one_of(NAMES, st.integers(0, 99).map(str), st.just("0.25"))

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(
            lambda template, parts: template.format(*parts),
            st.sampled_from(TEMPLATES),
            st.lists(inner, min_size=4, max_size=4),
        )

    return st.recursive(leaves, larger, max_leaves=30)


def assert_expression_survives(text: str) -> None:
    _, diagnostics = parse_expression(text, "test")
    assume(not diagnostics)
    assert_laws(f"param n = {text.strip()}\n")
    assert_laws(f"move f(x in s where {text}):\n    x = {text.strip()}\n")


@given(expressions())
def test_an_expression_of_any_form_survives_formatting(text: str) -> None:
    assert_expression_survives(text)


@st.composite
def broken_expressions(draw: st.DrawFn) -> str:
    """Expressions with line breaks and comments wherever there is a space, inside brackets."""
    text = draw(expressions())
    assume(parse_expression(text, "test")[1] == ())
    words = text.split()
    gap = st.sampled_from([" ", " ", "\n", "\n    ", " # note\n", "\n # own\n  "])
    return "(" + "".join(word + draw(gap) for word in words) + ")"


KINDS = ["x = {}", "require {}", "p wins {}", "draw", "f({})", "if", "for"]


@st.composite
def blocks(draw: st.DrawFn, indent: str = "    ", depth: int = 2) -> str:
    """The lines of a block, with comments and blank lines between them."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines.append(draw(st.sampled_from(["", "", "\n", f"{indent}# above\n", "# left\n"])))
        value = draw(broken_expressions())
        tail = draw(st.sampled_from(["", "", " # behind"])) + "\n"
        kind = draw(st.sampled_from(KINDS))
        if kind == "if" and depth:
            inner = draw(blocks(indent + "  ", depth - 1))
            other = draw(blocks(indent + "      ", depth - 1))
            lines.append(f"{indent}if {value}:{tail}{inner}{indent}else :{tail}{other}")
        elif kind == "for" and depth:
            inner = draw(st.one_of(blocks(indent + "\t", depth - 1), st.just(" if a: draw\n")))
            head = f"{indent}for y in {value} where a:"
            lines.append(head + (inner if inner.startswith(" if") else tail + inner))
        else:
            text = kind if kind not in {"if", "for"} else "again"
            lines.append(indent + text.format(value) + tail)
    return "".join(lines)


@given(blocks())
def test_any_block_survives_formatting(text: str) -> None:
    source = SourceFile("test", f"move f:\n{text}# end\nend:\n    draw\n")
    _, diagnostics = parse(source)
    assume(diagnostics == ())
    assert_laws(source.text)
