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
from typing import Any
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
from gamedsl.source.rewording import reworded
from gamedsl.version import __version__

PAUSE = 0.2
"""Seconds between a change and the search for mistakes."""

PAUSE_BEFORE_PLAY = 0.5
"""Further seconds before a text is played."""

REQUEST_FAILED = -32803
"""The protocol's code for a valid request that cannot be fulfilled."""


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

    def location(
        self, uri: str, analysis: Analysis, place: navigation.Place
    ) -> types.Location | None:
        """A place in a file."""
        where = answers.uri_of(place.file, uri, analysis.source)
        if where is None:
            return None
        return types.Location(where, self.positions.range(place.file, place.span))


Handler = Callable[..., object]
HANDLERS: list[tuple[str, Any, Handler]] = []
"""Requests and notifications, with their options and handlers."""


def _on(feature: str) -> Callable[[Handler], Handler]:
    """Declare the handler of a notification: a function of the server and the parameters."""

    def declare(handler: Handler) -> Handler:
        HANDLERS.append((feature, None, handler))
        return handler

    return declare


def _asks(feature: str, options: Any = None) -> Callable[[Handler], Handler]:
    """Declare the handler of a request about a text: a function of the server, the parameters, the
    text and, of a request about a place, the offset. Of a text that is not open nothing is told."""

    def declare(handler: Handler) -> Handler:
        def answer(ls: GameServer, params: Any) -> object:
            analysis = ls.documents.analysis(params.text_document.uri)
            if analysis is None:
                return None
            if not hasattr(params, "position"):
                return handler(ls, params, analysis)
            offset = ls.positions.offset(analysis.source, params.position)
            return handler(ls, params, analysis, offset)

        HANDLERS.append((feature, options, answer))
        return handler

    return declare


def create_server() -> GameServer:
    """A server with handlers for all requests; `start_io` runs the server."""
    server = GameServer()
    for feature, options, handler in HANDLERS:
        server.feature(feature, options)(handler)
    return server


# --- texts ---------------------------------------------------------------------------------------


@_on(types.TEXT_DOCUMENT_DID_OPEN)
def _open(ls: GameServer, params: types.DidOpenTextDocumentParams) -> None:
    ls.put(params.text_document.uri, params.text_document.text, 0.0)


@_on(types.TEXT_DOCUMENT_DID_CHANGE)
def _change(ls: GameServer, params: types.DidChangeTextDocumentParams) -> None:
    uri = params.text_document.uri
    ls.put(uri, ls.workspace.get_text_document(uri).source, PAUSE)


@_on(types.TEXT_DOCUMENT_DID_CLOSE)
def _close(ls: GameServer, params: types.DidCloseTextDocumentParams) -> None:
    ls.documents.close(params.text_document.uri)
    ls.look_at(params.text_document.uri)


@_on(types.TEXT_DOCUMENT_DID_SAVE)
def _save(ls: GameServer, params: types.DidSaveTextDocumentParams) -> None:
    for variant in ls.documents.variants(params.text_document.uri):
        ls.look_at(variant)


@_on(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def _watched(ls: GameServer, _: types.DidChangeWatchedFilesParams) -> None:
    ls.documents.forget()
    for uri in ls.documents.variants(""):
        ls.look_at(uri)


# --- meanings and places -------------------------------------------------------------------------


@_asks(types.TEXT_DOCUMENT_HOVER)
def _hover(ls: GameServer, _: object, analysis: Analysis, offset: int) -> types.Hover | None:
    shown = hover(analysis, offset)
    if shown is None:
        return None
    place = ls.positions.range(analysis.source, shown.span)
    return types.Hover(answers.markdown(shown.text), place)


@_asks(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["[", "(", '"']))
def _complete(
    ls: GameServer, _: object, analysis: Analysis, offset: int
) -> list[types.CompletionItem]:
    return [
        answers.completion_item(completion, analysis.source, ls.positions)
        for completion in completions(analysis, offset)
    ]


@_asks(
    types.TEXT_DOCUMENT_SIGNATURE_HELP,
    types.SignatureHelpOptions(trigger_characters=["(", "[", ","]),
)
def _sign(_: object, __: object, analysis: Analysis, offset: int) -> types.SignatureHelp | None:
    shown = signature(analysis, offset)
    return None if shown is None else answers.signature_help(shown)


@_asks(types.TEXT_DOCUMENT_DEFINITION)
def _define(
    ls: GameServer, params: types.DefinitionParams, analysis: Analysis, offset: int
) -> types.Location | None:
    place = navigation.definition(analysis, offset)
    return None if place is None else ls.location(params.text_document.uri, analysis, place)


@_asks(types.TEXT_DOCUMENT_REFERENCES)
def _refer(
    ls: GameServer, params: types.ReferenceParams, analysis: Analysis, offset: int
) -> list[types.Location]:
    places = navigation.references(analysis, offset, params.context.include_declaration)
    located = (ls.location(params.text_document.uri, analysis, place) for place in places)
    return [location for location in located if location is not None]


@_asks(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def _highlight(
    ls: GameServer, _: object, analysis: Analysis, offset: int
) -> list[types.DocumentHighlight]:
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(
            ls.positions.range(analysis.source, occurrence.place),
            kinds.Write if occurrence.is_written or occurrence.is_declaration else kinds.Read,
        )
        for occurrence in navigation.highlights(analysis, offset)
    ]


def _refused(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, REQUEST_FAILED)


@_asks(types.TEXT_DOCUMENT_PREPARE_RENAME)
def _prepare(ls: GameServer, _: object, analysis: Analysis, offset: int) -> types.Range:
    with reworded(_refused, "{}", renaming.RenameRefusedError):
        return ls.positions.range(analysis.source, renaming.renameable(analysis, offset))


@_asks(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
def _rename(
    ls: GameServer, params: types.RenameParams, analysis: Analysis, offset: int
) -> types.WorkspaceEdit:
    uri = params.text_document.uri
    with reworded(_refused, "{}", renaming.RenameRefusedError):
        changes = renaming.rename(
            analysis, offset, params.new_name, ls.documents.load, ls.documents.related(uri)
        )
    made = {}
    for change in changes:
        where = answers.uri_of(change.file, uri, analysis.source)
        if where is not None:
            made[where] = answers.text_edits(change.edits, change.file, ls.positions)
    return types.WorkspaceEdit(made)


# --- whole texts ---------------------------------------------------------------------------------


@_asks(types.TEXT_DOCUMENT_FORMATTING)
def _format(ls: GameServer, _: object, analysis: Analysis) -> list[types.TextEdit]:
    return answers.text_edits(formatting(analysis), analysis.source, ls.positions)


@_asks(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
)
def _act(
    ls: GameServer, params: types.CodeActionParams, analysis: Analysis
) -> list[types.CodeAction]:
    uri = params.text_document.uri
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


@_asks(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _outline(ls: GameServer, _: object, analysis: Analysis) -> list[types.DocumentSymbol]:
    source, positions = analysis.source, ls.positions
    return [answers.document_symbol(entry, source, positions) for entry in outline(analysis)]


@_asks(types.TEXT_DOCUMENT_FOLDING_RANGE)
def _fold(_: object, __: object, analysis: Analysis) -> list[types.FoldingRange]:
    return list(map(answers.folding_range, folds(analysis)))


@_asks(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, answers.LEGEND)
def _colour(ls: GameServer, _: object, analysis: Analysis) -> types.SemanticTokens:
    return answers.semantic_tokens(tokens(analysis), analysis.source, ls.positions, None)


@_asks(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, answers.LEGEND)
def _colour_range(
    ls: GameServer, params: types.SemanticTokensRangeParams, analysis: Analysis
) -> types.SemanticTokens:
    span = ls.positions.span(analysis.source, params.range)
    return answers.semantic_tokens(tokens(analysis), analysis.source, ls.positions, span)


@_asks(types.TEXT_DOCUMENT_CODE_LENS)
def _lenses(
    ls: GameServer, params: types.CodeLensParams, analysis: Analysis
) -> list[types.CodeLens]:
    uri, source, positions = params.text_document.uri, analysis.source, ls.positions
    return [answers.code_lens(lens, uri, source, positions) for lens in lenses(analysis)]


@_asks(types.TEXT_DOCUMENT_INLAY_HINT)
def _hints(
    ls: GameServer, params: types.InlayHintParams, analysis: Analysis
) -> list[types.InlayHint]:
    played, results = ls.claims.get(params.text_document.uri, ("", ()))
    asked = ls.positions.span(analysis.source, params.range)
    return [
        answers.inlay_hint(result, analysis.source, ls.positions)
        for result in results
        if analysis.source.text == played and asked.start <= result.offset <= asked.end
    ]


@_asks(types.TEXT_DOCUMENT_DOCUMENT_LINK)
def _link(
    ls: GameServer, params: types.DocumentLinkParams, analysis: Analysis
) -> list[types.DocumentLink]:
    uri, source = params.text_document.uri, analysis.source
    links = [
        (ls.positions.range(source, span), answers.uri_of(file, uri, source))
        for span, file in navigation.links(analysis)
    ]
    return [types.DocumentLink(place, target) for place, target in links if target]
