"""Proved properties of the rules: symmetries and normal play, a `Section` each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from gamedsl.game import LoadedGame
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_forms import FormOf, normal_form
from gamedsl.model.rewriting.normal_play import normal_play
from gamedsl.model.rewriting.symmetries import MOST_ACTIONS, MOST_STEPS, names_of, symmetries
from gamedsl.reports.explanations.sections import Section
from gamedsl.reports.formulas.tree import Line, prose


def proved_sections(game: LoadedGame) -> Iterator[Section | None]:
    """The sections, None for unproved properties; both proofs share the rules' normal form."""
    form_of = cache(partial(normal_form, game.model, MOST_STEPS))
    yield _symmetries(game, form_of)
    yield _normal_play(game, form_of)


def _symmetries(game: LoadedGame, form_of: FormOf) -> Section | None:
    renamings = symmetries(game.model, form_of)
    if isinstance(renamings, Unknown) or not renamings:
        return None
    return Section(
        "SYMMETRY",
        "renamings that leave the rules as they are",
        tuple(Line(prose(name)) for name in names_of(renamings)),
    )


def _normal_play(game: LoadedGame, form_of: FormOf) -> Section | None:
    if game.facts.action_count > MOST_ACTIONS:
        return None
    convention = normal_play(game.model, form_of)
    if isinstance(convention, Unknown):
        return None
    kind = "impartial" if convention.is_impartial else "partizan"
    words = (
        "both players have the same moves in every position, and a position to which play cannot"
        " return is worth a heap of Nim"
        if convention.is_impartial
        else "the players' moves differ: a position is won by Left, by Right, by the mover,"
        " or by the other player"
    )
    title = f"the player to move at the end loses; {kind}"
    return Section("NORMAL PLAY", title, (Line(prose(words)),))
