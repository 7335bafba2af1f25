"""Conversion of states to JSON and back, for `show --format state` and `--state FILE.json`.

The shape: {"game": title, "parameters": {...}, "turn": player, "variables": {name: value, or
{index: value}}}. Chance nodes have no JSON form: reach them by actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamedsl.game.game import LoadedGame
from gamedsl.model import IllegalActionError, State
from gamedsl.model.engine import RulesEngine
from gamedsl.model.nodes import Variable
from gamedsl.model.values import Domain, text_of
from gamedsl.source import nearest

Json = dict[str, Any]
SCHEMA_VERSION = 1
"""Version of all JSON that is written and read (docs/machine_interface.md)."""
KEYS = ("schema_version", "game", "parameters", "turn", "variables", "path")
"""Possible keys of a state in JSON; all are optional."""


class StateFormatError(ValueError):
    """The JSON does not describe a state of the game; the message names the error."""


def state_to_json(game: LoadedGame, state: State) -> Json:
    """The state as JSON; ValueError for a chance node."""
    shared: Json = {"game": game.name, "parameters": dict(game.parameters)}
    if not isinstance(game.engine, RulesEngine):
        return {**shared, "path": list(game.engine.node(state).path)}
    if state.pending is not None:
        raise ValueError("a chance node cannot be written down; name the actions that lead to it")
    variables: Json = {}
    for variable in game.model.variables:
        digits = [state.cells[variable.offset + number] for number in variable.cells]
        texts = [
            None if digit is None else text_of(variable.domain.values[digit]) for digit in digits
        ]
        if variable.indices:
            from gamedsl.game.pictures.text_lines import cell_names

            variables[variable.name] = dict(zip(cell_names(variable), texts, strict=True))
        else:
            variables[variable.name] = texts[0]
    return {**shared, "turn": game.players[state.turn].name, "variables": variables}


def state_from_json(game: LoadedGame, data: object) -> State:
    """The state described by the JSON. Variables and cells left out keep their initial value."""
    if not isinstance(data, Mapping):
        raise StateFormatError("a state is a JSON object with `turn` and `variables`")
    if (version := data.get("schema_version", SCHEMA_VERSION)) != SCHEMA_VERSION:
        reads = f"this gamedsl reads {SCHEMA_VERSION}"
        raise StateFormatError(f"`schema_version` is {version!r}; {reads}")
    title = data.get("game", game.name)
    if title != game.name:
        raise StateFormatError(f"this is a state of {title!r}, not of {game.name!r}")
    for key in data:
        if key not in KEYS:
            raise StateFormatError(f"a state has no {key!r}; what it may have: {', '.join(KEYS)}")
    _same_parameters(game, data.get("parameters", {}))
    if not isinstance(game.engine, RulesEngine):
        _refuse(data, ("turn", "variables"), "a `path` alone")
        return _follow(game, data.get("path", []))
    _refuse(data, ("path",), "`turn` and `variables`")
    cells: list[int | None] = [d for variable in game.model.variables for d in variable.initial]
    variables = data.get("variables", {})
    if not isinstance(variables, Mapping):
        raise StateFormatError("`variables` is a JSON object: name of a variable -> value")
    known = {variable.name: variable for variable in game.model.variables}
    for name, written in variables.items():
        if name not in known:
            near = nearest(str(name), known)
            hint = f"; did you mean `{near}`?" if near else ""
            raise StateFormatError(f"this game has no variable `{name}`{hint}")
        _fill(cells, known[name], written)
    for variable in game.model.variables:
        held = tuple(cells[variable.offset : variable.offset + variable.size])
        if variable.is_constant and held != variable.initial:
            raise StateFormatError(f"`{variable.name}` never changes: it has its initial values")
        if None in cells[variable.offset : variable.offset + variable.size]:
            raise StateFormatError(f"`{variable.name}` is not given, and has no initial value")
    names = [player.name for player in game.players]
    turn = data.get("turn", names[0])
    if turn not in names:
        raise StateFormatError(f"`turn` is one of {', '.join(names)}, not {turn!r}")
    return game.engine.state_of(tuple(cells), names.index(turn))


def _refuse(data: Mapping[str, object], keys: tuple[str, ...], has: str) -> None:
    """Raise StateFormatError for keys that a state of the game does not have."""
    for key in keys:
        if key in data:
            raise StateFormatError(f"a state of this game has no `{key}`; it has {has}")


def _same_parameters(game: LoadedGame, written: object) -> None:
    if not isinstance(written, Mapping):
        raise StateFormatError("`parameters` is a JSON object: name of a parameter -> value")
    ours = dict(game.parameters)
    for name, value in written.items():
        if ours.get(name) != value:
            has = f"`{name}` is {ours[name]} here" if name in ours else f"there is no `{name}` here"
            raise StateFormatError(f"this is a state of the game with {name} = {value}; {has}")


def _follow(game: LoadedGame, path: object) -> State:
    state = game.initial_state()
    if not isinstance(path, list) or not all(isinstance(step, str) for step in path):
        raise StateFormatError("`path` is a list of branch labels")
    try:
        for step in path:
            state = game.result(state, game.action_named(state, step))
    except IllegalActionError as error:
        raise StateFormatError(f"`path` leads nowhere: {error}") from None
    return state


def _fill(cells: list[int | None], variable: Variable, written: object) -> None:
    digits = {text_of(value): number for number, value in enumerate(variable.domain.values)}
    if not variable.indices:
        cells[variable.offset] = _digit(variable.name, written, digits, variable.domain)
        return
    if not isinstance(written, Mapping):
        raise StateFormatError(f"`{variable.name}` has several cells: give index -> value")
    from gamedsl.game.pictures.text_lines import cell_names

    places = dict(zip(cell_names(variable), variable.cells, strict=True))
    for index, value in written.items():
        place = places.get(str(index).replace(" ", ""))
        if place is None:
            raise StateFormatError(f"`{variable.name}` has no cell {index!r}")
        where = f"{variable.name}[{index}]"
        cells[variable.offset + place] = _digit(where, value, digits, variable.domain_of(place))


def _digit(where: str, value: object, digits: Mapping[str, int], domain: Domain) -> int:
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    if text not in {text_of(held) for held in domain.values}:
        raise StateFormatError(f"`{where}` cannot be {value!r}, its domain is `{domain}`")
    return digits[text]
