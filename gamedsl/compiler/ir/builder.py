"""Functions under construction: statements are appended, equal functions are shared.

Callbacks write the bodies of functions; the functions form a module. The module is independent of
games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import rename, substitute, with_blocks
from gamedsl.compiler.ir.values import (
    INT,
    MANY,
    Op,
    Operand,
    Type,
    Value,
    call,
    integer,
    load,
    make,
    name,
)


class Builder:
    """The body of one function.

    Attributes:
        copies: how often the code at the present place is written: the product of the unrolled
            loops around the place.
    """

    def __init__(self, copies: int = 1) -> None:
        self._blocks: list[list[ir.Statement]] = [[]]
        self.copies = copies

    @property
    def body(self) -> ir.Body:
        """The statements so far."""
        return tuple(self._blocks[0])

    def add(self, statement: ir.Statement) -> None:
        """Append a statement at the present place."""
        self._blocks[-1].append(statement)

    def add_all(self, body: ir.Body) -> None:
        """Append statements written elsewhere."""
        self._blocks[-1].extend(body)

    def assign(self, target: Value, value: Operand) -> None:
        """`target = value`."""
        plain = value if isinstance(value, Value) else make(Op.CONST, target.type, (), value)
        self.add(ir.Assign(target, plain))

    def assign_all(self, targets: tuple[Value, ...], value: Value) -> None:
        """Assign the results of a call to several targets."""
        self.add(ir.AssignAll(targets, value))

    def store(self, row: Value, index: Operand, value: Operand) -> None:
        """`row[index] = value`."""
        self.add(ir.Store(row, _value(value), _value(index)))

    def evaluate(self, value: Value) -> None:
        """Evaluate a value, for its guards."""
        self.add(ir.Evaluate(value))

    def fault(self, site: int, detail: Operand = 0, place: Operand = 0) -> None:
        """Fail."""
        self.add(ir.Fault(site, _value(detail), _value(place)))

    def give(self, *values: Operand) -> None:
        """Return values."""
        self.add(ir.Return(tuple(_value(value) for value in values)))

    def give_state(self, event: Operand = 0, saved: tuple[Value, ...] = ()) -> None:
        """Return the state made up of the fields."""
        self.add(ir.ReturnState(_value(event), saved))

    def comment(self, line: int, text: str) -> None:
        """The game's line of the next statements, without immediate repetition."""
        comment = ir.Comment(line, text)
        recent = [statement for block in self._blocks for statement in block[-3:]]
        if comment not in recent:
            self.add(comment)

    @contextmanager
    def when(self, test: Value) -> Iterator[None]:
        """`if test:` with the statements of the `with` block; `otherwise` may follow."""
        body = yield from self._inner()
        self.add(ir.If(test, body))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """`else:` of the `when` just before."""
        body = yield from self._inner()
        last = self._blocks[-1].pop()
        assert isinstance(last, ir.If)
        assert not last.otherwise
        self.add(ir.If(last.test, last.then, body))

    @contextmanager
    def loop_while(self, test: Value) -> Iterator[None]:
        """`while test:`."""
        body = yield from self._inner()
        self.add(ir.While(test, body))

    @contextmanager
    def loop_range(self, target: Value, low: Operand, high: Operand) -> Iterator[None]:
        """`for target in range(low, high):`."""
        body = yield from self._inner()
        self.add(ir.For(target, _value(low), _value(high), body))

    @contextmanager
    def loop_entries(self, target: Value, entries: tuple[int, ...]) -> Iterator[None]:
        """`for target in entries:`."""
        body = yield from self._inner()
        self.add(ir.ForEntries(target, entries, body))

    @contextmanager
    def unrolled(self, copies: int) -> Iterator[None]:
        """The rounds of a loop, one after the other; `copies`: of the code of a round, in all."""
        outer, self.copies = self.copies, copies
        yield
        self.copies = outer

    def _inner(self) -> Generator[None, None, ir.Body]:
        """A block being written; returns its statements at the end."""
        self._blocks.append([])
        yield
        return tuple(self._blocks.pop())


class FunctionBuilder(Builder):
    """A function with names of its own for its locals.

        f = FunctionBuilder("larger", first, second)
        with f.when(first.gt(second)):
            f.give(first)
        f.give(second)

    `f.function` is the function then.
    """

    def __init__(self, title: str, *parameters: Value) -> None:
        super().__init__()
        self._title, self._parameters = title, parameters
        self._taken = Counter(parameter.name for parameter in parameters)

    @property
    def function(self) -> ir.Function:
        """The function with the statements so far."""
        return ir.Function(self._title, self._parameters, self.body)

    def local(self, title: str, value: Value, kind: Type | None = None) -> Value:
        """A new local with a value, by default of the value's type."""
        self._taken[title] += 1
        count = self._taken[title]
        target = name(title if count == 1 else f"{title}_{count}", kind or value.type)
        self.assign(target, value)
        return target

    def results(self, titles: Sequence[str], function: str, *arguments: Operand) -> list[Value]:
        """Locals with the results of a function that returns several numbers."""
        targets = [name(title, INT) for title in titles]
        self.assign_all(tuple(targets), call(function, map(_value, arguments), MANY))
        return targets

    def add_to(self, row: Value, index: Operand, value: Operand) -> None:
        """`row[index] += value`."""
        self.store(row, index, load(row, index) + value)


class Program:
    """The module being made.

    Attributes:
        width: bits of the widest set of squares.
        fields: the fields of the state; functions get them as parameters even where they assign
            them.
        taken: names that no new local may have.
        builder: the function being written.
        mark: part of the names of functions made by `call`, distinct from the marks of other
            programs merged into one module.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.fields: dict[str, Value] = {}
        self.functions: dict[str, ir.Function] = {}
        self.aliases: dict[str, str] = {}
        self.taken: frozenset[str] = frozenset()
        self.builder = Builder()
        self.mark = "f"
        self._known: dict[object, str] = {}
        self._fresh = 0

    @property
    def module(self) -> ir.Module:
        """The functions so far as a module."""
        return ir.Module(dict(self.functions), self.width, dict(self.aliases))

    def fresh(self, stem: str, kind: Type = INT) -> Value:
        """A new local."""
        self._fresh += 1
        while f"{stem}_{self._fresh}" in self.taken:
            self._fresh += 1
        return name(f"{stem}_{self._fresh}", kind)

    def call_of(self, title: str, arguments: tuple[Value, ...]) -> Value:
        """A call of an existing function."""
        function = self.functions[title]
        return call(title, arguments, function.result, can_fail=function.can_fail)

    def hold(self, value: Value, stem: str) -> Value:
        """The value evaluated now, under a new name."""
        local = self.fresh(stem, value.type)
        self.builder.assign(local, value)
        return local

    def body(self, write: Callable[[], None], copies: int | None = None) -> Builder:
        """The statements of `write`, in a function of its own; `copies` of the function: by default
        as many as of the code that calls it.
        """
        outer = self.builder
        self.builder = Builder(outer.copies if copies is None else copies)
        write()
        inner, self.builder = self.builder, outer
        return inner

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Discard the functions made inside the `with` block."""
        saved = dict(self.functions), dict(self._known)
        yield
        self.functions, self._known = saved

    def function(self, title: str, parameters: tuple[Value, ...], body: ir.Body) -> None:
        """Add a function to the module."""
        self.functions[title] = ir.Function(title, parameters, body)

    def call(
        self,
        stem: str,
        write: Callable[[], None],
        bound: dict[Value, Value] | None = None,
        copies: int | None = None,
    ) -> Value:
        """A call of a new function with the body written by `write`; equal bodies share a function.

        The parameters are the locals and fields that the body reads and does not define; `bound`
        has the arguments for some parameters; `copies`: see `body`. A body that only returns a
        value is inlined. A body without a statement makes no function.
        """
        body = self.body(write, copies).body
        lines = tuple(statement for statement in body if not isinstance(statement, ir.Comment))
        if not lines:
            return integer(0)
        handed = {parameter.name: value for parameter, value in (bound or {}).items()}
        is_value = isinstance(lines[0], ir.Return) and len(lines[0].values) == 1
        if is_value and not any(value.can_fail for value in handed.values()):
            assert isinstance(lines[0], ir.Return)
            return substitute(lines[0].values[0], handed)
        names = ir.names_in(body)
        needed = self.needed(body, names)
        arguments = tuple(handed.get(local.name, local) for local in needed)
        parameters, plain = self._renumbered(body, names, needed)
        key = (parameters, _without_comments(plain))
        if key not in self._known:
            self._known[key] = f"{stem}__{self.mark}{len(self.functions)}"
            self.function(self._known[key], parameters, plain)
        return self.call_of(self._known[key], arguments)

    def needed(self, body: ir.Body, names: Mapping[str, Value]) -> list[Value]:
        """The names that a body reads and does not define, a state first; `names`: `names_in`."""
        assigned = ir.assigned_in(body)
        needed = [
            value
            for value in names.values()
            if value.name in self.fields or value.name not in assigned
        ]
        return sorted(needed, key=lambda value: value.op is not Op.STATE)

    def _renumbered(
        self, body: ir.Body, names: Mapping[str, Value], needed: list[Value]
    ) -> tuple[tuple[Value, ...], ir.Body]:
        """Number the locals of a body in order of appearance, so that equal bodies compare
        equal.
        """
        plain: dict[str, str] = {}
        for title in names:
            if title and title not in self.fields:
                plain[title] = f"{title.rstrip('0123456789')}{len(plain)}"
        parameters = tuple(
            make(value.op, value.type, (), plain.get(value.name, value.name)) for value in needed
        )
        return parameters, rename(body, plain)


def _without_comments(body: ir.Body) -> ir.Body:
    """The statements of a body, without comments."""
    return tuple(
        with_blocks(statement, _without_comments)
        for statement in body
        if not isinstance(statement, ir.Comment)
    )


def _value(operand: Operand) -> Value:
    return operand if isinstance(operand, Value) else integer(operand)
