"""The `without` lines of a file: the included declarations to leave out.

In: the `without` lines, and the included program. Out: the keys of the declarations left out, and a
diagnostic for each unknown name.
"""

from __future__ import annotations

from dataclasses import field

from gamedsl.source import Diagnostic, Label, SourceFile, Span, nearest
from gamedsl.source.records import dataclass
from gamedsl.syntax import ast
from gamedsl.syntax.including.declared import NAMED, SINGLE, Key, key_of, name_of, replaceable

SECTION = "section"
"""The kind of the keys of sections without a name."""
FEW = 8
"""Most names listed in a hint."""


@dataclass(slots=True)
class LeftOut:
    """The included declarations that a file leaves out."""

    source: SourceFile
    included: ast.Program
    keys: set[Key] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def read(self, written: ast.WithoutDecl) -> None:
        """Read one `without` line."""
        if not written.names:
            self._section(written)
        for name in written.names:
            self._named(written.kind, name)

    def names(self) -> frozenset[str]:
        """The names left out, except the names of moves."""
        return frozenset(name for kind, name in self.keys if kind == "name")

    def _section(self, written: ast.WithoutDecl) -> None:
        words = {SINGLE.get(type(declaration)) for declaration in self.included.declarations}
        if written.kind in words:
            self.keys.add((written.kind, ""))
        else:
            self._missing(written.span, f"there is no `{written.kind}` in what is included")

    def _named(self, word: str, name: ast.Name) -> None:
        words: dict[str, str] = {}
        for declaration in replaceable(self.included):
            if type(declaration) not in NAMED or name_of(declaration).text in words:
                continue
            words[name_of(declaration).text] = NAMED[type(declaration)]
            if (NAMED[type(declaration)], name_of(declaration).text) == (word, name.text):
                key = key_of(declaration)
                assert key is not None
                self.keys.add(key)
                return
        message = f"no {_KINDS[word]} `{name.text}` is included"
        if name.text in words:
            hint: str | None = f"write `without {words[name.text]} {name.text}`"
        else:
            alike = [known for known, kind in words.items() if kind == word]
            near = nearest(name.text, alike)
            hint = f"did you mean `{near}`?" if near else _listed(alike)
        self._missing(name.span, message, hint)

    def _missing(self, span: Span, message: str, hint: str | None = None) -> None:
        self.diagnostics.append(Diagnostic("E0007", message, Label(span), self.source, hint=hint))


def _listed(names: list[str]) -> str | None:
    """A hint with the possible names, or None if the list is empty or longer than `FEW`."""
    if not 0 < len(names) <= FEW:
        return None
    return f"what is included: {', '.join(f'`{name}`' for name in names)}"


_KINDS = {
    "param": "parameter", "type": "type", "state": "variable of the state", "def": "`def`",
    "effect": "`effect`", "move": "move",
}  # fmt: skip
"""The word in `without` -> the word in a sentence."""
