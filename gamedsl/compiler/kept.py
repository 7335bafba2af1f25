"""Generated modules, cached between runs unless made at once.

The `Generated` of a checked model is read from the user's cache directory if an earlier run made
the module from the same text, with the same parameters, by the same compiler. A damaged file is
replaced; without write access, nothing is cached. Chance events are cached by their places in the
rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from time import process_time
from typing import Any, TypeVar, overload

from gamedsl.compiler.cache import cache_folder, hash_of, hash_of_compiler
from gamedsl.compiler.codes import Codes
from gamedsl.compiler.faults import Site
from gamedsl.compiler.generated import Event, Generated, origin_of
from gamedsl.compiler.layout import lay_out
from gamedsl.compiler.options import EVERYTHING, NOT_COUNTED, CompilerOptions
from gamedsl.model.model import Model
from gamedsl.model.slicing.boards import on_squares
from gamedsl.model.statement_facts import events_of
from gamedsl.source.keeping import keep, kept

WORTH_KEEPING = 0.02
"""Seconds of generation from which a module is cached. A run that reads a module from the cache
imports no generator either."""
Made = TypeVar("Made")
PLAIN = ("source", "saved", "groups", "can_pick", "can_walk", "levels", "stuck_by_history")


class LaterSites(Sequence[Site]):
    """The guards of a cached module; their meanings are recomputed when a guard fails."""

    def __init__(self, make: Callable[[], Generated], count: int) -> None:
        self._make = make
        self._count = count

    @cached_property
    def _sites(self) -> Sequence[Site]:
        return self._make().sites

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, number: int) -> Site: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Site]: ...
    def __getitem__(self, number: int | slice) -> Site | Sequence[Site]:
        return self._sites[number]


def generated_once(
    model: Model, folder: Path | None = None, options: CompilerOptions = EVERYTHING
) -> Generated:
    """The module of a game for play, made or read from the cache, and likewise the functions for
    kernels. A caller that needs no counts accepts a module with counts as well. Raises
    CannotCompileError.
    """
    if model.tree is not None:
        return _for_play(model)
    where = folder or cache_folder()
    for candidate in (EVERYTHING, options) if options == NOT_COUNTED else (options,):
        make = partial(_for_play, model, candidate)
        cached = _restored(_path(where, model, candidate), model, candidate, make)
        if cached is not None:
            whole = partial(_whole_once, model, where, candidate, make)
            return replace(cached, for_kernels=whole)
    generated = _made_once(model, _path(where, model, options), partial(_for_play, model, options))
    return replace(
        generated, for_kernels=partial(_whole_once, model, where, options, lambda: generated)
    )


def _for_play(model: Model, options: CompilerOptions = EVERYTHING) -> Generated:
    from gamedsl.compiler.module import generate_for_play

    return generate_for_play(model, options)


def _complete(model: Model, options: CompilerOptions) -> Generated:
    from gamedsl.compiler.module import generate

    return generate(model, options)


def _whole_once(
    model: Model, folder: Path, options: CompilerOptions, made: Callable[[], Generated]
) -> Generated:
    """The module made for play together with the functions for kernels, made or read from the
    cache.
    """
    path = _path(folder, model, options, "kernels")
    cached = _restored(path, model, options, partial(_complete, model, options))
    return cached or _made_once(model, path, lambda: made().whole())


def _made_once(model: Model, path: Path, make: Callable[[], Generated]) -> Generated:
    """A module, cached if it took long to make."""
    return made_and_kept(path, make, lambda generated: content_of(generated, model))


def made_and_kept(
    path: Path, make: Callable[[], Made], content: Callable[[Made], bytes | None]
) -> Made:
    """What `make` gives; its content, if any, is cached if it took long to make."""
    start = process_time()
    made = make()
    if process_time() - start > WORTH_KEEPING:
        written = content(made)
        if written is not None:
            keep(path, written)
    return made


def content_of(generated: Generated, model: Model) -> bytes | None:
    """The content of a module's file in the cache; None if an event is not found in the rules."""
    supports = {id(event.support): place for place, event in enumerate(events_of(model))}
    variables = {variable.offset: place for place, variable in enumerate(model.variables)}
    events: list[tuple[int, int, str, int, int | None]] = []
    for event in generated.events:
        support, into = supports.get(id(event.support)), event.drawn_into
        variable = None if into is None else variables.get(into.offset)
        if support is None or (into is not None and variable is None):
            return None
        events.append((event.number, event.move, event.name, support, variable))
    content: dict[str, Any] = {name: getattr(generated, name) for name in PLAIN}
    content |= {"start": generated.start, "move_names": generated.move_names}
    return json.dumps(content | {"sites": len(generated.sites), "events": events}).encode()


def _events(model: Model, record: list[tuple[int, int, str, int, int | None]]) -> Iterator[Event]:
    """The chance events of a cached module."""
    supports = [event.support for event in events_of(model)] if record else []
    for number, move, name, support, variable in record:
        into = None if variable is None else model.variables[variable]
        yield Event(number, move, name, supports[support], into)


def _path(folder: Path, model: Model, options: CompilerOptions, *more: str) -> Path:
    return place_of(folder, origin_of(model, options), *more)


def place_of(folder: Path, origin: str, *more: str) -> Path:
    """The file in the cache of the module with this `Generated.origin`."""
    return folder / f"rules_{hash_of(hash_of_compiler(), origin, *more)}.json"


def _restored(
    path: Path, model: Model, options: CompilerOptions, make: Callable[[], Generated]
) -> Generated | None:
    """A module from the cache; parts that are not cached are made on demand."""
    content = kept(path)
    if content is None:
        return None
    record: dict[str, Any] = json.loads(content)
    rules = on_squares(model)
    return Generated(
        origin=origin_of(model, options),
        module=lambda: make().module(),
        layout=lay_out(rules),
        codes=Codes(rules),
        sites=LaterSites(make, record["sites"]),
        start=tuple(record["start"]),
        events=tuple(_events(model, record["events"])),
        move_names=tuple(record["move_names"]),
        **{name: record[name] for name in PLAIN},
    )
