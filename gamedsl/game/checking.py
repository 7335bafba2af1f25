"""Checked rules from a text, or the exception with its diagnostics.

A source and values for its parameters become a `Model`. A user's mistake is a value up to this
module and an exception from here on.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.game.including import read_program
from gamedsl.model import GameSourceError, Model, check
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.source import Diagnostic, SourceFile
from gamedsl.syntax.ast import Program


def checked_rules(
    source: SourceFile, parameters: Mapping[str, str], max_rounds: int = MOST_ROUNDS
) -> Model:
    """The rules of a source, its parameters bound to values in the language's notation.

    Raises `GameSourceError` with all diagnostics.
    """
    return rules_of(*read_program(source), parameters, max_rounds)


def rules_of(
    program: Program,
    diagnostics: tuple[Diagnostic, ...],
    parameters: Mapping[str, str],
    max_rounds: int = MOST_ROUNDS,
) -> Model:
    """The rules of a parsed program; `diagnostics` are the findings of the parser."""
    model, more = check(program, parameters, max_rounds)
    if model is None or any(diagnostic.is_error for diagnostic in diagnostics):
        raise GameSourceError((*diagnostics, *more))
    return model
