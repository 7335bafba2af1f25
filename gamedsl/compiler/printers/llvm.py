"""Functions of the intermediate representation as a module of LLVM assembly.

The functions are packed. The entry is a C function `int32 entry(int64 *result, ...)` that returns
0, or `FAILED` after a call of `NOTE`. All other functions return their results by value, followed
by a failure flag if the function can fail.
"""

from __future__ import annotations

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import BOOL, INT, ROW, WORD, Type
from gamedsl.compiler.printers.llvm_bodies import Body
from gamedsl.compiler.printers.llvm_effects import Callees
from gamedsl.compiler.printers.llvm_entry import ENTRY, FAILED
from gamedsl.compiler.printers.llvm_globals import Globals
from gamedsl.compiler.printers.llvm_types import (
    CONVENTION,
    function_text,
    result_text,
    type_text,
    width_of,
)

Kinds = tuple[str, ...]
"""For each argument of an entry: `integer`, `array`, or the numbers in a tuple, of which a wide set
takes several."""


def print_llvm(
    functions: dict[str, ir.Function], entry: str, kinds: Kinds, *, can_deposit: bool = False
) -> str:
    """A module whose entry calls one function; uncalled functions are left out.

    Args:
        functions: by name, in any order.
        entry: the function that is called.
        kinds: how its arguments are passed; a row is followed by its length.
        can_deposit: see `object_code.can_deposit`.
    """
    needed = {name: functions[name] for name in _reached(functions, entry)}
    callees, globals_ = Callees(needed), Globals(can_deposit=can_deposit)
    texts = [
        Body(function, callees, globals_).text("#1" if callees.is_small(name) else "#0")
        for name, function in needed.items()
    ]
    return "\n".join([globals_.text, *texts, _entry(callees, entry, kinds)])


def _reached(functions: dict[str, ir.Function], entry: str) -> list[str]:
    """The functions reachable from a function, including the function itself."""
    from gamedsl.compiler.ir.signatures import callees

    reached, pending = {entry: None}, [entry]
    while pending:
        for value in callees(functions[pending.pop()]):
            if value.name not in reached:
                reached[value.name] = None
                pending.append(value.name)
    return list(reached)


def _entry(callees: Callees, name: str, kinds: Kinds) -> str:
    signature, fails = callees.signature(name), callees.fails(name)
    parameters, lines, passed = ["ptr %result"], list[str](), list[str]()
    wanted = iter(signature.parameters)
    for number, kind in enumerate(kinds):
        register = f"%a{number}"
        if kind in {"integer", "array"}:
            parameters.append(f"{type_text(INT if kind == 'integer' else ROW)} {register}")
            passed.append(f"{type_text(next(wanted))} {register}")
        if kind == "array":
            parameters.append(f"i64 {register}.length")
            passed.append(f"{type_text(next(wanted))} {register}.length")
        if kind.isdigit():
            parameters.append(f"ptr {register}")
            place = 0
            while place < int(kind):
                of, word = next(wanted), f"{register}.{place}"
                lines.append(
                    f"  {word}.at = getelementptr inbounds i64, ptr {register}, i64 {place}"
                )
                lines.append(f"  {word} = load {type_text(of)}, ptr {word}.at, align 8")
                passed.append(f"{type_text(of)} {word}")
                place += width_of(of) // WORD
    arguments = ", ".join(passed)
    gives = result_text(signature.results, fails)
    lines.append(f"  %found = call {CONVENTION} {gives} {function_text(name)}({arguments})")
    lines += _handed_over(signature.results[0], gives, fails)
    return "\n".join([f"define i32 @{ENTRY}({', '.join(parameters)}) nounwind {{", *lines, "}\n"])


def _handed_over(kind: Type, gives: str, fails: bool) -> list[str]:
    lines, number = [], "%found"
    if fails:
        lines.append(f"  %number = extractvalue {gives} %found, 0")
        number = "%number"
    if kind is BOOL:
        lines.append(f"  %word = zext i1 {number} to i64")
        number = "%word"
    lines.append(f"  store i64 {number}, ptr %result, align 8")
    if not fails:
        return [*lines, "  ret i32 0"]
    return [
        *lines,
        f"  %failed = extractvalue {gives} %found, 1",
        f"  %status = select i1 %failed, i32 {FAILED}, i32 0",
        "  ret i32 %status",
    ]
