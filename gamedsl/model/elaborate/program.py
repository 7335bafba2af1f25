"""Elaborate a whole file into a `Model`; this module handles sections, `end:` and `evaluate`.

The result is `(Model or None, diagnostics)`; user mistakes are values, not exceptions. Names are
declared by `declarations`, bodies elaborated by `statements`; `whole_game` checks the game as a
whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from gamedsl.model import nodes
from gamedsl.model.checks.definite_assignment import check_initialised
from gamedsl.model.checks.idle_parts import note_idle_parts
from gamedsl.model.checks.looking_ahead import check_looking_ahead
from gamedsl.model.checks.other_names import note_other_names
from gamedsl.model.checks.rounds import check_rounds
from gamedsl.model.checks.statement_order import check_rewards_of_setup
from gamedsl.model.checks.whole_game import (
    check_forbidden_repeats,
    check_sections,
    warn_about_unused,
)
from gamedsl.model.elaborate.declarations.claims import elaborate_expectation
from gamedsl.model.elaborate.declarations.declaration_elaborator import DeclarationElaborator
from gamedsl.model.elaborate.declarations.moves import elaborate_moves
from gamedsl.model.elaborate.declarations.parameters import (
    changed_parameters,
    check_parameters,
)
from gamedsl.model.elaborate.derive import with_facts
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.expressions.expression_elaborator import ExpressionElaborator
from gamedsl.model.elaborate.kept_values import with_values_kept
from gamedsl.model.elaborate.statements import outcomes
from gamedsl.model.elaborate.statements.blocks import block, check_unused
from gamedsl.model.facts import UNKNOWN
from gamedsl.model.limits import MOST_ROUNDS
from gamedsl.model.model import Model
from gamedsl.model.nodes.looks import Looks
from gamedsl.model.symbols.notes import Notes
from gamedsl.model.symbols.reporter import Reporter
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.symbols.symbol_table import SymbolTable
from gamedsl.model.types import atoms
from gamedsl.model.walk import expressions_of
from gamedsl.source import Diagnostic, Severity, Span
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.model.nodes.tree import Tree


def check(
    program: ast.Program,
    parameters: Mapping[str, str] | None = None,
    max_rounds: int = MOST_ROUNDS,
) -> tuple[Model | None, tuple[Diagnostic, ...]]:
    """The checked model of a file, and all findings.

    `parameters` binds `param`s to values written in the language (`{"n": "4"}`); a body may go
    `max_rounds` rounds of its loops (`checks.rounds`). The model is None exactly if a finding is an
    error, or if nothing was declared: then the parser has reported an error (E0119).
    """
    if not program.declarations and not program.broken:
        return None, ()
    examined = _examined(program, parameters or {}, max_rounds, None)
    return examined.model, examined.diagnostics


@dataclass(frozen=True, slots=True)
class Examined:
    """The result of `check`, with notes.

    Attributes:
        notes: the types of expressions.
    """

    model: Model | None
    diagnostics: tuple[Diagnostic, ...]
    notes: Notes


def examine(
    program: ast.Program,
    parameters: Mapping[str, str] | None = None,
    max_rounds: int = MOST_ROUNDS,
) -> Examined:
    """As `check`, with notes about single names and expressions, and `check_most_players`."""
    examined = _examined(program, parameters or {}, max_rounds, Notes())
    if examined.model is None:
        return examined
    more = check_most_players(program, examined.model, parameters or {})
    return replace(examined, diagnostics=(*examined.diagnostics, *more))


def check_most_players(
    program: ast.Program, model: Model, parameters: Mapping[str, str]
) -> tuple[Diagnostic, ...]:
    """A warning if the rules do not fit the most players that `players n of A, B, C` names, where n
    is a parameter; `model` are the rules with the given parameters."""
    declared = next((d for d in program.declarations if isinstance(d, ast.PlayersDecl)), None)
    if declared is None or not isinstance(declared.count, ast.Name):
        return ()
    name, most = declared.count.text, str(len(declared.names))
    if len(declared.names) == len(model.players):
        return ()
    examined = _examined(program, {**parameters, name: most}, model.max_rounds, None)
    first = next((d for d in examined.diagnostics if d.is_error), None)
    if first is None:
        return ()
    message = f"with {name} = {most}: {first.message}"
    return (replace(first, code="W1008", message=message, severity=Severity.WARNING),)


def _examined(
    program: ast.Program, parameters: Mapping[str, str], max_rounds: int, notes: Notes | None
) -> Examined:
    elaborator = _elaborator(program, parameters, notes)
    symbols, reporter = elaborator.symbols, elaborator.reporter
    check_parameters(symbols, parameters)
    model = _Rules(elaborator, max_rounds, frozenset(parameters or {})).model()
    diagnostics = reporter.diagnostics
    if program.broken:
        diagnostics = tuple(d for d in diagnostics if d.code in {"E1001", "E1002"})
    is_whole = not program.broken and not reporter.has_errors
    return Examined(model if is_whole else None, diagnostics, notes or Notes())


def symbols_of(program: ast.Program) -> SymbolTable:
    """The global names of a program; meanings are resolved on demand."""
    return _elaborator(program, {}, None).symbols


def _elaborator(
    program: ast.Program, parameters: Mapping[str, str], notes: Notes | None
) -> ExpressionElaborator:
    reporter = Reporter(program.source, program.broken)
    symbols = SymbolTable(with_values_kept(program, reporter), reporter)
    elaborator = ExpressionElaborator(symbols, notes)
    symbols.start(DeclarationElaborator(elaborator, parameters))
    return elaborator


class _Rules:
    def __init__(self, elaborator: Elaborator, max_rounds: int, bound: frozenset[str]) -> None:
        self.elaborator = elaborator
        self.max_rounds = max_rounds
        self.bound = bound
        self.symbols = elaborator.symbols
        self.reporter = elaborator.reporter
        self.program = elaborator.symbols.program

    def model(self) -> Model | None:
        """The whole game, or None if something essential is missing."""
        title = self.symbols.only(ast.GameTitle, "line `game`")
        parameters = self.symbols.parameters()
        tree = self._tree()
        variables = self.symbols.variables()
        setup = self._setup()
        moves = elaborate_moves(self.elaborator)
        end = self._end(next(self.symbols.all(ast.TreeDecl), None) is not None)
        endless = self._endless()
        repeats = self._repeats(variables)
        evaluation = self._evaluation()
        discount = self._discount()
        looks = self._looks()
        check_unused(self.elaborator)
        check_sections(self.symbols, moves)
        check_forbidden_repeats(self.symbols, repeats, moves, len(self.symbols.players))
        blocks = (setup, end)
        check_looking_ahead(moves, setup, self.reporter)
        check_rounds(self.reporter, blocks, moves, evaluation, self.symbols, self.max_rounds)
        check_initialised(variables, setup, self.symbols, self.reporter)
        claims = self.symbols.all(ast.ExpectDecl)
        expectations = (elaborate_expectation(self.elaborator, written) for written in claims)
        expected = tuple(claim for claim in expectations if claim is not None)
        warn_about_unused(self.symbols)
        note_idle_parts(self.symbols, variables, (setup, end), moves, evaluation, repeats)
        note_other_names(self.symbols, variables, setup, moves, end)
        if self.reporter.has_errors or self.program.broken:
            return None
        board = self.symbols.board
        named = dict(self.symbols.atoms)
        named.update({s.name: s for s in board.squares} if board else {})
        model = Model(
            self.program.source,
            title.title if title else "untitled",
            self.symbols.players,
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
            expected,
            tuple(self.elaborator.slot_names),
            UNKNOWN,
            self.max_rounds,
            looks,
            changed_parameters(self.elaborator, parameters, self.bound),
        )
        model = with_facts(model, discount)
        applying = self._repeats_that_apply(model)
        if applying == repeats:
            return model
        return with_facts(replace(model, repeats=applying), discount)

    def _repeats_that_apply(self, model: Model) -> tuple[nodes.Repeat, ...]:
        """The repetition rules that can apply; only files with such rules pay for the proof."""
        if not model.repeats:
            return ()
        from gamedsl.model.checks.idle_repeats import repeats_that_apply

        is_own = self.program.source.is_own
        return repeats_that_apply(model, self.reporter, lambda rule: is_own(rule.span))

    # --- sections --------------------------------------------------------------------------

    def _tree(self) -> Tree | None:
        written = self.symbols.only(ast.TreeDecl, "section `tree:`")
        if written is None:
            return None
        from gamedsl.model.elaborate.declarations.game_tree import elaborate_tree

        return elaborate_tree(self.elaborator, written)

    def _setup(self) -> nodes.Block:
        written = self.symbols.only(ast.SetupDecl, "section `setup:`")
        if written is None:
            return ()
        setup = block(self.elaborator, written.body, Scope(RuleContext.SETUP))
        check_rewards_of_setup(setup, self.reporter)
        return setup

    def _end(self, is_tree: bool) -> nodes.Block:
        written = self.symbols.only(ast.EndDecl, "section `end:`")
        if written is None:
            is_endless = next(self.symbols.all(ast.DiscountDecl), None) is not None
            if not is_tree and not is_endless and not self.program.broken:
                self.reporter.report(
                    "E2003",
                    self.symbols.place_of_missing,
                    "the game never ends: there is no `end:`",
                    hint="write `end:` and under it, for example, `if stuck: turn loses`; with "
                    "a `discount`, play may go on for ever",
                )
            return ()
        return block(self.elaborator, written.body, Scope(RuleContext.END))

    def _endless(self) -> nodes.Outcome | None:
        written = self.symbols.only(ast.EndlessDecl, "line `endless`")
        if written is None:
            return None
        outcome = outcomes.outcome(self.elaborator, written.outcome, Scope(RuleContext.CONSTANT))
        self._must_be_constant(outcome, written.span)
        return outcome

    def _must_be_constant(self, outcome: nodes.Outcome | None, span: Span) -> None:
        asked = () if outcome is None else expressions_of(outcome)
        if any(part.known is None for part in asked) and not self.reporter.has_errors:
            self.reporter.report("E1306", span, "this outcome must be known before the game starts")

    def _repeats(self, variables: tuple[nodes.Variable, ...]) -> tuple[nodes.Repeat, ...]:
        if next(self.symbols.all(ast.RepeatDecl), None) is None:
            return ()
        from gamedsl.model.elaborate.declarations.repetition import elaborate_repeats

        return elaborate_repeats(self.elaborator, variables)

    def _discount(self) -> Fraction:
        written = self.symbols.only(ast.DiscountDecl, "line `discount`")
        if written is None:
            return Fraction(1)
        from gamedsl.model.elaborate.statements.rewards import discount

        return discount(self.elaborator, written)

    def _looks(self) -> Looks:
        written = self.symbols.only(ast.ShowDecl, "section `show:`")
        if written is None:
            return Looks()
        from gamedsl.model.elaborate.declarations.looks import elaborate_looks

        return elaborate_looks(self.elaborator, written)

    def _evaluation(self) -> nodes.Evaluation | None:
        written = self.symbols.only(ast.EvaluateDecl, "line `evaluate`")
        if written is None:
            return None
        players = atoms(*self.symbols.players)
        scope, slot = self.elaborator.new_local(
            written.player, players, Scope(RuleContext.EVALUATE)
        )
        quiescent = None
        if written.condition is not None:
            quiescent = self.elaborator.condition(written.condition, scope, "`where`")
        value = self.elaborator.number(written.value, scope, "a heuristic value is a number")
        return nodes.Evaluation(slot, quiescent, value)
