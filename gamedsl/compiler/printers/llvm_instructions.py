"""The instructions of one LLVM function, and the known values at each place.

Instructions are appended as text; the methods return names of results and blocks. A computed value
stays known until a local in the value is assigned or, if the value reads a row, a row is written.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from gamedsl.compiler.ir.values import BOOL, INT, Type, Value
from gamedsl.compiler.printers.llvm_effects import Callees, Effect
from gamedsl.compiler.printers.llvm_globals import Globals
from gamedsl.compiler.printers.llvm_types import type_text, width_of


class Local(NamedTuple):
    """The content of a local at the present place."""

    operand: str
    type: Type
    since: int


class Known(NamedTuple):
    """A computed value: its time, and the version of the rows (-1: independent of rows)."""

    operand: str
    since: int
    memory: int


Environment = dict[str, Local]
Edge = tuple[str, Environment]
"""A source block of an edge, and the locals there."""


class Instructions:
    """The instructions of one function."""

    def __init__(self, callees: Callees, globals_: Globals) -> None:
        self.callees = callees
        self.globals = globals_
        self.lines: list[str] = []
        self.env: Environment = {}
        self.block = "entry"
        self.is_open = True
        self.can_fail = False
        self.clock = 0
        self._memory = 0
        self._memo: dict[Value, Known] = {}
        self._undo: list[tuple[Value, Known | None]] = []
        self._fresh = 0

    # --- instructions ------------------------------------------------------------------------

    def fresh(self) -> str:
        """A new name."""
        self._fresh += 1
        return f"%v{self._fresh}"

    @abstractmethod
    def operand(self, value: Value, kind: Type | None = None) -> str:
        """A value, converted to a type if given."""

    def converted(self, operand: str, kind: Type, wanted: Type) -> str:
        """An operand, converted to another type."""
        source, to = type_text(kind), type_text(wanted)
        if source == to:
            return operand
        if wanted is BOOL:
            return self.emit(f"icmp ne {source} {operand}, 0")
        if kind is BOOL:
            return self.emit(f"zext i1 {operand} to {to}")
        if width_of(kind) > width_of(wanted):
            return self.emit(f"trunc {source} {operand} to {to}")
        work = "sext" if kind is INT else "zext"
        return self.emit(f"{work} {source} {operand} to {to}")

    # --- rows, tables ------------------------------------------------------------------------

    def emit(self, text: str) -> str:
        """An instruction with a result."""
        register = self.fresh()
        self.lines.append(f"  {register} = {text}")
        return register

    def label(self, stem: str) -> str:
        """A new name of a block."""
        self._fresh += 1
        return f"{stem}{self._fresh}"

    def start(self, block: str) -> None:
        """Begin a block."""
        self.lines.append(f"{block}:")
        self.block = block
        self.is_open = True

    def jump(self, block: str) -> None:
        """End the block with a jump."""
        self.lines.append(f"  br label %{block}")
        self.is_open = False

    def branch(self, test: str, then: str, otherwise: str, hint: str = "") -> None:
        """End the block with a conditional jump."""
        self.lines.append(
            f"  br i1 {test}, label %{then}, label %{otherwise}{', ' + hint if hint else ''}"
        )
        self.is_open = False

    def phi(self, kind: str, edges: list[tuple[str, str]]) -> str:
        """A `phi`: the value for each predecessor block."""
        return self.emit(
            f"phi {kind} " + ", ".join(f"[{operand}, %{block}]" for operand, block in edges)
        )

    # --- known values ------------------------------------------------------------------------

    def mark(self) -> int:
        """A mark for `forget`."""
        return len(self._undo)

    def forget(self, mark: int) -> None:
        """Forget the values computed since the mark, in blocks that may not have run."""
        for value, before in reversed(self._undo[mark:]):
            if before is None:
                del self._memo[value]
            else:
                self._memo[value] = before
        del self._undo[mark:]

    def rows_change(self) -> None:
        """Invalidate the values read from rows."""
        self._memory += 1

    def set(self, name: str, operand: str, kind: Type) -> None:
        """Set the value of a local."""
        self.clock += 1
        self.env[name] = Local(operand, kind, self.clock)

    def remember(self, value: Value, operand: str) -> None:
        """Make a value known from here on."""
        effect = self.callees.effect_of(value)
        if effect is Effect.WRITES:
            return
        memory = self._memory if effect is Effect.READS else -1
        self._undo.append((value, self._memo.get(value)))
        self._memo[value] = Known(operand, self.clock, memory)

    def remembered(self, value: Value) -> str | None:
        """The operand of a value that is known here; else None."""
        known = self._memo.get(value)
        if known is None or known.memory not in {-1, self._memory}:
            return None
        if known.since != self.clock:
            env, since = self.env, known.since
            for name in value.names:
                local = env.get(name)
                if local is None or local.since > since:
                    return None
        return known.operand
