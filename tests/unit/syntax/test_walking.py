"""Walking the syntax tree by the fields of its classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from gamedsl.game.library import shipped_games
from gamedsl.source import SourceFile, Span
from gamedsl.syntax import ast
from gamedsl.syntax.parse import parse

PLAIN = frozenset({"str", "int", "bool", "Span"})
CLASSES = [
    kind
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.Node) and kind is not ast.Node
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_nodes_lie_in_fields_and_in_tuples_alone(kind: type[Any]) -> None:
    for field in fields(kind):
        words = set(re.findall(r"\w+", field.type)) - {"tuple", "None"}
        assert all(word in PLAIN or hasattr(ast, word) for word in words), field.name


def held(content: object) -> Iterator[ast.Node]:
    """All nodes, by the contents of all fields."""
    if isinstance(content, ast.Node):
        yield content
        for field in fields(content):
            yield from held(getattr(content, field.name))
    elif isinstance(content, tuple) and not isinstance(content, Span):
        for item in content:
            yield from held(item)


@pytest.mark.parametrize("name", ["chess", "kuhn_poker", "centipede", "dots_and_boxes"])
def test_every_node_is_met_in_order(name: str) -> None:
    path = next(path for path in shipped_games() if path.stem == name)
    program, _ = parse(SourceFile(name, path.read_text()))
    assert program is not None
    found = list(ast.nodes_in(program.declarations))
    assert len(found) > 20
    assert list(map(id, found)) == list(map(id, held(program.declarations)))


def test_nothing_is_met_in_other_objects() -> None:
    assert list(ast.nodes_in(None)) == []
    assert list(ast.nodes_in(("turn", None, Span(0, 1)))) == []
