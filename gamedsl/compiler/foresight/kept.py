"""What the rules foresee, worked out once: in a run, and between runs where the work takes long.

In: a model and its generated module. Out: the functions of `wins` and of `prospects` with their
Python; the functions themselves are made again where machine code is compiled.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from gamedsl.compiler.cache import cache_folder
from gamedsl.compiler.definitions import Later
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.kept import made_and_kept, place_of
from gamedsl.model.model import Model
from gamedsl.source.keeping import kept_json
from gamedsl.source.records import dataclass

Told = tuple[Module, Mapping[str, Any]]
"""Functions, and facts about the functions that JSON can hold."""


@dataclass(frozen=True, slots=True)
class KnownProspects:
    """As `Prospects`, with functions made when they are wanted."""

    functions: Later
    rest: tuple[int, ...]
    ranks: tuple[int, ...]


def known_wins(model: Model, generated: Generated) -> Later | None:
    """The functions of `foresight`."""

    def told() -> Told | None:
        from gamedsl.compiler.foresight import wins

        module = wins.foresight(model, generated)
        return None if module is None else (module, {})

    kept = _once(model, generated, "WINS_", told)
    return None if kept is None else kept[0]


def known_prospects(model: Model, generated: Generated) -> KnownProspects | None:
    """The functions and facts of `prospects`."""

    def told() -> Told | None:
        from gamedsl.compiler.foresight import prospects

        left = prospects.prospects(model, generated)
        return None if left is None else (left.module, {"rest": left.rest, "ranks": left.ranks})

    kept = _once(model, generated, "PROSPECTS_", told)
    if kept is None:
        return None
    functions, facts = kept
    return KnownProspects(functions, tuple(facts["rest"]), tuple(facts["ranks"]))


def _once(
    model: Model, generated: Generated, title: str, told: Callable[[], Told | None]
) -> tuple[Later, Mapping[str, Any]] | None:
    """What is told, or has been told in an earlier run; `title` begins the names of tables."""
    again = cache(told)
    path = place_of(cache_folder(), generated.origin, title)

    def recorded() -> dict[str, Any]:
        from gamedsl.compiler.printers.python import print_module

        first = again()
        return (
            {"source": None}
            if first is None
            else {"source": print_module(first[0], title), **first[1]}
        )

    if model.tree is not None:  # whose text is no rules
        record = recorded()
    else:
        record = kept_json(path) or made_and_kept(path, recorded, _written)
    if record["source"] is None:
        return None

    def make() -> Module:
        made = again()
        assert made is not None, "the rules foresee in this run as they did in the run before"
        return made[0]

    return Later(record["source"], make), record


def _written(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()
