"""What a kernel calls is compiled with it: that which is called where a table grows, too."""

from __future__ import annotations

import dis
import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import pytest

from gamedsl.solvers import kernels
from gamedsl.solvers.kernels.table_solver import TableSolver


def solvers() -> list[type[TableSolver]]:
    """All solvers in tables that name their kernels."""
    for module in pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}."):
        importlib.import_module(module.name)
    return [one for one in below(TableSolver) if hasattr(one, "kernels")]


def below(parent: type) -> Iterator[type]:
    for child in parent.__subclasses__():
        yield child
        yield from below(child)


@pytest.mark.parametrize("solver", solvers(), ids=lambda one: one.__name__)
def test_what_kernels_call_is_compiled_with_them(solver: type[TableSolver]) -> None:
    parts = (*solver.kernels, *solver.inner)
    called = {
        step.argval
        for part in parts
        for step in dis.get_instructions(part)
        if step.opname == "LOAD_GLOBAL" and inspect.isfunction(part.__globals__.get(step.argval))
    }
    assert called <= {part.__name__ for part in parts}
