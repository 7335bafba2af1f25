"""Editor services of the page, provided by `gamedsl.services`.

Places in the text are offsets in UTF-16 units, in requests and in answers.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.game import LoadedGame
from gamedsl.model import GameSourceError
from gamedsl.playground.reading import analysed, load_text
from gamedsl.playground.units import Units
from gamedsl.reports.boards.pieces import player_colour
from gamedsl.services.changes import Edit
from gamedsl.services.completion import completions
from gamedsl.services.findings import Finding, findings
from gamedsl.services.fixes import fixes
from gamedsl.services.formatting import formatting
from gamedsl.services.hover import hover
from gamedsl.syntax import ast

MOST_COMPLETIONS = 200


def findings_of(text: str) -> dict[str, object]:
    """The findings in a text; without errors also a summary of the game."""
    units = Units(text)
    all_findings = findings(analysed(text))
    return {
        "findings": [finding_data(finding, units) for finding in all_findings],
        "game": None
        if any(finding.diagnostic.is_error for finding in all_findings)
        else _game(text),
        "params": _params(text, units),
    }


def _params(text: str, units: Units) -> list[dict[str, object]]:
    """The declared parameters, with the places of the values."""
    declared = analysed(text).program.declarations
    return [
        {
            **units.span(declaration.value.span),
            "name": declaration.name.text,
            "value": text[declaration.value.span.start : declaration.value.span.end],
        }
        for declaration in declared
        if isinstance(declaration, ast.ParamDecl)
    ]


def finding_data(finding: Finding, units: Units) -> dict[str, object]:
    """A finding with the place in the text."""
    return {
        **units.span(finding.span),
        "severity": finding.severity.name.lower(),
        "code": finding.code,
        "message": finding.message,
    }


def _game(text: str) -> dict[str, object] | None:
    try:
        game = load_text(text)
    except GameSourceError:
        return None
    return summary(game)


def summary(game: LoadedGame) -> dict[str, object]:
    """Facts of a game by which the page chooses the available features."""
    facts = game.facts
    return {
        "title": game.name,
        "players": list(facts.players),
        "colours": [player_colour(facts.players, index) for index in range(len(facts.players))],
        "has_chance": facts.has_chance,
        "has_secrets": facts.has_secrets,
        "is_simultaneous": facts.is_simultaneous,
        "has_evaluate": facts.has_evaluate,
    }


def fixes_of(text: str, offset: int, code: str) -> list[dict[str, object]]:
    """Fixes for the findings of a code that begin at a place."""
    units, analysis = Units(text), analysed(text)
    return [
        {"title": fix.title, "edits": _edits(fix.edits, units)}
        for finding in findings(analysis)
        if finding.code == code and units.of(finding.span.start) == offset
        for fix in fixes(analysis, finding)
    ]


def hover_at(text: str, offset: int) -> dict[str, object] | None:
    """Information about a place, in Markdown."""
    units = Units(text)
    information = hover(analysed(text), units.character(offset))
    return (
        None
        if information is None
        else {**units.span(information.span), "markdown": information.text}
    )


def completions_at(text: str, offset: int) -> list[dict[str, object]]:
    """Completions at a place, the likeliest first."""
    units = Units(text)
    proposals = completions(analysed(text), units.character(offset))[:MOST_COMPLETIONS]
    return [
        {
            **units.span(completion.span),
            "label": completion.label,
            "kind": "keyword" if completion.kind is None else completion.kind.name.lower(),
            "detail": completion.detail,
            "markdown": completion.documentation,
            "rank": completion.rank,
        }
        for completion in proposals
    ]


def formatted(text: str) -> list[dict[str, object]]:
    """The edits that bring a text into the standard layout."""
    return _edits(formatting(analysed(text)), Units(text))


def _edits(edits: Iterable[Edit], units: Units) -> list[dict[str, object]]:
    return [{**units.span(edit.span), "insert": edit.text} for edit in edits]
