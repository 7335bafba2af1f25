"""Fitting one logical line into the width of a page.

In: fragments (texts, brackets, places where the line may be broken). Out: lines of text. The
author's line breaks are kept; further breaks are made only where a line is too long, outermost
first. A line is broken only inside brackets, so parentheses are added where brackets are missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from gamedsl.source.records import dataclass
from gamedsl.syntax.printers.comments import Comment

WIDTH = 100
"""Columns that a line takes at most, if the line can be broken at all."""

STEP = 4
"""Columns by which a block is indented."""

RIGHTMOST_ALIGNMENT = 60
"""Columns: behind a bracket further right, continued lines are not aligned with the bracket."""

HEAD = 900
"""The rank of a break between parts of the head of a declaration, and the least rank in a part:
made only where breaks behind the head do not suffice."""

_LAST = 1000
"""The rank of a break of last resort."""


@dataclass(frozen=True, slots=True)
class Break:
    """A place where the line may be broken: a low `rank` first; `flat` is the text if the line is
    not broken."""

    rank: int
    flat: str = " "
    is_wanted: bool = False
    comments: tuple[Comment, ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """An opening bracket."""

    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """A closing bracket."""

    text: str


Fragment = str | Break | Open | Close


@dataclass(frozen=True, slots=True)
class Slot:
    """An expression that may be wrapped in parentheses, to allow line breaks."""

    fragments: tuple[Fragment, ...]
    is_opened: bool = False
    """Whether the author began a new line behind an opening parenthesis around the whole
    expression."""

    def outer_breaks(self) -> list[int]:
        """Positions of the breaks that are outside of all brackets."""
        level = 0
        positions = []
        for i, fragment in enumerate(self.fragments):
            if isinstance(fragment, Open | Close):
                level += 1 if isinstance(fragment, Open) else -1
            elif isinstance(fragment, Break) and level == 0:
                positions.append(i)
        return positions

    def is_broken(self) -> bool:
        """Whether the author broke the line outside of all brackets."""
        breaks = [self.fragments[i] for i in self.outer_breaks()]
        return any(isinstance(fragment, Break) and fragment.is_wanted for fragment in breaks)


LinePart = Fragment | Slot


def fit(
    parts: list[LinePart], indent: int, *, hangs: bool = False, is_written: bool = True
) -> list[str]:
    """The lines of a logical line; continued lines hang under the start, or align with brackets.

    `is_written`: whether an author has broken lines; if not, long expressions are broken at all
    outermost operators.
    """
    if not is_written and indent + len(flat(parts)) > WIDTH:
        parts = [_opened(part) if isinstance(part, Slot) else part for part in parts]
    whole_head = [_text(part) if _is_in_head(part) else part for part in parts]
    lines = _fitted(whole_head, indent, hangs)
    fits = whole_head == parts or all(len(line) <= WIDTH for line in lines)
    return lines if fits else _fitted(parts, indent, hangs)


def _is_in_head(part: LinePart) -> TypeGuard[Break]:
    return isinstance(part, Break) and part.rank >= HEAD and not part.is_wanted


def in_head(fragment: Fragment) -> Fragment:
    """A fragment of a part of the head of a declaration."""
    if isinstance(fragment, Break):
        return replace(fragment, rank=min(HEAD + 1 + fragment.rank, _LAST - 1))
    return fragment


def _fitted(parts: list[LinePart], indent: int, hangs: bool) -> list[str]:
    """The lines of a logical line; expressions get parentheses where breaks are needed, the last
    expression first."""
    slots = [(i, part) for i, part in enumerate(parts) if isinstance(part, Slot)]
    wrapped = {i for i, slot in slots if slot.is_broken()}
    waiting = [i for i, slot in slots if i not in wrapped and slot.outer_breaks()]
    while True:
        fragments, places = _flatten(parts, wrapped)
        lines, used = _fill(fragments, indent, hangs)
        idle = {i for i in wrapped if not used.intersection(places[i][1])}
        if idle:
            wrapped -= idle
            fragments, places = _flatten(parts, wrapped)
            lines, used = _fill(fragments, indent, hangs)
        if not waiting:
            return lines
        fits = all(len(line) <= WIDTH for line in lines)
        if fits and not any(_is_torn(fragments, *places[i], used) for i in waiting):
            return lines
        wrapped.add(waiting.pop())


def _is_torn(fragments: list[Fragment], first: int, outer: set[int], used: set[int]) -> bool:
    """Whether the printer breaks an expression without parentheses, which begins at `first`, in a
    bracket that does not end the expression."""
    inside = (fragments[i] for i in used if first <= i < max(outer))
    return any(isinstance(made, Break) and not made.is_wanted for made in inside)


def _opened(slot: Slot) -> Slot:
    """A slot with long text, broken at all outermost operators."""
    breaks = slot.outer_breaks()
    if not breaks or sum(len(_text(fragment)) for fragment in slot.fragments) < WIDTH // 2:
        return slot
    fragments = list(slot.fragments)
    ranks = {at: made.rank for at in breaks if isinstance(made := fragments[at], Break)}
    for at, rank in ranks.items():
        made = fragments[at]
        if rank == min(ranks.values()) and isinstance(made, Break):
            fragments[at] = replace(made, is_wanted=True)
    return replace(slot, fragments=tuple(fragments))


def flat(parts: list[LinePart]) -> str:
    """A logical line without any break."""
    fragments, _ = _flatten(parts, set())
    return "".join(_text(fragment) for fragment in fragments)


def _flatten(
    parts: list[LinePart], wrapped: set[int]
) -> tuple[list[Fragment], dict[int, tuple[int, set[int]]]]:
    """Plain fragments, and for each slot the positions of its beginning and of its outer breaks."""
    fragments: list[Fragment] = []
    places: dict[int, tuple[int, set[int]]] = {}
    for i, part in enumerate(parts):
        if not isinstance(part, Slot):
            fragments.append(part)
            continue
        if i in wrapped:
            fragments += [Open("("), Break(_LAST, "", part.is_opened)]
        start = len(fragments)
        places[i] = start, {start + position for position in part.outer_breaks()}
        fragments += part.fragments
        if i in wrapped:
            fragments.append(Close(")"))
    return fragments, places


def _fill(fragments: list[Fragment], indent: int, hangs: bool) -> tuple[list[str], set[int]]:
    """The lines, and the breaks that were made."""
    lines: list[str] = []
    used: set[int] = set()
    start, column = 0, indent
    brackets: list[int] = []
    while True:
        stop, brackets = _line_end(fragments, start, column, brackets)
        text = "".join(_text(fragment) for fragment in fragments[start:stop])
        lines.append(" " * column + text.rstrip())
        if stop == len(fragments):
            return lines, used
        used.add(stop)
        follows_bracket = isinstance(fragments[stop - 1], Open)
        column = _continuation(indent, brackets, hangs, follows_bracket)
        if follows_bracket:
            brackets[-1] = column
        made = fragments[stop]
        if isinstance(made, Break):
            _write_comments(made.comments, lines, column)
        start = stop + 1


def _line_end(
    fragments: list[Fragment], start: int, column: int, brackets: list[int]
) -> tuple[int, list[int]]:
    """The end of the line that begins at `start`: a break or the end; and the open brackets."""
    stack = list(brackets)
    best: tuple[int, list[int]] | None = None
    best_rank = 0
    for i in range(start, len(fragments)):
        fragment = fragments[i]
        if isinstance(fragment, Break):
            if stack and (fragment.is_wanted or (column > WIDTH and best is None)):
                return i, stack
            if stack and column <= WIDTH and (best is None or fragment.rank <= best_rank):
                best, best_rank = (i, list(stack)), fragment.rank
        column += len(_text(fragment))
        if isinstance(fragment, Open):
            stack.append(column)
        elif isinstance(fragment, Close):
            stack.pop()
        if column > WIDTH and best is not None and not isinstance(fragment, Break):
            return best
    return len(fragments), stack


def _continuation(indent: int, brackets: list[int], hangs: bool, follows_bracket: bool) -> int:
    """The column of a continued line."""
    hanging = indent + STEP * len(brackets)
    if hangs:
        return hanging
    if follows_bracket or brackets[-1] > RIGHTMOST_ALIGNMENT:
        return hanging + STEP
    return brackets[-1]


def _write_comments(comments: tuple[Comment, ...], lines: list[str], column: int) -> None:
    """Write comments at a break: behind the line before, or on lines of their own."""
    for i, comment in enumerate(comments):
        if comment.is_alone or i > 0:
            lines.append(" " * column + comment.text)
        else:
            lines[-1] = with_comment(lines[-1], comment)


def with_comment(line: str, comment: Comment) -> str:
    """A line with a comment behind, at the author's column if there is room."""
    return line.ljust(max(comment.column, len(line) + 2)) + comment.text


def _text(fragment: Fragment) -> str:
    if isinstance(fragment, str):
        return fragment
    return fragment.flat if isinstance(fragment, Break) else fragment.text
