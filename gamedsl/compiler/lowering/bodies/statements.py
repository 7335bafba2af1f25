"""Statements by kind, in bodies without chance events (`continuations` cuts the others)."""

from __future__ import annotations

from typing import assert_never

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.ir.values import TRUE
from gamedsl.compiler.lowering.bodies import blocks, earnings, endings
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.scope import Scope
from gamedsl.model import nodes


def write_statement(lowering: Lowering, statement: nodes.Statement, scope: Scope) -> Scope | None:
    """The scope of the next statement; None if unreachable."""
    lowering.comment(statement.span.start)
    match statement:
        case nodes.Put():
            blocks.put(lowering, statement, scope)
        case nodes.Let():
            return blocks.let(lowering, statement, scope)
        case nodes.Branch():
            return endings.write_branch(lowering, statement, scope)
        case nodes.Loop():
            endings.write_loop(lowering, statement, scope)
            if statement is scope.stop:
                lowering.builder.give(TRUE)
                return None
        case nodes.Require():
            return blocks.guard(lowering, statement, scope)
        case nodes.Reward():
            earnings.write_reward(lowering, statement, scope)
        case nodes.Greatest():
            raise AssertionError("taken out of the bodies before")
        case nodes.Chance():
            raise CannotCompileError("a chance event", statement.span)
        case nodes.Ending():
            endings.write_outcome(lowering, statement, scope)
            return None
        case _:
            assert_never(statement)
    return scope
