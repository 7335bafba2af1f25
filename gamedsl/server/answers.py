"""Results of services converted to the types of the protocol. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types
from pygls.uris import from_fs_path

from gamedsl.server.positions import Positions
from gamedsl.services.changes import Edit
from gamedsl.services.completion import Completion
from gamedsl.services.findings import ClaimResult, Finding
from gamedsl.services.message_pages import pages
from gamedsl.services.outline import Entry, Fold, Lens
from gamedsl.services.signature import Signature
from gamedsl.services.symbols import SymbolKind
from gamedsl.services.tokens import MODIFIERS, TOKEN_TYPES, Token
from gamedsl.source import Severity, SourceFile, Span

LEGEND = types.SemanticTokensLegend(list(dict.fromkeys(TOKEN_TYPES.values())), list(MODIFIERS))

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}
_COMPLETIONS = {
    SymbolKind.PARAM: types.CompletionItemKind.Constant,
    SymbolKind.TYPE: types.CompletionItemKind.Enum,
    SymbolKind.PLAYER: types.CompletionItemKind.EnumMember,
    SymbolKind.VALUE: types.CompletionItemKind.EnumMember,
    SymbolKind.SQUARE: types.CompletionItemKind.EnumMember,
    SymbolKind.VARIABLE: types.CompletionItemKind.Field,
    SymbolKind.MOVE: types.CompletionItemKind.Method,
    SymbolKind.DEFINITION: types.CompletionItemKind.Function,
    SymbolKind.EFFECT: types.CompletionItemKind.Method,
    SymbolKind.PARAMETER: types.CompletionItemKind.Variable,
    SymbolKind.LOCAL: types.CompletionItemKind.Variable,
    SymbolKind.INFORMATION_SET: types.CompletionItemKind.Reference,
    SymbolKind.FUNCTION: types.CompletionItemKind.Function,
    SymbolKind.DIRECTION: types.CompletionItemKind.EnumMember,
    SymbolKind.WORD: types.CompletionItemKind.Keyword,
}
_OUTLINE = {
    SymbolKind.PARAM: types.SymbolKind.Constant,
    SymbolKind.TYPE: types.SymbolKind.Enum,
    SymbolKind.PLAYER: types.SymbolKind.EnumMember,
    SymbolKind.VARIABLE: types.SymbolKind.Field,
    SymbolKind.MOVE: types.SymbolKind.Method,
    SymbolKind.DEFINITION: types.SymbolKind.Function,
    SymbolKind.EFFECT: types.SymbolKind.Method,
}


def uri_of(source: SourceFile, own_uri: str, own_source: SourceFile) -> str | None:
    """The URI of a file; None for a text without a file."""
    if source == own_source:
        return own_uri
    return None if source.path is None else from_fs_path(str(source.path))


def markdown(text: str) -> types.MarkupContent:
    """Markdown content."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)


def diagnostic(
    finding: Finding, uri: str, source: SourceFile, positions: Positions
) -> types.Diagnostic:
    """A finding as a diagnostic."""
    related = []
    for reference in finding.related:
        where = uri_of(reference.file, uri, source)
        if where is not None:
            place = types.Location(where, positions.range(reference.file, reference.span))
            related.append(types.DiagnosticRelatedInformation(place, reference.text))
    return types.Diagnostic(
        positions.range(source, finding.span),
        finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=_page_of(finding.code),
        source="gamedsl",
        tags=[types.DiagnosticTag.Unnecessary] if finding.is_unused else None,
        related_information=related or None,
    )


def _page_of(code: str) -> types.CodeDescription | None:
    """The page about a diagnostic code, a file of the installation."""
    page = pages().get(code)
    return None if page is None else types.CodeDescription(from_fs_path(str(page)) or "")


def code_lens(lens: Lens, uri: str, source: SourceFile, positions: Positions) -> types.CodeLens:
    """A command above a line; the command gets the URI of the text."""
    command = types.Command(lens.title, lens.command, arguments=[uri])
    return types.CodeLens(positions.range(source, lens.span), command)


def inlay_hint(result: ClaimResult, source: SourceFile, positions: Positions) -> types.InlayHint:
    """The result of a claim behind its line."""
    return types.InlayHint(
        positions.position(source, result.offset),
        result.words,
        padding_left=True,
        tooltip=result.explanation or None,
    )


def text_edits(
    edits: Iterable[Edit], source: SourceFile, positions: Positions
) -> list[types.TextEdit]:
    """Changes of a text."""
    return [types.TextEdit(positions.range(source, edit.span), edit.text) for edit in edits]


def completion_item(
    completion: Completion, source: SourceFile, positions: Positions
) -> types.CompletionItem:
    """A completion."""
    kind = types.CompletionItemKind.Keyword
    if completion.kind is not None:
        kind = _COMPLETIONS[completion.kind]
    return types.CompletionItem(
        completion.label,
        kind=kind,
        detail=completion.detail or None,
        documentation=markdown(completion.documentation) if completion.documentation else None,
        sort_text=f"{completion.order}{completion.label}",
        text_edit=types.TextEdit(positions.range(source, completion.span), completion.label),
    )


def signature_help(signature: Signature) -> types.SignatureHelp:
    """A call and its parameters."""
    documentation = markdown(signature.documentation) if signature.documentation else None
    parameters = [types.ParameterInformation(parameter) for parameter in signature.parameters]
    information = types.SignatureInformation(
        signature.label, documentation, parameters, signature.active
    )
    return types.SignatureHelp([information], 0, signature.active)


def document_symbol(entry: Entry, source: SourceFile, positions: Positions) -> types.DocumentSymbol:
    """An entry of the outline."""
    kind = types.SymbolKind.Namespace
    if entry.kind is not None:
        kind = _OUTLINE.get(entry.kind, types.SymbolKind.Variable)
    return types.DocumentSymbol(
        entry.name,
        kind,
        positions.range(source, entry.span),
        positions.range(source, entry.name_span),
        detail=entry.detail or None,
        children=[document_symbol(child, source, positions) for child in entry.children],
    )


def folding_range(fold: Fold) -> types.FoldingRange:
    """A range of lines to hide."""
    kind = types.FoldingRangeKind.Comment if fold.is_comment else types.FoldingRangeKind.Region
    return types.FoldingRange(fold.first - 1, fold.last - 1, kind=kind)


def semantic_tokens(
    tokens: Iterable[Token], source: SourceFile, positions: Positions, within: Span | None = None
) -> types.SemanticTokens:
    """Names with their kinds; each place is relative to the previous token."""
    data: list[int] = []
    line = character = 0
    for token in tokens:
        if within is not None and not within.start <= token.span.start < within.end:
            continue
        place = positions.position(source, token.span.start)
        bits = sum(1 << LEGEND.token_modifiers.index(name) for name in token.modifiers)
        data += (
            place.line - line,
            place.character - (character if place.line == line else 0),
            positions.length(source.text[token.span.start : token.span.end]),
            LEGEND.token_types.index(token.type),
            bits,
        )
        line, character = place.line, place.character
    return types.SemanticTokens(data)
