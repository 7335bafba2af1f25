"""The comments of a text, and the line breaks between places.

In: a text that parses. Out: the comments in order, and, for the formatter, whether the author broke
the line between two places. The formatter decides where comments are printed.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from gamedsl.source.records import dataclass
from gamedsl.syntax.grammar import indent_width

_TITLE = re.compile(r'(?:game|include)[ \t]*"[^"\n]*"')


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, from `#` to the end of the line; `column` is the column of `#`, from 0, tabs
    expanded."""

    start: int
    text: str
    column: int
    is_alone: bool


class Surroundings:
    """A text with its comments; keeps track of the comments that have been placed."""

    is_written = True

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments = comments_of(text)
        self._starts = [comment.start for comment in self.comments]
        self._placed: set[int] = set()
        self._first = 0

    def take(self, start: int, end: int) -> list[Comment]:
        """Take the comments of a stretch that have not been placed yet; marks them as placed."""
        first = bisect_left(self._starts, start)
        last = bisect_left(self._starts, end)
        taken = [
            comment for comment in self.comments[first:last] if comment.start not in self._placed
        ]
        self._placed.update(comment.start for comment in taken)
        return taken

    def take_before(self, end: int) -> list[Comment]:
        """Take all comments before a place that have not been placed yet; marks them as placed."""
        first = self._first
        self._first = bisect_left(self._starts, end)
        return self.take(self._starts[first], end) if first < self._first else []

    def next_alone(self, end: int) -> Comment | None:
        """The next comment not placed yet, if it has a line of its own and lies before `end`."""
        for comment in self.comments[self._first : bisect_left(self._starts, end)]:
            if comment.start not in self._placed:
                return comment if comment.is_alone else None
        return None

    def broken_between(self, start: int, end: int) -> bool:
        """Whether the author began a new line between two places."""
        return "\n" in self.text[start:end]

    def begins_line(self, start: int, end: int) -> bool:
        """Whether the block at `end` begins a new line behind its header, which ends at `start`."""
        return self.broken_between(start, end)

    def line_end(self, offset: int) -> int:
        """The end of the line of a place."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def column(self, offset: int) -> int:
        """The column of a place, from 0, tabs expanded."""
        return indent_width(self.text[self.text.rfind("\n", 0, offset) + 1 : offset])

    def has_blank_before(self, offset: int) -> bool:
        """Whether the line above the line of a place is blank."""
        line = self.text.rfind("\n", 0, offset)
        if line <= 0:
            return False
        above = self.text.rfind("\n", 0, line)
        return not self.text[above + 1 : line].strip()

    def find_word(self, word: str, start: int, end: int) -> int:
        """The place of a whole word in a stretch, outside of comments; `end` if absent."""
        for match in re.finditer(rf"#[^\n]*|\b{word}\b", self.text[start:end]):
            if match.group() == word:
                return start + match.start()
        return end


class Unwritten(Surroundings):
    """The surroundings of a program that does not come from a text of the language: no comments,
    every statement on a line of its own, an empty line above every section with a block."""

    is_written = False

    def __init__(self) -> None:
        super().__init__("")

    def begins_line(self, start: int, end: int) -> bool:
        """True: a block begins a new line."""
        return True


def comments_of(text: str) -> tuple[Comment, ...]:
    """All comments of a text, in order."""
    comments = []
    offset = 0
    for line in text.split("\n"):
        title = _TITLE.match(line)
        mark = line.find("#", title.end() if title else 0)
        if mark >= 0:
            before = line[:mark]
            column = indent_width(before)
            comments.append(
                Comment(offset + mark, line[mark:].rstrip(), column, not before.strip())
            )
        offset += len(line) + 1
    return tuple(comments)
