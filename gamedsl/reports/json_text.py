"""The JSON output of the program: finite, stable, a single object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Protocol

from gamedsl.game.encoding import SCHEMA_VERSION


def json_text(data: Mapping[str, object]) -> str:
    """The data with the schema version in front. ValueError for non-finite numbers."""
    return json.dumps({"schema_version": SCHEMA_VERSION, **data}, indent=2, allow_nan=False)


def data_of(source: object, names: str, /, **values: object) -> dict[str, object]:
    """Attributes of an object, JSON-ready, by their names in order.

    `key=attribute` gives an attribute another name; `values` stand in place of attributes, each at
    the place of its name.
    """
    data = {}
    for name in names.split():
        key, _, attribute = name.partition("=")
        data[key] = values[key] if key in values else plain(getattr(source, attribute or key))
    return data


def plain(value: object) -> object:
    """Numbers of Python, truths and None as they are, sequences as lists, all else as text."""
    if isinstance(value, tuple | list):
        return list(map(plain, value))
    if isinstance(value, float):
        return value + 0.0  # no negative zero
    return value if value is None or isinstance(value, int | float) else str(value)


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, str]: ...


def game_data(game: _Named) -> dict[str, object]:
    """The name and the parameters of a game."""
    return {"game": game.name, "parameters": dict(game.parameters)}
