"""`docs/engines.md` lists what is not compiled: exactly the reasons that the compiler has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import gamedsl.compiler

COMPILER = Path(gamedsl.compiler.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "engines.md"
NOT_TOLD = {"an explicit tree"}
"""A tree has one engine, so nobody falls back."""


def reasons() -> Iterator[str]:
    """What the compiler says, `...` in place of what it fills in."""
    for path in COMPILER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and is_refusal(node) and node.args:
                yield written(node.args[0])


def is_refusal(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "CannotCompileError"


def written(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(p.value if isinstance(p, ast.Constant) else "..." for p in node.values)
    assert isinstance(node, ast.Constant), "a reason is written where it is raised"
    return str(node.value)


def test_every_reason_to_fall_back_is_listed_and_no_other() -> None:
    section = PAGE.read_text("utf-8").partition("## What is not compiled")[2]
    rows = re.findall(r"^\| (.+?) \| .+ \|$", section, re.MULTILINE)
    assert sorted(rows) == sorted({*reasons()} - NOT_TOLD)
