"""The formatter's page: indented lines, the comments around the lines, and blank lines.

In: logical lines as parts, with their stretches of the source, in order. Out: the text. A comment
on a line of its own stays above the code below; a comment behind a line stays behind the line; a
comment inside a line moves above the line if its place is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from gamedsl.syntax.ast import Node
from gamedsl.syntax.printers.comments import Comment, Surroundings
from gamedsl.syntax.printers.fragments import STEP, LinePart, fit, with_comment

N = TypeVar("N", bound=Node)


class Page:
    """A text written line by line."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._lines: list[str] = []
        self._depth = 0
        self._is_first = True

    def write(self, parts: list[LinePart], start: int, end: int, *, hangs: bool = False) -> None:
        """Write a logical line that stood at `start..end`, with the comments above and behind."""
        self._write_alone(self._around.take_before(start))
        inside = self._around.take(start, end)
        behind = self._around.take(end, self._around.line_end(end))
        self._write_blank(start)
        indent = " " * (STEP * self._depth)
        self._lines += [indent + comment.text for comment in inside]
        lines = fit(parts, STEP * self._depth, hangs=hangs)
        for comment in behind:
            lines[-1] = with_comment(lines[-1], comment)
        self._lines += lines

    @property
    def depth(self) -> int:
        """The number of open blocks."""
        return self._depth

    def begin_block(self) -> None:
        """Begin a block: the following lines are indented by one more step."""
        self._depth += 1
        self._is_first = True

    def end_block(self, start: int, end: int) -> None:
        """End the block that began at `start`, with the comments at the end of the block.

        Comments before `end` belong to the block if indented at least like the block.
        """
        column = self._around.column(start)
        while comment := self._around.next_alone(end):
            if comment.column < column:
                break
            self._write_alone(self._around.take(comment.start, comment.start + 1))
        self._depth -= 1
        self._is_first = False

    def finish(self) -> str:
        """The whole text, with the remaining comments."""
        self._write_alone(self._around.take_before(len(self._around.text) + 1))
        return "".join(f"{line}\n" for line in self._lines)

    def _write_alone(self, comments: list[Comment]) -> None:
        for comment in comments:
            self._write_blank(comment.start, is_code=not comment.is_alone)
            self._lines.append(" " * (STEP * self._depth) + comment.text)

    def _write_blank(self, offset: int, *, is_code: bool = False) -> None:
        """Write an empty line, if the author left one before `offset` and the line does not open a
        block."""
        if not self._is_first and not is_code and self._around.has_blank_before(offset):
            self._lines.append("")
        self._is_first = False


def followed(nodes: Sequence[N], end: int) -> Iterator[tuple[N, int]]:
    """Each node with the start of the next node; for the last node, `end`."""
    starts = [node.span.start for node in nodes[1:]]
    return zip(nodes, [*starts, end], strict=True)
