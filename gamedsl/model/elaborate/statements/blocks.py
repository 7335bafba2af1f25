"""Elaborate statements: bodies of moves, effects, `setup:` and `end:`.

Syntax-tree blocks and a `Scope` are turned into typed blocks. This module checks which statements
are allowed at a place; `statement_order` checks the order of `require` and changes. Assignments are
elaborated by `changes`, chance events by `chance`, the ends of games by `outcomes`.
"""

from __future__ import annotations

from functools import partial

from gamedsl.model import nodes
from gamedsl.model.elaborate.certainty import is_never, truth_of
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.expressions.definitions import bind, may_call, passed_by_value
from gamedsl.model.elaborate.expressions.tables import order_of, why_not_ordered
from gamedsl.model.elaborate.for_names import named_elements
from gamedsl.model.elaborate.narrowing import (
    changed_by,
    changed_in,
    holding,
    known_to_be,
    learned,
    narrowed,
)
from gamedsl.model.elaborate.statements import changes, outcomes
from gamedsl.model.statement_facts import facts_of
from gamedsl.model.symbols.foreign_words import OTHER_FUNCTIONS
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import UNKNOWN, Scalar, is_number
from gamedsl.source import nearest
from gamedsl.syntax import ast

CHANGES = frozenset({RuleContext.SETUP, RuleContext.MOVE, RuleContext.SIMULTANEOUS})
"""Contexts in which the state changes."""
DECIDES = frozenset({RuleContext.MOVE, RuleContext.SIMULTANEOUS})
"""Contexts that decide whether a move is legal."""


def block(elaborator: Elaborator, written: ast.Block, scope: Scope) -> nodes.Block:
    """The statements in sequence. Statements see the `let`s and the narrowed types of the
    statements before them. Statements behind a condition that never holds are not carried out."""
    typed: list[nodes.Statement] = []
    for place, part in enumerate(written):
        node, scope = statement(elaborator, part, scope)
        if node is None:
            continue
        if isinstance(node, tuple):
            typed.extend(node)
            scope = _after_changes(node, scope)
            continue
        typed.append(node)
        scope = _after(node, scope)
        if isinstance(node, nodes.Require) and truth_of(node.condition) is False:
            rest = partial(block, elaborator, written[place + 1 :], scope)
            return (*typed, *elaborator.elaborate_if_reachable(False, rest, ()))
    return tuple(typed)


def _after_changes(done: nodes.Block, scope: Scope) -> Scope:
    """The scope behind statements, after the statements' changes."""
    return scope.after_changes(changed_by(done)) if scope.known else scope


def _after(done: nodes.Statement, scope: Scope) -> Scope:
    """The scope behind a statement, after the statement's changes and conditions."""
    scope = _after_changes((done,), scope)
    condition = facts_of(done).teaches
    if condition is not None:
        return scope.knowing(learned(condition))
    match done:
        case nodes.Put() if isinstance(done.value.type, Scalar):
            return holding(done.span, done.place, done.value.type, scope)
        case nodes.Branch(otherwise=()) if all(_ends(body) for _, body in done.branches):
            for condition, _ in done.branches:
                scope = scope.knowing(learned(condition, False))
    return scope


def _ends(body: nodes.Block) -> bool:
    """Whether a body certainly reaches an outcome."""
    return bool(body) and facts_of(body[-1]).ends


def statement(
    elaborator: Elaborator, written: ast.Statement, scope: Scope
) -> tuple[nodes.Statement | nodes.Block | None, Scope]:
    """A typed statement, or the statements that express a call of an effect or an assignment to
    several places (None after an error); and the scope of the statements behind."""
    if not elaborator.may_go_on(written.span) or not _is_allowed(elaborator, written, scope):
        return None, scope
    elaborator.effort.enter()
    node, scope = _typed(elaborator, written, scope)
    elaborator.effort.leave()
    return node, scope


def _typed(
    elaborator: Elaborator, written: ast.Statement, scope: Scope
) -> tuple[nodes.Statement | nodes.Block | None, Scope]:
    match written:
        case ast.Let():
            return _let(elaborator, written, scope)
        case ast.Chance():
            from gamedsl.model.elaborate.statements import chance, drawn_sets

            if written.is_subset:
                return drawn_sets.draw(elaborator, written, scope)
            event, scope = chance.chance(elaborator, written, scope)
            return _keeping(event), scope
        case ast.Assign():
            return _keeping(changes.assign(elaborator, written, scope)), scope
        case ast.AssignAll():
            return _keeping(*changes.assign_all(elaborator, written, scope)), scope
        case ast.If():
            return _if(elaborator, written, scope), scope
        case ast.For():
            return _for(elaborator, written, scope), scope
        case ast.CallEffect():
            return _perform(elaborator, written, scope), scope
        case ast.Again():
            return changes.keep_turn(written.span), scope
        case ast.Included():
            elaborator.reporter.report(
                "E0008",
                written.span,
                "`included` stands for what this replaces, and this replaces nothing",
            )
            return None, scope
        case ast.Reward():
            from gamedsl.model.elaborate.statements import rewards

            return rewards.reward(elaborator, written, scope), scope
        case ast.Require():
            condition = elaborator.condition(written.condition, scope, "`require`")
            return nodes.Require(written.span, condition), scope
        case ast.RequireGreatest():
            return _greatest(elaborator, written, scope), scope
        case ast.Ensure():
            condition = elaborator.condition(written.condition, scope, "`ensure`")
            return nodes.Require(written.span, condition, is_late=True), scope
        case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff():
            return outcomes.outcome(elaborator, written, scope), scope


def _keeping(*done: nodes.Statement | None) -> nodes.Statement | nodes.Block | None:
    """Assignments; the turn stays where `turn` is assigned."""
    body = tuple(statement for statement in done if statement is not None)
    if any(facts_of(statement).sets_turn for statement in body):
        return (*body, changes.keep_turn(body[-1].span))
    return body if len(body) > 1 else next(iter(body), None)


def _is_allowed(elaborator: Elaborator, written: ast.Statement, scope: Scope) -> bool:
    match written:
        case ast.Assign() | ast.AssignAll() | ast.Chance() | ast.CallEffect() if (
            scope.context not in CHANGES
        ):
            word, hint = "the state cannot change", "changes belong into a move or `setup:`"
            if scope.context is RuleContext.END and _names_nothing(elaborator, written):
                hint = "an outcome is `p wins`, `p loses`, `draw` or `payoff ...`"
        case ast.Chance() if scope.context is RuleContext.SIMULTANEOUS:
            word = "`chance` cannot stand"
            hint = "let a move that follows draw the chance"
        case ast.Again() if scope.context is not RuleContext.MOVE:
            word = "`again` cannot stand"
            hint = "`again` gives the mover of a move another turn"
        case ast.Reward() if scope.context not in CHANGES:
            word = "a reward cannot stand"
            hint = "rewards come with moves; what the end is worth is an outcome: `payoff ...`"
        case ast.Require() | ast.RequireGreatest() | ast.Ensure() if scope.context not in DECIDES:
            word, hint = "a condition for legality cannot stand", "use `if` here"
        case ast.Wins() | ast.Loses() | ast.Draw() | ast.Payoff() if (
            scope.context is not RuleContext.END
        ):
            word, hint = "an outcome cannot stand", "say in `end:` when the game is over"
        case _:
            return True
    elaborator.reporter.report("E1302", written.span, f"{word} in {scope.context.value}", hint=hint)
    return False


def _names_nothing(
    elaborator: Elaborator,
    written: ast.Assign | ast.AssignAll | ast.Chance | ast.CallEffect,
) -> bool:
    """Whether the variable or effect named by a statement is undeclared: `winner = p`, `win(p)`."""
    if isinstance(written, ast.AssignAll):
        name = written.targets[0]
    else:
        name = written.name if isinstance(written, ast.CallEffect) else written.target
    return isinstance(name, ast.Name) and not elaborator.symbols.knows(name.text)


def _greatest(
    elaborator: Elaborator, written: ast.RequireGreatest, scope: Scope
) -> nodes.Statement:
    """`require e is greatest`; reports an error unless `e` is always a number, or of a type with an
    order, where its place counts."""
    value = elaborator.expression(written.value, scope)
    order = None if is_number(value.type) else order_of(elaborator, value.type)
    if not order:
        hint = why_not_ordered(elaborator, value.type)
        value = elaborator.as_number(value, "what is greatest is a number", hint)
    if value.type.can_be_none:
        elaborator.reporter.report(
            "E1101", written.value.span, "what is greatest is a number; this may be `none`"
        )
    elif order:
        value = order.sure_place_of(elaborator, value)
    return nodes.Greatest(written.span, value)


def _let(elaborator: Elaborator, written: ast.Let, scope: Scope) -> tuple[nodes.Statement, Scope]:
    value = elaborator.expression(written.value, scope)
    if value.whole is not None:
        value = elaborator.wrong(
            "E1101", value.span, f"`{value.whole.variable.name}` is many cells, not one value"
        )
    left = narrowed(value, scope)
    scope, slot = elaborator.new_local(written.name, value.type, scope)
    local = scope.find(written.name.text)
    if isinstance(local, nodes.Local) and isinstance(left.type, Scalar):
        scope = scope.knowing(known_to_be(local, left.type))
    return nodes.Let(written.span, written.name.text, slot, value), scope


def _if(elaborator: Elaborator, written: ast.If, scope: Scope) -> nodes.Statement:
    """An `if`: each branch is elaborated where its condition holds and the conditions above
    fail."""
    branches: list[tuple[nodes.Expr, nodes.Block]] = []
    is_open = True
    for asked, body in written.branches:
        with elaborator.reporter.unreachable(not is_open):
            condition = elaborator.condition(asked, scope, "`if`")
        truth = truth_of(condition)
        inner = partial(block, elaborator, body, scope.knowing(learned(condition)))
        typed = elaborator.elaborate_if_reachable(is_open and truth is not False, inner, ())
        branches.append((condition, typed))
        is_open = is_open and truth is not True
        scope = scope.knowing(learned(condition, False))
    last = partial(block, elaborator, written.otherwise or (), scope)
    otherwise = elaborator.elaborate_if_reachable(is_open, last, ())
    return nodes.Branch(written.span, tuple(branches), otherwise)


def _for(elaborator: Elaborator, written: ast.For, scope: Scope) -> nodes.Statement:
    domain = elaborator.collection(written.domain, scope, "`for`")
    again = scope.after_changes(changed_in(written.body, scope)) if scope.known else scope
    named = named_elements(elaborator, written.name, written.domain, domain, again)
    domain, inner = named.domain, named.scope

    def round_() -> tuple[nodes.Expr | None, nodes.Expr | None, nodes.Block]:
        within, asked = inner, list[nodes.Expr | None]()
        for part, word in ((written.condition, "`where`"), (written.going, "`while`")):
            clause = None if part is None else elaborator.condition(part, within, word)
            within = within if clause is None else within.knowing(learned(clause))
            asked.append(clause)
        is_reachable = all(clause is None or truth_of(clause) is not False for clause in asked)
        typed = partial(block, elaborator, written.body, within)
        return asked[0], asked[1], elaborator.elaborate_if_reachable(is_reachable, typed, ())

    is_reachable = not is_never(domain.type)
    condition, going, body = elaborator.elaborate_if_reachable(
        is_reachable, round_, (None, None, ())
    )
    return nodes.Loop(named.slot, named.name, domain, condition, written.span, going, body)


def _perform(elaborator: Elaborator, written: ast.CallEffect, scope: Scope) -> nodes.Block | None:
    """A call of an effect: parameters bound, then the body."""
    name = written.name.text
    declared = elaborator.symbols.effects.get(name)
    if declared is None:
        _not_an_effect(elaborator, written)
        return None
    if not may_call(elaborator, written.span, declared, len(written.arguments)):
        return None
    arguments = tuple(elaborator.expression(argument, scope) for argument in written.arguments)
    if any(argument.type == UNKNOWN for argument in arguments):
        return None
    elaborator.calls.under_way.append(name)
    inner, slots = bind(elaborator, declared, arguments, scope.context)
    body = block(elaborator, declared.body, inner)
    elaborator.calls.under_way.pop()
    bound = (
        nodes.Let(written.span, elaborator.slot_names[slot], slot, argument)
        for slot, argument in zip(slots, passed_by_value(arguments), strict=True)
    )
    return (*bound, *body)


def _not_an_effect(elaborator: Elaborator, written: ast.CallEffect) -> None:
    from gamedsl.model.symbols.suggestions import explain_left_out

    name = written.name.text
    if name in elaborator.reporter.broken:
        return
    if name in elaborator.symbols.defs:
        elaborator.wrong(
            "E1004",
            written.span,
            f"`{name}` is a `def`: it has a value and changes nothing",
            hint="to change the state, declare it as `effect`",
        )
        return
    if (left_out := explain_left_out(elaborator.symbols, name)) is not None:
        elaborator.wrong(left_out.code, written.name.span, left_out.message, hint=left_out.hint)
        return
    if any(move.name.text == name for move in elaborator.symbols.all(ast.MoveDecl)):
        elaborator.wrong(
            "E1004",
            written.span,
            f"`{name}` is a move: a player makes it, a statement does not",
            hint="what several moves do is an `effect`",
        )
        return
    near = nearest(name, elaborator.symbols.effects)
    elaborator.wrong(
        "E1001",
        written.name.span,
        f"unknown effect `{name}`" + (f"; did you mean `{near}`?" if near else ""),
        hint=None if near else OTHER_FUNCTIONS.get(name, f"declare it: `effect {name}(...):`"),
    )


def check_unused(elaborator: Elaborator) -> None:
    """Check the bodies of `def`s and `effect`s that are never called."""
    symbols = elaborator.symbols
    bodies: list[ast.DefDecl | ast.EffectDecl] = [*symbols.defs.values(), *symbols.effects.values()]
    for declared in bodies:
        if declared.name.text not in elaborator.calls.called:
            if isinstance(declared, ast.DefDecl) and any(declared.bounds):
                from gamedsl.model.elaborate.expressions import recursive

                recursive.check_unused(elaborator, declared)
                continue
            scope = Scope(RuleContext.MOVE, in_definition=declared.name.text)
            for parameter in declared.parameters:
                scope, _ = elaborator.new_local(parameter, UNKNOWN, scope)
            if isinstance(declared, ast.DefDecl):
                elaborator.expression(declared.value, scope)
            else:
                block(elaborator, declared.body, scope)
