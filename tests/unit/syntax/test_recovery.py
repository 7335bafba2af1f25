"""All mistakes of a text are found at once, nothing right is lost, and no text is fatal."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.source import Diagnostic, SourceFile
from gamedsl.source.render import render
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from tests.comparing import same

GAMES = sorted((Path(__file__).resolve().parents[3] / "games").glob("*.game"))


def read(text: str) -> tuple[ast.Program, tuple[Diagnostic, ...]]:
    return parse(SourceFile("test.game", text))


def lines_of(diagnostics: tuple[Diagnostic, ...]) -> list[int]:
    return [one.position[0] for one in diagnostics if one.position]


def test_every_mistake_of_a_file_is_reported_in_one_pass() -> None:
    _, found = read(
        "game Nim\n"
        "player A, B\n"
        "state\n"
        "    left: 0..9 = 9\n"
        "move take(n in 1..3)\n"
        "    require n =< left\n"
        "    left = left − n\n"
        "    if left = 0:\n"
        "        left == 3\n"
        "    elseif left == 1:\n"
        "        left = 2;\n"
        "end:\n"
        "    if left == 0: A win\n"
    )
    assert lines_of(found) == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 13]
    assert len({one.code for one in found}) == 9


def test_what_is_right_around_a_mistake_is_kept() -> None:
    program, found = read(
        "players A, B\n"
        "state:\n"
        "    x: 0..3 = 0\n"
        "    y 0..3 = 0\n"
        "    z: 0..3 = 0\n"
        "move f:\n"
        "    x = 1\n"
        "    y = = 2\n"
        "    z = 3\n"
        "end:\n"
        "    if x == 3: draw\n"
    )
    assert lines_of(found) == [4, 8]
    players, state, move, end = program.declarations
    assert isinstance(players, ast.PlayersDecl)
    assert isinstance(end, ast.EndDecl)
    assert isinstance(state, ast.StateDecl)
    assert [one.name.text for one in state.variables] == ["x", "z"]
    assert isinstance(move, ast.MoveDecl)
    assert len(move.body) == 2


def test_the_words_of_dropped_lines_are_kept_for_the_checker() -> None:
    program, _ = read("state:\n    x: 0..3 == 0\nmove f(s in t:\n    y = 1\nend:\n    draw\n")
    assert {"x", "move", "f", "s", "t", "y"} <= program.broken
    assert "draw" not in program.broken


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("move f(a in s:\n    x = 1\n    y = 2\nend:\n    draw\n", [1]),
        ("move f(a in s)\n    x = 1\nend:\n    draw\n", [1]),
        ("move f:\nx = 1\ny = 2\nend:\n    draw\n", [1]),
        ("state\nx: 0..3 = 0\ny: 0..3 = 0\nend:\n    draw\n", [1]),
        ("end:\n    if a = 1:\n        draw\n    elif b:\n        draw\n    else: draw\n", [2]),
        ("end:\n    if a:\n        draw\n      draw\n      draw\n    draw\n", [4]),
        ("end:\n    if a == (1:\n        draw\n    if b: draw\n", [2]),
        ("param n = [1,\n    2,\n    3\nplayers A, B\nend:\n    draw\n", [1]),
        ("board graph:\n    a1-b1\n    a1_b1-\n    c1\nend:\n    draw\n", [3]),
        ("tree:\n    A:\n        l -> 1\n        r > 2\n        m -> 3\n", [4]),
        ("move f() {\n    x = 1\n}\nend:\n    draw\n", [1]),
    ],
)  # fmt: skip
def test_one_mistake_gives_one_message(text: str, expected: list[int]) -> None:
    _, found = read(text)
    assert lines_of(found) == expected


def test_a_mistake_inside_the_block_of_a_wrong_header_is_found_too() -> None:
    _, found = read("move f(a in s\n    x == 1\n    if y:\n        z win\nend:\n    draw\n")
    assert lines_of(found) == [1, 2, 4]


def test_no_more_than_twenty_mistakes_are_reported() -> None:
    _, found = read("end:\n" + "    x == 1\n" * 50)
    assert len(found) == 20
    _, found = read("end:\n" + "    x === 1\n" * 50)
    assert len(found) == 20


def test_a_file_that_cannot_be_read_at_all_still_gives_all_its_words() -> None:
    program, _ = read("\n".join(f"word{i} ;" for i in range(100)))
    assert "word99" in program.broken


def test_the_sign_of_a_gap_cannot_be_smuggled_in() -> None:
    for text in ("end:\n    \ue000\n    draw\n", "state:\n    x[s]: t = diagram\n        \ue000\n"):
        _, (found,) = read(text)
        assert found.code == "E0101"


# --- no text is fatal ----------------------------------------------------------------------------


def assert_harmless(text: str) -> None:
    """Reading raises nothing; messages can be shown; a right text can be formatted."""
    source = SourceFile("test.game", text)
    program, found = parse(source)
    for one in found:
        assert one.code.startswith("E01")
        assert render(one)
        if one.primary is not None:
            assert 0 <= one.primary.span.start <= one.primary.span.end <= len(text) + 1
    if not found:
        again, errors = parse(SourceFile("again", format_program(program)))
        assert errors == ()
        assert same(program.declarations, again.declarations)


@given(st.text())
def test_any_text_is_harmless(text: str) -> None:
    assert_harmless(text)


@given(st.lists(st.sampled_from(
    ["if", "else", "for", "in", "x", "1", "..", "(", ")", "[", "]", "{", "}", ":", "=", "==",
     "\n", "\n    ", "\n        ", " ", '"', "#", "move", "state:", "end:", "tree:", "->", ",", "."]
)))  # fmt: skip
def test_any_heap_of_lexemes_is_harmless(parts: list[str]) -> None:
    assert_harmless(" ".join(parts))


@given(st.sampled_from(GAMES), st.randoms(use_true_random=False))
def test_a_damaged_game_is_harmless(game: Path, chance: random.Random) -> None:
    parts = re.findall(r"\w+|\s+|[^\w\s]", game.read_text("utf-8"))
    for _ in range(chance.choice([1, 2, 8])):
        i = chance.randrange(len(parts))
        parts[i : i + chance.choice([0, 1])] = [chance.choice([*parts, "", "(", "\n", "\x00", "é"])]
    assert_harmless("".join(parts))


@pytest.mark.parametrize(
    "text",
    [
        "param x = " + "(" * 5_000,
        "param x = " + "(" * 5_000 + "1" + ")" * 5_000,
        "param x = " + "-" * 5_000 + "1",
        "param x = " + "a if b else " * 5_000 + "c",
        "(\n" * 3_000,
        "move f:\n" + "".join(" " * i + "if x = 3:\n" for i in range(1, 300)),
        "move f:\n" + "".join(" " * i + "if x == 3:\n" for i in range(1, 300)),
        "tree:\n    A: " + "a -> B: " * 3_000 + "b -> 1\n",
        '"' * 5_000,
    ],
    ids=str.__len__,
)
def test_a_monstrous_text_is_harmless(text: str) -> None:
    assert_harmless(text)
    assert read(text)[1] != ()
