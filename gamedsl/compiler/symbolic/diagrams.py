"""Binary decision diagrams by the library oxidd; the only module that imports oxidd.

In: a number of variables, a bound on memory. Out: functions of truth values, which are objects of
the library with the operators `&`, `|`, `^` and `~`; equal functions are equal objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from gamedsl.model.errors import UnsupportedGameError

Function = Any
"""A truth value that depends on variables: `oxidd.bcdd.BCDDFunction`."""

BYTES_A_NODE = 32
"""Bytes of a node and of its place in the table of nodes."""
NODES_AN_ENTRY = 4
"""Nodes for each entry of the cache of results."""
BYTES_AN_ENTRY = 20
"""Bytes of an entry of the cache of results."""
MOST_ENTRIES = 1 << 24
"""Greatest number of entries of the cache, which is written to at the start."""
LEAST_NODES, MOST_NODES = 1 << 10, (1 << 32) - 2
"""Bounds on the number of nodes."""
NO_LIBRARY = "oxidd is not installed: `pip install 'gamedsl[symbolic]'`"


class NotOnSetsError(UnsupportedGameError):
    """A part of the rules is not carried out on sets of states."""

    def __init__(self, part: str) -> None:
        super().__init__(f"not carried out on sets of positions: {part}")


def has_library() -> bool:
    """Whether oxidd is installed and can be imported."""
    try:
        import oxidd  # noqa: F401
    except (ImportError, OSError):  # OSError: a library of the system is missing
        return False
    return True


class Diagrams:
    """All functions of some variables, the first variable on top.

    Every operation that makes a function raises MemoryError where the nodes do not suffice.
    """

    def __init__(self, variables: int, most_bytes: int) -> None:
        import oxidd

        entries = min(most_bytes // (NODES_AN_ENTRY * BYTES_A_NODE + BYTES_AN_ENTRY), MOST_ENTRIES)
        nodes = (most_bytes - entries * BYTES_AN_ENTRY) // BYTES_A_NODE
        nodes = min(max(nodes, LEAST_NODES), MOST_NODES)
        self._many = nodes // 2
        self._manager = oxidd.bcdd.BCDDManager(nodes, max(entries, LEAST_NODES), 1)
        self._manager.add_vars(variables)
        self._kind: Any = oxidd.bcdd.BCDDFunction
        self._and = oxidd.util.BooleanOperator.AND
        self.variables: list[Function] = [self._manager.var(n) for n in range(variables)]
        self.true: Function = self._manager.true()
        self.false: Function = self._manager.false()

    def constant(self, value: bool) -> Function:
        """The function that is always true, or always false."""
        return self.true if value else self.false

    def product(self, literals: Mapping[int, bool]) -> Function:
        """The states in which some variables, by number, have the given values."""
        function = self.true
        for number in sorted(literals, reverse=True):
            variable = self.variables[number]
            function = (variable if literals[number] else ~variable) & function
        return function

    def without(self, function: Function, condition: Function, product: Function) -> Function:
        """The conjunction, whatever the values of the variables of `product`."""
        return function.apply_exists(self._and, condition, product)

    def inversion(self, numbers: Iterable[int]) -> Any:
        """A substitution for `substitute` that negates variables."""
        return self._kind.make_substitution([(n, ~self.variables[n]) for n in numbers])

    def union(self, functions: Iterable[Function]) -> Function:
        """The disjunction of functions, smaller ones first."""
        left = list(functions)
        while len(left) > 1:
            paired = list(zip(left[::2], left[1::2], strict=False))
            left = [a | b for a, b in paired] + left[2 * len(paired) :]
        return left[0] if left else self.false

    def count(self, function: Function) -> int:
        """The number of states."""
        return int(function.sat_count(len(self.variables)))

    def example(self, function: Function) -> list[bool]:
        """The values of all variables in some state of a non-empty set."""
        return [bool(value) for value in function.pick_cube()]

    def all_of(self, functions: Iterable[Function]) -> Function:
        """The conjunction of functions."""
        return reduce(lambda a, b: a & b, functions, self.true)

    def forget(self) -> None:
        """Give up the nodes of functions that are no longer held, if there are many nodes."""
        if self._manager.approx_num_inner_nodes() > self._many:
            self._manager.gc()
