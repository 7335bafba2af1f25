"""Quantifiers say the same as the conjunctions and disjunctions that they replace."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from gamedsl.source import Span
from gamedsl.syntax import ast
from gamedsl.syntax.kif.parameters import Parameters
from gamedsl.syntax.kif.quantifiers import Quantifying, united
from gamedsl.syntax.kif.rules import Term
from gamedsl.syntax.kif.shifting import shifted
from gamedsl.syntax.parse import parse_expression
from gamedsl.syntax.printers.comments import Surroundings
from gamedsl.syntax.printers.expressions import ExpressionPrinter
from gamedsl.syntax.printers.fragments import Slot, flat

AT = Span(0, 0)
CONSTANTS = ("b", "x", "o")
PLAYERS = ("Ann", "Bob")
Board = dict[tuple[int, int], str]


def read(text: str) -> ast.Expression:
    expression, diagnostics = parse_expression(text, "test")
    assert expression is not None, diagnostics
    return expression


def folded(expression: ast.Expression) -> ast.Expression:
    kinds = {**dict.fromkeys(CONSTANTS, "constant"), **dict.fromkeys(PLAYERS, "player")}
    quantifying = Quantifying(kinds.get, PLAYERS, lambda wish: wish)
    result: ast.Expression = shifted(quantifying.rewritten(expression))  # type: ignore[assignment]
    return result


def value(node: ast.Node, board: Board, names: dict[str, object]) -> object:
    """The value of an expression over `cell`, by definition."""
    match node:
        case ast.Name(text=text):
            return names.get(text, PLAYERS if text == "players" else text)
        case ast.Number():
            return node.value
        case ast.Unary(operator="not"):
            return not value(node.operand, board, names)
        case ast.Binary():
            left, right = value(node.left, board, names), value(node.right, board, names)
            assert isinstance(left, int)
            assert isinstance(right, int)
            sums = {"+": left + right, "-": left - right, "..": (*range(left, right + 1),)}
            return sums[node.operator]
        case ast.SetLiteral(items=items):
            return tuple(value(item, board, names) for item in items)
        case ast.Index(indices=indices):
            return board[tuple(value(index, board, names) for index in indices)]  # type: ignore[index]
        case ast.Compare(first=first, rest=((operator, second),)):
            one, two = value(first, board, names), value(second, board, names)
            if operator in {"in", "not in"}:
                assert isinstance(two, tuple)
                return (one in two) == (operator == "in")
            return (one == two) == (operator == "==")
        case ast.Logic(operator=operator, operands=operands):
            return (all if operator == "and" else any)(
                value(operand, board, names) for operand in operands
            )
        case ast.Quantifier(function=function, element=element, clauses=(clause, *rest)):
            inner = ast.Quantifier(AT, function, element, tuple(rest)) if rest else element
            domain = value(clause.domain, board, names)
            assert isinstance(domain, tuple)
            assert isinstance(clause.name, ast.Name)
            return (all if function.text == "all" else any)(
                value(inner, board, {**names, clause.name.text: item}) for item in domain
            )
    raise AssertionError(node)


def text_of(node: ast.Expression) -> str:
    printer = ExpressionPrinter(Surroundings(""))
    return flat([Slot(tuple(printer.print(node)))])


def windows(rng: Random) -> str:
    """Lines of some length in some directions on a part of the board, in random order."""
    width, height, length = rng.randint(2, 5), rng.randint(2, 5), rng.randint(2, 3)
    lines = []
    for across, up in rng.sample([(1, 0), (0, 1), (1, 1), (1, -1), (2, 1)], rng.randint(1, 4)):
        for x in range(1, width + 1):
            for y in range(1, height + 1):
                places = [(x + n * across, y + n * up) for n in range(length)]
                if all(1 <= i <= width and 1 <= j <= height for i, j in places):
                    lines.append(places)
    rng.shuffle(lines)
    inner, outer = rng.choice([("and", "or"), ("or", "and")])
    sign, mark = rng.choice(["==", "!="]), rng.choice([*CONSTANTS, *PLAYERS])
    marks = [mark, rng.choice(CONSTANTS)] if rng.random() < 0.3 else [mark]
    texts = [
        "(" + f" {inner} ".join(f"cell[{i}, {j}] {sign} {one}" for i, j in line) + ")"
        for line in lines
        for one in marks
        if rng.random() < 0.95
    ]
    return f" {outer} ".join(texts) or "cell[1, 1] == b"


@pytest.mark.parametrize("seed", range(30))
def test_lines_of_all_kinds_keep_their_meaning(seed: int) -> None:
    rng = Random(seed)
    expression = read(windows(rng))
    short = folded(expression)
    assert len([*ast.nodes_in(short)]) <= len([*ast.nodes_in(expression)])
    for _ in range(12):
        marks = rng.choice([(*CONSTANTS, *PLAYERS), ("b", "Ann"), ("x",)])
        board = {(i, j): rng.choice(marks) for i in range(1, 6) for j in range(1, 6)}
        assert value(short, board, {}) == value(expression, board, {})


def test_a_part_of_a_quantifier_takes_no_variable_of_the_quantifier() -> None:
    within = "any(c[1, 1] == x and c[2, 1] == x and c[3, 1] == x and c[4, i] == x for i in 1..2)"
    wanted = "any(all(c[j, 1] == x for j in 1..3) and c[4, i] == x for i in 1..2)"
    quantifying = Quantifying({"x": "constant"}.get, PLAYERS, lambda wish: wish)
    quantifying.rewritten(read("c[1] == x and c[2] == x and c[3] == x"))
    written = quantifying.rewritten(read(within))
    assert text_of(shifted(written)).replace(" ", "") == wanted.replace(" ", "")  # type: ignore[arg-type]


def test_a_variable_begins_elsewhere_in_the_sets_of_other_variables_too() -> None:
    begun = "any(c[1, 2 + j] == x and c[2, i] == x for j in 0..1 for i in {1 + j, 3 + j})"
    wanted = "any(c[1, j] == x and c[2, i] == x for j in 2..3 for i in {j - 1, j + 1})"
    assert text_of(shifted(read(begun))).replace(" ", "") == wanted.replace(" ", "")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("c[1] == x and c[2] == x and c[3] == x and c[4] == x", "all(c[i] == x for i in 1..4)"),
        ("c[3] == x or c[3] == o", "c[3] in {o, x}"),
        ("h != 2 and h != 3 and h != 4", "h not in 2..4"),
        ("c[h] == h + 1 or c[h] == h + 3", "c[h] == h + 1 or c[h] == h + 3"),
        (
            "c[1, 3] == x and c[2, 2] == x and c[3, 1] == x",
            "all(c[i, 4 - i] == x for i in 1..3)",
        ),
        ("c[1] == x and c[2] == o", "c[1] == x and c[2] == o"),
        (
            " or ".join(f"c[{i}, 1] == b and c[{i}, 2] == b and c[{i}, 3] == b" for i in (1, 2, 5)),
            "any(all(c[j, i] == b for i in 1..3) for j in {1, 2, 5})",
        ),
        (" or ".join(f"h == {n}" for n in (1, 2, 3, 5, 6, 7)), "h in 1..3 | 5..7"),
        ("f[Ann] == x or f[Bob] == x or f[Ann] == o", "f[Ann] in {o, x} or f[Bob] == x"),
        ("f[Ann] == x or f[x] == x or g[Bob] == o", "f[Ann] == x or f[x] == x or g[Bob] == o"),
    ],
)
def test_short_texts(long: str, short: str) -> None:
    assert text_of(folded(read(long))).replace(" ", "") == short.replace(" ", "")


def test_a_range_that_ends_with_an_outer_variable_is_left_as_it_is() -> None:
    """A variable of such a range begins with 0, as before."""
    quantifier = read("any(all(cell[1, 1 + i] == x for i in 0..k) for k in 0..2)")
    assert shifted(quantifier) == quantifier


class Digits:
    """Constants that are digits."""

    def constant(self, term: Term) -> ast.Expression:
        return ast.Number(AT, int(str(term)))

    def set_of(self, values: Sequence[Term]) -> ast.Expression:
        return ast.SetLiteral(AT, (*map(self.constant, values),))


@pytest.mark.parametrize("seed", range(20))
def test_conditions_on_parameters_tell_moves_from_all_other_moves(seed: int) -> None:
    random, names = Random(seed), "xyz"[: 2 + seed % 2]
    every = [*product("1234", repeat=len(names))]
    rows: dict[int, tuple[Term, ...]] = dict(enumerate(random.sample(every, len(every) * 2 // 3)))
    parameters = Parameters(names, rows, Digits())
    within = parameters.within(["1234"] * len(names), AT)
    for size in (1, 2, 3, len(rows) // 2, len(rows) - 1, len(rows)):
        moves = random.sample(range(len(rows)), size)
        condition = parameters.among(moves, AT)
        for row in every:
            meant: dict[str, object] = dict(zip(names, map(int, row), strict=True))
            assert bool(value(within, {}, meant)) == (row in rows.values())
            if row in rows.values():
                is_told = bool(value(condition, {}, meant))
                assert is_told == (row in [rows[move] for move in moves])


@pytest.mark.parametrize("many", [16, 17, 400])
def test_a_union_is_the_expression_of_its_text(many: int) -> None:
    names = [ast.Name(AT, f"p{number}") for number in range(many)]
    union = folded(united(AT, names))
    printed = read(" | ".join(name.text for name in names))
    assert type(union) is type(printed)
    assert [*ast.nodes_in(union)][-many:] == names
    assert len([*ast.nodes_in(union)]) == len([*ast.nodes_in(printed)])
