"""The intermediate representation as machine code."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from gamedsl.compiler.faults import Fault
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.builder import FunctionBuilder
from gamedsl.compiler.ir.spreading import Spread
from gamedsl.compiler.ir.values import (
    INT,
    MANY,
    ROW,
    WORD,
    Value,
    bits,
    call,
    count,
    guard,
    highest,
    integer,
    load,
    lookup,
    lowest,
    name,
    number,
    select,
)
from gamedsl.compiler.ir.wrapping import signed, unsigned
from gamedsl.compiler.object_code import can_deposit
from gamedsl.compiler.prelude import PYTHON
from gamedsl.compiler.printers.llvm import print_llvm
from gamedsl.compiler.printers.llvm_bodies import LARGE
from gamedsl.compiler.python_code import run_source
from tests.unit.compiler.compiling import compiled, linked

pytest.importorskip("llvmlite")

WIDE = 192
LIMBS = 3
SETS = some.integers(0, (1 << WIDE) - 1)
"""Sets of squares."""


LEFT, RIGHT = name("a", bits(WIDE)), name("b", bits(WIDE))
N, OUT, LENGTH = name("n", INT), name("out", ROW), name("length", INT)
ONE = number(1, bits(WIDE))


def wide_function(value: Value) -> ir.Function:
    """Writes a set made of two sets and a number."""
    f = FunctionBuilder("f", LEFT, RIGHT, OUT, LENGTH, N)
    result = f.local("c", value)
    for n in range(LIMBS):
        f.store(OUT, n, call("limb", (result, integer(n)), INT, can_fail=False))
    f.give(0)
    return f.function


OPERATIONS: dict[str, tuple[Value, Callable[[int, int, int], int]]] = {
    "&": (LEFT & RIGHT, lambda a, b, n: a & b),
    "|": (LEFT | RIGHT, lambda a, b, n: a | b),
    "^": (LEFT ^ RIGHT, lambda a, b, n: a ^ b),
    "& ~": (LEFT & ~RIGHT, lambda a, b, n: a & ~b),
    "+": (LEFT + RIGHT, lambda a, b, n: a + b),
    "-": (LEFT - RIGHT, lambda a, b, n: a - b),
    "*": (LEFT * RIGHT, lambda a, b, n: a * b),
    "<<": (LEFT << N, lambda a, b, n: a << n),
    ">>": (LEFT >> N, lambda a, b, n: a >> n),
    "& -": (LEFT & -LEFT, lambda a, b, n: a & -a),
    "larger": (select(LEFT.gt(RIGHT), LEFT, RIGHT), lambda a, b, n: max(a, b)),
    "1 <<": (ONE << N, lambda a, b, n: 1 << n),
    "number": ((ONE & 0) | count(LEFT), lambda a, b, n: a.bit_count()),
    "lowest": (ONE << lowest(LEFT | ONE << N), lambda a, b, n: (a | 1 << n) & -(a | 1 << n)),
    "highest": (
        ONE << highest(LEFT | ONE << N),
        lambda a, b, n: 1 << (a | 1 << n).bit_length() - 1,
    ),
}


@pytest.fixture(scope="module")
def operations() -> dict[str, Callable[..., int]]:
    kinds = (str(LIMBS), str(LIMBS), "array", "integer")
    return {title: linked(wide_function(value), *kinds) for title, (value, _) in OPERATIONS.items()}


@pytest.mark.parametrize("title", OPERATIONS)
@given(a=SETS, b=SETS, n=some.integers(0, WIDE - 1))
@settings(max_examples=60, deadline=None)
def test_wide_integers_are_those_of_python_cut_to_their_width(
    title: str, operations: dict[str, Callable[..., int]], a: int, b: int, n: int
) -> None:
    out = array("q", bytes(8 * LIMBS))
    operations[title](tuple(_words(a)), tuple(_words(b)), out, n)
    assert list(out) == _words(OPERATIONS[title][1](a, b, n) % (1 << WIDE))


def _words(value: int) -> list[int]:
    return [signed(value >> 64 * n) for n in range(LIMBS)]


@pytest.mark.parametrize("divisor", [*range(-9, 0), *range(1, 10), 64])
def test_division_is_that_of_python(divisor: int) -> None:
    text = f"BY = {divisor}\ndef known(n):\n    return n // BY * 1000 + n % BY\n"
    text += "def asked(n, by):\n    return n // by * 1000 + n % by\n"
    known, asked = compiled(text, "known", "integer"), compiled(text, "asked", "integer", "integer")
    for n in range(-130, 131):
        assert known(n) == asked(n, divisor) == n // divisor * 1000 + n % divisor


@given(a=some.integers(0, 2**64 - 1), n=some.integers(0, 63))
@settings(deadline=None)
def test_sets_are_shifted_without_a_sign_and_numbers_with_it(a: int, n: int) -> None:
    shifts = _shifts()
    assert unsigned(shifts[0](signed(a), n)) == a >> n
    assert shifts[1](signed(a), n) == signed(a) >> n


def _shifts(found: list[object] = []) -> list[object]:  # noqa: B006 (compiled once)
    if not found:
        for kind in (bits(64), INT):
            a, n = name("a", kind), name("n", INT)
            found.append(linked(ir.Function("f", (a, n), (ir.Return((a >> n,)),)), *KINDS))
    return found


KINDS = ("integer", "integer")
A = name("a", INT)


def test_a_guard_says_its_three_numbers_and_nothing_behind_it_is_done() -> None:
    test = guard(A.lt(10), A + 1, 6, A, N)
    body = (ir.Assign(N, N + test), ir.Store(OUT, N, integer(0)), ir.Return((N,)))
    f, row = (
        linked(ir.Function("f", (A, N, OUT, LENGTH), body), *KINDS, "array"),
        array("q", [0]),
    )
    assert f(9, 100, row) == row[0] == 110
    with pytest.raises(Fault) as found:
        f(10, -7, row)
    assert found.value.args == (6, 10, -7)
    assert row[0] == 110


FAULTS = """
def check(n):
    if n % 7 == 0:
        fault(3, n, n + 1)
    return n

def down(n, times):
    if times == 0:
        return check(n)
    return down(n, times - 1) + 1
"""


def test_faults_come_through_all_calls_in_every_thread() -> None:
    down = compiled(FAULTS, "down", "integer", "integer")

    def told(number: int) -> object:
        try:
            return down(number, number % 50)
        except Fault as fault:
            return fault.args

    numbers = list(range(1000))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(told, numbers))
    assert found == [n + n % 50 if n % 7 else (3, n, n + 1) for n in numbers]


def test_a_shared_value_is_written_once() -> None:
    value: Value = A
    for _ in range(60):
        value = select(value.lt(N), value * value + N, value ^ (value + 5))
    text = print_llvm({"f": ir.Function("f", (A, N), (ir.Return((value,)),))}, "f", KINDS)
    assert text.count(" = mul ") == 60


@pytest.mark.parametrize(("count", "is_large"), [(LARGE // 10, False), (LARGE, True)])
def test_large_functions_alone_are_compiled_for_size(count: int, is_large: bool) -> None:
    body = (*(ir.Store(OUT, load(OUT, 0) + n, integer(0)) for n in range(count)), ir.Return((N,)))
    function = ir.Function("f", (OUT, LENGTH, N), body)
    kinds = ("array", "integer")
    assert ("optsize" in print_llvm({"f": function}, "f", kinds)) == is_large
    row = array("q", [1])
    assert linked(function, *kinds)(row, 7) == 7
    assert row[0] == 1 + count * (count - 1) // 2


def test_what_is_read_from_a_row_is_read_again_once_it_may_have_changed() -> None:
    first = load(OUT, 0)
    body = (
        ir.Assign(A, first),
        ir.Store(OUT, first + 1, integer(0)),
        ir.Return((A * 10 + first,)),
    )
    f = linked(ir.Function("f", (A, OUT, LENGTH), body), "integer", "array")
    assert f(0, array("q", [4])) == 45


def test_what_is_called_for_its_effect_is_called_each_time() -> None:
    more = ir.Store(OUT, load(OUT, 0) + 1, integer(0))
    step = ir.Function("step", (OUT,), (more, ir.Return((load(OUT, 0),))))
    asked = call("step", (OUT,), INT, can_fail=False)
    body = (ir.Evaluate(asked), ir.Evaluate(asked), ir.Return((asked,)))
    f, row = linked(ir.Function("f", (OUT, LENGTH), body), "array", step=step), array("q", [0])
    assert f(row) == row[0] == 3


def test_loops_go_on_and_are_left_where_they_say() -> None:
    text = """
    def f(row, most):
        total = 0
        for n in range(len(row)):
            if row[n] == 0:
                continue
            k = row[n]
            while True:
                k -= 1
                if k < 0:
                    break
                if total == most:
                    return n
                total += 1
        return -total
    """
    f = compiled(text, "f", "array", "integer")

    def plain(row: array[int], most: int) -> int:
        total = 0
        for n, k in enumerate(row):
            for _ in range(k):
                if total == most:
                    return n
                total += 1
        return -total

    rows = [array("q", one) for one in ([], [0], [1, 0, 2], [0, 3, 0, 3])]
    for row in rows:
        for most in range(8):
            assert f(row, most) == plain(row, most)


def test_entries_of_tables_keep_their_value_in_narrow_integers() -> None:
    tables = ([0, 255], [-1, 127], [-1, 128], [0, 65535], [-32769, 5], [2**62, -(2**63)])
    for entries in tables:
        f = linked(ir.Function("f", (A,), (ir.Return((lookup(tuple(entries), A),)),)), "integer")
        assert [f(0), f(1)] == entries
    for kind, entries in ((bits(64), (2**63, 1)), (bits(40), (2**40 - 1, 0))):
        f = linked(ir.Function("f", (A,), (ir.Return((lookup(entries, A, kind),)),)), "integer")
        assert tuple(map(unsigned, (f(0), f(1)))) == entries


def test_results_of_a_call_stand_among_those_of_its_caller() -> None:
    two = ir.Function("two", (A,), (ir.Return((A, A + 1)),))
    three = ir.Function("three", (A,), (ir.Return((call("two", (A,), MANY), A * 2)),))
    x, y, z = (name(one, INT) for one in "xyz")
    body = (
        ir.AssignAll((x, y, z), call("three", (A,), MANY)),
        ir.Return((x * 10000 + y * 100 + z,)),
    )
    f = linked(ir.Function("f", (A,), body), "integer", two=two, three=three)
    assert f(7) == 70814


def test_known_entries_are_gone_through_in_order() -> None:
    body = (
        ir.ForEntries(N, (3, -1, 40), (ir.Assign(A, A * 2 + N),)),
        ir.Return((A,)),
    )
    assert linked(ir.Function("f", (A,), body), "integer")(1) == ((1 * 2 + 3) * 2 - 1) * 2 + 40


def test_random_bits_are_those_of_the_python_prelude() -> None:
    from gamedsl.compiler.prelude import PYTHON

    names: dict[str, object] = {}
    exec(PYTHON, names)
    f = compiled("def f(a, n):\n    return mixed(a, n)\n", "f", *KINDS)
    for stream in (0, 1, 2**62, 12345678901):
        for place in range(20):
            assert f(stream, place) == names["mixed"](stream, place)  # type: ignore[operator]


ADDING = """
def add(row, times):
    for _ in range(times):
        while True:
            found = row[1]
            if exchange(row, 1, found, found + 1) == found:
                break
    return exchange(row, 0, 5, 6)
"""


def test_an_exchange_gives_what_stood_there_and_loses_nothing_between_threads() -> None:
    add, row = compiled(ADDING, "add", "array", "integer"), array("q", [5, 0])
    assert (add(row, 0), row[0], add(row, 0), row[0]) == (5, 6, 6, 6)
    with ThreadPoolExecutor(3) as pool:
        assert [*pool.map(lambda _: add(row, 50_000), range(3))] == [6, 6, 6]
    assert row[1] == 150_000


def test_what_was_read_before_an_exchange_is_not_taken_for_what_stands_there() -> None:
    text = "def f(row):\n    a = row[0]\n    b = exchange(row, 0, a, a + 1)\n"
    f = compiled(text + "    return row[0] * 100 + b * 10 + a\n", "f", "array")
    assert f(array("q", [3])) == 433


@pytest.mark.parametrize("can_deposit", {False, can_deposit()})
def test_the_nth_bit_is_found_in_narrow_and_wide_sets(can_deposit: bool) -> None:
    found = call("nth_bit", (LEFT, N), INT, can_fail=False)
    function = ir.Function("f", (LEFT, N), (ir.Return((found,)),))
    wide = linked(function, str(LIMBS), "integer", can_deposit=can_deposit)
    plain = compiled(
        "def f(a, n):\n    return nth_bit(a, n)\n", "f", *KINDS, can_deposit=can_deposit
    )
    assert [wide((9, -(2**63), 4), n) for n in range(4)] == [0, 3, 127, 130]
    assert [wide((0, 0, 5), n) for n in range(2)] == [128, 130]
    assert [plain(-(2**63) + 6, n) for n in range(3)] == [1, 2, 63]
    assert [plain(-1, n) for n in range(64)] == [*range(64)]


@pytest.mark.parametrize("can_deposit", {False, can_deposit()})
def test_bits_become_bytes_wherever_the_bytes_are(can_deposit: bool) -> None:
    places = {3: 0, 4: 1, 5: 5, 63: 6, 64: 7, 65: 8, 130: 16, 131: 23}
    spread = Spread(3)
    spread.add(LEFT, places)
    spread.add(N, {7: 22, 0: 21, 1: 20})
    stores = [ir.Store(OUT, word, integer(n)) for n, word in enumerate(spread.words())]
    f = ir.Function("f", (LEFT, N, OUT, LENGTH), (*stores, ir.Return((integer(0),))))
    write = linked(f, str(LIMBS), "integer", "array", can_deposit=can_deposit)
    for bit, byte in places.items():
        limbs = [signed((1 << bit) >> WORD * n & (1 << WORD) - 1) for n in range(LIMBS)]
        out = array("q", [7, 7, 7])
        write(tuple(limbs), 0b10000010, out)
        assert {n: value for n, value in enumerate(out.tobytes()) if value} == {
            byte: 1,
            20: 1,
            22: 1,
        }


def test_a_row_without_its_first_numbers_is_the_same_memory() -> None:
    text = """
    def put(row, n):
        row[0] = row[1] + n
        return len(row)

    def f(row, n):
        part = tail(row, n)
        part[1] = 5
        return put(part, n)
    """
    for f in (compiled(text, "f", "array", "integer"), run_source(PYTHON + dedent(text))["f"]):
        row = array("q", [1, 2, 3, 4])
        assert f(row, 2) == 2
        assert [*row] == [1, 2, 7, 5]


def test_a_sum_may_have_any_number_of_terms() -> None:
    total: Value = A
    for n in range(800):
        total = total + (N ^ n)
    f = linked(ir.Function("f", (A, N), (ir.Return((total,)),)), *KINDS)
    assert f(5, 9) == 5 + sum(9 ^ n for n in range(800))
