"""Makes chance events that always have an outcome, with weights that always add up to one."""

from __future__ import annotations

from dataclasses import replace

from tests.generation.code import Code, Sort, numbers
from tests.generation.declared import Scope, Variable
from tests.generation.layout import Branches, Line, Loop, Statement
from tests.generation.sets import Expressions


class Chances(Expressions):
    """The part that makes `chance` statements."""

    kept: frozenset[str] = frozenset()
    """Variables that only the frame of the game changes, such as the clock."""

    def chance(self, scope: Scope, depth: int) -> tuple[list[Statement], Scope]:
        """`chance v in ...`, or a chance event that sets a cell; and the scope behind it."""
        kind = self.dice.choose((3, 0, 1, 2, 2, 2, 4))
        if kind == 0:
            drawn = self._drawn_cell(scope, depth)
            if drawn is not None:
                return drawn, scope
        if kind == 1:
            return self._from_a_built_set(scope, depth), scope
        if self.dice.happens(15):
            return self._drawn_set(scope), scope
        name = self.declared.fresh("drawn")
        if kind == 2:
            text, sort = self.weights(scope, depth)
        else:
            text, sort = self._uniform(name, scope, depth)
            if self.dice.happens(35):
                inner = scope.having(Code(name, 10, sort))
                weight = self.clamped(self.number(inner, depth - 1), numbers(1, 4))
                text += f" weighted {weight.text}"
        return [Line(f"chance {name} in {text}")], scope.having(Code(name, 10, sort))

    def _uniform(self, name: str, scope: Scope, depth: int) -> tuple[str, Sort]:
        """A set of at least two values, perhaps all but one of them."""
        sort = self.dice.choose([s for s in self.sorts() if s.family != "offset"])
        found = self.collection(sort, scope, 0, least=1)
        may_repeat = any(found.text == one.text for one in self.declared.lists)
        if found.size > 1 and not may_repeat and self.dice.happens(40):
            other = self.value(Sort(sort.family, found.sort.low, found.sort.high), scope, 1)
            return f"{found.text} where {name} != {other.at(5)}", found.sort
        return found.text, found.sort

    def _drawn_cell(self, scope: Scope, depth: int) -> list[Statement] | None:
        """`chance cell[i] in S [where cell[i] != e]`."""
        variables = [
            v
            for v in self.declared.variables
            if v.name not in self.kept and v.name not in scope.unset
        ]
        if not variables:
            return None
        variable = self.dice.choose(variables)
        return [Line(self.draw_into(variable, self.sure_cell(variable, scope, 1), scope))]

    def draw_into(self, variable: Variable, place: str, scope: Scope) -> str:
        """A chance event over the domain of a variable."""
        values = self.domain_values(variable.sort)
        is_fixed = place.count(variable.name) == 1  # else `where` could ask about another cell
        if is_fixed and len(values) > 1 and self.dice.happens(30):
            other = self.dice.choose(values)
            return f"chance {place} in {self.domain_text(variable.sort)} where {place} != {other}"
        if self.dice.happens(30):
            some = self.dice.some(values, 1, 3)
            shares = " + ".join(["1"] * len(some))
            pairs = ", ".join(f"{value}: 1/({shares})" for value in some)
            return f"chance {place} in {{{pairs}}}"
        weighted = ""
        if is_fixed and self.dice.happens(30):
            weighted = f" weighted 3 if {place} == {self.dice.choose(values)} else 2"
        return f"chance {place} in {self.domain_text(variable.sort)}{weighted}"

    def domain_values(self, sort: Sort) -> tuple[str, ...]:
        """The values of a domain as text (of squares and the like: some)."""
        if sort.tokens:
            return sort.tokens
        if sort.family == "number":
            found = tuple(str(number) for number in range(sort.low, sort.high + 1))
        elif sort.family == "bool":
            found = ("false", "true")
        elif sort.family == "player":
            found = self.declared.players
        elif sort.family == "square":
            found = self.declared.board.squares if self.declared.board else ()
        elif sort.family == "compass":
            found = self.declared.board.directions if self.declared.board else ()
        else:
            found = self.declared.atoms_of(sort.family)
        return ("empty",) * sort.empty + ("none",) * sort.none + found

    def domain_text(self, sort: Sort) -> str:
        """A domain as one writes it: `0..3`, `empty | players`, `square | none`."""
        if sort.tokens:
            return " | ".join(sort.tokens)
        plain = {"number": f"{sort.low}..{sort.high}", "player": "players", "compass": "directions"}
        text = plain.get(sort.family, sort.family)
        if sort.empty:
            text = f"empty | {text}"
        return f"{text} | none" if sort.none else text

    def _from_a_built_set(self, scope: Scope, depth: int) -> list[Statement]:
        """`let some = {...}`, `if len(some) > 0:`, `chance v in some`, and a use of it."""
        sort = self.dice.choose([s for s in self.sorts() if s.family not in {"offset", "compass"}])
        found = self.collection(sort, scope, depth)
        if found.sort.high - found.sort.low > 40:
            found = self.collection(Sort("player"), scope, 0)
        name, drawn = self.declared.fresh("some"), self.declared.fresh("drawn")
        inner = scope.having(Code(drawn, 10, found.sort))
        test = self.dice.choose(("len({0}) > 0", "count({0}) != 0", "first({0}) != none"))
        if found.sort.family == "bool":
            test = "len({0}) > 0"
        then: list[Statement] = [Line(f"chance {drawn} in {name}")]
        written = [v for v in self.declared.variables if v.name not in {*self.kept, *scope.unset}]
        for variable in written[:1]:
            place = self.sure_cell(variable, inner, 1)
            then.append(Line(f"{place} = {self.value(variable.sort, inner, 1).text}"))
        return [
            Line(f"let {name} = {found.text}"),
            Branches(((f"if {test.format(name)}", tuple(then)),)),
        ]

    def _drawn_set(self, scope: Scope) -> list[Statement]:
        """`chance some subset of S where count(some) == k`, and a use of the set."""
        sort = self.dice.choose([s for s in self.sorts() if s.family not in {"offset", "compass"}])
        values = self.domain_values(sort)
        size = self.dice.number(1, min(3, len(values)))
        domain, name = self.domain_text(sort), self.declared.fresh("some")
        if size < len(values) and self.dice.happens(50):
            one = self.declared.fresh("one")
            other = self.value(sort, scope, 1)
            domain = f"{{{one} for {one} in {domain} where {one} != {other.at(5)}}}"
        sides = [f"count({name}) == {size}", f"{size} == len({name})"]
        drawn = Line(f"chance {name} subset of {domain} where {self.dice.choose(sides)}")
        element = self.declared.fresh("drawn")
        inner = scope.having(Code(element, 10, sort))
        written = [v for v in self.declared.variables if v.name not in {*self.kept, *scope.unset}]
        body = [
            Line(
                f"{self.sure_cell(variable, inner, 1)} = {self.value(variable.sort, inner, 1).text}"
            )
            for variable in written[:2]
        ]
        return [drawn, *([Loop(f"for {element} in {name}", tuple(body))] if body else [])]

    # --- weights ---------------------------------------------------------------------------

    def weights(self, scope: Scope, depth: int) -> tuple[str, Sort]:
        """`{a: 1/3, b: 2/3}` or `{v: 1/n for v in S}`."""
        sort = self.dice.choose([s for s in self.sorts() if s.family != "offset"])
        kind = self.dice.choose((0, 1, 2, 2, 2))
        if kind == 0:
            return self._listed_weights(sort)
        if kind == 1:
            return self._state_weights(sort, scope, depth)
        return self._built_weights(sort, scope)

    def _listed_weights(self, sort: Sort) -> tuple[str, Sort]:
        values = self.dice.some(self.domain_values(sort), 1, 3)
        parts = [self.dice.number(0, 3) for _ in values[1:]]
        total = 1 + sum(parts)
        pairs = ", ".join(
            f"{value}: {part}/{total}" for value, part in zip(values, [1, *parts], strict=True)
        )
        return f"{{{pairs}}}", sort

    def _state_weights(self, sort: Sort, scope: Scope, depth: int) -> tuple[str, Sort]:
        """Two outcomes whose chances depend on the state; they may be the same."""
        part = self.clamped(self.number(scope, depth - 1), numbers(0, 4))
        one = self.dice.choose(self.domain_values(sort))
        others = [value for value in self.domain_values(sort) if value != one]
        names = [name.text for name in scope.names if sort.holds(name.sort) and not name.is_fixed]
        if names and (not others or self.dice.happens(50)):
            others = [self.dice.choose(names)]
        if not others:
            return self._listed_weights(sort)
        share = f"{part.at(8)}/4"
        return f"{{{one}: {share}, {self.dice.choose(others)}: 1 - {share}}}", sort

    def _built_weights(self, sort: Sort, scope: Scope) -> tuple[str, Sort]:
        name = self.declared.fresh()
        found = self.collection(sort, scope, self.dice.number(0, 1), least=1)
        clause = f"for {name} in {found.text}"
        key = Code(name, 10, found.sort)
        if self.dice.happens(30):
            key = self.value(replace(found.sort), scope.having(key), 1)
        if self.dice.happens(50):
            share = f"1/count({name} == {name} for q_{name} in {found.text})"
        else:
            share = f"1/len({found.text})"
        return f"{{{key.text}: {share} {clause}}}", key.sort
