"""Makes the statements of bodies: changes, `let`, branches, loops, effects, chance, turns.

In: a scope. Out: blocks. A change always lies in the domain of its variable, and a chance event
always has an outcome. Conditions for legality and the ends of games are made elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.generation.chances import Chances
from tests.generation.code import Code, Sort, numbers
from tests.generation.declared import Effect, Place, Scope, Variable
from tests.generation.layout import Block, Branches, Line, Loop, Statement


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may occur in a block: chance events, changes of who moves next, and rewards."""

    chance: bool
    turn: bool
    rewards: bool = False


NOTHING_SPECIAL = Allowed(chance=False, turn=False)


class Statements(Chances):
    """Makes statements."""

    has_rewards: bool = False
    """Whether moves of this game pay on the way."""
    is_even: bool = False
    """Whether all outcomes of this game are wins, losses and draws, and rewards cancel out."""

    def block(self, scope: Scope, depth: int, size: int, allowed: Allowed) -> Block:
        """Up to so many statements, one after the other."""
        found: list[Statement] = []
        for _ in range(self.dice.number(1, size)):
            more, scope = self.statement(scope, depth, allowed)
            found += more
        return tuple(found)

    def statement(
        self, scope: Scope, depth: int, allowed: Allowed
    ) -> tuple[list[Statement], Scope]:
        """A statement (or two that belong together), and the scope of what follows."""
        kinds = ["assign", "assign", "assign", "step"]
        if depth > 0:
            kinds += ["let", "if", "if", "for"]
            kinds += ["effect", "effect"] if self.effects(scope, allowed) else []
            kinds += ["chance"] * 4 if allowed.chance else []
        if allowed.turn:
            kinds += ["turn"]
        if allowed.rewards:
            kinds += ["reward", "reward"]
        match self.dice.choose(kinds):
            case "let":
                return self._let(scope, depth)
            case "if":
                return [self._if(scope, depth, allowed)], scope
            case "for":
                return [self._for(scope, depth, allowed)], scope
            case "effect":
                return [self.perform(self.dice.choose(self.effects(scope, allowed)), scope)], scope
            case "chance":
                return self.chance(scope, depth)
            case "turn":
                return [self._turn(scope, allowed)], scope
            case "reward":
                return [self.reward(scope, depth)], scope
            case "step":
                return self._write_maybe(scope, depth), scope
            case _:
                return self._assign(scope, depth), scope

    # --- changes ---------------------------------------------------------------------------

    def writable(self, scope: Scope) -> list[Variable]:
        """The variables that a body may change here."""
        found = [v for v in self.declared.variables if v.name not in self.kept]
        if scope.place is Place.SIMULTANEOUS:
            return [v for v in found if v.indices and v.indices[0] == Sort("player")]
        return [v for v in found if v.name not in scope.unset]

    def _assign(self, scope: Scope, depth: int) -> list[Statement]:
        variables = self.writable(scope)
        if not variables:
            return [Line(f"let {self.declared.fresh('idle')} = 0")]
        variable = self.dice.choose(variables)
        place = self.place(variable, scope, max(0, depth - 1))
        if self.dice.happens(15):
            return [self._assign_two(variable, place, scope, depth)]
        return [self.change(place, variable.sort, scope, depth)]

    def _assign_two(self, variable: Variable, place: str, scope: Scope, depth: int) -> Statement:
        """`a, b = b, a`, or two values for two places."""
        alike = [v for v in self.writable(scope) if v.sort == variable.sort]
        other = self.dice.choose(alike)
        second = self.place(other, scope, max(0, depth - 1))
        values = [second, place]
        if self.dice.happens(40):
            values[0] = self.value(variable.sort, scope, depth).text
        return Line(f"{place}, {second} = {', '.join(values)}")

    def place(self, variable: Variable, scope: Scope, depth: int) -> str:
        """A cell that can surely be written (and is perhaps read, as by `+=`)."""
        self.declared.reads.add(variable.name)
        if scope.place is not Place.SIMULTANEOUS:
            return self.sure_cell(variable, scope, depth)
        rest = [self.value(sort, scope, depth).text for sort in variable.indices[1:]]
        return f"{variable.name}[{', '.join(['me', *rest])}]"

    def change(self, place: str, sort: Sort, scope: Scope, depth: int) -> Statement:
        """`place = e`; for numbers also `+=` and `-=`; for truth values also turning round."""
        if sort.family == "number" and not sort.tokens and sort.is_sure:
            kind = self.dice.number(0, 3)
            if kind in {1, 2}:
                return self._moved(place, sort, scope, depth, up=kind == 1)
        if sort == Sort("bool") and self.dice.happens(30):
            return Line(f"{place} = not {place}")
        if sort.family == "number" and not (sort.tokens or sort.is_sure) and self.dice.happens(50):
            return self._moved_if_number(place, sort, scope, depth)
        return Line(f"{place} = {self.value(sort, scope, depth).text}")

    def _moved(self, place: str, sort: Sort, scope: Scope, depth: int, *, up: bool) -> Statement:
        """`x += e` and `x -= e` that stop at the ends of the domain."""
        amount = self.clamped(self.number(scope, depth - 1), numbers(0, max(1, sort.high)))
        if not up:
            room = place if sort.low == 0 else f"{place} - {Code(str(sort.low), 9, sort).at(9)}"
            return Line(f"{place} -= min({amount.text}, {room})")
        if self.dice.happens(30):
            return Branches(((f"if {place} < {sort.high}", (Line(f"{place} += 1"),)),))
        return Line(f"{place} += min({sort.high} - {place}, {amount.text})")

    def _moved_if_number(self, place: str, sort: Sort, scope: Scope, depth: int) -> Statement:
        """`if x != empty: x += e`, and what is put there else."""
        guard = self.guard(Code(place, 10, sort))
        plain = numbers(sort.low, sort.high)
        moved = self._moved(place, plain, scope, depth, up=self.dice.happens(50))
        first = Line(f"{place} = {self.value(sort, scope, depth - 1).text}")
        return Branches(((f"if {guard.text}", (moved,)), ("else", (first,))))

    def _write_maybe(self, scope: Scope, depth: int) -> list[Statement]:
        """`let s = a1 + N`, `if s != none: cell[s] = e`."""
        variables = [v for v in self.writable(scope) if v.is_on_squares]
        if not variables:
            return self._assign(scope, depth)
        variable = self.dice.choose(variables)
        name = self.declared.fresh("to")
        target = self.maybe(Sort("square"), scope, depth)
        known = Sort("square").or_none() if target.sort.none else Sort("square")
        inner = scope.having(Code(name, 10, known))
        change = self.change(f"{variable.name}[{name}]", variable.sort, inner, depth)
        if not target.sort.none:
            return [Line(f"let {name} = {target.text}"), change]
        return [
            Line(f"let {name} = {target.text}"),
            Branches(((f"if {name} != none", (change,)),)),
        ]

    def _turn(self, scope: Scope, allowed: Allowed) -> Statement:
        if allowed.chance and self.dice.happens(25):
            return Line(f"chance turn in {self._movers(scope)}")
        if self.dice.happens(60):
            return Line("again")
        return Line(f"turn = {self.value(Sort('player'), scope, 1).text}")

    def reward(self, scope: Scope, depth: int) -> Statement:
        """`reward p: e` for all, for one player, or for several."""
        players = self.declared.players
        if self.is_even and len(players) == 2:
            amount = self.worth(scope, depth)
            return Line(f"reward {players[0]}: {amount}, {players[1]}: -({amount})")
        if self.dice.happens(30):
            name = self.declared.fresh("who")
            inner = scope.having(Code(name, 10, Sort("player")))
            return Line(f"reward {name}: {self.worth(inner, depth)}")
        whose = [self.value(Sort("player"), scope, 1).at(10)]
        whose += [*players] if self.dice.happens(30) else []
        return Line(f"reward {', '.join(f'{p}: {self.worth(scope, depth)}' for p in whose)}")

    def worth(self, scope: Scope, depth: int) -> str:
        """A payoff: a small number, perhaps a fraction."""
        found = self.clamped(self.number(scope, depth), numbers(-9, 9))
        if self.dice.happens(25):
            return f"{found.at(8)}/{self.dice.number(2, 4)}"
        return found.text

    def _movers(self, scope: Scope) -> str:
        """Who may move next by lot."""
        players = self.declared.players
        if len(players) == 1 or self.dice.happens(40):
            return "players"
        if self.dice.happens(50):
            return f"players where turn != {self.dice.choose(players)}"
        if self.dice.happens(50):
            return f"{{{players[0]}: 1/3, {players[1]}: 2/3}}"
        return f"{{{self.value(Sort('player'), scope, 1).text}, {players[0]}}}"

    # --- control ---------------------------------------------------------------------------

    def let(self, scope: Scope, depth: int) -> tuple[Statement, Scope]:
        """`let v = e`, a value, a set or a tuple."""
        name = self.declared.fresh("let")
        sort = self.some_sort(scope)
        if self.dice.happens(20):
            found = self.collection(sort, scope, depth)
        else:
            found = self.maybe(sort, scope, depth)
        named = replace(found, text=name, level=10)
        return Line(f"let {name} = {found.text}"), scope.having(named)

    def _let(self, scope: Scope, depth: int) -> tuple[list[Statement], Scope]:
        statement, scope = self.let(scope, depth)
        return [statement], scope

    def _if(self, scope: Scope, depth: int, allowed: Allowed) -> Statement:
        words = ["if", *["elif"] * self.dice.choose((0, 0, 0, 1, 2))]
        parts = [
            (
                f"{word} {self.condition(scope, depth - 1).text}",
                self.block(scope, depth - 1, 2, allowed),
            )
            for word in words
        ]
        if self.dice.happens(40):
            parts.append(("else", self.block(scope, depth - 1, 2, allowed)))
        return Branches(tuple(parts))

    def _for(self, scope: Scope, depth: int, allowed: Allowed) -> Statement:
        header, inner = self.loop_header(scope, depth)
        few = replace(allowed, chance=allowed.chance and self.dice.happens(30))
        return Loop(header, self.block(inner, depth - 1, 2, few))

    def loop_header(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        """`for v in S [where c] [while c]`, and the scope inside."""
        text, inner, _ = self.clause(scope, depth)
        if self.dice.happens(25):
            text += f" while {self.condition(inner, depth - 1).text}"
        return text, inner

    # --- effects ---------------------------------------------------------------------------

    def effects(self, scope: Scope, allowed: Allowed) -> list[Effect]:
        """The effects that may be called here."""
        if scope.place is Place.SIMULTANEOUS:
            return []
        return [
            effect
            for effect in self.declared.effects
            if (allowed.chance or not effect.draws)
            and (allowed.turn or not effect.is_for_move)
            and not effect.reads & scope.unset
        ]

    def perform(self, effect: Effect, scope: Scope) -> Statement:
        """A call of an effect."""
        self.declared.reads |= effect.reads
        arguments = [self.value(sort, scope, 1).text for sort in effect.parameters]
        arguments[:0] = effect.arrays
        return Line(f"{effect.name}({', '.join(arguments)})")
