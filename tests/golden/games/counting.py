"""How large the code of a game is: figures that machines of any speed agree on.

In: a generated module. Out: `Counts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gamedsl.compiler.generated import Generated
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import Op, Value


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a module behind the last pass.

    Attributes:
        functions: how many there are.
        distinct: values that differ, in the whole module.
        values: all values, as often as they are written down.
        guards: places that may break off.
        sites: what the guards mean, including the meanings that no code looks for.
        lines: of the generated Python, without its prelude and its comments.
    """

    functions: int
    distinct: int
    values: int
    guards: int
    sites: int
    lines: int


def counted(generated: Generated, text: str) -> Counts:
    """The counts of a game; `text`: its Python without comments."""
    module = generated.module()
    statements = [s for function in module.functions.values() for s in ir.walk(function.body)]
    roots = [value for statement in statements for value in ir.values_of(statement)]
    faults = sum(isinstance(statement, ir.Fault) for statement in statements)
    return Counts(
        functions=len(module.functions),
        distinct=len({part for root in roots for part in ir.parts(root)}),
        values=_written(roots, lambda _: True),
        guards=_written(roots, lambda value: value.op is Op.GUARD) + faults,
        sites=len(generated.sites),
        lines=text.count("\n"),
    )


def _written(roots: list[Value], is_counted: Callable[[Value], bool]) -> int:
    """How many values of a kind are written down; one that stands in two places counts twice."""
    within: dict[Value, int] = {}
    for root in roots:
        for part in ir.parts(root):
            if part not in within:
                within[part] = is_counted(part) + sum(within[one] for one in part.args)
    return sum(within[root] for root in roots)
