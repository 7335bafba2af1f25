"""The table of figures: `*.toml` beside this file, read as rows.

A row says in which sentence of a document figures stand (`says`, each figure in braces), which
command works them out (`run`), and how each is read off its output (`find`), in their order:

    [["docs/engines.md"]]
    says = "connect four on five by five squares, {69,763,700} positions, takes {ten seconds}"
    run = "gamedsl solve connect_four -D width=5 -D height=5 --goal all"
    find = [{ read = 'all ([\\d,]+) positions' }, { seconds = [3, 40] }]
    takes = 12

`read` is a pattern over the output, whose groups are the figures; `seconds` and `megabytes` are
what the command took of the processor and of memory. A figure is exact, to the digits that are
written, unless there is a band for it (`band`, or behind `seconds` and `megabytes`).

A limit that the program keeps is no result: `constant` names where it stands in the code
(`module:name`). What others have found is neither: `published` says where.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.figures.documents import Found, documents, measured, text_of

FOLDER = Path(__file__).resolve().parent
MARK = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Row:
    """Figures of one sentence of a document, and the command that works them out."""

    document: str
    says: str
    run: str | None
    find: tuple[dict[str, Any], ...]
    constants: tuple[str, ...]
    published: str | None
    takes: float

    @property
    def figures(self) -> list[str]:
        """What the document writes for each figure."""
        return MARK.findall(self.says)

    def places(self) -> list[tuple[int, int]] | None:
        """Where the figures stand in the document; None where the sentence is not there."""
        pieces = MARK.split(self.says)
        pattern = "".join(
            rf"({_loosely(piece)})" if index % 2 else _loosely(piece)
            for index, piece in enumerate(pieces)
        )
        hit = re.search(pattern, text_of(self.document))
        return (
            None
            if hit is None
            else [hit.span(number) for number in range(1, len(self.figures) + 1)]
        )


def _loosely(piece: str) -> str:
    """A piece of a sentence, wherever its lines break."""
    return r"\s+".join(re.escape(word) for word in re.split(r"\s+", piece))


def _constants(names: str | list[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


@cache
def rows() -> tuple[Row, ...]:
    """All rows, document by document."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for document, entries in tomllib.loads(path.read_text("utf-8")).items():
            found += [
                Row(
                    document,
                    entry["says"],
                    entry.get("run"),
                    tuple(entry.get("find", ())),
                    _constants(entry.get("constant", ())),
                    entry.get("published"),
                    entry.get("takes", 1),
                )
                for entry in entries
            ]
    return tuple(found)


def stale() -> list[Row]:
    """Rows whose sentence does not stand in their document."""
    return [row for row in rows() if row.document not in documents() or row.places() is None]


def missing(document: str) -> list[Found]:
    """Measured figures of a document that no row covers."""
    covered = [place for row in rows() if row.document == document for place in row.places() or []]
    return [
        figure
        for figure in measured(document)
        if not any(start < figure.end and figure.start < end for start, end in covered)
    ]
