"""Functions of the subset, each made for the kinds of arguments with which it is called.

In: the text of kernels, and the functions of a game: packed ones of the intermediate
representation, or text as well. Out: packed functions that call one another by name.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gamedsl.compiler.frontend.bodies import Bodies
from gamedsl.compiler.frontend.items import Item, Kind, flat, kind_of
from gamedsl.compiler.frontend.text import SubsetError, Text
from gamedsl.compiler.ir import statements as ir
from gamedsl.compiler.ir.signatures import callees
from gamedsl.compiler.ir.values import BOOL, INT, MANY, ROW, Op, Type, Value, call


@dataclass(frozen=True, slots=True)
class Made:
    """A function that has been made: its name and what it gives."""

    name: str
    gives: Kind


@dataclass(slots=True)
class Linked:
    """Functions that call one another.

    Attributes:
        functions: by name.
        inlined: those to be put in the place of their calls.
    """

    functions: dict[str, ir.Function] = field(default_factory=dict)
    inlined: set[str] = field(default_factory=set)


class Specialiser:
    """Makes functions as they are asked for."""

    def __init__(self, text: Text, module: ir.Module | None = None) -> None:
        self.text = text
        self.module = module or ir.Module({}, 64, {})
        self.linked = Linked()
        self._made: dict[tuple[str, tuple[Kind, ...]], Made] = {}
        self._open: dict[tuple[str, tuple[Kind, ...]], Kind | None] = {}
        self._asked: set[tuple[str, tuple[Kind, ...]]] = set()

    def function(self, name: str, kinds: tuple[Kind, ...]) -> Made:
        """The function for arguments of these kinds. Raises SubsetError."""
        title = self.text.function_name(name)
        if title not in self.text.functions:
            return self._of_game(title)
        key = (title, kinds)
        if key in self._made:
            return self._made[key]
        if key in self._open:
            self._asked.add(key)
            return Made(_name_for(title, kinds), self._open[key] or INT)
        self._open[key] = None
        made = self._make(title, kinds)
        del self._open[key]
        self._made[key] = made
        return made

    def _make(self, title: str, kinds: tuple[Kind, ...]) -> Made:
        """Write a function, again until all types are what they were taken for."""
        key, node = (title, kinds), self.text.functions[title]
        before, types = dict(self._made), dict[str, Kind]()
        gives: Kind | None = None
        while True:
            body = _Function(self, gives)
            body.kinds |= types
            parameters = body.take(node, kinds)
            body.block(node.body)
            taken_for = self._open[key] or INT
            is_settled = key not in self._asked or body.gives == taken_for
            if body.is_settled and is_settled and body.gives == (gives or body.gives):
                break
            types, gives = body.kinds, body.gives
            if not is_settled:
                self._made = dict(before)
            self._open[key] = body.gives
        name = _name_for(title, kinds)
        function = ir.Function(name, parameters, body.builder.body, title in self.text.inlined)
        self.linked.functions[name] = function
        return Made(name, body.gives if body.gives is not None else INT)

    # --- functions of the game -----------------------------------------------------------------

    def _of_game(self, name: str) -> Made:
        title = self.module.aliases.get(name, name)
        if title not in self.module.functions:
            raise SubsetError(f"there is no function {name}", None, self.text.name)
        self._link(title)
        return Made(title, self._given_by(title))

    def _given_by(self, title: str) -> Kind:
        """What a function of the game gives: a state is a tuple in what it gives."""
        function = self.module.functions[title]
        found = next(one for one in ir.walk(function.body) if isinstance(one, ir.Return))
        kinds = tuple(map(self._kind_of, found.values))
        return kinds[0] if len(kinds) == 1 else kinds

    def _kind_of(self, value: Value) -> Kind:
        if value.op is Op.TUPLE:
            return tuple(one.type for one in value.args)
        return self._given_by(value.name) if value.type is MANY else value.type

    def _link(self, name: str) -> None:
        """Take a function of the game, and all that it calls: others, or kernels."""
        if name in self.linked.functions:
            return
        function = self.linked.functions[name] = self.module.functions[name]
        for value in callees(function):
            title = self.module.aliases.get(value.name, value.name)
            if title in self.module.functions:
                self._link(title)
            elif title in self.text.functions:
                kinds = tuple(INT if one.type is BOOL else one.type for one in value.args)
                made = self.function(title, kinds)
                self.linked.functions.setdefault(title, _forwarded(title, made, kinds))


def _forwarded(title: str, made: Made, kinds: tuple[Type, ...]) -> ir.Function:
    """A function that is a kernel under its plain name, for functions of a game to call."""
    from gamedsl.compiler.ir.values import name

    given = tuple(name(f"a{n}", kind) for n, kind in enumerate(kinds))
    gives = made.gives if isinstance(made.gives, Type) else MANY
    return ir.Function(title, given, (ir.Return((call(made.name, given, gives),)),), True)


def _name_for(title: str, kinds: tuple[Kind, ...]) -> str:
    """The name of a function made for arguments of these kinds."""
    return f"{title}({','.join(map(_shown, kinds))})"


def _shown(kind: Kind) -> str:
    if isinstance(kind, Type):
        return {"int": "i", "row": "r"}.get(kind.kind, str(kind))
    plain = all(part is INT for part in kind)
    return str(len(kind)) if plain else f"({','.join(map(_shown, kind))})"


class _Function(Bodies):
    """One function being written."""

    def __init__(self, specialiser: Specialiser, gives: Kind | None) -> None:
        super().__init__(specialiser.text, gives)
        self._specialiser = specialiser

    def called(self, node: ast.Call, function: str, items: list[Item]) -> tuple[Value, Kind]:
        specialiser = self._specialiser
        try:
            made = specialiser.function(function, tuple(map(kind_of, items)))
        except SubsetError as error:
            if "there is no function" in str(error):
                raise self.error(f"there is no function {function}", node) from None
            raise
        is_text = self.text.function_name(function) in self.text.functions
        values = [one for item in items for one in flat(item, with_lengths=is_text)]
        gives = made.gives if isinstance(made.gives, Type) else MANY
        assert gives is not ROW
        return call(made.name, values, gives), made.gives
