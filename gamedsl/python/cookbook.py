"""The cookbook: patterns of rules by what a person wants to say, from `docs/cookbook.md`.

On the page a pattern is a heading of the third level, a sentence, and a piece of rules; further
words for it stand in a comment `<!-- words: ... -->` below the heading. A checkout has the page
beside the package, an installed wheel has the page as package data.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from gamedsl.source.records import dataclass

_PACKAGE = Path(__file__).resolve().parent.parent
_PATTERN = re.compile(
    r"^### (?P<title>[^\n]+)\n(?:<!-- words: (?P<words>.*?) -->\n)?\n(?P<text>.*?)\n"
    r"(?:<!-- rest\n.*?-->\n)?```gamedsl-part\n(?P<rules>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_SMALL = frozenset(
    {"a", "an", "and", "by", "do", "for", "how", "i", "in", "is", "it", "of", "on", "one", "or"}
    | {"say", "the", "to", "with"}
)
"""Words that tell no pattern from another."""

NEAR = 0.7
"""The share of the best score from which a pattern is about the question, too."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of rules.

    Attributes:
        title: the thing to say: `Draw a card`.
        words: further words for it.
        text: the explanation, in Markdown.
        rules: the lines to write.
    """

    title: str
    words: str
    text: str
    rules: str


def page() -> Path:
    """The path of the page. Raises FileNotFoundError if the installation lacks the page."""
    for path in (_PACKAGE / "_cookbook.md", _PACKAGE.parent / "docs/cookbook.md"):
        if path.is_file():
            return path
    raise FileNotFoundError(f"gamedsl is not installed completely: no {_PACKAGE}/_cookbook.md")


@cache
def patterns() -> tuple[Pattern, ...]:
    """All patterns, in the order of the page."""
    text = page().read_text(encoding="utf-8")
    return tuple(
        Pattern(
            match["title"], match["words"] or "", " ".join(match["text"].split()), match["rules"]
        )
        for match in _PATTERN.finditer(text)
    )


def patterns_about(question: str) -> list[Pattern]:
    """The patterns that share the most words with a question, the best first."""
    asked = _stems(question)
    scores = {
        pattern.title: (
            2 * len(asked & _stems(pattern.title))
            + 2 * len(asked & _stems(pattern.words))
            + len(asked & _stems(pattern.text))
        )
        for pattern in patterns()
    }
    best = max(scores.values(), default=0)
    near = [pattern for pattern in patterns() if 0 < NEAR * best <= scores[pattern.title]]
    return sorted(near, key=lambda pattern: -scores[pattern.title])


def _stems(text: str) -> frozenset[str]:
    """The words of a text without the endings that English adds."""
    words = re.findall(r"[a-z]+", text.lower())
    return frozenset(
        re.sub(r"(?:ing|ed|es|s|e)$", "", word) if len(word) > 3 else word
        for word in words
        if word not in _SMALL
    )
