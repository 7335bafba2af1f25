"""What the makers of expressions share: choosing among ways, and reading what is declared.

In: a scope, a sort and a depth (how many operators may still be nested). Out: a `Code`. The
methods that make values of one family are completed by the subclasses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from tests.generation.code import SQUARE, SUBSET, Code, Sort, literal, numbers, primary
from tests.generation.declared import Declared, Definition, Place, Scope, Variable
from tests.generation.dice import Dice

Way = Callable[[], Code]

DIRECTIONS_TO_GO = ("N", "E", "NE", "SE", "S", "W", "2*N + E", "2*E", "NW")
"""What stands in sets of directions given to `line` and its kin."""


class Maker:
    """Makes expressions over what is declared."""

    def __init__(self, dice: Dice, declared: Declared) -> None:
        self.dice = dice
        self.declared = declared

    # Completed by the subclasses.
    def number(self, scope: Scope, depth: int) -> Code:
        """A number, never `none`."""
        raise NotImplementedError

    def truth(self, scope: Scope, depth: int) -> Code:
        """True or false."""
        raise NotImplementedError

    def value(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """A value that surely is of the sort."""
        raise NotImplementedError

    def maybe(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """A value of the sort's family, or perhaps `none` or `empty`."""
        raise NotImplementedError

    def collection(self, sort: Sort, scope: Scope, depth: int, *, least: int = 0) -> Code:
        """A set with values of the sort's family, at least so many."""
        raise NotImplementedError

    def directions_to_go(self) -> list[Code]:
        """The last argument of `line`, `group` and `neighbours`, if one is given."""
        board = self.declared.board
        if board is None or not board.is_grid or self.dice.happens(60):
            return []
        named = self.dice.some(DIRECTIONS_TO_GO, 1, 4)
        text = "directions" if self.dice.happens(15) else f"{{{', '.join(named)}}}"
        return [Code(text, 10, Sort("offset"))]

    # --- choosing --------------------------------------------------------------------------

    def one_of(self, ways: Sequence[Way]) -> Code:
        """The result of one of the ways."""
        return self.dice.choose(ways)()

    def some_sort(self, scope: Scope) -> Sort:
        """A sort whose values can be made here."""
        return self.dice.choose(self.sorts())

    def sorts(self) -> list[Sort]:
        """All sorts of this game."""
        found = [Sort("number", 0, 3), Sort("bool"), Sort("player")]
        found += [Sort(kind.name) for kind in self.declared.types]
        board = self.declared.board
        if board is not None:
            found.append(Sort("square"))
            if board.is_grid:
                found += [Sort("offset"), Sort("compass")]
        return found

    # --- reading ---------------------------------------------------------------------------

    def readings(self, scope: Scope, accepts: Callable[[Sort], bool], depth: int) -> list[Way]:
        """Ways to read a local name, a parameter of the game or a cell of an accepted sort."""
        names = (*reversed(scope.names), *self.declared.constants)
        ways = [as_it_is(name) for name in names if accepts(name.sort)]
        for variable in self.readable(scope):
            if accepts(variable.sort) and (depth >= 0 or not variable.indices):
                sure = not accepts(variable.sort.or_none())
                ways.append(partial(self.cell, variable, scope, depth, sure=sure))
        for definition in self.callable(scope):
            if definition.result.size < 0 and accepts(definition.result.sort) and depth > 0:
                ways.append(partial(self.applied, definition, scope, depth))
        return ways

    def readable(self, scope: Scope) -> list[Variable]:
        """The variables whose cells may be read here; arrays passed to a `def` among them."""
        if scope.place is Place.CONSTANT:
            return []
        if scope.place is Place.DEFINITION and scope.arrays:
            return [*scope.arrays]
        return [
            variable
            for variable in self.declared.variables
            if variable.name not in scope.unset
            and (
                not variable.secret
                or scope.is_open
                or (scope.owner != "" and variable.secret in self._seen_by_mover)
            )
        ]

    @property
    def _seen_by_mover(self) -> dict[str, str]:
        """The kinds of secrets of which the mover sees a cell, with the index of that cell."""
        seen = {"owner": "{}"}
        return seen if len(self.declared.players) == 1 else {**seen, "others": "next({})"}

    def whole(self, scope: Scope) -> list[Variable]:
        """The variables over squares that may be handed over as a whole."""
        return [
            variable
            for variable in self.readable(scope)
            if variable.is_on_squares and not variable.secret
        ]

    def has_boards(self, scope: Scope) -> bool:
        """Whether something can be handed over as a board."""
        return bool(self.whole(scope) or self._parted(scope))

    def board_of(self, scope: Scope) -> Code:
        """A variable over squares, or the part of one with more indices that is a board."""
        variable = self.dice.choose([*self.whole(scope), *self._parted(scope)])
        self.declared.reads.add(variable.name)
        if variable.is_on_squares:
            return Code(variable.name, 10, variable.sort)
        indices = [self.value(sort, scope, 0).text for sort in variable.indices[:-1]]
        return Code(f"{variable.name}[{', '.join(indices)}]", 10, variable.sort)

    def _parted(self, scope: Scope) -> list[Variable]:
        if scope.place is Place.DEFINITION and scope.arrays:
            return []
        return [v for v in self.readable(scope) if v.has_boards and not v.secret]

    def cell(self, variable: Variable, scope: Scope, depth: int, *, sure: bool = False) -> Code:
        """One cell of a variable; unless `sure`, it may be `none` where its index may be."""
        self.declared.reads.add(variable.name)
        if not variable.indices:
            return Code(variable.name, 10, variable.sort)
        if variable.secret in self._seen_by_mover and not scope.is_open:
            index = self._seen_by_mover[variable.secret].format(scope.owner)
            return Code(f"{variable.name}[{index}]", 10, variable.sort)
        pick = self.value if sure else self.index
        indices = [pick(sort, scope, depth - 1) for sort in variable.indices]
        sort = variable.sort
        if any(index.sort.none for index in indices):
            sort = sort.or_none()
        text = ", ".join(index.text for index in indices)
        return Code(f"{variable.name}[{text}]", 10, sort)

    def index(self, sort: Sort, scope: Scope, depth: int) -> Code:
        """An index; of squares one that may be off the board."""
        if sort.family == "square" and depth > 0 and self.dice.happens(25):
            return self.maybe(sort, scope, depth)
        return self.value(sort, scope, depth)

    def sure_cell(self, variable: Variable, scope: Scope, depth: int) -> str:
        """A cell that can be written: no index is `none`."""
        if not variable.indices:
            return variable.name
        if variable.indices == (Sort("player"),) and scope.place is Place.SIMULTANEOUS:
            return f"{variable.name}[me]"
        indices = [self.value(sort, scope, depth).text for sort in variable.indices]
        return f"{variable.name}[{', '.join(indices)}]"

    def callable(self, scope: Scope) -> list[Definition]:
        """The `def`s that may be called here."""
        if scope.arrays:
            return []
        found = [d for d in self.declared.definitions if not d.reads & scope.unset]
        if scope.place is Place.CONSTANT:
            return [d for d in found if d.result.is_fixed and d.array is None]
        return found

    def applied(self, definition: Definition, scope: Scope, depth: int) -> Code:
        """A call of a `def`."""
        self.declared.reads |= definition.reads
        arguments = [
            self.subset(scope, depth - 1) if sort == SUBSET else self.value(sort, scope, depth - 1)
            for sort in definition.parameters
        ]
        if definition.array is not None:
            whole = Code(definition.array.name, 10, definition.array.sort)
            self.declared.reads.add(definition.array.name)
            arguments.insert(0, whole)
        result = definition.result
        if not arguments and definition.array is None:
            return replace(result, text=definition.name, level=10)
        text = f"{definition.name}({', '.join(argument.text for argument in arguments)})"
        found = primary(text, result.sort, *arguments, size=result.size)
        return replace(found, is_fixed=found.is_fixed and result.is_fixed)

    def subset(self, scope: Scope, depth: int) -> Code:
        """Some squares, as an argument."""
        named = [one for one in scope.sets if one.sort == SQUARE]
        if named and self.dice.happens(50):
            return self.dice.choose(named)
        squares = [self.value(SQUARE, scope, depth) for _ in range(self.dice.choose((1, 0, 2)))]
        if squares or self.dice.happens(60):
            return primary(f"{{{', '.join(one.text for one in squares)}}}", SQUARE, *squares)
        return literal("square", SQUARE)

    # --- `for` -----------------------------------------------------------------------------

    def clause(self, scope: Scope, depth: int, *, least: int = 0) -> tuple[str, Scope, bool]:
        """`for v in S [where c]`, the scope inside, and whether all of it is fixed.

        With `least` > 0 the set surely has so many elements and no condition.
        """
        if self.dice.happens(10):
            text, inner, fixed = self._with_items(scope, least)
        else:
            sort = self.some_sort(scope)
            domain = self.collection(sort, scope, depth - 1, least=least)
            name = self.declared.fresh()
            inner = scope.having(Code(name, 10, domain.sort, -1, domain.is_fixed))
            text = f"for {name} in {domain.text}"
            fixed = domain.is_fixed
        if least == 0 and self.dice.happens(30):
            condition = self.truth(inner, depth - 1)
            text += f" where {condition.text}"
            fixed = fixed and condition.is_fixed
        return text, inner, fixed

    def _with_items(self, scope: Scope, least: int) -> tuple[str, Scope, bool]:
        """`for (a, b) in {(x, y), ...}`, of constants."""
        sorts = [self.some_sort(scope) for _ in range(self.dice.choose((2, 2, 3)))]
        outside = Scope(Place.CONSTANT)
        rows = [
            [self.value(sort, outside, 1) for sort in sorts]
            for _ in range(self.dice.number(max(1, least), least + 2))
        ]
        names = [self.declared.fresh() for _ in sorts]
        fixed = all(item.is_fixed for row in rows for item in row)
        for name, *items in zip(names, *rows, strict=True):
            low, high = min(i.sort.low for i in items), max(i.sort.high for i in items)
            sort = items[0].sort if items[0].sort.family != "number" else numbers(low, high)
            scope = scope.having(Code(name, 10, sort, -1, fixed))
        listed = ", ".join(f"({', '.join(item.text for item in row)})" for row in rows)
        text = f"{{{listed}}}" if least < 2 and self.dice.happens(50) else f"[{listed}]"
        return f"for ({', '.join(names)}) in {text}", scope, fixed

    def clauses(self, scope: Scope, depth: int, *, least: int = 0) -> tuple[str, Scope, bool]:
        """One `for` or two."""
        text, inner, fixed = self.clause(scope, depth, least=least)
        if depth > 1 and self.dice.happens(15):
            more, inner, also = self.clause(inner, depth - 1, least=least)
            text, fixed = f"{text} {more}", fixed and also
        return text, inner, fixed


def as_it_is(code: Code) -> Way:
    """The way that gives an expression already made."""
    return lambda: code
