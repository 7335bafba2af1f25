"""What is proved of the rules as a whole: which renamings leave them as they are, and whether they
are normal play.

In: a game. Out: a `Section`, or None where nothing is proved.
"""

from __future__ import annotations

from gamedsl.game import LoadedGame
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.normal_play import normal_play
from gamedsl.model.rewriting.symmetries import MOST_ACTIONS, MOST_STEPS, names_of, symmetries
from gamedsl.reports.explanations.sections import Section


def symmetry_section(game: LoadedGame) -> Section | None:
    """The section, or None where no symmetry can be proved."""
    found = symmetries(game.model)
    if isinstance(found, Unknown) or not found:
        return None
    return Section("SYMMETRY", "renamings that leave the rules as they are", names_of(found))


def normal_play_section(game: LoadedGame) -> Section | None:
    """The section, or None where who is to move at the end is not proved to lose."""
    if game.facts.action_count > MOST_ACTIONS:
        return None
    found = normal_play(game.model, MOST_STEPS)
    if isinstance(found, Unknown):
        return None
    kind = "impartial" if found.is_impartial else "partizan"
    words = (
        "both players have the same moves in every position: each that play does not come back to"
        " is worth a heap of Nim"
        if found.is_impartial
        else "the players' moves differ: a position is won by Left, by Right, by who is next, or by"
        " who was"
    )
    return Section("NORMAL PLAY", f"who is to move at the end loses; {kind}", (words,))
