"""Generated modules that took long to make, kept between runs.

In: a checked model. Out: its `Generated`, read from the user's cache directory if it has been made
before from the same text, with the same parameters, by the same compiler. A damaged file is made
anew; where nothing can be written, nothing is kept. Games with chance are not kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from time import process_time
from typing import Any, overload

from gamedsl.compiler.cache import cache_folder, hash_of, hash_of_compiler
from gamedsl.compiler.codes import Codes
from gamedsl.compiler.faults import Site
from gamedsl.compiler.layout import lay_out
from gamedsl.compiler.module import Generated, generate, origin_of
from gamedsl.compiler.options import EVERYTHING, CompilerOptions
from gamedsl.model.model import Model
from gamedsl.source.keeping import keep, kept

WORTH_KEEPING = 0.1
"""Seconds from which on generating is work that nobody should wait for twice."""
PLAIN = ("source", "saved", "groups", "can_pick", "can_walk", "levels", "stuck_by_history")


class LaterSites(Sequence[Site]):
    """The guards of a module that was kept: what they mean is worked out when one fails."""

    def __init__(self, model: Model, options: CompilerOptions, count: int) -> None:
        self._model = model
        self._options = options
        self._count = count

    @cached_property
    def _sites(self) -> Sequence[Site]:
        return generate(self._model, self._options).sites

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
    """The module of a game, made or kept; one from which nothing was left out will do as well.
    Raises CannotCompileError."""
    if model.tree is not None:
        return generate(model)
    where = folder or cache_folder()
    for one in dict.fromkeys((EVERYTHING, options)):
        found = _read(_path(where, model, one))
        if found is not None:
            return _restored(model, one, found)
    start = process_time()
    generated = generate(model, options)
    if process_time() - start > WORTH_KEEPING and not generated.events:
        _keep(_path(where, model, options), generated)
    return generated


def _path(folder: Path, model: Model, options: CompilerOptions) -> Path:
    """Where a module is kept."""
    return folder / f"rules_{hash_of(hash_of_compiler(), origin_of(model, options))}.json"


def _keep(path: Path, generated: Generated) -> None:
    content: dict[str, Any] = {name: getattr(generated, name) for name in PLAIN}
    content |= {"start": generated.start, "move_names": generated.move_names}
    keep(path, json.dumps(content | {"sites": len(generated.sites)}).encode())


def _read(path: Path) -> dict[str, Any] | None:
    content = kept(path)
    if content is None:
        return None
    found: dict[str, Any] = json.loads(content)
    return found


def _restored(model: Model, options: CompilerOptions, found: dict[str, Any]) -> Generated:
    return Generated(
        origin=origin_of(model, options),
        module=lambda: generate(model, options).module(),
        layout=lay_out(model),
        codes=Codes(model),
        sites=LaterSites(model, options, found["sites"]),
        start=tuple(found["start"]),
        events=(),
        move_names=tuple(found["move_names"]),
        **{name: found[name] for name in PLAIN},
    )
