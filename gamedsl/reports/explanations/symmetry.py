"""Which renamings leave the rules as they are: the part of a game's definition on symmetry.

In: a game. Out: a `Section` with what is proved of the rules.
"""

from __future__ import annotations

from gamedsl.game import LoadedGame
from gamedsl.model.rewriting.moments import Unknown
from gamedsl.model.rewriting.symmetries import names_of, symmetries
from gamedsl.reports.explanations.sections import Section


def symmetry_section(game: LoadedGame) -> Section | None:
    """The section, or None where no symmetry can be proved."""
    found = symmetries(game.model)
    if isinstance(found, Unknown) or not found:
        return None
    return Section("SYMMETRY", "renamings that leave the rules as they are", names_of(found))
