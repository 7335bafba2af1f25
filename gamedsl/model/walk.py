"""Walk typed nodes: the parts of an expression, the expressions and blocks of a statement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from gamedsl.model import nodes


def parts(node: nodes.Expr) -> tuple[nodes.Expr, ...]:
    """The direct sub-expressions; for a call the arguments, not the body."""
    match node:
        case nodes.Cell():
            return node.indices
        case nodes.ArrayRef():
            return node.fixed
        case nodes.Not() | nodes.Negate() | nodes.Narrowed():
            return (node.operand,)
        case nodes.Arithmetic() | nodes.AddOffsets() | nodes.Compare() | nodes.Union():
            return (node.left, node.right)
        case nodes.Step():
            return (node.square, node.offset)
        case nodes.Scale():
            return (node.factor, node.offset)
        case nodes.Member():
            return (node.element, node.collection)
        case nodes.Logic():
            return node.operands
        case nodes.Conditional():
            return (node.condition, node.then, node.otherwise)
        case nodes.Collection():
            return node.items
        case nodes.Range():
            return (node.low, node.high)
        case nodes.Comprehension():
            return (*clause_parts(node.clauses), node.element)
        case nodes.Apply() | nodes.ApplyRecursive() | nodes.Builtin():
            return node.arguments
        case nodes.ListItem():
            return (node.items, node.index)
        case nodes.Const() | nodes.Local() | nodes.Turn() | nodes.Me():
            return ()
        case nodes.Stuck():
            return ()


def with_parts(node: nodes.Expr, change: Callable[[nodes.Expr], nodes.Expr]) -> nodes.Expr:
    """The node with `change` applied to each direct sub-expression; the same object if no part
    changes.

    Slots are kept. In a call the arguments change, not the body.
    """
    match node:
        case nodes.Cell():
            return _if_other(node, indices=_each(node.indices, change))
        case nodes.ArrayRef():
            return _if_other(node, fixed=_each(node.fixed, change))
        case nodes.Not() | nodes.Negate() | nodes.Narrowed():
            return _if_other(node, operand=change(node.operand))
        case nodes.Arithmetic() | nodes.AddOffsets() | nodes.Compare() | nodes.Union():
            return _if_other(node, left=change(node.left), right=change(node.right))
        case nodes.Step():
            return _if_other(node, square=change(node.square), offset=change(node.offset))
        case nodes.Scale():
            return _if_other(node, factor=change(node.factor), offset=change(node.offset))
        case nodes.Member():
            element, collection = change(node.element), change(node.collection)
            return _if_other(node, element=element, collection=collection)
        case nodes.Logic():
            return _if_other(node, operands=_each(node.operands, change))
        case nodes.Conditional():
            condition, then = change(node.condition), change(node.then)
            otherwise = change(node.otherwise)
            return _if_other(node, condition=condition, then=then, otherwise=otherwise)
        case nodes.Collection():
            return _if_other(node, items=_each(node.items, change))
        case nodes.Range():
            return _if_other(node, low=change(node.low), high=change(node.high))
        case nodes.Comprehension():
            clauses = tuple(_changed_clause(clause, change) for clause in node.clauses)
            return _if_other(node, clauses=clauses, element=change(node.element))
        case nodes.Apply() | nodes.ApplyRecursive() | nodes.Builtin():
            return _if_other(node, arguments=_each(node.arguments, change))
        case nodes.ListItem():
            return _if_other(node, items=change(node.items), index=change(node.index))
        case nodes.Const() | nodes.Local() | nodes.Turn() | nodes.Me():
            return node
        case nodes.Stuck():
            return node


def _each(
    parts: tuple[nodes.Expr, ...], change: Callable[[nodes.Expr], nodes.Expr]
) -> tuple[nodes.Expr, ...]:
    return tuple(change(part) for part in parts)


def _changed_clause(
    clause: nodes.Clause, change: Callable[[nodes.Expr], nodes.Expr]
) -> nodes.Clause:
    condition = None if clause.condition is None else change(clause.condition)
    return replace(clause, domain=change(clause.domain), condition=condition)


def _if_other(node: nodes.Expr, **parts: object) -> nodes.Expr:
    """The node with new fields; the same object if the fields are unchanged."""
    if all(getattr(node, name) is part for name, part in parts.items()):
        return node
    return replace(node, **parts)  # type: ignore[arg-type]


def clause_parts(clauses: tuple[nodes.Clause, ...]) -> tuple[nodes.Expr, ...]:
    """The expressions of `for` clauses."""
    expressions: list[nodes.Expr] = []
    for clause in clauses:
        expressions.append(clause.domain)
        if clause.condition is not None:
            expressions.append(clause.condition)
    return tuple(expressions)


def within(node: nodes.Expr) -> Iterator[nodes.Expr]:
    """The node and all nodes below, bodies of called `def`s included (without repetition)."""
    seen: set[int] = set()
    pending: list[nodes.Expr] = [node]
    while pending:
        part = pending.pop()
        yield part
        pending.extend(parts(part))
        body = body_of(part)
        if body is not None and id(body) not in seen:
            seen.add(id(body))
            pending.append(body)


def body_of(node: nodes.Expr) -> nodes.Expr | None:
    """The body behind a call of a `def`; None for other nodes, and during the elaboration of the
    body."""
    match node:
        case nodes.Apply():
            return node.definition.body
        case nodes.ApplyRecursive():
            return node.definition.body
    return None


def slots_of(node: nodes.Apply | nodes.ApplyRecursive) -> tuple[int, ...]:
    """The slots of the parameters of the called `def`."""
    if isinstance(node, nodes.Apply):
        return node.definition.slots
    return tuple(parameter.slot for parameter in node.definition.parameters)


def expressions_of(statement: nodes.Statement) -> tuple[nodes.Expr, ...]:
    """The expressions directly in a statement, without the expressions in its blocks."""
    match statement:
        case nodes.SetCell():
            return (*statement.indices, statement.value)
        case nodes.SetTurn() | nodes.Let() | nodes.Greatest():
            return (statement.value,)
        case nodes.Branch():
            return tuple(condition for condition, _ in statement.branches)
        case nodes.Loop():
            optional = (statement.condition, statement.going)
            return (statement.domain, *(part for part in optional if part is not None))
        case nodes.Chance():
            where = () if statement.condition is None else (statement.condition,)
            return (*statement.indices, *chance_parts(statement.domain), *where)
        case nodes.Reward():
            return tuple(part for share in statement.shares for part in share)
        case nodes.Require():
            return (statement.condition,)
        case nodes.Win():
            amount = () if statement.amount is None else (statement.amount,)
            return (statement.player, *amount)
        case nodes.Pay():
            return statement.payoffs
        case nodes.Again():
            return ()


def chance_parts(domain: nodes.Expr | nodes.Weighted) -> tuple[nodes.Expr, ...]:
    """The expressions in the distribution of a chance event."""
    if not isinstance(domain, nodes.Weighted):
        return (domain,)
    pairs = tuple(part for pair in domain.pairs for part in pair)
    return (*clause_parts(domain.clauses), *pairs)


def blocks_of(statement: nodes.Statement) -> tuple[nodes.Block, ...]:
    """The blocks directly below a statement."""
    match statement:
        case nodes.Branch():
            return (*(body for _, body in statement.branches), statement.otherwise)
        case nodes.Loop():
            return (statement.body,)
        case _:
            return ()


def statements(block: nodes.Block) -> Iterator[nodes.Statement]:
    """Every statement of a block, nested ones included, in order."""
    pending = list(reversed(block))
    while pending:
        statement = pending.pop()
        yield statement
        for inner in reversed(blocks_of(statement)):
            pending.extend(reversed(inner))


def all_expressions(block: nodes.Block) -> Iterator[nodes.Expr]:
    """Every expression in a block, bodies of called `def`s included."""
    for statement in statements(block):
        for expression in expressions_of(statement):
            yield from within(expression)
