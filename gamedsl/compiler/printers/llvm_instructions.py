"""The instructions of one LLVM function, and what is known where they stand.

In: texts of instructions. Out: lines, names of results and blocks. A value that has been worked out
is known further down, until a local in it is assigned or, if it reads a row, something is written.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from gamedsl.compiler.ir.values import BOOL, INT, Type, Value
from gamedsl.compiler.printers.llvm_effects import Callees, Effect
from gamedsl.compiler.printers.llvm_globals import Globals
from gamedsl.compiler.printers.llvm_types import type_text, width_of


class Local(NamedTuple):
    """What a local is at the present place."""

    operand: str
    type: Type
    since: int


class Known(NamedTuple):
    """A value that has been worked out: when, and at which state of the rows (-1: no matter)."""

    operand: str
    since: int
    memory: int


Environment = dict[str, Local]
Edge = tuple[str, Environment]
"""A block from which something goes on, and the locals there."""


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
        """A value, as one of a type; else of its own."""

    def converted(self, operand: str, kind: Type, wanted: Type) -> str:
        """An operand as one of another type."""
        own, to = type_text(kind), type_text(wanted)
        if own == to:
            return operand
        if wanted is BOOL:
            return self.emit(f"icmp ne {own} {operand}, 0")
        if kind is BOOL:
            return self.emit(f"zext i1 {operand} to {to}")
        if width_of(kind) > width_of(wanted):
            return self.emit(f"trunc {own} {operand} to {to}")
        work = "sext" if kind is INT else "zext"
        return self.emit(f"{work} {own} {operand} to {to}")

    # --- rows, tables ------------------------------------------------------------------------

    def emit(self, text: str) -> str:
        """An instruction with a result."""
        found = self.fresh()
        self.lines.append(f"  {found} = {text}")
        return found

    def label(self, stem: str) -> str:
        """A new name of a block."""
        self._fresh += 1
        return f"{stem}{self._fresh}"

    def start(self, block: str) -> None:
        """Go on in a block."""
        self.lines.append(f"{block}:")
        self.block = block
        self.is_open = True

    def jump(self, block: str) -> None:
        """Go on elsewhere."""
        self.lines.append(f"  br label %{block}")
        self.is_open = False

    def branch(self, test: str, then: str, otherwise: str, hint: str = "") -> None:
        """Go on elsewhere, by a condition."""
        self.lines.append(
            f"  br i1 {test}, label %{then}, label %{otherwise}{', ' + hint if hint else ''}"
        )
        self.is_open = False

    def phi(self, kind: str, edges: list[tuple[str, str]]) -> str:
        """What a value is, by the block from which one comes."""
        return self.emit(f"phi {kind} " + ", ".join(f"[{one}, %{block}]" for one, block in edges))

    # --- what is known -----------------------------------------------------------------------

    def mark(self) -> int:
        """A place to which `forget` goes back."""
        return len(self._undo)

    def forget(self, mark: int) -> None:
        """Forget what has been worked out since, in blocks that may not have been run."""
        for value, before in reversed(self._undo[mark:]):
            if before is None:
                del self._memo[value]
            else:
                self._memo[value] = before
        del self._undo[mark:]

    def rows_change(self) -> None:
        """What has been read from rows may be read otherwise from here on."""
        self._memory += 1

    def set(self, name: str, operand: str, kind: Type) -> None:
        """Give a local a value."""
        self.clock += 1
        self.env[name] = Local(operand, kind, self.clock)

    def remember(self, value: Value, operand: str) -> None:
        """Know a value from here on."""
        effect = self.callees.effect_of(value)
        if effect is Effect.WRITES:
            return
        memory = self._memory if effect is Effect.READS else -1
        self._undo.append((value, self._memo.get(value)))
        self._memo[value] = Known(operand, self.clock, memory)

    def remembered(self, value: Value) -> str | None:
        """What stands for a value that is known here; None if it is not."""
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
