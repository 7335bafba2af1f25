"""Walking typed nodes by the fields of their classes."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, get_args

import pytest

import gamedsl
from gamedsl.model import nodes
from gamedsl.model.walk import (
    Held,
    all_expressions,
    blocks_of,
    expressions_of,
    parts,
    statements,
    with_parts,
)

WALKED = (*get_args(nodes.Expr), *get_args(nodes.Statement), *get_args(Held))

LEAVES = frozenset({
    "Span", "Type", "Scalar", "Value", "Domain", "Variable", "Definition", "RecursiveDefinition",
    "str", "int", "bool", "MoverWord",
})  # fmt: skip
"""Classes without parts of the node that holds them."""


@pytest.mark.parametrize("kind", WALKED, ids=lambda kind: kind.__name__)
def test_each_field_is_of_a_kind_that_the_walk_knows(kind: type[Any]) -> None:
    for field in fields(kind):
        assert isinstance(field.type, str), "the module lacks `from __future__ import annotations`"
        words = set(re.findall(r"\w+", field.type)) - {"tuple", "None"}
        if "Block" in words:
            assert field.type in {"Block", "tuple[tuple[Expr, Block], ...]"}
        assert words <= LEAVES | {"Expr", "Clause", "Weighted", "Place", "Block"}, field.name


def test_the_parts_come_in_the_order_of_evaluation() -> None:
    model = gamedsl.load("chess").model
    found = {
        type(node): node
        for move in model.moves
        for node in all_expressions(move.body)
        if isinstance(node, nodes.Comprehension | nodes.Conditional | nodes.Member)
    }
    quantified, conditional = found[nodes.Comprehension], found[nodes.Conditional]
    assert isinstance(quantified, nodes.Comprehension)
    assert isinstance(conditional, nodes.Conditional)
    first = quantified.clauses[0]
    assert parts(quantified)[0] is first.domain
    assert parts(quantified)[-1] is quantified.element
    assert len(parts(quantified)) == 1 + sum(
        1 + (clause.condition is not None) for clause in quantified.clauses
    )
    assert parts(conditional) == (
        conditional.condition, conditional.then, conditional.otherwise,
    )  # fmt: skip


def test_every_node_is_reached_and_stays_itself_without_a_change() -> None:
    for name in ("chess", "kuhn_poker", "craps"):
        model = gamedsl.load(name).model
        for body in (model.setup, model.end, *(move.body for move in model.moves)):
            for statement in statements(body):
                expected = list(_held(statement))
                assert list(map(id, expressions_of(statement))) == list(map(id, expected))
            for node in all_expressions(body):
                assert list(map(id, parts(node))) == list(map(id, _held(node)))
                assert with_parts(node, lambda part: part) is node


def _held(content: Any, is_top: bool = True) -> Any:
    """The expressions in a node, found by the contents of the fields."""
    if isinstance(content, tuple):
        for item in content:
            if not isinstance(item, get_args(nodes.Statement)):
                yield from _held(item, is_top=False)
    elif isinstance(content, nodes.Typed) and not is_top:
        yield content
    elif is_top or isinstance(content, Held):
        for field in fields(content):
            yield from _held(getattr(content, field.name), is_top=False)


def test_a_changed_part_makes_a_new_node_of_the_class() -> None:
    model = gamedsl.load("othello").model
    seen = set()
    for move in model.moves:
        for node in all_expressions(move.body):
            changed = with_parts(node, lambda part: nodes.Mover(part.span, part.type, "turn"))
            assert type(changed) is type(node)
            assert len(parts(changed)) == len(parts(node))
            assert all(isinstance(part, nodes.Mover) for part in parts(changed))
            assert (changed is node) == (not parts(node))
            seen.add(type(node))
    assert {nodes.Comprehension, nodes.Compare} <= seen


def test_branches_and_loops_have_blocks() -> None:
    model = gamedsl.load("chess").model
    counted = {
        type(statement): len(blocks_of(statement))
        for move in model.moves
        for statement in statements(move.body)
        if not isinstance(statement, nodes.Branch)
    }
    assert counted[nodes.Put] == 0
    branches = [
        statement
        for move in model.moves
        for statement in statements(move.body)
        if isinstance(statement, nodes.Branch)
    ]
    assert branches
    for branch in branches:
        assert blocks_of(branch) == (*(block for _, block in branch.branches), branch.otherwise)
