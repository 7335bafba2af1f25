"""A text of very many words is refused before it is read."""

from __future__ import annotations

import pytest

from gamedsl.source import SourceFile
from gamedsl.syntax.parse import MOST_LEXEMES, parse

HEAD = 'game "Many"\nplayers A, B\n'
LONG = {
    "a tree": HEAD + "tree:\n    A: " + ", ".join(f"a{i} -> 1" for i in range(100_000)) + "\n",
    "a chain of `and`": HEAD + "end:\n    if " + " and ".join(["stuck"] * 100_000) + ": A wins\n",
    "a chain of `elif`": HEAD
    + "end:\n    if stuck: draw\n"
    + "    elif stuck: A wins\n" * (MOST_LEXEMES // 5),
}


@pytest.mark.parametrize("what", LONG)
def test_a_text_of_too_many_words_is_never_given_to_the_parser(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(parse.__globals__, "_read", None)
    program, (found,) = parse(SourceFile("many.game", LONG[what]))
    assert (found.code, found.is_error) == ("E0003", True)
    assert "100,000 words, numbers and signs" in found.message
    assert not program.declarations


def test_words_of_comments_do_not_count() -> None:
    text = "# so it is\n" * 50_000 + HEAD + "tree:\n    A: a -> 1, b -> 2\n"
    program, found = parse(SourceFile("told.game", text))
    assert not found
    assert program.declarations
