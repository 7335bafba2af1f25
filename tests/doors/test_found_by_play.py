"""What only playing finds is told at a command line, by the language server and on the page, with
the line; nobody says "no mistakes" of what has not been played."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.playground.dispatch import answer

from .conftest import PILE, Run
from .found_by_play import NIM, TEXTS, Found

NAMES = pytest.mark.parametrize("name", list(TEXTS))


def line_of(found: Found, offset: int) -> str:
    """The text of the line at an offset."""
    before, _, _ = found.text[offset:].partition("\n")
    return found.text[:offset].rpartition("\n")[2] + before


def ask(question: str, **fields: object) -> Any:
    return json.loads(answer(json.dumps({"ask": question, **fields})))["answer"]


@NAMES
def test_check_says_what_only_playing_finds_and_where(run: Run, tmp_path: Path, name: str) -> None:
    found = TEXTS[name]
    path = tmp_path / "own.game"
    path.write_text(found.text, "utf-8")
    said = run("check", path, "--format", "json")
    assert said.status == 1
    (file,) = json.loads(said.out)["files"]
    lines = found.text.splitlines()
    told = [(one["code"], one["line"], one["message"]) for one in file["diagnostics"]]
    told += [("E4001", one["line"], str(one)) for one in file["expects"] if not one["ok"]]
    places = [line for code, line, _ in told if code == found.code]
    assert places == [None if found.is_of_the_game else lines.index(found.line) + 1]
    text = run("check", path)
    assert found.code in text.out
    assert found.says in text.out


@NAMES
def test_the_page_says_what_only_playing_finds_and_where(name: str) -> None:
    found = TEXTS[name]
    read = ask("findings", text=found.text)
    assert not [one for one in read["findings"] if one["severity"] == "error"]
    (mistake,) = [
        one for one in ask("check", text=found.text)["findings"] if one["code"] == found.code
    ]
    assert (line_of(found, mistake["from"]), mistake["severity"]) == (found.line, "error")
    assert mistake["to"] > mistake["from"]
    assert found.says in mistake["message"]


def test_the_page_is_told_what_has_been_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.playground.checks.EVERY", 0.0)
    told: list[str] = []
    text = TEXTS["a claim about the value"].text
    request = json.dumps({"ask": "check", "text": text})
    found = json.loads(answer(request, told.append))["answer"]
    assert found["looked_at"] == "all 5,478 positions; 1 claim does not hold"
    assert "64 positions so far" in told
    assert len(told) > 10


def test_the_time_of_a_check_is_that_of_playing_too() -> None:
    explored = gamedsl.check(TEXTS["a claim about the value"].text, max_seconds=0).exploration
    assert explored is not None
    assert (explored.positions, explored.is_complete) == (1, False)


pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from lsprotocol import types  # noqa: E402

from .test_language_server import Editor  # noqa: E402

PATIENCE = 300.0
"""Seconds that a busy machine may take; nothing here is about time."""


async def played(editor: Editor, said: asyncio.Queue[str]) -> str:
    """What the server says that it has looked at, once it has played the open text."""
    name = editor.uri.rpartition("/")[2]
    while not (words := await asyncio.wait_for(said.get(), PATIENCE)).startswith(name):
        pass
    return words


def heard(editor: Editor) -> asyncio.Queue[str]:
    """What the server logs, from now on."""
    said: asyncio.Queue[str] = asyncio.Queue()
    editor.client.feature(types.WINDOW_LOG_MESSAGE)(lambda params: said.put_nowait(params.message))
    return said


def test_the_language_server_says_what_only_playing_finds_and_where() -> None:
    async def conversation(editor: Editor) -> None:
        await editor.start()
        said = heard(editor)
        for name, found in TEXTS.items():
            editor.open(found.text)
            read = await editor.mistakes()
            assert not [one for one in read if one.severity is types.DiagnosticSeverity.Error], name
            (mistake,) = [one for one in await editor.mistakes() if one.code == found.code]
            assert found.text.splitlines()[mistake.range.start.line] == found.line, name
            assert mistake.range.end > mistake.range.start
            assert found.says in mistake.message
            assert "position" in await played(editor, said)
        await editor.stop()

    with asyncio.Runner() as runner:
        runner.run(conversation(Editor(PATIENCE)))


def test_the_next_edit_ends_playing_and_what_it_would_have_found() -> None:
    async def conversation(editor: Editor) -> None:
        await editor.start()
        said = heard(editor)
        editor.open(TEXTS["a claim about the value"].text)
        assert await editor.mistakes() == []
        editor.change(NIM)
        assert await editor.mistakes() == []
        assert "looked at all 8 positions" in await played(editor, said)
        editor.change(PILE.replace("left -= k", "left -= kk"))
        assert [one.code for one in await editor.mistakes()] == ["E1001"]
        await editor.stop()
        assert editor.published.empty()

    with asyncio.Runner() as runner:
        runner.run(conversation(Editor(PATIENCE)))
