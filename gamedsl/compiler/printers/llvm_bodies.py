"""Statements as LLVM basic blocks in SSA form, built directly: control flow is structured.

A packed function becomes a definition as text. Where branches meet again, each local assigned in a
branch gets a `phi`; at the head of a loop, each local assigned in the body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.signatures import INTRINSICS
from gamedsl.compiler.ir.values import BOOL, INT, MANY, TRUE, Op, Type
from gamedsl.compiler.printers.llvm_effects import Callees
from gamedsl.compiler.printers.llvm_entry import LOOPS
from gamedsl.compiler.printers.llvm_globals import Globals
from gamedsl.compiler.printers.llvm_instructions import Edge, Local
from gamedsl.compiler.printers.llvm_types import CONVENTION, function_text, result_text, type_text
from gamedsl.compiler.printers.llvm_values import Values
from gamedsl.source.records import dataclass

LARGE = 1500
"""Lines beyond which a function is compiled for size: LLVM is done sooner (decision 36)."""


@dataclass(slots=True)
class Loop:
    """A loop being written: its labels, and the edges of its `break`s and `continue`s."""

    end: str
    next: str
    leaving: list[Edge] = field(default_factory=list)
    going_on: list[Edge] = field(default_factory=list)


class Body(Values):
    """One function being written."""

    def __init__(self, function: ir.Function, callees: Callees, globals_: Globals) -> None:
        super().__init__(callees, globals_)
        self._function = function
        self._signature = callees.signature(function.name)
        self._fails = callees.fails(function.name)
        self._loops: list[Loop] = []
        self._has_loops = False
        self._rooms: list[str] = []
        self._leaving: list[tuple[str, list[str]]] = []
        self._assigned: dict[int, frozenset[str]] = {}

    def text(self, attributes: str) -> str:
        """The definition as text."""
        function, parameters = self._function, list[str]()
        for number, parameter in enumerate(function.parameters):
            parameters.append(f"{type_text(parameter.type)} %p{number}")
            self.env[parameter.name] = Local(f"%p{number}", parameter.type, 0)
        self.statements(function.body)
        if self.is_open:
            self.lines.append("  unreachable")
        self._leave()
        gives = result_text(self._signature.results, self._fails)
        mark = " optsize" if len(self.lines) > LARGE else ""
        mark += f' "{LOOPS}"' if self._has_loops else ""
        head = f"define {CONVENTION} {gives} {function_text(function.name)}"
        head += f"({', '.join(parameters)}) {attributes}{mark} {{"
        return "\n".join([head, "entry:", *self._rooms, *self.lines, "}\n"])

    def _leave(self) -> None:
        """The single return of the function. (LLVM merges several returns into one, and then treats
        the returned struct as an opaque value.)
        """
        results, leaving = self._signature.results, list(self._leaving)
        if self.can_fail:
            leaving.append(("failed", ["false" if kind is BOOL else "0" for kind in results]))
            self.lines += ["failed:", "  br label %leave"]
        if not leaving:
            return
        self.lines.append("leave:")
        operands = [
            self.phi(type_text(kind), [(values[place], block) for block, values in leaving])
            for place, kind in enumerate(results)
        ]
        kinds = [type_text(kind) for kind in results]
        if self._fails:
            edges = [("true" if block == "failed" else "false", block) for block, _ in leaving]
            operands, kinds = [*operands, self.phi("i1", edges)], [*kinds, "i1"]
        self._give(result_text(results, self._fails), kinds, operands)

    def _give(self, gives: str, kinds: list[str], operands: list[str]) -> None:
        if len(operands) == 1:
            self.lines.append(f"  ret {gives} {operands[0]}")
            return
        whole = "poison"
        for place, (kind, operand) in enumerate(zip(kinds, operands, strict=True)):
            whole = self.emit(f"insertvalue {gives} {whole}, {kind} {operand}, {place}")
        self.lines.append(f"  ret {gives} {whole}")

    def stack_row(self, size: int) -> str:
        """A row of `size` zeros on the stack."""
        row = self.fresh()
        self._rooms.append(f"  {row} = alloca [{max(size, 1)} x i64], align 8")
        self.globals.declare("memset", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
        self.lines.append(
            f"  call void @llvm.memset.p0.i64(ptr align 8 {row}, i8 0, i64 {8 * size}, i1 false)"
        )
        self.rows_change()
        return row

    # --- statements --------------------------------------------------------------------------

    def statements(self, body: ir.Body) -> None:
        """Statements in order, up to the first unreachable statement."""
        for statement in body:
            if not self.is_open:
                return
            WRITE[type(statement)](self, statement)

    def _assign(self, statement: ir.Assign) -> None:
        target = statement.target
        self.set(target.name, self.operand(statement.value, target.type), target.type)

    def _assign_all(self, statement: ir.AssignAll) -> None:
        operands, types = self.called(statement.value)
        for target, operand, kind in zip(statement.targets, operands, types, strict=True):
            self.set(target.name, self.converted(operand, kind, target.type), target.type)

    def _store(self, statement: ir.Store) -> None:
        value = self.operand(statement.value, INT)
        place = self.place(statement.row, statement.index)
        self.lines.append(f"  store i64 {value}, ptr {place}, align 8")
        self.rows_change()

    def _evaluate(self, statement: ir.Evaluate) -> None:
        if statement.value.op is Op.CALL and statement.value.name not in INTRINSICS:
            self.called(statement.value)
        else:
            self.operand(statement.value)

    def _fault(self, statement: ir.Fault) -> None:
        self.break_off(statement.site, statement.detail, statement.place)

    def _return(self, statement: ir.Return) -> None:
        results, pairs = self._signature.results, list[tuple[str, Type]]()
        for value in statement.values:
            if value.op is Op.TUPLE:
                pairs += [(self.operand(part), part.type) for part in value.args]
            elif value.type is MANY:
                pairs += zip(*self.called(value), strict=True)
            else:
                pairs.append((self.operand(value), value.type))
        ready = [
            self.converted(operand, kind, wanted)
            for (operand, kind), wanted in zip(pairs, results, strict=True)
        ]
        self._leaving.append((self.block, ready))
        self.jump("leave")

    # --- branches ----------------------------------------------------------------------------

    def _if(self, statement: ir.If) -> None:
        test = self.operand(statement.test, BOOL)
        blocks = self.label("then"), self.label("else")
        end = self.label("end") if statement.otherwise else blocks[1]
        self.branch(test, *blocks)
        before, edges = self.env, list[Edge]()
        here = self.block
        if not statement.otherwise:
            edges.append((here, before))
        bodies = [statement.then, *([statement.otherwise] if statement.otherwise else [])]
        for block, body in zip(blocks, bodies, strict=False):
            mark, self.env = self.mark(), before.copy()
            self.start(block)
            self.statements(body)
            if self.is_open:
                edges.append((self.block, self.env))
                self.jump(end)
            self.forget(mark)
        names = self._names_in(statement.then) | self._names_in(statement.otherwise)
        self._meet(end, edges, names)

    def _meet(self, block: str, edges: list[Edge], names: frozenset[str]) -> None:
        """Continue where several blocks meet, some of which may have assigned the names."""
        if not edges:
            return
        self.start(block)
        self.env = edges[0][1] if len(edges) == 1 else edges[0][1].copy()
        if len(edges) > 1:
            for name in sorted(names):
                self._unite(name, edges)

    def _unite(self, name: str, edges: list[Edge]) -> None:
        variants = [env.get(name) for _, env in edges]
        first = next((local for local in variants if local is not None), None)
        if first is None:
            return
        operands = [local.operand if local is not None else "poison" for local in variants]
        if operands.count(operands[0]) == len(operands):
            return
        pairs = [(operand, block) for operand, (block, _) in zip(operands, edges, strict=True)]
        self.set(name, self.phi(type_text(first.type), pairs), first.type)

    def _names_in(self, body: ir.Body) -> frozenset[str]:
        """The locals that a body assigns."""
        key = id(body)
        if key not in self._assigned:
            names: set[str] = set()
            for statement in body:
                names |= {target.name for target in ir.targets_of(statement)}
                for block in ir.blocks_of(statement):
                    names |= self._names_in(block)
            self._assigned[key] = frozenset(names)
        return self._assigned[key]

    # --- loops -------------------------------------------------------------------------------

    def _while(self, statement: ir.While) -> None:
        head = self.label("head")
        loop = Loop(self.label("done"), head)
        names = self._names_in(statement.body)
        mark, patch = self._begin(head, names)
        if statement.test is not TRUE:
            test, inside = self.operand(statement.test, BOOL), self.label("loop")
            loop.leaving.append((self.block, self.env.copy()))
            self.branch(test, inside, loop.end)
            self.start(inside)
        self._round(loop, statement.body)
        if self.is_open:
            loop.going_on.append((self.block, self.env))
            self.jump(head)
        self._finish(loop, names, mark, lambda: patch(loop.going_on))

    def _begin(self, head: str, names: frozenset[str]) -> tuple[int, Callable[[list[Edge]], None]]:
        """Enter the head of a loop; return a function that fills in the `phi`s once the body is
        known.
        """
        before, entered, self._has_loops = self.block, self.env, True
        self.jump(head)
        self.start(head)
        self.rows_change()
        self.env = entered.copy()
        holes: list[tuple[int, str, Local]] = []
        for name in sorted(names & entered.keys()):
            local = entered[name]
            self.set(name, self.fresh(), local.type)
            holes.append((len(self.lines), name, self.env[name]))
            self.lines.append("")

        def patch(edges: list[Edge]) -> None:
            for place, name, local in holes:
                pairs = [(entered[name].operand, before)]
                pairs += [(env[name].operand, block) for block, env in edges]
                shown = ", ".join(f"[{operand}, %{block}]" for operand, block in pairs)
                self.lines[place] = f"  {local.operand} = phi {type_text(local.type)} {shown}"

        return self.mark(), patch

    def _round(self, loop: Loop, body: ir.Body) -> None:
        self._loops.append(loop)
        self.statements(body)
        self._loops.pop()

    def _finish(
        self, loop: Loop, names: frozenset[str], mark: int, patch: Callable[[], None]
    ) -> None:
        """Continue behind a loop."""
        patch()
        self.forget(mark)
        self.is_open = False
        self._meet(loop.end, loop.leaving, names)

    def _for(self, statement: ir.For) -> None:
        low, high = self.operand(statement.low, INT), self.operand(statement.high, INT)

        def give(number: str) -> None:
            self.set(statement.target.name, number, statement.target.type)

        self._counted(low, high, give, statement.body, {statement.target.name})

    def _for_entries(self, statement: ir.ForEntries) -> None:
        table = self.globals.table(statement.entries, 64)

        def give(number: str) -> None:
            target, entry = statement.target, self.entry_of(table, number, INT)
            self.set(target.name, self.converted(entry, INT, target.type), target.type)

        count = str(len(statement.entries))
        self._counted("0", count, give, statement.body, {statement.target.name})

    def _counted(
        self,
        low: str,
        high: str,
        give: Callable[[str], None],
        body: ir.Body,
        targets: set[str],
    ) -> None:
        head, inside, latch = self.label("head"), self.label("loop"), self.label("latch")
        loop = Loop(self.label("done"), latch)
        before, names = self.block, self._names_in(body) | targets
        mark, patch = self._begin(head, names)
        number, following, hole = self.fresh(), self.fresh(), len(self.lines)
        self.lines.append(f"  {number} = phi i64 [{low}, %{before}], [{following}, %{latch}]")
        test = self.emit(f"icmp slt i64 {number}, {high}")
        loop.leaving.append((self.block, self.env.copy()))
        self.branch(test, inside, loop.end)
        self.start(inside)
        give(number)
        self._round(loop, body)
        if self.is_open:
            loop.going_on.append((self.block, self.env))
            self.jump(latch)
        back: list[Edge] = []
        if loop.going_on:
            self._meet(latch, loop.going_on, names)
            self.lines.append(f"  {following} = add nsw i64 {number}, 1")
            self.jump(head)
            back.append((latch, self.env))
        else:
            self.lines[hole] = f"  {number} = phi i64 [{low}, %{before}]"
        self._finish(loop, names, mark, lambda: patch(back))

    def _break(self, _: ir.Break) -> None:
        loop = self._loops[-1]
        loop.leaving.append((self.block, self.env))
        self.jump(loop.end)

    def _continue(self, _: ir.Continue) -> None:
        loop = self._loops[-1]
        loop.going_on.append((self.block, self.env))
        self.jump(loop.next)


WRITE: dict[type, Callable[[Body, Any], None]] = {
    ir.Assign: Body._assign,
    ir.AssignAll: Body._assign_all,
    ir.Store: Body._store,
    ir.Evaluate: Body._evaluate,
    ir.Fault: Body._fault,
    ir.If: Body._if,
    ir.While: Body._while,
    ir.For: Body._for,
    ir.ForEntries: Body._for_entries,
    ir.Break: Body._break,
    ir.Continue: Body._continue,
    ir.Return: Body._return,
    ir.Comment: lambda _, comment: None,
}
