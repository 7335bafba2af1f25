"""Explanations of words, from the reference page: the documentation for hover and completion.

In: a word of the language or a builtin. Out: the paragraph or table row about the word in
`docs/language/reference.md`, the only place where words are explained. A checkout has the page
beside the package, an installed wheel has the page as package data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gamedsl.model.elaborate.declarations.claims import FACTS
from gamedsl.source.records import dataclass

_PACKAGE = Path(__file__).resolve().parent.parent
_CODE = re.compile(r"`([^`]+)`|<code>(.*?)</code>")
_WORD = re.compile(r"[^\W\d]\w*")
_CELLS = re.compile(r"(?<!\\)\|")
_MOST_PARAGRAPHS = 2
_LISTS = frozenset({"Contents", "Names, numbers, comments"})
"""Sections that name words without explaining them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An explanation from the page.

    Attributes:
        usage: the notation: `move name(p in S [where c], ...) [secret]:`.
        text: the meaning, in Markdown.
    """

    usage: str
    text: str


def entry_for(word: str) -> Entry | None:
    """The page's explanation of a word of the language, a builtin or a sign, or None."""
    return _entries().get(word)


def fact_entry(word: str) -> Entry | None:
    """The page's explanation of a fact for `expect`, or None."""
    return _facts().get(word)


def page() -> Path:
    """The path of the page. Raises FileNotFoundError if the installation lacks the page."""
    for path in (_PACKAGE / "_reference.md", _PACKAGE.parent / "docs/language/reference.md"):
        if path.is_file():
            return path
    raise FileNotFoundError(f"gamedsl is not installed completely: no {_PACKAGE}/_reference.md")


@cache
def _sections() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Headings, and the lines below each."""
    sections: list[tuple[str, list[str]]] = []
    is_code = False
    for line in page().read_text(encoding="utf-8").splitlines():
        is_code ^= line.startswith("```")
        if line.startswith("#") and not is_code:
            sections.append((line.lstrip("# "), []))
        elif sections:
            sections[-1][1].append(line)
    return tuple((heading, tuple(lines)) for heading, lines in sections)


@cache
def _entries() -> dict[str, Entry]:
    """The best entry for each word: a heading beginning with the word, else a table row beginning
    with the word, else a sentence with the word."""
    leading: dict[str, Entry] = {}
    rows: dict[str, Entry] = {}
    mentioned: dict[str, Entry] = {}
    for heading, lines in _sections():
        codes = _codes(heading)
        if codes:
            entry = Entry(codes[0], _paragraphs(lines))
            for code in codes:
                words = _words(code)
                leading.setdefault(words[0] if words else code, entry)
                for word in words[1:]:
                    mentioned.setdefault(word, entry)
        if heading not in {"Claims", "A file"}:
            for usages, text in _rows(lines):
                for usage in usages:
                    entry = Entry(usage, text)
                    words = _words(usage)
                    first = words[:1] if _CODE_CALL.match(usage) or len(words) == 1 else words
                    for word in first if text else ():
                        rows.setdefault(word, entry)
                    for sign in _signs(usage):
                        rows.setdefault(sign, entry)
    prose = [lines for heading, lines in _sections() if heading not in _LISTS]
    for lines in prose:
        for word, entry in _subjects(lines):
            rows.setdefault(word, entry)
        for word, entry in _prose(lines):
            mentioned.setdefault(word, entry)
    return {**mentioned, **rows, **leading}


_CODE_CALL = re.compile(r"[^\W\d]\w*\(")


@cache
def _facts() -> dict[str, Entry]:
    lines = dict(_sections())["Claims"]
    entries = [
        Entry(usage, text) for usages, text in reversed(list(_rows(lines))) for usage in usages
    ]
    return {
        fact: entry
        for entry in entries
        for fact in FACTS
        if f"{entry.usage} ".startswith(f"{fact} ")
    }


def _codes(text: str) -> list[str]:
    return [(plain or html).replace("&#124;", "|") for plain, html in _CODE.findall(text)]


def _words(code: str) -> list[str]:
    """The words of a usage, without placeholders: single letters and text in quotes."""
    words = _WORD.findall(re.sub(r'"[^"]*"', "", code))
    return [word for word in words if len(word) > 1]


def _signs(code: str) -> list[str]:
    return re.findall(r"(?<![\w.])(?:==|!=|<=|>=|//|\+=|-=|[-+*/%<>])(?!\w)|\.\.|\|", code)


def _rows(lines: tuple[str, ...]) -> Iterator[tuple[list[str], str]]:
    """The rows of tables: notations, and their meaning."""
    header: list[str] = []
    for line in lines:
        if not line.startswith("|"):
            header = []
            continue
        cells = [cell.strip() for cell in _CELLS.split(line.strip()[1:-1])]
        if not header:
            header = cells
        elif not set(line) <= set("|-: "):
            yield from _row(header, cells)


def _row(header: list[str], cells: list[str]) -> Iterator[tuple[list[str], str]]:
    if header[0] == "level":
        yield _codes(cells[1]), f"{cells[0]}: {cells[1]}"
    elif header[:2] == ["builtin", "takes"]:
        yield _codes(cells[0]), f"of {cells[1]}: {cells[2]}"
    else:
        named = [f"{name}: {cell}" for name, cell in zip(header[2:], cells[2:], strict=False)]
        yield _codes(cells[0]), ". ".join([part for part in [cells[1], *named] if part])


def _paragraphs(lines: tuple[str, ...]) -> str:
    """The first paragraphs of a section, without tables and examples."""
    paragraphs: list[list[str]] = [[]]
    is_code = False
    for line in lines:
        if line.startswith("```"):
            is_code = not is_code
        elif is_code:
            continue
        elif line.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return "\n\n".join(
        "\n".join(paragraph) for paragraph in paragraphs[:_MOST_PARAGRAPHS] if paragraph
    )


def _subjects(lines: tuple[str, ...]) -> Iterator[tuple[str, Entry]]:
    """Words that begin a paragraph, each with the paragraph."""
    for paragraph in _paragraphs_of(lines):
        code = _CODE.match(paragraph)
        if code is not None and (words := _words(code[1] or "")):
            yield words[0], Entry(code[1], paragraph)


def _prose(lines: tuple[str, ...]) -> Iterator[tuple[str, Entry]]:
    """Words in backquotes within sentences, each with its paragraph."""
    for paragraph in _paragraphs_of(lines):
        for code in _codes(paragraph):
            for word in _words(code):
                yield word, Entry(code, paragraph)


def _paragraphs_of(lines: tuple[str, ...]) -> list[str]:
    text = "\n".join(line for line in lines if not line.startswith("|"))
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return [paragraph.strip() for paragraph in plain.split("\n\n") if paragraph.strip()]
