"""Files that include others: what the text of both is, and where each part of it was written."""

from __future__ import annotations

from typing import get_args

import pytest

from gamedsl.source import Diagnostic, Label, SourceFile, Span
from gamedsl.source.render import render, to_json
from gamedsl.syntax import ast
from gamedsl.syntax.ast import Program
from gamedsl.syntax.including.declared import NAMED, SINGLE, UNKEYED
from gamedsl.syntax.including.expand import expand
from gamedsl.syntax.parse import parse
from gamedsl.syntax.printers.program import format_program
from tests.comparing import same

BASE = """# A heap.
game "Base"
players A, B
param n = 3

state:
  left: 0..n = n   # counters
  bonus: 0..1 = 0

# What may be taken.
def few(k) = k <= 2 and (
    k <= left)

move take(k in 1..n):
    require few(k)
    if k == 1:
        # no bonus
        left -= 1
    else:
        left -= k

otherwise

move pass_on:
    again

evaluate p: left + 1 if p == turn else 0

end:
    if left == 0: opponent wins
    if stuck: draw

expect value: draw
"""


def expanded(text: str, **files: str) -> tuple[Program, tuple[Diagnostic, ...]]:
    """A text with files beside it."""

    def load(name: str, source: SourceFile) -> SourceFile | Diagnostic:
        stem = name.removesuffix(".game")
        if stem not in files:
            return Diagnostic("E0001", f"no {name} for {source.name}")
        return SourceFile(name, files[stem])

    program, diagnostics = parse(SourceFile("own.game", text))
    assert diagnostics == ()
    return expand(program, load)


def text_of(text: str, **files: str) -> str:
    """The whole text, laid out; every name in it must lie where its file has it."""
    program, diagnostics = expanded(text, **files)
    assert diagnostics == ()
    again, errors = parse(SourceFile("again.game", format_program(program)))
    assert errors == ()
    assert same(again.declarations, program.declarations)
    return format_program(program)


def variant(*lines: str) -> str:
    return text_of("".join(f"{line}\n" for line in ('include "base.game"', *lines)), base=BASE)


def test_title_claims_and_the_comment_at_the_top_are_not_included() -> None:
    found = variant('game "Own"')
    assert found.startswith('game "Own"\nplayers A, B\n')
    assert "A heap" not in found
    assert "expect" not in found
    assert "Base" not in found


def test_what_is_declared_again_stands_in_the_place_of_the_included() -> None:
    found = variant("param n = 5", "state:", "      # more", "      left: 0..9 = n", "players C, D")
    assert found.startswith("players C, D\nparam n = 5\n\nstate:\n    # more\n    left: 0..9 = n\n")
    assert found.count("players") == found.count("param") == 1


def test_new_variables_have_a_section_of_their_own_and_new_moves_stand_last() -> None:
    found = variant("state:", "    more: 0..1 = 0", "    left: 0..1 = 1", "move stop:", "    again")
    assert "    left: 0..1 = 1\n    bonus: 0..1 = 0\n" in found
    assert "state:\n    more: 0..1 = 0\nmove stop:" in found
    assert found.index("move pass_on") < found.index("move stop")


def test_included_stands_for_the_statements_of_a_body() -> None:
    found = variant("move take(k in 1..n):", "  let a = k", "  included  # so", "  bonus = 1")
    assert found.count("move take") == 1
    assert "    let a = k\n    require few(k)\n    if k == 1:\n        # no bonus\n" in found
    assert "        left -= k  # so\n    bonus = 1\n" in found


def test_included_may_stand_in_a_block() -> None:
    found = variant("end:", "    if bonus == 1:", "        included", "    draw")
    assert "    if bonus == 1:\n        if left == 0: opponent wins\n        if stuck: d" in found


def test_an_included_definition_stays_under_a_name_of_its_own() -> None:
    found = variant("def few(k) = (included(k) and", "    bonus == 0)")
    assert "def included_few(k) = k <= 2 and k <= left\n" in found
    assert "def few(k) = (included_few(k) and\n" in found
    assert found.index("def included_few") < found.index("def few")


def test_an_included_value_stands_in_brackets() -> None:
    assert "evaluate p: (left + 1 if p == turn else 0) * 2\n" in variant("evaluate p: included * 2")


def test_a_last_otherwise_has_the_included_moves_below() -> None:
    found = variant("move first:", "    again", "otherwise")
    lines = [line for line in found.splitlines() if line.startswith(("move", "otherwise"))]
    assert [line.split("(")[0] for line in lines] == [
        "move first:", "otherwise", "move take", "otherwise", "move pass_on:",
    ]  # fmt: skip


@pytest.mark.parametrize("what", ["otherwise", "move take", "move pass_on"])
def test_an_otherwise_that_parts_nothing_goes(what: str) -> None:
    assert "otherwise" not in variant(f"without {what}")


def test_new_moves_come_into_the_last_group_even_if_all_others_there_are_left_out() -> None:
    found = variant("without move pass_on", "move stop:", "    again")
    assert found.index("move take") < found.index("otherwise") < found.index("move stop")


def test_what_is_left_out_is_gone_with_its_comment() -> None:
    found = variant("without def few", "without state left, bonus", "without evaluate")
    assert "state:" not in found
    assert "What may be taken" not in found
    assert "evaluate" not in found


def test_a_chain_of_files_is_expanded_from_its_end() -> None:
    middle = 'include "base.game"\ngame "Middle"\ndef few(k) = included(k) or k == 3\n'
    found = text_of('include "middle.game"\ndef few(k) = included(k) or k == 4\n',
                    base=BASE, middle=middle)  # fmt: skip
    assert "def included_few(k) = k <= 2" in found
    assert "def included_few_(k) = included_few(k) or k == 3\n" in found
    assert "def few(k) = included_few_(k) or k == 4\n" in found
    assert "Middle" not in found


def test_every_name_lies_where_its_file_has_it() -> None:
    text = 'include "base.game"\nstate:\n       left: 0..2 = 2\nend:\n\n\n   included\n   draw\n'
    program, _ = expanded(text, base=BASE)
    source = program.source
    assert [file.name for file in source.files] == ["own.game", "base.game"]
    words = ("left: 0..2", "bonus", "few(k) = k", "k <= left", "pass_on", "opponent wins", "draw")
    for word in words:
        start = source.text.index(word)
        file, span = source.local(Span(start, start + len(word)))
        assert file.text[span.start : span.end] == word
        line, column = source.position(start)
        assert file.line(line)[column - 1 :].startswith(word)
    assert source.is_own(Span(source.text.index("left"), 0))
    assert source.place(source.text.index("bonus")) == "line 8 of base.game"
    assert source.place(source.text.index("left")) == "line 3"


def test_a_finding_about_two_files_shows_both() -> None:
    program, _ = expanded('include "base.game"\ndef many(k) = k > 2\n', base=BASE)
    text = program.source.text
    few, many = text.index("few(k) ="), text.index("many(k)")
    found = Diagnostic("E1002", "odd", Label(Span(few, few + 3)), program.source,
                       (Label(Span(many, many + 4), "and here"),))  # fmt: skip
    assert render(found).splitlines() == [
        "error[E1002]: odd",
        "  --> base.game:11:5",
        "   |",
        "11 | def few(k) = k <= 2 and (",
        "   |     ^^^",
        "  ::: own.game",
        "   |",
        " 2 | def many(k) = k > 2",
        "   |     ---- and here",
    ]
    assert (to_json(found)["file"], to_json(found)["line"]) == ("base.game", 11)


def test_every_declaration_is_replaced_by_its_like_or_by_nothing() -> None:
    known = {*SINGLE, *NAMED, *UNKEYED} - {ast.VariableDecl}
    assert known == set(get_args(ast.Declaration))
    words = [word for word in SINGLE.values() if word not in ("players", "board", "end", "tree")]
    assert [word for word in words if parse(SourceFile("", f"without {word}\n"))[1]] == []


def test_a_file_without_includes_is_what_it_was() -> None:
    program, diagnostics = parse(SourceFile("base.game", BASE))
    assert diagnostics == ()
    assert expand(program, lambda name, source: Diagnostic("E0001", name))[0] is program


LONG = {f"f{i}": f'include "f{i + 1}.game"\n' for i in range(9)}


@pytest.mark.parametrize(
    ("text", "files", "code", "words"),
    [
        ('include "b.game"\n', {}, "E0001", "no b.game for own.game"),
        ('include "b.game"\n', {"b": 'include "b.game"\n'}, "E0005", "b.game -> b.game"),
        ('include "f0.game"\n', LONG, "E0005", "more than 8 deep"),
        ('include "b.game"\n', {"b": "#" * 1_000_000}, "E0003", "larger than"),
        ('include "b.game"\n', {"b": "move f:\n    x = = 1\n"}, "E0100", ""),
        ('include "../b"\n', {}, "E0004", "end in `.game`"),
        ('include "C:/b.game"\n', {}, "E0004", "no relative path"),
        ('include "a\\\\b.game"\n', {}, "E0004", "no relative path"),
        ('param n = 3\ninclude "b.game"\n', {"b": BASE}, "E0006", "above all"),
    ],
)
def test_what_cannot_be_included_is_one_error(
    text: str, files: dict[str, str], code: str, words: str
) -> None:
    program, found = expanded(text, **files)
    assert [one.code for one in found if one.is_error] == [code]
    assert words in found[0].message
    assert found[0].position is not None
    assert program.declarations == ()
