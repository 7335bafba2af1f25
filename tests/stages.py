"""The compiler at work, stage by stage: what tests look at between the passes.

In: the model of a game. Out: its module as the lowering made it and after each pass, and all that
was generated. What is asked of a shipped game is worked out once for all tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import gamedsl
from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.module import generate
from gamedsl.compiler.passes import pipeline
from gamedsl.game.library import shipped_games
from gamedsl.model import Model

LOWERED = "lowering"
SHIPPED = tuple(
    path.stem for path in shipped_games() if "\ninclude " not in path.read_text("utf-8")
)
"""The shipped games that include no other: the code of a variant is almost that of the other."""


@dataclass(frozen=True, slots=True)
class Stages:
    """What became of a game.

    Attributes:
        model: its rules, whose values the generated module refers to.
        modules: by name of the pass that made it, in order; the first is called `LOWERED`.
    """

    model: Model
    modules: dict[str, Module]
    generated: Generated


def stages_of(model: Model) -> Stages:
    """A game compiled, and everything on the way. Raises CannotCompileError."""
    modules: dict[str, Module] = {}
    with _watched(modules):
        generated = generate(model)
    return Stages(model, modules, generated)


@cache
def shipped_stages(title: str, **parameters: object) -> Stages | None:
    """Those of a shipped game; None if it is not compiled."""
    try:
        return stages_of(gamedsl.load(title, "interpreter", **parameters).model)
    except CannotCompileError:
        return None


@contextmanager
def _watched(modules: dict[str, Module]) -> Iterator[None]:
    """While this holds, every pass writes down what it makes."""
    before = pipeline.PASSES
    pipeline.PASSES = tuple((title, _recording(title, run, modules)) for title, run in before)
    try:
        yield
    finally:
        pipeline.PASSES = before


def _recording(title: str, run: pipeline.Pass, modules: dict[str, Module]) -> pipeline.Pass:
    def recording(module: Module, layout: Layout, saved: int) -> Module:
        modules.setdefault(LOWERED, module)
        modules[title] = run(module, layout, saved)
        return modules[title]

    return recording
