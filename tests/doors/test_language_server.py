"""The language server, as an editor sees it: a process of its own, driven by a client.

One server serves all tests of this file, each with texts of its own.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

from gamedsl.game.library import shipped_game
from gamedsl.source import SourceFile
from tests.doors.conftest import PILE, Run
from tests.fuzz.texts import mutant
from tests.generation.dice import SeededDice

SECONDS = 30.0


class Editor:
    """A client with one text open, which waits so many seconds for what it is told."""

    def __init__(self, patience: float = SECONDS) -> None:
        self.patience = patience
        self.client = LanguageClient("tests", "1")
        self.text = ""
        self.uri = ""
        self.version = 0
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _heard(params: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

    async def start(self) -> types.InitializeResult:
        await self.client.start_io(sys.executable, "-m", "gamedsl", "lsp")
        found = await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(), root_uri=None)
        )
        self.client.initialized(types.InitializedParams())
        return found

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    def open(self, text: str, uri: str = "") -> None:
        self.version += 1
        self.text, self.uri = text, uri or f"file:///nowhere/text{self.version}.game"
        item = types.TextDocumentItem(self.uri, "gamedsl", 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, text: str) -> None:
        self.text = text
        self.version += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def mistakes(self) -> list[types.Diagnostic]:
        while (
            found := await asyncio.wait_for(self.published.get(), self.patience)
        ).uri != self.uri:
            pass
        return list(found.diagnostics)

    def at(self, mark: str, behind: str = "") -> types.Position:
        """The place of a piece of text, or behind the beginning of it."""
        before = self.text[: self.text.index(mark) + len(behind)]
        last = before.rpartition("\n")[2]
        return types.Position(before.count("\n"), len(last.encode("utf-16-le")) // 2)

    def place(self, mark: str, behind: str = "") -> dict[str, Any]:
        identifier = types.TextDocumentIdentifier(self.uri)
        return {"text_document": identifier, "position": self.at(mark, behind)}


Conversation = Callable[[Editor], Coroutine[Any, Any, None]]
Talk = Callable[[Conversation], None]


@pytest.fixture(scope="module")
def talk() -> Iterator[Talk]:
    """Hold a conversation with the server."""
    with asyncio.Runner() as runner:
        editor = Editor()
        runner.run(editor.start())

        def hold(conversation: Conversation) -> None:
            runner.run(asyncio.wait_for(conversation(editor), 2 * SECONDS))

        yield hold
        runner.run(editor.stop())


def test_each_request_is_answered_for_a_text_and_for_a_broken_one(talk: Talk) -> None:
    async def conversation(editor: Editor) -> None:
        client = editor.client
        editor.open("# \U0001f3b2 dice\n" + PILE)
        assert await editor.mistakes() == []
        await _asks(editor)
        editor.change(editor.text.replace("left -= k", "left -= k +"))
        assert [one.code for one in await editor.mistakes()] == ["E0100"]
        await _asks(editor)
        editor.change(editor.text.replace("left -= k +", "left -= kk"))
        (found,) = await editor.mistakes()
        assert (found.code, found.range.start) == ("E1001", editor.at("kk"))
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(editor.uri),
                found.range,
                types.CodeActionContext([found]),
            )
        )
        assert actions is not None
        titles = [one.title for one in actions]
        assert "Replace `kk` with `k`" in titles

    async def _asks(editor: Editor) -> None:
        client, document = editor.client, types.TextDocumentIdentifier(editor.uri)
        hover = await client.text_document_hover_async(types.HoverParams(**editor.place("left: 0")))
        assert hover is not None
        assert "each of `0..5`" in str(hover.contents)
        completion = await client.text_document_completion_async(
            types.CompletionParams(**editor.place("<= left", "<= "))
        )
        assert completion is not None
        assert {"k", "left", "n"} <= {one.label for one in completion}  # type: ignore[union-attr]
        defined = await client.text_document_definition_async(
            types.DefinitionParams(**editor.place("left -= k"))
        )
        assert isinstance(defined, types.Location)
        assert defined.range.start == editor.at("left: 0")
        uses = await client.text_document_references_async(
            types.ReferenceParams(
                types.ReferenceContext(include_declaration=True), **editor.place("left: 0")
            )
        )
        assert uses is not None
        assert len(uses) >= 3
        lit = await client.text_document_document_highlight_async(
            types.DocumentHighlightParams(**editor.place("left: 0"))
        )
        assert lit is not None
        assert len(lit) == len(uses)
        outline = await client.text_document_document_symbol_async(
            types.DocumentSymbolParams(document)
        )
        assert outline is not None
        assert "take" in [one.name for one in outline]
        folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert folds
        coloured = await client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(document)
        )
        assert coloured is not None
        assert len(coloured.data) % 5 == 0
        assert coloured.data
        laid_out = await client.text_document_formatting_async(
            types.DocumentFormattingParams(document, types.FormattingOptions(4, True))
        )
        assert laid_out is not None
        signed = await client.text_document_signature_help_async(
            types.SignatureHelpParams(**editor.place("take(2)", "take("))
        )
        assert signed is None

    talk(conversation)


def test_a_rename_is_made_or_refused_with_a_reason(talk: Talk) -> None:
    async def conversation(editor: Editor) -> None:
        editor.open(PILE)
        made = await editor.client.text_document_rename_async(
            types.RenameParams(new_name="rest", **editor.place("left: 0"))
        )
        assert made is not None
        assert made.changes is not None
        assert [one.new_text for one in made.changes[editor.uri]] == ["rest"] * 4
        with pytest.raises(JsonRpcException, match="declared twice"):
            await editor.client.text_document_rename_async(
                types.RenameParams(new_name="n", **editor.place("left: 0"))
            )
        with pytest.raises(JsonRpcException, match="there is no name"):
            await editor.client.text_document_prepare_rename_async(
                types.PrepareRenameParams(**editor.place("Take one"))
            )

    talk(conversation)


def test_an_open_file_counts_before_the_one_on_the_disk_where_it_is_included(
    talk: Talk, game_file: Callable[..., Any]
) -> None:
    base = game_file(PILE, "base.game")
    variant = game_file('include "base.game"\ngame "Mine"\nparam n = 6\n', "mine.game")

    async def conversation(editor: Editor) -> None:
        editor.open(variant.read_text("utf-8"), variant.as_uri())
        assert await editor.mistakes() == []
        editor.open(PILE.replace("left: 0..n", "pile: 0..n"), base.as_uri())
        heard: dict[str, Any] = {}
        while not {base.as_uri(), variant.as_uri()} <= heard.keys():
            found = await asyncio.wait_for(editor.published.get(), SECONDS)
            heard[found.uri] = found.diagnostics
        assert heard[base.as_uri()]
        assert "base.game, line" in heard[variant.as_uri()][0].message

    talk(conversation)


def test_a_rename_changes_files_that_include_the_text_open_or_not(
    talk: Talk, game_file: Callable[..., Any]
) -> None:
    base = game_file(PILE, "base.game")
    variant = game_file('include "base.game"\ngame "Mine"\nparam n = 6\n', "mine.game")

    async def conversation(editor: Editor) -> None:
        client = editor.client
        editor.open(PILE.replace("left", "rest"), base.as_uri())
        made = await client.text_document_rename_async(
            types.RenameParams(new_name="most", **editor.place("n = 5"))
        )
        assert made is not None
        assert made.changes is not None
        assert len(made.changes[base.as_uri()]) == 3
        (edit,) = made.changes[variant.as_uri()]
        assert (edit.new_text, edit.range.start) == ("most", types.Position(2, 6))
        editor.open(variant.read_text("utf-8"), variant.as_uri())
        again = await client.text_document_rename_async(
            types.RenameParams(new_name="most", **editor.place("n = 6"))
        )
        assert again is not None
        assert again.changes == made.changes

    talk(conversation)


def test_random_edits_are_survived(talk: Talk) -> None:
    path = shipped_game("tic_tac_toe")
    assert path is not None
    whole = path.read_text("utf-8")
    dice = random.Random(14)

    async def conversation(editor: Editor) -> None:
        editor.open(whole)
        text = whole
        for seed in range(60):
            text = whole if seed % 10 == 0 else mutant(SeededDice(seed), text)
            editor.change(text)
            line = dice.randrange(text.count("\n") + 2)
            position = types.Position(line, dice.randrange(40))
            place: Any = {
                "text_document": types.TextDocumentIdentifier(editor.uri),
                "position": position,
            }
            await editor.client.text_document_completion_async(types.CompletionParams(**place))
            await editor.client.text_document_hover_async(types.HoverParams(**place))
            await editor.client.text_document_signature_help_async(
                types.SignatureHelpParams(**place)
            )
            await editor.client.text_document_semantic_tokens_full_async(
                types.SemanticTokensParams(types.TextDocumentIdentifier(editor.uri))
            )

    talk(conversation)


def test_a_goodbye_is_no_error() -> None:
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    said = ""
    for message in messages:
        text = json.dumps({"jsonrpc": "2.0", **message})
        said += f"Content-Length: {len(text)}\r\n\r\n{text}"
    command = [sys.executable, "-m", "gamedsl", "lsp"]
    found = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    assert '"id": 2' in found.stdout


def test_places_are_counted_in_the_units_of_the_client() -> None:
    from gamedsl.server.positions import Positions

    source = SourceFile("a", "a\U0001f3b2b\ncd")
    for encoding, column in (("utf-8", 5), ("utf-16", 3), ("utf-32", 2)):
        positions = Positions(encoding)
        assert positions.position(source, 2) == types.Position(0, column)
        assert positions.offset(source, types.Position(0, column)) == 2
    assert Positions().offset(source, types.Position(9, 9)) == len(source.text)


def test_without_pygls_a_sentence_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    for name in [one for one in sys.modules if one.startswith(("pygls.", "gamedsl.server"))]:
        monkeypatch.delitem(sys.modules, name)
    found = run("lsp")
    assert found.status == 2
    assert 'pip install "pygls>=2"' in found.err
    assert "Traceback" not in found.err


def test_a_game_offers_its_commands_and_its_claims_show_their_results(talk: Talk) -> None:
    async def conversation(editor: Editor) -> None:
        editor.open(PILE.replace("expect", "# expect") + "expect value: draw\nexpect perft 1: 2\n")
        (found,) = await _until_played(editor)
        assert found.code == "E4001"
        assert found.code_description is not None
        assert found.code_description.href.endswith("/E4001.md")
        document = types.TextDocumentIdentifier(editor.uri)
        lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
        assert lenses is not None
        commands = [lens.command for lens in lenses if lens.command is not None]
        assert [command.title for command in commands] == ["Solve", "Play", "Tree"]
        assert all([*(command.arguments or ())] == [editor.uri] for command in commands)
        assert lenses[0].range.start == editor.at('game "')
        whole = types.Range(types.Position(0, 0), types.Position(1000, 0))
        asked = types.InlayHintParams(document, whole)
        hints = await editor.client.text_document_inlay_hint_async(asked)
        assert hints is not None
        assert [hint.label for hint in hints][1:] == ["holds"]
        assert str(hints[0].label).startswith("found: ")
        assert hints[1].position == editor.at("expect perft 1: 2", "expect perft 1: 2")
        editor.change(editor.text.replace("draw", "Ann wins"))
        assert not await editor.client.text_document_inlay_hint_async(asked)

    talk(conversation)


async def _until_played(editor: Editor) -> list[types.Diagnostic]:
    """What is told once the text has been played."""
    while not (found := await editor.mistakes()):
        pass
    return found


def test_the_name_of_an_included_file_is_a_link(talk: Talk) -> None:
    async def conversation(editor: Editor) -> None:
        editor.open('include "tic_tac_toe.game"\ngame "Mine"\n')
        await editor.mistakes()
        links = await editor.client.text_document_document_link_async(
            types.DocumentLinkParams(types.TextDocumentIdentifier(editor.uri))
        )
        assert links is not None
        (link,) = links
        assert str(link.target).endswith("games/tic_tac_toe.game")
        assert link.range.start == editor.at("tic_tac")
        editor.open('include "nowhere_at_all.game"\n')
        await editor.mistakes()
        lost = types.DocumentLinkParams(types.TextDocumentIdentifier(editor.uri))
        assert not await editor.client.text_document_document_link_async(lost)

    talk(conversation)
