"""Diagnostics as text: the caret is under the place, whatever the line looks like."""

from __future__ import annotations

import re

import pytest

from gamedsl.source import Diagnostic, Label, Severity, SourceFile, Span
from gamedsl.source.render import render, render_concise, to_json


def about(text: str, start: int, end: int, label: str = "", **more: object) -> Diagnostic:
    source = SourceFile("a.game", text)
    return Diagnostic("E0102", "wrong", Label(Span(start, end), label), source, **more)  # type: ignore[arg-type]


def body(diagnostic: Diagnostic, **options: object) -> list[str]:
    """The rendered lines below the place."""
    return render(diagnostic, **options).splitlines()[2:]  # type: ignore[arg-type]


def test_a_message_has_a_heading_a_place_the_line_and_a_caret() -> None:
    text = "x = 1\n    y = 2 + three\nz = 3\n"
    start = text.index("three")
    found = about(text, start, start + 5, "here", hint="try this", notes=("one", "two"))
    assert render(found) == (
        "error[E0102]: wrong\n"
        " --> a.game:2:13\n"
        "  |\n"
        "2 |     y = 2 + three\n"
        "  |             ^^^^^ here\n"
        "  |\n"
        "  = note: one\n"
        "  = note: two\n"
        "  = help: try this"
    )


def test_secondary_places_are_underlined_in_reading_order_with_lines_left_out_between() -> None:
    text = "f(a,\nb\nc\nd]\n"
    found = about(text, text.index("]"), text.index("]") + 1)
    found = Diagnostic(
        found.code, "wrong", found.primary, found.source, (Label(Span(1, 2), "opened here"),)
    )
    assert body(found) == [
        "  |", "1 | f(a,", "  |  - opened here", "...", "4 | d]", "  |  ^",
    ]  # fmt: skip


def test_the_gutter_is_as_wide_as_the_largest_line_number() -> None:
    text = "\n" * 99 + "oops\n"
    assert body(about(text, 99, 103)) == ["    |", "100 | oops", "    | ^^^^"]


@pytest.mark.parametrize(
    ("line", "start", "end", "caret"),
    [
        ("\tab\tc", 1, 3, "    ^^"),
        ("\tab\tc", 4, 5, "        ^"),
        ("日本 x", 3, 4, "     ^"),
        ("日本 x", 0, 2, "^^^^"),
        ("e\u0301x", 2, 3, " ^"),
        ("a\x00b", 1, 2, " ^"),
        ("abc", 3, 3, "   ^"),
        ("abc", 1, 1, " ^"),
    ],
)
def test_the_caret_stands_under_the_character_on_the_screen(
    line: str, start: int, end: int, caret: str
) -> None:
    assert body(about(line + "\n", start, end))[2] == f"  | {caret}"


def test_control_characters_are_shown_as_pictures() -> None:
    assert "a␀b␇" in render(about("a\x00b\x07", 0, 1))


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "a" * 500 + "WRONG" + "b" * 500
    for width in (40, 80, 120, None):
        lines = body(about(text, 500, 505), width=width)
        assert max(map(len, lines)) <= (width or 120)
        _, line, caret = lines
        assert line[caret.index("^") : caret.rindex("^") + 1] == "WRONG"
        assert line.endswith("...")
        assert line.removeprefix("1 | ").startswith("...")


@pytest.mark.parametrize("start", [0, 3, 300, 990, 999])
def test_the_caret_stays_in_the_window_at_both_ends_of_a_long_line(start: int) -> None:
    text = "".join(str(i % 10) for i in range(1000))
    _, line, caret = body(about(text, start, start + 1), width=60)
    assert line[caret.index("^")] == text[start]


def test_words_are_filled_into_the_width_with_and_without_colours() -> None:
    found = Diagnostic(
        "W1002", "no rule ever asks for it: " + "it is kept, " * 8, file="b.game",
        hint="look " * 20, notes=("first\n3 . .\n" + "then " * 20,), severity=Severity.WARNING,
    )  # fmt: skip
    plain = render(found, width=40)
    assert max(map(len, plain.split("\n"))) <= 40
    assert plain.split() == render(found).split()
    assert "\n          3 . .\n" in plain
    coloured = render(found, colour=True, width=40)
    assert re.sub(r"\033\[[\d;]*m", "", coloured) == plain


def test_a_span_over_several_lines_is_underlined_line_by_line() -> None:
    text = "if a:\n    b\n\n    cd\nend\n"
    assert body(about(text, 0, text.index("end"), "all this")) == [
        "  |", "1 | if a:", "  | ^^^^^", "2 |     b", "  |     ^", "...", "4 |     cd",
        "  |     ^^ all this",
    ]  # fmt: skip


def test_of_a_span_over_many_lines_the_first_and_the_last_are_shown() -> None:
    text = "".join(f"line {i}\n" for i in range(30))
    lines = body(about(text, 0, len(text), "all"))
    assert len(lines) == 6
    assert lines[-1].endswith("^^^^^^^ all")


def test_a_place_behind_the_last_line_can_be_shown() -> None:
    assert body(about("ab\n", 3, 3))[1:] == ["2 |", "  | ^"]


def test_a_finding_about_a_whole_file_has_no_snippet() -> None:
    found = Diagnostic("E0001", "there is no file", file="b.game", hint="look elsewhere")
    assert render(found) == (
        "error[E0001]: there is no file\n --> b.game\n  = help: look elsewhere"
    )
    assert render_concise(found) == "b.game: error[E0001] there is no file"


def test_colours_are_only_there_if_asked_for_and_change_nothing_else() -> None:
    found = about("abc\n", 1, 2, "x", hint="h")
    plain, coloured = render(found), render(found, colour=True)
    assert "\033" not in plain
    assert "\033[1;31merror" in coloured
    for code in ("\033[1;31m", "\033[1;34m", "\033[1m", "\033[0m"):
        coloured = coloured.replace(code, "")
    assert coloured == plain


def test_a_warning_has_a_colour_of_its_own_and_is_called_so() -> None:
    found = about("abc\n", 1, 2, severity=Severity.WARNING)
    assert render(found, colour=True).startswith("\033[1;35mwarning[E0102]")
    assert render_concise(found) == "a.game:1:2: warning[E0102] wrong"


def test_json_has_all_fields_and_counts_from_one() -> None:
    assert to_json(about("ab\ncd\n", 1, 4, hint="h", notes=("n",))) == {
        "file": "a.game", "code": "E0102", "severity": "error", "message": "wrong",
        "line": 1, "column": 2, "end_line": 2, "end_column": 2, "hint": "h", "notes": ["n"],
    }  # fmt: skip
    nowhere = to_json(Diagnostic("E0001", "gone", file="b"))
    assert (nowhere["line"], nowhere["end_column"], nowhere["file"]) == (None, None, "b")
