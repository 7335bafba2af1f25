"""Records of numbers in arrays, and structures of arguments, for kernels.

A kernel reads and writes the numbers of an array by name:

    class Frame(Record):
        entry: int
        best: int

    def improve(stack: Rows[Frame], top: int, notes: Notes) -> int:
        stack[top].best = notes.least

Machine code sees plain arrays: `stack[top].best` is number `2 * top + 1` of the array. In Python
the classes of this module are views of the same arrays, for kernels that run as Python and for
callers of machine code. A structure groups the arguments of kernels, and is passed as its fields.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import Any, ClassVar, Generic, Self, TypeVar, dataclass_transform

Array = Any


class Record:
    """Numbers of an array, from the place `at` on; the annotations of a subclass name the numbers.

    A subclass of a record class has further numbers behind the inherited numbers.
    """

    __slots__ = ("_begin", "_row")
    FIELDS: ClassVar[tuple[str, ...]] = ()
    """The names of the numbers, in order."""

    def __init__(self, row: Array, at: int = 0) -> None:
        self._row = row
        self._begin = at

    def __init_subclass__(cls) -> None:
        for name in cls.__annotations__:
            setattr(cls, name, _number(len(cls.FIELDS)))
            cls.FIELDS = (*cls.FIELDS, name)

    def numbers(self, names: Iterable[str] | None = None) -> tuple[int, ...]:
        """The numbers with these names, or all numbers, in order."""
        return tuple(getattr(self, name) for name in (self.FIELDS if names is None else names))

    def put_numbers(self, names: Iterable[str], numbers: Iterable[int]) -> None:
        """Write the numbers with these names."""
        for name, number in zip(names, numbers, strict=True):
            setattr(self, name, number)


def _number(offset: int) -> property:
    """The access to the number at an offset."""

    def get(record: Record) -> int:
        number: int = record._row[record._begin + offset]
        return number

    def put(record: Record, number: int) -> None:
        record._row[record._begin + offset] = number

    return property(get, put)


AnyRecord = TypeVar("AnyRecord", bound=Record)


def plain(record: type[AnyRecord]) -> Callable[[], AnyRecord]:
    """Makes records of zeros without an array, for kernels that run as Python: their numbers are
    attributes, read ten times as fast."""

    def init(self: Any) -> None:
        self.put_numbers(record.FIELDS, [0] * len(record.FIELDS))

    return type(record.__name__, (record,), {"__slots__": record.FIELDS, "__init__": init})


class Rows(Generic[AnyRecord]):
    """An array of records of one class."""

    __slots__ = ("record", "row", "width")

    def __init__(self, record: type[AnyRecord], row: Array) -> None:
        self.record = record
        self.row = row
        self.width = len(record.FIELDS)

    def __getitem__(self, place: int) -> AnyRecord:
        return self.record(self.row, place * self.width)

    def __len__(self) -> int:
        return len(self.row) // self.width


@dataclass_transform(kw_only_default=True)
class Arrays:
    """Arguments of kernels under one name: arrays, records, rows of records, numbers, structures.

    Fields are given by keyword. Fields of a subclass follow the inherited fields.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()
    """The names of the arguments, in order."""

    def __init__(self, **fields: Any) -> None:
        assert sorted(fields) == sorted(self.FIELDS), "each field is given once"
        for name, field in fields.items():
            setattr(self, name, field)

    def but(self, **fields: Any) -> Self:
        """The same arguments with other values of some fields."""
        return type(self)(**{**vars(self), **fields})

    def __init_subclass__(cls) -> None:
        cls.FIELDS = (*cls.FIELDS, *cls.__annotations__)


Passed = Record | Rows[Any] | Arrays
"""Arguments that are passed as arrays and numbers."""


def arguments_of(argument: Any) -> Iterator[Any]:
    """The arrays and numbers by which machine code is called for an argument of a kernel."""
    if isinstance(argument, Arrays):
        for name in argument.FIELDS:
            yield from arguments_of(getattr(argument, name))
    elif isinstance(argument, Record):
        yield argument._row
    elif isinstance(argument, Rows):
        yield argument.row
    else:
        yield argument


def text_of_records(functions: Iterable[Callable[..., Any]]) -> str:
    """The classes of this module named by the annotations of functions, as text for the front
    end; inherited fields are repeated. No two classes may have the same name."""
    texts: dict[type, str] = {}
    for function in functions:
        for annotation in function.__annotations__.values():
            _add(annotation, function.__globals__, texts)
    assert len({kind.__name__ for kind in texts}) == len(texts), "classes share a name"
    return "\n\n".join(texts.values())


def source_of(function: Callable[..., Any]) -> str:
    """The text of a function at the margin of its file: the lines up to the colon of the head, and
    the indented lines behind. (`inspect.getsource` reads the whole file by tokens.)"""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)[code.co_firstlineno - 1 :]
    head = next(n for n, line in enumerate(lines, 1) if line.endswith(":\n"))
    body = takewhile(lambda line: not line.strip() or line[0] == " ", lines[head:])
    return "".join([*lines[:head], *body]).rstrip() + "\n"


def _add(annotation: str, names: dict[str, Any], texts: dict[type, str]) -> None:
    for node in ast.walk(ast.parse(annotation, mode="eval")):
        kind = names.get(node.id) if isinstance(node, ast.Name) else None
        if not isinstance(kind, type) or kind in texts:
            continue
        if not issubclass(kind, Record | Arrays):
            continue
        base = Record if issubclass(kind, Record) else Arrays
        lines = [f"class {kind.__name__}({base.__name__}):"]
        texts[kind] = ""
        for parent in reversed(kind.__mro__):
            for name, of in vars(parent).get("__annotations__", {}).items():
                if name in kind.FIELDS:
                    lines.append(f"    {name}: {of}")
                    _add(of, vars(sys.modules[parent.__module__]), texts)
        texts[kind] = "\n".join(lines)
