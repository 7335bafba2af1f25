"""Native code for boards of more squares than a word has bits: integers as wide as needed.

In: the width of the widest set of squares. Out: text that follows the native prelude and makes
`ONE`, `ZERO`, `big`, `table`, `lowest`, `highest`, `count_bits`, `narrow`, `limb`, `wide` work on
LLVM integers of that many bits, next to the words of 64 bits that everything else is held in.
"""

from __future__ import annotations

from gamedsl.compiler.layout import WORD


def bits_of(widest: int) -> int:
    """The width of wide integers: whole words."""
    return -(-widest // WORD) * WORD


def wide_prelude(widest: int) -> str:
    """The text."""
    return f"BITS = {bits_of(widest)}\n\n{TEXT}"


TEXT = """\
import operator

from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model, typeof_impl


class Wide(types.Type):
    def __init__(self):
        super().__init__(name=f"Wide{BITS}")

    def can_convert_from(self, context, other):
        if isinstance(other, types.Integer | types.Boolean):
            return Conversion.safe
        return None


class Masks(types.Type):
    def __init__(self, count):
        self.count = count
        super().__init__(name=f"Masks{BITS}x{count}")


WIDE = Wide()
INT = ir.IntType(BITS)


@register_model(Wide)
class WideModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, INT)


@register_model(Masks)
class MasksModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.ArrayType(INT, kind.count).as_pointer())


class Number:
    def __init__(self, value):
        self.value = value


class Table:
    def __init__(self, values):
        self.values = values


@typeof_impl.register(Number)
def type_of_number(value, context):
    return WIDE


@typeof_impl.register(Table)
def type_of_table(value, context):
    return Masks(len(value.values))


@lower_constant(Wide)
def constant_number(context, builder, kind, value):
    return ir.Constant(INT, value.value)


@lower_constant(Masks)
def constant_table(context, builder, kind, value):
    rows = [ir.Constant(INT, row) for row in value.values]
    content = ir.Constant(ir.ArrayType(INT, kind.count), rows)
    return cgutils.global_constant(builder, "masks", content)


def is_number(kind):
    return isinstance(kind, Wide | types.Integer | types.Boolean)


def operation(names, result, build):
    class Template(AbstractTemplate):
        def generic(self, arguments, keywords):
            some = any(isinstance(kind, Wide) for kind in arguments)
            if some and len(arguments) == 2 and all(map(is_number, arguments)):
                return signature(result, WIDE, WIDE)
            return None

    def lowered(context, builder, signature, arguments):
        return build(builder, *arguments)

    for name in names:
        infer_global(name)(type("Template", (Template,), {}))
        lower_builtin(name, Wide, Wide)(lowered)


operation((operator.and_, operator.iand), WIDE, lambda b, x, y: b.and_(x, y))
operation((operator.or_, operator.ior), WIDE, lambda b, x, y: b.or_(x, y))
operation((operator.xor, operator.ixor), WIDE, lambda b, x, y: b.xor(x, y))
operation((operator.add, operator.iadd), WIDE, lambda b, x, y: b.add(x, y))
operation((operator.sub, operator.isub), WIDE, lambda b, x, y: b.sub(x, y))
operation((operator.mul, operator.imul), WIDE, lambda b, x, y: b.mul(x, y))
operation((operator.lshift, operator.ilshift), WIDE, lambda b, x, y: b.shl(x, y))
operation((operator.rshift, operator.irshift), WIDE, lambda b, x, y: b.ashr(x, y))
for sign, name in (
    ("==", operator.eq),
    ("!=", operator.ne),
    ("<", operator.lt),
    ("<=", operator.le),
    (">", operator.gt),
    (">=", operator.ge),
):
    operation((name,), types.boolean, lambda b, x, y, sign=sign: b.icmp_signed(sign, x, y))


@infer_global(operator.invert)
class Invert(AbstractTemplate):
    def generic(self, arguments, keywords):
        return signature(WIDE, WIDE) if isinstance(arguments[0], Wide) else None


@lower_builtin(operator.invert, Wide)
def inverted(context, builder, signature, arguments):
    return builder.not_(arguments[0])


@infer_global(operator.neg)
class Negative(AbstractTemplate):
    def generic(self, arguments, keywords):
        return signature(WIDE, WIDE) if isinstance(arguments[0], Wide) else None


@lower_builtin(operator.neg, Wide)
def negative(context, builder, signature, arguments):
    return builder.neg(arguments[0])


@infer_global(operator.getitem)
class Item(AbstractTemplate):
    def generic(self, arguments, keywords):
        row, place = arguments
        if isinstance(row, Masks) and is_number(place):
            return signature(WIDE, row, types.intp)
        if isinstance(row, types.Array) and isinstance(place, Wide):
            return signature(row.dtype, row, types.intp)
        return None


@lower_builtin(operator.getitem, Masks, types.intp)
def item(context, builder, signature, arguments):
    row, place = arguments
    zero = ir.Constant(ir.IntType(32), 0)
    return builder.load(builder.gep(row, [zero, place]))


@lower_cast(types.Integer, Wide)
def widened(context, builder, kind, to, value):
    return builder.sext(value, INT)


@lower_cast(types.Boolean, Wide)
def truth_widened(context, builder, kind, to, value):
    return builder.zext(value, INT)


@lower_cast(Wide, types.Integer)
def narrowed(context, builder, kind, to, value):
    return builder.trunc(value, context.get_value_type(to))


@lower_cast(Wide, types.Boolean)
def truth(context, builder, kind, to, value):
    return builder.icmp_signed("!=", value, ir.Constant(INT, 0))


@intrinsic
def limb(typing_context, value, number):
    def build(context, builder, signature, arguments):
        if not isinstance(value, Wide):
            return arguments[0]
        places = builder.mul(builder.zext(arguments[1], INT), ir.Constant(INT, 64))
        return builder.trunc(builder.lshr(arguments[0], places), ir.IntType(64))

    return types.int64(value, types.int64), build


@intrinsic
def extended(typing_context, value):
    def build(context, builder, signature, arguments):
        return builder.zext(arguments[0], INT)

    return WIDE(types.int64), build


@compiled
def narrow(value):
    return limb(value, 0)


@compiled
def wide(row, place):
    value = ZERO
    for number in range(BITS // 64):
        value = value | (extended(row[place + number]) << 64 * number)
    return value


ONE = Number(1)
ZERO = Number(0)


def big(value):
    return Number(value)


def table(values):
    if any(value >> 63 > 0 for value in values):
        return Table(values)
    return np.array(values, dtype=np.int64)


def counting(build):
    @intrinsic
    def found(typing_context, bits):
        def lowered(context, builder, signature, arguments):
            value = arguments[0] if isinstance(bits, Wide) else builder.sext(arguments[0], INT)
            return builder.trunc(build(builder, value), ir.IntType(64))

        return types.int64(bits), lowered

    return found


FALSE = ir.Constant(ir.IntType(1), 1)
lowest = counting(lambda b, value: b.cttz(value, FALSE))
count_bits = counting(lambda b, value: b.ctpop(value))
highest = counting(
    lambda b, value: b.sub(ir.Constant(INT, BITS - 1), b.ctlz(value, FALSE))
)
"""
