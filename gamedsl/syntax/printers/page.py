"""The formatter's page: joins printed lines to a text, with indentation, comments and blank lines.

In: the logical lines of a program in order, each as parts to be fitted (`fragments`) and with the
place where the line stood in the source. Out: the formatted text. A comment on a line of its own
stays above the code below; a comment behind a line stays behind the line; a comment inside a line
moves above the line if its place is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from gamedsl.syntax.ast import Node
from gamedsl.syntax.printers.comments import Comment, Surroundings
from gamedsl.syntax.printers.fragments import STEP, LinePart, fit, with_comment

N = TypeVar("N", bound=Node)


class Page:
    """A text written line by line; `around` is the source with its comments."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._lines: list[str] = []
        self._depth = 0
        self._is_first = True
        self._ends_block = False

    def write(self, parts: list[LinePart], start: int, end: int, *, hangs: bool = False) -> None:
        """Write a logical line that stood at `start..end`, with the comments above, inside and
        behind; `hangs` as in `fragments.fit`."""
        if self._ends_block:
            self.begin_section()
        self._ends_block = False
        self._write_alone(self._around.take_before(start))
        inside = self._around.take(start, end)
        behind = self._around.take(end, self._around.line_end(end))
        self._write_blank(start)
        indent = " " * (STEP * self._depth)
        self._lines += [indent + comment.text for comment in inside]
        written = self._around.is_written
        lines = fit(parts, STEP * self._depth, hangs=hangs, is_written=written)
        for comment in behind:
            lines[-1] = with_comment(lines[-1], comment)
        self._lines += lines

    @property
    def depth(self) -> int:
        """The number of open blocks."""
        return self._depth

    def begin_section(self) -> None:
        """Begin a section with a block; in a program without a text, below an empty line."""
        if self._depth == 0 and not (self._around.is_written or self._is_first):
            self._lines.append("")
            self._ends_block = False

    def begin_block(self) -> None:
        """Begin a block: the following lines are indented by one more step."""
        self._depth += 1
        self._is_first = True

    def end_block(self, start: int, end: int) -> None:
        """End the block whose first line stood at `start`, with the comments at its end.

        Comments before `end` belong to the block if indented at least like its first line.
        """
        block_column = self._around.column(start)
        while comment := self._around.next_alone(end):
            if comment.column < block_column:
                break
            self._write_alone(self._around.take(comment.start, comment.start + 1))
        self._depth -= 1
        self._is_first = False
        self._ends_block = True

    def finish(self) -> str:
        """The whole text, with the remaining comments."""
        self._write_alone(self._around.take_before(len(self._around.text) + 1))
        return "".join(f"{line}\n" for line in self._lines)

    def _write_alone(self, comments: list[Comment]) -> None:
        """Write comments, each on a line of its own."""
        for comment in comments:
            self._write_blank(comment.start, is_code=not comment.is_alone)
            self._lines.append(" " * (STEP * self._depth) + comment.text)

    def _write_blank(self, offset: int, *, is_code: bool = False) -> None:
        """Write an empty line if the author left one above the line of `offset`, unless the line is
        the first of a block or of the text, or held code in front of the comment (`is_code`)."""
        if not self._is_first and not is_code and self._around.has_blank_before(offset):
            self._lines.append("")
        self._is_first = False


def followed(nodes: Sequence[N], end: int) -> Iterator[tuple[N, int]]:
    """Each node with the start of the next node; for the last node, `end`."""
    starts = [node.span.start for node in nodes[1:]]
    return zip(nodes, [*starts, end], strict=True)
