"""What is written to a terminal: lines that it need not break."""

from __future__ import annotations

from io import StringIO

import pytest

from gamedsl.cli.console import filled

REFUSAL = "not supported: a position at the depth limit is worth nothing that anybody knows"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_given_lines_of_its_width_and_a_file_the_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert filled(REFUSAL, StringIO()) == REFUSAL
    lines = filled(REFUSAL, Terminal()).splitlines()
    assert " ".join(lines) == REFUSAL
    assert max(map(len, lines)) <= 40


def test_what_is_indented_or_begun_already_is_filled_from_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert filled("one\n    two three four five", Terminal()) == "one\n    two three four\n    five"
    assert filled("one two three four", Terminal(), used=8) == "one two\nthree four"
    assert filled("  one two three four five", Terminal(), hanging=4) == (
        "  one two three four\n      five"
    )
