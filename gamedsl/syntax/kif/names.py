"""Names of the language for the names of a file in GDL.

In: constants and atoms. Out: names of letters, digits and `_`, all different, none a word of the
language.
"""

from __future__ import annotations

import re
from typing import TypeVar

from gamedsl.syntax import ast
from gamedsl.syntax.kif.rules import Term
from gamedsl.syntax.words import SECTIONS, STATEMENTS

WORDS = frozenset({
    "and", "or", "not", "in", "where", "while", "ensure", "true", "false", "none", "empty", "turn",
    "opponent", "me", "stuck", "square", "columns", "rows", "players", "chains", "bool", "wins",
    "loses", "secret", "subset", "of", "with", "wide", "high", "wrap", "graph", "at", "diagram",
    "otherwise", "is", "greatest", "times", "without", "value", "best", "only", "directions",
})  # fmt: skip
"""Words of the language besides the first words of lines."""
BUILTINS = frozenset({
    "abs", "all", "any", "closed", "column", "connected", "count", "distance", "first", "full",
    "group", "has_line", "last", "len", "line", "list", "max", "min", "neighbours", "next", "other",
    "path", "ray", "row", "set", "sight", "sum", "order", "position", "reverse", "rotate", "shift",
    "sorted", "index", "border", "edge", "area", "unique",
})  # fmt: skip
"""Names of functions."""
COMPASS = frozenset({"N", "NE", "E", "SE", "S", "SW", "W", "NW"})

Part = TypeVar("Part", bound=ast.Node)


def plain(term: Term) -> str:
    """A term as a word: `(cell 1 ?x)` is `cell_1_x`."""
    if isinstance(term, str):
        return re.sub(r"\W+", "_", term, flags=re.ASCII).strip("_") or "sign"
    return "_".join(map(plain, term))


class Names:
    """Distributes names; no two meanings share a name."""

    def __init__(self) -> None:
        self._taken = {*SECTIONS, *STATEMENTS, *WORDS, *BUILTINS}
        self._names: dict[object, str] = {}
        self._numbers: dict[str, int] = {}
        """By wish, the number to try next."""
        self._wishes: dict[str, str] = {}
        """By name of a `let`, the wish."""

    def of(self, meaning: object, wish: str) -> str:
        """The name of a meaning: the wish, or the wish with a number, or with a letter in front."""
        known = self._names.get(meaning)
        if known is not None:
            return known
        if not wish[0].isalpha():
            wish = f"v_{wish}"
        if wish in COMPASS:
            wish += "_"
        name, number = wish, self._numbers.get(wish, 2)
        while name.lower() in self._taken:
            name, number = f"{wish}_{number}", number + 1
        self._numbers[wish] = number
        if isinstance(meaning, tuple) and meaning[0] == "let":
            self._wishes[name] = wish
        self._taken.add(name.lower())
        self._names[meaning] = name
        return name

    def is_free(self, wish: str) -> bool:
        """Whether a word has no meaning yet."""
        return wish.lower() not in self._taken

    def within(self, declaration: Part) -> Part:
        """A declaration whose `let`s are named anew: a name is used within its declaration alone,
        so that few have numbers."""
        lets = [node.name.text for node in ast.nodes_in(declaration) if isinstance(node, ast.Let)]
        taken = self._taken - {name.lower() for name in self._wishes}
        names: dict[str, str] = {}
        numbers: dict[str, int] = {}
        for let in dict.fromkeys(name for name in lets if name in self._wishes):
            name = wish = self._wishes[let]
            while name.lower() in taken:
                numbers[wish] = numbers.get(wish, 1) + 1
                name = f"{wish}_{numbers[wish]}"
            taken.add(name.lower())
            names[let] = name

        def renamed(value: object) -> object:
            if isinstance(value, ast.Name) and value.text in names:
                return ast.Name(value.span, names[value.text])
            return ast.rebuilt(value, renamed)

        return ast.rebuilt(declaration, renamed) if names else declaration
