"""From a text to checked rules, or to the exception that says why there are none.

In: a source and values for its parameters. Out: a `Model`. This is where a user's mistake stops
being a value and becomes an exception.
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
    """The rules of a program that has been read, with what was found wrong with it."""
    model, more = check(program, parameters, max_rounds)
    if model is None or any(found.is_error for found in diagnostics):
        raise GameSourceError((*diagnostics, *more))
    return model
