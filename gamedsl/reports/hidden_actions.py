"""Actions of a player as visible to the other players."""

from __future__ import annotations

from gamedsl.model import Model


def action_as_seen(model: Model, name: str) -> str:
    """The visible name of another player's action: for a secret move, without the arguments."""
    if not model.facts.has_secrets:
        return name
    if model.tree is not None:
        return "something"
    family = name.partition("(")[0]
    is_secret = any(move.is_secret and move.name == family for move in model.moves)
    return family if is_secret else name
