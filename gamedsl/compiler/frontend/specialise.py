"""Specialisation: functions of the Python subset, compiled for the kinds of their arguments.

The inputs are the text of kernels, and the functions of a game: packed functions of the
intermediate representation, or text. The output is packed functions that call one another by name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial

from gamedsl.compiler.frontend.bodies import Bodies
from gamedsl.compiler.frontend.items import Item, Kind, flat, kind_of
from gamedsl.compiler.frontend.text import NotYetKnownError, SubsetError, Text
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.rewrite import Rewriter, map_values
from gamedsl.compiler.ir.signatures import callees
from gamedsl.compiler.ir.values import BOOL, INT, MANY, ROW, ZERO, Op, Type, Value, call, make
from gamedsl.source.records import dataclass

Key = tuple[str, tuple[Kind, ...]]
"""The name of a function and the kinds of its arguments."""


NOTHING = ir.Module({}, 64, {})


@dataclass(frozen=True, slots=True)
class Made:
    """A finished function: its name and the kind of its result."""

    name: str
    gives: Kind


class Specialiser:
    """Makes functions on demand.

    `module` gives the functions of the game; it is called when the first of them is used that
    `beside`, a module at hand, does not have.

    Attributes:
        linked: the functions made so far, by name; they call one another.
    """

    def __init__(
        self,
        text: Text,
        module: Callable[[], ir.Module] | None = None,
        beside: ir.Module = NOTHING,
    ) -> None:
        self.text = text
        self._module, self._beside = module, beside
        self.linked: dict[str, ir.Function] = {}
        self._made: dict[Key, Made] = {}
        self._open: dict[Key, Kind | None] = {}
        self._asked: set[Key] = set()

    @cached_property
    def module(self) -> ir.Module:
        """The functions of the game."""
        return NOTHING if self._module is None else self._module()

    def function(self, name: str, kinds: tuple[Kind, ...]) -> Made:
        """The function for arguments of the given kinds. Raises SubsetError."""
        title = self.text.function_name(name)
        if title not in self.text.functions:
            return self._of_game(title)
        key = (title, kinds)
        if key in self._made:
            return self._made[key]
        if key in self._open:
            return Made(_name_for(title, kinds), self._known(key))
        self._open[key] = None
        try:
            self._made[key] = self._make(key)
        finally:
            del self._open[key]
        return self._made[key]

    def entry(self, name: str, kinds: tuple[Kind, ...]) -> Made:
        """Like `function`, with the fields of structures as arguments of their own."""
        node, pending = self.text.functions.get(self.text.function_name(name)), iter(kinds)
        parameters = [] if node is None else node.args.args
        given = [self._given(parameter.annotation, pending) for parameter in parameters]
        return self.function(name, (*given, *pending))

    def _given(self, annotation: ast.expr | None, pending: Iterator[Kind]) -> Kind:
        """The kind of a parameter, from the kinds of the arguments that are left."""
        record = self.text.record(annotation)
        if record is None or not record.is_passed:
            return next(pending)
        return tuple(self._given(field, pending) for field in record.fields.values())

    def _known(self, key: Key) -> Kind:
        """The result kind of a function that is being written, as far as known."""
        kind = self._open[key]
        if kind is None:
            raise NotYetKnownError(key)
        self._asked.add(key)
        return kind

    def _make(self, key: Key) -> Made:
        """Write a function, again until all types are as assumed."""
        (title, kinds), before, types = key, dict(self._made), dict[str, Kind]()
        while True:
            body = _Function(self, key, self._open[key])
            body.kinds |= types
            parameters = body.take(self.text.functions[title], kinds)
            body.block(self.text.functions[title].body)
            if body.gives is None:
                if self._open[key] is not None or body.is_settled:
                    raise SubsetError(f"{title} gives nothing", None, self.text.name)
                body.gives = INT  # without a known result: a number, or always a failure
            if body.is_settled and (key not in self._asked or body.gives == self._open[key]):
                break
            types, self._open[key] = body.kinds, body.gives
            self._made = dict(before)  # functions made meanwhile may depend on the assumption
        name = _name_for(title, kinds)
        self.linked[name] = ir.Function(name, parameters, body.builder.body)
        return Made(name, body.gives)

    # --- functions of the game -----------------------------------------------------------------

    def _of_game(self, name: str) -> Made:
        function = self._find(name)
        self._link(function)
        return Made(function.name, self._result_kind(function))

    def _find(self, name: str) -> ir.Function:
        """The function of the game that has a name. Raises SubsetError."""
        while name not in self._beside.functions:
            if name in self._beside.aliases:
                name = self._beside.aliases[name]
            elif name in self.module.aliases:
                name = self.module.aliases[name]
            elif name in self.module.functions:
                return self.module.functions[name]
            else:
                raise SubsetError(f"there is no function {name}", None, self.text.name)
        return self._beside.functions[name]

    def _result_kind(self, function: ir.Function) -> Kind:
        """The result kind of a function of the game; a state is a tuple within the result."""
        returned = next(
            statement for statement in ir.walk(function.body) if isinstance(statement, ir.Return)
        )
        kinds = tuple(map(self._kind_of, returned.values))
        return kinds[0] if len(kinds) == 1 else kinds

    def _kind_of(self, value: Value) -> Kind:
        if value.op is Op.TUPLE:
            return tuple(map(_plain, (part.type for part in value.args)))
        return (
            self._result_kind(self._find(value.name)) if value.type is MANY else _plain(value.type)
        )

    def _link(self, function: ir.Function) -> None:
        """Link a function of the game and all its callees: functions of the game, or kernels."""
        if function.name in self.linked:
            return
        self.linked[function.name] = function
        own_names = {}
        for value in callees(function):
            title = value.name
            if title in self.text.functions:
                kinds = tuple(
                    INT if argument.type is BOOL else argument.type for argument in value.args
                )
                made = self.function(title, kinds)
                self.linked.setdefault(title, _forwarded(title, made, kinds))
                continue
            called = self._find(title)
            self._link(called)
            if called.name != title:
                own_names[title] = called.name
        if own_names:
            body = map_values(function.body, Rewriter(partial(_called_by, own_names)))
            self.linked[function.name] = replace(function, body=body)


def _called_by(names: Mapping[str, str], value: Value) -> Value:
    """A call of a function by another name."""
    if value.op is Op.CALL and value.name in names:
        return make(Op.CALL, value.type, value.args, names[value.name], value.can_fail)
    return value


def _plain(kind: Type) -> Type:
    """The kernels' type for a type; a set or word that fits a word is a number."""
    return INT if kind.kind == "bits" and not kind.is_wide else kind


def _forwarded(title: str, made: Made, kinds: tuple[Type, ...]) -> ir.Function:
    """A kernel under its plain name, for functions of a game to call. Such callers pass rows
    without lengths, and such kernels do not use the lengths.
    """
    from gamedsl.compiler.ir.values import name

    parameters = tuple(name(f"a{n}", kind) for n, kind in enumerate(kinds))
    values = [
        part
        for parameter in parameters
        for part in ((parameter, ZERO) if parameter.type is ROW else (parameter,))
    ]
    gives = made.gives if isinstance(made.gives, Type) else MANY
    return ir.Function(title, parameters, (ir.Return((call(made.name, values, gives),)),))


def _name_for(title: str, kinds: tuple[Kind, ...]) -> str:
    """The name of a function made for arguments of the given kinds."""
    return f"{title}({','.join(map(_shown, kinds))})"


def _shown(kind: Kind) -> str:
    if isinstance(kind, Type):
        return {"int": "i", "row": "r"}.get(kind.kind, str(kind))
    plain = all(part is INT for part in kind)
    return str(len(kind)) if plain else f"({','.join(map(_shown, kind))})"


class _Function(Bodies):
    """One function being written."""

    def __init__(self, specialiser: Specialiser, key: Key, gives: Kind | None) -> None:
        super().__init__(specialiser.text, gives)
        self._specialiser = specialiser
        self._key = key

    def is_own(self, error: NotYetKnownError) -> bool:
        return error.args == (self._key,)

    def called(self, node: ast.Call, function: str, items: list[Item]) -> tuple[Value, Kind]:
        specialiser = self._specialiser
        try:
            made = specialiser.function(function, tuple(map(kind_of, items)))
        except SubsetError as error:
            if str(error).endswith(f"there is no function {function}"):
                raise self.error(f"there is no function {function}", node) from None
            raise
        is_text = self.text.function_name(function) in self.text.functions
        values = [part for item in items for part in flat(item, with_lengths=is_text)]
        gives = made.gives if isinstance(made.gives, Type) else MANY
        assert gives is not ROW
        return call(made.name, values, gives), made.gives
