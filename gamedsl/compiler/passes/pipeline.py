"""The passes in order, and which of them are left out.

In: a module as the lowering makes it, and the layout of states. Out: the module as it is printed.
Each pass is a function from module to module in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.passes.forward import forward
from gamedsl.compiler.passes.pack import pack
from gamedsl.compiler.passes.prune import prune
from gamedsl.compiler.passes.share import share
from gamedsl.compiler.passes.simplify import simplify


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """What the compiler does besides what it must.

    Attributes:
        without: names of passes and strategies that are left out.
    """

    without: frozenset[str] = frozenset()


EVERYTHING = CompilerOptions()

Pass = Callable[[Module, Layout, int], Module]
PASSES: tuple[tuple[str, Pass], ...] = (
    ("forward", forward),
    ("simplify", simplify),
    ("pack", pack),
    ("prune", prune),
    ("share", share),
)
"""In order; `pack` cannot be left out."""


def run_passes(module: Module, layout: Layout, saved: int, options: CompilerOptions) -> Module:
    """A module after all passes; `saved`: how many numbers follow the words of a state."""
    for title, run in PASSES:
        if title not in options.without or run is pack:
            module = run(module, layout, saved)
    return module
