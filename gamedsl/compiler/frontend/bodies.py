"""Statements of the Python subset as statements of the intermediate representation.

The input is a function of the subset and the kinds of its arguments. The types of locals and of the
result are joined from all assigned and returned values; if a type turns out wider than assumed, the
body is written again.
"""

from __future__ import annotations

import ast
from abc import abstractmethod

from gamedsl.compiler.frontend.expressions import BINARY, Expressions
from gamedsl.compiler.frontend.items import (
    Item,
    Kind,
    Row,
    fitted,
    flat,
    joined,
    joined_kind,
    kind_of,
    named,
)
from gamedsl.compiler.frontend.text import NotYetKnownError, SubsetError, Text
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.values import INT, TRUE, Value, integer, load, name


class Bodies(Expressions):
    """The statements of one function.

    Attributes:
        gives: the assumed kind of the result; None while unknown.
        is_settled: whether all locals have turned out to be of the assumed kinds.
    """

    def __init__(self, text: Text, gives: Kind | None) -> None:
        super().__init__(text)
        self.gives = gives
        self.is_settled = True
        self._has_left_out = False

    # --- locals ------------------------------------------------------------------------------

    def take(self, node: ast.FunctionDef, kinds: tuple[Kind, ...]) -> tuple[Value, ...]:
        """The parameters of a function."""
        titles = [parameter.arg for parameter in node.args.args]
        plain = len(titles)
        if node.args.vararg is not None:
            titles.append(node.args.vararg.arg)
            kinds = (*kinds[:plain], tuple(kinds[plain:]))
        if len(titles) != len(kinds) or node.args.defaults or node.args.kwonlyargs:
            raise self.error(f"it is called with {len(kinds)} arguments", node)
        self.kinds |= dict(zip(titles, kinds, strict=True))
        for parameter in node.args.args:
            self.annotations.put(parameter.arg, parameter.annotation)
        return tuple(
            value
            for title, kind in zip(titles, kinds, strict=True)
            for value in flat(named(title, kind))
        )

    def set(self, node: ast.AST, title: str, item: Item) -> None:
        """Assign a local."""
        if isinstance(item, Row):
            self._set_row(title, item)
            return
        item_kind = item.type if isinstance(item, Value) else kind_of(item)
        known = self.kinds.get(title, item_kind)
        kind = joined_kind(known, item_kind)
        if kind is None:
            raise self.error(f"{title} is of two kinds", node)
        if kind != known:
            self.is_settled = False
        self.kinds[title] = kind
        self._assign(named(title, kind), item)

    def _set_row(self, title: str, item: Row) -> None:
        row = named(title, item.row.type)
        assert isinstance(row, Row)
        self.kinds[title] = item.row.type
        self.builder.assign(row.row, item.row)
        self.builder.assign(row.length, item.length)

    def _assign(self, target: Item, item: Item) -> None:
        if isinstance(target, tuple) and isinstance(item, tuple):
            for target_part, part in zip(target, item, strict=True):
                self._assign(target_part, part)
        elif isinstance(target, Value) and isinstance(item, Value) and target is not item:
            self.builder.assign(target, fitted(item, target.type))
        elif isinstance(target, Row) and isinstance(item, Row):
            self.builder.assign(target.row, item.row)
            self.builder.assign(target.length, item.length)

    # --- statements --------------------------------------------------------------------------

    def block(self, nodes: list[ast.stmt]) -> None:
        """Statements in order."""
        for node in nodes:
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        """One statement. The statement is left out for now if it depends on the unknown result of
        the function itself, or on a local that only left-out statements assign.
        """
        try:
            self._statement(node)
        except NotYetKnownError as error:
            if not self.is_own(error):
                raise
            self.is_settled, self._has_left_out = False, True
        except SubsetError:
            if not self._has_left_out:
                raise

    @abstractmethod
    def is_own(self, error: NotYetKnownError) -> bool:
        """Whether the error is about the function being written."""

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self._to(target, value)
            case ast.AnnAssign(target=ast.Name(id=title), value=ast.expr() as value):
                self.set(node, title, self.item(value))
            case ast.AugAssign():
                self._changed(node)
            case ast.Return(value=ast.expr() as value):
                self._give(node, self.item(value))
            case ast.If():
                self._if(node)
            case ast.While(orelse=[]):
                self._while(node)
            case ast.For(target=ast.Name(), orelse=[]):
                self._for(node)
            case ast.Break():
                self.builder.add(ir.Break())
            case ast.Continue():
                self.builder.add(ir.Continue())
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=ast.Call() as value):
                self._do(value)
            case _:
                raise self.error("not in the subset", node)

    def _do(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id == "fault":
            site, detail, place = node.args
            self.builder.fault(
                self.known_number(site, "a guard"), self.number(detail), self.number(place)
            )
            return
        item = self.item(node)
        if isinstance(item, Value):
            self.builder.evaluate(item)

    def _to(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Subscript | ast.Attribute):
            number = self.number(value)
            row, place = self._target(target)
            self.builder.store(row.row, place, number)
            return
        item = self.item(value)
        if isinstance(target, ast.Name):
            self.annotations.put(target.id, self.annotations.of(value))
            self.set(target, target.id, item)
            return
        if not isinstance(target, ast.Tuple) or not isinstance(item, tuple):
            raise self.error("not in the subset", target)
        if isinstance(value, ast.Tuple):
            item = tuple(map(self._held, item))
        self._to_all(target, item)

    def _to_all(self, target: ast.Tuple, item: tuple[Item, ...]) -> None:
        if len(target.elts) != len(item):
            raise self.error(f"there are {len(item)} values", target)
        for element, part in zip(target.elts, item, strict=True):
            if not isinstance(element, ast.Name):
                raise self.error("not in the subset", target)
            self.set(element, element.id, part)

    def _held(self, item: Item) -> Item:
        """The present value of an item, unaffected by later assignments."""
        if isinstance(item, tuple):
            return tuple(map(self._held, item))
        return item if isinstance(item, Row) or item.is_const else self._held_value(item)

    def _held_value(self, value: Value) -> Value:
        target = name(self.fresh("held"), value.type)
        self.builder.assign(target, value)
        return target

    def _target(self, target: ast.Subscript | ast.Attribute) -> tuple[Row, Value]:
        """The row and the place that a statement writes to."""
        if isinstance(target, ast.Attribute):
            return self.field(target)
        row = self.item(target.value)
        if not isinstance(row, Row):
            raise self.error("no row", target)
        return row, self.number(target.slice)

    def _changed(self, node: ast.AugAssign) -> None:
        work = BINARY[type(node.op)]
        if isinstance(node.target, ast.Name):
            before = self.number(ast.Name(node.target.id, ast.Load()))
            self.set(node, node.target.id, work(before, self.number(node.value)))
            return
        if not isinstance(node.target, ast.Subscript | ast.Attribute):
            raise self.error("not in the subset", node)
        row, place = self._target(node.target)
        held = self._held(place)
        assert isinstance(held, Value)
        self.builder.store(row.row, held, work(load(row.row, held), self.number(node.value)))

    def _give(self, node: ast.AST, item: Item) -> None:
        item_kind = item.type if isinstance(item, Value) else kind_of(item)
        kind = item_kind if self.gives is None else joined_kind(self.gives, item_kind)
        if kind is None:
            raise self.error("what it gives is of two kinds", node)
        self.gives = kind
        values = flat(item) if isinstance(item, tuple) else (fitted(item, joined(item_kind, kind)),)  # type: ignore[arg-type]
        self.builder.give(*values)

    # --- branches and loops ------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        test = self.condition(node.test)
        if test.is_const:
            self.block(node.body if test.const else node.orelse)
            return
        then = self.within(lambda: self.block(node.body))
        otherwise = self.within(lambda: self.block(node.orelse))
        self.builder.add(ir.If(test, then, otherwise))

    def _while(self, node: ast.While) -> None:
        tests: list[Value] = []
        before = self.within(lambda: tests.append(self.condition(node.test)))
        test = tests[0]
        if test.is_const and not test.const:
            return
        body = self.within(lambda: self.block(node.body))
        if before:
            left = ir.If(test, (), (ir.Break(),))
            self.builder.add(ir.While(TRUE, (*before, left, *body)))
        else:
            self.builder.add(ir.While(test, body))

    def _for(self, node: ast.For) -> None:
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=nodes) if 0 < len(nodes) <= 3:
                ends = [self.number(argument) for argument in nodes]
            case _:
                raise self.error("not in the subset", node)
        low, high = (integer(0), ends[0]) if len(ends) == 1 else (ends[0], ends[1])
        if low.is_const and high.is_const and low.const >= high.const:
            return
        assert isinstance(node.target, ast.Name)
        title = node.target.id
        if len(ends) == 3:
            self._with_steps(node, title, low, high, ends[2])
        elif low.is_const and high.is_const and self._is_unrolled(node, title):
            self._unrolled(node, title, range(low.const, high.const))
        else:
            self.kinds[title] = INT
            body = self.within(lambda: self.block(node.body))
            self.builder.add(ir.For(name(title, INT), low, high, body))

    def _with_steps(self, node: ast.For, title: str, low: Value, high: Value, by: Value) -> None:
        """`range` with a positive step: rounds are counted from a start and by a step that the body
        cannot change."""
        low, by = (number if number.is_const else self._held_value(number) for number in (low, by))
        rounds = (high - low + (by - 1)) // by
        round_ = name(self.fresh("round"), INT)

        def write() -> None:
            self.set(node, title, low + round_ * by)
            self.block(node.body)

        self.builder.add(ir.For(round_, integer(0), rounds, self.within(write)))

    def _is_unrolled(self, node: ast.For, title: str) -> bool:
        """Whether the loop variable is used as an index of a tuple."""
        for inner in ast.walk(node):
            match inner:
                case ast.Subscript(value=ast.Name(id=row), slice=place):
                    if isinstance(self.kinds.get(row), tuple) and any(
                        isinstance(part, ast.Name) and part.id == title for part in ast.walk(place)
                    ):
                        return True
        return False

    def _unrolled(self, node: ast.For, title: str, places: range) -> None:
        def write() -> None:
            for place in places:
                self.known[title] = integer(place)
                self.block(node.body)
            del self.known[title]

        body = self.within(write)
        if any(isinstance(statement, ir.Continue) for statement in ir.walk(body)):
            raise self.error("`continue` where a tuple is gone through", node)
        if any(isinstance(statement, ir.Break) for statement in ir.walk(body)):
            self.builder.add(ir.While(TRUE, (*body, ir.Break())))
        else:
            for statement in body:
                self.builder.add(statement)
