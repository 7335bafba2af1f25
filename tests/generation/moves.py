"""Makes moves: parameters, conditions for legality, what happens, and the clock that counts them.

In: what is declared. Out: lines. Conditions for legality read no secret that the mover does not
know, so that a player's legal actions follow from what that player has seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb

from tests.generation.code import AND, Code, Sort
from tests.generation.declared import Declared, Place, Scope
from tests.generation.dice import Dice
from tests.generation.layout import Branches, Line, Loop, Statement, section
from tests.generation.statements import NOTHING_SPECIAL, Allowed, Statements

MOVE_NAMES = ("take", "put", "go", "pass", "turn_over", "wins", "let_go", "again_and_again")
MOST_ACTIONS = 60


@dataclass(frozen=True, slots=True)
class Frame:
    """What all moves of a game share.

    Attributes:
        clock: the variable that counts plies, "" if nothing does.
        limit: where the clock ends the game.
        phase: of a game of both kinds of moves, the condition under which all choose at once.
        draws: whether moves have chance events.
        repeats: whether repetitions may be illegal.
    """

    clock: str
    limit: int
    phase: str = ""
    draws: bool = False
    repeats: bool = False


class Moves(Statements):
    """Makes `move` and `simultaneous`.

    Attributes:
        earlier: the names of the moves so far.
    """

    def __init__(self, dice: Dice, declared: Declared) -> None:
        super().__init__(dice, declared)
        self.earlier: list[str] = []

    def move(
        self, name: str, frame: Frame, *, is_free: bool, is_compared: bool = False
    ) -> list[str]:
        """A move; a free one has no conditions and is always legal, unless its instances are
        compared with those of other moves."""
        scope = Scope(Place.MOVE, owner="turn")
        header, scope = self.header(name, scope, is_free=is_free)
        guards, scope = ((), scope) if is_free else self.guards(scope)
        body: list[Statement] = [*guards]
        if is_compared:
            is_anywhere = not (scope.names or scope.sets)  # else it may name what guards declare
            place = self.dice.number(0, len(guards)) if is_anywhere else len(guards)
            value = self.number(scope, 2)
            body.insert(place, Line(f"require {value.text} is greatest"))
        elif guards and self.earlier and not self.declared.has_secrets and self.dice.happens(20):
            body.append(Line(f"require {self._ahead()}"))
        if frame.phase:
            body.insert(0, Line(f"require not ({frame.phase})"))
        allowed = Allowed(chance=frame.draws, turn=True, rewards=self.has_rewards)
        ensures = not is_free and not self.declared.has_secrets and self.dice.happens(25)
        if ensures:
            allowed = Allowed(chance=False, turn=True, rewards=self.has_rewards)
        if not is_free and self.dice.happens(12):
            body += self._leap(scope)
        tick = self.tick(frame, is_tried=ensures or frame.repeats)
        first = self.block(scope.opened(), 2, 2, allowed)
        if not first and not tick:
            first = (Line("again"),)
        order = (*tick, *first) if self.dice.happens(50) else (*first, *tick)
        body += order
        if ensures:
            body.append(Line(f"ensure {self.condition(Scope(Place.MOVE), 2).text}"))
            if self.earlier and self.dice.happens(40):
                body.append(Line(f"ensure {self._ahead()}"))
            body += self.block(Scope(Place.MOVE), 1, 1, NOTHING_SPECIAL)
        secret = " secret" if self.declared.has_secrets and self.dice.happens(40) else ""
        self.earlier.append(name)
        return section(self.dice, f"move {header}{secret}", tuple(body))

    def _ahead(self) -> str:
        """Whether a player has moves that stand above: their conditions ask no further down."""
        player = self.dice.choose(("turn", "next(turn)", *self.declared.players))
        named = [name for name in self.earlier if self.dice.happens(60)] or self.earlier[-1:]
        is_not = "not " if self.dice.happens(70) else ""
        return f"{is_not}stuck({', '.join((player, *named))})"

    def simultaneous(self, name: str, frame: Frame) -> list[str]:
        """A choice of all at once, always possible for everybody in its phase."""
        scope = Scope(Place.SIMULTANEOUS, owner="me")
        header, scope = self.header(name, scope, is_free=True)
        body: list[Statement] = []
        if frame.phase:
            body.append(Line(f"require {frame.phase}"))
        if frame.clock:
            body.append(Line(f"{frame.clock}[me] = min({frame.limit}, {frame.clock}[me] + 1)"))
        if self.writable(scope):
            allowed = replace(NOTHING_SPECIAL, rewards=self.has_rewards)
            body += self.block(scope.opened(), 2, 2, allowed)
        return section(self.dice, f"simultaneous {header}", tuple(body))

    def tick(self, frame: Frame, *, is_tried: bool) -> tuple[Statement, ...]:
        """The clock goes on by one.

        Where the body is tried to see whether it is legal, that may happen after the end, for
        `end:` can ask about `stuck` before it looks at the clock.
        """
        clock, limit = frame.clock, frame.limit
        if not clock:
            return ()
        if self.declared.is_simultaneous:
            name = self.declared.fresh()
            count = Line(f"{clock}[{name}] = min({limit}, {clock}[{name}] + 1)")
            return (Loop(f"for {name} in players", (count,)),)
        ways: list[Statement] = [
            Line(f"{clock} = min({limit}, {clock} + 1)"),
            Branches(((f"if {clock} < {limit}", (Line(f"{clock} += 1"),)),)),
        ]
        if not is_tried:
            ways.append(Line(f"{clock} += 1"))
        return (self.dice.choose(ways),)

    # --- parameters ------------------------------------------------------------------------

    def header(self, name: str, scope: Scope, *, is_free: bool) -> tuple[str, Scope]:
        """`name(p in S where c, ...)` and the scope of the body."""
        parts: list[str] = []
        actions = 1
        for _ in range(self.dice.choose((1, 0, 1, 2, 2))):
            one = self._subset if self.dice.happens(12) else self._parameter
            text, size, inner = one(scope, is_free=is_free)
            if actions * size > MOST_ACTIONS:
                break
            actions *= size
            parts.append(text)
            scope = inner
        return (f"{name}({', '.join(parts)})" if parts else name), scope

    def _parameter(self, scope: Scope, *, is_free: bool) -> tuple[str, int, Scope]:
        sorts = [s for s in self.sorts() if s.family != "offset"]
        sort = self.dice.choose([*sorts, *(s for s in sorts if s.family == "square")])
        name = self.declared.fresh("p")
        depends = not is_free and sort.family != "compass" and self.dice.happens(30)
        found = self.collection(sort, scope, 2 if depends else 0, least=0 if depends else 1)
        if not self._is_small(found):
            found = self.collection(Sort("player"), scope, 0)
        inner = scope.having(Code(name, 10, found.sort))
        text = f"{name} in {found.text}"
        if not is_free and self.dice.happens(25):
            text += f" where {self.condition(inner, 2).text}"
        return text, self._most(found.sort), inner

    def _subset(self, scope: Scope, *, is_free: bool) -> tuple[str, int, Scope]:
        """`s subset of S`, perhaps of some sizes alone; an empty one is there unless S surely has
        as many elements as are asked for."""
        sort = self.dice.choose([s for s in self.sorts() if s.family != "offset"])
        name = self.declared.fresh("s")
        depends = not is_free and sort.family != "compass" and self.dice.happens(40)
        found = self.collection(sort, scope, 2 if depends else 0, least=0 if depends else 1)
        if not self._is_small(found):
            found = self.collection(Sort("player"), scope, 0)
        values = self._most(found.sort)
        sizes, where = range(values + 1), ""
        if values > 4 or self.dice.happens(30):
            size = self.dice.number(1, 2)
            is_exact = found.size >= size and self.dice.happens(50)
            sizes = range(size if is_exact else 0, size + 1)
            asked = "len" if found.sort.family == "bool" else self.dice.choose(("len", "count"))
            where = f" where {asked}({name}) {'==' if is_exact else '<='} {size}"
        inner = scope.having(Code(name, 10, found.sort, sizes[0]))
        if where and not is_free and self.dice.happens(25):
            where += f" and {self.condition(inner, 1).at(AND)}"
        count = sum(comb(values, size) for size in sizes)
        return f"{name} subset of {found.text}{where}", count, inner

    def _is_small(self, found: Code) -> bool:
        return found.sort.family != "offset" and self._most(found.sort) <= 20

    def _most(self, sort: Sort) -> int:
        return len(self.domain_values(sort))

    def _leap(self, scope: Scope) -> list[Statement]:
        """`require s + 3*N != none` and a change there: on most boards no such square exists."""
        board = self.declared.board
        variables = [v for v in self.writable(scope) if v.is_on_squares]
        if board is None or not board.is_grid or not variables:
            return []
        variable = self.dice.choose(variables)
        named = [one.text for one in scope.names if one.sort == Sort("square")]
        ways = [one.text for one in scope.names if one.sort == Sort("compass")]
        start = self.dice.choose([*named, *named, *board.squares])
        way = self.dice.choose([*ways, *ways, "N", "E", "SW"])
        there = f"{start} + {self.dice.number(1, 3)}*{way}"
        asked = self.dice.choose(
            (f"{there} != none", f"{there} == {self.dice.choose(board.squares)}")
        )
        change = self.change(f"{variable.name}[{there}]", variable.sort, scope.opened(), 1)
        return [Line(f"require {asked}"), change]

    # --- legality --------------------------------------------------------------------------

    def guards(self, scope: Scope) -> tuple[tuple[Statement, ...], Scope]:
        """`require`s, perhaps with a `let` before them, perhaps in a branch or a loop."""
        found: list[Statement] = []
        for _ in range(self.dice.choose((1, 1, 0, 2))):
            if self.dice.happens(20):
                statement, scope = self.let(scope, 2)
                found.append(statement)
            found.append(self._guard(scope))
        return tuple(found), scope

    def _guard(self, scope: Scope) -> Statement:
        kind = self.dice.number(0, 9)
        if kind == 8:
            condition = self.condition(scope, 1).text
            return Branches(((f"if {condition}", (self._require(scope, 2),)),))
        if kind == 9:
            header, inner = self.loop_header(scope, 1)
            return Loop(header, (self._require(inner, 1),))
        return self._require(scope, 2)

    def _require(self, scope: Scope, depth: int) -> Statement:
        squares = [v for v in self.whole(scope) if v.sort.empty]
        named = [name for name in scope.names if name.sort.family == "square"]
        if squares and named and self.dice.happens(50):
            cell = self.dice.choose(squares)
            self.declared.reads.add(cell.name)
            square = self.dice.choose(named)
            return Line(f"require {cell.name}[{square.text}] == empty")
        return Line(f"require {self.condition(scope, depth).text}")


def clock_condition(frame: Frame, players: tuple[str, ...], *, is_array: bool) -> str:
    """Whether time is up."""
    where = f"[{players[-1]}]" if is_array else ""
    return f"{frame.clock}{where} == {frame.limit}"
