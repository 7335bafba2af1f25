"""Elaborate the moves, the end, repetition and the rest of a file into a `Model`.

In: a `Program` and the parameters bound from outside. Out: `(Model or None, diagnostics)`; user
mistakes are values. Whole-game rules (something must end, `otherwise` stands between moves, ...)
are checked here.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.model import nodes
from gamedsl.model.claims import elaborate_expectation
from gamedsl.model.derive import derive_facts
from gamedsl.model.flow import check_initialised, check_order
from gamedsl.model.limits import MOST_ACTIONS, MOST_SIDE_BY_SIDE, MOST_VALUES
from gamedsl.model.model import Model
from gamedsl.model.scope import Place, Reporter, Scope
from gamedsl.model.statements import Statements
from gamedsl.model.tree import Tree, elaborate_tree
from gamedsl.model.types import Scalar, atoms, describe, element_of
from gamedsl.model.values import Domain
from gamedsl.model.walk import statements
from gamedsl.model.world import World
from gamedsl.source import Diagnostic, Label, Severity, Span
from gamedsl.syntax import ast


def check(
    program: ast.Program, parameters: Mapping[str, str] | None = None
) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The checked model of a file, and everything found on the way.

    `parameters` binds `param`s to values written in the language (`{"n": "4"}`). The model is
    None exactly if some finding is an error, or if nothing was declared: then the parser has
    said so (E0119).
    """
    if not program.declarations and not program.broken:
        return None, ()
    reporter = Reporter(program.source, program.broken)
    world = World(program, parameters or {}, reporter)
    elaborator = Statements(world)
    world.start(elaborator)
    world.check_overrides()
    model = _Rules(program, world, elaborator, reporter).model()
    diagnostics = reporter.diagnostics
    if program.broken:
        diagnostics = tuple(d for d in diagnostics if d.code in {"E1001", "E1002"})
        return None, diagnostics
    return (None if reporter.has_errors else model), diagnostics


class _Rules:
    def __init__(
        self, program: ast.Program, world: World, elaborator: Statements, reporter: Reporter
    ) -> None:
        self.program = program
        self.world = world
        self.elaborator = elaborator
        self.reporter = reporter

    def model(self) -> Model | None:
        """The whole game, or None if something essential is missing."""
        title = self.world.only(ast.GameTitle, "line `game`")
        parameters = self.world.parameters()
        tree = self._tree()
        variables = self.world.variables()
        setup = self._setup()
        moves = self._moves()
        end = self._end(next(self.world.all(ast.TreeDecl), None) is not None)
        endless = self._endless()
        repeats = tuple(r for r in map(self._repeat, self.world.all(ast.RepeatDecl)) if r)
        evaluation = self._evaluation()
        self.elaborator.check_unused()
        self._check_whole(moves, tree is not None)
        self._check_forbidden_repeats(repeats, moves)
        check_initialised(variables, setup, self.reporter)
        expectations = tuple(
            found
            for written in self.world.all(ast.ExpectDecl)
            if (found := elaborate_expectation(self.elaborator, written)) is not None
        )
        self._warn_about_unused()
        if self.reporter.has_errors or self.program.broken:
            return None
        board = self.world.board
        named = dict(self.world.atoms)
        named.update({s.name: s for s in board.squares} if board else {})
        facts = derive_facts(
            self.world.players, variables, setup, moves, end, endless, repeats, evaluation, tree
        )
        return Model(
            self.program.source,
            title.title if title else "untitled",
            self.world.players,
            parameters,
            board,
            named,
            variables,
            setup,
            moves,
            end,
            endless,
            repeats,
            evaluation,
            tree,
            expectations,
            tuple(self.elaborator.slot_names),
            facts,
        )

    # --- sections --------------------------------------------------------------------------

    def _tree(self) -> Tree | None:
        written = self.world.only(ast.TreeDecl, "section `tree:`")
        return None if written is None else elaborate_tree(self.elaborator, written)

    def _setup(self) -> nodes.Block:
        written = self.world.only(ast.SetupDecl, "section `setup:`")
        if written is None:
            return ()
        return self.elaborator.block(written.body, Scope(Place.SETUP))

    def _moves(self) -> tuple[nodes.Move, ...]:
        moves: list[nodes.Move] = []
        group, first_id = 0, 0
        names: dict[str, ast.MoveDecl] = {}
        previous: ast.Otherwise | None = None
        seen_in_group = False
        for declared in self.program.declarations:
            if isinstance(declared, ast.Otherwise):
                if not seen_in_group:
                    self.reporter.report(
                        "E2005",
                        declared.span,
                        "`otherwise` stands between moves: what is above it goes first",
                    )
                group, seen_in_group, previous = group + 1, False, declared
            elif isinstance(declared, ast.MoveDecl):
                seen_in_group = True
                other = names.setdefault(declared.name.text, declared)
                if other is not declared:
                    self.reporter.report(
                        "E1002",
                        declared.name.span,
                        f"two moves are called `{declared.name.text}`",
                        secondary=(Label(other.name.span, "the first one"),),
                    )
                move = self._move(declared, group, first_id)
                if move is not None:
                    moves.append(move)
                    first_id += move.size
        if previous is not None and not seen_in_group:
            self.reporter.report("E2005", previous.span, "no move follows this `otherwise`")
        if first_id > MOST_ACTIONS:
            self.reporter.report(
                "E1203",
                moves[-1].span,
                f"the moves have more than {MOST_ACTIONS:,} instances: all values of their"
                " parameters multiplied",
                hint="let a move take fewer parameters, or divide it into several moves",
            )
        return tuple(moves)

    def _move(self, written: ast.MoveDecl, group: int, first_id: int) -> nodes.Move | None:
        place = Place.SIMULTANEOUS if written.is_simultaneous else Place.MOVE
        scope = Scope(place)
        parameters: list[nodes.Parameter] = []
        complete = True
        if len(written.parameters) > MOST_SIDE_BY_SIDE:
            self.reporter.report(
                "E1203",
                written.parameters[MOST_SIDE_BY_SIDE].span,
                f"a move has at most {MOST_SIDE_BY_SIDE} parameters",
            )
        for parameter in written.parameters[:MOST_SIDE_BY_SIDE]:
            found, scope = self._parameter(parameter, scope)
            complete = complete and found is not None
            if found is not None:
                parameters.append(found)
        body = self.elaborator.block(written.body, scope)
        check_order(body, self.reporter)
        if not complete:
            return None
        return nodes.Move(
            written.name.text,
            written.name.span,
            tuple(parameters),
            body,
            written.is_secret,
            written.is_simultaneous,
            group,
            first_id,
        )

    def _parameter(
        self, written: ast.Parameter, scope: Scope
    ) -> tuple[nodes.Parameter | None, Scope]:
        domain = self.elaborator.worked_out(
            written.domain,
            self.elaborator.collection(written.domain, scope, f"parameter `{written.name.text}`"),
        )
        element = element_of(domain.type)
        values = domain.value if isinstance(domain, nodes.Const) else None
        scope, slot = self.elaborator.new_local(written.name, element, scope)
        condition = None
        if written.condition is not None:
            condition = self.elaborator.condition(written.condition, scope, "`where`")
        if not isinstance(element, Scalar):
            self.reporter.report(
                "E1105",
                written.domain.span,
                f"a parameter is a single value; these are {describe(element)}",
            )
            return None, scope
        if element.unknown:
            return None, scope
        choices = None if isinstance(values, tuple) else domain
        if not isinstance(values, tuple):
            values = element.enumerate()
        if values is None:
            self.reporter.report(
                "E1203",
                written.domain.span,
                f"`{written.name.text}` must take at most {MOST_VALUES:,} values, known before the"
                f" game starts; this is {describe(element)}",
                hint="name a fixed set, and narrow it with `where`",
            )
            return None, scope
        possible = Domain(tuple(dict.fromkeys(values)))
        return nodes.Parameter(written.name.text, slot, possible, choices, condition), scope

    def _end(self, is_tree: bool) -> nodes.Block:
        written = self.world.only(ast.EndDecl, "section `end:`")
        if written is None:
            if not is_tree and not self.program.broken:
                self.reporter.report(
                    "E2003",
                    Span(0, 0),
                    "the game never ends: there is no `end:`",
                    hint="write `end:` and under it, for example, `if stuck: turn loses`",
                )
            return ()
        return self.elaborator.block(written.body, Scope(Place.END))

    def _endless(self) -> nodes.Outcome | None:
        written = self.world.only(ast.EndlessDecl, "line `endless`")
        if written is None:
            return None
        found = self.elaborator.outcome(written.outcome, Scope(Place.CONSTANT))
        self._must_be_constant(found, written.span)
        return found

    def _must_be_constant(self, found: nodes.Outcome | None, span: Span) -> None:
        match found:
            case nodes.Pay(payoffs=parts):
                constant = all(isinstance(part, nodes.Const) for part in parts)
            case nodes.Win(player=player, amount=amount):
                constant = isinstance(player, nodes.Const) and (
                    amount is None or isinstance(amount, nodes.Const)
                )
            case None:
                return
        if not constant and not self.reporter.has_errors:
            self.reporter.report("E1306", span, "this outcome must be known before the game starts")

    def _repeat(self, written: ast.RepeatDecl) -> nodes.Repeat | None:
        name = written.target.text
        variable = None
        if name != "state":
            found = self.world.find(name)
            if not isinstance(found, nodes.Variable):
                self.elaborator.unknown_name(written.target, Scope(Place.GUARD))
                if self.world.knows(name) and name not in self.world.variable_decls():
                    self.reporter.report(
                        "E1109", written.target.span, f"`{name}` is no state variable"
                    )
                return None
            variable = found
        times = 2
        if written.times is not None:
            counted = self.elaborator.constant(written.times, Scope(Place.CONSTANT))
            if counted is None:
                return None
            if isinstance(counted.value, bool) or not isinstance(counted.value, int):
                return None
            times = counted.value
        if times < 2:
            self.reporter.report(
                "E1203", written.span, "a repetition is at least the second occurrence"
            )
        outcome = None
        if written.outcome is not None:
            outcome = self.elaborator.outcome(written.outcome, Scope(Place.END))
            if outcome is None:
                return None
        return nodes.Repeat(written.span, variable, times, outcome)

    def _evaluation(self) -> nodes.Evaluation | None:
        written = self.world.only(ast.EvaluateDecl, "line `evaluate`")
        if written is None:
            return None
        players = atoms(*self.world.players)
        scope, slot = self.elaborator.new_local(written.player, players, Scope(Place.EVALUATE))
        quiescent = None
        if written.condition is not None:
            quiescent = self.elaborator.condition(written.condition, scope, "`where`")
        value = self.elaborator.expression(written.value, scope)
        if not (isinstance(value.type, Scalar) and value.type.is_number):
            self.reporter.report(
                "E1101",
                written.value.span,
                f"a heuristic value is a number; this is {describe(value.type)}",
            )
        return nodes.Evaluation(slot, quiescent, value)

    # --- the whole game --------------------------------------------------------------------

    def _check_whole(self, moves: tuple[nodes.Move, ...], is_tree: bool) -> None:
        if self.program.broken:
            return
        declared_moves = list(self.world.all(ast.MoveDecl))
        if is_tree or next(self.world.all(ast.TreeDecl), None) is not None:
            for kind in (ast.StateDecl, ast.SetupDecl, ast.MoveDecl, ast.EndDecl, ast.RepeatDecl):
                for extra in self.world.all(kind):
                    self.reporter.report(
                        "E2006",
                        extra.span,
                        "a game given by `tree:` has no state, moves or `end:` besides",
                        hint="say it in the tree, or leave the tree out",
                    )
                    return
        elif not declared_moves:
            self.reporter.report(
                "E2002",
                Span(0, 0),
                "the game has no moves",
                hint="write `move name(s in square):` and under it what it does",
            )
        for move in moves:
            if move.is_simultaneous and move.is_secret:
                self.reporter.report(
                    "E1302",
                    move.span,
                    "a simultaneous choice is hidden already: leave out `secret`",
                )

    def _check_forbidden_repeats(
        self, repeats: tuple[nodes.Repeat, ...], moves: tuple[nodes.Move, ...]
    ) -> None:
        """`repeat x: illegal` asks what a move leads to, which chance or others may decide."""
        undecided = next(
            (
                move
                for move in moves
                if move.is_simultaneous
                or any(isinstance(s, nodes.Chance) for s in statements(move.body))
            ),
            None,
        )
        for rule in repeats:
            if rule.outcome is None and undecided is not None:
                self.reporter.report(
                    "E2007",
                    rule.span,
                    "a repetition cannot be illegal where the mover alone does not decide"
                    f" what `{undecided.name}` leads to",
                    secondary=(Label(undecided.span, "chance or other players decide here"),),
                    hint="give the repetition an outcome instead, as in `repeat ... : draw`",
                )

    def _warn_about_unused(self) -> None:
        if self.reporter.has_errors:
            return
        text_uses = _words_used(self.program)
        for kind, word in (
            (ast.DefDecl, "def"),
            (ast.EffectDecl, "effect"),
            (ast.ParamDecl, "param"),
        ):
            for declared in self.world.all(kind):
                name = declared.name.text  # type: ignore[attr-defined]
                if text_uses.get(name, 0) < 2:
                    self.reporter.report(
                        "W1001",
                        declared.name.span,  # type: ignore[attr-defined]
                        f"`{word} {name}` is never used",
                        severity=Severity.WARNING,
                    )


def _words_used(program: ast.Program) -> dict[str, int]:
    import re

    text = re.sub(r"#[^\n]*", "", program.source.text)
    counts: dict[str, int] = {}
    for word in re.findall(r"[A-Za-z_]\w*", text):
        counts[word] = counts.get(word, 0) + 1
    return counts
