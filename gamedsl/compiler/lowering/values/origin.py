"""The places of the game that code comes from: guards by number, the amount of code by line."""

from __future__ import annotations

from gamedsl.compiler.faults import Message, Site
from gamedsl.compiler.lowering.values.parts import Parts
from gamedsl.source import SourceFile, Span


class Origin:
    """Where the code of one game comes from.

    Attributes:
        sites: the guards, by number.
        parts: the amount of code written, by line of the game.
    """

    def __init__(self, source: SourceFile) -> None:
        self.sites: list[Site] = []
        self.parts = Parts(source)
        self._numbers: dict[object, int] = {}

    def site(
        self, code: str, span: Span | None, message: Message, key: tuple[object, ...] = ()
    ) -> int:
        """The number of a guard. Guards of equal meaning share a number: `key` has the dependencies
        of the message besides the code and the place in the file.
        """
        meaning = (code, span, key)
        if meaning not in self._numbers:
            self._numbers[meaning] = len(self.sites)
            self.sites.append(Site(code, span, message))
        return self._numbers[meaning]
