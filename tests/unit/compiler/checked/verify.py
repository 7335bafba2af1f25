"""What must hold of every module, between all passes: tests ask here, nobody else has to.

In: a module. Out: nothing, or `MalformedError` with the function and the value. Checked: types of
operands, that names have one machine type, that every local is assigned before or given, that a
complement or a negated set stands under an `&` with something that is neither, and that functions
end. Fields of a state count as given: until they are packed, locals of functions with fields are
not told from them.
"""

from __future__ import annotations

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import BOOL, MANY, STATE, Op, Type, Value
from gamedsl.compiler.printers.dump import dump_function
from tests.unit.compiler.checked.assigned import read_too_early

TRUTHS = frozenset({Op.NOT, Op.ALL, Op.ANY})
NUMBERS = frozenset(
    {
        Op.AND, Op.OR, Op.XOR, Op.COMPLEMENT, Op.SHL, Op.SHR, Op.ADD, Op.SUB, Op.MUL, Op.FLOORDIV,
        Op.MOD, Op.NEGATE, Op.ABS, Op.MIN, Op.MAX, Op.LOWEST, Op.HIGHEST, Op.COUNT, Op.LT, Op.LE,
    }
)  # fmt: skip
NAMED = frozenset({Op.NAME, Op.BIND})
OPEN = frozenset({Op.COMPLEMENT, Op.NEGATE})
"""Of a set: integers that may be negative."""


class MalformedError(AssertionError):
    """A pass has made something that no printer can print: a mistake of ours."""


def verify(module: ir.Module) -> None:
    """Raises MalformedError."""
    for function in module.functions.values():
        try:
            _verify_function(function)
        except MalformedError as error:
            raise MalformedError(f"{error} in\n{dump_function(function)}") from None


def _verify_function(function: ir.Function) -> None:
    kinds: dict[str, Type] = {}
    for statement in ir.walk(function.body):
        for value in (*ir.values_of(statement), *ir.targets_of(statement)):
            for part in ir.parts(value):
                if part.op in NAMED:
                    known = kinds.setdefault(part.name, part.type)
                    _demand(_machine(known) == _machine(part.type), part, "has two types")
        for value in ir.values_of(statement):
            for part in ir.parts(value):
                _verify_value(part)
            _demand(not _is_open(value), value, "may be negative")
        if isinstance(statement, ir.If | ir.While):
            _demand(statement.test.type is BOOL, statement.test, "is tested: no truth value")
        if isinstance(statement, ir.Assign):
            is_same = _machine(statement.target.type) == _machine(statement.value.type)
            _demand(is_same, statement.value, "has another type than its name")
    early = None if _has_fields(function) else read_too_early(function)
    if early is not None:
        raise MalformedError(f"`{early!r}` is read before it is assigned")
    if not _ends(function.body):
        raise MalformedError("some way through it gives nothing back")


def _has_fields(function: ir.Function) -> bool:
    gives_state = any(isinstance(one, ir.ReturnState) for one in ir.walk(function.body))
    return function.takes_state or gives_state


def _verify_value(value: Value) -> None:
    if value.op in TRUTHS:
        _demand(all(one.type is BOOL for one in value.args), value, "of what is no truth value")
    if value.op in NUMBERS:
        is_whole = all(one.type.kind in {"int", "bits"} for one in value.args)
        _demand(is_whole, value, "of what is no number")
    if value.op in {Op.SELECT, Op.GUARD}:
        _demand(value.args[0].type is BOOL, value, "by what is no truth value")
    if value.op is Op.SELECT:
        _demand(_machine(value.args[1].type) == _machine(value.args[2].type), value, "of two types")
    if value.op in {Op.EQ, Op.NE}:
        _demand(_machine(value.args[0].type) == _machine(value.args[1].type), value, "of two types")
    if value.op is Op.AND and value.type.kind == "bits":
        _demand(not all(_is_open(one) for one in value.args), value, "may be negative")
    elif value.op not in {Op.AND, Op.COMPLEMENT, Op.NEGATE}:
        _demand(not any(_is_open(one) for one in value.args), value, "of a negative set")


def _is_open(value: Value) -> bool:
    return value.op in OPEN and value.type.kind == "bits"


def _machine(kind: Type) -> tuple[str, int]:
    """The type of the machine: a word for numbers and for sets that fit."""
    if kind in {MANY, STATE} or kind.kind in {"bool", "row"}:
        return kind.kind, 0
    return "word", -(-kind.width // 64)


def _ends(body: ir.Body) -> bool:
    for statement in body:
        match statement:
            case ir.Return() | ir.ReturnState() | ir.Fault():
                return True
            case ir.If(_, then, otherwise) if _ends(then) and _ends(otherwise):
                return True
            case ir.While(test) if test.is_const and test.const:
                return True
    return False


def _demand(holds: bool, value: Value, message: str) -> None:
    """The value is written down only if it does not hold: that takes longer than the question."""
    if not holds:
        raise MalformedError(f"`{value!r}` {message}")
