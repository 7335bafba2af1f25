"""All functions that kernels call are compiled with them."""

from __future__ import annotations

import ast
from pathlib import Path

from gamedsl.compiler.definitions import Definitions
from gamedsl.solvers import kernels
from gamedsl.solvers.kernels import playout_kernel
from gamedsl.solvers.kernels.assembly import text_of


def test_functions_of_functions_are_in_the_text() -> None:
    text = text_of((playout_kernel.play_outs,), Definitions({"RULES": 1}), native=False)
    named = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    assert {"play_outs", "play_out", "pick_outcome", "repeated_rule"} <= named
    assert "apply" not in named


def test_only_functions_of_games_are_imported_for_types_alone() -> None:
    """`text_of` finds callees among the values of a module, which such an import is not."""
    for path in Path(kernels.__path__[0]).rglob("*_kernel.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                modules = {line.module for line in node.body if isinstance(line, ast.ImportFrom)}
                assert modules <= {"gamedsl.solvers.kernels.abi"}, path
