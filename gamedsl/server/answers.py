"""Results of services converted to the types of the protocol. Values in, values out."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types
from pygls.uris import from_fs_path

from gamedsl.server.positions import Positions
from gamedsl.services.changes import Edit
from gamedsl.services.completion import Completion
from gamedsl.services.findings import Finding
from gamedsl.services.outline import Entry, Fold
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


def uri_of(source: SourceFile, own: str, own_source: SourceFile) -> str | None:
    """The URI of a file; None for a text without a file."""
    if source == own_source:
        return own
    return None if source.path is None else from_fs_path(str(source.path))


def markdown(text: str) -> types.MarkupContent:
    """Markdown content."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)


def diagnostic(
    found: Finding, uri: str, source: SourceFile, positions: Positions
) -> types.Diagnostic:
    """A finding as a diagnostic."""
    related = []
    for one in found.related:
        where = uri_of(one.file, uri, source)
        if where is not None:
            place = types.Location(where, positions.range(one.file, one.span))
            related.append(types.DiagnosticRelatedInformation(place, one.text))
    return types.Diagnostic(
        positions.range(source, found.span),
        found.message,
        severity=_SEVERITIES[found.severity],
        code=found.code,
        source="gamedsl",
        tags=[types.DiagnosticTag.Unnecessary] if found.is_unused else None,
        related_information=related or None,
    )


def text_edits(
    edits: Iterable[Edit], source: SourceFile, positions: Positions
) -> list[types.TextEdit]:
    """Changes of a text."""
    return [types.TextEdit(positions.range(source, one.span), one.text) for one in edits]


def completion_item(
    found: Completion, source: SourceFile, positions: Positions
) -> types.CompletionItem:
    """A completion."""
    kind = types.CompletionItemKind.Keyword
    if found.kind is not None:
        kind = _COMPLETIONS[found.kind]
    return types.CompletionItem(
        found.label,
        kind=kind,
        detail=found.detail or None,
        documentation=markdown(found.documentation) if found.documentation else None,
        sort_text=f"{found.rank}{found.label}",
        text_edit=types.TextEdit(positions.range(source, found.span), found.label),
    )


def signature_help(found: Signature) -> types.SignatureHelp:
    """A call and its parameters."""
    documentation = markdown(found.documentation) if found.documentation else None
    parameters = [types.ParameterInformation(one) for one in found.parameters]
    one = types.SignatureInformation(found.label, documentation, parameters, found.active)
    return types.SignatureHelp([one], 0, found.active)


def document_symbol(found: Entry, source: SourceFile, positions: Positions) -> types.DocumentSymbol:
    """An entry of the outline."""
    kind = types.SymbolKind.Namespace
    if found.kind is not None:
        kind = _OUTLINE.get(found.kind, types.SymbolKind.Variable)
    return types.DocumentSymbol(
        found.name,
        kind,
        positions.range(source, found.span),
        positions.range(source, found.name_span),
        detail=found.detail or None,
        children=[document_symbol(one, source, positions) for one in found.children],
    )


def folding_range(found: Fold) -> types.FoldingRange:
    """A range of lines to hide."""
    kind = types.FoldingRangeKind.Comment if found.is_comment else types.FoldingRangeKind.Region
    return types.FoldingRange(found.first - 1, found.last - 1, kind=kind)


def semantic_tokens(
    found: Iterable[Token], source: SourceFile, positions: Positions, within: Span | None = None
) -> types.SemanticTokens:
    """Names with their kinds; each place is relative to the previous token."""
    data: list[int] = []
    line = character = 0
    for one in found:
        if within is not None and not within.start <= one.span.start < within.end:
            continue
        place = positions.position(source, one.span.start)
        bits = sum(1 << LEGEND.token_modifiers.index(name) for name in one.modifiers)
        data += (
            place.line - line,
            place.character - (character if place.line == line else 0),
            positions.length(source.text[one.span.start : one.span.end]),
            LEGEND.token_types.index(one.type),
            bits,
        )
        line, character = place.line, place.character
    return types.SemanticTokens(data)
