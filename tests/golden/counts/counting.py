"""How large the code of a game is: figures that machines of any speed agree on.

In: what was generated. Out: `Counts`, and their line in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass, fields

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
        lines: of the generated Python, its prelude left out.
        letters: the same in bytes.
    """

    functions: int
    distinct: int
    values: int
    guards: int
    sites: int
    lines: int
    letters: int


WIDEST_TITLE = 22
WIDTH = 10


def counted(generated: Generated) -> Counts:
    """The counts of a game."""
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
        lines=generated.source.count("\n"),
        letters=len(generated.source.encode()),
    )


def heading() -> str:
    """The first line of the table."""
    return _line("game", [field.name for field in fields(Counts)])


def row(title: str, counts: Counts | None) -> str:
    """The line of a game; without counts: it is not compiled."""
    if counts is None:
        return f"{title:<{WIDEST_TITLE}}  not compiled"
    return _line(title, [f"{number:,}" for number in astuple(counts)])


def _line(title: str, cells: list[str]) -> str:
    return f"{title:<{WIDEST_TITLE}}" + "".join(f"{cell:>{WIDTH}}" for cell in cells)


def _written(roots: list[Value], is_counted: Callable[[Value], bool]) -> int:
    """How many values of a kind are written down; one that stands in two places counts twice."""
    within: dict[Value, int] = {}
    for root in roots:
        for part in ir.parts(root):
            if part not in within:
                within[part] = is_counted(part) + sum(within[one] for one in part.args)
    return sum(within[root] for root in roots)
