"""The text of generated games: what the formatter writes means the same, and is a fixed point."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from gamedsl.source.text import source_from_text
from gamedsl.syntax.ast import Program
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from tests.comparing import same
from tests.generation.games import games


def parsed(text: str) -> Program:
    program, diagnostics = parse(source_from_text(text))
    assert diagnostics == ()
    return program


@st.composite
def untidy_games(draw: Callable[[st.SearchStrategy[str]], str]) -> str:
    """Generated games with comments, empty lines, blanks and lines broken inside brackets."""
    lines: list[str] = []
    is_drawn = False
    for line in draw(games()).splitlines():
        is_drawn = line.endswith("= diagram") or (is_drawn and line.startswith("        "))
        kind = draw(st.sampled_from(("as it is", "as it is", "above", "behind", "blank", "broken")))
        if kind == "above":
            lines.append(f"{draw(st.sampled_from(('', '    ')))}# above {len(lines)}")
        if kind == "blank":
            lines.append("")
        if kind == "behind" and line:
            line += f"  # behind {len(lines)}"
        if kind == "broken" and not is_drawn and '"' not in line:
            line = line.replace("(", "(\n            ").replace(", ", " ,\n  # inside\n ", 0)
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


@given(games())
def test_a_formatted_game_says_the_same(text: str) -> None:
    program = parsed(text)
    assert same(program.declarations, parsed(format_program(program)).declarations)


@given(games())
def test_formatting_twice_changes_nothing_more(text: str) -> None:
    once = format_program(parsed(text))
    assert format_program(parsed(once)) == once


@given(untidy_games())
def test_an_untidy_game_says_the_same_when_formatted(text: str) -> None:
    program = parsed(text)
    assert same(program.declarations, parsed(format_program(program)).declarations)


@given(untidy_games())
def test_formatting_keeps_every_comment(text: str) -> None:
    written = [
        word for line in text.splitlines() for _, mark, word in [line.partition("#")] if mark
    ]
    kept = format_program(parsed(text))
    assert [word for word in written if word.strip() not in kept] == []


@given(untidy_games())
def test_formatting_an_untidy_game_twice_changes_nothing_more(text: str) -> None:
    once = format_program(parsed(text))
    assert format_program(parsed(once)) == once
