"""The server: each request of an editor, answered by a service.

In: requests on standard input. Out: answers on standard output. Diagnostics are sent shortly after
the last change of a text, and once more when the text has been played. Texts are sent whole, so
that no edit can be applied wrongly.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Protocol
from uuid import uuid4

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from gamedsl.reports.checks.findings import looked_at
from gamedsl.server import answers
from gamedsl.server.checking import check_apart
from gamedsl.server.documents import Documents
from gamedsl.server.positions import Positions
from gamedsl.services import navigation, renaming
from gamedsl.services.analysis import Analysis
from gamedsl.services.completion import completions
from gamedsl.services.findings import ClaimResult, Finding, claim_results, findings, placed
from gamedsl.services.formatting import formatting
from gamedsl.services.hover import hover
from gamedsl.services.outline import folds, lenses, outline
from gamedsl.services.signature import signature
from gamedsl.services.tokens import tokens
from gamedsl.source import Span
from gamedsl.version import __version__

PAUSE = 0.2
"""Seconds between a change and the search for mistakes."""

PAUSE_BEFORE_PLAY = 0.5
"""Further seconds before a text is played."""

REQUEST_FAILED = -32803
"""The protocol's code for a valid request that cannot be fulfilled."""


class _AtPosition(Protocol):
    """A request about a place of a text."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position: ...


class GameServer(LanguageServer):
    """A server for texts of rules."""

    def __init__(self) -> None:
        super().__init__("gamedsl", __version__, types.TextDocumentSyncKind.Full)
        self.documents = Documents()
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._checks: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Semaphore()
        self.claims: dict[str, tuple[str, tuple[ClaimResult, ...]]] = {}
        """By URI: a text that was played, and the results of its claims."""

    @property
    def positions(self) -> Positions:
        """The client's way of counting positions."""
        encoding = self.workspace.position_encoding
        return Positions(None if encoding is None else str(getattr(encoding, "value", encoding)))

    def put(self, uri: str, text: str, pause: float) -> None:
        """Store a text that was opened or changed; its diagnostics are sent after a pause."""
        self.documents.put(uri, text)
        self.look_at(uri, pause)
        for variant in self.documents.variants(uri):
            self.look_at(variant, pause)

    def look_at(self, uri: str, pause: float = 0.0) -> None:
        """Send the diagnostics of a text after a pause, once however many calls come within the
        pause."""
        for known in (self._due.pop(uri, None), self._checks.pop(uri, None)):
            if known is not None:
                known.cancel()
        loop = asyncio.get_running_loop()
        self._due[uri] = loop.call_later(pause, partial(self._publish, uri))

    def _publish(self, uri: str) -> None:
        self._due.pop(uri, None)
        analysis = self.documents.analysis(uri)
        diagnostics = [] if analysis is None else self.diagnostics(uri, analysis)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))
        if analysis is not None and not any(
            diagnostic.is_error for diagnostic in analysis.diagnostics
        ):
            self._checks[uri] = asyncio.create_task(self._check(uri, analysis, diagnostics))

    async def _check(self, uri: str, analysis: Analysis, sent: list[types.Diagnostic]) -> None:
        """Play a text and verify its claims, concurrently with other requests, and send the
        findings; the next change of the text cancels the check."""
        await asyncio.sleep(PAUSE_BEFORE_PLAY)
        source = analysis.source
        async with self._one_at_a_time, self._shown(f"playing {source.name}") as tell:
            report = await check_apart(source, self.documents.opened(), tell)
            told = (
                "not played: the time was too short, or playing failed"
                if report is None
                else f"looked at {looked_at(report)}"
            )
            tell(told)
        self.window_log_message(
            types.LogMessageParams(types.MessageType.Info, f"{source.name}: {told}")
        )
        if report is None:
            return
        self.claims[uri] = source.text, claim_results(analysis, report.verdicts)
        self._refresh_hints()
        diagnostics = [
            self.diagnostic(uri, analysis, finding)
            for finding in placed(analysis, report.findings())
        ]
        if diagnostics != sent:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _refresh_hints(self) -> None:
        """Ask the editor to show the results of claims, if the editor can."""
        workspace = self.client_capabilities.workspace
        hints = None if workspace is None else workspace.inlay_hint
        if hints is not None and hints.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    @asynccontextmanager
    async def _shown(self, title: str) -> AsyncIterator[Callable[[str], None]]:
        """Work that the editor shows, if the editor can, with messages about progress."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            yield lambda _: None
            return
        token, shown = str(uuid4()), self.work_done_progress
        await shown.create_async(token)
        shown.begin(token, types.WorkDoneProgressBegin(title))
        try:
            yield lambda words: shown.report(token, types.WorkDoneProgressReport(message=words))
        finally:
            shown.end(token, types.WorkDoneProgressEnd())

    def diagnostics(self, uri: str, analysis: Analysis) -> list[types.Diagnostic]:
        """The diagnostics of a text."""
        return [self.diagnostic(uri, analysis, finding) for finding in findings(analysis)]

    def diagnostic(self, uri: str, analysis: Analysis, finding: Finding) -> types.Diagnostic:
        """A finding as a diagnostic of the protocol."""
        return answers.diagnostic(finding, uri, analysis.source, self.positions)

    def place(self, params: _AtPosition) -> tuple[Analysis, int] | None:
        """The text and the offset of a request; None if the text is not open."""
        analysis = self.documents.analysis(params.text_document.uri)
        if analysis is None:
            return None
        return analysis, self.positions.offset(analysis.source, params.position)

    def location(
        self, uri: str, analysis: Analysis, place: navigation.Place
    ) -> types.Location | None:
        """A place in a file."""
        where = answers.uri_of(place.file, uri, analysis.source)
        if where is None:
            return None
        return types.Location(where, self.positions.range(place.file, place.span))


def create_server() -> GameServer:
    """A server with handlers for all requests; `start_io` runs the server."""
    server = GameServer()
    _texts(server)
    _meanings(server)
    _places(server)
    _renames(server)
    _changes(server)
    _shapes(server)
    _offers(server)
    return server


def _texts(server: GameServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _open(ls: GameServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.put(params.text_document.uri, params.text_document.text, 0.0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _change(ls: GameServer, params: types.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.put(uri, ls.workspace.get_text_document(uri).source, PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _close(ls: GameServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.documents.close(params.text_document.uri)
        ls.look_at(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def _save(ls: GameServer, params: types.DidSaveTextDocumentParams) -> None:
        for variant in ls.documents.variants(params.text_document.uri):
            ls.look_at(variant)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _watched(ls: GameServer, _: types.DidChangeWatchedFilesParams) -> None:
        ls.documents.forget()
        for uri in ls.documents.variants(""):
            ls.look_at(uri)


def _meanings(server: GameServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def _hover(ls: GameServer, params: types.HoverParams) -> types.Hover | None:
        target = ls.place(params)
        shown = None if target is None else hover(*target)
        if target is None or shown is None:
            return None
        place = ls.positions.range(target[0].source, shown.span)
        return types.Hover(answers.markdown(shown.text), place)

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["[", "(", '"'])
    )
    def _complete(ls: GameServer, params: types.CompletionParams) -> list[types.CompletionItem]:
        target = ls.place(params)
        if target is None:
            return []
        source, positions = target[0].source, ls.positions
        return [
            answers.completion_item(completion, source, positions)
            for completion in completions(*target)
        ]

    @server.feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=["(", "[", ","]),
    )
    def _sign(ls: GameServer, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        target = ls.place(params)
        shown = None if target is None else signature(*target)
        return None if shown is None else answers.signature_help(shown)


def _places(server: GameServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def _define(ls: GameServer, params: types.DefinitionParams) -> types.Location | None:
        target = ls.place(params)
        place = None if target is None else navigation.definition(*target)
        if target is None or place is None:
            return None
        return ls.location(params.text_document.uri, target[0], place)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def _refer(ls: GameServer, params: types.ReferenceParams) -> list[types.Location]:
        target = ls.place(params)
        if target is None:
            return []
        places = navigation.references(*target, params.context.include_declaration)
        uri = params.text_document.uri
        located = (ls.location(uri, target[0], place) for place in places)
        return [location for location in located if location is not None]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def _highlight(
        ls: GameServer, params: types.DocumentHighlightParams
    ) -> list[types.DocumentHighlight]:
        target = ls.place(params)
        if target is None:
            return []
        kinds = types.DocumentHighlightKind
        return [
            types.DocumentHighlight(
                ls.positions.range(target[0].source, occurrence.place),
                kinds.Write if occurrence.is_written or occurrence.is_declaration else kinds.Read,
            )
            for occurrence in navigation.highlights(*target)
        ]


def _renames(server: GameServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def _prepare(ls: GameServer, params: types.PrepareRenameParams) -> types.Range | None:
        target = ls.place(params)
        if target is None:
            return None
        try:
            place = renaming.renameable(*target)
        except renaming.RenameRefusedError as refusal:
            raise JsonRpcException(str(refusal), REQUEST_FAILED) from refusal
        return ls.positions.range(target[0].source, place)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def _rename(ls: GameServer, params: types.RenameParams) -> types.WorkspaceEdit | None:
        target = ls.place(params)
        if target is None:
            return None
        try:
            uri = params.text_document.uri
            changes = renaming.rename(
                *target, params.new_name, ls.documents.load, ls.documents.related(uri)
            )
        except renaming.RenameRefusedError as refusal:
            raise JsonRpcException(str(refusal), REQUEST_FAILED) from refusal
        made = {}
        for change in changes:
            where = answers.uri_of(change.file, uri, target[0].source)
            if where is not None:
                made[where] = answers.text_edits(change.edits, change.file, ls.positions)
        return types.WorkspaceEdit(made)


def _changes(server: GameServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def _format(ls: GameServer, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        analysis = ls.documents.analysis(params.text_document.uri)
        if analysis is None:
            return []
        return answers.text_edits(formatting(analysis), analysis.source, ls.positions)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def _act(ls: GameServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        analysis = ls.documents.analysis(uri)
        if analysis is None:
            return []
        asked = ls.positions.span(analysis.source, params.range)
        actions = []
        for finding in findings(analysis):
            if finding.span.start > asked.end or finding.span.end < asked.start:
                continue
            offered = ls.documents.fixes(uri, finding)
            for fix in offered:
                edits = answers.text_edits(fix.edits, analysis.source, ls.positions)
                action = types.CodeAction(
                    fix.title,
                    types.CodeActionKind.QuickFix,
                    [ls.diagnostic(uri, analysis, finding)],
                    is_preferred=fix is offered[0],
                    edit=types.WorkspaceEdit({uri: edits}),
                )
                actions.append(action)
        return actions


def _shapes(server: GameServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def _outline(ls: GameServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        analysis = ls.documents.analysis(params.text_document.uri)
        if analysis is None:
            return []
        source, positions = analysis.source, ls.positions
        return [answers.document_symbol(entry, source, positions) for entry in outline(analysis)]

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    def _fold(ls: GameServer, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        analysis = ls.documents.analysis(params.text_document.uri)
        return [] if analysis is None else [answers.folding_range(fold) for fold in folds(analysis)]

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, answers.LEGEND)
    def _colour(ls: GameServer, params: types.SemanticTokensParams) -> types.SemanticTokens:
        return _tokens(ls, params.text_document.uri, None)

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, answers.LEGEND)
    def _colour_range(
        ls: GameServer, params: types.SemanticTokensRangeParams
    ) -> types.SemanticTokens:
        return _tokens(ls, params.text_document.uri, params.range)


def _offers(server: GameServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def _lenses(ls: GameServer, params: types.CodeLensParams) -> list[types.CodeLens]:
        uri = params.text_document.uri
        analysis = ls.documents.analysis(uri)
        if analysis is None:
            return []
        source, positions = analysis.source, ls.positions
        return [answers.code_lens(lens, uri, source, positions) for lens in lenses(analysis)]

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _hints(ls: GameServer, params: types.InlayHintParams) -> list[types.InlayHint]:
        analysis = ls.documents.analysis(params.text_document.uri)
        played, results = ls.claims.get(params.text_document.uri, ("", ()))
        if analysis is None or analysis.source.text != played:
            return []
        source, positions = analysis.source, ls.positions
        asked = positions.span(source, params.range)
        return [
            answers.inlay_hint(result, source, positions)
            for result in results
            if asked.start <= result.offset <= asked.end
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def _link(ls: GameServer, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        uri = params.text_document.uri
        analysis = ls.documents.analysis(uri)
        if analysis is None:
            return []
        links = [
            (ls.positions.range(analysis.source, span), answers.uri_of(file, uri, analysis.source))
            for span, file in navigation.links(analysis)
        ]
        return [types.DocumentLink(place, target) for place, target in links if target]


def _tokens(ls: GameServer, uri: str, within: types.Range | None) -> types.SemanticTokens:
    analysis = ls.documents.analysis(uri)
    if analysis is None:
        return types.SemanticTokens([])
    source, positions = analysis.source, ls.positions
    span: Span | None = None if within is None else positions.span(source, within)
    return answers.semantic_tokens(tokens(analysis), source, positions, span)
