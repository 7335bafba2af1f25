"""The sequence of passes.

The pipeline turns the module made by the lowering into the module that is printed. Each pass is a
function from module to module in a file of its own. `gamedsl.compiler.options` selects the optional
passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.compiler.ir.statements import Module
from gamedsl.compiler.layout import Layout
from gamedsl.compiler.options import CompilerOptions, Rewrite
from gamedsl.compiler.passes.forward import forward
from gamedsl.compiler.passes.pack import pack
from gamedsl.compiler.passes.prune import prune
from gamedsl.compiler.passes.share import share
from gamedsl.compiler.passes.simplify import simplify

Pass = Callable[[Module, Layout, int], Module]
PASSES: tuple[tuple[str, Pass], ...] = (
    (Rewrite.FORWARD.value, forward),
    (Rewrite.SIMPLIFY.value, simplify),
    ("pack", pack),
    (Rewrite.PRUNE.value, prune),
    (Rewrite.SHARE.value, share),
)
"""The passes in order, by name; `pack` cannot be left out."""


def run_passes(
    module: Module,
    layout: Layout,
    saved: int,
    options: CompilerOptions,
    made: Module | None = None,
) -> Module:
    """A module after all passes.

    Args:
        saved: number of integers behind the words of a state.
        made: the already finished functions of the module; they stay unchanged, because each pass
            treats functions separately.
    """
    before = {} if made is None else made.functions
    new = {title: function for title, function in module.functions.items() if title not in before}
    processed = replace(module, functions=new)
    for title, run in PASSES:
        if title not in options.without:
            processed = run(processed, layout, saved)
    return replace(processed, functions={**before, **processed.functions})
