"""The page on Python is true: every block of it runs, and shows what the page shows below it.

Blocks run from the top down in one namespace, as a notebook runs its cells: what is printed is
shown, and then the value of a last line that is an expression.
"""

from __future__ import annotations

import ast
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import gamedsl

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)


def shown_by(cell: str, names: dict[str, object]) -> str:
    """What a notebook shows below a cell."""
    body = ast.parse(cell).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    with redirect_stdout(StringIO()) as shown:
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None:
                print(repr(value))
    return shown.getvalue()


def test_every_block_of_the_page_shows_what_stands_below_it() -> None:
    names: dict[str, object] = {}
    found = [(cell, shown_by(cell, names), expected) for cell, expected in BLOCK.findall(PAGE)]
    assert len(found) == PAGE.count("```python") >= 20
    for cell, shown, expected in found:
        assert shown == expected, cell


def test_every_function_at_the_top_is_on_the_page() -> None:
    door = {
        name for name in gamedsl.__all__
        if getattr(getattr(gamedsl, name), "__module__", "").startswith("gamedsl.python.")
    }  # fmt: skip
    assert len(door) >= 20
    assert not {name for name in door if name not in PAGE}
