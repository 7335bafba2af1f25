"""Nothing is kept that nobody reaches: every module is imported, and every name is used.

Modules are followed by imports from the doors of the program, and by the strings that name modules
which are imported when they are needed. A public function or class counts as used where its name
stands once more than where it is defined: in the package, on the page of the Python interface, or
in the code of the playground.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "gamedsl"
DOORS = (
    "gamedsl",
    "gamedsl.__main__",
    "gamedsl.bridges.tables",
    "gamedsl.cli.main",
    "gamedsl.gymnasium",
    "gamedsl.openspiel",
    "gamedsl.pettingzoo",
    "gamedsl.playground.dispatch",  # imported by the playground's JavaScript
    "gamedsl.services.pygments_lexer",
)
ELSEWHERE = (
    "docs/bridges.md",
    "docs/python.md",
    "pyproject.toml",
    "hatch_build.py",
    "web/src/*.js",
    "web/*.py",
)
"""Where names of the package are used besides."""
BY_OTHERS = {
    "_action_to_string", "_apply_action", "_apply_actions", "_legal_actions", "make_py_observer",
    "set_from", "string_from", "format_commands", "format_options", "list_directory", "log_message",
    "handle_NL", "_repr_markdown_", "_missing_", "load_ipython_extension", "import_",
}  # fmt: skip
"""Methods that OpenSpiel, Typer, `http.server`, Lark, notebooks and `enum` call."""
RULES_OF_THE_GRAMMAR = "gamedsl.syntax.builders"
"""Its methods are named after rules of the grammar; the parser calls them."""
REGISTERED_BY = {"_on", "_asks"}
"""Decorators that put a function into a table, through which it is called."""
FOR_TESTS = {"Trace"}
"""Collects events of a search: tests and notebooks hand it to searches."""
NOT_YET = {"trends"}
"""Quantities that only fall or rise: positions will be stored in layers by them."""
WORD = re.compile(r"[A-Za-z_]\w*")


def modules() -> dict[str, Path]:
    """Files by the name of their module."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
TEXTS = {name: path.read_text("utf-8") for name, path in MODULES.items()}


def named_in(name: str) -> Iterator[str]:
    """What a module imports, and what its strings may be names of."""
    folders = (name, name.rpartition(".")[0], "gamedsl", "gamedsl.cli.bodies", "gamedsl.reports")
    for node in ast.walk(ast.parse(TEXTS[name])):
        match node:
            case ast.Import(names=names):
                yield from (one.name for one in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{one.name}" for one in names)
            case ast.Constant(value=str(text)) if re.fullmatch(r"[\w.]+(:\w+)?", text):
                text = text.partition(":")[0]
                yield from (text, *(f"{folder}.{text}" for folder in folders))


def reached() -> set[str]:
    """Modules that the doors lead to; with a module its folders are imported."""
    found: set[str] = set()
    waiting = list(DOORS)
    while waiting:
        name = waiting.pop()
        while name:
            if name in MODULES and name not in found:
                found.add(name)
                waiting += named_in(name)
            name = name.rpartition(".")[0]
    return found


def defined(body: list[ast.stmt]) -> Iterator[str]:
    """Functions and classes, those within classes too; not those that a decorator registers."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not registered(node):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from defined(node.body)


def registered(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether a decorator puts it into a table."""
    return any(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Name)
        and one.func.id in REGISTERED_BY
        for one in node.decorator_list
    )


def test_every_module_is_reached_from_a_door() -> None:
    assert set(MODULES) - reached() == set()


def test_every_function_and_every_class_is_used() -> None:
    used: Counter[str] = Counter()
    for text in TEXTS.values():
        used.update(WORD.findall(text))
    for pattern in ELSEWHERE:
        for path in ROOT.glob(pattern):
            used.update(WORD.findall(path.read_text("utf-8")))
    unused = {
        f"{module}: {name}"
        for module, text in TEXTS.items()
        if not module.startswith(RULES_OF_THE_GRAMMAR)
        for name in defined(ast.parse(text).body)
        if used[name] < 2 and not name.startswith("__")
        if name not in BY_OTHERS | FOR_TESTS | NOT_YET
    }
    assert unused == set()
