"""Elaborate statements: bodies of moves, effects, `setup:` and `end:`.

In: syntax-tree blocks and a `Scope`. Out: typed blocks. Which statement may stand where is
checked here; the order of `require` and changes is checked by `flow`.
"""

from __future__ import annotations

from fractions import Fraction

from gamedsl.model import nodes
from gamedsl.model.expressions import Expressions, domain_type
from gamedsl.model.intervals import arithmetic_interval, fits
from gamedsl.model.limits import MOST_VALUES
from gamedsl.model.scope import Place, Scope
from gamedsl.model.types import (
    UNKNOWN,
    Scalar,
    describe,
    element_of,
    join,
    number,
    size_of,
    type_of,
)
from gamedsl.model.values import Domain, Value, text_of
from gamedsl.model.world import KEYWORDS
from gamedsl.source import Label, Span, nearest
from gamedsl.syntax import ast

CHANGES = frozenset({Place.SETUP, Place.MOVE, Place.SIMULTANEOUS})


class Statements(Expressions):
    """The elaborator of statements."""

    def block(self, written: ast.Block, scope: Scope) -> nodes.Block:
        """The statements one after the other; a `let` is known to those that follow it."""
        typed: list[nodes.Statement] = []
        for statement in written:
            found, scope = self.statement(statement, scope)
            if found is not None:
                typed.append(found)
        return tuple(typed)

    def statement(
        self, written: ast.Statement, scope: Scope
    ) -> tuple[nodes.Statement | None, Scope]:
        """One statement (None if it is in error), and the scope of what follows."""
        if not self.may_go_on(written.span) or not self._is_allowed(written, scope):
            return None, scope
        self.effort.enter()
        found, scope = self._typed(written, scope)
        self.effort.leave()
        return found, scope

    def _typed(self, written: ast.Statement, scope: Scope) -> tuple[nodes.Statement | None, Scope]:
        match written:
            case ast.Let():
                return self._let(written, scope)
            case ast.Chance():
                return self._chance(written, scope)
            case ast.Assign():
                return self._assign(written, scope), scope
            case ast.If():
                return self._if(written, scope), scope
            case ast.For():
                return self._for(written, scope), scope
            case ast.CallEffect():
                return self._perform(written, scope), scope
            case ast.Again():
                return nodes.Again(written.span), scope
            case ast.Require():
                condition = self.condition(written.condition, scope, "`require`")
                return nodes.Require(written.span, condition), scope
            case ast.Ensure():
                condition = self.condition(written.condition, scope, "`ensure`")
                return nodes.Ensure(written.span, condition), scope
            case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff():
                return self.outcome(written, scope), scope

    def _is_allowed(self, written: ast.Statement, scope: Scope) -> bool:
        match written:
            case ast.Assign() | ast.Chance() | ast.CallEffect() if scope.place not in CHANGES:
                word, hint = "the state cannot change", "changes belong into a move or `setup:`"
            case ast.Chance() if scope.place is Place.SIMULTANEOUS:
                word = "`chance` cannot stand"
                hint = "let a move that follows draw the chance"
            case ast.Again() if scope.place is not Place.MOVE:
                word, hint = (
                    "`again` cannot stand",
                    "`again` gives the mover of a move another turn",
                )
            case ast.Require() | ast.Ensure() if scope.place not in {
                Place.MOVE,
                Place.SIMULTANEOUS,
            }:
                word, hint = "a condition for legality cannot stand", "use `if` here"
            case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff() if (
                scope.place is not Place.END
            ):
                word, hint = "an outcome cannot stand", "say in `end:` when the game is over"
            case _:
                return True
        self.reporter.report("E1302", written.span, f"{word} in {scope.place.value}", hint=hint)
        return False

    # --- names and changes -----------------------------------------------------------------

    def _let(self, written: ast.Let, scope: Scope) -> tuple[nodes.Statement, Scope]:
        value = self.expression(written.value, scope)
        if isinstance(value, nodes.Whole):
            value = self.wrong(
                "E1101", value.span, f"`{value.variable.name}` is many cells, not one value"
            )
        scope, slot = self.new_local(written.name, value.type, scope)
        return nodes.Let(written.span, written.name.text, slot, value), scope

    def _assign(self, written: ast.Assign, scope: Scope) -> nodes.Statement | None:
        value = self.expression(written.value, scope)
        if isinstance(written.target, ast.Name) and written.target.text == "turn":
            return self._set_turn(written, value, scope)
        place = self._target(written.target, scope)
        if place is None:
            return None
        variable, indices = place
        if written.operator != "=":
            now = nodes.Cell(written.target.span, domain_type(variable), variable, indices)
            found = self._changed(written, now, value)
            if found is None:
                return None
            value = found
        return nodes.SetCell(
            written.span, variable, indices, value, self._proved(written.span, variable, value)
        )

    def _changed(
        self, written: ast.Assign, now: nodes.Cell, value: nodes.Expr
    ) -> nodes.Expr | None:
        """The value of `x += e` or `x -= e`."""
        operator = written.operator[0]
        if UNKNOWN in (now.type, value.type):
            return nodes.Arithmetic(written.span, UNKNOWN, operator, now, value)
        kinds = (now.type, value.type)
        if not all(isinstance(kind, Scalar) and kind.is_number for kind in kinds):
            self.reporter.report(
                "E1101",
                written.span,
                f"`{written.operator}` needs numbers;"
                f" found {describe(now.type)} and {describe(value.type)}",
            )
            return None
        assert isinstance(now.type, Scalar)
        assert isinstance(value.type, Scalar)
        kind = arithmetic_interval(operator, now.type, value.type)
        return nodes.Arithmetic(written.span, kind, operator, now, value)

    def _set_turn(
        self, written: ast.Assign, value: nodes.Expr, scope: Scope
    ) -> nodes.Statement | None:
        if scope.place is Place.SIMULTANEOUS or written.operator != "=":
            self.reporter.report(
                "E1302",
                written.span,
                f"`turn` cannot be changed like this in {scope.place.value}",
                hint=None if scope.place is Place.SIMULTANEOUS else "write `turn = next(turn)`",
            )
            return None
        if not (isinstance(value.type, Scalar) and value.type.is_player):
            self.reporter.report(
                "E1101", written.value.span, f"`turn` is a player; this is {describe(value.type)}"
            )
            return None
        return nodes.SetTurn(written.span, value)

    def _target(
        self, written: ast.Expression, scope: Scope
    ) -> tuple[nodes.Variable, tuple[nodes.Expr, ...]] | None:
        """The cell that an assignment or `chance` writes to."""
        base = written.base if isinstance(written, ast.Index) else written
        if not isinstance(base, ast.Name):
            self.reporter.report("E1109", written.span, "only a state variable can be changed")
            return None
        local = scope.find(base.text)
        found = self.world.find(base.text) if local is None else None
        variable = local.variable if isinstance(local, nodes.Whole) else found
        inside = written.indices if isinstance(written, ast.Index) else ()
        indices = tuple(self.expression(index, scope) for index in inside)
        if not isinstance(variable, nodes.Variable):
            if local is None or local.type != UNKNOWN:  # else the effect is never called
                self._not_a_variable(base, local is not None, scope)
            return None
        if not self.check_indices(written.span, variable, indices):
            return None
        if scope.place is Place.SIMULTANEOUS and not any(
            isinstance(index, nodes.Me) for index in indices
        ):
            self.reporter.report(
                "E1307",
                written.span,
                "a `simultaneous` body may change only cells indexed by `me`",
                hint=f"declare `{variable.name}[players]` and write `{variable.name}[me]`",
            )
            return None
        return variable, indices

    def _not_a_variable(self, base: ast.Name, is_local: bool, scope: Scope) -> None:
        name = base.text
        if name in KEYWORDS:
            hint = "the turn is given away by `turn = ...`" if name == "opponent" else None
            message = f"`{name}` is a word of the language and cannot be changed"
            self.reporter.report("E1109", base.span, message, hint=hint)
        elif not is_local and not self.world.knows(name):
            if name in self.reporter.broken:
                return
            near = nearest(name, [*self.world.variable_decls(), *scope])
            self.reporter.report(
                "E1001",
                base.span,
                f"unknown variable `{name}`" + (f"; did you mean `{near}`?" if near else ""),
                hint=None if near else f"a name for a value: `let {name} = ...`",
            )
        elif is_local or name not in self.world.variable_decls():
            what = "a name for a value" if is_local else "not a state variable"
            self.reporter.report(
                "E1109",
                base.span,
                f"`{name}` is {what} and cannot be changed",
                hint=f"only variables of `state:` change; for a new value write `let {name}2 = ...`"
                if is_local
                else "only variables of `state:` change",
            )

    def _proved(self, span: Span, variable: nodes.Variable, value: nodes.Expr) -> bool:
        """Whether the value surely lies in the domain; if it surely does not, say so."""
        if not isinstance(value.type, Scalar):
            problem = f"holds one value; this is {describe(value.type)}"
            self._does_not_fit("E1101", span, variable, problem)
            return False
        inside = fits(value.type, variable.domain)
        if isinstance(value, nodes.Const) and value.type != UNKNOWN:
            inside = variable.domain.position(value.value) is not None
        if inside is False:
            numbers = value.type.is_number and domain_type(variable).has_numbers
            low, high = value.type.interval
            far = high if high > max(domain_type(variable).interval) else low
            shown = text_of(value.value) if isinstance(value, nodes.Const) else describe(value.type)
            what = f"can reach {far}" if numbers else f"would be {shown}"
            problem = f"{what}, its domain is `{variable.domain}`"
            self._does_not_fit("E1201", span, variable, problem)
        return inside is True

    def _does_not_fit(self, code: str, span: Span, variable: nodes.Variable, what: str) -> None:
        declared = Label(variable.span, f"its domain is `{variable.domain}`")
        self.reporter.report(code, span, f"`{variable.name}` {what}", secondary=(declared,))

    # --- control ---------------------------------------------------------------------------

    def _if(self, written: ast.If, scope: Scope) -> nodes.Statement:
        branches = tuple(
            (self.condition(condition, scope, "`if`"), self.block(body, scope))
            for condition, body in written.branches
        )
        otherwise = self.block(written.otherwise, scope) if written.otherwise else ()
        return nodes.Branch(written.span, branches, otherwise)

    def _for(self, written: ast.For, scope: Scope) -> nodes.Statement:
        domain = self.collection(written.domain, scope, "`for`")
        inner, slot = self.new_local(written.name, element_of(domain.type), scope)
        condition, going = (
            None if part is None else self.condition(part, inner, word)
            for part, word in ((written.condition, "`where`"), (written.going, "`while`"))
        )
        body = self.block(written.body, inner)
        return nodes.Loop(written.span, written.name.text, slot, domain, condition, going, body)

    def _perform(self, written: ast.CallEffect, scope: Scope) -> nodes.Statement | None:
        name = written.name.text
        declared = self.world.effects.get(name)
        if declared is None:
            self._not_an_effect(written)
            return None
        self.called.add(name)
        if len(written.arguments) != len(declared.parameters):
            usage = f"{name}({', '.join(p.text for p in declared.parameters)})"
            self.wrong(
                "E1003",
                written.span,
                f"`{usage}` takes {len(declared.parameters)} arguments,"
                f" found {len(written.arguments)}",
                secondary=(Label(declared.name.span, "defined here"),),
            )
            return None
        if name in self._calling:
            self.recursion(written.span, name)
            return None
        arguments = tuple(self.expression(argument, scope) for argument in written.arguments)
        if any(argument.type == UNKNOWN for argument in arguments):
            return None
        self._calling.append(name)
        inside = Scope(scope.place, (), name if arguments else None)
        inner, slots = self.bind(declared.parameters, arguments, inside)
        body = self.block(declared.body, inner)
        self._calling.pop()
        passed = tuple(a for a in arguments if not isinstance(a, nodes.Whole))
        return nodes.Perform(written.span, name, slots, passed, body)

    def _not_an_effect(self, written: ast.CallEffect) -> None:
        name = written.name.text
        if name in self.reporter.broken:
            return
        if name in self.world.defs:
            self.wrong(
                "E1004",
                written.span,
                f"`{name}` is a `def`: it has a value and changes nothing",
                hint="to change the state, declare it as `effect`",
            )
            return
        near = nearest(name, self.world.effects)
        self.wrong(
            "E1001",
            written.name.span,
            f"unknown effect `{name}`" + (f"; did you mean `{near}`?" if near else ""),
        )

    # --- chance ----------------------------------------------------------------------------

    def _chance(self, written: ast.Chance, scope: Scope) -> tuple[nodes.Statement | None, Scope]:
        domain, element = self._chances(written, scope)
        is_new = (
            isinstance(written.target, ast.Name)
            and scope.find(written.target.text) is None
            and written.target.text not in self.world.variable_decls()
        )
        variable: nodes.Variable | None = None
        indices: tuple[nodes.Expr, ...] = ()
        slot: int | None = None
        if is_new and isinstance(written.target, ast.Name):
            scope, slot = self.new_local(written.target, element, scope)
        else:
            place = self._target(written.target, scope)
            if place is None:
                return None, scope
            variable, indices = place
        condition = None
        if written.condition is not None:
            if isinstance(domain, nodes.Weighted):
                self.wrong(
                    "E1110",
                    written.condition.span,
                    "`where` goes with a set of equally likely values, not with weights",
                    hint="give the others the weight 0",
                )
            condition = self.condition(written.condition, scope, "`where`")
        support = self._support(written, domain, element)
        if support is None:
            return None, scope
        self._check_weights(written, domain)
        name = self.text(written.target)
        if variable is not None and isinstance(element, Scalar):
            standing = nodes.Local(written.domain.span, element, name, -1)
            self._proved(written.span, variable, standing)
        return (
            nodes.Chance(written.span, name, variable, indices, slot, domain, condition, support),
            scope,
        )

    def _chances(
        self, written: ast.Chance, scope: Scope
    ) -> tuple[nodes.Expr | nodes.Weighted, Scalar]:
        """What can come out, and its type."""
        match written.domain:
            case ast.Weights(pairs=pairs):
                typed = tuple(
                    (self.expression(key, scope), self._weight(weight, scope))
                    for key, weight in pairs
                )
                kinds = [key.type for key, _ in typed]
                domain: nodes.Expr | nodes.Weighted = nodes.Weighted(typed)
            case ast.WeightsBuild() as build:
                clauses, inner = self.clauses(build.clauses, scope)
                key = self.expression(build.key, inner)
                domain = nodes.Weighted(((key, self._weight(build.weight, inner)),), clauses)
                kinds = [key.type]
            case _:
                domain = self.collection(written.domain, scope, "`chance`")
                domain = self.worked_out(written.domain, domain)
                kinds = [element_of(domain.type)]
        element: Scalar = Scalar()
        for kind in kinds:
            if not isinstance(kind, Scalar):
                self.wrong(
                    "E1101",
                    written.domain.span,
                    f"`chance` draws single values; this is {describe(kind)}",
                )
                return domain, UNKNOWN
            joined = join(element, kind)
            assert isinstance(joined, Scalar)
            element = joined
        return domain, element

    def _weight(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        found = self.expression(written, scope)
        if not (isinstance(found.type, Scalar) and found.type.is_number):
            return self.wrong(
                "E1101",
                written.span,
                f"a weight is a number such as `1/3`; this is {describe(found.type)}",
            )
        return found

    def _support(
        self, written: ast.Chance, domain: nodes.Expr | nodes.Weighted, element: Scalar
    ) -> Domain | None:
        """All values that can ever come out, in order."""
        if element.unknown:
            return None
        values: tuple[Value, ...] | None = None
        if isinstance(domain, nodes.Const) and isinstance(domain.value, tuple):
            values = domain.value
        elif isinstance(domain, nodes.Weighted) and not domain.clauses:
            keys = [key for key, _ in domain.pairs]
            if all(isinstance(key, nodes.Const) for key in keys):
                values = tuple(key.value for key in keys if isinstance(key, nodes.Const))
                if len(set(values)) < len(values):
                    self.wrong("E1110", written.domain.span, "an outcome is listed twice")
        if values is None:
            values = element.enumerate()
        if values is None:
            self.wrong(
                "E1203",
                written.domain.span,
                f"what can come out must be at most {MOST_VALUES:,} values, known before the game"
                f" starts; this is {describe(element)}",
            )
            return None
        return Domain(tuple(dict.fromkeys(values)))

    def _check_weights(self, written: ast.Chance, domain: nodes.Expr | nodes.Weighted) -> None:
        """Report weights that are constants and cannot be probabilities, and an empty set."""
        if not isinstance(domain, nodes.Weighted):
            if size_of(domain.type) == 0:
                self.wrong("E1110", written.domain.span, "nothing can come out of an empty set")
            return
        weights = [w.value for _, w in domain.pairs if isinstance(w, nodes.Const)]
        shares = [w for w in weights if isinstance(w, int | Fraction)]
        if domain.clauses or len(shares) < len(domain.pairs):
            return
        total = sum(shares, Fraction(0))
        if total != 1 or min(shares) < 0:
            wrong = f"add up to {total}, not 1" if total != 1 else f"hold {min(shares)}"
            self.wrong("E1110", written.domain.span, f"the weights of this event {wrong}")

    # --- outcomes --------------------------------------------------------------------------

    def outcome(self, written: ast.Outcome, scope: Scope) -> nodes.Win | nodes.Pay | None:
        """`p wins`, `p loses`, `draw`, `payoff ...`."""
        if not self.world.players:
            return None  # that they are missing has been said
        match written:
            case ast.Wins() | ast.Loses():
                return self._win(written, scope)
            case ast.Draw():
                if len(self.world.players) > 2:
                    self.wrong(
                        "E2101",
                        written.span,
                        "`draw` is for one or two players",
                        hint="write `payoff p: 0`",
                    )
                    return None
                zero = nodes.Const(written.span, number(0, 0), 0)
                return nodes.Pay(written.span, (zero,) * len(self.world.players))
            case ast.Payoff():
                return self._payoff(written, scope)

    def _win(self, written: ast.Wins | ast.Loses, scope: Scope) -> nodes.Win | None:
        self._look_for_unknown_winner(written.player, scope)
        player = self.expression(written.player, scope)
        amount = None if written.amount is None else self.expression(written.amount, scope)
        verb = "wins" if isinstance(written, ast.Wins) else "loses"
        if len(self.world.players) > 2:
            self.wrong(
                "E2101",
                written.span,
                f"`{verb}` is for one or two players; this game has {len(self.world.players)}",
                hint="write what each gets: `payoff A: 1, B: 0, C: 0`",
            )
            return None
        if not (isinstance(player.type, Scalar) and player.type.is_player):
            self.wrong(
                "E1101",
                written.player.span,
                f"`{verb}` needs a player; this is {describe(player.type)}",
            )
            return None
        if amount is not None and not (isinstance(amount.type, Scalar) and amount.type.is_number):
            assert written.amount is not None
            self.wrong(
                "E1101",
                written.amount.span,
                f"how much is won is a number; this is {describe(amount.type)}",
            )
            return None
        return nodes.Win(written.span, player, amount, 1 if verb == "wins" else -1)

    def _look_for_unknown_winner(self, written: ast.Expression, scope: Scope) -> None:
        """Report `p wins` without `for p in players` with that advice."""
        if not isinstance(written, ast.Name) or scope.find(written.text) is not None:
            return
        name = written.text
        if len(name) == 1 and not self.world.knows(name) and name not in self.reporter.broken:
            hint = f"to go over all players write `for {name} in players:` above"
            self.wrong("E1001", written.span, f"unknown name `{name}`", hint)

    def _payoff(self, written: ast.Payoff, scope: Scope) -> nodes.Pay | None:
        players = {player.name: player for player in self.world.players}
        names = [name.text for name, _ in written.entries]
        if len(names) == 1 and names[0] not in players:
            name, value = written.entries[0]
            payoffs = tuple(
                self._amount(value, scope.having(name.text, _player(name, player)))
                for player in self.world.players
            )
            self.check_free(name, scope)
            return nodes.Pay(written.span, payoffs)
        given: dict[str, ast.Expression] = {}
        for name, value in written.entries:
            if name.text not in players or name.text in given:
                twice = name.text in given
                self.wrong(
                    "E2101",
                    name.span,
                    f"`{name.text}` has two payoffs" if twice else f"`{name.text}` is no player",
                    hint=f"the players are {', '.join(players)}",
                )
            given.setdefault(name.text, value)
        amounts = {name: self._amount(value, scope) for name, value in given.items()}
        missing = [name for name in players if name not in given]
        if missing and set(given) <= set(players):
            verb = "is" if len(missing) == 1 else "are"
            self.wrong(
                "E2101",
                written.span,
                f"`payoff` must name every player; {', '.join(missing)} {verb} missing",
                hint="for one rule for all write `payoff p: ...`",
            )
        if missing or len(given) > len(players):
            return None
        return nodes.Pay(written.span, tuple(amounts[name] for name in players))

    def _amount(self, written: ast.Expression, scope: Scope) -> nodes.Expr:
        found = self.expression(written, scope)
        if not (isinstance(found.type, Scalar) and found.type.is_number):
            return self.wrong(
                "E1101", written.span, f"a payoff is a number; this is {describe(found.type)}"
            )
        return found

    # --- definitions nobody calls ----------------------------------------------------------

    def check_unused(self) -> None:
        """Look at the bodies of `def`s and `effect`s that nothing calls: none stays unread."""
        for name, declared in self.world.defs.items():
            if name not in self.called:
                scope = Scope(Place.MOVE, (), name)
                for parameter in declared.parameters:
                    scope, _ = self.new_local(parameter, UNKNOWN, scope)
                self.expression(declared.value, scope)
        for name, effect in self.world.effects.items():
            if name not in self.called:
                scope = Scope(Place.MOVE, (), name)
                for parameter in effect.parameters:
                    scope, _ = self.new_local(parameter, UNKNOWN, scope)
                self.block(effect.body, scope)


def _player(name: ast.Name, player: Value) -> nodes.Const:
    return nodes.Const(name.span, type_of(player), player)
