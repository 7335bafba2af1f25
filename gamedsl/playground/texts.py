"""Editor services of the page, provided by `gamedsl.services`.

Places in the text are offsets in UTF-16 units, in requests and in answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from gamedsl.game import LoadedGame
from gamedsl.model import GameSourceError
from gamedsl.playground.plays import load_text
from gamedsl.playground.units import Units
from gamedsl.services.analysis import Analysis, analyse
from gamedsl.services.changes import Edit
from gamedsl.services.completion import completions
from gamedsl.services.findings import Finding, findings
from gamedsl.services.fixes import fixes
from gamedsl.services.formatting import formatting
from gamedsl.services.hover import hover
from gamedsl.source.text import source_from_text
from gamedsl.syntax import ast

NAME = "playground.game"
MOST_COMPLETIONS = 200


@lru_cache(maxsize=4)
def analysed(text: str) -> Analysis:
    """The analysis of a text; the last analyses are cached."""
    return analyse(source_from_text(text, NAME))


def findings_of(text: str) -> dict[str, object]:
    """The findings in a text; without errors also a summary of the game."""
    units = Units(text)
    found = findings(analysed(text))
    return {
        "findings": [finding_data(one, units) for one in found],
        "game": None if any(one.diagnostic.is_error for one in found) else _game(text),
        "params": _params(text, units),
    }


def _params(text: str, units: Units) -> list[dict[str, object]]:
    """The declared parameters, with the places of the values."""
    declared = analysed(text).program.declarations
    return [
        {
            **units.span(one.value.span),
            "name": one.name.text,
            "value": text[one.value.span.start : one.value.span.end],
        }
        for one in declared
        if isinstance(one, ast.ParamDecl)
    ]


def finding_data(found: Finding, units: Units) -> dict[str, object]:
    """A finding with the place in the text."""
    return {
        **units.span(found.span),
        "severity": found.severity.name.lower(),
        "code": found.code,
        "message": found.message,
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
        for found in findings(analysis)
        if found.code == code and units.of(found.span.start) == offset
        for fix in fixes(analysis, found)
    ]


def hover_at(text: str, offset: int) -> dict[str, object] | None:
    """Information about a place, in Markdown."""
    units = Units(text)
    found = hover(analysed(text), units.character(offset))
    return None if found is None else {**units.span(found.span), "markdown": found.text}


def completions_at(text: str, offset: int) -> list[dict[str, object]]:
    """Completions at a place, the likeliest first."""
    units = Units(text)
    found = completions(analysed(text), units.character(offset))[:MOST_COMPLETIONS]
    return [
        {
            **units.span(one.span),
            "label": one.label,
            "kind": "keyword" if one.kind is None else one.kind.name.lower(),
            "detail": one.detail,
            "markdown": one.documentation,
            "rank": one.rank,
        }
        for one in found
    ]


def formatted(text: str) -> list[dict[str, object]]:
    """The edits that bring a text into the standard layout."""
    return _edits(formatting(analysed(text)), Units(text))


def _edits(edits: Iterable[Edit], units: Units) -> list[dict[str, object]]:
    return [{**units.span(edit.span), "insert": edit.text} for edit in edits]
