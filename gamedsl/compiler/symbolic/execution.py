"""The functions of a packed module carried out on numbers that depend on variables.

In: a `Module`, arguments for a function. Out: the results for all values of the variables at once;
the entries stored in rows, and the conditions of faults. Every branch is taken under its condition:
an assignment under a condition keeps the former value elsewhere. A loop over the bits of a set goes
over all squares, each under the condition that the square is in the set; any other loop goes on
until no state is left in the loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import BOOL, Op, Value
from gamedsl.compiler.symbolic.diagrams import Diagrams, Function, NotOnSetsError
from gamedsl.compiler.symbolic.numbers import Number, Numbers

Held = Any
"""A `Function`, a `Number`, or None: an unknown number, on which nothing may depend."""

MOST_ROUNDS = 400
"""Greatest number of rounds of a loop."""
MOST_CALLS = 20
"""Greatest depth of calls."""


class _Frame:
    """A call: the locals, and where in the states the next statement is carried out.

    Attributes:
        outer: the states of the call; here: among these, the states that reach the next statement.
        results: the results of the states that have returned.
        loops: for each loop, the states that have left the loop, and that have left the round.
    """

    def __init__(self, outer: Function, here: Function, names: dict[str, Held]) -> None:
        self.outer, self.here, self.names = outer, here, names
        self.results: list[Held] | None = None
        self.loops: list[list[Function]] = []
        self.local: dict[int, frozenset[str]] = {}


class Execution:
    """Carries out functions of a module.

    Attributes:
        stored: each value listed in a row, with its condition.
        faults: the states in which a guard fails.
    """

    def __init__(self, diagrams: Diagrams, module: ir.Module) -> None:
        self._diagrams, self.module = diagrams, module
        self._true, self._false = diagrams.true, diagrams.false
        self.numbers = numbers = Numbers(diagrams)
        self.stored: list[tuple[Function, int]] = []
        self.faults: Function = diagrams.false
        self._depth = 0
        self._locals = cache(_local_names)
        self._operations: dict[Op, Callable[..., Held]] = {
            Op.NOT: lambda condition: ~condition,
            Op.EQ: numbers.is_equal,
            Op.NE: lambda first, second: ~numbers.is_equal(first, second),
            Op.LT: numbers.is_less,
            Op.LE: lambda first, second: ~numbers.is_less(second, first),
            Op.AND: numbers.both,
            Op.OR: numbers.either,
            Op.XOR: numbers.differing,
            Op.COMPLEMENT: numbers.complement,
            Op.SHL: numbers.shift_left,
            Op.SHR: numbers.shift_right,
            Op.ADD: numbers.add,
            Op.SUB: numbers.subtract,
            Op.MUL: lambda a, b: numbers.by_both(lambda x, y: x * y, a, b),
            Op.FLOORDIV: lambda a, b: numbers.by_both(lambda x, y: x // y if y else 0, a, b),
            Op.MOD: lambda a, b: numbers.by_both(lambda x, y: x % y if y else 0, a, b),
            Op.NEGATE: numbers.negate,
            Op.ABS: numbers.absolute,
            Op.MIN: numbers.minimum,
            Op.MAX: numbers.maximum,
            Op.LOWEST: numbers.lowest,
            Op.HIGHEST: numbers.highest,
            Op.COUNT: numbers.count,
            Op.TO_INT: lambda held: held if isinstance(held, tuple) else numbers.of_truth(held),
        }

    def call(
        self, title: str, arguments: Sequence[Held], live: Function | None = None
    ) -> list[Held]:
        """The results of a function in the states `live`; none if the function fails in all states.
        Raises NotOnSetsError."""
        function = self.module.functions.get(self.module.aliases.get(title, title))
        if function is None:
            raise NotOnSetsError("lists of numbers")
        if self._depth == MOST_CALLS:
            raise NotOnSetsError("calls of such depth")
        names = {p.name: a for p, a in zip(function.parameters, arguments, strict=True)}
        frame = _Frame(self._true if live is None else live, self._true, names)
        frame.local = self._locals(function)
        self._depth += 1
        self._carry_out(function.body, frame)
        self._depth -= 1
        return frame.results or []

    # --- values ----------------------------------------------------------------------------

    def _value(self, value: Value, frame: _Frame) -> Held:
        match value.op:
            case Op.CONST:
                if value.type is BOOL:
                    return self._diagrams.constant(bool(value.const))
                return self.numbers.constant(value.const)
            case Op.NAME:
                if frame.names.get(value.name) is None:
                    raise NotOnSetsError(f"the local {value.name}")
                return frame.names[value.name]
            case Op.ALL | Op.ANY:
                return self._connected(value, frame)
            case Op.SELECT:
                condition = self._value(value.args[0], frame)
                ways = ((condition, value.args[1]), (~condition, value.args[2]))
                held = [
                    self._value_where(frame.here & where, part, frame)
                    for where, part in ways
                    if where != self._false
                ]
                return held[0] if len(held) == 1 else self._chosen(condition, *held)
            case Op.GUARD:
                condition = self._value(value.args[0], frame)
                self._fail(frame, frame.here & ~condition)
                return self._value(value.args[1], frame)
            case Op.BIND:
                frame.names[str(value.arg)] = bound = self._value(value.args[0], frame)
                return bound
            case Op.CALL:
                nothing = self._false if value.type is BOOL else self.numbers.constant(0)
                return (self._called(value, frame) or [nothing])[0]
            case Op.LOOKUP:
                entries = value.arg
                assert isinstance(entries, tuple)
                index = self._value(value.args[0], frame)
                return self.numbers.by_cases(
                    lambda n: self.numbers.constant(entries[n] if 0 <= n < len(entries) else 0),
                    index,
                )
        operation = self._operations.get(value.op)
        if operation is None:
            raise NotOnSetsError(f"the operation `{value.op.value}`")
        return operation(*[self._value(part, frame) for part in value.args])

    def _value_where(self, here: Function, value: Value, frame: _Frame) -> Held:
        """The value in the states `here`; faults elsewhere do not count."""
        before, frame.here = frame.here, here
        held = self._value(value, frame)
        frame.here = before
        return held

    def _connected(self, value: Value, frame: _Frame) -> Function:
        """Conditions from the left, no further than needed."""
        is_all = value.op is Op.ALL
        result = self._diagrams.constant(is_all)
        for part in value.args:
            asked = frame.here & (result if is_all else ~result)
            if asked == self._false:
                break
            condition = self._value_where(asked, part, frame)
            result = result & condition if is_all else result | condition
        return result

    def _called(self, value: Value, frame: _Frame) -> list[Held]:
        arguments = [self._held(part, frame) for part in value.args]
        return self.call(str(value.arg), arguments, frame.outer & frame.here)

    def _called_alone(self, value: Value, frame: _Frame) -> list[Held]:
        """The results of a call that is a statement's value; no state goes on without results."""
        results = self._called(value, frame)
        if not results:
            frame.here = self._false
        return results

    def _held(self, value: Value, frame: _Frame) -> Held:
        """The value, or None if the value depends on an unknown number."""
        if value.op is not Op.CALL and any(frame.names.get(n, "") is None for n in value.names):
            return None
        return self._value(value, frame)

    def _chosen(self, condition: Function, first: Held, second: Held) -> Held:
        """`first` where the condition holds, else `second`."""
        if first is None or second is None:
            return None
        if isinstance(first, tuple):
            return self.numbers.choose(condition, first, second)
        return condition.ite(first, second)

    def _fail(self, frame: _Frame, where: Function) -> None:
        if where != self._false:
            self.faults = self.faults | (frame.outer & where)

    # --- statements ------------------------------------------------------------------------

    def _carry_out(self, body: ir.Body, frame: _Frame) -> None:
        local = frame.local[id(body)]
        for statement in body:
            if frame.here == self._false:
                return
            self._statement(statement, frame, local)

    def _statement(self, statement: ir.Statement, frame: _Frame, local: frozenset[str]) -> None:
        match statement:
            case ir.Assign():
                self._assign(statement.target, self._held(statement.value, frame), frame, local)
            case ir.AssignAll():
                results = self._called_alone(statement.value, frame)
                for target, held in zip(statement.targets, results, strict=bool(results)):
                    self._assign(target, held, frame, local)
            case ir.Store():
                self._store(statement, frame)
            case ir.Evaluate():
                self._held(statement.value, frame)
            case ir.Fault():
                self._fail(frame, frame.here)
                frame.here = self._false
            case ir.Return():
                self._return(statement, frame)
            case ir.If():
                self._branch(statement, frame)
            case ir.While():
                self._while(statement, frame)
            case ir.For() | ir.ForEntries():
                self._rounds(self._numbered(statement, frame), statement.body, frame)
            case ir.Break() | ir.Continue():
                left = frame.loops[-1]
                number = int(isinstance(statement, ir.Continue))
                left[number] = left[number] | frame.here
                frame.here = self._false
            case ir.ReturnState():
                raise AssertionError("`pack` replaces returned states")

    def _store(self, statement: ir.Store, frame: _Frame) -> None:
        stored = self._held(statement.value, frame)
        if statement.index.is_const:
            return  # the action under test, which only errors ask for
        where = frame.outer & frame.here
        for condition, value in self.numbers.cases(stored):
            if where & condition != self._false:
                self.stored.append((where & condition, value))

    def _assign(self, target: Value, held: Held, frame: _Frame, local: frozenset[str]) -> None:
        """Assign to a name; outside `local` names, the former value stays in the other states."""
        if target.name in frame.names and target.name not in local:
            held = self._chosen(frame.here, held, frame.names[target.name])
        frame.names[target.name] = held

    def _return(self, statement: ir.Return, frame: _Frame) -> None:
        results: list[Held] = []
        for value in statement.values:
            if value.op is Op.CALL:
                results += self._called_alone(value, frame)
            else:
                parts = value.args if value.op is Op.TUPLE else (value,)
                results += [self._held(part, frame) for part in parts]
        before = frame.results
        if frame.here == self._false:
            return
        if before is not None:
            pairs = zip(results, before, strict=True)
            results = [self._chosen(frame.here, new, old) for new, old in pairs]
        frame.results, frame.here = results, self._false

    def _branch(self, statement: ir.If, frame: _Frame) -> None:
        test, before = self._value(statement.test, frame), frame.here
        frame.here = before & test
        self._carry_out(statement.then, frame)
        after = frame.here
        frame.here = before & ~test
        self._carry_out(statement.otherwise, frame)
        frame.here = after | frame.here

    def _numbered(self, loop: ir.For | ir.ForEntries, frame: _Frame) -> Iterator[None]:
        """Sets the target of a loop for each round."""
        entries: Iterable[int]
        if isinstance(loop, ir.ForEntries):
            entries = loop.entries
        else:
            bounds = (self._value(bound, frame) for bound in (loop.low, loop.high))
            low, high = (self.numbers.value(bound) for bound in bounds)
            if low is None or high is None:
                raise NotOnSetsError("a loop of so many rounds")
            entries = range(low, high)
        for number in entries:
            frame.names[loop.target.name] = self.numbers.constant(number)
            yield

    def _while(self, loop: ir.While, frame: _Frame) -> None:
        bits = _loop_over_bits(loop)
        if bits is None:
            self._rounds(self._tested(loop, frame), loop.body, frame)
            return
        place, squares, rest = bits
        frame.local.setdefault(id(rest), frame.local[id(loop.body)])
        number = self._value(squares, frame)
        self._rounds(self._squares(place, number, frame), rest, frame)
        frame.names[squares.name] = self.numbers.constant(0)
        if any(isinstance(statement, ir.Break) for statement in ir.walk(rest)):
            del frame.names[squares.name]  # squares are left over

    def _squares(self, place: Value, squares: Number, frame: _Frame) -> Iterator[None]:
        """Rounds over the squares of a set, each in the states with the square in the set."""
        for number, bit in enumerate(squares[:-1]):
            passed = frame.here & ~bit
            frame.here = frame.here & bit
            if frame.here != self._false:
                frame.names[place.name] = self.numbers.constant(number)
                yield
            frame.here = frame.here | passed

    def _tested(self, loop: ir.While, frame: _Frame) -> Iterator[None]:
        """Rounds in the states in which the test holds, while there are such states."""
        over = self._false
        for _ in range(MOST_ROUNDS):
            test = self._value(loop.test, frame)
            over = over | (frame.here & ~test)
            frame.here = frame.here & test
            if frame.here == self._false:
                frame.here = over
                return
            yield
        raise NotOnSetsError("a loop of so many rounds")

    def _rounds(self, rounds: Iterator[None], body: ir.Body, frame: _Frame) -> None:
        left = [self._false, self._false]
        frame.loops.append(left)
        for _ in rounds:
            left[1] = self._false
            self._carry_out(body, frame)
            frame.here = frame.here | left[1]
        frame.loops.pop()
        frame.here = frame.here | left[0]


def _loop_over_bits(loop: ir.While) -> tuple[Value, Value, ir.Body] | None:
    """The place, the set and the rest of the body of `while set != 0: place = lowest(set);
    set = set & (set - 1); ...`; None for any other loop."""
    if loop.test.op is not Op.NE or not loop.test.args[0].is_name or len(loop.body) < 2:
        return None
    squares, (first, second), rest = loop.test.args[0], loop.body[:2], loop.body[2:]
    if not (isinstance(first, ir.Assign) and isinstance(second, ir.Assign)):
        return None
    is_lowest = first.value.op is Op.LOWEST and first.value.args[0] is squares
    is_rest = second.target is squares and second.value is squares & (squares - 1)
    is_kept = squares.name not in ir.names_in(rest)
    return (first.target, squares, rest) if is_lowest and is_rest and is_kept else None


def _local_names(function: ir.Function) -> dict[int, frozenset[str]]:
    """For each block, by identity, the names that are read in the block only, and there only behind
    an assignment that stands in the block itself."""
    everywhere = Counter(_reads(function.body))
    local: dict[int, frozenset[str]] = {}
    blocks = [function.body]
    for statement in ir.walk(function.body):
        blocks += ir.blocks_of(statement)
    for block in blocks:
        inside, before, names = Counter(_reads(block)), set[str](), set[str]()
        for statement in block:
            before |= set(_reads((statement,)))
            for target in ir.targets_of(statement):
                if target.name not in before and everywhere[target.name] == inside[target.name]:
                    names.add(target.name)
            before |= ir.assigned_in((statement,))
        local[id(block)] = frozenset(names)
    return local


def _reads(body: ir.Body) -> Iterator[str]:
    """The names that a body reads, as often as values read the names."""
    for statement in ir.walk(body):
        for value in ir.values_of(statement):
            yield from value.names
