"""The Python subset as the intermediate representation."""

from __future__ import annotations

import inspect
from array import array
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest

from gamedsl.compiler.frontend.specialise import Specialiser
from gamedsl.compiler.frontend.text import SubsetError, read_text
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import INT, ROW, bits, call, integer, name
from gamedsl.compiler.machine_code import Entry
from gamedsl.compiler.object_code import object_code
from gamedsl.compiler.printers.dump import dump_function
from gamedsl.compiler.printers.llvm import print_llvm
from gamedsl.compiler.records import Arrays, Record, Rows, arguments_of, plain, text_of_records
from tests.unit.compiler.compiling import KINDS, compiled, specialised

pytest.importorskip("llvmlite")

TUPLES = """
AT = 1
IS_LONG = False

def turned(*state):
    return state[1:], state[0]

def asked(state, steps):
    for _ in range(steps):
        rest, first = turned(*state)
        state = (*rest, first)
    if IS_LONG:
        return no_such_function(state)
    return state[AT] * len(state)
"""


def test_tuples_are_taken_apart_and_unknown_names_behind_a_constant_are_not_asked_for() -> None:
    asked = compiled(TUPLES, "asked", "4", "integer")
    assert [asked((10, 20, 30, 40), n) for n in range(5)] == [80, 120, 160, 40, 80]


def test_a_function_is_made_for_each_kind_of_arguments() -> None:
    specialiser = specialised("def f(a):\n    return g(a) + g(1)\ndef g(a):\n    return 2\n")
    specialiser.function("f", ((INT, INT),))
    assert sorted(specialiser.linked) == ["f(2)", "g(2)", "g(i)"]


def test_a_loop_over_the_places_of_a_tuple_is_unrolled_and_can_be_left() -> None:
    text = """
    def first(state, wanted):
        found = -1
        for place in range(len(state)):
            if state[place] == wanted:
                found = place
                break
        return found
    """
    first = compiled(text, "first", "3", "integer")
    assert [first((7, 8, 7), n) for n in (7, 8, 9)] == [0, 1, -1]


def test_the_type_of_a_local_is_that_of_all_that_is_assigned() -> None:
    text = """
    def f(n):
        found = False
        for i in range(n):
            if i == 3:
                found = 5
            elif found != 0:
                found = found + 1
        return found
    """
    f = compiled(text, "f", "integer")
    assert [f(n) for n in (0, 3, 4, 6)] == [0, 0, 5, 7]


def test_what_stands_behind_and_is_not_carried_out_if_that_decides() -> None:
    text = """
    def pair(row, n):
        row[0] += 1
        return n, n + 1

    def f(row, n):
        return n > 2 and pair(row, n)[1] == 4
    """
    f, row = compiled(text, "f", "array", "integer"), array("q", [0])
    assert [f(row, n) for n in (1, 2, 3, 4)] == [0, 0, 1, 0]
    assert row[0] == 2


def test_steps_of_a_range_may_be_larger_than_one() -> None:
    text = """
    def f(row, by):
        total = 0
        for place in range(1, len(row), by):
            if row[place] < 0:
                continue
            total += row[place]
        return total
    """
    f, row = compiled(text, "f", "array", "integer"), array("q", [1, 2, -4, 8, 16, 32])
    assert [f(row, by) for by in (1, 2, 3, 9)] == [58, 42, 18, 2]


def test_a_range_with_steps_begins_where_it_began() -> None:
    text = """
    def f(low, by):
        total = 0
        for place in range(low, 10, by):
            total += place
            low += 3
            by += 1
        return total
    """
    assert compiled(text, "f", "integer", "integer")(1, 4) == sum(range(1, 10, 4))


def test_targets_are_assigned_after_all_values_are_known() -> None:
    text = "def f(a, b):\n    a, b = b, a + b\n    a, b = b, a\n    return a * 100 + b\n"
    assert compiled(text, "f", "integer", "integer")(3, 4) == 704


def test_functions_of_a_game_are_taken_from_a_module_and_may_call_kernels() -> None:
    word, more = name("w0", bits(64)), name("out", ROW)
    body = (ir.Store(more, integer(9), integer(0)), ir.Return((word + 1, word)))
    apply = ir.Function("apply", (word, more), body)
    asks = ir.Function("asks", (word,), (ir.Return((call("doubled", (word,), INT),)),))
    module = ir.Module({"apply": apply, "asks": asks}, 64, {"also": "asks"})
    text = """
    def doubled(*state):
        return state[0] * 2

    def f(state, row):
        one, other = apply(*state, row)
        return one * 1000 + other * 100 + also(other) + row[0]
    """
    specialiser = Specialiser(read_text(dedent(text)), lambda: module)
    made = specialiser.function("f", ((INT,), ROW))
    text = print_llvm(specialiser.linked, made.name, ("1", "array"))
    assert Entry(object_code(text))((3,), array("q", [0])) == 4000 + 300 + 6 + 9


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("return [1]", ":2: not in the subset: [1]"),
        ("with a: pass", ":2: not in the subset: with a:"),
        ("return b", ":2: a name that is not known: b"),
        ("return g(a)", ":2: there is no function g: g(a)"),
        ("a, b = a", ":2: not in the subset: (a, b)"),
        ("fault(a, 0, 0)", ":2: a guard that is not known: a"),
        ("return numbers(a)[0]", ":2: a size that is not known: numbers(a)"),
    ],
)
def test_what_is_not_in_the_subset_is_named_with_its_place(line: str, what: str) -> None:
    with pytest.raises(SubsetError) as found:
        specialised(f"def f(a):\n    {line}\n").function("f", (INT,))
    assert what in str(found.value)


def test_a_function_that_calls_itself_knows_what_it_gives() -> None:
    text = """
    def f(n):
        if n > 0:
            a, b = f(n - 1)
            return b, a + b
        return 0, 1

    def g(n):
        return f(n)[0]
    """
    assert [compiled(text, "g", "integer")(n) for n in range(8)] == [0, 1, 1, 2, 3, 5, 8, 13]


def test_the_dump_of_a_function_is_what_was_meant() -> None:
    specialiser = specialised("def f(a, out):\n    out[0] = a & 3\n    return len(out) > 0\n")
    specialiser.function("f", (INT, ROW))
    assert dump_function(specialiser.linked["f(i,r)"]) == "\n".join(
        [
            "function f(i,r)(a: int, out: row, out.length: int) -> bool:",
            "    out[0] = a & 3",
            "    return 0 < out.length",
        ]
    )


def test_no_function_has_a_name_with_a_meaning_in_the_subset() -> None:
    with pytest.raises(SubsetError, match="narrow has a meaning of its own here"):
        read_text("def narrow(low, high):\n    return high - low\n")


class Frame(Record):
    at: int
    best: int
    mover: int


class Notes(Record):
    used: int
    top: int


class MoreNotes(Notes):
    more: int


class Search(Arrays):
    stack: Rows[Frame]
    notes: Notes
    most: int


def push(frame: Frame, at: int, notes: Notes) -> int:
    frame.at = at
    frame.best += 10 * at
    notes.top += 1
    return at


def search(factor: int, work: Search, row: Any) -> int:
    push(work.stack[work.notes.top], 4, work.notes)
    frame = work.stack[work.notes.top]
    push(frame, 5, work.notes)
    frame.mover = frame.best - frame.at
    row[0] = len(work.stack)
    work.notes.used += factor * work.most
    return work.stack[1].mover


def test_records_are_places_in_arrays_and_structures_are_their_fields() -> None:
    kernels = (push, search)
    text = "\n\n".join([text_of_records(kernels), *map(inspect.getsource, kernels)])
    kinds = ("integer", "array", "array", "integer", "array")
    specialiser = specialised(text)
    given = tuple(KINDS[kind] for kind in kinds)
    made = specialiser.entry("search", given)
    code = Entry(object_code(print_llvm(specialiser.linked, made.name, kinds)))

    def run(function: Callable[..., int], *, native: bool) -> tuple[object, ...]:
        stack, notes, row = array("q", range(8)), array("q", [3, 0, 9]), array("q", [0])
        work = Search(stack=Rows(Frame, stack), notes=MoreNotes(notes), most=7)
        arguments = [6, work, row]
        if native:
            arguments = [part for argument in arguments for part in arguments_of(argument)]
        result = function(*arguments)
        return result, stack.tolist(), notes.tolist(), row.tolist()

    wanted = 49, [4, 41, 2, 5, 54, 49, 6, 7], [45, 2, 9], [2]
    assert run(search, native=False) == run(code, native=True) == wanted
    assert MoreNotes([1, 2, 3]).numbers() == (1, 2, 3)
    notes = plain(MoreNotes)()
    notes.top, notes.more = 5, 6
    assert notes.numbers() == (0, 5, 6)
    assert MoreNotes.FIELDS == ("used", "top", "more")


def test_records_need_no_more_code_than_places_in_an_array() -> None:
    by_name = """
    class Frame(Record):
        at: int
        best: int

    def f(stack: Rows[Frame], top: int) -> int:
        stack[top].best += 1
        return stack[top].at
    """
    by_place = """
    def f(stack, top):
        stack[top * 2 + 1] += 1
        return stack[top * 2]
    """
    dumps = []
    for text in (by_name, by_place):
        specialiser = specialised(text)
        specialiser.function("f", (ROW, INT))
        dumps.append(dump_function(specialiser.linked["f(r,i)"]))
    assert dumps[0] == dumps[1]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("return notes.most", "no record with such a number: notes.most"),
        ("return n.top", "no record with such a number: n.top"),
        ("work.most = 3", "no record with such a number: work.most"),
        ("work.notes = n", "no record with such a number: work.notes"),
        ("return work.stack[0].row", "no record with such a number: work.stack[0].row"),
    ],
)
def test_numbers_that_no_record_has_are_named(line: str, what: str) -> None:
    head = "def f(n: int, notes: Notes, work: Search) -> int:"
    text = f"{text_of_records((search,))}\n\n\n{head}\n    {line}\n"
    with pytest.raises(SubsetError) as found:
        specialised(text).entry("f", (INT, ROW, ROW, ROW, INT))
    assert what in str(found.value)


def test_a_record_has_fields_only() -> None:
    with pytest.raises(SubsetError, match=r":3: not a field: top = 0"):
        read_text("class Notes(Record):\n    used: int\n    top = 0\n")
    with pytest.raises(AssertionError, match="each field is given once"):
        Search(stack=[], notes=[])  # type: ignore[call-arg]
