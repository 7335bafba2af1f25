"""Measured figures in the text of a document: where they stand, and what is no measured figure.

`measured` goes through a document and gives every number with a unit of time, memory, ratio or
count, and every large number. What is left out is said here, by pattern, with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WITH_THEIR_OWN_COMMAND = {
    "docs/CHANGELOG.md": "dated history: an entry says what was measured on its day",
    "docs/atlas/README.md": "python -m benchmarks.atlas",
    "docs/atlas/gdl.md": "python -m benchmarks.atlas.gdl",
    "docs/gallery/README.md": "python docs/gallery/make.py",
    "docs/peers.md": "python -m tests.peers openspiel --write",
}
"""Documents that are not gone through, and why."""
NO_FIGURES = {
    r"^```.*?^```": "code and quoted output: tests run what stands there",
    r"(?<!`)`(?:[^`\n]|\n(?!\n))+`(?!`)": "code: options and rules, no results",
    r"\]\([^)]*\)": "the target of a link",
    r"^\| [\w ]+, without \|.*?\n(?=\n)": "tables written by python -m benchmarks.ablation --write",
    r"^#+ .*?$|\bNim in ten minutes\b": "a heading, and the title of the tutorial",
    r"\bwithin (?:a|five) seconds?\b": "what a command promises, and its limits hold",
}
"""Parts of every document that hold no measured figure, and why."""
TABLES = {"benchmarks/README.md": "python -m benchmarks"}
"""Documents whose tables are written by a command."""

SMALL = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty"
    "|thirty|forty|fifty|sixty"
)
PART = r"half an?|an? (?:half|third|quarter|fifth|tenth|hundredth) of an?"
TIME = r"(?:s|ms|µs|ns|(?:micro|milli)?seconds?|minutes?|hours?)\b"
MEMORY = r"(?:[kKMG]i?B|(?:kilo|mega|giga)?bytes?)\b"
COUNT = (
    r"(?:positions|states|nodes|leaves|plays|playouts|entries|histories|parts|sweeps|rounds|steps"
    r"|edges|lines|statements|equilibria|information sets)\b"
)
RATIO = r"(?:%|per cent\b|times\b|x\b)"
SCALE = r"(?:[ \n](?:thousand|million|billion))"
_DIGITS = rf"(?<![\w.,^/-])\d[\d,]*(?:\.\d+)?{SCALE}?"
FIGURE = re.compile(
    rf"{_DIGITS}[ \n]?(?:{TIME}|{MEMORY}|{RATIO}|{COUNT})"
    rf"|(?<![\w.,^/-])\d+(?:\.\d+)?{SCALE}\b"
    r"|(?<![\w.,^/-])\d{1,3}(?:,\d{3})+\b"
    rf"|\b(?:{SMALL})[ \n](?:{TIME}|{MEMORY}|per cent|times[ \n]as[ \n])"
    rf"|\b(?:{PART})[ \n](?:{TIME}|{MEMORY})"
    r"|(?<=\| )\d+(?:\.\d+|\d{3})(?= \|)",
    re.IGNORECASE,
)
"""A measured figure: a number with its unit, a large number, a number by itself in a table."""


@dataclass(frozen=True)
class Found:
    """A figure in a document: what is written there, on which line, and its place in the text."""

    document: str
    line: int
    written: str
    start: int
    end: int


def documents() -> list[str]:
    """The documents that are gone through, by their paths from the root."""
    paths = [
        ROOT / "README.md",
        ROOT / "benchmarks/README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    return [name for name in names if name not in WITH_THEIR_OWN_COMMAND]


@cache
def text_of(document: str) -> str:
    """The text of a document."""
    return (ROOT / document).read_text("utf-8")


def measured(document: str) -> list[Found]:
    """All measured figures of a document, in order."""
    return figures_in(document, text_of(document))


def figures_in(document: str, text: str) -> list[Found]:
    """The same of a text that is to stand in a document."""
    left = text
    for pattern in [*NO_FIGURES, *([r"^\|.*?$"] if document in TABLES else [])]:
        left = re.sub(pattern, _blank, left, flags=re.MULTILINE | re.DOTALL)
    return [
        Found(document, text.count("\n", 0, hit.start()) + 1, hit[0], hit.start(), hit.end())
        for hit in FIGURE.finditer(left)
    ]


def _blank(part: re.Match[str]) -> str:
    """As much room as a part takes, with its lines."""
    return re.sub(r"[^\n]", " ", part[0])
