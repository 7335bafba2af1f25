"""Makes `end:`, `endless`, `repeat` and `evaluate`."""

from __future__ import annotations

from tests.generation.code import Code, Sort, numbers
from tests.generation.declared import Place, Scope
from tests.generation.layout import Branches, Line, Loop, Statement, section
from tests.generation.moves import Frame, Moves, clock_condition

FRACTIONS = ("1/2", "3/4", "-1/3")


class Ends(Moves):
    """Makes what games come to."""

    def end(self, frame: Frame, *, can_be_stuck: bool) -> list[str]:
        """`end:`: every state in which nobody can move, or time is up, has an outcome."""
        scope = Scope(Place.END, is_open=True)
        body: list[Statement] = []
        for _ in range(self.dice.choose((1, 0, 1, 2))):
            more, scope = self._statement(scope)
            body += more
        if frame.clock:
            over = clock_condition(
                frame, self.declared.players, is_array=self.declared.is_simultaneous
            )
            body.append(Branches(((f"if {over}", (*self._graded(scope), self.outcome(scope, 2))),)))
        if can_be_stuck:
            body.append(Branches((("if stuck", (self.outcome(scope, 1),)),)))
        if not body:
            body.append(Branches(((f"if {self.truth(scope, 2).text}", (self.outcome(scope, 1),)),)))
        return section(self.dice, "end", tuple(body))

    def _graded(self, scope: Scope) -> tuple[Statement, ...]:
        """Conditions that decide before the last outcome does."""
        return tuple(
            Branches(((f"if {self.condition(scope, 2).text}", (self.outcome(scope, 1),)),))
            for _ in range(self.dice.choose((0, 1, 2)))
        )

    def _statement(self, scope: Scope) -> tuple[list[Statement], Scope]:
        match self.dice.number(0, 3):
            case 0:
                statement, scope = self.let(scope, 2)
                return [statement], scope
            case 1:
                return [self._for_somebody(scope)], scope
            case _:
                return [self._branches(scope)], scope

    def _branches(self, scope: Scope) -> Statement:
        """A rare outcome, so that games do not end before they began."""
        rare = f"{self.truth(scope, 2).at(2)} and {self.truth(scope, 2).at(3)}"
        parts = [(f"if {rare}", (self.outcome(scope, 1),))]
        if self.dice.happens(25):
            rare = f"not {self.truth(scope, 1).at(3)} and {self.truth(scope, 1).at(3)}"
            parts.append((f"elif {rare}", (self.outcome(scope, 1),)))
        return Branches(tuple(parts))

    def _for_somebody(self, scope: Scope) -> Statement:
        name = self.declared.fresh()
        inner = scope.having(Code(name, 10, Sort("player")))
        header = f"for {name} in players"
        condition = f"{self.truth(inner, 1).at(2)} and {self.truth(inner, 1).at(3)}"
        if self.dice.happens(30):
            header += f" where {self.condition(inner, 1).text}"
        if self.dice.happens(20):
            header += f" while {self.condition(inner, 1).text}"
        return Loop(header, (Branches(((f"if {condition}", (self.outcome(inner, 1),)),)),))

    # --- outcomes --------------------------------------------------------------------------

    def outcome(self, scope: Scope, depth: int) -> Line:
        """`p wins k`, `p loses k`, `draw`, `payoff ...`."""
        if len(self.declared.players) > 2:
            return self._payoff(scope, depth)
        kind = self.dice.number(0, 3 if self.is_even else 5)
        if kind > 3:
            return self._payoff(scope, depth)
        if kind == 3:
            return Line("draw")
        player = self.value(Sort("player"), scope, 1 if self.dice.happens(30) else 0)
        amount = ""
        if self.dice.happens(30):
            amount = f" {self._amount(scope, depth)}"
        return Line(f"{player.at(10)} {self.dice.choose(('wins', 'loses'))}{amount}")

    def _amount(self, scope: Scope, depth: int) -> str:
        if self.dice.happens(30):
            return self.dice.choose(("1/2", "2", "3/4"))
        return self.clamped(self.number(scope, depth), numbers(1, 5)).text

    def _payoff(self, scope: Scope, depth: int) -> Line:
        if self.dice.happens(40):
            name = self.declared.fresh("who")
            inner = scope.having(Code(name, 10, Sort("player")))
            return Line(f"payoff {name}: {self.worth(inner, depth)}")
        worths = [self.worth(scope, depth) for _ in self.declared.players]
        if len(worths) == 2 and self.dice.happens(40):
            worths[1] = f"-({worths[0]})"
        players = self.declared.players
        if scope.place is not Place.CONSTANT and self.dice.happens(30):
            players = self._by_seat()
        pairs = [f"{p}: {w}" for p, w in zip(players, worths, strict=True)]
        return Line(f"payoff {', '.join(pairs)}")

    def _by_seat(self) -> tuple[str, ...]:
        """All players, from whose turn it is on."""
        seats = ["turn"]
        while len(seats) < len(self.declared.players):
            seats.append(f"next({seats[-1]})")
        if len(seats) == 2 and self.dice.happens(50):
            seats[1] = "opponent"
        return tuple(seats)

    def constant_outcome(self) -> str:
        """An outcome known before the game starts."""
        return self.outcome(Scope(Place.CONSTANT), 0).text

    # --- the rest --------------------------------------------------------------------------

    def endless(self) -> list[str]:
        """`endless: outcome`."""
        return [f"endless: {self.constant_outcome()}"]

    def repetition(self) -> list[str]:
        """`repeat state without x 3 times: outcome`, `repeat x, turn: illegal`."""
        public = [v.name for v in self.declared.variables if v.name not in self.kept]
        compared = self.compared_parts(public)
        secrets = {v.name for v in self.declared.variables if v.secret}
        is_legality_public = secrets.isdisjoint(compared.split(", "))
        if not compared.startswith("state") and is_legality_public and self.dice.happens(60):
            return [f"repeat {compared}: illegal"]
        times = self.dice.choose(("", " 3 times", " 2 times"))
        return [f"repeat {compared}{times}: {self.outcome(Scope(Place.CONSTANT), 0).text}"]

    def compared_parts(self, public: list[str]) -> str:
        """`state`, `state without clock, x`, `x`, `x, y, turn`."""
        if not public or self.dice.happens(25):
            left_out = [*sorted(self.kept), *(n for n in public[1:] if self.dice.happens(25))]
            left_out += ["turn"] if self.dice.happens(15) else []
            is_whole = not left_out or self.dice.happens(25)
            return "state" if is_whole else f"state without {', '.join(left_out)}"
        named = [n for n in public if self.dice.happens(30)] or [self.dice.choose(public)]
        return ", ".join([*named, *(["turn"] if self.dice.happens(30) else [])])

    def evaluation(self) -> list[str]:
        """`evaluate p where c: e`."""
        name = self.declared.fresh("who")
        scope = Scope(Place.EVALUATE, (Code(name, 10, Sort("player")),), is_open=True)
        quiescent = f" where {self.truth(scope, 2).text}" if self.dice.happens(30) else ""
        return [f"evaluate {name}{quiescent}: {self.worth(scope, 2)}"]
