"""What editors are given is true to the language: colours, snippets, the files of the extension."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Token

from gamedsl.game.library import shipped_games
from gamedsl.services.colours import Colour, rules
from gamedsl.services.outline import LENSES
from gamedsl.services.pygments_lexer import GameLexer
from gamedsl.source import SourceFile
from gamedsl.syntax.parse import parse
from gamedsl.syntax.vocabulary import literals
from gamedsl.syntax.words import SECTIONS

EDITORS = Path(__file__).resolve().parents[2] / "editors"
EXTENSION = EDITORS / "vscode"
WORDS = sorted(word for word in literals().values() if word.isalpha())


def read(name: str) -> Any:
    return json.loads((EXTENSION / name).read_text("utf-8"))


def test_the_grammar_of_the_extension_is_what_is_written_from_the_vocabulary() -> None:
    written = runpy.run_path(str(EDITORS / "generate.py"))
    is_up_to_date = written["GRAMMAR"].read_text("utf-8") == written["grammar"]()
    assert is_up_to_date, "`python editors/generate.py` writes it anew"


@pytest.mark.parametrize("word", WORDS)
def test_every_keyword_is_coloured_as_one(word: str) -> None:
    """By the expressions of the extension's grammar, tried in order as an editor does."""
    text = f"{word} x" if word in SECTIONS else f"    {word} x"
    place = text.index(word)
    patterns = read("syntaxes/gamedsl.tmLanguage.json")["patterns"]
    name = next(
        one["name"]
        for one in patterns
        if (found := re.compile(one["match"], re.MULTILINE).match(text, place)) is not None
        and found.end() == place + len(word)
    )
    assert name.startswith("keyword.")


def test_every_shipped_game_is_lexed_whole_and_its_names_are_no_keywords() -> None:
    for path in shipped_games():
        text = path.read_text("utf-8")
        found = list(GameLexer().get_tokens(text))
        assert "".join(value for _, value in found).strip() == text.strip()
        assert not [value for kind, value in found if kind in Token.Error]
    kinds = dict.fromkeys(GameLexer().get_tokens("    at[s] = high(state)\n"))
    assert {value for kind, value in kinds if kind in Token.Keyword} == set()
    assert {colour for colour, _ in rules()} == set(Colour)


def filled(body: list[str]) -> str:
    """A snippet with what it proposes left as it is."""
    return re.sub(r"\$\{\d+:([^}]*)\}|\$\d", r"\1", "\n".join(body)) + "\n"


@pytest.mark.parametrize("name", list(read("snippets/gamedsl.json")))
def test_every_snippet_can_be_read(name: str) -> None:
    text = filled(read("snippets/gamedsl.json")[name]["body"])
    _, diagnostics = parse(SourceFile(name, text))
    assert diagnostics == ()


def test_the_files_that_the_extension_names_are_there_and_its_commands_are_made() -> None:
    package = read("package.json")
    given = package["contributes"]
    named = [one["path"] for kind in ("grammars", "snippets") for one in given[kind]]
    named += [package["main"], *(one["configuration"] for one in given["languages"])]
    assert [name for name in named if not (EXTENSION / name).is_file()] == []
    read("language-configuration.json")
    client = (EXTENSION / package["main"]).read_text("utf-8")
    for one in given["commands"]:
        assert f'"{one["command"].removeprefix("gamedsl.")}"' in client or one["command"] in client


def test_every_command_that_a_lens_offers_is_a_command_of_the_extension() -> None:
    declared = {command["command"] for command in read("package.json")["contributes"]["commands"]}
    assert {command for _, command in LENSES} <= declared
    assert (EXTENSION / read("package.json")["icon"]).read_bytes().startswith(b"\x89PNG")
