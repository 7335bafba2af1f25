"""Lines of generated Python: blocks, functions with the parameters they turn out to need, tables.

In: text. Out: text. Knows nothing of games; who calls decides what the names mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
SIGNED = 1 << 63
LARGEST_INLINED = 64
"""Lines of a function that is put in the place of its calls, those of what it calls included."""


class Writer:
    """The body of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.defined: set[str] = set()
        self._depth = 1

    def line(self, text: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self._depth + text)

    def assign(self, name: str, text: str) -> None:
        """`name = text`, a name of this function from now on."""
        self.defined.add(name)
        self.line(f"{name} = {text}")

    def assign_before(self, place: int, name: str, text: str) -> None:
        """The same, put in before a line written already; it stands at the present depth."""
        self.assign(name, text)
        self.lines.insert(place, self.lines.pop())

    @contextmanager
    def block(self, head: str, may_be_empty: bool = False) -> Iterator[None]:
        """`head:` and what is written within, one level deeper; left out if that is nothing and
        `may_be_empty`."""
        self.line(f"{head}:")
        before = len(self.lines)
        self._depth += 1
        yield
        if all(line.lstrip().startswith("#") for line in self.lines[before:]):
            if may_be_empty:
                del self.lines[before - 1 :]
            else:
                self.line("pass")
        self._depth -= 1

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(self.lines)


class Program:
    """The module that is being written: constants, tables and functions in order."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self.writer = Writer()
        self.fields: set[str] = set()
        """Names that functions are given even where they assign them."""
        self.variables: set[str] = set()
        """Names that are locals or fields, and so become parameters where they are not defined."""
        self._constants: dict[str, str] = {}
        self._calls: dict[str, str] = {}
        self._fresh = 0
        self.is_wide = False
        """Whether sets of squares, and so large constants, have more bits than a word."""

    def fresh(self, stem: str) -> str:
        """A new local name of the function being written."""
        self._fresh += 1
        name = f"{stem}_{self._fresh}"
        self.variables.add(name)
        return name

    def named(self, name: str) -> str:
        """A local name that is known already."""
        self.variables.add(name)
        return name

    def number(self, value: int) -> str:
        """An integer constant; those with bit 63 become named constants."""
        if value < 0:
            return f"({value})"
        if value < SIGNED:
            return str(value) if value < 1024 else hex(value)
        return self._constant(f"{'big' if self.is_wide else 'word'}({value:#x})", "W")

    def mask(self, value: int) -> str:
        """A constant for a word of 64 bits, whatever the others are."""
        is_large = SIGNED <= value < 2 * SIGNED
        return self._constant(f"word({value:#x})", "W") if is_large else self.number(value)

    def table(self, values: tuple[int, ...]) -> str:
        """A table that is indexed at run time."""
        return self._constant("table((" + "".join(f"{value}, " for value in values) + "))", "T")

    def _constant(self, text: str, stem: str) -> str:
        if text not in self._constants:
            self._constants[text] = f"{stem}{len(self._constants)}"
        return self._constants[text]

    @property
    def constants(self) -> list[str]:
        """The lines that define constants and tables."""
        return [f"{name} = {text}" for text, name in self._constants.items()]

    # --- functions -------------------------------------------------------------------------

    def body(self, write: Callable[[], None]) -> Writer:
        """What `write` writes into a function of its own."""
        outer, self.writer = self.writer, Writer()
        write()
        inner, self.writer = self.writer, outer
        return inner

    def call(
        self, stem: str, write: Callable[[], None], given: dict[str, str] | None = None
    ) -> str:
        """A call of a new function whose body `write` writes; equal bodies share a function.

        Its parameters are the variables that the body uses and does not define; `given` says
        what is handed over for some of them. A body without a line gives no function.
        """
        body = self.body(write)
        if not body.lines:
            return "0"
        needed = self.needed(body)
        given = given or {}
        arguments = ", ".join(given.get(name, name) for name in needed)
        plain = self._renumbered(body, needed)
        known = f"({', '.join(plain.get(n, n) for n in needed)}):\n{body.text}"
        if known not in self._calls:
            name = f"{stem}__f{len(self.functions)}"
            self._calls[known] = name
            self.function(name, [plain.get(n, n) for n in needed], body)
        return f"{self._calls[known]}({arguments})"

    def _renumbered(self, body: Writer, needed: list[str]) -> dict[str, str]:
        """Number the locals of a body in order of appearance, so that equal bodies look equal."""
        own = (set(needed) | body.defined) - self.fields
        plain: dict[str, str] = {}
        for name in _NAME.findall(_without_comments(body.text)):
            if name in own and name not in plain:
                plain[name] = f"{name.rstrip('0123456789')}{len(plain)}"
        body.lines = [
            _NAME.sub(lambda found: plain.get(found[0], found[0]), code) + mark + comment
            for code, mark, comment in (line.partition("#") for line in body.lines)
        ]
        return plain

    def needed(self, body: Writer) -> list[str]:
        """The variables that a body uses but does not define."""
        used = dict.fromkeys(_NAME.findall(_without_comments(body.text)))
        return [
            name
            for name in used
            if name in self.fields or (name in self.variables and name not in body.defined)
        ]

    def function(self, name: str, parameters: list[str], body: Writer) -> None:
        """Add a function to the module."""
        self.functions.append(f"def {name}({', '.join(parameters)}):\n{body.text}")

    def texts(self) -> list[str]:
        """All functions with their decorators: what stays small with all that it calls put in
        its place is `inlined`, the rest `compiled`, as is what calls itself."""
        called = {text[len("def ") :].partition("(")[0]: text for text in self.functions}
        sizes: dict[str, int] = {}

        def size(name: str) -> int:
            if name not in sizes:
                text = _without_comments(called[name])
                inner = [one for one in _NAME.findall(text)[2:] if one in called]
                is_endless = name in inner
                sizes[name] = LARGEST_INLINED + 1 if is_endless else 0
                sizes[name] += text.count("\n") + sum(size(one) for one in inner if one != name)
            return sizes[name]

        return [
            f"@{'inlined' if size(name) <= LARGEST_INLINED else 'compiled'}\n{text}"
            for name, text in called.items()
        ]


def names_in(text: str) -> set[str]:
    """The identifiers of a piece of code, comments apart."""
    return set(_NAME.findall(_without_comments(text)))


def _without_comments(text: str) -> str:
    return "\n".join(line.partition("#")[0] for line in text.split("\n"))
