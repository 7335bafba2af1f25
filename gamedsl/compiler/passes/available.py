"""Available values on a walk through a function, and their validity.

`Available` maps a value to the place where the value was named, as long as the value is unchanged.
Nothing is copied or searched: a value is valid while it is younger than the last assignment to a
name in the value.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import Op, Value

NOTHING: frozenset[str] = frozenset()


class Available:
    """Values that are known at the present place of a walk."""

    def __init__(self) -> None:
        self._places: dict[Value, tuple[int, int]] = {}
        self._assigned: dict[str, int] = {}
        self._time = 0
        self._undone: list[tuple[Value, tuple[int, int] | None]] = []
        self._unassigned: list[tuple[str, int]] = []

    def place(self, value: Value) -> int | None:
        """The place where a value was named; None if unnamed or changed since."""
        entry = self._places.get(value)
        if entry is None or any(self._assigned.get(title, 0) > entry[1] for title in value.names):
            return None
        return entry[0]

    def add(self, value: Value, place: int) -> None:
        """Make a value known from now on."""
        self._undone.append((value, self._places.get(value)))
        self._places[value] = (place, self._time)

    def forget(self, names: Iterable[str]) -> None:
        """Record the assignment of some names."""
        self._time += 1
        for name in names:
            self._unassigned.append((name, self._assigned.get(name, 0)))
            self._assigned[name] = self._time

    def branch(self) -> _Branch:
        """A context for conditional code: its values and assignments are undone at the end."""
        return _Branch(self, len(self._undone), len(self._unassigned))

    def go_back(self, values: int, names: int) -> None:
        """Undo all entries after the first `values` values and `names` names."""
        while len(self._undone) > values:
            value, before = self._undone.pop()
            if before is None:
                del self._places[value]
            else:
                self._places[value] = before
        while len(self._unassigned) > names:
            name, time = self._unassigned.pop()
            self._assigned[name] = time


class _Branch:
    """A branch of `Available`; a generator would take most of the time of the pass."""

    __slots__ = ("_known", "_names", "_values")

    def __init__(self, known: Available, values: int, names: int) -> None:
        self._known, self._values, self._names = known, values, names

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._known.go_back(self._values, self._names)


class Changes:
    """The names and rows that statements change, cached."""

    def __init__(self) -> None:
        self._rows: dict[Value, frozenset[str]] = {}
        self._statements: dict[int, tuple[ir.Statement, frozenset[str]]] = {}

    def of(self, statement: ir.Statement) -> frozenset[str]:
        """The changes of a statement, including its blocks."""
        known = self._statements.get(id(statement))
        if known is None:
            changes = frozenset(target.name for target in ir.targets_of(statement)).union(
                *(self.rows(value) for value in ir.values_of(statement) if value.calls),
                *(self.of(inner) for block in ir.blocks_of(statement) for inner in block),
            )
            # the statement is kept alive, so that its id stays unique
            known = self._statements[id(statement)] = (statement, changes)
        return known[1]

    def rows(self, value: Value) -> frozenset[str]:
        """The rows passed to calls in a value; the calls may write to the rows."""
        if value not in self._rows:
            for part in ir.parts(value, self._rows):
                self._rows[part] = self.handed(part).union(*(self._rows[arg] for arg in part.args))
        return self._rows[value]

    @staticmethod
    def handed(value: Value) -> frozenset[str]:
        """The rows passed to a call, which may write to them and return a different result each
        time.
        """
        if value.op is not Op.CALL:
            return NOTHING
        return frozenset(arg.name for arg in value.args if arg.type.kind == "row" and arg.is_name)
