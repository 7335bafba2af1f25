"""Fixed pieces of work, by which the speed of a machine is taken out of a job's time.

Nothing of gamedsl runs here: one loop in Python, and two in machine code that LLVM makes of a text
of its own language, one for the processor and its nearest caches, one for memory.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64
from functools import cache

import llvmlite.binding as llvm

NEAR, FAR = 15, 23
"""Binary logarithms of the numbers of a table in the nearest cache, and of one in memory."""
STEPS = {NEAR: 4_000_000, FAR: 1_000_000}
ROUNDS = 60_000

WALK = """
define i64 @walk{bits}(i64 %steps) {{
start:
  br label %fill
fill:
  %i = phi i64 [0, %start], [%i1, %fill]
  %mixed = mul i64 %i, 6364136223846793005
  %to = getelementptr [{size} x i64], [{size} x i64]* @table{bits}, i64 0, i64 %i
  store i64 %mixed, i64* %to
  %i1 = add i64 %i, 1
  %fills = icmp ult i64 %i1, {size}
  br i1 %fills, label %fill, label %loop
loop:
  %n = phi i64 [0, %fill], [%next, %join]
  %x = phi i64 [88172645463325252, %fill], [%x3, %join]
  %sum = phi i64 [0, %fill], [%sum1, %join]
  %s1 = shl i64 %x, 13
  %x1 = xor i64 %x, %s1
  %s2 = lshr i64 %x1, 7
  %x2 = xor i64 %x1, %s2
  %s3 = shl i64 %x2, 17
  %x3 = xor i64 %x2, %s3
  %at = lshr i64 %x3, {shift}
  %place = getelementptr [{size} x i64], [{size} x i64]* @table{bits}, i64 0, i64 %at
  %held = load i64, i64* %place
  %is_small = icmp ult i64 %held, %x3
  br i1 %is_small, label %write, label %join
write:
  store i64 %x3, i64* %place
  br label %join
join:
  %sum1 = add i64 %sum, %held
  %next = add i64 %n, 1
  %goes_on = icmp ult i64 %next, %steps
  br i1 %goes_on, label %loop, label %end
end:
  ret i64 %sum1
}}
@table{bits} = internal global [{size} x i64] zeroinitializer
"""


def in_python() -> int:
    """Objects made, looked up and thrown away."""
    seen: dict[tuple[int, int], int] = {}
    for number in range(ROUNDS):
        key = number * 7919 % 1009, number * 104729 % 31
        seen[key] = seen.get(key, 0) + number
    return sum(seen.values())


def in_cache() -> int:
    """Arithmetic and branches over a table in the nearest cache."""
    return _walk(NEAR)


def in_memory() -> int:
    """A walk at random over a table that no cache holds."""
    return _walk(FAR)


REFERENCES: dict[str, Callable[[], int]] = {
    "python": in_python,
    "cache": in_cache,
    "memory": in_memory,
}


def _walk(bits: int) -> int:
    _, functions = _compiled()
    return functions[bits](STEPS[bits])


@cache
def _compiled() -> tuple[object, dict[int, Callable[[int], int]]]:
    """The engine that holds the code, and the functions by the size of their table."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text = "".join(WALK.format(bits=b, size=1 << b, shift=64 - b) for b in (NEAR, FAR))
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    kind = CFUNCTYPE(c_int64, c_int64)
    return engine, {b: kind(engine.get_function_address(f"walk{b}")) for b in (NEAR, FAR)}
