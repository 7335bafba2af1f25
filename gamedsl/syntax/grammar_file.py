"""The place of the grammar `grammars/gamedsl.lark`; no other module knows the path."""

from __future__ import annotations

from pathlib import Path


def grammar_file() -> Path:
    """The path of the grammar: in the installed package, else beside the package in the
    checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_grammars", package.parent / "grammars"):
        path = folder / "gamedsl.lark"
        if path.is_file():
            return path
    raise FileNotFoundError("the grammar of the language is missing from this installation")
