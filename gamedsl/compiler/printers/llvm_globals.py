"""Globals shared by the LLVM functions of a module: tables, declarations, helper functions.

Globals are collected while functions are printed. Equal tables are shared; a table has the
narrowest integers that hold its entries.
"""

from __future__ import annotations

from gamedsl.compiler.ir.wrapping import signed
from gamedsl.compiler.layout import WORD
from gamedsl.compiler.printers.llvm_entry import NOTE
from gamedsl.source.records import dataclass

FAULT = f"""\
declare void @{NOTE}(i64, i64, i64) nounwind willreturn memory(inaccessiblemem: readwrite)

define internal void @gamedsl.fault(i64 %site, i64 %found, i64 %place) #2 {{
  call void @{NOTE}(i64 %site, i64 %found, i64 %place)
  ret void
}}
"""
MIXED = """\
define internal i64 @gamedsl.mixed(i64 %stream, i64 %position) #1 {
  %step = mul i64 %position, -7046029254386353131
  %a = add i64 %stream, %step
  %b = lshr i64 %a, 30
  %c = xor i64 %a, %b
  %d = mul i64 %c, -4658895280553007687
  %e = lshr i64 %d, 27
  %f = xor i64 %d, %e
  %g = mul i64 %f, -7723592293110705685
  %h = lshr i64 %g, 31
  %i = xor i64 %g, %h
  %j = lshr i64 %i, 33
  ret i64 %j
}
"""
NTH_BIT = """\
define internal i64 @gamedsl.nth_bit.i64(i64 %bits, i64 %number) #1 {
entry:
  br label %head
head:
  %set = phi i64 [%bits, %entry], [%rest, %loop]
  %left = phi i64 [%number, %entry], [%less, %loop]
  %some = icmp sgt i64 %left, 0
  br i1 %some, label %loop, label %done
loop:
  %low = add i64 %set, -1
  %rest = and i64 %set, %low
  %less = add i64 %left, -1
  br label %head
done:
  %place = call i64 @llvm.cttz.i64(i64 %set, i1 true)
  ret i64 %place
}
"""
DEPOSITING = "declare i64 @llvm.x86.bmi.pdep.64(i64, i64)"
DEPOSITED_BIT = """\
define internal i64 @gamedsl.nth_bit.i64(i64 %bits, i64 %number) #1 {
  %one = shl i64 1, %number
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %bits)
  %place = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  ret i64 %place
}
"""
DEPOSIT = """\
define internal i64 @gamedsl.deposit(i64 %bits, i64 %mask) #1 {
entry:
  br label %head
head:
  %left = phi i64 [%mask, %entry], [%rest, %loop]
  %from = phi i64 [%bits, %entry], [%next, %loop]
  %out = phi i64 [0, %entry], [%more, %loop]
  %some = icmp ne i64 %left, 0
  br i1 %some, label %loop, label %done
loop:
  %negative = sub i64 0, %left
  %lowest = and i64 %left, %negative
  %one = and i64 %from, 1
  %all = sub i64 0, %one
  %bit = and i64 %lowest, %all
  %more = or i64 %out, %bit
  %rest = xor i64 %left, %lowest
  %next = lshr i64 %from, 1
  br label %head
done:
  ret i64 %out
}
"""
ATTRIBUTES = """\
attributes #0 = { nounwind willreturn mustprogress nofree nosync }
attributes #1 = { alwaysinline nounwind willreturn mustprogress nofree nosync }
attributes #2 = { cold noinline nounwind willreturn mustprogress }
!0 = !{!"branch_weights", i32 1, i32 2000}
!1 = !{!"branch_weights", i32 2000, i32 1}
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name in LLVM text, the bits of an entry, and whether entries have a sign."""

    name: str
    bits: int
    is_signed: bool


class Globals:
    """The globals requested by the functions of a module."""

    def __init__(self, *, can_deposit: bool = False) -> None:
        """`can_deposit`: the processor has an instruction for the nth bit."""
        self._can_deposit = can_deposit
        self._texts: dict[str, str] = {}
        self._tables: dict[tuple[tuple[int, ...], int], Table] = {}

    @property
    def text(self) -> str:
        """The text of all globals."""
        return "\n".join([FAULT, *self._texts.values(), ATTRIBUTES])

    def declare(self, key: str, text: str) -> None:
        """Add a declaration, unless present."""
        self._texts.setdefault(key, text)

    def need(self, name: str) -> None:
        """Add a helper function."""
        self.declare(name, {"mixed": MIXED}[name])

    def need_nth_bit(self, width: int) -> None:
        """Add `nth_bit` for sets of `width` bits."""
        if self._can_deposit:
            self.declare("pdep", DEPOSITING)
        self.declare("llvm.cttz.i64", "declare i64 @llvm.cttz.i64(i64, i1)")
        self.declare("nth_bit.i64", DEPOSITED_BIT if self._can_deposit else NTH_BIT)
        if width > WORD:
            self.declare("llvm.ctpop.i64", "declare i64 @llvm.ctpop.i64(i64)")
            self.declare(f"nth_bit.i{width}", _wide_nth_bit(width))

    def need_deposit(self) -> str:
        """Add `deposit`; its name."""
        if self._can_deposit:
            self.declare("pdep", DEPOSITING)
            return "@llvm.x86.bmi.pdep.64"
        self.declare("deposit", DEPOSIT)
        return "@gamedsl.deposit"

    def table(self, entries: tuple[int, ...], width: int) -> Table:
        """A table whose entries are used as integers of a width."""
        key = entries, width
        if key not in self._tables:
            self._tables[key] = self._new_table(entries, width)
        return self._tables[key]

    def _new_table(self, entries: tuple[int, ...], width: int) -> Table:
        low, high = min(entries, default=0), max(entries, default=0)
        is_signed = low < 0
        needed = max(high.bit_length(), (-low - 1).bit_length()) + is_signed
        bits = next((size for size in (8, 16, 32, 64) if needed <= size), width)
        bits = min(bits, width)
        shown = ", ".join(f"i{bits} {signed(entry, bits)}" for entry in entries)
        name = f"@table.{len(self._tables)}"
        kind = f"[{len(entries)} x i{bits}]"
        self.declare(name, f"{name} = private unnamed_addr constant {kind} [{shown}]")
        return Table(name, bits, is_signed)


def _wide_nth_bit(width: int) -> str:
    """`nth_bit` of a set of several words, without a branch to the word of the bit."""
    type_name, last = f"i{width}", width // WORD - 1
    lines = [
        f"define internal i64 @gamedsl.nth_bit.{type_name}({type_name} %bits, i64 %number) #1 {{"
    ]
    chosen, left, base = "%w0", "%number", "0"
    for n in range(last + 1):
        lines += [
            f"  %s{n} = lshr {type_name} %bits, {WORD * n}",
            f"  %w{n} = trunc {type_name} %s{n} to i64",
        ]
    below = "0"
    for n in range(last):
        lines += [
            f"  %c{n} = call i64 @llvm.ctpop.i64(i64 %w{n})",
            f"  %b{n} = add i64 {below}, %c{n}",
            f"  %is{n} = icmp sge i64 %number, %b{n}",
            f"  %l{n} = sub i64 %number, %b{n}",
            f"  %left{n} = select i1 %is{n}, i64 %l{n}, i64 {left}",
            f"  %in{n} = select i1 %is{n}, i64 %w{n + 1}, i64 {chosen}",
            f"  %base{n} = select i1 %is{n}, i64 {WORD * (n + 1)}, i64 {base}",
        ]
        below, left, chosen, base = f"%b{n}", f"%left{n}", f"%in{n}", f"%base{n}"
    return "\n".join(
        [
            *lines,
            f"  %place = call i64 @gamedsl.nth_bit.i64(i64 {chosen}, i64 {left})",
            f"  %found = add i64 {base}, %place",
            "  ret i64 %found",
            "}\n",
        ]
    )
