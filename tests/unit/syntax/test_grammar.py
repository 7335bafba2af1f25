"""The grammar: unambiguous, complete, and with no word taken from the author without need."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gamedsl.game.library import games_folder
from gamedsl.source import SourceFile
from gamedsl.syntax import grammar
from gamedsl.syntax.builders.trees import Builder
from gamedsl.syntax.grammar import HARD_WORDS, build_parser, parser
from gamedsl.syntax.parse import parse
from gamedsl.syntax.vocabulary import literals
from gamedsl.syntax.words import SECTIONS

WORDS = sorted(word for word in literals().values() if word.isalpha() and word not in HARD_WORDS)
STARTERS = {"let", "chance", "again", "included", "reward", "require", "ensure", "draw", "payoff"}


def is_read(text: str) -> bool:
    return parse(SourceFile("test", text))[1] == ()


def test_the_grammar_has_no_conflict_and_no_two_terminals_overlap() -> None:
    build_parser(strict=True)


@pytest.mark.parametrize("is_shipped", [True, False])
def test_tables_that_are_kept_or_shipped_are_those_of_the_grammar(
    is_shipped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped" / "tables"
    monkeypatch.setattr(grammar, "shipped_tables", lambda: shipped)
    monkeypatch.setattr(grammar, "user_folder", lambda: tmp_path)
    made = build_parser()
    if is_shipped:
        shipped.parent.mkdir()
        shipped.write_bytes(grammar.tables_of(made))
    else:
        parser.__wrapped__()  # makes and keeps them
    monkeypatch.setattr(grammar, "build_parser", lambda: pytest.fail("made once more"))
    read = parser.__wrapped__()
    text = (games_folder() / "chess.game").read_text("utf-8")
    assert read.parse(text, start="program") == made.parse(text, start="program")
    assert (tmp_path / "parser").exists() is not is_shipped


def test_every_rule_has_a_method_of_the_builder() -> None:
    rules = {rule.alias or rule.origin.name for rule in parser().rules}
    named = {name for name in rules if not name.startswith("_")}
    inlined = {"expression", "disjunction", "conjunction", "inversion", "comparison", "union",
               "range", "sum", "term", "factor", "primary", "paid"}  # fmt: skip
    assert {name for name in named - inlined if not hasattr(Builder, name)} == set()


def test_every_section_word_of_the_messages_is_one_of_the_grammar() -> None:
    assert set(SECTIONS) <= set(literals().values())


@pytest.mark.parametrize("word", [word for word in WORDS if word not in STARTERS])
def test_a_word_of_the_language_can_be_a_name_wherever_it_is_not_needed(word: str) -> None:
    text = f"""
param {word} = 3
def f({word}) = {word} + 1
state:
    {word}[{word} in 0..{word}]: 0..9 = {word} secret to {word}
move {word}({word} in 0..{word} where {word}):
    let {word} = {word}
    for {word} in {word}: {word} = 1
    {word} += f({word}) if {word} else {word}[{word}]
    if {word} == {word}:
        {word} = 1
    {word}({word})
    for {word} in {word} where {word} while {word}:
        {word} = 2
    {word} = 3
end:
    if {word}: {word} wins {word}
    {word} loses {word}
"""
    if word in {"diagram"}:
        text = text.replace("= diagram secret", "= (diagram) secret")
    assert parse(SourceFile("test", text))[1] == ()


@pytest.mark.parametrize("word", sorted(STARTERS))
def test_a_word_that_begins_statements_can_name_moves_and_functions_but_no_variable(
    word: str,
) -> None:
    assert is_read(f"move {word}:\n    x = 1\ndef {word} = 1\n")
    assert not is_read(f"state:\n    {word}: 0..1 = 0\n")


@pytest.mark.parametrize("word", sorted(HARD_WORDS))
def test_a_hard_word_can_name_a_move_or_a_branch_but_no_variable(word: str) -> None:
    assert is_read(f"move {word}:\n    x = 1\n")
    assert is_read(f"tree:\n    A: {word} -> 1, b -> 2\n")
    assert not is_read(f"param {word} = 1\n")


@pytest.mark.parametrize(
    "text",
    ["p winsome", "x = a orb", "x = a inb", "require nota b", "x = 1if a else 2 3", "againx y"],
)
def test_a_longer_word_is_never_cut_into_a_keyword_and_a_rest(text: str) -> None:
    assert not is_read(f"move f:\n    {text}\n")


def test_several_threads_read_texts_at_once() -> None:
    text = 'game "A"\nplayers A, B\nmove take(k in {1, 2}):\n    n -= (k)\n' * 8
    alone = parser().parse(text, start="program")
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            readings = list(threads.map(lambda _: parser().parse(text, start="program"), range(12)))
    finally:
        sys.setswitchinterval(before)
    assert all(reading == alone for reading in readings)
