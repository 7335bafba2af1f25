"""The rules of a solution file, stored in full, so that no other file is needed."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from gamedsl.game.encoding import state_to_json
from gamedsl.game.game import LoadedGame
from gamedsl.game.loading import load_source
from gamedsl.game.slices import in_slice
from gamedsl.game.stored_facts import (
    SolutionFileError,
    is_count,
    is_text,
    is_texts,
    many,
    refuse_odd,
)
from gamedsl.model.engine import RulesEngine
from gamedsl.model.errors import GameSourceError, UnsupportedGameError
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.model.state import State
from gamedsl.source.text import SourceFile
from gamedsl.version import __version__

FACTS = {
    "gamedsl": is_text,
    "file": is_text,
    "rules": is_text,
    "rules_sha256": is_text,
    "parameters": is_texts,
    "solver": is_text,
}
"""Facts of every solution."""
MORE = {"max_rounds": is_count, "left_out": many(is_text)}
"""Facts that older solutions lack, or solutions of games whose every part matters."""


def game_of(facts: Mapping[str, Any]) -> LoadedGame:
    """The game defined by a file's rules. Raises SolutionFileError if the rules are invalid."""
    refuse_odd(facts, FACTS | {name: shape for name, shape in MORE.items() if name in facts})
    if facts["rules_sha256"] != _digest(facts["rules"]):
        raise SolutionFileError("its rules are not those that were solved")
    source = SourceFile(facts["file"], facts["rules"])
    try:
        parameters, most = facts["parameters"], facts.get("max_rounds", MOST_ROUNDS)
        return load_source(source, parameters, max_rounds=most)
    except GameSourceError as error:
        raise SolutionFileError("its rules are not valid in this gamedsl") from error


def slice_in(facts: Mapping[str, Any], game: LoadedGame) -> LoadedGame:
    """The game that a file's solution is of: the game, or the slice of the game.

    Raises SolutionFileError if the slice lacks other parts than at the time of writing.
    """
    if "left_out" not in facts:
        return game
    part = in_slice(game, game.initial_state())[0]
    if list(part.left_out) != facts["left_out"]:
        raise SolutionFileError(
            f"it is of the rules without {', '.join(facts['left_out'])}, and this gamedsl leaves "
            f"out {', '.join(part.left_out) or 'nothing'}; it was written by gamedsl "
            f"{facts['gamedsl']}"
        )
    return part


def _digest(rules: str) -> str:
    return sha256(rules.encode()).hexdigest()


def rules_of(game: LoadedGame, root: State) -> dict[str, Any]:
    """The identity of the solved problem, and the text of the rules."""
    text = {"file": Path(game.source.name).name, "rules": game.source.text}
    return {**identity_of(game, root), **text}


def identity_of(game: LoadedGame, root: State) -> dict[str, Any]:
    """The identity of the solved problem as JSON: rules, parameters and root state."""
    identity = {
        "gamedsl": __version__,
        "rules_sha256": _digest(game.source.text),
        "parameters": dict(game.parameters),
        "max_rounds": game.model.max_rounds,
        "root": _written(game, root),
    }
    return identity | ({"left_out": list(game.left_out)} if game.is_slice else {})


def _written(game: LoadedGame, root: State) -> dict[str, Any] | None:
    """The solved state as JSON; None for S0."""
    if root == game.initial_state():
        return None
    if root.pending is not None:
        raise UnsupportedGameError(
            "a position in which a chance event comes next cannot be written down",
            "save the solution of the whole game, or of the position before or after it",
        )
    return state_to_json(game, root)


def is_position(game: LoadedGame, state: State) -> bool:
    """Whether a state read from a file has valid values and a valid turn."""
    engine, cells = game.engine, state.cells
    assert isinstance(engine, RulesEngine), "a tree has no table"
    for variable in game.model.variables:
        for number in variable.cells:
            digit = cells[variable.offset + number]
            if digit is None and state.pending is not None:
                continue  # a chance event of `setup`, not yet set
            if digit is None or digit >= len(variable.domain_of(number).values):
                return False
    if state.turn >= len(game.facts.players):
        return False
    return engine.state_of(cells, state.turn) == state.position()
